// Register slice for an AXI4-Stream (skid buffer): all signals of both sides come from registers,
// and one beat a clock passes. A beat that is taken in clock t is offered in clock t + 1.
module ww_axis_register #(
    // Bits of tdata, a multiple of 8.
    parameter int WIDTH = 512,
    // Bits of tuser, 1 or more.
    parameter int USER_WIDTH = 65,
    // Not to be set: bits of tkeep.
    localparam int KEEP_WIDTH = WIDTH / 8
) (
    input  logic                  clk,
    input  logic                  rst,
    input  logic [WIDTH-1:0]      s_axis_tdata,
    input  logic [KEEP_WIDTH-1:0] s_axis_tkeep,
    input  logic [USER_WIDTH-1:0] s_axis_tuser,
    input  logic                  s_axis_tlast,
    input  logic                  s_axis_tvalid,
    output logic                  s_axis_tready,
    output logic [WIDTH-1:0]      m_axis_tdata,
    output logic [KEEP_WIDTH-1:0] m_axis_tkeep,
    output logic [USER_WIDTH-1:0] m_axis_tuser,
    output logic                  m_axis_tlast,
    output logic                  m_axis_tvalid,
    input  logic                  m_axis_tready
);
    if (WIDTH < 8 || WIDTH % 8 != 0) begin : g_illegal_width
        $error("ww_axis_register: WIDTH must be a multiple of 8");
    end
    if (USER_WIDTH < 1) begin : g_illegal_user_width
        $error("ww_axis_register: USER_WIDTH must be 1 or more");
    end

    localparam int BEAT_WIDTH = 1 + USER_WIDTH + KEEP_WIDTH + WIDTH;

    logic [BEAT_WIDTH-1:0] offered;
    // The beat that came while the output stood still; then s_axis_tready is low.
    logic [BEAT_WIDTH-1:0] waiting;
    logic [BEAT_WIDTH-1:0] arriving;

    assign arriving = {s_axis_tlast, s_axis_tuser, s_axis_tkeep, s_axis_tdata};
    assign {m_axis_tlast, m_axis_tuser, m_axis_tkeep, m_axis_tdata} = offered;

    always_ff @(posedge clk) begin
        if (!m_axis_tvalid || m_axis_tready) begin
            offered       <= s_axis_tready ? arriving : waiting;
            // No waiting beat: what arrives. A waiting beat: that one.
            m_axis_tvalid <= !s_axis_tready || s_axis_tvalid;
            s_axis_tready <= 1'b1;
        end else if (s_axis_tvalid && s_axis_tready) begin
            s_axis_tready <= 1'b0;
        end
        if (s_axis_tready) waiting <= arriving;
        if (rst) begin
            m_axis_tvalid <= 1'b0;
            s_axis_tready <= 1'b1;
        end
    end
endmodule
