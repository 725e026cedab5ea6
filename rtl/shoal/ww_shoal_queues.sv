// The queues of a host, one for each link, and the cells of others that wait in them.
//
// Without errors on the lines a queue has fewer than HOSTS cells. Cells of others are in a RAM. The host's own cell, of which a
// queue has one at most, is only a note of its place: its payload stays with the host until it leaves.
//
// Source: docs/fabric-rules.md, "State of host i", steps B and D.2.
module ww_shoal_queues #(
    parameter int HOSTS = 8,
    // The most cells of a queue, 2 or more.
    parameter int CELLS = HOSTS,
    // Not to be set: bits of a host's number, of a number of cells in a queue, of a cell's number; of a cell's place.
    localparam int HOST_WIDTH = $clog2(HOSTS),
    localparam int LENGTH_WIDTH = $clog2(CELLS + 1),
    localparam int NUMBER_WIDTH = $clog2(2 * CELLS + 1),
    localparam int CELL_WIDTH = $clog2(CELLS),
    localparam int SEQ_WIDTH = 20
) (
    input  logic                    clk,
    input  logic                    rst,
    // The link of this slot.
    input  logic [HOST_WIDTH-1:0]   peer,
    output logic [LENGTH_WIDTH-1:0] length,
    output logic                    has_local,
    // Step B in one clock, `serve`: a local cell joins, or none; the head leaves, unless `hold`. What leaves is told in the same clock.
    // None may join a queue with CELLS cells that is held.
    input  logic                    serve,
    input  logic                    hold,
    input  logic                    join_queue,
    input  logic [HOST_WIDTH-1:0]   join_dst,
    input  logic [SEQ_WIDTH-1:0]    join_seq,
    output logic                    leaves,
    output logic                    leaves_local,
    output logic [HOST_WIDTH-1:0]   local_dst,
    output logic [SEQ_WIDTH-1:0]    local_seq,
    // A word of the queue's head, if that is not local, in the clock behind `word_read`; only before or up to seven clocks behind
    // `serve`.
    input  logic                    word_read,
    input  logic                    word_of_last,
    input  logic [2:0]              word,
    output logic [63:0]             word_data,
    // Cells that have left the queue to `told_dst`.
    input  logic [HOST_WIDTH-1:0]   told_dst,
    output logic [NUMBER_WIDTH-1:0] told_departed,
    // The peer of a link is dead: its queue is empty, as if all cells had left. Not in a clock with `serve` or `arrive`.
    input  logic                    die,
    input  logic [HOST_WIDTH-1:0]   die_peer,
    // Step D.2: a cell arrives for the queue to `arrive_dst`; it gets this number there, if there is room. Its words follow, one a clock.
    input  logic                    arrive,
    input  logic [HOST_WIDTH-1:0]   arrive_dst,
    output logic [NUMBER_WIDTH-1:0] arrive_number,
    output logic                    arrive_room,
    input  logic                    store,
    input  logic [2:0]              store_word,
    input  logic [63:0]             store_data
);
    logic [HOSTS-1:0][LENGTH_WIDTH-1:0] lengths;
    logic [HOSTS-1:0][NUMBER_WIDTH-1:0] departed;
    // The queue has a local cell, and where.
    logic [HOSTS-1:0]                   locals;
    logic [CELL_WIDTH-1:0]              local_place;
    logic [HOST_WIDTH-1:0]              queued_dst;
    logic [SEQ_WIDTH-1:0]               queued_seq;
    logic [CELL_WIDTH-1:0]              head;
    logic [CELL_WIDTH-1:0]              tail;
    logic                               is_empty;
    // Where the words of the last cell that left, and of the last that came, are.
    logic [CELL_WIDTH-1:0]              last_head;
    logic [HOST_WIDTH+CELL_WIDTH-1:0]   store_cell;

    assign length        = lengths[peer];
    assign has_local     = locals[peer];
    assign head          = departed[peer][CELL_WIDTH-1:0];
    assign tail          = head + CELL_WIDTH'(length);
    assign is_empty      = length == '0;
    assign leaves        = !hold && (!is_empty || join_queue);
    assign leaves_local  = !hold && (is_empty ? join_queue : has_local && local_place == head);
    assign local_dst     = is_empty ? join_dst : queued_dst;
    assign local_seq     = is_empty ? join_seq : queued_seq;
    assign told_departed = departed[told_dst];
    assign arrive_number = departed[arrive_dst] + NUMBER_WIDTH'(lengths[arrive_dst]);
    assign arrive_room   = int'(lengths[arrive_dst]) < CELLS;

    ww_ram_async #(.WIDTH(CELL_WIDTH + HOST_WIDTH + SEQ_WIDTH), .DEPTH(1 << HOST_WIDTH)) u_locals (
        .clk, .wr_en(serve && join_queue), .wr_addr(peer), .wr_data({tail, join_dst, join_seq}), .rd_addr(peer),
        .rd_data({local_place, queued_dst, queued_seq})
    );
    ww_ram_sdp #(.WIDTH(64), .DEPTH(8 << (HOST_WIDTH + CELL_WIDTH))) u_cells (
        .clk, .wr_en(store), .wr_addr({store_cell, store_word}), .wr_data(store_data), .rd_en(word_read),
        .rd_addr({peer, word_of_last ? last_head : head, word}), .rd_data(word_data)
    );

    always_ff @(posedge clk) begin
        // Both in one clock, as no cell arrives in the clock of `serve`.
        if (serve) begin
            last_head     <= head;
            lengths[peer] <= length + LENGTH_WIDTH'(join_queue) - LENGTH_WIDTH'(leaves);
            if (leaves) departed[peer] <= departed[peer] + 1'b1;
            locals[peer] <= (has_local || join_queue) && !leaves_local;
        end
        if (arrive && arrive_room) begin
            lengths[arrive_dst] <= lengths[arrive_dst] + 1'b1;
            store_cell          <= {arrive_dst, arrive_number[CELL_WIDTH-1:0]};
        end
        if (die) begin
            lengths[die_peer]  <= '0;
            departed[die_peer] <= departed[die_peer] + NUMBER_WIDTH'(lengths[die_peer]);
            locals[die_peer]   <= 1'b0;
        end
        if (rst) begin
            lengths  <= '0;
            departed <= '0;
            locals   <= '0;
        end
    end
endmodule
