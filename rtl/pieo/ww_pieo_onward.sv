// The bits from the lowest one of a vector up: onward[i] = OR of bits[i:0], in a logic depth that grows with the
// logarithm of the width.
module ww_pieo_onward #(
    // Bits of the vectors, 1 or more.
    parameter int WIDTH = 8
) (
    input  logic [WIDTH-1:0] bits,
    output logic [WIDTH-1:0] onward
);
    always_comb begin
        onward = bits;
        // Each step joins four neighbours, as one LUT does.
        for (int distance = 1; distance < WIDTH; distance *= 4) begin
            onward = onward | (onward << distance) | (onward << (2 * distance)) | (onward << (3 * distance));
        end
    end
endmodule
