// Exact-match table that compares every slot with the key: a binary CAM.
//
// One lookup a clock; the result is there 3 clocks later. For few entries; ww_table_hash does the same
// for many at a fraction of the cost. STYLE chooses what the keys are in:
//
// "registers": keys in flip-flops, one comparator a slot. A row is written in one clock: a lookup sees
// all of the old or all of the new row.
//
// "bram": for each 9 bits of the key a RAM of 512 words with one bit a slot ("which slots have this
// value here"); the words of all RAMs are ANDed. Writing a row with the key that the slot already has
// changes its data at once (the write takes 5 clocks). Writing another key takes the slot out of the table, changes one bit
// in two words of each RAM, and puts the slot back: 7 clocks in all, and more with lookups in between,
// because three reads wait for clocks without a lookup. Until then the slot matches nothing.
module ww_table_cam #(
    // Bits of the key, 1 or more.
    parameter int KEY_WIDTH = 32,
    // Bits of the data, 1 or more.
    parameter int DATA_WIDTH = 32,
    // Slots, 1 to 4096.
    parameter int ENTRIES = 16,
    // "registers" or "bram", see above.
    parameter string STYLE = "registers",
    // Not to be set: bits of a row, {valid, key, data}.
    localparam int ROW_WIDTH = 1 + KEY_WIDTH + DATA_WIDTH,
    // Not to be set: bits of a slot's number.
    localparam int INDEX_WIDTH = ENTRIES > 1 ? $clog2(ENTRIES) : 1
) (
    input  logic                   clk,
    input  logic                   rst,
    // Lookup, one a clock.
    input  logic                   lookup_valid,
    input  logic [KEY_WIDTH-1:0]   lookup_key,
    // Result, 3 clocks after the lookup. result_data has a meaning only with result_hit.
    output logic                   result_hit,
    output logic [DATA_WIDTH-1:0]  result_data,
    // Slot of the entry that matched (the lowest one), 0 on a miss.
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
        $error("ww_table_cam: KEY_WIDTH must be 1 or more");
    end
    if (DATA_WIDTH < 1) begin : g_illegal_data
        $error("ww_table_cam: DATA_WIDTH must be 1 or more");
    end
    if (ENTRIES < 1 || ENTRIES > 4096) begin : g_illegal_entries
        $error("ww_table_cam: ENTRIES must be 1 to 4096");
    end

    // Which slots match, two clocks after the lookup. The rows themselves are in one RAM, which is read
    // for the data of the slot that matched, and for the row port.
    logic [ENTRIES-1:0]     match_2;
    logic [INDEX_WIDTH-1:0] slot_2;
    logic                   valid_1, valid_2;
    logic                   exists;
    logic [INDEX_WIDTH-1:0] index;
    logic                   ram_write;
    logic [INDEX_WIDTH-1:0] ram_index;
    logic [ROW_WIDTH-1:0]   ram_wdata;
    logic                   ram_read;
    logic [ROW_WIDTH-1:0]   row;

    assign exists = row_memory == 4'd0 && row_index < 28'(ENTRIES);
    assign index  = row_index[INDEX_WIDTH-1:0];

    always_ff @(posedge clk) begin
        valid_1 <= lookup_valid && !rst;
        valid_2 <= valid_1 && !rst;
    end

    if (STYLE == "registers") begin : g_registers
        logic [KEY_WIDTH-1:0] key_1;
        logic                 write;
        logic                 wrote;

        always_ff @(posedge clk) key_1 <= lookup_key;

        // A read of the row that was written last waits until the RAM has it.
        ww_row_access #(.READ_LATENCY(1)) row_access (
            .clk, .rst, .row_valid, .row_write, .row_done,
            .idle(!valid_2 && !wrote), .write, .read(ram_read)
        );

        for (genvar s = 0; s < ENTRIES; s++) begin : g_slot
            logic                 valid;
            logic [KEY_WIDTH-1:0] key;
            initial valid = 1'b0;
            always_ff @(posedge clk) begin
                if (write && exists && index == INDEX_WIDTH'(s)) begin
                    {valid, key} <= row_wdata[ROW_WIDTH-1:DATA_WIDTH];
                end
                match_2[s] <= valid && key == key_1;
            end
        end

        // Data are read one clock after the comparison, so they are also written one clock after the
        // key: a lookup gets key and data of the same row.
        initial wrote = 1'b0;
        always_ff @(posedge clk) begin
            wrote     <= write && exists;
            ram_index <= index;
            ram_wdata <= row_wdata;
        end
        assign ram_write = wrote;
    end else if (STYLE == "bram") begin : g_bram
        logic set_valid;
        logic clear_valid;
        logic [ENTRIES-1:0] valid;
        logic [ENTRIES-1:0] same;

        ww_cam_ram #(.KEY_WIDTH(KEY_WIDTH), .ENTRIES(ENTRIES)) keys (
            .clk, .rst, .lookup_valid, .lookup_key, .same,
            .row_valid, .row_write, .exists, .index,
            .new_valid(row_wdata[ROW_WIDTH-1]), .new_key(row_wdata[DATA_WIDTH +: KEY_WIDTH]), .row_done,
            .row_idle(!valid_2), .row_read(ram_read), .row_key(row[DATA_WIDTH +: KEY_WIDTH]),
            .row_store(ram_write),
            .set_valid, .clear_valid
        );

        initial valid = '0;
        always_ff @(posedge clk) begin
            if (set_valid) valid[index] <= 1'b1;
            if (clear_valid) valid[index] <= 1'b0;
            match_2 <= same & valid;
        end
        assign ram_index = index;
        assign ram_wdata = row_wdata;
    end else begin : g_illegal_style
        $error("ww_table_cam: STYLE must be registers or bram");
    end

    always_comb begin
        slot_2 = '0;
        for (int s = ENTRIES - 1; s >= 0; s--) begin
            if (match_2[s]) slot_2 = INDEX_WIDTH'(s);
        end
    end

    ww_ram_sdp #(.WIDTH(ROW_WIDTH), .DEPTH(ENTRIES)) ram (
        .clk,
        .wr_en(ram_write), .wr_addr(ram_index), .wr_data(ram_wdata),
        .rd_en(valid_2 || ram_read),
        .rd_addr(valid_2 ? slot_2 : index),
        .rd_data(row)
    );

    always_ff @(posedge clk) begin
        result_hit   <= |match_2;
        result_index <= slot_2;
    end
    assign result_data = row[DATA_WIDTH-1:0];
    assign row_rdata   = exists ? row : '0;
endmodule
