// Between ingress and egress: what a packet asked for becomes the tokens that egress gets.
//
// A packet that goes to one port passes in the clock in which it comes. A multicast group, or the
// clone of a mirror session, becomes one token for each replica, one a clock, two clocks after the
// packet; the clone comes first. The packet's bytes are stored once: exactly one token of each
// packet has out_last, and whoever reads that token's packet frees it. A packet that goes nowhere
// becomes a token with out_drop, so that its bytes are freed too.
//
// Kinds of tokens are the values of v1model's instance_type: 0 the packet itself, 1 a clone of
// ingress, 2 a clone of egress, 5 a replica, 6 a packet to be parsed again as it came.
module ww_replicator #(
    // Bits that egress gets of a packet.
    parameter int BITS = 64,
    // Bits of a packet's number in the store.
    parameter int PID_WIDTH = 8,
    // Multicast groups, replicas of all groups and sessions together, mirror sessions.
    parameter int GROUPS = 4096,
    parameter int REPLICAS = 4096,
    parameter int SESSIONS = 1024,
    // Passes through the parser and clones that one packet may come to.
    parameter int MAX_PASSES = 1024,
    // Not to be set: bits of a number of passes.
    localparam int PASS_WIDTH = $clog2(MAX_PASSES + 1)
) (
    input  logic                  clk,
    input  logic                  rst,

    // What ingress made of a packet.
    input  logic                  in_valid,
    output logic                  in_ready,
    input  logic [PID_WIDTH-1:0]  in_pid,
    input  logic [PASS_WIDTH-1:0] in_passes,
    input  logic                  in_drop,
    input  logic [15:0]           in_port,
    // Multicast group; 0: none.
    input  logic [15:0]           in_group,
    input  logic                  in_resubmit,
    input  logic                  in_clone,
    input  logic [31:0]           in_session,
    // For egress: of the packet, and of its clone.
    input  logic [BITS-1:0]       in_bits,
    input  logic [BITS-1:0]       in_clone_bits,

    // Clones that egress asks for; they come first. `owns`: the packet's last token asks, and the
    // last of the clones takes its place.
    input  logic                  again_valid,
    output logic                  again_ready,
    input  logic [PID_WIDTH-1:0]  again_pid,
    input  logic [PASS_WIDTH-1:0] again_passes,
    input  logic                  again_owns,
    input  logic [31:0]           again_session,
    input  logic [BITS-1:0]       again_bits,

    // Tokens for egress.
    output logic                  out_valid,
    input  logic                  out_ready,
    output logic [PID_WIDTH-1:0]  out_pid,
    output logic [PASS_WIDTH-1:0] out_passes,
    output logic                  out_last,
    output logic                  out_drop,
    output logic [2:0]            out_kind,
    output logic [15:0]           out_port,
    output logic [15:0]           out_rid,
    // Bytes that a clone may have; 16'hffff: any number.
    output logic [15:0]           out_limit,
    output logic [BITS-1:0]       out_bits,

    // Row port. Memory 0, row = group: {count[15:0], first[15:0]}; memory 1, row = place: a replica,
    // {port[15:0], rid[15:0]}; memory 2, row = session: {first[15:0], count[15:0], limit[15:0]}.
    // Replicas of a list are at places first, first + 1, ...
    input  logic                  row_valid,
    input  logic                  row_write,
    input  logic [3:0]            row_memory,
    input  logic [27:0]           row_index,
    input  logic [47:0]           row_wdata,
    output logic                  row_done,
    output logic [47:0]           row_rdata
);
    localparam logic [2:0] KIND_PACKET = 3'd0;
    localparam logic [2:0] KIND_INGRESS_CLONE = 3'd1;
    localparam logic [2:0] KIND_EGRESS_CLONE = 3'd2;
    localparam logic [2:0] KIND_REPLICA = 3'd5;
    localparam logic [2:0] KIND_RESUBMIT = 3'd6;
    localparam int GROUP_WIDTH = GROUPS > 1 ? $clog2(GROUPS) : 1;
    localparam int REPLICA_WIDTH = REPLICAS > 1 ? $clog2(REPLICAS) : 1;
    localparam int SESSION_WIDTH = SESSIONS > 1 ? $clog2(SESSIONS) : 1;

    if (GROUPS < 1 || REPLICAS < 1 || REPLICAS > 65536 || SESSIONS < 1) begin : g_illegal_sizes
        $error("ww_replicator: GROUPS, REPLICAS (at most 65536) and SESSIONS must be 1 or more");
    end

    // What list is being worked off: none, that of a clone, that of a group.
    typedef enum logic [2:0] {
        IDLE,       // nothing; packets pass
        LOOK_UP,    // the descriptor is being read
        EMPTY,      // the list has no replica
        LIST,       // a replica is there
        ROW         // the control plane reads
    } state_t;
    state_t state;

    // ---- The memories
    logic [31:0] group_row;
    logic [31:0] replica_row;
    logic [47:0] session_row;
    logic        group_read, session_read, replica_read;
    logic [GROUP_WIDTH-1:0]   group_at;
    logic [REPLICA_WIDTH-1:0] replica_at;
    logic [SESSION_WIDTH-1:0] session_at;
    logic        write;
    logic        in_groups, in_replicas, in_sessions;

    assign in_groups = row_memory == 4'd0 && row_index < 28'(GROUPS);
    assign in_replicas = row_memory == 4'd1 && row_index < 28'(REPLICAS);
    assign in_sessions = row_memory == 4'd2 && row_index < 28'(SESSIONS);
    assign write = row_valid && row_write;

    ww_ram_sdp #(.WIDTH(32), .DEPTH(GROUPS), .LATENCY(1)) groups (
        .clk, .wr_en(write && in_groups), .wr_addr(row_index[GROUP_WIDTH-1:0]),
        .wr_data(row_wdata[31:0]),
        .rd_en(group_read), .rd_addr(group_at), .rd_data(group_row)
    );
    ww_ram_sdp #(.WIDTH(32), .DEPTH(REPLICAS), .LATENCY(1)) replicas (
        .clk, .wr_en(write && in_replicas), .wr_addr(row_index[REPLICA_WIDTH-1:0]),
        .wr_data(row_wdata[31:0]),
        .rd_en(replica_read), .rd_addr(replica_at), .rd_data(replica_row)
    );
    ww_ram_sdp #(.WIDTH(48), .DEPTH(SESSIONS), .LATENCY(1)) sessions (
        .clk, .wr_en(write && in_sessions), .wr_addr(row_index[SESSION_WIDTH-1:0]),
        .wr_data(row_wdata),
        .rd_en(session_read), .rd_addr(session_at), .rd_data(session_row)
    );

    // ---- What comes next
    logic again, clones, replicates, passes_on;
    logic cloned;      // the clone of the packet at the input has been made
    logic is_again;    // the list is that of a clone of egress
    logic is_clone;    // the list is that of a clone
    logic exists;      // the list's group or session is in range
    logic [15:0] left; // replicas behind the one at hand
    logic [15:0] next; // place of the next one
    logic [15:0] limit, count, first;
    logic in_exhausted, again_exhausted;
    logic emit, last_of_list;

    assign in_exhausted = in_passes >= PASS_WIDTH'(MAX_PASSES);
    assign again_exhausted = again_passes >= PASS_WIDTH'(MAX_PASSES);
    assign again = again_valid;
    assign clones = in_valid && in_clone && !cloned && !in_exhausted;
    assign replicates = in_valid && !in_resubmit && in_group != 16'd0;
    // Neither a list nor a clone: the packet itself goes on, or is gone.
    assign passes_on = in_valid && !clones && !replicates;

    assign group_read = state == IDLE || state == ROW;
    assign session_read = state == IDLE || state == ROW;
    assign group_at = GROUP_WIDTH'(state == ROW ? row_index[15:0] : in_group);
    assign session_at =
        SESSION_WIDTH'(state == ROW ? 32'(row_index) : again ? again_session : in_session);
    assign replica_at =
        REPLICA_WIDTH'(state == ROW ? row_index[15:0] : state == LOOK_UP ? first : next);
    assign replica_read = state == ROW || state == LOOK_UP || (state == LIST && emit);

    assign count = !exists ? 16'd0 : is_clone ? session_row[31:16] : group_row[31:16];
    assign first = is_clone ? session_row[47:32] : group_row[15:0];

    always_comb begin
        out_valid = 1'b0;
        out_drop = 1'b0;
        out_last = 1'b0;
        out_kind = KIND_PACKET;
        out_port = in_port;
        out_rid = 16'd0;
        out_limit = 16'hffff;
        out_pid = in_pid;
        out_passes = in_passes;
        out_bits = in_bits;
        if (state == LIST) begin
            out_valid = 1'b1;
            out_port = replica_row[31:16];
            out_rid = replica_row[15:0];
            out_last = last_of_list && (is_again ? again_owns : !is_clone);
            out_kind = is_again ? KIND_EGRESS_CLONE : is_clone ? KIND_INGRESS_CLONE : KIND_REPLICA;
            out_limit = is_clone ? limit : 16'hffff;
            out_pid = is_again ? again_pid : in_pid;
            out_passes = is_again ? again_passes + PASS_WIDTH'(1)
                : is_clone ? in_passes + PASS_WIDTH'(1) : in_passes;
            out_bits = is_again ? again_bits : is_clone ? in_clone_bits : in_bits;
        end else if (state == EMPTY) begin
            // An empty list; if the packet depended on it, it is freed.
            out_valid = is_again ? again_owns : !is_clone;
            out_drop = 1'b1;
            out_last = 1'b1;
            out_pid = is_again ? again_pid : in_pid;
        end else if (state == IDLE && again && again_exhausted) begin
            out_valid = again_owns;
            out_drop = 1'b1;
            out_last = 1'b1;
            out_pid = again_pid;
        end else if (state == IDLE && !again && passes_on) begin
            out_valid = 1'b1;
            out_last = 1'b1;
            out_drop = in_resubmit ? in_exhausted : in_drop;
            out_kind = in_resubmit ? KIND_RESUBMIT : KIND_PACKET;
        end
    end

    assign emit = out_valid && out_ready;
    assign last_of_list = left == 16'd1;

    // A list's end takes the packet, or the egress clone, away; behind the clone of ingress the
    // packet itself has its turn.
    logic list_ends;
    assign list_ends = (state == LIST && emit && last_of_list)
        || (state == EMPTY && (emit || !out_valid));
    assign again_ready = (list_ends && is_again)
        || (state == IDLE && again && again_exhausted && (emit || !out_valid));
    assign in_ready = (list_ends && !is_again && !is_clone)
        || (state == IDLE && !again && passes_on && emit);

    always_ff @(posedge clk) begin
        if (rst) begin
            state <= IDLE;
            cloned <= 1'b0;
        end else begin
            case (state)
                IDLE: begin
                    is_again <= again;
                    is_clone <= again || clones;
                    exists <= again ? again_session < 32'(SESSIONS)
                        : clones ? in_session < 32'(SESSIONS) : 32'(in_group) < 32'(GROUPS);
                    if (again ? !again_exhausted : clones || replicates) state <= LOOK_UP;
                    else if (!again && !in_valid && row_valid && !row_write) state <= ROW;
                    if (in_ready) cloned <= 1'b0;
                end
                LOOK_UP: begin
                    left <= count;
                    next <= first + 16'd1;
                    limit <= session_row[15:0];
                    state <= count == 16'd0 ? EMPTY : LIST;
                end
                EMPTY: begin
                    if (list_ends) begin
                        state <= IDLE;
                        if (!is_again) cloned <= is_clone;
                    end
                end
                LIST: begin
                    if (emit) begin
                        left <= left - 16'd1;
                        next <= next + 16'd1;
                        if (last_of_list) begin
                            state <= IDLE;
                            if (!is_again) cloned <= is_clone;
                        end
                    end
                end
                default: state <= IDLE;
            endcase
        end
    end

    // ---- Row port: a read takes two clocks in which no packet is at hand
    logic [3:0] read_memory;
    logic       read_done;
    always_ff @(posedge clk) begin
        read_done <= !rst && state == ROW;
        read_memory <= in_groups ? 4'd0 : in_replicas ? 4'd1 : in_sessions ? 4'd2 : 4'd15;
    end
    assign row_done = write || (row_valid && read_done);
    assign row_rdata = read_memory == 4'd0 ? {16'd0, group_row}
        : read_memory == 4'd1 ? {16'd0, replica_row}
        : read_memory == 4'd2 ? session_row : 48'd0;
endmodule
