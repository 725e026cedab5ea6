// ww_counter_array loses nothing: what a row read returns is the number of packets (and their bytes)
// since the last row write, for any indexes and any timing. One counter, chosen freely, is compared
// with a plain sum.
module ww_counter_array_properties #(
    parameter int DEPTH = 2,
    parameter int PACKET_WIDTH = 3,
    parameter int BYTE_WIDTH = 16
) (
    input logic                               clk,
    input logic                               rst,
    input logic                               count_valid,
    input logic                               count_index,
    input logic [15:0]                        count_bytes,
    input logic                               row_valid,
    input logic                               row_write,
    input logic [3:0]                         row_memory,
    input logic [27:0]                        row_index,
    input logic [PACKET_WIDTH+BYTE_WIDTH-1:0] row_wdata,
    // Free and constant: the counter that is followed.
    input logic                               chosen
);
    localparam int ROW_WIDTH = PACKET_WIDTH + BYTE_WIDTH;
    logic                 row_done;
    logic [ROW_WIDTH-1:0] row_rdata;

    ww_counter_array #(
        .DEPTH(DEPTH),
        .PACKET_WIDTH(PACKET_WIDTH),
        .BYTE_WIDTH(BYTE_WIDTH)
    ) dut (.*);

    logic                    started;
    logic                    chosen_before;
    logic                    held;
    logic                    held_write;
    logic [3:0]              held_memory;
    logic [27:0]             held_index;
    logic [ROW_WIDTH-1:0]    held_wdata;
    logic                    row_hits;
    // Packets of the last two clocks.
    logic                    hit_1;
    logic                    hit_2;
    logic [15:0]             bytes_1;
    logic [15:0]             bytes_2;
    logic [PACKET_WIDTH-1:0] packets;
    logic [BYTE_WIDTH-1:0]   bytes;

    initial begin
        started = 1'b0;
        packets = '0;
        bytes   = '0;
    end
    assign row_hits = row_memory == '0 && row_index == 28'(chosen);

    always_ff @(posedge clk) begin
        started       <= 1'b1;
        chosen_before <= chosen;
        held          <= row_valid && !row_done && !rst;
        held_write    <= row_write;
        held_memory   <= row_memory;
        held_index    <= row_index;
        held_wdata    <= row_wdata;
        hit_1         <= count_valid && count_index == chosen && !rst;
        hit_2         <= hit_1 && !rst;
        bytes_1       <= count_bytes;
        bytes_2       <= bytes_1;
        if (hit_2 && !rst) begin
            packets <= packets + 1'b1;
            bytes   <= bytes + BYTE_WIDTH'(bytes_2);
        end
        if (row_done && row_write && row_hits && !rst) {bytes, packets} <= row_wdata;

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
            if (row_done && row_hits) assert (row_rdata == {bytes, packets});

            // What the induction needs.
            assert (dut.u_counts.u_ram.memory[chosen] == {bytes, packets});
            assert (hit_1 == (dut.counts_1 && dut.u_counts.index_1 == chosen));
            assert (hit_2 == (dut.counts_2 && dut.u_counts.index_2 == chosen));
            assert (dut.u_counts.in_range_1 || !dut.counts_1);
            assert (dut.u_counts.in_range_2 || !dut.counts_2);
            assert (!(dut.u_counts.row_1 && dut.counts_1) && !(dut.u_counts.row_2 && dut.counts_2));
            if (hit_1) assert (dut.g_bytes.bytes_1 == bytes_1);
            if (hit_2) assert (dut.g_bytes.bytes_2 == bytes_2);
            if (dut.u_counts.row_under_way) assert (held);
            assert (!(dut.u_counts.row_1 && dut.u_counts.row_2));
        end
        cover (started && row_done && row_hits && !row_write && packets == 3'd3);
    end
endmodule
