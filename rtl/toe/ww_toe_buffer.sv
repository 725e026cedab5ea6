// The bytes of one direction of all sessions: a ring of 2^(16 + scale) bytes a session in memory, written and read by
// commands, and its newest rows in the chip.
//
//   commands, stream -> ww_toe_rows -> ww_toe_window -> ww_toe_beats -> stream
//                                        | memory ^
//
// Commands of each side are carried out in order. A read waits until the writes that were commanded before it, or in the
// same clock, are done, and a write while one of the reads that were commanded before it wants bytes that it would
// overwrite: what is read is what it would be if one command were carried out after the other. Both sides move a row a
// clock, at the same time. Bytes have their places by their position in the stream, modulo the ring.
//
// Of a write, `total` bytes of the stream are taken, and those from `skip` on, `length` of them, are kept: 0 drops the packet.
//
// Source: 002-monitoring-limago 2.17, 2.18, S48, S49.
module ww_toe_buffer
    import ww_toe_types::*;
    import ww_toe_engine_types::*;
#(
    // Rings, 1 to 65,536.
    parameter int SESSIONS = 64,
    // Rows in the chip, and whether bytes are read once: as of ww_toe_window.
    parameter int LINES = 4096,
    parameter bit CONSUMES = 1'b0,
    // Commands of each side that wait, 4 to 64.
    parameter int COMMANDS = 16,
    // Rows that are read and have not left, 16 or more: they cover the time that the memory takes.
    parameter int UNDER_WAY = 128,
    // Bits of the number of a row in memory.
    parameter int ROW_WIDTH = 25
) (
    input  logic         clk,
    input  logic         rst,
    input  logic [3:0]   scale,
    // Commands; they must have room. `write_room`, `read_room`: two more have. A read is of a byte at least.
    input  logic         write_valid,
    output logic         write_room,
    input  move_t        write,
    input  logic         read_valid,
    output logic         read_room,
    input  move_t        read,
    // Bytes to be written: a packet a command.
    input  logic [511:0] s_axis_tdata,
    input  logic         s_axis_tvalid,
    output logic         s_axis_tready,
    // Bytes that are read: a packet a command.
    output logic [511:0] m_axis_tdata,
    output logic [63:0]  m_axis_tkeep,
    output logic         m_axis_tlast,
    output logic         m_axis_tvalid,
    input  logic         m_axis_tready,
    // Memory, as of ww_ddr4.
    output logic                 out_valid,
    input  logic                 out_ready,
    output logic [ROW_WIDTH-1:0] out_row,
    output logic [63:0]          out_mask,
    output logic [511:0]         out_data,
    output logic                 fetch_valid,
    input  logic                 fetch_ready,
    output logic [ROW_WIDTH-1:0] fetch_row,
    input  logic                 data_valid,
    input  logic [511:0]         data,
    // Nothing is moved, and no command waits.
    output logic                 quiet
);
    if (COMMANDS < 4 || COMMANDS > 64) begin : g_illegal_commands
        $error("ww_toe_buffer: COMMANDS must be 4 to 64");
    end
    if (UNDER_WAY < 16) begin : g_illegal_under_way
        $error("ww_toe_buffer: UNDER_WAY must be 16 or more");
    end

    // Commands. A read has with it how many writes are to be done first, and whether so many have been taken and done: it may
    // wait longer than the count of writes lasts. -------------------------------------------------------------------------
    localparam int AB = $clog2(COMMANDS);
    typedef struct packed {
        logic [7:0] ticket;
        move_t      move;
    } command_t;
    logic [7:0]               writes, writes_taken, writes_done;
    // verilator lint_off UNUSEDSIGNAL
    command_t [COMMANDS-1:0]  queue;
    command_t                 r;
    // verilator lint_on UNUSEDSIGNAL
    logic [COMMANDS-1:0]      queued, blocks, reached, is_reached, ready, is_ready;
    logic [AB-1:0]            head, next, tail, tail_next;   // next: the first one that has rows to be asked for
    logic [AB:0]              waiting;
    logic [$clog2(COMMANDS + 1)-1:0] writes_level;
    move_t                    w;
    logic                     w_valid, w_taken, w_stored, asks_last, finished;
    function automatic logic [AB-1:0] after(input logic [AB-1:0] place);
        return place == AB'(COMMANDS - 1) ? '0 : place + 1'b1;
    endfunction
    // verilator lint_off PINCONNECTEMPTY
    ww_fifo #(.WIDTH($bits(move_t)), .DEPTH(COMMANDS)) u_writes (
        .clk, .rst, .s_valid(write_valid), .s_ready(), .s_data(write),
        .m_valid(w_valid), .m_ready(w_taken), .m_data(w), .level(writes_level)
    );
    // verilator lint_on PINCONNECTEMPTY
    assign write_room = 32'(writes_level) + 2 <= COMMANDS;
    assign tail_next = after(tail);
    assign read_room = !queued[tail] && !queued[tail_next];
    assign r = queue[next];
    // Bytes of a read are overwritten by those that are a whole ring further on.
    number_t ring;
    assign ring = 32'h10000 << scale;
    for (genvar n = 0; n < COMMANDS; n++) begin : g_blocks
        number_t ahead;
        assign ahead = w.start + w.length - queue[n].move.start;
        assign blocks[n] = queued[n] && queue[n].move.session == w.session && ahead > ring
            && is_reached[n];
        assign is_reached[n] = reached[n] || queue[n].ticket == writes_taken;
        assign is_ready[n] = ready[n] || queue[n].ticket == writes_done;
    end
    always_ff @(posedge clk) begin
        writes <= writes + 8'(write_valid);
        writes_taken <= writes_taken + 8'(w_taken);
        writes_done <= writes_done + 8'(w_stored);
        waiting <= waiting + (AB + 1)'(read_valid) - (AB + 1)'(asks_last);
        reached <= is_reached;
        ready <= is_ready;
        if (read_valid) begin
            reached[tail] <= 1'b0;
            ready[tail] <= 1'b0;
            queue[tail] <= '{ticket: writes + 8'(write_valid), move: read};
            queued[tail] <= 1'b1;
            tail <= tail_next;
        end
        if (asks_last) next <= after(next);
        if (finished) begin
            queued[head] <= 1'b0;
            head <= after(head);
        end
        if (rst) begin
            writes <= '0;
            writes_taken <= '0;
            writes_done <= '0;
            waiting <= '0;
            queued <= '0;
            head <= '0;
            next <= '0;
            tail <= '0;
        end
    end

    // Rows that are written. --------------------------------------------------------------------------------------------
    logic         row_valid, row_ready, row_last;
    row_t         row;
    logic [63:0]  row_mask;
    logic [511:0] row_data;
    ww_toe_rows u_rows (
        .clk, .rst, .valid(w_valid && (w.length == 0 || blocks == '0)), .move(w), .done(w_taken),
        .s_axis_tdata, .s_axis_tvalid, .s_axis_tready,
        .row_valid, .row_ready, .row, .mask(row_mask), .data(row_data), .last(row_last)
    );

    // Rows that are asked for: all of a command, with how their bytes become a stream again. ----------------------------
    typedef struct packed {
        logic       first;
        logic       last;
        logic [5:0] turn;
        logic [6:0] tail;
        logic       rests;
    } shape_t;
    number_t     r_end, ends_at;
    logic [25:0] asked;      // rows of the command that were asked for
    logic [5:0]  r_turn;
    logic [6:0]  r_over;     // bytes in its last row, up to its end
    shape_t      shape;
    logic [63:0] wanted;
    logic        asks, window_ready;
    assign r_end = r.move.start + r.move.length;
    assign ends_at = r_end - 32'd1;
    assign r_turn = r.move.start[5:0];
    assign r_over = 7'(ends_at[5:0]) + 7'd1;
    always_comb begin
        shape.first = asked == '0;
        shape.last = r.move.start[31:6] + asked == ends_at[31:6];
        shape.turn = r_turn;
        shape.tail = r_over > 7'(r_turn) ? r_over - 7'(r_turn) : 7'd64 - 7'(r_turn) + r_over;
        shape.rests = r_turn != 0 && !shape.first && r_over > 7'(r_turn);
        wanted = '1;
        if (shape.first) wanted &= '1 << r_turn;
        if (shape.last) wanted &= 64'((65'd1 << r_over) - 65'd1);
    end
    assign asks = waiting != '0 && is_ready[next];
    assign asks_last = asks && window_ready && shape.last;
    always_ff @(posedge clk) begin
        if (asks && window_ready) asked <= shape.last ? '0 : asked + 26'd1;
        if (rst) asked <= '0;
    end

    // The newest rows, and those that come from memory. -----------------------------------------------------------------
    shape_t       found_shape, out_shape;
    logic         found_valid, found_ready, found_lacks, window_quiet, found, lacks, row_is_whole, row_leaves;
    logic [63:0]  found_mask, here;
    logic [511:0] found_data, kept, come, whole;
    logic         come_valid;
    ww_toe_window #(.SESSIONS(SESSIONS), .LINES(LINES), .CONSUMES(CONSUMES), .ROW_WIDTH(ROW_WIDTH)) u_window (
        .clk, .rst, .scale, .write_valid(row_valid), .write_ready(row_ready), .write_row(row), .write_mask(row_mask),
        .write_data(row_data), .write_last(row_last), .stored(w_stored),
        .read_valid(asks), .read_ready(window_ready),
        .read_row('{session: r.move.session, place: r.move.start[31:6] + asked}), .read_mask(wanted),
        .read_last(shape.last), .read_end(r_end),
        .found_valid, .found_ready, .found_lacks, .found_mask, .found_data,
        .out_valid, .out_ready, .out_row, .out_mask, .out_data, .fetch_valid, .fetch_ready, .fetch_row,
        .quiet(window_quiet)
    );
    always_ff @(posedge clk) if (window_ready) found_shape <= shape;
    // verilator lint_off PINCONNECTEMPTY
    ww_axis_fifo #(.WIDTH(512), .USER_WIDTH($bits(shape_t)), .DEPTH(UNDER_WAY)) u_found (
        .clk, .rst, .s_axis_tdata(found_data), .s_axis_tkeep(found_mask), .s_axis_tuser(found_shape),
        .s_axis_tlast(found_lacks), .s_axis_tvalid(found_valid), .s_axis_tready(found_ready),
        .m_axis_tdata(kept), .m_axis_tkeep(here), .m_axis_tuser(out_shape), .m_axis_tlast(lacks),
        .m_axis_tvalid(found), .m_axis_tready(row_leaves), .level()
    );
    // No more rows come than stand there.
    ww_axis_fifo #(.WIDTH(512), .USER_WIDTH(1), .DEPTH(UNDER_WAY + 4)) u_come (
        .clk, .rst, .s_axis_tdata(data), .s_axis_tkeep('1), .s_axis_tuser(1'b0), .s_axis_tlast(1'b0),
        .s_axis_tvalid(data_valid), .s_axis_tready(), .m_axis_tdata(come), .m_axis_tkeep(), .m_axis_tuser(),
        .m_axis_tlast(), .m_axis_tvalid(come_valid), .m_axis_tready(row_leaves && lacks), .level()
    );
    // verilator lint_on PINCONNECTEMPTY
    always_comb
        for (int n = 0; n < 64; n++) whole[8*n+:8] = here[n] ? kept[8*n+:8] : come[8*n+:8];
    assign row_is_whole = found && (!lacks || come_valid);

    // A stream again. ---------------------------------------------------------------------------------------------------
    logic         beats_ready;
    ww_toe_beats u_beats (
        .clk, .rst, .row_valid(row_is_whole), .row_ready(beats_ready), .first(out_shape.first), .last(out_shape.last),
        .turn(out_shape.turn), .tail(out_shape.tail), .rests(out_shape.rests), .row(lacks ? whole : kept),
        .m_axis_tdata, .m_axis_tkeep, .m_axis_tlast, .m_axis_tvalid, .m_axis_tready
    );
    assign row_leaves = row_is_whole && beats_ready;
    assign finished = row_leaves && out_shape.last;
    assign quiet = !w_valid && queued == '0 && window_quiet && !m_axis_tvalid;
endmodule
