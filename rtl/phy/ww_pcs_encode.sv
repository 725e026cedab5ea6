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
    // generated: phy (crates/phy/src/block.rs, crates/phy/src/character.rs)
    localparam logic [1:0] DATA = 2'b10, CONTROL = 2'b01;
    localparam logic [7:0] IDLE = 8'h07, LOW_POWER_IDLE = 8'h06, ERROR = 8'hfe, RESERVED_0 = 8'h1c, RESERVED_1 = 8'h3c;
    localparam logic [7:0] RESERVED_2 = 8'h7c, RESERVED_3 = 8'hbc, RESERVED_4 = 8'hdc, RESERVED_5 = 8'hf7;
    localparam logic [7:0] START = 8'hfb, TERMINATE = 8'hfd, SEQUENCE = 8'h9c, SIGNAL = 8'h5c;
    localparam logic [6:0] IDLE_CODE = 7'h00, LOW_POWER_IDLE_CODE = 7'h06, ERROR_CODE = 7'h1e, RESERVED_0_CODE = 7'h2d;
    localparam logic [6:0] RESERVED_1_CODE = 7'h33, RESERVED_2_CODE = 7'h4b, RESERVED_3_CODE = 7'h55;
    localparam logic [6:0] RESERVED_4_CODE = 7'h66, RESERVED_5_CODE = 7'h78;
    localparam logic [7:0] TYPE_CONTROL = 8'h1e, TYPE_CONTROL_ORDERED = 8'h2d, TYPE_CONTROL_START = 8'h33;
    localparam logic [7:0] TYPE_ORDERED_CONTROL = 8'h4b, TYPE_ORDERED_ORDERED = 8'h55, TYPE_ORDERED_START = 8'h66;
    localparam logic [7:0] TYPE_START = 8'h78, TYPE_TERMINATE_0 = 8'h87, TYPE_TERMINATE_1 = 8'h99;
    localparam logic [7:0] TYPE_TERMINATE_2 = 8'haa, TYPE_TERMINATE_3 = 8'hb4, TYPE_TERMINATE_4 = 8'hcc;
    localparam logic [7:0] TYPE_TERMINATE_5 = 8'hd2, TYPE_TERMINATE_6 = 8'he1, TYPE_TERMINATE_7 = 8'hff;
    // end of generated
    localparam logic [63:0] ERRORS = {{8{ERROR_CODE}}, TYPE_CONTROL};
    // Two ordered sets of local fault: D1 to D3 and D5 to D7 are 00 00 01.
    localparam logic [63:0] LOCAL_FAULT = {56'h0100_0000_0100_00, TYPE_ORDERED_ORDERED};

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
                IDLE:           code[i] = IDLE_CODE;
                LOW_POWER_IDLE: code[i] = LOW_POWER_IDLE_CODE;
                ERROR:          code[i] = ERROR_CODE;
                RESERVED_0:     code[i] = RESERVED_0_CODE;
                RESERVED_1:     code[i] = RESERVED_1_CODE;
                RESERVED_2:     code[i] = RESERVED_2_CODE;
                RESERVED_3:     code[i] = RESERVED_3_CODE;
                RESERVED_4:     code[i] = RESERVED_4_CODE;
                RESERVED_5:     code[i] = RESERVED_5_CODE;
                default: begin
                    code[i] = ERROR_CODE;
                    known   = 1'b0;
                end
            endcase
        end
        assign is_control[i]   = xgmii_control[i] && known;
        assign is_error[i]     = octet == ERROR;
        assign is_terminate[i] = xgmii_control[i] && octet == TERMINATE;
    end

    // The two halves: a start, an ordered set, or control characters. The code of /O/ is 0 for sequences (9c), f for
    // signals (5c).
    logic [1:0] ordered;
    logic [1:0] controls;
    logic [3:0] o_code [2];
    for (genvar h = 0; h < 2; h++) begin : g_half
        assign is_start[h] = xgmii_control[4*h+:4] == 4'b0001 && xgmii_data[32*h+:8] == START;
        assign ordered[h]  = xgmii_control[4*h+:4] == 4'b0001
                             && (xgmii_data[32*h+:8] == SEQUENCE || xgmii_data[32*h+:8] == SIGNAL);
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
            payload = {xgmii_data[63:8], TYPE_START};
        end else if (is_start[1] && (controls[0] || ordered[0])) begin
            starts         = 1'b1;
            payload[63:36] = {xgmii_data[63:40], 4'h0};
            if (ordered[0]) payload[35:0] = {o_code[0], xgmii_data[31:8], TYPE_ORDERED_START};
            else            payload[35:0] = {code[3], code[2], code[1], code[0], TYPE_CONTROL_START};
        end else if ((controls[0] || ordered[0]) && (controls[1] || ordered[1])) begin
            if (ordered != 2'b00 || (is_error == 8'h00)) kind = C;
            if (ordered[0]) payload[35:8] = {o_code[0], xgmii_data[31:8]};
            else            payload[35:8] = {code[3], code[2], code[1], code[0]};
            if (ordered[1]) payload[63:36] = {xgmii_data[63:40], o_code[1]};
            else            payload[63:36] = {code[7], code[6], code[5], code[4]};
            unique case (ordered)
                2'b00: payload[7:0] = TYPE_CONTROL;
                2'b01: payload[7:0] = TYPE_ORDERED_CONTROL;
                2'b10: payload[7:0] = TYPE_CONTROL_ORDERED;
                2'b11: payload[7:0] = TYPE_ORDERED_ORDERED;
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
                        0:       payload[7:0] = TYPE_TERMINATE_0;
                        1:       payload[7:0] = TYPE_TERMINATE_1;
                        2:       payload[7:0] = TYPE_TERMINATE_2;
                        3:       payload[7:0] = TYPE_TERMINATE_3;
                        4:       payload[7:0] = TYPE_TERMINATE_4;
                        5:       payload[7:0] = TYPE_TERMINATE_5;
                        6:       payload[7:0] = TYPE_TERMINATE_6;
                        default: payload[7:0] = TYPE_TERMINATE_7;
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
