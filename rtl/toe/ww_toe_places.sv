// What the engine remembers of a place, and how answers and news change it; cookies; what has no session.
//
// Source: crates/tcp, engine/places.rs and engine/cookie.rs.
package ww_toe_places;

    import ww_toe_types::*;
    import ww_toe_engine_types::*;

    // Functions take whole records and look at some of their fields.
    // verilator lint_off UNUSEDSIGNAL
    // verilator lint_off UNUSEDPARAM
    // Ports that connections of our own take, as Linux has them.
    localparam logic [15:0] FIRST_PORT = 16'd32768;
    localparam logic [15:0] LAST_PORT = 16'd60999;
    // Our numbers in a connection that takes the place of one that waits begin so far behind that one's.
    localparam number_t RENEWED_STEP = 32'd65537;
    // Stands for no window scale in a cookie.
    localparam logic [3:0] NO_SCALE = 4'd15;
    // verilator lint_on UNUSEDPARAM

    // A session takes the place.
    function automatic place_t begun(input place_t was, input connection_t connection, input logic passive);
        place_t p;
        p = '0;
        p.used = 1'b1;
        p.generation = was.generation;
        p.ready = was.ready;
        p.queued = was.queued;
        p.connection = connection;
        p.passive = passive;
        return p;
    endfunction

    // After anything has happened to the session. `asked`: it was asked what to send, `sent`: and it had something.
    function automatic place_t followed_up(input place_t was, input answer_t answer, input logic asked,
                                           input logic sent);
        place_t p;
        logic silent;
        p = was;
        p.used = 1'b1;
        p.due = answer.due;
        p.state = answer.state;
        p.expected = answer.expected;
        p.next = answer.next;
        // For the application it is over when it only waits for late segments.
        if (answer.state == TIME_WAIT) p.opened = 1'b0;
        if (answer.events.opened && !was.was_open) p.opened = 1'b1;
        if (answer.events.ended != NO_END) p.opened = 1'b0;
        p.was_open = was.was_open || answer.events.opened;
        // A connection that never opened on a port that listens is no news.
        silent = answer.events.ended != NO_END && was.passive && !p.was_open;
        p.end_told = was.end_told || silent;
        if (answer.events != '0 && !silent) begin
            p.news = was.news_on ? merged(was.news, answer.events) : answer.events;
            p.news_on = 1'b1;
            p.queued = 1'b1;
        end
        // What was asked and had nothing waits for a window, a timer or an acknowledgement.
        p.ready = asked ? sent && answer.due : was.ready || answer.due;
        return p;
    endfunction

    // It opens, and counts as open; it counts so no more; its handshake has ended.
    function automatic logic opens(input place_t was, input answer_t answer);
        return answer.events.opened && !was.was_open;
    endfunction

    function automatic logic closes(input place_t was, input answer_t answer);
        return (was.opened && answer.state == TIME_WAIT)
            || (answer.events.ended != NO_END && (was.opened || opens(was, answer)));
    endfunction

    function automatic logic ends_handshake(input place_t was, input answer_t answer);
        return (answer.events.opened || answer.events.ended != NO_END) && was.passive && !was.was_open;
    endfunction

    // Nobody wants to hear of it any more.
    function automatic logic is_over(input place_t p);
        return p.state == CLOSED && !p.due && p.end_told;
    endfunction

    function automatic place_t released(input place_t was);
        place_t p;
        p = '0;
        p.generation = was.generation + 32'd1;
        // It may stand in the queues still.
        p.ready = was.ready;
        p.queued = was.queued;
        return p;
    endfunction

    function automatic place_t told_news(input place_t was);
        place_t p;
        p = was;
        p.queued = 1'b0;
        p.news_on = 1'b0;
        p.end_told = was.end_told || (was.news_on && was.news.ended != NO_END);
        return p;
    endfunction

    // Whether a SYN begins a new connection in the place of one that only waits.
    function automatic logic begins_anew(input place_t p, input segment_t g, input logic listens);
        return p.state == TIME_WAIT && listens && g.flags[SYN] && !g.flags[ACK] && !g.flags[RST]
            && precedes(p.expected, g.number);
    endfunction

    function automatic result_t result_of(input logic [15:0] index, input place_t p, input answer_t answer);
        result_t r;
        r = '0;
        r.outcome = CALL_DONE;
        r.session = index;
        r.generation = p.generation;
        r.connection = p.connection;
        r.passive = p.passive;
        r.events = answer.events;
        r.state = answer.state;
        r.count = answer.count;
        r.readable = answer.readable;
        r.room = answer.room;
        r.unsent = answer.unsent;
        r.kept = answer.kept;
        r.peer_closed = answer.peer_fin;
        r.mss = answer.mss;
        return r;
    endfunction

    function automatic departure_t reset_departure(input reset_t reset);
        departure_t d;
        d = '0;
        d.on = reset.on;
        d.number = reset.number;
        d.acknowledgement = reset.acknowledges ? reset.acknowledgement : '0;
        d.flags[RST] = 1'b1;
        d.flags[ACK] = reset.acknowledges;
        return d;
    endfunction

    // Lengths of segments that a cookie can tell.
    function automatic logic [15:0] cookie_size(input logic [2:0] n);
        case (n)
            3'd0: return 16'd68;
            3'd1: return 16'd536;
            3'd2: return 16'd1300;
            3'd3: return 16'd1440;
            3'd4: return 16'd1452;
            3'd5: return 16'd1460;
            3'd6: return 16'd4312;
            default: return 16'd8960;
        endcase
    endfunction

    // What a cookie says of a SYN: the time, the peer's segments rounded down, its scale, SACK.
    function automatic logic [9:0] cookie_of(input options_t options, input logic [1:0] age,
                                             input behaviour_t behaviour);
        logic [15:0] mss;
        logic [2:0]  size;
        mss = options.mss_on ? options.mss : 16'd536;
        size = '0;
        for (int n = 0; n < 8; n++) if (cookie_size(3'(n)) <= mss) size = 3'(n);
        return {age, size, options.scale_on && behaviour.scales ? options.scale : NO_SCALE,
                options.sack_permitted && behaviour.sack};
    endfunction

    function automatic departure_t cookie_departure(input segment_t syn, input number_t cookie,
                                                    input logic [9:0] told, input logic [13:0] mss,
                                                    input behaviour_t behaviour);
        departure_t d;
        d = '0;
        d.on = 1'b1;
        d.number = cookie;
        d.acknowledgement = syn.number + 32'd1;
        d.flags[SYN] = 1'b1;
        d.flags[ACK] = 1'b1;
        d.window = '1;
        d.options.mss_on = 1'b1;
        d.options.mss = 16'(mss);
        d.options.scale_on = told[4:1] != NO_SCALE;
        d.options.scale = behaviour.scale;
        d.options.sack_permitted = told[0];
        return d;
    endfunction

    // The SYN that a cookie tells of, from the segment that brings it back.
    function automatic segment_t syn_of_cookie(input segment_t g, input logic [9:0] told);
        segment_t syn;
        syn = g;
        syn.number = g.number - 32'd1;
        syn.flags = '0;
        syn.flags[SYN] = 1'b1;
        syn.length = '0;
        syn.options = '0;
        syn.options.mss_on = 1'b1;
        syn.options.mss = cookie_size(told[7:5]);
        syn.options.scale_on = told[4:1] != NO_SCALE;
        syn.options.scale = told[4:1];
        syn.options.sack_permitted = told[0];
        return syn;
    endfunction

    // verilator lint_on UNUSEDSIGNAL

endpackage
