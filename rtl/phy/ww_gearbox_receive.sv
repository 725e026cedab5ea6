// Gearbox from the words of a deserialiser to blocks: WIDTH to 66 bits, with a slip of single bits.
//
// A word is taken each clock; blocks come in 20 of each 33 clocks at WIDTH 40 (states 1, 3, 4, 6, 8, 9, ...
// after reset), in 32 of 33 at 64. Bit 0 is first on the line.
module ww_gearbox_receive #(
    // Bits of a word, 16 to 65.
    parameter int WIDTH = 40
) (
    input  logic             clk,
    input  logic             rst,
    input  logic [WIDTH-1:0] word,
    // Leave out one bit of the stream.
    input  logic             slip,
    // One clock: it has been left out of the blocks that follow.
    output logic             slip_done,
    output logic             block_valid,
    output logic [65:0]      block
);
    if (WIDTH < 16 || WIDTH > 65) begin : g_illegal_width
        $error("ww_gearbox_receive: WIDTH must be 16 to 65");
    end

    // Bits that wait, the first at the bottom: fewer than 66 after each clock.
    logic [64:0]       waiting;
    logic [6:0]        level;
    logic              slips;
    logic [WIDTH+64:0] bits;
    logic [7:0]        count;
    logic              full;
    logic [WIDTH+64:0] rest;
    assign bits  = {WIDTH'(0), waiting} | ({65'h0, word} << level);
    assign count = {1'b0, level} + 8'(WIDTH);
    assign full  = count >= 8'd66;
    assign rest  = full ? bits >> 66 : bits;

    always_ff @(posedge clk) begin
        slip_done   <= 1'b0;
        block_valid <= full;
        block       <= bits[65:0];
        waiting     <= rest[64:0];
        level       <= 7'(count - (full ? 8'd66 : 8'd0));
        if (slip) slips <= 1'b1;
        // After a block that left bits, the next one begins a bit later.
        if (slips && full && count > 8'd66) begin
            slips     <= 1'b0;
            slip_done <= 1'b1;
            waiting   <= 65'(rest >> 1);
            level     <= 7'(count - 8'd67);
        end
        if (rst) begin
            block_valid <= 1'b0;
            slips       <= 1'b0;
            waiting     <= '0;
            level       <= '0;
        end
    end
endmodule
