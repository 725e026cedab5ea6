// Packet memory: packets come in on s_axis, get a number (pid), and leave on m_axis as often and in
// any order as their pids are asked for.
//
// Packets lie in cells of CELL_BYTES, allocated while the beats come in. One beat a clock on both
// sides, without a gap between packets. A read may start while the packet is still coming in; it
// waits for beats that are not there yet. From the first beat in to the first beat out: 4 clocks, if
// the pid is asked for in the clock in which it is given.
//
// A packet longer than MAX_BYTES is cut to that length, rounded up to whole cells, and counted.
// s_axis_tready is low before a packet as long as the cells for one of MAX_BYTES are not free; so a
// packet that has begun always gets its cells.
//
// With DROP_WHEN_FULL, s_axis_tready is always high: packets for which cells are missing and packets
// longer than MAX_BYTES are dropped as a whole and counted, and a pid is given only when its packet is
// complete.
//
// tuser is kept once for each packet, from its first beat.
module ww_packet_store #(
    // Bits of tdata, a power of two, 8 or more.
    parameter int WIDTH = 512,
    // Bits of tuser, 1 or more.
    parameter int USER_WIDTH = 65,
    // Cells, 2 or more.
    parameter int CELLS = 256,
    // Bytes of a cell, a power of two, WIDTH / 8 or more.
    parameter int CELL_BYTES = 256,
    // Longest packet in bytes; its cells must exist.
    parameter int MAX_BYTES = 10240,
    // 1: never hold the input up; drop packets that do not fit.
    parameter bit DROP_WHEN_FULL = 1'b0,
    // Not to be set: bits of tkeep, of a cell number and of a number of cells.
    localparam int KEEP_WIDTH = WIDTH / 8,
    localparam int CELL_WIDTH = $clog2(CELLS),
    localparam int COUNT_WIDTH = $clog2(CELLS + 1)
) (
    input  logic                   clk,
    input  logic                   rst,

    // Packets in.
    input  logic [WIDTH-1:0]       s_axis_tdata,
    input  logic [KEEP_WIDTH-1:0]  s_axis_tkeep,
    input  logic [USER_WIDTH-1:0]  s_axis_tuser,
    input  logic                   s_axis_tlast,
    input  logic                   s_axis_tvalid,
    output logic                   s_axis_tready,

    // One pid for each packet, in the order in which they come in, one clock after the first beat
    // (DROP_WHEN_FULL: after the last one).
    output logic                   pid_valid,
    input  logic                   pid_ready,
    output logic [CELL_WIDTH-1:0]  pid,

    // Asks for a packet to be read to m_axis; rd_free: and freed after this read, which must be the
    // last one that is asked for. Reads happen in the order in which they are asked for. A pid
    // without a packet is skipped and counted.
    input  logic                   rd_valid,
    output logic                   rd_ready,
    input  logic [CELL_WIDTH-1:0]  rd_pid,
    input  logic                   rd_free,

    // Frees a packet without a read. Waits for the end of a packet that is still coming in, and for
    // frees by reads.
    input  logic                   free_valid,
    output logic                   free_ready,
    input  logic [CELL_WIDTH-1:0]  free_pid,

    // The packet that is coming in has had its first beat and not its last one, in registers; and
    // the last beat of a packet comes in in this clock, after which its pid is that of a complete
    // packet. Without DROP_WHEN_FULL every packet has an end.
    output logic                   open_valid,
    output logic [CELL_WIDTH-1:0]  open_pid,
    output logic                   end_valid,
    output logic [CELL_WIDTH-1:0]  end_pid,

    // Packets out.
    output logic [WIDTH-1:0]       m_axis_tdata,
    output logic [KEEP_WIDTH-1:0]  m_axis_tkeep,
    output logic [USER_WIDTH-1:0]  m_axis_tuser,
    output logic                   m_axis_tlast,
    output logic                   m_axis_tvalid,
    input  logic                   m_axis_tready,

    output logic [COUNT_WIDTH-1:0] free_cells,
    // Since reset: packets dropped for want of cells, packets longer than MAX_BYTES, frees of a
    // packet that had been freed, and reads and frees of a pid without a packet otherwise. They stop
    // at their highest value.
    output logic [31:0]            dropped_packets,
    output logic [31:0]            oversize_packets,
    output logic [31:0]            double_frees,
    output logic [31:0]            bad_pids
);
    localparam int BEATS_PER_CELL = CELL_BYTES / KEEP_WIDTH;
    localparam int MAX_CELLS = (MAX_BYTES + CELL_BYTES - 1) / CELL_BYTES;
    localparam int MAX_BEATS = MAX_CELLS * BEATS_PER_CELL;
    localparam int BEATS_WIDTH = $clog2(MAX_BEATS + 1);
    // Bits of the number of a beat in its cell, and of the number of bytes of a beat less one.
    localparam int PLACE_WIDTH = BEATS_PER_CELL > 1 ? $clog2(BEATS_PER_CELL) : 1;
    localparam int BYTES_WIDTH = KEEP_WIDTH > 1 ? $clog2(KEEP_WIDTH) : 1;
    localparam int ADDRESS_WIDTH = $clog2(CELLS * BEATS_PER_CELL);
    localparam logic [PLACE_WIDTH-1:0] LAST_PLACE = PLACE_WIDTH'(BEATS_PER_CELL - 1);
    localparam logic [BEATS_WIDTH-1:0] LONGEST = BEATS_WIDTH'(MAX_BEATS);

    if (WIDTH < 8 || 2 ** $clog2(WIDTH) != WIDTH) begin : g_illegal_width
        $error("ww_packet_store: WIDTH must be a power of two, 8 or more");
    end
    if (CELL_BYTES < KEEP_WIDTH || 2 ** $clog2(CELL_BYTES) != CELL_BYTES) begin : g_illegal_cell
        $error("ww_packet_store: CELL_BYTES must be a power of two, WIDTH / 8 or more");
    end
    if (MAX_BYTES < 1 || MAX_CELLS > CELLS) begin : g_illegal_max_bytes
        $error("ww_packet_store: MAX_BYTES must be 1 or more and fit into the cells");
    end

    // Where a beat lies in the data memory.
    function automatic logic [ADDRESS_WIDTH-1:0] address_of(
        input logic [CELL_WIDTH-1:0] in_cell, input logic [PLACE_WIDTH-1:0] place
    );
        return ADDRESS_WIDTH'(in_cell) * ADDRESS_WIDTH'(BEATS_PER_CELL) + ADDRESS_WIDTH'(place);
    endfunction

    logic                  pool_ready;
    logic                  cell_valid;
    logic [CELL_WIDTH-1:0] cell_number;
    logic                  take;
    logic                  close;
    logic                  cancel;
    logic                  open;
    logic                  pool_free_valid;
    logic                  pool_free_ready;
    logic [CELL_WIDTH-1:0] pool_free_pid;
    logic                  error_double_free;
    logic                  error_bad_pid;
    logic [CELL_WIDTH-1:0] walk_next;
    logic                  rd_held;

    // Write side -------------------------------------------------------------------------------

    logic                   accepted;
    // The rest of the packet is not wanted.
    logic                   discarding;
    // Beats of the packet that are stored, and the place of the next one.
    logic [BEATS_WIDTH-1:0] wr_beats;
    logic [PLACE_WIDTH-1:0] wr_place;
    logic [CELL_WIDTH-1:0]  wr_cell;
    logic [CELL_WIDTH-1:0]  wr_cell_now;
    logic                   needs_cell;
    logic                   is_full;
    logic                   lacks_cell;
    logic                   store;
    logic                   wr_first;
    logic [CELL_WIDTH-1:0]  wr_pid;
    logic [BYTES_WIDTH-1:0] wr_bytes;
    logic                   is_dropped;
    logic                   oversize_counted;
    logic                   is_oversize;

    assign accepted    = s_axis_tvalid && s_axis_tready;
    assign needs_cell  = wr_place == '0;
    assign is_full     = wr_beats == LONGEST;
    assign wr_cell_now = needs_cell ? cell_number : wr_cell;
    assign lacks_cell  = needs_cell && !cell_valid && !is_full;
    assign store       = accepted && !discarding && !is_full && !lacks_cell;
    assign take        = store && needs_cell;
    assign wr_first    = store && wr_beats == '0;
    assign wr_pid      = open ? open_pid : cell_number;
    assign is_oversize = accepted && !discarding && is_full && !oversize_counted;

    if (DROP_WHEN_FULL) begin : g_drop
        assign s_axis_tready = 1'b1;
        assign is_dropped    = accepted && !discarding && (lacks_cell || is_full);
        assign cancel        = is_dropped && open;
        assign close         = accepted && s_axis_tlast && !discarding && !is_dropped;
    end else begin : g_wait
        assign s_axis_tready = pool_ready && (open || free_cells >= COUNT_WIDTH'(MAX_CELLS));
        assign is_dropped    = 1'b0;
        assign cancel        = 1'b0;
        assign close         = accepted && s_axis_tlast;
    end

    assign open_valid = open;
    assign end_valid  = close;
    assign end_pid    = wr_pid;

    // Bytes of the beat less one: tkeep is contiguous from byte 0.
    always_comb begin
        wr_bytes = '0;
        for (int place = 1; place < KEEP_WIDTH; place++) begin
            if (s_axis_tkeep[place]) wr_bytes = BYTES_WIDTH'(place);
        end
        if (is_full) wr_bytes = BYTES_WIDTH'(KEEP_WIDTH - 1);
    end

    always_ff @(posedge clk) begin
        if (store) begin
            wr_cell  <= wr_cell_now;
            wr_beats <= wr_beats + 1'b1;
            wr_place <= wr_place == LAST_PLACE ? '0 : wr_place + 1'b1;
        end
        if (is_dropped) discarding <= 1'b1;
        if (is_oversize) oversize_counted <= 1'b1;
        if ((accepted && s_axis_tlast) || is_dropped) begin
            wr_beats <= '0;
            wr_place <= '0;
        end
        if (accepted && s_axis_tlast) begin
            discarding       <= 1'b0;
            oversize_counted <= 1'b0;
        end
        if (rst) begin
            wr_beats         <= '0;
            wr_place         <= '0;
            discarding       <= 1'b0;
            oversize_counted <= 1'b0;
        end
    end

    logic                   unused_pid_ready;
    logic [COUNT_WIDTH-1:0] unused_pid_level;
    // Has room for all packets that there can be.
    ww_fifo #(.WIDTH(CELL_WIDTH), .DEPTH(CELLS)) u_pids (
        .clk, .rst,
        .s_valid(DROP_WHEN_FULL ? close : wr_first), .s_ready(unused_pid_ready),
        .s_data(wr_pid),
        .m_valid(pid_valid), .m_ready(pid_ready), .m_data(pid),
        .level(unused_pid_level)
    );

    // Read side --------------------------------------------------------------------------------

    logic                   ag_active;
    logic [CELL_WIDTH-1:0]  ag_pid;
    logic                   ag_free;
    logic [CELL_WIDTH-1:0]  ag_cell;
    logic [PLACE_WIDTH-1:0] ag_place;
    logic [BEATS_WIDTH-1:0] ag_beat;
    // Of the packet that is read, once it is complete.
    logic [BEATS_WIDTH-1:0] ag_beats;
    logic [BYTES_WIDTH-1:0] ag_bytes;
    logic                   incomplete;
    logic                   available;
    logic                   is_last;
    logic                   issue;
    logic                   finish;
    logic                   load;
    logic                   rd_known;

    // What is in the output registers of the memories.
    logic                   fetched;
    logic                   fetched_last;
    logic [BYTES_WIDTH-1:0] fetched_bytes;
    logic [KEEP_WIDTH-1:0]  fetched_keep;
    logic [WIDTH-1:0]       fetched_data;
    logic [USER_WIDTH-1:0]  fetched_user;
    logic                   output_ready;

    assign incomplete = !DROP_WHEN_FULL && open && open_pid == ag_pid;
    // The last beat that an overlong packet can have waits for the end of the packet, for it is then
    // the last one.
    assign available  = ag_active && (!incomplete
                                      || (ag_beat < wr_beats && ag_beat != LONGEST - 1'b1));
    assign is_last    = !incomplete && ag_beat + 1'b1 == ag_beats;
    assign issue      = available && (!fetched || output_ready);
    assign finish     = issue && is_last;
    assign rd_ready   = pool_ready && (!ag_active || finish);
    assign load       = rd_valid && rd_ready;
    assign rd_known   = rd_held || (!DROP_WHEN_FULL && open && open_pid == rd_pid);

    always_ff @(posedge clk) begin
        if (issue) begin
            ag_beat  <= ag_beat + 1'b1;
            ag_place <= ag_place == LAST_PLACE ? '0 : ag_place + 1'b1;
            if (ag_place == LAST_PLACE) ag_cell <= walk_next;
        end
        if (finish) ag_active <= 1'b0;
        if (load) begin
            ag_active <= rd_known;
            ag_pid    <= rd_pid;
            ag_free   <= rd_free;
            ag_cell   <= rd_pid;
            ag_place  <= '0;
            ag_beat   <= '0;
        end

        if (issue) begin
            fetched       <= 1'b1;
            fetched_last  <= is_last;
            fetched_bytes <= is_last ? ag_bytes : BYTES_WIDTH'(KEEP_WIDTH - 1);
        end else if (output_ready) begin
            fetched <= 1'b0;
        end

        if (rst) begin
            ag_active <= 1'b0;
            fetched   <= 1'b0;
        end
    end

    always_comb begin
        for (int place = 0; place < KEEP_WIDTH; place++) begin
            fetched_keep[place] = BYTES_WIDTH'(place) <= fetched_bytes;
        end
    end

    ww_axis_register #(.WIDTH(WIDTH), .USER_WIDTH(USER_WIDTH)) u_output (
        .clk, .rst,
        .s_axis_tdata (fetched_data),
        .s_axis_tkeep (fetched_keep),
        .s_axis_tuser (fetched_user),
        .s_axis_tlast (fetched_last),
        .s_axis_tvalid(fetched),
        .s_axis_tready(output_ready),
        .m_axis_tdata, .m_axis_tkeep, .m_axis_tuser, .m_axis_tlast, .m_axis_tvalid, .m_axis_tready
    );

    // Memories ---------------------------------------------------------------------------------

    ww_ram_sdp #(.WIDTH(WIDTH), .DEPTH(CELLS * BEATS_PER_CELL)) u_data (
        .clk,
        .wr_en(store), .wr_addr(address_of(wr_cell_now, wr_place)), .wr_data(s_axis_tdata),
        .rd_en(issue), .rd_addr(address_of(ag_cell, ag_place)), .rd_data(fetched_data)
    );
    ww_ram_sdp #(.WIDTH(USER_WIDTH), .DEPTH(CELLS)) u_user (
        .clk,
        .wr_en(wr_first), .wr_addr(cell_number), .wr_data(s_axis_tuser),
        .rd_en(issue), .rd_addr(ag_pid), .rd_data(fetched_user)
    );
    ww_ram_async #(.WIDTH(BEATS_WIDTH + BYTES_WIDTH), .DEPTH(CELLS)) u_length (
        .clk,
        .wr_en(close), .wr_addr(wr_pid), .wr_data({wr_beats + BEATS_WIDTH'(store), wr_bytes}),
        .rd_addr(ag_pid), .rd_data({ag_beats, ag_bytes})
    );

    // A read that frees does so one clock after its last beat was read, from a register: the length
    // of the packet is known late in the clock. It goes first, for it cannot wait.
    logic                  read_frees;
    logic [CELL_WIDTH-1:0] read_frees_pid;
    always_ff @(posedge clk) begin
        read_frees     <= finish && ag_free && !rst;
        read_frees_pid <= ag_pid;
    end
    assign pool_free_valid = read_frees || free_valid;
    assign pool_free_pid   = read_frees ? read_frees_pid : free_pid;
    assign free_ready      = pool_free_ready && !read_frees;

    ww_cell_pool #(.CELLS(CELLS)) u_pool (
        .clk, .rst,
        .ready(pool_ready), .free_cells,
        .cell_valid, .cell_number, .take, .close, .cancel, .open, .open_pid,
        .free_valid(pool_free_valid), .free_ready(pool_free_ready), .free_pid(pool_free_pid),
        .error_double_free, .error_bad_pid,
        .walk_cell(ag_cell), .walk_next,
        .check_pid(rd_pid), .check_held(rd_held)
    );

    always_ff @(posedge clk) begin
        if (is_dropped && !is_full && dropped_packets != '1) dropped_packets <= dropped_packets + 1'b1;
        if (is_oversize && oversize_packets != '1) oversize_packets <= oversize_packets + 1'b1;
        if (error_double_free && double_frees != '1) double_frees <= double_frees + 1'b1;
        if ((error_bad_pid || (load && !rd_known)) && bad_pids < 32'hffff_fffe) begin
            bad_pids <= bad_pids + 32'(error_bad_pid) + 32'(load && !rd_known);
        end
        if (rst) begin
            dropped_packets  <= '0;
            oversize_packets <= '0;
            double_frees     <= '0;
            bad_pids         <= '0;
        end
    end
endmodule
