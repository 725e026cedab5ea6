// Number of valid bytes of a beat whose tkeep is contiguous from byte 0.
//
// Combinational. The count is the position of the last byte that is kept, plus one: a wide OR of
// constants instead of an adder tree. For a tkeep with holes the count means nothing.
module ww_axis_keep_count #(
    // Bytes of a beat, 1 or more.
    parameter int BYTES = 8,
    // Not to be set: bits of the count.
    localparam int COUNT_WIDTH = $clog2(BYTES + 1)
) (
    // tkeep of the beat.
    input  logic [BYTES-1:0]       keep,
    // Bytes that are kept, 0 to BYTES.
    output logic [COUNT_WIDTH-1:0] count
);
    if (BYTES < 1) begin : g_illegal_bytes
        $error("ww_axis_keep_count: BYTES must be 1 or more");
    end

    // One-hot: the byte that is kept while the next is not.
    logic [BYTES-1:0] last_kept;
    assign last_kept = keep & ~(keep >> 1);

    always_comb begin
        count = '0;
        for (int i = 0; i < BYTES; i++) begin
            if (last_kept[i]) count |= COUNT_WIDTH'(i + 1);
        end
    end
endmodule
