// Merges several AXI4-Streams into one, packet by packet, in turn (round robin).
//
// A packet passes as a whole; the next one comes from the next input, in the order of their numbers,
// that offers one. One beat a clock, without a gap between packets of the same or of different
// inputs. A beat that is taken in clock t is offered in clock t + 1. No input waits for more than
// one packet of each other input. s_axis_tready depends on s_axis_tvalid combinationally, but not on
// m_axis_tready.
//
// Input i has the i-th part of each s_axis vector, the lowest bits being those of input 0.
module ww_axis_arbiter #(
    // Inputs, 1 or more.
    parameter int PORTS = 4,
    // Bits of tdata, a multiple of 8.
    parameter int WIDTH = 512,
    // Bits of tuser, 1 or more.
    parameter int USER_WIDTH = 65,
    // Not to be set: bits of tkeep.
    localparam int KEEP_WIDTH = WIDTH / 8
) (
    input  logic clk,
    input  logic rst,
    // All inputs.
    input  logic [PORTS*WIDTH-1:0]      s_axis_tdata,
    input  logic [PORTS*KEEP_WIDTH-1:0] s_axis_tkeep,
    input  logic [PORTS*USER_WIDTH-1:0] s_axis_tuser,
    input  logic [PORTS-1:0]            s_axis_tlast,
    input  logic [PORTS-1:0]            s_axis_tvalid,
    output logic [PORTS-1:0]            s_axis_tready,
    // The merged stream.
    output logic [WIDTH-1:0]      m_axis_tdata,
    output logic [KEEP_WIDTH-1:0] m_axis_tkeep,
    output logic [USER_WIDTH-1:0] m_axis_tuser,
    output logic                  m_axis_tlast,
    output logic                  m_axis_tvalid,
    input  logic                  m_axis_tready
);
    if (PORTS < 1) begin : g_illegal_ports
        $error("ww_axis_arbiter: PORTS must be 1 or more");
    end
    if (WIDTH < 8 || WIDTH % 8 != 0) begin : g_illegal_width
        $error("ww_axis_arbiter: WIDTH must be a multiple of 8");
    end
    if (USER_WIDTH < 1) begin : g_illegal_user_width
        $error("ww_axis_arbiter: USER_WIDTH must be 1 or more");
    end

    localparam int PORT_WIDTH = PORTS > 1 ? $clog2(PORTS) : 1;

    // Within a packet: only its input is served.
    logic                  in_packet;
    // The input of the present packet, or of the last one.
    logic [PORT_WIDTH-1:0] served;
    // The input whose turn it is next, and the one that is served in this clock.
    logic [PORT_WIDTH-1:0] chosen;
    logic [PORT_WIDTH-1:0] current;

    // The first offering input after the last one served, or else the first one of all.
    always_comb begin
        chosen = served;
        for (int port = PORTS - 1; port >= 0; port--) begin
            if (s_axis_tvalid[port]) chosen = PORT_WIDTH'(port);
        end
        for (int port = PORTS - 1; port >= 0; port--) begin
            if (s_axis_tvalid[port] && port > int'(served)) chosen = PORT_WIDTH'(port);
        end
    end
    assign current = in_packet ? served : chosen;

    logic [WIDTH-1:0]      data;
    logic [KEEP_WIDTH-1:0] keep;
    logic [USER_WIDTH-1:0] user;
    logic                  last;
    logic                  valid;
    logic                  ready;

    // The beats of all inputs, to choose one by its number.
    logic [WIDTH-1:0]      datas [PORTS];
    logic [KEEP_WIDTH-1:0] keeps [PORTS];
    logic [USER_WIDTH-1:0] users [PORTS];
    for (genvar port = 0; port < PORTS; port++) begin : g_inputs
        assign datas[port]         = s_axis_tdata[port*WIDTH+:WIDTH];
        assign keeps[port]         = s_axis_tkeep[port*KEEP_WIDTH+:KEEP_WIDTH];
        assign users[port]         = s_axis_tuser[port*USER_WIDTH+:USER_WIDTH];
        assign s_axis_tready[port] = ready && current == PORT_WIDTH'(port);
    end
    assign data  = datas[current];
    assign keep  = keeps[current];
    assign user  = users[current];
    assign last  = s_axis_tlast[current];
    assign valid = s_axis_tvalid[current];

    always_ff @(posedge clk) begin
        if (valid && ready) begin
            in_packet <= !last;
            served    <= current;
        end
        if (rst) begin
            in_packet <= 1'b0;
            served    <= '0;
        end
    end

    ww_axis_register #(.WIDTH(WIDTH), .USER_WIDTH(USER_WIDTH)) u_output (
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
