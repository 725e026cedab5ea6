// Of a port of DTP: what the peer's JOINs say, which may be far away from the counter here.
//
// A JOIN carries 53 bits. The high half is that of two MSBs that agreed, or without them what makes the counter nearest to
// the one here. Two JOINs in a row that agree, to 8 ticks, are believed: `joined_valid` until it is taken, or until
// another JOIN does not agree. Three ticks after a JOIN came all of this is known; what is counted goes on meanwhile.
module ww_dtp_join (
    input  logic               clk,
    input  logic               rst,
    input  logic               tick,
    // The link has changed: nothing is known.
    input  logic               clear,
    // A JOIN comes in this tick.
    input  logic               join_valid,
    input  logic [52:0]        low,
    // What is known of the peer, steady until the next message: its high half and the delay.
    input  logic               high_known,
    input  logic [52:0]        high,
    input  logic signed [13:0] delay,
    // The counter of the tick before.
    input  logic [105:0]       counter_before,
    // The peer's counter in the next tick.
    output logic               joined_valid,
    output logic [105:0]       joined,
    input  logic               joined_taken
);
    localparam int RANGE = 8;

    logic         came;
    logic [52:0]  came_low;
    logic         whole;
    logic [105:0] sent;
    logic         arrives;
    logic [105:0] now;
    logic         known;

    // The nearest one: forwards across the wrap of the low half, or backwards.
    logic         borrow;
    logic         backwards;
    logic [51:0]  unused_distance;
    logic [52:0]  nearest_high;
    assign {borrow, backwards, unused_distance} = {1'b0, came_low} - {1'b0, counter_before[52:0]};
    always_comb begin
        nearest_high = counter_before[105:53];
        if (borrow && !backwards) nearest_high = counter_before[105:53] + 53'd1;
        if (!borrow && backwards) nearest_high = counter_before[105:53] - 53'd1;
    end

    // `now` is a tick ahead of `joined`.
    logic [105:0] apart;
    logic         agrees;
    assign apart  = now - joined - 106'd1;
    assign agrees = known && (apart <= 106'(RANGE) || apart >= -106'(RANGE));

    always_ff @(posedge clk) begin
        if (tick) begin
            came      <= join_valid && !clear;
            came_low  <= low;
            whole     <= came && !clear;
            sent      <= {high_known ? high : nearest_high, came_low};
            arrives   <= whole && !clear;
            // Five ticks on from when it came.
            now       <= sent + 106'(15'(delay) + 15'sd5);
            joined       <= arrives ? now : joined + 106'd1;
            known     <= (known || arrives) && !clear;
            joined_valid <= (arrives ? agrees : joined_valid && !joined_taken) && !clear;
        end
        if (rst) begin
            came      <= 1'b0;
            whole     <= 1'b0;
            arrives   <= 1'b0;
            known     <= 1'b0;
            joined_valid <= 1'b0;
        end
    end
endmodule
