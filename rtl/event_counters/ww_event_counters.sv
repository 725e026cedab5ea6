// Counts events of the datapath that have no index: packets received, sent, dropped. Read through
// a row port; a row write sets a count.
module ww_event_counters #(
    // Kinds of events, 1 or more.
    parameter int EVENTS = 4,
    // Bits of a count.
    parameter int COUNT_WIDTH = 64
) (
    input  logic                   clk,
    input  logic                   rst,
    // One bit for each kind: it happens in this clock.
    input  logic [EVENTS-1:0]      event_valid,
    // Row port: memory 0, row = kind, {count}.
    input  logic                   row_valid,
    input  logic                   row_write,
    input  logic [3:0]             row_memory,
    input  logic [27:0]            row_index,
    input  logic [COUNT_WIDTH-1:0] row_wdata,
    output logic                   row_done,
    output logic [COUNT_WIDTH-1:0] row_rdata
);
    if (EVENTS < 1) begin : g_illegal_events
        $error("ww_event_counters: EVENTS must be 1 or more");
    end

    logic [COUNT_WIDTH-1:0] counts [EVENTS];

    assign row_done = row_valid;

    always_comb begin
        row_rdata = '0;
        for (int n = 0; n < EVENTS; n++) begin
            if (row_memory == 4'd0 && row_index == 28'(n)) row_rdata = counts[n];
        end
    end

    always_ff @(posedge clk) begin
        for (int n = 0; n < EVENTS; n++) begin
            if (rst) begin
                counts[n] <= '0;
            end else if (row_valid && row_write && row_memory == 4'd0 && row_index == 28'(n)) begin
                counts[n] <= row_wdata;
            end else begin
                counts[n] <= counts[n] + COUNT_WIDTH'(event_valid[n]);
            end
        end
    end
endmodule
