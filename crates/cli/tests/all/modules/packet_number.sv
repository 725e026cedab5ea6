// A number that grows by `step` with each call; the result is the number before, three clocks
// later.
module packet_number (
    input  logic        clk,
    input  logic        rst,
    input  logic        request_valid,
    input  logic [7:0]  step,
    output logic        odd,
    output logic [31:0] result
);
    logic [31:0] number, before_1, before_2;

    always_ff @(posedge clk) begin
        if (rst) number <= '0;
        else if (request_valid) number <= number + {24'd0, step};
        before_1 <= number;
        before_2 <= before_1;
        result   <= before_2;
        odd      <= before_2[0];
    end
endmodule
