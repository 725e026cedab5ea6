// One level of a hierarchical scheduler: the ordered list of its children, and the policy that says where they go in it.
//
// A command is what happens to a child: it has a packet (LIST), one is to be chosen (CHOOSE), its packet has left
// (SENT), it comes back with the rank that it had (RESTORE), it needs a rank without entering the list (STAMP). The
// level asks the policy what it needs (README.md, "The policy port") and changes the list.
module ww_scheduler_level #(
    // Parents in this level; children of each have numbers in a block of SIZE, a power of two. One parent: any SIZE.
    parameter int PARENTS = 1,
    parameter int SIZE = 10,
    // Bit k: the policy has an answer to requests of kind k. Bits 0 and 1 are set; with bit 2 eligible times are
    // compared with a virtual clock, which the policy keeps.
    parameter logic [6:0] ASKS = 7'b000_0011,
    // Not to be set: ids in the list, bits of an id, of a parent's number.
    localparam int N = PARENTS * SIZE < 4 ? 4 : PARENTS * SIZE,
    localparam int ID_WIDTH = $clog2(N),
    localparam int PARENT_WIDTH = PARENTS > 1 ? $clog2(PARENTS) : 1
) (
    input  logic                    clk,
    input  logic                    rst,
    // A command is taken in a clock in which both are high; cmd_ready is high again when it is done.
    input  logic                    cmd_valid,
    output logic                    cmd_ready,
    // 0 LIST, 1 CHOOSE, 2 SENT, 3 RESTORE, 4 STAMP.
    input  logic [2:0]              cmd_kind,
    // The child; for CHOOSE any child of the parent.
    input  logic [ID_WIDTH-1:0]     cmd_id,
    // LIST, STAMP: the length of its packet. SENT: that of the packet that has left.
    input  logic [31:0]             cmd_bytes,
    // LIST, STAMP: the words of its packet, as in the policy port.
    input  logic [383:0]            cmd_head,
    // SENT: whether the child has another packet, its length and its words.
    input  logic                    cmd_more,
    input  logic [31:0]             cmd_next_bytes,
    input  logic [383:0]            cmd_next_head,
    // RESTORE: what it had.
    input  logic [63:0]             cmd_rank,
    input  logic [63:0]             cmd_eligible,
    // The wall clock of the command.
    input  logic [63:0]             cmd_now,
    // If the policy has a say in whether the chosen child sends: its packet is asked for. peek is high for one clock,
    // and with it the child in chosen_id; peek_done is high for one clock after that.
    output logic                    peek,
    input  logic                    peek_done,
    input  logic [31:0]             peek_bytes,
    input  logic [383:0]            peek_head,
    // A child of the parent of the last command's child goes on without a look at the list.
    output logic                    serving,
    // What CHOOSE has found, until the next command; rank and eligible time also of STAMP. It is out of the list, or was
    // not in it: then it was to go on, and has no rank (chosen_stays).
    output logic                    chosen_found,
    output logic                    chosen_stays,
    output logic [ID_WIDTH-1:0]     chosen_id,
    output logic [63:0]             chosen_rank,
    output logic [63:0]             chosen_eligible,
    // The least eligible time among the children of the parent of the last command's child, from the second clock
    // of cmd_ready on.
    output logic                    least_any,
    output logic [63:0]             least_time,
    // The policy.
    output logic                    req_valid,
    input  logic                    req_ready,
    output logic [2:0]              req_kind,
    output logic [PARENT_WIDTH-1:0] req_node,
    output logic [ID_WIDTH-1:0]     req_child,
    output logic [31:0]             req_bytes,
    output logic [31:0]             req_stamped,
    output logic                    req_fresh,
    output logic [383:0]            req_head,
    output logic [63:0]             req_now,
    output logic                    req_any,
    output logic [63:0]             req_least,
    input  logic                    ans_valid,
    input  logic [63:0]             ans_rank,
    input  logic [63:0]             ans_eligible,
    input  logic [63:0]             ans_clock,
    input  logic                    ans_yes
);
    if (PARENTS > 1 && (SIZE < 2 || 1 << $clog2(SIZE) != SIZE)) begin : g_illegal_size
        $error("ww_scheduler_level: with several parents SIZE must be a power of two, 2 or more");
    end

    localparam int SIZE_LOW = $clog2(SIZE);
    localparam logic [2:0] LIST = 3'd0, CHOOSE = 3'd1, SENT = 3'd2, RESTORE = 3'd3, STAMP = 3'd4;
    // generated: kinds (crates/p4/src/architecture/scheduler.rs)
    localparam logic [2:0] PRE_ENQUEUE = 3'd0, POST_DEQUEUE = 3'd1, CLOCK = 3'd2, MAY_SEND = 3'd3, STAYS = 3'd4,
        EMPTIED = 3'd6;
    // end of generated
    // generated: pieo (crates/blocks/src/facts.rs)
    localparam logic [1:0] ENQUEUE = 2'd0, DEQUEUE_RANGE = 2'd3;
    // end of generated
    localparam bit VIRTUAL = ASKS[CLOCK];

    typedef enum logic [4:0] {
        IDLE, READ, POST, POST_ANSWER, PRE, PRE_ANSWER, INSERT, INSERTED, SETTLE, ASK, ASK_ANSWER, TAKE, TAKEN,
        PEEK, PEEKED, MAY, MAY_ANSWER, STAY, STAY_ANSWER, EMPTY, EMPTY_ANSWER
    } state_t;
    state_t              state;
    // SETTLE: a clock more.
    logic                settle_more;
    logic [2:0]          kind;
    logic [ID_WIDTH-1:0] id;
    logic [31:0]         bytes;
    logic [383:0]        head;
    logic                more;
    logic [31:0]         next_bytes;
    logic [383:0]        next_head;
    logic [63:0]         now;
    logic [63:0]         rank;
    logic [63:0]         eligible;
    // What eligible times are compared with.
    logic [63:0]         reached;
    // The length that Pre-Enqueue was told for each child.
    logic [31:0]         stamped;
    logic                stamp;
    // Of each parent: whether a child goes on, and which one.
    logic [PARENTS-1:0]               goes_on;
    logic [PARENTS-1:0][ID_WIDTH-1:0] goes_on_id;
    logic [PARENT_WIDTH-1:0]          cmd_parent;
    logic                             stays_now;

    logic                op_ready;
    logic                result_valid;
    logic                result_found;
    logic [ID_WIDTH-1:0] result_id;
    logic [63:0]         result_rank;
    logic [63:0]         result_time;
    logic [2:0]          result_error;
    logic [$clog2(N+1)-1:0] occupancy;
    logic [ID_WIDTH-1:0] first;
    logic [ID_WIDTH-1:0] last;

    if (PARENTS > 1) begin : g_parents
        assign req_node = PARENT_WIDTH'(id >> SIZE_LOW);
        assign cmd_parent = PARENT_WIDTH'(cmd_id >> SIZE_LOW);
        assign first    = id & ~ID_WIDTH'(SIZE - 1);
        assign last     = id | ID_WIDTH'(SIZE - 1);
    end else begin : g_one_parent
        assign req_node = '0;
        assign cmd_parent = '0;
        assign first    = '0;
        assign last     = '1;
    end

    assign cmd_ready   = state == IDLE;
    assign req_valid   = state == POST || state == PRE || state == ASK || state == MAY || state == STAY || state == EMPTY;
    always_comb begin
        unique case (state)
            POST:    req_kind = POST_DEQUEUE;
            PRE:     req_kind = PRE_ENQUEUE;
            MAY:     req_kind = MAY_SEND;
            STAY:    req_kind = STAYS;
            EMPTY:   req_kind = EMPTIED;
            default: req_kind = CLOCK;
        endcase
    end
    assign req_child   = id;
    assign req_bytes   = (state == PRE || state == STAY) && kind == SENT ? next_bytes : bytes;
    assign req_head    = kind == SENT ? next_head : head;
    assign req_stamped = stamped;
    assign req_fresh   = kind == LIST;
    assign req_now     = state == MAY || state == STAY || state == EMPTY ? '0 : now;
    assign req_any     = least_any;
    assign req_least   = least_time;
    // A child that goes on counts with the length of the packet that it goes on with.
    assign stays_now   = state == STAY_ANSWER && ans_valid && ans_yes;
    assign stamp       = (state == PRE && req_ready && kind != STAMP) || stays_now;
    assign peek        = state == PEEK;
    assign serving     = goes_on[state == IDLE ? cmd_parent : req_node];

    ww_ram_sdp #(.WIDTH(32), .DEPTH(N)) u_stamped (
        .clk, .wr_en(stamp), .wr_addr(id), .wr_data(stays_now ? next_bytes : req_bytes), .rd_en(state == READ), .rd_addr(id), .rd_data(stamped)
    );

    ww_pieo #(
        .N(N), .RANK_BITS(64), .TIME_BITS(64), .PARENT_SIZE(PARENTS > 1 ? SIZE : 1 << $clog2(N)), .LEAST(1)
    ) u_list (
        .clk, .rst,
        .op_valid(state == INSERT || state == TAKE), .op_ready, .op_code(state == INSERT ? ENQUEUE : DEQUEUE_RANGE),
        .op_id(id), .op_rank(rank), .op_time(eligible), .op_now(reached), .op_lo(first), .op_hi(last),
        .result_valid, .result_found, .result_id, .result_rank, .result_time, .result_error, .occupancy,
        .least_of(state == IDLE ? cmd_id : id), .least_any, .least_time
    );

    always_ff @(posedge clk) begin
        unique case (state)
            IDLE: begin
                if (cmd_valid) begin
                    kind       <= cmd_kind;
                    id         <= cmd_id;
                    bytes      <= cmd_bytes;
                    head       <= cmd_head;
                    more       <= cmd_more;
                    next_bytes <= cmd_next_bytes;
                    next_head  <= cmd_next_head;
                    now        <= cmd_now;
                    reached    <= cmd_now;
                    rank       <= cmd_rank;
                    eligible   <= cmd_eligible;
                    settle_more <= 1'b0;
                    unique case (cmd_kind)
                        LIST, STAMP: state <= PRE;
                        CHOOSE: begin
                            state <= VIRTUAL ? SETTLE : TAKE;
                            if (ASKS[STAYS] && goes_on[cmd_parent]) begin
                                goes_on[cmd_parent] <= 1'b0;
                                chosen_found        <= 1'b1;
                                chosen_stays        <= 1'b1;
                                chosen_id           <= goes_on_id[cmd_parent];
                                state               <= ASKS[MAY_SEND] ? PEEK : IDLE;
                            end
                        end
                        SENT:    state <= READ;
                        RESTORE: state <= INSERT;
                        default: state <= IDLE;
                    endcase
                end
            end
            READ:        state <= POST;
            POST:        if (req_ready) state <= POST_ANSWER;
            POST_ANSWER: begin
                if (ans_valid) begin
                    if (more) state <= ASKS[STAYS] ? STAY : PRE;
                    else state <= ASKS[EMPTIED] ? EMPTY : VIRTUAL ? ASK : IDLE;
                end
            end
            STAY:        if (req_ready) state <= STAY_ANSWER;
            STAY_ANSWER: begin
                if (ans_valid) state <= !ans_yes ? PRE : VIRTUAL ? ASK : IDLE;
                if (stays_now) begin
                    goes_on[req_node]    <= 1'b1;
                    goes_on_id[req_node] <= id;
                end
            end
            EMPTY:        if (req_ready) state <= EMPTY_ANSWER;
            EMPTY_ANSWER: if (ans_valid) state <= VIRTUAL ? ASK : IDLE;
            PRE:         if (req_ready) state <= PRE_ANSWER;
            PRE_ANSWER: begin
                rank     <= ans_rank;
                eligible <= ans_eligible;
                if (kind == STAMP) begin
                    chosen_rank     <= ans_rank;
                    chosen_eligible <= ans_eligible;
                end
                if (ans_valid) state <= kind == STAMP ? IDLE : INSERT;
            end
            INSERT:      if (op_ready) state <= INSERTED;
            INSERTED: begin
                // Virtual time moves when a packet has left, and is looked at when one is chosen.
                settle_more <= 1'b1;
                // A child that may not send is in the list again, and the next one is chosen.
                if (result_valid) begin
                    if (kind == CHOOSE) state <= VIRTUAL ? SETTLE : TAKE;
                    else state <= kind == SENT && VIRTUAL ? SETTLE : IDLE;
                end
            end
            SETTLE: begin
                settle_more <= 1'b0;
                if (!settle_more) state <= ASK;
            end
            ASK:         if (req_ready) state <= ASK_ANSWER;
            ASK_ANSWER: begin
                if (ans_valid) reached <= ans_clock;
                if (ans_valid) state <= kind == SENT ? IDLE : TAKE;
            end
            TAKE:        if (op_ready) state <= TAKEN;
            TAKEN: begin
                if (result_valid) begin
                    chosen_found    <= result_found;
                    chosen_stays    <= 1'b0;
                    chosen_id       <= result_id;
                    chosen_rank     <= result_rank;
                    chosen_eligible <= result_time;
                    state           <= result_found && ASKS[MAY_SEND] ? PEEK : IDLE;
                end
            end
            PEEK: begin
                id    <= chosen_id;
                state <= PEEKED;
            end
            PEEKED: begin
                bytes <= peek_bytes;
                head  <= peek_head;
                if (peek_done) state <= MAY;
            end
            MAY:        if (req_ready) state <= MAY_ANSWER;
            MAY_ANSWER: if (ans_valid) state <= ans_yes ? IDLE : PRE;
            default:     state <= IDLE;
        endcase
        if (rst) begin
            state   <= IDLE;
            goes_on <= '0;
        end
    end

`ifndef SYNTHESIS
    // Who enters is not in the list, and there is such an id.
    always_ff @(posedge clk) begin
        if (!rst && result_valid) assert (result_error == '0);
    end
`endif
    logic unused;
    assign unused = ^{result_error, occupancy};
endmodule
