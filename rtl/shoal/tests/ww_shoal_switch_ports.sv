// The switch, its outputs also behind the PHYs, and receive clocks that are the transmit clock or another one.
module ww_shoal_switch_ports #(
    parameter int WIDTH = 64,
    parameter int PORTS = 4,
    parameter int ROWS = 16,
    parameter int PHY_CLOCKS = 45,
    localparam int LANES = WIDTH / 8,
    localparam int CHOICE_WIDTH = 1 + $clog2(PORTS),
    localparam int INDEX_WIDTH = $clog2(ROWS),
    localparam int ROW_WIDTH = PORTS * CHOICE_WIDTH > 32 ? PORTS * CHOICE_WIDTH : 32
) (
    input  logic                               clk,
    input  logic                               rst,
    input  logic                               other_clk,
    // Inputs that have the other clock.
    input  logic [PORTS-1:0]                   other,
    input  logic [PORTS-1:0]                   rx_rst,
    input  logic [PORTS-1:0][WIDTH-1:0]        rx_data,
    input  logic [PORTS-1:0][LANES-1:0]        rx_control,
    output logic [PORTS-1:0][WIDTH-1:0]        tx_data,
    output logic [PORTS-1:0][LANES-1:0]        tx_control,
    // Behind the PHYs.
    output logic [PORTS-1:0][WIDTH-1:0]        far_data,
    output logic [PORTS-1:0][LANES-1:0]        far_control,
    input  logic                               start,
    input  logic [15:0]                        slot_cycles,
    input  logic [15:0]                        guard_cycles,
    input  logic [INDEX_WIDTH-1:0]             first_row,
    input  logic [INDEX_WIDTH:0]               rows,
    output logic                               running,
    output logic [INDEX_WIDTH-1:0]             slot,
    output logic                               guard,
    output logic [PORTS-1:0][CHOICE_WIDTH-1:0] configuration,
    output logic [PORTS-1:0]                   locked,
    output logic [PORTS-1:0]                   event_cut,
    output logic [PORTS-1:0]                   event_slipped,
    input  logic                               row_valid,
    input  logic                               row_write,
    input  logic [3:0]                         row_memory,
    input  logic [27:0]                        row_index,
    input  logic [ROW_WIDTH-1:0]               row_wdata,
    output logic                               row_done,
    output logic [ROW_WIDTH-1:0]               row_rdata
);
    logic [PORTS-1:0] rx_clk;
    for (genvar n = 0; n < PORTS; n++) begin : g_port
        assign rx_clk[n] = other[n] ? other_clk : clk;
        ww_shoal_link #(.WIDTH(WIDTH), .CLOCKS(PHY_CLOCKS)) u_phy (
            .clk,
            .rst,
            .in_data    (tx_data[n]),
            .in_control (tx_control[n]),
            .out_data   (far_data[n]),
            .out_control(far_control[n])
        );
    end
    ww_shoal_switch #(.WIDTH(WIDTH), .PORTS(PORTS), .ROWS(ROWS)) u_switch (.*);
endmodule
