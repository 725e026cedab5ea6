// A key that is in the table is found by each lookup, also while it or others move. One key, chosen freely, is followed;
// so the proof speaks about all of them. Bounded: from reset on, in a small table.
module ww_cuckoo_properties #(
    parameter int KEY_WIDTH = 3,
    parameter int WAYS = 2,
    parameter int BUCKETS = 2,
    parameter int STASH = 3
) (
    input logic                 clk,
    input logic                 rst,
    input logic                 lookup_valid,
    input logic [KEY_WIDTH-1:0] lookup_key,
    input logic                 update_valid,
    input logic                 update_delete,
    input logic [KEY_WIDTH-1:0] update_key,
    // A free input of the proof that holds still: the key that is followed.
    input logic [KEY_WIDTH-1:0] chosen
);
    localparam int COUNT_WIDTH = $clog2(WAYS * BUCKETS + STASH + 1);
    localparam int LATENCY = 5;

    logic                   result_hit, update_ready, update_done, update_failed;
    logic [0:0]             result_data;
    logic [COUNT_WIDTH-1:0] entries;
    logic [4:0]             stashed;
    ww_cuckoo #(
        .KEY_WIDTH(KEY_WIDTH), .DATA_WIDTH(1), .WAYS(WAYS), .BUCKETS(BUCKETS), .STASH(STASH), .MOVES(2)
    ) dut (.update_data(update_key[0]), .*);

    // What is under way, whether the key is in, and lookups that must find it.
    logic                 started, changes, deletes, member;
    logic [KEY_WIDTH-1:0] followed;
    logic [LATENCY-1:0]   asked;
    initial begin
        started = 1'b0;
        changes = 1'b0;
        member = 1'b0;
        asked = '0;
    end
    always_ff @(posedge clk) begin
        started <= 1'b1;
        followed <= started ? followed : chosen;
        if (!started) assume (rst);
        else assume (!rst);
        asked <= {asked[LATENCY-2:0], lookup_valid && lookup_key == followed && member};
        if (update_valid && update_ready && update_key == followed) begin
            changes <= 1'b1;
            deletes <= update_delete;
            // From now on it may go.
            if (update_delete) begin
                member <= 1'b0;
                asked <= '0;
            end
        end
        if (changes && update_done) begin
            changes <= 1'b0;
            if (!deletes && !update_failed) member <= 1'b1;
        end
        if (started && asked[LATENCY-1]) begin
            assert (result_hit);
            assert (result_data == followed[0]);
        end
        // Moves do happen.
        cover (started && member && dut.moves == 8'd2 && asked[LATENCY-1]);
        if (rst) begin
            changes <= 1'b0;
            member <= 1'b0;
            asked <= '0;
        end
    end
endmodule
