// Receive side of the physical coding sublayer of 10GBASE-R (IEEE 802.3 clause 49): deserialiser to XGMII.
//
// Gearbox where LINE_WIDTH asks for one, block synchronisation, monitor of errors, descrambler, decoder. Between the
// descrambler and the decoder, `descrambled` leaves the module and `restored` comes back in the same clock: what
// reads filling bits and takes them out again goes there; without it, connect them.
//
// Throughput: one block a clock at XGMII_WIDTH 64, one in two clocks at 32. Latency at LINE_WIDTH 66, from a
// block on `line` to its word: 3 clocks, for the decoder looks at the block behind it; 4 at XGMII_WIDTH 32.
module ww_pcs_receive #(
    // 64: a block is one XGMII word. 32: two words, the low half first; needs LINE_WIDTH 66.
    parameter int XGMII_WIDTH = 64,
    // 66: blocks of a transceiver with a gearbox of its own. 32, 40 or 64: words of the deserialiser.
    parameter int LINE_WIDTH = 66,
    // Blocks in which 16 bad sync headers are too many: 125 us.
    parameter int BER_WINDOW = 19531
) (
    input  logic                     clk,
    input  logic                     rst,
    // With LINE_WIDTH 66, a block; else a word, which must come each clock.
    input  logic                     line_valid,
    input  logic [LINE_WIDTH-1:0]    line,
    // With LINE_WIDTH 66: the transceiver is to leave out one bit, and has done so. Else unused.
    output logic                     slip,
    input  logic                     slip_done,
    // A block of its own in each clock with `arrived`, descrambled.
    output logic                     arrived,
    output logic [65:0]              descrambled,
    input  logic [65:0]              restored,
    output logic                     xgmii_valid,
    output logic [XGMII_WIDTH-1:0]   xgmii_data,
    output logic [XGMII_WIDTH/8-1:0] xgmii_control,
    // Blocks are aligned.
    output logic                     block_lock,
    output logic                     hi_ber,
    // For one clock: a sync header of 00 or 11 while aligned; a block that could not be decoded.
    output logic                     bad_header,
    output logic                     bad_block,
    // Bits left out to align, 0 to 65.
    output logic [6:0]               offset
);
    if (XGMII_WIDTH != 64 && XGMII_WIDTH != 32) begin : g_illegal_xgmii_width
        $error("ww_pcs_receive: XGMII_WIDTH must be 64 or 32");
    end
    if (LINE_WIDTH != 66 && LINE_WIDTH != 64 && LINE_WIDTH != 40 && LINE_WIDTH != 32) begin : g_illegal_line_width
        $error("ww_pcs_receive: LINE_WIDTH must be 66, 64, 40 or 32");
    end
    if (XGMII_WIDTH == 32 && LINE_WIDTH != 66) begin : g_illegal_widths
        $error("ww_pcs_receive: XGMII_WIDTH 32 needs LINE_WIDTH 66");
    end

    logic        block_valid;
    logic [65:0] block;
    logic        slipped;

    if (LINE_WIDTH == 66) begin : g_blocks
        assign block_valid = line_valid;
        assign block       = line;
        assign slipped     = slip_done;
    end else begin : g_gearbox
        ww_gearbox_receive #(.WIDTH(LINE_WIDTH)) u_gearbox (
            .clk,
            .rst,
            .word     (line),
            .slip,
            .slip_done(slipped),
            .block_valid,
            .block
        );
        wire unused = &{1'b0, line_valid, slip_done};
    end

    ww_block_sync u_sync (
        .clk,
        .rst,
        .header_valid(block_valid),
        .header      (block[1:0]),
        .locked      (block_lock),
        .slip,
        .slip_done   (slipped),
        .offset
    );
    ww_ber_monitor #(.WINDOW(BER_WINDOW)) u_monitor (
        .clk,
        .rst,
        .locked      (block_lock),
        .header_valid(block_valid),
        .header      (block[1:0]),
        .hi_ber
    );
    always_ff @(posedge clk) begin
        bad_header <= block_valid && block_lock && block[0] == block[1] && !rst;
    end

    logic [1:0]  header;
    logic [63:0] payload;
    always_ff @(posedge clk) begin
        arrived <= block_valid && !rst;
        if (block_valid) header <= block[1:0];
    end
    ww_descramble #(.WIDTH(64)) u_descramble (
        .clk,
        .rst,
        .enable   (block_valid),
        .scrambled(block[65:2]),
        .plain    (payload)
    );
    assign descrambled = {payload, header};

    logic [63:0] word_data;
    logic [7:0]  word_control;
    logic        word_bad;
    logic        word_valid;
    ww_pcs_decode u_decode (
        .clk,
        .rst,
        .enable       (arrived),
        .link         (block_lock && !hi_ber),
        .block        (restored),
        .xgmii_data   (word_data),
        .xgmii_control(word_control),
        .bad          (word_bad)
    );
    always_ff @(posedge clk) word_valid <= arrived && !rst;
    assign bad_block = word_valid && word_bad;

    if (XGMII_WIDTH == 64) begin : g_word
        assign xgmii_valid   = word_valid;
        assign xgmii_data    = word_data;
        assign xgmii_control = word_control;
    end else begin : g_halves
        logic second;
        always_ff @(posedge clk) second <= word_valid;
        assign xgmii_valid   = word_valid || second;
        assign xgmii_data    = word_valid ? word_data[31:0] : word_data[63:32];
        assign xgmii_control = word_valid ? word_control[3:0] : word_control[7:4];
    end
endmodule
