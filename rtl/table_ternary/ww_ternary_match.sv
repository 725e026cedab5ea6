// One slot of a ww_table_ternary: does a key match? Combinational.
//
// A bit of a ternary field matches if the mask bit is 0 or key and value are equal in it. A range
// field matches if low <= key <= high as unsigned numbers, with low in `value` and high in `mask`.
module ww_ternary_match #(
    // Bits of the key, 1 or more.
    parameter int KEY_WIDTH = 32,
    // Ones: the bits that belong to range fields.
    parameter logic [KEY_WIDTH-1:0] RANGE_BITS = '0,
    // Ones: the lowest bit of each range field. Tells adjacent fields apart.
    parameter logic [KEY_WIDTH-1:0] RANGE_LOW = '0
) (
    input  logic [KEY_WIDTH-1:0] key,
    input  logic [KEY_WIDTH-1:0] value,
    input  logic [KEY_WIDTH-1:0] mask,
    output logic                 match
);
    // Number of bits of the range field that begins at bit `first`.
    function automatic int length(input int first);
        length = 1;
        for (int i = first + 1; i < KEY_WIDTH; i++) begin
            if (length == i - first && RANGE_BITS[i] && !RANGE_LOW[i]) length++;
        end
    endfunction

    // A one for each bit or field that does not match; a range field uses its lowest bit.
    logic [KEY_WIDTH-1:0] differs;

    for (genvar i = 0; i < KEY_WIDTH; i++) begin : g_bit
        if (!RANGE_BITS[i]) begin : g_ternary
            assign differs[i] = (key[i] ^ value[i]) & mask[i];
        end else if (i == 0 || RANGE_LOW[i] || !RANGE_BITS[i > 0 ? i - 1 : 0]) begin : g_range
            localparam int LENGTH = length(i);
            assign differs[i] = key[i +: LENGTH] < value[i +: LENGTH] || key[i +: LENGTH] > mask[i +: LENGTH];
        end else begin : g_inside_range
            assign differs[i] = 1'b0;
        end
    end

    assign match = differs == '0;
endmodule
