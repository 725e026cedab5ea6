// The protocol at one end of a DTP link: INIT and its answer measure the delay, then beacons tell counters.
//
// A message that is offered by the crossing in one tick is acted on in the next: what it says is first compared with the counter
// of then. Within a tick, a block leaves before a message comes, and the link changes last.
module ww_dtp_protocol #(
    // What is taken off the time there and back. Less than 3 lets counters drive each other.
    parameter int ALPHA = 3
) (
    input  logic               clk,
    input  logic               rst,
    input  logic               tick,
    input  logic               link,
    // Ticks from beacon to beacon, 1 or more; jumps that are too many in 1000 beacons.
    input  logic [15:0]        interval,
    input  logic [15:0]        most_jumps,
    // Of the device.
    input  logic [52:0]        ticks,
    input  logic [105:0]       counter,
    input  logic [3:0]         moved,
    input  logic               load,
    input  logic [52:0]        target_low,
    input  logic               tell,
    // From the crossing.
    input  logic               incoming_valid,
    input  logic [55:0]        incoming,
    // An idle block leaves, and what it carries.
    input  logic               slot,
    output logic               message_valid,
    output logic [2:0]         message_code,
    output logic [52:0]        message_payload,
    // A LOG of the host, in an idle block that nothing else needs: `log_data` if its highest bit is one, else the counter.
    input  logic               log_valid,
    input  logic [52:0]        log_data,
    output logic               log_ready,
    // A LOG of the peer's.
    output logic               log_received,
    // What is acted on in this tick, with the code of beacons at 3.
    output logic               heard_valid,
    output logic [2:0]         heard_code,
    output logic [52:0]        heard_payload,
    // By how much the peer's counter is ahead, of 1 to 8.
    output logic [3:0]         gain,
    // To what handles JOINs.
    output logic               join_valid,
    output logic               high_known,
    output logic [52:0]        high,
    output logic               goes_up,
    output logic               goes_down,
    // 0: no link, 1 and 2: INIT is to be sent, was sent, 3: the delay is known, 4: the peer is faulty.
    output logic [2:0]         state,
    output logic signed [13:0] delay,
    // For one clock each.
    output logic               event_sent,
    output logic               event_beacon,
    output logic               event_jump,
    output logic [3:0]         event_jump_ticks,
    output logic               event_out_of_range,
    output logic               event_unexpected
);
    localparam int RANGE = 8;
    localparam int PERIOD = 1000;
    // generated: dtp (crates/dtp/src/port.rs)
    localparam int LONGEST_WAIT = 4096;
    localparam int PATIENCE = 16384;
    localparam int BEACONS_TO_MSB = 1024;
    // end of generated
    localparam logic [1:0] TIMES = 2'd3;

    // Messages.
    // generated: dtp (crates/dtp/src/message.rs)
    localparam logic [2:0] NONE = 3'd0, INIT = 3'd1, ACK = 3'd2, BEACON = 3'd3, ODD_BEACON = 3'd4, LOG = 3'd5, JOIN = 3'd6;
    localparam logic [2:0] MSB = 3'd7;
    // end of generated
    // States, as at the port `state`.
    // generated: dtp_states (crates/blocks/src/facts.rs)
    localparam logic [2:0] DOWN = 3'd0, START = 3'd1, SENT = 3'd2, SYNC = 3'd3, FAULTY = 3'd4;
    // end of generated

    assign goes_up   = link && state == DOWN;
    assign goes_down = !link && state != DOWN;

    // The tick before: what is it, and how far away. The counter may be moved now, or another one be loaded.
    logic        parity;
    logic [52:0] payload;
    logic [52:0] distance;
    logic [52:0] load_distance;
    assign payload       = incoming[55:3];
    assign parity        = ^payload;
    assign distance      = payload - counter[52:0] - 53'd1;
    assign load_distance = payload - target_low - 53'd1;

    function automatic logic [15:0] clipped(logic [52:0] value);
        if (value[52:15] == {38{value[52]}}) return value[15:0];
        return {value[52], {15{!value[52]}}};
    endfunction

    logic [15:0] away;
    always_ff @(posedge clk) begin
        if (tick) begin
            heard_code    <= incoming[2:0];
            heard_payload <= payload;
            away          <= load ? clipped(load_distance) : clipped(distance);
            heard_valid   <= incoming_valid && incoming[2:0] != NONE;
            if (incoming[2:0] == BEACON && parity) heard_valid <= 1'b0;
            if (incoming[2:0] == ODD_BEACON) begin
                heard_code <= BEACON;
                if (!parity) heard_valid <= 1'b0;
            end
        end
        if (rst) heard_valid <= 1'b0;
    end

    // Messages of this tick.
    logic hears_init;
    logic hears_ack;
    logic hears_beacon;
    logic hears_msb;
    assign hears_init   = heard_valid && state != DOWN && heard_code == INIT;
    assign hears_ack    = heard_valid && state == SENT && heard_code == ACK;
    assign hears_beacon = heard_valid && state == SYNC && heard_code == BEACON;
    assign hears_msb    = heard_valid && state == SYNC && heard_code == MSB;
    assign join_valid   = heard_valid && state == SYNC && heard_code == JOIN;
    assign log_received = tick && heard_valid && state != DOWN && heard_code == LOG;

    // What leaves.
    logic        answer;
    logic [52:0] answer_payload;
    logic [14:0] since;
    logic [1:0]  joins;
    logic [1:0]  msbs;
    logic [15:0] beacon_left;
    logic        sends;
    always_comb begin
        message_valid   = 1'b1;
        message_code    = BEACON;
        message_payload = counter[52:0];
        if (answer) begin
            message_code    = ACK;
            message_payload = answer_payload;
        end else if (state == START || (state == SENT && since == 15'(PATIENCE))) begin
            message_code    = INIT;
            message_payload = ticks;
        end else if (state == SYNC && msbs != '0) begin
            message_code    = MSB;
            message_payload = counter[105:53];
        end else if (state == SYNC && joins != '0) begin
            message_code = JOIN;
        end else if (!(state == SYNC && beacon_left == '0)) begin
            message_code    = LOG;
            message_valid   = log_valid;
            message_payload = log_data[52] ? log_data : {1'b0, counter[51:0]};
        end
        if (state == DOWN) message_valid = 1'b0;
    end
    assign sends     = slot && message_valid;
    assign log_ready = tick && sends && message_code == LOG;

    logic sends_init;
    logic sends_beacon;
    assign sends_init   = sends && message_code == INIT;
    assign sends_beacon = sends && message_code == BEACON;

    // An answer carries the ticks of the INIT, later by as long as it waited.
    logic [52:0]        sent;
    logic [52:0]        waited;
    logic               believed;
    logic signed [15:0] there_and_back;
    assign waited         = heard_payload - sent;
    assign there_and_back = 16'(since) - 16'(waited[12:0]);
    assign believed       = hears_ack && waited <= 53'(LONGEST_WAIT) && since < 15'(PATIENCE)
                            && there_and_back >= 0;

    // A beacon.
    logic signed [16:0] ahead;
    logic               in_range;
    logic [3:0]         jump;
    logic [16:0]        jumps;
    logic               too_many;
    logic [15:0]        jumped;
    logic [9:0]         beacons_left;
    logic [9:0]         beacons_sent;
    assign ahead    = 17'(signed'(away)) + 17'(delay) - signed'(17'(moved));
    assign in_range = hears_beacon && ahead <= 17'(RANGE) && ahead >= -17'(RANGE);
    assign jump     = in_range && ahead > 0 ? ahead[3:0] : '0;
    assign jumps    = 17'(jumped) + 17'(jump);
    assign too_many = jump != '0 && jumps > 17'(most_jumps);
    assign gain     = too_many ? '0 : jump;

    logic        msb_known;
    logic [52:0] msb;

    always_ff @(posedge clk) begin
        event_sent         <= tick && sends && message_code != LOG;
        event_beacon       <= tick && in_range;
        event_jump         <= tick && jump != '0;
        event_jump_ticks   <= jump;
        event_out_of_range <= tick && hears_beacon && !in_range;
        event_unexpected   <= tick && heard_valid
                              && !(hears_init || believed || hears_beacon || hears_msb || join_valid || log_received);
        if (tick) begin
            // A block leaves.
            answer_payload <= answer_payload + 53'd1;
            if (since != 15'(PATIENCE)) since <= since + 15'd1;
            if (beacon_left != '0) beacon_left <= beacon_left - 16'd1;
            if (sends && answer) answer <= 1'b0;
            if (sends_init) begin
                state <= SENT;
                sent  <= ticks;
                since <= 15'd1;
            end
            if (sends && message_code == MSB) msbs <= msbs - 2'd1;
            if (sends && message_code == JOIN) joins <= joins - 2'd1;
            if (sends_beacon) begin
                beacon_left  <= interval - 16'd1;
                beacons_sent <= beacons_sent + 10'd1;
                if (beacons_sent == 10'(BEACONS_TO_MSB - 1)) msbs <= TIMES;
            end
            // A message comes.
            if (hears_init) begin
                answer         <= 1'b1;
                answer_payload <= heard_payload + 53'd1;
            end
            if (believed) begin
                state       <= SYNC;
                delay       <= 14'((there_and_back - 16'(ALPHA)) >>> 1);
                beacon_left <= '0;
            end
            if (believed || (tell && state == SYNC)) begin
                joins <= TIMES;
                msbs  <= TIMES;
            end
            if (hears_msb) begin
                msb_known <= 1'b1;
                msb       <= heard_payload;
                if (msb_known && msb == heard_payload) begin
                    high_known <= 1'b1;
                    high       <= heard_payload;
                end
            end
            if (in_range) begin
                jumped <= jumps[15:0];
                if (too_many) begin
                    state <= FAULTY;
                end else begin
                    beacons_left <= beacons_left - 10'd1;
                    if (beacons_left == 10'd1) begin
                        beacons_left <= 10'(PERIOD);
                        jumped       <= '0;
                    end
                end
            end
            if (goes_up || goes_down) state <= goes_up ? START : DOWN;
        end
        if (rst) state <= DOWN;
        if (rst || (tick && (goes_up || goes_down))) begin
            delay        <= '0;
            answer       <= 1'b0;
            joins        <= '0;
            msbs         <= '0;
            beacon_left  <= '0;
            beacons_sent <= '0;
            beacons_left <= 10'(PERIOD);
            jumped       <= '0;
            msb_known    <= 1'b0;
            high_known   <= 1'b0;
        end
    end
endmodule
