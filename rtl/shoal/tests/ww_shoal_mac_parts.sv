// What a NIC has beside its control, side by side: one model for the tests of all.
module ww_shoal_mac_parts (
    input  logic        clk,
    input  logic        rst,
    input  logic        tx_valid,
    input  logic        tx_first,
    input  logic [63:0] tx_data,
    output logic [63:0] tx_xgmii_data,
    output logic [7:0]  tx_xgmii_control,
    input  logic [63:0] rx_xgmii_data,
    input  logic [7:0]  rx_xgmii_control,
    output logic        rx_valid,
    output logic        rx_first,
    output logic [63:0] rx_data,
    output logic        rx_good,
    output logic        rx_bad,
    input  logic        start,
    output logic        running,
    output logic        slot_begin,
    input  logic [2:0]  source,
    input  logic        fetch_valid,
    input  logic [2:0]  fetch_dst,
    input  logic [19:0] fetch_seq,
    output logic        payload_valid,
    output logic [63:0] payload_data,
    output logic        payload_sop,
    output logic        payload_eop,
    input  logic [2:0]  host,
    input  logic        received_valid,
    input  logic [2:0]  received_src,
    input  logic [19:0] received_seq,
    input  logic        received_sop,
    input  logic        received_eop,
    input  logic        out_valid,
    input  logic        out_first,
    input  logic [63:0] out_data,
    output logic        error
);
    ww_shoal_tx u_tx (
        .clk, .rst, .cell_valid(tx_valid), .cell_first(tx_first), .cell_data(tx_data), .xgmii_data(tx_xgmii_data),
        .xgmii_control(tx_xgmii_control)
    );
    ww_shoal_rx u_rx (
        .clk, .rst, .xgmii_data(rx_xgmii_data), .xgmii_control(rx_xgmii_control), .cell_valid(rx_valid), .cell_first(rx_first),
        .cell_data(rx_data), .cell_good(rx_good), .event_bad(rx_bad)
    );
    ww_shoal_slot_clock u_slots (.clk, .rst, .start, .running, .slot_begin);
    ww_shoal_payload_source u_source (
        .clk, .rst, .host(10'(source)), .fetch_valid, .fetch_dst(10'(fetch_dst)), .fetch_seq, .payload_valid, .payload_data,
        .payload_sop, .payload_eop
    );
    ww_shoal_payload_check u_check (
        .clk, .rst, .host, .begin_valid(1'b0), .begin_src('0), .received_valid, .received_src, .received_seq, .received_sop, .received_eop, .out_valid, .out_first,
        .out_data, .error
    );
endmodule
