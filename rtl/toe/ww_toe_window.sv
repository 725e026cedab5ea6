// The newest rows of all rings of one direction, in the chip: a byte that is read soon never crosses the memory.
//
// Each row of a ring has one place in the window. A row that is written puts another one out, whose bytes go to memory. A
// row that is read is taken from the window, and the bytes that are not there come from memory. If reading consumes
// (`CONSUMES`), a row that has been read to its end is put out without crossing the memory.
//
// One row a clock is written, and one is read. A read sees all rows that were `stored` before it was taken. Whoever gives
// commands must not overwrite bytes that are still read.
//
// Source: 002-monitoring-limago 2.17, S49: the memory has 125 Gb/s, so a byte shall not cross it twice.
module ww_toe_window
    import ww_toe_types::*;
    import ww_toe_engine_types::*;
#(
    parameter int SESSIONS = 64,
    // Rows in the chip, 2^1 to 2^16.
    parameter int LINES = 4096,
    parameter bit CONSUMES = 1'b0,
    // Bits of the number of a row in memory.
    parameter int ROW_WIDTH = 25
) (
    input  logic         clk,
    input  logic         rst,
    // A ring has 2^(16 + scale) bytes.
    input  logic [3:0]   scale,
    // Rows that are written, and which bytes of them, none maybe. `stored`: one that is the last of its command is done.
    input  logic         write_valid,
    output logic         write_ready,
    input  row_t         write_row,
    input  logic [63:0]  write_mask,
    input  logic [511:0] write_data,
    input  logic         write_last,
    output logic         stored,
    // Rows that are read, which bytes of them; with the last one of a command, the position behind its last byte.
    input  logic         read_valid,
    output logic         read_ready,
    input  row_t         read_row,
    input  logic [63:0]  read_mask,
    input  logic         read_last,
    input  number_t      read_end,
    // What the window has of them, in the same order. `found_lacks`: the bytes outside of `found_mask` come from memory.
    output logic         found_valid,
    input  logic         found_ready,
    output logic         found_lacks,
    output logic [63:0]  found_mask,
    output logic [511:0] found_data,
    // Rows to and from memory, as of ww_ddr4.
    output logic                 out_valid,
    input  logic                 out_ready,
    output logic [ROW_WIDTH-1:0] out_row,
    output logic [63:0]          out_mask,
    output logic [511:0]         out_data,
    output logic                 fetch_valid,
    input  logic                 fetch_ready,
    output logic [ROW_WIDTH-1:0] fetch_row,
    // Nothing is moved.
    output logic                 quiet
);
    if (LINES < 2 || LINES > 65536 || (LINES & (LINES - 1)) != 0) begin : g_illegal_lines
        $error("ww_toe_window: LINES must be a power of two from 2 to 65536");
    end
    localparam int LB = $clog2(LINES);
    localparam int SB = SESSIONS == 1 ? 1 : $clog2(SESSIONS);
    typedef struct packed {
        row_t         row;
        logic [63:0]  mask;    // bytes that are here, and nowhere else: none if the line is empty
        logic [511:0] data;
    } line_t;

    // A row's place in its ring. It has one line, whatever the lap: two rows that share bytes of memory are never both here.
    // Sessions begin at different lines, so that they do not put each other out in step.
    logic [25:0] in_ring;
    assign in_ring = ~(26'h3ffffff << (5'd10 + 5'(scale)));
    // verilator lint_off UNUSEDSIGNAL
    function automatic logic [LB-1:0] line_of(input row_t row, input logic [25:0] ring_mask);
        logic [25:0] place;
        place = (row.place & ring_mask) + {row.session, 10'd0} + 26'(row.session) * 26'd37;
        return place[LB-1:0];
    endfunction
    // verilator lint_on UNUSEDSIGNAL
    function automatic logic [ROW_WIDTH-1:0] address_of(
        input row_t row, input logic [25:0] ring_mask, input logic [3:0] bits
    );
        return ROW_WIDTH'(40'(row.session) << (5'd10 + 5'(bits))) | ROW_WIDTH'(row.place & ring_mask);
    endfunction

    // A line is read for a row that is written, and for one that is read: two copies. -----------------------------------
    logic          clearing, stores, holds, asks, waits;
    logic [LB-1:0] clear_at, stores_at;
    line_t         line, written_q, read_q;
    ww_ram_clear #(.DEPTH(LINES)) u_clear (.clk, .rst, .clearing, .address(clear_at));
    ww_ram_sdp #(.WIDTH($bits(line_t)), .DEPTH(LINES), .STYLE("block")) u_written (
        .clk, .wr_en(clearing || stores), .wr_addr(clearing ? clear_at : stores_at), .wr_data(clearing ? '0 : line),
        .rd_en(!holds), .rd_addr(line_of(write_row, in_ring)), .rd_data(written_q)
    );
    ww_ram_sdp #(.WIDTH($bits(line_t)), .DEPTH(LINES), .STYLE("block")) u_read (
        .clk, .wr_en(clearing || stores), .wr_addr(clearing ? clear_at : stores_at), .wr_data(clearing ? '0 : line),
        .rd_en(!waits), .rd_addr(line_of(read_row, in_ring)), .rd_data(read_q)
    );

    // A row is written. -------------------------------------------------------------------------------------------------
    line_t         taken, was, recent;
    logic          taken_valid, taken_last, same, puts_out, has_bytes, mark_waits;
    logic [LB-1:0] recent_at;
    assign write_ready = !clearing && !holds;
    assign stores_at = line_of(taken.row, in_ring);
    assign has_bytes = taken_valid && taken.mask != '0;
    // What was written last shows at once.
    assign was = recent_at == stores_at ? recent : written_q;
    assign same = was.row == taken.row;
    assign puts_out = has_bytes && !same && was.mask != '0;
    always_comb begin
        line = taken;
        if (same) line.mask |= was.mask;
        for (int n = 0; n < 64; n++) if (!taken.mask[n]) line.data[8*n+:8] = was.data[8*n+:8];
    end
    logic victim_valid, victim_dead, victim_stays;
    assign holds = (puts_out && victim_stays) || mark_waits;
    assign stores = has_bytes && !holds;
    assign stored = taken_valid && taken_last && !holds;
    always_ff @(posedge clk) begin
        if (!holds) begin
            taken_valid <= write_valid && write_ready;
            taken <= '{row: write_row, mask: write_mask, data: write_data};
            taken_last <= write_last;
        end
        if (clearing || stores) begin
            recent <= clearing ? '0 : line;
            recent_at <= clearing ? clear_at : stores_at;
        end
        if (rst) taken_valid <= 1'b0;
    end

    // What is put out goes to memory, unless it has been read. ----------------------------------------------------------
    line_t victim;
    assign victim_stays = victim_valid && !victim_dead && !out_ready;
    assign out_valid = victim_valid && !victim_dead;
    assign out_row = address_of(victim.row, in_ring, scale);
    assign out_mask = victim.mask;
    assign out_data = victim.data;
    always_ff @(posedge clk) begin
        if (!victim_stays) begin
            victim_valid <= puts_out && !holds;
            victim <= was;
        end
        if (rst) victim_valid <= 1'b0;
    end

    // A row is read. What was put out before it was looked for has gone to memory before it is asked for there. ---------
    row_t        asked_row;
    number_t     asked_end;
    logic        asked_last, leaves;
    logic [63:0] asked_mask, missing;
    assign read_ready = !clearing && !waits;
    assign found_mask = read_q.row == asked_row ? read_q.mask : '0;
    assign found_data = read_q.data;
    assign missing = asked_mask & ~found_mask;
    assign found_lacks = missing != '0;
    assign fetch_valid = asks && found_lacks && found_ready && !victim_stays;
    assign fetch_row = address_of(asked_row, in_ring, scale);
    assign leaves = found_ready && (!found_lacks || (fetch_ready && !victim_stays));
    assign found_valid = asks && (!found_lacks || (fetch_ready && !victim_stays));
    assign waits = asks && !leaves;
    always_ff @(posedge clk) begin
        if (!waits) begin
            asks <= read_valid && read_ready;
            asked_row <= read_row;
            asked_mask <= read_mask;
            asked_last <= read_last;
            asked_end <= read_end;
        end
        if (rst) asks <= 1'b0;
    end
    assign quiet = !clearing && !taken_valid && !asks && !(victim_valid && !victim_dead);

    // How far each session has been read. A mark below the truth costs a row of traffic, one above it would lose bytes. So
    // the mark of a session that is gone is put where no byte of a row that is written can have been read: behind that row,
    // or more than a ring ahead of it, it is wrong.
    if (CONSUMES) begin : g_marks
        logic          sets, reads_end, behind, marks, fresh;
        logic [SB-1:0] marks_at, fresh_at;
        number_t       start, ring, mark, mark_q, victim_mark, new_mark, fresh_mark;
        assign start = {taken.row.place, 6'd0};
        assign ring = 32'h10000 << scale;
        assign mark = fresh && fresh_at == taken.row.session[SB-1:0] ? fresh_mark : mark_q;
        assign behind = $signed(mark - start) >= 64;
        assign sets = has_bytes && (behind || $signed(start - ring - mark) > 0);
        assign reads_end = asks && leaves && asked_last;
        assign mark_waits = sets && reads_end;
        assign marks = reads_end || (sets && !(puts_out && victim_stays));
        assign marks_at = reads_end ? asked_row.session[SB-1:0] : taken.row.session[SB-1:0];
        assign new_mark = reads_end ? asked_end : behind ? start : start - ring;
        ww_ram_sdp #(.WIDTH(32), .DEPTH(SESSIONS)) u_marks (
            .clk, .wr_en(marks), .wr_addr(marks_at), .wr_data(new_mark), .rd_en(1'b1),
            .rd_addr(holds ? taken.row.session[SB-1:0] : write_row.session[SB-1:0]), .rd_data(mark_q)
        );
        ww_ram_sdp #(.WIDTH(32), .DEPTH(SESSIONS)) u_victims (
            .clk, .wr_en(marks), .wr_addr(marks_at), .wr_data(new_mark), .rd_en(!victim_stays),
            .rd_addr(was.row.session[SB-1:0]), .rd_data(victim_mark)
        );
        assign victim_dead = $signed(victim_mark - {victim.row.place, 6'd0}) >= 64;
        always_ff @(posedge clk) begin
            if (marks) begin
                fresh <= 1'b1;
                fresh_at <= marks_at;
                fresh_mark <= new_mark;
            end
            if (rst) fresh <= 1'b0;
        end
    end else begin : g_no_marks
        assign victim_dead = 1'b0;
        assign mark_waits = 1'b0;
        // verilator lint_off UNUSEDSIGNAL
        logic unused;
        assign unused = &{asked_last, asked_end};
        // verilator lint_on UNUSEDSIGNAL
    end
endmodule
