// Which cells of each source have arrived: one that comes for the second time is told from the first.
//
// Of each source the first number that is missing is kept, and a window of WINDOW bits from that number on. A number before it, or with its
// bit set, has arrived already; one behind the window has no room. Numbers are compared modulo 2^20.
//
// The window moves on by a number a clock, in clocks without a cell: it may be late, and is right all the same, as the bits stay until then.
// WINDOW / 8 clocks behind reset the window is clear; no cell has room before.
//
// Source: 004-pieo-shoal 2.17 (S27); docs/fabric.md, "Failures".
module ww_shoal_once #(
    parameter int HOSTS = 8,
    // Numbers, from the first that is missing on, of which is known whether they have arrived: a power of two, 16 or more.
    parameter int WINDOW = 64,
    // Not to be set: bits of a host's number, of a sequence number, of a place in the window.
    localparam int HOST_WIDTH = $clog2(HOSTS),
    localparam int SEQ_WIDTH = 20,
    localparam int WINDOW_WIDTH = $clog2(WINDOW)
) (
    input  logic                  clk,
    input  logic                  rst,
    // A cell of `src` with this number; it arrives if `arrive`, which may depend on the outputs.
    input  logic [HOST_WIDTH-1:0] src,
    input  logic [SEQ_WIDTH-1:0]  seq,
    input  logic                  look,
    // It has arrived before; if not, there is room for it.
    output logic                  known,
    output logic                  room,
    input  logic                  arrive
);
    if (WINDOW < 16 || 2 ** WINDOW_WIDTH != WINDOW || WINDOW_WIDTH >= SEQ_WIDTH) begin : g_illegal_window
        $error("ww_shoal_once: WINDOW must be a power of two, 16 to 524,288");
    end

    // Rows of eight numbers of all hosts.
    localparam int ROW_WIDTH = WINDOW_WIDTH - 3;
    logic [ROW_WIDTH-1:0]  row;
    logic [HOSTS-1:0][7:0] bits;
    logic [HOSTS-1:0][7:0] next_bits;
    logic                  write;
    logic                  sweeping;
    logic [ROW_WIDTH-1:0]  sweep;

    // The first number of each source that is missing, and sources of which it may have arrived.
    logic [HOSTS-1:0][SEQ_WIDTH-1:0] expected;
    logic [HOSTS-1:0]                moves;
    logic [HOST_WIDTH-1:0]           mover;
    logic [HOST_WIDTH-1:0]           of;
    logic [WINDOW_WIDTH-1:0]         place;
    logic [SEQ_WIDTH-1:0]            ahead;
    logic                            is_set;
    logic                            walk;
    always_comb begin
        mover = '0;
        for (int h = HOSTS - 1; h >= 0; h--) if (moves[h]) mover = HOST_WIDTH'(h);
    end
    assign walk   = !look && |moves;
    assign of     = look ? src : mover;
    assign place  = look ? seq[WINDOW_WIDTH-1:0] : expected[mover][WINDOW_WIDTH-1:0];
    assign row    = sweeping ? sweep : place[WINDOW_WIDTH-1:3];
    assign is_set = bits[of][place[2:0]];
    assign ahead  = seq - expected[src];
    assign known  = !sweeping && (ahead[SEQ_WIDTH-1] || (is_set && int'(ahead) < WINDOW));
    assign room   = !sweeping && int'(ahead) < WINDOW;
    assign write  = sweeping || arrive || (walk && is_set);
    always_comb begin
        next_bits                 = sweeping ? '0 : bits;
        next_bits[of][place[2:0]] = !sweeping && look;
    end
    ww_ram_async #(.WIDTH(8 * HOSTS), .DEPTH(WINDOW / 8)) u_window (
        .clk, .wr_en(write), .wr_addr(row), .wr_data(next_bits), .rd_addr(row), .rd_data(bits)
    );

    always_ff @(posedge clk) begin
        sweep <= sweep + 1'b1;
        if (&sweep) sweeping <= 1'b0;
        if (walk && !sweeping) begin
            if (is_set) expected[mover] <= expected[mover] + 1'b1;
            else moves[mover] <= 1'b0;
        end
        if (arrive) moves[src] <= 1'b1;
        if (rst) begin
            sweeping <= 1'b1;
            sweep    <= '0;
            expected <= '0;
            moves    <= '0;
        end
    end
endmodule
