// Lengthens Ethernet frames that are too short: zeros up to 60 bytes, so that with the frame check sequence they
// have 64 (IEEE 802.3 clause 3.2.8). 64 bits a clock; latency one clock.
//
// Paths without a register: m_axis_tready to s_axis_tready.
module ww_mac_pad (
    input  logic        clk,
    input  logic        rst,
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic [63:0] s_axis_tdata,
    input  logic [7:0]  s_axis_tkeep,
    input  logic        s_axis_tlast,
    output logic        m_axis_tvalid,
    input  logic        m_axis_tready,
    output logic [63:0] m_axis_tdata,
    output logic [7:0]  m_axis_tkeep,
    output logic        m_axis_tlast
);
    // The beat in which byte 59 is, and one more for all behind it.
    localparam logic [3:0] LAST_BEAT = 4'd7;
    localparam logic [3:0] LONG = 4'd8;
    localparam logic [7:0] LAST_KEEP = 8'h0f;

    logic [3:0]  beat;
    logic        pads;
    logic        enable;
    logic        ends_early;
    logic [63:0] masked;
    assign enable        = m_axis_tready || !m_axis_tvalid;
    assign s_axis_tready = enable && !pads;
    assign ends_early    = s_axis_tlast && beat < LAST_BEAT;
    always_comb begin
        for (int i = 0; i < 8; i++) masked[8*i+:8] = s_axis_tkeep[i] ? s_axis_tdata[8*i+:8] : 8'h00;
    end

    always_ff @(posedge clk) begin
        if (enable) begin
            m_axis_tvalid <= pads || s_axis_tvalid;
            if (pads) begin
                m_axis_tdata <= '0;
                m_axis_tkeep <= beat == LAST_BEAT ? LAST_KEEP : '1;
                m_axis_tlast <= beat == LAST_BEAT;
                pads         <= beat != LAST_BEAT;
                beat         <= beat == LAST_BEAT ? '0 : beat + 4'd1;
            end else if (s_axis_tvalid) begin
                m_axis_tdata <= masked;
                m_axis_tkeep <= s_axis_tkeep | (ends_early ? 8'hff : beat == LAST_BEAT ? LAST_KEEP : 8'h00);
                m_axis_tlast <= s_axis_tlast && !ends_early;
                pads         <= ends_early;
                if (s_axis_tlast && !ends_early) beat <= '0;
                else if (beat != LONG)           beat <= beat + 4'd1;
            end
        end
        if (rst) begin
            m_axis_tvalid <= 1'b0;
            pads          <= 1'b0;
            beat          <= '0;
        end
    end
endmodule
