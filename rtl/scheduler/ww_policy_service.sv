// The time that a packet takes at a pace, in the number format of docs/scheduling.md: bytes times pace, shifted right
// by 8, at most 2^64-1. Two clocks; a new product in each clock.
module ww_policy_service (
    input  logic        clk,
    input  logic [31:0] bytes,
    // 2^-16 ps a byte, at most 2^50.
    input  logic [50:0] pace,
    // 2^-8 ps.
    output logic [63:0] service
);
    logic [82:0] product;
    always_ff @(posedge clk) begin
        product <= 83'(bytes) * 83'(pace);
        service <= product[82:72] == '0 ? product[71:8] : '1;
    end
    // Rounded down.
    logic unused;
    assign unused = |product[7:0];
endmodule
