// Working registers of `ww_toe_session`, and what its steps do that take several clocks.
package ww_toe_steps;

    import ww_toe_types::*;
    import ww_toe_path::*;
    import ww_toe_replies::*;
    import ww_toe_opening::*;
    import ww_toe_answers::*;

    // Functions take whole records and look at some of their fields.
    // verilator lint_off UNUSEDSIGNAL

    typedef enum logic [5:0] {
        IDLE, LOADED, FRONT, BEGIN_REQUEST,
        TAKE_IN, ACKNOWLEDGE, BLOCKS, BLOCK, SEARCH, BLOCK_WALK, DIVIDE, NOTE_REORDERED,
        PASS, PASSED, SAMPLE, JUDGE, FOLLOW, FOLLOWED, FIND_LOSSES, WALK, ENTERED_LOSS, DETECTED,
        CONGESTION, REDUCE, REDUCED, GROW, ACKNOWLEDGED,
        RECEIVE, RANGE_POP, INSERTED, KEEP, KEEP_SCAN, KEEP_MERGE, KEEP_CLOSE, KEEP_MOVE_UP, KEPT, RECEIVED,
        TIMED_OUT, LATE_FOUND, LATE_REDUCED, EXPIRED,
        AGAIN, FIND_LOST, RESEND, NEW_DATA, RESTART, PROBE, SEND, SENT,
        DONE
    } step_t;

    // What a walk over the records does with each: it is not lost; it is lost (after a timeout); it is lost if it was
    // sent long enough before one that has arrived (RFC 8985).
    typedef enum logic [1:0] {FIND_ALL, LOSE, DETECT} walk_t;

    // Why a segment goes out.
    typedef enum logic [1:0] {USUAL, FOR_TAIL, FOR_WINDOW} purpose_t;

    typedef struct packed {
        step_t       step;
        logic        answers;
        logic [15:0] index;          // the session in place
        // Acknowledgements.
        news_t       news;
        phase_t      phase;          // before losses are looked for
        logic        old;            // of what had been acknowledged
        logic        was_idle;       // nothing was on its way
        logic        again;          // the peer's SYN has come again with the segment
        optional_number_t furthest;  // behind the last byte reported before
        optional_number_t moved;     // first byte of a segment that was overtaken
        logic [2:0]  block;
        // Records.
        count_t      low;
        count_t      top;
        count_t      place;
        walk_t       walk;
        step_t       after;          // the walk, or the division
        step_t       after_loss;     // has been entered
        logic        was_calm;       // when it was entered
        logic        forget;         // what SACK told
        logic        spare;          // what was sent too short a time ago
        span_t       pause;
        logic [49:0] longest;
        count_t      resent_before;
        count_t      flying;
        // The window.
        count_t      arrived;        // segments
        step_t       after_window;
        count_t      grown_from;
        // Division.
        logic [51:0] remainder;
        logic [51:0] divisor;
        count_t      quotient;
        logic [4:0]  digits;
        step_t       divided;        // follows
        // Reassembly.
        block_t      piece;
        logic        has_fin;
        logic [13:0] room;
        number_t     expected;       // before the segment
        logic        out_of_order;
        logic        holes;
        logic        filled;
        logic        fin;
        number_t     in_order;
        optional_block_t twice;      // what the segment brought that had come
        logic        kept;
        logic [6:0]  range;
        logic [6:0]  range_from;
        logic [6:0]  range_count;
        block_t      whole;
        // Departures.
        purpose_t    purpose;
        number_t     size;
        logic        psh;
        instant_t    idle_left;
        count_t      restart_window;
    } work_t;

    function automatic logic begins(input operation_t operation);
        return operation == CONNECT || operation == ACCEPT || operation == REDEEM;
    endfunction

    // Division, a digit a clock: `quotient` of `dividend` by `divisor`, which fits 20 bits, rounded up.
    function automatic void begin_division(output work_t w, input work_t w_was, input logic [40:0] dividend,
                                           input logic [31:0] divisor,
                                           input step_t divided);
        w = w_was;
        w.remainder = 52'(dividend) + 52'(divisor) - 52'd1;
        w.divisor = 52'(divisor) << 19;
        w.quotient = 0;
        w.digits = 5'd20;
        w.divided = divided;
        w.step = DIVIDE;
    endfunction

    function automatic void divide(output work_t w, input work_t w_was);
        w = w_was;
        w.quotient = w.quotient << 1;
        if (w.remainder >= w.divisor) begin
            w.remainder -= w.divisor;
            w.quotient[0] = 1'b1;
        end
        w.divisor = w.divisor >> 1;
        w.digits -= 5'd1;
    endfunction

    // Reordering of so many segments has been seen.
    function automatic void note_reordering(output session_t s, input session_t s_was, input count_t segments);
        count_t seen;
        s = s_was;
        seen = segments < DUPLICATES ? DUPLICATES : segments > MOST_REORDERING ? MOST_REORDERING : segments;
        if (s.reordering < seen) s.reordering = seen;
        s.reordered = 1'b1;
    endfunction

    // The segment at `start` has arrived after what was reported up to `furthest`: how many segments that is takes a
    // division, unless it is few or very many. Then comes the step `after`.
    function automatic void begin_note(output work_t w, input work_t w_was, output session_t s,
                                       input session_t s_was, input number_t start, input number_t furthest,
                                       input step_t after);
        number_t distance;
        w = w_was;
        s = s_was;
        distance = furthest - start;
        w.step = after;
        w.after = after;
        if (distance <= 32'(s.mss) * 32'd3) note_reordering(s, s, DUPLICATES);
        else if (distance > 32'(s.mss) * 32'd300) note_reordering(s, s, MOST_REORDERING);
        else begin_division(w, w, 41'(distance), 32'(s.mss), NOTE_REORDERED);
    endfunction

    function automatic void begin_walk(output work_t w, input work_t w_was, input walk_t walk, input step_t after);
        w = w_was;
        w.walk = walk;
        w.after = after;
        w.place = 0;
        w.forget = 1'b0;
        w.spare = 1'b0;
        w.longest = 0;
        w.step = WALK;
    endfunction

    // Losses are looked for by the times of sending.
    function automatic void begin_detection(output work_t w, input work_t w_was, output session_t s,
                                            input session_t s_was, input step_t after);
        w = w_was;
        s = s_was;
        rack_adapt(s, s);
        begin_walk(w, w, DETECT, after);
        w.pause = reordering_window(s);
    endfunction

    // A timeout has passed: what was sent long enough ago is lost (RFC 5681 section 3.1).
    function automatic void begin_loss(output work_t w, input work_t w_was, output session_t s,
                                       input session_t s_was, input logic first_sacked, input step_t after);
        w = w_was;
        s = s_was;
        w.was_calm = s.phase < RECOVERY;
        begin_walk(w, w, LOSE, ENTERED_LOSS);
        w.after_loss = after;
        w.spare = s.sack;
        w.forget = first_sacked;
        if (first_sacked) s.furthest = '0;
        if (first_sacked || !s.sack) s.sacked = 0;
    endfunction

    function automatic void end_loss(output session_t s, input session_t s_was, input logic was_calm,
                                     input behaviour_t behaviour);
        s = s_was;
        if (s.phase <= DISORDER || !precedes(s.acknowledged, s.high) || (s.phase == LOSS && s.timeouts == 0)) begin
            s.prior = 1'b1;
            s.prior_window = s.congestion_window;
            s.prior_threshold = s.threshold;
            s.threshold = half_window(s);
            begin_undo(s, s);
        end
        s.congestion_window = in_flight(s) + 20'd1;
        s.credit = 0;
        s.phase = LOSS;
        s.high = s.next;
        s.probing = 1'b0;
        s.forward = behaviour.forward_rto && (was_calm || s.timeouts != 0);
        if (s.ecn) s.tell_reduced = 1'b1;
    endfunction

    // A record is taken for lost, and if it was sent again, that is lost too. Says whether that is news.
    function automatic logic lose(output session_t s, input session_t s_was, output record_t record,
                                  input record_t record_was, input count_t place);
        logic news;
        s = s_was;
        record = record_was;
        if (record.sacked) return 1'b0;
        news = !record.lost || record.resent;
        if (!record.lost) s.lost += 20'd1;
        if (record.resent) s.resent -= 20'd1;
        record.lost = 1'b1;
        record.resent = 1'b0;
        if (news && place < s.cursor) s.cursor = place;
        return news;
    endfunction

    // Without SACK: whether the first segment is to be taken for lost (RFC 6582).
    function automatic logic first_is_lost(input session_t s, input record_t front, input logic advanced);
        return ((s.phase < RECOVERY && s.sacked >= s.reordering) || (s.phase == RECOVERY && advanced)) && s.out != 0
            && !front.lost;
    endfunction

    // SACK reports a segment.
    function automatic void take_sacked(output session_t s, input session_t s_was, output work_t w,
                                        input work_t w_was, output record_t record, input record_t record_was,
                                            input instant_t now);
        optional_number_t earlier;
        s = s_was;
        w = w_was;
        record = record_was;
        earlier = s.furthest;
        s.sacked += 20'd1;
        if (record.lost) s.lost -= 20'd1;
        if (record.resent) s.resent -= 20'd1;
        s.furthest = '{on: 1'b1, number: earlier.on ? latest(earlier.number, record.stop) : record.stop};
        w.news.sacked = 1'b1;
        w.news.delivered += 20'd1;
        rack_arrived(s, s, now, record);
        if (!record.ever_resent) begin
            if (!precedes(s.high, record.stop)) w.news.original = 1'b1;
            if (!w.news.sacked_sent.on || record.sent < w.news.sacked_sent.at)
                w.news.sacked_sent = '{on: 1'b1, at: record.sent};
            if (earlier.on && precedes(record.start, earlier.number))
                w.moved = '{on: 1'b1, number: w.moved.on ? earliest(w.moved.number, record.start) : record.start};
        end
        record.sacked = 1'b1;
        record.lost = 1'b0;
        record.resent = 1'b0;
    endfunction

    // Takes the first record away.
    function automatic void pop_record(output session_t s, input session_t s_was, input record_t front);
        s = s_was;
        s.out -= 20'd1;
        s.head += 16'd1;
        if (s.cursor != 0) s.cursor -= 20'd1;
        if (front.sacked) s.sacked -= 20'd1;
        if (front.lost) s.lost -= 20'd1;
        if (front.resent) s.resent -= 20'd1;
    endfunction

    // snd_una passes the first record.
    function automatic void pass_record(output session_t s, input session_t s_was, output work_t w,
                                        input work_t w_was, input record_t front, input instant_t now);
        s = s_was;
        w = w_was;
        pop_record(s, s, front);
        w.news.passed += 20'd1;
        if (!front.syn) w.news.data_acknowledged = 1'b1;
        if (!front.sacked) begin
            w.news.delivered += 20'd1;
            if (!front.ever_resent) begin
                note_original(w.news, w.news, front.sent);
                if (!precedes(s.high, front.stop)) w.news.original = 1'b1;
                if (!w.moved.on) w.moved = '{on: 1'b1, number: front.start};
            end
            rack_arrived(s, s, now, front);
        end
    endfunction

    // The published engine's answer to acknowledgements: true after the third duplicate, when all is sent again.
    function automatic logic goes_back(output session_t s, input session_t s_was, input news_t news, input segment_t g);
        count_t flying;
        s = s_was;
        flying = in_flight(s);
        if (news.advanced) begin
            s.duplicates = 0;
            if (s.phase >= RECOVERY && !precedes(s.acknowledged, s.high)) s.phase = OPEN;
            return 1'b0;
        end
        if (news.data || news.window || g.length != 0 || s.out == 0) return 1'b0;
        if (s.duplicates != 8'hff) s.duplicates += 8'd1;
        if (s.duplicates != 8'd3 || s.phase >= RECOVERY) return 1'b0;
        s.threshold = (flying >> 1) > 20'd2 ? flying >> 1 : 20'd2;
        s.congestion_window = s.threshold;
        s.credit = 0;
        s.high = s.next;
        s.phase = RECOVERY;
        s.force_first = 1'b1;
        return 1'b1;
    endfunction

    // After a timeout (RFC 5682 section 3). True: nothing was lost but time.
    function automatic logic follow_loss(output session_t s, input session_t s_was, input news_t news,
                                         input logic repeated);
        logic recovered, spurious;
        s = s_was;
        recovered = !precedes(s.acknowledged, s.high);
        spurious = (news.advanced && may_undo(s)) || (s.forward && news.original);
        if (spurious) begin
            s.lost = 0;
            congestion_undo(s, s);
            s.forward = 1'b0;
            s.timeouts = 0;
            s.phase = OPEN;
            return 1'b1;
        end
        if (s.forward) begin
            if (precedes(s.high, s.next)) begin
                if (news.sacked || repeated) s.forward = 1'b0;
            end else if (news.advanced && !recovered) begin
                s.high = s.next;
                if (unsent(s) != 0 && precedes(s.next, s.acknowledged + s.window)) begin
                    s.prefer_new = 1'b1;
                    return 1'b0;
                end
                s.forward = 1'b0;
            end
        end
        if (recovered) begin
            void'(try_undo_recovery(s, s));
        end else if (!s.sack) begin
            if (precedes(s.high, s.next) && repeated) count_duplicate(s, s);
            else if (news.advanced) s.sacked = 0;
        end
        return 1'b0;
    endfunction

    // `count` segments more may be on their way: one at least at the beginning of a reduction.
    function automatic void let_depart(output session_t s, input session_t s_was, input count_t count);
        s = s_was;
        s.congestion_window = in_flight(s) + (count == 0 && s.departed == 0 ? 20'd1 : count);
    endfunction

    // One step of a reduction: `w.arrived` segments are newly known to have arrived, `lost` taken for lost. How many
    // may go out then takes a division while too many are on their way.
    function automatic void reduce(output work_t w, input work_t w_was, output session_t s, input session_t s_was,
                                   input logic calm);
        count_t flying, free, count, prior;
        w = w_was;
        s = s_was;
        flying = in_flight(s);
        prior = s.prior ? s.prior_window : s.congestion_window;
        w.step = w.after_window;
        if (w.arrived != 0) begin
            s.delivered += w.arrived;
            if (flying > s.threshold) begin
                begin_division(w, w, 41'(s.threshold) * 41'(s.delivered), prior == 0 ? 32'd1 : 32'(prior),
                               REDUCED);
            end else begin
                free = s.threshold - flying;
                count = s.delivered > s.departed ? s.delivered - s.departed : 20'd0;
                if (count < w.arrived) count = w.arrived;
                if (calm) count += 20'd1;
                if (count > free) count = free;
                let_depart(s, s, count);
            end
        end
    endfunction

    // The window grows by `arrived` segments; what goes beyond slow start is counted towards the next step.
    function automatic void grow(output work_t w, input work_t w_was, output session_t s, input session_t s_was,
                                 input count_t arrived);
        logic [20:0] window;
        count_t left;
        w = w_was;
        s = s_was;
        left = arrived;
        w.step = w.after_window;
        if (window_limits(s)) begin
            if (in_slow_start(s)) begin
                window = 21'(s.congestion_window) + 21'(arrived);
                if (window > 21'(s.threshold)) window = 21'(s.threshold);
                left = arrived - (window[19:0] - s.congestion_window);
                s.congestion_window = window[19:0];
            end
            if (left != 0) begin
                if (s.credit >= s.congestion_window) begin
                    s.credit = 0;
                    s.congestion_window += 20'd1;
                end
                s.credit += left;
                w.grown_from = s.congestion_window;
                w.step = GROW;
            end
        end
    endfunction

    // The application's calls.

    // Bytes that are taken of `count`: as many as there is room for.
    function automatic number_t write(output session_t s, input session_t s_was, input number_t count,
                                      input behaviour_t behaviour);
        number_t kept, free;
        s = s_was;
        kept = s.written - s.kept_from;
        free = lesser(buffer_size(behaviour), s.send_limit);
        free = free > kept ? free - kept : 32'd0;
        if (s.closed || s.state == CLOSED || s.state == TIME_WAIT) free = 0;
        free = lesser(free, count);
        s.written += free;
        return free;
    endfunction

    // The application has taken up to `count` bytes. If the window has been small, the peer learns that it is not.
    function automatic number_t consume(output session_t s, input session_t s_was, input number_t count,
                                        input behaviour_t behaviour);
        number_t taken, current, size, readable, free;
        s = s_was;
        taken = lesser(count, s.expected - s.read);
        s.read += taken;
        current = beyond(s.allowed, s.expected);
        size = buffer_size(behaviour);
        readable = s.expected - s.read;
        free = readable < size ? size - readable : 32'd0;
        if (may_receive(s.state) && count != 0
            && {current, 1'b0} <= 33'(lesser(size, 32'hffff << s.own_scale))
            && 33'(free) >= {current, 1'b0} && free >= lesser(32'(s.mss), size >> 1) && s.ack_now == 0)
            s.ack_now = 7'd1;
        return taken;
    endfunction

    function automatic void shut_down(output session_t s, input session_t s_was);
        s = s_was;
        if (!s.closed) begin
            case (s.state)
                SYN_SENT: begin
                    s.closed = 1'b1;
                    finish(s, s, END_ABORTED);
                end
                SYN_RECEIVED: s.closed = 1'b1;
                ESTABLISHED: begin
                    s.closed = 1'b1;
                    s.state = FIN_WAIT_1;
                end
                CLOSE_WAIT: begin
                    s.closed = 1'b1;
                    s.state = LAST_ACK;
                end
                default: ;
            endcase
        end
    endfunction

    function automatic void abort(output session_t s, input session_t s_was);
        logic tells;
        s = s_was;
        tells = s.state != CLOSED && s.state != TIME_WAIT && s.state != SYN_SENT;
        finish(s, s, END_ABORTED);
        s.force_reset = tells;
    endfunction

    function automatic void close(output session_t s, input session_t s_was, input instant_t now,
                                  input behaviour_t behaviour);
        s = s_was;
        s.abandoned = 1'b1;
        if (s.expected != s.read && is_synchronised(s.state) && s.state != TIME_WAIT) begin
            abort(s, s);
        end else begin
            shut_down(s, s);
            if (s.state == FIN_WAIT_2) await_fin(s, s, now, behaviour);
        end
    endfunction

    // Options of one connection. For the retries of a SYN, `count` is the time that they take.
    function automatic void set(output session_t s, input session_t s_was, input request_t q, input instant_t now);
        s = s_was;
        case (q.operation)
            SET_NAGLE: s.nagle = q.ends;
            SET_CORK: s.corked = q.ends;
            SET_QUICK: begin
                s.interactive = !q.ends;
                if (q.ends) begin
                    if (s.quick < 8'd16) s.quick = 8'd16;
                    if (s.ack_scheduled && s.ack_now == 0) s.ack_now = 7'd1;
                end
            end
            SET_SYN_RETRIES: begin
                s.syn_retries = q.keep_alive.probes;
                s.syn_patience = q.count;
            end
            SET_SEND_LIMIT: s.send_limit = q.count[31:0];
            SET_USER_TIMEOUT: s.user_timeout = '{on: q.count != 0, at: q.count};
            default: if (s.keep_alive != q.keep_alive) begin
                s.keep_alive = q.keep_alive;
                s.keep_alive_at = '0;
                begin_keep_alive(s, s, now);
            end
        endcase
    endfunction

    // Time.

    // Whether enough timeouts have passed to give the connection up.
    function automatic logic is_given_up(input session_t s, input instant_t now, input behaviour_t behaviour);
        if (s.user_timeout.on && now - s.progress >= s.user_timeout.at) return 1'b1;
        if (s.timeouts == 0) return 1'b0;
        case (s.state)
            SYN_RECEIVED: return s.timeouts >= s.syn_retries;
            SYN_SENT: return now - s.timeouts_began >= s.syn_patience;
            default: return now - s.timeouts_began >= behaviour.patience;
        endcase
    endfunction

    function automatic void time_out(output session_t s, input session_t s_was, input instant_t now,
                                     input behaviour_t behaviour);
        s = s_was;
        s.timeouts += 8'd1;
        s.all_timeouts += 32'd1;
        s.force_first = 1'b1;
        // The first SYNs are sent at the same pace, as Linux does since 6.5.
        if ((s.state != SYN_SENT || s.timeouts > behaviour.syn_linear) && s.doublings != 8'hff) s.doublings += 8'd1;
        s.retransmit_at = now + instant_t'(retransmission_timeout(s));
        s.awaits = TIMEOUT;
    endfunction

    // The peer's window is closed, or too small for what is left (RFC 9293 section 3.8.6.1).
    function automatic void probe_window(output session_t s, input session_t s_was, input instant_t now,
                                         input behaviour_t behaviour);
        s = s_was;
        s.awaits = NOTHING;
        if (s.probes >= behaviour.retries) begin
            finish(s, s, END_TIMED_OUT);
        end else begin
            s.probes += 8'd1;
            if (s.window_doublings != 8'hff) s.window_doublings += 8'd1;
            s.force_window = 1'b1;
            s.retransmit_at = now + instant_t'(window_pause(s, behaviour));
            s.awaits = WINDOW;
        end
    endfunction

    // The connection is idle (RFC 9293 section 3.8.4).
    function automatic void probe_idle(output session_t s, input session_t s_was, input instant_t now);
        instant_t idle, left;
        s = s_was;
        idle = since(now, s.last_arrival);
        left = s.keep_alive.idle > idle ? s.keep_alive.idle - idle : 48'd0;
        if (!s.keep_alive.on) begin
            s.keep_alive_at = '0;
        end else if (left != 0 || s.out != 0) begin
            s.keep_alive_at.at = now + (left < instant_t'(MILLISECOND) ? instant_t'(MILLISECOND) : left);
        end else if (s.probes >= s.keep_alive.probes) begin
            finish(s, s, END_TIMED_OUT);
            s.force_reset = 1'b1;
        end else begin
            s.probes += 8'd1;
            s.force_keep_alive = 1'b1;
            s.keep_alive_at.at = now + s.keep_alive.interval;
        end
    endfunction

    // All timers but that of retransmissions.
    function automatic void expire_others(output session_t s, input session_t s_was, input instant_t now,
                                          input behaviour_t behaviour);
        span_t doubled_pause;
        s = s_was;
        if (s.acknowledge_at.on && s.acknowledge_at.at <= now) begin
            s.acknowledge_at = '0;
            if (s.ack_scheduled) begin
                if (s.ack_now == 0) s.ack_now = 7'd1;
                // The peer waits: acknowledgements were held back for nothing.
                doubled_pause = s.pause << 1;
                s.pause = s.interactive ? behaviour.delayed_ack
                    : lesser_span(doubled_pause, retransmission_timeout(s));
                s.interactive = 1'b0;
            end
        end
        if (s.linger_at.on && s.linger_at.at <= now) finish(s, s, END_CLOSED);
        if (s.keep_alive_at.on && s.keep_alive_at.at <= now) probe_idle(s, s, now);
    endfunction

    // Departures.

    function automatic departure_t depart_reset(output session_t s, input session_t s_was);
        departure_t d;
        s = s_was;
        s.force_reset = 1'b0;
        d = '0;
        d.on = 1'b1;
        d.number = s.next;
        d.acknowledgement = s.expected;
        d.flags[RST] = 1'b1;
        d.flags[ACK] = 1'b1;
        return d;
    endfunction

    // Whether new data, or FIN, may go out now: `size` bytes of it.
    function automatic logic may_send_new(output session_t s, input session_t s_was, output number_t size,
                                          input instant_t now,
                                          input behaviour_t behaviour);
        number_t waiting;
        s = s_was;
        waiting = unsent(s);
        size = lesser(waiting, segment_size(s));
        if ((waiting == 0 && !fin_due(s)) || !may_send(s.state)) return 1'b0;
        if (s.out >= behaviour.most_records || (in_flight(s) >= s.congestion_window && waiting != 0)) return 1'b0;
        if (precedes(s.acknowledged + s.window, s.next + size)) begin
            if (s.out == 0) arm_window_probe(s, s, now, behaviour);
            return 1'b0;
        end
        if (size < segment_size(s) && size == waiting && !s.closed) begin
            if (s.corked) begin
                if (s.out == 0) arm_window_probe(s, s, now, behaviour);
                return 1'b0;
            end
            // A small segment waits while another one is on its way (RFC 896, as Minshall has it).
            if (s.nagle && s.out != 0 && precedes(s.acknowledged, s.small_end) && !precedes(s.next, s.small_end))
                return 1'b0;
        end
        return 1'b1;
    endfunction

    // After an idle time the window shrinks (RFC 2861); the halvings are steps of their own.
    function automatic void begin_restart(output work_t w, input work_t w_was, output session_t s,
                                          input session_t s_was, input instant_t now,
                                          input behaviour_t behaviour);
        instant_t idle, timeout;
        count_t most;
        w = w_was;
        s = s_was;
        idle = since(now, s.last_departure);
        timeout = instant_t'(retransmission_timeout(s));
        w.step = SEND;
        if (behaviour.restarts && s.out == 0 && s.last_departure != 0 && idle > timeout) begin
            w.restart_window = behaviour.initial_window < s.congestion_window
                ? behaviour.initial_window : s.congestion_window;
            most = (s.congestion_window >> 1) + (s.congestion_window >> 2);
            if (s.threshold < most) s.threshold = most;
            w.idle_left = idle - timeout;
            s.credit = 0;
            w.step = RESTART;
        end
    endfunction

    function automatic void restart(output work_t w, input work_t w_was, output session_t s, input session_t s_was);
        w = w_was;
        s = s_was;
        if (w.idle_left != 0 && s.congestion_window > w.restart_window) begin
            s.congestion_window = s.congestion_window >> 1;
            w.idle_left = since(w.idle_left, instant_t'(retransmission_timeout(s)));
        end else begin
            if (s.congestion_window < w.restart_window) s.congestion_window = w.restart_window;
            w.step = SEND;
        end
    endfunction

    // A segment goes out again: what is noted of it.
    function automatic void note_resent(output session_t s, input session_t s_was, output record_t record,
                                        input record_t record_was, input instant_t now,
                                        input logic [31:0] clock);
        s = s_was;
        record = record_was;
        if (!record.resent && !record.sacked) s.resent += 20'd1;
        if (!record.sacked) record.resent = 1'b1;
        record.ever_resent = 1'b1;
        record.sent = now;
        s.resent_segments += 32'd1;
        if (is_synchronised(s.state)) begin
            s.undo_count = s.undo_counts ? s.undo_count + 20'd1 : 20'd1;
            s.undo_counts = 1'b1;
            if (!s.resent_at.on) s.resent_at = '{on: 1'b1, number: clock + s.timestamp_offset};
            if (reduces(s)) s.departed += 20'd1;
        end
    endfunction

    // New data of `w.size` bytes, and FIN if nothing is left: what changes, and its record.
    function automatic record_t note_sent(output session_t s, input session_t s_was, output work_t w,
                                          input work_t w_was, input record_t front, input instant_t now,
                                          output logic fin, output logic reduced, input behaviour_t behaviour);
        record_t r;
        logic was_idle, rests, armed;
        s = s_was;
        w = w_was;
        fin = unsent(s) == w.size && fin_due(s);
        if (fin) s.fin_sent = 1'b1;
        reduced = s.tell_reduced && w.size != 0;
        if (reduced) s.tell_reduced = 1'b0;
        r = '0;
        r.start = s.next;
        r.stop = s.next + w.size + 32'(fin);
        r.fin = fin;
        r.psh = w.psh || w.purpose == FOR_WINDOW;
        r.sent = now;
        if (w.size < segment_size(s) && w.size != 0) s.small_end = s.next + w.size;
        s.next = r.stop;
        was_idle = s.out == 0;
        if (was_idle) s.progress = now;
        s.out += 20'd1;
        if (reduces(s)) s.departed += 20'd1;
        note_usage(s, s);
        if (s.prefer_new && precedes(s.high, s.next)) s.prefer_new = in_flight(s) < s.congestion_window;
        if (w.size != 0 && since(now, s.last_data) < instant_t'(s.pause)) s.interactive = 1'b1;
        s.last_departure = now;
        rests = s.awaits == NOTHING || s.awaits == WINDOW || s.awaits == TAIL || was_idle;
        armed = 1'b0;
        if (rests) begin
            if (s.awaits == WINDOW) s.awaits = NOTHING;
            armed = arm_probe(s, s, was_idle ? r : front, now, 1'b0, behaviour);
            if (!armed) arm_timeout(s, s, was_idle ? r : front, now);
        end
        if (w.purpose == FOR_TAIL) begin
            s.probing = 1'b1;
            s.probe_end = s.next;
            s.probe_repeated = 1'b0;
            s.retransmit_at = now + instant_t'(retransmission_timeout(s));
            s.awaits = TIMEOUT;
        end
        return r;
    endfunction

    // verilator lint_on UNUSEDSIGNAL
endpackage
