// Of the 56 bits of a block of eight control characters: those that a PCS sends without DTP, and that are never a message.
//
// Idle is not among them. Errors stand in all lanes, for an encoder makes them so; low power idle stands in all lanes or in
// one half, where it begins or ends.
module ww_dtp_reserved (
    input  logic [55:0] bits,
    output logic        reserved
);
    // generated: phy (crates/phy/src/block.rs, crates/phy/src/character.rs)
    localparam logic [6:0]  ERROR_CODE = 7'h1e, LOW_POWER_IDLE_CODE = 7'h06;
    // end of generated
    localparam logic [55:0] ERRORS = {8{ERROR_CODE}};
    localparam logic [27:0] LOW_POWER = {4{LOW_POWER_IDLE_CODE}};

    logic [1:0] idle;
    logic [1:0] low_power;
    for (genvar h = 0; h < 2; h++) begin : g_half
        assign idle[h]      = bits[28*h+:28] == '0;
        assign low_power[h] = bits[28*h+:28] == LOW_POWER;
    end
    assign reserved = bits == ERRORS || (&(idle | low_power) && |low_power);
endmodule
