// ARP (RFC 826): answers requests for our address, knows who has which address, asks for what is not known.
//
// 256 entries: the last octet of an address is the place, the whole address is compared, and the newest wins. An entry
// is used for two minutes; after one it is asked for again, once a second at most, and used meanwhile. With `scan` we say
// at the start who we are, and ask for every address of our network, one each 50 us; of a network larger than a /24 for
// those of the /24 around us.
//
// Time is an input, nanoseconds since the start, as for the sessions of rtl/toe.
//
// Source: 002-monitoring-limago 2.16, S35; crates/tcp, engine/neighbours.rs, under the same names.
module ww_arp #(
    // Questions that wait, at most, a power of two from 2 to 256; one more is not asked.
    parameter int QUESTIONS = 256,
    // Answers that wait, at most, a power of two from 2 up; one more is not given.
    parameter int ANSWERS = 16
) (
    input  logic         clk,
    input  logic         rst,
    input  logic [47:0]  now,
    // Our addresses, the first byte high; length of the network's part, 0 to 32; whether we ask at the start.
    input  logic [47:0]  own_mac,
    input  logic [31:0]  own_ip,
    input  logic [5:0]   prefix,
    input  logic         scan,
    // A message of 28 bytes that has come, byte 0 low. It has been verified to be ARP for IPv4 over Ethernet.
    input  logic         message_valid,
    // verilator lint_off UNUSEDSIGNAL
    input  logic [223:0] message,
    // verilator lint_on UNUSEDSIGNAL
    // Somebody tells who has an address (not by ARP).
    input  logic         learn_valid,
    input  logic [31:0]  learn_ip,
    input  logic [47:0]  learn_mac,
    // Who has an address? The answer comes two clocks later; on a miss it is asked for. A lookup a clock.
    input  logic         lookup_valid,
    input  logic [31:0]  lookup_ip,
    output logic         result_valid,
    output logic         result_hit,
    output logic [47:0]  result_mac,
    // Frames of 60 bytes, one beat each: questions, and answers to others.
    output logic [511:0] m_axis_tdata,
    output logic [63:0]  m_axis_tkeep,
    output logic         m_axis_tlast,
    output logic         m_axis_tvalid,
    input  logic         m_axis_tready,
    // The scan has more to ask, and when it goes on.
    output logic         scans,
    output logic [47:0]  scan_at
);
    if (QUESTIONS < 2 || QUESTIONS > 256 || (QUESTIONS & (QUESTIONS - 1)) != 0) begin : g_illegal_questions
        $error("ww_arp: QUESTIONS must be a power of two from 2 to 256");
    end
    if (ANSWERS < 2 || (ANSWERS & (ANSWERS - 1)) != 0) begin : g_illegal_answers
        $error("ww_arp: ANSWERS must be a power of two, 2 or more");
    end

    localparam logic [47:0] FRESH = 48'd60_000_000_000;
    localparam logic [47:0] REFRESH_INTERVAL = 48'd1_000_000_000;
    localparam logic [47:0] SCAN_INTERVAL = 48'd50_000;
    localparam int QB = $clog2(QUESTIONS);
    localparam int AB = $clog2(ANSWERS);

    typedef struct packed {
        logic [31:0] ip;
        logic [47:0] mac;
        logic [47:0] heard;
    } entry_t;
    entry_t      entries [256];
    logic [47:0] asked [256];
    logic [255:0] known;

    // What a message tells. ---------------------------------------------------------------------------------------
    function automatic logic [31:0] address(input logic [31:0] bytes);
        return {bytes[7:0], bytes[15:8], bytes[23:16], bytes[31:24]};
    endfunction
    function automatic logic [47:0] reversed(input logic [47:0] bytes);
        return {bytes[7:0], bytes[15:8], bytes[23:16], bytes[31:24], bytes[39:32], bytes[47:40]};
    endfunction

    // A clock for the memory: who announces himself is believed if he is known (RFC 5227 section 2.5).
    logic        t_valid, t_request, t_for_us, t_announces;
    logic [47:0] t_mac, t_now;
    logic [31:0] t_ip;
    logic        t_known;
    // Its address is not looked at.
    // verilator lint_off UNUSEDSIGNAL
    entry_t      t_old;
    // verilator lint_on UNUSEDSIGNAL
    always_ff @(posedge clk) begin
        t_valid <= message_valid || learn_valid;
        t_request <= message_valid && message[63:48] == 16'h0100;
        t_for_us <= !message_valid || address(message[223:192]) == own_ip;
        t_announces <= address(message[143:112]) == address(message[223:192]);
        t_mac <= message_valid ? reversed(message[111:64]) : learn_mac;
        t_ip <= message_valid ? address(message[143:112]) : learn_ip;
        t_now <= now;
        t_old <= entries[message_valid ? message[143:136] : learn_ip[7:0]];
        t_known <= known[message_valid ? message[143:136] : learn_ip[7:0]];
        if (rst) t_valid <= 1'b0;
    end
    logic was_known, learns, answers;
    assign was_known = t_known && t_old.ip == t_ip && t_now - t_old.heard < FRESH << 1;
    assign learns = t_valid && (!t_request || t_for_us || (t_announces && was_known)) && t_ip != 0 && t_ip != own_ip
        && !t_mac[40];
    assign answers = t_valid && t_request && t_for_us;

    // Lookups. ------------------------------------------------------------------------------------------------------
    logic        l_valid, l_known;
    logic [31:0] l_ip;
    logic [47:0] l_asked, l_now, age;
    entry_t      l_entry;
    logic        hit, asks, refreshes;
    always_ff @(posedge clk) begin
        l_valid <= lookup_valid;
        l_ip <= lookup_ip;
        l_now <= now;
        l_entry <= entries[lookup_ip[7:0]];
        l_known <= known[lookup_ip[7:0]];
        l_asked <= asked[lookup_ip[7:0]];
        // What is learnt in this clock counts.
        if (learns && t_ip[7:0] == lookup_ip[7:0]) begin
            l_entry <= '{ip: t_ip, mac: t_mac, heard: t_now};
            l_known <= 1'b1;
            l_asked <= t_now;
        end else if (refreshes && l_ip[7:0] == lookup_ip[7:0]) begin
            l_asked <= l_now;
        end
        result_valid <= l_valid;
        result_hit <= hit;
        result_mac <= l_entry.mac;
        if (rst) begin
            l_valid <= 1'b0;
            result_valid <= 1'b0;
        end
    end
    assign age = l_now < l_entry.heard ? 48'd0 : l_now - l_entry.heard;
    assign hit = l_known && l_entry.ip == l_ip && age < FRESH << 1;
    assign refreshes = l_valid && hit && age >= FRESH && l_now - l_asked >= REFRESH_INTERVAL;
    assign asks = l_valid && (!hit || refreshes);

    always_ff @(posedge clk) begin
        if (learns) begin
            entries[t_ip[7:0]] <= '{ip: t_ip, mac: t_mac, heard: t_now};
            asked[t_ip[7:0]] <= t_now;
            known[t_ip[7:0]] <= 1'b1;
        end else if (refreshes) begin
            asked[l_ip[7:0]] <= l_now;
        end
        if (rst) known <= '0;
    end

    // Questions and answers that wait. --------------------------------------------------------------------------------
    logic [31:0] questions [QUESTIONS];
    logic [79:0] replies [ANSWERS];
    logic [QB:0] question_write, question_read;
    logic [AB:0] reply_write, reply_read;
    logic        question_waits, reply_waits, free, scan_due;
    logic [31:0] scan_next, scan_end;
    logic        begun, announced;
    assign question_waits = question_write != question_read;
    assign reply_waits = reply_write != reply_read;
    assign free = !m_axis_tvalid || m_axis_tready;
    assign scans = begun ? scan_next != scan_end : scan;
    assign scan_due = begun && announced && scans && now >= scan_at;

    // The scan's first address and the one behind its last: without the network's own and its broadcast address, if it
    // has more than two; 255.255.255.255 is nobody's.
    logic [31:0] span, base;
    always_comb begin
        span = prefix >= 6'd24 ? 32'd1 << (6'd32 - (prefix > 6'd32 ? 6'd32 : prefix)) : 32'd256;
        base = own_ip & ~(span - 32'd1);
    end

    function automatic logic [511:0] frame(input logic reply, input logic [47:0] target_mac, input logic [31:0] target);
        logic [511:0] f;
        f = '0;
        f[47:0] = reply ? reversed(target_mac) : '1;
        f[95:48] = reversed(own_mac);
        f[159:96] = 64'h04_06_00_08_01_00_06_08;
        f[175:160] = reply ? 16'h0200 : 16'h0100;
        f[223:176] = reversed(own_mac);
        f[255:224] = address(own_ip);
        f[303:256] = reply ? reversed(target_mac) : 48'h0;
        f[335:304] = address(target);
        return f;
    endfunction

    assign m_axis_tkeep = 64'h0fff_ffff_ffff_ffff;
    assign m_axis_tlast = 1'b1;
    always_ff @(posedge clk) begin
        if (asks && question_write - question_read != (QB + 1)'(QUESTIONS)) begin
            questions[question_write[QB-1:0]] <= l_ip;
            question_write <= question_write + (QB + 1)'(1);
        end
        if (answers && reply_write - reply_read != (AB + 1)'(ANSWERS)) begin
            replies[reply_write[AB-1:0]] <= {t_mac, t_ip};
            reply_write <= reply_write + (AB + 1)'(1);
        end
        if (free) begin
            m_axis_tvalid <= 1'b1;
            if (begun && scan && !announced) begin
                // In front of the scan we say who we are.
                m_axis_tdata <= frame(1'b0, '0, own_ip);
                announced <= 1'b1;
            end else if (question_waits) begin
                m_axis_tdata <= frame(1'b0, '0, questions[question_read[QB-1:0]]);
                question_read <= question_read + (QB + 1)'(1);
            end else if (scan_due && scan_next != own_ip) begin
                m_axis_tdata <= frame(1'b0, '0, scan_next);
                scan_at <= now + SCAN_INTERVAL;
            end else if (reply_waits) begin
                m_axis_tdata <= frame(1'b1, replies[reply_read[AB-1:0]][79:32], replies[reply_read[AB-1:0]][31:0]);
                reply_read <= reply_read + (AB + 1)'(1);
            end else begin
                m_axis_tvalid <= 1'b0;
            end
            if (!question_waits && scan_due) scan_next <= scan_next + 32'd1;
        end
        if (!begun) begin
            begun <= 1'b1;
            scan_at <= now;
            scan_next <= span > 32'd2 ? base + 32'd1 : base;
            scan_end <= span > 32'd2 || &(base + span - 32'd1) ? base + span - 32'd1 : base + span;
            if (!scan) scan_end <= span > 32'd2 ? base + 32'd1 : base;
        end
        if (rst) begin
            question_write <= '0;
            question_read <= '0;
            reply_write <= '0;
            reply_read <= '0;
            m_axis_tvalid <= 1'b0;
            begun <= 1'b0;
            announced <= 1'b0;
        end
    end
endmodule
