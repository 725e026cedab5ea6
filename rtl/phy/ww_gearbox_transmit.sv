// Gearbox from blocks to the words of a serialiser: 66 bits to WIDTH.
//
// A word each clock, without a bubble; a block is taken in the clocks in which `take` is high: at WIDTH 40,
// 20 of each 33 (states 0, 1, 3, 4, 6, 8, ... after reset), at 64, 32 of 33. Bit 0 is first on the line.
module ww_gearbox_transmit #(
    // Bits of a word, 16 to 65.
    parameter int WIDTH = 40
) (
    input  logic             clk,
    input  logic             rst,
    // The block that is offered now is taken; a block must be offered each clock.
    output logic             take,
    input  logic [65:0]      block,
    output logic [WIDTH-1:0] word
);
    if (WIDTH < 16 || WIDTH > 65) begin : g_illegal_width
        $error("ww_gearbox_transmit: WIDTH must be 16 to 65");
    end

    // Bits that wait, the first at the bottom: fewer than 66.
    logic [64:0]       waiting;
    logic [6:0]        level;
    // With a block, which is taken when fewer than WIDTH bits wait.
    localparam int MOST = WIDTH - 1 + 66;
    logic [MOST-1:0]   bits;
    assign take = level < 7'(WIDTH);
    assign bits = MOST'(waiting) | (take ? MOST'(block) << level : '0);

    always_ff @(posedge clk) begin
        word    <= bits[WIDTH-1:0];
        waiting <= bits[MOST-1:WIDTH];
        level   <= 7'(8'(level) + (take ? 8'd66 : 8'd0) - 8'(WIDTH));
        if (rst) begin
            waiting <= '0;
            level   <= '0;
        end
    end
endmodule
