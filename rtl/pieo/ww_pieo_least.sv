// The least of some words, of those that are valid, in a tree of comparisons.
module ww_pieo_least #(
    // Bits of a word, 1 or more.
    parameter int WIDTH = 16,
    // Words, 1 or more.
    parameter int COUNT = 4,
    // Not to be set: leaves of the tree.
    localparam int LEAVES = 1 << $clog2(COUNT)
) (
    input  logic [COUNT-1:0]            valid,
    input  logic [COUNT-1:0][WIDTH-1:0] words,
    output logic                        any,
    // The least word, if there is any.
    output logic [WIDTH-1:0]            least
);
    // {not valid, word}: words that are not valid are greater than all that are.
    logic [LEAVES-1:0][WIDTH:0] tree;
    always_comb begin
        tree = '1;
        for (int i = 0; i < COUNT; i++) tree[i] = {!valid[i], words[i]};
        for (int width = LEAVES / 2; width > 0; width /= 2) begin
            for (int i = 0; i < width; i++) tree[i] = tree[2*i] <= tree[2*i+1] ? tree[2*i] : tree[2*i+1];
        end
    end
    assign any   = !tree[0][WIDTH];
    assign least = tree[0][WIDTH-1:0];
endmodule
