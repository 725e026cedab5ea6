// Element of ww_axis_crossbar: two AXI4-Streams in, two out. A packet leaves at output 1 if
// s_axis_tselect of its input is 1, else at output 0; the two inputs share an output packet by packet, in
// turn. Each output carries one beat a clock; a beat passes in one clock.
module ww_axis_switch_2x2 #(
    // Bits of tdata, a multiple of 8.
    parameter int WIDTH = 512,
    // Bits of tuser, 1 or more.
    parameter int USER_WIDTH = 65,
    // Not to be set: bits of tkeep.
    localparam int KEEP_WIDTH = WIDTH / 8
) (
    input  logic clk,
    input  logic rst,
    // The output for the packet at each input, the same in all its beats.
    input  logic [1:0] s_axis_tselect,
    input  logic [2*WIDTH-1:0]      s_axis_tdata,
    input  logic [2*KEEP_WIDTH-1:0] s_axis_tkeep,
    input  logic [2*USER_WIDTH-1:0] s_axis_tuser,
    input  logic [2-1:0]            s_axis_tlast,
    input  logic [2-1:0]            s_axis_tvalid,
    output logic [2-1:0]            s_axis_tready,
    output logic [2*WIDTH-1:0]      m_axis_tdata,
    output logic [2*KEEP_WIDTH-1:0] m_axis_tkeep,
    output logic [2*USER_WIDTH-1:0] m_axis_tuser,
    output logic [2-1:0]            m_axis_tlast,
    output logic [2-1:0]            m_axis_tvalid,
    input  logic [2-1:0]            m_axis_tready
);
    logic [1:0] ready_0;
    logic [1:0] ready_1;

    assign s_axis_tready = (s_axis_tselect & ready_1) | (~s_axis_tselect & ready_0);

    ww_axis_arbiter #(.PORTS(2), .WIDTH(WIDTH), .USER_WIDTH(USER_WIDTH)) u_output_0 (
        .clk,
        .rst,
        .s_axis_tdata,
        .s_axis_tkeep,
        .s_axis_tuser,
        .s_axis_tlast,
        .s_axis_tvalid(s_axis_tvalid & ~s_axis_tselect),
        .s_axis_tready(ready_0),
        .m_axis_tdata (m_axis_tdata[WIDTH-1:0]),
        .m_axis_tkeep (m_axis_tkeep[KEEP_WIDTH-1:0]),
        .m_axis_tuser (m_axis_tuser[USER_WIDTH-1:0]),
        .m_axis_tlast (m_axis_tlast[0]),
        .m_axis_tvalid(m_axis_tvalid[0]),
        .m_axis_tready(m_axis_tready[0])
    );
    ww_axis_arbiter #(.PORTS(2), .WIDTH(WIDTH), .USER_WIDTH(USER_WIDTH)) u_output_1 (
        .clk,
        .rst,
        .s_axis_tdata,
        .s_axis_tkeep,
        .s_axis_tuser,
        .s_axis_tlast,
        .s_axis_tvalid(s_axis_tvalid & s_axis_tselect),
        .s_axis_tready(ready_1),
        .m_axis_tdata (m_axis_tdata[2*WIDTH-1:WIDTH]),
        .m_axis_tkeep (m_axis_tkeep[2*KEEP_WIDTH-1:KEEP_WIDTH]),
        .m_axis_tuser (m_axis_tuser[2*USER_WIDTH-1:USER_WIDTH]),
        .m_axis_tlast (m_axis_tlast[1]),
        .m_axis_tvalid(m_axis_tvalid[1]),
        .m_axis_tready(m_axis_tready[1])
    );
endmodule
