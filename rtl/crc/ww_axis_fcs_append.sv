// Appends the frame check sequence (IEEE 802.3 clause 3.2.9) to every packet.
//
// A packet whose last beat has fewer than four bytes of room becomes one beat longer. Throughput: one
// beat of output a clock, one packet after another without a gap. Latency: 5 clocks. Paths without a
// register: m_axis_tready to s_axis_tready. It does not pad short packets.
module ww_axis_fcs_append #(
    // Bits of tdata: 64, 128, 256 or 512.
    parameter int WIDTH = 512,
    // Bits of tuser.
    parameter int USER_WIDTH = 65
) (
    input  logic                  clk,
    input  logic                  rst,
    // Packets without a frame check sequence.
    input  logic                  s_axis_tvalid,
    output logic                  s_axis_tready,
    input  logic [WIDTH-1:0]      s_axis_tdata,
    input  logic [WIDTH/8-1:0]    s_axis_tkeep,
    input  logic                  s_axis_tlast,
    input  logic [USER_WIDTH-1:0] s_axis_tuser,
    // Packets with it. The beat that is added has the tuser of the one before.
    output logic                  m_axis_tvalid,
    input  logic                  m_axis_tready,
    output logic [WIDTH-1:0]      m_axis_tdata,
    output logic [WIDTH/8-1:0]    m_axis_tkeep,
    output logic                  m_axis_tlast,
    output logic [USER_WIDTH-1:0] m_axis_tuser
);
    localparam int BYTES = WIDTH / 8;
    localparam int COUNT_WIDTH = $clog2(BYTES + 1);

    typedef struct packed {
        logic                  last;
        logic [USER_WIDTH-1:0] user;
        logic [BYTES-1:0]      keep;
        logic [WIDTH-1:0]      data;
    } beat_t;

    // The output is free to move; and no added beat needs it.
    logic enable;
    logic moves;
    assign enable        = m_axis_tready || !m_axis_tvalid;
    assign s_axis_tready = moves;

    beat_t       now;
    logic        now_valid;
    logic        unused_good;
    logic [31:0] crc;
    ww_axis_fcs_line #(.WIDTH(WIDTH), .USER_WIDTH(USER_WIDTH)) u_line (
        .clk, .rst, .enable(moves), .s_valid(s_axis_tvalid), .s_beat({s_axis_tlast, s_axis_tuser, s_axis_tkeep, s_axis_tdata}),
        .m_valid(now_valid), .m_beat(now), .crc, .good(unused_good)
    );

    // The beat at the end of the line, with the sequence behind its last byte.
    logic [COUNT_WIDTH-1:0] count;
    logic [WIDTH-1:0]       masked;
    logic [WIDTH+31:0]      extended;
    logic [BYTES+3:0]       extended_keep;
    ww_axis_keep_count #(.BYTES(BYTES)) count_keep (
        .keep(now.keep),
        .count
    );
    always_comb begin
        for (int i = 0; i < BYTES; i++) masked[8*i+:8] = now.keep[i] ? now.data[8*i+:8] : 8'h00;
        extended      = {32'h0, now.data};
        extended_keep = {4'h0, {BYTES{1'b1}}};
        if (now.last) begin
            extended      = {32'h0, masked} | (WIDTH + 32)'(crc) << {count, 3'b000};
            extended_keep = {now.keep, 4'hf};
        end
    end

    // What did not fit into the beat; `spills` while it is to be sent.
    logic        spills;
    logic [31:0] rest;
    logic [3:0]  rest_keep;
    assign moves = enable && !spills;
    always_ff @(posedge clk) begin
        if (enable) begin
            if (spills) begin
                spills       <= 1'b0;
                m_axis_tdata <= WIDTH'(rest);
                m_axis_tkeep <= BYTES'(rest_keep);
                m_axis_tlast <= 1'b1;
            end else begin
                spills        <= now_valid && extended_keep[BYTES];
                rest          <= extended[WIDTH+:32];
                rest_keep     <= extended_keep[BYTES+:4];
                m_axis_tvalid <= now_valid;
                m_axis_tdata  <= extended[WIDTH-1:0];
                m_axis_tkeep  <= extended_keep[BYTES-1:0];
                m_axis_tlast  <= now.last && !extended_keep[BYTES];
                m_axis_tuser  <= now.user;
            end
        end
        if (rst) begin
            spills        <= 1'b0;
            m_axis_tvalid <= 1'b0;
        end
    end
endmodule
