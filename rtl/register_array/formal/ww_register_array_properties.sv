// ww_register_array is an array: each access, of a packet or of the row port, finds what the last
// access before it left, for any indexes, any writes and any timing. The accesses are ordered by
// their second clock after the read; one register, chosen freely, is compared with a model that
// needs no forwarding.
module ww_register_array_properties #(
    parameter int WIDTH = 2,
    parameter int DEPTH = 3
) (
    input logic             clk,
    input logic             rst,
    input logic             read_valid,
    input logic [1:0]       read_index,
    input logic             wants_write,
    input logic [WIDTH-1:0] write_data,
    input logic             row_valid,
    input logic             row_write,
    input logic [3:0]       row_memory,
    input logic [27:0]      row_index,
    input logic [WIDTH-1:0] row_wdata,
    // Free and constant: the register that is followed.
    input logic [1:0]       chosen
);
    logic [WIDTH-1:0] read_data;
    logic [WIDTH-1:0] row_rdata;
    logic             row_done;
    logic             write_valid;

    ww_register_array #(.WIDTH(WIDTH), .DEPTH(DEPTH)) dut (.*);

    // The packets that have read, one and two clocks ago.
    logic       reads_1;
    logic       reads_2;
    logic [1:0] index_1;
    logic [1:0] index_2;
    assign write_valid = wants_write && reads_2;

    logic             started;
    logic [WIDTH-1:0] model;
    logic             row_hits;
    // The row access of the last clock, which must be held until it is done.
    logic             held;
    logic             held_write;
    logic [3:0]       held_memory;
    logic [27:0]      held_index;
    logic [WIDTH-1:0] held_wdata;
    logic [1:0]       chosen_before;
    // Clocks that a row access has waited although no packet was in its way.
    logic [1:0]       idle;

    initial begin
        started = 1'b0;
        model   = '0;
    end
    assign row_hits = row_memory == '0 && row_index == 28'(chosen) && int'(chosen) < DEPTH;

    always_ff @(posedge clk) begin
        started       <= 1'b1;
        reads_1       <= read_valid && !rst;
        reads_2       <= reads_1 && !rst;
        index_1       <= read_index;
        index_2       <= index_1;
        chosen_before <= chosen;
        held          <= row_valid && !row_done && !rst;
        held_write    <= row_write;
        held_memory   <= row_memory;
        held_index    <= row_index;
        held_wdata    <= row_wdata;
        idle          <= row_valid && !row_done && !rst ? idle + 2'(!read_valid && idle != 2'd3) : '0;
        if (!rst) begin
            if (write_valid && index_2 == chosen && int'(chosen) < DEPTH) model <= write_data;
            if (row_done && row_write && row_hits) model <= row_wdata;
        end

        if (!started) assume (rst);
        if (started) begin
            assume (!rst);
            assume (chosen == chosen_before);
            if (held) begin
                assume (row_valid && row_write == held_write && row_memory == held_memory);
                assume (row_index == held_index && row_wdata == held_wdata);
            end
        end

        if (started && !rst) begin
            if (reads_2 && index_2 == chosen) assert (read_data == model);
            if (row_done && row_hits) assert (row_rdata == model);
            if (row_done && row_memory != '0) assert (row_rdata == '0);
            if (row_done) assert (row_valid && !reads_2);
            // A row access starts in the first clock without a packet and is done two clocks later.
            assert ((idle != 2'd0) == dut.row_under_way);
            if (dut.row_1) assert (idle == 2'd1);
            assert (idle != 2'd3);

            // What the induction needs: the RAM holds the model, and what is under way fits it.
            if (int'(chosen) < DEPTH) assert (dut.u_ram.memory[chosen] == model);
            if (int'(chosen) >= DEPTH) assert (model == '0);
            assert (dut.row_1 == 1'b0 || !reads_1);
            assert (dut.row_2 == 1'b0 || !reads_2);
            assert (!(dut.row_1 && dut.row_2));
            if (dut.row_under_way) assert (held);
            if (reads_1) assert (dut.index_1 == index_1);
            if (reads_2) assert (dut.index_2 == index_2);
        end
        cover (started && reads_2 && write_valid && index_2 == chosen && reads_1 && index_1 == chosen
               && model == 2'd3);
        cover (started && row_done && row_write && row_hits && reads_1 && index_1 == chosen);
    end
endmodule
