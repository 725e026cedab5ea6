// Modules of rtl/phy side by side, each with ports of 64 bits at most.
module side_by_side (
    input  logic        clk,
    input  logic        rst,
    // Encoder and scrambler.
    input  logic [63:0] word_data,
    input  logic [7:0]  word_control,
    output logic [63:0] block_payload,
    output logic [1:0]  block_header,
    input  logic [63:0] plain,
    output logic [63:0] scrambled,
    // Decoder and descrambler.
    input  logic [63:0] back_payload,
    input  logic [1:0]  back_header,
    output logic [63:0] back_data,
    output logic [7:0]  back_control,
    input  logic [63:0] back_scrambled,
    output logic [63:0] back_plain,
    // Synchronisation.
    input  logic        header_valid,
    input  logic [1:0]  header,
    output logic        locked,
    output logic        slip,
    output logic [6:0]  offset,
    output logic        hi_ber,
    // Gearboxes at 40 bits, one behind the other.
    output logic        take,
    input  logic [63:0] gear_payload,
    input  logic [1:0]  gear_header,
    output logic [39:0] gear_word,
    output logic        gear_valid,
    output logic [63:0] geared_payload,
    output logic [1:0]  geared_header,
    // Transmit side of the MAC.
    input  logic [15:0] gap,
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic [63:0] s_axis_tdata,
    input  logic [7:0]  s_axis_tkeep,
    input  logic        s_axis_tlast,
    output logic [63:0] mac_data,
    output logic [7:0]  mac_control
);
    // verilator lint_off PINCONNECTEMPTY
    ww_pcs_encode u_encode (
        .clk, .rst, .enable(1'b1), .xgmii_data(word_data), .xgmii_control(word_control),
        .block({block_payload, block_header}), .bad()
    );
    ww_scramble u_scramble (.clk, .rst, .enable(1'b1), .plain, .scrambled);
    ww_pcs_decode u_decode (
        .clk, .rst, .enable(1'b1), .link(1'b1), .block({back_payload, back_header}),
        .xgmii_data(back_data), .xgmii_control(back_control), .bad()
    );
    ww_descramble u_descramble (
        .clk, .rst, .enable(1'b1), .scrambled(back_scrambled), .plain(back_plain)
    );
    ww_block_sync u_sync (
        .clk, .rst, .header_valid, .header, .locked, .slip, .slip_done(1'b1), .offset
    );
    ww_ber_monitor #(.WINDOW(200)) u_monitor (.clk, .rst, .locked, .header_valid, .header, .hi_ber);
    ww_gearbox_transmit u_gear_transmit (
        .clk, .rst, .take, .block({gear_payload, gear_header}), .word(gear_word)
    );
    ww_gearbox_receive u_gear_receive (
        .clk, .rst, .word(gear_word), .slip(1'b0), .slip_done(), .block_valid(gear_valid),
        .block({geared_payload, geared_header})
    );
    ww_mac_transmit u_mac (
        .clk, .rst, .gap, .s_axis_tvalid, .s_axis_tready, .s_axis_tdata, .s_axis_tkeep, .s_axis_tlast,
        .xgmii_take(1'b1), .xgmii_data(mac_data), .xgmii_control(mac_control), .sent(), .underrun()
    );
    // verilator lint_on PINCONNECTEMPTY
endmodule
