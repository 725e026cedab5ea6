// Receive side of an IPv4 host: takes each Ethernet frame for what it is, or drops it and says why.
//
// A frame that is good leaves as an entry of `m_head` and, but for ARP, a message on `m_axis`: what follows the IPv4
// header with its options, from lane 0 on and without padding. Frames are stored until their checksums are known. Good
// ones leave in order: heads and messages are two queues, and who takes them takes a head and then its message.
//
// The input is never held back. Every frame is counted once, as accepted or by the first reason to drop it, in the
// order of `ww_inbound_types`. Two clocks from the last beat of a frame to its event.
//
// Source: 002-monitoring-limago 2.16, S34.
module ww_inbound
    import ww_inbound_types::*;
#(
    // Beats of messages that are stored, a power of two from 256 up: a frame of 9,014 bytes has 141.
    parameter int DEPTH = 512,
    // Frames that are stored, a power of two from 2 up.
    parameter int HEADS = 64
) (
    input  logic         clk,
    input  logic         rst,
    // Our addresses, the first byte high.
    input  logic [47:0]  own_mac,
    input  logic [31:0]  own_ip,
    // Frames without check sequence; `tuser`, with the last beat: the MAC found it bad.
    input  logic [511:0] s_axis_tdata,
    input  logic [63:0]  s_axis_tkeep,
    input  logic         s_axis_tuser,
    input  logic         s_axis_tlast,
    input  logic         s_axis_tvalid,
    output head_t        m_head,
    output logic         m_head_valid,
    input  logic         m_head_ready,
    output logic [511:0] m_axis_tdata,
    output logic [63:0]  m_axis_tkeep,
    output logic         m_axis_tlast,
    output logic         m_axis_tvalid,
    input  logic         m_axis_tready,
    // A frame has been accepted, as what; or dropped, why.
    output logic         event_accepted,
    output kind_t        event_kind,
    output logic         event_dropped,
    output reason_t      event_reason
);
    if (DEPTH < 256 || (DEPTH & (DEPTH - 1)) != 0) begin : g_illegal_depth
        $error("ww_inbound: DEPTH must be a power of two, 256 or more");
    end
    if (HEADS < 2 || (HEADS & (HEADS - 1)) != 0) begin : g_illegal_heads
        $error("ww_inbound: HEADS must be a power of two, 2 or more");
    end
    localparam int DB = $clog2(DEPTH);
    localparam int HB = $clog2(HEADS);
    localparam logic [13:0] LONGEST = 14'd9014;

    // Behind the Ethernet header. -----------------------------------------------------------------------------------
    // A frame's beats lose 14 bytes at their beginning: each waits for the first bytes of the next one.
    logic         d_valid, d_first, d_last, d_bad;
    // Who sent a frame does not matter.
    // verilator lint_off UNUSEDSIGNAL
    logic [511:0] d_data;
    // verilator lint_on UNUSEDSIGNAL
    logic [6:0]   d_bytes, s_bytes;
    logic         next_first;
    ww_axis_keep_count #(.BYTES(64)) u_count (.keep(s_axis_tkeep), .count(s_bytes));
    always_ff @(posedge clk) begin
        if (s_axis_tvalid) begin
            d_data <= s_axis_tdata;
            d_bytes <= s_axis_tlast ? s_bytes : 7'd64;
            d_last <= s_axis_tlast;
            d_bad <= s_axis_tuser && s_axis_tlast;
            d_first <= next_first;
            next_first <= s_axis_tlast;
        end
        d_valid <= s_axis_tvalid || (d_valid && !d_last);
        if (rst) begin
            d_valid <= 1'b0;
            next_first <= 1'b1;
        end
    end

    logic         r_valid, r_last;
    logic [511:0] r_data;
    logic [6:0]   r_bytes;
    assign r_valid = d_valid && (d_last || s_axis_tvalid);
    assign r_last = d_last;
    assign r_data = {d_last ? 112'h0 : s_axis_tdata[111:0], d_data[511:112]};
    always_comb begin
        if (d_last) r_bytes = d_bytes > 7'd14 ? d_bytes - 7'd14 : 7'd0;
        else r_bytes = s_axis_tlast && s_bytes < 7'd14 ? 7'd50 + s_bytes : 7'd64;
    end

    // Behind the IPv4 header. ---------------------------------------------------------------------------------------
    // The same again, by the length that the header gives.
    logic         p_valid, p_first, p_last, p_bad, p_runt;
    logic [511:0] p_data;
    logic [13:0]  p_total;     // bytes behind the Ethernet header so far
    logic [47:0]  p_mac;
    logic [15:0]  p_type;
    logic [3:0]   p_words, words;
    always_ff @(posedge clk) begin
        if (r_valid) begin
            p_data <= r_data;
            p_first <= d_first;
            p_last <= r_last;
            p_bad <= d_bad;
            p_words <= words;
            p_total <= d_first ? 14'(r_bytes) : p_total > LONGEST ? p_total : p_total + 14'(r_bytes);
            if (d_first) begin
                p_mac <= {<<8{d_data[47:0]}};
                p_type <= {<<8{d_data[111:96]}};
                p_runt <= d_last && d_bytes < 7'd14;
            end
        end
        p_valid <= r_valid || (p_valid && !p_last);
        if (rst) p_valid <= 1'b0;
    end
    // Words of the IPv4 header: of this frame's first beat, or as they were.
    assign words = p_first ? p_data[3:0] : p_words;

    logic         m_valid;
    logic [511:0] m_data;
    assign m_valid = p_valid && (p_last || r_valid);
    always_comb begin
        m_data = '0;
        for (int count = 5; count < 16; count++) begin
            if (words == 4'(count)) begin
                for (int place = 0; place < 16; place++) begin
                    if (place + count < 16) m_data[32*place+:32] = p_data[32*(place+count)+:32];
                    else m_data[32*place+:32] = p_last ? 32'h0 : r_data[32*(place+count-16)+:32];
                end
            end
        end
    end

    // What the frame is. ----------------------------------------------------------------------------------------------
    function automatic logic [15:0] word(input logic [511:0] data, input logic [5:0] at);
        return {data[8*at+:8], data[8*(at+6'd1)+:8]};
    endfunction

    logic         is_ip, is_arp, mac_ours, arp_good, header_good, ip_ours, is_whole;
    logic [15:0]  ip_total, udp_length;
    logic [13:0]  message;     // bytes of it
    kind_t        kind;
    logic         known;
    always_comb begin
        mac_ours = p_mac == own_mac || p_mac == '1;
        is_arp = p_type == 16'h0806;
        is_ip = p_type == 16'h0800;
        arp_good = p_data[47:0] == 48'h04_06_00_08_01_00
            && (word(p_data, 6'd6) == 16'd1 || word(p_data, 6'd6) == 16'd2);
        ip_total = word(p_data, 6'd2);
        header_good = p_data[7:4] == 4'd4 && words >= 4'd5 && ip_total >= 16'({words, 2'b00});
        ip_ours = {word(p_data, 6'd16), word(p_data, 6'd18)} == own_ip;
        is_whole = (word(p_data, 6'd6) & 16'h3fff) == 16'h0;
        kind = KIND_ARP;
        known = 1'b1;
        case (p_data[79:72])
            8'd1: kind = KIND_ICMP;
            8'd6: kind = KIND_TCP;
            8'd17: kind = KIND_UDP;
            default: known = 1'b0;
        endcase
        if (is_arp) kind = KIND_ARP;
        // Longer than any frame: the frame is too short for it.
        message = ip_total > 16'(LONGEST) ? LONGEST : ip_total[13:0] - 14'({words, 2'b00});
        udp_length = word(m_data, 6'd4);
    end

    // Of the frame that is on its way, from its first beat on.
    typedef struct packed {
        logic        runt;
        logic        mac_ours;
        logic        is_arp;
        logic        is_ip;
        logic        arp_good;
        logic        header_good;
        logic        ip_ours;
        logic        is_whole;
        logic        known;
        logic        short_message;   // of its protocol's header
        logic        udp_length_good;
        logic        unsummed;        // UDP without checksum
        logic        echo;
        logic        offset_good;
        logic [15:0] ip_total;
        logic [31:0] pseudo;          // sum of the pseudo header
        head_t       head;
    } frame_t;
    frame_t f, f_r;
    logic [13:0] place, place_r;      // of the beat in the message
    always_comb begin
        f = f_r;
        place = place_r;
        if (p_first) begin
            place = 0;
            f = '0;
            f.runt = p_runt;
            f.mac_ours = mac_ours;
            f.is_arp = is_arp;
            f.is_ip = is_ip;
            f.arp_good = arp_good;
            f.header_good = header_good;
            f.ip_ours = ip_ours;
            f.is_whole = is_whole;
            f.known = known;
            f.ip_total = ip_total;
            f.head.kind = kind;
            f.head.source = {word(p_data, 6'd12), word(p_data, 6'd14)};
            f.head.marked = p_data[9:8] == 2'b11;
            f.head.words = words;
            f.head.bytes = p_data;
            f.head.length = message;
            f.short_message = message < (kind == KIND_TCP ? 14'd20 : 14'd8);
            f.udp_length_good = udp_length >= 16'd8 && udp_length <= 16'(message);
            f.unsummed = kind == KIND_UDP && word(m_data, 6'd6) == 16'h0;
            f.echo = m_data[7:0] == 8'd8;
            f.offset_good = m_data[103:100] >= 4'd5 && 14'({m_data[103:100], 2'b00}) <= message;
            if (kind == KIND_UDP && f.udp_length_good) f.head.length = udp_length[13:0];
            f.pseudo = 32'(word(p_data, 6'd12)) + 32'(word(p_data, 6'd14)) + 32'(own_ip[31:16]) + 32'(own_ip[15:0])
                + 32'(p_data[79:72]) + 32'(f.head.length);
            if (kind == KIND_ICMP) f.pseudo = '0;
        end
    end

    // The message's beats: which bytes are its, and which beat is its last one.
    logic        needed, ends;
    logic [13:0] left;
    logic [63:0] keep;
    assign left = f.head.length - place;
    assign needed = m_valid && f.is_ip && f.header_good && place < f.head.length;
    assign ends = needed && (left <= 14'd64 || p_last);
    assign keep = left >= 14'd64 ? '1 : ~(64'hffff_ffff_ffff_ffff << left[5:0]);
    always_ff @(posedge clk) begin
        if (m_valid) begin
            f_r <= f;
            place_r <= place > LONGEST ? place : place + 14'd64;
        end
    end

    logic [15:0] message_sum;
    logic        ip_sum_good;
    // verilator lint_off PINCONNECTEMPTY
    ww_message_sum #(.WIDTH(512)) u_message_sum (
        .clk, .rst, .enable(1'b1), .beat_valid(needed), .beat_data(m_data), .beat_keep(keep), .beat_last(ends),
        .sum_valid(), .sum(message_sum), .sum_good()
    );
    ww_ipv4_sum u_ip_sum (
        .clk, .rst, .enable(m_valid && p_first), .header_valid(1'b1), .header(p_data[479:0]),
        .sum_valid(), .sum(), .sum_good(ip_sum_good), .sum_short()
    );
    // verilator lint_on PINCONNECTEMPTY

    // A clock later: the verdict, and the message's memory. -----------------------------------------------------------
    logic         w_needed, w_ends, w_last, w_bad;
    logic [511:0] w_data;
    logic [63:0]  w_keep;
    logic [13:0]  w_total;
    always_ff @(posedge clk) begin
        w_needed <= needed;
        w_ends <= ends;
        w_last <= m_valid && p_last;
        w_bad <= p_bad;
        w_data <= m_data;
        w_keep <= keep;
        w_total <= p_total;
        if (rst) begin
            w_needed <= 1'b0;
            w_last <= 1'b0;
        end
    end

    logic [DB:0] write_at, kept_to, read_at;
    logic [HB:0] head_write, head_read;
    logic        full, overflow, overflowed;
    logic [16:0] folded;
    logic [31:0] total_sum;
    logic        sum_right, accepted;
    reason_t     reason;
    assign full = write_at - read_at == (DB + 1)'(DEPTH);
    assign overflow = overflowed || (w_needed && full);
    always_comb begin
        total_sum = f_r.pseudo + 32'(message_sum);
        folded = 17'(total_sum[15:0]) + 17'(total_sum[31:16]);
        sum_right = folded == 17'h0ffff || folded == 17'h1fffe;
        accepted = 1'b0;
        reason = REASON_FRAME;
        if (f_r.runt || w_bad || w_total > LONGEST - 14'd14) reason = REASON_FRAME;
        else if (!f_r.mac_ours) reason = REASON_NOT_OURS;
        else if (!f_r.is_arp && !f_r.is_ip) reason = REASON_ETHERTYPE;
        else if (f_r.is_arp && (!f_r.arp_good || w_total < 14'd28)) reason = REASON_ARP;
        else if (f_r.is_ip && (!f_r.header_good || w_total < 14'd20 || f_r.ip_total > 16'(w_total)))
            reason = REASON_IP_HEADER;
        else if (f_r.is_ip && !ip_sum_good) reason = REASON_IP_CHECKSUM;
        else if (f_r.is_ip && !f_r.ip_ours) reason = REASON_NOT_OURS;
        else if (f_r.is_ip && !f_r.is_whole) reason = REASON_FRAGMENT;
        else if (f_r.is_ip && !f_r.known) reason = REASON_PROTOCOL;
        else if (f_r.is_ip && f_r.head.kind == KIND_ICMP && (f_r.short_message || !sum_right || !f_r.echo))
            reason = REASON_ICMP;
        else if (f_r.is_ip && f_r.head.kind == KIND_UDP && (f_r.short_message || !f_r.udp_length_good))
            reason = REASON_UDP_LENGTH;
        else if (f_r.is_ip && f_r.head.kind == KIND_UDP && !f_r.unsummed && !sum_right) reason = REASON_UDP_CHECKSUM;
        else if (f_r.is_ip && f_r.head.kind == KIND_TCP && (f_r.short_message || !f_r.offset_good))
            reason = REASON_TCP_HEADER;
        else if (f_r.is_ip && f_r.head.kind == KIND_TCP && !sum_right) reason = REASON_TCP_CHECKSUM;
        else if (overflow || head_write - head_read == (HB + 1)'(HEADS)) reason = REASON_NO_ROOM;
        else accepted = 1'b1;
    end

    logic [576:0] beats [DEPTH];
    head_t        heads [HEADS];
    always_ff @(posedge clk) begin
        event_accepted <= w_last && accepted;
        event_kind <= f_r.head.kind;
        event_dropped <= w_last && !accepted;
        event_reason <= reason;
        if (w_needed && !full) begin
            beats[write_at[DB-1:0]] <= {w_ends, w_keep, w_data};
            write_at <= write_at + (DB + 1)'(1);
        end
        overflowed <= overflow && !w_last;
        if (w_last && accepted) begin
            kept_to <= w_needed ? write_at + (DB + 1)'(1) : write_at;
            heads[head_write[HB-1:0]] <= f_r.head;
            head_write <= head_write + (HB + 1)'(1);
        end else if (w_last) begin
            write_at <= kept_to;
        end
        if (rst) begin
            write_at <= '0;
            kept_to <= '0;
            head_write <= '0;
            overflowed <= 1'b0;
            event_accepted <= 1'b0;
            event_dropped <= 1'b0;
        end
    end

    // What leaves: the next beat and the next head are in registers. ------------------------------------------------
    logic [DB:0] read_next;
    logic [HB:0] head_next;
    assign read_next = read_at + (DB + 1)'(m_axis_tvalid && m_axis_tready);
    assign head_next = head_read + (HB + 1)'(m_head_valid && m_head_ready);
    always_ff @(posedge clk) begin
        {m_axis_tlast, m_axis_tkeep, m_axis_tdata} <= beats[read_next[DB-1:0]];
        m_axis_tvalid <= read_next != kept_to;
        read_at <= read_next;
        m_head <= heads[head_next[HB-1:0]];
        m_head_valid <= head_next != head_write;
        head_read <= head_next;
        if (rst) begin
            m_axis_tvalid <= 1'b0;
            read_at <= '0;
            m_head_valid <= 1'b0;
            head_read <= '0;
        end
    end
endmodule
