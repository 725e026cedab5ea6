// A stream through both adapters, with the line between them.
module ww_lbus_link (
    input  logic         clk,
    input  logic         rst,
    input  logic [511:0] s_axis_tdata,
    input  logic [63:0]  s_axis_tkeep,
    input  logic         s_axis_tuser,
    input  logic         s_axis_tlast,
    input  logic         s_axis_tvalid,
    output logic         s_axis_tready,
    output logic [511:0] m_axis_tdata,
    output logic [63:0]  m_axis_tkeep,
    output logic         m_axis_tuser,
    output logic         m_axis_tlast,
    output logic         m_axis_tvalid,
    output logic [3:0]   line_ena,
    output logic [3:0]   line_sop,
    output logic [3:0]   line_eop,
    output logic         event_overflow,
    output logic         event_underflow
);
    logic              ready;
    logic [3:0]        ena;
    logic [3:0]        sop;
    logic [3:0]        eop;
    logic [3:0]        err;
    logic [3:0][3:0]   mty;
    logic [3:0][127:0] data;
    logic              cut;
    ww_axis_to_lbus #(.START(8)) u_transmit (
        .clk, .rst, .s_axis_tdata, .s_axis_tkeep, .s_axis_tuser, .s_axis_tlast, .s_axis_tvalid, .s_axis_tready, .m_lbus_ready(ready), .m_lbus_ena(ena),
        .m_lbus_sop(sop), .m_lbus_eop(eop), .m_lbus_err(err), .m_lbus_mty(mty), .m_lbus_data(data), .event_underflow(cut)
    );
    logic [3:0]        line_err;
    logic [3:0][3:0]   line_mty;
    logic [3:0][127:0] line_data;
    logic              starved;
    ww_lbus_wire u_wire (
        .clk, .rst, .s_lbus_ena(ena), .s_lbus_sop(sop), .s_lbus_eop(eop), .s_lbus_err(err), .s_lbus_mty(mty), .s_lbus_data(data), .s_lbus_ready(ready),
        .m_lbus_ena(line_ena), .m_lbus_sop(line_sop), .m_lbus_eop(line_eop), .m_lbus_err(line_err), .m_lbus_mty(line_mty), .m_lbus_data(line_data),
        .event_underflow(starved)
    );
    logic stray;
    ww_lbus_to_axis u_receive (
        .clk, .rst, .s_lbus_ena(line_ena), .s_lbus_sop(line_sop), .s_lbus_eop(line_eop), .s_lbus_err(line_err), .s_lbus_mty(line_mty),
        .s_lbus_data(line_data), .m_axis_tdata, .m_axis_tkeep, .m_axis_tuser, .m_axis_tlast, .m_axis_tvalid, .event_overflow, .event_stray(stray)
    );
    assign event_underflow = cut || starved || stray;
endmodule
