// Puts a new header of any length in front of a packet of which any number of bytes are removed.
//
// For every packet there is a token and there are the packet's beats. The output is the first
// token_header_length bytes of token_header, then the packet without its first token_skip bytes, cut
// after token_limit bytes. A packet with token_drop, or of which nothing is left, gives no output.
//
// Throughput: a packet takes max(beats in, beats out) clocks, one packet after another without gaps
// for any mix of sizes, header lengths and skips. The only exception is a packet that token_limit
// cuts behind a header longer than what it replaces: max(beats in + E, beats out), where E is the
// number of whole beats in token_header_length - token_skip - 1. A dropped packet takes its beats in.
//
// How: all packets run with the same lag. An output beat takes bytes from two neighbouring beats: if
// the header grows, from the last two beats before this clock's, else from this clock's and the one
// before. So the output of a packet always lies in the clocks 1 to T after its first, T being the
// bound above, and never meets that of the next packet. The clock T, the tail, needs no input: the
// next packet starts in it.
//
// Latency: the first output beat comes 3 clocks after the clock that takes the token and the beat
// that it needs. Paths without a register: m_axis_tready, token_valid and the token's lengths to
// s_axis_tready; m_axis_tready and s_axis_tvalid to token_ready.
module ww_deparse #(
    // Bits of tdata: 64, 128, 256 or 512.
    parameter int WIDTH = 512,
    // Bytes of the longest header, 1 to 65535.
    parameter int HEADER_BYTES = 128,
    // Bits of tuser.
    parameter int USER_WIDTH = 65
) (
    input  logic                      clk,
    input  logic                      rst,
    // One token a packet, taken with or before its first beat.
    input  logic                      token_valid,
    output logic                      token_ready,
    // The header, its first byte in the low byte.
    input  logic [8*HEADER_BYTES-1:0] token_header,
    // Bytes of the header, at most HEADER_BYTES.
    input  logic [15:0]               token_header_length,
    // Bytes of the packet that are not sent on, at most the packet's length. (More: the output is
    // the length of header and packet less this number, and its bytes beyond the header are any.)
    input  logic [15:0]               token_skip,
    // Consume the packet without output.
    input  logic                      token_drop,
    // Bytes of the longest output; 16'hffff: any number.
    input  logic [15:0]               token_limit,
    // tuser of the output.
    input  logic [USER_WIDTH-1:0]     token_user,
    // The packets.
    input  logic                      s_axis_tvalid,
    output logic                      s_axis_tready,
    input  logic [WIDTH-1:0]          s_axis_tdata,
    input  logic [WIDTH/8-1:0]        s_axis_tkeep,
    input  logic                      s_axis_tlast,
    // The packets with their new headers.
    output logic                      m_axis_tvalid,
    input  logic                      m_axis_tready,
    output logic [WIDTH-1:0]          m_axis_tdata,
    output logic [WIDTH/8-1:0]        m_axis_tkeep,
    output logic                      m_axis_tlast,
    output logic [USER_WIDTH-1:0]     m_axis_tuser
);
    localparam int BYTES = WIDTH / 8;
    localparam int SHIFT_WIDTH = $clog2(BYTES);
    localparam int COUNT_WIDTH = $clog2(BYTES + 1);
    localparam int HEADER_BEATS = (HEADER_BYTES + BYTES - 1) / BYTES;
    // Signed counts of bytes: both lengths and two beats fit.
    localparam int AMOUNT_WIDTH = 18;
    // Beats of header that come before the first beat of the packet.
    localparam int WAIT_WIDTH = 17 - SHIFT_WIDTH;

    if (WIDTH != 64 && WIDTH != 128 && WIDTH != 256 && WIDTH != 512) begin : g_illegal_width
        $error("ww_deparse: WIDTH must be 64, 128, 256 or 512");
    end
    if (HEADER_BYTES < 1 || HEADER_BYTES > 65535) begin : g_illegal_header
        $error("ww_deparse: HEADER_BYTES must be 1 to 65535");
    end

    typedef logic signed [AMOUNT_WIDTH-1:0] amount_t;
    localparam amount_t BEAT = amount_t'(BYTES);
    // No limit that counts down to zero before a packet ends.
    localparam amount_t UNLIMITED = amount_t'(2 ** (AMOUNT_WIDTH - 1) - 1);

    // ---- What the token asks for.
    amount_t                new_growth;
    amount_t                new_limit;
    logic                   new_unlimited;
    logic                   new_grows;
    logic                   new_all_header;
    logic [WAIT_WIDTH-1:0]  new_wait;
    always_comb begin
        new_growth     = amount_t'({2'b00, token_header_length}) - amount_t'({2'b00, token_skip});
        new_unlimited  = token_limit == 16'hffff && !token_drop;
        new_limit      = token_drop ? '0 : new_unlimited ? UNLIMITED : amount_t'({2'b00, token_limit});
        new_grows      = new_growth > 0;
        // Nothing of the packet is wanted, so nothing of it has to be kept for later.
        new_all_header = token_drop || (!new_unlimited && token_header_length >= token_limit);
        new_wait       = '0;
        if (new_grows && !new_all_header) begin
            new_wait = WAIT_WIDTH'((new_growth - amount_t'(1)) >>> SHIFT_WIDTH);
        end
    end

    // ---- The packet that is under way.
    // Its first clock is over, and input or full beats of output are still to come.
    logic                   active;
    // Only its last beat of output is to come.
    logic                   tail;
    // All of its input is in.
    logic                   ended;
    // Clocks before its first input is taken.
    logic [WAIT_WIDTH-1:0]  waiting;
    // Bytes of output that the input so far allows and that are not yet sent; below zero: bytes that
    // are still to be skipped.
    amount_t                available;
    // Bytes until the limit.
    amount_t                limit;
    logic                   unlimited;
    // Bytes of header not yet sent, in the low bytes of `header`.
    logic [15:0]            header_left;
    logic [HEADER_BEATS*WIDTH-1:0] header;
    // How its bytes lie in the beats.
    logic                   grows;
    logic [SHIFT_WIDTH-1:0] shift;
    logic [USER_WIDTH-1:0]  user;

    // ---- What happens in this clock.
    // The output is free to move.
    logic                   enable;
    logic                   wants_beat;
    logic                   starts;
    logic                   steps;
    logic                   consumes;
    assign enable        = m_axis_tready || !m_axis_tvalid;
    assign wants_beat    = active ? !ended && (waiting == '0 || limit <= 0)
                                  : token_valid && new_wait == '0;
    assign starts        = !active && token_valid && (s_axis_tvalid || new_wait != '0);
    assign steps         = active && (s_axis_tvalid || !wants_beat);
    assign consumes      = wants_beat && s_axis_tvalid;
    assign s_axis_tready = enable && wants_beat;
    assign token_ready   = enable && !active && (s_axis_tvalid || new_wait != '0);

    // Bytes that this clock's beat adds.
    logic [COUNT_WIDTH-1:0] count;
    amount_t                gain;
    ww_axis_keep_count #(.BYTES(BYTES)) count_keep (
        .keep (s_axis_tkeep),
        .count(count)
    );
    assign gain = !consumes ? '0 : s_axis_tlast ? amount_t'({1'b0, count}) : BEAT;

    // The beat of output of the packet that is under way, if it has one in this clock.
    amount_t                possible;
    logic                   ends;
    logic                   emits;
    logic                   emits_last;
    logic [COUNT_WIDTH-1:0] emits_bytes;
    always_comb begin
        possible    = tail ? available : available + gain;
        ends        = ended || (consumes && s_axis_tlast);
        emits       = tail || (steps && available > 0 && limit > 0);
        emits_last  = tail || (ends && possible <= BEAT) || limit <= BEAT;
        emits_bytes = COUNT_WIDTH'(BYTES);
        if (possible < BEAT) emits_bytes = COUNT_WIDTH'(possible);
        if (limit < BEAT && limit < possible) emits_bytes = COUNT_WIDTH'(limit);
    end

    // What is left of the packet of this clock, the one that is under way or the one that starts.
    amount_t                left;
    amount_t                limit_left;
    logic                   finishes;
    logic                   leaves_tail;
    always_comb begin
        if (active) begin
            left       = emits ? possible - BEAT : possible;
            limit_left = emits && !unlimited ? limit - BEAT : limit;
            finishes   = steps && ends && (left <= BEAT || limit_left <= BEAT);
        end else begin
            left       = new_growth + gain;
            limit_left = new_limit;
            finishes   = starts && consumes && s_axis_tlast && (left <= BEAT || limit_left <= BEAT);
        end
        leaves_tail = finishes && left > 0 && limit_left > 0;
    end

    always_ff @(posedge clk) begin
        if (enable) begin
            tail   <= leaves_tail;
            active <= (active || starts) && !finishes;
            if (steps || starts) begin
                available <= left;
                limit     <= limit_left;
            end
            if (emits) begin
                header_left <= header_left > 16'(BYTES) ? header_left - 16'(BYTES) : '0;
                header      <= header >> WIDTH;
            end
            if (starts) begin
                ended       <= consumes && s_axis_tlast;
                waiting     <= new_wait == '0 ? '0 : new_wait - 1'b1;
                unlimited   <= new_unlimited;
                header_left <= token_header_length;
                header      <= (HEADER_BEATS * WIDTH)'(token_header);
                grows       <= new_grows;
                shift       <= SHIFT_WIDTH'(-new_growth);
                user        <= token_user;
            end else if (steps) begin
                ended <= ends;
                if (waiting != '0) waiting <= waiting - 1'b1;
            end
        end
        if (rst) begin
            active <= 1'b0;
            tail   <= 1'b0;
        end
    end

    // ---- Second stage: the bytes.
    // The beats that were taken in the last three clocks in which something happened; a clock that
    // took none counts.
    logic [WIDTH-1:0]       beat_0;
    logic [WIDTH-1:0]       beat_1;
    logic [WIDTH-1:0]       beat_2;
    logic                   build;
    logic                   build_last;
    logic                   build_older;
    logic [COUNT_WIDTH-1:0] build_bytes;
    logic [SHIFT_WIDTH-1:0] build_shift;
    logic [WIDTH-1:0]       build_header;
    logic [COUNT_WIDTH-1:0] build_header_bytes;
    logic [USER_WIDTH-1:0]  build_user;
    always_ff @(posedge clk) begin
        if (enable) begin
            if (steps || starts || tail) begin
                beat_0 <= s_axis_tdata;
                beat_1 <= beat_0;
                beat_2 <= beat_1;
            end
            build              <= emits;
            build_last         <= emits_last;
            build_older        <= grows;
            build_bytes        <= emits_bytes;
            build_shift        <= shift;
            build_header       <= header[WIDTH-1:0];
            build_header_bytes <= header_left > 16'(BYTES) ? COUNT_WIDTH'(BYTES)
                                                           : COUNT_WIDTH'(header_left);
            build_user         <= user;
        end
        if (rst) build <= 1'b0;
    end

    // A beat of output has the high bytes of the older beat and the low bytes of the newer one: first
    // each byte of the two is chosen, then all are rotated, which takes half of a shift of both.
    logic [WIDTH-1:0] chosen;
    logic [WIDTH-1:0] built;
    logic [BYTES-1:0] built_keep;
    always_comb begin
        for (int i = 0; i < BYTES; i++) begin
            if (COUNT_WIDTH'(i) >= COUNT_WIDTH'(build_shift)) begin
                chosen[8*i+:8] = build_older ? beat_2[8*i+:8] : beat_1[8*i+:8];
            end else begin
                chosen[8*i+:8] = build_older ? beat_1[8*i+:8] : beat_0[8*i+:8];
            end
        end
    end
    for (genvar i = 0; i < SHIFT_WIDTH; i++) begin : g_rotate
        localparam int BITS = 8 << i;
        logic [WIDTH-1:0] before_it;
        logic [WIDTH-1:0] rotated;
        if (i == 0) begin : g_first
            assign before_it = chosen;
        end else begin : g_next
            assign before_it = g_rotate[i-1].rotated;
        end
        assign rotated = build_shift[i] ? {before_it[BITS-1:0], before_it[WIDTH-1:BITS]} : before_it;
    end
    logic [WIDTH-1:0] aligned;
    assign aligned = g_rotate[SHIFT_WIDTH-1].rotated;
    always_comb begin
        for (int i = 0; i < BYTES; i++) begin
            built[8*i+:8] = COUNT_WIDTH'(i) < build_header_bytes ? build_header[8*i+:8]
                                                                 : aligned[8*i+:8];
            built_keep[i] = COUNT_WIDTH'(i) < build_bytes;
        end
    end

    always_ff @(posedge clk) begin
        if (enable) begin
            m_axis_tvalid <= build;
            m_axis_tdata  <= built;
            m_axis_tkeep  <= built_keep;
            m_axis_tlast  <= build_last;
            m_axis_tuser  <= build_user;
        end
        if (rst) m_axis_tvalid <= 1'b0;
    end
endmodule
