// New Internet checksum of a header of which some 16-bit words have changed (RFC 1624, equation 3).
//
// Combinational: HC' = ~(~HC + ~m + m'), summed over all changed words with end-around carry. Gives
// what a new computation of the whole would give, except where the whole is zero without its
// checksum, which no IP, TCP or UDP header is.
module ww_checksum_update #(
    // Words that may change, 1 to 1024.
    parameter int WORDS = 1
) (
    // The checksum in the header, HC.
    input  logic [15:0]         checksum,
    // The words before and after; those that do not change may be equal in both, or zero in both.
    input  logic [16*WORDS-1:0] old_words,
    input  logic [16*WORDS-1:0] new_words,
    // The new checksum, HC'.
    output logic [15:0]         updated
);
    if (WORDS < 1 || WORDS > 1024) begin : g_illegal_words
        $error("ww_checksum_update: WORDS must be 1 to 1024");
    end

    logic [31:0] total;
    logic [16:0] folded;
    always_comb begin
        total = {16'h0, ~checksum};
        for (int i = 0; i < WORDS; i++) begin
            total += {16'h0, ~old_words[16*i+:16]};
            total += {16'h0, new_words[16*i+:16]};
        end
        folded  = {1'b0, total[31:16]} + {1'b0, total[15:0]};
        updated = ~(folded[15:0] + 16'(folded[16]));
    end
endmodule
