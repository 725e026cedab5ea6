// NIC of a host of the Shoal fabric: the rules of ww_shoal_control, a slot clock, and cells to and from XGMII.
//
// In each slot one frame leaves, with an empty cell if there is no other. What arrives from a host is given to the control
// as it is on the line; who sent it follows from the slot.
//
// Source: 004-pieo-shoal 2.11, 2.12, 2.14 (S25, S28).
module ww_shoal_nic #(
    // Hosts of the fabric, as of ww_shoal_control; slots of an epoch; slots from sending a cell to when it may leave the next host;
    // clocks of a slot; slots after which the gate of a new pair doubles, 0: none; cells of a queue; of a source, in any order; the fewest
    // hosts of a schedule.
    parameter int HOSTS = 8,
    parameter int SLOTS = HOSTS - 1,
    parameter int DELAY = 21,
    parameter int SLOT_CYCLES = 12,
    parameter int GATE = SLOTS,
    parameter int CELLS = HOSTS,
    parameter int WINDOW = 64,
    parameter int LEAST = HOSTS,
    // Not to be set: bits of a host's number; of a sequence number; of a slot's number in its epoch.
    localparam int HOST_WIDTH = $clog2(HOSTS),
    localparam int SEQ_WIDTH = 20,
    localparam int PHASE_WIDTH = $clog2(SLOTS)
) (
    input  logic                  clk,
    input  logic                  rst,
    // Own number, constant.
    input  logic [HOST_WIDTH-1:0] host,
    // Slot clock: see ww_shoal_slot_clock.
    input  logic                  start,
    output logic                  slot_begin,
    // See ww_shoal_control.
    input  logic                  deaths,
    input  logic [PHASE_WIDTH-1:0] first_slot,
    input  logic                  pause,
    input  logic                  repair,
    input  logic [HOSTS-1:0]      members,
    input  logic                  begin_valid,
    input  logic                  begin_own,
    input  logic [HOST_WIDTH-1:0] begin_peer,
    input  logic [SEQ_WIDTH-1:0]  begin_missing,
    input  logic [SEQ_WIDTH-1:0]  begin_next,
    input  logic                  begin_dead,
    // So many cells more for a host.
    input  logic                  add_valid,
    input  logic [HOST_WIDTH-1:0] add_dst,
    input  logic [31:0]           add_cells,
    // For one clock: an own cell joins the queue of the link to `via`.
    output logic                  queued_valid,
    output logic                  queued_again,
    output logic [HOST_WIDTH-1:0] queued_via,
    output logic [HOST_WIDTH-1:0] queued_dst,
    output logic [SEQ_WIDTH-1:0]  queued_seq,
    // The payload of an own cell: seven words in a row, 1 to 4 clocks behind `fetch_valid`.
    output logic                  fetch_valid,
    output logic [HOST_WIDTH-1:0] fetch_dst,
    output logic [SEQ_WIDTH-1:0]  fetch_seq,
    input  logic                  payload_valid,
    input  logic [63:0]           payload_data,
    input  logic                  payload_sop,
    input  logic                  payload_eop,
    // Cells for this host, seven words of payload in a row.
    output logic                  received_valid,
    output logic [HOST_WIDTH-1:0] received_src,
    output logic [SEQ_WIDTH-1:0]  received_seq,
    output logic                  received_sop,
    output logic                  received_eop,
    output logic                  out_valid,
    output logic                  out_first,
    output logic [63:0]           out_data,
    // For one clock: a cell that is not empty leaves, for the first time over this link or again.
    output logic                  sent_valid,
    output logic                  sent_again,
    output logic [HOST_WIDTH-1:0] sent_to,
    output logic [HOST_WIDTH-1:0] sent_src,
    output logic [HOST_WIDTH-1:0] sent_dst,
    output logic [SEQ_WIDTH-1:0]  sent_seq,
    // Words to and from the PHY, lane 0 in the low byte.
    output logic [63:0]           tx_data,
    output logic [7:0]            tx_control,
    input  logic [63:0]           rx_data,
    input  logic [7:0]            rx_control,
    // For one clock: a frame came with a wrong check sequence, or only in part; the rest as of ww_shoal_control.
    output logic                  event_bad_frame,
    output logic                  event_lost,
    output logic [HOST_WIDTH-1:0] event_lost_from,
    output logic                  event_overflow,
    output logic                  event_duplicate,
    output logic                  event_told_lost,
    output logic [HOST_WIDTH-1:0] event_told_lost_by,
    output logic                  searching,
    output logic                  event_found
);
    logic unused_running;
    ww_shoal_slot_clock #(.SLOT_CYCLES(SLOT_CYCLES)) u_slots (.clk, .rst, .start, .running(unused_running), .slot_begin);

    logic        to_line_valid;
    logic        to_line_first;
    logic [63:0] to_line_data;
    ww_shoal_tx u_tx (
        .clk, .rst, .cell_valid(to_line_valid), .cell_first(to_line_first), .cell_data(to_line_data), .xgmii_data(tx_data),
        .xgmii_control(tx_control)
    );

    logic        from_line_valid;
    logic        from_line_first;
    logic [63:0] from_line_data;
    logic        from_line_good;
    ww_shoal_rx u_rx (
        .clk, .rst, .xgmii_data(rx_data), .xgmii_control(rx_control), .cell_valid(from_line_valid), .cell_first(from_line_first),
        .cell_data(from_line_data), .cell_good(from_line_good), .event_bad(event_bad_frame)
    );

    ww_shoal_control #(
        .HOSTS(HOSTS), .SLOTS(SLOTS), .DELAY(DELAY), .SLOT_CYCLES(SLOT_CYCLES), .GATE(GATE), .CELLS(CELLS), .WINDOW(WINDOW), .LEAST(LEAST)
    ) u_control (
        .clk, .rst, .host, .deaths, .slot_begin, .first_slot, .pause, .repair, .members,
        .begin_valid, .begin_own, .begin_peer, .begin_missing, .begin_next, .begin_dead,
        .add_valid, .add_dst, .add_cells,
        .queued_valid, .queued_again, .queued_via, .queued_dst, .queued_seq,
        .fetch_valid, .fetch_dst, .fetch_seq,
        .payload_valid, .payload_data, .payload_sop, .payload_eop,
        .tx_valid(to_line_valid), .tx_first(to_line_first), .tx_data(to_line_data),
        .rx_valid(from_line_valid), .rx_first(from_line_first), .rx_data(from_line_data), .rx_good(from_line_good),
        .received_valid, .received_src, .received_seq, .received_sop, .received_eop,
        .out_valid, .out_first, .out_data,
        .sent_valid, .sent_again, .sent_to, .sent_src, .sent_dst, .sent_seq,
        .event_lost, .event_lost_from, .event_overflow, .event_duplicate, .event_told_lost, .event_told_lost_by, .searching, .event_found
    );
endmodule
