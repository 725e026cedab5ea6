// A DTP device with one clock on both sides of all crossings, and ports whose parts are whole bytes.
module device #(
    parameter int PORTS = 4
) (
    input  logic                   clk,
    input  logic                   rst,
    input  logic                   tick,
    input  logic [15:0]            interval,
    input  logic [15:0]            most_jumps,
    input  logic [PORTS-1:0][63:0] tx_payload,
    input  logic [PORTS-1:0][7:0]  tx_header,
    output logic [PORTS-1:0][63:0] filled_payload,
    output logic [PORTS-1:0][7:0]  filled_header,
    input  logic [PORTS-1:0]       link,
    input  logic                   arrived,
    input  logic [PORTS-1:0][63:0] rx_payload,
    input  logic [PORTS-1:0][7:0]  rx_header,
    output logic [PORTS-1:0][63:0] restored_payload,
    output logic [PORTS-1:0][7:0]  restored_header,
    input  logic [PORTS-1:0]       late,
    output logic [127:0]           counter,
    input  logic                   set_valid,
    input  logic [127:0]           set_value,
    output logic                   set_done,
    input  logic [PORTS-1:0]       log_valid,
    input  logic [PORTS-1:0][63:0] log_data,
    output logic [PORTS-1:0]       log_ready,
    output logic [PORTS-1:0]       log_received,
    // Bit 63: there is one. Below, the 56 bits.
    output logic [PORTS-1:0][63:0] heard,
    output logic [PORTS-1:0][7:0]  state,
    output logic [PORTS-1:0][15:0] delay,
    // From bit 0: sent, beacon, jump, out of range, unexpected, and four bits of a jump.
    output logic [PORTS-1:0][15:0] events
);
    logic [PORTS-1:0]       heard_valid;
    logic [PORTS-1:0][2:0]  heard_code;
    logic [PORTS-1:0][52:0] heard_payload;
    logic [PORTS-1:0][2:0]  state_of;
    logic [PORTS-1:0][13:0] delay_of;
    logic [PORTS-1:0]       event_sent;
    logic [PORTS-1:0]       event_beacon;
    logic [PORTS-1:0]       event_jump;
    logic [PORTS-1:0][3:0]  event_jump_ticks;
    logic [PORTS-1:0]       event_out_of_range;
    logic [PORTS-1:0]       event_unexpected;
    logic [PORTS-1:0][65:0] encoded;
    logic [PORTS-1:0][65:0] filled;
    logic [PORTS-1:0][65:0] descrambled;
    logic [PORTS-1:0][65:0] restored;
    logic [PORTS-1:0][52:0] log_of;

    for (genvar p = 0; p < PORTS; p++) begin : g_port
        assign encoded[p]          = {tx_payload[p], tx_header[p][1:0]};
        assign filled_payload[p]   = filled[p][65:2];
        assign filled_header[p]    = 8'(filled[p][1:0]);
        assign descrambled[p]      = {rx_payload[p], rx_header[p][1:0]};
        assign restored_payload[p] = restored[p][65:2];
        assign restored_header[p]  = 8'(restored[p][1:0]);
        assign log_of[p]           = log_data[p][52:0];
        assign heard[p]            = {heard_valid[p], 7'h0, heard_payload[p], heard_code[p]};
        assign state[p]            = 8'(state_of[p]);
        assign delay[p]            = {{2{delay_of[p][13]}}, delay_of[p]};
        assign events[p]           = {7'h0, event_jump_ticks[p], event_unexpected[p], event_out_of_range[p], event_jump[p],
                                      event_beacon[p], event_sent[p]};
    end
    assign counter[127:106] = '0;

    // verilator lint_off PINCONNECTEMPTY
    ww_dtp_device #(.PORTS(PORTS)) u_device (
        .clk, .rst, .rx_clk({PORTS{clk}}), .rx_rst({PORTS{rst}}), .tick, .enable('1), .interval, .most_jumps, .encoded,
        .filled, .link, .arrived({PORTS{arrived}}), .descrambled, .restored, .late, .counter(counter[105:0]),
        .set_valid, .set_value(set_value[105:0]), .set_done, .log_valid, .log_data(log_of), .log_ready,
        .log_received, .heard_valid, .heard_code, .heard_payload, .filled_valid(), .state(state_of),
        .delay(delay_of), .event_sent, .event_beacon, .event_jump, .event_jump_ticks, .event_out_of_range,
        .event_unexpected
    );
    // verilator lint_on PINCONNECTEMPTY
    wire unused = &{1'b0, tx_header, rx_header, log_data, set_value};
endmodule
