// Finds the TPP of each frame and judges it, while the frame passes by.
//
// A TPP is behind EtherType 0x6666, or at the start of the data of a UDP datagram to port 0x6666 in an IPv4
// packet without options that is no fragment; up to two VLAN tags may precede both. For every frame there is
// one word of what was found, in the order of the frames, two clocks after the head of the frame is complete:
// at its 337th byte, or at its end. The faults and their order are those of crate tpp (packet.rs).
module ww_tpp_front #(
    // Bits of tdata: 64, 128, 256 or 512.
    parameter int WIDTH = 64,
    // Bits of tuser, 1 or more.
    parameter int USER_WIDTH = 65,
    // Words of metadata, 1 or more.
    parameter int METADATA_WORDS = 24,
    // Not to be set: bits of what is found.
    localparam int JUDGED_WIDTH = 2334 + 32 * METADATA_WORDS
) (
    input  logic                         clk,
    input  logic                         rst,
    // The frames.
    input  logic                         s_axis_tvalid,
    output logic                         s_axis_tready,
    input  logic [WIDTH-1:0]             s_axis_tdata,
    input  logic [WIDTH/8-1:0]           s_axis_tkeep,
    input  logic                         s_axis_tlast,
    input  logic [USER_WIDTH-1:0]        s_axis_tuser,
    // The same in all beats of a frame, as tuser.
    input  logic [32*METADATA_WORDS-1:0] metadata,
    // The same frames.
    output logic                         m_axis_tvalid,
    input  logic                         m_axis_tready,
    output logic [WIDTH-1:0]             m_axis_tdata,
    output logic [WIDTH/8-1:0]           m_axis_tkeep,
    output logic                         m_axis_tlast,
    output logic [USER_WIDTH-1:0]        m_axis_tuser,
    // {executes, fault, needed, start, count, header, code, memory, metadata}; see the end of this file.
    output logic                         judged_valid,
    input  logic                         judged_ready,
    output logic [JUDGED_WIDTH-1:0]      judged
);
    if (METADATA_WORDS < 1) begin : g_illegal_metadata_words
        $error("ww_tpp_front: METADATA_WORDS must be 1 or more");
    end

    // generated: tpp_header (crates/tpp/src/header.rs, instruction.rs, packet.rs)
    localparam int HEADER_BYTES = 12, INSTRUCTION_BYTES = 4, MOST_INSTRUCTIONS = 5, MOST_MEMORY = 255;
    localparam logic [15:0] TPP_NUMBER = 16'h6666;
    // Offsets of fields in the header, bytes; bits of flags in a header whose first byte is in the high bits.
    localparam int TOTAL_LENGTH_AT = 0, MEMORY_LENGTH_AT = 2, STACK_POINTER_AT = 5, HOP_LENGTH_AT = 6;
    localparam int HOP_MODE_BIT = 71, WIDE_BIT = 70, DONE_BIT = 68;
    // Faults.
    localparam logic [2:0] TRUNCATED = 3'd1, VERSION = 3'd2, LENGTH = 3'd3, TOO_MANY_INSTRUCTIONS = 3'd4, ALIGNMENT = 3'd5;
    localparam logic [2:0] STACK_POINTER = 3'd6, CHECKSUM = 3'd7;
    // end of generated
    // Ethernet, two VLAN tags, IPv4, UDP, and the longest TPP.
    localparam int TPP_BYTES  = HEADER_BYTES + MOST_INSTRUCTIONS * INSTRUCTION_BYTES + MOST_MEMORY;
    localparam int HEAD_BYTES = 14 + 2 * 4 + 20 + 8 + TPP_BYTES;
    localparam int SIDE_WIDTH = USER_WIDTH + 32 * METADATA_WORDS;

    logic                    token_valid;
    logic                    token_ready;
    logic [8*HEAD_BYTES-1:0] head;
    logic [15:0]             length;
    logic [SIDE_WIDTH-1:0]   side_in;
    logic [SIDE_WIDTH-1:0]   side_on;
    logic [SIDE_WIDTH-1:0]   side;

    assign side_in      = {metadata, s_axis_tuser};
    assign m_axis_tuser = side_on[USER_WIDTH-1:0];
    // Who works on heads needs the metadata, who passes frames on the tuser.
    wire unused_side = &{1'b0, side_on[SIDE_WIDTH-1:USER_WIDTH], side[USER_WIDTH-1:0]};

    // Sums are of TPPs here, not of frames.
    // verilator lint_off PINCONNECTEMPTY
    ww_head #(
        .WIDTH     (WIDTH),
        .HEAD_BYTES(HEAD_BYTES),
        .USER_WIDTH(SIDE_WIDTH)
    ) u_head (
        .clk,
        .rst,
        .s_axis_tvalid,
        .s_axis_tready,
        .s_axis_tdata,
        .s_axis_tkeep,
        .s_axis_tlast,
        .s_axis_tuser(side_in),
        .m_axis_tvalid,
        .m_axis_tready,
        .m_axis_tdata,
        .m_axis_tkeep,
        .m_axis_tlast,
        .m_axis_tuser(side_on),
        .token_valid,
        .token_ready,
        .token_head  (head),
        .token_length(length),
        .token_user  (side),
        .token_sum   (),
        .token_total ()
    );
    // verilator lint_on PINCONNECTEMPTY

    // ---- Where the TPP is -----------------------------------------------------------------------------
    function automatic logic is_tag(input logic [15:0] kind);
        return kind == 16'h8100 || kind == 16'h88a8;
    endfunction

    logic [15:0]  kinds[3];
    logic [1:0]   tags;
    logic [15:0]  kind;
    logic [16:0]  layer;
    logic [223:0] datagram;
    logic [16:0]  frame_length;
    logic [16:0]  below;
    logic [16:0]  ip_total;
    logic [16:0]  ip_payload;
    logic [16:0]  udp_length;
    logic         is_datagram;
    logic         transparent;
    logic         found;
    logic [5:0]   start;
    logic [16:0]  available;

    // A 16-bit word of the datagram's headers.
    function automatic logic [15:0] word(input logic [223:0] bytes, input int at);
        return {bytes[8*at+:8], bytes[8*at+8+:8]};
    endfunction

    always_comb begin
        for (int i = 0; i < 3; i++) begin
            kinds[i] = {head[8*(12+4*i)+:8], head[8*(13+4*i)+:8]};
        end
        tags = !is_tag(kinds[0]) ? 2'd0 : !is_tag(kinds[1]) ? 2'd1 : 2'd2;
        kind = kinds[tags];
        layer = 17'd14 + {13'd0, tags, 2'b00};
        unique case (tags)
            2'd0: datagram = head[8*14+:224];
            2'd1: datagram = head[8*18+:224];
            default: datagram = head[8*22+:224];
        endcase
        // Longer than the head: at least so long that no TPP of a size that is executed is cut off.
        frame_length = length == 16'(HEAD_BYTES) ? 17'h1ffff : {1'b0, length};
        below        = frame_length - layer;
        transparent  = frame_length >= layer && kind == TPP_NUMBER;

        // IPv4 in 20 bytes, UDP, no fragment; lengths beyond what is there end where that does.
        ip_total = {1'b0, word(datagram, 2)};
        if (ip_total < 17'd20) ip_total = 17'd20;
        if (ip_total > below) ip_total = below;
        ip_payload = ip_total - 17'd20;
        udp_length = {1'b0, word(datagram, 24)};
        if (udp_length < 17'd8) udp_length = 17'd8;
        if (udp_length > ip_payload) udp_length = ip_payload;
        is_datagram = kind == 16'h0800 && frame_length >= layer && below >= 17'd28 && ip_payload >= 17'd8
            && datagram[7:0] == 8'h45 && (word(datagram, 6) & 16'h3fff) == '0 && datagram[8*9+:8] == 8'd17
            && word(datagram, 22) == TPP_NUMBER;

        found     = transparent || is_datagram;
        start     = layer[5:0] + (transparent ? 6'd0 : 6'd28);
        available = transparent ? below : udp_length - 17'd8;
    end
    wire unused_datagram = &{1'b0, datagram};

    logic                         found_valid;
    logic                         found_ready;
    logic                         found_q;
    logic [5:0]                   start_q;
    logic [16:0]                  available_q;
    logic [8*TPP_BYTES-1:0]       tpp_q;
    logic [32*METADATA_WORDS-1:0] metadata_q;

    // Behind as many tags as there are, and behind the headers of a datagram if that is what carries it: two small
    // choices, which synthesis maps better than one among six.
    logic [8*(TPP_BYTES+28)-1:0] behind_tags;
    logic [8*TPP_BYTES-1:0]      tpp;
    always_comb begin
        behind_tags = head[8*14+:8*(TPP_BYTES+28)];
        if (tags[0]) behind_tags = head[8*18+:8*(TPP_BYTES+28)];
        if (tags[1]) behind_tags = head[8*22+:8*(TPP_BYTES+28)];
        tpp = transparent ? behind_tags[0+:8*TPP_BYTES] : behind_tags[8*28+:8*TPP_BYTES];
    end

    assign token_ready = !found_valid || found_ready;
    always_ff @(posedge clk) begin
        if (token_ready) begin
            found_valid <= token_valid;
            found_q     <= found;
            start_q     <= start;
            available_q <= available;
            metadata_q  <= side[SIDE_WIDTH-1:USER_WIDTH];
            tpp_q       <= tpp;
        end
        if (rst) found_valid <= 1'b0;
    end

    // ---- Whether it is one ----------------------------------------------------------------------------
    logic [95:0]    header;
    logic [159:0]   code;
    logic [2047:0]  memory;
    logic [15:0]    total;
    logic [7:0]     memory_length;
    logic [7:0]     stack_pointer;
    logic [7:0]     hop_length;
    logic           hop_mode;
    logic           wide;
    logic [16:0]    code_length;
    logic [2:0]     count;
    logic [7:0]     odd;
    // 144 words of 16 bits.
    logic [23:0]    sum;
    logic [16:0]    folded_once;
    logic [15:0]    folded;
    logic [2:0]     fault;
    logic [16:0]    needed;
    logic [8*(TPP_BYTES+1)-1:0]  bytes;
    logic [8*(TPP_BYTES-11)-1:0] rest;

    always_comb begin
        bytes = {8'h00, tpp_q};
        // In the order of the network: the first byte in the high bits.
        for (int i = 0; i < 12; i++) header[95-8*i-:8] = bytes[8*i+:8];
        for (int i = 0; i < 20; i++) code[159-8*i-:8] = bytes[96+8*i+:8];
        total         = header[95-8*TOTAL_LENGTH_AT-:16];
        memory_length = header[95-8*MEMORY_LENGTH_AT-:8];
        stack_pointer = header[95-8*STACK_POINTER_AT-:8];
        hop_length    = header[95-8*HOP_LENGTH_AT-:8];
        hop_mode      = header[HOP_MODE_BIT];
        wide          = header[WIDE_BIT];

        code_length = {1'b0, total} - 17'(HEADER_BYTES) - {9'd0, memory_length};
        count       = code_length[4:2];
        odd         = memory_length | stack_pointer | (hop_mode ? hop_length : 8'd0);

        sum = '0;
        for (int i = 0; i < (TPP_BYTES + 1) / 2; i++) begin
            if (16'(2 * i) < total) sum += 24'({bytes[16*i+:8], bytes[16*i+8+:8]});
        end
        folded_once = {9'd0, sum[23:16]} + {1'b0, sum[15:0]};
        folded      = folded_once[15:0] + 16'(folded_once[16]);

        needed = '0;
        if (available_q < 17'(HEADER_BYTES) || {1'b0, total} > available_q) fault = TRUNCATED;
        else begin
            // What may be longer than the head is judged again where the frame's length is known.
            if (total > 16'(TPP_BYTES)) needed = {1'b0, total} + {11'd0, start_q};
            if (header[65:64] != 2'd0) fault = VERSION;
            else if (code_length[16] || code_length[1:0] != 2'd0) fault = LENGTH;
            else if (code_length[15:2] > 14'(MOST_INSTRUCTIONS)) fault = TOO_MANY_INSTRUCTIONS;
            else if ((odd & (wide ? 8'd3 : 8'd1)) != '0) fault = ALIGNMENT;
            else if (stack_pointer > memory_length) fault = STACK_POINTER;
            else if (folded != 16'hffff) fault = CHECKSUM;
            else fault = 3'd0;
        end

        // Behind the instructions, at most 5 of them in a TPP that is executed.
        rest   = bytes[8*12+:8*(TPP_BYTES-11)];
        rest   = count[0] ? rest >> 32 : rest;
        rest   = count[1] ? rest >> 64 : rest;
        rest   = count[2] ? rest >> 128 : rest;
        memory = {8'h00, rest[2039:0]};
    end

    // - executes: a TPP without fault that is not marked done
    // - fault: 0 none, 1 truncated, 2 version, 3 length, 4 too many instructions, 5 alignment,
    //   6 stack pointer, 7 checksum
    // - needed: with a fault, bytes that the frame must have, or the fault is 1 all the same
    // - start: the TPP's first byte in the frame
    // - count: instructions
    // - header, code: the first byte in the high bits
    // - memory: the first byte in the low bits
    // - metadata
    logic executes;
    assign executes    = found_q && fault == 3'd0 && !header[DONE_BIT];
    assign found_ready = !judged_valid || judged_ready;
    always_ff @(posedge clk) begin
        if (found_ready) begin
            judged_valid <= found_valid;
            judged <= {
                executes, found_q ? fault : 3'd0, needed, start_q, count, header, code, memory, metadata_q
            };
        end
        if (rst) judged_valid <= 1'b0;
    end
endmodule
