// What the parts of the TCP engine hand to each other, and what its application asks and hears.
package ww_toe_engine_types;

    import ww_toe_types::*;

    // The time as it is used: nanoseconds and milliseconds since the start, 4 us (initial numbers, RFC 6528), 64 s
    // (the age of cookies).
    typedef struct packed {
        instant_t    now;
        number_t     milliseconds;
        number_t     ticks;
        logic [1:0]  age;
    } clock_t;

    typedef struct packed {
        logic [31:0] peer_ip;
        logic [15:0] peer_port;
        logic [15:0] own_port;
    } connection_t;

    // A segment that has come: its data follow in a stream.
    typedef struct packed {
        connection_t connection;
        segment_t    segment;
    } arrival_t;

    // A segment that leaves.
    typedef struct packed {
        connection_t connection;
        departure_t  departure;
    } leaving_t;

    // Bytes of a session's ring in memory: `length` of them from position `start` on. Of what is written, `skip` bytes
    // of the stream come before them, and what is behind them is none of them: `total` bytes in all.
    typedef struct packed {
        logic [15:0] session;
        number_t     start;
        number_t     length;
        logic [13:0] skip;
        number_t     total;
    } move_t;

    // 64 bytes of a session's ring, on a border of 64: those at positions 64 * `place` to 64 * `place` + 63.
    typedef struct packed {
        logic [15:0] session;
        logic [25:0] place;
    } row_t;

    // What the application asks. `REQUEST`: `operation` of a session, from WRITE on.
    typedef enum logic [2:0] {CALL_NEWS, CALL_LISTEN, CALL_UNLISTEN, CALL_CONNECT, CALL_REQUEST} call_kind_t;

    // `session` and `generation` name a session of CALL_REQUEST. CALL_CONNECT: to a peer, from `own_port` or, if it is 0,
    // from a free one. CALL_LISTEN: at `own_port`, with segments of at most `count` bytes if it is not 0.
    typedef struct packed {
        call_kind_t  kind;
        operation_t  operation;
        logic [15:0] session;
        logic [31:0] generation;
        connection_t connection;
        instant_t    count;
        logic        ends;
        keep_alive_t keep_alive;
    } call_t;

    // NO_SESSION: all are in use, or the session is gone. NO_PORT: no port is free towards the peer, or none can listen.
    // NO_NEWS: there is none.
    typedef enum logic [1:0] {CALL_DONE, NO_SESSION, NO_PORT, NO_NEWS} outcome_t;

    // `count`: bytes that were taken or are read. The rest is how the session stands; of CALL_NEWS, what has happened.
    typedef struct packed {
        outcome_t    outcome;
        logic [15:0] session;
        logic [31:0] generation;
        connection_t connection;
        logic        passive;
        events_t     events;
        state_t      state;
        number_t     count;
        number_t     readable;
        number_t     room;
        number_t     unsent;
        number_t     kept;        // written and not acknowledged
        logic        peer_closed;
        logic [13:0] mss;
    } result_t;

    // What the engine remembers of a place for a session beside the processor's record.
    typedef struct packed {
        logic        used;
        logic [31:0] generation;
        connection_t connection;
        logic        passive;
        logic        ready;       // it stands in the queue of those that may have something to send
        logic        queued;      // it stands in the queue of those with news
        logic        news_on;
        events_t     news;
        logic        opened;      // it counts as open
        logic        was_open;
        logic        end_told;    // the application knows that it is over
        logic        due;
        state_t      state;
        number_t     expected;
        number_t     next;
    } place_t;

    // An event and later ones.
    function automatic events_t merged(input events_t earlier, input events_t later);
        events_t all;
        all = earlier | later;
        all.ended = later.ended != NO_END ? later.ended : earlier.ended;
        return all;
    endfunction

endpackage
