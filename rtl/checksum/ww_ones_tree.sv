// The ones' complement sum (RFC 1071) of many words by a tree of adders that keeps the carries, which are added at the end; combinational.
//
// Source: 002-monitoring-limago 2.15, S30: ArchBin16, ArchBin32, ArchTern16.
module ww_ones_tree #(
    // 2 or more.
    parameter int WORDS = 33,
    // Operands of an adder: 2 or 3.
    parameter int RADIX = 2,
    // Bits of an operand in front of the first level: 16, or 32 for two words.
    parameter int SIZE = 16
) (
    input  logic [WORDS-1:0][15:0] words,
    output logic [15:0]            sum
);
    if (WORDS < 2) begin : g_illegal_words
        $error("ww_ones_tree: WORDS must be 2 or more");
    end
    if (RADIX != 2 && RADIX != 3) begin : g_illegal_radix
        $error("ww_ones_tree: RADIX must be 2 or 3");
    end
    if (SIZE != 16 && SIZE != 32) begin : g_illegal_size
        $error("ww_ones_tree: SIZE must be 16 or 32");
    end

    // Operands of a level; all are as wide as the sum, and synthesis drops what is zero.
    localparam int OPERANDS = SIZE == 32 ? (WORDS + 1) / 2 : WORDS;
    localparam int WIDTH = SIZE + $clog2(OPERANDS);
    function automatic int operands_at(input int level);
        operands_at = OPERANDS;
        for (int below = 0; below < level; below++) operands_at = (operands_at + RADIX - 1) / RADIX;
    endfunction
    function automatic int levels();
        levels = 0;
        for (int left = OPERANDS; left > 1; left = (left + RADIX - 1) / RADIX) levels++;
    endfunction
    localparam int LEVELS = levels();

    for (genvar level = 0; level <= LEVELS; level++) begin : g_level
        localparam int COUNT = operands_at(level);
        logic [WIDTH-1:0] operand [COUNT];
        for (genvar n = 0; n < COUNT; n++) begin : g_operand
            if (level > 0) begin : g_adder
                localparam int ADDED = operands_at(level - 1) - RADIX * n < RADIX ? operands_at(level - 1) - RADIX * n : RADIX;
                if (ADDED == 3) begin : g_three
                    assign operand[n] = g_level[level-1].operand[RADIX*n] + g_level[level-1].operand[RADIX*n+1] + g_level[level-1].operand[RADIX*n+2];
                end else if (ADDED == 2) begin : g_two
                    assign operand[n] = g_level[level-1].operand[RADIX*n] + g_level[level-1].operand[RADIX*n+1];
                end else begin : g_one
                    assign operand[n] = g_level[level-1].operand[RADIX*n];
                end
            end else if (SIZE == 16) begin : g_word
                assign operand[n] = WIDTH'(words[n]);
            end else if (2 * n + 1 < WORDS) begin : g_pair
                assign operand[n] = WIDTH'({words[2*n], words[2*n+1]});
            end else begin : g_half
                assign operand[n] = WIDTH'({words[2*n], 16'h0});
            end
        end
    end

    // The carries come in twice; of words of 32 bits there are as many as a word of 16 bits has, so three times.
    logic [WIDTH-1:0] total;
    logic [16:0]      folded;
    assign total = g_level[LEVELS].operand[0];
    if (SIZE == 32) begin : g_fold_first
        logic [WIDTH-15:0] once;
        assign once   = (WIDTH - 14)'(total[15:0]) + (WIDTH - 14)'(total[WIDTH-1:16]);
        assign folded = 17'(once[15:0]) + 17'(once[WIDTH-15:16]);
    end else begin : g_fold
        assign folded = 17'(total[15:0]) + 17'(total[WIDTH-1:16]);
    end
    assign sum = folded[15:0] + 16'(folded[16]);
endmodule
