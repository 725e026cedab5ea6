// What a sender knows of its path: round trips, RACK, the congestion window, and the timers that follow from them.
//
// The transitions of crates/tcp, session/round_trip.rs, rack.rs, congestion.rs and timers.rs, under the same names.
// What divides or looks at many records is in steps of `ww_toe_session`.
package ww_toe_path;

    import ww_toe_types::*;

    // Functions take whole records and look at some of their fields.
    // verilator lint_off UNUSEDSIGNAL

    // Takes a round trip (RFC 6298, with Linux's variance). Doublings of the timeout end.
    function automatic void measure(output session_t s, input session_t s_was, input span_t round_trip,
                                    input span_t floor);
        scaled_t sample, mean, error, deviation, timeout;
        s = s_was;
        sample = round_trip == 0 ? 42'd1 : scaled_t'(round_trip);
        mean = s.mean_8 >> 3;
        deviation = s.deviation_4 >> 2;
        if (s.mean_8 == 0) begin
            s.mean_8 = sample << 3;
            s.deviation_4 = sample << 1;
            s.variance_4 = s.deviation_4 > scaled_t'(floor) ? s.deviation_4 : scaled_t'(floor);
            s.largest_4 = s.variance_4;
            s.round_ends = s.next;
        end else begin
            if (sample >= mean) begin
                error = sample - mean;
                s.mean_8 += error;
                s.deviation_4 = s.deviation_4 - deviation + error;
            end else begin
                error = mean - sample;
                s.mean_8 -= error;
                if (error > deviation) s.deviation_4 += (error - deviation) >> 3;
                else s.deviation_4 -= deviation - error;
            end
            if (s.deviation_4 > s.largest_4) begin
                s.largest_4 = s.deviation_4;
                if (s.variance_4 < s.largest_4) s.variance_4 = s.largest_4;
            end
            if (precedes(s.round_ends, s.acknowledged)) begin
                if (s.largest_4 < s.variance_4) s.variance_4 -= (s.variance_4 - s.largest_4) >> 2;
                s.round_ends = s.next;
                s.largest_4 = scaled_t'(floor);
            end
        end
        if (s.mean_8 < 42'd8) s.mean_8 = 42'd8;
        timeout = (s.mean_8 >> 3) + s.variance_4;
        s.timeout = timeout > scaled_t'(LONGEST) ? LONGEST : span_t'(timeout);
        s.doublings = 0;
    endfunction

    function automatic void note_least(output session_t s, input session_t s_was, input span_t round_trip);
        span_t sample;
        s = s_was;
        sample = round_trip == 0 ? 38'd1 : round_trip;
        if (!s.least_on || sample < s.least) s.least = sample;
        s.least_on = 1'b1;
    endfunction

    // `span` doubled `times` times (16 at most), at most two minutes.
    function automatic span_t doubled(input span_t span, input logic [7:0] times);
        logic [53:0] long;
        long = 54'(span) << (times > 8'd16 ? 5'd16 : times[4:0]);
        return long > 54'(LONGEST) ? LONGEST : span_t'(long);
    endfunction

    function automatic span_t retransmission_timeout(input session_t s);
        return doubled(s.timeout, s.doublings);
    endfunction

    function automatic span_t smoothed(input session_t s);
        return span_t'(s.mean_8 >> 3);
    endfunction

    // RACK (RFC 8985).

    // Whether the first of two segments was sent before the second.
    function automatic logic sent_before(input instant_t sent_a, input number_t end_a, input instant_t sent_b,
                                         input number_t end_b);
        return sent_a < sent_b || (sent_a == sent_b && precedes(end_a, end_b));
    endfunction

    // A segment has arrived.
    function automatic void rack_arrived(output session_t s, input session_t s_was, input instant_t now,
                                         input record_t r);
        instant_t round_trip;
        s = s_was;
        round_trip = since(now, r.sent);
        if (!(r.ever_resent && s.least_on && round_trip < instant_t'(s.least))) begin
            s.rack_round_trip = round_trip;
            if (sent_before(s.rack_sent, s.rack_end, r.sent, r.stop)) begin
                s.rack_sent = r.sent;
                s.rack_end = r.stop;
            end
        end
    endfunction

    function automatic void rack_adapt(output session_t s, input session_t s_was);
        s = s_was;
        if (s.rack_round_ends.on && !precedes(s.acknowledged, s.rack_round_ends.number)) s.rack_round_ends = '0;
        if (s.duplicate_seen && !s.rack_round_ends.on) begin
            s.rack_round_ends = '{on: 1'b1, number: s.next};
            if (s.quarters != 8'hff) s.quarters += 8'd1;
            s.persistence = 5'd16;
        end else if (s.persistence == 0) begin
            s.quarters = 8'd1;
        end
        s.duplicate_seen = 1'b0;
    endfunction

    function automatic void rack_recovered(output session_t s, input session_t s_was);
        s = s_was;
        if (s.persistence != 0) s.persistence -= 5'd1;
    endfunction

    // How long after its turn a segment is waited for.
    function automatic span_t reordering_window(input session_t s);
        logic [45:0] quarters;
        quarters = (s.least_on ? 46'(s.least[37:2]) : 46'd0) * 46'(s.quarters);
        if (!s.reordered && (s.phase >= RECOVERY || s.sacked >= s.reordering)) return '0;
        return quarters > 46'(smoothed(s)) ? smoothed(s) : span_t'(quarters);
    endfunction

    // Congestion (RFC 5681, RFC 6582, RFC 6937).

    function automatic count_t half_window(input session_t s);
        return (s.congestion_window >> 1) > 20'd2 ? s.congestion_window >> 1 : 20'd2;
    endfunction

    function automatic logic reduces(input session_t s);
        return s.phase == REDUCTION || s.phase == RECOVERY;
    endfunction

    function automatic count_t in_flight(input session_t s);
        count_t up, down;
        up = s.out + s.resent;
        down = s.sacked + s.lost;
        return up > down ? up - down : 20'd0;
    endfunction

    function automatic logic in_slow_start(input session_t s);
        return s.congestion_window < s.threshold;
    endfunction

    function automatic logic window_limits(input session_t s);
        return in_slow_start(s) ? 21'(s.congestion_window) < {s.most_out, 1'b0} : s.limited;
    endfunction

    function automatic void note_usage(output session_t s, input session_t s_was);
        logic now_limited;
        s = s_was;
        now_limited = in_flight(s) >= s.congestion_window;
        if (!precedes(s.acknowledged, s.usage_ends) || now_limited || (!s.limited && s.out > s.most_out)) begin
            s.limited = now_limited;
            s.most_out = s.out;
            s.usage_ends = s.next;
        end
    endfunction

    function automatic void begin_reduction(output session_t s, input session_t s_was);
        s = s_was;
        s.high = s.next;
        s.credit = 0;
        s.prior = 1'b1;
        s.prior_window = s.congestion_window;
        s.prior_threshold = s.threshold;
        s.delivered = 0;
        s.departed = 0;
        s.threshold = half_window(s);
    endfunction

    function automatic void end_reduction(output session_t s, input session_t s_was);
        s = s_was;
        if (s.threshold != UNBOUNDED && (s.undo_marker.on || s.phase == REDUCTION)) s.congestion_window = s.threshold;
    endfunction

    function automatic void congestion_undo(output session_t s, input session_t s_was);
        s = s_was;
        if (s.prior) begin
            if (s.congestion_window < s.prior_window) s.congestion_window = s.prior_window;
            if (s.threshold < s.prior_threshold) s.threshold = s.prior_threshold;
        end
        s.undo_marker = '0;
    endfunction

    function automatic void begin_undo(output session_t s, input session_t s_was);
        s = s_was;
        s.undo_marker = '{on: 1'b1, number: s.acknowledged};
        s.undo_counts = s.resent != 0;
        s.undo_count = s.resent;
    endfunction

    function automatic logic answer_is_to_first(input session_t s);
        return s.resent_at.on && s.echo_on && precedes(s.echo, s.resent_at.number);
    endfunction

    function automatic logic all_resent_came_twice(input session_t s);
        return s.undo_counts && s.undo_count == 0;
    endfunction

    function automatic logic may_undo(input session_t s);
        return s.undo_marker.on && (all_resent_came_twice(s) || answer_is_to_first(s));
    endfunction

    // Segments are lost: they are sent again while the window shrinks.
    function automatic void enter_recovery(output session_t s, input session_t s_was);
        s = s_was;
        begin_undo(s, s);
        if (!reduces(s)) begin_reduction(s, s);
        s.probing = 1'b0;
        if (s.ecn) s.tell_reduced = 1'b1;
        s.phase = RECOVERY;
    endfunction

    function automatic void keep_open(output session_t s, input session_t s_was, input logic first_resent);
        phase_t phase;
        s = s_was;
        phase = (s.sacked + s.lost != 0) || s.resent != 0 || first_resent ? DISORDER : OPEN;
        if (s.phase != phase) begin
            s.phase = phase;
            s.high = s.next;
        end
    endfunction

    function automatic void try_open(output session_t s, input session_t s_was, input logic marked,
                                     input logic first_resent);
        s = s_was;
        if (marked && s.phase < REDUCTION) begin
            s.undo_marker = '0;
            begin_reduction(s, s);
            s.phase = REDUCTION;
            s.tell_reduced = 1'b1;
        end
        if (s.phase != REDUCTION) keep_open(s, s, first_resent);
    endfunction

    function automatic void reopen(output session_t s, input session_t s_was, input logic first_resent);
        s = s_was;
        s.phase = DISORDER;
        keep_open(s, s, first_resent);
    endfunction

    // The end of a recovery. True: without SACK it is held until more is acknowledged.
    function automatic logic try_undo_recovery(output session_t s, input session_t s_was);
        s = s_was;
        if (may_undo(s)) congestion_undo(s, s);
        else rack_recovered(s, s);
        if (s.acknowledged == s.high && !s.sack) return 1'b1;
        s.phase = OPEN;
        return 1'b0;
    endfunction

    function automatic logic try_undo_duplicates(output session_t s, input session_t s_was, input logic first_resent);
        s = s_was;
        if (s.undo_marker.on && all_resent_came_twice(s)) begin
            congestion_undo(s, s);
            if (s.phase != OPEN) reopen(s, s, first_resent);
            return 1'b1;
        end
        return 1'b0;
    endfunction

    // A duplicate acknowledgement without SACK.
    function automatic void count_duplicate(output session_t s, input session_t s_was);
        s = s_was;
        if (s.sacked + (s.lost == 0 ? 20'd1 : s.lost) < s.out) s.sacked += 20'd1;
    endfunction

    // Timers.

    // The time until the first segment's timeout; 1 ns if that has passed.
    function automatic instant_t left_of_timeout(input session_t s, input record_t front, input instant_t now);
        instant_t due;
        due = (s.out == 0 ? now : front.sent) + instant_t'(retransmission_timeout(s));
        return due > now ? due - now : 48'd1;
    endfunction

    function automatic void arm_timeout(output session_t s, input session_t s_was, input record_t front,
                                        input instant_t now);
        s = s_was;
        if (s.out == 0) begin
            s.awaits = NOTHING;
        end else begin
            s.retransmit_at = now + (s.awaits == TAIL || s.awaits == REORDERED
                ? left_of_timeout(s, front, now) : instant_t'(retransmission_timeout(s)));
            s.awaits = TIMEOUT;
        end
    endfunction

    // Arms the probe of the tail (RFC 8985 section 7.2) and says whether there is one to be probed.
    function automatic logic arm_probe(output session_t s, input session_t s_was, input record_t front,
                                       input instant_t now,
                                       input logic advancing, input behaviour_t behaviour);
        instant_t pause, timeout;
        span_t mean, slack;
        s = s_was;
        if (!(behaviour.tail_probe && s.sack && s.out != 0 && is_synchronised(s.state)
              && (s.phase == OPEN || s.phase == REDUCTION))) return 1'b0;
        mean = smoothed(s);
        slack = s.out == 20'd1 ? behaviour.rto_min : lesser_span(mean, MILLISECOND << 1);
        pause = s.mean_8 == 0 ? instant_t'(SECOND) : (instant_t'(mean) << 1) + instant_t'(slack);
        timeout = advancing ? instant_t'(retransmission_timeout(s)) : left_of_timeout(s, front, now);
        s.retransmit_at = now + (pause < timeout ? pause : timeout);
        s.awaits = TAIL;
        return 1'b1;
    endfunction

    // How long the next probe of a closed window is away.
    function automatic span_t window_pause(input session_t s, input behaviour_t behaviour);
        span_t timeout;
        timeout = retransmission_timeout(s);
        return doubled(timeout < behaviour.rto_min ? behaviour.rto_min : timeout, s.window_doublings);
    endfunction

    function automatic void arm_window_probe(output session_t s, input session_t s_was, input instant_t now,
                                             input behaviour_t behaviour);
        s = s_was;
        if (s.awaits != WINDOW) begin
            s.retransmit_at = now + instant_t'(window_pause(s, behaviour));
            s.awaits = WINDOW;
        end
    endfunction

    function automatic void begin_keep_alive(output session_t s, input session_t s_was, input instant_t now);
        s = s_was;
        if (s.keep_alive.on && is_synchronised(s.state)) s.keep_alive_at = '{on: 1'b1, at: now + s.keep_alive.idle};
    endfunction

    // After our FIN is acknowledged and nobody reads, the peer has so long to close.
    function automatic void await_fin(output session_t s, input session_t s_was, input instant_t now,
                                      input behaviour_t behaviour);
        s = s_was;
        if (s.abandoned) s.linger_at = '{on: 1'b1, at: now + behaviour.time_wait};
    endfunction

    function automatic void enter_time_wait(output session_t s, input session_t s_was, input instant_t now,
                                            input behaviour_t behaviour);
        s = s_was;
        s.state = TIME_WAIT;
        s.awaits = NOTHING;
        s.keep_alive_at = '0;
        s.linger_at = '{on: 1'b1, at: now + behaviour.time_wait};
    endfunction

    // It is over: nothing is kept but why.
    function automatic void finish(output session_t s, input session_t s_was, input ended_t why);
        s = s_was;
        s.state = CLOSED;
        s.out = 0;
        s.sacked = 0;
        s.lost = 0;
        s.resent = 0;
        s.cursor = 0;
        s.furthest = '0;
        s.awaits = NOTHING;
        s.acknowledge_at = '0;
        s.linger_at = '0;
        s.keep_alive_at = '0;
        s.force_first = 1'b0;
        s.force_tail = 1'b0;
        s.force_window = 1'b0;
        s.force_keep_alive = 1'b0;
        s.ack_now = 0;
        s.ack_scheduled = 1'b0;
        s.events.ended = why;
    endfunction

    // verilator lint_on UNUSEDSIGNAL
endpackage
