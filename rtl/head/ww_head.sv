// Takes the first bytes of every packet, for a parser, while the packet passes by.
//
// Every beat of s_axis goes on to m_axis in the same clock, unchanged. For every packet there is one
// token: its first HEAD_BYTES bytes, a length, its tuser and, if wanted, its ones'-complement sum.
// With WHOLE=0 the token is there one clock after the beat that holds the last byte of the head (or
// the end of a shorter packet), with WHOLE=1 one clock after the last beat of the packet. One beat a
// clock passes for any mix of packet sizes, and packets of one beat give a token every clock. A token
// that is not taken holds the stream back only at the beat that completes the next token.
//
// Paths without a register: s_axis to m_axis; token_ready and m_axis_tready to s_axis_tready.
module ww_head #(
    // Bits of tdata: 64, 128, 256 or 512.
    parameter int WIDTH = 512,
    // Bytes of the head, 0 or more; need not be a multiple of a beat. 0: a token without a head.
    parameter int HEAD_BYTES = 128,
    // 0: the token comes with the head. 1: the token comes with the end of the packet.
    parameter int WHOLE = 0,
    // 1: token_sum and token_total are of the whole packet; requires WHOLE=1. 0: both are zero.
    parameter int SUM = 0,
    // Bits of tuser.
    parameter int USER_WIDTH = 65,
    // Not to be set: bits of token_head, at least one.
    localparam int TOKEN_WIDTH = HEAD_BYTES > 0 ? 8 * HEAD_BYTES : 1
) (
    input  logic                   clk,
    input  logic                   rst,
    // The packets.
    input  logic                   s_axis_tvalid,
    output logic                   s_axis_tready,
    input  logic [WIDTH-1:0]       s_axis_tdata,
    input  logic [WIDTH/8-1:0]     s_axis_tkeep,
    input  logic                   s_axis_tlast,
    input  logic [USER_WIDTH-1:0]  s_axis_tuser,
    // The same packets.
    output logic                   m_axis_tvalid,
    input  logic                   m_axis_tready,
    output logic [WIDTH-1:0]       m_axis_tdata,
    output logic [WIDTH/8-1:0]     m_axis_tkeep,
    output logic                   m_axis_tlast,
    output logic [USER_WIDTH-1:0]  m_axis_tuser,
    // One token a packet.
    output logic                   token_valid,
    input  logic                   token_ready,
    // The head, byte 0 of the packet in the low byte; bytes beyond the packet are zero.
    output logic [TOKEN_WIDTH-1:0] token_head,
    // WHOLE=0: bytes of the head that the packet has. WHOLE=1: bytes of the packet, at most 65535.
    output logic [15:0]            token_length,
    // tuser of the beat that completed the token.
    output logic [USER_WIDTH-1:0]  token_user,
    // Ones'-complement sum of the packet as big-endian 16-bit words, an odd last byte padded with
    // zero, not inverted; zero only for a packet of zeros.
    output logic [15:0]            token_sum,
    // The exact sum of the same words, without end-around carries; for packets of up to 65535
    // bytes. What a parser took of it can be subtracted, and what is left tells zeros from 0xffff.
    output logic [31:0]            token_total
);
    localparam int BYTES = WIDTH / 8;
    // Beats that hold the head; at least the first, which brings the token of an empty head.
    localparam int BEATS = HEAD_BYTES > BYTES ? (HEAD_BYTES + BYTES - 1) / BYTES : 1;
    localparam int BEAT_WIDTH = $clog2(BEATS + 1);
    localparam int COUNT_WIDTH = $clog2(BYTES + 1);

    if (WIDTH != 64 && WIDTH != 128 && WIDTH != 256 && WIDTH != 512) begin : g_illegal_width
        $error("ww_head: WIDTH must be 64, 128, 256 or 512");
    end
    if (HEAD_BYTES < 0 || HEAD_BYTES > 65535) begin : g_illegal_head
        $error("ww_head: HEAD_BYTES must be 0 to 65535");
    end
    if (SUM != 0 && WHOLE == 0) begin : g_illegal_sum
        $error("ww_head: SUM=1 must be used with WHOLE=1, for the sum is that of the whole packet");
    end

    // Beats of this packet so far; stays at BEATS.
    logic [BEAT_WIDTH-1:0] beat;
    // This beat completes the token.
    logic                  completes;
    logic                  blocked;
    logic                  accepted;

    if (WHOLE != 0) begin : g_completes_with_packet
        assign completes = s_axis_tlast;
    end else begin : g_completes_with_head
        assign completes = beat == BEAT_WIDTH'(BEATS - 1)
                         || (s_axis_tlast && beat != BEAT_WIDTH'(BEATS));
    end
    assign blocked       = completes && token_valid && !token_ready;
    assign m_axis_tvalid = s_axis_tvalid && !blocked;
    assign s_axis_tready = m_axis_tready && !blocked;
    assign accepted      = s_axis_tvalid && s_axis_tready;
    assign m_axis_tdata  = s_axis_tdata;
    assign m_axis_tkeep  = s_axis_tkeep;
    assign m_axis_tlast  = s_axis_tlast;
    assign m_axis_tuser  = s_axis_tuser;

    always_ff @(posedge clk) begin
        if (accepted) begin
            if (s_axis_tlast) beat <= '0;
            else if (beat != BEAT_WIDTH'(BEATS)) beat <= beat + 1'b1;
        end
        if (rst) beat <= '0;
    end

    // The beat with zeros for the bytes that it has not.
    logic [BYTES-1:0]       keep;
    logic [WIDTH-1:0]       masked;
    logic [COUNT_WIDTH-1:0] count;
    assign keep = s_axis_tlast ? s_axis_tkeep : '1;
    always_comb begin
        for (int i = 0; i < BYTES; i++) begin
            masked[8*i+:8] = keep[i] ? s_axis_tdata[8*i+:8] : 8'h00;
        end
    end
    ww_axis_keep_count #(.BYTES(BYTES)) count_keep (.keep, .count);

    // The head, with what earlier beats brought of it and this one.
    logic [BEATS*WIDTH-1:0] head;
    for (genvar i = 0; i < BEATS; i++) begin : g_beat
        if (WHOLE == 0 && i == BEATS - 1) begin : g_last
            // Completes the head, so it goes straight into the token.
            assign head[WIDTH*i+:WIDTH] = beat == BEAT_WIDTH'(i) ? masked : '0;
        end else begin : g_kept
            logic [WIDTH-1:0] kept;
            always_ff @(posedge clk) begin
                if (accepted && beat == BEAT_WIDTH'(i)) kept <= masked;
            end
            assign head[WIDTH*i+:WIDTH] = beat > BEAT_WIDTH'(i)  ? kept
                                        : beat == BEAT_WIDTH'(i) ? masked : '0;
        end
    end
    // The rest of the last beat does not belong to the head.
    if (BEATS * BYTES > HEAD_BYTES) begin : g_rest
        localparam int FIRST = 8 * HEAD_BYTES;
        wire unused_rest = &{1'b0, head[BEATS*WIDTH-1:FIRST]};
    end

    // Bytes of the earlier beats: of the packet if it is counted as a whole, else of the head.
    logic [15:0] length;
    if (WHOLE != 0) begin : g_length_of_packet
        logic [15:0] earlier;
        logic [16:0] sum;
        assign sum    = {1'b0, earlier} + 17'(count);
        assign length = sum[16] ? 16'hffff : sum[15:0];
        always_ff @(posedge clk) begin
            if (accepted) earlier <= s_axis_tlast ? '0 : length;
            if (rst) earlier <= '0;
        end
    end else begin : g_length_of_head
        logic [31:0] seen;
        assign seen   = 32'(beat) * 32'(BYTES) + 32'(count);
        assign length = seen > 32'(HEAD_BYTES) ? 16'(HEAD_BYTES) : seen[15:0];
    end

    always_ff @(posedge clk) begin
        if (token_ready) token_valid <= 1'b0;
        if (accepted && completes) begin
            token_valid  <= 1'b1;
            token_length <= length;
            token_user   <= s_axis_tuser;
        end
        if (rst) token_valid <= 1'b0;
    end
    if (HEAD_BYTES > 0) begin : g_token_head
        always_ff @(posedge clk) begin
            if (accepted && completes) token_head <= head[TOKEN_WIDTH-1:0];
        end
    end else begin : g_no_token_head
        assign token_head = '0;
    end

    if (SUM != 0) begin : g_sum
        // Carries are kept in the high half and folded in behind the register.
        logic [31:0] beat_sum;
        logic [31:0] earlier;
        logic [31:0] total;
        logic [16:0] folded_once;
        logic [15:0] folded;
        always_comb begin
            beat_sum = '0;
            for (int i = 0; i < WIDTH / 16; i++) begin
                beat_sum += 32'({masked[16*i+:8], masked[16*i+8+:8]});
            end
        end
        assign total = earlier + beat_sum;
        always_ff @(posedge clk) begin
            if (accepted) earlier <= s_axis_tlast ? '0 : total;
            if (accepted && completes) token_total <= total;
            if (rst) earlier <= '0;
        end
        assign folded_once = {1'b0, token_total[31:16]} + {1'b0, token_total[15:0]};
        assign folded      = folded_once[15:0] + 16'(folded_once[16]);
        assign token_sum   = folded;
    end else begin : g_no_sum
        assign token_sum   = '0;
        assign token_total = '0;
    end
endmodule
