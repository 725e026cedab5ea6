// Receive sublayer of DTP: between the descrambler and the decoder, it takes messages out of blocks of control characters.
//
// Such a block carries a message if its 56 bits are neither zero nor errors or low power idle. It goes on as idle, in the same
// clock. All other blocks pass.
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
    // generated: phy (crates/phy/src/block.rs, crates/phy/src/character.rs)
    localparam logic [7:0]  TYPE_CONTROL = 8'h1e;
    localparam logic [1:0]  CONTROL = 2'b01;
    // end of generated
    localparam logic [9:0]  IDLE = {TYPE_CONTROL, CONTROL};

    logic [55:0] bits;
    logic        reserved;
    logic        carries;
    assign bits     = descrambled[65:10];
    ww_dtp_reserved u_reserved (.bits, .reserved);
    assign carries  = enable && descrambled[9:0] == IDLE && !reserved;
    assign restored = carries ? {56'h0, IDLE} : descrambled;

    always_ff @(posedge clk) begin
        message_valid <= arrived && link && carries && bits != '0 && !rst;
        message       <= bits;
    end
endmodule
