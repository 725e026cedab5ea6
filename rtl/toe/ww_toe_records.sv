// Loops over the records of what is on its way: a record a clock.
//
// Part of `ww_toe_session`, which calls each in the clocks of its steps.
package ww_toe_records;

    import ww_toe_types::*;
    import ww_toe_path::*;
    import ww_toe_answers::*;
    import ww_toe_steps::*;

    // Functions take whole records and look at some of their fields.
    // verilator lint_off UNUSEDSIGNAL

    // Blocks of SACK: the first record of one is found by bisection, then come those within it.
    function automatic void look_for_block(output session_t s, input session_t s_was, output work_t w,
                                           input work_t w_was, output memory_t m, input memory_t m_was,
                                           output record_t front, input record_t front_was, input record_t record_q,
                                           input segment_t g, input instant_t now);
        block_t one;
        record_t record;
        s = s_was;
        w = w_was;
        m = m_was;
        front = front_was;
        one = g.options.blocks[w.block[1:0]];
        record = record_q;
        if (w.step == SEARCH) begin
            if (precedes(one.start, record_q.stop)) w.top = w.place;
            else w.low = w.place + 20'd1;
            w.place = (w.low + w.top) >> 1;
            m.record_read = w.place[15:0];
            if (w.low >= w.top) w.step = BLOCK_WALK;
        end else if (w.step == BLOCK_WALK) begin
            if (w.place >= s.out || precedes(one.stop, record.stop)) begin
                w.block += 3'd1;
                w.step = BLOCK;
            end else begin
                if (!precedes(record.start, one.start) && !record.sacked) begin
                    take_sacked(s, s, w, w, record, record, now);
                    m.record_write = 1'b1;
                    m.record_place = w.place;
                    m.record = record;
                    if (w.place == 0) front = record;
                end
                w.place += 20'd1;
                m.record_read = w.place[15:0];
            end
        end else if (w.step == BLOCK) begin
            if (w.block >= g.options.count) begin
                w.step = w.old ? JUDGE : PASS;
                if (w.moved.on && s.furthest.on) begin_note(w, w, s, s, w.moved.number, s.furthest.number, w.step);
                w.moved = '0;
            end else if (s.out != 0 && is_sensible(s, one)) begin
                w.low = 0;
                w.top = s.out;
                w.place = s.out >> 1;
                m.record_read = w.place[15:0];
                w.step = SEARCH;
            end else begin
                w.block += 3'd1;
            end
        end
    endfunction

    // A walk over all records: what `w.walk` says is done with each.
    function automatic void walk(output session_t s, input session_t s_was, output work_t w, input work_t w_was,
                                 output memory_t m, input memory_t m_was, output record_t front,
                                 input record_t front_was, input record_t record_q, input instant_t now);
        record_t record;
        logic turn;
        logic [49:0] due;
        s = s_was;
        w = w_was;
        m = m_was;
        front = front_was;
        record = w.place == 0 ? front : record_q;
        w.step = w.after;
        if (w.place < s.out) begin
            m.record_place = w.place;
            if (w.place + 20'd1 < s.out) w.step = WALK;
            case (w.walk)
                FIND_ALL: begin
                    record.lost = 1'b0;
                    m.record_write = 1'b1;
                end
                LOSE: begin
                    if (w.forget) record.sacked = 1'b0;
                    if (!(w.place != 0 && w.spare && since(now, record.sent) < s.rack_round_trip))
                        void'(lose(s, s, record, record, w.place));
                    m.record_write = 1'b1;
                end
                default: if (!record.sacked && (!record.lost || record.resent)) begin
                    turn = sent_before(record.sent, record.stop, s.rack_sent, s.rack_end);
                    due = 50'(record.sent) + 50'(s.rack_round_trip) + 50'(w.pause);
                    if (!turn) begin
                        // First sendings are in order; only ones that were sent again lie between.
                        if (!record.ever_resent && s.resent == 0) w.step = w.after;
                    end else if (due <= 50'(now)) begin
                        if (lose(s, s, record, record, w.place)) w.news.lost += 20'd1;
                        m.record_write = 1'b1;
                    end else if (due - 50'(now) > w.longest) begin
                        w.longest = due - 50'(now);
                    end
                end
            endcase
            m.record = record;
            if (w.place == 0) front = record;
            w.place += 20'd1;
        end
        if (w.step == WALK) begin
            m.record_read = w.place[15:0];
        end else if (w.walk == DETECT && w.longest != 0) begin
            s.retransmit_at = instant_t'(50'(now) + w.longest + 50'd1000);
            s.awaits = REORDERED;
            w.news.waiting = 1'b1;
        end
    endfunction

    // verilator lint_on UNUSEDSIGNAL
endpackage
