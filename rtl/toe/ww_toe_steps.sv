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

    // What a clock does with the memories, by place in the session. What is read shows in the next clock.
    typedef struct packed {
        logic        record_write;
        logic [15:0] record_read;
        count_t      record_place;
        record_t     record;
        logic        range_write;
        logic [6:0]  range_read;
        logic [6:0]  range_place;
        block_t      range;
        logic        mark_write;
        logic [15:0] mark_place;
        number_t     mark;
    } memory_t;

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

    // verilator lint_on UNUSEDSIGNAL
endpackage
