// A DTP device with clocks of its own, and messages without their blocks.
module network #(
    parameter int PORTS = 1,
    parameter int ALPHA = 3
) (
    input  logic                   clk,
    input  logic                   rst,
    input  logic [PORTS-1:0]       rx_clk,
    input  logic [15:0]            interval,
    // Blocks that leave are a frame's.
    input  logic                   busy,
    input  logic [PORTS-1:0]       link,
    input  logic [PORTS-1:0]       late,
    // The 56 bits of the control blocks that come and leave.
    input  logic [PORTS-1:0][63:0] received,
    output logic [PORTS-1:0][63:0] sent,
    output logic [127:0]           counter,
    output logic [PORTS-1:0][7:0]  state
);
    logic [PORTS-1:0][65:0] encoded;
    logic [PORTS-1:0][65:0] filled;
    logic [PORTS-1:0][65:0] descrambled;
    logic [PORTS-1:0]       filled_valid;
    logic [PORTS-1:0][2:0]  state_of;

    for (genvar p = 0; p < PORTS; p++) begin : g_port
        assign encoded[p]     = {64'h1e, busy ? 2'b10 : 2'b01};
        assign sent[p]        = filled_valid[p] ? 64'(filled[p][65:10]) : '0;
        assign descrambled[p] = {received[p][55:0], 8'h1e, 2'b01};
        assign state[p]       = 8'(state_of[p]);
    end
    assign counter[127:106] = '0;

    // verilator lint_off PINCONNECTEMPTY
    ww_dtp_device #(.PORTS(PORTS), .ALPHA(ALPHA)) u_device (
        .clk, .rst, .rx_clk, .rx_rst({PORTS{rst}}), .tick(1'b1), .enable('1), .interval, .most_jumps('1), .encoded,
        .filled, .link, .arrived('1), .descrambled, .restored(), .late, .counter(counter[105:0]), .set_valid(1'b0),
        .set_value('0), .set_done(), .log_valid('0), .log_data('0), .log_ready(), .log_received(), .heard_valid(),
        .heard_code(), .heard_payload(), .filled_valid, .state(state_of), .delay(), .event_sent(), .event_beacon(),
        .event_jump(), .event_jump_ticks(), .event_out_of_range(), .event_unexpected()
    );
    // verilator lint_on PINCONNECTEMPTY
    wire unused = &{1'b0, received, filled};
endmodule
