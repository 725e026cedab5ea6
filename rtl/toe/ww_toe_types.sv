// What the TCP engine's modules speak of: times, sequence numbers, the record of a session, requests and answers.
//
// The fields are those of `Session` in crates/tcp, where each is described; comments here say what is particular to
// the hardware. Times are nanoseconds since the start, 48 bits (78 hours).
//
// A function that changes a record takes it twice, as `s` that comes out and as `s_was` that goes in: Yosys reads no
// argument that does both.
package ww_toe_types;

    typedef logic [31:0] number_t;   // sequence number
    typedef logic [47:0] instant_t;  // time since the start
    typedef logic [37:0] span_t;     // duration up to 274 s
    typedef logic [41:0] scaled_t;   // duration in eighths or quarters
    typedef logic [19:0] count_t;    // segments

    // Not every module needs each of them.
    // verilator lint_off UNUSEDPARAM
    // Longest timeout, and longest round trip that is believed: two minutes (RFC 6298 section 2.5).
    localparam span_t LONGEST = 38'd120_000_000_000;
    localparam span_t SECOND = 38'd1_000_000_000;
    localparam span_t MILLISECOND = 38'd1_000_000;
    // No threshold: slow start goes on.
    localparam count_t UNBOUNDED = '1;
    // Duplicate acknowledgements after which a segment is taken for lost, and the largest reordering allowed for.
    localparam count_t DUPLICATES = 20'd3;
    localparam count_t MOST_REORDERING = 20'd300;

    // Control bits of the TCP header.
    localparam int FIN = 0;
    localparam int SYN = 1;
    localparam int RST = 2;
    localparam int PSH = 3;
    localparam int ACK = 4;
    localparam int ECE = 6;
    localparam int CWR = 7;
    // verilator lint_on UNUSEDPARAM

    typedef enum logic [3:0] {
        CLOSED, SYN_SENT, SYN_RECEIVED, ESTABLISHED, FIN_WAIT_1, FIN_WAIT_2, CLOSING, TIME_WAIT, CLOSE_WAIT, LAST_ACK
    } state_t;

    typedef enum logic [2:0] {OPEN, DISORDER, REDUCTION, RECOVERY, LOSS} phase_t;

    // What the retransmission timer waits for.
    typedef enum logic [2:0] {NOTHING, TIMEOUT, TAIL, REORDERED, WINDOW} awaits_t;

    typedef enum logic [2:0] {NO_END, END_CLOSED, END_RESET, END_REFUSED, END_TIMED_OUT, END_ABORTED} ended_t;

    typedef struct packed {
        number_t start;
        number_t stop;
    } block_t;

    typedef struct packed {
        logic   on;
        block_t block;
    } optional_block_t;

    typedef struct packed {
        logic    on;
        number_t number;
    } optional_number_t;

    typedef struct packed {
        logic     on;
        instant_t at;
    } optional_instant_t;

    typedef struct packed {
        logic       on;
        instant_t   idle;
        instant_t   interval;
        logic [7:0] probes;
    } keep_alive_t;

    // Registers: how TCP behaves.
    typedef struct packed {
        logic [13:0] mss;             // 1 to 8,960
        logic        scales;
        logic [3:0]  scale;           // 0 to 14
        logic        timestamps;
        logic        sack;
        logic [1:0]  ecn;             // 0: off, 1: if the peer asks, 2: asks
        logic        tail_probe;
        logic        forward_rto;
        logic        nagle;
        span_t       rto_min;
        span_t       delayed_ack;
        count_t      initial_window;
        logic        restarts;        // the window shrinks after an idle timeout
        instant_t    time_wait;
        logic [7:0]  syn_retries;
        instant_t    syn_patience;    // the time that so many retries of a SYN take
        logic [7:0]  syn_linear;
        logic [7:0]  retries;
        instant_t    patience;        // the time that so many timeouts take
        logic        published;
        keep_alive_t keep_alive;
        count_t      most_records;    // segments on their way, at most RECORDS
        logic [6:0]  most_ranges;     // ranges out of order, at most RANGES
    } behaviour_t;

    typedef struct packed {
        logic        mss_on;
        logic [15:0] mss;
        logic        scale_on;
        logic [3:0]  scale;
        logic        sack_permitted;
        logic        timestamps;
        number_t     value;
        number_t     echo;
        logic [2:0]  count;           // of blocks
        block_t [3:0] blocks;
    } options_t;

    // A segment that has arrived. `length` is that of its data.
    typedef struct packed {
        number_t     number;
        number_t     acknowledgement;
        logic [7:0]  flags;
        logic [15:0] window;
        logic [13:0] length;
        logic        marked;
        options_t    options;
    } segment_t;

    // A segment that leaves: its data is what was written from `number` on.
    typedef struct packed {
        logic        on;
        number_t     number;
        number_t     acknowledgement;
        logic [7:0]  flags;
        logic [15:0] window;
        logic [13:0] length;
        logic        markable;
        options_t    options;
    } departure_t;

    typedef struct packed {
        logic    on;
        number_t number;
        logic    acknowledges;
        number_t acknowledgement;
    } reset_t;

    // Where a segment's data goes: `length` of its bytes from `skip` on are kept from the position `start` on.
    typedef struct packed {
        logic        on;
        logic [13:0] skip;
        logic [13:0] length;
        number_t     start;
    } placement_t;

    typedef struct packed {
        logic   opened;
        logic   readable;
        logic   writable;
        logic   peer_closed;
        ended_t ended;
    } events_t;

    // A segment on its way. Of its control bits SYN, FIN and PSH are kept.
    typedef struct packed {
        number_t  start;
        number_t  stop;
        logic     syn;
        logic     fin;
        logic     psh;
        instant_t sent;
        logic     sacked;
        logic     lost;
        logic     resent;
        logic     ever_resent;
    } record_t;

    typedef struct packed {
        state_t      state;
        events_t     events;
        logic [15:0] own_port;
        logic [31:0] peer_ip;
        logic [15:0] peer_port;
        logic        passive;
        // As agreed.
        logic [13:0] most_mss;        // what we take
        logic [13:0] mss;
        logic [3:0]  own_scale;
        logic [3:0]  peer_scale;
        logic        peer_scales;
        logic        timestamps;
        logic        sack;
        logic        ecn;
        logic        nagle;
        logic        corked;
        logic [7:0]  syn_retries;
        instant_t    syn_patience;
        keep_alive_t keep_alive;
        optional_instant_t user_timeout;
        number_t     send_limit;
        // Sending.
        number_t     first;
        number_t     acknowledged;
        number_t     next;
        number_t     kept_from;       // first byte that is kept
        number_t     written;         // behind the last byte that was written
        logic        closed;
        logic        fin_sent;
        logic        abandoned;
        instant_t    progress;
        number_t     window;
        number_t     window_told;
        number_t     largest_window;
        number_t     small_end;
        instant_t    last_departure;
        logic        probing;
        number_t     probe_end;
        logic        probe_repeated;
        logic        force_first;
        logic        force_tail;
        logic        force_window;
        logic        force_keep_alive;
        logic        force_reset;
        logic        prefer_new;
        logic [7:0]  duplicates;
        logic [7:0]  timeouts;
        instant_t    timeouts_began;
        logic [7:0]  probes;
        logic [7:0]  window_doublings;
        // Ends of writes: the first one, and how many there are.
        number_t     mark;
        logic [15:0] mark_head;
        logic [15:0] marks;
        // Records: a ring.
        logic [15:0] head;
        count_t      out;
        count_t      sacked;
        count_t      lost;
        count_t      resent;
        count_t      cursor;
        optional_number_t furthest;
        // Congestion.
        count_t      congestion_window;
        count_t      threshold;
        count_t      credit;
        phase_t      phase;
        number_t     high;
        logic        prior;
        count_t      prior_window;
        count_t      prior_threshold;
        count_t      delivered;
        count_t      departed;
        optional_number_t undo_marker;
        logic        undo_counts;
        count_t      undo_count;
        optional_number_t resent_at;
        logic        forward;
        count_t      reordering;
        logic        limited;
        count_t      most_out;
        number_t     usage_ends;
        // RACK.
        instant_t    rack_sent;
        number_t     rack_end;
        instant_t    rack_round_trip;
        logic        reordered;
        logic [7:0]  quarters;
        logic [4:0]  persistence;
        logic        duplicate_seen;
        optional_number_t rack_round_ends;
        // Round trips.
        scaled_t     mean_8;
        scaled_t     deviation_4;
        scaled_t     largest_4;
        scaled_t     variance_4;
        number_t     round_ends;
        logic        least_on;
        span_t       least;
        span_t       timeout;
        logic [7:0]  doublings;
        // Receiving.
        number_t     read;
        number_t     expected;        // rcv_nxt
        optional_number_t fin;
        logic [15:0] range_head;
        logic [6:0]  ranges;
        block_t      range_first;
        block_t      range_last;
        logic [2:0]  recents;
        block_t [3:0] recent;
        number_t     allowed;         // behind the last byte that the peer may send
        number_t     told;
        logic        peer_fin;
        // Acknowledgements.
        logic [6:0]  ack_now;
        logic        ack_scheduled;
        logic [7:0]  quick;
        logic        interactive;
        span_t       pause;           // how long an acknowledgement waits
        instant_t    last_data;
        logic [13:0] peer_segment;
        optional_block_t duplicate;
        optional_instant_t outside_answered;
        number_t     recent_timestamp;
        instant_t    recent_timestamp_at;
        number_t     timestamp_offset;
        logic        echo_on;
        number_t     echo;
        logic        echo_congestion;
        logic        tell_reduced;
        instant_t    last_arrival;
        // Timers.
        awaits_t     awaits;
        instant_t    retransmit_at;
        optional_instant_t acknowledge_at;
        optional_instant_t linger_at;
        optional_instant_t keep_alive_at;
        // Statistics.
        logic [31:0] resent_segments;
        logic [31:0] all_timeouts;
    } session_t;

    // What may be asked of a session.
    typedef enum logic [4:0] {
        CONNECT, ACCEPT, REDEEM, ARRIVE, DEPART, EXPIRE, WRITE, CONSUME, SHUT_DOWN, CLOSE, ABORT,
        SET_NAGLE, SET_QUICK, SET_CORK, SET_SYN_RETRIES, SET_SEND_LIMIT, SET_USER_TIMEOUT, SET_KEEP_ALIVE
    } operation_t;

    // `first`, `timestamp_offset`, ports, peer and `most_mss` are those of a session that begins; `segment` has come
    // (for ACCEPT and REDEEM: the SYN); `count` is that of bytes, or a setting's value; `ends`: a write ends, or a
    // setting is on. SET_SYN_RETRIES: `keep_alive.probes` retries, which take the time `count`.
    typedef struct packed {
        operation_t  operation;
        logic [15:0] session;
        logic [15:0] own_port;
        logic [31:0] peer_ip;
        logic [15:0] peer_port;
        number_t     first;
        number_t     timestamp_offset;
        logic [13:0] most_mss;
        segment_t    segment;
        instant_t    count;
        logic        ends;
        keep_alive_t keep_alive;
    } request_t;

    // What came of it. `due`: DEPART may have a segment; `wakes`: EXPIRE is due then. `count`: bytes that were taken.
    // `again`: the departure was sent before. `readable`, `room`, `unsent`: bytes that the application can read and
    // write, and that it wrote and were not sent, or not acknowledged. `peer_fin`: the peer's FIN has come, and `read`
    // counts it. `mss`: the longest segment that is sent.
    typedef struct packed {
        reset_t      reset;
        departure_t  departure;
        logic        again;
        placement_t  placement;
        events_t     events;
        state_t      state;
        logic        due;
        optional_instant_t wakes;
        number_t     count;
        number_t     acknowledged;
        number_t     next;
        number_t     written;
        number_t     expected;
        number_t     read;
        number_t     readable;
        number_t     room;
        number_t     unsent;
        number_t     kept;
        logic        peer_fin;
        logic [13:0] mss;
    } answer_t;

    // Whether number `a` comes in front of `b`: both lie within 2^31 of each other.
    function automatic logic precedes(input number_t a, input number_t b);
        return $signed(a - b) < 32'sd0;
    endfunction

    function automatic number_t latest(input number_t a, input number_t b);
        return precedes(a, b) ? b : a;
    endfunction

    function automatic number_t earliest(input number_t a, input number_t b);
        return precedes(a, b) ? a : b;
    endfunction

    // Bytes from `b` to `a`; 0 if `a` is not behind it.
    function automatic number_t beyond(input number_t a, input number_t b);
        return precedes(b, a) ? a - b : 32'd0;
    endfunction

    function automatic number_t lesser(input number_t a, input number_t b);
        return a < b ? a : b;
    endfunction

    function automatic number_t greater(input number_t a, input number_t b);
        return a < b ? b : a;
    endfunction

    function automatic span_t lesser_span(input span_t a, input span_t b);
        return a < b ? a : b;
    endfunction

    // Time from `past` to `now`; 0 if it is yet to come.
    function automatic instant_t since(input instant_t now, input instant_t past);
        return now < past ? 48'd0 : now - past;
    endfunction

    // A duration that fits: longer ones count as two minutes.
    function automatic span_t bounded(input instant_t duration);
        return duration > instant_t'(LONGEST) ? LONGEST : span_t'(duration);
    endfunction

    function automatic logic is_synchronised(input state_t state);
        return state != SYN_SENT && state != SYN_RECEIVED && state != CLOSED;
    endfunction

    function automatic logic may_send(input state_t state);
        return state == ESTABLISHED || state == CLOSE_WAIT || state == FIN_WAIT_1 || state == CLOSING
            || state == LAST_ACK;
    endfunction

    function automatic logic may_receive(input state_t state);
        return state == ESTABLISHED || state == FIN_WAIT_1 || state == FIN_WAIT_2;
    endfunction

endpackage
