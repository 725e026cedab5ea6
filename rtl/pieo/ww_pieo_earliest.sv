// The earliest of the times of ww_pieo's sublists, two clocks after them.
module ww_pieo_earliest #(
    // Sublists, 1 or more.
    parameter int S = 8,
    parameter int TIME_BITS = 16
) (
    input  logic                         clk,
    // For each sublist whether it has a time, and the time.
    input  logic [S-1:0]                 valid,
    input  logic [S-1:0][TIME_BITS-1:0]  times,
    // Registers.
    output logic                         any,
    output logic [TIME_BITS-1:0]         earliest
);
    // The first clock finds the earliest of four sublists each, the second one that of all.
    localparam int GROUPS = (S + 3) / 4;
    logic [4*GROUPS-1:0]                all_valid;
    logic [4*GROUPS-1:0][TIME_BITS-1:0] all_times;
    logic [GROUPS-1:0]                  group_any;
    logic [GROUPS-1:0][TIME_BITS-1:0]   group_least;
    logic [GROUPS-1:0]                  group_any_q;
    logic [GROUPS-1:0][TIME_BITS-1:0]   group_least_q;
    logic                               total_any;
    logic [TIME_BITS-1:0]               total_least;

    always_comb begin
        all_valid = '0;
        all_times = '0;
        all_valid[S-1:0] = valid;
        all_times[S-1:0] = times;
    end
    for (genvar g = 0; g < GROUPS; g++) begin : g_group
        ww_pieo_least #(.WIDTH(TIME_BITS), .COUNT(4)) u_least (
            .valid(all_valid[4*g+:4]), .words(all_times[4*g+:4]), .any(group_any[g]), .least(group_least[g])
        );
    end
    ww_pieo_least #(.WIDTH(TIME_BITS), .COUNT(GROUPS)) u_total (
        .valid(group_any_q), .words(group_least_q), .any(total_any), .least(total_least)
    );
    always_ff @(posedge clk) begin
        group_any_q   <= group_any;
        group_least_q <= group_least;
        any           <= total_any;
        earliest      <= total_least;
    end
endmodule
