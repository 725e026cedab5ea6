// Transmit side of a 10 Gb/s Ethernet MAC: AXI4-Stream to XGMII at 64 bits.
//
// Pads to 64 bytes, appends the frame check sequence, and frames. A source must give the beats of a frame in successive
// clocks in which it is asked; what it gives too late is cut, see ww_mac_frame. With frames waiting, the line carries
// them with exactly `gap` characters between them in the mean.
module ww_mac_transmit (
    input  logic        clk,
    input  logic        rst,
    // Characters between frames, /T/ included, 5 or more; 12 is the standard's least.
    input  logic [15:0] gap,
    // Frames without padding and check sequence, from the destination address on.
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic [63:0] s_axis_tdata,
    input  logic [7:0]  s_axis_tkeep,
    input  logic        s_axis_tlast,
    // The word has been taken: the next one, please.
    input  logic        xgmii_take,
    output logic [63:0] xgmii_data,
    output logic [7:0]  xgmii_control,
    output logic        sent,
    output logic        underrun
);
    logic        padded_valid;
    logic        padded_ready;
    logic [63:0] padded_data;
    logic [7:0]  padded_keep;
    logic        padded_last;
    ww_mac_pad u_pad (
        .clk,
        .rst,
        .s_axis_tvalid,
        .s_axis_tready,
        .s_axis_tdata,
        .s_axis_tkeep,
        .s_axis_tlast,
        .m_axis_tvalid(padded_valid),
        .m_axis_tready(padded_ready),
        .m_axis_tdata (padded_data),
        .m_axis_tkeep (padded_keep),
        .m_axis_tlast (padded_last)
    );

    logic        whole_valid;
    logic        whole_ready;
    logic [63:0] whole_data;
    logic [7:0]  whole_keep;
    logic        whole_last;
    logic        unused_user;
    ww_axis_fcs_append #(.WIDTH(64), .USER_WIDTH(1)) u_append (
        .clk,
        .rst,
        .s_axis_tvalid(padded_valid),
        .s_axis_tready(padded_ready),
        .s_axis_tdata (padded_data),
        .s_axis_tkeep (padded_keep),
        .s_axis_tlast (padded_last),
        .s_axis_tuser (1'b0),
        .m_axis_tvalid(whole_valid),
        .m_axis_tready(whole_ready),
        .m_axis_tdata (whole_data),
        .m_axis_tkeep (whole_keep),
        .m_axis_tlast (whole_last),
        .m_axis_tuser (unused_user)
    );

    ww_mac_frame u_frame (
        .clk,
        .rst,
        .gap,
        .s_axis_tvalid(whole_valid),
        .s_axis_tready(whole_ready),
        .s_axis_tdata (whole_data),
        .s_axis_tkeep (whole_keep),
        .s_axis_tlast (whole_last),
        .xgmii_take,
        .xgmii_data,
        .xgmii_control,
        .sent,
        .underrun
    );
endmodule
