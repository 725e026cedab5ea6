// ww_pieo with assertions on what its README promises of its insides, in every clock: the order of the sublists, that
// no two adjacent ones are both partly full, their number, and the accesses of the RAM.
module ww_pieo_checked #(
    parameter int N = 16,
    parameter int RANK_BITS = 16,
    parameter int TIME_BITS = 16,
    parameter int PARENT_SIZE = 1 << $clog2(N),
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
    ww_pieo #(.N(N), .RANK_BITS(RANK_BITS), .TIME_BITS(TIME_BITS), .PARENT_SIZE(PARENT_SIZE)) dut (.*);

    function automatic int root_of(input int value);
        root_of = 1;
        while (root_of * root_of < value) root_of++;
    endfunction
    localparam int B = root_of(N);
    localparam int S = 2 * B;

    int unsigned elements;
    int unsigned clocks;
    always_comb begin
        sublists = 0;
        elements = 0;
        for (int i = 0; i < S; i++) begin
            sublists += 32'(dut.used[i]);
            elements += 32'(dut.pointers[i].num);
        end
    end

    always_ff @(posedge clk) begin
        if (!rst && !dut.clearing) begin
            assert (elements == 32'(occupancy));
            // 2 sqrt(N) - 1 if N is a square, and what holds for the others.
            assert (sublists <= (2 * N + B - 1) / (B + 1));
            for (int i = 0; i < S - 1; i++) begin
                if (dut.used[i+1]) begin
                    assert (dut.used[i]);
                    assert (32'(dut.pointers[i].num) == B || 32'(dut.pointers[i+1].num) == B);
                    assert (dut.pointers[i].rank <= dut.pointers[i+1].rank);
                end
            end
            for (int i = 0; i < S; i++) assert (32'(dut.pointers[i].num) <= B);
            // The RAM is read in clock 2 and written in clock 4, each port once, and not touched otherwise.
            assert (!(dut.u_rows.a_en || dut.u_rows.b_en) || dut.clock[2] || dut.clock[4]);
            assert (!dut.clock[2] || (!dut.u_rows.a_write && !dut.u_rows.b_write));
            assert (!(dut.clock[4] && dut.u_rows.a_en) || dut.u_rows.a_write);
            assert (!(dut.clock[4] && dut.u_rows.b_en) || (dut.u_rows.b_write && dut.u_rows.a_addr != dut.u_rows.b_addr));
            assert ($onehot0(dut.clock));
        end
        // An operation takes 4 clocks; one in a range of ids up to 4 for each sublist.
        clocks <= (op_valid && op_ready) || rst ? 1 : clocks + 1;
        if (!rst && (|dut.clock[3:1] || dut.clock[4])) begin
            assert (clocks <= (dut.code == 2'd3 && !dut.of_parent ? 4 * ((2 * N + B - 1) / (B + 1)) : 4));
        end
    end
endmodule
