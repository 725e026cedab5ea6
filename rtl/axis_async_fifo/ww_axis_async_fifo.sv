// FIFO for an AXI4-Stream between two clocks.
//
// The two sides know each other's pointers in Gray code through two registers each. One beat a clock on
// both sides; a beat that is taken is offered 3 to 4 clocks of m_clk after the next edge of s_clk.
//
// Resets: assert s_rst and m_rst together, each for at least 4 clocks of the slower clock, and let
// nothing in before both are released.
//
// Constraints for synthesis: the paths from the Gray pointers to the first registers behind them (stage[0] of
// ww_synchronizer) need a maximum delay of one period of the clock that they come from and no skew beyond it, for example in
// Vivado
//   set_max_delay -datapath_only -from [get_cells -hier *u_s_pointer/gray_reg*] -to [get_cells -hier *u_s_gray_at_m/stage_reg[0]*] PERIOD_OF_S_CLK
//   set_bus_skew -from [get_cells -hier *u_s_pointer/gray_reg*] -to [get_cells -hier *u_s_gray_at_m/stage_reg[0]*] PERIOD_OF_S_CLK
// and the same with s and m exchanged. With LUT RAM, the path from the RAM to its output register
// crosses too and may be declared false: a word is read long after it was written.
module ww_axis_async_fifo #(
    // Bits of tdata, a multiple of 8.
    parameter int WIDTH = 512,
    // Bits of tuser, 1 or more.
    parameter int USER_WIDTH = 65,
    // Beats, a power of two, 4 or more; 8 and more for one beat a clock; one more fits into the register at the
    // output.
    parameter int DEPTH = 32,
    // Not to be set: bits of tkeep.
    localparam int KEEP_WIDTH = WIDTH / 8
) (
    input  logic s_clk,
    input  logic s_rst,
    input  logic [WIDTH-1:0]      s_axis_tdata,
    input  logic [KEEP_WIDTH-1:0] s_axis_tkeep,
    input  logic [USER_WIDTH-1:0] s_axis_tuser,
    input  logic                  s_axis_tlast,
    input  logic                  s_axis_tvalid,
    output logic                  s_axis_tready,
    input  logic m_clk,
    input  logic m_rst,
    output logic [WIDTH-1:0]      m_axis_tdata,
    output logic [KEEP_WIDTH-1:0] m_axis_tkeep,
    output logic [USER_WIDTH-1:0] m_axis_tuser,
    output logic                  m_axis_tlast,
    output logic                  m_axis_tvalid,
    input  logic                  m_axis_tready
);
    localparam int ADDRESS_WIDTH = $clog2(DEPTH);
    localparam int BEAT_WIDTH = 1 + USER_WIDTH + KEEP_WIDTH + WIDTH;

    if (WIDTH < 8 || WIDTH % 8 != 0) begin : g_illegal_width
        $error("ww_axis_async_fifo: WIDTH must be a multiple of 8");
    end
    if (USER_WIDTH < 1) begin : g_illegal_user_width
        $error("ww_axis_async_fifo: USER_WIDTH must be 1 or more");
    end
    if (DEPTH < 4 || 2 ** ADDRESS_WIDTH != DEPTH) begin : g_illegal_depth
        $error("ww_axis_async_fifo: DEPTH must be a power of two, 4 or more");
    end

    // Pointers have a bit more than addresses, so that full differs from empty.
    logic [ADDRESS_WIDTH-1:0] s_address;
    logic [ADDRESS_WIDTH-1:0] m_address;
    logic [ADDRESS_WIDTH:0]   s_gray_next;
    logic [ADDRESS_WIDTH:0]   s_gray;
    logic [ADDRESS_WIDTH:0]   m_gray;
    logic [ADDRESS_WIDTH:0]   s_gray_at_m;
    logic [ADDRESS_WIDTH:0]   m_gray_at_s;

    logic [BEAT_WIDTH-1:0] memory [DEPTH];
    logic [BEAT_WIDTH-1:0] offered;
    logic                  push;
    logic                  fetch;
    logic [ADDRESS_WIDTH:0] unused_m_gray_next;

    // Side of s_clk.
    assign push = s_axis_tvalid && s_axis_tready;
    ww_gray_pointer #(.ADDRESS_WIDTH(ADDRESS_WIDTH)) u_s_pointer (
        .clk(s_clk), .rst(s_rst), .step(push), .address(s_address), .gray(s_gray), .gray_next(s_gray_next)
    );
    ww_synchronizer #(.WIDTH(ADDRESS_WIDTH + 1)) u_m_gray_at_s (
        .clk(s_clk), .rst(s_rst), .given(m_gray), .taken(m_gray_at_s)
    );
    always_ff @(posedge s_clk) begin
        if (push) begin
            memory[s_address] <= {s_axis_tlast, s_axis_tuser, s_axis_tkeep, s_axis_tdata};
        end
        // Full: the pointers are DEPTH apart, which in Gray code inverts the two highest bits.
        s_axis_tready <= s_gray_next != (m_gray_at_s ^ {2'b11, (ADDRESS_WIDTH - 1)'(0)});
        if (s_rst) s_axis_tready <= 1'b0;
    end

    // Side of m_clk.
    assign fetch = m_gray != s_gray_at_m && (!m_axis_tvalid || m_axis_tready);
    ww_gray_pointer #(.ADDRESS_WIDTH(ADDRESS_WIDTH)) u_m_pointer (
        .clk(m_clk), .rst(m_rst), .step(fetch), .address(m_address), .gray(m_gray), .gray_next(unused_m_gray_next)
    );
    ww_synchronizer #(.WIDTH(ADDRESS_WIDTH + 1)) u_s_gray_at_m (
        .clk(m_clk), .rst(m_rst), .given(s_gray), .taken(s_gray_at_m)
    );
    assign {m_axis_tlast, m_axis_tuser, m_axis_tkeep, m_axis_tdata} = offered;
    always_ff @(posedge m_clk) begin
        if (fetch) offered <= memory[m_address];
        if (fetch) m_axis_tvalid <= 1'b1;
        else if (m_axis_tready) m_axis_tvalid <= 1'b0;
        if (m_rst) m_axis_tvalid <= 1'b0;
    end
endmodule
