// The application's calls, the passing of time, and what departs.
//
// The transitions of crates/tcp, session/application.rs, timers.rs and departures.rs, under the same names.
package ww_toe_calls;

    import ww_toe_types::*;
    import ww_toe_path::*;
    import ww_toe_replies::*;
    import ww_toe_answers::*;
    import ww_toe_steps::*;

    // Functions take whole records and look at some of their fields.
    // verilator lint_off UNUSEDSIGNAL

    // The application's calls.

    // Bytes that `write` takes.
    function automatic number_t room(input session_t s, input behaviour_t behaviour);
        number_t kept, free;
        kept = s.written - s.kept_from;
        free = lesser(buffer_size(behaviour), s.send_limit);
        free = free > kept ? free - kept : 32'd0;
        return s.closed || s.state == CLOSED || s.state == TIME_WAIT ? 32'd0 : free;
    endfunction

    // Bytes that are taken of `count`: as many as there is room for. If `ends`, the write's end is kept when all of it
    // is taken; of more than `most_marks` ends the last one moves, so that the end of all that was written is kept.
    function automatic number_t write(output session_t s, input session_t s_was, output memory_t m,
                                      input memory_t m_was, input number_t count, input logic ends,
                                      input logic [15:0] most_marks, input behaviour_t behaviour);
        number_t free;
        s = s_was;
        m = m_was;
        free = lesser(room(s, behaviour), count);
        s.written += free;
        if (ends && free != 0 && free == count) begin
            m.mark_write = 1'b1;
            m.mark_place = s.marks == most_marks ? s.marks - 16'd1 : s.marks;
            m.mark = s.written;
            if (m.mark_place == 0) s.mark = s.written;
            s.marks = m.mark_place + 16'd1;
        end
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

    // An answer with how the session stands behind the request.
    function automatic answer_t completed(input answer_t a_was, input session_t s, input behaviour_t behaviour);
        answer_t a;
        a = a_was;
        a.events = s.events;
        a.state = s.state;
        a.due = is_due(s);
        a.wakes = wakes(s);
        a.acknowledged = s.acknowledged;
        a.next = s.next;
        a.written = s.written;
        a.expected = s.expected;
        a.read = s.read;
        a.readable = s.expected - s.read;
        a.room = room(s, behaviour);
        a.unsent = unsent(s);
        a.kept = s.written - s.kept_from;
        a.peer_fin = s.peer_fin;
        a.mss = s.mss;
        return a;
    endfunction

    // verilator lint_on UNUSEDSIGNAL

endpackage
