// Makes of a TPP what the stages execute: operands fetched from packet memory, PUSH and POP with fixed slots,
// for each instruction the stage that owns its address, and why it is skipped if it is.
//
// Two clocks, one TPP a clock. What can be known before anything is executed is decided here: everything but
// the outcome of CEXEC and the values of switch memory. The order of the checks is that of crate tpp
// (execute.rs). The address of a LOADI is the word that packet memory came with.
module ww_tpp_resolve #(
    // Stages, 1 to 15.
    parameter int STAGES = 4,
    // Registers of a stage, 1 to 63.
    parameter int REGISTERS = 8,
    // Words of metadata, 1 or more.
    parameter int METADATA_WORDS = 24,
    // The address of each of them, word 0 in the low bits.
    parameter logic [METADATA_WORDS-1:0][15:0] METADATA_ADDRESSES = '0,
    // Rules of the protection table.
    parameter int RULES = 16,
    // Bits that come with a TPP and stay with it.
    parameter int TAG_WIDTH = 3,
    // Not to be set: bits of what is found in a frame; of what stages do, change, and pass on.
    localparam int JUDGED_WIDTH = 2334 + 32 * METADATA_WORDS,
    localparam int PLAN_WIDTH = 332,
    localparam int STATE_WIDTH = 335,
    localparam int ASIDE_WIDTH = TAG_WIDTH + 291
) (
    input  logic                    clk,
    input  logic                    rst,
    // Settings of the switch; sampled with each TPP.
    input  logic                    writes_enabled,
    input  logic                    protection_enabled,
    // A CEXEC that cannot be evaluated is skipped as any other instruction, instead of failing.
    input  logic                    absent_guard_skipped,
    // Software: the protection table.
    input  logic                    rule_write,
    input  logic [15:0]             rule_index,
    input  logic [41:0]             rule_data,
    output logic [41:0]             rule_read,
    // From ww_tpp_front.
    input  logic                    judged_valid,
    output logic                    judged_ready,
    input  logic [JUDGED_WIDTH-1:0] judged,
    input  logic [TAG_WIDTH-1:0]    judged_tag,
    // For ww_tpp_stage and ww_tpp_finish, which have the fields.
    output logic                    m_valid,
    input  logic                    m_ready,
    output logic [PLAN_WIDTH-1:0]   m_plan,
    output logic [STATE_WIDTH-1:0]  m_state,
    output logic [ASIDE_WIDTH-1:0]  m_aside
);
    if (STAGES < 1 || STAGES > 15) begin : g_illegal_stages
        $error("ww_tpp_resolve: STAGES must be 1 to 15");
    end
    if (REGISTERS < 1 || REGISTERS > 63) begin : g_illegal_registers
        $error("ww_tpp_resolve: REGISTERS must be 1 to 63");
    end

    // generated: opcodes (crates/tpp/src/instruction.rs)
    localparam logic [3:0] NOP = 4'd0, LOAD = 4'd1, STORE = 4'd2, PUSH = 4'd3, POP = 4'd4;
    localparam logic [3:0] CSTORE = 4'd5, CEXEC = 4'd6, LOADI = 4'd7;
    // end of generated

    // generated: tpp_header (crates/tpp/src/header.rs, instruction.rs, packet.rs)
    // Offsets of fields in the header, bytes; bits of flags in a header whose first byte is in the high bits.
    localparam int TOTAL_LENGTH_AT = 0, MEMORY_LENGTH_AT = 2, FLAGS_AT = 3, HOP_AT = 4, STACK_POINTER_AT = 5;
    localparam int HOP_LENGTH_AT = 6, APP_TAG_AT = 7, CHECKSUM_AT = 8;
    localparam int HOP_MODE_BIT = 71, WIDE_BIT = 70, REPORT_BACK_BIT = 67;
    // end of generated

    // ---- First clock: operands ------------------------------------------------------------------------
    logic                         executes;
    logic [2:0]                   fault;
    logic [16:0]                  needed;
    logic [5:0]                   start;
    logic [2:0]                   count;
    logic [95:0]                  header;
    logic [159:0]                 code;
    logic [2047:0]                memory;
    logic [32*METADATA_WORDS-1:0] metadata;
    assign {executes, fault, needed, start, count, header, code, memory, metadata} = judged;

    logic       wide;
    logic [7:0] memory_length;
    assign wide          = header[WIDE_BIT];
    assign memory_length = header[95-8*MEMORY_LENGTH_AT-:8];

    // Packet memory as 16-bit words, those with even numbers and those with odd ones: two in a row are one of
    // each, whichever comes first.
    logic [63:0][15:0] evens;
    logic [63:0][15:0] odds;
    always_comb begin
        for (int i = 0; i < 64; i++) begin
            evens[i] = {memory[32*i+:8], memory[32*i+8+:8]};
            odds[i]  = {memory[32*i+16+:8], memory[32*i+24+:8]};
        end
    end

    // The 32 bits that begin with a 16-bit word.
    function automatic logic [31:0] two(
        input logic [6:0] at, input logic [63:0][15:0] even, input logic [63:0][15:0] odd
    );
        logic [15:0] from_even;
        logic [15:0] from_odd;
        from_even = even[at[6:1]+6'(at[0])];
        from_odd  = odd[at[6:1]];
        return at[0] ? {from_odd, from_even} : {from_even, from_odd};
    endfunction

    logic [4:0][31:0] instruction;
    logic [4:0][3:0]  opcode;
    logic [4:0]       enabled;
    logic [4:0]       operands;
    logic [4:0][6:0]  place_one;
    logic [4:0][6:0]  place_two;
    logic [4:0][31:0] first;
    logic [4:0][31:0] second;
    logic [4:0]       push;
    logic [4:0]       pop;

    // Bytes of a word, where this hop's words begin, and SP, which may be outside of packet memory.
    logic [2:0]          size;
    logic [15:0]         base;
    logic signed [10:0]  pointer;
    logic signed [10:0]  limit;
    logic [17:0]         offset_one;
    logic [17:0]         offset_two;
    logic [17:0]         length_one;
    logic                is_cexec;
    always_comb begin
        size    = wide ? 3'd4 : 3'd2;
        base    = header[HOP_MODE_BIT] ? 16'(header[95-8*HOP_AT-:8]) * 16'(header[95-8*HOP_LENGTH_AT-:8]) : 16'd0;
        pointer = $signed({3'b000, header[95-8*STACK_POINTER_AT-:8]});
        limit   = $signed({3'b000, memory_length});
        for (int i = 0; i < 5; i++) begin
            instruction[i] = code[159-32*i-:32];
            opcode[i]      = instruction[i][31:28];
            enabled[i]     = executes && 3'(i) < count && opcode[i] != NOP;
            push[i]        = enabled[i] && opcode[i] == PUSH;
            pop[i]         = enabled[i] && opcode[i] == POP;
            is_cexec       = opcode[i] == CEXEC;
            offset_one = {2'b00, base} + (wide ? {10'd0, instruction[i][11:6], 2'b00}
                                               : {11'd0, instruction[i][11:6], 1'b0});
            offset_two = {2'b00, base} + (wide ? {10'd0, instruction[i][5:0], 2'b00}
                                               : {11'd0, instruction[i][5:0], 1'b0});
            length_one = is_cexec ? 18'd4 : {15'd0, size};
            operands[i] = 1'b1;
            place_one[i] = offset_one[7:1];
            place_two[i] = offset_two[7:1];
            unique case (opcode[i])
                PUSH: begin
                    operands[i]  = pointer >= 0 && pointer + $signed({8'd0, size}) <= limit;
                    place_one[i] = pointer[7:1];
                    if (push[i]) pointer = pointer + $signed({8'd0, size});
                end
                POP: begin
                    if (pop[i]) pointer = pointer - $signed({8'd0, size});
                    operands[i]  = pointer >= 0 && pointer + $signed({8'd0, size}) <= limit;
                    place_one[i] = pointer[7:1];
                end
                LOAD, STORE: operands[i] = offset_one + length_one <= {10'd0, memory_length};
                CSTORE, CEXEC, LOADI: begin
                    operands[i] = offset_two + length_one <= {10'd0, memory_length};
                    if (!(is_cexec && instruction[i][11:6] == 6'd63)
                        && offset_one + length_one > {10'd0, memory_length}) operands[i] = 1'b0;
                end
                default: ;
            endcase
            first[i]  = two(place_one[i], evens, odds);
            second[i] = two(place_two[i], evens, odds);
            if (is_cexec && instruction[i][11:6] == 6'd63) first[i] = '1;
        end
    end

    // Of LOADI, the second operand is its address; of the others it is in the instruction.
    logic [4:0][15:0] address;
    logic [4:0]       beyond;
    always_comb begin
        for (int i = 0; i < 5; i++) begin
            address[i] = instruction[i][27:12];
            beyond[i]  = 1'b0;
            if (opcode[i] == LOADI) begin
                address[i] = wide ? second[i][15:0] : second[i][31:16];
                beyond[i]  = wide && second[i][31:16] != '0;
            end
        end
    end

    logic                         held_valid;
    logic                         held_ready;
    logic [TAG_WIDTH-1:0]         tag_q;
    logic                         executes_q;
    logic [2:0]                   fault_q;
    logic [16:0]                  needed_q;
    logic [5:0]                   start_q;
    logic [2:0]                   count_q;
    logic [95:0]                  header_q;
    logic [32*METADATA_WORDS-1:0] metadata_q;
    logic [4:0][3:0]              opcode_q;
    logic [4:0]                   enabled_q;
    logic [4:0]                   operands_q;
    logic [4:0]                   beyond_q;
    logic [4:0]                   ones_q;
    logic [4:0]                   push_q;
    logic [4:0]                   pop_q;
    logic [4:0][15:0]             address_q;
    logic [4:0][6:0]              place_one_q;
    logic [4:0][6:0]              place_two_q;
    logic [4:0][31:0]             first_q;
    logic [4:0][31:0]             second_q;

    assign judged_ready = !held_valid || held_ready;
    always_ff @(posedge clk) begin
        if (judged_ready) begin
            held_valid  <= judged_valid;
            tag_q       <= judged_tag;
            executes_q  <= executes;
            fault_q     <= fault;
            needed_q    <= needed;
            start_q     <= start;
            count_q     <= count;
            header_q    <= header;
            metadata_q  <= metadata;
            opcode_q    <= opcode;
            enabled_q   <= enabled;
            operands_q  <= operands;
            beyond_q    <= beyond;
            push_q      <= push;
            pop_q       <= pop;
            address_q   <= address;
            place_one_q <= place_one;
            place_two_q <= place_two;
            first_q     <= first;
            second_q    <= second;
            for (int i = 0; i < 5; i++) begin
                ones_q[i] <= opcode[i] == CEXEC && instruction[i][11:6] == 6'd63;
            end
        end
        if (rst) held_valid <= 1'b0;
    end

    // ---- Second clock: addresses ----------------------------------------------------------------------
    logic [4:0] may_read;
    logic [4:0] may_write;
    ww_tpp_protection #(
        .RULES    (RULES),
        .QUESTIONS(5)
    ) u_protection (
        .clk,
        .rst,
        .enabled(protection_enabled),
        .rule_write,
        .rule_index,
        .rule_data,
        .rule_read,
        .tag    (header_q[95-8*APP_TAG_AT-:8]),
        .address(address_q),
        .may_read,
        .may_write
    );

    // The stage where a location that the switch drives can be accessed first, as crate tpp has it in map/:
    // what the parser knows in the first, a stage's own in it, the rest in the last, where the packet's way is
    // known.
    function automatic logic [3:0] owner(input logic [15:0] at);
        logic [6:0] number;
        logic       unused;
        unused = &{1'b0, at[5:0]};
        if (at[15:12] == 4'h0 || at[15:6] == 10'h201 || at[15:6] == 10'h300 || at[15:7] == 9'h184) begin
            number = 7'd1;
        end else if (at[15:14] == 2'b00) begin
            number = {1'b0, at[13:8]} - 7'd16;
        end else if (at[15:13] == 3'b010) begin
            number = {1'b0, at[12:7]};
        end else begin
            number = 7'(STAGES);
        end
        if (number < 7'd1) number = 7'd1;
        if (number > 7'(STAGES)) number = 7'(STAGES);
        return number[3:0];
    endfunction

    // Fields of the header at 0xc240 and on.
    function automatic logic [15:0] field(input logic [3:0] number, input logic [95:0] from);
        unique case (number)
            4'd0: return from[95-8*TOTAL_LENGTH_AT-:16];
            4'd1: return {8'd0, from[95-8*MEMORY_LENGTH_AT-:8]};
            4'd2: return {8'd0, from[95-8*FLAGS_AT-:8]};
            4'd3: return {8'd0, from[95-8*HOP_AT-:8]};
            4'd4: return {8'd0, from[95-8*STACK_POINTER_AT-:8]};
            4'd5: return {8'd0, from[95-8*HOP_LENGTH_AT-:8]};
            4'd6: return {8'd0, from[95-8*APP_TAG_AT-:8]};
            4'd7: return from[95-8*CHECKSUM_AT-:16];
            default: return from[15:0];
        endcase
    endfunction

    logic [4:0]       live;
    logic [4:0]       ended;
    logic [4:0][1:0]  op;
    logic [4:0][1:0]  kind;
    logic [4:0][3:0]  stage;
    logic [4:0][5:0]  index;
    logic [4:0][31:0] sampled;
    logic [4:0][2:0]  reason;
    logic [4:0][4:0]  same_one;
    logic [4:0][4:0]  same_two;
    logic [4:0][4:0]  next_one;
    logic [4:0][4:0]  next_two;
    logic             exists;
    logic             writable;
    logic             reads;
    logic             writes;
    logic             over;
    logic [5:0]       stage_number;
    logic [7:0]       in_stage;
    always_comb begin
        over = 1'b0;
        for (int i = 0; i < 5; i++) begin
            // Where the address is: 0 driven by the switch, 1 register, 2 stage memory, 3 its base.
            kind[i]      = 2'd0;
            index[i]     = address_q[i][5:0];
            stage[i]     = owner(address_q[i]);
            sampled[i]   = '0;
            exists       = 1'b0;
            writable     = 1'b0;
            in_stage     = address_q[i][7:0];
            stage_number = 6'd0;
            for (int w = 0; w < METADATA_WORDS; w++) begin
                if (address_q[i] == METADATA_ADDRESSES[w]) begin
                    exists     = 1'b1;
                    sampled[i] = metadata_q[32*w+:32];
                end
            end
            if (address_q[i][15:4] == 12'hc24 && address_q[i][3:0] <= 4'd8) begin
                exists     = 1'b1;
                sampled[i] = {16'd0, field(address_q[i][3:0], header_q)};
            end
            if (address_q[i][15:14] == 2'b00 && address_q[i][13:12] != 2'b00) begin
                stage_number = address_q[i][13:8] - 6'd16;
                if (stage_number >= 6'd1 && stage_number <= 6'(STAGES)
                    && (in_stage == 8'h02 || (in_stage[7:6] == 2'b01 && in_stage[5:0] < 6'(REGISTERS)))) begin
                    exists   = 1'b1;
                    writable = 1'b1;
                    kind[i]  = in_stage[6] ? 2'd1 : 2'd3;
                    stage[i] = stage_number[3:0];
                end
            end
            if (address_q[i][15:12] == 4'he && address_q[i][11:10] != 2'b11) begin
                stage_number = address_q[i][11:6];
                if (stage_number >= 6'd1 && stage_number <= 6'(STAGES)) begin
                    exists   = 1'b1;
                    writable = 1'b1;
                    kind[i]  = 2'd2;
                    stage[i] = stage_number[3:0];
                end
            end

            unique case (opcode_q[i])
                STORE, POP: op[i] = 2'd1;
                CSTORE: op[i] = 2'd2;
                CEXEC: op[i] = 2'd3;
                default: op[i] = 2'd0;
            endcase
            writes = op[i] == 2'd1 || op[i] == 2'd2;
            reads  = op[i] != 2'd1;

            // Why it is skipped: 1 absent, 2 denied, 3 read only, 4 writing off, 5 outside of packet memory,
            // 6 reserved.
            reason[i] = 3'd0;
            if (enabled_q[i]) begin
                if (opcode_q[i][3]) reason[i] = 3'd6;
                else if (!operands_q[i]) reason[i] = 3'd5;
                else if (beyond_q[i]) reason[i] = 3'd1;
                else if ((reads && !may_read[i]) || (writes && !may_write[i])) reason[i] = 3'd2;
                else if (writes && !writes_enabled) reason[i] = 3'd4;
                else if (!exists) reason[i] = 3'd1;
                else if (writes && !writable) reason[i] = 3'd3;
            end
            live[i]  = enabled_q[i] && reason[i] == 3'd0 && !over;
            ended[i] = enabled_q[i] && opcode_q[i] == CEXEC && reason[i] != 3'd0 && !absent_guard_skipped;
            if (ended[i]) over = 1'b1;
            // Nobody's.
            if (!live[i]) stage[i] = 4'd0;
        end

        // Which operands of j an instruction i that writes its first operand changes: `same` those that begin
        // at the same place, `next` those whose second half does.
        for (int i = 0; i < 5; i++) begin
            for (int j = 0; j < 5; j++) begin
                same_one[i][j] = place_one_q[i] == place_one_q[j] && !ones_q[j];
                same_two[i][j] = place_one_q[i] == place_two_q[j];
                next_one[i][j] = place_one_q[i] == place_one_q[j] + 7'd1 && !ones_q[j];
                next_two[i][j] = place_one_q[i] == place_two_q[j] + 7'd1;
            end
        end
    end

    assign held_ready = !m_valid || m_ready;
    always_ff @(posedge clk) begin
        if (held_ready) begin
            m_valid <= held_valid;
            m_plan  <= {op, kind, stage, index, sampled, same_one, same_two, next_one, next_two,
                        header_q[WIDE_BIT], header_q[REPORT_BACK_BIT]};
            m_state <= {live, ended, 5'd0, first_q, second_q};
            m_aside <= {tag_q, executes_q, fault_q, needed_q, start_q, count_q,
                        header_q[95-8*HOP_AT-:8], header_q[95-8*STACK_POINTER_AT-:8], header_q[95-8*MEMORY_LENGTH_AT-:8],
                        header_q[95-8*CHECKSUM_AT-:16], reason, push_q, pop_q, place_one_q,
                        first_q, header_q[WIDE_BIT]};
        end
        if (rst) m_valid <= 1'b0;
    end
    wire unused_bits = &{1'b0, header_q, instruction, pointer};
endmodule
