// The earliest of many times: a tree of minima over PLACES leaves.
//
// A leaf is set in any clock; $clog2(PLACES) + 1 clocks later `first` shows the earliest time of all leaves that are on,
// and the lowest place that has it. Until then it may show what was true before. Each level has a memory of its own with
// the times of its nodes, so a leaf may be set each clock.
//
// Reset switches all leaves off, one a clock: `ready` is high when it has ended.
module ww_toe_timers
    import ww_toe_types::*;
#(
    // Leaves, 2 to 65,536.
    parameter int PLACES = 64,
    // Not to be set: levels above the leaves, and leaves that the tree has.
    localparam int LEVELS = $clog2(PLACES),
    localparam int LEAVES = 1 << LEVELS
) (
    input  logic              clk,
    input  logic              rst,
    output logic              ready,
    // A leaf, and the time that it has from now on.
    input  logic              set_valid,
    // verilator lint_off UNUSEDSIGNAL
    input  logic [15:0]       set_place,
    // verilator lint_on UNUSEDSIGNAL
    input  optional_instant_t set_time,
    // The earliest.
    output optional_instant_t first,
    output logic [15:0]       first_place,
    // No leaf is on its way up: `first` is up to date.
    output logic              settled
);
    if (PLACES < 2 || PLACES > 65536) begin : g_illegal_places
        $error("ww_toe_timers: PLACES must be 2 to 65,536");
    end

    typedef struct packed {
        optional_instant_t  moment;
        logic [LEVELS-1:0]  place;
    } node_t;

    // What goes up: entry `n` is a node of level `n`, which is `place >> n`. Level LEVELS is the root.
    logic  [LEVELS:0]             valid;
    node_t [LEVELS:0]             node;
    // verilator lint_off UNUSEDSIGNAL
    logic  [LEVELS:0][LEVELS-1:0] index;
    // verilator lint_on UNUSEDSIGNAL
    logic  [LEVELS:0]             wiped;
    node_t                        root;

    assign ready = wiped[LEVELS];
    assign first = root.moment;
    assign first_place = 16'(root.place);

    // Leaves are wiped in order; the level above follows.
    logic [LEVELS-1:0] wipe;
    always_ff @(posedge clk) begin
        if (!wiped[0]) wipe <= wipe + 1'b1;
        wiped[0] <= wiped[0] || wipe == '1;
        if (rst) begin
            wipe <= '0;
            wiped[0] <= 1'b0;
        end
    end
    always_comb begin
        valid[0] = set_valid || !wiped[0];
        index[0] = wiped[0] ? LEVELS'(set_place) : wipe;
        node[0].moment = wiped[0] ? set_time : '0;
        node[0].place = index[0];
    end

    for (genvar n = 0; n < LEVELS; n++) begin : g_level
        // A node is written, and its brother is read; the lesser of both goes up a clock later.
        localparam int NODES = LEAVES >> n;
        localparam int NB = LEVELS - n;
        node_t             brother, own;
        logic              on, is_left;
        logic [LEVELS-1:0] at;
        ww_ram_sdp #(.WIDTH($bits(node_t)), .DEPTH(NODES)) u_nodes (
            .clk, .wr_en(valid[n]), .wr_addr(index[n][NB-1:0]), .wr_data(node[n]),
            .rd_en(valid[n]), .rd_addr(index[n][NB-1:0] ^ NB'(1)), .rd_data(brother)
        );
        always_ff @(posedge clk) begin
            on <= valid[n];
            own <= node[n];
            is_left <= !index[n][0];
            at <= index[n] >> 1;
            wiped[n+1] <= wiped[n];
            if (rst) begin
                on <= 1'b0;
                wiped[n+1] <= 1'b0;
            end
        end
        logic takes_own;
        // Of the same time the left one is the first.
        assign takes_own = own.moment.on
            && (!brother.moment.on || own.moment.at < brother.moment.at
                || (own.moment.at == brother.moment.at && is_left));
        assign valid[n+1] = on;
        assign index[n+1] = at;
        assign node[n+1] = takes_own ? own : brother;
    end

    always_ff @(posedge clk) begin
        if (valid[LEVELS]) root <= node[LEVELS];
        if (rst) root <= '0;
    end
    assign settled = !(|valid);
endmodule
