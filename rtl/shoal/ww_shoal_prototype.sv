// The prototype of Shoal, for simulation: 8 NICs, 4 leaves and 2 spines of 4 ports each, PHYs and fibres between them.
//
// After reset it writes the schedule into its switches, through their row ports, and says `ready`. From `go` on, each switch
// and each host starts its slots at its own clock, so that a cell passes each switch inside one of the switch's slots: a cell that a
// host decides on in slot t is complete at the peer's control in slot t + 20. The payload of cells is made and checked inside.
//
// A host that dies in a slot sends no frame from that slot on. Two slots later, when its last frame is on the line, it is held in reset, until the slot
// before the one in which it comes back; its start signals come in that one. Until it is in reset its outputs mean nothing.
//
// Source: 004-pieo-shoal 2.8, 2.12, 2.14, 2.15 (S19, S25, S28, S29).
module ww_shoal_prototype #(
    // Not to be set: hosts; bits of a host's number and of a sequence number.
    localparam int HOSTS = 8,
    localparam int HOST_WIDTH = 3,
    localparam int SEQ_WIDTH = 20
) (
    input  logic                             clk,
    input  logic                             rst,
    // The switches have their schedules; until slots begin.
    output logic                             ready,
    // Slot 0 of the fabric begins GO_CLOCKS clocks later; without an effect before `ready`, and later.
    input  logic                             go,
    // So many clocks is a host's slot clock late, signed. Taken with `go`.
    input  logic [HOSTS-1:0][7:0]            offset,
    // A slot of the fabric begins, and its number. Those of a host differ by `offset`.
    output logic                             slot_begin,
    output logic [31:0]                      slot,
    output logic [HOSTS-1:0]                 host_slot_begin,
    // See ww_shoal_nic; host h has element h of each.
    input  logic [HOSTS-1:0]                 add_valid,
    input  logic [HOSTS-1:0][HOST_WIDTH-1:0] add_dst,
    input  logic [HOSTS-1:0][31:0]           add_cells,
    // Bits of the header that are inverted on the line, of the cell that the host sends in the slot that begins. Taken with
    // `host_slot_begin`.
    input  logic [HOSTS-1:0][63:0]           damage,
    // Hosts may die: see ww_shoal_control. Constant from reset on.
    input  logic                             deaths,
    // Hosts that live in the slot behind the one that begins. Taken with `slot_begin`; until the first one those of slot 0.
    input  logic [HOSTS-1:0]                 lives,
    // In the slot that begins nothing but empty cells leaves; with it a schedule of `members` only begins, the first slot of an epoch. Taken with `slot_begin`.
    // `members`, and the rows of their schedule in the switches, are there from `go` on.
    input  logic                             pause,
    input  logic                             repair,
    input  logic [HOSTS-1:0]                 members,
    // Between `ready` and `go`: a row of that schedule, from 0 on, of a leaf 0 to 3 or a spine, 4 and 5; and how many rows it has.
    input  logic                             row_valid,
    input  logic [2:0]                       row_switch,
    input  logic [2:0]                       row_index,
    input  logic [11:0]                      row_data,
    input  logic [2:0]                       repaired_rows,
    // Start signals, of each host to itself and to others: see ww_shoal_control.
    input  logic [HOSTS-1:0]                 begin_valid,
    input  logic [HOSTS-1:0]                 begin_own,
    input  logic [HOSTS-1:0][HOST_WIDTH-1:0] begin_peer,
    input  logic [HOSTS-1:0][SEQ_WIDTH-1:0]  begin_missing,
    input  logic [HOSTS-1:0][SEQ_WIDTH-1:0]  begin_next,
    input  logic [HOSTS-1:0]                 begin_dead,
    output logic [HOSTS-1:0]                 queued_valid,
    output logic [HOSTS-1:0]                 queued_again,
    output logic [HOSTS-1:0][HOST_WIDTH-1:0] queued_via,
    output logic [HOSTS-1:0][HOST_WIDTH-1:0] queued_dst,
    output logic [HOSTS-1:0][SEQ_WIDTH-1:0]  queued_seq,
    output logic [HOSTS-1:0]                 sent_valid,
    output logic [HOSTS-1:0]                 sent_again,
    output logic [HOSTS-1:0][HOST_WIDTH-1:0] sent_to,
    output logic [HOSTS-1:0][HOST_WIDTH-1:0] sent_src,
    output logic [HOSTS-1:0][HOST_WIDTH-1:0] sent_dst,
    output logic [HOSTS-1:0][SEQ_WIDTH-1:0]  sent_seq,
    output logic [HOSTS-1:0]                 received_valid,
    output logic [HOSTS-1:0][HOST_WIDTH-1:0] received_src,
    output logic [HOSTS-1:0][SEQ_WIDTH-1:0]  received_seq,
    // A payload is not what its source made, or was given on twice; see ww_shoal_payload_check.
    output logic [HOSTS-1:0]                 payload_error,
    // A frame came to a host with a wrong check sequence, or only in part.
    output logic [HOSTS-1:0]                 event_bad_frame,
    // No good cell came to a host in a slot; a host had no room for one; one for the host had come before.
    output logic [HOSTS-1:0]                 event_lost,
    output logic [HOSTS-1:0]                 event_overflow,
    output logic [HOSTS-1:0]                 event_duplicate,
    // A host searches for cells that went over one that is dead; it has found one.
    output logic [HOSTS-1:0]                 searching,
    output logic [HOSTS-1:0]                 event_found,
    // A cell was cut by a guard band, at any input of any switch; and how many since reset.
    output logic                             event_cut,
    output logic [31:0]                      cut_cells,
    // Receivers have lost the phase in a reconfiguration, and lock on again in the clock behind the guard band. It becomes a part of that,
    // and all hosts begin their slots a clock later. Constant from reset on.
    input  logic                             lock
);
    localparam int LEAVES = 4;
    localparam int SPINES = 2;
    localparam int LOCAL = HOSTS / LEAVES;
    localparam int SWITCHES = LEAVES + SPINES;
    localparam int PORTS = 4;
    localparam int SLOTS = HOSTS - 1;
    localparam int SLOT_CYCLES = 12;
    localparam int GUARD_CYCLES = 1;
    // Slots from sending a cell to when it may leave the next host.
    localparam int DELAY = 21;
    // Cells of a queue, and of a source that come in any order: more than errors in 3 of 10 headers make of them.
    localparam int CELLS = 128;
    localparam int WINDOW = 2048;
    localparam int ROWS = 16;
    localparam int REPAIRED_ROW = 8;
    // The fewest hosts of a schedule.
    localparam int LEAST = 3;
    localparam int ROW_WIDTH = 32;
    localparam int CHOICES_WIDTH = 12;

    // Clocks. The PHYs of a port of a switch: both directions together.
    localparam int SWITCH_PHY = 45;
    // In front of a switch's multiplexers, and behind them.
    localparam int SWITCH_IN = 4;
    localparam int SWITCH_OUT = 1;
    // 2 m of fibre are 10 ns, 1.6 clocks: whole clocks at hosts. Between switches they are longer, so that the way from a leaf through a
    // spine and back takes whole slots.
    localparam int HOST_UP_FIBRE = 2;
    localparam int HOST_DOWN_FIBRE = 1;
    localparam int MIDDLE_FIBRE = 4;
    localparam int MIDDLE = SWITCH_OUT + SWITCH_PHY + MIDDLE_FIBRE + SWITCH_IN;
    localparam int LATE = 2 * MIDDLE / SLOT_CYCLES;
    // From a slot's begin to the first word of its cell at ww_shoal_tx; through ww_shoal_tx and ww_shoal_rx; from a slot's begin to the
    // first word at the control of the cell that arrives in it.
    localparam int CONTROL = 13;
    localparam int MAC_TX = 4;
    localparam int MAC_RX = 6;
    localparam int ARRIVE = 1;
    // What is left for the PHYs of a host.
    localparam int HOST_PHY = (DELAY - 1) * SLOT_CYCLES + ARRIVE - CONTROL - MAC_TX - MAC_RX - HOST_UP_FIBRE - HOST_DOWN_FIBRE
        - SWITCH_IN - 2 * MIDDLE - SWITCH_OUT - SWITCH_PHY;
    localparam int HOST_TX_PHY = HOST_PHY / 2;
    localparam int HOST_RX_PHY = HOST_PHY - HOST_TX_PHY;

    // From the fabric's slot 0 to the clock in which a switch's slot 0 begins: the preamble is at the multiplexers in the clock behind
    // the guard band, so a clock later would do, too.
    localparam int LEAF_BEGIN = CONTROL + MAC_TX - 1 + HOST_TX_PHY + HOST_UP_FIBRE + SWITCH_IN - GUARD_CYCLES;
    localparam int SPINE_BEGIN = LEAF_BEGIN + MIDDLE;
    // From `go` to the fabric's slot 0: enough for a host that is early by the least `offset`.
    localparam int GO_CLOCKS = 130;
    localparam int COUNT_WIDTH = 10;

    if (2 * MIDDLE % SLOT_CYCLES != 0) begin : g_illegal_middle
        $error("ww_shoal_prototype: the way from a leaf through a spine and back must take whole slots");
    end
    if (HOST_PHY < 2) begin : g_illegal_phy
        $error("ww_shoal_prototype: nothing is left of DELAY slots for the PHYs of a host");
    end

    // ---- Schedules into the switches: a row in each clock, all switches at once. What is written holds two slots later.
    localparam int SETTLE = 3 * SLOT_CYCLES;
    logic [5:0] load_count;
    logic       loading;
    assign loading = load_count < 6'(SLOTS);
    always_ff @(posedge clk) begin
        if (!ready) load_count <= load_count + 6'd1;
        ready <= ready || load_count == 6'(SLOTS + SETTLE);
        if (rst) begin
            load_count <= '0;
            ready      <= 1'b0;
        end
    end

    // ---- The repaired schedule. Epochs of the switches begin later than those of hosts, so the spines take it later, too: in the last epoch of
    // theirs that has the first schedule.
    localparam int LEAF_EPOCH = (LEAF_BEGIN + SLOT_CYCLES - 1) / SLOT_CYCLES;
    localparam int SPINE_EPOCH = (SPINE_BEGIN + SLOT_CYCLES - 1) / SLOT_CYCLES;
    localparam int SPINE_LATER = SPINE_EPOCH - LEAF_EPOCH;
    logic                 pause_q;
    logic                 repair_q;
    logic                 pause_now;
    logic                 repair_now;
    logic                 leaves_repaired;
    logic [SPINE_LATER:0] spines_repaired;
    if (LEAF_EPOCH >= SLOTS) begin : g_illegal_leaf_epoch
        $error("ww_shoal_prototype: slots of the leaves must begin less than an epoch behind those of hosts");
    end
    assign pause_now  = slot_begin ? pause : pause_q;
    assign repair_now = slot_begin ? repair : repair_q;
    always_ff @(posedge clk) begin
        pause_q  <= pause_now;
        repair_q <= repair_now;
        if (slot_begin) begin
            if (repair) leaves_repaired <= 1'b1;
            spines_repaired <= {spines_repaired[SPINE_LATER-1:0], leaves_repaired || repair};
        end
        if (rst) begin
            pause_q         <= 1'b0;
            repair_q        <= 1'b0;
            leaves_repaired <= 1'b0;
            spines_repaired <= '0;
        end
    end

    // ---- Start signals: clocks since `go`.
    logic                   going;
    logic [COUNT_WIDTH-1:0] since;
    logic [HOSTS-1:0][7:0]  late;
    always_ff @(posedge clk) begin
        if (ready && go && !going) begin
            going <= 1'b1;
            late  <= offset;
        end
        if (going && since != '1) since <= since + 1'b1;
        if (rst) begin
            going <= 1'b0;
            since <= '0;
        end
    end

    logic             start_fabric;
    logic             start_leaf;
    logic             start_spine;
    logic [HOSTS-1:0] start_host;
    logic             unused_running;
    assign start_fabric = going && since == COUNT_WIDTH'(GO_CLOCKS - 2);
    assign start_leaf   = going && since == COUNT_WIDTH'(GO_CLOCKS - 2 + LEAF_BEGIN);
    assign start_spine  = going && since == COUNT_WIDTH'(GO_CLOCKS - 2 + SPINE_BEGIN);
    for (genvar h = 0; h < HOSTS; h++) begin : g_start
        assign start_host[h] = going && since == COUNT_WIDTH'(GO_CLOCKS - 2) + COUNT_WIDTH'(lock) + COUNT_WIDTH'(signed'(late[h]));
    end
    ww_shoal_slot_clock #(.SLOT_CYCLES(SLOT_CYCLES)) u_slots (
        .clk, .rst, .start(start_fabric), .running(unused_running), .slot_begin
    );
    logic [31:0] next_slot;
    assign slot = slot_begin ? next_slot : next_slot - 32'd1;
    always_ff @(posedge clk) begin
        if (slot_begin) next_slot <= next_slot + 32'd1;
        if (rst) next_slot <= '0;
    end

    // ---- Hosts that live, in the next slot and in this one; and the number of the next slot in its epoch, as reset takes it.
    localparam int PHASE_WIDTH = $clog2(SLOTS);
    logic                   has_begun;
    logic [HOSTS-1:0]       lives_next;
    logic [HOSTS-1:0]       lives_q;
    logic [HOSTS-1:0]       lives_now;
    logic [PHASE_WIDTH-1:0] next_phase;
    logic [PHASE_WIDTH-1:0] phase_behind;
    logic [PHASE_WIDTH-1:0] first_slot;
    assign lives_now    = slot_begin ? lives_next : lives_q;
    assign phase_behind = int'(next_phase) == SLOTS - 1 ? '0 : next_phase + 1'b1;
    assign first_slot   = slot_begin ? phase_behind : next_phase;
    always_ff @(posedge clk) begin
        if (slot_begin || !has_begun) lives_next <= lives;
        if (slot_begin) begin
            has_begun  <= 1'b1;
            lives_q    <= lives_next;
            next_phase <= phase_behind;
        end
        if (rst) begin
            has_begun  <= 1'b0;
            lives_q    <= '1;
            next_phase <= '0;
        end
    end

    // ---- Hosts.
    logic [HOSTS-1:0][63:0] up_data;
    logic [HOSTS-1:0][7:0]  up_control;
    logic [HOSTS-1:0][63:0] down_data;
    logic [HOSTS-1:0][7:0]  down_control;
    for (genvar h = 0; h < HOSTS; h++) begin : g_host
        // Dead since two slots, and not back in the next one. The slot clock of one that comes back starts as late behind the fabric's as it did at first.
        localparam int RETURN_WIDTH = 5;
        logic                    dead_q;
        logic                    dead_qq;
        logic                    is_held;
        logic                    nic_rst;
        logic [RETURN_WIDTH-1:0] since_notice;
        logic                    start_again;
        assign is_held     = dead_qq && !lives_next[h];
        assign nic_rst     = rst || is_held;
        assign start_again = since_notice != '0
            && since_notice == RETURN_WIDTH'(SLOT_CYCLES - 1) + RETURN_WIDTH'(lock) + RETURN_WIDTH'(signed'(late[h]));
        always_ff @(posedge clk) begin
            if (slot_begin) begin
                dead_q  <= !lives_q[h];
                dead_qq <= dead_q;
            end
            if (slot_begin && is_held && lives[h]) since_notice <= 1;
            else if (since_notice != '0) since_notice <= start_again ? '0 : since_notice + 1'b1;
            if (rst) begin
                dead_q       <= 1'b0;
                dead_qq      <= 1'b0;
                since_notice <= '0;
            end
        end

        logic                  fetch_valid;
        logic [HOST_WIDTH-1:0] fetch_dst;
        logic [SEQ_WIDTH-1:0]  fetch_seq;
        logic                  payload_valid;
        logic [63:0]           payload_data;
        logic                  payload_sop;
        logic                  payload_eop;
        logic                  received_sop;
        logic                  received_eop;
        logic                  out_valid;
        logic                  out_first;
        logic [63:0]           out_data;
        logic [63:0]           tx_data;
        logic [7:0]            tx_control;
        logic [63:0]           rx_data;
        logic [7:0]            rx_control;
        logic [HOST_WIDTH-1:0] unused_lost_from;
        logic                  unused_told_lost;
        logic [HOST_WIDTH-1:0] unused_told_lost_by;
        ww_shoal_nic #(
            .HOSTS(HOSTS), .SLOTS(SLOTS), .DELAY(DELAY), .SLOT_CYCLES(SLOT_CYCLES), .CELLS(CELLS), .WINDOW(WINDOW), .LEAST(LEAST)
        ) u_nic (
            .clk, .rst(nic_rst), .host(HOST_WIDTH'(h)), .start(start_host[h] || start_again), .slot_begin(host_slot_begin[h]),
            .deaths, .first_slot, .pause(pause_now), .repair(repair_now), .members, .begin_valid(begin_valid[h]), .begin_own(begin_own[h]), .begin_peer(begin_peer[h]),
            .begin_missing(begin_missing[h]), .begin_next(begin_next[h]), .begin_dead(begin_dead[h]),
            .add_valid(add_valid[h]), .add_dst(add_dst[h]), .add_cells(add_cells[h]),
            .queued_valid(queued_valid[h]), .queued_again(queued_again[h]), .queued_via(queued_via[h]), .queued_dst(queued_dst[h]),
            .queued_seq(queued_seq[h]),
            .fetch_valid, .fetch_dst, .fetch_seq, .payload_valid, .payload_data, .payload_sop, .payload_eop,
            .received_valid(received_valid[h]), .received_src(received_src[h]), .received_seq(received_seq[h]),
            .received_sop, .received_eop, .out_valid, .out_first, .out_data,
            .sent_valid(sent_valid[h]), .sent_again(sent_again[h]), .sent_to(sent_to[h]), .sent_src(sent_src[h]), .sent_dst(sent_dst[h]),
            .sent_seq(sent_seq[h]), .tx_data, .tx_control, .rx_data, .rx_control,
            .event_bad_frame(event_bad_frame[h]), .event_lost(event_lost[h]), .event_lost_from(unused_lost_from),
            .event_overflow(event_overflow[h]), .event_duplicate(event_duplicate[h]), .event_told_lost(unused_told_lost),
            .event_told_lost_by(unused_told_lost_by), .searching(searching[h]), .event_found(event_found[h])
        );
        // What is on the line: a frame's header is behind its preamble, and a cell's frame in the slot behind its own. One of a slot in which the host
        // is dead is not there.
        localparam logic [7:0] IDLE = 8'h07;
        logic [63:0] damage_next;
        logic [63:0] damage_now;
        logic        frame_next;
        logic        frame_now;
        logic        is_preamble;
        logic        header_now;
        logic        is_open;
        logic        opens;
        logic [63:0] line_data;
        logic [7:0]  line_control;
        assign is_preamble  = tx_control == 8'h01;
        assign opens        = is_preamble ? frame_now : is_open;
        assign line_data    = opens ? tx_data ^ (header_now ? damage_now : '0) : {8{IDLE}};
        assign line_control = opens ? tx_control : '1;
        always_ff @(posedge clk) begin
            header_now <= is_preamble;
            is_open    <= opens;
            if (host_slot_begin[h]) begin
                damage_next <= damage[h];
                damage_now  <= damage_next;
                frame_next  <= lives_now[h];
                frame_now   <= frame_next;
            end
            if (rst) begin
                header_now  <= 1'b0;
                is_open     <= 1'b1;
                damage_next <= '0;
                damage_now  <= '0;
                frame_next  <= 1'b1;
                frame_now   <= 1'b1;
            end
        end
        ww_shoal_payload_source u_source (
            .clk, .rst(nic_rst), .host(10'(h)), .fetch_valid, .fetch_dst(10'(fetch_dst)), .fetch_seq, .payload_valid, .payload_data,
            .payload_sop, .payload_eop
        );
        ww_shoal_payload_check #(.HOSTS(HOSTS), .WINDOW(2 * WINDOW)) u_check (
            .clk, .rst(nic_rst), .host(HOST_WIDTH'(h)), .begin_valid(begin_valid[h]), .begin_src(begin_peer[h]),
            .received_valid(received_valid[h]), .received_src(received_src[h]),
            .received_seq(received_seq[h]), .received_sop, .received_eop, .out_valid, .out_first, .out_data,
            .error(payload_error[h])
        );
        ww_shoal_link #(.CLOCKS(HOST_TX_PHY + HOST_UP_FIBRE)) u_up (
            .clk, .rst, .in_data(line_data), .in_control(line_control), .out_data(up_data[h]), .out_control(up_control[h])
        );
        ww_shoal_link #(.CLOCKS(SWITCH_PHY + HOST_DOWN_FIBRE + HOST_RX_PHY)) u_down (
            .clk, .rst, .in_data(down_data[h]), .in_control(down_control[h]), .out_data(rx_data), .out_control(rx_control)
        );
    end

    // ---- Switches: leaves, then spines. Behind the multiplexers of a switch are the PHYs of both directions.
    logic [SWITCHES-1:0][PORTS-1:0][63:0] switch_rx_data;
    logic [SWITCHES-1:0][PORTS-1:0][7:0]  switch_rx_control;
    logic [SWITCHES-1:0][PORTS-1:0][63:0] switch_tx_data;
    logic [SWITCHES-1:0][PORTS-1:0][7:0]  switch_tx_control;
    logic [SWITCHES-1:0][PORTS-1:0]       cut;
    for (genvar n = 0; n < SWITCHES; n++) begin : g_switch
        logic [CHOICES_WIDTH-1:0] first_rows;
        logic                     is_repaired;
        assign is_repaired = n >= LEAVES ? spines_repaired[SPINE_LATER] : leaves_repaired;
        ww_shoal_rows #(
            .HOSTS(HOSTS), .LEAVES(LEAVES), .SPINE(n >= LEAVES ? 1 : 0), .NUMBER(n >= LEAVES ? n - LEAVES : n), .LATE(LATE)
        ) u_rows (.slot(load_count[2:0]), .row(first_rows));

        logic                     unused_running_switch;
        logic [$clog2(ROWS)-1:0]  unused_slot;
        logic                     unused_guard;
        logic [CHOICES_WIDTH-1:0] unused_configuration;
        logic [PORTS-1:0]         unused_locked;
        logic [PORTS-1:0]         unused_slipped;
        logic                     unused_done;
        logic [ROW_WIDTH-1:0]     unused_rdata;
        ww_shoal_switch #(.WIDTH(64), .PORTS(PORTS), .ROWS(ROWS)) u_switch (
            .clk, .rst, .rx_clk({PORTS{clk}}), .rx_rst({PORTS{rst}}), .rx_data(switch_rx_data[n]), .rx_control(switch_rx_control[n]),
            .tx_data(switch_tx_data[n]), .tx_control(switch_tx_control[n]), .start(n >= LEAVES ? start_spine : start_leaf),
            .slot_cycles(16'(SLOT_CYCLES)), .guard_cycles(16'(GUARD_CYCLES) + 16'(lock)), .first_row(is_repaired ? 4'(REPAIRED_ROW) : '0), .rows(is_repaired ? 5'(repaired_rows) : 5'(SLOTS)),
            .running(unused_running_switch), .slot(unused_slot), .guard(unused_guard), .configuration(unused_configuration),
            .locked(unused_locked), .event_cut(cut[n]), .event_slipped(unused_slipped),
            .row_valid(loading || (row_valid && row_switch == 3'(n))), .row_write(1'b1), .row_memory('0),
            .row_index(loading ? 28'(load_count) : 28'(REPAIRED_ROW) + 28'(row_index)), .row_wdata(ROW_WIDTH'(loading ? first_rows : row_data)),
            .row_done(unused_done), .row_rdata(unused_rdata)
        );
    end

    // ---- Fibres: of hosts above; port LOCAL + s of leaf x is port x of spine s.
    for (genvar x = 0; x < LEAVES; x++) begin : g_leaf
        for (genvar p = 0; p < LOCAL; p++) begin : g_local
            assign switch_rx_data[x][p]          = up_data[LOCAL*x+p];
            assign switch_rx_control[x][p]       = up_control[LOCAL*x+p];
            assign down_data[LOCAL*x+p]          = switch_tx_data[x][p];
            assign down_control[LOCAL*x+p]       = switch_tx_control[x][p];
        end
        for (genvar s = 0; s < SPINES; s++) begin : g_spine
            ww_shoal_link #(.CLOCKS(SWITCH_PHY + MIDDLE_FIBRE)) u_up (
                .clk, .rst, .in_data(switch_tx_data[x][LOCAL+s]), .in_control(switch_tx_control[x][LOCAL+s]),
                .out_data(switch_rx_data[LEAVES+s][x]), .out_control(switch_rx_control[LEAVES+s][x])
            );
            ww_shoal_link #(.CLOCKS(SWITCH_PHY + MIDDLE_FIBRE)) u_down (
                .clk, .rst, .in_data(switch_tx_data[LEAVES+s][x]), .in_control(switch_tx_control[LEAVES+s][x]),
                .out_data(switch_rx_data[x][LOCAL+s]), .out_control(switch_rx_control[x][LOCAL+s])
            );
        end
    end

    always_ff @(posedge clk) begin
        event_cut <= |cut;
        cut_cells <= cut_cells + 32'($countones(cut));
        if (rst) begin
            event_cut <= 1'b0;
            cut_cells <= '0;
        end
    end
endmodule
