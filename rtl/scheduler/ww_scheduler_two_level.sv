// A two-level hierarchical scheduler: NODES nodes of FLOWS flows each, a root policy that chooses among the nodes, and a
// leaf policy that chooses among the flows of each node, over queues of packet descriptors.
//
// Arrivals and departures are done one at a time, each with the wall clock of the clock in which it begins; the
// decisions are those of ww_sched's `Scheduler` for the same calls at the same times. README.md has the ports.
module ww_scheduler_two_level #(
    // 2 or more each.
    parameter int NODES = 10,
    parameter int FLOWS = 10,
    // Packets that a flow's queue holds, a power of two, 2 or more.
    parameter int DEPTH = 16,
    // Bits of a packet's length in bytes (to 32), and of its handle.
    parameter int LENGTH_BITS = 16,
    parameter int HANDLE_BITS = 16,
    // Bit k: the policy has an answer to requests of kind k (README.md, "The policy port").
    parameter logic [6:0] ROOT_ASKS = 7'b000_0011,
    parameter logic [6:0] LEAF_ASKS = 7'b000_0111,
    // Words of a packet that the policy of the flows knows: 0; 1, its arrival; 6, enq_job too.
    parameter int HEAD_WORDS = 0,
    // Not to be set: bits of a node's number, of a flow's number within its node, of a child of the root in the root's
    // list, of a flow in the list of all flows: {node, flow}.
    localparam int NODE_WIDTH = $clog2(NODES),
    localparam int FLOW_WIDTH = $clog2(FLOWS),
    localparam int ROOT_WIDTH = NODES < 4 ? 2 : NODE_WIDTH,
    localparam int LEAF_WIDTH = NODE_WIDTH + FLOW_WIDTH
) (
    input  logic                   clk,
    input  logic                   rst,
    // The wall clock, in picoseconds. It does not go back.
    input  logic [63:0]            now,
    // Packets come.
    input  logic                   enq_valid,
    output logic                   enq_ready,
    input  logic [NODE_WIDTH-1:0]  enq_node,
    input  logic [FLOW_WIDTH-1:0]  enq_flow,
    input  logic [LENGTH_BITS-1:0] enq_length,
    input  logic [HANDLE_BITS-1:0] enq_handle,
    // With HEAD_WORDS of 6: release, deadline, slack, remaining, size, 64 bits each, the size lowest.
    input  logic [319:0]           enq_job,
    // Packets leave. A choice begins when dep_ready is high, so the link raises it first; dep_time is the wall clock at
    // the beginning of the choice.
    output logic                   dep_valid,
    input  logic                   dep_ready,
    output logic [NODE_WIDTH-1:0]  dep_node,
    output logic [FLOW_WIDTH-1:0]  dep_flow,
    output logic [LENGTH_BITS-1:0] dep_length,
    output logic [HANDLE_BITS-1:0] dep_handle,
    output logic [63:0]            dep_time,
    // A choice begins in this clock; not all of them find somebody.
    output logic                   attempt,
    // No arrival or departure is under way; packets may wait all the same.
    output logic                   idle,
    // Packets dropped: those that came to a full queue; those that had no bytes, or an unknown flow.
    output logic [31:0]            dropped_packets,
    output logic [31:0]            invalid_packets,
    // The root's policy; its children are nodes.
    output logic                   root_req_valid,
    input  logic                   root_req_ready,
    output logic [2:0]             root_req_kind,
    output logic                   root_req_node,
    output logic [ROOT_WIDTH-1:0]  root_req_child,
    output logic [31:0]            root_req_bytes,
    output logic [31:0]            root_req_stamped,
    output logic                   root_req_fresh,
    output logic [383:0]           root_req_head,
    output logic [63:0]            root_req_now,
    output logic                   root_req_any,
    output logic [63:0]            root_req_least,
    input  logic                   root_ans_valid,
    input  logic [63:0]            root_ans_rank,
    input  logic [63:0]            root_ans_eligible,
    input  logic [63:0]            root_ans_clock,
    input  logic                   root_ans_yes,
    // The policy of all nodes; their children are {node, flow}.
    output logic                   leaf_req_valid,
    input  logic                   leaf_req_ready,
    output logic [2:0]             leaf_req_kind,
    output logic [NODE_WIDTH-1:0]  leaf_req_node,
    output logic [LEAF_WIDTH-1:0]  leaf_req_child,
    output logic [31:0]            leaf_req_bytes,
    output logic [31:0]            leaf_req_stamped,
    output logic                   leaf_req_fresh,
    output logic [383:0]           leaf_req_head,
    output logic [63:0]            leaf_req_now,
    output logic                   leaf_req_any,
    output logic [63:0]            leaf_req_least,
    input  logic                   leaf_ans_valid,
    input  logic [63:0]            leaf_ans_rank,
    input  logic [63:0]            leaf_ans_eligible,
    input  logic [63:0]            leaf_ans_clock,
    input  logic                   leaf_ans_yes
);
    if (NODES < 2 || FLOWS < 2) begin : g_illegal_size
        $error("ww_scheduler_two_level: NODES and FLOWS must be 2 or more");
    end

    localparam int SIZE = 1 << FLOW_WIDTH;
    localparam int COUNT_WIDTH = $clog2(FLOWS + 1);
    localparam logic [2:0] LIST = 3'd0, CHOOSE = 3'd1, SENT = 3'd2, RESTORE = 3'd3, STAMP = 3'd4;
    localparam bit ROOT_VIRTUAL = ROOT_ASKS[2], LEAF_VIRTUAL = LEAF_ASKS[2];

    typedef enum logic [3:0] {IDLE, ARRIVED, WAKE, WAKING, AGAIN, ROOT, LEAF, STAMPED, POP, BUSY} state_t;
    state_t                  state;
    logic [NODE_WIDTH-1:0]   node;
    logic [LEAF_WIDTH-1:0]   leaf;
    logic [LENGTH_BITS-1:0]  length;
    logic [319:0]            job;
    // The wall clock of the arrival or departure under way.
    logic [63:0]             began;
    // An arrival was the last to begin, so a departure is next if both wait.
    logic                    favour_departure;
    logic                    accept;
    logic                    accept_valid;
    logic                    due;
    logic [1:0]              root_quiet;
    logic                    settled;
    logic                    wanted;
    logic                    wakes;

    // Of each node: flows that have packets, and the length of its last packet; before it has sent one that of the
    // packet that made it busy (0: none yet).
    logic [NODES-1:0][COUNT_WIDTH-1:0] active;
    logic [NODES-1:0][LENGTH_BITS-1:0] last;

    logic                    root_ready;
    logic                    root_valid;
    logic [2:0]              root_kind;
    logic [NODE_WIDTH-1:0]   root_node;
    logic [31:0]             root_bytes;
    logic                    root_more;
    logic                    root_peek;
    logic                    root_peek_done;
    logic                    root_serving;
    logic                    root_found;
    logic                    root_stays;
    logic [ROOT_WIDTH-1:0]   root_id;
    logic [63:0]             root_rank;
    logic [63:0]             root_eligible;
    logic                    root_least_any;
    logic [63:0]             root_least;
    logic                    leaf_ready;
    logic                    leaf_valid;
    logic [2:0]              leaf_kind;
    logic [LEAF_WIDTH-1:0]   leaf_id;
    logic                    leaf_peek;
    logic                    leaf_peek_done;
    logic                    leaf_serving;
    logic                    leaf_found;
    logic                    leaf_stays;
    logic [LEAF_WIDTH-1:0]   leaf_chosen;
    logic                    leaf_least_any;
    logic [63:0]             leaf_least;
    logic [127:0]            leaf_stamp;

    logic                    queues_ready;
    logic                    push_done;
    logic                    push_empty;
    logic                    push_full;
    logic                    pop;
    logic                    pop_done;
    logic [LENGTH_BITS-1:0]  pop_length;
    logic [HANDLE_BITS-1:0]  pop_handle;
    logic [383:0]            pop_head;
    logic                    pop_next;
    logic                    pop_more;
    logic [LENGTH_BITS-1:0]  pop_next_length;
    logic [383:0]            pop_next_head;

    logic [63:0]             until_time;
    logic [63:0]             kept_until;
    logic                    put_aside;
    logic                    take_aside;
    logic [NODE_WIDTH-1:0]   aside_node;
    logic [NODES-1:0]        is_aside;
    logic [63:0]             aside_rank;
    logic [63:0]             aside_eligible;
    logic                    aside_any;
    logic [NODE_WIDTH-1:0]   aside_first;
    logic [63:0]             aside_until;

    // ---------------------------------------------------------------------------------------------------------
    // What begins. `due`: somebody is, or may be, eligible. It knows a change of the root's list from the third clock
    // on, so a departure waits for that; so does an arrival if a departure's turn may have come.
    assign settled      = root_quiet == 2'd3;
    assign wanted       = dep_ready && !dep_valid && due && settled;
    assign enq_ready    = state == IDLE && queues_ready
        && !(favour_departure && dep_ready && !dep_valid && (due || !settled));
    assign accept       = enq_valid && enq_ready;
    assign accept_valid = {1'b0, enq_node} < (NODE_WIDTH + 1)'(NODES) && {1'b0, enq_flow} < (FLOW_WIDTH + 1)'(FLOWS)
        && enq_length != '0;
    assign attempt      = state == IDLE && wanted && !accept;
    assign idle         = state == IDLE;
    assign wakes        = aside_any && aside_until <= began;

    always_ff @(posedge clk) begin
        due <= (root_least_any && (ROOT_VIRTUAL || root_least <= now)) || (aside_any && aside_until <= now)
            || (ROOT_ASKS[4] && root_serving);
        if (!root_ready) root_quiet <= 2'd0;
        else if (root_quiet != 2'd3) root_quiet <= root_quiet + 2'd1;
        if (rst) begin
            due        <= 1'b0;
            root_quiet <= 2'd0;
        end
    end

    // ---------------------------------------------------------------------------------------------------------
    // Commands to the levels. In all states in which there is one the level is ready.
    logic activates;
    assign activates = state == ARRIVED && push_done && push_empty;

    always_comb begin
        root_valid = 1'b0;
        root_kind  = CHOOSE;
        root_node  = node;
        root_bytes = 32'(length);
        root_more  = 1'b0;
        leaf_valid = 1'b0;
        leaf_kind  = CHOOSE;
        leaf_id    = leaf;
        pop        = 1'b0;
        put_aside  = 1'b0;
        take_aside = 1'b0;
        aside_node = node;
        unique case (state)
            ARRIVED: begin
                leaf_valid = activates;
                leaf_kind  = LIST;
                // The node enters with its last length, or with that of this packet, which is its only one.
                root_valid = activates && (active[node] == '0 || is_aside[node]);
                root_kind  = active[node] == '0 ? LIST : RESTORE;
                root_bytes = 32'(last[node] == '0 ? length : last[node]);
                take_aside = activates && is_aside[node];
            end
            WAKE: begin
                root_valid = 1'b1;
                aside_node = aside_first;
                if (wakes) begin
                    root_kind  = RESTORE;
                    root_node  = aside_first;
                    take_aside = 1'b1;
                end
            end
            AGAIN: root_valid = 1'b1;
            ROOT: begin
                leaf_valid = root_ready && root_found;
                leaf_id    = {NODE_WIDTH'(root_id), FLOW_WIDTH'(0)};
            end
            LEAF: begin
                pop        = leaf_ready && leaf_found;
                // One that was to go on has no rank, and gets one.
                put_aside  = leaf_ready && !leaf_found && !root_stays;
                root_valid = leaf_ready && !leaf_found && root_stays;
                root_kind  = STAMP;
                root_bytes = 32'(last[node]);
            end
            STAMPED: put_aside = root_ready;
            POP: begin
                leaf_valid = pop_next;
                leaf_kind  = SENT;
                root_valid = pop_next;
                root_kind  = SENT;
                root_bytes = 32'(pop_length);
                root_more  = pop_more || active[node] != COUNT_WIDTH'(1);
            end
            default: ;
        endcase
    end

    always_ff @(posedge clk) begin
        if (dep_ready) dep_valid <= 1'b0;
        unique case (state)
            IDLE: begin
                node   <= enq_node;
                leaf   <= {enq_node, enq_flow};
                length <= enq_length;
                job    <= enq_job;
                began  <= now;
                if (accept) begin
                    favour_departure <= 1'b1;
                    if (accept_valid) state <= ARRIVED;
                    else invalid_packets <= invalid_packets + 1;
                end else if (attempt) begin
                    favour_departure <= 1'b0;
                    state            <= WAKE;
                end
            end
            ARRIVED: begin
                if (push_done) begin
                    state <= push_empty ? BUSY : IDLE;
                    if (push_full) dropped_packets <= dropped_packets + 1;
                    if (push_empty) active[node] <= active[node] + 1'b1;
                    if (push_empty && last[node] == '0) last[node] <= length;
                end
            end
            WAKE:   state <= wakes ? WAKING : ROOT;
            WAKING: if (root_ready) state <= WAKE;
            AGAIN:  state <= ROOT;
            ROOT: begin
                node <= NODE_WIDTH'(root_id);
                if (root_ready) state <= root_found ? LEAF : IDLE;
            end
            LEAF: begin
                leaf <= leaf_chosen;
                if (leaf_ready) state <= leaf_found ? POP : root_stays ? STAMPED : AGAIN;
            end
            STAMPED: if (root_ready) state <= AGAIN;
            POP: begin
                if (pop_done) begin
                    dep_valid  <= 1'b1;
                    dep_node   <= node;
                    dep_flow   <= leaf[FLOW_WIDTH-1:0];
                    dep_length <= pop_length;
                    dep_handle <= pop_handle;
                    dep_time   <= began;
                end
                if (pop_next) begin
                    last[node] <= pop_length;
                    if (!pop_more) active[node] <= active[node] - 1'b1;
                    state      <= BUSY;
                end
            end
            default: if (root_ready && leaf_ready) state <= IDLE;
        endcase
        if (rst) begin
            state            <= IDLE;
            favour_departure <= 1'b0;
            dep_valid        <= 1'b0;
            active           <= '0;
            last             <= '0;
            dropped_packets  <= '0;
            invalid_packets  <= '0;
        end
    end

    // ---------------------------------------------------------------------------------------------------------
    ww_scheduler_queues #(
        .FLOWS(NODES * SIZE), .DEPTH(DEPTH), .LENGTH_BITS(LENGTH_BITS), .HANDLE_BITS(HANDLE_BITS),
        .HEAD_WORDS(HEAD_WORDS)
    ) u_queues (
        .clk, .rst, .ready(queues_ready), .push(accept && accept_valid), .pop, .peek(leaf_peek),
        .id(state == IDLE ? {enq_node, enq_flow} : leaf_chosen), .push_length(enq_length), .push_handle(enq_handle),
        .push_head({enq_job, now}), .push_done, .push_empty, .push_full, .pop_done, .peek_done(leaf_peek_done),
        .pop_length, .pop_handle, .pop_head, .pop_next, .pop_more, .pop_next_length, .pop_next_head
    );

    // Of a node's packet a policy knows the length alone, and takes the time of the request for its arrival.
    always_ff @(posedge clk) root_peek_done <= root_peek;

    // A node whose flows have a virtual clock may be asked again at once; otherwise when the first of them is eligible.
    assign until_time = LEAF_VIRTUAL ? began : leaf_least;
    always_ff @(posedge clk) if (state == LEAF) kept_until <= until_time;
    ww_scheduler_aside #(.NODES(NODES)) u_aside (
        .clk, .rst, .put(put_aside), .take(take_aside), .node(aside_node),
        .put_until(state == LEAF ? until_time : kept_until), .put_rank(root_rank), .put_eligible(root_eligible),
        .is_aside, .rank(aside_rank), .eligible(aside_eligible),
        .first_any(aside_any), .first_node(aside_first), .first_until(aside_until)
    );

    ww_scheduler_level #(.PARENTS(1), .SIZE(NODES), .ASKS(ROOT_ASKS)) u_root (
        .clk, .rst,
        .cmd_valid(root_valid), .cmd_ready(root_ready), .cmd_kind(root_kind), .cmd_id(ROOT_WIDTH'(root_node)),
        .cmd_bytes(root_bytes), .cmd_head(384'(began)), .cmd_more(root_more), .cmd_next_bytes(root_bytes),
        .cmd_next_head(384'(began)), .cmd_rank(aside_rank), .cmd_eligible(aside_eligible), .cmd_now(began),
        .peek(root_peek), .peek_done(root_peek_done), .peek_bytes(32'(last[NODE_WIDTH'(root_id)])),
        .peek_head(384'(began)), .serving(root_serving), .chosen_found(root_found), .chosen_stays(root_stays),
        .chosen_id(root_id), .chosen_rank(root_rank), .chosen_eligible(root_eligible),
        .least_any(root_least_any), .least_time(root_least),
        .req_valid(root_req_valid), .req_ready(root_req_ready), .req_kind(root_req_kind), .req_node(root_req_node),
        .req_child(root_req_child), .req_bytes(root_req_bytes), .req_stamped(root_req_stamped),
        .req_fresh(root_req_fresh), .req_head(root_req_head), .req_now(root_req_now), .req_any(root_req_any), .req_least(root_req_least),
        .ans_valid(root_ans_valid), .ans_rank(root_ans_rank), .ans_eligible(root_ans_eligible),
        .ans_clock(root_ans_clock), .ans_yes(root_ans_yes)
    );

    ww_scheduler_level #(.PARENTS(NODES), .SIZE(SIZE), .ASKS(LEAF_ASKS)) u_leaf (
        .clk, .rst,
        .cmd_valid(leaf_valid), .cmd_ready(leaf_ready), .cmd_kind(leaf_kind), .cmd_id(leaf_id),
        .cmd_bytes(32'(state == POP ? pop_length : length)), .cmd_head({job, began}), .cmd_more(pop_more),
        .cmd_next_bytes(32'(pop_next_length)), .cmd_next_head(pop_next_head), .cmd_rank('0), .cmd_eligible('0),
        .cmd_now(began), .peek(leaf_peek), .peek_done(leaf_peek_done), .peek_bytes(32'(pop_length)),
        .peek_head(pop_head), .serving(leaf_serving), .chosen_found(leaf_found), .chosen_stays(leaf_stays),
        .chosen_id(leaf_chosen), .chosen_rank(leaf_stamp[127:64]),
        .chosen_eligible(leaf_stamp[63:0]), .least_any(leaf_least_any), .least_time(leaf_least),
        .req_valid(leaf_req_valid), .req_ready(leaf_req_ready), .req_kind(leaf_req_kind), .req_node(leaf_req_node),
        .req_child(leaf_req_child), .req_bytes(leaf_req_bytes), .req_stamped(leaf_req_stamped),
        .req_fresh(leaf_req_fresh), .req_head(leaf_req_head), .req_now(leaf_req_now), .req_any(leaf_req_any), .req_least(leaf_req_least),
        .ans_valid(leaf_ans_valid), .ans_rank(leaf_ans_rank), .ans_eligible(leaf_ans_eligible),
        .ans_clock(leaf_ans_clock), .ans_yes(leaf_ans_yes)
    );

    logic unused;
    assign unused = ^{leaf_stamp, leaf_least_any, leaf_stays, leaf_serving};
endmodule
