// 64b/66b decoder of 10GBASE-R (IEEE 802.3 clause 49): a descrambled block becomes an XGMII word.
//
// One block each enabled clock; latency two enabled clocks, for the receive state machine of figure
// 49-17 looks at the block behind a terminate. A block that cannot stand where it is becomes eight error
// characters; without a link, the word is local fault. The order of bits is that of ww_pcs_encode.
module ww_pcs_decode (
    input  logic        clk,
    input  logic        rst,
    // Low: everything stands still, and the block is not taken.
    input  logic        enable,
    // Blocks are aligned and few are wrong: block lock, and not hi_ber.
    input  logic        link,
    input  logic [65:0] block,
    output logic [63:0] xgmii_data,
    output logic [7:0]  xgmii_control,
    // This word replaces a block that could not be decoded where it stood.
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
    localparam logic [63:0] ERRORS = {8{ERROR}};
    localparam logic [63:0] LOCAL_FAULT = {2{24'h0100_00, SEQUENCE}};
    localparam logic [7:0]  LOCAL_FAULT_CONTROL = 8'h11;

    typedef enum logic [2:0] {INIT, C, D, T, E} state_t;

    // R_TYPE of a block, and what it decodes to.
    typedef struct packed {
        state_t      kind;
        logic        starts;
        logic [63:0] data;
        logic [7:0]  control;
    } word_t;

    logic [63:0] payload;
    assign payload = block[65:2];

    // Characters of the seven-bit codes.
    logic [7:0] octet [8];
    logic [7:0] valid;
    logic [7:0] is_error;
    for (genvar i = 0; i < 8; i++) begin : g_code
        always_comb begin
            valid[i] = 1'b1;
            unique case (payload[8+7*i+:7])
                IDLE_CODE:           octet[i] = IDLE;
                LOW_POWER_IDLE_CODE: octet[i] = LOW_POWER_IDLE;
                ERROR_CODE:          octet[i] = ERROR;
                RESERVED_0_CODE:     octet[i] = RESERVED_0;
                RESERVED_1_CODE:     octet[i] = RESERVED_1;
                RESERVED_2_CODE:     octet[i] = RESERVED_2;
                RESERVED_3_CODE:     octet[i] = RESERVED_3;
                RESERVED_4_CODE:     octet[i] = RESERVED_4;
                RESERVED_5_CODE:     octet[i] = RESERVED_5;
                default: begin
                    octet[i] = ERROR;
                    valid[i] = 1'b0;
                end
            endcase
        end
        assign is_error[i] = payload[8+7*i+:7] == ERROR_CODE;
    end

    // Codes of /O/ in front of lane 0 and of lane 4.
    logic [1:0] o_valid;
    logic [7:0] o_octet [2];
    for (genvar h = 0; h < 2; h++) begin : g_ordered
        assign o_valid[h] = payload[32+4*h+:4] == 4'h0 || payload[32+4*h+:4] == 4'hf;
        assign o_octet[h] = payload[32+4*h] ? SIGNAL : SEQUENCE;
    end

    // A type that ends a frame: how many bytes are in front of /T/.
    logic       terminates;
    logic [2:0] count;
    always_comb begin
        terminates = 1'b1;
        unique case (payload[7:0])
            TYPE_TERMINATE_0: count = 3'd0;
            TYPE_TERMINATE_1: count = 3'd1;
            TYPE_TERMINATE_2: count = 3'd2;
            TYPE_TERMINATE_3: count = 3'd3;
            TYPE_TERMINATE_4: count = 3'd4;
            TYPE_TERMINATE_5: count = 3'd5;
            TYPE_TERMINATE_6: count = 3'd6;
            TYPE_TERMINATE_7: count = 3'd7;
            default: begin
                terminates = 1'b0;
                count      = 3'd0;
            end
        endcase
    end

    word_t now;
    always_comb begin
        now = '{kind: E, starts: 1'b0, data: ERRORS, control: 8'hff};
        if (block[1:0] == DATA) begin
            now = '{kind: D, starts: 1'b0, data: payload, control: 8'h00};
        end else if (block[1:0] == CONTROL) begin
            if (terminates) begin
                if ((valid | 8'((2 << count) - 1)) == 8'hff) now.kind = T;
                for (int i = 0; i < 8; i++) begin
                    if (i < 32'(count)) begin
                        now.data[8*i+:8] = payload[8+8*(i%7)+:8];
                        now.control[i]   = 1'b0;
                    end else begin
                        now.data[8*i+:8] = i == 32'(count) ? TERMINATE : octet[i];
                    end
                end
            end else begin
                // Halves: characters by their codes, an ordered set, or data behind /S/.
                for (int i = 0; i < 8; i++) now.data[8*i+:8] = octet[i];
                unique case (payload[7:0])
                    TYPE_CONTROL: if (valid == 8'hff && is_error == 8'h00) now.kind = C;
                    TYPE_CONTROL_ORDERED: begin
                        if (valid[3:0] == 4'hf && o_valid[1]) now.kind = C;
                        now.data[63:32]  = {payload[63:40], o_octet[1]};
                        now.control[7:4] = 4'h1;
                    end
                    TYPE_CONTROL_START: begin
                        now.starts       = valid[3:0] == 4'hf;
                        now.data[63:32]  = {payload[63:40], START};
                        now.control[7:4] = 4'h1;
                    end
                    TYPE_ORDERED_CONTROL: begin
                        if (valid[7:4] == 4'hf && o_valid[0]) now.kind = C;
                        now.data[31:0]   = {payload[31:8], o_octet[0]};
                        now.control[3:0] = 4'h1;
                    end
                    TYPE_ORDERED_ORDERED: begin
                        if (o_valid == 2'b11) now.kind = C;
                        now.data    = {payload[63:40], o_octet[1], payload[31:8], o_octet[0]};
                        now.control = 8'h11;
                    end
                    TYPE_ORDERED_START: begin
                        now.starts  = o_valid[0];
                        now.data    = {payload[63:40], 8'hfb, payload[31:8], o_octet[0]};
                        now.control = 8'h11;
                    end
                    TYPE_START: begin
                        now.starts  = 1'b1;
                        now.data    = {payload[63:8], START};
                        now.control = 8'h01;
                    end
                    default: ;
                endcase
            end
        end
    end

    // Figure 49-17. `held` is the block that is decoded, `now` the one behind it.
    word_t  held;
    state_t state;
    state_t next;
    logic   ends_well;
    assign ends_well = now.starts || now.kind == C;
    always_comb begin
        next = E;
        unique case (state)
            INIT, C: if (held.starts) next = D;
                     else if (held.kind == C) next = C;
            // What is behind a terminate was looked at with it.
            T:       next = held.starts ? D : C;
            D:       if (held.kind == D || (held.kind == T && ends_well)) next = held.kind;
            default: if (held.kind == T) next = ends_well ? T : E;
                     else if (!held.starts) next = held.kind;
        endcase
    end

    always_ff @(posedge clk) begin
        if (enable) begin
            held          <= now;
            state         <= next;
            bad           <= next == E;
            xgmii_data    <= next == E ? ERRORS : held.data;
            xgmii_control <= next == E ? 8'hff : held.control;
        end
        if (rst || !link) begin
            // A block that was not there: local fault.
            held          <= '{kind: C, starts: 1'b0, data: LOCAL_FAULT, control: LOCAL_FAULT_CONTROL};
            state         <= INIT;
            bad           <= 1'b0;
            xgmii_data    <= LOCAL_FAULT;
            xgmii_control <= LOCAL_FAULT_CONTROL;
        end
    end
endmodule
