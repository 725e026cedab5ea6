// Array of registers that a pipeline reads, changes and writes, one packet a clock.
//
// A packet reads in clock t, has the value in clock t+2 and may write in that same clock; the value
// to be written may depend on read_data without a register between. Each packet sees the writes of
// all packets before it, whatever the indexes, so packets back to back on one index count right.
// That is done by forwarding: the RAM is written in clock t+2, and reads that were under way by then
// take the newer value instead.
//
// A row access uses a clock in which no packet reads and goes through the same stages as a packet:
// so it is atomic, and it is done two clocks later.
module ww_register_array #(
    // Bits of a register, 1 or more.
    parameter int WIDTH = 32,
    // Registers, 1 or more. Reads beyond give zero, writes beyond are dropped.
    parameter int DEPTH = 1024,
    // How the RAM is built: see ww_ram_sdp.
    parameter string STYLE = "auto",
    // Not to be set: bits of an index, at least one.
    localparam int INDEX_WIDTH = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
    input  logic                   clk,
    input  logic                   rst,
    // A packet reads this register.
    input  logic                   read_valid,
    input  logic [INDEX_WIDTH-1:0] read_index,
    // Two clocks later: its value.
    output logic [WIDTH-1:0]       read_data,
    // In that same clock: the packet writes the register that it has read. High only for a packet
    // that has read two clocks before.
    input  logic                   write_valid,
    input  logic [WIDTH-1:0]       write_data,
    // Row port, memory 0: {value}.
    input  logic                   row_valid,
    input  logic                   row_write,
    input  logic [3:0]             row_memory,
    input  logic [27:0]            row_index,
    input  logic [WIDTH-1:0]       row_wdata,
    output logic                   row_done,
    output logic [WIDTH-1:0]       row_rdata
);
    if (WIDTH < 1) begin : g_illegal_width
        $error("ww_register_array: WIDTH must be 1 or more");
    end
    if (DEPTH < 1 || DEPTH > 2 ** 28) begin : g_illegal_depth
        $error("ww_register_array: DEPTH must be 1 to 2**28");
    end

    // ---- Clock t: a packet, or else a row access that is not yet under way.
    logic                   row_starts;
    logic                   row_exists;
    logic                   row_under_way;
    logic                   in_range;
    logic [INDEX_WIDTH-1:0] index;
    assign row_exists = row_memory == 4'd0 && row_index < 28'(DEPTH);
    assign row_starts = row_valid && !row_under_way && !read_valid;
    assign index      = read_valid ? read_index : row_index[INDEX_WIDTH-1:0];
    if (2 ** INDEX_WIDTH == DEPTH) begin : g_all_in_range
        assign in_range = read_valid || row_exists;
    end else begin : g_in_range
        assign in_range = read_valid ? read_index < INDEX_WIDTH'(DEPTH) : row_exists;
    end

    // ---- Clocks t+1 and t+2: what kind of access, and where.
    logic                   row_1;
    logic                   row_2;
    logic                   in_range_1;
    logic                   in_range_2;
    logic [INDEX_WIDTH-1:0] index_1;
    logic [INDEX_WIDTH-1:0] index_2;
    always_ff @(posedge clk) begin
        row_1      <= row_starts;
        row_2      <= row_1;
        in_range_1 <= in_range && (read_valid || row_starts);
        in_range_2 <= in_range_1;
        index_1    <= index;
        index_2    <= index_1;
        if (rst) begin
            row_1      <= 1'b0;
            row_2      <= 1'b0;
            in_range_1 <= 1'b0;
            in_range_2 <= 1'b0;
        end
    end
    assign row_under_way = row_1 || row_2;

    // ---- Clock t+2: the write.
    logic             store;
    logic [WIDTH-1:0] stored;
    assign store  = in_range_2 && !rst && (row_2 ? row_write : write_valid);
    assign stored = row_2 ? row_wdata : write_data;

    logic [WIDTH-1:0] word;
    ww_ram_sdp #(
        .WIDTH(WIDTH),
        .DEPTH(DEPTH),
        .STYLE(STYLE)
    ) u_ram (
        .clk,
        .wr_en  (store),
        .wr_addr(index_2),
        .wr_data(stored),
        .rd_en  (1'b1),
        .rd_addr(in_range ? index : '0),
        .rd_data(word)
    );

    // A write in the clock of the RAM's read, or in the next one, is newer than the word read: the
    // former replaces the word in clock t+1, the latter in clock t+2.
    logic             replace_1;
    logic             replace_2;
    logic [WIDTH-1:0] stored_before;
    logic [WIDTH-1:0] value;
    always_ff @(posedge clk) begin
        replace_1     <= store && index_2 == index;
        replace_2     <= store && index_2 == index_1;
        stored_before <= stored;
        value         <= !in_range_1 ? '0 : replace_1 ? stored_before : word;
    end
    assign read_data = replace_2 && in_range_2 ? stored_before : value;

    assign row_done  = row_2;
    assign row_rdata = read_data;
endmodule
