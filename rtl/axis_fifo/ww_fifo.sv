// Small FIFO of words with valid/ready on both sides, in LUT RAM.
//
// First word falls through: a word that is taken in one clock is offered in the next. One word a
// clock for DEPTH of 2 and more. No combinational path from one side to the other.
module ww_fifo #(
    // Bits of a word, 1 or more.
    parameter int WIDTH = 32,
    // Words that it holds, 1 or more.
    parameter int DEPTH = 16,
    // Not to be set: bits of the level.
    localparam int LEVEL_WIDTH = $clog2(DEPTH + 1)
) (
    input  logic                   clk,
    input  logic                   rst,
    // Word in; taken in a clock with both s_valid and s_ready.
    input  logic                   s_valid,
    output logic                   s_ready,
    input  logic [WIDTH-1:0]       s_data,
    // Oldest word; gone after a clock with both m_valid and m_ready.
    output logic                   m_valid,
    input  logic                   m_ready,
    output logic [WIDTH-1:0]       m_data,
    // Words inside.
    output logic [LEVEL_WIDTH-1:0] level
);
    if (WIDTH < 1) begin : g_illegal_width
        $error("ww_fifo: WIDTH must be 1 or more");
    end
    if (DEPTH < 1) begin : g_illegal_depth
        $error("ww_fifo: DEPTH must be 1 or more");
    end

    localparam int ADDRESS_WIDTH = DEPTH > 1 ? $clog2(DEPTH) : 1;
    localparam logic [ADDRESS_WIDTH-1:0] LAST = ADDRESS_WIDTH'(DEPTH - 1);

    logic [ADDRESS_WIDTH-1:0] write_pointer;
    logic [ADDRESS_WIDTH-1:0] read_pointer;
    logic                     push;
    logic                     pop;

    assign push = s_valid && s_ready;
    assign pop  = m_valid && m_ready;

    ww_ram_async #(
        .WIDTH(WIDTH),
        .DEPTH(DEPTH)
    ) u_memory (
        .clk,
        .wr_en  (push),
        .wr_addr(write_pointer),
        .wr_data(s_data),
        .rd_addr(read_pointer),
        .rd_data(m_data)
    );

    always_ff @(posedge clk) begin
        if (push) write_pointer <= write_pointer == LAST ? '0 : write_pointer + 1'b1;
        if (pop) read_pointer <= read_pointer == LAST ? '0 : read_pointer + 1'b1;
        level   <= level + LEVEL_WIDTH'(push) - LEVEL_WIDTH'(pop);
        // Registers of their own, so that neither side waits for a comparison.
        m_valid <= push || level > LEVEL_WIDTH'(pop);
        s_ready <= pop || level + LEVEL_WIDTH'(push) < LEVEL_WIDTH'(DEPTH);
        if (rst) begin
            write_pointer <= '0;
            read_pointer  <= '0;
            level         <= '0;
            m_valid       <= 1'b0;
            s_ready       <= 1'b0;
        end
    end
endmodule
