// The rows of all switches of a fabric in a slot.
module ww_shoal_rows_of_all #(
    parameter int HOSTS = 8,
    parameter int LEAVES = 4,
    parameter int LATE = 9,
    localparam int SPINES = HOSTS / LEAVES,
    localparam int LEAF_PORTS = 2 * HOSTS / LEAVES,
    localparam int LEAF_WIDTH = LEAF_PORTS * (1 + $clog2(LEAF_PORTS)),
    localparam int SPINE_WIDTH = LEAVES * (1 + $clog2(LEAVES))
) (
    input  logic [$clog2(HOSTS-1)-1:0]          slot,
    output logic [LEAVES-1:0][LEAF_WIDTH-1:0]   leaves,
    output logic [SPINES-1:0][SPINE_WIDTH-1:0]  spines
);
    for (genvar n = 0; n < LEAVES; n++) begin : g_leaf
        ww_shoal_rows #(.HOSTS(HOSTS), .LEAVES(LEAVES), .SPINE(0), .NUMBER(n), .LATE(LATE)) u_rows (.slot, .row(leaves[n]));
    end
    for (genvar n = 0; n < SPINES; n++) begin : g_spine
        ww_shoal_rows #(.HOSTS(HOSTS), .LEAVES(LEAVES), .SPINE(1), .NUMBER(n), .LATE(LATE)) u_rows (.slot, .row(spines[n]));
    end
endmodule
