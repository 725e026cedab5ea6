// The bytes of one direction of all sessions: a ring of 2^BITS bytes a session, written and read by commands.
//
// Commands of each side are carried out in order. A read waits until the writes that were commanded before it are done,
// and a write while one of the reads that wait or go on wants bytes that it would overwrite: what is read is what it would
// be if one command were carried out after the other. Both sides move a beat a clock, at the same time. Bytes have their
// places by their position in the stream, modulo the ring.
//
// Of a write, `total` bytes of the stream are taken, and those from `skip` on, `length` of them, are kept: 0 drops the packet.
//
// Source: 002-monitoring-limago 2.18, S48.
module ww_toe_buffer
    import ww_toe_types::*;
    import ww_toe_engine_types::*;
#(
    // Rings, 1 to 65,536, and bits of a position in one, 7 to 30.
    parameter int SESSIONS = 64,
    parameter int BITS = 16,
    // Commands of each side that wait, 4 to 64.
    parameter int COMMANDS = 16
) (
    input  logic         clk,
    input  logic         rst,
    // Commands; they must have room. `write_room`, `read_room`: two more have.
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
    // Nothing is moved, and no command waits.
    output logic         quiet
);
    if (BITS < 7 || BITS > 30) begin : g_illegal_bits
        $error("ww_toe_buffer: BITS must be 7 to 30");
    end
    if (COMMANDS < 4 || COMMANDS > 64) begin : g_illegal_commands
        $error("ww_toe_buffer: COMMANDS must be 4 to 64");
    end
    localparam int SB = SESSIONS == 1 ? 1 : $clog2(SESSIONS);
    localparam int ROW = SB + BITS - 6;

    // Commands. A read has with it how many writes are to be done first. --------------------------------------------------
    localparam int AB = $clog2(COMMANDS);
    typedef struct packed {
        logic [7:0] ticket;
        move_t      move;
    } command_t;
    logic [7:0]               writes, writes_done;
    command_t [COMMANDS-1:0]  queue;
    logic [COMMANDS-1:0]      queued, blocks;
    logic [AB-1:0]            head, tail, tail_next;
    logic [$clog2(COMMANDS + 1)-1:0] writes_level;
    move_t                    w;
    command_t                 r;
    logic                     w_valid, r_valid, w_done, r_done, w_may, r_may;
    // verilator lint_off PINCONNECTEMPTY
    ww_fifo #(.WIDTH($bits(move_t)), .DEPTH(COMMANDS)) u_writes (
        .clk, .rst, .s_valid(write_valid), .s_ready(), .s_data(write),
        .m_valid(w_valid), .m_ready(w_done), .m_data(w), .level(writes_level)
    );
    // verilator lint_on PINCONNECTEMPTY
    assign write_room = 32'(writes_level) + 2 <= COMMANDS;
    assign tail_next = tail == AB'(COMMANDS - 1) ? '0 : tail + 1'b1;
    assign read_room = !queued[tail] && !queued[tail_next];
    assign r = queue[head];
    assign r_valid = queued[head];
    assign r_may = r_valid && $signed(writes_done - r.ticket) >= 8'sd0;
    // Bytes of a read are overwritten by those that are a whole ring further on.
    for (genvar n = 0; n < COMMANDS; n++) begin : g_blocks
        number_t ahead;
        assign ahead = w.start + w.length - queue[n].move.start;
        assign blocks[n] = queued[n] && queue[n].move.session == w.session && ahead > 32'(1 << BITS);
    end
    assign w_may = w_valid && (w.length == 0 || blocks == '0);
    always_ff @(posedge clk) begin
        writes <= writes + 8'(write_valid);
        writes_done <= writes_done + 8'(w_done);
        if (read_valid) begin
            queue[tail] <= '{ticket: writes, move: read};
            queued[tail] <= 1'b1;
            tail <= tail_next;
        end
        if (r_done) begin
            queued[head] <= 1'b0;
            head <= head == AB'(COMMANDS - 1) ? '0 : head + 1'b1;
        end
        if (rst) begin
            writes <= '0;
            writes_done <= '0;
            queued <= '0;
            head <= '0;
            tail <= '0;
        end
    end

    // Writes: a beat has its bytes rotated to their lanes; those that begin a new row go to the next one. --------------
    number_t      w_at;      // bytes of the packet that have been taken
    // verilator lint_off UNUSEDSIGNAL
    number_t      w_position, r_position;
    // verilator lint_on UNUSEDSIGNAL
    logic [5:0]   w_turn;
    logic [63:0]  kept, lanes, w_over, r_over;
    logic [511:0] w_data;
    logic         moves;
    assign s_axis_tready = w_may;
    assign moves = w_may && s_axis_tvalid;
    assign w_done = moves && w_at + 32'd64 >= w.total;
    assign w_position = w.start - 32'(w.skip) + w_at;
    assign w_turn = w_position[5:0];
    assign w_over = ~('1 << w_turn);
    always_comb begin
        for (int n = 0; n < 64; n++)
            kept[n] = w_at + 32'(n) >= 32'(w.skip) && w_at + 32'(n) < 32'(w.skip) + w.length;
        lanes = kept << w_turn | kept >> (7'd64 - 7'(w_turn));
        w_data = s_axis_tdata << {w_turn, 3'b000} | s_axis_tdata >> (10'd512 - 10'({w_turn, 3'b000}));
    end
    always_ff @(posedge clk) begin
        if (moves) w_at <= w_done ? '0 : w_at + 32'd64;
        if (rst) w_at <= '0;
    end

    // Reads. ------------------------------------------------------------------------------------------------------------
    number_t      r_at, r_left;
    logic         reads_beat, room, arrives, arrives_last;
    logic [5:0]   r_turn, arrives_turn;
    logic [6:0]   arrives_count;
    logic [511:0] row, r_data;
    logic [4:0]   level;
    assign r_position = r.move.start + r_at;
    assign r_turn = r_position[5:0];
    assign r_over = ~('1 << r_turn);
    assign r_left = r.move.length - r_at;
    assign room = level < 5'd12;
    assign reads_beat = r_may && room;
    assign r_done = reads_beat && r_left <= 32'd64;
    always_ff @(posedge clk) begin
        arrives <= reads_beat;
        arrives_last <= r_done;
        arrives_turn <= r_turn;
        arrives_count <= r_left >= 32'd64 ? 7'd64 : r_left[6:0];
        if (reads_beat) r_at <= r_done ? '0 : r_at + 32'd64;
        if (rst) begin
            r_at <= '0;
            arrives <= 1'b0;
        end
    end
    assign r_data = row >> {arrives_turn, 3'b000} | row << (10'd512 - 10'({arrives_turn, 3'b000}));
    // verilator lint_off PINCONNECTEMPTY
    ww_axis_fifo #(.WIDTH(512), .USER_WIDTH(1), .DEPTH(16)) u_out (
        .clk, .rst, .s_axis_tdata(r_data), .s_axis_tkeep(64'((65'd1 << arrives_count) - 65'd1)), .s_axis_tuser(1'b0),
        .s_axis_tlast(arrives_last), .s_axis_tvalid(arrives), .s_axis_tready(), .m_axis_tdata, .m_axis_tkeep,
        .m_axis_tuser(), .m_axis_tlast, .m_axis_tvalid, .m_axis_tready, .level
    );
    // verilator lint_on PINCONNECTEMPTY

    // A RAM a lane. -----------------------------------------------------------------------------------------------------
    logic [BITS-7:0] w_row, r_row;
    assign w_row = w_position[BITS-1:6];
    assign r_row = r_position[BITS-1:6];
    for (genvar n = 0; n < 64; n++) begin : g_lane
        ww_ram_sdp #(.WIDTH(8), .DEPTH(1 << ROW), .STYLE("block")) u_lane (
            .clk, .wr_en(moves && lanes[n]),
            .wr_addr({w.session[SB-1:0], (BITS-6)'(w_row + (BITS-6)'(w_over[n]))}), .wr_data(w_data[8*n+:8]),
            .rd_en(reads_beat), .rd_addr({r.move.session[SB-1:0], (BITS-6)'(r_row + (BITS-6)'(r_over[n]))}),
            .rd_data(row[8*n+:8])
        );
    end
    assign quiet = !w_valid && !r_valid && !arrives && !m_axis_tvalid && level == 0;
endmodule
