// Of which hosts cells have come here without an empty cell to them since, which tells them of it, and for how long.
//
// Source: docs/fabric-rules.md, "With hosts that die".
module ww_shoal_untold #(
    parameter int HOSTS = 8,
    // The most slots after which a host has to be told.
    parameter int MOST = 56,
    // Not to be set: bits of a host's number, of a number of slots.
    localparam int HOST_WIDTH = $clog2(HOSTS),
    localparam int WIDTH = $clog2(MOST + 1)
) (
    input  logic                  clk,
    input  logic                  rst,
    input  logic                  slot_begin,
    // The peer of this slot has to be told, after so many slots: eight epochs.
    input  logic [WIDTH-1:0]      due,
    input  logic [HOST_WIDTH-1:0] peer,
    output logic                  is_due,
    // An empty cell leaves to it.
    input  logic                  told,
    // A cell of `src` has come for this host. Not in a clock with `slot_begin`.
    input  logic                  came,
    input  logic [HOST_WIDTH-1:0] src,
    // A host is dead.
    input  logic                  die,
    input  logic [HOST_WIDTH-1:0] die_host
);
    logic [HOSTS-1:0]            untold;
    logic [HOSTS-1:0][WIDTH-1:0] slots;
    assign is_due = untold[peer] && slots[peer] >= due;
    always_ff @(posedge clk) begin
        if (slot_begin) for (int h = 0; h < HOSTS; h++) if (int'(slots[h]) < MOST) slots[h] <= slots[h] + 1'b1;
        if (told) untold[peer] <= 1'b0;
        if (came && !untold[src]) begin
            untold[src] <= 1'b1;
            slots[src]  <= '0;
        end
        if (die) untold[die_host] <= 1'b0;
        if (rst) untold <= '0;
    end
endmodule
