// The session processor: carries out one request after another on the records of SESSIONS connections.
//
// A request is a segment that has come, a call of the application, the passing of time, or the question what to send
// next; the answer is what `Session` of crates/tcp does at the same request and the same time. The session of the last
// request stays in registers: a request to the same one begins at once, another one waits three clocks. What is on its
// way is a ring of RECORDS segments a session; RANGES ranges out of order and MARKS ends of writes are kept.
//
// A request that finds its session in place and needs no loop is answered one clock later. Loops take a clock for each
// record that they look at. No data passes here: `placement` says which bytes of a segment are kept where.
module ww_toe_session
    import ww_toe_types::*;
    import ww_toe_path::*;
    import ww_toe_replies::*;
    import ww_toe_opening::*;
    import ww_toe_answers::*;
    import ww_toe_steps::*;
    import ww_toe_calls::*;
    import ww_toe_records::*;
    import ww_toe_ranges::*;
#(
    // Connections, 1 to 65,536.
    parameter int SESSIONS = 64,
    // Segments on their way a session, a power of two from 4 to 65,536.
    parameter int RECORDS  = 1024,
    // Ranges out of order a session, a power of two from 2 to 64.
    parameter int RANGES   = 64,
    // Ends of writes a session, a power of two from 2 to 32,768.
    parameter int MARKS    = 64
) (
    input  logic        clk,
    input  logic        rst,
    // How TCP behaves; it holds still while a request is carried out.
    input  behaviour_t  behaviour,
    // Nanoseconds and milliseconds since the start; they hold still, too.
    input  instant_t    now,
    input  logic [31:0] milliseconds,
    // What is asked of which session.
    input  logic        request_valid,
    output logic        request_ready,
    input  request_t    request,
    // What came of it, for one clock.
    output logic        answer_valid,
    output answer_t     answer
);

    localparam int SB = SESSIONS == 1 ? 1 : $clog2(SESSIONS);
    localparam int CB = $clog2(RECORDS);
    localparam int GB = $clog2(RANGES);
    localparam int MB = $clog2(MARKS);

    // The session in place, the first of its records if it has one, the request, the steps' registers, the answer.
    session_t s_r, s;
    logic     resident_r, resident;
    record_t  front_r, front;
    request_t q_r, q;
    work_t    w_r, w;
    answer_t  a_r, a;

    // What this clock does with the memories, and what the last one has read.
    memory_t     m;
    logic        save;
    session_t    loaded;
    record_t     record_q;
    block_t      range_q;
    number_t     mark_q;

    // Of one step each.
    segment_t    g;
    logic        marked, repeated, first_resent, fin, reduced, turn;
    block_t      one;
    record_t     record;
    number_t     known;

    assign request_ready = w_r.step == IDLE;
    assign answer_valid = w_r.answers;
    assign answer = a_r;

    always_comb begin
        s = s_r;
        resident = resident_r;
        front = front_r;
        q = q_r;
        w = w_r;
        a = a_r;
        w.answers = 1'b0;
        save = 1'b0;
        m = '0;
        m.record_read = 16'd1;
        m.range_read = 7'd1;
        fin = 1'b0;
        reduced = 1'b0;
        turn = 1'b0;
        one = '0;
        record = record_q;
        known = 0;

        // Steps follow each other downwards in one clock, until one of them waits for a memory or goes round again.
        case (w.step)
            IDLE: if (request_valid) begin
                save = resident && w.index != request.session;
                w.step = begins(request.operation) || (resident && !save) ? BEGIN_REQUEST : LOADED;
                w.index = request.session;
                resident = 1'b1;
                q = request;
            end
            LOADED: begin
                s = loaded;
                m.record_read = 0;
                w.step = FRONT;
            end
            FRONT: begin
                front = record_q;
                w.step = BEGIN_REQUEST;
            end
            default: ;
        endcase

        if (w.step == BEGIN_REQUEST && w_r.step != FRONT) begin
            g = q.segment;
            a = '0;
            s.events = '0;
            w.again = 1'b0;
            w.purpose = USUAL;
            w.step = DONE;
            case (q.operation)
                CONNECT: s = begin_session(q, SYN_SENT, behaviour);
                ACCEPT: s = accept_syn(q, now, behaviour);
                REDEEM: s = redeem_cookie(q, now, behaviour);
                ARRIVE: begin
                    if (s.state == CLOSED) begin
                        a.reset = reset_answering(g);
                    end else if (s.state == SYN_SENT) begin
                        a.reset = arrive_at_opening(s, s, front, g, now, milliseconds, behaviour);
                    end else if (s.state == SYN_RECEIVED && g.flags[SYN] && !g.flags[RST]
                                 && g.number + 32'd1 == s.expected) begin
                        if (!g.flags[ACK]) begin
                            // The peer's SYN again: our answer was lost.
                            s.force_first = 1'b1;
                            s.awaits = NOTHING;
                            arm_timeout(s, s, front, now);
                        end else begin
                            // Both have opened at once, and this answers our SYN.
                            w.again = 1'b1;
                            q.segment.number = s.expected;
                            q.segment.flags[SYN] = 1'b0;
                            w.step = TAKE_IN;
                        end
                    end else if (is_acceptable(s, s, g, now, behaviour)) begin
                        if (g.flags[SYN]) challenge(s, s, now);
                        else w.step = TAKE_IN;
                    end
                end
                EXPIRE: begin
                    w.step = EXPIRED;
                    if (s.awaits != NOTHING && s.retransmit_at <= now) begin
                        case (s.awaits)
                            TIMEOUT: begin
                                s.awaits = NOTHING;
                                if (s.out != 0 && is_given_up(s, now, behaviour)) begin
                                    finish(s, s, END_TIMED_OUT);
                                end else if (s.out != 0) begin
                                    w.step = TIMED_OUT;
                                    if (s.timeouts == 0) s.timeouts_began = is_synchronised(s.state) ? now : front.sent;
                                    if (is_synchronised(s.state)) begin_loss(w, w, s, s, front.sacked, TIMED_OUT);
                                end
                            end
                            REORDERED: begin
                                s.awaits = NOTHING;
                                w.news = '0;
                                w.flying = in_flight(s);
                                begin_detection(w, w, s, s, LATE_FOUND);
                            end
                            TAIL: begin
                                if (!s.probing && s.out != 0) s.force_tail = 1'b1;
                                s.retransmit_at = now + left_of_timeout(s, front, now);
                                s.awaits = TIMEOUT;
                            end
                            default: probe_window(s, s, now, behaviour);
                        endcase
                    end
                end
                DEPART: w.step = AGAIN;
                WRITE: a.count = write(s, s, m, m, q.count[31:0], q.ends, 16'(MARKS), behaviour);
                CONSUME: a.count = consume(s, s, q.count[31:0], behaviour);
                SHUT_DOWN: shut_down(s, s);
                CLOSE: close(s, s, now, behaviour);
                ABORT: abort(s, s);
                default: set(s, s, q, now);
            endcase
        end
        g = q.segment;

        // A segment's acknowledgement.
        if (w.step == TAKE_IN) begin
            w.step = DONE;
            if (g.flags[ACK]) begin
                s.last_arrival = now;
                if (s.window != 0) s.probes = 0;
                w.step = ACKNOWLEDGE;
                if (s.state == SYN_RECEIVED) begin
                    if ((!precedes(s.acknowledged, g.acknowledgement) || precedes(s.next, g.acknowledgement))
                        && !(s.acknowledged == s.next && g.acknowledgement == s.next)) begin
                        a.reset = reset_answering(g);
                        w.step = DONE;
                    end else begin
                        s.echo_on = g.options.timestamps;
                        s.echo = g.options.echo;
                        establish(s, s, front, g, now, milliseconds, behaviour);
                        s.window = scaled_window(s, g.window);
                        s.window_told = g.number;
                        s.largest_window = greater(s.largest_window, s.window);
                        if (s.closed) s.state = FIN_WAIT_1;
                    end
                end
            end
        end

        if (w.step == ACKNOWLEDGE) begin
            s.echo_on = g.options.timestamps;
            s.echo = g.options.echo;
            w.news = '0;
            w.moved = '0;
            w.block = 0;
            w.was_idle = s.out == 0;
            w.old = precedes(g.acknowledgement, s.acknowledged);
            if ((w.old && precedes(g.acknowledgement, s.acknowledged - s.largest_window))
                || precedes(s.next, g.acknowledgement)) begin
                // Too old to be true, or of what was not sent (RFC 5961 section 5.2, RFC 9293 section 3.10.7.4).
                challenge(s, s, now);
                w.step = DONE;
            end else begin
                take_timestamp(s, s, g, now);
                w.news.data = w.old || segment_end(g) != g.number;
                w.step = w.old ? RECEIVE : PASS;
                if (!w.old) begin
                    w.news.advanced = precedes(s.acknowledged, g.acknowledgement);
                    if (w.news.advanced) begin
                        s.timeouts = 0;
                        s.progress = now;
                    end
                    w.news.window = update_window(s, s, g);
                    s.prefer_new = 1'b0;
                    w.furthest = s.furthest;
                end
                if (g.options.count != 0 && s.sack) begin
                    w.step = BLOCK;
                    if (is_duplicate(g)) begin
                        w.block = 3'd1;
                        take_duplicate(s, s, w.news, w.news, g.options.blocks[0]);
                    end
                end
            end
        end

        if (w.step == PASS) begin
            if (w.was_idle) begin
                acknowledge_probe(s, s, now, behaviour);
                w.step = RECEIVE;
            end else if (!w.news.advanced) begin
                w.step = SAMPLE;
            end else if (s.out != 0 && !precedes(g.acknowledgement, front.stop)) begin
                pass_record(s, s, w, w, front, now);
                front = record_q;
            end else begin
                if (s.out != 0 && precedes(front.start, g.acknowledgement)) begin
                    front.start = g.acknowledgement;
                    m.record_write = 1'b1;
                    m.record = front;
                end
                w.step = PASSED;
                // A hole that was never filled again: what was beyond it had overtaken it.
                if (w.moved.on && w.furthest.on && s.sack && precedes(w.moved.number, w.furthest.number))
                    begin_note(w, w, s, s, w.moved.number, w.furthest.number, PASSED);
            end
        end
        if (w.step == PASSED) begin
            move_acknowledged(s, s, g.acknowledgement, w.news.passed, behaviour);
            w.step = SAMPLE;
        end
        first_resent = s.out != 0 && front.ever_resent;

        if (w.step == SAMPLE) begin
            sample(s, s, w.news, now, milliseconds, behaviour);
            w.step = JUDGE;
            w.after_window = ACKNOWLEDGED;
            if (!behaviour.published) begin
                judge_probe(s, s, w.news, g.acknowledgement, first_resent);
            end else if (goes_back(s, s, w.news, g)) begin
                s.awaits = NOTHING;
                arm_timeout(s, s, front, now);
                begin_walk(w, w, LOSE, ACKNOWLEDGED);
            end else begin
                w.step = ACKNOWLEDGED;
                if (w.news.advanced) grow(w, w, s, s, w.news.passed);
            end
        end

        marked = s.ecn && g.flags[ECE] && !g.flags[SYN];
        repeated = repeats(w.news);
        if (w.step == JUDGE) w.step = is_doubtful(s, w.news, marked) ? FOLLOW : CONGESTION;
        if (w.step == FOLLOW) begin
            w.step = FOLLOWED;
            if (s.out != 0 && front.sacked && w.news.advanced && s.sack) begin
                // The peer has dropped what it had reported (RFC 2018 section 8).
                s.force_first = 1'b1;
                begin_loss(w, w, s, s, 1'b1, CONGESTION);
            end else if (s.phase == OPEN) begin
                s.resent_at = '0;
            end else if (!precedes(s.acknowledged, s.high)) begin
                if (s.phase == REDUCTION && s.acknowledged != s.high) begin
                    end_reduction(s, s);
                    s.phase = OPEN;
                end else if (s.phase == RECOVERY) begin
                    if (!s.sack) s.sacked = 0;
                    if (try_undo_recovery(s, s)) w.step = CONGESTION;
                    else end_reduction(s, s);
                end
            end
        end

        if (w.step == FOLLOWED) begin
            w.phase = s.phase;
            w.step = FIND_LOSSES;
            if (s.phase == RECOVERY && w.news.advanced && s.undo_marker.on && answer_is_to_first(s)) begin
                // A part is acknowledged that was only late. What else was sent again may still come.
                w.step = CONGESTION;
                if (s.resent == 0) begin
                    s.lost = 0;
                    congestion_undo(s, s);
                    reopen(s, s, first_resent);
                    begin_walk(w, w, FIND_ALL, CONGESTION);
                end
            end else if (s.phase == RECOVERY) begin
                if (!w.news.advanced && !s.sack && repeated) count_duplicate(s, s);
                if (w.news.duplicate) begin
                    if (try_undo_duplicates(s, s, first_resent)) try_open(s, s, marked, first_resent);
                end
            end else if (s.phase == LOSS) begin
                if (follow_loss(s, s, w.news, repeated)) begin_walk(w, w, FIND_ALL, FIND_LOSSES);
            end else begin
                if (!s.sack && w.news.advanced) s.sacked = 0;
                if (!s.sack && repeated) count_duplicate(s, s);
                if (w.news.duplicate) void'(try_undo_duplicates(s, s, first_resent));
            end
        end

        if (w.step == FIND_LOSSES) begin
            w.resent_before = s.resent;
            if (s.sack) begin
                begin_detection(w, w, s, s, DETECTED);
            end else begin
                w.step = DETECTED;
                if (first_is_lost(s, front, w.news.advanced)) begin
                    if (lose(s, s, front, front, 20'd0)) w.news.lost += 20'd1;
                    m.record_write = 1'b1;
                    m.record = front;
                end
            end
        end
        if (w.step == DETECTED) begin
            if (s.resent < w.resent_before) w.news.lost_again = 1'b1;
            w.step = CONGESTION;
            case (w.phase)
                RECOVERY: if (s.phase < RECOVERY && s.lost != 0) enter_recovery(s, s);
                LOSS: if ((s.phase == OPEN || w.news.lost_again) && s.lost != 0 && s.phase != LOSS) enter_recovery(s,
                                                                                                                   s);
                default: if (s.lost == 0) try_open(s, s, marked, first_resent);
                         else enter_recovery(s, s);
            endcase
        end
        if (w.step == ENTERED_LOSS) begin
            end_loss(s, s, w.was_calm, behaviour);
            w.step = w.after_loss;
        end

        if (w.step == CONGESTION) begin
            w.after_window = ACKNOWLEDGED;
            w.step = ACKNOWLEDGED;
            w.arrived = w.news.delivered;
            if (reduces(s))
                reduce(w, w, s, s, w.news.advanced && w.news.lost == 0);
            else if (w.news.delivered != 0 && (w.news.data_acknowledged || (s.reordered && w.news.sacked)))
                grow(w, w, s, s, w.news.delivered);
        end
        if (w.step == GROW) begin
            if (s.credit >= w.grown_from) begin
                s.credit -= w.grown_from;
                s.congestion_window += 20'd1;
            end
            if (s.credit < w.grown_from) w.step = w.after_window;
        end
        if (w.step == REDUCED) begin
            let_depart(s, s, w.quotient > s.departed ? w.quotient - s.departed : 20'd0);
            w.step = w.after_window;
        end

        if (w.step == ACKNOWLEDGED) begin
            w.step = RECEIVE;
            if (!w.old) begin
                if ((w.news.advanced || w.news.lost != 0) && !w.news.waiting) begin
                    if (!arm_probe(s, s, front, now, 1'b1, behaviour)) begin
                        if (w.news.advanced) s.awaits = NOTHING;
                        arm_timeout(s, s, front, now);
                    end
                end
                if (s.out == 0) begin
                    s.awaits = NOTHING;
                    acknowledge_probe(s, s, now, behaviour);
                end
            end
        end

        // A segment's data.
        if (w.step == RECEIVE) receive(s, s, w, w, a, a, g, now, behaviour);
        if (w.step == RANGE_POP) begin
            if (s.ranges != 0 && !precedes(s.expected, s.range_first.start)) begin
                if (!w.twice.on) begin
                    one = '{start: s.range_first.start, stop: earliest(s.range_first.stop, w.piece.stop)};
                    w.twice = '{on: precedes(one.start, w.piece.stop), block: one};
                end
                s.expected = latest(s.expected, s.range_first.stop);
                s.range_first = range_q;
                s.range_head += 16'd1;
                s.ranges -= 7'd1;
            end else begin
                w.fin = s.fin.on && precedes(s.fin.number, s.expected);
                if (w.fin) begin
                    // It takes a number and no byte; what is behind it is none of the stream.
                    s.expected = s.fin.number + 32'd1;
                    s.fin = '0;
                    s.ranges = 0;
                    s.read += 32'd1;
                end
                if (w.holes) forget_recent(s, s);
                w.in_order = s.expected - w.expected - 32'(w.fin);
                w.filled = w.holes && s.ranges == 0;
                w.step = RECEIVED;
            end
        end
        if (w.step == RECEIVED) begin
            w.step = DONE;
            if (w.twice.on) report_duplicate(s, s, w.twice.block.start, w.twice.block.stop);
            if (!precedes(w.expected, g.number + 32'(g.length)) && !g.flags[FIN]) begin
                // All of it had come before.
                enter_quick(s, s, MOST_QUICK);
                acknowledge_now(s, s);
            end else if (w.room == 0 && g.length != 0) begin
                // The window is closed: a probe of it.
                acknowledge_now(s, s);
            end else if (w.out_of_order) begin
                note_data(s, s, g, now, behaviour);
                acknowledge_now(s, s);
            end else begin
                if (w.in_order != 0) begin
                    s.events.readable = 1'b1;
                    note_data(s, s, g, now, behaviour);
                end
                if (w.fin) receive_fin(s, s, now, behaviour);
                schedule_acknowledgement(s, s, w.filled, now, behaviour);
            end
        end

        // Time.
        if (w.step == TIMED_OUT) begin
            time_out(s, s, now, behaviour);
            w.step = EXPIRED;
        end
        if (w.step == LATE_FOUND) begin
            w.step = LATE_REDUCED;
            if (w.flying != in_flight(s) && s.phase != RECOVERY) begin
                enter_recovery(s, s);
                w.after_window = LATE_REDUCED;
                w.arrived = 20'd1;
                reduce(w, w, s, s, 1'b0);
            end
        end
        if (w.step == LATE_REDUCED) begin
            if (s.awaits == NOTHING) begin
                s.retransmit_at = now + left_of_timeout(s, front, now);
                s.awaits = TIMEOUT;
            end
            w.step = EXPIRED;
        end
        if (w.step == EXPIRED) begin
            expire_others(s, s, now, behaviour);
            w.step = DONE;
        end

        // Departures.
        if (w.step == AGAIN) begin
            if (s.force_reset) begin
                a.departure = depart_reset(s, s);
                w.step = DONE;
            end else if (s.state == CLOSED) begin
                w.step = DONE;
            end else if (!is_synchronised(s.state)) begin
                w.step = DONE;
                if (s.out != 0 ? s.force_first : s.next == s.first) begin
                    turn = s.out != 0;
                    s.force_first = 1'b0;
                    if (turn) begin
                        note_resent(s, s, front, front, now, milliseconds);
                    end else begin
                        s.next = s.first + 32'd1;
                        front = '0;
                        front.start = s.first;
                        front.stop = s.next;
                        front.syn = 1'b1;
                        front.sent = now;
                        s.out = 20'd1;
                        arm_timeout(s, s, front, now);
                    end
                    m.record_write = 1'b1;
                    m.record = front;
                    a.departure = depart_syn(s, s, turn, milliseconds, behaviour);
                    a.again = turn;
                end
            end else if (s.force_first && s.out != 0) begin
                s.force_first = 1'b0;
                w.place = 0;
                w.purpose = USUAL;
                w.pause = '0;
                w.step = RESEND;
            end else if (s.force_tail) begin
                s.force_first = 1'b0;
                s.force_tail = 1'b0;
                w.purpose = s.out == 0 ? USUAL : FOR_TAIL;
                w.size = lesser(unsent(s), segment_size(s));
                w.psh = 1'b0;
                w.place = s.out - 20'd1;
                m.record_read = w.place[15:0];
                if (s.out == 0) w.step = NEW_DATA;
                else if (w.size != 0 && s.out < behaviour.most_records
                         && !precedes(s.acknowledged + s.window, s.next + w.size)) w.step = SEND;
                else w.step = RESEND;
            end else begin
                s.force_first = 1'b0;
                w.step = s.lost == 0 || s.prefer_new || in_flight(s) >= s.congestion_window ? NEW_DATA : FIND_LOST;
                w.place = s.cursor;
                if (w.step == FIND_LOST) m.record_read = w.place[15:0];
            end
        end

        if (w.step == NEW_DATA) begin
            w.psh = 1'b0;
            w.purpose = USUAL;
            if (may_send_new(s, s, w.size, now, behaviour)) begin_restart(w, w, s, s, now, behaviour);
            else w.step = PROBE;
        end
        if (w.step == RESTART) restart(w, w, s, s);
        if (w.step == PROBE) begin
            w.step = DONE;
            if (s.force_window) begin
                s.force_window = 1'b0;
                w.size = lesser(lesser(beyond(s.acknowledged + s.window, s.next), unsent(s)), segment_size(s));
                w.purpose = FOR_WINDOW;
                if (w.size != 0 && s.out < behaviour.most_records) w.step = SEND;
                else a.departure = depart_segment(s, s, s.acknowledged - 32'd1, 32'd0, 1'b0, 1'b0, 1'b0, milliseconds,
                                                  behaviour);
            end else if (s.force_keep_alive) begin
                s.force_keep_alive = 1'b0;
                a.departure = depart_segment(s, s, s.acknowledged - 32'd1, 32'd0, 1'b0, 1'b0, 1'b0, milliseconds,
                                             behaviour);
            end else if (s.ack_now != 0) begin
                // Without SACK each acknowledgement counts.
                known = 32'(s.ack_now);
                a.departure = depart_segment(s, s, s.next, 32'd0, 1'b0, 1'b0, 1'b0, milliseconds, behaviour);
                s.ack_now = known[6:0] - 7'd1;
            end
        end
        if (w.step == SEND) begin
            w.step = SENT;
            if (w.size != 0 && s.marks != 0 && !precedes(s.next + w.size, s.mark)) begin
                w.psh = s.mark == s.next + w.size;
                s.mark = mark_q;
                s.mark_head += 16'd1;
                s.marks -= 16'd1;
                if (s.marks != 0 && !precedes(s.next + w.size, s.mark)) w.step = SEND;
            end
        end
        if (w.step == SENT) begin
            known = s.next;
            m.record_place = s.out;
            m.record = note_sent(s, s, w, w, front, now, fin, reduced, behaviour);
            m.record_write = 1'b1;
            if (m.record_place == 0) front = m.record;
            a.departure = depart_segment(s, s, known, w.size, fin, w.psh || w.purpose == FOR_WINDOW, reduced,
                                         milliseconds,
                                         behaviour);
            w.step = DONE;
        end

        // Loops over memories: what follows them is a step above, and comes a clock later.
        if (w.step == FIND_LOST && w_r.step == FIND_LOST) begin
            record = w.place == 0 ? front : record_q;
            if (w.place >= s.out) begin
                s.cursor = s.out;
                w.step = NEW_DATA;
            end else if (record.lost && !record.resent) begin
                s.cursor = w.place;
                // The peer's window has shrunk: only the first segment is tried.
                w.step = w.place != 0 && precedes(s.acknowledged + s.window, record.stop) ? NEW_DATA : RESEND;
            end else begin
                w.place += 20'd1;
            end
            if (w.step != NEW_DATA) m.record_read = w.place[15:0];
        end
        if (w.step == RESEND && (w_r.step == RESEND || w.place == 0)) begin
            record = w.place == 0 ? front : record_q;
            note_resent(s, s, record, record, now, milliseconds);
            m.record_write = 1'b1;
            m.record_place = w.place;
            m.record = record;
            if (w.place == 0) front = record;
            m.record_read = 16'd1;
            known = record.stop - record.start - 32'(record.fin);
            a.departure = depart_segment(s, s, record.start, known, record.fin, record.psh, 1'b0, milliseconds,
                                         behaviour);
            a.again = 1'b1;
            if (w.purpose == FOR_TAIL) begin
                s.probing = 1'b1;
                s.probe_end = s.next;
                s.probe_repeated = 1'b1;
            end
            if (w.purpose == FOR_TAIL || (w.place == 0 && w_r.step == FIND_LOST)) begin
                s.retransmit_at = now + instant_t'(retransmission_timeout(s));
                s.awaits = TIMEOUT;
            end
            w.step = DONE;
        end

        look_for_block(s, s, w, w, m, m, front, front, record_q, g, now);
        if (w.step == DIVIDE) begin
            divide(w, w);
            if (w.digits == 0) w.step = w.divided;
        end else if (w.step == NOTE_REORDERED) begin
            note_reordering(s, s, w.quotient);
            w.step = w.after;
        end

        if (w.step == WALK) walk(s, s, w, w, m, m, front, front, record_q, now);
        // A range out of order.
        keep(s, s, w, w, m, m, range_q, behaviour);
        if (w.step == KEPT) begin
            if (w.kept) begin
                report_range(s, s, w.whole);
                a.placement = '{on: w.room != 0, skip: 14'd0, length: w.room, start: w.piece.start};
            end
            m.range_read = 7'd1;
            w.step = RECEIVED;
        end

        if (w.step == DONE) begin
            if (w.again && is_synchronised(s.state)) begin
                // The number of the peer's SYN has come twice.
                report_duplicate(s, s, q.segment.number - 32'd1, q.segment.number);
                acknowledge_now(s, s);
            end
            a = completed(a, s, behaviour);
            w.answers = 1'b1;
            w.step = IDLE;
        end
    end

    ww_toe_memories #(.SESSIONS(SESSIONS), .RECORDS(RECORDS), .RANGES(RANGES), .MARKS(MARKS)) u_memories (
        .clk,
        .save, .save_index(w_r.index[SB-1:0]), .save_data(s_r), .load_index(w.index[SB-1:0]), .loaded,
        .record_write(m.record_write), .record_write_at({w.index[SB-1:0], CB'(s.head + 16'(m.record_place))}),
        .record_data(m.record), .record_read_at({w.index[SB-1:0], CB'(s.head + m.record_read)}), .record_q,
        .range_write(m.range_write), .range_write_at({w.index[SB-1:0], GB'(s.range_head + 16'(m.range_place))}),
        .range_data(m.range), .range_read_at({w.index[SB-1:0], GB'(s.range_head + 16'(m.range_read))}), .range_q,
        .mark_write(m.mark_write), .mark_write_at({w.index[SB-1:0], MB'(s.mark_head + m.mark_place)}),
        .mark_data(m.mark), .mark_read_at({w.index[SB-1:0], MB'(s.mark_head + 16'd1)}), .mark_q
    );

    always_ff @(posedge clk) begin
        s_r <= s;
        front_r <= front;
        q_r <= q;
        w_r <= w;
        a_r <= a;
        resident_r <= resident;
        if (rst) begin
            w_r.step <= IDLE;
            w_r.answers <= 1'b0;
            resident_r <= 1'b0;
        end
    end
endmodule
