// The address at one side of a memory between two clocks, and the pointer in Gray code that the other side reads: of
// that, only one bit changes at a time.
module ww_gray_pointer #(
    // Bits of the address, 1 or more. The pointer has one more, so that full differs from empty.
    parameter int ADDRESS_WIDTH = 3
) (
    input  logic                     clk,
    input  logic                     rst,
    // Adds one.
    input  logic                     step,
    output logic [ADDRESS_WIDTH-1:0] address,
    // The pointer in Gray code, from a register.
    output logic [ADDRESS_WIDTH:0]   gray,
    // What `gray` becomes with the next edge unless it resets.
    output logic [ADDRESS_WIDTH:0]   gray_next
);
    if (ADDRESS_WIDTH < 1) begin : g_illegal_width
        $error("ww_gray_pointer: ADDRESS_WIDTH must be 1 or more");
    end

    logic [ADDRESS_WIDTH:0] pointer;
    logic [ADDRESS_WIDTH:0] pointer_next;
    assign pointer_next = pointer + (ADDRESS_WIDTH + 1)'(step);
    assign gray_next    = pointer_next ^ (pointer_next >> 1);
    assign address      = pointer[ADDRESS_WIDTH-1:0];

    always_ff @(posedge clk) begin
        pointer <= pointer_next;
        gray    <= gray_next;
        if (rst) begin
            pointer <= '0;
            gray    <= '0;
        end
    end
endmodule
