// Two masters on one control bus. The first has priority; an access that has begun is finished
// before the other master has its turn.
module ww_cfg_select (
    input  logic        clk,
    input  logic        rst,
    // First master.
    input  logic        a_valid,
    input  logic        a_write,
    input  logic [11:0] a_object,
    input  logic [11:0] a_address,
    input  logic [31:0] a_wdata,
    output logic        a_ready,
    output logic [31:0] a_rdata,
    // Second master.
    input  logic        b_valid,
    input  logic        b_write,
    input  logic [11:0] b_object,
    input  logic [11:0] b_address,
    input  logic [31:0] b_wdata,
    output logic        b_ready,
    output logic [31:0] b_rdata,
    // The bus behind them.
    output logic        cfg_valid,
    output logic        cfg_write,
    output logic [11:0] cfg_object,
    output logic [11:0] cfg_address,
    output logic [31:0] cfg_wdata,
    input  logic        cfg_ready,
    input  logic [31:0] cfg_rdata
);
    // An access of the second master is under way.
    logic b_holds;
    logic b_turn;

    assign b_turn = b_holds || !a_valid;
    assign cfg_valid = b_turn ? b_valid : a_valid;
    assign cfg_write = b_turn ? b_write : a_write;
    assign cfg_object = b_turn ? b_object : a_object;
    assign cfg_address = b_turn ? b_address : a_address;
    assign cfg_wdata = b_turn ? b_wdata : a_wdata;
    assign a_ready = !b_turn && cfg_ready;
    assign b_ready = b_turn && cfg_ready;
    assign a_rdata = cfg_rdata;
    assign b_rdata = cfg_rdata;

    always_ff @(posedge clk) begin
        if (rst) begin
            b_holds <= 1'b0;
        end else begin
            b_holds <= b_turn && b_valid && !cfg_ready;
        end
    end
endmodule
