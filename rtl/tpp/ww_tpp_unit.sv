// One execution unit: what one instruction does in the stage that owns its address, in one clock.
//
// The units of a stage are a chain in program order, so that an instruction sees what those before it did to
// the stage's registers and to packet memory in the same clock. A unit that must wait for the stage's memory
// stops the chain. Combinational.
module ww_tpp_unit #(
    // Which instruction, 0 to 4.
    parameter int UNIT = 0,
    // Registers of the stage, with the base of its memory as the last.
    parameter int REGISTERS = 9
) (
    // The instruction is this stage's and not yet executed.
    input  logic                       mine,
    // 0 reads into packet memory, 1 writes switch memory, 2 CSTORE, 3 CEXEC.
    input  logic [1:0]                 op,
    // 0 driven by the switch, 1 register, 2 stage memory, 3 its base.
    input  logic [1:0]                 kind,
    input  logic [5:0]                 index,
    // What the switch drives.
    input  logic [31:0]                sampled,
    // Words of 32 bits, else 16; CSTORE reports what it found.
    input  logic                       wide,
    input  logic                       report_back,
    // The word of the stage's memory at its address is there.
    input  logic                       fetched,
    input  logic [31:0]                fetched_word,
    // Operands that the first operand of this instruction is, wholly, or with their second half.
    input  logic [4:0]                 same_one,
    input  logic [4:0]                 same_two,
    input  logic [4:0]                 next_one,
    input  logic [4:0]                 next_two,
    // What the units before leave: whether none of them waits, the memory port is taken, which instructions
    // may be executed, the operands, 16-bit words in the high half, and the registers.
    input  logic                       running_in,
    input  logic                       taken_in,
    input  logic [4:0]                 live_in,
    input  logic [4:0][31:0]           first_in,
    input  logic [4:0][31:0]           second_in,
    input  logic [REGISTERS-1:0][31:0] registers_in,
    output logic                       running_out,
    output logic                       taken_out,
    output logic [4:0]                 live_out,
    output logic [4:0][31:0]           first_out,
    output logic [4:0][31:0]           second_out,
    output logic [REGISTERS-1:0][31:0] registers_out,
    // It was executed in this clock; it wrote its first operand; it was a CEXEC that failed.
    output logic                       done,
    output logic                       written,
    output logic                       failed,
    // It writes the stage's memory.
    output logic                       store,
    output logic [31:0]                store_word
);
    localparam logic [1:0] READ = 2'd0, WRITE = 2'd1, CSTORE = 2'd2, CEXEC = 2'd3;
    localparam logic [1:0] REGISTER = 2'd1, MEMORY = 2'd2, BASE = 2'd3;

    logic        active;
    logic        ready;
    logic [31:0] found;
    logic [31:0] old_word;
    logic [31:0] new_word;
    logic        equal;
    logic        stores;
    logic [31:0] put;

    always_comb begin
        active = mine && live_in[UNIT] && running_in;
        ready  = kind != MEMORY || ((op == WRITE || fetched) && (op == READ || op == CEXEC || !taken_in));
        done   = active && ready;
        running_out = running_in && !(mine && live_in[UNIT] && !ready);

        found = sampled;
        if (kind == MEMORY) found = fetched_word;
        for (int r = 0; r < REGISTERS - 1; r++) begin
            if (kind == REGISTER && index == 6'(r)) found = registers_in[r];
        end
        if (kind == BASE) found = registers_in[REGISTERS-1];

        old_word = wide ? first_in[UNIT] : {16'd0, first_in[UNIT][31:16]};
        new_word = wide ? second_in[UNIT] : {16'd0, second_in[UNIT][31:16]};
        equal    = (wide ? found : {16'd0, found[15:0]}) == old_word;
        stores   = done && (op == WRITE || (op == CSTORE && equal));
        store      = stores && kind == MEMORY;
        store_word = op == CSTORE ? new_word : old_word;
        taken_out  = taken_in || store;

        registers_out = registers_in;
        for (int r = 0; r < REGISTERS - 1; r++) begin
            if (stores && kind == REGISTER && index == 6'(r)) registers_out[r] = store_word;
        end
        if (stores && kind == BASE) registers_out[REGISTERS-1] = store_word;

        failed   = done && op == CEXEC && (found & first_in[UNIT]) != second_in[UNIT];
        live_out = live_in;
        for (int j = UNIT + 1; j < 5; j++) begin
            if (failed) live_out[j] = 1'b0;
        end

        written    = done && (op == READ || (op == CSTORE && report_back));
        put        = wide ? found : {found[15:0], 16'd0};
        first_out  = first_in;
        second_out = second_in;
        // Instructions before this one have had their operands: they find what they would have found one after
        // the other.
        for (int j = UNIT; j < 5; j++) begin
            if (written && same_one[j]) first_out[j][31:16] = put[31:16];
            if (written && wide && same_one[j]) first_out[j][15:0] = put[15:0];
            if (written && !wide && next_one[j]) first_out[j][15:0] = put[31:16];
            if (written && j > UNIT && same_two[j]) second_out[j][31:16] = put[31:16];
            if (written && wide && j > UNIT && same_two[j]) second_out[j][15:0] = put[15:0];
            if (written && !wide && j > UNIT && next_two[j]) second_out[j][15:0] = put[31:16];
        end
    end
endmodule
