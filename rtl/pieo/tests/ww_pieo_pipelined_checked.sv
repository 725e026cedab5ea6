// ww_pieo_pipelined with assertions on its insides. In every clock without an operation on its way: the rows have as many
// elements as the directory says, in order, with keys between the separators and times not below the bounds.
module ww_pieo_pipelined_checked #(
    parameter int N = 16,
    parameter int RANK_BITS = 16,
    parameter int TIME_BITS = 16,
    parameter int ROW = 0,
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
    localparam int ARRIVAL_BITS = 48;
    localparam int ELEMENT_WIDTH = 1 + ID_WIDTH + RANK_BITS + TIME_BITS;
    ww_pieo_pipelined #(.N(N), .RANK_BITS(RANK_BITS), .TIME_BITS(TIME_BITS), .ROW(ROW), .ARRIVAL_BITS(ARRIVAL_BITS)) dut (.*);

    always_comb begin
        sublists = 0;
        for (int i = 0; i < $size(dut.u_directory.used); i++) sublists += 32'(dut.u_directory.used[i]);
    end

    function automatic void check();
        logic                     valid;
        logic [ID_WIDTH-1:0]      id;
        logic [RANK_BITS-1:0]     rank;
        logic [TIME_BITS-1:0]     send_time;
        logic [RANK_BITS-1:0]     rank_before;
        int unsigned              here;
        int unsigned              everywhere;
        everywhere = 0;
        rank_before = '0;
        for (int i = 0; i < $size(dut.u_directory.used); i++) begin
            if (dut.u_directory.used[i]) begin
                if (i > 0) begin
                    assert (dut.u_directory.used[i-1]);
                    assert (dut.u_directory.entries[i-1].separator < dut.u_directory.entries[i].separator);
                end
                here = 0;
                for (int j = 0; j < $size(dut.base); j++) begin
                    {valid, id, rank, send_time} =
                        dut.u_rows.memory[dut.u_directory.entries[i].sublist][j*ELEMENT_WIDTH+:ELEMENT_WIDTH];
                    if (valid) begin
                        // Without gaps, in the order of ranks, and nobody twice.
                        assert (here == j && rank >= rank_before);
                        rank_before = rank;
                        here++;
                        assert (send_time >= dut.u_directory.entries[i].bound);
                        assert (dut.u_entrance.u_map.memory[id][RANK_BITS+ARRIVAL_BITS]);
                        assert ({rank, dut.u_entrance.u_map.memory[id][ARRIVAL_BITS-1:0]} >= dut.u_directory.entries[i].separator || i == 0);
                        if (i < $size(dut.u_directory.used) - 1 && dut.u_directory.used[i+1]) begin
                            assert ({rank, dut.u_entrance.u_map.memory[id][ARRIVAL_BITS-1:0]} < dut.u_directory.entries[i+1].separator);
                        end
                    end
                end
                assert (here == 32'(dut.u_directory.entries[i].count));
                everywhere += here;
            end
        end
        assert (everywhere == 32'(occupancy));
    endfunction

    always_ff @(posedge clk) begin
        if (!rst && !dut.clearing && dut.quiet && !dut.low_waits && dut.state == 3'd0) check();
        // A row is in one place.
        if (!rst) begin
            for (int i = 0; i < $size(dut.u_directory.used); i++) begin
                for (int j = 0; j < i; j++) begin
                    assert (dut.u_directory.entries[i].sublist != dut.u_directory.entries[j].sublist);
                end
            end
        end
        assert ($onehot0(dut.place));
        // There is something to take for all who were sent to take something.
        if (!rst && dut.third_valid && dut.third.acts && dut.third.op.code == 2'd2) assert (dut.answers != '0);
    end
endmodule
