// A lookup in ww_table_hash hits exactly if its key is in one of its places in the clock in which the
// places are read, with the data of such a place. So a key that is written to a new place before
// the old one is overwritten never misses, whatever the sequence of row writes is. The proof follows
// one key, chosen freely, in its places: its row in each way, and the slot of the stash.
module ww_table_hash_properties (
    input logic       clk,
    input logic       rst,
    input logic       lookup_valid,
    input logic [2:0] lookup_key,
    input logic       row_valid,
    input logic       row_write,
    input logic [3:0] row_memory,
    input logic [2:0] low_row_index,
    input logic [5:0] row_wdata
);
    localparam int KEY_WIDTH = 3;
    localparam int DATA_WIDTH = 2;
    localparam int WAYS = 2;
    localparam int BUCKETS = 2;
    localparam logic [63:0] SEED = 64'd5;
    // The place after those in the ways is the stash.
    localparam int PLACES = WAYS + 1;

    logic        result_hit;
    logic [1:0]  result_data;
    logic [2:0]  result_index;
    logic        row_done;
    logic [5:0]  row_rdata;
    logic [27:0] row_index;

    assign row_index = 28'(low_row_index);
    ww_table_hash #(
        .KEY_WIDTH(KEY_WIDTH), .DATA_WIDTH(DATA_WIDTH), .ENTRIES(4), .WAYS(WAYS), .BUCKETS(BUCKETS),
        .STASH(1), .SEED(SEED)
    ) dut (.*);

    // The key that is followed: no initial value, so any, and it stays. It is known two clocks before
    // its buckets are used.
    logic [KEY_WIDTH-1:0] key;
    logic [WAYS-1:0][0:0] bucket;
    logic [WAYS-1:0][0:0] expected_bucket;
    logic [1:0]           clocks;

    ww_hash #(.KEY_WIDTH(KEY_WIDTH), .WAYS(WAYS), .BUCKETS(BUCKETS), .SEED(SEED)) places (
        .clk, .key, .bucket
    );
    initial clocks = '0;
    always_ff @(posedge clk) begin
        key             <= key;
        expected_bucket <= bucket;
        if (clocks != '1) clocks <= clocks + 1'b1;
    end

    // What the places hold, from the row port alone.
    logic [PLACES-1:0]      holds;
    logic [PLACES-1:0][1:0] data;
    logic [PLACES-1:0]      addressed;
    logic                   accessed;

    always_comb begin
        for (int w = 0; w < WAYS; w++) begin
            addressed[w] = row_memory == 4'(w) && row_index == 28'(bucket[w]);
        end
        addressed[WAYS] = row_memory == 4'(WAYS) && row_index == '0;
    end
    assign accessed = row_valid && row_done;

    initial holds = '0;
    always_ff @(posedge clk) begin
        for (int p = 0; p < PLACES; p++) begin
            if (accessed && row_write && addressed[p]) begin
                holds[p] <= row_wdata[5:2] == {1'b1, key};
                data[p]  <= row_wdata[1:0];
            end
        end
    end

    // Lookups of the key on their way, and what the places held when they were read.
    logic [4:0]                  asked;
    logic [5:2][PLACES-1:0]      held;
    logic [5:2][PLACES-1:0][1:0] had;
    initial asked = '0;
    always_ff @(posedge clk) begin
        asked <= {asked[3:0], lookup_valid && lookup_key == key && clocks == '1};
        held  <= {held[4:2], holds};
        had   <= {had[4:2], data};
    end

    logic [PLACES-1:0] gives;
    always_comb begin
        for (int p = 0; p < PLACES; p++) gives[p] = held[5][p] && had[5][p] == result_data;
    end

    // What the stash's RAM holds, or will hold after the write that is under way.
    logic [5:0] stash_row;
    assign stash_row = dut.stash_write_2 ? dut.stash_wdata_2 : dut.stash_ram.memory[0];

    // A row access stays until it is done.
    logic        waits;
    logic [13:0] access;
    logic [13:0] waiting_access;
    assign access = {row_write, row_memory, low_row_index, row_wdata};
    initial waits = 1'b0;
    always_ff @(posedge clk) begin
        waits          <= row_valid && !row_done && !rst;
        waiting_access <= access;
    end

    // Moves: a write never removes the key from the only place it is in. Nothing in the proof of
    // the first assertion needs this; it is what rtl/driver does, and with it the key, once there, stays.
    logic removes_last;
    logic was_there;
    logic moves_only;
    logic [5:2] there;
    initial was_there = 1'b0;
    initial moves_only = 1'b1;
    initial there = '0;
    assign removes_last = accessed && row_write && (holds & addressed) == holds && row_wdata[5:2] != {1'b1, key};
    always_ff @(posedge clk) begin
        if (removes_last) moves_only <= 1'b0;
        was_there <= was_there || holds != '0;
        there     <= {there[4:2], was_there && moves_only};
    end

    always_ff @(posedge clk) begin
        assume (rst == (clocks == '0));
        if (clocks != '1) assume (!row_valid);
        if (waits) assume (row_valid && access == waiting_access);
        if (clocks == '1) begin
            // The induction needs to know that the RAMs hold what was written.
            assert (bucket == expected_bucket);
            assert (!moves_only || !was_there || holds != '0);
            for (int w = 0; w < WAYS; w++) begin
                assert (holds[w] == (dut_row(w) [5:2] == {1'b1, key}));
                if (holds[w]) assert (dut_row(w) [1:0] == data[w]);
            end
            assert (holds[WAYS] == (dut.stash_valid[0] && dut.stash_key[0] == key));
            assert (stash_row[5] == dut.stash_valid[0]);
            if (stash_row[5]) assert (stash_row[4:2] == dut.stash_key[0]);
            if (holds[WAYS]) assert (stash_row[1:0] == data[WAYS]);
            if (asked[4]) begin
                assert (result_hit == (held[5] != '0));
                if (result_hit) assert (gives != '0);
                if (there[5]) assert (result_hit);
            end
            for (int p = 0; p < PLACES; p++) begin
                if (accessed && !row_write && addressed[p]) begin
                    assert (holds[p] == (row_rdata[5:2] == {1'b1, key}));
                    if (holds[p]) assert (row_rdata[1:0] == data[p]);
                end
            end
            // A lookup of the key hits while it is in two places, and after it has left the first.
            cover (asked[4] && result_hit && held[5] == 3'b011);
            cover (asked[4] && result_hit && held[5] == 3'b100 && there[5]);
            cover (asked[4] && !result_hit);
        end
    end

    function automatic logic [5:0] dut_row(input int way);
        dut_row = way == 0 ? dut.g_way[0].ram.memory[bucket[0]] : dut.g_way[1].ram.memory[bucket[1]];
    endfunction
endmodule
