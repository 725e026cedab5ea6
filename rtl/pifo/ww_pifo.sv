// A priority queue of N elements {id, rank, send_time} in flip-flops, each with its own comparators: an operation in
// each clock. With PREDICATE = 0 it is a PIFO, which takes elements out in the order of their ranks and ignores times;
// with PREDICATE = 1 it is a small PIEO, with the decisions of ww_pieo. Interface: rtl/pieo/README.md.
module ww_pifo #(
    // Elements, 2 or more; the ids are 0 to N-1.
    parameter int N = 16,
    // Bits of a rank and of a time, 1 or more each. All values are legal.
    parameter int RANK_BITS = 16,
    parameter int TIME_BITS = 16,
    // Whether an element leaves only when its time has come: send_time <= op_now.
    parameter bit PREDICATE = 1'b0,
    // Not to be set: bits of an id, of a number of elements.
    localparam int ID_WIDTH = $clog2(N),
    localparam int COUNT_WIDTH = $clog2(N + 1)
) (
    input  logic                   clk,
    input  logic                   rst,
    // An operation: 0 enqueue, 1 dequeue, 2 dequeue op_id, 3 dequeue among the ids op_lo to op_hi.
    input  logic                   op_valid,
    output logic                   op_ready,
    input  logic [1:0]             op_code,
    input  logic [ID_WIDTH-1:0]    op_id,
    input  logic [RANK_BITS-1:0]   op_rank,
    input  logic [TIME_BITS-1:0]   op_time,
    input  logic [TIME_BITS-1:0]   op_now,
    input  logic [ID_WIDTH-1:0]    op_lo,
    input  logic [ID_WIDTH-1:0]    op_hi,
    // In the clock after that of the operation; the element that left, if result_found.
    output logic                   result_valid,
    output logic                   result_found,
    output logic [ID_WIDTH-1:0]    result_id,
    output logic [RANK_BITS-1:0]   result_rank,
    output logic [TIME_BITS-1:0]   result_time,
    // 0 none, 1 id, 2 duplicate, 4 full.
    output logic [2:0]             result_error,
    // Elements in the list.
    output logic [COUNT_WIDTH-1:0] occupancy
);
    if (N < 2) begin : g_illegal_n
        $error("ww_pifo: N must be 2 or more");
    end
    if (RANK_BITS < 1 || TIME_BITS < 1) begin : g_illegal_bits
        $error("ww_pifo: RANK_BITS and TIME_BITS must be 1 or more");
    end

    // generated: pieo (crates/blocks/src/facts.rs)
    localparam logic [1:0] ENQUEUE = 2'd0;
    localparam logic [1:0] DEQUEUE_ID = 2'd2;
    localparam logic [1:0] DEQUEUE_RANGE = 2'd3;
    // end of generated

    typedef struct packed {
        logic [ID_WIDTH-1:0]  id;
        logic [RANK_BITS-1:0] rank;
        logic [TIME_BITS-1:0] send_time;
    } element_t;

    // By rank, and equal ranks by arrival.
    element_t [N-1:0] list;
    element_t [N-1:0] changed;
    logic [N-1:0]     filled;
    logic [N-1:0]     same_id;
    logic [N-1:0]     above;
    logic [N-1:0]     hits;
    logic [N-1:0]     hits_onward;
    element_t         given;
    element_t         removed;
    logic             is_enqueue;
    logic             by_id;
    logic [2:0]       error;
    logic             enqueues;
    logic             dequeues;

    assign op_ready   = 1'b1;
    assign given      = '{id: op_id, rank: op_rank, send_time: op_time};
    assign is_enqueue = op_code == ENQUEUE;
    assign by_id      = op_code == DEQUEUE_ID;

    for (genvar i = 0; i < N; i++) begin : g_compare
        logic in_range;
        logic eligible;
        assign same_id[i] = filled[i] && list[i].id == op_id;
        assign above[i]   = !filled[i] || list[i].rank > op_rank;
        assign in_range   = op_code != DEQUEUE_RANGE || (list[i].id >= op_lo && list[i].id <= op_hi);
        assign eligible   = !PREDICATE || list[i].send_time <= op_now;
        assign hits[i]    = by_id ? same_id[i] : filled[i] && in_range && eligible;
    end
    ww_pieo_onward #(.WIDTH(N)) u_hits (.bits(hits), .onward(hits_onward));

    always_comb begin
        error = 3'd0;
        if ((is_enqueue || by_id) && {1'b0, op_id} >= (ID_WIDTH + 1)'(N)) error = 3'd1;
        else if (is_enqueue && |same_id) error = 3'd2;
        else if (is_enqueue && filled[N-1]) error = 3'd4;
    end
    assign enqueues = op_valid && is_enqueue && error == 3'd0;
    assign dequeues = op_valid && !is_enqueue && error == 3'd0 && hits_onward[N-1];

    ww_pieo_pick #(.WIDTH($bits(element_t)), .COUNT(N)) u_removed (
        .list, .choose(hits_onward & ~(hits_onward << 1)), .word(removed)
    );
    ww_pieo_edit #(.WIDTH($bits(element_t)), .COUNT(N)) u_edit (
        .list, .word(given), .insert_to({is_enqueue, above & {N{is_enqueue}}}),
        .remove_to(is_enqueue ? '0 : hits_onward), .result(changed)
    );

    always_ff @(posedge clk) begin
        result_valid <= op_valid;
        result_found <= dequeues;
        result_error <= error;
        {result_id, result_rank, result_time} <= removed;
        if (enqueues || dequeues) begin
            list      <= changed;
            filled    <= enqueues ? {filled[N-2:0], 1'b1} : {1'b0, filled[N-1:1]};
            occupancy <= enqueues ? occupancy + 1'b1 : occupancy - 1'b1;
        end
        if (rst) begin
            result_valid <= 1'b0;
            filled       <= '0;
            occupancy    <= '0;
        end
    end
endmodule
