// ww_axis_arbiter loses, doubles, changes and reorders no beat of an input, never mixes packets, lets
// no input wait for more than one packet of the other, and always serves an input if one offers. One
// beat of either input, chosen freely, is followed from its entry to its exit. Checked for every
// behaviour of the first clocks (bounded).
module ww_axis_arbiter_properties (
    input logic        clk,
    input logic        rst,
    input logic [15:0] s_axis_tdata,
    input logic [1:0]  s_axis_tkeep,
    input logic [1:0]  s_axis_tlast,
    input logic [1:0]  s_axis_tvalid,
    input logic        m_axis_tready,
    // Free inputs of the proof: follow the beat that enters now, at this input.
    input logic        choose,
    input logic        choose_port
);
    logic [1:0] s_axis_tuser;
    logic [1:0] s_axis_tready;
    logic [7:0] m_axis_tdata;
    logic       m_axis_tkeep;
    logic       m_axis_tuser;
    logic       m_axis_tlast;
    logic       m_axis_tvalid;

    // tuser tells the input that a beat came from.
    assign s_axis_tuser = 2'b10;

    ww_axis_arbiter #(.PORTS(2), .WIDTH(8), .USER_WIDTH(1)) dut (.*);

    logic        started;
    logic        followed;
    logic        is_second;
    logic [10:0] value;
    // Beats inside.
    logic [1:0]  held;
    logic [1:0]  push;
    logic        pop;
    logic        out_in_packet;
    logic        out_port;
    // Packets of the other input that were begun while input i has been offering one.
    logic [1:0]  overtaken [2];
    logic [1:0]  in_packet;

    initial begin
        started   = 1'b0;
        followed  = 1'b0;
        held      = '0;
        in_packet = '0;
    end
    assign push = s_axis_tvalid & s_axis_tready;
    assign pop  = m_axis_tvalid && m_axis_tready;

    always_ff @(posedge clk) begin
        started <= 1'b1;
        held    <= held + 2'(push != '0) - 2'(pop);
        for (int port = 0; port < 2; port++) begin
            if (push[port]) in_packet[port] <= !s_axis_tlast[port];
            if (push[port] || !s_axis_tvalid[port]) overtaken[port] <= '0;
            else if (push[1-port] && !in_packet[1-port]) overtaken[port] <= overtaken[port] + 1'b1;
        end
        if (followed) begin
            if (pop) begin
                followed  <= is_second;
                is_second <= 1'b0;
            end
        end else if (push[choose_port] && choose) begin
            followed  <= 1'b1;
            value     <= choose_port
                         ? {s_axis_tlast[1], s_axis_tuser[1], s_axis_tkeep[1], s_axis_tdata[15:8]}
                         : {s_axis_tlast[0], s_axis_tuser[0], s_axis_tkeep[0], s_axis_tdata[7:0]};
            is_second <= held != 2'(pop);
        end
        if (pop) begin
            out_in_packet <= !m_axis_tlast;
            out_port      <= m_axis_tuser;
        end
        if (rst) begin
            held          <= '0;
            followed      <= 1'b0;
            in_packet     <= '0;
            out_in_packet <= 1'b0;
            overtaken[0]  <= '0;
            overtaken[1]  <= '0;
        end
    end

    always_ff @(posedge clk) begin
        assume (rst == !started);
        if (started) begin
            // One at a time, and one if any offers and there is room.
            assert (push != 2'b11);
            assert (in_packet != 2'b11);
            if (s_axis_tvalid != '0 && in_packet == '0 && held != 2'd2) assert (push != '0);
            for (int port = 0; port < 2; port++) begin
                if (in_packet[port]) assert (!push[1-port]);
                if (in_packet[port] && s_axis_tvalid[port] && held != 2'd2) assert (push[port]);
                assert (overtaken[port] <= 2'd1);
            end
            // The output: no gap in the count, packets in one piece.
            assert (held <= 2'd2);
            assert (m_axis_tvalid == (held != '0));
            if (pop && out_in_packet) assert (m_axis_tuser == out_port);
            if (followed) begin
                assert (held > 2'(is_second));
                if (!is_second) begin
                    assert ({m_axis_tlast, m_axis_tuser, m_axis_tkeep, m_axis_tdata} == value);
                end
            end
        end
        cover (started && followed && pop && in_packet[1] && out_in_packet && m_axis_tuser == 1'b0);
        cover (started && overtaken[0] == 2'd1 && push[0]);
    end
endmodule
