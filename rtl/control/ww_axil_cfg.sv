// AXI4-Lite slave in front of the control bus of a generated dataplane.
//
// Bits [23:12] of the address are the number of the object, bits [11:0] the byte address in its
// window. One access at a time; reads and writes that wait together take turns. The response is
// SLVERR, and nothing is accessed, for an object number of OBJECTS and above and for a write with
// some but not all byte strobes set. A write with no strobe set is answered OKAY without an access.
module ww_axil_cfg #(
    // Number of objects, 1 to 4096.
    parameter int OBJECTS = 1
) (
    input  logic        clk,
    input  logic        rst,
    // AXI4-Lite write address.
    input  logic [23:0] s_axil_awaddr,
    input  logic [2:0]  s_axil_awprot,
    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    // AXI4-Lite write data.
    input  logic [31:0] s_axil_wdata,
    input  logic [3:0]  s_axil_wstrb,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    // AXI4-Lite write response.
    output logic [1:0]  s_axil_bresp,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    // AXI4-Lite read address.
    input  logic [23:0] s_axil_araddr,
    input  logic [2:0]  s_axil_arprot,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    // AXI4-Lite read data.
    output logic [31:0] s_axil_rdata,
    output logic [1:0]  s_axil_rresp,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready,
    // Control bus: an access is waiting; held with all below until cfg_ready.
    output logic        cfg_valid,
    // 1: write, 0: read.
    output logic        cfg_write,
    // Number of the object, below OBJECTS.
    output logic [11:0] cfg_object,
    // Byte address in the object's window.
    output logic [11:0] cfg_address,
    output logic [31:0] cfg_wdata,
    // The access is done; one clock. cfg_rdata is valid in it.
    input  logic        cfg_ready,
    input  logic [31:0] cfg_rdata
);
    if (OBJECTS < 1 || OBJECTS > 4096) begin : g_illegal_objects
        $error("ww_axil_cfg: OBJECTS must be 1 to 4096");
    end

    localparam logic [1:0] OKAY = 2'b00;
    localparam logic [1:0] SLVERR = 2'b10;

    logic free;
    logic prefer_read;
    logic take_write;
    logic take_read;

    // The next access begins when the response of the one before is out.
    assign free       = !cfg_valid && !s_axil_bvalid && !s_axil_rvalid;
    assign take_write = free && s_axil_awvalid && s_axil_wvalid && !(s_axil_arvalid && prefer_read);
    assign take_read  = free && s_axil_arvalid && !take_write;

    assign s_axil_awready = take_write;
    assign s_axil_wready  = take_write;
    assign s_axil_arready = take_read;

    always_ff @(posedge clk) begin
        if (take_write) begin
            prefer_read  <= 1'b1;
            cfg_write    <= 1'b1;
            cfg_object   <= s_axil_awaddr[23:12];
            cfg_address  <= s_axil_awaddr[11:0];
            cfg_wdata    <= s_axil_wdata;
            s_axil_bresp <= OKAY;
            if (s_axil_wstrb == '0) begin
                s_axil_bvalid <= 1'b1;
            end else if (s_axil_wstrb != '1 || 32'(s_axil_awaddr[23:12]) >= OBJECTS) begin
                s_axil_bvalid <= 1'b1;
                s_axil_bresp  <= SLVERR;
            end else begin
                cfg_valid <= 1'b1;
            end
        end
        if (take_read) begin
            prefer_read  <= 1'b0;
            cfg_write    <= 1'b0;
            cfg_object   <= s_axil_araddr[23:12];
            cfg_address  <= s_axil_araddr[11:0];
            s_axil_rresp <= OKAY;
            if (32'(s_axil_araddr[23:12]) >= OBJECTS) begin
                s_axil_rvalid <= 1'b1;
                s_axil_rresp  <= SLVERR;
                s_axil_rdata  <= '0;
            end else begin
                cfg_valid <= 1'b1;
            end
        end
        if (cfg_valid && cfg_ready) begin
            cfg_valid     <= 1'b0;
            s_axil_bvalid <= cfg_write;
            s_axil_rvalid <= !cfg_write;
            s_axil_rdata  <= cfg_rdata;
        end
        if (s_axil_bvalid && s_axil_bready) s_axil_bvalid <= 1'b0;
        if (s_axil_rvalid && s_axil_rready) s_axil_rvalid <= 1'b0;
        if (rst) begin
            cfg_valid     <= 1'b0;
            s_axil_bvalid <= 1'b0;
            s_axil_rvalid <= 1'b0;
            prefer_read   <= 1'b0;
        end
    end

    // The control bus knows no protection levels.
    logic [5:0] unused;
    assign unused = {s_axil_awprot, s_axil_arprot};
endmodule
