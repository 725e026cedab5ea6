// The least of some values, by a tree of comparisons with registers in it: a new question every clock, the answer
// ceil(log2(COUNT) / DEPTH) clocks later, but at least one.
module ww_pieo_minimum #(
    // Values, 1 or more; bits of one.
    parameter int COUNT = 8,
    parameter int WIDTH = 16,
    // Comparisons in a row between two registers, 1 or more.
    parameter int DEPTH = 2,
    // Not to be set: levels of the tree.
    localparam int LEVELS = COUNT > 1 ? $clog2(COUNT) : 1
) (
    input  logic                        clk,
    // The values that are there.
    input  logic [COUNT-1:0]            valid,
    input  logic [COUNT-1:0][WIDTH-1:0] values,
    // Whether there was one, and the least of them.
    output logic                        any,
    output logic [WIDTH-1:0]            least
);
    typedef struct packed {
        logic             valid;
        logic [WIDTH-1:0] value;
    } node_t;

    function automatic node_t less(input node_t a, input node_t b);
        less = a.valid && (!b.valid || a.value <= b.value) ? a : b;
    endfunction

    // Level l of the tree has 2^(LEVELS-l) nodes.
    for (genvar l = 0; l <= LEVELS; l++) begin : g_level
        node_t [(1<<(LEVELS-l))-1:0] nodes;
        for (genvar i = 0; i < 1 << (LEVELS - l); i++) begin : g_node
            if (l == 0 && i < COUNT) begin : g_value
                assign nodes[i] = '{valid: valid[i], value: values[i]};
            end else if (l == 0) begin : g_none
                assign nodes[i] = '0;
            end else if (l % DEPTH == 0 || l == LEVELS) begin : g_registered
                always_ff @(posedge clk) nodes[i] <= less(g_level[l-1].nodes[2*i], g_level[l-1].nodes[2*i+1]);
            end else begin : g_direct
                assign nodes[i] = less(g_level[l-1].nodes[2*i], g_level[l-1].nodes[2*i+1]);
            end
        end
    end
    assign {any, least} = g_level[LEVELS].nodes[0];
endmodule
