// The protection table: which application may read or write which addresses.
//
// A rule permits one operation of one application on the addresses from first to last. What no rule permits
// is denied, so that an empty table denies everything. While `enabled` is low everything is permitted. The
// answers are there in the same clock.
module ww_tpp_protection #(
    // Rules, 1 or more.
    parameter int RULES = 16,
    // Questions a clock, 1 or more.
    parameter int QUESTIONS = 5
) (
    input  logic                       clk,
    input  logic                       rst,
    input  logic                       enabled,
    // Software: replaces a rule: {valid, is_write, tag, first, last}.
    input  logic                       rule_write,
    input  logic [15:0]                rule_index,
    input  logic [41:0]                rule_data,
    // The rule at rule_index.
    output logic [41:0]                rule_read,
    // The application and the addresses.
    input  logic [7:0]                 tag,
    input  logic [QUESTIONS-1:0][15:0] address,
    output logic [QUESTIONS-1:0]       may_read,
    output logic [QUESTIONS-1:0]       may_write
);
    if (RULES < 1 || RULES > 256) begin : g_illegal_rules
        $error("ww_tpp_protection: RULES must be 1 to 256");
    end

    logic [RULES-1:0][41:0] rules;

    always_ff @(posedge clk) begin
        for (int i = 0; i < RULES; i++) begin
            if (rule_write && rule_index == 16'(i)) rules[i] <= rule_data;
            if (rst) rules[i][41] <= 1'b0;
        end
    end

    always_comb begin
        rule_read = '0;
        for (int i = 0; i < RULES; i++) begin
            if (rule_index == 16'(i)) rule_read = rules[i];
        end
        may_read  = {QUESTIONS{!enabled}};
        may_write = {QUESTIONS{!enabled}};
        for (int q = 0; q < QUESTIONS; q++) begin
            for (int i = 0; i < RULES; i++) begin
                if (rules[i][41] && rules[i][39:32] == tag && rules[i][31:16] <= address[q]
                    && address[q] <= rules[i][15:0]) begin
                    if (rules[i][40]) may_write[q] = 1'b1;
                    else may_read[q] = 1'b1;
                end
            end
        end
    end
endmodule
