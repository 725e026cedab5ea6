// The least of some keys, and which it is: a tree of comparators. Of equal keys the first one.
module ww_shoal_least #(
    // Keys, 1 or more; bits of a key.
    parameter int COUNT = 8,
    parameter int KEY_WIDTH = 8,
    // Not to be set: bits of a place, at least one; leaves of the tree.
    localparam int PLACE_WIDTH = COUNT > 1 ? $clog2(COUNT) : 1,
    localparam int LEAVES = 1 << $clog2(COUNT)
) (
    input  logic [COUNT-1:0]                valid,
    input  logic [COUNT-1:0][KEY_WIDTH-1:0] key,
    // One is valid; and which of those is the least.
    output logic                            any,
    output logic [PLACE_WIDTH-1:0]          place,
    output logic [KEY_WIDTH-1:0]            least
);
    typedef struct packed {
        logic                   valid;
        logic [KEY_WIDTH-1:0]   key;
        logic [PLACE_WIDTH-1:0] place;
    } node_t;

    // Node n has the children 2n and 2n + 1; the leaves are nodes LEAVES and up.
    node_t [2*LEAVES-1:1] nodes;
    always_comb begin
        for (int n = 0; n < LEAVES; n++) begin
            nodes[LEAVES+n] = '{
                valid: n < COUNT && valid[n%COUNT],
                key: key[n%COUNT],
                place: PLACE_WIDTH'(n)
            };
        end
        for (int n = LEAVES - 1; n > 0; n--) begin
            nodes[n] = nodes[2*n+1].valid && (!nodes[2*n].valid || nodes[2*n+1].key < nodes[2*n].key)
                ? nodes[2*n+1] : nodes[2*n];
        end
    end
    assign any   = nodes[1].valid;
    assign place = nodes[1].place;
    assign least = nodes[1].key;
endmodule
