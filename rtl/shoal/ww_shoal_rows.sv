// Rows of the schedule memory of a switch in a two-tier folded Clos network: hosts meet each other in plain order, on one channel.
//
// N hosts at L leaves: h = N/L hosts a leaf, h spines. In slot t, host i sends to (i + t + 1) mod N, and local host p of each leaf
// takes spine (p + t) mod h. Ports of a leaf: its hosts, then the spines; of a spine: the leaves. The rows of a leaf's outputs to
// hosts are `LATE` slots late, for its cells are then back from a spine.
//
// Source: 004-pieo-shoal 2.8 (S20). The same in software: `ww fabric schedule --hosts N --leaves L`.
module ww_shoal_rows #(
    // Hosts, a multiple of LEAVES; leaves.
    parameter int HOSTS = 8,
    parameter int LEAVES = 4,
    // 1: a spine; 0: a leaf. Its number among them.
    parameter int SPINE = 0,
    parameter int NUMBER = 0,
    // Slots from a cell's first passage through a leaf to its second one.
    parameter int LATE = 9,
    // Not to be set: ports of the switch; bits of a configuration, of all of them; slots of an epoch.
    localparam int LOCAL = HOSTS / LEAVES,
    localparam int PORTS = SPINE != 0 ? LEAVES : 2 * LOCAL,
    localparam int CHOICE_WIDTH = 1 + $clog2(PORTS),
    localparam int CHOICES_WIDTH = PORTS * CHOICE_WIDTH,
    localparam int SLOTS = HOSTS - 1
) (
    // 0 to SLOTS - 1.
    input  logic [$clog2(SLOTS)-1:0] slot,
    // For output n {connected, input} in bits CHOICE_WIDTH n and up.
    output logic [CHOICES_WIDTH-1:0] row
);
    if (LEAVES < 2 || HOSTS % LEAVES != 0) begin : g_illegal_leaves
        $error("ww_shoal_rows: LEAVES must be 2 or more and divide HOSTS");
    end
    if (NUMBER < 0 || NUMBER >= (SPINE != 0 ? LOCAL : LEAVES)) begin : g_illegal_number
        $error("ww_shoal_rows: NUMBER must be that of a leaf, less than LEAVES, or of a spine, less than HOSTS / LEAVES");
    end
    if (LATE < 0) begin : g_illegal_late
        $error("ww_shoal_rows: LATE must be 0 or more");
    end

    // The local host whose cells take a spine in slot t.
    function automatic int sender(int spine, int t);
        return (spine + SLOTS * LOCAL - t) % LOCAL;
    endfunction

    // The host that sends to `to` in slot t.
    function automatic int source(int to, int t);
        return (to + 2 * HOSTS - t - 1) % HOSTS;
    endfunction

    function automatic int chosen(int output_number, int t);
        int down;
        if (SPINE != 0) begin
            return source(output_number * LOCAL + (sender(NUMBER, t) + t + 1) % LOCAL, t) / LOCAL;
        end
        if (output_number >= LOCAL) return sender(output_number - LOCAL, t);
        down = (t + SLOTS - LATE % SLOTS) % SLOTS;
        return LOCAL + (source(NUMBER * LOCAL + output_number, down) + down) % LOCAL;
    endfunction

    function automatic logic [SLOTS-1:0][CHOICES_WIDTH-1:0] all_rows();
        logic [SLOTS-1:0][CHOICES_WIDTH-1:0] rows;
        for (int t = 0; t < SLOTS; t++) begin
            for (int n = 0; n < PORTS; n++) begin
                rows[t][CHOICE_WIDTH*n+:CHOICE_WIDTH] = {1'b1, (CHOICE_WIDTH - 1)'(chosen(n, t))};
            end
        end
        return rows;
    endfunction

    localparam logic [SLOTS-1:0][CHOICES_WIDTH-1:0] ROWS = all_rows();
    assign row = ROWS[slot];
endmodule
