// An IPv4 host up to its transport: ARP, echo replies, port unreachables; TCP segments and UDP datagrams leave for who
// serves them, and their packets go out.
//
//   MAC -> ww_inbound -> ARP | ICMP | UDP | TCP      ARP, packets -> ww_outbound -> MAC
//
// What comes is handed over in order, one frame after the other: who serves TCP or UDP and waits, holds up what comes
// behind, and in the end frames find no room, which is counted.
//
// Source: 002-monitoring-limago 2.16, S33 to S37.
module ww_ip_host
    import ww_inbound_types::*;
#(
    // As of ww_inbound.
    parameter int DEPTH = 512,
    parameter int HEADS = 64,
    // UDP ports that may listen, 1 to 64.
    parameter int PORTS = 8
) (
    input  logic         clk,
    input  logic         rst,
    input  logic [47:0]  now,
    // As of ww_arp and ww_outbound.
    input  logic [47:0]  own_mac,
    input  logic [31:0]  own_ip,
    input  logic [5:0]   prefix,
    input  logic         gateway_on,
    input  logic [31:0]  gateway,
    input  logic         scan,
    // UDP ports that listen; 0: none.
    input  logic [PORTS-1:0][15:0] udp_ports,
    // Somebody tells who has an address.
    input  logic         learn_valid,
    input  logic [31:0]  learn_ip,
    input  logic [47:0]  learn_mac,
    // The MAC's receive side; it cannot wait.
    input  logic [511:0] rx_axis_tdata,
    input  logic [63:0]  rx_axis_tkeep,
    input  logic         rx_axis_tuser,
    input  logic         rx_axis_tlast,
    input  logic         rx_axis_tvalid,
    // Its transmit side.
    output logic [511:0] tx_axis_tdata,
    output logic [63:0]  tx_axis_tkeep,
    output logic         tx_axis_tlast,
    output logic         tx_axis_tvalid,
    input  logic         tx_axis_tready,
    // TCP segments and UDP datagrams that have come: `m_head` holds with the message, and `m_udp` says which it is.
    output head_t        m_head,
    output logic         m_udp,
    output logic [511:0] m_axis_tdata,
    output logic [63:0]  m_axis_tkeep,
    output logic         m_axis_tlast,
    output logic         m_axis_tvalid,
    input  logic         m_axis_tready,
    // IPv4 packets that go out.
    input  logic [511:0] s_axis_tdata,
    input  logic [63:0]  s_axis_tkeep,
    input  logic         s_axis_tlast,
    input  logic         s_axis_tvalid,
    output logic         s_axis_tready,
    // As of ww_inbound, ww_outbound and ww_arp.
    output logic         event_accepted,
    output kind_t        event_kind,
    output logic         event_dropped,
    output reason_t      event_reason,
    output logic         event_unresolved,
    output logic         scans,
    output logic [47:0]  scan_at
);
    if (PORTS < 1 || PORTS > 64) begin : g_illegal_ports
        $error("ww_ip_host: PORTS must be 1 to 64");
    end

    logic         head_valid, head_ready, in_valid, in_ready, in_last;
    logic [511:0] in_data;
    logic [63:0]  in_keep;
    head_t        head;
    ww_inbound #(.DEPTH(DEPTH), .HEADS(HEADS)) u_inbound (
        .clk, .rst, .own_mac, .own_ip,
        .s_axis_tdata(rx_axis_tdata), .s_axis_tkeep(rx_axis_tkeep), .s_axis_tuser(rx_axis_tuser),
        .s_axis_tlast(rx_axis_tlast), .s_axis_tvalid(rx_axis_tvalid),
        .m_head(head), .m_head_valid(head_valid), .m_head_ready(head_ready),
        .m_axis_tdata(in_data), .m_axis_tkeep(in_keep), .m_axis_tlast(in_last), .m_axis_tvalid(in_valid),
        .m_axis_tready(in_ready), .event_accepted, .event_kind, .event_dropped, .event_reason
    );

    // Who gets a frame. -----------------------------------------------------------------------------------------------
    // A head stays until the last beat of its message; of UDP the first beat decides.
    logic is_arp, is_first, listens, serves, to_icmp, icmp_ready;
    logic served;
    assign is_arp = head_valid && head.kind == KIND_ARP;
    always_comb begin
        listens = 1'b0;
        for (int n = 0; n < PORTS; n++)
            if (udp_ports[n] != 0 && udp_ports[n] == {in_data[23:16], in_data[31:24]}) listens = 1'b1;
    end
    assign serves = head.kind == KIND_TCP || (head.kind == KIND_UDP && (is_first ? listens : served));
    assign to_icmp = !serves && !is_arp;
    assign m_head = head;
    assign m_udp = head.kind == KIND_UDP;
    assign m_axis_tdata = in_data;
    assign m_axis_tkeep = in_keep;
    assign m_axis_tlast = in_last;
    assign m_axis_tvalid = head_valid && in_valid && serves;
    assign in_ready = head_valid && !is_arp && (serves ? m_axis_tready : icmp_ready);
    assign head_ready = is_arp || (in_valid && in_ready && in_last);
    always_ff @(posedge clk) begin
        if (in_valid && in_ready) begin
            is_first <= in_last;
            served <= serves;
        end
        if (rst) is_first <= 1'b1;
    end

    // ARP, ICMP and what goes out. ------------------------------------------------------------------------------------
    logic         lookup_valid, result_valid, result_hit;
    logic [31:0]  lookup_ip;
    logic [47:0]  result_mac;
    logic [511:0] arp_data, icmp_data, packet_data, out_data;
    logic [63:0]  arp_keep, icmp_keep, packet_keep, out_keep;
    logic         arp_valid, arp_ready, arp_last, icmp_valid, icmp_taken, icmp_last, packet_valid, packet_ready,
                  packet_last, out_valid, out_ready, out_last;
    logic [31:0]  icmp_destination;
    logic [13:0]  icmp_length;
    ww_arp u_arp (
        .clk, .rst, .now, .own_mac, .own_ip, .prefix, .scan,
        .message_valid(is_arp), .message(head.bytes[223:0]), .learn_valid(learn_valid && !is_arp), .learn_ip, .learn_mac,
        .lookup_valid, .lookup_ip, .result_valid, .result_hit, .result_mac,
        .m_axis_tdata(arp_data), .m_axis_tkeep(arp_keep), .m_axis_tlast(arp_last), .m_axis_tvalid(arp_valid),
        .m_axis_tready(arp_ready), .scans, .scan_at
    );
    ww_icmp u_icmp (
        .clk, .rst, .head,
        .s_axis_tdata(in_data), .s_axis_tkeep(in_keep), .s_axis_tlast(in_last),
        .s_axis_tvalid(head_valid && in_valid && to_icmp), .s_axis_tready(icmp_ready),
        .m_destination(icmp_destination), .m_length(icmp_length),
        .m_axis_tdata(icmp_data), .m_axis_tkeep(icmp_keep), .m_axis_tlast(icmp_last), .m_axis_tvalid(icmp_valid),
        .m_axis_tready(icmp_taken)
    );
    ww_ipv4_prepend u_icmp_packet (
        .clk, .rst, .source(own_ip), .destination(icmp_destination), .protocol(8'd1), .length(icmp_length), .ecn(2'b00),
        .s_axis_tdata(icmp_data), .s_axis_tkeep(icmp_keep), .s_axis_tlast(icmp_last), .s_axis_tvalid(icmp_valid),
        .s_axis_tready(icmp_taken),
        .m_axis_tdata(packet_data), .m_axis_tkeep(packet_keep), .m_axis_tlast(packet_last),
        .m_axis_tvalid(packet_valid), .m_axis_tready(packet_ready)
    );
    // verilator lint_off PINCONNECTEMPTY
    ww_axis_arbiter #(.PORTS(2), .WIDTH(512), .USER_WIDTH(1)) u_arbiter (
        .clk, .rst,
        .s_axis_tdata({s_axis_tdata, packet_data}), .s_axis_tkeep({s_axis_tkeep, packet_keep}), .s_axis_tuser(2'b00),
        .s_axis_tlast({s_axis_tlast, packet_last}), .s_axis_tvalid({s_axis_tvalid, packet_valid}),
        .s_axis_tready({s_axis_tready, packet_ready}),
        .m_axis_tdata(out_data), .m_axis_tkeep(out_keep), .m_axis_tuser(), .m_axis_tlast(out_last),
        .m_axis_tvalid(out_valid), .m_axis_tready(out_ready)
    );
    // verilator lint_on PINCONNECTEMPTY
    ww_outbound u_outbound (
        .clk, .rst, .own_mac, .own_ip, .prefix, .gateway_on, .gateway,
        .s_axis_tdata(out_data), .s_axis_tkeep(out_keep), .s_axis_tlast(out_last), .s_axis_tvalid(out_valid),
        .s_axis_tready(out_ready),
        .arp_axis_tdata(arp_data), .arp_axis_tkeep(arp_keep), .arp_axis_tlast(arp_last), .arp_axis_tvalid(arp_valid),
        .arp_axis_tready(arp_ready),
        .lookup_valid, .lookup_ip, .result_valid, .result_hit, .result_mac,
        .m_axis_tdata(tx_axis_tdata), .m_axis_tkeep(tx_axis_tkeep), .m_axis_tlast(tx_axis_tlast),
        .m_axis_tvalid(tx_axis_tvalid), .m_axis_tready(tx_axis_tready), .event_unresolved
    );
endmodule
