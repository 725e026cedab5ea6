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
// that it needs, with REGISTERED=1 6 clocks. Paths without a register with REGISTERED=0:
// m_axis_tready, token_valid and the token's lengths to s_axis_tready; m_axis_tready and
// s_axis_tvalid to token_ready. With REGISTERED=1 none from one interface to another.
module ww_deparse #(
    // Bits of tdata: 64, 128, 256 or 512.
    parameter int WIDTH = 512,
    // Bytes of the longest header, 1 to 65535.
    parameter int HEADER_BYTES = 128,
    // Bits of tuser.
    parameter int USER_WIDTH = 65,
    // 1: registers behind the inputs, within the alignment and at the output, for a higher clock rate.
    parameter int REGISTERED = 0
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
    // Amounts are kept as beats, rounded down, and a rest.
    typedef logic signed [AMOUNT_WIDTH-SHIFT_WIDTH-1:0] beats_t;
    typedef logic [SHIFT_WIDTH-1:0] rest_t;
    // What is asked of a number of beats, so that it can be in registers.
    typedef struct packed {
        logic negative;
        logic minus_one;
        logic zero;
        logic one;
        logic two;
    } near_t;
    function automatic near_t near_of(input beats_t beats);
        return '{beats < 0, beats == -1, beats == 0, beats == 1, beats == 2};
    endfunction

    // No limit that counts down to zero before a packet ends.
    localparam amount_t UNLIMITED = amount_t'(2 ** (AMOUNT_WIDTH - 1) - 1);

    // ---- The beat.
    logic                   beat_valid;
    logic                   beat_ready;
    logic [WIDTH-1:0]       beat_data;
    logic                   beat_last;
    // Bytes that it lacks to a full one.
    logic [COUNT_WIDTH-1:0] beat_short;
    logic [COUNT_WIDTH-1:0] count;
    logic [COUNT_WIDTH-1:0] new_short;
    ww_axis_keep_count #(.BYTES(BYTES)) count_keep (
        .keep (s_axis_tkeep),
        .count(count)
    );
    assign new_short = s_axis_tlast ? COUNT_WIDTH'(BYTES) - count : '0;

    // ---- What the token asks for.
    typedef struct packed {
        logic [15:0]           header_length;
        // Bytes by which the packet grows.
        amount_t               growth;
        near_t                 growth_near;
        logic                  grows;
        amount_t               limit;
        // The limit is at most 0, 1, 2 beats.
        logic [2:0]            limit_up_to;
        logic                  unlimited;
        // Clocks before the first input is taken.
        logic                  waits;
        logic [WAIT_WIDTH-1:0] waiting;
        logic [USER_WIDTH-1:0] user;
    } token_t;
    token_t new_token;
    logic   new_all_header;
    always_comb begin
        new_token.header_length = token_header_length;
        new_token.growth        = amount_t'({2'b00, token_header_length}) - amount_t'({2'b00, token_skip});
        new_token.growth_near   = near_of(new_token.growth[AMOUNT_WIDTH-1:SHIFT_WIDTH]);
        new_token.grows         = new_token.growth > 0;
        new_token.unlimited     = token_limit == 16'hffff && !token_drop;
        new_token.limit         = token_drop ? '0 : new_token.unlimited ? UNLIMITED
                                                  : amount_t'({2'b00, token_limit});
        new_token.limit_up_to   = {3{!new_token.unlimited}}
                                  & {token_drop || 32'(token_limit) <= 2 * BYTES,
                                     token_drop || 32'(token_limit) <= BYTES,
                                     token_drop || token_limit == '0};
        // Nothing of the packet is wanted, so nothing of it has to be kept for later.
        new_all_header = token_drop || (!new_token.unlimited && token_header_length >= token_limit);
        new_token.waiting = '0;
        if (new_token.grows && !new_all_header) begin
            new_token.waiting = WAIT_WIDTH'((new_token.growth - amount_t'(1)) >>> SHIFT_WIDTH);
        end
        new_token.waits = new_token.waiting != '0;
        new_token.user  = token_user;
    end

    logic                            next_valid;
    logic                            next_ready;
    token_t                          next_token;
    logic [8*HEADER_BYTES-1:0]       next_header;

    if (REGISTERED != 0) begin : g_input_registers
        assign s_axis_tready = !beat_valid || beat_ready;
        assign token_ready   = !next_valid || next_ready;
        always_ff @(posedge clk) begin
            if (s_axis_tready) begin
                beat_valid <= s_axis_tvalid;
                beat_data  <= s_axis_tdata;
                beat_last  <= s_axis_tlast;
                beat_short <= new_short;
            end
            if (token_ready) begin
                next_valid  <= token_valid;
                next_token  <= new_token;
                next_header <= token_header;
            end
            if (rst) begin
                beat_valid  <= 1'b0;
                next_valid <= 1'b0;
            end
        end
    end else begin : g_no_input_registers
        assign s_axis_tready = beat_ready;
        assign token_ready   = next_ready;
        assign beat_valid    = s_axis_tvalid;
        assign beat_data     = s_axis_tdata;
        assign beat_last     = s_axis_tlast;
        assign beat_short    = new_short;
        assign next_valid    = token_valid;
        assign next_token    = new_token;
        assign next_header   = token_header;
    end

    // ---- The packet that is under way.
    // Its first clock is over, and input or full beats of output are still to come.
    logic                   active;
    // Only its last beat of output is to come.
    logic                   tail;
    // All of its input is in.
    logic                   ended;
    // Clocks before its first input is taken, and whether there are any.
    logic [WAIT_WIDTH-1:0]  waiting;
    logic                   waits;
    // Bytes of output that the input so far allows and that are not yet sent, as whole beats and a
    // rest; below zero: bytes that are still to be skipped. Whether they are at most 0, 1 beats.
    beats_t                 beats;
    rest_t                  rest;
    near_t                  near;
    logic                   rest_is_zero;
    logic [1:0]             available_up_to;
    // Bytes until the limit, and whether they are at most 0, 1, 2 beats.
    amount_t                limit;
    logic [2:0]             limit_up_to;
    logic                   unlimited;
    // ---- What happens in this clock.
    // The output is free to move.
    logic                   enable;
    logic                   wants_beat;
    logic                   starts;
    logic                   steps;
    logic                   consumes;
    logic                   consumes_last;
    assign wants_beat    = active ? !ended && (!waits || limit_up_to[0])
                                  : next_valid && !next_token.waits;
    assign starts        = !active && next_valid && (beat_valid || next_token.waits);
    assign steps         = active && (beat_valid || !wants_beat);
    assign consumes      = wants_beat && beat_valid;
    assign consumes_last = consumes && beat_last;
    assign beat_ready    = enable && wants_beat;
    assign next_ready    = enable && !active && (beat_valid || next_token.waits);

    // The packet of this clock, the one that is under way or the one that starts, before the beat.
    beats_t                 base_beats;
    rest_t                  base_rest;
    near_t                  base;
    logic                   base_minus_two;
    logic                   base_three;
    // The beat makes one more of the rest; what then is the rest.
    logic                   carries;
    rest_t                  rest_left;
    logic                   rest_left_is_zero;
    logic                   up;
    always_comb begin
        base_beats     = active ? beats : next_token.growth[AMOUNT_WIDTH-1:SHIFT_WIDTH];
        base_rest      = active ? rest : next_token.growth[SHIFT_WIDTH-1:0];
        base           = active ? near : next_token.growth_near;
        base_minus_two = base_beats == -2;
        base_three     = base_beats == 3;
        carries        = COUNT_WIDTH'(base_rest) >= beat_short;
        up             = consumes && carries;
        rest_left      = consumes ? base_rest - beat_short[SHIFT_WIDTH-1:0] : base_rest;
        rest_left_is_zero = consumes ? base_rest == beat_short[SHIFT_WIDTH-1:0]
                                     : active ? rest_is_zero : base_rest == '0;
    end

    // The beat of output of the packet that is under way, if it has one in this clock.
    logic                   ends;
    logic                   emits;
    logic                   emits_last;
    // No more than a beat can be sent.
    logic                   possible_up_to_one;
    always_comb begin
        ends       = ended || consumes_last;
        emits      = tail || (steps && !available_up_to[0] && !limit_up_to[0]);
        possible_up_to_one = base.negative
                             || (carries ? base.zero && rest_left_is_zero
                                         : base.zero || (base.one && rest_left_is_zero));
        emits_last = tail || limit_up_to[1]
                     || (ended ? available_up_to[1] : consumes_last && possible_up_to_one);
    end

    // What is left of the packet of this clock.
    logic                   down;
    beats_t                 beats_left;
    near_t                  near_left;
    logic [1:0]             left_up_to;
    amount_t                limit_left;
    logic [2:0]             limit_left_up_to;
    logic                   finishes;
    logic                   leaves_tail;
    always_comb begin
        down = active && emits;
        if (up && !down) begin
            beats_left = base_beats + 1;
            near_left  = '{base.negative && !base.minus_one, base_minus_two, base.minus_one, base.zero, base.one};
        end else if (down && !up) begin
            beats_left = base_beats - 1;
            near_left  = '{base.negative || base.zero, base.zero, base.one, base.two, base_three};
        end else begin
            beats_left = base_beats;
            near_left  = base;
        end
        left_up_to[0] = near_left.negative || (near_left.zero && rest_left_is_zero);
        left_up_to[1] = near_left.negative || near_left.zero || (near_left.one && rest_left_is_zero);
        if (!active) begin
            limit_left       = next_token.limit;
            limit_left_up_to = next_token.limit_up_to;
        end else if (emits && !unlimited) begin
            limit_left       = limit - BEAT;
            limit_left_up_to = {limit <= 3 * BEAT, limit_up_to[2:1]};
        end else begin
            limit_left       = limit;
            limit_left_up_to = limit_up_to;
        end
        finishes    = (active ? steps && ends : starts && consumes_last)
                      && (left_up_to[1] || limit_left_up_to[1]);
        leaves_tail = finishes && !left_up_to[0] && !limit_left_up_to[0];
    end

    always_ff @(posedge clk) begin
        if (enable) begin
            tail   <= leaves_tail;
            active <= (active || starts) && !finishes;
            if (steps || starts) begin
                beats           <= beats_left;
                rest            <= rest_left;
                near            <= near_left;
                rest_is_zero    <= rest_left_is_zero;
                available_up_to <= left_up_to;
                limit           <= limit_left;
                limit_up_to     <= limit_left_up_to;
            end
            if (starts) begin
                ended     <= consumes_last;
                waiting   <= next_token.waits ? next_token.waiting - 1'b1 : '0;
                waits     <= next_token.waiting > WAIT_WIDTH'(1);
                unlimited <= next_token.unlimited;
            end else if (steps) begin
                ended <= ends;
                if (waits) begin
                    waiting <= waiting - 1'b1;
                    waits   <= waiting > WAIT_WIDTH'(1);
                end
            end
        end
        if (rst) begin
            active <= 1'b0;
            tail   <= 1'b0;
        end
    end

    // ---- What was decided, for the bytes; with registers, that they wait for no decision.
    logic                      move;
    logic                      move_starts;
    logic                      move_emits;
    logic                      move_last;
    // Bytes of the input's rest and until the limit; zero: a full beat.
    rest_t                     move_rest;
    rest_t                     move_limit;
    logic [WIDTH-1:0]          move_beat;
    token_t                    move_token;
    logic [8*HEADER_BYTES-1:0] move_header;
    rest_t                     rest_now;
    rest_t                     limit_now;
    assign rest_now  = tail  ? (available_up_to[1] ? rest : '0)
                     : ended ? (available_up_to[1] ? rest_left : '0)
                             : (consumes_last && possible_up_to_one ? rest_left : '0);
    assign limit_now = limit_up_to[1] ? limit[SHIFT_WIDTH-1:0] : '0;
    if (REGISTERED != 0) begin : g_move_registers
        always_ff @(posedge clk) begin
            if (enable) begin
                move        <= steps || starts || tail;
                move_starts <= starts;
                move_emits  <= emits;
                move_last   <= emits_last;
                move_rest   <= rest_now;
                move_limit  <= limit_now;
                move_beat   <= beat_data;
                move_token  <= next_token;
                move_header <= next_header;
            end
            if (rst) begin
                move        <= 1'b0;
                move_starts <= 1'b0;
                move_emits  <= 1'b0;
            end
        end
    end else begin : g_no_move_registers
        assign move        = steps || starts || tail;
        assign move_starts = starts;
        assign move_emits  = emits;
        assign move_last   = emits_last;
        assign move_rest   = rest_now;
        assign move_limit  = limit_now;
        assign move_beat   = beat_data;
        assign move_token  = next_token;
        assign move_header = next_header;
    end
    wire unused_token = &{1'b0, move_token};

    // Bytes of header not yet sent, in the low bytes of `header`.
    logic [15:0]            header_left;
    logic [HEADER_BEATS*WIDTH-1:0] header;
    // How its bytes lie in the beats.
    logic                   grows;
    logic [SHIFT_WIDTH-1:0] shift;
    logic [USER_WIDTH-1:0]  user;
    always_ff @(posedge clk) begin
        if (enable && move_emits) begin
            header_left <= header_left > 16'(BYTES) ? header_left - 16'(BYTES) : '0;
            header      <= header >> WIDTH;
        end
        if (enable && move_starts) begin
            header_left <= move_token.header_length;
            header      <= (HEADER_BEATS * WIDTH)'(move_header);
            grows       <= move_token.grows;
            shift       <= SHIFT_WIDTH'(-move_token.growth);
            user        <= move_token.user;
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
    rest_t                  build_rest;
    rest_t                  build_limit;
    logic [SHIFT_WIDTH-1:0] build_shift;
    // Bytes that come from the older of the two beats, by their place in the beats.
    logic [BYTES-1:0]       build_from_older;
    logic [WIDTH-1:0]       build_header;
    logic [COUNT_WIDTH-1:0] build_header_bytes;
    logic [USER_WIDTH-1:0]  build_user;
    always_ff @(posedge clk) begin
        if (enable) begin
            if (move) begin
                beat_0 <= move_beat;
                beat_1 <= beat_0;
                beat_2 <= beat_1;
            end
            build              <= move_emits;
            build_last         <= move_last;
            build_older        <= grows;
            build_rest         <= move_rest;
            build_limit        <= move_limit;
            build_shift        <= shift;
            for (int i = 0; i < BYTES; i++) build_from_older[i] <= SHIFT_WIDTH'(i) >= shift;
            build_header       <= header[WIDTH-1:0];
            build_header_bytes <= header_left > 16'(BYTES) ? COUNT_WIDTH'(BYTES)
                                                           : COUNT_WIDTH'(header_left);
            build_user         <= user;
        end
        if (rst) build <= 1'b0;
    end

    // A beat of output has the high bytes of the older beat and the low bytes of the newer one: first
    // each byte of the two is chosen, then all are rotated, which takes half of a shift of both.
    logic [WIDTH-1:0]       chosen;
    logic [COUNT_WIDTH-1:0] chosen_bytes;
    logic [BYTES-1:0]       chosen_in_header;
    always_comb begin
        for (int i = 0; i < BYTES; i++) begin
            if (build_from_older[i]) begin
                chosen[8*i+:8] = build_older ? beat_2[8*i+:8] : beat_1[8*i+:8];
            end else begin
                chosen[8*i+:8] = build_older ? beat_1[8*i+:8] : beat_0[8*i+:8];
            end
            chosen_in_header[i] = COUNT_WIDTH'(i) < build_header_bytes;
        end
        chosen_bytes = build_rest == '0 ? COUNT_WIDTH'(BYTES) : COUNT_WIDTH'(build_rest);
        if (build_limit != '0 && COUNT_WIDTH'(build_limit) < chosen_bytes) begin
            chosen_bytes = COUNT_WIDTH'(build_limit);
        end
    end

    // Rotation by half of the bits of the shift before the third stage, by the others in it.
    localparam int FIRST_STEPS = SHIFT_WIDTH / 2;
    logic                   join_valid;
    logic                   join_last;
    logic [SHIFT_WIDTH-1:0] join_shift;
    logic [WIDTH-1:0]       join_data;
    logic [COUNT_WIDTH-1:0] join_bytes;
    logic [WIDTH-1:0]       join_header;
    logic [BYTES-1:0]       join_in_header;
    logic [USER_WIDTH-1:0]  join_user;
    for (genvar i = 0; i < SHIFT_WIDTH; i++) begin : g_rotate
        localparam int BITS = 8 << i;
        logic [WIDTH-1:0] before_it;
        logic [WIDTH-1:0] rotated;
        logic             by_it;
        if (i == 0) begin : g_first
            assign before_it = chosen;
        end else if (i == FIRST_STEPS) begin : g_third_stage
            assign before_it = join_data;
        end else begin : g_next
            assign before_it = g_rotate[i-1].rotated;
        end
        assign by_it   = i < FIRST_STEPS ? build_shift[i] : join_shift[i];
        assign rotated = by_it ? {before_it[BITS-1:0], before_it[WIDTH-1:BITS]} : before_it;
    end
    if (REGISTERED != 0) begin : g_join_registers
        always_ff @(posedge clk) begin
            if (enable) begin
                join_valid     <= build;
                join_last      <= build_last;
                join_shift     <= build_shift;
                join_data      <= g_rotate[FIRST_STEPS-1].rotated;
                join_bytes     <= chosen_bytes;
                join_header    <= build_header;
                join_in_header <= chosen_in_header;
                join_user      <= build_user;
            end
            if (rst) join_valid <= 1'b0;
        end
    end else begin : g_no_join_registers
        assign join_valid     = build;
        assign join_last      = build_last;
        assign join_shift     = build_shift;
        assign join_data      = g_rotate[FIRST_STEPS-1].rotated;
        assign join_bytes     = chosen_bytes;
        assign join_header    = build_header;
        assign join_in_header = chosen_in_header;
        assign join_user      = build_user;
    end
    wire unused_shift = &{1'b0, join_shift[FIRST_STEPS-1:0]};

    logic [WIDTH-1:0] built;
    logic [BYTES-1:0] built_keep;
    always_comb begin
        for (int i = 0; i < BYTES; i++) begin
            built[8*i+:8] = join_in_header[i] ? join_header[8*i+:8]
                                              : g_rotate[SHIFT_WIDTH-1].rotated[8*i+:8];
            built_keep[i] = COUNT_WIDTH'(i) < join_bytes;
        end
    end

    if (REGISTERED != 0) begin : g_output_slice
        // Its ready is a register, on which everything above waits.
        ww_axis_register #(.WIDTH(WIDTH), .USER_WIDTH(USER_WIDTH)) slice (
            .clk, .rst,
            .s_axis_tdata(built), .s_axis_tkeep(built_keep), .s_axis_tuser(join_user),
            .s_axis_tlast(join_last), .s_axis_tvalid(join_valid), .s_axis_tready(enable),
            .m_axis_tdata, .m_axis_tkeep, .m_axis_tuser, .m_axis_tlast, .m_axis_tvalid, .m_axis_tready
        );
    end else begin : g_output_register
        assign enable = m_axis_tready || !m_axis_tvalid;
        always_ff @(posedge clk) begin
            if (enable) begin
                m_axis_tvalid <= join_valid;
                m_axis_tdata  <= built;
                m_axis_tkeep  <= built_keep;
                m_axis_tlast  <= join_last;
                m_axis_tuser  <= join_user;
            end
            if (rst) m_axis_tvalid <= 1'b0;
        end
    end
endmodule
