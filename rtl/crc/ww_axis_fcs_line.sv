// Beats of frames beside their CRC: what ww_axis_fcs_append and ww_axis_fcs_check have in common.
//
// A beat leaves with the CRC of its frame up to and with it, as many enabled clocks after it came as ww_axis_crc32 takes.
module ww_axis_fcs_line #(
    // Bits of a beat, as of ww_axis_crc32.
    parameter int WIDTH = 64,
    // Bits of tuser, 1 or more.
    parameter int USER_WIDTH = 1,
    // Not to be set: bits of a beat with all that goes with it.
    localparam int BEAT_WIDTH = 1 + USER_WIDTH + WIDTH / 8 + WIDTH
) (
    input  logic                  clk,
    input  logic                  rst,
    // Everything moves by a clock.
    input  logic                  enable,
    // {last, user, keep, data}.
    input  logic                  s_valid,
    input  logic [BEAT_WIDTH-1:0] s_beat,
    output logic                  m_valid,
    output logic [BEAT_WIDTH-1:0] m_beat,
    // With the last beat: the CRC of the frame, and whether its own sequence was right.
    output logic [31:0]           crc,
    output logic                  good
);
    // The clocks that ww_axis_crc32 takes.
    localparam int LATENCY = 4;
    localparam int BYTES = WIDTH / 8;

    logic [BEAT_WIDTH-1:0] line [LATENCY];
    logic [LATENCY-1:0]    line_valid;
    always_ff @(posedge clk) begin
        if (enable) begin
            line[0] <= s_beat;
            for (int i = 1; i < LATENCY; i++) line[i] <= line[i-1];
            line_valid <= {line_valid[LATENCY-2:0], s_valid};
        end
        if (rst) line_valid <= '0;
    end
    assign m_beat  = line[LATENCY-1];
    assign m_valid = line_valid[LATENCY-1];

    logic unused_valid;
    ww_axis_crc32 #(.WIDTH(WIDTH)) u_crc (
        .clk,
        .rst,
        .enable,
        .beat_valid(s_valid),
        .beat_data (s_beat[WIDTH-1:0]),
        .beat_keep (s_beat[WIDTH+:BYTES]),
        .beat_last (s_beat[BEAT_WIDTH-1]),
        .crc_valid (unused_valid),
        .crc,
        .crc_good  (good)
    );
endmodule
