// Nodes that have stepped aside: they were chosen, but nobody below was eligible. Each waits, with the rank that it
// had, until a time or until a packet arrives. In flip-flops and a tree of comparisons: for tens of nodes.
module ww_scheduler_aside #(
    // 2 or more.
    parameter int NODES = 10,
    // Not to be set.
    localparam int NODE_WIDTH = $clog2(NODES)
) (
    input  logic                  clk,
    input  logic                  rst,
    // The node steps aside, or comes back.
    input  logic                  put,
    input  logic                  take,
    input  logic [NODE_WIDTH-1:0] node,
    input  logic [63:0]           put_until,
    input  logic [63:0]           put_rank,
    input  logic [63:0]           put_eligible,
    // Who is aside; what the node `node` had.
    output logic [NODES-1:0]      is_aside,
    output logic [63:0]           rank,
    output logic [63:0]           eligible,
    // The one that is to come back first (of equal times the lowest number): a register, a clock late.
    output logic                  first_any,
    output logic [NODE_WIDTH-1:0] first_node,
    output logic [63:0]           first_until
);
    if (NODES < 2) begin : g_illegal_nodes
        $error("ww_scheduler_aside: NODES must be 2 or more");
    end

    logic [NODES-1:0][63:0]            until_time;
    logic [NODES-1:0][64+NODE_WIDTH-1:0] words;
    logic                              any;
    logic [64+NODE_WIDTH-1:0]          least;

    for (genvar i = 0; i < NODES; i++) begin : g_word
        assign words[i] = {until_time[i], NODE_WIDTH'(i)};
    end
    ww_pieo_least #(.WIDTH(64 + NODE_WIDTH), .COUNT(NODES)) u_first (.valid(is_aside), .words, .any, .least);
    ww_ram_async #(.WIDTH(128), .DEPTH(NODES)) u_ranks (
        .clk, .wr_en(put), .wr_addr(node), .wr_data({put_rank, put_eligible}), .rd_addr(node), .rd_data({rank, eligible})
    );

    always_ff @(posedge clk) begin
        first_any                 <= any;
        {first_until, first_node} <= least;
        if (put) begin
            is_aside[node]   <= 1'b1;
            until_time[node] <= put_until;
        end
        if (take) is_aside[node] <= 1'b0;
        if (rst) begin
            is_aside  <= '0;
            first_any <= 1'b0;
        end
    end
endmodule
