// The rules `shoal` for one host, slot by slot: which cell leaves, what the cell before it is reported to be, and what a report means.
//
// Clocks of a slot, from `slot_begin`, clock 0, on; what the rules say is in docs/fabric-rules.md:
//    0        adds of the slot before count (A); who was silent in it is dead
//    1 .. 5   the first subflow that waits for the link of this slot (B.1)
//    6        its cell joins the queue, the head leaves (B.2, B.3)
//    7        `queued_*`, `sent_*`, `fetch_*`; the report (C)
//    8 .. 9   the report that came in this slot (D.1); the first word of a cell comes in clocks 0 to 3
//    8 .. 11  the cell that came in this slot, in the clock behind its last word (D.2), and `received_*` a clock later
//   13 .. 20  `tx_*`
// So a slot needs 12 clocks, and `tx_first` comes 13 clocks behind `slot_begin`.
//
// A cell that does not come, or has a header with errors, is dropped, and its report with it. A cell in a bad frame is dropped, but its
// report is used, as the header has a check sequence of its own. A cell without room is dropped, too. Bit 52 of the next header tells
// the peer. The peer has a copy, and sends it again, before its queue; so it does if the header that would have told it had errors.
// The destination gives on each cell once.
//
// With `deaths` a host from which nothing has come in its slot is dead until something comes: what is for it is dropped, and what went over it is
// sent again over others. Empty cells tell which number of the peer is missing, so that it knows what it need not send again; ww_shoal_control
// sends one in place of a cell of its own if none has left for eight epochs. Without `deaths` such a slot is one whose cell was lost.
//
// Source: 004-pieo-shoal 2.14, 2.17 (S27, S28); docs/fabric-rules.md; docs/fabric.md, "Failures".
module ww_shoal_control #(
    // Hosts, 4 or more; slots of an epoch; slots from sending a cell to when it may leave the next host; clocks of a slot, 12 or
    // more; slots after which the gate of a new pair doubles, 0: none.
    parameter int HOSTS = 8,
    parameter int SLOTS = HOSTS - 1,
    parameter int DELAY = 21,
    parameter int SLOT_CYCLES = 12,
    parameter int GATE = SLOTS,
    // The most cells of a queue, 2 or more: HOSTS are enough without errors. Cells of a source, from the first that is missing on, that may
    // come in any order: see ww_shoal_once.
    parameter int CELLS = HOSTS,
    parameter int WINDOW = 64,
    // The fewest hosts of a schedule that takes the place of the first, 3 or more; HOSTS: there is none.
    parameter int LEAST = HOSTS,
    // Not to be set: bits of a host's number; of a sequence number; of a slot's number in its epoch.
    localparam int HOST_WIDTH = $clog2(HOSTS),
    localparam int SEQ_WIDTH = 20,
    localparam int PHASE_WIDTH = $clog2(SLOTS)
) (
    input  logic                  clk,
    input  logic                  rst,
    // Own number, constant.
    input  logic [HOST_WIDTH-1:0] host,
    // Silent hosts are dead. Constant.
    input  logic                  deaths,
    // First clock of a slot, every SLOT_CYCLES clocks. The number in its epoch of the first one; taken with reset.
    input  logic                  slot_begin,
    input  logic [PHASE_WIDTH-1:0] first_slot,
    // Nothing but empty cells leaves; taken with `slot_begin`. With it: a schedule of `members` only begins, in the first slot of an epoch, and what comes
    // from before is not looked at. `members` is constant from then on.
    input  logic                  pause,
    input  logic                  repair,
    input  logic [HOSTS-1:0]      members,
    // The start signal of a host that comes back, before its first slot, one peer a clock: the first number that is missing of this peer, the number of
    // the next cell to it, and whether it is dead. All others are told the number that is missing of the one that comes back, without `begin_own`.
    input  logic                  begin_valid,
    input  logic                  begin_own,
    input  logic [HOST_WIDTH-1:0] begin_peer,
    input  logic [SEQ_WIDTH-1:0]  begin_missing,
    input  logic [SEQ_WIDTH-1:0]  begin_next,
    input  logic                  begin_dead,
    // So many cells more for a host. What is given before a slot counts in it.
    input  logic                  add_valid,
    input  logic [HOST_WIDTH-1:0] add_dst,
    input  logic [31:0]           add_cells,
    // For one clock: an own cell joins the queue of the link to `queued_via`; again, as the host over which it went has died; an empty one that tells
    // has this host as its destination.
    output logic                  queued_valid,
    output logic                  queued_again,
    output logic [HOST_WIDTH-1:0] queued_via,
    output logic [HOST_WIDTH-1:0] queued_dst,
    output logic [SEQ_WIDTH-1:0]  queued_seq,
    // The payload of an own cell that leaves: seven words in a row, the first 1 to 4 clocks behind `fetch_valid`, with the marks of a
    // packet's first and last cell.
    output logic                  fetch_valid,
    output logic [HOST_WIDTH-1:0] fetch_dst,
    output logic [SEQ_WIDTH-1:0]  fetch_seq,
    input  logic                  payload_valid,
    input  logic [63:0]           payload_data,
    input  logic                  payload_sop,
    input  logic                  payload_eop,
    // To the line: eight words in a row in every slot, the header first.
    output logic                  tx_valid,
    output logic                  tx_first,
    output logic [63:0]           tx_data,
    // From the line, likewise; with the last word: the frame's check sequence is right.
    input  logic                  rx_valid,
    input  logic                  rx_first,
    input  logic [63:0]           rx_data,
    input  logic                  rx_good,
    // A cell for this host, for one clock, with the first of seven words of payload.
    output logic                  received_valid,
    output logic [HOST_WIDTH-1:0] received_src,
    output logic [SEQ_WIDTH-1:0]  received_seq,
    output logic                  received_sop,
    output logic                  received_eop,
    output logic                  out_valid,
    output logic                  out_first,
    output logic [63:0]           out_data,
    // For one clock: a cell that is not empty leaves, for the first time over this link or again.
    output logic                  sent_valid,
    output logic                  sent_again,
    output logic [HOST_WIDTH-1:0] sent_to,
    output logic [HOST_WIDTH-1:0] sent_src,
    output logic [HOST_WIDTH-1:0] sent_dst,
    output logic [SEQ_WIDTH-1:0]  sent_seq,
    // For one clock: in the slot that has ended a cell from `event_lost_from` was dropped, or, without `deaths`, none has come; a cell has been dropped
    // for want of room, in its queue or among those of its source, or one joins that could not be found if a host died; one for this host had come before; a peer tells that it has dropped
    // the last cell from here.
    output logic                  event_lost,
    output logic [HOST_WIDTH-1:0] event_lost_from,
    output logic                  event_overflow,
    output logic                  event_duplicate,
    output logic                  event_told_lost,
    output logic [HOST_WIDTH-1:0] event_told_lost_by,
    // Cells are searched for that went over dead hosts; for one clock: one is found, and is to be sent over another.
    output logic                  searching,
    output logic                  event_found
);
    localparam int LENGTH_WIDTH = $clog2(CELLS + 1);
    localparam int NUMBER_WIDTH = $clog2(2 * CELLS + 1);
    localparam int EPOCH_WIDTH = 2 + $clog2((HOSTS + 1) * (CELLS + 1));
    // Epochs in which what was sent may have to be answered. Before another schedule begins nothing leaves until all is answered, which may be all that was
    // sent for 2 DELAY slots, and has to be sent again then.
    localparam int OPEN_CELLS = 2 * DELAY / (LEAST - 1) + 3;
    localparam int PAUSE_CELLS = 4 * DELAY / SLOTS + 6;
    localparam int PLACES = LEAST < HOSTS && PAUSE_CELLS > OPEN_CELLS ? PAUSE_CELLS : OPEN_CELLS;
    localparam int AGAIN = LEAST < HOSTS ? 2 * DELAY / SLOTS + 2 : 1;
    localparam int AGAIN_WIDTH = $clog2(AGAIN + 1);
    localparam int PLACE_WIDTH = $clog2(PLACES);
    localparam int AHEAD_WIDTH = $clog2(CELLS + AGAIN + 1);
    localparam int LAG_WIDTH = $clog2(PLACES + 1);
    localparam int DELAY_WIDTH = $clog2(DELAY + 1);

    if (SLOT_CYCLES < 12) begin : g_illegal_cycles
        $error("ww_shoal_control: SLOT_CYCLES must be 12 or more");
    end
    if (HOSTS > 512) begin : g_illegal_hosts
        $error("ww_shoal_control: HOSTS must be at most 512");
    end
    if (CELLS < 2 || CELLS + AGAIN > 1023) begin : g_illegal_cells
        $error("ww_shoal_control: CELLS must be 2 to 1,022: a report has ten bits, and counts cells that are sent again, too");
    end

    // ---- the clock of the slot, and the slot of the epoch ----
    logic [3:0]             step;
    logic [8:0]             at;
    logic                   running;
    logic [PHASE_WIDTH-1:0] next_phase;
    logic [EPOCH_WIDTH-1:0] epoch;
    logic                   epoch_begins;
    // Slots up to this one in which nothing has come yet from anyone.
    logic [DELAY_WIDTH-1:0] quiet_slots;
    logic [DELAY_WIDTH-1:0] quiet_now;
    logic                   repairs;
    logic                   is_repaired;
    logic                   pausing;
    logic [HOST_WIDTH-1:0]  slots_c;
    logic [HOST_WIDTH-1:0]  slots;
    logic [HOST_WIDTH-1:0]  onward_dst;
    logic [HOST_WIDTH-1:0]  onward_phase;
    assign repairs      = slot_begin && repair;
    assign at           = slot_begin ? 9'd1 : running ? 9'd1 << step : '0;
    assign epoch_begins = slot_begin && running && next_phase == '0;

    logic [HOST_WIDTH-1:0]  peer_c;
    logic [HOST_WIDTH-1:0]  peer;
    logic [HOST_WIDTH-1:0]  from_c;
    logic [HOST_WIDTH-1:0]  from;
    logic [LAG_WIDTH-1:0]   lag_c;
    logic [LAG_WIDTH-1:0]   lag;
    logic                   next_epoch_c;
    logic                   next_epoch;
    logic [LAG_WIDTH-1:0]   away_epochs_c;
    logic [LAG_WIDTH-1:0]   away_epochs;
    logic [PHASE_WIDTH-1:0] away_slots_c;
    logic [PHASE_WIDTH-1:0] away_slots;
    logic [PHASE_WIDTH-1:0] from_phase_c;
    logic [PHASE_WIDTH-1:0] from_phase;
    always_comb begin
        quiet_now = quiet_slots;
        if (slot_begin && running && quiet_slots != '0) quiet_now = quiet_slots - 1'b1;
        if (repairs) quiet_now = DELAY_WIDTH'(DELAY - 1);
    end
    ww_shoal_meetings #(.HOSTS(HOSTS), .SLOTS(SLOTS), .DELAY(DELAY), .LEAST(LEAST), .PLACES(PLACES)) u_meetings (
        .host, .members(repairs || is_repaired ? members : '1), .phase(next_phase), .slots(slots_c), .onward_from(from), .onward_dst,
        .onward_phase, .peer(peer_c), .from(from_c), .lag(lag_c), .next_epoch(next_epoch_c),
        .away_epochs(away_epochs_c), .away_slots(away_slots_c), .from_phase(from_phase_c)
    );
    always_ff @(posedge clk) begin
        step <= slot_begin ? 4'd1 : step == 4'd9 ? step : step + 1'b1;
        if (slot_begin) begin
            running     <= 1'b1;
            next_phase  <= (HOST_WIDTH + 1)'(next_phase) + 1'b1 == (HOST_WIDTH + 1)'(slots_c) ? '0 : next_phase + 1'b1;
            slots       <= slots_c;
            pausing     <= pause;
            peer        <= peer_c;
            from        <= from_c;
            lag         <= lag_c;
            next_epoch  <= next_epoch_c;
            away_epochs <= away_epochs_c;
            away_slots  <= away_slots_c;
            from_phase  <= from_phase_c;
        end
        quiet_slots <= quiet_now;
        if (repairs) is_repaired <= 1'b1;
        if (epoch_begins) epoch <= epoch + 1'b1;
        if (rst) begin
            step        <= '0;
            running     <= 1'b0;
            next_phase  <= first_slot;
            epoch       <= '0;
            quiet_slots <= DELAY_WIDTH'(DELAY - 1);
            is_repaired <= 1'b0;
            pausing     <= 1'b0;
        end
    end

    // ---- hosts that are dead; `die`: the one that was silent in the slot that has ended ----
    logic [HOSTS-1:0] dead;
    logic [HOSTS-1:0] dead_now;
    logic             is_dead;
    logic             is_shut;
    logic             is_silent;
    logic             die;
    logic             has_to_tell;
    assign is_dead = dead[peer];
    // Nothing is sent over the link of this slot.
    assign is_shut = is_dead || pausing;

    // ---- A and B ----
    logic [HOSTS-1:0]        active;
    logic [HOSTS-1:0]        fresh;
    logic [HOST_WIDTH-1:0]   first;
    logic                    gate_open;
    logic [SEQ_WIDTH-1:0]    seq;
    logic                    join_queue;
    logic [LENGTH_WIDTH-1:0] length;
    logic                    has_local;
    logic                    again;
    logic [AGAIN_WIDTH-1:0]  again_waits;
    logic                    again_q;
    logic                    is_closed;
    logic                    joins;
    logic                    tell_joins;
    logic                    tell_leaves;
    logic                    is_empty_now;
    logic                    is_rerouted;
    logic                    others_wait;
    logic [SEQ_WIDTH-1:0]    next_seq;
    logic [SEQ_WIDTH-1:0]    rerouted_seq;
    logic [HOST_WIDTH-1:0]   pair;
    logic [HOST_WIDTH-1:0]   look_dst;
    logic [HOSTS-1:0]        waiting;
    logic [AHEAD_WIDTH-1:0]  ahead;
    logic                    serve;
    logic                    leaves;
    logic                    leaves_local;
    logic [HOST_WIDTH-1:0]   local_dst;
    logic [SEQ_WIDTH-1:0]    local_seq;
    logic                    is_direct;
    logic [2:0]              read_word;
    logic                    read_words;
    logic [63:0]             queue_data;
    logic [63:0]             copy_data;
    // Of the cell that leaves, or of one that is not this host's.
    logic [63:0]             word_data;
    assign serve     = at[6];
    assign again     = again_waits != '0 && !pausing;
    assign is_direct = local_dst == peer;
    assign ahead     = AHEAD_WIDTH'(length) + AHEAD_WIDTH'(again_waits);
    assign is_closed = again && int'(length) == CELLS;
    assign joins     = join_queue || tell_joins;
    assign is_empty_now = !again && (!leaves || tell_leaves);
    assign seq       = is_rerouted ? rerouted_seq : next_seq;
    // The search looks at a pair before one is chosen, and a pair that ends is looked at before that.
    assign pair      = slot_begin ? from : at[1] ? look_dst : first;
    assign word_data = (serve ? again : again_q) ? copy_data : queue_data;
    always_ff @(posedge clk) if (serve) again_q <= again;

    ww_shoal_pairs #(.HOSTS(HOSTS), .SLOTS(SLOTS), .GATE(GATE), .CELLS(CELLS), .AGAIN(AGAIN)) u_pairs (
        .clk, .rst, .host, .slot_begin, .begin_phase(next_phase), .add_valid, .add_dst, .add_cells, .active, .fresh, .dst(pair),
        .length(ahead), .gate_open, .seq(next_seq), .take(serve && join_queue), .take_again(is_rerouted), .others_wait, .dead(dead_now),
        .waiting, .die, .repair(repairs), .begin_pair(begin_valid && begin_own), .begin_dst(begin_peer), .begin_seq(begin_next)
    );

    logic                    answer;
    logic [HOST_WIDTH-1:0]   answer_dst;
    logic [EPOCH_WIDTH-1:0]  answer_epoch;
    ww_shoal_ready #(.HOSTS(HOSTS), .CELLS(CELLS), .AGAIN(AGAIN)) u_ready (
        .clk, .rst, .read(at[1]), .settle(at[2]), .compare(at[3]), .choose(at[4]), .decide(at[5]), .write(at[6] && !is_dead),
        .peer, .epoch, .active, .fresh, .length(ahead), .closed(has_local || has_to_tell || is_closed || is_shut), .first, .gate_open,
        .join_queue,
        .direct_leaves(leaves_local && is_direct),
        .answer_read(at[8]), .answer, .answer_peer(from), .answer_dst, .answer_epoch, .die, .die_peer(from), .repair(repairs)
    );

    // ---- C and D ----
    logic [HOST_WIDTH-1:0]   told_dst;
    logic [NUMBER_WIDTH-1:0] told_departed;
    logic [AGAIN_WIDTH-1:0]  told_again;
    logic [PLACE_WIDTH-1:0]  sent_place;
    logic                    repeat_sent;
    logic [PLACE_WIDTH-1:0]  repeat_place;
    logic [9:0]              report;
    logic [52:0]             header;
    logic                    header_good;
    logic                    done;
    logic                    done_good;
    logic                    done_seen;
    logic                    cell_seen;
    logic                    kept_seen;
    logic                    is_empty;
    logic                    is_mine;
    logic                    is_known;
    logic                    is_room;
    logic                    kept;
    logic                    arrive_mine;
    logic [SEQ_WIDTH-1:0]    missing_seq;
    logic                    arrive;
    logic [HOST_WIDTH-1:0]   arrive_dst;
    logic [NUMBER_WIDTH-1:0] arrive_number;
    logic                    arrive_room;
    logic                    word_valid;
    logic [2:0]              word;
    logic [63:0]             word_in;
    logic                    storing;
    assign arrive_dst = header[10+:HOST_WIDTH];
    assign is_empty   = header[9:0] == header[19:10];
    assign is_mine    = arrive_dst == host;
    assign arrive     = done && done_good && !is_empty && !is_mine;
    // An empty cell is kept, too, and one that has come before.
    assign kept        = done_good && (is_empty || (is_mine ? is_known || is_room : arrive_room));
    assign arrive_mine = done && done_good && !is_empty && is_mine && !is_known && is_room;
    ww_shoal_once #(.HOSTS(HOSTS), .WINDOW(WINDOW)) u_once (
        .clk, .rst, .src(header[HOST_WIDTH-1:0]), .seq(header[39:20]), .look(done), .known(is_known), .room(is_room), .arrive(arrive_mine),
        .walk(|at[4:1]), .told_src(peer), .told_seq(missing_seq), .restart(begin_valid), .restart_src(begin_peer), .restart_seq(begin_missing)
    );

    ww_shoal_cell_in #(.HOSTS(HOSTS)) u_in (
        .clk, .rst, .slot_begin, .open(|at[3:0] && quiet_now == '0), .rx_valid, .rx_first, .rx_data, .rx_good, .header, .header_good, .seen(cell_seen), .done,
        .done_good, .give(done_good && !is_empty && (is_mine ? arrive_mine : arrive_room)), .give_header(!is_mine), .word_valid, .word,
        .word_data(word_in)
    );
    ww_shoal_reports #(.HOSTS(HOSTS), .SLOTS(SLOTS), .PLACES(PLACES), .CELLS(CELLS), .AGAIN(AGAIN)) u_reports (
        .clk, .rst, .peer, .from, .lag, .next_epoch, .away_epochs, .away_slots, .from_phase, .onward_dst, .onward_phase, .slots, .epoch, .epoch_ends(epoch_begins),
        .sent(serve), .sent_cell(again || (leaves && !tell_leaves)),
        // An empty cell that has waited in a queue counts, too: its answer is for the pair to this host, which never sends.
        .sent_onward(again ? word_data[9:0] == 10'(host) && word_data[19:10] != 10'(peer) : leaves_local && !is_direct),
        .sent_dst(again ? word_data[10+:HOST_WIDTH] : local_dst), .sent_place,
        .tell(at[7]), .told_dst, .told_departed, .told_again, .report,
        .hear(at[8]), .heard(header_good && !header[52]), .heard_report(header[49:40]), .repeat_sent, .repeat_place, .answer,
        .answer_dst, .answer_epoch,
        // At the end of a slot without a cell there is none.
        .received(done || (slot_begin && !done_seen)), .received_queued(arrive && arrive_room), .received_dst(arrive_dst),
        .received_number(arrive_number), .die, .repair(repairs)
    );
    ww_shoal_queues #(.HOSTS(HOSTS), .CELLS(CELLS)) u_queues (
        .clk, .rst, .peer, .length, .has_local, .serve, .hold(again || is_shut), .join_queue(joins), .join_dst(tell_joins ? host : first),
        .join_seq(seq), .leaves,
        .leaves_local, .local_dst, .local_seq, .word_read(at[2] || serve || read_words), .word_of_last(read_words),
        .word(at[2] ? 3'd0 : read_word), .word_data(queue_data), .told_dst, .told_departed, .die, .die_peer(from), .arrive, .arrive_dst,
        .arrive_number, .arrive_room, .store(word_valid && storing), .store_word(word), .store_data(word_in)
    );

    // A cell's words go to the line in the next slot, which has another peer.
    logic                   begin_cell;
    logic [HOST_WIDTH-1:0]  copy_peer;
    logic [PLACE_WIDTH-1:0] copy_place;
    ww_shoal_copies #(.HOSTS(HOSTS), .PLACES(PLACES), .MOST(AGAIN)) u_copies (
        .clk, .rst, .store(tx_valid), .store_first(tx_first), .store_data(tx_data), .store_peer(copy_peer), .store_place(copy_place),
        .failed(repeat_sent), .failed_peer(from), .failed_place(repeat_place), .peer, .waits(again_waits), .serve(serve && !pausing),
        .word_read(at[2] || serve || read_words), .word_of_last(read_words), .word(at[2] ? 3'd0 : read_word), .word_data(copy_data),
        .told_peer(told_dst), .told_waits(told_again), .die, .die_peer(from)
    );
    always_ff @(posedge clk) begin
        if (begin_cell) begin
            copy_peer  <= peer;
            copy_place <= sent_place;
        end
    end

    // Words 1 to 7 of the cell that leaves, from clock 6 on.
    assign read_words = read_word != 3'd1;
    always_ff @(posedge clk) begin
        if (serve || read_words) read_word <= read_word == 3'd7 ? 3'd1 : read_word + 1'b1;
        if (rst) read_word <= 3'd1;
    end

    // ---- deaths, and cells that went over dead hosts ----
    assign is_silent = running && quiet_slots == '0 && !cell_seen;
    assign die       = deaths && slot_begin && is_silent && !dead[from];
    always_comb begin
        dead_now = dead;
        if (die) dead_now[from] = 1'b1;
    end
    always_ff @(posedge clk) begin
        dead <= dead_now;
        if (at[8] && cell_seen) dead[from] <= 1'b0;
        if (begin_valid && begin_own) dead[begin_peer] <= begin_dead;
        if (rst) dead <= '0;
    end

    localparam int UNTOLD_WIDTH = $clog2(8 * SLOTS + 1);
    logic has_not_told;
    assign has_to_tell = deaths && has_not_told;
    assign tell_joins  = has_to_tell && !has_local && !is_closed && !is_shut;
    assign tell_leaves = leaves_local && local_dst == host;
    ww_shoal_untold #(.HOSTS(HOSTS), .MOST(8 * SLOTS)) u_untold (
        .clk, .rst, .slot_begin, .peer, .due(UNTOLD_WIDTH'(8 * int'(slots))), .is_due(has_not_told), .told(serve && !is_shut && is_empty_now),
        .came(done && done_good && !is_empty && is_mine), .src(header[HOST_WIDTH-1:0]), .die, .die_host(from)
    );

    logic event_unknown_way;
    ww_shoal_reroute #(.HOSTS(HOSTS), .WINDOW(WINDOW)) u_reroute (
        .clk, .rst, .host, .slot_begin, .die, .die_host(from), .die_next(next_seq),
        .begin_pair(begin_valid && begin_own), .begin_dst(begin_peer), .begin_next, .told(done && done_good && is_empty), .told_by(from),
        .told_seq(header[39:20]), .look(at[1]), .look_dst, .look_next(next_seq), .waiting, .read(at[5]), .dst(first), .waits(is_rerouted),
        .others_wait, .seq(rerouted_seq), .take(serve && join_queue), .take_via(peer), .take_seq(seq), .searching, .event_found,
        .event_overflow(event_unknown_way)
    );

    // ---- what is lost ----
    logic [HOSTS-1:0] lost;
    logic             lost_now;
    logic             told_lost;
    assign lost_now = running && quiet_slots == '0 && !kept_seen && !(deaths && is_silent);
    always_ff @(posedge clk) begin
        event_lost         <= slot_begin && lost_now;
        event_lost_from    <= from;
        event_overflow     <= (done && done_good && !kept) || (deaths && event_unknown_way);
        event_duplicate    <= done && done_good && !is_empty && is_mine && is_known;
        event_told_lost    <= at[8] && header_good && header[52];
        event_told_lost_by <= from;
        told_lost          <= lost[peer];
        if (done) done_seen <= 1'b1;
        if (done && kept) kept_seen <= 1'b1;
        if (slot_begin) begin
            done_seen  <= 1'b0;
            kept_seen  <= 1'b0;
            lost[from] <= lost_now;
        end
        if (repairs) lost <= '0;
        if (rst) begin
            event_lost      <= 1'b0;
            event_overflow  <= 1'b0;
            event_duplicate <= 1'b0;
            event_told_lost <= 1'b0;
            done_seen       <= 1'b0;
            kept_seen       <= 1'b0;
            lost            <= '0;
        end
    end

    // ---- to the line and to the host ----
    logic [9:0]  src_q;
    logic [9:0]  dst_q;
    logic [19:0] seq_q;
    logic [1:0]  marks_q;
    logic        is_stored;
    logic        from_memory;
    assign from_memory = again || (leaves && !leaves_local);
    assign sent_src  = src_q[HOST_WIDTH-1:0];
    assign sent_dst  = dst_q[HOST_WIDTH-1:0];
    assign sent_seq  = seq_q;
    assign sent_to   = peer;
    assign fetch_dst = sent_dst;
    assign fetch_seq = seq_q;
    assign out_valid = word_valid && !storing;
    assign out_first = received_valid;
    assign out_data  = word_in;
    always_ff @(posedge clk) begin
        begin_cell   <= serve;
        queued_valid <= serve && joins;
        queued_again <= join_queue && is_rerouted;
        queued_via   <= peer;
        queued_dst   <= tell_joins ? host : first;
        queued_seq   <= seq;
        sent_valid   <= serve && !is_empty_now;
        sent_again   <= again;
        fetch_valid  <= serve && leaves_local && !tell_leaves;
        if (serve) begin
            src_q     <= from_memory ? word_data[9:0] : 10'(host);
            dst_q     <= from_memory ? word_data[19:10] : leaves_local ? 10'(local_dst) : 10'(host);
            seq_q     <= from_memory ? word_data[39:20] : is_empty_now ? missing_seq : local_seq;
            is_stored <= from_memory;
            marks_q   <= from_memory ? word_data[51:50] : '0;
        end
        received_valid <= arrive_mine;
        received_src   <= header[HOST_WIDTH-1:0];
        received_seq   <= header[39:20];
        received_sop   <= header[50];
        received_eop   <= header[51];
        if (done) storing <= !is_mine;
        if (rst) begin
            storing        <= 1'b0;
            begin_cell     <= 1'b0;
            queued_valid   <= 1'b0;
            sent_valid     <= 1'b0;
            fetch_valid    <= 1'b0;
            received_valid <= 1'b0;
        end
    end
    ww_shoal_cell_out u_out (
        .clk, .rst, .begin_cell, .own(fetch_valid), .src(src_q), .dst(dst_q), .seq(seq_q), .sop(marks_q[0]), .eop(marks_q[1]),
        .stored_data(is_stored ? word_data : '0), .report, .lost(told_lost), .payload_valid, .payload_data, .payload_sop, .payload_eop,
        .tx_valid, .tx_first, .tx_data
    );
endmodule
