// Queue of an output of a switch: takes a beat every clock whatever happens behind it, and drops packets
// as a whole when it is full (tail drop).
//
// A packet is taken if one of MAX_BYTES would fit at its first beat, which does not wait for its end: a
// beat that comes in clock t is offered in clock t + 2.
module ww_output_queue #(
    // Bits of tdata, a multiple of 8.
    parameter int WIDTH = 512,
    // Bits of tuser, 1 or more.
    parameter int USER_WIDTH = 65,
    // Beats of the queue.
    parameter int BEATS = 1024,
    // Longest packet in bytes: its beats must fit. Longer ones must not come.
    parameter int MAX_BYTES = 16384
) (
    input  logic                  clk,
    input  logic                  rst,
    // Packets in, never held back.
    input  logic                  s_axis_tvalid,
    input  logic [WIDTH-1:0]      s_axis_tdata,
    input  logic [WIDTH/8-1:0]    s_axis_tkeep,
    input  logic                  s_axis_tlast,
    input  logic [USER_WIDTH-1:0] s_axis_tuser,
    // Packets out.
    output logic                  m_axis_tvalid,
    input  logic                  m_axis_tready,
    output logic [WIDTH-1:0]      m_axis_tdata,
    output logic [WIDTH/8-1:0]    m_axis_tkeep,
    output logic                  m_axis_tlast,
    output logic [USER_WIDTH-1:0] m_axis_tuser,
    // A packet is dropped in this clock.
    output logic                  lost,
    output logic                  empty
);
    localparam int MAX_BEATS = (MAX_BYTES * 8 + WIDTH - 1) / WIDTH;
    localparam int LEVEL_WIDTH = $clog2(BEATS + 2);

    if (MAX_BEATS > BEATS) begin : g_illegal_beats
        $error("ww_output_queue: BEATS must hold MAX_BYTES");
    end

    logic                   in_packet, drops, dropping, unused_ready;
    logic [LEVEL_WIDTH-1:0] level;

    assign drops = in_packet ? dropping : level > LEVEL_WIDTH'(BEATS - MAX_BEATS);
    assign lost  = s_axis_tvalid && !in_packet && drops;
    assign empty = level == '0;

    always_ff @(posedge clk) begin
        if (s_axis_tvalid) begin
            in_packet   <= !s_axis_tlast;
            dropping <= drops;
        end
        if (rst) in_packet <= 1'b0;
    end

    ww_axis_fifo #(.WIDTH(WIDTH), .USER_WIDTH(USER_WIDTH), .DEPTH(BEATS)) beats_i (
        .clk, .rst,
        .s_axis_tdata, .s_axis_tkeep, .s_axis_tuser, .s_axis_tlast,
        .s_axis_tvalid(s_axis_tvalid && !drops), .s_axis_tready(unused_ready),
        .m_axis_tdata, .m_axis_tkeep, .m_axis_tuser, .m_axis_tlast, .m_axis_tvalid, .m_axis_tready,
        .level
    );
endmodule
