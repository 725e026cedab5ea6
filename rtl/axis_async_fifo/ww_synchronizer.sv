// Two registers one behind the other, for signals of another clock: single bits, or pointers in Gray code.
//
// `taken` follows two edges of `clk` behind `given`; what the first register makes of a bit that changes at an edge has a
// clock to settle.
module ww_synchronizer #(
    // Bits, of which at most one may change at a time.
    parameter int WIDTH = 1
) (
    input  logic             clk,
    input  logic             rst,
    // From a register of another clock.
    input  logic [WIDTH-1:0] given,
    output logic [WIDTH-1:0] taken
);
    if (WIDTH < 1) begin : g_illegal_width
        $error("ww_synchronizer: WIDTH must be 1 or more");
    end

    (* ASYNC_REG = "TRUE" *) logic [WIDTH-1:0] stage [2];
    always_ff @(posedge clk) begin
        stage[0] <= given;
        stage[1] <= stage[0];
        if (rst) begin
            stage[0] <= '0;
            stage[1] <= '0;
        end
    end
    assign taken = stage[1];
endmodule
