// What a receiver tells: acknowledgements and when they go out, windows, blocks of SACK, challenges.
//
// The transitions of crates/tcp, session/arrivals.rs, departures.rs and reassembly.rs, under the same names.
package ww_toe_replies;

    import ww_toe_types::*;
    import ww_toe_path::*;

    // Functions take whole records and look at some of their fields.
    // verilator lint_off UNUSEDSIGNAL

    // Segments outside the window are answered at most so often.
    localparam instant_t OUTSIDE_INTERVAL = 48'd500_000_000;
    // Acknowledgements that do not wait at the beginning, at most.
    localparam logic [7:0] MOST_QUICK = 8'd16;

    // Bytes of each of a session's two buffers.
    function automatic number_t buffer_size(input behaviour_t behaviour);
        return 32'd65_536 << (behaviour.scales ? behaviour.scale : 4'd0);
    endfunction

    function automatic number_t scaled_window(input session_t s, input logic [15:0] window);
        return 32'(window) << s.peer_scale;
    endfunction

    function automatic number_t segment_end(input segment_t g);
        return g.number + 32'(g.length) + 32'(g.flags[SYN]) + 32'(g.flags[FIN]);
    endfunction

    // The answer to a segment that belongs to no connection; none to a reset.
    function automatic reset_t reset_answering(input segment_t g);
        if (g.flags[RST]) return '0;
        if (g.flags[ACK]) return '{on: 1'b1, number: g.acknowledgement, acknowledges: 1'b0, acknowledgement: '0};
        return '{on: 1'b1, number: '0, acknowledges: 1'b1, acknowledgement: segment_end(g)};
    endfunction

    function automatic void acknowledge_now(output session_t s, input session_t s_was);
        s = s_was;
        if (s.ack_now < (s.sack ? 7'd1 : 7'd64)) s.ack_now += 7'd1;
    endfunction

    function automatic logic may_answer_outside(output session_t s, input session_t s_was, input instant_t now);
        s = s_was;
        if (s.outside_answered.on && now - s.outside_answered.at < OUTSIDE_INTERVAL) return 1'b0;
        s.outside_answered = '{on: 1'b1, at: now};
        return 1'b1;
    endfunction

    // A challenge ACK (RFC 5961): who is really there knows what to do.
    function automatic void challenge(output session_t s, input session_t s_was, input instant_t now);
        s = s_was;
        if (may_answer_outside(s, s, now)) acknowledge_now(s, s);
    endfunction

    function automatic void report_duplicate(output session_t s, input session_t s_was, input number_t start,
                                             input number_t stop);
        s = s_was;
        if (s.sack && precedes(start, stop)) s.duplicate = '{on: 1'b1, block: '{start: start, stop: stop}};
    endfunction

    // The next acknowledgements do not wait: enough of them for half the window.
    function automatic void enter_quick(output session_t s, input session_t s_was, input logic [7:0] most);
        logic [7:0] enough;
        number_t room;
        logic [18:0] reached;
        s = s_was;
        room = beyond(s.allowed, s.expected);
        enough = 8'd2;
        reached = 19'({s.peer_segment, 2'b00});
        for (int count = 3; count <= 16; count++) begin
            reached += 19'({s.peer_segment, 1'b0});
            if (room >= 32'(reached)) enough = 8'(count);
        end
        if (enough > most) enough = most;
        if (s.quick < enough) s.quick = enough;
        if (most >= MOST_QUICK) s.interactive = 1'b0;
    endfunction

    // Answers a segment outside the window: it may be our acknowledgement that was lost.
    function automatic void answer_outside(output session_t s, input session_t s_was, input segment_t g,
                                           input instant_t now,
                                           input behaviour_t behaviour);
        logic has_data, may;
        s = s_was;
        has_data = segment_end(g) != g.number && !g.flags[SYN];
        may = 1'b1;
        if (!has_data) may = may_answer_outside(s, s, now);
        if (may) begin
            if (has_data && precedes(g.number, s.expected) && g.length != 0) begin
                report_duplicate(s, s, g.number, earliest(segment_end(g), s.expected));
                enter_quick(s, s, MOST_QUICK);
            end
            acknowledge_now(s, s);
            if (s.state == TIME_WAIT) s.linger_at = '{on: 1'b1, at: now + behaviour.time_wait};
        end
    endfunction

    // PAWS (RFC 7323 section 5.3): the segment's timestamp is older than the last one in order. That a timestamp counts
    // for 24 days only makes no difference here: the clock wraps before.
    function automatic logic is_stale(input session_t s, input segment_t g);
        logic older, repeated;
        older = precedes(g.options.value, s.recent_timestamp);
        repeated = g.length == 0 && g.number == s.expected && g.acknowledgement == s.acknowledged
            && scaled_window(s, g.window) == s.window && !g.flags[SYN] && !g.flags[FIN] && !g.flags[RST]
            && s.recent_timestamp - g.options.value < 32'd200;
        return s.timestamps && g.options.timestamps && older && !repeated;
    endfunction

    // Whether the segment lies in the window and is not a late one; a reset is carried out here.
    function automatic logic is_acceptable(output session_t s, input session_t s_was, input segment_t g,
                                           input instant_t now,
                                           input behaviour_t behaviour);
        number_t furthest;
        s = s_was;
        furthest = s.ranges != 0 ? s.range_last.stop : s.expected;
        if (is_stale(s, g)) begin
            if (!g.flags[RST]) answer_outside(s, s, g, now, behaviour);
            return 1'b0;
        end
        if (precedes(segment_end(g), s.told) || precedes(latest(s.allowed, s.expected), g.number)) begin
            if (!g.flags[RST]) answer_outside(s, s, g, now, behaviour);
            return 1'b0;
        end
        if (g.flags[RST]) begin
            if (g.number == s.expected || (s.sack && s.ranges != 0 && g.number == furthest))
                finish(s, s, s.state == SYN_RECEIVED && !s.passive ? END_REFUSED : END_RESET);
            else
                challenge(s, s, now);
            return 1'b0;
        end
        return 1'b1;
    endfunction

    // Marks of routers, and the peer's answer to our echoes (RFC 3168 section 6.1.3).
    function automatic void note_marks(output session_t s, input session_t s_was, input segment_t g);
        s = s_was;
        if (s.ecn) begin
            if (g.flags[CWR] && g.length != 0) s.echo_congestion = 1'b0;
            if (g.marked) begin
                if (!s.echo_congestion) enter_quick(s, s, 8'd2);
                s.echo_congestion = 1'b1;
            end
        end
    endfunction

    // Data has come: how it comes decides how long acknowledgements may wait.
    function automatic void note_data(output session_t s, input session_t s_was, input segment_t g, input instant_t now,
                                      input behaviour_t behaviour);
        span_t delay, timeout;
        instant_t elapsed;
        s = s_was;
        delay = behaviour.delayed_ack;
        timeout = retransmission_timeout(s);
        elapsed = since(now, s.last_data);
        if (g.length >= s.peer_segment) s.peer_segment = g.length < s.most_mss ? g.length : s.most_mss;
        s.ack_scheduled = 1'b1;
        if (s.pause == 0) begin
            enter_quick(s, s, MOST_QUICK);
            s.pause = delay;
        end else if (elapsed <= instant_t'(delay[37:1])) begin
            s.pause = (s.pause >> 1) + (delay >> 1);
        end else if (elapsed < instant_t'(s.pause)) begin
            s.pause = lesser_span((s.pause >> 1) + span_t'(elapsed), timeout);
        end else if (elapsed > instant_t'(timeout)) begin
            enter_quick(s, s, MOST_QUICK);
        end
        s.last_data = now;
    endfunction

    // Decides when what has come is acknowledged (RFC 5681 section 4.2, RFC 9293 section 3.8.6.3).
    function automatic void schedule_acknowledgement(output session_t s, input session_t s_was, input logic filled,
                                                     input instant_t now,
                                                     input behaviour_t behaviour);
        s = s_was;
        if (s.ack_now == 0) begin
            if (filled || s.expected - s.told > 32'(s.peer_segment) || (s.quick != 0 && !s.interactive)
                || s.ranges != 0)
                acknowledge_now(s, s);
            else if (!s.acknowledge_at.on)
                s.acknowledge_at = '{on: 1'b1, at: now + instant_t'(lesser_span(s.pause, behaviour.delayed_ack))};
        end
    endfunction

    // The peer's FIN has come in order.
    function automatic void receive_fin(output session_t s, input session_t s_was, input instant_t now,
                                        input behaviour_t behaviour);
        s = s_was;
        s.peer_fin = 1'b1;
        s.events.peer_closed = 1'b1;
        s.ack_scheduled = 1'b1;
        case (s.state)
            ESTABLISHED: begin
                s.state = CLOSE_WAIT;
                s.interactive = 1'b1;
            end
            FIN_WAIT_1: begin
                s.state = CLOSING;
                acknowledge_now(s, s);
            end
            FIN_WAIT_2: begin
                acknowledge_now(s, s);
                enter_time_wait(s, s, now, behaviour);
            end
            default: ;
        endcase
    endfunction

    // Our FIN may be acknowledged now.
    function automatic void follow_fin(output session_t s, input session_t s_was, input instant_t now,
                                       input behaviour_t behaviour);
        s = s_was;
        if (s.fin_sent && s.acknowledged == s.next) begin
            case (s.state)
                FIN_WAIT_1: begin
                    s.state = FIN_WAIT_2;
                    await_fin(s, s, now, behaviour);
                end
                CLOSING: enter_time_wait(s, s, now, behaviour);
                LAST_ACK: finish(s, s, END_CLOSED);
                default: ;
            endcase
        end
    endfunction

    // The ranges that changed last, the latest first: those that `drop` names leave, and with `add` one comes in front.
    function automatic void keep_recent(output session_t s, input session_t s_was, input logic [3:0] drop,
                                        input logic add, input block_t block);
        block_t [3:0] kept;
        logic [2:0] count;
        s = s_was;
        kept = '0;
        count = 0;
        if (add) begin
            kept[0] = block;
            count = 3'd1;
        end
        for (int place = 0; place < 4; place++) begin
            if (3'(place) < s.recents && !drop[place] && count < 3'd4) begin
                kept[count[1:0]] = s.recent[place];
                count += 3'd1;
            end
        end
        s.recent = kept;
        s.recents = count;
    endfunction

    // Ranges in front of what is expected are no news any more.
    function automatic void forget_recent(output session_t s, input session_t s_was);
        logic [3:0] drop;
        s = s_was;
        for (int place = 0; place < 4; place++) drop[place] = !precedes(s.expected, s.recent[place].start);
        keep_recent(s, s, drop, 1'b0, '0);
    endfunction

    // This range has changed last.
    function automatic void report_range(output session_t s, input session_t s_was, input block_t block);
        logic [3:0] drop;
        s = s_was;
        for (int place = 0; place < 4; place++)
            drop[place] = !precedes(s.recent[place].start, block.start) && !precedes(block.stop, s.recent[place].stop);
        keep_recent(s, s, drop, 1'b1, block);
    endfunction

    // The window that a segment tells now; the edge moves with it, never back (RFC 9293 section 3.8.6.2.2).
    function automatic logic [15:0] tell_window(output session_t s, input session_t s_was, input behaviour_t behaviour);
        number_t size, readable, free, current, step, window, units, most;
        s = s_was;
        s.told = s.expected;
        size = behaviour.published ? 32'd65_536 << s.own_scale : buffer_size(behaviour);
        readable = s.expected - s.read;
        free = readable < size ? size - readable : 32'd0;
        current = beyond(s.allowed, s.expected);
        step = lesser(32'(s.most_mss), size >> 1);
        most = 32'hffff;
        window = 33'(free) >= 33'(current) + 33'(step) || free == size ? free : current;
        if (window <= current) units = (window + (32'd1 << s.own_scale) - 32'd1) >> s.own_scale;
        else units = window >> s.own_scale;
        units = lesser(units, most);
        s.allowed = latest(s.allowed, s.expected + (units << s.own_scale));
        return units[15:0];
    endfunction

    // A segment of a synchronised connection, which acknowledges all that has come: `fin` and `psh`, and CWR if
    // `reduced`; `length` bytes of data from `start` on. s.next has moved behind them if they are new.
    function automatic departure_t depart_segment(output session_t s, input session_t s_was, input number_t start,
                                                  input number_t length,
                                                  input logic fin, input logic psh, input logic reduced,
                                                  input logic [31:0] clock, input behaviour_t behaviour);
        departure_t d;
        s = s_was;
        d = '0;
        d.on = 1'b1;
        d.number = start;
        d.length = length[13:0];
        d.flags[ACK] = 1'b1;
        d.flags[FIN] = fin;
        d.flags[PSH] = psh;
        d.flags[CWR] = reduced;
        d.flags[ECE] = s.echo_congestion;
        if (s.timestamps) begin
            d.options.timestamps = 1'b1;
            d.options.value = clock + s.timestamp_offset;
            d.options.echo = s.recent_timestamp;
        end
        if (s.sack && (s.duplicate.on || s.ranges != 0) && length == 0) begin
            if (s.duplicate.on) begin
                d.options.blocks = {s.recent[2:0], s.duplicate.block};
                d.options.count = s.recents == 3'd4 ? 3'd4 : s.recents + 3'd1;
            end else begin
                d.options.blocks = s.recent;
                d.options.count = s.recents;
            end
            // Room for three beside timestamps.
            if (s.timestamps && d.options.count == 3'd4) d.options.count = 3'd3;
            for (int place = 0; place < 4; place++)
                if (3'(place) >= d.options.count) d.options.blocks[place] = '0;
        end
        s.duplicate = '0;
        d.window = tell_window(s, s, behaviour);
        d.acknowledgement = s.expected;
        s.ack_now = 0;
        s.ack_scheduled = 1'b0;
        if (s.quick != 0) s.quick -= 8'd1;
        s.acknowledge_at = '0;
        d.markable = s.ecn && length != 0 && start + length == s.next - 32'(fin);
        return d;
    endfunction

    // verilator lint_on UNUSEDSIGNAL
endpackage
