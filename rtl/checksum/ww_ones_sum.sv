// Ones'-complement sum (RFC 1071) of many 16-bit words, as a pipeline.
//
// A tree of adders that keeps the carries, with a register behind every LEVELS levels, and one more
// stage that folds the carries in. Latency: ceil(clog2(WORDS) / LEVELS) + 1 clocks; one set of words
// a clock.
module ww_ones_sum #(
    // Words, 1 or more.
    parameter int WORDS = 32,
    // Levels of adders between registers, 1 or more.
    parameter int LEVELS = 2
) (
    input  logic                clk,
    // Low: everything stands still.
    input  logic                enable,
    input  logic [16*WORDS-1:0] words,
    // Their sum, not inverted; zero only if all words are zero.
    output logic [15:0]         sum
);
    // The tree is complete: words that are missing are zero.
    localparam int DEPTH = $clog2(WORDS);
    localparam int LEAVES = 2 ** DEPTH;
    localparam int WIDTH = 16 + DEPTH;

    if (WORDS < 1) begin : g_illegal_words
        $error("ww_ones_sum: WORDS must be 1 or more");
    end
    if (LEVELS < 1) begin : g_illegal_levels
        $error("ww_ones_sum: LEVELS must be 1 or more");
    end

    for (genvar level = 0; level <= DEPTH; level++) begin : g_level
        localparam int NODES = LEAVES >> level;
        logic [NODES-1:0][WIDTH-1:0] node;
        if (level == 0) begin : g_leaves
            for (genvar i = 0; i < NODES; i++) begin : g_leaf
                if (i < WORDS) begin : g_word
                    assign node[i] = WIDTH'(words[16*i+:16]);
                end else begin : g_zero
                    assign node[i] = '0;
                end
            end
        end else begin : g_adders
            logic [NODES-1:0][WIDTH-1:0] pairs;
            for (genvar i = 0; i < NODES; i++) begin : g_adder
                assign pairs[i] = g_level[level-1].node[2*i] + g_level[level-1].node[2*i+1];
            end
            if (level % LEVELS == 0 || level == DEPTH) begin : g_register
                always_ff @(posedge clk) if (enable) node <= pairs;
            end else begin : g_no_register
                assign node = pairs;
            end
        end
    end

    logic [16:0] folded;
    logic [31:0] total;
    assign total  = 32'(g_level[DEPTH].node[0]);
    assign folded = {1'b0, total[31:16]} + {1'b0, total[15:0]};
    always_ff @(posedge clk) begin
        if (enable) sum <= folded[15:0] + 16'(folded[16]);
    end
endmodule
