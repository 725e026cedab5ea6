// Crossbar for AXI4-Streams: each packet goes from its input to the output that tdest names.
//
// A butterfly of log2(PORTS) stages of 2x2 switches, so it costs PORTS * log2(PORTS) arbiters of two
// inputs, not PORTS arbiters of PORTS inputs. Packets of an input to the same output stay in order.
// Each wire carries one beat a clock; a beat passes in log2(PORTS) clocks if nothing is in its way.
// Packets for different outputs may meet in a wire between the stages and then share it: only some
// permutations pass at full rate on all ports, and a blocked output holds up what waits behind its
// packets.
//
// Port i has the i-th part of each vector, the lowest bits being those of port 0.
module ww_axis_crossbar #(
    // Inputs and outputs, a power of two, 2 or more.
    parameter int PORTS = 4,
    // Bits of tdata, a multiple of 8.
    parameter int WIDTH = 512,
    // Bits of tuser, 1 or more.
    parameter int USER_WIDTH = 65,
    // Not to be set: bits of tkeep, and stages, which is also the bits of tdest.
    localparam int KEEP_WIDTH = WIDTH / 8,
    localparam int STAGES = $clog2(PORTS)
) (
    input  logic clk,
    input  logic rst,
    // tdest must be the same in all beats of a packet.
    input  logic [PORTS*WIDTH-1:0]      s_axis_tdata,
    input  logic [PORTS*KEEP_WIDTH-1:0] s_axis_tkeep,
    input  logic [PORTS*USER_WIDTH-1:0] s_axis_tuser,
    input  logic [PORTS*STAGES-1:0]     s_axis_tdest,
    input  logic [PORTS-1:0]            s_axis_tlast,
    input  logic [PORTS-1:0]            s_axis_tvalid,
    output logic [PORTS-1:0]            s_axis_tready,
    output logic [PORTS*WIDTH-1:0]      m_axis_tdata,
    output logic [PORTS*KEEP_WIDTH-1:0] m_axis_tkeep,
    output logic [PORTS*USER_WIDTH-1:0] m_axis_tuser,
    output logic [PORTS-1:0]            m_axis_tlast,
    output logic [PORTS-1:0]            m_axis_tvalid,
    input  logic [PORTS-1:0]            m_axis_tready
);
    if (PORTS < 2 || 2 ** STAGES != PORTS) begin : g_illegal_ports
        $error("ww_axis_crossbar: PORTS must be a power of two, 2 or more");
    end
    if (WIDTH < 8 || WIDTH % 8 != 0) begin : g_illegal_width
        $error("ww_axis_crossbar: WIDTH must be a multiple of 8");
    end
    if (USER_WIDTH < 1) begin : g_illegal_user_width
        $error("ww_axis_crossbar: USER_WIDTH must be 1 or more");
    end

    // The destination travels with the packet.
    localparam int WITH_DEST = USER_WIDTH + STAGES;

    // The wires in front of stage number `stage`; behind the last stage they are the outputs.
    for (genvar stage = 0; stage <= STAGES; stage++) begin : g_wires
        logic [PORTS*WIDTH-1:0]      data;
        logic [PORTS*KEEP_WIDTH-1:0] keep;
        logic [PORTS*WITH_DEST-1:0]  user;
        logic [PORTS-1:0]            last;
        logic [PORTS-1:0]            valid;
        logic [PORTS-1:0]            ready;
    end

    assign g_wires[0].data       = s_axis_tdata;
    assign g_wires[0].keep       = s_axis_tkeep;
    assign g_wires[0].last       = s_axis_tlast;
    assign g_wires[0].valid      = s_axis_tvalid;
    assign s_axis_tready         = g_wires[0].ready;
    assign m_axis_tdata          = g_wires[STAGES].data;
    assign m_axis_tkeep          = g_wires[STAGES].keep;
    assign m_axis_tlast          = g_wires[STAGES].last;
    assign m_axis_tvalid         = g_wires[STAGES].valid;
    assign g_wires[STAGES].ready = m_axis_tready;

    for (genvar port = 0; port < PORTS; port++) begin : g_users
        logic [STAGES-1:0] unused_dest;
        assign g_wires[0].user[port*WITH_DEST+:WITH_DEST] =
            {s_axis_tdest[port*STAGES+:STAGES], s_axis_tuser[port*USER_WIDTH+:USER_WIDTH]};
        assign {unused_dest, m_axis_tuser[port*USER_WIDTH+:USER_WIDTH]} =
            g_wires[STAGES].user[port*WITH_DEST+:WITH_DEST];
    end

    // Stage number s joins the wires whose numbers differ in bit s, and sets that bit right.
    for (genvar stage = 0; stage < STAGES; stage++) begin : g_stage
        for (genvar pair = 0; pair < PORTS / 2; pair++) begin : g_switch
            localparam int LOW = (pair >> stage << (stage + 1)) | (pair & ((1 << stage) - 1));
            localparam int HIGH = LOW | (1 << stage);

            ww_axis_switch_2x2 #(.WIDTH(WIDTH), .USER_WIDTH(WITH_DEST)) u_switch (
                .clk,
                .rst,
                .s_axis_tselect({g_wires[stage].user[HIGH*WITH_DEST+USER_WIDTH+stage],
                                 g_wires[stage].user[LOW*WITH_DEST+USER_WIDTH+stage]}),
                .s_axis_tdata  ({g_wires[stage].data[HIGH*WIDTH+:WIDTH],
                                 g_wires[stage].data[LOW*WIDTH+:WIDTH]}),
                .s_axis_tkeep  ({g_wires[stage].keep[HIGH*KEEP_WIDTH+:KEEP_WIDTH],
                                 g_wires[stage].keep[LOW*KEEP_WIDTH+:KEEP_WIDTH]}),
                .s_axis_tuser  ({g_wires[stage].user[HIGH*WITH_DEST+:WITH_DEST],
                                 g_wires[stage].user[LOW*WITH_DEST+:WITH_DEST]}),
                .s_axis_tlast  ({g_wires[stage].last[HIGH], g_wires[stage].last[LOW]}),
                .s_axis_tvalid ({g_wires[stage].valid[HIGH], g_wires[stage].valid[LOW]}),
                .s_axis_tready ({g_wires[stage].ready[HIGH], g_wires[stage].ready[LOW]}),
                .m_axis_tdata  ({g_wires[stage+1].data[HIGH*WIDTH+:WIDTH],
                                 g_wires[stage+1].data[LOW*WIDTH+:WIDTH]}),
                .m_axis_tkeep  ({g_wires[stage+1].keep[HIGH*KEEP_WIDTH+:KEEP_WIDTH],
                                 g_wires[stage+1].keep[LOW*KEEP_WIDTH+:KEEP_WIDTH]}),
                .m_axis_tuser  ({g_wires[stage+1].user[HIGH*WITH_DEST+:WITH_DEST],
                                 g_wires[stage+1].user[LOW*WITH_DEST+:WITH_DEST]}),
                .m_axis_tlast  ({g_wires[stage+1].last[HIGH], g_wires[stage+1].last[LOW]}),
                .m_axis_tvalid ({g_wires[stage+1].valid[HIGH], g_wires[stage+1].valid[LOW]}),
                .m_axis_tready ({g_wires[stage+1].ready[HIGH], g_wires[stage+1].ready[LOW]})
            );
        end
    end
endmodule
