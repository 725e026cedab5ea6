// 64b/66b encoder of 10GBASE-R (IEEE 802.3 clause 49): an XGMII word becomes a block that is not yet scrambled.
//
// One word each enabled clock; latency one enabled clock. The transmit state machine of figure 49-16
// replaces words that cannot stand where they are, such as data without a start, by blocks of errors.
//
// Bit 0 of `block` goes first on the line, and block[1:0] is the sync header: 2'b10 for data (the line
// sees 0, then 1), 2'b01 for control. block[9:2] is the type of a control block.
module ww_pcs_encode (
    input  logic        clk,
    // Local fault is sent until the first word after it.
    input  logic        rst,
    // Low: everything stands still, and the word is not taken.
    input  logic        enable,
    // Lane 0, the first on the line, in the low byte.
    input  logic [63:0] xgmii_data,
    // One: the lane holds a control character.
    input  logic [7:0]  xgmii_control,
    output logic [65:0] block,
    // The word of this block was replaced by errors.
    output logic        bad
);
    localparam logic [1:0]  DATA = 2'b10;
    localparam logic [1:0]  CONTROL = 2'b01;
    localparam logic [63:0] ERRORS = {{8{7'h1e}}, 8'h1e};
    // Two ordered sets of local fault: D1 to D3 and D5 to D7 are 00 00 01.
    localparam logic [63:0] LOCAL_FAULT = 64'h0100_0000_0100_0055;

    typedef enum logic [2:0] {INIT, C, D, T, E} state_t;

    // What the standard calls T_TYPE, and the block.
    state_t      kind;
    logic        starts;
    logic [63:0] payload;

    // Each lane: a valid control character that is not /O/, /S/ or /T/; its code; what else it may be.
    logic [7:0] is_control;
    logic [7:0] is_error;
    logic [1:0] is_start;
    logic [7:0] is_terminate;
    logic [6:0] code [8];
    for (genvar i = 0; i < 8; i++) begin : g_lane
        logic [7:0] octet;
        logic       known;
        assign octet = xgmii_data[8*i+:8];
        always_comb begin
            known = 1'b1;
            unique case (octet)
                8'h07:   code[i] = 7'h00;
                8'h06:   code[i] = 7'h06;
                8'hfe:   code[i] = 7'h1e;
                8'h1c:   code[i] = 7'h2d;
                8'h3c:   code[i] = 7'h33;
                8'h7c:   code[i] = 7'h4b;
                8'hbc:   code[i] = 7'h55;
                8'hdc:   code[i] = 7'h66;
                8'hf7:   code[i] = 7'h78;
                default: begin
                    code[i] = 7'h1e;
                    known   = 1'b0;
                end
            endcase
        end
        assign is_control[i]   = xgmii_control[i] && known;
        assign is_error[i]     = octet == 8'hfe;
        assign is_terminate[i] = xgmii_control[i] && octet == 8'hfd;
    end

    // The two halves: a start, an ordered set, or control characters. The code of /O/ is 0 for sequences (9c), f for
    // signals (5c).
    logic [1:0] ordered;
    logic [1:0] controls;
    logic [3:0] o_code [2];
    for (genvar h = 0; h < 2; h++) begin : g_half
        assign is_start[h] = xgmii_control[4*h+:4] == 4'b0001 && xgmii_data[32*h+:8] == 8'hfb;
        assign ordered[h]  = xgmii_control[4*h+:4] == 4'b0001
                             && (xgmii_data[32*h+:8] == 8'h9c || xgmii_data[32*h+:8] == 8'h5c);
        assign o_code[h]   = {4{xgmii_data[32*h+6]}};
        assign controls[h] = &is_control[4*h+:4];
    end

    always_comb begin
        kind    = E;
        starts  = 1'b0;
        payload = ERRORS;
        if (xgmii_control == 8'h00) begin
            kind    = D;
            payload = xgmii_data;
        end else if (is_start[0] && xgmii_control[7:4] == 4'h0) begin
            starts  = 1'b1;
            payload = {xgmii_data[63:8], 8'h78};
        end else if (is_start[1] && (controls[0] || ordered[0])) begin
            starts         = 1'b1;
            payload[63:36] = {xgmii_data[63:40], 4'h0};
            if (ordered[0]) payload[35:0] = {o_code[0], xgmii_data[31:8], 8'h66};
            else            payload[35:0] = {code[3], code[2], code[1], code[0], 8'h33};
        end else if ((controls[0] || ordered[0]) && (controls[1] || ordered[1])) begin
            if (ordered != 2'b00 || (is_error == 8'h00)) kind = C;
            if (ordered[0]) payload[35:8] = {o_code[0], xgmii_data[31:8]};
            else            payload[35:8] = {code[3], code[2], code[1], code[0]};
            if (ordered[1]) payload[63:36] = {xgmii_data[63:40], o_code[1]};
            else            payload[63:36] = {code[7], code[6], code[5], code[4]};
            unique case (ordered)
                2'b00: payload[7:0] = 8'h1e;
                2'b01: payload[7:0] = 8'h4b;
                2'b10: payload[7:0] = 8'h2d;
                2'b11: payload[7:0] = 8'h55;
            endcase
        end else begin
            for (int k = 0; k < 8; k++) begin
                // Data before /T/, control characters behind it.
                if (is_terminate[k] && (xgmii_control & 8'((1 << k) - 1)) == 8'h00
                    && ((is_control | 8'((2 << k) - 1)) == 8'hff)) begin
                    kind    = T;
                    payload = '0;
                    for (int i = 0; i < 8; i++) begin
                        if (i < k && i < 7) payload[8+8*i+:8] = xgmii_data[8*i+:8];
                        if (i > k)          payload[8+7*i+:7] = code[i];
                    end
                    unique case (k)
                        0:       payload[7:0] = 8'h87;
                        1:       payload[7:0] = 8'h99;
                        2:       payload[7:0] = 8'haa;
                        3:       payload[7:0] = 8'hb4;
                        4:       payload[7:0] = 8'hcc;
                        5:       payload[7:0] = 8'hd2;
                        6:       payload[7:0] = 8'he1;
                        default: payload[7:0] = 8'hff;
                    endcase
                end
            end
        end
    end

    // Figure 49-16. A state is named by the block that it sends; D also sends starts.
    state_t state;
    state_t next;
    always_comb begin
        next = E;
        unique case (state)
            INIT, C, T: if (starts) next = D;
                        else if (kind == C) next = C;
            D:          if (kind == D || kind == T) next = kind;
            default:    if (!starts) next = kind;
        endcase
    end

    always_ff @(posedge clk) begin
        if (enable) begin
            state <= next;
            bad   <= next == E;
            if (next == E) block <= {ERRORS, CONTROL};
            else           block <= {payload, kind == D ? DATA : CONTROL};
        end
        if (rst) begin
            state <= INIT;
            bad   <= 1'b0;
            block <= {LOCAL_FAULT, CONTROL};
        end
    end
endmodule
