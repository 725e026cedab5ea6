// A device of DTP: one counter, and a port for each link. A NIC is a device with one port.
//
// All ports send with the same clock. `tick` is the enable of their transmit sides, a block each: every clock at 156.25 MHz, every
// second one at 312.5 MHz.
module ww_dtp_device #(
    parameter int PORTS = 4,
    parameter int ALPHA = 3
) (
    input  logic                    clk,
    input  logic                    rst,
    input  logic [PORTS-1:0]        rx_clk,
    input  logic [PORTS-1:0]        rx_rst,
    input  logic                    tick,
    // Ports that take part. Ticks from beacon to beacon, 1 or more: 200 fit between frames of 1,522 bytes, 1,200 between those
    // of 9,000. Ticks of jumps in 1000 beacons that make a peer faulty.
    input  logic [PORTS-1:0]        enable,
    input  logic [15:0]             interval,
    input  logic [15:0]             most_jumps,
    // Hooks of ww_pcs_transmit and ww_pcs_receive, a port each.
    input  logic [PORTS-1:0][65:0]  encoded,
    output logic [PORTS-1:0][65:0]  filled,
    input  logic [PORTS-1:0]        link,
    input  logic [PORTS-1:0]        arrived,
    input  logic [PORTS-1:0][65:0]  descrambled,
    output logic [PORTS-1:0][65:0]  restored,
    // Of ww_dtp_crossing; 0.
    input  logic [PORTS-1:0]        late,
    // An adder is in front of it.
    output logic [105:0]            counter,
    // Held until `set_done`. The counter becomes `set_value`, and two more for the ticks that this takes.
    input  logic                    set_valid,
    input  logic [105:0]            set_value,
    output logic                    set_done,
    // LOG: see ww_dtp_protocol. One that is received is in `heard_payload`, and `counter` says when.
    input  logic [PORTS-1:0]        log_valid,
    input  logic [PORTS-1:0][52:0]  log_data,
    output logic [PORTS-1:0]        log_ready,
    output logic [PORTS-1:0]        log_received,
    // What is acted on in this tick, and what stands in `filled`.
    output logic [PORTS-1:0]        heard_valid,
    output logic [PORTS-1:0][2:0]   heard_code,
    output logic [PORTS-1:0][52:0]  heard_payload,
    output logic [PORTS-1:0]        filled_valid,
    // 0: no link, 1 and 2: INIT is to be sent, was sent, 3: the delay is known, 4: the peer is faulty. The delay is signed.
    output logic [PORTS-1:0][2:0]   state,
    output logic [PORTS-1:0][13:0]  delay,
    // For one clock each, in the clock behind their tick.
    output logic [PORTS-1:0]        event_sent,
    output logic [PORTS-1:0]        event_beacon,
    output logic [PORTS-1:0]        event_jump,
    output logic [PORTS-1:0][3:0]   event_jump_ticks,
    output logic [PORTS-1:0]        event_out_of_range,
    output logic [PORTS-1:0]        event_unexpected
);
    if (PORTS < 1) begin : g_illegal_ports
        $error("ww_dtp_device: PORTS must be 1 or more");
    end
    if (ALPHA < 0 || ALPHA > 8) begin : g_illegal_alpha
        $error("ww_dtp_device: ALPHA must be 0 to 8");
    end

    logic [52:0]             ticks;
    logic [105:0]            counter_before;
    logic [3:0]              moved;
    logic                    load;
    logic [52:0]             target_low;
    logic [PORTS-1:0]        tell;
    logic [PORTS-1:0][3:0]   gain;
    logic [PORTS-1:0]        joined_valid;
    logic [PORTS-1:0][105:0] joined;
    logic [PORTS-1:0]        joined_taken;
    logic [PORTS-1:0]        goes_up;
    logic [PORTS-1:0]        goes_down;
    logic [PORTS-1:0]        is_up;

    ww_dtp_counter #(.PORTS(PORTS)) u_counter (
        .clk, .rst, .tick, .ticks, .counter, .counter_before, .gain, .moved, .joined_valid, .joined, .joined_taken,
        .clear(goes_up | goes_down), .load, .target_low, .tell,
        .restart(goes_down != '0 && (is_up & ~goes_down | goes_up) == '0),
        .set_valid, .set_value, .set_done
    );

    for (genvar p = 0; p < PORTS; p++) begin : g_port
        assign is_up[p] = state[p] != '0;
        ww_dtp_port #(.ALPHA(ALPHA)) u_port (
            .clk,
            .rst,
            .rx_clk            (rx_clk[p]),
            .rx_rst            (rx_rst[p]),
            .tick,
            .enable            (enable[p]),
            .interval,
            .most_jumps,
            .encoded           (encoded[p]),
            .filled            (filled[p]),
            .link              (link[p]),
            .arrived           (arrived[p]),
            .descrambled       (descrambled[p]),
            .restored          (restored[p]),
            .late              (late[p]),
            .ticks,
            .counter,
            .counter_before,
            .moved,
            .load,
            .target_low,
            .tell              (tell[p]),
            .gain              (gain[p]),
            .joined_valid         (joined_valid[p]),
            .joined               (joined[p]),
            .joined_taken         (joined_taken[p]),
            .goes_up           (goes_up[p]),
            .goes_down         (goes_down[p]),
            .log_valid         (log_valid[p]),
            .log_data          (log_data[p]),
            .log_ready         (log_ready[p]),
            .log_received      (log_received[p]),
            .heard_valid       (heard_valid[p]),
            .heard_code        (heard_code[p]),
            .heard_payload     (heard_payload[p]),
            .filled_valid      (filled_valid[p]),
            .state             (state[p]),
            .delay             (delay[p]),
            .event_sent        (event_sent[p]),
            .event_beacon      (event_beacon[p]),
            .event_jump        (event_jump[p]),
            .event_jump_ticks  (event_jump_ticks[p]),
            .event_out_of_range(event_out_of_range[p]),
            .event_unexpected  (event_unexpected[p])
        );
    end
endmodule
