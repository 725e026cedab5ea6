// A segment's data: what of it is kept, and the ranges that wait beyond a hole.
//
// Part of `ww_toe_session`, which calls each in the clocks of its steps.
package ww_toe_ranges;

    import ww_toe_types::*;
    import ww_toe_path::*;
    import ww_toe_replies::*;
    import ww_toe_steps::*;

    // Functions take whole records and look at some of their fields.
    // verilator lint_off UNUSEDSIGNAL

    function automatic logic touches(input block_t x, input block_t y);
        return !precedes(x.stop, y.start) && !precedes(y.stop, x.start);
    endfunction

    // What both have.
    function automatic optional_block_t overlap(input block_t x, input block_t y);
        block_t both;
        both = '{start: latest(x.start, y.start), stop: earliest(x.stop, y.stop)};
        return '{on: precedes(both.start, both.stop), block: both};
    endfunction

    // Where the data belongs: behind all that has come, beyond a hole, or nowhere.
    function automatic void receive(output session_t s, input session_t s_was, output work_t w, input work_t w_was,
                                    output answer_t a, input answer_t a_was, input segment_t g, input instant_t now,
                                    input behaviour_t behaviour);
        block_t one;
        number_t known;
        s = s_was;
        w = w_was;
        a = a_was;
        follow_fin(s, s, now, behaviour);
        w.expected = s.expected;
        w.out_of_order = 1'b0;
        w.filled = 1'b0;
        w.fin = 1'b0;
        w.in_order = 0;
        w.twice = '0;
        w.holes = s.ranges != 0;
        known = beyond(s.allowed, g.number);
        w.room = known < 32'(g.length) ? known[13:0] : g.length;
        w.has_fin = g.flags[FIN] && w.room == g.length;
        w.piece = '{start: g.number, stop: g.number + 32'(w.room) + 32'(w.has_fin)};
        w.step = DONE;
        if (s.state != CLOSED) note_marks(s, s, g);
        if (s.state == CLOSED || (g.length == 0 && !g.flags[FIN])) begin
            // There is none.
        end else if (!may_receive(s.state)) begin
            // The peer has closed: what comes is a repetition, or no sense.
            if (s.peer_fin) acknowledge_now(s, s);
        end else if (s.abandoned && precedes(s.expected, g.number + 32'(g.length))) begin
            // Nobody reads any more, and there is news.
            finish(s, s, END_ABORTED);
            a.reset = reset_answering(g);
        end else begin
            w.step = RECEIVED;
            if (precedes(w.piece.start, s.expected)) begin
                one = '{start: w.piece.start, stop: earliest(w.piece.stop, s.expected)};
                w.twice = '{on: 1'b1, block: one};
            end
            if (precedes(s.expected, w.piece.stop)) begin
                w.out_of_order = precedes(s.expected, w.piece.start);
                if (w.has_fin && !(w.out_of_order && behaviour.published))
                    s.fin = '{on: 1'b1, number: w.piece.stop - 32'd1};
                if (!w.out_of_order) begin
                    known = lesser(beyond(s.expected, w.piece.start), 32'(w.room));
                    a.placement.on = known != 32'(w.room);
                    a.placement.skip = known[13:0];
                    a.placement.length = w.room - known[13:0];
                    a.placement.start = s.expected;
                    s.expected = w.piece.stop;
                    w.step = RANGE_POP;
                end else if (!behaviour.published) begin
                    w.step = KEEP;
                end
            end
        end
    endfunction

    // A range out of order is put among the others, which are in order and do not touch each other.
    function automatic void keep(output session_t s, input session_t s_was, output work_t w, input work_t w_was,
                                 output memory_t m, input memory_t m_was, input block_t range_q,
                                 input behaviour_t behaviour);
        s = s_was;
        w = w_was;
        m = m_was;
        if (w.step == KEEP) begin
            w.kept = s.ranges < behaviour.most_ranges;
            w.whole = w.piece;
            w.range = 0;
            w.range_count = 0;
            if (s.ranges == 0 || precedes(s.range_last.stop, w.piece.start)) begin
                // Behind all others.
                m.range_write = w.kept;
                m.range_place = s.ranges;
                m.range = w.piece;
                if (w.kept) begin
                    s.range_last = w.piece;
                    if (s.ranges == 0) s.range_first = w.piece;
                    s.ranges += 7'd1;
                end
                w.step = KEPT;
            end else if (!precedes(w.piece.start, s.range_last.start)) begin
                // It touches the last one alone.
                w.kept = 1'b1;
                w.twice = overlap(w.piece, s.range_last);
                w.whole = '{start: s.range_last.start, stop: latest(s.range_last.stop, w.piece.stop)};
                s.range_last = w.whole;
                if (s.ranges == 7'd1) s.range_first = w.whole;
                m.range_write = 1'b1;
                m.range_place = s.ranges - 7'd1;
                m.range = w.whole;
                w.step = KEPT;
            end else begin
                w.step = KEEP_SCAN;
                m.range_read = 0;
            end
        end else if (w.step == KEEP_SCAN) begin
            m.range_read = w.range + 7'd1;
            if (touches(range_q, w.piece)) begin
                w.kept = 1'b1;
                w.range_from = w.range;
                w.range_count = 7'd1;
                w.twice = overlap(w.piece, range_q);
                w.whole = '{start: earliest(w.piece.start, range_q.start), stop: latest(w.piece.stop, range_q.stop)};
                w.range += 7'd1;
                w.step = KEEP_MERGE;
            end else if (precedes(w.piece.stop, range_q.start)) begin
                w.range_from = w.range;
                w.range = s.ranges - 7'd1;
                m.range_read = w.range;
                w.step = w.kept ? KEEP_MOVE_UP : KEPT;
            end else begin
                w.range += 7'd1;
            end
        end else if (w.step == KEEP_MERGE) begin
            if (w.range < s.ranges && touches(range_q, w.piece)) begin
                if (!w.twice.on) w.twice = overlap(w.piece, range_q);
                w.whole.stop = latest(w.whole.stop, range_q.stop);
                w.range_count += 7'd1;
                w.range += 7'd1;
            end else begin
                m.range_write = 1'b1;
                m.range_place = w.range_from;
                m.range = w.whole;
                if (w.range_from == 0) s.range_first = w.whole;
                if (w.range == s.ranges) s.range_last = w.whole;
                w.step = w.range == s.ranges || w.range_count == 7'd1 ? KEPT : KEEP_CLOSE;
                if (w.step == KEPT) s.ranges -= w.range_count - 7'd1;
            end
            m.range_read = w.range;
        end else if (w.step == KEEP_CLOSE) begin
            m.range_write = 1'b1;
            m.range_place = w.range - (w.range_count - 7'd1);
            m.range = range_q;
            w.range += 7'd1;
            m.range_read = w.range;
            if (w.range == s.ranges) begin
                s.ranges -= w.range_count - 7'd1;
                w.step = KEPT;
            end
        end else if (w.step == KEEP_MOVE_UP) begin
            // The last place is above all; then down to the one that becomes free, and into it.
            m.range_write = 1'b1;
            m.range_place = w.range + 7'd1;
            m.range = range_q;
            if (w.kept && w.range == w.range_from) begin
                w.kept = 1'b0;
            end else if (w.kept) begin
                w.range -= 7'd1;
            end else begin
                m.range_place = w.range_from;
                m.range = w.piece;
                if (w.range_from == 0) s.range_first = w.piece;
                s.ranges += 7'd1;
                w.kept = 1'b1;
                w.step = KEPT;
            end
            m.range_read = w.range;
        end
    endfunction

    // verilator lint_on UNUSEDSIGNAL
endpackage
