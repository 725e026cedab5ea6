// Receive sublayer of DTP: between the descrambler and the decoder, it takes messages out of blocks of control characters.
//
// Such a block carries a message if its 56 bits are neither zero nor eight characters of error or of low power
// idle. It goes on as idle, in the same clock. All other blocks pass.
module ww_dtp_receive (
    // The recovered clock.
    input  logic        clk,
    input  logic        rst,
    // Low: all blocks pass.
    input  logic        enable,
    // Blocks are aligned; messages count only then.
    input  logic        link,
    input  logic        arrived,
    input  logic [65:0] descrambled,
    output logic [65:0] restored,
    output logic        message_valid,
    output logic [55:0] message
);
    localparam logic [9:0]  IDLE = {8'h1e, 2'b01};
    localparam logic [55:0] ERRORS = {8{7'h1e}};
    localparam logic [55:0] LOW_POWER = {8{7'h06}};

    logic [55:0] bits;
    logic        carries;
    assign bits     = descrambled[65:10];
    assign carries  = enable && descrambled[9:0] == IDLE && bits != ERRORS && bits != LOW_POWER;
    assign restored = carries ? {56'h0, IDLE} : descrambled;

    always_ff @(posedge clk) begin
        message_valid <= arrived && link && carries && bits != '0 && !rst;
        message       <= bits;
    end
endmodule
