// WF2Q+ as a policy of ww_scheduler_two_level: of the children whose fluid service would have begun, the one that
// finishes first. The numbers are those of ww_sched's `Wf2q`: rank is the finish time, eligible from the start time on,
// in the virtual time of the node.
module ww_policy_wf2q #(
    // Nodes that have this policy; children of all of them, numbered from 0; 2 or more.
    parameter int NODES = 10,
    parameter int CHILDREN = 160,
    // Not to be set.
    localparam int NODE_WIDTH = NODES > 1 ? $clog2(NODES) : 1,
    localparam int CHILD_WIDTH = $clog2(CHILDREN)
) (
    input  logic                   clk,
    input  logic                   rst,
    // Configuration: the pace of a child, which is its share of its node's, or (cfg_is_node, the node's number in
    // cfg_index) the pace at which a node is served; at most 2^50. After reset all paces are zero.
    input  logic                   cfg_valid,
    output logic                   cfg_ready,
    input  logic                   cfg_is_node,
    input  logic [CHILD_WIDTH-1:0] cfg_index,
    input  logic [50:0]            cfg_pace,
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
    if (CHILDREN < 2 || CHILDREN < NODES) begin : g_illegal_children
        $error("ww_policy_wf2q: CHILDREN must be 2 or more, and not less than NODES");
    end

    // generated: kinds (crates/p4/src/architecture/scheduler.rs)
    localparam logic [2:0] PRE_ENQUEUE = 3'd0, POST_DEQUEUE = 3'd1, CLOCK = 3'd2;
    // end of generated

    logic                   clearing;
    logic [CHILD_WIDTH-1:0] clear_index;
    ww_ram_clear #(.DEPTH(CHILDREN)) u_clear (.clk, .rst, .clearing, .address(clear_index));

    // Bit k: a request was taken k clocks ago.
    logic [5:1]             step;
    logic                   accept;
    logic                   accept_setting;
    logic [2:0]             kind;
    logic [NODE_WIDTH-1:0]  node;
    logic [CHILD_WIDTH-1:0] child;
    logic [31:0]            bytes;
    logic [31:0]            stamped;
    logic                   fresh;
    logic                   any;
    logic [63:0]            least;

    logic [63:0]            finish;
    logic [50:0]            child_pace;
    logic [63:0]            virtual_time;
    logic [50:0]            node_pace;
    logic                   finish_write;
    logic [63:0]            finish_new;
    logic                   virtual_write;
    logic [63:0]            virtual_new;
    logic [63:0]            reached;
    // The start, for Pre-Enqueue; the finish time with the packet that has left, for Post-Dequeue.
    logic [63:0]            sum;
    logic [31:0]            service_bytes;
    logic [63:0]            service;

    // Sums stay at the largest value, differences at zero.
    function automatic logic [63:0] add(input logic [63:0] a, input logic [63:0] b);
        logic [64:0] total;
        total = {1'b0, a} + {1'b0, b};
        add = total[64] ? '1 : total[63:0];
    endfunction

    assign cfg_ready      = !clearing;
    assign accept_setting = cfg_valid && cfg_ready;
    assign req_ready      = step == '0 && !clearing;
    assign accept         = req_valid && req_ready;

    ww_ram_sdp #(.WIDTH(64), .DEPTH(CHILDREN)) u_finish (
        .clk, .wr_en(clearing || finish_write), .wr_addr(clearing ? clear_index : child),
        .wr_data(clearing ? '0 : finish_new), .rd_en(accept), .rd_addr(req_child), .rd_data(finish)
    );
    ww_ram_sdp #(.WIDTH(51), .DEPTH(CHILDREN)) u_child_pace (
        .clk, .wr_en(clearing || (accept_setting && !cfg_is_node)), .wr_addr(clearing ? clear_index : cfg_index),
        .wr_data(clearing ? '0 : cfg_pace), .rd_en(accept), .rd_addr(req_child), .rd_data(child_pace)
    );
    // Nodes are cleared in the first clocks, over and over.
    ww_ram_sdp #(.WIDTH(64), .DEPTH(NODES)) u_virtual (
        .clk, .wr_en((clearing && clear_index < CHILD_WIDTH'(NODES)) || virtual_write),
        .wr_addr(clearing ? NODE_WIDTH'(clear_index) : node), .wr_data(clearing ? '0 : virtual_new),
        .rd_en(accept), .rd_addr(req_node), .rd_data(virtual_time)
    );
    ww_ram_sdp #(.WIDTH(51), .DEPTH(NODES)) u_node_pace (
        .clk, .wr_en((clearing && clear_index < CHILD_WIDTH'(NODES)) || (accept_setting && cfg_is_node)),
        .wr_addr(NODE_WIDTH'(clearing ? clear_index : cfg_index)), .wr_data(clearing ? '0 : cfg_pace),
        .rd_en(accept), .rd_addr(req_node), .rd_data(node_pace)
    );

    // Step 1: the packet at the child's pace. For Post-Dequeue, step 2: the length that Pre-Enqueue was told; step 3:
    // the packet at the node's pace. Each product is there two steps later.
    assign service_bytes = step[2] ? stamped : bytes;
    ww_policy_service u_service (
        .clk, .bytes(service_bytes), .pace(step[3] ? node_pace : child_pace), .service
    );

    always_comb begin
        finish_new = add(sum, service);
        if (kind == POST_DEQUEUE) finish_new = sum > service ? sum - service : '0;
        finish_write = kind == PRE_ENQUEUE ? step[3] : kind == POST_DEQUEUE && step[4];

        reached = any && least > virtual_time ? least : virtual_time;
        virtual_new   = kind == CLOCK ? reached : add(virtual_time, service);
        virtual_write = kind == CLOCK ? step[1] : kind == POST_DEQUEUE && step[5];
    end

    always_ff @(posedge clk) begin
        step <= {step[4:1], accept};
        if (kind == CLOCK) step[5:2] <= '0;
        if (kind == PRE_ENQUEUE) step[5:4] <= '0;
        if (accept) begin
            kind    <= req_kind;
            node    <= req_node;
            child   <= req_child;
            bytes   <= req_bytes;
            stamped <= req_stamped;
            fresh   <= req_fresh;
            any     <= req_any;
            least   <= req_least;
        end
        if (step[1]) sum <= kind == PRE_ENQUEUE && fresh && virtual_time > finish ? virtual_time : finish;
        if (step[3]) begin
            sum          <= add(sum, service);
            ans_rank     <= finish_new;
            ans_eligible <= sum;
        end
        if (step[1]) ans_clock <= reached;
        ans_valid <= kind == CLOCK ? step[1] : kind == PRE_ENQUEUE ? step[3] : step[4];
        if (rst) begin
            step        <= '0;
            ans_valid   <= 1'b0;
        end
    end

    // Nobody asks.
    assign ans_yes = 1'b1;

    logic unused;
    assign unused = ^{req_now, req_head};
endmodule
