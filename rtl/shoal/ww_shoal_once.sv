// Which cells of each source have arrived: one that comes for the second time is told from the first.
//
// Of each source the first number that is missing is kept, and a window of WINDOW bits from that number on, in rows of 16. A number before
// it, or with its bit set, has arrived already; one behind the window has no room. Numbers are compared modulo 2^20.
//
// The window moves on in clocks with `walk`, each time for one source: the least one of those that had a cell since their window stood still, over
// numbers that have come, to the first that has not, or to the next row. It may be late, and is right all the same, as the bits stay until then.
// The numbers of a source may begin anew, as all do with reset: its bits are cleared, a row a clock in clocks without a cell and without `walk`; no
// cell of it has room until that is done.
//
// Source: 004-pieo-shoal 2.17 (S27); docs/fabric-rules.md, "With bad headers" and "With hosts that die".
module ww_shoal_once #(
    parameter int HOSTS = 8,
    // Numbers, from the first that is missing on, of which is known whether they have arrived: a power of two, 32 or more.
    parameter int WINDOW = 64,
    // Not to be set: bits of a host's number, of a sequence number, of a place in the window.
    localparam int HOST_WIDTH = $clog2(HOSTS),
    localparam int SEQ_WIDTH = 20,
    localparam int WINDOW_WIDTH = $clog2(WINDOW)
) (
    input  logic                  clk,
    input  logic                  rst,
    // A cell of `src` with this number; it arrives if `arrive`, which may depend on the outputs. Not in a clock with `walk`.
    input  logic [HOST_WIDTH-1:0] src,
    input  logic [SEQ_WIDTH-1:0]  seq,
    input  logic                  look,
    // It has arrived before; if not, there is room for it.
    output logic                  known,
    output logic                  room,
    input  logic                  arrive,
    // The window of a source moves on.
    input  logic                  walk,
    // The first number of a source that is missing, as far as its window has moved.
    input  logic [HOST_WIDTH-1:0] told_src,
    output logic [SEQ_WIDTH-1:0]  told_seq,
    // The numbers of a source begin anew, with this one. Not in a clock in which a cell of it arrives.
    input  logic                  restart,
    input  logic [HOST_WIDTH-1:0] restart_src,
    input  logic [SEQ_WIDTH-1:0]  restart_seq
);
    if (WINDOW < 32 || 2 ** WINDOW_WIDTH != WINDOW || WINDOW_WIDTH >= SEQ_WIDTH) begin : g_illegal_window
        $error("ww_shoal_once: WINDOW must be a power of two, 32 to 524,288");
    end

    // Rows of 16 numbers of all hosts.
    localparam int ROW = 16;
    localparam int ROWS = WINDOW / ROW;
    localparam int ROW_WIDTH = $clog2(ROWS);
    logic [ROW_WIDTH-1:0]        row;
    logic [HOSTS-1:0][ROW-1:0]   bits;
    logic [HOSTS-1:0][ROW-1:0]   next_bits;
    logic                        write;
    ww_ram_async #(.WIDTH(ROW * HOSTS), .DEPTH(ROWS)) u_window (
        .clk, .wr_en(write), .wr_addr(row), .wr_data(next_bits), .rd_addr(row), .rd_data(bits)
    );

    // Rows of each source that are still to be cleared, and the row that is next, for all of them.
    logic [HOSTS-1:0][ROW_WIDTH:0] to_clear;
    logic [HOSTS-1:0]              clears;
    logic [ROW_WIDTH-1:0]          clear_row;
    logic                          clear;
    always_comb for (int h = 0; h < HOSTS; h++) clears[h] = to_clear[h] != '0;
    assign clear = !look && !walk && |clears;

    // The first number of each source that is missing, and sources of which it may have arrived.
    logic [HOSTS-1:0][SEQ_WIDTH-1:0] expected;
    logic [HOSTS-1:0]                moves;
    logic [HOST_WIDTH-1:0]           mover;
    logic                            moving;
    logic [ROW-1:0]                  earlier;
    logic [ROW-1:0]                  passed;
    logic [ROW-1:0]                  mover_bits;
    logic [$clog2(ROW):0]            stops;
    always_comb begin
        mover = '0;
        for (int h = HOSTS - 1; h >= 0; h--) if (moves[h]) mover = HOST_WIDTH'(h);
    end
    always_comb begin
        // Places before that of the first number that is missing are of numbers a window behind it: they count as if they were there, and stay.
        earlier    = (ROW'(1) << expected[mover][3:0]) - 1'b1;
        mover_bits = bits[mover] | earlier;
        stops = ($clog2(ROW) + 1)'(ROW);
        for (int n = ROW - 1; n >= 0; n--) if (!mover_bits[n]) stops = ($clog2(ROW) + 1)'(n);
        passed = ROW'((17'd1 << stops) - 17'd1) & ~earlier;
    end
    assign moving   = walk && |moves;
    assign told_seq = expected[told_src];

    logic [SEQ_WIDTH-1:0] ahead;
    logic                 is_set;
    assign ahead  = seq - expected[src];
    assign is_set = bits[src][seq[3:0]];
    assign known  = ahead[SEQ_WIDTH-1] || (is_set && int'(ahead) < WINDOW && !clears[src]);
    assign room   = int'(ahead) < WINDOW && !clears[src];
    assign row    = look ? seq[WINDOW_WIDTH-1:4] : walk ? expected[mover][WINDOW_WIDTH-1:4] : clear_row;
    assign write  = arrive || moving || clear;
    always_comb begin
        next_bits = bits;
        if (look) next_bits[src][seq[3:0]] = 1'b1;
        else if (walk) next_bits[mover] = bits[mover] & ~passed;
        else for (int h = 0; h < HOSTS; h++) if (clears[h]) next_bits[h] = '0;
    end

    always_ff @(posedge clk) begin
        if (clear) begin
            clear_row <= clear_row + 1'b1;
            for (int h = 0; h < HOSTS; h++) if (clears[h]) to_clear[h] <= to_clear[h] - 1'b1;
        end
        if (moving) begin
            expected[mover] <= {expected[mover][SEQ_WIDTH-1:4], 4'd0} + SEQ_WIDTH'(stops);
            moves[mover]    <= stops[4];
        end
        if (arrive) moves[src] <= 1'b1;
        if (restart) begin
            expected[restart_src] <= restart_seq;
            moves[restart_src]    <= 1'b0;
            to_clear[restart_src] <= (ROW_WIDTH + 1)'(ROWS);
        end
        if (rst) begin
            for (int h = 0; h < HOSTS; h++) to_clear[h] <= (ROW_WIDTH + 1)'(ROWS);
            clear_row <= '0;
            expected  <= '0;
            moves     <= '0;
        end
    end
endmodule
