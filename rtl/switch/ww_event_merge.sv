// Events of several sources as a row of events, one a clock: for a counter of all of them. Their number
// over a long time must be at most one a clock; up to 65,535 wait.
module ww_event_merge #(
    // Sources, 1 or more.
    parameter int SOURCES = 4
) (
    input  logic               clk,
    input  logic               rst,
    // One bit for each source: it has an event in this clock.
    input  logic [SOURCES-1:0] s_event,
    output logic               m_event,
    // Events wait.
    output logic               pending
);
    logic [15:0] waiting, now;

    always_comb begin
        now = '0;
        for (int n = 0; n < SOURCES; n++) now = now + 16'(s_event[n]);
    end
    assign pending = waiting != '0;
    assign m_event = pending;
    always_ff @(posedge clk) begin
        waiting <= waiting + now - 16'(pending);
        if (rst) waiting <= '0;
    end
endmodule
