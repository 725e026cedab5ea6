// The multiplexers of the circuit switch: for each output one of all inputs, or idle.
//
// Their configuration registers all load with the same clock edge. In a clock with `guard` all outputs become idle, and what
// is on an input is lost. Nothing is looked into but whether a word that is lost was part of a frame.
//
// Latency: 1 clock. Throughput: a word in each clock, at all outputs.
module ww_shoal_crossbar #(
    // Bits of data of an XGMII word, 32 or 64.
    parameter int WIDTH = 64,
    // Inputs, and outputs, 2 or more.
    parameter int PORTS = 4,
    // Not to be set: bits of control, one for each byte; bits of the number of an input, and of an output's configuration.
    localparam int LANES = WIDTH / 8,
    localparam int INPUT_WIDTH = $clog2(PORTS),
    localparam int CHOICE_WIDTH = 1 + INPUT_WIDTH
) (
    input  logic                               clk,
    input  logic                               rst,
    input  logic [PORTS-1:0][WIDTH-1:0]        in_data,
    input  logic [PORTS-1:0][LANES-1:0]        in_control,
    output logic [PORTS-1:0][WIDTH-1:0]        out_data,
    output logic [PORTS-1:0][LANES-1:0]        out_control,
    // The registers take `choices`, for each output {connected, input}, and hold from the next clock on. An input of PORTS or
    // above is none.
    input  logic                               load,
    input  logic [PORTS-1:0][CHOICE_WIDTH-1:0] choices,
    // What the registers hold.
    output logic [PORTS-1:0][CHOICE_WIDTH-1:0] configuration,
    // High for the first clocks of a slot, without a pause.
    input  logic                               guard,
    // Each bit an input: part of a frame was lost in the guard band. For one clock, once in a guard band.
    output logic [PORTS-1:0]                   cut
);
    localparam logic [7:0] IDLE = 8'h07;
    localparam logic [7:0] SEQUENCE = 8'h9c;

    if (WIDTH != 32 && WIDTH != 64) begin : g_illegal_width
        $error("ww_shoal_crossbar: WIDTH must be 32 or 64");
    end
    if (PORTS < 2) begin : g_illegal_ports
        $error("ww_shoal_crossbar: PORTS must be 2 or more");
    end

    always_ff @(posedge clk) begin
        if (load) configuration <= choices;
        if (rst) configuration <= '0;
    end

    for (genvar n = 0; n < PORTS; n++) begin : g_output
        logic                   connected;
        logic [INPUT_WIDTH-1:0] from;
        assign {connected, from} = configuration[n];
        always_ff @(posedge clk) begin
            out_data[n]    <= {LANES{IDLE}};
            out_control[n] <= '1;
            if (connected && int'(from) < PORTS && !guard && !rst) begin
                out_data[n]    <= in_data[from];
                out_control[n] <= in_control[from];
            end
        end
    end

    // An input is quiet if each column of four lanes is idle or an ordered set, as those of local and remote fault.
    logic [PORTS-1:0] quiet;
    logic [PORTS-1:0] lost;
    always_comb begin
        quiet = '1;
        for (int n = 0; n < PORTS; n++) begin
            for (int lane = 0; lane < LANES; lane += 4) begin
                if (!(in_control[n][lane+:4] == 4'hf && in_data[n][8*lane+:32] == {4{IDLE}})
                        && !(in_control[n][lane+:4] == 4'h1 && in_data[n][8*lane+:8] == SEQUENCE)) begin
                    quiet[n] = 1'b0;
                end
            end
        end
    end
    always_ff @(posedge clk) begin
        cut  <= guard ? ~quiet & ~lost : '0;
        lost <= guard ? lost | ~quiet : '0;
        if (rst) begin
            cut  <= '0;
            lost <= '0;
        end
    end
endmodule
