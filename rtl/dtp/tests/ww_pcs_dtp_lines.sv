// Three lines that carry the same words: one with clock synchronisation at both ends, one where it is off, and one of plain
// sublayers. One clock; each line is two ends, and what comes from the second end is idle.
module ww_pcs_dtp_lines #(
    parameter int XGMII_WIDTH = 64
) (
    input  logic                     clk,
    input  logic                     rst,
    output logic [2:0]               take,
    input  logic [XGMII_WIDTH-1:0]   data,
    input  logic [XGMII_WIDTH/8-1:0] control,
    output logic [2:0]               valid,
    output logic [2:0][XGMII_WIDTH-1:0]   rx_data,
    output logic [2:0][XGMII_WIDTH/8-1:0] rx_control,
    output logic [2:0]               block_lock,
    // Blocks of the first end before they are scrambled, of the first two lines.
    output logic                     tick,
    output logic [1:0][65:0]         filled,
    output logic [1:0][2:0]          state
);
    localparam logic [XGMII_WIDTH-1:0] IDLE = {XGMII_WIDTH / 8{8'h07}};

    // verilator lint_off PINCONNECTEMPTY
    for (genvar n = 0; n < 2; n++) begin : g_line
        logic [1:0]       line_valid;
        logic [1:0][65:0] line;
        logic [1:0]       locks;
        for (genvar e = 0; e < 2; e++) begin : g_end
            ww_pcs_dtp #(.PORTS(1), .XGMII_WIDTH(XGMII_WIDTH)) u_pcs (
                .clk,
                .rst,
                .rx_clk          (clk),
                .rx_rst          (rst),
                .tx_xgmii_take   (g_take[2*n+e]),
                .tx_xgmii_data   (e == 0 ? data : IDLE),
                .tx_xgmii_control(e == 0 ? control : '1),
                .tx_line_valid   (line_valid[e]),
                .tx_line         (line[e]),
                .bad_word        (),
                .rx_line_valid   (line_valid[1-e]),
                .rx_line         (line[1-e]),
                .slip            (),
                .slip_done       (1'b1),
                .rx_xgmii_valid  (g_valid[2*n+e]),
                .rx_xgmii_data   (g_data[2*n+e]),
                .rx_xgmii_control(g_control[2*n+e]),
                .block_lock      (locks[e]),
                .hi_ber          (),
                .bad_header      (),
                .bad_block       (),
                .offset          (),
                .tick            (g_tick[2*n+e]),
                .enable          (n == 0),
                .interval        (16'd20),
                .most_jumps      (16'hffff),
                .late            (1'b0),
                .counter         (),
                .set_valid       (1'b0),
                .set_value       ('0),
                .set_done        (),
                .log_valid       (1'b1),
                .log_data        (53'h1a_5a5a_5a5a_5a5a),
                .log_ready       (),
                .log_received    (),
                .heard_valid     (),
                .heard_code      (),
                .heard_payload   (),
                .filled_valid    (),
                .state           (g_state[2*n+e]),
                .delay           (),
                .event_sent      (),
                .event_beacon    (),
                .event_jump      (),
                .event_jump_ticks(),
                .event_out_of_range(),
                .event_unexpected()
            );
        end
        // The blocks behind the transmit sublayer.
        assign filled[n]     = g_end[0].u_pcs.filled;
        assign take[n]       = g_take[2*n];
        assign valid[n]      = g_valid[2*n+1];
        assign rx_data[n]    = g_data[2*n+1];
        assign rx_control[n] = g_control[2*n+1];
        assign block_lock[n] = &locks;
        assign state[n]      = g_state[2*n+1];
    end
    logic [3:0]                    g_take;
    logic [3:0]                    g_valid;
    logic [3:0]                    g_tick;
    logic [3:0][2:0]               g_state;
    logic [3:0][XGMII_WIDTH-1:0]   g_data;
    logic [3:0][XGMII_WIDTH/8-1:0] g_control;
    assign tick = g_tick[0];

    logic        plain_valid;
    logic [65:0] plain_line;
    logic [65:0] encoded;
    logic [65:0] descrambled;
    ww_pcs_transmit #(.XGMII_WIDTH(XGMII_WIDTH)) u_transmit (
        .clk, .rst, .xgmii_take(take[2]), .xgmii_data(data), .xgmii_control(control), .advance(), .encoded,
        .filled(encoded), .line_valid(plain_valid), .line(plain_line), .bad_word()
    );
    ww_pcs_receive #(.XGMII_WIDTH(XGMII_WIDTH)) u_receive (
        .clk, .rst, .line_valid(plain_valid), .line(plain_line), .slip(), .slip_done(1'b1), .arrived(), .descrambled,
        .restored(descrambled), .xgmii_valid(valid[2]), .xgmii_data(rx_data[2]), .xgmii_control(rx_control[2]),
        .block_lock(block_lock[2]), .hi_ber(), .bad_header(), .bad_block(), .offset()
    );
    // verilator lint_on PINCONNECTEMPTY
    wire unused = &{1'b0, g_take, g_valid, g_tick, g_state, g_data, g_control};
endmodule
