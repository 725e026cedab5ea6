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
    // Every clock asks for the least time of another id's parent.
    logic [ID_WIDTH-1:0]  least_of;
    logic                 least_any;
    logic [TIME_BITS-1:0] least_time;
    ww_pieo #(.N(N), .RANK_BITS(RANK_BITS), .TIME_BITS(TIME_BITS), .PARENT_SIZE(PARENT_SIZE), .LEAST(1)) dut (.*);

    function automatic int root_of(input int value);
        root_of = 1;
        while (root_of * root_of < value) root_of++;
    endfunction
    localparam int B = root_of(N);
    localparam int S = 2 * B;

    // The times of the elements by what operations and their results say.
    logic [N-1:0]                    listed;
    logic [N-1:0][TIME_BITS-1:0]     times;
    logic [1:0]                      code;
    logic [ID_WIDTH-1:0]             id;
    logic [TIME_BITS-1:0]            send_time;
    logic [2:1]                      known;
    logic [2:0]                      expected_any;
    logic [2:0][TIME_BITS-1:0]       expected_least;
    always_comb begin
        expected_any[0]   = 1'b0;
        expected_least[0] = '1;
        for (int i = 0; i < N; i++) begin
            if (listed[i] && i / PARENT_SIZE == 32'(least_of) / PARENT_SIZE) begin
                expected_any[0] = 1'b1;
                if (times[i] < expected_least[0]) expected_least[0] = times[i];
            end
        end
    end
    always_ff @(posedge clk) begin
        least_of            <= 32'(least_of) >= N - 1 ? '0 : least_of + 1'b1;
        known               <= {known[1], 1'b1};
        expected_any[2:1]   <= expected_any[1:0];
        expected_least[2:1] <= expected_least[1:0];
        if (op_valid && op_ready) {code, id, send_time} <= {op_code, op_id, op_time};
        if (result_valid && result_error == '0) begin
            if (code == 2'd0) begin
                listed[id] <= 1'b1;
                times[id]  <= send_time;
            end else if (result_found) begin
                listed[result_id] <= 1'b0;
            end
        end
        if (rst) begin
            least_of <= '0;
            known    <= '0;
            listed   <= '0;
        end
    end

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
        // An answer about the least times belongs to the list and the question of two clocks before.
        if (!rst && known[2]) begin
            assert (least_any == expected_any[2]);
            assert (!least_any || least_time == expected_least[2]);
        end
        // An operation takes 4 clocks; one in a range of ids up to 4 for each sublist.
        clocks <= (op_valid && op_ready) || rst ? 1 : clocks + 1;
        if (!rst && (|dut.clock[3:1] || dut.clock[4])) begin
            assert (clocks <= (dut.code == 2'd3 && !dut.of_parent ? 4 * ((2 * N + B - 1) / (B + 1)) : 4));
        end
    end
endmodule
