// ww_fifo is a queue: no word is lost, doubled, changed or overtaken, and it neither refuses a word
// while there is room nor holds one back. One word, chosen freely, is followed from its entry to its
// exit; so the proof speaks about all of them.
module ww_fifo_properties #(
    parameter int WIDTH = 2,
    parameter int DEPTH = 3
) (
    input logic             clk,
    input logic             rst,
    input logic             s_valid,
    input logic [WIDTH-1:0] s_data,
    input logic             m_ready,
    // Free inputs of the proof: follow the word that enters now.
    input logic             choose
);
    localparam int LEVEL_WIDTH = $clog2(DEPTH + 1);

    logic                   s_ready;
    logic                   m_valid;
    logic [WIDTH-1:0]       m_data;
    logic [LEVEL_WIDTH-1:0] level;

    ww_fifo #(.WIDTH(WIDTH), .DEPTH(DEPTH)) dut (.*);

    logic                   started;
    logic                   after_reset;
    logic                   followed;
    logic [WIDTH-1:0]       value;
    // Words in front of the followed one.
    logic [LEVEL_WIDTH-1:0] ahead;
    logic                   push;
    logic                   pop;

    initial begin
        started     = 1'b0;
        after_reset = 1'b0;
        followed    = 1'b0;
    end
    assign push = s_valid && s_ready;
    assign pop  = m_valid && m_ready;

    always_ff @(posedge clk) begin
        started     <= 1'b1;
        after_reset <= rst;
        if (rst) begin
            followed <= 1'b0;
        end else if (followed) begin
            if (pop) begin
                followed <= ahead != '0;
                ahead    <= ahead - 1'b1;
            end
        end else if (push && choose) begin
            followed <= 1'b1;
            value    <= s_data;
            ahead    <= level - LEVEL_WIDTH'(pop);
        end
    end

    // Where the followed word must be in the memory: needed for the induction.
    int place;
    always_comb begin
        place = int'(dut.read_pointer) + int'(ahead);
        if (place >= DEPTH) place -= DEPTH;
    end

    always_ff @(posedge clk) begin
        if (!started) assume (rst);
        if (started) begin
            assert (int'(level) <= DEPTH);
            assert (m_valid == (level != '0));
            // The clock after reset is the only one in which it refuses with room inside.
            assert (s_ready == (int'(level) < DEPTH && !after_reset));
            assert (int'(dut.read_pointer) < DEPTH && int'(dut.write_pointer) < DEPTH);
            assert ((int'(dut.write_pointer) + DEPTH - int'(dut.read_pointer)) % DEPTH
                    == int'(level) % DEPTH);
            if (after_reset) assert (level == '0);
            if (followed) begin
                assert (ahead < level);
                assert (dut.u_memory.memory[place] == value);
                if (ahead == '0) assert (m_data == value);
            end
        end
        cover (started && followed && pop && ahead == '0 && int'(level) == DEPTH);
    end
endmodule
