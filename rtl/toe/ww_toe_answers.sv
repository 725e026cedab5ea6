// What an acknowledgement changes at the sender, as far as no loop over records is needed.
//
// The transitions of crates/tcp, session/acknowledgements.rs, under the same names.
package ww_toe_answers;

    import ww_toe_types::*;
    import ww_toe_path::*;
    import ww_toe_replies::*;
    import ww_toe_opening::*;

    // Functions take whole records and look at some of their fields.
    // verilator lint_off UNUSEDSIGNAL

    // What an acknowledgement has brought: see `News` in crates/tcp.
    typedef struct packed {
        logic   advanced;
        logic   data_acknowledged;
        logic   sacked;
        logic   original;
        logic   duplicate;
        logic   window;
        logic   data;
        logic   lost_again;
        count_t delivered;
        count_t passed;
        count_t lost;
        logic   waiting;
        optional_instant_t first_sent;
        optional_instant_t last_sent;
        optional_instant_t sacked_sent;
    } news_t;

    // Bytes that wait to be sent for the first time.
    function automatic number_t unsent(input session_t s);
        if (s.state == SYN_SENT || s.state == SYN_RECEIVED) return s.written - s.kept_from;
        return beyond(s.written, s.next);
    endfunction

    // The most payload that a segment has now: never more than half of the largest window that the peer has had.
    function automatic number_t segment_size(input session_t s);
        number_t most;
        most = s.largest_window > 32'd536 ? s.largest_window >> 1 : s.largest_window;
        return lesser(32'(s.mss), greater(most, 32'd28));
    endfunction

    function automatic logic fin_due(input session_t s);
        return s.closed && !s.fin_sent && may_send(s.state);
    endfunction

    // Whether a segment may be due.
    function automatic logic is_due(input session_t s);
        // Also if it was reset before its first segment left.
        if (s.state == CLOSED) return s.force_reset;
        return s.force_reset || s.force_first || s.force_tail || s.force_window || s.force_keep_alive || s.ack_now != 0
            || (s.out == 0 && s.next == s.first) || unsent(s) != 0 || fin_due(s)
            || (s.lost > s.resent && s.phase >= RECOVERY);
    endfunction

    // When the first of the timers is due.
    function automatic optional_instant_t wakes(input session_t s);
        optional_instant_t first;
        first = '{on: s.awaits != NOTHING, at: s.retransmit_at};
        if (s.acknowledge_at.on && (!first.on || s.acknowledge_at.at < first.at)) first = s.acknowledge_at;
        if (s.linger_at.on && (!first.on || s.linger_at.at < first.at)) first = s.linger_at;
        if (s.keep_alive_at.on && (!first.on || s.keep_alive_at.at < first.at)) first = s.keep_alive_at;
        return first;
    endfunction

    // The peer's clock, for our echo and for PAWS (RFC 7323 section 4.3).
    function automatic void take_timestamp(output session_t s, input session_t s_was, input segment_t g,
                                           input instant_t now);
        s = s_was;
        if (s.timestamps && g.options.timestamps && !precedes(s.told, g.number)
            && !precedes(g.options.value, s.recent_timestamp)) begin
            s.recent_timestamp = g.options.value;
            s.recent_timestamp_at = now;
        end
    endfunction

    // The peer's window, unless an older segment tells it. Says whether it has changed.
    function automatic logic update_window(output session_t s, input session_t s_was, input segment_t g);
        number_t window;
        logic changed;
        s = s_was;
        window = scaled_window(s, g.window);
        if (!(precedes(s.acknowledged, g.acknowledgement) || precedes(s.window_told, g.number)
              || (g.number == s.window_told && (window > s.window || window == 0)))) return 1'b0;
        s.window_told = g.number;
        changed = s.window != window;
        s.window = window;
        s.largest_window = greater(s.largest_window, window);
        return changed;
    endfunction

    // Nothing is on its way: a probe of the window was answered, or the window has opened.
    function automatic void acknowledge_probe(output session_t s, input session_t s_was, input instant_t now,
                                              input behaviour_t behaviour);
        s = s_was;
        if (unsent(s) == 0 || s.out != 0) begin
            if (s.awaits == WINDOW && unsent(s) == 0) s.awaits = NOTHING;
        end else begin
            s.probes = 0;
            if (s.window >= lesser(unsent(s), segment_size(s))) begin
                s.window_doublings = 0;
                if (s.awaits == WINDOW) s.awaits = NOTHING;
            end else begin
                arm_window_probe(s, s, now, behaviour);
            end
        end
    endfunction

    // Whether the first block reports a duplicate (RFC 2883 section 4).
    function automatic logic is_duplicate(input segment_t g);
        block_t first, second;
        logic below, inside_second;
        first = g.options.blocks[0];
        second = g.options.blocks[1];
        below = precedes(first.start, g.acknowledgement) && !precedes(g.acknowledgement, first.stop);
        inside_second = g.options.count > 3'd1 && !precedes(first.start, second.start)
            && !precedes(second.stop, first.stop);
        return g.options.count != 0 && (below || inside_second) && precedes(first.start, first.stop);
    endfunction

    function automatic void take_duplicate(output session_t s, input session_t s_was, output news_t news,
                                           input news_t news_was, input block_t block);
        number_t memory;
        s = s_was;
        news = news_was;
        memory = greater(s.largest_window, 32'd65_536);
        if (!precedes(block.start, s.acknowledged - memory)) begin
            news.duplicate = 1'b1;
            s.duplicate_seen = 1'b1;
            if (s.undo_marker.on && s.undo_counts && s.undo_count != 0 && !precedes(s.next, block.stop)
                && precedes(s.undo_marker.number, block.stop)) s.undo_count -= 20'd1;
            // A probe of the tail that was not needed is no sign of reordering.
            if (!s.probing && s.undo_marker.on) s.reordered = 1'b1;
        end
    endfunction

    // A block that says something of what is on its way.
    function automatic logic is_sensible(input session_t s, input block_t block);
        return precedes(block.start, block.stop) && !precedes(s.next, block.stop)
            && precedes(s.acknowledged, block.stop) && !precedes(block.start, s.acknowledged);
    endfunction

    // Round trips of what has arrived (RFC 6298 section 3, Karn).
    function automatic void sample(output session_t s, input session_t s_was, input news_t news, input instant_t now,
                                   input logic [31:0] clock,
                                   input behaviour_t behaviour);
        span_t echoed;
        logic by_echo;
        s = s_was;
        by_echo = echoed_round_trip(s, clock, echoed);
        if (news.last_sent.on) note_least(s, s, bounded(now - news.last_sent.at));
        else if (news.sacked_sent.on) note_least(s, s, bounded(now - news.sacked_sent.at));
        if (news.advanced && news.first_sent.on) measure(s, s, bounded(now - news.first_sent.at), behaviour.rto_min);
        else if (news.sacked_sent.on) measure(s, s, bounded(now - news.sacked_sent.at), behaviour.rto_min);
        else if (by_echo && news.advanced) measure(s, s, echoed, behaviour.rto_min);
    endfunction

    // What is known of a probe of the tail (RFC 8985 section 7.4).
    function automatic void judge_probe(output session_t s, input session_t s_was, input news_t news,
                                        input number_t number,
                                        input logic first_resent);
        s = s_was;
        if (s.probing && !precedes(number, s.probe_end)) begin
            if (!s.probe_repeated || news.duplicate) begin
                s.probing = 1'b0;
            end else if (precedes(s.probe_end, number)) begin
                s.probing = 1'b0;
                if (!reduces(s)) begin
                    begin_reduction(s, s);
                    s.phase = REDUCTION;
                    end_reduction(s, s);
                    reopen(s, s, first_resent);
                end
            end else if (!news.advanced && !news.data && !news.window && !news.sacked) begin
                s.probing = 1'b0;
            end
        end
    endfunction

    // A segment that was sent once has arrived.
    function automatic void note_original(output news_t news, input news_t news_was, input instant_t sent);
        news = news_was;
        if (!news.first_sent.on || sent < news.first_sent.at) news.first_sent.at = sent;
        if (!news.last_sent.on || sent > news.last_sent.at) news.last_sent.at = sent;
        news.first_sent.on = 1'b1;
        news.last_sent.on = 1'b1;
    endfunction

    // Whether an acknowledgement says nothing new.
    function automatic logic repeats(input news_t news);
        return !news.advanced && !news.data && !news.window;
    endfunction

    // Whether segments are in doubt.
    function automatic logic is_doubtful(input session_t s, input news_t news, input logic marked);
        return news.sacked || repeats(news) || marked || s.sacked + s.lost != 0 || s.phase != OPEN;
    endfunction

    // Moves snd_una to `number`; `passed` segments are behind it.
    function automatic void move_acknowledged(output session_t s, input session_t s_was, input number_t number,
                                              input count_t passed,
                                              input behaviour_t behaviour);
        number_t kept, doubt;
        count_t others;
        s = s_was;
        if (s.furthest.on && !precedes(number, s.furthest.number)) s.furthest = '0;
        s.acknowledged = number;
        kept = s.written - s.kept_from;
        s.kept_from += lesser(beyond(number, s.kept_from), kept);
        s.events.writable = 1'b1;
        if (!s.sack && !behaviour.published) begin
            doubt = passed == 0 ? 32'd0 : 32'(passed) - 32'd1;
            s.sacked = 32'(s.sacked) > doubt ? s.sacked - count_t'(doubt) : 20'd0;
            others = s.out > s.lost ? s.out - s.lost : 20'd0;
            if (s.sacked > others) s.sacked = others;
        end
    endfunction

    // verilator lint_on UNUSEDSIGNAL
endpackage
