// Registers one behind the other: the output is the input some clocks ago.
module ww_delay_line #(
    // Bits, 1 or more.
    parameter int WIDTH = 1,
    // Clocks, 0 or more; 0 is a wire.
    parameter int CLOCKS = 1
) (
    input  logic             clk,
    input  logic [WIDTH-1:0] d,
    output logic [WIDTH-1:0] q
);
    if (WIDTH < 1) begin : g_illegal_width
        $error("ww_delay_line: WIDTH must be 1 or more");
    end
    if (CLOCKS < 0) begin : g_illegal_clocks
        $error("ww_delay_line: CLOCKS must be 0 or more");
    end

    if (CLOCKS == 0) begin : g_wire
        logic unused_clk;
        assign unused_clk = clk;
        assign q = d;
    end else begin : g_line
        logic [WIDTH-1:0] line [CLOCKS];
        always_ff @(posedge clk) begin
            line[0] <= d;
            for (int n = 1; n < CLOCKS; n++) line[n] <= line[n-1];
        end
        assign q = line[CLOCKS-1];
    end
endmodule
