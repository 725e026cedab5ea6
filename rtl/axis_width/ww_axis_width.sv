// Changes the width of an AXI4-Stream: beats of S_WIDTH bits in, of M_WIDTH bits out.
//
// The wider side's width is a multiple of the narrower one's. Byte order is kept, and only the last
// beat of a packet is partial on either side. The narrower side carries one beat a clock, without a
// gap between packets. From a beat in to the first beat out that needs no more: 2 clocks (equal
// widths: 1). No combinational path from m_axis_tready to s_axis_tready. tuser must be the same in all
// beats of a packet.
module ww_axis_width #(
    // Bits of s_axis_tdata, a multiple of 8.
    parameter int S_WIDTH = 64,
    // Bits of m_axis_tdata, a multiple of 8.
    parameter int M_WIDTH = 512,
    // Bits of tuser, 1 or more.
    parameter int USER_WIDTH = 65,
    // Not to be set: bits of tkeep.
    localparam int S_KEEP_WIDTH = S_WIDTH / 8,
    localparam int M_KEEP_WIDTH = M_WIDTH / 8
) (
    input  logic clk,
    input  logic rst,
    input  logic [S_WIDTH-1:0]      s_axis_tdata,
    input  logic [S_KEEP_WIDTH-1:0] s_axis_tkeep,
    input  logic [USER_WIDTH-1:0]   s_axis_tuser,
    input  logic                    s_axis_tlast,
    input  logic                    s_axis_tvalid,
    output logic                    s_axis_tready,
    output logic [M_WIDTH-1:0]      m_axis_tdata,
    output logic [M_KEEP_WIDTH-1:0] m_axis_tkeep,
    output logic [USER_WIDTH-1:0]   m_axis_tuser,
    output logic                    m_axis_tlast,
    output logic                    m_axis_tvalid,
    input  logic                    m_axis_tready
);
    localparam int WIDE = S_WIDTH > M_WIDTH ? S_WIDTH : M_WIDTH;
    localparam int NARROW = S_WIDTH > M_WIDTH ? M_WIDTH : S_WIDTH;
    localparam int RATIO = WIDE / NARROW;

    if (NARROW < 8 || NARROW % 8 != 0) begin : g_illegal_width
        $error("ww_axis_width: S_WIDTH and M_WIDTH must be multiples of 8");
    end
    if (WIDE % NARROW != 0) begin : g_illegal_ratio
        $error("ww_axis_width: one of S_WIDTH and M_WIDTH must be a multiple of the other");
    end
    if (USER_WIDTH < 1) begin : g_illegal_user_width
        $error("ww_axis_width: USER_WIDTH must be 1 or more");
    end

    // What goes to the register at the output.
    logic [M_WIDTH-1:0]      data;
    logic [M_KEEP_WIDTH-1:0] keep;
    logic [USER_WIDTH-1:0]   user;
    logic                    last;
    logic                    valid;
    logic                    ready;

    if (S_WIDTH == M_WIDTH) begin : g_same
        assign data          = s_axis_tdata;
        assign keep          = s_axis_tkeep;
        assign user          = s_axis_tuser;
        assign last          = s_axis_tlast;
        assign valid         = s_axis_tvalid;
        assign s_axis_tready = ready;
    end else if (S_WIDTH > M_WIDTH) begin : g_narrower
        // The bytes that have not left yet, the next ones lowest.
        logic [S_WIDTH-1:0]      rest_data;
        logic [S_KEEP_WIDTH-1:0] rest_keep;
        logic                    rest_last;
        logic                    ends;

        // No byte after those that leave in this clock.
        assign ends          = rest_keep[S_KEEP_WIDTH-1:M_KEEP_WIDTH] == '0;
        assign s_axis_tready = !valid || (ready && ends);
        assign data          = rest_data[M_WIDTH-1:0];
        assign keep          = rest_keep[M_KEEP_WIDTH-1:0];
        assign last          = rest_last && ends;

        always_ff @(posedge clk) begin
            if (s_axis_tready) begin
                rest_data <= s_axis_tdata;
                rest_keep <= s_axis_tkeep;
                rest_last <= s_axis_tlast;
                user      <= s_axis_tuser;
                valid     <= s_axis_tvalid;
            end else if (ready) begin
                rest_data <= rest_data >> M_WIDTH;
                rest_keep <= rest_keep >> M_KEEP_WIDTH;
            end
            if (rst) valid <= 1'b0;
        end
    end else begin : g_wider
        localparam int PLACE_WIDTH = $clog2(RATIO);
        // Where the next narrow beat goes.
        logic [PLACE_WIDTH-1:0] place;
        logic                   accepted;

        assign s_axis_tready = !valid || ready;
        assign accepted      = s_axis_tvalid && s_axis_tready;

        always_ff @(posedge clk) begin
            if (ready) valid <= 1'b0;
            if (accepted) begin
                if (place == '0) keep <= '0;
                for (int part = 0; part < RATIO; part++) begin
                    if (place == PLACE_WIDTH'(part)) begin
                        data[part*S_WIDTH+:S_WIDTH]           <= s_axis_tdata;
                        keep[part*S_KEEP_WIDTH+:S_KEEP_WIDTH] <= s_axis_tkeep;
                    end
                end
                user  <= s_axis_tuser;
                last  <= s_axis_tlast;
                valid <= s_axis_tlast || place == PLACE_WIDTH'(RATIO - 1);
                place <= s_axis_tlast || place == PLACE_WIDTH'(RATIO - 1) ? '0 : place + 1'b1;
            end
            if (rst) begin
                valid <= 1'b0;
                place <= '0;
            end
        end
    end

    ww_axis_register #(.WIDTH(M_WIDTH), .USER_WIDTH(USER_WIDTH)) u_output (
        .clk,
        .rst,
        .s_axis_tdata (data),
        .s_axis_tkeep (keep),
        .s_axis_tuser (user),
        .s_axis_tlast (last),
        .s_axis_tvalid(valid),
        .s_axis_tready(ready),
        .m_axis_tdata,
        .m_axis_tkeep,
        .m_axis_tuser,
        .m_axis_tlast,
        .m_axis_tvalid,
        .m_axis_tready
    );
endmodule
