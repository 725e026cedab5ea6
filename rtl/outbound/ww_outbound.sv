// Transmit side of an IPv4 host: finds the way for each packet and makes an Ethernet frame of it.
//
// A packet's next hop is its destination in our network, and the gateway elsewhere; `ww_arp` is asked for its address.
// A packet whose way nobody knows is dropped (ARP asks meanwhile; the packet will come again). Frames are padded to 60
// bytes. ARP's own frames go first, between packets.
//
// One frame after the other without a gap: the next lookups are on their way while a frame leaves. A frame takes a clock
// more than its packet had beats if its header does not fit. Four clocks from a packet's first beat to that of its frame.
//
// Source: 002-monitoring-limago 2.16, S37.
module ww_outbound (
    input  logic         clk,
    input  logic         rst,
    // Our addresses, the first byte high; length of the network's part, 0 to 32; the gateway, if there is one.
    input  logic [47:0]  own_mac,
    input  logic [31:0]  own_ip,
    input  logic [5:0]   prefix,
    input  logic         gateway_on,
    input  logic [31:0]  gateway,
    // IPv4 packets.
    input  logic [511:0] s_axis_tdata,
    input  logic [63:0]  s_axis_tkeep,
    input  logic         s_axis_tlast,
    input  logic         s_axis_tvalid,
    output logic         s_axis_tready,
    // ARP's frames.
    input  logic [511:0] arp_axis_tdata,
    input  logic [63:0]  arp_axis_tkeep,
    input  logic         arp_axis_tlast,
    input  logic         arp_axis_tvalid,
    output logic         arp_axis_tready,
    // Lookups; the result comes two clocks later.
    output logic         lookup_valid,
    output logic [31:0]  lookup_ip,
    input  logic         result_valid,
    input  logic         result_hit,
    input  logic [47:0]  result_mac,
    output logic [511:0] m_axis_tdata,
    output logic [63:0]  m_axis_tkeep,
    output logic         m_axis_tlast,
    output logic         m_axis_tvalid,
    input  logic         m_axis_tready,
    // A packet was dropped: nobody knows its way.
    output logic         event_unresolved
);
    // Packets whose way is looked for; as many results can wait.
    localparam int DEPTH = 8;

    function automatic logic [47:0] reversed(input logic [47:0] bytes);
        return {bytes[7:0], bytes[15:8], bytes[23:16], bytes[31:24], bytes[39:32], bytes[47:40]};
    endfunction

    // Lookups. ------------------------------------------------------------------------------------------------------
    logic         begins, fits;
    logic [31:0]  destination, mask;
    logic         near, reachable, b_ready;
    assign destination = {s_axis_tdata[135:128], s_axis_tdata[143:136], s_axis_tdata[151:144], s_axis_tdata[159:152]};
    assign mask = prefix == 0 ? '0 : '1 << (6'd32 - (prefix > 6'd32 ? 6'd32 : prefix));
    assign near = ((destination ^ own_ip) & mask) == 0;
    assign reachable = near || gateway_on;
    assign s_axis_tready = b_ready && fits;
    assign lookup_valid = s_axis_tvalid && s_axis_tready && begins && reachable;
    assign lookup_ip = near ? destination : gateway;

    // Those without a way take their turn among the results: two clocks behind, as if they had been looked up.
    logic       lost_1, lost_2;
    logic [3:0] waiting;   // packets that have come and not left
    logic       result_taken;
    assign fits = waiting < 4'(DEPTH) || !begins;
    always_ff @(posedge clk) begin
        if (s_axis_tvalid && s_axis_tready) begins <= s_axis_tlast;
        lost_1 <= s_axis_tvalid && s_axis_tready && begins && !reachable;
        lost_2 <= lost_1;
        waiting <= waiting + 4'(s_axis_tvalid && s_axis_tready && begins) - 4'(result_taken);
        if (rst) begin
            begins <= 1'b1;
            lost_1 <= 1'b0;
            lost_2 <= 1'b0;
            waiting <= '0;
        end
    end

    logic        known_valid, known_hit, results_ready;
    logic [47:0] known_mac;
    logic        b_valid, b_last, b_taken;
    logic [63:0] b_keep;
    logic [511:0] b_data;
    // verilator lint_off PINCONNECTEMPTY
    ww_fifo #(.WIDTH(49), .DEPTH(DEPTH)) u_results (
        .clk, .rst, .s_valid(result_valid || lost_2), .s_ready(results_ready),
        .s_data(lost_2 ? 49'h0 : {result_hit, result_mac}),
        .m_valid(known_valid), .m_ready(result_taken), .m_data({known_hit, known_mac}), .level()
    );
    ww_fifo #(.WIDTH(577), .DEPTH(DEPTH)) u_beats (
        .clk, .rst, .s_valid(s_axis_tvalid && fits), .s_ready(b_ready),
        .s_data({s_axis_tlast, s_axis_tkeep, s_axis_tdata}),
        .m_valid(b_valid), .m_ready(b_taken), .m_data({b_last, b_keep, b_data}), .level()
    );
    // verilator lint_on PINCONNECTEMPTY

    // A frame's header; or the packet goes nowhere. -------------------------------------------------------------------
    logic b_first, drops, dropping, p_ready, p_valid, p_last, p_taken;
    logic [111:0] header;
    logic [511:0] p_data;
    logic [63:0]  p_keep;
    // The result is known while the packet's first beat waits, and for the rest of it.
    assign drops = b_first ? known_valid && !known_hit : dropping;
    assign b_taken = drops || ((!b_first || known_valid) && p_ready);
    assign result_taken = b_valid && b_taken && b_first;
    assign event_unresolved = result_taken && drops;
    assign header = {16'h0008, reversed(own_mac), reversed(known_mac)};
    always_ff @(posedge clk) begin
        if (b_valid && b_taken) begin
            b_first <= b_last;
            dropping <= drops;
        end
        if (rst) b_first <= 1'b1;
    end

    ww_axis_prepend #(.BYTES(14)) u_prepend (
        .clk, .rst, .header,
        .s_axis_tdata(b_data), .s_axis_tkeep(b_keep), .s_axis_tlast(b_last),
        .s_axis_tvalid(b_valid && !drops && (!b_first || known_valid)), .s_axis_tready(p_ready),
        .m_axis_tdata(p_data), .m_axis_tkeep(p_keep), .m_axis_tlast(p_last), .m_axis_tvalid(p_valid),
        .m_axis_tready(p_taken)
    );

    // ARP between packets; a frame of one beat has 60 bytes at least. -------------------------------------------------
    logic midway, free, takes_arp, p_first;
    assign free = !m_axis_tvalid || m_axis_tready;
    assign takes_arp = arp_axis_tvalid && !midway;
    assign arp_axis_tready = free && !midway;
    assign p_taken = free && !takes_arp;
    assign p_first = !midway;
    always_ff @(posedge clk) begin
        if (free) begin
            m_axis_tvalid <= takes_arp || p_valid;
            if (takes_arp) begin
                m_axis_tdata <= arp_axis_tdata;
                m_axis_tkeep <= arp_axis_tkeep;
                m_axis_tlast <= arp_axis_tlast;
            end else begin
                m_axis_tdata <= p_data;
                m_axis_tkeep <= p_first && p_last ? p_keep | 64'h0fff_ffff_ffff_ffff : p_keep;
                m_axis_tlast <= p_last;
                if (p_valid) midway <= !p_last;
            end
        end
        if (rst) begin
            m_axis_tvalid <= 1'b0;
            midway <= 1'b0;
        end
    end

    // As many results as packets wait, and there is room for so many.
    always_ff @(posedge clk) if (!rst) assert (results_ready || !(result_valid || lost_2));
endmodule
