// Monitor of the bit error ratio of 10GBASE-R (IEEE 802.3 figure 49-15).
//
// 16 bad sync headers within 125 us raise hi_ber; it falls after 125 us in which there were fewer.
module ww_ber_monitor #(
    // Headers in 125 us: 19,531 at 156.25 million blocks a second.
    parameter int WINDOW = 19531
) (
    input  logic       clk,
    input  logic       rst,
    // Headers count only while blocks are aligned.
    input  logic       locked,
    input  logic       header_valid,
    input  logic [1:0] header,
    output logic       hi_ber
);
    if (WINDOW < 16) begin : g_illegal_window
        $error("ww_ber_monitor: WINDOW must be 16 or more");
    end

    localparam int COUNT_WIDTH = $clog2(WINDOW);
    logic [COUNT_WIDTH-1:0] headers;
    logic [4:0]             bad_headers;
    logic                   is_bad;
    logic                   is_last;
    assign is_bad  = header[0] == header[1];
    assign is_last = headers == COUNT_WIDTH'(WINDOW - 1);

    always_ff @(posedge clk) begin
        if (header_valid) begin
            headers <= is_last ? '0 : headers + COUNT_WIDTH'(1);
            if (is_last) begin
                bad_headers <= '0;
                if (bad_headers < 5'd15 || (bad_headers == 5'd15 && !is_bad)) hi_ber <= 1'b0;
            end else if (is_bad && bad_headers != 5'd16) begin
                bad_headers <= bad_headers + 5'd1;
            end
            if (is_bad && bad_headers >= 5'd15) hi_ber <= 1'b1;
        end
        if (rst || !locked) begin
            headers     <= '0;
            bad_headers <= '0;
            hi_ber      <= 1'b0;
        end
    end
endmodule
