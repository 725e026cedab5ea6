// Cells of a host that went over a host that has died: which they are, and that they are sent again over others.
//
// Of each cell that has joined a queue, up to WINDOW behind the first that the destination misses, is kept over which host it went. When a host
// dies the numbers of all pairs are searched for cells over it, eight numbers of one pair in a slot; those that are found wait, first in, first out, and go
// before new cells of their pair. A cell may have arrived all the same: then its destination knows its number.
//
// Clocks of a slot as in ww_shoal_control: `die` in clock 0, `look` in clock 1, `take` in clock 6; what is found in clocks 3 to 10 counts from the next
// slot on, and so does the way of the cell that joins.
//
// Source: docs/fabric-rules.md, "With hosts that die".
module ww_shoal_reroute #(
    parameter int HOSTS = 8,
    // Numbers of a pair, from the first that its destination misses on, of which the way is known: a power of two, 32 or more.
    parameter int WINDOW = 64,
    // Not to be set: bits of a host's number, of a sequence number, of a place in the window.
    localparam int HOST_WIDTH = $clog2(HOSTS),
    localparam int SEQ_WIDTH = 20,
    localparam int WINDOW_WIDTH = $clog2(WINDOW)
) (
    input  logic                  clk,
    input  logic                  rst,
    input  logic [HOST_WIDTH-1:0] host,
    // First clock of a slot.
    input  logic                  slot_begin,
    // A host has died: it is searched for, and nothing of the pair to it is left; the number of that pair's next cell.
    input  logic                  die,
    input  logic [HOST_WIDTH-1:0] die_host,
    input  logic [SEQ_WIDTH-1:0]  die_next,
    // The first number that a destination misses: as it begins; as it tells.
    input  logic                  begin_pair,
    input  logic [HOST_WIDTH-1:0] begin_dst,
    input  logic [SEQ_WIDTH-1:0]  begin_next,
    input  logic                  told,
    input  logic [HOST_WIDTH-1:0] told_by,
    input  logic [SEQ_WIDTH-1:0]  told_seq,
    // The search looks at a pair; the number of that pair's next cell, combinationally.
    input  logic                  look,
    output logic [HOST_WIDTH-1:0] look_dst,
    input  logic [SEQ_WIDTH-1:0]  look_next,
    // Cells wait for each destination. With `read`, about `dst`, from the clock behind it on: one waits since before the slot, others besides, and its
    // number.
    output logic [HOSTS-1:0]      waiting,
    input  logic                  read,
    input  logic [HOST_WIDTH-1:0] dst,
    output logic                  waits,
    output logic                  others_wait,
    output logic [SEQ_WIDTH-1:0]  seq,
    // A cell of that pair joins the queue to `take_via`: the one that waits, or a new one with this number.
    input  logic                  take,
    input  logic [HOST_WIDTH-1:0] take_via,
    input  logic [SEQ_WIDTH-1:0]  take_seq,
    // A host is searched for. For one clock: a cell is found; the way of one that joins has no room, or what is found has none.
    output logic                  searching,
    output logic                  event_found,
    output logic                  event_overflow
);
    localparam int LOOKED_AT = 8;

    function automatic logic is_before(input logic [SEQ_WIDTH-1:0] one, input logic [SEQ_WIDTH-1:0] other);
        logic [SEQ_WIDTH-1:0] distance;
        distance  = one - other;
        is_before = distance[SEQ_WIDTH-1];
    endfunction

    // The first number that each destination misses, as far as it has told; behind its death, and for this host, the next number of the pair: nothing is found.
    logic [HOSTS-1:0][SEQ_WIDTH-1:0] missing;
    always_ff @(posedge clk) begin
        if (told) missing[told_by] <= told_seq;
        if (begin_pair) missing[begin_dst] <= begin_next;
        if (die) missing[die_host] <= die_next;
        if (rst) missing <= '0;
    end

    // What is searched for: the dead host, the pair, and its next number, if the pair is not new to this search.
    logic [HOSTS-1:0]      to_search;
    logic                  busy;
    logic [HOST_WIDTH-1:0] dead_host;
    logic [HOST_WIDTH-1:0] pair;
    logic                  pair_is_new;
    logic [SEQ_WIDTH-1:0]  next;
    logic [HOST_WIDTH-1:0] least;
    logic                  any;
    logic [SEQ_WIDTH-1:0]  from;
    logic [SEQ_WIDTH-1:0]  to;
    logic                  ends_pair;
    always_comb begin
        least = '0;
        for (int h = HOSTS - 1; h >= 0; h--) if (to_search[h]) least = HOST_WIDTH'(h);
    end
    assign any       = busy || |to_search;
    assign searching = any;
    assign look_dst  = busy ? pair : '0;
    assign from      = !busy || pair_is_new || is_before(next, missing[look_dst]) ? missing[look_dst] : next;
    assign to        = from + SEQ_WIDTH'(LOOKED_AT);
    assign ends_pair = !is_before(to, look_next);

    // The eight numbers: read, and a clock later compared. One beyond the pair's last is not looked at.
    logic                  scans;
    logic [2:0]            scan_count;
    logic [HOST_WIDTH-1:0] scan_dst;
    logic [SEQ_WIDTH-1:0]  scan_seq;
    logic [SEQ_WIDTH-1:0]  scan_end;
    logic                  compares;
    logic [SEQ_WIDTH-1:0]  compare_seq;
    logic [HOST_WIDTH-1:0] compare_for;
    logic [HOST_WIDTH-1:0] via;
    logic                  found;
    assign found = compares && via == compare_for;

    // Cells that join: their way is written behind the search, which is about those before them. A cell that was found has none: it is as one over
    // the host itself.
    logic                    joins;
    logic [HOST_WIDTH-1:0]   join_dst;
    logic [HOST_WIDTH-1:0]   join_via;
    logic [WINDOW_WIDTH-1:0] join_place;
    logic                    join_now;
    logic [SEQ_WIDTH-1:0]    join_ahead;
    assign join_now   = joins && !scans && !compares;
    assign join_ahead = take_seq - missing[dst];
    ww_ram_sdp #(.WIDTH(HOST_WIDTH), .DEPTH(HOSTS << WINDOW_WIDTH)) u_ways (
        .clk, .wr_en(found || join_now),
        .wr_addr(found ? {scan_dst, compare_seq[WINDOW_WIDTH-1:0]} : {join_dst, join_place}),
        .wr_data(found ? host : join_via), .rd_en(scans), .rd_addr({scan_dst, scan_seq[WINDOW_WIDTH-1:0]}), .rd_data(via)
    );

    // Cells that were found, of each pair: written and read so far, and written before the slot.
    logic [HOSTS-1:0][WINDOW_WIDTH:0] written;
    logic [HOSTS-1:0][WINDOW_WIDTH:0] written_before;
    logic [HOSTS-1:0][WINDOW_WIDTH:0] taken;
    logic [WINDOW_WIDTH:0]            left;
    logic                             is_full;
    assign left    = written_before[dst] - taken[dst];
    assign is_full = int'(WINDOW_WIDTH'(written[scan_dst] - taken[scan_dst])) == 0 && written[scan_dst] != taken[scan_dst];
    always_comb for (int h = 0; h < HOSTS; h++) waiting[h] = written[h] != taken[h];
    ww_ram_sdp #(.WIDTH(SEQ_WIDTH), .DEPTH(HOSTS << WINDOW_WIDTH)) u_waiting (
        .clk, .wr_en(found), .wr_addr({scan_dst, written[scan_dst][WINDOW_WIDTH-1:0]}), .wr_data(compare_seq), .rd_en(read),
        .rd_addr({dst, taken[dst][WINDOW_WIDTH-1:0]}), .rd_data(seq)
    );
    assign waits       = left != '0;
    assign others_wait = left > (WINDOW_WIDTH + 1)'(1);

    always_ff @(posedge clk) begin
        scans       <= (look && any && is_before(from, look_next)) || (scans && scan_count != '0 && is_before(scan_seq + 1'b1, scan_end));
        compares    <= scans;
        compare_seq <= scan_seq;
        scan_seq    <= scan_seq + 1'b1;
        scan_count  <= scan_count - 1'b1;
        if (look && any) begin
            scan_count  <= 3'(LOOKED_AT - 1);
            scan_dst    <= look_dst;
            scan_seq    <= from;
            scan_end    <= look_next;
            compare_for <= busy ? dead_host : least;
            if (!busy) begin
                dead_host        <= least;
                to_search[least] <= 1'b0;
            end
            busy        <= !ends_pair || int'(look_dst) < HOSTS - 1;
            pair        <= ends_pair ? look_dst + 1'b1 : look_dst;
            pair_is_new <= ends_pair;
            next        <= to;
        end
        event_found    <= found;
        event_overflow <= (take && !waits && join_ahead >= SEQ_WIDTH'(WINDOW)) || (found && is_full);
        if (found) written[scan_dst] <= written[scan_dst] + 1'b1;
        if (slot_begin) written_before <= written;
        if (join_now) joins <= 1'b0;
        if (take) begin
            joins      <= 1'b1;
            join_dst   <= dst;
            join_via   <= take_via;
            join_place <= take_seq[WINDOW_WIDTH-1:0];
            if (waits) taken[dst] <= taken[dst] + 1'b1;
        end
        if (die) begin
            to_search[die_host]      <= 1'b1;
            written[die_host]        <= '0;
            written_before[die_host] <= '0;
            taken[die_host]          <= '0;
        end
        if (rst) begin
            to_search      <= '0;
            busy           <= 1'b0;
            scans          <= 1'b0;
            compares       <= 1'b0;
            joins          <= 1'b0;
            written        <= '0;
            written_before <= '0;
            taken          <= '0;
            event_found    <= 1'b0;
            event_overflow <= 1'b0;
        end
    end
endmodule
