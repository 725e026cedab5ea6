// Token bucket as a policy of ww_scheduler_two_level: rank and eligible time of a child are the time at which it has
// tokens enough. The numbers are those of ww_sched's `TokenBucket`: tokens are kept as the time in which they come, in
// 2^-8 ps, and may be a debt.
module ww_policy_token_bucket #(
    // Nodes that have this policy; children of all of them, numbered from 0; 2 or more.
    parameter int NODES = 1,
    parameter int CHILDREN = 10,
    // Not to be set.
    localparam int NODE_WIDTH = NODES > 1 ? $clog2(NODES) : 1,
    localparam int CHILD_WIDTH = $clog2(CHILDREN)
) (
    input  logic                   clk,
    input  logic                   rst,
    // Configuration of a child: its pace, at most 2^50, and its burst in 2^-8 ps: bytes times pace, shifted right by 8. A
    // bucket from which nothing has been taken is full; of one in use, the next packet finds what it has, up to the
    // burst. A child that was never configured has no limit.
    input  logic                   cfg_valid,
    output logic                   cfg_ready,
    input  logic [CHILD_WIDTH-1:0] cfg_child,
    input  logic [50:0]            cfg_pace,
    input  logic [63:0]            cfg_burst,
    // The policy port.
    input  logic                   req_valid,
    output logic                   req_ready,
    input  logic [2:0]             req_kind,
    input  logic [NODE_WIDTH-1:0]  req_node,
    input  logic [CHILD_WIDTH-1:0] req_child,
    input  logic [31:0]            req_bytes,
    input  logic [31:0]            req_stamped,
    input  logic                   req_fresh,
    input  logic [383:0]           req_head,
    input  logic [63:0]            req_now,
    input  logic                   req_any,
    input  logic [63:0]            req_least,
    output logic                   ans_valid,
    output logic [63:0]            ans_rank,
    output logic [63:0]            ans_eligible,
    output logic [63:0]            ans_clock,
    output logic                   ans_yes
);
    if (CHILDREN < 2) begin : g_illegal_children
        $error("ww_policy_token_bucket: CHILDREN must be 2 or more");
    end

    // generated: kinds (crates/p4/src/architecture/scheduler.rs)
    localparam logic [2:0] PRE_ENQUEUE = 3'd0, POST_DEQUEUE = 3'd1;
    // end of generated

    // Tokens: never more than a burst, below 2^64, and never less than the debt for two packets, since a child is only
    // chosen when its debt is paid: 2^65. The time that has passed is below 2^72.
    typedef logic signed [71:0] tokens_t;
    typedef logic signed [74:0] sum_t;
    typedef struct packed {
        // It was configured; something has been taken.
        logic        limited;
        logic        used;
        logic [50:0] pace;
        logic [63:0] burst;
        tokens_t     tokens;
        logic [63:0] last;
    } bucket_t;

    logic                   clearing;
    logic [CHILD_WIDTH-1:0] clear_child;
    ww_ram_clear #(.DEPTH(CHILDREN)) u_clear (.clk, .rst, .clearing, .address(clear_child));

    // Bit k: a request, or a configuration, was taken k clocks ago.
    logic [4:1]             step;
    logic                   setting;
    logic                   accept;
    logic                   accept_setting;
    logic [2:0]             kind;
    logic [CHILD_WIDTH-1:0] child;
    logic [31:0]            bytes;
    logic [31:0]            stamped;
    logic [63:0]            now;
    logic [50:0]            set_pace;
    logic [63:0]            set_burst;
    bucket_t                bucket;
    bucket_t                bucket_new;
    logic                   write;
    logic [63:0]            service;
    tokens_t                tokens;
    sum_t                   filled;
    sum_t                   full;
    tokens_t                debt;
    logic [64:0]            send;

    assign cfg_ready      = step == '0 && !setting && !clearing;
    assign req_ready      = cfg_ready && !cfg_valid;
    assign accept         = req_valid && req_ready;
    assign accept_setting = cfg_valid && cfg_ready;

    ww_ram_sdp #(.WIDTH($bits(bucket_t)), .DEPTH(CHILDREN)) u_buckets (
        .clk, .wr_en(write), .wr_addr(clearing ? clear_child : child), .wr_data(bucket_new),
        .rd_en(accept || accept_setting), .rd_addr(accept_setting ? cfg_child : req_child), .rd_data(bucket)
    );
    ww_policy_service u_service (
        .clk, .bytes(step[1] ? bytes : stamped), .pace(bucket.pace), .service
    );

    always_comb begin
        // What has come since the last packet, in step 1.
        filled = sum_t'(bucket.tokens) + sum_t'({3'b0, now - bucket.last, 8'b0});
        full   = sum_t'({11'b0, bucket.burst});
        // Rounded up: never too early.
        debt = tokens[71] ? -tokens + 72'sd255 : '0;
        send = {1'b0, now} + {1'b0, debt[71:8]};

        write      = clearing || setting;
        bucket_new = bucket;
        if (setting) begin
            bucket_new.limited = 1'b1;
            bucket_new.pace    = set_pace;
            bucket_new.burst   = set_burst;
        end else if (kind == PRE_ENQUEUE) begin
            write            |= step[3] && bucket.limited;
            bucket_new.tokens = tokens - tokens_t'({8'b0, service});
            bucket_new.last   = now;
            bucket_new.used   = 1'b1;
        end else begin
            write            |= step[4] && bucket.limited && bucket.used && kind == POST_DEQUEUE;
            bucket_new.tokens = tokens + tokens_t'({8'b0, service});
        end
        if (clearing) bucket_new = '0;
    end

    always_ff @(posedge clk) begin
        step      <= {step[3:1], accept};
        setting   <= accept_setting;
        ans_valid <= step[4];
        if (accept) begin
            kind    <= req_kind;
            bytes   <= req_bytes;
            stamped <= req_stamped;
            now     <= req_now;
        end
        if (accept || accept_setting) child <= accept_setting ? cfg_child : req_child;
        set_pace  <= cfg_pace;
        set_burst <= cfg_burst;
        // Step 1: what there is. Step 3: what Pre-Enqueue takes, or what has left. (Step 4: what was said of it.)
        if (step[1]) begin
            if (kind != PRE_ENQUEUE) tokens <= bucket.tokens;
            else tokens <= bucket.used && filled < full ? filled[71:0] : full[71:0];
        end
        if (step[3]) tokens <= tokens - tokens_t'({8'b0, service});
        if (step[4]) begin
            ans_rank     <= !bucket.limited ? now : send[64] ? '1 : send[63:0];
            ans_eligible <= !bucket.limited ? now : send[64] ? '1 : send[63:0];
        end
        if (rst) begin
            step        <= '0;
            setting     <= 1'b0;
            ans_valid   <= 1'b0;
        end
    end
    // The wall clock.
    assign ans_clock = now;
    // Nobody asks.
    assign ans_yes   = 1'b1;

    logic unused;
    assign unused = ^{req_node, req_fresh, req_head, req_any, req_least, debt[7:0], filled, full};
endmodule
