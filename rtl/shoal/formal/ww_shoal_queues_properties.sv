// ww_shoal_queues for 4 hosts, whatever is queued, arrives and leaves, in whatever order:
//
// - no queue has more cells than its memory, and none has two local cells;
// - a cell that arrives and has room leaves its queue once, behind exactly the cells that were in it, with the word that was stored;
//   no other cell's word is stored in its place before that;
// - a local cell leaves as itself, behind those that were there, and nothing else leaves as local;
// - while a queue is held, for a cell that is sent again, none leaves it;
// - when its peer dies a queue is empty, and the numbers of its cells are those of cells that have left.
//
// One cell that arrives, any one, is followed, and one that is queued here.
module ww_shoal_queues_properties (
    input logic        clk,
    input logic        rst,
    input logic [1:0]  peer,
    input logic        serve,
    input logic        hold,
    input logic        join_queue,
    input logic [1:0]  join_dst,
    input logic [19:0] join_seq,
    input logic        word_read,
    input logic        word_of_last,
    input logic [2:0]  word,
    input logic [1:0]  told_dst,
    input logic        die,
    input logic [1:0]  die_peer,
    input logic        arrive,
    input logic [1:0]  arrive_dst,
    input logic        store,
    input logic [2:0]  store_word,
    input logic [63:0] store_data,
    // Free inputs of the proof: the cell of this clock is the one that is followed.
    input logic        follow,
    input logic        follow_local
);
    logic [2:0]  length;
    logic        has_local;
    logic        leaves;
    logic        leaves_local;
    logic [1:0]  local_dst;
    logic [19:0] local_seq;
    logic [63:0] word_data;
    logic [3:0]  told_departed;
    logic [3:0]  arrive_number;
    logic        arrive_room;
    ww_shoal_queues #(.HOSTS(4)) dut (.*);

    logic        started;
    // A peer has died in the clock before, and the number of the next cell of its queue.
    logic        died;
    logic [1:0]  died_peer;
    logic [3:0]  died_number;
    // The cell that came: where it waits, how many leave before it, its word 0, and whether it was stored; it is the last that came.
    logic        waits;
    logic [1:0]  queue;
    logic [2:0]  in_front;
    logic [1:0]  place;
    logic        newest;
    logic        stored;
    logic [63:0] data;
    // The local cell.
    logic        local_waits;
    logic [1:0]  local_queue;
    logic [2:0]  local_in_front;
    logic [1:0]  dst;
    logic [19:0] seq;
    initial begin
        started = 1'b0;
    end

    always_ff @(posedge clk) begin
        started <= 1'b1;
        // As ww_shoal_control uses it.
        if (!started) assume (rst);
        assume (!(serve && arrive));
        assume (!(die && (serve || arrive)));
        assume (!(join_queue && has_local));
        assume (!(join_queue && hold && length == 3'd4));

        if (serve && !hold && waits && queue == peer) in_front <= in_front - 3'd1;
        if (serve && !hold && waits && queue == peer && in_front == '0) waits <= 1'b0;
        if (store && newest && store_word == '0) begin
            stored <= 1'b1;
            data   <= store_data;
        end
        if (arrive && arrive_room) newest <= 1'b0;
        if (arrive && arrive_room && follow && !waits) begin
            waits  <= 1'b1;
            queue  <= arrive_dst;
            in_front <= dut.lengths[arrive_dst];
            place  <= arrive_number[1:0];
            newest <= 1'b1;
            stored <= 1'b0;
        end
        if (serve && !hold && local_waits && local_queue == peer) local_in_front <= local_in_front - 3'd1;
        if (serve && !hold && local_waits && local_queue == peer && local_in_front == '0) local_waits <= 1'b0;
        if (serve && join_queue && follow_local && !local_waits && (hold || length != '0)) begin
            local_waits  <= 1'b1;
            local_queue  <= peer;
            local_in_front <= hold ? length : length - 3'd1;
            dst          <= join_dst;
            seq          <= join_seq;
        end
        if (die && waits && queue == die_peer) waits <= 1'b0;
        if (die && local_waits && local_queue == die_peer) local_waits <= 1'b0;
        died        <= die;
        died_peer   <= die_peer;
        died_number <= dut.departed[die_peer] + 4'(dut.lengths[die_peer]);
        if (rst) begin
            died        <= 1'b0;
            waits       <= 1'b0;
            newest      <= 1'b0;
            stored      <= 1'b0;
            local_waits <= 1'b0;
        end

        if (started && !rst) begin
            for (int n = 0; n < 4; n++) assert (dut.lengths[n] <= 3'd4);
            if (died) assert (dut.lengths[died_peer] == '0 && !dut.locals[died_peer] && dut.departed[died_peer] == died_number);
            if (serve) assert (leaves == (!hold && (length != '0 || join_queue)));
            if (serve && !hold && waits && queue == peer && in_front == '0) begin
                assert (leaves && !leaves_local);
                assert (dut.head == place);
            end
            if (serve && local_waits && local_queue == peer) assert (leaves_local == (!hold && local_in_front == '0));
            if (serve && local_waits && local_queue == peer && local_in_front == '0) assert (local_dst == dst && local_seq == seq);
            if (serve && leaves_local && length != '0) assert (has_local);
            // A queue that is empty passes a local cell on.
            if (serve && !hold && length == '0 && join_queue) assert (leaves_local && local_dst == join_dst && local_seq == join_seq);
            if (waits && stored) assert (dut.u_cells.memory[{queue, place, 3'd0}] == data);

            // For the induction.
            for (int n = 0; n < 4; n++) begin
                if (dut.locals[n]) assert ({1'b0, dut.u_locals.memory[n][23:22] - dut.departed[n][1:0]} < dut.lengths[n]);
            end
            if (waits) begin
                assert (in_front < dut.lengths[queue]);
                assert (place == dut.departed[queue][1:0] + in_front[1:0]);
                assert (newest == (dut.store_cell == {queue, place}));
                if (local_waits && local_queue == queue) assert (in_front != local_in_front);
                if (dut.locals[queue]) assert (dut.u_locals.memory[queue][23:22] != place);
            end
            if (local_waits) begin
                assert (dut.locals[local_queue] && local_in_front < dut.lengths[local_queue]);
                assert (dut.u_locals.memory[local_queue] == {dut.departed[local_queue][1:0] + local_in_front[1:0], dst, seq});
            end
        end

        cover (started && !rst && serve && !hold && waits && queue == peer && in_front == '0 && stored);
        cover (started && !rst && serve && hold && local_waits && local_queue == peer && local_in_front == 3'd1);
        cover (started && !rst && dut.lengths[2] == 3'd4);
        cover (started && !rst && died && died_number > 4'd2);
    end
endmodule
