// Ternary and range table: every slot is compared with the key, the lowest slot that matches wins.
//
// One lookup a clock; the result is there 4 clocks later. Keys and masks are in flip-flops, so the
// table costs logic for each entry; data are in RAM. A row is written in one clock: a lookup sees all of
// the old or all of the new row.
module ww_table_ternary #(
    // Bits of the key, 1 or more.
    parameter int KEY_WIDTH = 32,
    // Bits of the data, 1 or more.
    parameter int DATA_WIDTH = 32,
    // Slots, 1 to 4096. Above 512 the choice of the winner limits the clock rate.
    parameter int ENTRIES = 64,
    // Ones: the key bits that belong to range fields. In such a field a row's key holds the lowest and
    // its mask the highest value that matches.
    parameter logic [KEY_WIDTH-1:0] RANGE_BITS = '0,
    // Ones: the lowest key bit of each range field. Tells adjacent fields apart.
    parameter logic [KEY_WIDTH-1:0] RANGE_LOW = '0,
    // Not to be set: bits of a row, {valid, mask, key, data}.
    localparam int ROW_WIDTH = 1 + 2 * KEY_WIDTH + DATA_WIDTH,
    // Not to be set: bits of a slot's number.
    localparam int INDEX_WIDTH = ENTRIES > 1 ? $clog2(ENTRIES) : 1
) (
    input  logic                   clk,
    input  logic                   rst,
    // Lookup, one a clock.
    input  logic                   lookup_valid,
    input  logic [KEY_WIDTH-1:0]   lookup_key,
    // Result, 4 clocks after the lookup. result_data has a meaning only with result_hit.
    output logic                   result_hit,
    output logic [DATA_WIDTH-1:0]  result_data,
    // Slot of the entry that won, 0 on a miss.
    output logic [INDEX_WIDTH-1:0] result_index,
    // Row port: memory 0, row = slot. A read waits for a clock without a lookup.
    input  logic                   row_valid,
    input  logic                   row_write,
    input  logic [3:0]             row_memory,
    input  logic [27:0]            row_index,
    input  logic [ROW_WIDTH-1:0]   row_wdata,
    output logic                   row_done,
    output logic [ROW_WIDTH-1:0]   row_rdata
);
    if (KEY_WIDTH < 1) begin : g_illegal_key
        $error("ww_table_ternary: KEY_WIDTH must be 1 or more");
    end
    if (DATA_WIDTH < 1) begin : g_illegal_data
        $error("ww_table_ternary: DATA_WIDTH must be 1 or more");
    end
    if (ENTRIES < 1 || ENTRIES > 4096) begin : g_illegal_entries
        $error("ww_table_ternary: ENTRIES must be 1 to 4096");
    end
    if ((RANGE_LOW & ~RANGE_BITS) != '0) begin : g_illegal_range
        $error("ww_table_ternary: RANGE_LOW may have ones only where RANGE_BITS has ones");
    end

    // Stage 1: the key fans out to all slots.
    logic [KEY_WIDTH-1:0] key_1;
    logic                 valid_1, valid_2, valid_3;
    always_ff @(posedge clk) begin
        key_1   <= lookup_key;
        valid_1 <= lookup_valid;
        valid_2 <= valid_1;
        valid_3 <= valid_2;
    end

    // Stage 2: all slots compare. Slots are made up to a whole number of groups.
    localparam int GROUP = 16;
    localparam int GROUPS = (ENTRIES + GROUP - 1) / GROUP;

    logic [INDEX_WIDTH-1:0]  slot;
    logic                    exists;
    logic                    write;
    logic                    read;
    logic [GROUPS*GROUP-1:0] match_2;

    assign exists = row_memory == 4'd0 && row_index < 28'(ENTRIES);

    // Slots are arrays and not modules: a simulator walks through them instead of having code for
    // each.
    logic                 valids [ENTRIES];
    logic [KEY_WIDTH-1:0] values [ENTRIES];
    logic [KEY_WIDTH-1:0] masks [ENTRIES];
    // By slot: a range field does not match.
    logic [ENTRIES-1:0]   outside;

    initial begin
        for (int s = 0; s < ENTRIES; s++) valids[s] = 1'b0;
    end

    always_ff @(posedge clk) begin
        if (write && exists) begin
            {valids[slot], masks[slot], values[slot]} <= row_wdata[ROW_WIDTH-1:DATA_WIDTH];
        end
        match_2 <= '0;
        for (int s = 0; s < ENTRIES; s++) begin
            match_2[s] <= valids[s] && !outside[s]
                && ((key_1 ^ values[s]) & masks[s] & ~RANGE_BITS) == '0;
        end
    end
    assign slot = row_index[INDEX_WIDTH-1:0];

    // Number of bits of the range field that begins at bit `first`.
    function automatic int range_length(input int first);
        range_length = 1;
        for (int i = first + 1; i < KEY_WIDTH; i++) begin
            if (range_length == i - first && RANGE_BITS[i] && !RANGE_LOW[i]) begin
                range_length++;
            end
        end
    endfunction

    for (genvar i = 0; i < KEY_WIDTH; i++) begin : g_bit
        // By slot: a range field up to this bit does not match.
        logic [ENTRIES-1:0] earlier, misses;

        if (i == 0) begin : g_first
            assign earlier = '0;
        end else begin : g_next
            assign earlier = g_bit[i-1].misses;
        end
        if (RANGE_BITS[i] && (i == 0 || RANGE_LOW[i] || !RANGE_BITS[i > 0 ? i - 1 : 0])) begin : g_range
            localparam int LENGTH = range_length(i);
            always_comb begin
                misses = earlier;
                for (int s = 0; s < ENTRIES; s++) begin
                    if (key_1[i +: LENGTH] < values[s][i +: LENGTH]
                        || key_1[i +: LENGTH] > masks[s][i +: LENGTH]) misses[s] = 1'b1;
                end
            end
        end else begin : g_no_range
            assign misses = earlier;
        end
    end
    assign outside = g_bit[KEY_WIDTH-1].misses;

    // Stage 3: the first match of each group, and in which groups there is one.
    logic [GROUPS-1:0]      any_3;
    logic [GROUPS-1:0][3:0] first_3;

    for (genvar g = 0; g < GROUPS; g++) begin : g_group
        logic [3:0] first;
        always_comb begin
            first = '0;
            for (int i = GROUP - 1; i >= 0; i--) begin
                if (match_2[GROUP*g+i]) first = 4'(i);
            end
        end
        always_ff @(posedge clk) begin
            any_3[g]   <= |match_2[GROUP*g +: GROUP];
            first_3[g] <= first;
        end
    end

    // Stage 4: the first group with a match gives the slot, whose data are read.
    logic [INDEX_WIDTH-1:0] slot_3;
    always_comb begin
        slot_3 = '0;
        for (int g = GROUPS - 1; g >= 0; g--) begin
            if (any_3[g]) slot_3 = INDEX_WIDTH'(GROUP * g) + INDEX_WIDTH'(first_3[g]);
        end
    end

    // Data are read two clocks after the comparison, so they are also written two clocks after key
    // and mask: a lookup gets key and data of the same row.
    logic                   write_2, write_3;
    logic [INDEX_WIDTH-1:0] index_2, index_3;
    logic [ROW_WIDTH-1:0]   wdata_2, wdata_3;
    logic [ROW_WIDTH-1:0]   row;

    initial {write_2, write_3} = '0;
    always_ff @(posedge clk) begin
        write_2 <= write && exists;
        index_2 <= row_index[INDEX_WIDTH-1:0];
        wdata_2 <= row_wdata;
        write_3 <= write_2;
        index_3 <= index_2;
        wdata_3 <= wdata_2;
    end

    // A read of the row that was written last waits until the RAM has it.
    ww_row_access #(.READ_LATENCY(1)) row_access (
        .clk, .rst, .row_valid, .row_write, .row_done,
        .idle(!valid_3 && !write_2 && !write_3), .write, .read
    );

    ww_ram_sdp #(.WIDTH(ROW_WIDTH), .DEPTH(ENTRIES)) ram (
        .clk,
        .wr_en(write_3), .wr_addr(index_3), .wr_data(wdata_3),
        .rd_en(valid_3 || read),
        .rd_addr(valid_3 ? slot_3 : row_index[INDEX_WIDTH-1:0]),
        .rd_data(row)
    );

    always_ff @(posedge clk) begin
        result_hit   <= |any_3;
        result_index <= slot_3;
    end
    assign result_data = row[DATA_WIDTH-1:0];
    assign row_rdata   = exists ? row : '0;
endmodule
