// The schedule of the circuit switch: its memory and the slot counter.
//
// A row of the memory is the configuration of all outputs in a slot. Until `start` the switch holds that of the first row; with
// the clock behind `start` the first slot begins, and each slot takes the next row, `rows` of them, and then the first one again.
// A slot has `guard_cycles` clocks of guard band and then the clocks in which cells pass.
//
// The next row is read in the last clock but one of a slot, which is the only one in which software does not get at the memory.
module ww_shoal_schedule #(
    // Outputs, 2 or more; as many inputs.
    parameter int PORTS = 4,
    // Rows of the memory, a power of two, 2 or more.
    parameter int ROWS = 256,
    // Not to be set: bits of a configuration, of all of them, of a row's number.
    localparam int CHOICE_WIDTH = 1 + $clog2(PORTS),
    localparam int CHOICES_WIDTH = PORTS * CHOICE_WIDTH,
    localparam int INDEX_WIDTH = $clog2(ROWS)
) (
    input  logic                     clk,
    input  logic                     rst,
    // The slots begin; for one clock, and without an effect once they have begun. `rst` ends them.
    input  logic                     start,
    // Clocks of a slot, 2 or more, and of the guard band at its beginning, less. Not to be changed between `start` and `rst`.
    input  logic [15:0]              slot_cycles,
    input  logic [15:0]              guard_cycles,
    // The schedule is the rows from first_row on, `rows` of them, 1 or more; the row behind the last one of the memory is row 0.
    // Changes count from the end of the epoch on.
    input  logic [INDEX_WIDTH-1:0]   first_row,
    input  logic [INDEX_WIDTH:0]     rows,
    // Slots follow one another.
    output logic                     running,
    // The row of this slot.
    output logic [INDEX_WIDTH-1:0]   slot,
    // The last clock of a slot: `choices` is what the registers are to take. Before `start` too, always with the first row.
    output logic                     load,
    output logic [CHOICES_WIDTH-1:0] choices,
    output logic                     guard,
    // Row port: memory 0, row = slot; output n has bits CHOICE_WIDTH n and up, {connected, input}.
    input  logic                     row_valid,
    input  logic                     row_write,
    input  logic [3:0]               row_memory,
    input  logic [27:0]              row_index,
    input  logic [CHOICES_WIDTH-1:0] row_wdata,
    output logic                     row_done,
    output logic [CHOICES_WIDTH-1:0] row_rdata
);
    if (PORTS < 2) begin : g_illegal_ports
        $error("ww_shoal_schedule: PORTS must be 2 or more");
    end
    if (ROWS < 2 || 2 ** INDEX_WIDTH != ROWS || INDEX_WIDTH > 16) begin : g_illegal_rows
        $error("ww_shoal_schedule: ROWS must be a power of two, 2 to 65,536");
    end

    // Clocks of this slot, and of its guard band, behind this one.
    logic [15:0]            slot_left;
    logic [15:0]            guard_left;
    logic                   fetch;
    logic                   begins;
    // The row that was read last, and how many follow it in this epoch.
    logic [INDEX_WIDTH-1:0] row;
    logic [INDEX_WIDTH:0]   rows_left;
    logic                   again;
    logic [INDEX_WIDTH-1:0] next;

    assign fetch  = slot_left == 16'd1;
    assign load   = slot_left == '0;
    assign begins = load || (start && !running);
    assign again  = !running || rows_left == '0;
    assign next   = again ? first_row : row + 1'b1;
    always_ff @(posedge clk) begin
        slot_left  <= begins || rst ? slot_cycles - 16'd1 : slot_left - 16'd1;
        guard_left <= begins ? guard_cycles - 16'd1 : guard_left - 16'd1;
        guard      <= begins ? (running || start) && guard_cycles != '0 : guard && guard_left != '0;
        if (fetch) begin
            row       <= next;
            rows_left <= (again ? rows : rows_left) - 1'b1;
        end
        if (load) slot <= row;
        if (start && !running) begin
            running   <= 1'b1;
            slot      <= first_row;
            row       <= first_row;
            rows_left <= rows - 1'b1;
        end
        if (rst) begin
            running <= 1'b0;
            guard   <= 1'b0;
            slot    <= '0;
        end
    end

    logic exists;
    logic write;
    logic read;
    assign exists = row_memory == '0 && row_index < 28'(ROWS);
    ww_row_access u_access (.clk, .rst, .row_valid, .row_write, .row_done, .idle(!fetch), .write, .read);
    ww_ram_sdp #(.WIDTH(CHOICES_WIDTH), .DEPTH(ROWS)) u_memory (
        .clk,
        .wr_en  (write && exists),
        .wr_addr(row_index[INDEX_WIDTH-1:0]),
        .wr_data(row_wdata),
        .rd_en  (fetch || read),
        .rd_addr(fetch ? next : row_index[INDEX_WIDTH-1:0]),
        .rd_data(choices)
    );
    assign row_rdata = exists ? choices : '0;
endmodule
