// ww_pieo_fast with assertions on what its README promises of its insides, in every clock: the order of the sublists, that
// no two adjacent ones are both partly full, their number, and the accesses of the RAM.
module ww_pieo_fast_checked #(
    parameter int N = 16,
    parameter int RANK_BITS = 16,
    parameter int TIME_BITS = 16,
    localparam int ID_WIDTH = $clog2(N),
    localparam int COUNT_WIDTH = $clog2(N + 1)
) (
    input  logic                   clk,
    input  logic                   rst,
    input  logic                   op_valid,
    output logic                   op_ready,
    input  logic [1:0]             op_code,
    input  logic [ID_WIDTH-1:0]    op_id,
    input  logic [RANK_BITS-1:0]   op_rank,
    input  logic [TIME_BITS-1:0]   op_time,
    input  logic [TIME_BITS-1:0]   op_now,
    input  logic [ID_WIDTH-1:0]    op_lo,
    input  logic [ID_WIDTH-1:0]    op_hi,
    output logic                   result_valid,
    output logic                   result_found,
    output logic [ID_WIDTH-1:0]    result_id,
    output logic [RANK_BITS-1:0]   result_rank,
    output logic [TIME_BITS-1:0]   result_time,
    output logic [2:0]             result_error,
    output logic [COUNT_WIDTH-1:0] occupancy,
    // Sublists in use.
    output logic [31:0]            sublists
);
    ww_pieo_fast #(.N(N), .RANK_BITS(RANK_BITS), .TIME_BITS(TIME_BITS)) dut (.*);

    function automatic int root_of(input int value);
        root_of = 1;
        while (root_of * root_of < value) root_of++;
    endfunction
    localparam int B = root_of(N);
    localparam int S = 2 * B;

    int unsigned elements;
    always_comb begin
        sublists = 0;
        elements = 0;
        for (int i = 0; i < S; i++) begin
            sublists += 32'(dut.used[i]);
            elements += 32'(dut.locations[i].num);
        end
    end

    always_ff @(posedge clk) begin
        // The pointers have the state after the operation in the back when its clock 4 begins.
        if (!rst && !dut.clearing && dut.second) begin
            assert (elements == 32'(dut.elements));
            // 2 sqrt(N) - 1 if N is a square, and what holds for the others.
            assert (sublists <= (2 * N + B - 1) / (B + 1));
            for (int i = 0; i < S - 1; i++) begin
                if (dut.used[i+1]) begin
                    assert (dut.used[i]);
                    assert (32'(dut.locations[i].num) == B || 32'(dut.locations[i+1].num) == B);
                end
            end
            for (int i = 0; i < S; i++) assert (32'(dut.locations[i].num) <= B);
        end
        // With all operations in the back done, the ranks are known too.
        if (!rst && !dut.clearing && !dut.second && !dut.back_valid) begin
            for (int i = 0; i < S - 1; i++) begin
                if (dut.used[i+1]) assert (dut.least[i].rank <= dut.least[i+1].rank);
            end
        end
        if (!rst) begin
            // The RAM is read in the second of two clocks, and written in the first, each port once.
            assert (!(dut.u_rows.a_en && dut.u_rows.a_write) || !dut.second);
            assert (!(dut.u_rows.b_en && dut.u_rows.b_write) || (!dut.second && dut.u_rows.a_addr != dut.u_rows.b_addr));
            // A choice is one place, and never that of a sublist which the operation in the back changes.
            assert ($onehot0(dut.place));
            assert ($onehot0({dut.earlier, dut.later}) || (dut.earlier & dut.later) == '0);
        end
    end
endmodule
