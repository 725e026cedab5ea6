// One level of the trie of ww_table_lpm: reads a node and says where the lookup goes on.
//
// A node is {child, result, external, internal}, lowest bits last. Bit 2^j - 1 + v of `internal` is
// set if the table has the prefix that continues the node's path by the j bits v; the number of its
// entry is in the list at `result` plus the number of lower bits that are set. Bit v of `external` is
// set if there is a node for the next STRIDE bits v; it is row `child` plus the number of lower bits
// that are set, in the memory of the next level. The last level has no `child` and `external`.
module ww_lpm_level #(
    // Bits of the key.
    parameter int KEY_WIDTH = 32,
    // Bits of the key above a node of this level.
    parameter int KEY_DEPTH = 9,
    // Bits of the key that a node looks at, 1 to 6; at the last level one more than are left.
    parameter int STRIDE = 4,
    // Nodes.
    parameter int ROWS = 512,
    // Bits of a row number of the list.
    parameter int LIST_WIDTH = 11,
    // Bits of a row number of the next level; unused at the last one.
    parameter int CHILD_WIDTH = 11,
    // 1 at the last level.
    parameter bit LAST = 1'b0,
    // Clocks to read the memory: 1 or 2.
    parameter int MEMORY_LATENCY = 1,
    // Not to be set: bits of a row number, of the bitmaps and of a row.
    localparam int ADDRESS_WIDTH = ROWS > 1 ? $clog2(ROWS) : 1,
    localparam int INTERNAL = (1 << STRIDE) - 1,
    localparam int EXTERNAL = LAST ? 0 : 1 << STRIDE,
    localparam int WIDTH = INTERNAL + EXTERNAL + LIST_WIDTH + (LAST ? 0 : CHILD_WIDTH)
) (
    input  logic                     clk,
    input  logic                     rst,
    // A lookup is at this level; `in_walking`: it has a node here, at `in_row`.
    input  logic                     in_valid,
    input  logic                     in_walking,
    input  logic [ADDRESS_WIDTH-1:0] in_row,
    input  logic [KEY_WIDTH-1:0]     in_key,
    // One clock later than the above: the longest prefix of the levels before is in the list at
    // `in_slot`.
    input  logic                     in_found,
    input  logic [LIST_WIDTH-1:0]    in_slot,
    // The same for the next level, MEMORY_LATENCY clocks after the inputs.
    output logic                     out_valid,
    output logic                     out_walking,
    output logic [CHILD_WIDTH-1:0]   out_row,
    output logic [KEY_WIDTH-1:0]     out_key,
    output logic                     out_found,
    output logic [LIST_WIDTH-1:0]    out_slot,
    // Row access: store a row; read one while in_valid is low, row_rdata MEMORY_LATENCY clocks later.
    input  logic                     row_write,
    input  logic                     row_read,
    input  logic [ADDRESS_WIDTH-1:0] row_index,
    input  logic [WIDTH-1:0]         row_wdata,
    output logic [WIDTH-1:0]         row_rdata
);
    localparam int COUNT_WIDTH = STRIDE + 1;
    localparam int GROUPS = ((1 << STRIDE) + 5) / 6;

    function automatic logic [COUNT_WIDTH-1:0] ones(input logic [(1<<STRIDE)-1:0] map);
        logic [GROUPS*6-1:0] padded;
        padded = (GROUPS*6)'(map);
        ones   = '0;
        for (int i = 0; i < GROUPS; i++) ones += COUNT_WIDTH'($countones(padded[i*6+:6]));
    endfunction

    logic [WIDTH-1:0] word;

    ww_lpm_memory #(.WIDTH(WIDTH), .DEPTH(ROWS), .LATENCY(MEMORY_LATENCY)) nodes (
        .clk,
        .wr_en(row_write),
        .wr_addr(row_index),
        .wr_data(row_wdata),
        .rd_en(in_walking || row_read),
        .rd_addr(in_valid ? in_row : row_index),
        .rd_data(word)
    );
    assign row_rdata = word;

    // What belongs to the word that comes out of the memory.
    logic                  valid, walking, found;
    logic [KEY_WIDTH-1:0]  key;
    logic [LIST_WIDTH-1:0] slot;

    logic [MEMORY_LATENCY-1:0]                 valids, walkings;
    logic [MEMORY_LATENCY-1:0][KEY_WIDTH-1:0]  keys;
    logic [MEMORY_LATENCY-1:0][LIST_WIDTH:0]   earlier;

    always_ff @(posedge clk) begin
        for (int i = 0; i < MEMORY_LATENCY; i++) begin
            valids[i]   <= i == 0 ? in_valid : valids[i == 0 ? 0 : i-1];
            walkings[i] <= i == 0 ? in_walking : walkings[i == 0 ? 0 : i-1];
            keys[i]     <= i == 0 ? in_key : keys[i == 0 ? 0 : i-1];
            earlier[i]  <= i == 0 ? {in_slot, in_found} : earlier[i == 0 ? 0 : i-1];
        end
        if (rst) begin
            valids   <= '0;
            walkings <= '0;
        end
    end
    assign valid = valids[MEMORY_LATENCY-1];
    assign walking = walkings[MEMORY_LATENCY-1];
    assign key = keys[MEMORY_LATENCY-1];
    assign {slot, found} = earlier[MEMORY_LATENCY-1];

    // The key's next STRIDE bits; behind the end of the key at the last level, a zero.
    logic [STRIDE-1:0] part;
    if (LAST) begin : g_last_part
        assign part = {key[KEY_WIDTH-KEY_DEPTH-1:0], 1'b0};
    end else begin : g_part
        assign part = key[KEY_WIDTH-KEY_DEPTH-1-:STRIDE];
    end

    // Longest prefix in this node. Its row in the list is counted in the next clock, as it is not
    // needed for the way on.
    logic [INTERNAL-1:0] internal;
    logic [STRIDE-1:0]   position;
    logic                here;
    logic [INTERNAL:0]   lower;

    assign internal = word[INTERNAL-1:0];
    always_comb begin
        here     = 1'b0;
        position = '0;
        for (int j = 0; j < STRIDE; j++) begin
            // The marker bit before the first j bits of `part`, less one, is the bit's number.
            if (internal[STRIDE'(({1'b1, part} >> (STRIDE - j)) - 1'b1)]) begin
                here     = 1'b1;
                position = STRIDE'(({1'b1, part} >> (STRIDE - j)) - 1'b1);
            end
        end
        // Bits below `position`.
        lower = {1'b0, internal} & ~('1 << position);
    end

    logic                  late_here;
    logic [INTERNAL:0]     late_lower;
    logic [LIST_WIDTH-1:0] late_result;
    always_ff @(posedge clk) begin
        late_here   <= walking && here;
        late_lower  <= lower;
        late_result <= word[INTERNAL+EXTERNAL+:LIST_WIDTH];
    end

    assign out_valid = valid;
    assign out_key   = key;
    assign out_found = found || late_here;
    assign out_slot  = late_here ? late_result + LIST_WIDTH'(ones(late_lower)) : slot;

    // The node below.
    if (LAST) begin : g_no_child
        assign out_walking = 1'b0;
        assign out_row     = '0;
    end else begin : g_child
        logic [EXTERNAL-1:0] external, lower_children;
        assign external = word[INTERNAL+:EXTERNAL];
        assign lower_children = external & ~('1 << part);
        assign out_walking = walking && external[part];
        assign out_row     = word[INTERNAL+EXTERNAL+LIST_WIDTH+:CHILD_WIDTH] + CHILD_WIDTH'(ones(lower_children));
    end
endmodule
