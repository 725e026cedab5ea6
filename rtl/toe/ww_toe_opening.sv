// The beginning of a connection: SYNs, and what both sides agree on.
//
// The transitions of crates/tcp, session/handshake.rs, under the same names.
package ww_toe_opening;

    import ww_toe_types::*;
    import ww_toe_path::*;
    import ww_toe_replies::*;

    // Functions take whole records and look at some of their fields.
    // verilator lint_off UNUSEDSIGNAL

    // Segments that a peer takes which does not say (RFC 9293 section 3.7.1).
    localparam logic [13:0] DEFAULT_MSS = 14'd536;

    // A session before its first segment.
    function automatic session_t begin_session(input request_t r, input state_t state, input behaviour_t behaviour);
        session_t s;
        s = '0;
        s.state = state;
        s.own_port = r.own_port;
        s.peer_ip = r.peer_ip;
        s.peer_port = r.peer_port;
        s.passive = state == SYN_RECEIVED;
        s.most_mss = r.most_mss;
        s.mss = r.most_mss;
        s.own_scale = behaviour.scales ? behaviour.scale : 4'd0;
        s.timestamps = behaviour.timestamps;
        s.sack = behaviour.sack;
        s.nagle = behaviour.nagle;
        s.syn_retries = behaviour.syn_retries;
        s.syn_patience = behaviour.syn_patience;
        s.keep_alive = behaviour.keep_alive;
        s.send_limit = '1;
        s.first = r.first;
        s.acknowledged = r.first;
        s.next = r.first;
        s.kept_from = r.first + 32'd1;
        s.written = r.first + 32'd1;
        s.small_end = r.first;
        s.congestion_window = behaviour.initial_window;
        s.threshold = UNBOUNDED;
        s.high = r.first;
        s.reordering = DUPLICATES;
        s.usage_ends = r.first;
        s.quarters = 8'd1;
        s.timeout = SECOND;
        s.peer_segment = r.most_mss < DEFAULT_MSS ? r.most_mss : DEFAULT_MSS;
        s.timestamp_offset = r.timestamp_offset;
        return s;
    endfunction

    // Takes over what the peer's SYN says. What it does not have is left out from now on.
    function automatic void agree(output session_t s, input session_t s_was, input segment_t syn, input instant_t now,
                                  input behaviour_t behaviour);
        logic [3:0] least;
        logic [15:0] mss;
        s = s_was;
        s.peer_scales = syn.options.scale_on;
        least = behaviour.scale < syn.options.scale ? behaviour.scale : syn.options.scale;
        if (behaviour.scales && syn.options.scale_on) begin
            s.own_scale = behaviour.published ? least : behaviour.scale;
            s.peer_scale = behaviour.published ? least : syn.options.scale;
        end else begin
            s.own_scale = 4'd0;
            s.peer_scale = 4'd0;
        end
        s.sack &= syn.options.sack_permitted;
        s.timestamps &= syn.options.timestamps;
        if (s.timestamps) begin
            s.recent_timestamp = syn.options.value;
            s.recent_timestamp_at = now;
        end
        mss = syn.options.mss_on ? syn.options.mss : 16'(DEFAULT_MSS);
        s.mss = mss < 16'(s.most_mss) ? mss[13:0] : s.most_mss;
        if (s.timestamps) s.mss = s.mss > 14'd12 ? s.mss - 14'd12 : 14'd1;
        if (s.mss < s.peer_segment) s.peer_segment = s.mss;
        s.read = syn.number + 32'd1;
        s.expected = s.read;
        s.fin = '0;
        s.ranges = 0;
        s.recents = 0;
        s.allowed = s.read;
        s.told = s.read;
        // The window of a SYN is never scaled (RFC 7323 section 2.2).
        s.window = 32'(syn.window);
        s.window_told = syn.number;
        s.largest_window = s.window;
        s.last_arrival = now;
    endfunction

    // Answers the SYN of a peer.
    function automatic session_t accept_syn(input request_t r, input instant_t now, input behaviour_t behaviour);
        session_t s;
        s = begin_session(r, SYN_RECEIVED, behaviour);
        agree(s, s, r.segment, now, behaviour);
        s.ecn = r.segment.flags[ECE] && r.segment.flags[CWR] && behaviour.ecn != 2'd0;
        return s;
    endfunction

    // A connection whose SYN was answered with a cookie.
    function automatic session_t redeem_cookie(input request_t r, input instant_t now, input behaviour_t behaviour);
        session_t s;
        s = begin_session(r, SYN_RECEIVED, behaviour);
        s.timestamps = 1'b0;
        agree(s, s, r.segment, now, behaviour);
        s.next = s.first + 32'd1;
        s.acknowledged = s.next;
        s.allowed = s.expected + lesser(buffer_size(behaviour), 32'hffff);
        return s;
    endfunction

    // A round trip by the peer's echo of our clock, in steps of a millisecond.
    function automatic logic echoed_round_trip(input session_t s, input logic [31:0] clock, output span_t round_trip);
        number_t milliseconds;
        logic [51:0] long;
        milliseconds = clock + s.timestamp_offset - s.echo;
        long = 52'(milliseconds == 0 ? 32'd1 : milliseconds) * 52'(MILLISECOND);
        round_trip = long > 52'(LONGEST) ? LONGEST : span_t'(long);
        return s.echo_on && s.echo != 0 && !milliseconds[31];
    endfunction

    // Our SYN is acknowledged.
    function automatic void establish(output session_t s, input session_t s_was, input record_t front,
                                      input segment_t g, input instant_t now,
                                      input logic [31:0] clock, input behaviour_t behaviour);
        logic echoed;
        span_t by_echo, sample;
        s = s_was;
        s.state = ESTABLISHED;
        s.events.opened = 1'b1;
        s.events.writable = 1'b1;
        s.force_first = 1'b0;
        s.acknowledged = g.acknowledgement;
        if (s.out != 0 && !precedes(s.acknowledged, front.stop)) begin
            s.out -= 20'd1;
            s.head += 16'd1;
            if (s.cursor != 0) s.cursor -= 20'd1;
            if (front.lost) s.lost -= 20'd1;
            if (front.resent) s.resent -= 20'd1;
            echoed = echoed_round_trip(s, clock, by_echo);
            sample = front.ever_resent ? by_echo : bounded(now - front.sent);
            if (!front.ever_resent || echoed) begin
                note_least(s, s, sample);
                measure(s, s, sample, behaviour.rto_min);
            end
            s.doublings = 0;
            if (s.timeouts > 8'd1 || (s.timeouts != 0 && !echoed)) s.congestion_window = 20'd1;
        end
        s.timeouts = 0;
        s.awaits = NOTHING;
        begin_keep_alive(s, s, now);
    endfunction

    // A segment for a connection that we are opening (RFC 9293 section 3.10.7.3).
    function automatic reset_t arrive_at_opening(output session_t s, input session_t s_was, input record_t front,
                                                 input segment_t g,
                                                 input instant_t now, input logic [31:0] clock,
                                                 input behaviour_t behaviour);
        s = s_was;
        if (g.flags[ACK]) begin
            if (!precedes(s.first, g.acknowledgement) || precedes(s.next, g.acknowledgement))
                return reset_answering(g);
            if (g.flags[RST]) begin
                finish(s, s, END_REFUSED);
                return '0;
            end
        end
        if (g.flags[RST] || !g.flags[SYN]) return '0;
        agree(s, s, g, now, behaviour);
        if (!g.flags[ACK]) begin
            // Both have opened at once.
            s.state = SYN_RECEIVED;
            s.ecn = g.flags[ECE] && g.flags[CWR] && behaviour.ecn != 2'd0;
            s.force_first = 1'b1;
            return '0;
        end
        s.ecn = behaviour.ecn == 2'd2 && g.flags[ECE] && !g.flags[CWR];
        s.echo_on = g.options.timestamps;
        s.echo = g.options.echo;
        establish(s, s, front, g, now, clock, behaviour);
        s.ack_now = 7'd1;
        s.quick = 8'd16;
        s.pause = behaviour.delayed_ack;
        return '0;
    endfunction

    // Our SYN or SYN-ACK; `again`: it has been sent.
    function automatic departure_t depart_syn(output session_t s, input session_t s_was, input logic again,
                                              input logic [31:0] clock,
                                              input behaviour_t behaviour);
        departure_t d;
        logic answering;
        s = s_was;
        answering = s.state == SYN_RECEIVED;
        d = '0;
        d.on = 1'b1;
        d.number = s.first;
        d.acknowledgement = answering ? s.expected : 32'd0;
        d.flags[SYN] = 1'b1;
        d.flags[ACK] = answering;
        // Asked once: who does not understand it may drop it (RFC 3168 section 6.1.1.1).
        d.flags[ECE] = answering ? s.ecn : behaviour.ecn == 2'd2 && !again;
        d.flags[CWR] = !answering && behaviour.ecn == 2'd2 && !again;
        d.window = 16'(lesser(buffer_size(behaviour), 32'hffff));
        if (answering) begin
            s.allowed = s.expected + 32'(d.window);
            s.told = s.expected;
        end
        d.options.mss_on = 1'b1;
        d.options.mss = 16'(s.most_mss);
        d.options.scale_on = behaviour.scales && (!answering || s.peer_scales);
        d.options.scale = d.options.scale_on ? behaviour.scale : 4'd0;
        d.options.sack_permitted = s.sack;
        d.options.timestamps = s.timestamps;
        if (s.timestamps) begin
            d.options.value = clock + s.timestamp_offset;
            d.options.echo = answering ? s.recent_timestamp : 32'd0;
        end
        return d;
    endfunction

    // verilator lint_on UNUSEDSIGNAL
endpackage
