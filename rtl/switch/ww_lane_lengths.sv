// Lengths of the packets of several lanes for whoever asks early: the answer to a question about a
// packet that is still coming in waits for its end.
//
// So copies of a packet can be worked on before its end while something behind them, such as a byte
// counter, gets its length in the end. Answers come in the order of the questions, at most one a
// clock. A question about a packet that is complete is answered in the next clock, if no older one
// waits; one about a packet that is coming in one or two clocks after its end.
//
// How: in each lane one packet at most is coming in. The first question about it makes it wanted; when
// it ends, its length goes into the lane's row of wanted lengths. The first question takes it out of
// there when its turn comes, and leaves it for further questions about that packet.
module ww_lane_lengths #(
    // Lanes, 1 or more.
    parameter int LANES = 4,
    // Numbers of packets in a lane, given in turn, a power of two, 2 or more.
    parameter int PACKETS = 128,
    // Questions that can wait, 2 or more.
    parameter int DEPTH = 512,
    // Not to be set: bits of a lane and of a number.
    localparam int LANE_WIDTH = LANES > 1 ? $clog2(LANES) : 1,
    localparam int NUMBER_WIDTH = $clog2(PACKETS)
) (
    input  logic                    clk,
    input  logic                    rst,
    // Of each lane: its packet has begun in an earlier clock; it ends in this one, with so many bytes.
    // The first packet after reset has number 0.
    input  logic [LANES-1:0]        begun,
    input  logic [LANES-1:0]        end_valid,
    input  logic [16*LANES-1:0]     end_bytes,
    // A question about a packet whose number has not been given again, and which has begun in an
    // earlier clock.
    input  logic                    ask_valid,
    output logic                    ask_ready,
    input  logic [LANE_WIDTH-1:0]   ask_lane,
    input  logic [NUMBER_WIDTH-1:0] ask_number,
    // An answer, for one clock.
    output logic                    length_valid,
    output logic [15:0]             length_bytes,
    // Questions wait.
    output logic                    waiting
);
    if (LANES < 1) begin : g_illegal_lanes
        $error("ww_lane_lengths: LANES must be 1 or more");
    end
    if (PACKETS < 2 || 2 ** NUMBER_WIDTH != PACKETS) begin : g_illegal_packets
        $error("ww_lane_lengths: PACKETS must be a power of two, 2 or more");
    end
    if (DEPTH < 2) begin : g_illegal_depth
        $error("ww_lane_lengths: DEPTH must be 2 or more");
    end

    // Of each lane: the length of the packet that is asked about, the packet is coming in, a question
    // about it waits; the oldest wanted length, and the last that was taken.
    logic [15:0]      known [LANES];
    logic [LANES-1:0] open, wanted, there, take;
    logic [15:0]      wanted_bytes [LANES];
    logic [15:0]      taken_bytes [LANES];
    logic             asked;

    // The oldest question: open, and then the first about its packet and the lane, or the length.
    logic                       is_open, is_first;
    logic [LANE_WIDTH-1:0]      lane;
    logic [15:0]                bytes;
    logic [$clog2(DEPTH+1)-1:0] unused_level;

    assign asked = ask_valid && ask_ready;

    for (genvar n = 0; n < LANES; n++) begin : g_lane
        logic [NUMBER_WIDTH-1:0]    number;
        logic [15:0]                stored, ending;
        logic                       is_current, unused_room;
        logic [$clog2(DEPTH+1)-1:0] unused_wanted;

        assign ending = end_bytes[16*n +: 16];
        // The packet that is coming in has the number of the next end.
        assign is_current = begun[n] && ask_number == number;
        assign open[n] = is_current && !end_valid[n];
        assign known[n] = is_current ? ending : stored;

        ww_ram_async #(.WIDTH(16), .DEPTH(PACKETS)) u_lengths (
            .clk, .wr_en(end_valid[n]), .wr_addr(number), .wr_data(ending),
            .rd_addr(ask_number), .rd_data(stored)
        );
        ww_fifo #(.WIDTH(16), .DEPTH(DEPTH)) u_wanted (
            .clk, .rst, .s_valid(end_valid[n] && wanted[n]), .s_ready(unused_room), .s_data(ending),
            .m_valid(there[n]), .m_ready(take[n]), .m_data(wanted_bytes[n]), .level(unused_wanted)
        );
        assign take[n] = waiting && is_open && is_first && lane == LANE_WIDTH'(n);

        always_ff @(posedge clk) begin
            if (end_valid[n]) number <= number + 1'b1;
            if (take[n] && there[n]) taken_bytes[n] <= wanted_bytes[n];
            if (end_valid[n]) wanted[n] <= 1'b0;
            else if (asked && open[n] && ask_lane == LANE_WIDTH'(n)) wanted[n] <= 1'b1;
            if (rst) begin
                number    <= '0;
                wanted[n] <= 1'b0;
            end
        end
    end

    ww_fifo #(.WIDTH(18 + LANE_WIDTH), .DEPTH(DEPTH)) u_questions (
        .clk, .rst,
        .s_valid(ask_valid), .s_ready(ask_ready),
        .s_data({open[ask_lane], !wanted[ask_lane], ask_lane, known[ask_lane]}),
        .m_valid(waiting), .m_ready(length_valid), .m_data({is_open, is_first, lane, bytes}),
        .level(unused_level)
    );
    assign length_valid = waiting && (!is_open || !is_first || there[lane]);
    assign length_bytes = !is_open ? bytes : is_first ? wanted_bytes[lane] : taken_bytes[lane];
endmodule
