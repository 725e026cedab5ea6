// Transmit side of the physical coding sublayer of 10GBASE-R (IEEE 802.3 clause 49): XGMII to the serialiser.
//
// Encoder, scrambler and, where LINE_WIDTH asks for one, gearbox. Between the encoder and the scrambler, `encoded`
// leaves the module and `filled` comes back in the same clock: what changes filling bits, such as clock
// synchronisation in idle blocks, goes there; without it, connect them.
//
// Throughput: one block a clock at XGMII_WIDTH 64, one in two clocks at 32; with a gearbox, as the line asks.
// Latency at LINE_WIDTH 66, from a word to its block on `line`: 2 clocks; at XGMII_WIDTH 32, 4 from the first half.
module ww_pcs_transmit #(
    // 64: one XGMII word is a block. 32: two words, the first one in the low half of the block; needs LINE_WIDTH 66.
    parameter int XGMII_WIDTH = 64,
    // 66: whole blocks, for a transceiver with a gearbox of its own. 32, 40 or 64: words of the serialiser.
    parameter int LINE_WIDTH = 66
) (
    input  logic                     clk,
    input  logic                     rst,
    // The word is taken in this clock.
    output logic                     xgmii_take,
    input  logic [XGMII_WIDTH-1:0]   xgmii_data,
    input  logic [XGMII_WIDTH/8-1:0] xgmii_control,
    // A block of its own in each clock with `advance`, not yet scrambled.
    output logic                     advance,
    output logic [65:0]              encoded,
    input  logic [65:0]              filled,
    // Bit 0 is first on the line; line[1:0] of a block is the sync header.
    output logic                     line_valid,
    output logic [LINE_WIDTH-1:0]    line,
    // The encoder has replaced a word by errors; for one clock with `advance`.
    output logic                     bad_word
);
    if (XGMII_WIDTH != 64 && XGMII_WIDTH != 32) begin : g_illegal_xgmii_width
        $error("ww_pcs_transmit: XGMII_WIDTH must be 64 or 32");
    end
    if (LINE_WIDTH != 66 && LINE_WIDTH != 64 && LINE_WIDTH != 40 && LINE_WIDTH != 32) begin : g_illegal_line_width
        $error("ww_pcs_transmit: LINE_WIDTH must be 66, 64, 40 or 32");
    end
    if (XGMII_WIDTH == 32 && LINE_WIDTH != 66) begin : g_illegal_widths
        $error("ww_pcs_transmit: XGMII_WIDTH 32 needs LINE_WIDTH 66");
    end

    logic [63:0] word_data;
    logic [7:0]  word_control;
    logic        offers;

    if (XGMII_WIDTH == 64) begin : g_word
        assign xgmii_take   = advance;
        assign word_data    = xgmii_data;
        assign word_control = xgmii_control;
        assign offers       = 1'b1;
    end else begin : g_halves
        logic        second;
        logic [31:0] first_data;
        logic [3:0]  first_control;
        assign xgmii_take   = !rst;
        assign word_data    = {xgmii_data, first_data};
        assign word_control = {xgmii_control, first_control};
        assign offers       = second;
        always_ff @(posedge clk) begin
            second        <= !second;
            first_data    <= xgmii_data;
            first_control <= xgmii_control;
            if (rst) second <= 1'b0;
        end
    end

    ww_pcs_encode u_encode (
        .clk,
        .rst,
        .enable       (advance),
        .xgmii_data   (word_data),
        .xgmii_control(word_control),
        .block        (encoded),
        .bad          (bad_word)
    );

    logic [1:0]  header;
    logic [63:0] payload;
    always_ff @(posedge clk) begin
        if (advance) header <= filled[1:0];
        // No header: the far end must not lock to what is not yet there.
        if (rst) header <= 2'b00;
    end
    ww_scramble #(.WIDTH(64)) u_scramble (
        .clk,
        .rst,
        .enable   (advance),
        .plain    (filled[65:2]),
        .scrambled(payload)
    );

    if (LINE_WIDTH == 66) begin : g_blocks
        assign advance = offers && !rst;
        assign line    = {payload, header};
        always_ff @(posedge clk) line_valid <= advance;
    end else begin : g_gearbox
        logic take;
        assign advance = take && !rst;
        ww_gearbox_transmit #(.WIDTH(LINE_WIDTH)) u_gearbox (
            .clk,
            .rst,
            .take,
            .block({payload, header}),
            .word (line)
        );
        always_ff @(posedge clk) line_valid <= !rst;
    end
    wire unused_offers = offers;
endmodule
