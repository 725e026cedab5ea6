// One port of DTP: both sublayers, the crossing from the recovered clock, and the protocol.
//
// The transmit sublayer stands between the encoder and the scrambler and adds one block of latency; the receive sublayer between
// the descrambler and the decoder, which adds none. The device has the counter.
module ww_dtp_port #(
    parameter int ALPHA = 3
) (
    input  logic               clk,
    input  logic               rst,
    input  logic               rx_clk,
    input  logic               rx_rst,
    // A block leaves: the counter counts. The same for all ports.
    input  logic               tick,
    input  logic               enable,
    input  logic [15:0]        interval,
    input  logic [15:0]        most_jumps,
    // Of ww_pcs_transmit, in the clock `clk`.
    input  logic [65:0]        encoded,
    output logic [65:0]        filled,
    // Of ww_pcs_receive, in the clock `rx_clk`; `link`: blocks are aligned and few are wrong.
    input  logic               link,
    input  logic               arrived,
    input  logic [65:0]        descrambled,
    output logic [65:0]        restored,
    // Of ww_dtp_crossing; 0.
    input  logic               late,
    // Of the device's counter.
    input  logic [52:0]        ticks,
    input  logic [105:0]       counter,
    input  logic [105:0]       counter_before,
    input  logic [3:0]         moved,
    input  logic               load,
    input  logic [52:0]        target_low,
    input  logic               tell,
    output logic [3:0]         gain,
    output logic               joined_valid,
    output logic [105:0]       joined,
    input  logic               joined_taken,
    output logic               goes_up,
    output logic               goes_down,
    // See ww_dtp_protocol.
    input  logic               log_valid,
    input  logic [52:0]        log_data,
    output logic               log_ready,
    output logic               log_received,
    output logic               heard_valid,
    output logic [2:0]         heard_code,
    output logic [52:0]        heard_payload,
    output logic               filled_valid,
    output logic [2:0]         state,
    output logic signed [13:0] delay,
    output logic               event_sent,
    output logic               event_beacon,
    output logic               event_jump,
    output logic [3:0]         event_jump_ticks,
    output logic               event_out_of_range,
    output logic               event_unexpected
);
    logic        slot;
    logic        message_valid;
    logic [2:0]  message_code;
    logic [52:0] message_payload;
    logic        received_valid;
    logic [55:0] received;
    logic        incoming_valid;
    logic [55:0] incoming;
    logic        join_valid;
    logic        high_known;
    logic [52:0] high;

    logic enable_at_rx;
    logic linked;
    logic linked_at;
    ww_synchronizer u_enable_at_rx (.clk(rx_clk), .rst(rx_rst), .given(enable), .taken(enable_at_rx));
    always_ff @(posedge rx_clk) begin
        linked <= link && enable_at_rx;
        if (rx_rst) linked <= 1'b0;
    end
    ww_synchronizer u_linked_at (.clk, .rst, .given(linked), .taken(linked_at));

    ww_dtp_transmit u_transmit (
        .clk, .rst, .tick, .encoded, .filled, .slot, .message_valid, .message_code, .message_payload,
        .filled_valid
    );
    ww_dtp_receive u_receive (
        .clk(rx_clk), .rst(rx_rst), .enable(enable_at_rx), .link, .arrived, .descrambled, .restored,
        .message_valid(received_valid), .message(received)
    );
    ww_dtp_crossing u_crossing (
        .rx_clk, .rx_rst, .push(received_valid), .pushed(received), .clk, .rst, .tick, .late,
        .message_valid(incoming_valid), .message(incoming)
    );
    ww_dtp_protocol #(.ALPHA(ALPHA)) u_protocol (
        .clk, .rst, .tick, .link(linked_at), .interval, .most_jumps, .ticks, .counter, .moved, .load, .target_low,
        .tell, .incoming_valid, .incoming, .slot, .message_valid, .message_code, .message_payload, .log_valid,
        .log_data, .log_ready, .log_received, .heard_valid, .heard_code, .heard_payload, .gain, .join_valid,
        .high_known, .high, .goes_up, .goes_down, .state, .delay, .event_sent, .event_beacon, .event_jump,
        .event_jump_ticks, .event_out_of_range, .event_unexpected
    );
    ww_dtp_join u_join (
        .clk, .rst, .tick, .clear(goes_up || goes_down), .join_valid, .low(heard_payload), .high_known, .high, .delay,
        .counter_before, .joined_valid, .joined, .joined_taken
    );
endmodule
