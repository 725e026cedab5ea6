// Circuit switch of the Shoal fabric: p inputs, p outputs, and a multiplexer for each output that follows a schedule.
//
// No packet buffers, no arbiter, no look into packets. An XGMII word goes through the synchronisation FIFO of its input, 4
// clocks, and through the multiplexer of an output, 1 clock.
//
// Source: 004-pieo-shoal 2.8, 2.12, 2.15 (S19, S25, S29); Shrivastav et al., "Shoal: A Network Architecture for Disaggregated
// Racks", NSDI 2019.
module ww_shoal_switch #(
    // Bits of data of an XGMII word: 64 at 156.25 MHz, 32 at 312.5 MHz for 10 Gb/s.
    parameter int WIDTH = 64,
    // Inputs, and outputs, 2 or more.
    parameter int PORTS = 4,
    // Rows of the schedule memory, a power of two, 2 or more.
    parameter int ROWS = 256,
    // Not to be set: bits of control; bits of a configuration, of all of them, of a row's number; bits of the row port, where a
    // count has 32.
    localparam int LANES = WIDTH / 8,
    localparam int CHOICE_WIDTH = 1 + $clog2(PORTS),
    localparam int CHOICES_WIDTH = PORTS * CHOICE_WIDTH,
    localparam int INDEX_WIDTH = $clog2(ROWS),
    localparam int COUNT_WIDTH = 32,
    localparam int ROW_WIDTH = CHOICES_WIDTH > COUNT_WIDTH ? CHOICES_WIDTH : COUNT_WIDTH
) (
    // Of the transmit side, the multiplexers and the schedule.
    input  logic                               clk,
    input  logic                               rst,
    // Recovered clocks and words from the PHYs, a port each.
    input  logic [PORTS-1:0]                   rx_clk,
    input  logic [PORTS-1:0]                   rx_rst,
    input  logic [PORTS-1:0][WIDTH-1:0]        rx_data,
    input  logic [PORTS-1:0][LANES-1:0]        rx_control,
    // Words to the PHYs.
    output logic [PORTS-1:0][WIDTH-1:0]        tx_data,
    output logic [PORTS-1:0][LANES-1:0]        tx_control,
    // See ww_shoal_schedule.
    input  logic                               start,
    input  logic [15:0]                        slot_cycles,
    input  logic [15:0]                        guard_cycles,
    input  logic [INDEX_WIDTH-1:0]             first_row,
    input  logic [INDEX_WIDTH:0]               rows,
    output logic                               running,
    output logic [INDEX_WIDTH-1:0]             slot,
    output logic                               guard,
    // What the multiplexers are set to: for each output {connected, input}.
    output logic [PORTS-1:0][CHOICE_WIDTH-1:0] configuration,
    // Words of this input pass.
    output logic [PORTS-1:0]                   locked,
    // For one clock each, a bit for each input: a cell was cut by the guard band; the synchronisation FIFO has slipped.
    output logic [PORTS-1:0]                   event_cut,
    output logic [PORTS-1:0]                   event_slipped,
    // Row port. Memory 0, row = slot: for output n {connected, input} in bits CHOICE_WIDTH n and up. Memory 1, row n: cells of
    // input n that were cut; row PORTS + n: slips of input n.
    input  logic                               row_valid,
    input  logic                               row_write,
    input  logic [3:0]                         row_memory,
    input  logic [27:0]                        row_index,
    input  logic [ROW_WIDTH-1:0]               row_wdata,
    output logic                               row_done,
    output logic [ROW_WIDTH-1:0]               row_rdata
);
    if (WIDTH != 32 && WIDTH != 64) begin : g_illegal_width
        $error("ww_shoal_switch: WIDTH must be 32 or 64");
    end
    if (PORTS < 2) begin : g_illegal_ports
        $error("ww_shoal_switch: PORTS must be 2 or more");
    end

    logic [PORTS-1:0][WIDTH-1:0] in_data;
    logic [PORTS-1:0][LANES-1:0] in_control;
    for (genvar n = 0; n < PORTS; n++) begin : g_input
        ww_shoal_sync_fifo #(.WIDTH(WIDTH)) u_fifo (
            .rx_clk    (rx_clk[n]),
            .rx_rst    (rx_rst[n]),
            .rx_data   (rx_data[n]),
            .rx_control(rx_control[n]),
            .clk,
            .rst,
            .data      (in_data[n]),
            .control   (in_control[n]),
            .locked    (locked[n]),
            .slipped   (event_slipped[n])
        );
    end

    logic                     load;
    logic [CHOICES_WIDTH-1:0] choices;
    logic                     schedule_done;
    logic [CHOICES_WIDTH-1:0] schedule_row;
    logic                     counts_done;
    logic [COUNT_WIDTH-1:0]   count;

    ww_shoal_schedule #(.PORTS(PORTS), .ROWS(ROWS)) u_schedule (
        .clk, .rst, .start, .slot_cycles, .guard_cycles, .first_row, .rows, .running, .slot, .load, .choices, .guard,
        .row_valid(row_valid && row_memory == '0), .row_write, .row_memory, .row_index,
        .row_wdata(row_wdata[CHOICES_WIDTH-1:0]), .row_done(schedule_done), .row_rdata(schedule_row)
    );
    ww_shoal_crossbar #(.WIDTH(WIDTH), .PORTS(PORTS)) u_crossbar (
        .clk, .rst, .in_data, .in_control, .out_data(tx_data), .out_control(tx_control), .load, .choices, .configuration,
        .guard, .cut(event_cut)
    );
    // Memory 1 is their memory 0; those that do not exist read as zero there too.
    ww_event_counters #(.EVENTS(2 * PORTS), .COUNT_WIDTH(COUNT_WIDTH)) u_counts (
        .clk, .rst, .event_valid({event_slipped, event_cut}),
        .row_valid(row_valid && row_memory != '0), .row_write, .row_memory(row_memory - 4'd1), .row_index,
        .row_wdata(row_wdata[COUNT_WIDTH-1:0]), .row_done(counts_done), .row_rdata(count)
    );
    assign row_done  = schedule_done || counts_done;
    assign row_rdata = row_memory == '0 ? ROW_WIDTH'(schedule_row) : ROW_WIDTH'(count);
    // A row has bits that one of the two memories lacks.
    wire unused_row = &{1'b0, row_wdata};
endmodule
