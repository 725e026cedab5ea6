// Test bench: ww_axil_cfg with three objects, of which object 2 is a ww_row_window.
module ww_window_bench #(
    // Bits of a row.
    parameter int ROW_WIDTH = 32
) (
    input  logic                 clk,
    input  logic                 rst,
    input  logic [23:0]          s_axil_awaddr,
    input  logic [2:0]           s_axil_awprot,
    input  logic                 s_axil_awvalid,
    output logic                 s_axil_awready,
    input  logic [31:0]          s_axil_wdata,
    input  logic [3:0]           s_axil_wstrb,
    input  logic                 s_axil_wvalid,
    output logic                 s_axil_wready,
    output logic [1:0]           s_axil_bresp,
    output logic                 s_axil_bvalid,
    input  logic                 s_axil_bready,
    input  logic [23:0]          s_axil_araddr,
    input  logic [2:0]           s_axil_arprot,
    input  logic                 s_axil_arvalid,
    output logic                 s_axil_arready,
    output logic [31:0]          s_axil_rdata,
    output logic [1:0]           s_axil_rresp,
    output logic                 s_axil_rvalid,
    input  logic                 s_axil_rready,
    output logic                 row_valid,
    output logic                 row_write,
    output logic [3:0]           row_memory,
    output logic [27:0]          row_index,
    output logic [ROW_WIDTH-1:0] row_wdata,
    input  logic                 row_done,
    input  logic [ROW_WIDTH-1:0] row_rdata
);
    logic        cfg_valid;
    logic        cfg_write;
    logic [11:0] cfg_object;
    logic [11:0] cfg_address;
    logic [31:0] cfg_wdata;
    logic        cfg_ready;
    logic [31:0] cfg_rdata;
    logic        window_ready;

    ww_axil_cfg #(.OBJECTS(3)) axil (
        .clk, .rst,
        .s_axil_awaddr, .s_axil_awprot, .s_axil_awvalid, .s_axil_awready,
        .s_axil_wdata, .s_axil_wstrb, .s_axil_wvalid, .s_axil_wready,
        .s_axil_bresp, .s_axil_bvalid, .s_axil_bready,
        .s_axil_araddr, .s_axil_arprot, .s_axil_arvalid, .s_axil_arready,
        .s_axil_rdata, .s_axil_rresp, .s_axil_rvalid, .s_axil_rready,
        .cfg_valid, .cfg_write, .cfg_object, .cfg_address, .cfg_wdata, .cfg_ready, .cfg_rdata
    );

    ww_row_window #(.ROW_WIDTH(ROW_WIDTH), .OBJECT(32'hC0FFEE)) window (
        .clk, .rst,
        .cfg_valid(cfg_valid && cfg_object == 12'd2), .cfg_write, .cfg_address, .cfg_wdata,
        .cfg_ready(window_ready), .cfg_rdata,
        .row_valid, .row_write, .row_memory, .row_index, .row_wdata, .row_done, .row_rdata
    );

    // The other objects have no words.
    assign cfg_ready = cfg_object == 12'd2 ? window_ready : cfg_valid;
endmodule
