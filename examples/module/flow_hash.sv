// A hash of two addresses: their sum, the second one rotated by 7 bits, folded once. A call every
// clock; its result two clocks later.
module flow_hash (
    input  logic        clk,
    input  logic        rst,
    input  logic        request_valid,
    input  logic [31:0] source,
    input  logic [31:0] destination,
    output logic [31:0] result
);
    logic [31:0] sum;

    always_ff @(posedge clk) begin
        sum    <= source + {destination[24:0], destination[31:25]};
        result <= sum ^ {16'd0, sum[31:16]};
    end

    // It has no state that a reset or a clock without a call would matter to.
    logic unused;
    assign unused = &{rst, request_valid, 1'b0};
endmodule
