// Window of 4 KiB on the 32-bit control bus through which the rows of one object are read and written.
//
// Words of the window (byte addresses):
//   0x000 write  store the staged row in memory [31:28], row [27:0] of the written word
//   0x004 write  read that row into the staging words
//   0x008 read   ROW_WIDTH
//   0x00C read   OBJECT
//   0x400...     the staging words, read and write, lowest first
// A write to 0x000 or 0x004 is answered when the row access has happened, so software never polls.
// Other words read as zero and ignore writes, and so do the bits of the last staging word above
// ROW_WIDTH.
module ww_row_window #(
    // Bits of a row, 1 to 24,576 (768 staging words).
    parameter int ROW_WIDTH = 32,
    // What the word 0x00C reads as: tells software which object this is.
    parameter logic [31:0] OBJECT = 32'd0
) (
    input  logic                 clk,
    input  logic                 rst,
    // Control bus: an access is waiting; held with all below until cfg_ready.
    input  logic                 cfg_valid,
    // 1: write, 0: read.
    input  logic                 cfg_write,
    // Byte address in the window; the two lowest bits are ignored.
    input  logic [11:0]          cfg_address,
    input  logic [31:0]          cfg_wdata,
    // The access is done; one clock. cfg_rdata is valid in it.
    output logic                 cfg_ready,
    output logic [31:0]          cfg_rdata,
    // Row port of the object.
    output logic                 row_valid,
    output logic                 row_write,
    output logic [3:0]           row_memory,
    output logic [27:0]          row_index,
    output logic [ROW_WIDTH-1:0] row_wdata,
    input  logic                 row_done,
    input  logic [ROW_WIDTH-1:0] row_rdata
);
    if (ROW_WIDTH < 1 || ROW_WIDTH > 24576) begin : g_illegal_width
        $error("ww_row_window: ROW_WIDTH must be 1 to 24576");
    end

    localparam int WORDS = (ROW_WIDTH + 31) / 32;
    // generated: window (crates/blocks/src/facts.rs)
    localparam logic [11:0] WW_WINDOW_WRITE = 12'h000, WW_WINDOW_READ = 12'h004, WW_WINDOW_WIDTH = 12'h008;
    localparam logic [11:0] WW_WINDOW_OBJECT = 12'h00c, WW_WINDOW_STAGING = 12'h400;
    // end of generated
    localparam logic [9:0] WRITE = 10'(WW_WINDOW_WRITE / 4);
    localparam logic [9:0] READ = 10'(WW_WINDOW_READ / 4);
    localparam logic [9:0] STAGING = 10'(WW_WINDOW_STAGING / 4);

    logic [9:0] word;
    logic       begins;
    logic       is_row;

    assign word   = cfg_address[11:2];
    assign begins = cfg_valid && !cfg_ready && !row_valid;
    assign is_row = cfg_write && (word == WRITE || word == READ);

    logic [WORDS*32-1:0] staging;
    if (WORDS * 32 > ROW_WIDTH) begin : g_no_such_bits
        assign staging[WORDS*32-1:ROW_WIDTH] = '0;
    end

    for (genvar i = 0; i < WORDS; i++) begin : g_word
        localparam int BITS = ROW_WIDTH - 32 * i < 32 ? ROW_WIDTH - 32 * i : 32;
        always_ff @(posedge clk) begin
            if (begins && cfg_write && word == STAGING + 10'(i)) begin
                staging[32*i +: BITS] <= cfg_wdata[BITS-1:0];
            end else if (row_valid && row_done && !row_write) begin
                staging[32*i +: BITS] <= row_rdata[32*i +: BITS];
            end
        end
    end

    logic [31:0] read_word;
    always_comb begin
        read_word = '0;
        if (word == 10'(WW_WINDOW_WIDTH / 4)) read_word = 32'(ROW_WIDTH);
        if (word == 10'(WW_WINDOW_OBJECT / 4)) read_word = OBJECT;
        for (int i = 0; i < WORDS; i++) begin
            if (word == STAGING + 10'(i)) read_word = staging[32*i +: 32];
        end
    end

    always_ff @(posedge clk) begin
        cfg_ready <= 1'b0;
        if (begins) begin
            cfg_rdata  <= read_word;
            row_valid  <= is_row;
            row_write  <= word == WRITE;
            cfg_ready  <= !is_row;
            row_memory <= cfg_wdata[31:28];
            row_index  <= cfg_wdata[27:0];
        end
        if (row_valid && row_done) begin
            row_valid <= 1'b0;
            cfg_ready <= 1'b1;
        end
        if (rst) begin
            cfg_ready <= 1'b0;
            row_valid <= 1'b0;
        end
    end
    assign row_wdata = staging[ROW_WIDTH-1:0];

    logic [1:0] unused;
    assign unused = cfg_address[1:0];
endmodule
