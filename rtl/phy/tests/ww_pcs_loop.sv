// The transmit side, a line that delays by any number of bits and inverts some, and the receive side.
module ww_pcs_loop #(
    parameter int XGMII_WIDTH = 64,
    parameter int LINE_WIDTH = 66,
    parameter int BER_WINDOW = 19531
) (
    input  logic                     clk,
    input  logic                     rst,
    output logic                     tx_take,
    input  logic [XGMII_WIDTH-1:0]   tx_data,
    input  logic [XGMII_WIDTH/8-1:0] tx_control,
    // Bits by which the line is late, fewer than LINE_WIDTH; bits that it inverts.
    input  logic [6:0]               late,
    input  logic [LINE_WIDTH-1:0]    flip,
    output logic                     rx_valid,
    output logic [XGMII_WIDTH-1:0]   rx_data,
    output logic [XGMII_WIDTH/8-1:0] rx_control,
    output logic                     block_lock,
    output logic                     hi_ber,
    output logic                     bad_header,
    output logic                     bad_block,
    output logic                     bad_word,
    output logic [6:0]               offset,
    output logic                     line_valid
);
    logic [65:0]             encoded;
    logic [65:0]             descrambled;
    logic                    unused_advance;
    logic                    unused_arrived;
    logic [LINE_WIDTH-1:0]   line;
    logic [LINE_WIDTH-1:0]   before_it;
    logic [2*LINE_WIDTH-1:0] both;
    logic                    slip;
    logic                    slipped;
    logic [6:0]              taken;

    ww_pcs_transmit #(.XGMII_WIDTH(XGMII_WIDTH), .LINE_WIDTH(LINE_WIDTH)) u_transmit (
        .clk,
        .rst,
        .xgmii_take   (tx_take),
        .xgmii_data   (tx_data),
        .xgmii_control(tx_control),
        .advance      (unused_advance),
        .encoded,
        .filled       (encoded),
        .line_valid,
        .line,
        .bad_word
    );

    // A transceiver with a gearbox of its own slips here; ours slips in the receive side.
    always_ff @(posedge clk) begin
        if (line_valid) before_it <= line;
        slipped <= LINE_WIDTH == 66 && slip;
        if (LINE_WIDTH == 66 && slip) taken <= taken == 7'd65 ? '0 : taken + 7'd1;
        if (rst) taken <= '0;
    end
    assign both = {line, before_it} >> (8'(LINE_WIDTH) - 8'(late) + 8'(taken)) % 8'(LINE_WIDTH);

    ww_pcs_receive #(.XGMII_WIDTH(XGMII_WIDTH), .LINE_WIDTH(LINE_WIDTH), .BER_WINDOW(BER_WINDOW)) u_receive (
        .clk,
        .rst,
        .line_valid,
        .line         (both[LINE_WIDTH-1:0] ^ flip),
        .slip,
        .slip_done    (slipped),
        .arrived      (unused_arrived),
        .descrambled,
        .restored     (descrambled),
        .xgmii_valid  (rx_valid),
        .xgmii_data   (rx_data),
        .xgmii_control(rx_control),
        .block_lock,
        .hi_ber,
        .bad_header,
        .bad_block,
        .offset
    );
    wire unused_both = &{1'b0, both[2*LINE_WIDTH-1:LINE_WIDTH]};
endmodule
