// Transmit sublayer of DTP: between the encoder and the scrambler, it writes messages into idle blocks.
//
// A block is idle if it has the type of eight control characters and all of them are idle: its 56 bits are zero. It is
// offered as a slot, and a message that is there in the same clock takes the place of these bits. All other
// blocks pass. Latency: one block; a message says what was so when its block came in.
module ww_dtp_transmit (
    input  logic        clk,
    input  logic        rst,
    // A block goes in, and the one before it is taken.
    input  logic        tick,
    input  logic [65:0] encoded,
    output logic [65:0] filled,
    // The block that goes in may carry a message; what it carries, if anything.
    output logic        slot,
    input  logic        message_valid,
    input  logic [2:0]  message_code,
    input  logic [52:0] message_payload,
    // The block that is offered carries a message; its bits are filled[65:10].
    output logic        filled_valid
);
    // generated: phy (crates/phy/src/block.rs, crates/phy/src/character.rs)
    localparam logic [7:0]  TYPE_CONTROL = 8'h1e;
    localparam logic [1:0]  CONTROL = 2'b01;
    localparam logic [7:0]  TYPE_ORDERED_ORDERED = 8'h55;
    // end of generated
    localparam logic [9:0]  IDLE = {TYPE_CONTROL, CONTROL};
    localparam logic [65:0] LOCAL_FAULT = {56'h0100_0000_0100_00, TYPE_ORDERED_ORDERED, CONTROL};
    // generated: dtp (crates/dtp/src/message.rs)
    localparam logic [2:0]  BEACON = 3'd3, ODD_BEACON = 3'd4;
    // end of generated

    logic [65:0] held;
    logic        carries;
    logic        is_beacon;
    logic [55:0] bits;
    logic        reserved;

    assign slot = encoded == {56'h0, IDLE};
    always_ff @(posedge clk) begin
        if (tick) begin
            held      <= encoded;
            carries   <= slot && message_valid;
            is_beacon <= message_code == BEACON;
            if (slot && message_valid) held[65:10] <= {message_payload, message_code};
        end
        if (rst) begin
            held    <= LOCAL_FAULT;
            carries <= 1'b0;
        end
    end

    // The code of a beacon is 3 or 4, by the parity of the payload.
    always_comb begin
        bits = held[65:10];
        if (carries && is_beacon && ^held[65:13]) bits[2:0] = ODD_BEACON;
    end
    // Few JOINs of 2^53 look like something else, and are left out: they are sent three times, each with another counter.
    ww_dtp_reserved u_reserved (.bits, .reserved);
    assign filled_valid = carries && !reserved;
    assign filled       = {carries && reserved ? 56'h0 : bits, held[9:0]};
endmodule
