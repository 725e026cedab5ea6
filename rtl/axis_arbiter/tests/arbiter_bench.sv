// ww_axis_arbiter of three inputs, each with signals of its own.
module arbiter_bench #(
    parameter int WIDTH = 64,
    parameter int USER_WIDTH = 65,
    localparam int KEEP_WIDTH = WIDTH / 8
) (
    input  logic clk,
    input  logic rst,
    input  logic [WIDTH-1:0] s0_axis_tdata,
    input  logic [KEEP_WIDTH-1:0] s0_axis_tkeep,
    input  logic [USER_WIDTH-1:0] s0_axis_tuser,
    input  logic s0_axis_tlast,
    input  logic s0_axis_tvalid,
    output logic s0_axis_tready,
    input  logic [WIDTH-1:0] s1_axis_tdata,
    input  logic [KEEP_WIDTH-1:0] s1_axis_tkeep,
    input  logic [USER_WIDTH-1:0] s1_axis_tuser,
    input  logic s1_axis_tlast,
    input  logic s1_axis_tvalid,
    output logic s1_axis_tready,
    input  logic [WIDTH-1:0] s2_axis_tdata,
    input  logic [KEEP_WIDTH-1:0] s2_axis_tkeep,
    input  logic [USER_WIDTH-1:0] s2_axis_tuser,
    input  logic s2_axis_tlast,
    input  logic s2_axis_tvalid,
    output logic s2_axis_tready,
    output logic [WIDTH-1:0] m_axis_tdata,
    output logic [KEEP_WIDTH-1:0] m_axis_tkeep,
    output logic [USER_WIDTH-1:0] m_axis_tuser,
    output logic m_axis_tlast,
    output logic m_axis_tvalid,
    input  logic m_axis_tready
);
    ww_axis_arbiter #(.PORTS(3), .WIDTH(WIDTH), .USER_WIDTH(USER_WIDTH)) dut (
        .clk, .rst,
        .s_axis_tdata({s2_axis_tdata, s1_axis_tdata, s0_axis_tdata}),
        .s_axis_tkeep({s2_axis_tkeep, s1_axis_tkeep, s0_axis_tkeep}),
        .s_axis_tuser({s2_axis_tuser, s1_axis_tuser, s0_axis_tuser}),
        .s_axis_tlast({s2_axis_tlast, s1_axis_tlast, s0_axis_tlast}),
        .s_axis_tvalid({s2_axis_tvalid, s1_axis_tvalid, s0_axis_tvalid}),
        .s_axis_tready({s2_axis_tready, s1_axis_tready, s0_axis_tready}),
        .m_axis_tdata(m_axis_tdata),
        .m_axis_tkeep(m_axis_tkeep),
        .m_axis_tuser(m_axis_tuser),
        .m_axis_tlast(m_axis_tlast),
        .m_axis_tvalid(m_axis_tvalid),
        .m_axis_tready(m_axis_tready)
    );
endmodule
