// ww_axis_register loses, doubles, changes and reorders no beat, keeps an offered beat until it is
// taken, and refuses one only while two are inside. One beat, chosen freely, is followed.
module ww_axis_register_properties (
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
    logic       s_axis_tready;
    logic [7:0] m_axis_tdata;
    logic       m_axis_tkeep;
    logic       m_axis_tuser;
    logic       m_axis_tlast;
    logic       m_axis_tvalid;

    ww_axis_register #(.WIDTH(8), .USER_WIDTH(1)) dut (.*);

    logic        started;
    logic        after_reset;
    // Beats inside, counted from what passed the two sides.
    logic [1:0]  held;
    logic        followed;
    logic        is_second;
    logic [10:0] value;
    logic        push;
    logic        pop;

    initial begin
        started     = 1'b0;
        after_reset = 1'b0;
        held        = '0;
        followed    = 1'b0;
    end
    assign push = s_axis_tvalid && s_axis_tready;
    assign pop  = m_axis_tvalid && m_axis_tready;

    always_ff @(posedge clk) begin
        started     <= 1'b1;
        after_reset <= rst;
        held        <= rst ? '0 : held + 2'(push) - 2'(pop);
        if (rst) begin
            followed <= 1'b0;
        end else if (followed) begin
            if (pop) begin
                followed  <= is_second;
                is_second <= 1'b0;
            end
        end else if (push && choose) begin
            followed  <= 1'b1;
            value     <= {s_axis_tlast, s_axis_tuser, s_axis_tkeep, s_axis_tdata};
            is_second <= held != 2'(pop);
        end
    end

    always_ff @(posedge clk) begin
        if (!started) assume (rst);
        if (started) begin
            assert (held <= 2'd2);
            assert (m_axis_tvalid == (held != 2'd0));
            assert (s_axis_tready == (held != 2'd2));
            if (after_reset) assert (held == 2'd0);
            if (followed) begin
                assert (held > 2'(is_second));
                if (is_second) assert (dut.waiting == value);
                else assert ({m_axis_tlast, m_axis_tuser, m_axis_tkeep, m_axis_tdata} == value);
            end
        end
        cover (started && followed && is_second && pop);
        cover (started && followed && !is_second && pop && held == 2'd2);
    end
endmodule
