// The ones' complement sum (RFC 1071) of many words in one clock, combinational, by each of the architectures that were compared for it.
//
// All give the same: the folded sum, 16'h0000 only if all words are zero.
//
// Source: 002-monitoring-limago 2.15, S30, and I11 of 6.3.
module ww_ones_add #(
    // 4 or more.
    parameter int WORDS = 33,
    // 0: ArchBin16, a binary tree of adders. 1: ArchBin32, of words of 32 bits; with 33 words of 16 bits it has 36 bits and three folds, not 35 and two.
    // 2: ArchTern16, adders of three words. 3, 4, 5: ArchRed1 to ArchRed3, counters. 40: ArchRed2 as it was printed, which is wrong seven times in a
    // million. ArchRed4 is ArchRed3 with three rows in the loop of ww_message_sum.
    parameter int ARCHITECTURE = 5
) (
    input  logic [WORDS-1:0][15:0] words,
    output logic [15:0]            sum
);
    if (WORDS < 4) begin : g_illegal_words
        $error("ww_ones_add: WORDS must be 4 or more");
    end
    if (!(ARCHITECTURE inside {0, 1, 2, 3, 4, 5, 40})) begin : g_illegal_architecture
        $error("ww_ones_add: ARCHITECTURE must be 0 to 5, or 40");
    end

    if (ARCHITECTURE >= 3) begin : g_counters
        logic [2:0][15:0] three;
        ww_ones_rows #(.ROWS(WORDS)) u_rows (.rows(words), .three);
        ww_ones_merge #(.STYLE(ARCHITECTURE == 40 ? 20 : ARCHITECTURE - 2)) u_merge (.rows(three), .sum);
    end else begin : g_adders
        ww_ones_tree #(.WORDS(WORDS), .RADIX(ARCHITECTURE == 2 ? 3 : 2), .SIZE(ARCHITECTURE == 1 ? 32 : 16)) u_tree (.words, .sum);
    end
endmodule
