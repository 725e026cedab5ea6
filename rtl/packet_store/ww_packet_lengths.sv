// Lengths of stored packets for whoever asks early: the answer to a question about a packet that is
// still coming in waits for its end.
//
// So a packet can be worked on before its end while something behind it, such as a byte counter,
// gets its length in the end. Answers come in the order of the questions, at most one a clock. A
// question about a packet that is complete is answered in the next clock, if no older one waits;
// one about the packet that is coming in one clock after its end.
//
// How: only one packet is coming in. Packets are numbered as they end, modulo a number that is
// larger than that of the questions that can wait; a question about the packet that is coming in
// waits for its number to be over, and then finds the length under that number. So a pid may be
// given out anew while questions about its last packet are still waiting.
module ww_packet_lengths #(
    // Pids, 2 or more: the cells of ww_packet_store.
    parameter int CELLS = 256,
    // Questions that can wait, a power of two, 2 or more.
    parameter int DEPTH = 16,
    // Not to be set: bits of a pid.
    localparam int CELL_WIDTH = $clog2(CELLS)
) (
    input  logic                  clk,
    input  logic                  rst,
    // The end of a packet (end_* of ww_packet_store), and the packet's bytes.
    input  logic                  end_valid,
    input  logic [CELL_WIDTH-1:0] end_pid,
    input  logic [15:0]           end_bytes,
    // A question. ask_open: the packet is still coming in (open_valid and open_pid of
    // ww_packet_store); its last beat may be the one of this clock.
    input  logic                  ask_valid,
    output logic                  ask_ready,
    input  logic [CELL_WIDTH-1:0] ask_pid,
    input  logic                  ask_open,
    // An answer, for one clock.
    output logic                  length_valid,
    output logic [15:0]           length_bytes,
    // Questions wait.
    output logic                  waiting
);
    if (CELLS < 2) begin : g_illegal_cells
        $error("ww_packet_lengths: CELLS must be 2 or more");
    end
    if (DEPTH < 2 || DEPTH > 32768 || 2 ** $clog2(DEPTH) != DEPTH) begin : g_illegal_depth
        $error("ww_packet_lengths: DEPTH must be a power of two, 2 to 32768");
    end

    // When a packet ends, the questions in front of those about it can all be answered, so the
    // last of these is gone DEPTH clocks later, and with it no more than DEPTH newer ends.
    localparam int NUMBER_WIDTH = $clog2(2 * DEPTH);

    // The number of the packet that is coming in, or comes in next.
    logic [NUMBER_WIDTH-1:0] number;
    logic [15:0]             known_bytes;
    logic [15:0]             ended_bytes;
    logic                    oldest_open;
    logic [15:0]             oldest;
    logic [$clog2(DEPTH+1)-1:0] unused_level;

    ww_ram_async #(.WIDTH(16), .DEPTH(CELLS)) u_by_pid (
        .clk, .wr_en(end_valid), .wr_addr(end_pid), .wr_data(end_bytes),
        .rd_addr(ask_pid), .rd_data(known_bytes)
    );
    ww_ram_async #(.WIDTH(16), .DEPTH(2 * DEPTH)) u_by_number (
        .clk, .wr_en(end_valid), .wr_addr(number), .wr_data(end_bytes),
        .rd_addr(oldest[NUMBER_WIDTH-1:0]), .rd_data(ended_bytes)
    );
    ww_fifo #(.WIDTH(17), .DEPTH(DEPTH)) u_questions (
        .clk, .rst,
        .s_valid(ask_valid), .s_ready(ask_ready),
        .s_data({ask_open, ask_open ? 16'(number) : known_bytes}),
        .m_valid(waiting), .m_ready(length_valid), .m_data({oldest_open, oldest}),
        .level(unused_level)
    );
    assign length_valid = waiting && (!oldest_open || oldest[NUMBER_WIDTH-1:0] != number);
    assign length_bytes = oldest_open ? ended_bytes : oldest;

    always_ff @(posedge clk) begin
        if (end_valid) number <= number + 1'b1;
        if (rst) number <= '0;
    end
endmodule
