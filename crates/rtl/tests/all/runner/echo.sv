// What echo.p4 says, by hand: a table of 1,024 exact keys of 32 bits leads to a port and a change
// of byte 4; packets without entry take the default action; a register array counts packets by
// port. One pair of 64-bit streams. Frames have 5 bytes or more.
module echo (
    input  logic        clk,
    input  logic        rst,
    input  logic [63:0] s_axis_tdata,
    input  logic [7:0]  s_axis_tkeep,
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic        s_axis_tlast,
    input  logic [64:0] s_axis_tuser,
    output logic [63:0] m_axis_tdata,
    output logic [7:0]  m_axis_tkeep,
    output logic        m_axis_tvalid,
    input  logic        m_axis_tready,
    output logic        m_axis_tlast,
    output logic [64:0] m_axis_tuser,
    input  logic [23:0] s_axil_awaddr,
    input  logic [2:0]  s_axil_awprot,
    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [31:0] s_axil_wdata,
    input  logic [3:0]  s_axil_wstrb,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    output logic [1:0]  s_axil_bresp,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    input  logic [23:0] s_axil_araddr,
    input  logic [2:0]  s_axil_arprot,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    output logic [31:0] s_axil_rdata,
    output logic [1:0]  s_axil_rresp,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready,
    input  logic        cfg_valid,
    input  logic        cfg_write,
    input  logic [11:0] cfg_object,
    input  logic [11:0] cfg_address,
    input  logic [31:0] cfg_wdata,
    output logic        cfg_ready,
    output logic [31:0] cfg_rdata,
    output logic        idle
);
    localparam int OBJECTS = 3;
    localparam int LATENCY = 5;
    localparam int KEY = 32;
    // {change[7:0], port[8:0], action}
    localparam int DATA = 18;
    localparam int ROW = 1 + KEY + DATA;
    localparam int BEAT = 64 + 8 + 1 + 65;

    // Control: AXI4-Lite and the plain bus take turns, by word.
    logic        axi_valid, axi_write, axi_ready;
    logic [11:0] axi_object, axi_address;
    logic [31:0] axi_wdata;
    logic        valid, write, ready, from_axi;
    logic [11:0] object, address;
    logic [31:0] wdata, rdata;

    ww_axil_cfg #(.OBJECTS(OBJECTS)) u_axil (
        .cfg_valid(axi_valid), .cfg_write(axi_write), .cfg_object(axi_object),
        .cfg_address(axi_address), .cfg_wdata(axi_wdata), .cfg_ready(axi_ready), .cfg_rdata(rdata),
        .*
    );
    assign from_axi  = !cfg_valid;
    assign valid     = cfg_valid || axi_valid;
    assign write     = from_axi ? axi_write : cfg_write;
    assign object    = from_axi ? axi_object : cfg_object;
    assign address   = from_axi ? axi_address : cfg_address;
    assign wdata     = from_axi ? axi_wdata : cfg_wdata;
    assign axi_ready = from_axi && ready;
    assign cfg_ready = !from_axi && ready;
    assign cfg_rdata = rdata;

    logic [OBJECTS-1:0]       readies;
    logic [OBJECTS-1:0][31:0] words;
    assign ready = valid && readies[object[1:0]];
    assign rdata = words[object[1:0]];

    logic [63:0] received, sent, dropped;

    // Object 0: counts.
    logic        g_valid, g_write;
    logic [3:0]  g_memory;
    logic [27:0] g_index;
    logic [63:0] g_wdata, g_rdata;
    ww_row_window #(.ROW_WIDTH(64)) u_globals (
        .clk, .rst, .cfg_valid(valid && object == 12'd0), .cfg_write(write), .cfg_address(address),
        .cfg_wdata(wdata), .cfg_ready(readies[0]), .cfg_rdata(words[0]), .row_valid(g_valid),
        .row_write(g_write), .row_memory(g_memory), .row_index(g_index), .row_wdata(g_wdata),
        .row_done(g_valid), .row_rdata(g_rdata)
    );
    always_comb begin
        case (g_index)
            28'd0:   g_rdata = received;
            28'd1:   g_rdata = sent;
            28'd2:   g_rdata = dropped;
            default: g_rdata = '0;
        endcase
    end

    // Object 1: the table. Memory 15 has the default action.
    logic            t_valid, t_write, t_done, h_done, is_default;
    logic [3:0]      t_memory;
    logic [27:0]     t_index;
    logic [ROW-1:0]  t_wdata, h_rdata;
    logic [DATA-1:0] default_data;
    ww_row_window #(.ROW_WIDTH(ROW)) u_window (
        .clk, .rst, .cfg_valid(valid && object == 12'd1), .cfg_write(write), .cfg_address(address),
        .cfg_wdata(wdata), .cfg_ready(readies[1]), .cfg_rdata(words[1]), .row_valid(t_valid),
        .row_write(t_write), .row_memory(t_memory), .row_index(t_index), .row_wdata(t_wdata),
        .row_done(t_done), .row_rdata(is_default ? ROW'(default_data) : h_rdata)
    );
    assign is_default = t_memory == 4'd15;
    assign t_done     = is_default ? t_valid : h_done;
    always_ff @(posedge clk) begin
        if (t_valid && t_write && is_default) default_data <= t_wdata[DATA-1:0];
        if (rst) default_data <= '0;
    end

    logic            taken, first, hit;
    logic [DATA-1:0] data;
    logic [12:0]     place;
    ww_table_hash #(
        .KEY_WIDTH(KEY), .DATA_WIDTH(DATA), .ENTRIES(1024), .WAYS(4), .BUCKETS(512), .STASH(4),
        .SEED(64'd1)
    ) u_table (
        .clk, .rst, .lookup_valid(taken && first),
        .lookup_key({s_axis_tdata[7:0], s_axis_tdata[15:8], s_axis_tdata[23:16], s_axis_tdata[31:24]}),
        .result_hit(hit), .result_data(data), .result_index(place[11:0]),
        .row_valid(t_valid && !is_default), .row_write(t_write), .row_memory(t_memory),
        .row_index(t_index), .row_wdata(t_wdata), .row_done(h_done), .row_rdata(h_rdata)
    );
    assign place[12] = 1'b0;

    // Object 2: the registers.
    logic        r_valid, r_write;
    logic [3:0]  r_memory;
    logic [27:0] r_index;
    logic [31:0] r_wdata;
    logic [7:0][31:0] seen;
    ww_row_window #(.ROW_WIDTH(32)) u_registers (
        .clk, .rst, .cfg_valid(valid && object == 12'd2), .cfg_write(write), .cfg_address(address),
        .cfg_wdata(wdata), .cfg_ready(readies[2]), .cfg_rdata(words[2]), .row_valid(r_valid),
        .row_write(r_write), .row_memory(r_memory), .row_index(r_index), .row_wdata(r_wdata),
        .row_done(r_valid), .row_rdata(seen[r_index[2:0]])
    );
    always_ff @(posedge clk) begin
        if (r_valid && r_write) seen[r_index[2:0]] <= r_wdata;
        if (taken && first) seen[s_axis_tuser[3:1]] <= seen[s_axis_tuser[3:1]] + 32'd1;
        if (rst) seen <= '0;
    end

    // Beats wait while the table is looked up, then in a FIFO that has room for all of them.
    logic [LATENCY-1:0]           there, begins;
    logic [LATENCY-1:0][BEAT-1:0] beats;
    logic [6:0]                   level;
    logic                         room, push, passes, held, last, wet;
    logic [DATA-1:0]              chosen, kept;
    logic [63:0]                  changed;
    logic [7:0]                   keep;
    logic [64:0]                  user;

    assign s_axis_tready = level < 7'd40;
    assign taken         = s_axis_tvalid && s_axis_tready;
    always_ff @(posedge clk) begin
        there  <= {there[LATENCY-2:0], taken};
        begins <= {begins[LATENCY-2:0], first};
        beats  <= {beats[LATENCY-2:0], {s_axis_tdata, s_axis_tkeep, s_axis_tlast, s_axis_tuser}};
        if (taken) first <= s_axis_tlast;
        if (rst) begin
            there <= '0;
            first <= 1'b1;
        end
    end

    assign chosen = begins[LATENCY-1] ? (hit ? data : default_data) : kept;
    assign passes = chosen[0];
    always_comb begin
        {changed, keep, last, user} = beats[LATENCY-1];
        if (begins[LATENCY-1]) changed[39:32] = changed[39:32] ^ chosen[17:10];
        user[16:1] = 16'(chosen[9:1]);
    end
    assign push = there[LATENCY-1] && passes;
    always_ff @(posedge clk) begin
        if (there[LATENCY-1]) kept <= chosen;
        received <= received + 64'(taken && first);
        sent     <= sent + 64'(m_axis_tvalid && m_axis_tready && m_axis_tlast);
        dropped  <= dropped + 64'(there[LATENCY-1] && last && !passes);
        wet      <= held;
        if (rst) begin
            received <= '0;
            sent     <= '0;
            dropped  <= '0;
        end
    end

    ww_fifo #(.WIDTH(BEAT), .DEPTH(64)) u_fifo (
        .clk, .rst, .s_valid(push), .s_ready(room), .s_data({changed, keep, last, user}),
        .m_valid(m_axis_tvalid), .m_ready(m_axis_tready),
        .m_data({m_axis_tdata, m_axis_tkeep, m_axis_tlast, m_axis_tuser}), .level
    );
    assign held = there != '0 || m_axis_tvalid;
    assign idle = !held && !wet && first;

    logic unused;
    assign unused = &{1'b0, room, place, g_write, g_memory, g_wdata, r_memory, r_index[27:3], object};
endmodule
