// Checks the frame check sequence (IEEE 802.3 clause 3.2.9) at the end of every packet.
//
// In the last beat of a packet with a wrong sequence tuser[0] (bad FCS) becomes one; else tuser stays
// as it is. With STRIP=1 the sequence is removed; a packet of four bytes or fewer then disappears.
// One beat a clock; latency 6 clocks, and a beat that is not the last waits for the next one, which
// may consist of the sequence alone. Paths without a register: m_axis_tready to s_axis_tready.
module ww_axis_fcs_check #(
    // Bits of tdata: 64, 128, 256 or 512.
    parameter int WIDTH = 512,
    // Bits of tuser, 1 or more.
    parameter int USER_WIDTH = 65,
    // 1: the packets go on without their last four bytes.
    parameter int STRIP = 1
) (
    input  logic                  clk,
    input  logic                  rst,
    // Packets with a frame check sequence.
    input  logic                  s_axis_tvalid,
    output logic                  s_axis_tready,
    input  logic [WIDTH-1:0]      s_axis_tdata,
    input  logic [WIDTH/8-1:0]    s_axis_tkeep,
    input  logic                  s_axis_tlast,
    input  logic [USER_WIDTH-1:0] s_axis_tuser,
    // The packets, judged.
    output logic                  m_axis_tvalid,
    input  logic                  m_axis_tready,
    output logic [WIDTH-1:0]      m_axis_tdata,
    output logic [WIDTH/8-1:0]    m_axis_tkeep,
    output logic                  m_axis_tlast,
    output logic [USER_WIDTH-1:0] m_axis_tuser
);
    localparam int BYTES = WIDTH / 8;

    typedef struct packed {
        logic                  last;
        logic [USER_WIDTH-1:0] user;
        logic [BYTES-1:0]      keep;
        logic [WIDTH-1:0]      data;
    } beat_t;

    logic enable;
    assign enable        = m_axis_tready || !m_axis_tvalid;
    assign s_axis_tready = enable;

    beat_t       given;
    logic        now_valid;
    logic        good;
    logic [31:0] unused_crc;
    ww_axis_fcs_line #(.WIDTH(WIDTH), .USER_WIDTH(USER_WIDTH)) u_line (
        .clk, .rst, .enable, .s_valid(s_axis_tvalid), .s_beat({s_axis_tlast, s_axis_tuser, s_axis_tkeep, s_axis_tdata}),
        .m_valid(now_valid), .m_beat(given), .crc(unused_crc), .good
    );

    // The beat at the end of the line, judged; the sequence taken off if it shall be.
    beat_t now;
    logic  now_empty;
    always_comb begin
        now       = given;
        now_empty = 1'b0;
        if (now.last) begin
            now.user[0] = now.user[0] || !good;
            if (STRIP != 0) begin
                now_empty = !now.keep[4];
                now.keep  = now.keep >> 4;
            end
        end
    end

    // The beat before it, which becomes the last if nothing is left of this one.
    beat_t held;
    logic  held_valid;
    logic  cut;
    assign cut = now_valid && now_empty;
    always_ff @(posedge clk) begin
        if (enable) begin
            if (now_valid) begin
                held <= now;
            end
            held_valid    <= now_valid ? !now_empty : held_valid && !held.last;
            m_axis_tvalid <= held_valid && (held.last || now_valid);
            m_axis_tdata  <= held.data;
            m_axis_tkeep  <= held.keep;
            m_axis_tlast  <= held.last;
            m_axis_tuser  <= held.user;
            if (held_valid && !held.last && cut) begin
                // As many bytes of the sequence as this beat has not are in the one before.
                m_axis_tkeep <= {given.keep[3:0], {BYTES - 4{1'b1}}};
                m_axis_tlast <= 1'b1;
                m_axis_tuser <= now.user;
            end
        end
        if (rst) begin
            held_valid    <= 1'b0;
            m_axis_tvalid <= 1'b0;
        end
    end
endmodule
