// A hash table that hardware fills: lookups each clock, and one insertion or deletion at a time.
//
// `ww_table_hash` holds the entries: cuckoo hashing with one entry a row, and a stash. Here is what its driver does in
// software: an entry that finds all of its rows taken takes one of them, and the entry from there looks for another of
// its own. An entry that has no row is in the stash all the while, and a row is written before a slot is cleared: a
// lookup never misses a key that is in the table, in no clock of a move.
//
// Reset empties the table, a row a clock. Lookups are never held back. Rows are read in clocks without a lookup, so an insertion takes as long as it takes.
//
// Source: 002-monitoring-limago 2.16, S38.
module ww_cuckoo #(
    // Bits of the key, 1 to 4096, and of the value, 1 or more.
    parameter int KEY_WIDTH = 64,
    parameter int DATA_WIDTH = 16,
    // Number of RAMs, 2 to 8, and rows of each, a power of two.
    parameter int WAYS = 4,
    parameter int BUCKETS = 4096,
    // Slots of the stash, 2 to 16. Two of them are for moves.
    parameter int STASH = 8,
    // Entries that are moved for one insertion, 1 to 254. The last one stays in the stash.
    parameter int MOVES = 64,
    // Chooses the hash functions, see ww_hash.
    parameter logic [63:0] SEED = 64'd1,
    // Not to be set: bits of a row, and of the number of entries.
    localparam int ROW_WIDTH = 1 + KEY_WIDTH + DATA_WIDTH,
    localparam int COUNT_WIDTH = $clog2(WAYS * BUCKETS + STASH + 1),
    localparam int INDEX_WIDTH = $clog2(WAYS * BUCKETS + STASH)
) (
    input  logic                   clk,
    input  logic                   rst,
    // Lookup, one a clock; the result 5 clocks later.
    input  logic                   lookup_valid,
    input  logic [KEY_WIDTH-1:0]   lookup_key,
    output logic                   result_hit,
    output logic [DATA_WIDTH-1:0]  result_data,
    // A key is put into the table, or gets another value if it is there; or it is taken out. It is taken in a clock with
    // `valid` and `ready`; `done` follows once, before the next one is taken. `failed`, with `done`: there was no room for the
    // key, or no such key, and nothing has changed.
    input  logic                   update_valid,
    output logic                   update_ready,
    input  logic                   update_delete,
    input  logic [KEY_WIDTH-1:0]   update_key,
    input  logic [DATA_WIDTH-1:0]  update_data,
    output logic                   update_done,
    output logic                   update_failed,
    // Keys in the table, and of these, in the stash.
    output logic [COUNT_WIDTH-1:0] entries,
    output logic [4:0]             stashed
);
    if (WAYS < 2 || WAYS > 8) begin : g_illegal_ways
        $error("ww_cuckoo: WAYS must be 2 to 8");
    end
    if (STASH < 2 || STASH > 16) begin : g_illegal_stash
        $error("ww_cuckoo: STASH must be 2 to 16");
    end
    if (MOVES < 1 || MOVES > 254) begin : g_illegal_moves
        $error("ww_cuckoo: MOVES must be 1 to 254");
    end
    localparam int BUCKET_WIDTH = $clog2(BUCKETS);
    localparam int SLOT_WIDTH = $clog2(STASH);
    localparam int LATENCY = 5;

    typedef enum logic [3:0] {
        WIPE, IDLE, LOOK, FOUND, REPLACE, STASH_NEW, HASH, READ, PLACE, SAVE, TAKE, CLEAR, AGAIN, DONE
    } step_t;
    step_t                             step;
    logic [KEY_WIDTH-1:0]              key;       // that is being placed
    logic [DATA_WIDTH-1:0]             data;
    logic                              deletes, failed, retries, retry_due;
    logic [2:0]                        flight;
    logic [WAYS-1:0][BUCKET_WIDTH-1:0] bucket;
    logic [2:0]                        way, victim, from;
    logic [7:0]                        moves;
    logic [STASH-1:0]                  used;      // slots of the stash
    logic [3:0]                        slot, spare, free, free_count;
    logic [ROW_WIDTH-1:0]              taken;     // the row that gives way
    logic [2:0]                        turn;
    logic [COUNT_WIDTH-1:0]            wiped;     // rows and slots, after reset

    // Lookups of our own go in a clock without one.
    logic                   own_lookup, row_valid, row_write, row_done, hit;
    logic [3:0]             row_memory;
    logic [27:0]            row_index;
    logic [ROW_WIDTH-1:0]   row_wdata, row_rdata;
    logic [INDEX_WIDTH-1:0] place;
    logic [INDEX_WIDTH-1:0] result_index;
    assign own_lookup = step == LOOK && flight == 0 && !lookup_valid;
    ww_table_hash #(
        .KEY_WIDTH(KEY_WIDTH), .DATA_WIDTH(DATA_WIDTH), .ENTRIES(WAYS * BUCKETS), .WAYS(WAYS), .BUCKETS(BUCKETS),
        .STASH(STASH), .SEED(SEED)
    ) u_table (
        .clk, .rst, .lookup_valid(lookup_valid || own_lookup), .lookup_key(own_lookup ? key : lookup_key),
        .result_hit, .result_data, .result_index,
        .row_valid, .row_write, .row_memory, .row_index, .row_wdata, .row_done, .row_rdata
    );
    ww_hash #(.KEY_WIDTH(KEY_WIDTH), .WAYS(WAYS), .BUCKETS(BUCKETS), .SEED(SEED)) u_hash (.clk, .key, .bucket);

    // The first free slot, and how many there are.
    always_comb begin
        free = '0;
        free_count = '0;
        stashed = '0;
        for (int n = STASH - 1; n >= 0; n--) begin
            if (!used[n]) free = 4'(n);
            if (!used[n] && free_count != '1) free_count += 4'd1;
            stashed += 5'(used[n]);
        end
    end

    // What is done to which row. ---------------------------------------------------------------------------------------
    always_comb begin
        row_valid = 1'b0;
        row_write = 1'b1;
        row_memory = 4'(WAYS);
        row_index = 28'(slot);
        row_wdata = '0;
        case (step)
            WIPE: begin
                row_valid = 1'b1;
                row_memory = 4'(wiped >> BUCKET_WIDTH);
                row_index = 28'(wiped[BUCKET_WIDTH-1:0]);
            end
            REPLACE: begin
                // Another value, or nothing: in the row or slot where the key was found.
                row_valid = 1'b1;
                row_wdata = deletes ? '0 : {1'b1, key, data};
                if (place >= INDEX_WIDTH'(WAYS * BUCKETS)) begin
                    row_index = 28'(place - INDEX_WIDTH'(WAYS * BUCKETS));
                end else begin
                    row_memory = 4'(place >> BUCKET_WIDTH);
                    row_index = 28'(place[BUCKET_WIDTH-1:0]);
                end
            end
            STASH_NEW: begin
                row_valid = 1'b1;
                row_wdata = {1'b1, key, data};
            end
            READ: begin
                row_valid = 1'b1;
                row_write = 1'b0;
                row_memory = 4'(way);
                row_index = 28'(bucket[way]);
            end
            PLACE: begin
                row_valid = 1'b1;
                row_memory = 4'(way);
                row_index = 28'(bucket[way]);
                row_wdata = {1'b1, key, data};
            end
            SAVE: begin
                // The entry that gives way goes to a slot before its row is taken.
                row_valid = 1'b1;
                row_index = 28'(spare);
                row_wdata = taken;
            end
            TAKE: begin
                row_valid = 1'b1;
                row_memory = 4'(victim);
                row_index = 28'(bucket[victim]);
                row_wdata = {1'b1, key, data};
            end
            CLEAR: row_valid = 1'b1;
            AGAIN: begin
                row_valid = 1'b1;
                row_write = 1'b0;
            end
            default: ;
        endcase
    end

    assign update_ready = step == IDLE && !retries;
    assign update_done = step == DONE && !retries;
    assign update_failed = failed;
    always_ff @(posedge clk) begin
        case (step)
            WIPE: if (row_done) begin
                wiped <= wiped + COUNT_WIDTH'(1);
                if (wiped == COUNT_WIDTH'(WAYS * BUCKETS + STASH - 1)) step <= IDLE;
            end
            IDLE: begin
                key <= update_key;
                data <= update_data;
                deletes <= update_delete;
                failed <= 1'b0;
                flight <= '0;
                moves <= '0;
                from <= '1;
                if (update_valid) begin
                    step <= LOOK;
                end else if (retry_due && stashed != 0 && free_count != 0) begin
                    // A deletion has made room: the entries of the stash look for rows again, one after the other.
                    retry_due <= 1'b0;
                    for (int n = 0; n < STASH; n++) if (used[n]) slot <= 4'(n);
                    retries <= 1'b1;
                    step <= AGAIN;
                end
            end
            LOOK: if (flight != 0) begin
                flight <= flight + 3'd1;
                if (flight == 3'(LATENCY)) step <= FOUND;
                hit <= result_hit;
                place <= result_index;
            end else if (own_lookup) begin
                flight <= 3'd1;
            end
            FOUND: begin
                slot <= free;
                if (hit) begin
                    step <= REPLACE;
                end else if (deletes || free_count < 4'd2) begin
                    failed <= 1'b1;
                    step <= DONE;
                end else begin
                    step <= STASH_NEW;
                end
            end
            REPLACE: if (row_done) begin
                if (deletes) begin
                    entries <= entries - COUNT_WIDTH'(1);
                    retry_due <= 1'b1;
                    for (int n = 0; n < STASH; n++)
                        if (place == INDEX_WIDTH'(WAYS * BUCKETS + n)) used[n] <= 1'b0;
                end
                step <= DONE;
            end
            STASH_NEW: if (row_done) begin
                used[slot[SLOT_WIDTH-1:0]] <= 1'b1;
                entries <= entries + COUNT_WIDTH'(1);
                step <= HASH;
            end
            HASH: begin
                way <= '0;
                step <= READ;
                // Which row is taken if none is free: in turn, but not the one that the key has just lost.
                victim <= turn == from ? (turn == 3'(WAYS - 1) ? 3'd0 : turn + 3'd1) : turn;
                turn <= turn == 3'(WAYS - 1) ? 3'd0 : turn + 3'd1;
            end
            READ: if (row_done) begin
                if (way == victim) taken <= row_rdata;
                if (!row_rdata[ROW_WIDTH-1]) step <= PLACE;
                else if (way != 3'(WAYS - 1)) way <= way + 3'd1;
                else if (moves == 8'(MOVES)) step <= DONE;
                else step <= SAVE;
                spare <= free;
            end
            PLACE: if (row_done) begin
                retry_due <= retries;
                step <= CLEAR;
                moves <= '1;
            end
            SAVE: if (row_done) begin
                used[spare[SLOT_WIDTH-1:0]] <= 1'b1;
                step <= TAKE;
            end
            TAKE: if (row_done) begin
                moves <= moves + 8'd1;
                from <= victim;
                step <= CLEAR;
            end
            CLEAR: if (row_done) begin
                used[slot[SLOT_WIDTH-1:0]] <= 1'b0;
                slot <= spare;
                {key, data} <= taken[ROW_WIDTH-2:0];
                // The key has its row, or another one looks for one.
                step <= moves == '1 ? DONE : HASH;
            end
            AGAIN: if (row_done) begin
                {key, data} <= row_rdata[ROW_WIDTH-2:0];
                step <= HASH;
            end
            default: begin
                retries <= 1'b0;
                step <= IDLE;
            end
        endcase
        if (rst) begin
            step <= WIPE;
            wiped <= '0;
            used <= '0;
            entries <= '0;
            retries <= 1'b0;
            retry_due <= 1'b0;
            turn <= '0;
        end
    end
endmodule
