// A TCP/IP host: frames of a MAC on one side, an application's calls and bytes on the other, and a DDR4 memory below.
//
//   MAC <-> ww_ip_host <-> ww_toe (TCP), datagrams (UDP) <-> application
//                             |
//                          ww_ddr4 <-> controller of the memory
//
// Source: 002-monitoring-limago 2.16 to 2.18, S33 to S48.
module ww_limago
    import ww_inbound_types::*;
    import ww_toe_types::*;
    import ww_toe_engine_types::*;
#(
    // As of ww_toe.
    parameter int SESSIONS = 64,
    parameter int RECORDS = 1024,
    parameter int RANGES = 64,
    parameter int MARKS = 64,
    parameter int LISTENERS = 16,
    parameter int LINES = 4096,
    parameter int ROW_WIDTH = 26,
    // UDP ports that may listen, 1 to 64.
    parameter int UDP_PORTS = 8
) (
    input  logic         clk,
    input  logic         rst,
    // Registers, as of ww_ip_host and ww_toe.
    input  behaviour_t   behaviour,
    input  clock_t       moment,
    input  logic [47:0]  own_mac,
    input  logic [31:0]  own_ip,
    input  logic [5:0]   prefix,
    input  logic         gateway_on,
    input  logic [31:0]  gateway,
    input  logic         scan,
    input  logic [UDP_PORTS-1:0][15:0] udp_ports,
    input  logic [127:0] key,
    input  logic [15:0]  backlog,
    input  logic [15:0]  first_port,
    input  logic         learn_valid,
    input  logic [31:0]  learn_ip,
    input  logic [47:0]  learn_mac,
    // The MAC.
    input  logic [511:0] rx_axis_tdata,
    input  logic [63:0]  rx_axis_tkeep,
    input  logic         rx_axis_tuser,
    input  logic         rx_axis_tlast,
    input  logic         rx_axis_tvalid,
    output logic [511:0] tx_axis_tdata,
    output logic [63:0]  tx_axis_tkeep,
    output logic         tx_axis_tlast,
    output logic         tx_axis_tvalid,
    input  logic         tx_axis_tready,
    // TCP's application, as of ww_toe.
    input  call_t        call,
    input  logic         call_valid,
    output logic         call_ready,
    output logic         result_valid,
    output result_t      result,
    output logic         news_waits,
    input  logic [511:0] write_axis_tdata,
    input  logic         write_axis_tvalid,
    output logic         write_axis_tready,
    output logic [511:0] read_axis_tdata,
    output logic [63:0]  read_axis_tkeep,
    output logic         read_axis_tlast,
    output logic         read_axis_tvalid,
    input  logic         read_axis_tready,
    // Datagrams that have come for ports that listen: from the UDP header on, with their sender.
    output logic [31:0]  udp_source,
    output logic [511:0] udp_axis_tdata,
    output logic [63:0]  udp_axis_tkeep,
    output logic         udp_axis_tlast,
    output logic         udp_axis_tvalid,
    input  logic         udp_axis_tready,
    // A datagram that is sent: to whom, from which port, and how many bytes of data follow in a packet, 0 to 8,972.
    input  logic         send_valid,
    output logic         send_ready,
    input  connection_t  send_connection,
    input  logic [13:0]  send_length,
    input  logic [511:0] send_axis_tdata,
    input  logic [63:0]  send_axis_tkeep,
    input  logic         send_axis_tlast,
    input  logic         send_axis_tvalid,
    output logic         send_axis_tready,
    // The controller of the memory, as of ww_ddr4.
    output logic [ROW_WIDTH+2:0] app_addr,
    output logic [2:0]           app_cmd,
    output logic                 app_en,
    input  logic                 app_rdy,
    output logic [511:0]         app_wdf_data,
    output logic [63:0]          app_wdf_mask,
    output logic                 app_wdf_wren,
    output logic                 app_wdf_end,
    input  logic                 app_wdf_rdy,
    input  logic [511:0]         app_rd_data,
    input  logic                 app_rd_data_valid,
    // For counters, as of ww_ip_host and ww_toe.
    output logic         event_accepted,
    output kind_t        event_kind,
    output logic         event_dropped,
    output reason_t      event_reason,
    output logic         event_unresolved,
    output logic         event_opened,
    output logic         event_closed,
    output logic         event_cookie,
    output logic         event_resent,
    output logic [16:0]  open_sessions,
    // When a timer of a session is due; until then TCP has nothing to do if no frame and no call comes (`quiet`). When
    // the scan asks next.
    output optional_instant_t wakes,
    output logic         quiet,
    output logic         scans,
    output logic [47:0]  scan_at
);
    // Messages for TCP and UDP. -----------------------------------------------------------------------------------------
    // verilator lint_off UNUSEDSIGNAL
    head_t        head;
    // verilator lint_on UNUSEDSIGNAL
    logic         in_udp, in_last, in_valid, in_ready, tcp_ready;
    logic [511:0] in_data;
    logic [63:0]  in_keep;
    logic [1:0]         ip_last, ip_valid, ip_ready;   // TCP, UDP
    logic [1:0][511:0]  ip_data;
    logic [1:0][63:0]   ip_keep;
    logic [511:0] out_data;
    logic [63:0]  out_keep;
    logic         out_last, out_valid, out_ready;
    ww_ip_host #(.PORTS(UDP_PORTS)) u_host (
        .clk, .rst, .now(moment.now), .own_mac, .own_ip, .prefix, .gateway_on, .gateway, .scan, .udp_ports,
        .learn_valid, .learn_ip, .learn_mac,
        .rx_axis_tdata, .rx_axis_tkeep, .rx_axis_tuser, .rx_axis_tlast, .rx_axis_tvalid,
        .tx_axis_tdata, .tx_axis_tkeep, .tx_axis_tlast, .tx_axis_tvalid, .tx_axis_tready,
        .m_head(head), .m_udp(in_udp), .m_axis_tdata(in_data), .m_axis_tkeep(in_keep), .m_axis_tlast(in_last),
        .m_axis_tvalid(in_valid), .m_axis_tready(in_ready),
        .s_axis_tdata(out_data), .s_axis_tkeep(out_keep), .s_axis_tlast(out_last), .s_axis_tvalid(out_valid),
        .s_axis_tready(out_ready),
        .event_accepted, .event_kind, .event_dropped, .event_reason, .event_unresolved, .scans, .scan_at
    );
    assign in_ready = in_udp ? udp_axis_tready : tcp_ready;
    assign udp_source = head.source;
    assign udp_axis_tdata = in_data;
    assign udp_axis_tkeep = in_keep;
    assign udp_axis_tlast = in_last;
    assign udp_axis_tvalid = in_valid && in_udp;

    // TCP. --------------------------------------------------------------------------------------------------------------
    typedef struct packed {
        logic [31:0]  source;
        logic [31:0]  destination;
        logic [7:0]   protocol;
        logic [13:0]  length;
        logic [1:0]   ecn;
    } ends_t;
    ends_t [1:0]        ends;
    logic  [1:0]        part_last, part_valid, part_ready;
    logic  [1:0][511:0] part_data;
    logic  [1:0][63:0]  part_keep;
    logic [1:0]                write_valid, write_ready, fetch_valid, fetch_ready, memory_valid;
    logic [1:0][ROW_WIDTH-1:0] write_row, fetch_row;
    logic [1:0][63:0]          write_mask;
    logic [1:0][511:0]         write_data;
    logic [511:0]              memory_data;
    logic                      toe_quiet, memory_quiet;
    ww_toe #(
        .SESSIONS(SESSIONS), .RECORDS(RECORDS), .RANGES(RANGES), .MARKS(MARKS), .LISTENERS(LISTENERS), .LINES(LINES),
        .ROW_WIDTH(ROW_WIDTH)
    ) u_toe (
        .clk, .rst, .behaviour, .own_ip, .key, .backlog, .first_port, .moment,
        .s_source(head.source), .s_length(head.length), .s_marked(head.marked),
        .s_axis_tdata(in_data), .s_axis_tvalid(in_valid && !in_udp), .s_axis_tready(tcp_ready),
        .m_source(ends[0].source), .m_destination(ends[0].destination), .m_protocol(ends[0].protocol),
        .m_length(ends[0].length), .m_ecn(ends[0].ecn),
        .m_axis_tdata(part_data[0]), .m_axis_tkeep(part_keep[0]), .m_axis_tlast(part_last[0]),
        .m_axis_tvalid(part_valid[0]), .m_axis_tready(part_ready[0]),
        .call, .call_valid, .call_ready, .result_valid, .result, .news_waits,
        .write_axis_tdata, .write_axis_tvalid, .write_axis_tready,
        .read_axis_tdata, .read_axis_tkeep, .read_axis_tlast, .read_axis_tvalid, .read_axis_tready,
        .out_valid(write_valid), .out_ready(write_ready), .out_row(write_row), .out_mask(write_mask),
        .out_data(write_data), .fetch_valid, .fetch_ready, .fetch_row, .memory_valid, .memory_data,
        .event_opened, .event_closed, .event_cookie, .event_resent, .open_sessions, .wakes, .quiet(toe_quiet)
    );
    ww_ddr4 #(.USERS(2), .ROW_WIDTH(ROW_WIDTH)) u_memory (
        .clk, .rst, .write_valid, .write_ready, .write_row, .write_mask, .write_data,
        .read_valid(fetch_valid), .read_ready(fetch_ready), .read_row(fetch_row),
        .data_valid(memory_valid), .data(memory_data),
        .app_addr, .app_cmd, .app_en, .app_rdy, .app_wdf_data, .app_wdf_mask, .app_wdf_wren, .app_wdf_end, .app_wdf_rdy,
        .app_rd_data, .app_rd_data_valid, .quiet(memory_quiet)
    );
    assign quiet = toe_quiet && memory_quiet;

    // UDP. --------------------------------------------------------------------------------------------------------------
    logic [3:0][15:0] udp_words;
    logic [479:0]     udp_header;
    always_comb begin
        udp_words = {send_connection.own_port, send_connection.peer_port, 16'(send_length) + 16'd8, 16'd0};
        udp_header = '0;
        for (int n = 0; n < 4; n++) udp_header[16*n+:16] = {udp_words[3-n][7:0], udp_words[3-n][15:8]};
    end
    ww_transport_prepend u_udp (
        .clk, .rst, .head_valid(send_valid), .head_ready(send_ready), .source(own_ip),
        .destination(send_connection.peer_ip), .ecn(2'b00), .tcp(1'b0), .words(4'd2), .header(udp_header),
        .length(send_length), .s_axis_tdata(send_axis_tdata), .s_axis_tkeep(send_axis_tkeep),
        .s_axis_tlast(send_axis_tlast), .s_axis_tvalid(send_axis_tvalid), .s_axis_tready(send_axis_tready),
        .m_source(ends[1].source), .m_destination(ends[1].destination), .m_protocol(ends[1].protocol),
        .m_length(ends[1].length), .m_ecn(ends[1].ecn),
        .m_axis_tdata(part_data[1]), .m_axis_tkeep(part_keep[1]), .m_axis_tlast(part_last[1]),
        .m_axis_tvalid(part_valid[1]), .m_axis_tready(part_ready[1])
    );

    // Packets. ----------------------------------------------------------------------------------------------------------
    for (genvar n = 0; n < 2; n++) begin : g_packets
        ww_ipv4_prepend u_prepend (
            .clk, .rst, .source(ends[n].source), .destination(ends[n].destination), .protocol(ends[n].protocol),
            .length(ends[n].length), .ecn(ends[n].ecn),
            .s_axis_tdata(part_data[n]), .s_axis_tkeep(part_keep[n]), .s_axis_tlast(part_last[n]),
            .s_axis_tvalid(part_valid[n]), .s_axis_tready(part_ready[n]),
            .m_axis_tdata(ip_data[n]), .m_axis_tkeep(ip_keep[n]), .m_axis_tlast(ip_last[n]),
            .m_axis_tvalid(ip_valid[n]), .m_axis_tready(ip_ready[n])
        );
    end
    // verilator lint_off PINCONNECTEMPTY
    ww_axis_arbiter #(.PORTS(2), .WIDTH(512), .USER_WIDTH(1)) u_arbiter (
        .clk, .rst, .s_axis_tdata(ip_data), .s_axis_tkeep(ip_keep), .s_axis_tuser(2'b00), .s_axis_tlast(ip_last),
        .s_axis_tvalid(ip_valid), .s_axis_tready(ip_ready),
        .m_axis_tdata(out_data), .m_axis_tkeep(out_keep), .m_axis_tuser(), .m_axis_tlast(out_last),
        .m_axis_tvalid(out_valid), .m_axis_tready(out_ready)
    );
    // verilator lint_on PINCONNECTEMPTY
endmodule
