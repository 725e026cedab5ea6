// Exact-match table: cuckoo hashing over WAYS block RAMs with a small stash, one lookup a clock.
//
// An entry is in one of WAYS rows, one in each way's RAM, that its key determines, or in the stash, a
// few slots that any key may use. A lookup reads all of them in one clock; the result is there 5
// clocks after the lookup. The control plane (rtl/driver) moves an entry by writing the new place before it
// overwrites the old one. All places are looked at in the same clock, so a lookup never misses an
// entry that is being moved, and a row is written in one clock, so new data appear at once.
module ww_table_hash #(
    // Bits of the key, 1 to 4096.
    parameter int KEY_WIDTH = 32,
    // Bits of the data, 1 or more.
    parameter int DATA_WIDTH = 32,
    // Entries that must fit, 1 or more; the defaults below make 1.25 or more places for each.
    parameter int ENTRIES = 1024,
    // Number of RAMs, 2 to 8.
    parameter int WAYS = 4,
    // Rows of each RAM, a power of two from 2 to 2^24.
    parameter int BUCKETS = 1 << $clog2(ENTRIES > WAYS ? (ENTRIES + ENTRIES / 4 + WAYS - 1) / WAYS : 2),
    // Slots of the stash, 1 to 16. They are compared in parallel, so each costs logic.
    parameter int STASH = 4,
    // Chooses the hash functions, see ww_hash.
    parameter logic [63:0] SEED = 64'd1,
    // "auto", "block" or "distributed": what the ways are built from.
    parameter string STYLE = "auto",
    // Not to be set: bits of a row, {valid, key, data}.
    localparam int ROW_WIDTH = 1 + KEY_WIDTH + DATA_WIDTH,
    // Not to be set: bits of a place's number.
    localparam int INDEX_WIDTH = $clog2(WAYS * BUCKETS + STASH)
) (
    input  logic                   clk,
    input  logic                   rst,
    // Lookup, one a clock.
    input  logic                   lookup_valid,
    input  logic [KEY_WIDTH-1:0]   lookup_key,
    // Result, 5 clocks after the lookup. result_data has a meaning only with result_hit.
    output logic                   result_hit,
    output logic [DATA_WIDTH-1:0]  result_data,
    // Place of the entry: way * BUCKETS + bucket, or WAYS * BUCKETS + slot of the stash; 0 on a miss.
    // It changes when the entry is moved; keep a number in the data where a fixed one is needed.
    output logic [INDEX_WIDTH-1:0] result_index,
    // Row port: memory w below WAYS is way w, row = bucket; memory WAYS is the stash, row = slot.
    // A read waits for a clock without a lookup.
    input  logic                   row_valid,
    input  logic                   row_write,
    input  logic [3:0]             row_memory,
    input  logic [27:0]            row_index,
    input  logic [ROW_WIDTH-1:0]   row_wdata,
    output logic                   row_done,
    output logic [ROW_WIDTH-1:0]   row_rdata
);
    if (KEY_WIDTH < 1 || KEY_WIDTH > 4096) begin : g_illegal_key
        $error("ww_table_hash: KEY_WIDTH must be 1 to 4096");
    end
    if (DATA_WIDTH < 1) begin : g_illegal_data
        $error("ww_table_hash: DATA_WIDTH must be 1 or more");
    end
    if (WAYS < 2 || WAYS > 8) begin : g_illegal_ways
        $error("ww_table_hash: WAYS must be 2 to 8");
    end
    if (BUCKETS < 2 || BUCKETS > (1 << 24) || (BUCKETS & (BUCKETS - 1)) != 0) begin : g_illegal_buckets
        $error("ww_table_hash: BUCKETS must be a power of two from 2 to 2^24");
    end
    if (STASH < 1 || STASH > 16) begin : g_illegal_stash
        $error("ww_table_hash: STASH must be 1 to 16");
    end
    if (ENTRIES < 1 || WAYS * BUCKETS + STASH < ENTRIES) begin : g_illegal_entries
        $error("ww_table_hash: ENTRIES must be 1 or more and there must be at least as many places");
    end

    localparam int BUCKET_WIDTH = $clog2(BUCKETS);
    localparam int SLOT_WIDTH = STASH > 1 ? $clog2(STASH) : 1;

    // Stage 1: bucket numbers. A clock without a lookup may read a row instead.
    logic [WAYS-1:0][BUCKET_WIDTH-1:0] bucket_1;
    logic [KEY_WIDTH-1:0] key_1;
    logic                 valid_1;
    logic                 write;
    logic                 read;

    ww_hash #(.KEY_WIDTH(KEY_WIDTH), .WAYS(WAYS), .BUCKETS(BUCKETS), .SEED(SEED)) hash (
        .clk, .key(lookup_key), .bucket(bucket_1)
    );
    ww_row_access #(.READ_LATENCY(2)) row_access (
        .clk, .rst, .row_valid, .row_write, .row_done, .idle(!valid_1), .write, .read
    );

    always_ff @(posedge clk) begin
        key_1   <= lookup_key;
        valid_1 <= lookup_valid && !rst;
    end

    // Stages 2 and 3: the RAMs. The same clock edge that reads them samples the keys of the stash.
    logic in_bucket;
    logic in_slot;
    logic [WAYS-1:0][ROW_WIDTH-1:0] row_3;

    assign in_bucket = row_index[27:BUCKET_WIDTH] == '0;
    assign in_slot   = row_memory == 4'(WAYS) && row_index < 28'(STASH);

    for (genvar w = 0; w < WAYS; w++) begin : g_way
        ww_ram_sdp #(.WIDTH(ROW_WIDTH), .DEPTH(BUCKETS), .LATENCY(2), .STYLE(STYLE)) ram (
            .clk,
            .wr_en(write && in_bucket && row_memory == 4'(w)),
            .wr_addr(row_index[BUCKET_WIDTH-1:0]),
            .wr_data(row_wdata),
            .rd_en(valid_1 || read),
            .rd_addr(valid_1 ? bucket_1[w] : row_index[BUCKET_WIDTH-1:0]),
            .rd_data(row_3[w])
        );
    end

    logic [STASH-1:0]                stash_valid;
    logic [STASH-1:0][KEY_WIDTH-1:0] stash_key;
    logic [STASH-1:0]                stash_match_2;
    logic [SLOT_WIDTH-1:0]           slot_2;
    logic                            valid_2;
    logic                            read_2;

    initial stash_valid = '0;
    for (genvar s = 0; s < STASH; s++) begin : g_slot
        always_ff @(posedge clk) begin
            if (write && in_slot && row_index == 28'(s)) begin
                {stash_valid[s], stash_key[s]} <= row_wdata[ROW_WIDTH-1:DATA_WIDTH];
            end
            stash_match_2[s] <= stash_valid[s] && stash_key[s] == key_1;
        end
    end

    // The rows of the stash are read one clock after its keys were sampled, so they are also written
    // one clock after the keys: a lookup gets key and data of the same row.
    logic                  stash_write_2;
    logic [SLOT_WIDTH-1:0] stash_slot_2;
    logic [ROW_WIDTH-1:0]  stash_wdata_2;
    logic [ROW_WIDTH-1:0]  stash_row_3;

    always_comb begin
        slot_2 = '0;
        for (int s = STASH - 1; s >= 0; s--) begin
            if (stash_match_2[s]) slot_2 = SLOT_WIDTH'(s);
        end
    end

    initial stash_write_2 = 1'b0;
    always_ff @(posedge clk) begin
        valid_2       <= valid_1 && !rst;
        read_2        <= read;
        stash_write_2 <= write && in_slot;
        stash_slot_2  <= row_index[SLOT_WIDTH-1:0];
        stash_wdata_2 <= row_wdata;
    end

    ww_ram_sdp #(.WIDTH(ROW_WIDTH), .DEPTH(STASH), .STYLE("distributed")) stash_ram (
        .clk,
        .wr_en(stash_write_2), .wr_addr(stash_slot_2), .wr_data(stash_wdata_2),
        .rd_en(valid_2 || read_2),
        .rd_addr(valid_2 ? slot_2 : row_index[SLOT_WIDTH-1:0]),
        .rd_data(stash_row_3)
    );

    // Key, and bucket numbers of all ways, beside the rows. Candidate WAYS is the stash.
    logic [KEY_WIDTH-1:0]              key_2, key_3;
    logic [WAYS-1:0][BUCKET_WIDTH-1:0] bucket_2, bucket_3, bucket_4;
    logic [SLOT_WIDTH-1:0]             slot_3, slot_4;
    logic                              stash_hit_3;
    logic [WAYS:0]                     hit_4;
    logic [WAYS:0][DATA_WIDTH-1:0]     data_4;

    always_ff @(posedge clk) begin
        key_2       <= key_1;
        key_3       <= key_2;
        bucket_2    <= bucket_1;
        bucket_3    <= bucket_2;
        bucket_4    <= bucket_3;
        slot_3      <= slot_2;
        slot_4      <= slot_3;
        stash_hit_3 <= |stash_match_2;
    end

    // Stage 4: comparison. Stage 5: choice. An entry that is being moved hits twice with the same data.
    for (genvar w = 0; w < WAYS; w++) begin : g_compare
        always_ff @(posedge clk) begin
            hit_4[w]  <= row_3[w][ROW_WIDTH-1:DATA_WIDTH] == {1'b1, key_3};
            data_4[w] <= row_3[w][DATA_WIDTH-1:0];
        end
    end
    always_ff @(posedge clk) begin
        hit_4[WAYS]  <= stash_hit_3;
        data_4[WAYS] <= stash_row_3[DATA_WIDTH-1:0];
    end

    logic [DATA_WIDTH-1:0]  data_of_hit;
    logic [INDEX_WIDTH-1:0] index_of_hit;
    always_comb begin
        data_of_hit  = data_4[WAYS];
        index_of_hit = hit_4[WAYS] ? INDEX_WIDTH'(WAYS * BUCKETS) + INDEX_WIDTH'(slot_4) : '0;
        for (int w = WAYS - 1; w >= 0; w--) begin
            if (hit_4[w]) begin
                data_of_hit  = data_4[w];
                index_of_hit = INDEX_WIDTH'(w * BUCKETS) + INDEX_WIDTH'(bucket_4[w]);
            end
        end
    end
    always_ff @(posedge clk) begin
        result_hit   <= |hit_4;
        result_data  <= data_of_hit;
        result_index <= index_of_hit;
    end

    always_comb begin
        row_rdata = in_slot ? stash_row_3 : '0;
        for (int w = 0; w < WAYS; w++) begin
            if (in_bucket && row_memory == 4'(w)) row_rdata = row_3[w];
        end
    end
endmodule
