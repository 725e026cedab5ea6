// Slot clock of a host: slots of a constant length from `start` on.
module ww_shoal_slot_clock #(
    // Clocks of a slot, 2 or more.
    parameter int SLOT_CYCLES = 12
) (
    input  logic clk,
    input  logic rst,
    // For one clock: slot 0 begins in the clock behind it. Without an effect later; `rst` ends the slots.
    input  logic start,
    // Slots follow one another.
    output logic running,
    // The first clock of a slot.
    output logic slot_begin
);
    localparam int COUNT_WIDTH = $clog2(SLOT_CYCLES);

    if (SLOT_CYCLES < 2) begin : g_illegal_slot_cycles
        $error("ww_shoal_slot_clock: SLOT_CYCLES must be 2 or more");
    end

    logic [COUNT_WIDTH-1:0] left;
    logic                   begins;
    assign begins = running ? left == '0 : start;
    always_ff @(posedge clk) begin
        slot_begin <= begins;
        running    <= running || start;
        left       <= begins ? COUNT_WIDTH'(SLOT_CYCLES - 1) : left - 1'b1;
        if (rst) begin
            slot_begin <= 1'b0;
            running    <= 1'b0;
        end
    end
endmodule
