// FIFO for an AXI4-Stream in block RAM.
//
// First word falls through; one beat a clock; a beat that is taken in clock t is offered in clock
// t + 2. No combinational path from m_axis_tready to s_axis_tready. It knows no packets: beats leave
// as they come (ww_ring_buffer is the one that keeps or drops whole packets).
module ww_axis_fifo #(
    // Bits of tdata, a multiple of 8.
    parameter int WIDTH = 512,
    // Bits of tuser, 1 or more.
    parameter int USER_WIDTH = 65,
    // Beats in the RAM, 2 or more; one more fits into the register at the output.
    parameter int DEPTH = 512,
    // Not to be set: bits of tkeep and of the level.
    localparam int KEEP_WIDTH = WIDTH / 8,
    localparam int LEVEL_WIDTH = $clog2(DEPTH + 2)
) (
    input  logic                   clk,
    input  logic                   rst,
    input  logic [WIDTH-1:0]       s_axis_tdata,
    input  logic [KEEP_WIDTH-1:0]  s_axis_tkeep,
    input  logic [USER_WIDTH-1:0]  s_axis_tuser,
    input  logic                   s_axis_tlast,
    input  logic                   s_axis_tvalid,
    output logic                   s_axis_tready,
    output logic [WIDTH-1:0]       m_axis_tdata,
    output logic [KEEP_WIDTH-1:0]  m_axis_tkeep,
    output logic [USER_WIDTH-1:0]  m_axis_tuser,
    output logic                   m_axis_tlast,
    output logic                   m_axis_tvalid,
    input  logic                   m_axis_tready,
    // Beats inside, with the one at the output.
    output logic [LEVEL_WIDTH-1:0] level
);
    if (WIDTH < 8 || WIDTH % 8 != 0) begin : g_illegal_width
        $error("ww_axis_fifo: WIDTH must be a multiple of 8");
    end
    if (USER_WIDTH < 1) begin : g_illegal_user_width
        $error("ww_axis_fifo: USER_WIDTH must be 1 or more");
    end
    if (DEPTH < 2) begin : g_illegal_depth
        $error("ww_axis_fifo: DEPTH must be 2 or more");
    end

    localparam int BEAT_WIDTH = 1 + USER_WIDTH + KEEP_WIDTH + WIDTH;
    localparam int ADDRESS_WIDTH = $clog2(DEPTH);
    localparam logic [ADDRESS_WIDTH-1:0] LAST = ADDRESS_WIDTH'(DEPTH - 1);

    logic [ADDRESS_WIDTH-1:0] write_pointer;
    logic [ADDRESS_WIDTH-1:0] read_pointer;
    // Beats in the RAM that have not been read yet.
    logic [LEVEL_WIDTH-1:0]   stored;
    logic                     push;
    logic                     fetch;

    assign push  = s_axis_tvalid && s_axis_tready;
    // The RAM's own output register is that of the FIFO: it is filled when empty or taken.
    assign fetch = stored != '0 && (!m_axis_tvalid || m_axis_tready);
    assign level = stored + LEVEL_WIDTH'(m_axis_tvalid);

    ww_ram_sdp #(
        .WIDTH(BEAT_WIDTH),
        .DEPTH(DEPTH)
    ) u_memory (
        .clk,
        .wr_en  (push),
        .wr_addr(write_pointer),
        .wr_data({s_axis_tlast, s_axis_tuser, s_axis_tkeep, s_axis_tdata}),
        .rd_en  (fetch),
        .rd_addr(read_pointer),
        .rd_data({m_axis_tlast, m_axis_tuser, m_axis_tkeep, m_axis_tdata})
    );

    always_ff @(posedge clk) begin
        if (push) write_pointer <= write_pointer == LAST ? '0 : write_pointer + 1'b1;
        if (fetch) read_pointer <= read_pointer == LAST ? '0 : read_pointer + 1'b1;
        stored        <= stored + LEVEL_WIDTH'(push) - LEVEL_WIDTH'(fetch);
        s_axis_tready <= fetch || stored + LEVEL_WIDTH'(push) < LEVEL_WIDTH'(DEPTH);
        if (fetch) m_axis_tvalid <= 1'b1;
        else if (m_axis_tready) m_axis_tvalid <= 1'b0;
        if (rst) begin
            write_pointer <= '0;
            read_pointer  <= '0;
            stored        <= '0;
            s_axis_tready <= 1'b0;
            m_axis_tvalid <= 1'b0;
        end
    end
endmodule
