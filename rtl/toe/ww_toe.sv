// A TCP engine: segments in, segments out, and an application that opens, writes, reads and closes sessions.
//
//   messages -> ww_toe_arrivals -> ww_toe_control <-> ww_toe_session        application <-> ww_toe_control
//   data     -> ww_toe_buffer -> application -> ww_toe_buffer -> ww_transport_prepend -> messages
//                    | memory                        | memory
//
// It does what `Engine` of crates/tcp does with the same segments and calls at the same times. Data are kept in memory: two
// rings of 2^(16 + behaviour.scale) bytes a session, all of them at most 2^ROW_WIDTH rows of 64 bytes. A byte that is sent,
// or read by the application, soon after it came is taken from the chip.
//
// Source: 002-monitoring-limago 2.16 to 2.18, S39 to S48.
module ww_toe
    import ww_toe_types::*;
    import ww_toe_engine_types::*;
#(
    // Connections, 1 to 65,536; a session's records, ranges and marks, as of ww_toe_session.
    parameter int SESSIONS = 64,
    parameter int RECORDS = 1024,
    parameter int RANGES = 64,
    parameter int MARKS = 64,
    // Ports that may listen, 1 to 64.
    parameter int LISTENERS = 16,
    // Rows of each direction that are in the chip, as of ww_toe_window.
    parameter int LINES = 4096,
    // Bits of the number of a row in memory: 26 for 4 GiB.
    parameter int ROW_WIDTH = 26
) (
    input  logic         clk,
    input  logic         rst,
    // Registers: how TCP behaves, our address, the secret of first numbers, connections that may be half open on a port,
    // the first of our own ports (32,768 to 60,999).
    input  behaviour_t   behaviour,
    input  logic [31:0]  own_ip,
    input  logic [127:0] key,
    input  logic [15:0]  backlog,
    input  logic [15:0]  first_port,
    input  clock_t       moment,
    // Segments that have come, their checksums right: with the first beat, the sender, the bytes, and whether the packet is
    // marked (RFC 3168).
    input  logic [31:0]  s_source,
    input  logic [13:0]  s_length,
    input  logic         s_marked,
    input  logic [511:0] s_axis_tdata,
    input  logic         s_axis_tvalid,
    output logic         s_axis_tready,
    // Segments that leave: what ww_ipv4_prepend asks for.
    output logic [31:0]  m_source,
    output logic [31:0]  m_destination,
    output logic [7:0]   m_protocol,
    output logic [13:0]  m_length,
    output logic [1:0]   m_ecn,
    output logic [511:0] m_axis_tdata,
    output logic [63:0]  m_axis_tkeep,
    output logic         m_axis_tlast,
    output logic         m_axis_tvalid,
    input  logic         m_axis_tready,
    // The application's calls, one after the other, and what came of them, for one clock. `news_waits`: CALL_NEWS may have
    // something.
    input  call_t        call,
    input  logic         call_valid,
    output logic         call_ready,
    output logic         result_valid,
    output result_t      result,
    output logic         news_waits,
    // What it writes: after a WRITE as many bytes as were taken, in a packet.
    input  logic [511:0] write_axis_tdata,
    input  logic         write_axis_tvalid,
    output logic         write_axis_tready,
    // What it reads: after a CONSUME as many bytes as its result says, in a packet.
    output logic [511:0] read_axis_tdata,
    output logic [63:0]  read_axis_tkeep,
    output logic         read_axis_tlast,
    output logic         read_axis_tvalid,
    input  logic         read_axis_tready,
    // Memory, as of ww_ddr4: rows of the receiver (0) and of the sender (1).
    output logic [1:0]                out_valid,
    input  logic [1:0]                out_ready,
    output logic [1:0][ROW_WIDTH-1:0] out_row,
    output logic [1:0][63:0]          out_mask,
    output logic [1:0][511:0]         out_data,
    output logic [1:0]                fetch_valid,
    input  logic [1:0]                fetch_ready,
    output logic [1:0][ROW_WIDTH-1:0] fetch_row,
    input  logic [1:0]                memory_valid,
    input  logic [511:0]              memory_data,
    // As of ww_toe_control. `quiet`: nothing is to be done before `wakes`, if no call and no segment comes.
    output logic         event_opened,
    output logic         event_closed,
    output logic         event_cookie,
    output logic         event_resent,
    output logic [16:0]  open_sessions,
    output optional_instant_t wakes,
    output logic         quiet
);
    // What comes. -----------------------------------------------------------------------------------------------------
    arrival_t     arrival;
    logic         arrival_valid, arrival_ready, came_valid, came_ready;
    logic [511:0] came_data;
    // verilator lint_off PINCONNECTEMPTY
    ww_toe_arrivals u_arrivals (
        .clk, .rst, .source(s_source), .length(s_length), .marked(s_marked), .s_axis_tdata, .s_axis_tvalid,
        .s_axis_tready, .arrival, .arrival_valid, .arrival_ready,
        .m_axis_tdata(came_data), .m_axis_tkeep(), .m_axis_tlast(), .m_axis_tvalid(came_valid),
        .m_axis_tready(came_ready)
    );
    // verilator lint_on PINCONNECTEMPTY

    // Sessions. ---------------------------------------------------------------------------------------------------------
    logic     request_valid, request_ready, answer_valid, leaving_valid, rooms;
    request_t request;
    answer_t  answer;
    leaving_t leaving;
    logic     arrived_valid, read_valid, written_valid, departs_valid;
    logic     arrived_room, read_room, written_room, departs_room;
    move_t    move;
    logic     control_quiet;
    ww_toe_control #(.SESSIONS(SESSIONS), .LISTENERS(LISTENERS)) u_control (
        .clk, .rst, .behaviour, .moment, .own_ip, .key, .backlog, .first_port, .arrival, .arrival_valid, .arrival_ready,
        .call, .call_valid, .call_ready, .result_valid, .result, .news_waits,
        .request_valid, .request_ready, .request, .answer_valid, .answer, .leaving_valid, .leaving, .rooms,
        .arrived_valid, .read_valid, .written_valid, .departs_valid, .move,
        .event_opened, .event_closed, .event_cookie, .event_resent, .open_sessions, .wakes, .quiet(control_quiet)
    );
    ww_toe_session #(.SESSIONS(SESSIONS), .RECORDS(RECORDS), .RANGES(RANGES), .MARKS(MARKS)) u_session (
        .clk, .rst, .behaviour, .now(moment.now), .milliseconds(moment.milliseconds), .request_valid, .request_ready,
        .request, .answer_valid, .answer
    );

    // Data. -------------------------------------------------------------------------------------------------------------
    logic [3:0]   scale;
    logic         receiver_quiet, sender_quiet;
    assign scale = behaviour.scales ? behaviour.scale : '0;
    assign out_row[0][ROW_WIDTH-1] = 1'b0;
    assign out_row[1][ROW_WIDTH-1] = 1'b1;
    assign fetch_row[0][ROW_WIDTH-1] = 1'b0;
    assign fetch_row[1][ROW_WIDTH-1] = 1'b1;
    ww_toe_buffer #(.SESSIONS(SESSIONS), .LINES(LINES), .CONSUMES(1'b1), .ROW_WIDTH(ROW_WIDTH - 1)) u_receiver (
        .clk, .rst, .scale, .write_valid(arrived_valid), .write_room(arrived_room), .write(move),
        .read_valid, .read_room, .read(move),
        .s_axis_tdata(came_data), .s_axis_tvalid(came_valid), .s_axis_tready(came_ready),
        .m_axis_tdata(read_axis_tdata), .m_axis_tkeep(read_axis_tkeep), .m_axis_tlast(read_axis_tlast),
        .m_axis_tvalid(read_axis_tvalid), .m_axis_tready(read_axis_tready),
        .out_valid(out_valid[0]), .out_ready(out_ready[0]), .out_row(out_row[0][ROW_WIDTH-2:0]),
        .out_mask(out_mask[0]), .out_data(out_data[0]), .fetch_valid(fetch_valid[0]), .fetch_ready(fetch_ready[0]),
        .fetch_row(fetch_row[0][ROW_WIDTH-2:0]), .data_valid(memory_valid[0]), .data(memory_data), .quiet(receiver_quiet)
    );
    logic [511:0] sent_data;
    logic [63:0]  sent_keep;
    logic         sent_last, sent_valid, sent_ready;
    ww_toe_buffer #(.SESSIONS(SESSIONS), .LINES(LINES), .ROW_WIDTH(ROW_WIDTH - 1)) u_sender (
        .clk, .rst, .scale, .write_valid(written_valid), .write_room(written_room), .write(move),
        .read_valid(departs_valid), .read_room(departs_room), .read(move),
        .s_axis_tdata(write_axis_tdata), .s_axis_tvalid(write_axis_tvalid), .s_axis_tready(write_axis_tready),
        .m_axis_tdata(sent_data), .m_axis_tkeep(sent_keep), .m_axis_tlast(sent_last), .m_axis_tvalid(sent_valid),
        .m_axis_tready(sent_ready),
        .out_valid(out_valid[1]), .out_ready(out_ready[1]), .out_row(out_row[1][ROW_WIDTH-2:0]),
        .out_mask(out_mask[1]), .out_data(out_data[1]), .fetch_valid(fetch_valid[1]), .fetch_ready(fetch_ready[1]),
        .fetch_row(fetch_row[1][ROW_WIDTH-2:0]), .data_valid(memory_valid[1]), .data(memory_data), .quiet(sender_quiet)
    );

    // What leaves. ------------------------------------------------------------------------------------------------------
    leaving_t     out;
    logic         head_valid, head_ready;
    logic [4:0]   leaving_level;
    logic [3:0]   words;
    logic [479:0] header;
    // verilator lint_off PINCONNECTEMPTY
    ww_fifo #(.WIDTH($bits(leaving_t)), .DEPTH(16)) u_leaving (
        .clk, .rst, .s_valid(leaving_valid), .s_ready(), .s_data(leaving),
        .m_valid(head_valid), .m_ready(head_ready), .m_data(out), .level(leaving_level)
    );
    // verilator lint_on PINCONNECTEMPTY
    // Bytes that were commanded and have not left. More of them than the chip keeps would be put out before they are sent,
    // and cross the memory twice.
    number_t      under_way;
    always_ff @(posedge clk) begin
        under_way <= under_way + (leaving_valid ? 32'(leaving.departure.length) : '0)
            - (head_valid && head_ready ? 32'(out.departure.length) : '0);
        if (rst) under_way <= '0;
    end
    assign rooms = leaving_level <= 5'd14 && arrived_room && read_room && written_room && departs_room
        && under_way < 32'(LINES * 64 / 8);
    ww_toe_departures u_departures (.leaving(out), .words, .header);
    ww_transport_prepend u_prepend (
        .clk, .rst, .head_valid, .head_ready, .source(own_ip), .destination(out.connection.peer_ip),
        .ecn({out.departure.markable, 1'b0}), .tcp(1'b1), .words, .header, .length(out.departure.length),
        .s_axis_tdata(sent_data), .s_axis_tkeep(sent_keep), .s_axis_tlast(sent_last), .s_axis_tvalid(sent_valid),
        .s_axis_tready(sent_ready), .m_source, .m_destination, .m_protocol, .m_length, .m_ecn,
        .m_axis_tdata, .m_axis_tkeep, .m_axis_tlast, .m_axis_tvalid, .m_axis_tready
    );
    // verilator lint_off UNUSEDSIGNAL
    logic unused;
    assign unused = &{out};
    // verilator lint_on UNUSEDSIGNAL
    assign quiet = control_quiet && receiver_quiet && sender_quiet && !head_valid && !m_axis_tvalid && head_ready;
endmodule
