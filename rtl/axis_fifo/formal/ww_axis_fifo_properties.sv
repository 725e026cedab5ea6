// ww_axis_fifo loses, doubles, changes and reorders no beat, takes one whenever there is room, and
// offers one at the latest two clocks after it came in. One beat, chosen freely, is followed from its
// entry to its exit; so the proof speaks about all of them.
module ww_axis_fifo_properties (
    input logic       clk,
    input logic       rst,
    input logic [7:0] s_axis_tdata,
    input logic       s_axis_tkeep,
    input logic       s_axis_tuser,
    input logic       s_axis_tlast,
    input logic       s_axis_tvalid,
    input logic       m_axis_tready,
    // Free input of the proof: follow the beat that enters now.
    input logic       choose
);
    localparam int DEPTH = 3;

    logic       s_axis_tready;
    logic [7:0] m_axis_tdata;
    logic       m_axis_tkeep;
    logic       m_axis_tuser;
    logic       m_axis_tlast;
    logic       m_axis_tvalid;
    logic [2:0] level;

    ww_axis_fifo #(.WIDTH(8), .USER_WIDTH(1), .DEPTH(DEPTH)) dut (.*);

    logic        started;
    logic        after_reset;
    logic        followed;
    logic [10:0] value;
    // Beats in front of the followed one.
    logic [2:0]  ahead;
    logic        push;
    logic        pop;
    logic [10:0] offered;
    logic        was_empty_at_output;

    initial begin
        started     = 1'b0;
        after_reset = 1'b0;
        followed    = 1'b0;
    end
    assign push    = s_axis_tvalid && s_axis_tready;
    assign pop     = m_axis_tvalid && m_axis_tready;
    assign offered = {m_axis_tlast, m_axis_tuser, m_axis_tkeep, m_axis_tdata};

    always_ff @(posedge clk) begin
        started             <= 1'b1;
        after_reset         <= rst;
        was_empty_at_output <= !rst && !m_axis_tvalid && level != '0;
        if (rst) begin
            followed <= 1'b0;
        end else if (followed) begin
            if (pop) begin
                followed <= ahead != '0;
                ahead    <= ahead - 1'b1;
            end
        end else if (push && choose) begin
            followed <= 1'b1;
            value    <= {s_axis_tlast, s_axis_tuser, s_axis_tkeep, s_axis_tdata};
            ahead    <= level - 3'(pop);
        end
    end

    // Where the followed beat must be in the memory: needed for the induction.
    int place;
    always_comb begin
        place = int'(dut.read_pointer) + int'(ahead) - int'(m_axis_tvalid);
        if (place >= DEPTH) place -= DEPTH;
    end

    always_ff @(posedge clk) begin
        if (!started) assume (rst);
        if (started) begin
            assert (int'(dut.stored) <= DEPTH);
            assert (level == dut.stored + 3'(m_axis_tvalid));
            // The clock after reset is the only one in which it refuses with room inside.
            assert (s_axis_tready == (int'(dut.stored) < DEPTH && !after_reset));
            assert (int'(dut.read_pointer) < DEPTH && int'(dut.write_pointer) < DEPTH);
            assert ((int'(dut.write_pointer) + DEPTH - int'(dut.read_pointer)) % DEPTH
                    == int'(dut.stored) % DEPTH);
            if (after_reset) assert (level == '0);
            // A beat inside is at the output one clock after it is in the memory.
            if (was_empty_at_output) assert (m_axis_tvalid);
            if (followed) begin
                assert (ahead < level);
                if (ahead == '0 && m_axis_tvalid) assert (offered == value);
                else assert (dut.u_memory.memory[place] == value);
            end
        end
        cover (started && followed && pop && ahead == '0 && int'(level) == DEPTH + 1);
    end
endmodule
