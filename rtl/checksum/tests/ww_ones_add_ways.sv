// What ww_ones_add is made of, in all its architectures, with one tree of counters for all that have one: words from outside, or random ones, a set a clock, judged by the remainder of a plain sum.
module ww_ones_add_ways #(
    parameter int WORDS = 33,
    localparam int WAYS = 7
) (
    input  logic                   clk,
    input  logic                   rst,
    input  logic                   is_given,
    input  logic [WORDS-1:0][15:0] given,
    // Random words are 0, 16'hffff or any; else all are any. What they begin with is not zero.
    input  logic                   is_mixed,
    input  logic [63:0]            seed,
    output logic [WAYS-1:0][15:0]  sums,
    output logic [WAYS-1:0]        is_wrong,
    // The three rows of the counters sum up to 17'h1ffff.
    output logic                   is_critical
); /* verilator no_inline_module */
    // One model for all instances.
    localparam int STYLE [WAYS-3] = '{1, 2, 3, 20};

    // Marsaglia's xorshift64, four words a step.
    logic [63:0]            state;
    logic [63:0]            next;
    logic [WORDS-1:0][15:0] words;
    always_comb begin
        next = state;
        for (int n = 0; n < WORDS; n++) begin
            if (n % 4 == 0) begin
                next ^= next << 13;
                next ^= next >> 7;
                next ^= next << 17;
            end
            words[n] = next[16*(n%4)+:16];
            if (is_mixed && words[n][1:0] == 2'd0) words[n] = '0;
            if (is_mixed && words[n][1:0] == 2'd1) words[n] = '1;
            if (is_given) words[n] = given[n];
        end
    end
    always_ff @(posedge clk) state <= rst ? seed : next;

    int          total;
    logic [15:0] expected;
    always_comb begin
        total = 0;
        for (int n = 0; n < WORDS; n++) total += int'(words[n]);
        expected = total == 0 ? 16'h0 : total % 65535 == 0 ? 16'hffff : 16'(total % 65535);
    end
    logic [2:0][15:0] three;
    ww_ones_tree #(.WORDS(WORDS)) u_bin16 (.words, .sum(sums[0]));
    ww_ones_tree #(.WORDS(WORDS), .SIZE(32)) u_bin32 (.words, .sum(sums[1]));
    ww_ones_tree #(.WORDS(WORDS), .RADIX(3)) u_tern16 (.words, .sum(sums[2]));
    ww_ones_rows #(.ROWS(WORDS)) u_rows (.rows(words), .three);
    for (genvar n = 0; n < WAYS - 3; n++) begin : g_merge
        ww_ones_merge #(.STYLE(STYLE[n])) u_merge (.rows(three), .sum(sums[3+n]));
    end
    always_comb for (int n = 0; n < WAYS; n++) is_wrong[n] = sums[n] != expected;
    assign is_critical = 18'(three[0]) + 18'(three[1]) + 18'(three[2]) == 18'h1ffff;
endmodule
