// The published hierarchy: nodes with a rate limit each (token bucket), whose flows share it (WF2Q+). It is
// ww_scheduler_two_level with its two policies; see there, and README.md, for what the ports do.
module ww_scheduler_token_bucket_wf2q #(
    parameter int NODES = 10,
    parameter int FLOWS = 10,
    parameter int DEPTH = 16,
    parameter int LENGTH_BITS = 16,
    parameter int HANDLE_BITS = 16,
    // Not to be set.
    localparam int NODE_WIDTH = $clog2(NODES),
    localparam int FLOW_WIDTH = $clog2(FLOWS),
    localparam int ROOT_WIDTH = NODES < 4 ? 2 : NODE_WIDTH,
    localparam int LEAF_WIDTH = NODE_WIDTH + FLOW_WIDTH
) (
    input  logic                   clk,
    input  logic                   rst,
    input  logic [63:0]            now,
    input  logic                   enq_valid,
    output logic                   enq_ready,
    input  logic [NODE_WIDTH-1:0]  enq_node,
    input  logic [FLOW_WIDTH-1:0]  enq_flow,
    input  logic [LENGTH_BITS-1:0] enq_length,
    input  logic [HANDLE_BITS-1:0] enq_handle,
    output logic                   dep_valid,
    input  logic                   dep_ready,
    output logic [NODE_WIDTH-1:0]  dep_node,
    output logic [FLOW_WIDTH-1:0]  dep_flow,
    output logic [LENGTH_BITS-1:0] dep_length,
    output logic [HANDLE_BITS-1:0] dep_handle,
    output logic [63:0]            dep_time,
    output logic                   attempt,
    output logic                   idle,
    output logic [31:0]            dropped_packets,
    output logic [31:0]            invalid_packets,
    // Limit of a node: ww_policy_token_bucket.
    input  logic                   root_cfg_valid,
    output logic                   root_cfg_ready,
    input  logic [ROOT_WIDTH-1:0]  root_cfg_child,
    input  logic [50:0]            root_cfg_pace,
    input  logic [63:0]            root_cfg_burst,
    // Paces of flows, {node, flow}, and of nodes: ww_policy_wf2q.
    input  logic                   leaf_cfg_valid,
    output logic                   leaf_cfg_ready,
    input  logic                   leaf_cfg_is_node,
    input  logic [LEAF_WIDTH-1:0]  leaf_cfg_index,
    input  logic [50:0]            leaf_cfg_pace
);
    logic                  root_req_valid, leaf_req_valid, root_req_ready, leaf_req_ready;
    logic [2:0]            root_req_kind, leaf_req_kind;
    logic                  root_req_node;
    logic [NODE_WIDTH-1:0] leaf_req_node;
    logic [ROOT_WIDTH-1:0] root_req_child;
    logic [LEAF_WIDTH-1:0] leaf_req_child;
    logic [31:0]           root_req_bytes, leaf_req_bytes, root_req_stamped, leaf_req_stamped;
    logic                  root_req_fresh, leaf_req_fresh, root_req_any, leaf_req_any, root_ans_valid, leaf_ans_valid;
    logic [63:0]           root_req_now, leaf_req_now, root_req_least, leaf_req_least;
    logic [63:0]           root_ans_rank, leaf_ans_rank, root_ans_eligible, leaf_ans_eligible;
    logic [63:0]           root_ans_clock, leaf_ans_clock;
    logic [383:0]          root_req_head, leaf_req_head;
    logic                  root_ans_yes, leaf_ans_yes;
    logic [319:0]          enq_job;
    // Neither policy knows more of a packet than its length.
    assign enq_job = '0;

    ww_scheduler_two_level #(
        .NODES(NODES), .FLOWS(FLOWS), .DEPTH(DEPTH), .LENGTH_BITS(LENGTH_BITS), .HANDLE_BITS(HANDLE_BITS),
        .ROOT_ASKS(7'b000_0011), .LEAF_ASKS(7'b000_0111)
    ) u_scheduler (.*);

    ww_policy_token_bucket #(.NODES(1), .CHILDREN(NODES < 4 ? 4 : NODES)) u_root (
        .clk, .rst, .cfg_valid(root_cfg_valid), .cfg_ready(root_cfg_ready), .cfg_child(root_cfg_child),
        .cfg_pace(root_cfg_pace), .cfg_burst(root_cfg_burst),
        .req_valid(root_req_valid), .req_ready(root_req_ready), .req_kind(root_req_kind), .req_node(root_req_node),
        .req_child(root_req_child), .req_bytes(root_req_bytes), .req_stamped(root_req_stamped),
        .req_fresh(root_req_fresh), .req_head(root_req_head), .req_now(root_req_now), .req_any(root_req_any), .req_least(root_req_least),
        .ans_valid(root_ans_valid), .ans_rank(root_ans_rank), .ans_eligible(root_ans_eligible),
        .ans_clock(root_ans_clock), .ans_yes(root_ans_yes)
    );
    ww_policy_wf2q #(.NODES(NODES), .CHILDREN(NODES << FLOW_WIDTH)) u_leaf (
        .clk, .rst, .cfg_valid(leaf_cfg_valid), .cfg_ready(leaf_cfg_ready), .cfg_is_node(leaf_cfg_is_node),
        .cfg_index(leaf_cfg_index), .cfg_pace(leaf_cfg_pace),
        .req_valid(leaf_req_valid), .req_ready(leaf_req_ready), .req_kind(leaf_req_kind), .req_node(leaf_req_node),
        .req_child(leaf_req_child), .req_bytes(leaf_req_bytes), .req_stamped(leaf_req_stamped),
        .req_fresh(leaf_req_fresh), .req_head(leaf_req_head), .req_now(leaf_req_now), .req_any(leaf_req_any), .req_least(leaf_req_least),
        .ans_valid(leaf_ans_valid), .ans_rank(leaf_ans_rank), .ans_eligible(leaf_ans_eligible),
        .ans_clock(leaf_ans_clock), .ans_yes(leaf_ans_yes)
    );
endmodule
