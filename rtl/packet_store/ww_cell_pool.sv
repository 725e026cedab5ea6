// Cells of a packet memory: hands them out one at a time, takes back all cells of a packet in one
// clock, and knows which packets exist.
//
// Free cells form a linked list. Cells are handed out in the order of that list, to one packet after
// another, so the links of a packet's cells are there already when it gets them; only a freed packet,
// which is appended to the list as a whole, costs a write. A packet's number (pid) is that of its
// first cell.
//
// After reset the list takes CELLS clocks to build; until then there are no cells.
module ww_cell_pool #(
    // Cells, 2 or more.
    parameter int CELLS = 256,
    // Not to be set: bits of a cell number and of a number of cells.
    localparam int CELL_WIDTH = $clog2(CELLS),
    localparam int COUNT_WIDTH = $clog2(CELLS + 1)
) (
    input  logic                   clk,
    input  logic                   rst,
    // Low while the list is being built.
    output logic                   ready,
    // Free cells; cells of the open packet are not free.
    output logic [COUNT_WIDTH-1:0] free_cells,

    // The next free cell, if cell_valid. take (only with cell_valid) makes it the next cell of the
    // open packet, or the first one of a new packet.
    output logic                   cell_valid,
    output logic [CELL_WIDTH-1:0]  cell_number,
    input  logic                   take,
    // The open packet has all its cells, with the one that is taken in this clock. Only for a
    // packet that has a cell.
    input  logic                   close,
    // The open packet's cells become free again. Only while open, and without take and close.
    input  logic                   cancel,
    // There is a packet between its first take and its close, in registers, and its pid.
    output logic                   open,
    output logic [CELL_WIDTH-1:0]  open_pid,

    // Frees a packet. Waits (free_ready low) for the close of an open one. A pid without a packet
    // changes nothing and raises one of the two errors for this clock.
    input  logic                   free_valid,
    output logic                   free_ready,
    input  logic [CELL_WIDTH-1:0]  free_pid,
    // The pid had a packet, which was freed before.
    output logic                   error_double_free,
    // The pid never had one since reset.
    output logic                   error_bad_pid,

    // The cell that follows walk_cell in its packet, combinationally.
    input  logic [CELL_WIDTH-1:0]  walk_cell,
    output logic [CELL_WIDTH-1:0]  walk_next,
    // Whether check_pid has a closed packet, combinationally.
    input  logic [CELL_WIDTH-1:0]  check_pid,
    output logic                   check_held
);
    if (CELLS < 2) begin : g_illegal_cells
        $error("ww_cell_pool: CELLS must be 2 or more");
    end

    localparam logic [COUNT_WIDTH-1:0] ALL = COUNT_WIDTH'(CELLS);

    // Building of the list: cells below `built` are in it.
    logic [COUNT_WIDTH-1:0] built;
    logic [CELL_WIDTH-1:0]  building;
    logic [CELL_WIDTH-1:0]  building_next;

    // The free list: first and last cell.
    logic [CELL_WIDTH-1:0]  head;
    logic [CELL_WIDTH-1:0]  tail;
    logic [CELL_WIDTH-1:0]  head_next;

    // The open packet: last cell and number of cells.
    logic [CELL_WIDTH-1:0]  open_tail;
    logic [COUNT_WIDTH-1:0] open_cells;

    assign ready         = built == ALL;
    assign building      = built[CELL_WIDTH-1:0];
    assign building_next = building + 1'b1;
    assign cell_valid    = free_cells != '0;
    assign cell_number   = head;

    // The packet that is closed in this clock.
    logic [CELL_WIDTH-1:0]  closed_pid;
    logic [CELL_WIDTH-1:0]  closed_tail;
    logic [COUNT_WIDTH-1:0] closed_cells;
    logic                   freed_at_close;

    assign closed_pid   = open ? open_pid : head;
    assign closed_tail  = take ? head : open_tail;
    assign closed_cells = open_cells + COUNT_WIDTH'(take);

    // A packet exists if its two marks differ: closing it makes them differ, freeing it makes them
    // equal. So each mark has one writer.
    logic                   free_given_mark;
    logic                   free_freed_mark;
    logic                   free_seen;
    logic [CELL_WIDTH-1:0]  free_tail;
    logic [COUNT_WIDTH-1:0] free_count;
    logic                   free_known;
    logic                   free_held;
    logic                   freeing;
    logic                   append;
    logic                   check_given_mark;
    logic                   check_freed_mark;

    if (CELLS == 2 ** CELL_WIDTH) begin : g_every_pid_is_a_cell
        assign free_known = 1'b1;
        assign check_held = check_given_mark != check_freed_mark;
    end else begin : g_some_pids_are_no_cells
        assign free_known = free_pid < CELL_WIDTH'(CELLS);
        assign check_held = check_given_mark != check_freed_mark
                            && check_pid < CELL_WIDTH'(CELLS);
    end
    assign free_held  = free_known && free_given_mark != free_freed_mark;
    assign free_ready = ready && !(open && open_pid == free_pid);
    assign freeing    = free_valid && free_ready;
    assign append     = freeing && free_held;
    assign error_double_free = freeing && !free_held && free_known && free_seen;
    assign error_bad_pid     = freeing && !free_held && !(free_known && free_seen);

    // Links, with one copy for each of the two that follow them.
    logic                  link_write;
    logic [CELL_WIDTH-1:0] link_cell;
    logic [CELL_WIDTH-1:0] link_next;
    assign link_write = !ready || append;
    assign link_cell  = ready ? tail : building;
    assign link_next  = ready ? free_pid : building_next;

    ww_ram_async #(.WIDTH(CELL_WIDTH), .DEPTH(CELLS)) u_link (
        .clk, .wr_en(link_write), .wr_addr(link_cell), .wr_data(link_next),
        .rd_addr(head), .rd_data(head_next)
    );
    ww_ram_async #(.WIDTH(CELL_WIDTH), .DEPTH(CELLS)) u_link_walk (
        .clk, .wr_en(link_write), .wr_addr(link_cell), .wr_data(link_next),
        .rd_addr(walk_cell), .rd_data(walk_next)
    );

    // Of each packet by pid, written when it is closed.
    logic                  packet_write;
    logic [CELL_WIDTH-1:0] packet_pid;
    logic                  packet_given_mark;
    assign packet_write      = !ready || close;
    assign packet_pid        = ready ? closed_pid : building;
    assign packet_given_mark = ready && !freed_at_close;

    ww_ram_async #(.WIDTH(2 + CELL_WIDTH + COUNT_WIDTH), .DEPTH(CELLS)) u_packet (
        .clk, .wr_en(packet_write), .wr_addr(packet_pid),
        .wr_data({ready, packet_given_mark, closed_tail, closed_cells}),
        .rd_addr(free_pid), .rd_data({free_seen, free_given_mark, free_tail, free_count})
    );
    ww_ram_async #(.WIDTH(1), .DEPTH(CELLS)) u_given_check (
        .clk, .wr_en(packet_write), .wr_addr(packet_pid), .wr_data(packet_given_mark),
        .rd_addr(check_pid), .rd_data(check_given_mark)
    );

    // The other mark, written when a packet is freed.
    logic                  freed_write;
    logic [CELL_WIDTH-1:0] freed_pid;
    logic                  freed_mark;
    assign freed_write = !ready || append;
    assign freed_pid   = ready ? free_pid : building;
    assign freed_mark  = ready && free_given_mark;

    ww_ram_async #(.WIDTH(1), .DEPTH(CELLS)) u_freed (
        .clk, .wr_en(freed_write), .wr_addr(freed_pid), .wr_data(freed_mark),
        .rd_addr(free_pid), .rd_data(free_freed_mark)
    );
    ww_ram_async #(.WIDTH(1), .DEPTH(CELLS)) u_freed_close (
        .clk, .wr_en(freed_write), .wr_addr(freed_pid), .wr_data(freed_mark),
        .rd_addr(closed_pid), .rd_data(freed_at_close)
    );
    ww_ram_async #(.WIDTH(1), .DEPTH(CELLS)) u_freed_check (
        .clk, .wr_en(freed_write), .wr_addr(freed_pid), .wr_data(freed_mark),
        .rd_addr(check_pid), .rd_data(check_freed_mark)
    );

    always_ff @(posedge clk) begin
        if (!ready) built <= built + 1'b1;

        if (cancel) head <= open_pid;
        else if (append && free_cells == COUNT_WIDTH'(take)) head <= free_pid;
        else if (take) head <= head_next;
        if (append) tail <= free_tail;

        if (ready) begin
            free_cells <= free_cells - COUNT_WIDTH'(take)
                          + (append ? free_count : '0) + (cancel ? open_cells : '0);
        end else begin
            free_cells <= built == ALL - 1'b1 ? ALL : '0;
        end

        if (take && !open) open_pid <= head;
        if (take) open_tail <= head;
        open       <= (open || take) && !close && !cancel;
        open_cells <= close || cancel ? '0 : closed_cells;

        if (rst) begin
            built      <= '0;
            head       <= '0;
            tail       <= CELL_WIDTH'(CELLS - 1);
            free_cells <= '0;
            open       <= 1'b0;
            open_cells <= '0;
        end
    end
endmodule
