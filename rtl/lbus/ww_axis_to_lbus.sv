// From an AXI4-Stream to the segmented local bus of a 100G MAC: transmit side.
//
// A frame begins in segment 0, and has a beat in each clock up to its end, as the MAC asks for: it is sent when its end, or START beats of it, are in the FIFO.
// So START is what the source may wait in all within a frame. If it waits longer, the frame is cut and marked as bad.
//
// Source: 002-monitoring-limago 2.2 (S2).
module ww_axis_to_lbus #(
    // Beats of a frame before it begins, if its end is not there. The FIFO has twice as many: for any source, half a FIFO of the longest frame.
    parameter int START = 256,
    // Not to be set.
    localparam int DEPTH = START < 1 ? 2 : 2 * START
) (
    input  logic              clk,
    input  logic              rst,
    // `tuser` counts with a last beat: the frame is bad.
    input  logic [511:0]      s_axis_tdata,
    input  logic [63:0]       s_axis_tkeep,
    input  logic              s_axis_tuser,
    input  logic              s_axis_tlast,
    input  logic              s_axis_tvalid,
    output logic              s_axis_tready,
    // The MAC takes what comes in the clock behind one in which it was ready.
    input  logic              m_lbus_ready,
    output logic [3:0]        m_lbus_ena,
    output logic [3:0]        m_lbus_sop,
    output logic [3:0]        m_lbus_eop,
    output logic [3:0]        m_lbus_err,
    output logic [3:0][3:0]   m_lbus_mty,
    output logic [3:0][127:0] m_lbus_data,
    // For one clock: a frame is cut.
    output logic              event_underflow
);
    if (START < 1) begin : g_illegal_start
        $error("ww_axis_to_lbus: START must be 1 or more");
    end
    localparam int LEVEL_WIDTH = $clog2(DEPTH + 2);

    logic [511:0]           data;
    logic [63:0]            keep;
    logic                   user;
    logic                   last;
    logic                   valid;
    logic                   take;
    logic [LEVEL_WIDTH-1:0] level;
    ww_axis_fifo #(.WIDTH(512), .USER_WIDTH(1), .DEPTH(DEPTH)) u_fifo (
        .clk, .rst, .s_axis_tdata, .s_axis_tkeep, .s_axis_tuser, .s_axis_tlast, .s_axis_tvalid, .s_axis_tready, .m_axis_tdata(data), .m_axis_tkeep(keep),
        .m_axis_tuser(user), .m_axis_tlast(last), .m_axis_tvalid(valid), .m_axis_tready(take), .level
    );

    // Ends of frames in the FIFO.
    logic [LEVEL_WIDTH-1:0] ends;
    logic                   in_frame;
    // What is left of a frame that was cut.
    logic                   discards;
    logic                   starts;
    logic                   sends;
    logic                   cuts;
    logic [3:0]             used;
    logic [3:0]             ends_in;
    assign starts = valid && !in_frame && (ends != '0 || level >= LEVEL_WIDTH'(START));
    assign sends  = m_lbus_ready && !discards && (in_frame ? valid : starts);
    assign cuts   = m_lbus_ready && in_frame && !valid && !discards;
    assign take   = sends || discards;
    always_comb for (int n = 0; n < 4; n++) used[n] = keep[16*n];
    assign ends_in = last ? used & ~{1'b0, used[3:1]} : '0;

    always_ff @(posedge clk) begin
        ends <= ends + LEVEL_WIDTH'(s_axis_tvalid && s_axis_tready && s_axis_tlast) - LEVEL_WIDTH'(take && valid && last);
        if (sends) in_frame <= !last;
        if (cuts) begin
            in_frame <= 1'b0;
            discards <= 1'b1;
        end
        if (discards && valid && last) discards <= 1'b0;
        event_underflow <= cuts;
        m_lbus_ena      <= cuts ? 4'd1 : sends ? used : '0;
        m_lbus_sop      <= {3'd0, sends && !in_frame};
        for (int n = 0; n < 4; n++) begin
            m_lbus_eop[n] <= (cuts && n == 0) || (sends && ends_in[n]);
            m_lbus_err[n] <= (cuts && n == 0) || (sends && ends_in[n] && user);
            m_lbus_mty[n] <= '0;
            for (int empty = 1; empty < 16; empty++) if (!cuts && !keep[16*n+16-empty]) m_lbus_mty[n] <= 4'(empty);
            for (int lane = 0; lane < 16; lane++) m_lbus_data[n][8*(15-lane)+:8] <= data[128*n+8*lane+:8];
        end
        if (rst) begin
            ends            <= '0;
            in_frame        <= 1'b0;
            discards        <= 1'b0;
            event_underflow <= 1'b0;
            m_lbus_ena      <= '0;
        end
    end
endmodule
