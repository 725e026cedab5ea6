// ww_mmu never gives a cell to two packets, gives every malloc its cells or refuses it for the right
// reason within a bounded time, takes back all cells of a freed packet, and tells wrong frees from
// right ones. Checked for every behaviour of the first clocks (bounded), with a model of the packets
// and one freely chosen cell that is followed.
module ww_mmu_properties (
    input logic       clk,
    input logic       rst,
    input logic       malloc_valid,
    input logic [2:0] malloc_bytes,
    input logic       free_valid,
    input logic [1:0] free_pid,
    input logic [1:0] walk_cell,
    // Free input of the proof: its value in the first clock is the cell that is followed.
    input logic [1:0] choice
);
    localparam int CELLS = 3;
    localparam int CELL_BYTES = 2;

    logic        malloc_done;
    logic        malloc_failed;
    logic [1:0]  malloc_pid;
    logic        free_ready;
    logic [1:0]  walk_next;
    logic [1:0]  free_cells;
    logic [31:0] double_frees;
    logic [31:0] bad_pids;
    logic [31:0] failed_mallocs;

    ww_mmu #(.CELLS(CELLS), .CELL_BYTES(CELL_BYTES)) dut (.*);

    logic       started;
    logic [1:0] chosen;
    // The chosen cell belongs to the malloc that is going on, or to packet `owner`.
    logic       is_taken;
    logic       is_owned;
    logic [1:0] owner;
    // The packets: which exist, which ever did, and their cells.
    logic [3:0] held;
    logic [3:0] given;
    logic [1:0] size [4];
    logic [3:0] waited;
    logic [2:0] needed;
    logic [2:0] used;
    logic       freeing;
    logic       malloc_was_open;
    logic [2:0] malloc_bytes_were;
    logic       free_was_open;
    logic [1:0] free_pid_was;

    initial begin
        started         = 1'b0;
        malloc_was_open = 1'b0;
        free_was_open   = 1'b0;
    end
    assign freeing = free_valid && free_ready;
    assign needed  = (malloc_bytes + 3'd1) / 3'd2;

    always_comb begin
        used = '0;
        for (int pid = 0; pid < 4; pid++) if (held[pid]) used = used + 3'(size[pid]);
        if (dut.open) used = used + 3'(dut.u_pool.open_cells);
    end

    always_ff @(posedge clk) begin
        started <= 1'b1;
        if (!started) chosen <= choice;
        waited <= malloc_valid && !malloc_done && dut.pool_ready ? waited + 1'b1 : '0;
        if (dut.u_pool.take && dut.cell_number == chosen) begin
            is_taken <= !malloc_done;
            is_owned <= malloc_done;
            owner    <= malloc_pid;
        end else if (malloc_done && is_taken) begin
            is_taken <= 1'b0;
            is_owned <= 1'b1;
            owner    <= malloc_pid;
        end else if (freeing && is_owned && free_pid == owner) begin
            is_owned <= 1'b0;
        end
        if (freeing) held[free_pid] <= 1'b0;
        if (malloc_done && !malloc_failed) begin
            held[malloc_pid]  <= 1'b1;
            given[malloc_pid] <= 1'b1;
            size[malloc_pid]  <= needed[1:0];
        end
        malloc_was_open   <= malloc_valid && !malloc_done;
        malloc_bytes_were <= malloc_bytes;
        free_was_open     <= free_valid && !free_ready;
        free_pid_was      <= free_pid;
        if (rst) begin
            is_taken        <= 1'b0;
            is_owned        <= 1'b0;
            held            <= '0;
            given           <= '0;
            waited          <= '0;
            malloc_was_open <= 1'b0;
            free_was_open   <= 1'b0;
        end
    end

    always_ff @(posedge clk) begin
        // One reset at the beginning; requests are held until they are answered.
        assume (rst == !started);
        if (!started) assume (int'(choice) < CELLS);
        if (malloc_was_open) assume (malloc_valid && malloc_bytes == malloc_bytes_were);
        if (free_was_open) assume (free_valid && free_pid == free_pid_was);
        assume (int'(malloc_bytes) <= CELLS * CELL_BYTES);
        if (started) begin
            if (dut.u_pool.take) begin
                assert (int'(dut.cell_number) < CELLS && dut.cell_valid);
                if (dut.cell_number == chosen) assert (!is_taken && !is_owned);
            end
            if (dut.pool_ready) assert (3'(free_cells) + used == 3'(CELLS));
            if (malloc_done && !malloc_failed) assert (malloc_valid && !held[malloc_pid]);
            if (malloc_failed) assert (malloc_bytes == '0 || needed > 3'(free_cells));
            assert (int'(waited) <= CELLS);
            if (freeing) begin
                assert (dut.u_pool.append == held[free_pid]);
                assert (dut.error_double_free == (!held[free_pid] && given[free_pid]));
                assert (dut.error_bad_pid == (!held[free_pid] && !given[free_pid]));
            end
        end
        cover (started && freeing && is_owned && owner == free_pid && size[owner] == 2'd2
               && owner != chosen && malloc_done && !malloc_failed);
    end
endmodule
