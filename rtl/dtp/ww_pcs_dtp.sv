// Physical coding sublayers of 10GBASE-R with clock synchronisation: ww_pcs_transmit, ww_pcs_receive and, between encoder and
// scrambler and between descrambler and decoder, ww_dtp_device.
//
// All transmit sides run with one clock, `clk`, and each receive side with its own. Latency: that of the sublayers, and one
// block more in the transmit side.
module ww_pcs_dtp #(
    parameter int PORTS = 1,
    // See ww_pcs_transmit and ww_pcs_receive.
    parameter int XGMII_WIDTH = 64,
    parameter int LINE_WIDTH = 66,
    parameter int BER_WINDOW = 19531,
    // See ww_dtp_protocol.
    parameter int ALPHA = 3
) (
    input  logic                                clk,
    input  logic                                rst,
    input  logic [PORTS-1:0]                    rx_clk,
    input  logic [PORTS-1:0]                    rx_rst,
    output logic [PORTS-1:0]                    tx_xgmii_take,
    input  logic [PORTS-1:0][XGMII_WIDTH-1:0]   tx_xgmii_data,
    input  logic [PORTS-1:0][XGMII_WIDTH/8-1:0] tx_xgmii_control,
    output logic [PORTS-1:0]                    tx_line_valid,
    output logic [PORTS-1:0][LINE_WIDTH-1:0]    tx_line,
    output logic [PORTS-1:0]                    bad_word,
    input  logic [PORTS-1:0]                    rx_line_valid,
    input  logic [PORTS-1:0][LINE_WIDTH-1:0]    rx_line,
    output logic [PORTS-1:0]                    slip,
    input  logic [PORTS-1:0]                    slip_done,
    output logic [PORTS-1:0]                    rx_xgmii_valid,
    output logic [PORTS-1:0][XGMII_WIDTH-1:0]   rx_xgmii_data,
    output logic [PORTS-1:0][XGMII_WIDTH/8-1:0] rx_xgmii_control,
    output logic [PORTS-1:0]                    block_lock,
    output logic [PORTS-1:0]                    hi_ber,
    output logic [PORTS-1:0]                    bad_header,
    output logic [PORTS-1:0]                    bad_block,
    output logic [PORTS-1:0][6:0]               offset,
    // See ww_dtp_device.
    output logic                                tick,
    input  logic [PORTS-1:0]                    enable,
    input  logic [15:0]                         interval,
    input  logic [15:0]                         most_jumps,
    input  logic [PORTS-1:0]                    late,
    output logic [105:0]                        counter,
    input  logic                                set_valid,
    input  logic [105:0]                        set_value,
    output logic                                set_done,
    input  logic [PORTS-1:0]                    log_valid,
    input  logic [PORTS-1:0][52:0]              log_data,
    output logic [PORTS-1:0]                    log_ready,
    output logic [PORTS-1:0]                    log_received,
    output logic [PORTS-1:0]                    heard_valid,
    output logic [PORTS-1:0][2:0]               heard_code,
    output logic [PORTS-1:0][52:0]              heard_payload,
    output logic [PORTS-1:0]                    filled_valid,
    output logic [PORTS-1:0][2:0]               state,
    output logic [PORTS-1:0][13:0]              delay,
    output logic [PORTS-1:0]                    event_sent,
    output logic [PORTS-1:0]                    event_beacon,
    output logic [PORTS-1:0]                    event_jump,
    output logic [PORTS-1:0][3:0]               event_jump_ticks,
    output logic [PORTS-1:0]                    event_out_of_range,
    output logic [PORTS-1:0]                    event_unexpected
);
    logic [PORTS-1:0]       advance;
    logic [PORTS-1:0][65:0] encoded;
    logic [PORTS-1:0][65:0] filled;
    logic [PORTS-1:0]       arrived;
    logic [PORTS-1:0][65:0] descrambled;
    logic [PORTS-1:0][65:0] restored;

    // They leave reset together, and so advance together.
    assign tick = advance[0];

    for (genvar p = 0; p < PORTS; p++) begin : g_pcs
        ww_pcs_transmit #(.XGMII_WIDTH(XGMII_WIDTH), .LINE_WIDTH(LINE_WIDTH)) u_transmit (
            .clk,
            .rst,
            .xgmii_take   (tx_xgmii_take[p]),
            .xgmii_data   (tx_xgmii_data[p]),
            .xgmii_control(tx_xgmii_control[p]),
            .advance      (advance[p]),
            .encoded      (encoded[p]),
            .filled       (filled[p]),
            .line_valid   (tx_line_valid[p]),
            .line         (tx_line[p]),
            .bad_word     (bad_word[p])
        );
        ww_pcs_receive #(.XGMII_WIDTH(XGMII_WIDTH), .LINE_WIDTH(LINE_WIDTH), .BER_WINDOW(BER_WINDOW)) u_receive (
            .clk          (rx_clk[p]),
            .rst          (rx_rst[p]),
            .line_valid   (rx_line_valid[p]),
            .line         (rx_line[p]),
            .slip         (slip[p]),
            .slip_done    (slip_done[p]),
            .arrived      (arrived[p]),
            .descrambled  (descrambled[p]),
            .restored     (restored[p]),
            .xgmii_valid  (rx_xgmii_valid[p]),
            .xgmii_data   (rx_xgmii_data[p]),
            .xgmii_control(rx_xgmii_control[p]),
            .block_lock   (block_lock[p]),
            .hi_ber       (hi_ber[p]),
            .bad_header   (bad_header[p]),
            .bad_block    (bad_block[p]),
            .offset       (offset[p])
        );
    end

    ww_dtp_device #(.PORTS(PORTS), .ALPHA(ALPHA)) u_device (
        .clk, .rst, .rx_clk, .rx_rst, .tick, .enable, .interval, .most_jumps, .encoded, .filled,
        .link(block_lock & ~hi_ber), .arrived, .descrambled, .restored, .late, .counter, .set_valid, .set_value,
        .set_done, .log_valid, .log_data, .log_ready, .log_received, .heard_valid, .heard_code, .heard_payload,
        .filled_valid, .state, .delay, .event_sent, .event_beacon, .event_jump, .event_jump_ticks,
        .event_out_of_range, .event_unexpected
    );
    wire unused_advance = &{1'b0, advance};
endmodule
