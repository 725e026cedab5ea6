// Addresses of a memory whose words are to be zero after a reset: one a clock, from 0 on.
//
// Whoever writes the memory writes zero at `address` in each clock with `clearing`.
module ww_ram_clear #(
    // Words, 2 or more.
    parameter int DEPTH = 16,
    // Not to be set: bits of an address.
    localparam int ADDRESS_WIDTH = $clog2(DEPTH)
) (
    input  logic                     clk,
    input  logic                     rst,
    // From reset on, for DEPTH clocks.
    output logic                     clearing,
    output logic [ADDRESS_WIDTH-1:0] address
);
    if (DEPTH < 2) begin : g_illegal_depth
        $error("ww_ram_clear: DEPTH must be 2 or more");
    end

    always_ff @(posedge clk) begin
        if (clearing) address <= address + 1'b1;
        if (address == ADDRESS_WIDTH'(DEPTH - 1)) clearing <= 1'b0;
        if (rst) begin
            address  <= '0;
            clearing <= 1'b1;
        end
    end
endmodule
