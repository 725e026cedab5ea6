// Table with longest prefix match: a pipelined trie, one lookup in every clock.
//
// The key's first ROOT_BITS bits address the nodes of level 0; each level consumes some more bits
// (ww_lpm_level). Then the number of the longest prefix's entry is read from a list, or for prefixes
// shorter than ROOT_BITS from an array of all ROOT_BITS-bit values, and with it the entry's data.
// Result LATENCY = (LEVELS + 2) * MEMORY_LATENCY + 1 clocks after the lookup.
//
// ROOT_BITS to ROW_WIDTH come from ww_lpm_geometry (rtl/driver/ww_lpm.h); the defaults are its answer
// for 32-bit keys, 16-bit data and 1,024 entries. README.md has the rows of the memories.
module ww_table_lpm #(
    // Bits of a key, 1 to 128; prefixes count from the most significant bit.
    parameter int KEY_WIDTH = 32,
    // Bits of an entry's data.
    parameter int DATA_WIDTH = 16,
    // Entries that fit; above 8,192: that fit if the prefixes are like those of Internet routes.
    parameter int ENTRIES = 1024,
    // Bits of the key that address level 0: 0 to 11.
    parameter int ROOT_BITS = 9,
    // Levels of the trie: 1 to 21.
    parameter int LEVELS = 6,
    // Bits of the key that each level consumes, 1 to 6; level 0 in the lowest 4 bits. Together
    // KEY_WIDTH + 1 - ROOT_BITS: the last level also has the prefixes of KEY_WIDTH bits. (STRIDES and
    // ROWS have no type so that they may be given in any width.)
    parameter STRIDES = 24'h444444,
    // Rows of the memory of each level; level 0, which has 2^ROOT_BITS, in the lowest 32 bits.
    parameter ROWS =
        {32'd1056, 32'd1056, 32'd1056, 32'd1056, 32'd1056, 32'd512},
    // Rows of the list of entry numbers.
    parameter int LIST_ROWS = 1056,
    // Bits of the row port: the widest row.
    parameter int ROW_WIDTH = 53,
    // Clocks to read a memory: 1, or 2 for a higher clock rate.
    parameter int MEMORY_LATENCY = 1,
    // Not to be set: bits of an entry's number.
    localparam int INDEX_WIDTH = ENTRIES > 1 ? $clog2(ENTRIES) : 1
) (
    input  logic                   clk,
    // Ends lookups and row accesses; the memories keep their contents.
    input  logic                   rst,
    // A key to look up.
    input  logic                   lookup_valid,
    input  logic [KEY_WIDTH-1:0]   lookup_key,
    // LATENCY clocks later: whether a prefix matches; the number of the longest one's entry and its
    // data. Without a match the number is 0 and the data are undefined.
    output logic                   result_hit,
    output logic [DATA_WIDTH-1:0]  result_data,
    output logic [INDEX_WIDTH-1:0] result_index,
    // Row port. A write takes effect in the second clock and is done when all lookups that began
    // before it have their results; a read waits for a clock in which no lookup is at the memory.
    input  logic                   row_valid,
    input  logic                   row_write,
    input  logic [3:0]             row_memory,
    input  logic [27:0]            row_index,
    input  logic [ROW_WIDTH-1:0]   row_wdata,
    output logic                   row_done,
    output logic [ROW_WIDTH-1:0]   row_rdata
);
    localparam int LATENCY = (LEVELS + 2) * MEMORY_LATENCY + 1;
    localparam int LIST_WIDTH = LIST_ROWS > 1 ? $clog2(LIST_ROWS) : 1;
    localparam int SHORT_ROWS = 1 << ROOT_BITS;
    localparam int SHORT_ADDRESS = ROOT_BITS > 0 ? ROOT_BITS : 1;
    localparam int SHORT_WIDTH = INDEX_WIDTH + 1;
    // Bits of a row number within a level: row_index has the level above them.
    // generated: lpm (crates/blocks/src/facts.rs)
    localparam int WW_LPM_LEVEL_SHIFT = 22, WW_LPM_LEVELS_MAX = 21;
    localparam logic [3:0] WW_LPM_MEMORY_DATA = 4'd0, WW_LPM_MEMORY_LIST = 4'd1, WW_LPM_MEMORY_SHORT = 4'd2;
    localparam logic [3:0] WW_LPM_MEMORY_NODES = 4'd3;
    // end of generated
    localparam int LEVEL_SHIFT = WW_LPM_LEVEL_SHIFT;

    localparam bit [LEVELS*4-1:0]  LEVEL_STRIDES = (LEVELS*4)'(STRIDES);
    localparam bit [LEVELS*32-1:0] LEVEL_ROWS = (LEVELS*32)'(ROWS);

    function automatic int stride(input int level);
        return int'(LEVEL_STRIDES[level*4+:4]);
    endfunction

    function automatic int rows(input int level);
        return int'(LEVEL_ROWS[level*32+:32]);
    endfunction

    function automatic int key_depth(input int level);
        key_depth = ROOT_BITS;
        for (int i = 0; i < level; i++) key_depth += stride(i);
    endfunction

    if (KEY_WIDTH < 1 || KEY_WIDTH > 128) begin : g_illegal_key
        $error("ww_table_lpm: KEY_WIDTH must be 1 to 128");
    end
    if (DATA_WIDTH < 1 || ENTRIES < 1) begin : g_illegal_size
        $error("ww_table_lpm: DATA_WIDTH and ENTRIES must be 1 or more");
    end
    if (LEVELS < 1 || LEVELS > WW_LPM_LEVELS_MAX || ROOT_BITS < 0 || ROOT_BITS > 11) begin : g_illegal_levels
        $error("ww_table_lpm: LEVELS must be 1 to 21, ROOT_BITS 0 to 11");
    end
    if (key_depth(LEVELS) != KEY_WIDTH + 1) begin : g_illegal_strides
        $error("ww_table_lpm: ROOT_BITS and STRIDES must make KEY_WIDTH + 1");
    end
    if (rows(0) != SHORT_ROWS || LIST_ROWS < ENTRIES) begin : g_illegal_rows
        $error("ww_table_lpm: level 0 must have 2^ROOT_BITS rows, the list ENTRIES or more");
    end
    if (ROW_WIDTH < DATA_WIDTH || ROW_WIDTH < SHORT_WIDTH) begin : g_illegal_row
        $error("ww_table_lpm: ROW_WIDTH must be that of the widest row");
    end
    if (MEMORY_LATENCY != 1 && MEMORY_LATENCY != 2) begin : g_illegal_latency
        $error("ww_table_lpm: MEMORY_LATENCY must be 1 or 2");
    end

    // ---- row port ------------------------------------------------------------------------------

    // Numbers for the memories: data, list, short, then the levels.
    localparam int MEMORIES = LEVELS + 3;

    logic [MEMORIES-1:0]                selected, chosen, busy, writes, reads;
    logic [MEMORIES-1:0][ROW_WIDTH-1:0] words;
    logic                               start_write, start_read, armed, waiting, is_read;
    logic [5:0]                         wait_clocks;

    assign selected[0] = row_memory == WW_LPM_MEMORY_DATA && row_index < 28'(ENTRIES);
    assign selected[1] = row_memory == WW_LPM_MEMORY_LIST && row_index < 28'(LIST_ROWS);
    assign selected[2] = row_memory == WW_LPM_MEMORY_SHORT && row_index < 28'(SHORT_ROWS);
    for (genvar i = 0; i < LEVELS; i++) begin : g_select
        assign selected[3+i] = row_memory == WW_LPM_MEMORY_NODES && row_index[27:LEVEL_SHIFT] == 6'(i) &&
                               row_index[LEVEL_SHIFT-1:0] < LEVEL_SHIFT'(rows(i));
    end

    // The memory is chosen in one clock (`armed` from the next on) and accessed in a later one.
    assign start_write = armed && !is_read;
    assign start_read  = armed && is_read && (chosen & busy) == '0;
    assign writes      = start_write ? chosen : '0;
    assign reads       = start_read ? chosen : '0;

    logic [MEMORIES-1:0]  reading;
    logic [ROW_WIDTH-1:0] read_word;
    always_comb begin
        read_word = '0;
        for (int i = 0; i < MEMORIES; i++) if (reading[i]) read_word |= words[i];
    end

    always_ff @(posedge clk) begin
        row_done <= 1'b0;
        if (row_valid && !armed && !waiting && !row_done) begin
            armed   <= 1'b1;
            chosen  <= selected;
            is_read <= !row_write;
        end
        if (start_write || start_read) begin
            armed       <= 1'b0;
            waiting     <= 1'b1;
            reading     <= reads;
            wait_clocks <= start_read ? 6'(MEMORY_LATENCY) : 6'(LATENCY);
        end else if (waiting) begin
            wait_clocks <= wait_clocks - 1'b1;
            if (wait_clocks == 6'd1) begin
                waiting  <= 1'b0;
                row_done <= 1'b1;
                if (is_read) row_rdata <= read_word;
            end
        end
        if (rst) begin
            armed    <= 1'b0;
            waiting  <= 1'b0;
            row_done <= 1'b0;
        end
    end

    // ---- levels --------------------------------------------------------------------------------

    // A lookup before each level and behind the last; found and slot one clock later than the others.
    logic                   valid   [LEVELS+1];
    logic                   walking [LEVELS+1];
    logic [LEVEL_SHIFT-1:0] row     [LEVELS+1];
    logic [KEY_WIDTH-1:0]   key     [LEVELS+1];
    logic                   found   [LEVELS+1];
    logic [LIST_WIDTH-1:0]  slot    [LEVELS+1];

    assign valid[0]   = lookup_valid;
    assign walking[0] = lookup_valid;
    assign row[0]     = LEVEL_SHIFT'({1'b0, lookup_key} >> (KEY_WIDTH - ROOT_BITS));
    assign key[0]     = lookup_key;
    assign found[0]   = 1'b0;
    assign slot[0]    = '0;

    for (genvar i = 0; i < LEVELS; i++) begin : g_level
        localparam bit LAST = i == LEVELS - 1;
        localparam int ADDRESS = rows(i) > 1 ? $clog2(rows(i)) : 1;
        localparam int BELOW = LAST ? 1 : rows(LAST ? i : i + 1);
        localparam int CHILD = BELOW > 1 ? $clog2(BELOW) : 1;
        localparam int WIDTH = (1 << stride(i)) - 1 + LIST_WIDTH + (LAST ? 0 : (1 << stride(i)) + CHILD);

        if (WIDTH > ROW_WIDTH || rows(i) < 1 || rows(i) >= 1 << LEVEL_SHIFT) begin : g_illegal
            $error("ww_table_lpm: ROW_WIDTH must be that of the widest row, ROWS 1 to 2^22 - 1");
        end

        logic [CHILD-1:0] child;
        logic [WIDTH-1:0] word;

        ww_lpm_level #(
            .KEY_WIDTH(KEY_WIDTH),
            .KEY_DEPTH(key_depth(i)),
            .STRIDE(stride(i)),
            .ROWS(rows(i)),
            .LIST_WIDTH(LIST_WIDTH),
            .CHILD_WIDTH(CHILD),
            .LAST(LAST),
            .MEMORY_LATENCY(MEMORY_LATENCY)
        ) level (
            .clk,
            .rst,
            .in_valid(valid[i]),
            .in_walking(walking[i]),
            .in_row(row[i][ADDRESS-1:0]),
            .in_key(key[i]),
            .in_found(found[i]),
            .in_slot(slot[i]),
            .out_valid(valid[i+1]),
            .out_walking(walking[i+1]),
            .out_row(child),
            .out_key(key[i+1]),
            .out_found(found[i+1]),
            .out_slot(slot[i+1]),
            .row_write(writes[3+i]),
            .row_read(reads[3+i]),
            .row_index(row_index[ADDRESS-1:0]),
            .row_wdata(row_wdata[WIDTH-1:0]),
            .row_rdata(word)
        );
        assign row[i+1]   = LEVEL_SHIFT'(child);
        assign words[3+i] = ROW_WIDTH'(word);
        assign busy[3+i]  = valid[i];
    end

    // ---- number of the entry -------------------------------------------------------------------

    logic                     list_read, short_read, list_chosen, short_chosen;
    logic [SHORT_ADDRESS-1:0] short_row;
    logic [INDEX_WIDTH-1:0]   list_word;
    logic [SHORT_WIDTH-1:0]   short_word;

    logic last_valid;
    always_ff @(posedge clk) begin
        last_valid <= valid[LEVELS] && !rst;
        short_row  <= SHORT_ADDRESS'({1'b0, key[LEVELS]} >> (KEY_WIDTH - ROOT_BITS));
    end
    assign list_read  = last_valid && found[LEVELS];
    assign short_read = last_valid && !found[LEVELS];
    assign busy[1]    = last_valid;
    assign busy[2]    = last_valid;
    assign words[1]   = ROW_WIDTH'(list_word);
    assign words[2]   = ROW_WIDTH'(short_word);

    ww_lpm_memory #(.WIDTH(INDEX_WIDTH), .DEPTH(LIST_ROWS), .LATENCY(MEMORY_LATENCY)) list (
        .clk,
        .wr_en(writes[1]),
        .wr_addr(row_index[LIST_WIDTH-1:0]),
        .wr_data(row_wdata[INDEX_WIDTH-1:0]),
        .rd_en(list_read || reads[1]),
        .rd_addr(last_valid ? slot[LEVELS] : row_index[LIST_WIDTH-1:0]),
        .rd_data(list_word)
    );
    ww_ram_sdp #(.WIDTH(SHORT_WIDTH), .DEPTH(SHORT_ROWS), .LATENCY(MEMORY_LATENCY)) shorts (
        .clk,
        .wr_en(writes[2]),
        .wr_addr(row_index[SHORT_ADDRESS-1:0]),
        .wr_data(row_wdata[SHORT_WIDTH-1:0]),
        .rd_en(short_read || reads[2]),
        .rd_addr(last_valid ? short_row : row_index[SHORT_ADDRESS-1:0]),
        .rd_data(short_word)
    );

    logic [MEMORY_LATENCY-1:0] list_reads, short_reads;
    always_ff @(posedge clk) begin
        list_reads  <= MEMORY_LATENCY'({list_reads, list_read});
        short_reads <= MEMORY_LATENCY'({short_reads, short_read});
        if (rst) begin
            list_reads  <= '0;
            short_reads <= '0;
        end
    end
    assign list_chosen  = list_reads[MEMORY_LATENCY-1];
    assign short_chosen = short_reads[MEMORY_LATENCY-1];

    logic                   hit;
    logic [INDEX_WIDTH-1:0] index;
    assign hit   = list_chosen || (short_chosen && short_word[INDEX_WIDTH]);
    assign index = list_chosen ? list_word : short_word[INDEX_WIDTH-1:0];

    // ---- data of the entry ---------------------------------------------------------------------

    logic here;
    assign here     = list_chosen || short_chosen;
    assign busy[0]  = here;
    assign words[0] = ROW_WIDTH'(result_data);

    ww_ram_sdp #(.WIDTH(DATA_WIDTH), .DEPTH(ENTRIES), .LATENCY(MEMORY_LATENCY)) data (
        .clk,
        .wr_en(writes[0]),
        .wr_addr(row_index[INDEX_WIDTH-1:0]),
        .wr_data(row_wdata[DATA_WIDTH-1:0]),
        .rd_en(hit || reads[0]),
        .rd_addr(here ? index : row_index[INDEX_WIDTH-1:0]),
        .rd_data(result_data)
    );

    logic [MEMORY_LATENCY-1:0]                  hits;
    logic [MEMORY_LATENCY-1:0][INDEX_WIDTH-1:0] indices;
    always_ff @(posedge clk) begin
        hits    <= MEMORY_LATENCY'({hits, hit});
        indices <= (MEMORY_LATENCY*INDEX_WIDTH)'({indices, hit ? index : INDEX_WIDTH'(0)});
        if (rst) hits <= '0;
    end
    assign result_hit   = hits[MEMORY_LATENCY-1];
    assign result_index = indices[MEMORY_LATENCY-1];
endmodule
