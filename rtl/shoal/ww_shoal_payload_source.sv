// Payload of test cells: seven words of ww_shoal_pattern in a row, from the clock behind `fetch_valid` on.
//
// The marks of a packet's start and end are bits of the first word, so that they are checked, too.
module ww_shoal_payload_source #(
    // Not to be set: words of a payload.
    localparam int WORDS = 7
) (
    input  logic        clk,
    input  logic        rst,
    // Own number, constant.
    input  logic [9:0]  host,
    // A cell is wanted; seven clocks or more from one to the next.
    input  logic        fetch_valid,
    input  logic [9:0]  fetch_dst,
    input  logic [19:0] fetch_seq,
    output logic        payload_valid,
    output logic [63:0] payload_data,
    // With the first word.
    output logic        payload_sop,
    output logic        payload_eop
);
    logic [9:0]  dst;
    logic [19:0] seq;
    logic [2:0]  word;
    always_ff @(posedge clk) begin
        word          <= word + 3'd1;
        payload_valid <= payload_valid && word != 3'(WORDS - 1);
        if (fetch_valid) begin
            dst           <= fetch_dst;
            seq           <= fetch_seq;
            word          <= '0;
            payload_valid <= 1'b1;
        end
        if (rst) payload_valid <= 1'b0;
    end
    ww_shoal_pattern u_pattern (.src(host), .dst, .seq, .word, .data(payload_data));
    assign {payload_eop, payload_sop} = word == '0 ? payload_data[1:0] : '0;
endmodule
