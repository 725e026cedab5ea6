// Brings segments, calls of the application and the passing of time to the sessions, one after the other.
//
// Here is what `Engine` of crates/tcp does around `Session`: ports that listen, places for sessions, the table that finds
// them, first numbers and cookies, the queues of those that may have something to send and of those with news. Arrivals,
// calls, timers and departures have their turns one after the other, so that none of them starves. A turn takes one
// clock with a session that had the turn before too and seven with another; opening one takes about fifty.
//
// Source: 002-monitoring-limago 2.16, S39 to S47; crates/tcp, engine/mod.rs and engine/places.rs.
module ww_toe_control
    import ww_toe_types::*;
    import ww_toe_engine_types::*;
    import ww_toe_replies::*;
    import ww_toe_places::*;
#(
    // Connections, 1 to 65,536.
    parameter int SESSIONS = 64,
    // Ports that may listen, 1 to 64.
    parameter int LISTENERS = 16
) (
    input  logic         clk,
    input  logic         rst,
    input  behaviour_t   behaviour,
    // verilator lint_off UNUSEDSIGNAL
    input  clock_t       moment,
    // verilator lint_on UNUSEDSIGNAL
    input  logic [31:0]  own_ip,
    input  logic [127:0] key,
    // Connections that may be half open on a port, and the first of our own ports that is tried, 32,768 to 60,999.
    input  logic [15:0]  backlog,
    input  logic [15:0]  first_port,
    // Segments that have come. One with data gets a command for them when its turn is over.
    input  arrival_t     arrival,
    input  logic         arrival_valid,
    output logic         arrival_ready,
    // The application. The result is valid for one clock, and comes before the next call is taken.
    input  call_t        call,
    input  logic         call_valid,
    output logic         call_ready,
    output logic         result_valid,
    output result_t      result,
    output logic         news_waits,
    // The session processor.
    output logic         request_valid,
    input  logic         request_ready,
    output request_t     request,
    input  logic         answer_valid,
    input  answer_t      answer,
    // Segments that leave; with data, the command for them comes at the same time. Both must have room: `rooms` is high
    // while each of the five queues takes two more, as a turn begins when the one before fills them.
    output logic         leaving_valid,
    output leaving_t     leaving,
    input  logic         rooms,
    // Commands for data: from the line to memory, from there to the application, and the other way.
    output logic         arrived_valid,
    output logic         read_valid,
    output logic         written_valid,
    output logic         departs_valid,
    output move_t        move,
    // For counters: connections that open and end, cookies, segments that are sent again.
    output logic         event_opened,
    output logic         event_closed,
    output logic         event_cookie,
    output logic         event_resent,
    // Places in use. When a timer is due next; nothing is to be done before, if no call and no segment comes.
    output logic [16:0]  open_sessions,
    output optional_instant_t wakes,
    output logic         quiet
);
    if (SESSIONS < 1 || SESSIONS > 65536) begin : g_illegal_sessions
        $error("ww_toe_control: SESSIONS must be 1 to 65,536");
    end
    if (LISTENERS < 1 || LISTENERS > 64) begin : g_illegal_listeners
        $error("ww_toe_control: LISTENERS must be 1 to 64");
    end
    localparam int SB = SESSIONS == 1 ? 1 : $clog2(SESSIONS);
    localparam int LEAVES = SESSIONS < 2 ? 2 : SESSIONS;
    // Rows of each of four memories: the table is at most 62 % full.
    localparam int BUCKETS = SESSIONS < 10 ? 4 : 1 << $clog2(SESSIONS * 2 / 5);
    // Clocks after which the tree of timers shows what was set.
    localparam logic [4:0] TREE = 5'($clog2(LEAVES) + 2);

    typedef enum logic [4:0] {
        WIPE, IDLE, LOOK, LOOKED, PLACE, ASK, ANSWER, STRANGER, TAKE, OLDEST, INSERT, INSERTED, HASH, HASHED, REFUSE,
        RELEASE, REMOVED, PORT, LISTEN, NEWS
    } step_t;
    typedef enum logic [1:0] {ARRIVES, EXPIRES, CALLS, DEPARTS} job_t;
    // What a hash is for.
    typedef enum logic [1:0] {FIRST, OFFSET, COOKIE, CHECK} secret_t;
    // What goes on when a place is free.
    typedef enum logic [1:0] {NO_MORE, SYN_AGAIN, TAKE_ONE} next_t;

    step_t       step;
    job_t        job;
    secret_t     secret;
    next_t       next_step;
    arrival_t    seg;          // that has come; with CALL_CONNECT the connection
    // verilator lint_off UNUSEDSIGNAL
    call_t       asked;
    // verilator lint_on UNUSEDSIGNAL
    operation_t  operation;
    logic [15:0] index;
    logic        fresh;        // the session begins
    logic        renews;       // in place of one that waits
    logic        redeems;      // from a cookie
    logic        redeemed;     // it has begun, and its first segment comes
    logic        silent;       // the segment is dropped without an answer
    place_t      place, place_q;
    number_t     first, offset;
    logic [9:0]  told;
    logic [15:0] port_next, ports_left;
    logic [2:0]  flight;       // clocks of a lookup
    logic [4:0]  hold;         // clocks until the tree of timers shows what the last timer's turn has set
    logic        followed;     // an answer has come, and changes its place
    place_t      held;         // the place of `index`, as the last answer has left it
    logic        holds;        // it is there
    logic        at_hand;      // this turn has it from there
    logic        tells;        // its news are told at once

    // Listening ports. ------------------------------------------------------------------------------------------------
    logic        listens, no_listener, ends_half_open;
    logic [13:0] mss;
    logic [16:0] half_open;
    ww_toe_listeners #(.LISTENERS(LISTENERS)) u_listeners (
        .clk, .rst, .usual_mss(behaviour.mss), .port(step == LISTEN ? asked.connection.own_port : seg.connection.own_port),
        .listens, .mss, .half_open, .full(no_listener),
        .set(step == LISTEN && asked.kind == CALL_LISTEN), .set_mss(asked.count[13:0]),
        .remove(step == LISTEN && asked.kind == CALL_UNLISTEN),
        .opens(step == ASK && request_ready && (operation == ACCEPT || operation == REDEEM)),
        .ends(ends_half_open), .ends_port(place.connection.own_port)
    );

    // Places. -----------------------------------------------------------------------------------------------------------
    logic        place_read, place_write;
    // verilator lint_off UNUSEDSIGNAL
    logic [15:0] place_at;
    // verilator lint_on UNUSEDSIGNAL
    place_t      place_data;
    ww_ram_sdp #(.WIDTH($bits(place_t)), .DEPTH(SESSIONS)) u_places (
        .clk, .wr_en(place_write), .wr_addr(index[SB-1:0]), .wr_data(place_data),
        .rd_en(place_read), .rd_addr(place_at[SB-1:0]), .rd_data(place_q)
    );

    // Queues of places: free ones, those that may have something to send, those with news.
    logic        free_ready, free_push, free_pop, free_valid, ready_push, ready_pop, ready_valid, news_push, news_pop, news_valid;
    logic [15:0] free_index, ready_index, news_index;
    // verilator lint_off PINCONNECTEMPTY
    ww_fifo #(.WIDTH(16), .DEPTH(SESSIONS)) u_free (
        .clk, .rst, .s_valid(free_push), .s_ready(free_ready), .s_data(index),
        .m_valid(free_valid), .m_ready(free_pop), .m_data(free_index), .level()
    );
    ww_fifo #(.WIDTH(16), .DEPTH(SESSIONS)) u_ready (
        .clk, .rst, .s_valid(ready_push), .s_ready(), .s_data(index),
        .m_valid(ready_valid), .m_ready(ready_pop), .m_data(ready_index), .level()
    );
    ww_fifo #(.WIDTH(16), .DEPTH(SESSIONS)) u_news (
        .clk, .rst, .s_valid(news_push), .s_ready(), .s_data(index),
        .m_valid(news_valid), .m_ready(news_pop), .m_data(news_index), .level()
    );
    // verilator lint_on PINCONNECTEMPTY
    assign news_waits = news_valid;

    // Timers of all sessions, and of those that only wait for late segments: the first of these gives its place away.
    logic              timer_set, timers_ready, waiting_ready, timers_settled, waiting_settled, waits;
    // verilator lint_off UNUSEDSIGNAL
    optional_instant_t oldest;
    // verilator lint_on UNUSEDSIGNAL
    optional_instant_t timer;
    logic [15:0]       timer_place, oldest_place;
    ww_toe_timers #(.PLACES(LEAVES)) u_timers (
        .clk, .rst, .ready(timers_ready), .set_valid(timer_set), .set_place(index), .set_time(timer),
        .first(wakes), .first_place(timer_place), .settled(timers_settled)
    );
    ww_toe_timers #(.PLACES(LEAVES)) u_waiting (
        .clk, .rst, .ready(waiting_ready), .set_valid(timer_set), .set_place(index), .set_time(waits ? timer : '0),
        .first(oldest), .first_place(oldest_place), .settled(waiting_settled)
    );

    // Which place a connection has. -------------------------------------------------------------------------------------
    logic        lookup, hit, update_valid, update_ready, update_done, update_failed, known;
    logic [15:0] hit_index, known_index;
    connection_t known_connection;
    // verilator lint_off PINCONNECTEMPTY
    ww_cuckoo #(.KEY_WIDTH(64), .DATA_WIDTH(16), .BUCKETS(BUCKETS)) u_table (
        .clk, .rst, .lookup_valid(lookup), .lookup_key(seg.connection), .result_hit(hit), .result_data(hit_index),
        .update_valid, .update_ready, .update_delete(step == RELEASE),
        .update_key(step == RELEASE ? place.connection : seg.connection), .update_data(index), .update_done,
        .update_failed, .entries(), .stashed()
    );
    // verilator lint_on PINCONNECTEMPTY
    assign lookup = step == LOOK && flight == 0;
    assign update_valid = step == INSERT || (step == RELEASE && !place_write);

    // Numbers that nobody can guess. ------------------------------------------------------------------------------------
    logic       hash_done;
    number_t    hash, more, syn, number_of_cookie;
    assign number_of_cookie = seg.segment.acknowledgement - 32'd1;
    logic [9:0] syn_told;
    always_comb begin
        syn = redeems ? seg.segment.number - 32'd1 : seg.segment.number;
        syn_told = cookie_of(seg.segment.options, moment.age, behaviour);
        case (secret)
            FIRST: more = 32'd0;
            OFFSET: more = 32'd1;
            default: more = {syn[24:0], syn[31:25]} ^ 32'(told) ^ 32'h80000000;
        endcase
    end
    ww_toe_secrets u_secrets (
        .clk, .rst, .key, .own_ip, .start(step == HASH), .connection(seg.connection), .more, .done(hash_done), .hash
    );

    // What an answer changes. -------------------------------------------------------------------------------------------
    place_t after, leaves;    // the place that is released
    always_comb begin
        followed = step == ANSWER && answer_valid && operation != REDEEM;
        place = at_hand ? held : fresh ? begun(place_q, seg.connection, operation == ACCEPT || redeemed) : place_q;
        if (step == RELEASE) place = leaves;
        after = followed_up(place, answer, operation == DEPART, answer.departure.on);
        ends_half_open = followed && ends_handshake(place, answer);
    end
    always_ff @(posedge clk) begin
        if (followed) held <= after;
        else if (tells) held <= told_news(held);
        if (followed) leaves <= after;
        else if (step == PLACE || step == OLDEST) leaves <= place_write ? place_data : place;
    end
    assign ready_push = followed && after.ready && !(place.ready && operation != DEPART);
    assign news_push = followed && after.queued && !place.queued;
    assign timer_set = followed || (step == RELEASE && place_write);
    assign timer = followed ? answer.wakes : '0;
    assign waits = followed && answer.state == TIME_WAIT;
    assign event_opened = followed && opens(place, answer);
    assign event_closed = (followed && closes(place, answer)) || (step == RELEASE && place_write && place.opened);
    assign event_resent = followed && answer.departure.on && answer.again;
    assign event_cookie = step == HASHED && hash_done && secret == COOKIE;

    // Whose turn it is. A turn begins when the one before ends. If its session is the same, nothing is left to be read, and
    // the session is asked at once. ------------------------------------------------------------------------------------
    logic [3:0]  offers;
    job_t        chosen;
    logic        ends, chooses, hurries, reads, asks_news;
    logic [15:0] target;
    operation_t  wanted;
    assign ends = followed && !is_over(after);
    always_comb begin
        offers[ARRIVES] = arrival_valid;
        offers[EXPIRES] = wakes.on && wakes.at <= moment.now && hold == 0;
        // The result of a call comes before the next one is taken.
        offers[CALLS] = call_valid && !(followed && job == CALLS);
        offers[DEPARTS] = ready_valid;
        chosen = job;
        for (int n = 3; n >= 0; n--)
            if (offers[2'(job)+2'(n)+2'd1]) chosen = job_t'(2'(job) + 2'(n) + 2'd1);
        reads = 1'b1;
        hurries = 1'b1;
        case (chosen)
            ARRIVES: begin
                target = known_index;
                wanted = ARRIVE;
                reads = known && arrival.connection == known_connection;
                hurries = !arrival.segment.flags[SYN];
            end
            EXPIRES: begin
                target = timer_place;
                wanted = EXPIRE;
            end
            DEPARTS: begin
                target = ready_index;
                wanted = DEPART;
            end
            default: begin
                target = call.session;
                wanted = call.kind == CALL_CONNECT ? CONNECT : call.operation;
                reads = call.kind == CALL_REQUEST;
                hurries = (followed ? place.generation : held.generation) == call.generation;
            end
        endcase
        hurries = hurries && reads && target == index && (followed || holds) && request_ready;
        // What is written in this clock cannot be read.
        chooses = (step == IDLE || (ends && (hurries || (!reads && !asks_news) || (reads && target != index)))) && rooms
            && offers != 0;
        tells = step == IDLE && chooses && asks_news && holds && news_valid && news_index == index && held.news_on
            && !is_over(told_news(held));
    end
    assign asks_news = chosen == CALLS && call.kind == CALL_NEWS;
    assign arrival_ready = chooses && chosen == ARRIVES;
    assign call_ready = chooses && chosen == CALLS;
    assign ready_pop = chooses && chosen == DEPARTS;
    assign news_pop = (step == NEWS && news_valid) || tells;
    // A connection is taken if its port has not too many that are half open.
    logic may_take;
    assign free_pop = step == TAKE && may_take && free_valid;
    assign may_take = job == CALLS || redeems || half_open < 17'(backlog);

    // A place is read before its session is asked, and written after.
    logic written;   // that which is released
    logic wiped;
    always_comb begin
        place_read = 1'b0;
        place_at = index;
        case (step)
            IDLE, ANSWER: begin
                place_read = chooses && !hurries;
                place_at = target;
            end
            LOOKED: begin
                place_read = 1'b1;
                place_at = hit_index;
            end
            NEWS: begin
                place_read = 1'b1;
                place_at = news_index;
            end
            TAKE: begin
                place_read = 1'b1;
                place_at = free_valid ? free_index : oldest_place;
            end
            default: ;
        endcase
        place_write = 1'b0;
        place_data = after;
        if (step == WIPE) begin
            place_write = !wiped;
            place_data = '0;
        end else if (followed) begin
            place_write = 1'b1;
        end else if (tells) begin
            place_write = 1'b1;
            place_data = told_news(held);
        end else if (step == RELEASE && !written) begin
            place_write = 1'b1;
            place_data = released(place);
        end else if (step == PLACE && job == CALLS && asked.kind == CALL_NEWS) begin
            place_write = 1'b1;
            place_data = told_news(place);
        end else if (step == PLACE && job == DEPARTS && !place.used) begin
            place_write = 1'b1;
            place_data = place;
            place_data.ready = 1'b0;
        end
    end

    // What leaves, and what moves. --------------------------------------------------------------------------------------
    reset_t reset;
    logic   refuses;
    always_comb begin
        refuses = step == REFUSE;
        reset = refuses ? reset_answering(seg.segment) : answer.reset;
        leaving = '0;
        leaving.connection = seg.connection;
        leaving.departure = reset_departure(reset);
        leaving_valid = reset.on && ((refuses && !silent) || (followed && job == ARRIVES));
        if (event_cookie) begin
            leaving.departure = cookie_departure(seg.segment, {told, hash[21:0]}, told, mss, behaviour);
            leaving_valid = 1'b1;
        end
        if (followed && answer.departure.on) begin
            leaving.connection = place.connection;
            leaving.departure = answer.departure;
            leaving_valid = 1'b1;
        end
    end
    logic  drops;
    // The segment comes to nobody.
    assign drops = refuses || event_cookie;
    always_comb begin
        move = '0;
        move.session = index;
        departs_valid = followed && answer.departure.on && answer.departure.length != 0;
        arrived_valid = job == ARRIVES && (followed || drops) && seg.segment.length != 0;
        read_valid = followed && job == CALLS && operation == CONSUME && answer.count != 0;
        written_valid = followed && job == CALLS && operation == WRITE && answer.count != 0;
        if (departs_valid) begin
            move.start = answer.departure.number;
            move.length = 32'(answer.departure.length);
        end else if (read_valid) begin
            // The peer's FIN has taken a number, and no byte.
            move.start = answer.read - answer.count - 32'(answer.peer_fin);
            move.length = answer.count;
        end else if (written_valid) begin
            move.start = answer.written - answer.count;
            move.length = answer.count;
            move.total = answer.count;
        end else begin
            move.total = 32'(seg.segment.length);
            if (followed && answer.placement.on) begin
                move.start = answer.placement.start;
                move.skip = answer.placement.skip;
                move.length = 32'(answer.placement.length);
            end
        end
    end

    // The request. ------------------------------------------------------------------------------------------------------
    // verilator lint_off UNUSEDSIGNAL
    call_t    words;
    // verilator lint_on UNUSEDSIGNAL
    segment_t brings;
    assign request_valid = step == ASK || (chooses && hurries);
    assign words = step == ASK ? asked : call;
    assign brings = step == ASK ? seg.segment : arrival.segment;
    always_comb begin
        request = '0;
        request.operation = step == ASK ? operation : wanted;
        request.session = index;
        request.own_port = seg.connection.own_port;
        request.peer_ip = seg.connection.peer_ip;
        request.peer_port = seg.connection.peer_port;
        request.first = first;
        request.timestamp_offset = offset;
        request.most_mss = job == CALLS ? behaviour.mss : mss;
        request.segment = step == ASK && operation == REDEEM ? syn_of_cookie(seg.segment, told) : brings;
        request.count = words.count;
        request.ends = words.ends;
        request.keep_alive = words.keep_alive;
    end

    // The result. -------------------------------------------------------------------------------------------------------
    logic     said_news;
    outcome_t fails;      // the call comes to nothing
    assign said_news = step == PLACE && job == CALLS && asked.kind == CALL_NEWS && place.news_on;
    always_ff @(posedge clk) begin
        result_valid <= 1'b0;
        result.session <= index;
        if (followed && job == CALLS) begin
            result_valid <= 1'b1;
            result <= result_of(index, after, answer);
        end else if (said_news || tells) begin
            result_valid <= 1'b1;
            result <= result_of(index, tells ? held : place, '0);
            result.events <= tells ? held.news : place.news;
        end else if (step == NEWS && !news_valid) begin
            result_valid <= 1'b1;
            result.outcome <= NO_NEWS;
        end else if (step == LISTEN) begin
            result_valid <= 1'b1;
            result.outcome <= asked.kind == CALL_LISTEN && !listens && no_listener ? NO_PORT : CALL_DONE;
        end else if (fails != CALL_DONE) begin
            result_valid <= 1'b1;
            result.outcome <= fails;
        end
        if (rst) begin
            result_valid <= 1'b0;
            result <= '0;
        end
    end
    always_comb begin
        fails = CALL_DONE;
        if (job == CALLS) begin
            if (step == PLACE && asked.kind == CALL_REQUEST && (!place.used || place.generation != asked.generation))
                fails = NO_SESSION;
            if (step == PLACE && asked.kind == CALL_CONNECT && place.state != TIME_WAIT) fails = NO_PORT;
            if (step == PORT && ports_left == 0) fails = NO_PORT;
            if (step == TAKE && !free_valid && waiting_settled && !oldest.on) fails = NO_SESSION;
            if (step == INSERTED && update_done && update_failed) fails = NO_SESSION;
        end
    end

    assign free_push = (step == WIPE && !wiped) || (step == REMOVED && update_done)
        || (step == INSERTED && update_done && update_failed);
    assign quiet = step == IDLE && !arrival_valid && !call_valid && !ready_valid && timers_settled && waiting_settled
        && !(wakes.on && wakes.at <= moment.now);

    always_ff @(posedge clk) begin
        if (hold != 0) hold <= hold - 5'd1;
        // Others may be set without a pause: a timer that has been moved on is at worst carried out for nothing.
        if (followed && operation == EXPIRE) hold <= TREE;
        case (step)
            WIPE: begin
                if (!wiped && free_ready) index <= index + 16'd1;
                if (free_ready && index == 16'(SESSIONS - 1)) wiped <= 1'b1;
                if (wiped && timers_ready && waiting_ready && update_ready) step <= IDLE;
            end
            LOOK: begin
                flight <= flight + 3'd1;
                if (flight == 3'd4) step <= LOOKED;
            end
            LOOKED: begin
                index <= hit_index;
                if (job != CALLS) step <= hit ? PLACE : STRANGER;
                else if (asked.connection.own_port != 0) step <= hit ? PLACE : TAKE;
                else step <= hit || listens ? PORT : TAKE;
                if (hit && job == ARRIVES) begin
                    known <= 1'b1;
                    known_index <= hit_index;
                    known_connection <= seg.connection;
                end
            end
            PLACE: begin
                step <= ASK;
                case (job)
                    ARRIVES: if (begins_anew(place, seg.segment, listens)) begin
                        // The peer begins anew with the same ports: our numbers go on behind the old ones (RFC 6191).
                        renews <= 1'b1;
                        first <= place.next + RENEWED_STEP;
                        next_step <= SYN_AGAIN;
                        written <= 1'b0;
                        step <= RELEASE;
                    end
                    CALLS: begin
                        if (asked.kind == CALL_NEWS) begin
                            step <= !place.news_on ? NEWS : is_over(place_data) ? RELEASE : IDLE;
                            written <= 1'b0;
                        end else if (asked.kind == CALL_CONNECT) begin
                            // Only one that waits gives its ports away.
                            next_step <= TAKE_ONE;
                            written <= 1'b0;
                            step <= place.state == TIME_WAIT ? RELEASE : IDLE;
                        end else if (fails != CALL_DONE) begin
                            step <= IDLE;
                        end
                    end
                    default: if (!place.used) step <= IDLE;
                endcase
            end
            ASK: if (request_ready) begin
                step <= ANSWER;
            end
            ANSWER: if (answer_valid) begin
                step <= is_over(after) ? RELEASE : IDLE;
                written <= 1'b0;
                if (operation == REDEEM) begin
                    // Then the segment that brought the cookie.
                    operation <= ARRIVE;
                    redeemed <= 1'b1;
                    step <= ASK;
                end
            end
            STRANGER: begin
                redeems <= seg.segment.flags[ACK];
                told <= number_of_cookie[31:22];
                secret <= CHECK;
                step <= REFUSE;
                if (listens && !seg.segment.flags[RST]) begin
                    if (seg.segment.flags[SYN] && !seg.segment.flags[ACK]) begin
                        operation <= ACCEPT;
                        step <= TAKE;
                    end else if (seg.segment.flags[ACK] && !seg.segment.flags[SYN]) begin
                        step <= HASH;
                    end
                end
            end
            TAKE: if (may_take && free_valid) begin
                index <= free_index;
                step <= INSERT;
            end else if (may_take && !waiting_settled) begin
                // The tree of those that wait is not up to date.
            end else if (may_take && oldest.on) begin
                index <= oldest_place;
                step <= OLDEST;
            end else if (job == CALLS) begin
                step <= IDLE;
            end else if (redeems) begin
                // The peer's data will bring it again.
                silent <= 1'b1;
                step <= REFUSE;
            end else begin
                told <= syn_told;
                secret <= COOKIE;
                step <= HASH;
            end
            OLDEST: begin
                next_step <= TAKE_ONE;
                written <= 1'b0;
                step <= RELEASE;
            end
            INSERT: if (update_ready) step <= INSERTED;
            INSERTED: if (update_done) begin
                fresh <= 1'b1;
                secret <= FIRST;
                step <= HASH;
                if (update_failed) begin
                    fresh <= 1'b0;
                    silent <= redeems;
                    told <= syn_told;
                    secret <= COOKIE;
                    if (job == CALLS) step <= IDLE;
                    else if (redeems) step <= REFUSE;
                end else begin
                    known <= 1'b1;
                    known_index <= index;
                    known_connection <= seg.connection;
                end
            end
            HASH: step <= HASHED;
            HASHED: if (hash_done) begin
                step <= HASH;
                case (secret)
                    FIRST: begin
                        if (redeems) first <= number_of_cookie;
                        else if (!renews) first <= hash + moment.ticks;
                        secret <= OFFSET;
                    end
                    OFFSET: begin
                        offset <= hash;
                        step <= ASK;
                    end
                    COOKIE: step <= IDLE;
                    default: begin
                        // One of ours, and not too old?
                        operation <= REDEEM;
                        step <= number_of_cookie[21:0] == hash[21:0] && moment.age - told[9:8] <= 2'd1 ? TAKE : REFUSE;
                    end
                endcase
            end
            REFUSE: step <= IDLE;
            RELEASE: begin
                written <= 1'b1;
                if (index == known_index) known <= 1'b0;
                if (!place_write && update_ready) step <= REMOVED;
            end
            REMOVED: if (update_done) begin
                case (next_step)
                    SYN_AGAIN: begin
                        operation <= ACCEPT;
                        step <= TAKE;
                    end
                    TAKE_ONE: step <= TAKE;
                    default: step <= IDLE;
                endcase
            end
            PORT: if (asked.connection.own_port != 0) begin
                flight <= '0;
                step <= LOOK;
            end else begin
                ports_left <= ports_left - 16'd1;
                port_next <= port_next == LAST_PORT ? FIRST_PORT : port_next + 16'd1;
                seg.connection.own_port <= port_next;
                flight <= '0;
                step <= ports_left == 0 ? IDLE : LOOK;
            end
            LISTEN: begin
                step <= IDLE;
            end
            NEWS: begin
                index <= news_index;
                step <= news_valid ? PLACE : IDLE;
            end
            default: step <= IDLE;
        endcase
        if (followed) holds <= !is_over(after);
        if (chooses) begin
            job <= chosen;
            operation <= wanted;
            index <= reads ? target : index;
            fresh <= 1'b0;
            renews <= 1'b0;
            redeems <= 1'b0;
            redeemed <= 1'b0;
            silent <= 1'b0;
            flight <= '0;
            next_step <= NO_MORE;
            at_hand <= hurries;
            if (!hurries && !tells) holds <= 1'b0;
            step <= hurries ? ANSWER : PLACE;
            case (chosen)
                ARRIVES: begin
                    seg <= arrival;
                    if (!reads) step <= LOOK;
                end
                EXPIRES: hold <= TREE;
                DEPARTS: ;
                default: begin
                    asked <= call;
                    seg.connection <= call.connection;
                    ports_left <= call.connection.own_port != 0 ? 16'd1 : 16'(LAST_PORT - FIRST_PORT) + 16'd1;
                    case (call.kind)
                        CALL_NEWS: step <= tells ? IDLE : NEWS;
                        CALL_LISTEN, CALL_UNLISTEN: step <= LISTEN;
                        CALL_CONNECT: step <= PORT;
                        default: ;
                    endcase
                end
            endcase
        end
        open_sessions <= open_sessions + 17'(free_pop) - 17'(free_push && step != WIPE);
        if (rst) begin
            step <= WIPE;
            job <= DEPARTS;
            index <= '0;
            wiped <= 1'b0;
            known <= 1'b0;
            holds <= 1'b0;
            at_hand <= 1'b0;
            hold <= '0;
            port_next <= first_port;
            open_sessions <= '0;
        end
    end
endmodule
