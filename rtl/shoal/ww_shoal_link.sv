// A link for simulation: XGMII words some clocks later, idle after reset. It stands for the PHYs of a port and for a cable.
//
// The PHYs of a port of the prototype take 45 clocks, those of both directions together (004-pieo-shoal 2.8), which is the
// default.
module ww_shoal_link #(
    // Bits of data of an XGMII word, 32 or 64.
    parameter int WIDTH = 64,
    // 1 or more.
    parameter int CLOCKS = 45,
    // Not to be set: bits of control, one for each byte.
    localparam int LANES = WIDTH / 8
) (
    input  logic             clk,
    input  logic             rst,
    input  logic [WIDTH-1:0] in_data,
    input  logic [LANES-1:0] in_control,
    output logic [WIDTH-1:0] out_data,
    output logic [LANES-1:0] out_control
);
    localparam logic [WIDTH+LANES-1:0] IDLE = {{LANES{1'b1}}, {LANES{8'h07}}};

    if (WIDTH != 32 && WIDTH != 64) begin : g_illegal_width
        $error("ww_shoal_link: WIDTH must be 32 or 64");
    end
    if (CLOCKS < 1) begin : g_illegal_clocks
        $error("ww_shoal_link: CLOCKS must be 1 or more");
    end

    logic [WIDTH+LANES-1:0] line [CLOCKS];
    always_ff @(posedge clk) begin
        line[0] <= {in_control, in_data};
        for (int n = 1; n < CLOCKS; n++) line[n] <= line[n-1];
        if (rst) for (int n = 0; n < CLOCKS; n++) line[n] <= IDLE;
    end
    assign {out_control, out_data} = line[CLOCKS-1];
endmodule
