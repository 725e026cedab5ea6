// ww_ones_add_ways in LANES copies with other random words, and counts of what they find: ten million sets are no more than some hundred thousand clocks.
module ww_ones_add_all #(
    parameter int WORDS = 33,
    parameter int LANES = 16,
    localparam int WAYS = 7
) (
    input  logic                   clk,
    input  logic                   rst,
    input  logic                   is_given,
    input  logic [WORDS-1:0][15:0] given,
    input  logic                   is_mixed,
    input  logic [31:0]            seed,
    // Of the first lane.
    output logic [WAYS-1:0][15:0]  sums,
    // Since reset, in all lanes: sums that are wrong; sets that the printed ArchRed2 cannot do.
    output logic [WAYS-1:0][31:0]  wrong,
    output logic [31:0]            critical
);
    logic [LANES-1:0][WAYS-1:0][15:0] all_sums;
    logic [LANES-1:0][WAYS-1:0]       is_wrong;
    logic [LANES-1:0]                 is_critical;
    for (genvar lane = 0; lane < LANES; lane++) begin : g_lane
        ww_ones_add_ways #(.WORDS(WORDS)) u_ways (
            .clk, .rst, .is_given, .given, .is_mixed, .seed({seed, 32'(lane + 1) * 32'h9e3779b1} | 64'd1), .sums(all_sums[lane]),
            .is_wrong(is_wrong[lane]), .is_critical(is_critical[lane])
        );
    end
    assign sums = all_sums[0];
    wire unused_sums = &{1'b0, all_sums};

    logic [31:0]           critical_next;
    logic [WAYS-1:0][31:0] wrong_next;
    always_comb begin
        critical_next = critical;
        wrong_next    = wrong;
        for (int lane = 0; lane < LANES; lane++) begin
            critical_next += 32'(is_critical[lane]);
            for (int n = 0; n < WAYS; n++) wrong_next[n] += 32'(is_wrong[lane][n]);
        end
    end
    always_ff @(posedge clk) begin
        critical <= rst ? '0 : critical_next;
        wrong    <= rst ? '0 : wrong_next;
    end
endmodule
