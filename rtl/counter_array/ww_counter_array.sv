// Array of packet and byte counters, one packet a clock at any index.
//
// Nothing is lost: packets back to back on one index count as others, a row access is atomic (see
// ww_register_array), and the two counts of a row belong together. Counters wrap around.
// A packet of clock t is in what a row read returns whose row_done comes in clock t+3 or later.
module ww_counter_array #(
    // Counters, 1 or more. Packets beyond are not counted.
    parameter int DEPTH = 1024,
    // 1: count packets.
    parameter int PACKETS = 1,
    // 1: count bytes. At least one of the two must be 1.
    parameter int BYTES = 1,
    // Bits of a packet count.
    parameter int PACKET_WIDTH = 64,
    // Bits of a byte count.
    parameter int BYTE_WIDTH = 64,
    // How the RAM is built: see ww_ram_sdp.
    parameter string STYLE = "auto",
    // Not to be set: bits of an index, at least one.
    localparam int INDEX_WIDTH = DEPTH > 1 ? $clog2(DEPTH) : 1,
    // Not to be set: bits of a row, {bytes, packets} as far as they are counted.
    localparam int ROW_WIDTH = (PACKETS != 0 ? PACKET_WIDTH : 0) + (BYTES != 0 ? BYTE_WIDTH : 0)
) (
    input  logic                   clk,
    input  logic                   rst,
    // Count a packet of so many bytes.
    input  logic                   count_valid,
    input  logic [INDEX_WIDTH-1:0] count_index,
    input  logic [15:0]            count_bytes,
    // Row port, memory 0: {bytes, packets}.
    input  logic                   row_valid,
    input  logic                   row_write,
    input  logic [3:0]             row_memory,
    input  logic [27:0]            row_index,
    input  logic [ROW_WIDTH-1:0]   row_wdata,
    output logic                   row_done,
    output logic [ROW_WIDTH-1:0]   row_rdata
);
    if (PACKETS == 0 && BYTES == 0) begin : g_illegal_counts
        $error("ww_counter_array: PACKETS or BYTES must be 1");
    end
    if (PACKET_WIDTH < 1) begin : g_illegal_packet_width
        $error("ww_counter_array: PACKET_WIDTH must be 1 or more");
    end
    if (BYTE_WIDTH < 16) begin : g_illegal_byte_width
        $error("ww_counter_array: BYTE_WIDTH must be 16 or more, the bits of count_bytes");
    end

    logic                 counts_1;
    logic                 counts_2;
    logic [ROW_WIDTH-1:0] current;
    logic [ROW_WIDTH-1:0] counted;
    always_ff @(posedge clk) begin
        counts_1 <= count_valid;
        counts_2 <= counts_1;
        if (rst) begin
            counts_1 <= 1'b0;
            counts_2 <= 1'b0;
        end
    end

    if (PACKETS != 0) begin : g_packets
        assign counted[PACKET_WIDTH-1:0] = current[PACKET_WIDTH-1:0] + 1'b1;
    end
    if (BYTES != 0) begin : g_bytes
        localparam int FIRST = PACKETS != 0 ? PACKET_WIDTH : 0;
        logic [15:0] bytes_1;
        logic [15:0] bytes_2;
        always_ff @(posedge clk) begin
            bytes_1 <= count_bytes;
            bytes_2 <= bytes_1;
        end
        assign counted[FIRST+:BYTE_WIDTH] = current[FIRST+:BYTE_WIDTH] + BYTE_WIDTH'(bytes_2);
    end else begin : g_no_bytes
        wire unused_bytes = &{1'b0, count_bytes};
    end

    ww_register_array #(
        .WIDTH(ROW_WIDTH),
        .DEPTH(DEPTH),
        .STYLE(STYLE)
    ) u_counts (
        .clk,
        .rst,
        .read_valid (count_valid),
        .read_index (count_index),
        .read_data  (current),
        .write_valid(counts_2),
        .write_data (counted),
        .row_valid,
        .row_write,
        .row_memory,
        .row_index,
        .row_wdata,
        .row_done,
        .row_rdata
    );
endmodule
