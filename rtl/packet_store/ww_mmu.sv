// Memory manager for packets: malloc gives a packet number (pid) and as many cells as its bytes
// need, free gives them back. Its memory is elsewhere; cell c stands for the bytes from
// c * CELL_BYTES on.
//
// The pid is the number of the packet's first cell, the others follow through walk_cell/walk_next.
// A malloc of n cells takes n + 1 clocks, a free takes one; both go on at the same time. After reset
// the first malloc waits CELLS clocks.
module ww_mmu #(
    // Cells, 2 or more.
    parameter int CELLS = 256,
    // Bytes of a cell, 2 or more.
    parameter int CELL_BYTES = 256,
    // Not to be set: bits of a cell number, of a number of cells and of a packet's bytes.
    localparam int CELL_WIDTH = $clog2(CELLS),
    localparam int COUNT_WIDTH = $clog2(CELLS + 1),
    localparam int BYTES_WIDTH = $clog2(CELLS * CELL_BYTES + 1)
) (
    input  logic                   clk,
    input  logic                   rst,

    // Held with malloc_bytes until malloc_done, one clock with the result. It fails if there are
    // not enough free cells or malloc_bytes is 0.
    input  logic                   malloc_valid,
    input  logic [BYTES_WIDTH-1:0] malloc_bytes,
    output logic                   malloc_done,
    output logic                   malloc_failed,
    output logic [CELL_WIDTH-1:0]  malloc_pid,

    // Frees a packet in a clock with free_valid and free_ready.
    input  logic                   free_valid,
    output logic                   free_ready,
    input  logic [CELL_WIDTH-1:0]  free_pid,

    // The cell that follows walk_cell in its packet, combinationally.
    input  logic [CELL_WIDTH-1:0]  walk_cell,
    output logic [CELL_WIDTH-1:0]  walk_next,

    // Free cells; the cells of a malloc that is going on are not free.
    output logic [COUNT_WIDTH-1:0] free_cells,
    // Since reset: frees of a packet that had been freed, frees of a pid that never was given,
    // and mallocs that failed. They stop at their highest value.
    output logic [31:0]            double_frees,
    output logic [31:0]            bad_pids,
    output logic [31:0]            failed_mallocs
);
    if (CELL_BYTES < 2) begin : g_illegal_cell_bytes
        $error("ww_mmu: CELL_BYTES must be 2 or more");
    end

    localparam logic [BYTES_WIDTH:0] ROUND_UP = (BYTES_WIDTH + 1)'(CELL_BYTES - 1);

    logic                   pool_ready;
    logic                   cell_valid;
    logic [CELL_WIDTH-1:0]  cell_number;
    logic                   open;
    logic [CELL_WIDTH-1:0]  open_pid;
    logic                   error_double_free;
    logic                   error_bad_pid;
    logic                   unused_held;

    // Cells that the malloc in hand still has to take.
    logic                   taking;
    logic [COUNT_WIDTH-1:0] missing;
    logic [BYTES_WIDTH:0]   needed;
    logic                   refused;
    logic                   last_cell;

    assign needed        = ({1'b0, malloc_bytes} + ROUND_UP) / (BYTES_WIDTH + 1)'(CELL_BYTES);
    assign refused       = needed > (BYTES_WIDTH + 1)'(free_cells) || malloc_bytes == '0;
    assign last_cell     = taking && missing == COUNT_WIDTH'(1);
    assign malloc_failed = malloc_valid && pool_ready && !taking && refused;
    assign malloc_done   = last_cell || malloc_failed;
    assign malloc_pid    = open ? open_pid : cell_number;

    ww_cell_pool #(.CELLS(CELLS)) u_pool (
        .clk,
        .rst,
        .ready     (pool_ready),
        .free_cells,
        .cell_valid,
        .cell_number,
        .take      (taking && cell_valid),
        .close     (last_cell),
        .cancel    (1'b0),
        .open,
        .open_pid,
        .free_valid,
        .free_ready,
        .free_pid,
        .error_double_free,
        .error_bad_pid,
        .walk_cell,
        .walk_next,
        .check_pid ('0),
        .check_held(unused_held)
    );

    always_ff @(posedge clk) begin
        if (taking) begin
            missing <= missing - 1'b1;
            if (last_cell) taking <= 1'b0;
        end else if (malloc_valid && pool_ready && !refused) begin
            taking  <= 1'b1;
            missing <= needed[COUNT_WIDTH-1:0];
        end
        if (error_double_free && double_frees != '1) double_frees <= double_frees + 1'b1;
        if (error_bad_pid && bad_pids != '1) bad_pids <= bad_pids + 1'b1;
        if (malloc_failed && failed_mallocs != '1) failed_mallocs <= failed_mallocs + 1'b1;
        if (rst) begin
            taking         <= 1'b0;
            double_frees   <= '0;
            bad_pids       <= '0;
            failed_mallocs <= '0;
        end
    end
endmodule
