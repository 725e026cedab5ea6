// One stage of the TCPU: five execution units, registers, and a memory with a single port.
//
// TPPs pass in order. A stage executes the instructions whose addresses it owns, in program order; those of
// other stages pass. Registers and what the switch drives can be accessed by all five in one clock. The memory
// takes one access a clock: its first read is asked for when the TPP enters, the next ones while the chain of
// units waits; a CSTORE there is a read and a write. Clocks from entering to leaving, for k accesses:
//
// - LATENCY=1: max(1, k), a CSTORE counting 2 but for the last access, which counts 1
// - LATENCY=2: one more; and at least 3 with a CSTORE, the published figure
//
// and one more if a write takes the port in the clock in which the TPP enters, or for a read directly behind a
// write of the same word by the same TPP. Between the entries of two TPPs there are as many clocks as the
// first one spends in the units.
module ww_tpp_stage #(
    // Its number, 1 to 15.
    parameter int STAGE = 1,
    // Registers, 1 to 63.
    parameter int REGISTERS = 8,
    // Rows of memory of 128 bits, a power of two, 16 or more.
    parameter int ROWS = 512,
    // Clocks without waiting: 1, or 2 with a register at the entrance.
    parameter int LATENCY = 2,
    // Bits that pass unchanged.
    parameter int ASIDE_WIDTH = 294,
    // Not to be set: fields of m_plan and m_state of ww_tpp_resolve.
    localparam int PLAN_WIDTH = 332,
    localparam int STATE_WIDTH = 335
) (
    input  logic                   clk,
    input  logic                   rst,
    input  logic                   s_valid,
    output logic                   s_ready,
    input  logic [PLAN_WIDTH-1:0]  s_plan,
    input  logic [STATE_WIDTH-1:0] s_state,
    input  logic [ASIDE_WIDTH-1:0] s_aside,
    output logic                   m_valid,
    input  logic                   m_ready,
    output logic [PLAN_WIDTH-1:0]  m_plan,
    output logic [STATE_WIDTH-1:0] m_state,
    output logic [ASIDE_WIDTH-1:0] m_aside,
    // Software. row_memory: 0 registers, REGISTERS of them and then the base of the window; 1 memory, by words of
    // 32 bits. TPPs wait for it.
    input  logic                   row_valid,
    input  logic                   row_write,
    input  logic                   row_memory,
    input  logic [15:0]            row_index,
    input  logic [31:0]            row_wdata,
    output logic                   row_done,
    output logic [31:0]            row_rdata
);
    if (STAGE < 1 || STAGE > 15) begin : g_illegal_stage
        $error("ww_tpp_stage: STAGE must be 1 to 15");
    end
    if (ROWS < 16 || 2 ** $clog2(ROWS) != ROWS) begin : g_illegal_rows
        $error("ww_tpp_stage: ROWS must be a power of two, 16 or more");
    end
    if (LATENCY != 1 && LATENCY != 2) begin : g_illegal_latency
        $error("ww_tpp_stage: LATENCY must be 1 or 2");
    end

    localparam int ROW_WIDTH = $clog2(ROWS);
    // A word: row and which of its four.
    localparam int WORD_WIDTH = ROW_WIDTH + 2;
    localparam logic [1:0] WRITE = 2'd1, CSTORE = 2'd2;
    localparam logic [1:0] MEMORY = 2'd2, BASE = 2'd3;

    // ---- The entrance ---------------------------------------------------------------------------------
    logic                   entrance_valid;
    logic                   entrance_ready;
    logic [PLAN_WIDTH-1:0]  entrance_plan;
    logic [STATE_WIDTH-1:0] entrance_state;
    logic [ASIDE_WIDTH-1:0] entrance_aside;
    if (LATENCY == 2) begin : g_registered
        assign s_ready = !entrance_valid || entrance_ready;
        always_ff @(posedge clk) begin
            if (s_ready) begin
                entrance_valid <= s_valid;
                entrance_plan  <= s_plan;
                entrance_state <= s_state;
                entrance_aside <= s_aside;
            end
            if (rst) entrance_valid <= 1'b0;
        end
    end else begin : g_direct
        assign s_ready        = entrance_ready;
        assign entrance_valid = s_valid;
        assign entrance_plan  = s_plan;
        assign entrance_state = s_state;
        assign entrance_aside = s_aside;
    end

    // ---- The units ------------------------------------------------------------------------------------
    logic             valid;
    logic [4:0][1:0]  op;
    logic [4:0][1:0]  kind;
    logic [4:0][3:0]  stage;
    logic [4:0][5:0]  index;
    logic [4:0][31:0] sampled;
    logic [4:0][4:0]  same_one;
    logic [4:0][4:0]  same_two;
    logic [4:0][4:0]  next_one;
    logic [4:0][4:0]  next_two;
    logic             wide;
    logic             report_back;
    logic [4:0]       live;
    logic [4:0]       ended;
    logic [4:0]       written;
    logic [4:0][31:0] first;
    logic [4:0][31:0] second;

    logic [PLAN_WIDTH-1:0]  plan;
    logic [STATE_WIDTH-1:0] state;
    logic [ASIDE_WIDTH-1:0] aside;
    logic [4:0]             executed;
    assign {op, kind, stage, index, sampled, same_one, same_two, next_one, next_two, wide, report_back} = plan;
    assign {live, ended, written, first, second} = state;

    logic [REGISTERS:0][31:0] registers;

    // What has been read of the memory, for which instruction, and which word of the row.
    logic         fetched_valid;
    logic [2:0]   fetched_for;
    logic [1:0]   fetched_part;
    logic [127:0] fetched_row;
    logic [31:0]  fetched_word;
    assign fetched_word = fetched_row[32*fetched_part+:32];

    logic [4:0]  mine;
    logic [4:0]  done;
    logic [4:0]  puts;
    logic [4:0]  fails;
    logic [4:0]  stores;
    logic [31:0] store_words[5];
    always_comb begin
        for (int i = 0; i < 5; i++) mine[i] = valid && stage[i] == 4'(STAGE) && !executed[i];
    end

    for (genvar i = 0; i < 5; i++) begin : g_unit
        logic                     running_in;
        logic                     taken_in;
        logic [4:0]               live_in;
        logic [4:0][31:0]         first_in;
        logic [4:0][31:0]         second_in;
        logic [REGISTERS:0][31:0] registers_in;
        logic                     running_out;
        logic                     taken_out;
        logic [4:0]               live_out;
        logic [4:0][31:0]         first_out;
        logic [4:0][31:0]         second_out;
        logic [REGISTERS:0][31:0] registers_out;
        if (i == 0) begin : g_first
            assign running_in   = 1'b1;
            assign taken_in     = 1'b0;
            assign live_in      = live;
            assign first_in     = first;
            assign second_in    = second;
            assign registers_in = registers;
        end else begin : g_next
            assign running_in   = g_unit[i-1].running_out;
            assign taken_in     = g_unit[i-1].taken_out;
            assign live_in      = g_unit[i-1].live_out;
            assign first_in     = g_unit[i-1].first_out;
            assign second_in    = g_unit[i-1].second_out;
            assign registers_in = g_unit[i-1].registers_out;
        end
        ww_tpp_unit #(
            .UNIT     (i),
            .REGISTERS(REGISTERS + 1)
        ) u_unit (
            .mine        (mine[i]),
            .op          (op[i]),
            .kind        (kind[i]),
            .index       (index[i]),
            .sampled     (sampled[i]),
            .wide,
            .report_back,
            .fetched     (fetched_valid && fetched_for == 3'(i)),
            .fetched_word,
            .same_one    (same_one[i]),
            .same_two    (same_two[i]),
            .next_one    (next_one[i]),
            .next_two    (next_two[i]),
            .running_in,
            .taken_in,
            .live_in,
            .first_in,
            .second_in,
            .registers_in,
            .running_out,
            .taken_out,
            .live_out,
            .first_out,
            .second_out,
            .registers_out,
            .done        (done[i]),
            .written     (puts[i]),
            .failed      (fails[i]),
            .store       (stores[i]),
            .store_word  (store_words[i])
        );
    end

    logic                     finished;
    logic                     taken;
    logic [REGISTERS:0][31:0] registers_next;
    logic [STATE_WIDTH-1:0]   state_next;
    assign finished       = g_unit[4].running_out;
    assign taken          = g_unit[4].taken_out;
    assign registers_next = g_unit[4].registers_out;
    assign state_next     = {g_unit[4].live_out, ended | fails, written | puts, g_unit[4].first_out,
                             g_unit[4].second_out};

    // ---- Entering and leaving -------------------------------------------------------------------------
    // With a register at the entrance a CSTORE takes a third clock, wherever it is.
    logic compares;
    logic waited;
    logic leaves;
    logic held;
    always_comb begin
        compares = 1'b0;
        for (int i = 0; i < 5; i++) begin
            if ((executed[i] || done[i]) && stage[i] == 4'(STAGE) && op[i] == CSTORE) compares = 1'b1;
        end
    end
    assign held           = LATENCY == 2 && compares && !waited;
    assign m_valid        = valid && finished && !held;
    assign leaves         = m_valid && m_ready;
    assign entrance_ready = (!valid || leaves) && !row_valid;
    assign m_plan         = plan;
    assign m_state        = state_next;
    assign m_aside        = aside;

    // ---- The memory -----------------------------------------------------------------------------------
    // Which instruction a read is for: the first that waits for one. None, if a write before it may change the
    // word.
    function automatic logic [3:0] wanted(
        input logic [4:0] waiting, input logic [4:0][1:0] ops, input logic [4:0][1:0] kinds,
        input logic [4:0][5:0] indices
    );
        logic changes;
        wanted = '0;
        for (int i = 4; i >= 0; i--) begin
            changes = 1'b0;
            for (int j = 0; j < i; j++) begin
                if (waiting[j] && (ops[j] == WRITE || ops[j] == CSTORE)
                    && (kinds[j] == BASE || (kinds[j] == MEMORY && indices[j] == indices[i]))) changes = 1'b1;
            end
            if (waiting[i] && kinds[i] == MEMORY && ops[i] != WRITE) wanted = {!changes, 3'(i)};
        end
    endfunction

    logic [4:0][1:0] entrance_op;
    logic [4:0][1:0] entrance_kind;
    logic [4:0][3:0] entrance_stage;
    logic [4:0][5:0] entrance_index;
    assign {entrance_op, entrance_kind, entrance_stage, entrance_index} = entrance_plan[PLAN_WIDTH-1-:70];

    logic                  enters;
    logic [4:0]            waiting;
    logic [4:0][1:0]       wanted_op;
    logic [4:0][1:0]       wanted_kind;
    logic [4:0][5:0]       wanted_index;
    logic [3:0]            want;
    logic                  keeps;
    logic                  reads;
    logic [WORD_WIDTH-1:0] read_word;
    logic [WORD_WIDTH-1:0] write_word;
    logic [31:0]           write_data;
    logic [5:0]            write_index;
    logic                  row_read;
    logic                  row_store;

    // An address of the window: words from the row that the base says.
    function automatic logic [WORD_WIDTH-1:0] place(input logic [ROW_WIDTH-1:0] base, input logic [5:0] offset);
        return {base + ROW_WIDTH'(offset[5:2]), offset[1:0]};
    endfunction

    // One unit at most writes the memory in a clock, at the base that the units before it leave.
    logic [ROW_WIDTH-1:0] store_base;
    logic [4:0]           live_next;
    assign live_next = g_unit[4].live_out;
    always_comb begin
        store_base = registers[REGISTERS][ROW_WIDTH-1:0];
        if (stores[1]) store_base = g_unit[1].registers_in[REGISTERS][ROW_WIDTH-1:0];
        if (stores[2]) store_base = g_unit[2].registers_in[REGISTERS][ROW_WIDTH-1:0];
        if (stores[3]) store_base = g_unit[3].registers_in[REGISTERS][ROW_WIDTH-1:0];
        if (stores[4]) store_base = g_unit[4].registers_in[REGISTERS][ROW_WIDTH-1:0];
    end

    assign enters = entrance_valid && entrance_ready;
    always_comb begin
        for (int i = 0; i < 5; i++) begin
            waiting[i] = entrance_ready ? entrance_valid && entrance_stage[i] == 4'(STAGE)
                                        : mine[i] && !done[i] && live_next[i];
        end
        wanted_op    = entrance_ready ? entrance_op : op;
        wanted_kind  = entrance_ready ? entrance_kind : kind;
        wanted_index = entrance_ready ? entrance_index : index;
        want         = wanted(waiting, wanted_op, wanted_kind, wanted_index);
        // What has been read and not been used stays.
        keeps     = !entrance_ready && fetched_valid && !done[fetched_for];
        reads     = want[3] && !taken && !keeps;
        read_word = place(registers_next[REGISTERS][ROW_WIDTH-1:0], wanted_index[want[2:0]]);

        write_index = '0;
        write_data  = '0;
        for (int i = 0; i < 5; i++) begin
            if (stores[i]) begin
                write_index = index[i];
                write_data  = store_words[i];
            end
        end
        write_word = place(store_base, write_index);
        row_read   = row_valid && !row_done && !valid;
        row_store  = row_read && row_write;
    end

    logic                 port_enable;
    logic                 port_write;
    logic [ROW_WIDTH-1:0] port_row;
    logic [1:0]           port_part;
    logic [31:0]          port_data;
    assign port_enable = taken || reads || (row_read && row_memory);
    assign port_write  = taken || (row_store && row_memory);
    assign {port_row, port_part} = taken ? write_word : row_read ? row_index[WORD_WIDTH-1:0] : read_word;
    assign port_data   = taken ? write_data : row_wdata;

    ww_tpp_memory #(.ROWS(ROWS)) u_memory (
        .clk,
        .enable(port_enable),
        .write (port_write),
        .row   (port_row),
        .part  (port_part),
        .wdata (port_data),
        .rdata (fetched_row)
    );

    logic row_asked;
    always_ff @(posedge clk) begin
        registers <= registers_next;
        if (row_store && !row_memory) begin
            for (int r = 0; r <= REGISTERS; r++) begin
                if (row_index == 16'(r)) registers[r] <= row_wdata;
            end
        end
        fetched_valid <= reads || keeps;
        if (reads) fetched_for <= want[2:0];
        if (port_enable && !port_write) fetched_part <= port_part;

        if (enters) begin
            plan     <= entrance_plan;
            state    <= entrance_state;
            aside    <= entrance_aside;
            executed <= '0;
            waited   <= 1'b0;
        end else begin
            state    <= state_next;
            executed <= executed | done;
            waited   <= valid && finished;
        end
        if (enters) valid <= 1'b1;
        else if (leaves) valid <= 1'b0;

        row_asked <= row_read && !row_asked;
        row_done  <= row_asked && row_valid && !row_done;
        if (rst) begin
            valid         <= 1'b0;
            fetched_valid <= 1'b0;
            registers     <= '0;
            row_asked     <= 1'b0;
            row_done      <= 1'b0;
        end
    end
    logic [31:0] register_word;
    always_comb begin
        register_word = '0;
        for (int r = 0; r <= REGISTERS; r++) begin
            if (row_index == 16'(r)) register_word = registers[r];
        end
    end
    assign row_rdata = row_memory ? fetched_word : register_word;
endmodule
