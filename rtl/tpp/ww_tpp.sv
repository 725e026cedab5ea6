// Executes tiny packet programs in the frames of one or more ports.
//
// Each port has a stream in and a stream out, and frames keep their order. Frames without a TPP, with a
// malformed one or with one that is marked done leave as they came. All ports share the stages: a TPP is
// executed after the one that entered the stages before it, whichever port it came by, so that a CSTORE is
// atomic. Ports take turns; a port whose output waits holds up no other.
//
// LATENCY=2 is the published prototype: 2 clocks a stage, 3 with a CSTORE. LATENCY=1: 1 clock a stage.
// Port p has the p-th part of each vector, the lowest bits being those of port 0.
module ww_tpp #(
    // Ports, 1 to 8.
    parameter int PORTS = 1,
    // Bits of tdata: 64, 128, 256 or 512.
    parameter int WIDTH = 64,
    // Bits of tuser, 1 or more.
    parameter int USER_WIDTH = 65,
    // Stages, 1 to 15.
    parameter int STAGES = 4,
    // Clocks that a stage takes without waiting: 1 or 2.
    parameter int LATENCY = 2,
    // Registers of a stage, 1 to 63.
    parameter int REGISTERS = 8,
    // Rows of 128 bits of a stage's memory, a power of two, 16 or more.
    parameter int ROWS = 512,
    // Rules of the protection table, 1 to 256.
    parameter int RULES = 16,
    // Beats that a port keeps while their TPP is executed; twice the head and more, see README.md.
    parameter int FRAME_BEATS = 256,
    // Words of metadata, 1 or more.
    parameter int METADATA_WORDS = 24,
    // The address of each of them, word 0 in the low bits.
    parameter logic [METADATA_WORDS-1:0][15:0] METADATA_ADDRESSES = {
        16'h801b, 16'h801a, 16'h800b, 16'h800a, 16'h8009, 16'h8008, 16'h8006, 16'h8005,
        16'h8004, 16'h8002, 16'h8000, 16'hb001, 16'hb000, 16'hc044, 16'hc043, 16'hc040,
        16'hc001, 16'hc000, 16'h0006, 16'h0005, 16'h0004, 16'h0002, 16'h0001, 16'h0000
    },
    // Not to be set: bits of tkeep and of a port's metadata.
    localparam int KEEP_WIDTH = WIDTH / 8,
    localparam int METADATA_WIDTH = 32 * METADATA_WORDS
) (
    input  logic                            clk,
    input  logic                            rst,
    input  logic [PORTS*WIDTH-1:0]          s_axis_tdata,
    input  logic [PORTS*KEEP_WIDTH-1:0]     s_axis_tkeep,
    input  logic [PORTS*USER_WIDTH-1:0]     s_axis_tuser,
    input  logic [PORTS-1:0]                s_axis_tlast,
    input  logic [PORTS-1:0]                s_axis_tvalid,
    output logic [PORTS-1:0]                s_axis_tready,
    // What the switch says about the frame that comes; the same in all its beats.
    input  logic [PORTS*METADATA_WIDTH-1:0] metadata,
    output logic [PORTS*WIDTH-1:0]          m_axis_tdata,
    output logic [PORTS*KEEP_WIDTH-1:0]     m_axis_tkeep,
    output logic [PORTS*USER_WIDTH-1:0]     m_axis_tuser,
    output logic [PORTS-1:0]                m_axis_tlast,
    output logic [PORTS-1:0]                m_axis_tvalid,
    input  logic [PORTS-1:0]                m_axis_tready,
    // Settings; each TPP is executed with those of the moment in which it is resolved.
    input  logic                            writes_enabled,
    input  logic                            protection_enabled,
    input  logic                            absent_guard_skipped,
    // Software: held until row_done, with which row_rdata is valid. row_memory: 0 the protection table, rules as
    // {valid, is_write, tag[7:0], first[15:0], last[15:0]}; 2 s - 1 registers of stage s, the base of its window
    // behind them; 2 s its memory in words of 32 bits.
    input  logic                            row_valid,
    input  logic                            row_write,
    input  logic [4:0]                      row_memory,
    input  logic [15:0]                     row_index,
    input  logic [63:0]                     row_wdata,
    output logic                            row_done,
    output logic [63:0]                     row_rdata,
    // Counters since reset: frames of each port with a malformed TPP (truncated, version, length, too many
    // instructions, alignment, stack pointer, checksum); TPPs executed, of these with a CEXEC that failed;
    // instructions skipped (absent, denied, read only, writing off, outside of packet memory, reserved).
    output logic [PORTS*7*32-1:0]           refused,
    output logic [31:0]                     executed,
    output logic [31:0]                     guards_failed,
    output logic [6*32-1:0]                 skipped,
    // For measurements: a word enters or leaves a stage; from which port the next word for the stages comes.
    output logic [STAGES-1:0]               stage_enters,
    output logic [STAGES-1:0]               stage_leaves,
    output logic                            admits,
    output logic [2:0]                      admitted
);
    localparam int HEAD_BYTES = 337;
    if (PORTS < 1 || PORTS > 8) begin : g_illegal_ports
        $error("ww_tpp: PORTS must be 1 to 8");
    end
    if (FRAME_BEATS < 2 * ((HEAD_BYTES + KEEP_WIDTH - 1) / KEEP_WIDTH)) begin : g_illegal_frame_beats
        $error("ww_tpp: FRAME_BEATS must be twice the beats that hold 337 bytes, or more");
    end

    localparam int TAG_WIDTH = 3;
    localparam int JUDGED_WIDTH = 2334 + 32 * METADATA_WORDS;
    localparam int PLAN_WIDTH = 332;
    localparam int STATE_WIDTH = 335;
    localparam int ASIDE_WIDTH = TAG_WIDTH + 291;
    localparam int RESULT_WIDTH = 20 + 12 * 25;
    // Results that wait for their frame; what is in the stages finds room there.
    localparam int RESULTS = 32;
    localparam int CREDIT_WIDTH = $clog2(RESULTS + 1);

    // ---- Ports ----------------------------------------------------------------------------------------
    logic [PORTS-1:0]                   judged_valid;
    logic [PORTS-1:0]                   judged_ready;
    logic [PORTS-1:0][JUDGED_WIDTH-1:0] judged;
    logic [PORTS-1:0]                   has_room;
    logic                               result_valid;
    logic [TAG_WIDTH-1:0]               result_tag;
    logic [RESULT_WIDTH-1:0]            result;

    for (genvar p = 0; p < PORTS; p++) begin : g_port
        logic                    passed_valid;
        logic                    passed_ready;
        logic [WIDTH-1:0]        passed_data;
        logic [KEEP_WIDTH-1:0]   passed_keep;
        logic [USER_WIDTH-1:0]   passed_user;
        logic                    passed_last;
        logic                    kept_valid;
        logic                    kept_ready;
        logic [WIDTH-1:0]        kept_data;
        logic [KEEP_WIDTH-1:0]   kept_keep;
        logic [USER_WIDTH-1:0]   kept_user;
        logic                    kept_last;
        logic                    own_valid;
        logic                    own_ready;
        logic [RESULT_WIDTH-1:0] own;
        logic                    unused_ready;

        ww_tpp_front #(
            .WIDTH         (WIDTH),
            .USER_WIDTH    (USER_WIDTH),
            .METADATA_WORDS(METADATA_WORDS)
        ) u_front (
            .clk,
            .rst,
            .s_axis_tvalid(s_axis_tvalid[p]),
            .s_axis_tready(s_axis_tready[p]),
            .s_axis_tdata (s_axis_tdata[WIDTH*p+:WIDTH]),
            .s_axis_tkeep (s_axis_tkeep[KEEP_WIDTH*p+:KEEP_WIDTH]),
            .s_axis_tlast (s_axis_tlast[p]),
            .s_axis_tuser (s_axis_tuser[USER_WIDTH*p+:USER_WIDTH]),
            .metadata     (metadata[METADATA_WIDTH*p+:METADATA_WIDTH]),
            .m_axis_tvalid(passed_valid),
            .m_axis_tready(passed_ready),
            .m_axis_tdata (passed_data),
            .m_axis_tkeep (passed_keep),
            .m_axis_tlast (passed_last),
            .m_axis_tuser (passed_user),
            .judged_valid (judged_valid[p]),
            .judged_ready (judged_ready[p]),
            .judged       (judged[p])
        );

        // How full it is interests nobody.
        // verilator lint_off PINCONNECTEMPTY
        ww_axis_fifo #(
            .WIDTH     (WIDTH),
            .USER_WIDTH(USER_WIDTH),
            .DEPTH     (FRAME_BEATS)
        ) u_frames (
            .clk,
            .rst,
            .s_axis_tdata (passed_data),
            .s_axis_tkeep (passed_keep),
            .s_axis_tuser (passed_user),
            .s_axis_tlast (passed_last),
            .s_axis_tvalid(passed_valid),
            .s_axis_tready(passed_ready),
            .m_axis_tdata (kept_data),
            .m_axis_tkeep (kept_keep),
            .m_axis_tuser (kept_user),
            .m_axis_tlast (kept_last),
            .m_axis_tvalid(kept_valid),
            .m_axis_tready(kept_ready),
            .level        ()
        );
        ww_fifo #(
            .WIDTH(RESULT_WIDTH),
            .DEPTH(RESULTS)
        ) u_results (
            .clk,
            .rst,
            .s_valid(result_valid && result_tag == TAG_WIDTH'(p)),
            .s_ready(unused_ready),
            .s_data (result),
            .m_valid(own_valid),
            .m_ready(own_ready),
            .m_data (own),
            .level  ()
        );
        // verilator lint_on PINCONNECTEMPTY

        ww_tpp_patch #(
            .WIDTH     (WIDTH),
            .USER_WIDTH(USER_WIDTH)
        ) u_patch (
            .clk,
            .rst,
            .s_axis_tvalid(kept_valid),
            .s_axis_tready(kept_ready),
            .s_axis_tdata (kept_data),
            .s_axis_tkeep (kept_keep),
            .s_axis_tlast (kept_last),
            .s_axis_tuser (kept_user),
            .result_valid (own_valid),
            .result_ready (own_ready),
            .result       (own),
            .m_axis_tvalid(m_axis_tvalid[p]),
            .m_axis_tready(m_axis_tready[p]),
            .m_axis_tdata (m_axis_tdata[WIDTH*p+:WIDTH]),
            .m_axis_tkeep (m_axis_tkeep[KEEP_WIDTH*p+:KEEP_WIDTH]),
            .m_axis_tlast (m_axis_tlast[p]),
            .m_axis_tuser (m_axis_tuser[USER_WIDTH*p+:USER_WIDTH]),
            .refused      (refused[7*32*p+:7*32])
        );

        // Results that are promised a place.
        logic [CREDIT_WIDTH-1:0] promised;
        assign has_room[p] = promised != CREDIT_WIDTH'(RESULTS);
        always_ff @(posedge clk) begin
            promised <= promised + CREDIT_WIDTH'(judged_valid[p] && judged_ready[p])
                - CREDIT_WIDTH'(own_valid && own_ready);
            if (rst) promised <= '0;
        end
    end

    // ---- Turns ----------------------------------------------------------------------------------------
    localparam int TURN_WIDTH = PORTS > 1 ? $clog2(PORTS) : 1;
    logic [TURN_WIDTH-1:0] last_port;
    logic [TURN_WIDTH-1:0] port;
    logic                  offered;
    logic                  resolve_ready;
    logic [PORTS-1:0]      offers;
    assign offers = judged_valid & has_room;
    ww_round_robin #(.PORTS(PORTS)) u_turn (.offers, .served(last_port), .chosen(port));
    for (genvar p = 0; p < PORTS; p++) begin : g_judged_ready
        assign judged_ready[p] = resolve_ready && has_room[p] && port == TURN_WIDTH'(p);
    end
    assign offered  = offers != '0;
    assign admits   = offered && resolve_ready;
    assign admitted = 3'(port);
    always_ff @(posedge clk) begin
        if (admits) last_port <= port;
        if (rst) last_port <= '0;
    end

    // ---- Stages ---------------------------------------------------------------------------------------
    logic                               is_rule;
    logic [41:0]                        rule_read;
    logic [STAGES:0]                    valid;
    logic [STAGES:0]                    ready;
    logic [STAGES:0][PLAN_WIDTH-1:0]    plan;
    logic [STAGES:0][STATE_WIDTH-1:0]   state;
    logic [STAGES:0][ASIDE_WIDTH-1:0]   aside;
    logic [STAGES-1:0]                  stage_done;
    logic [STAGES-1:0][31:0]            stage_rdata;
    logic [JUDGED_WIDTH-1:0]            chosen;
    always_comb begin
        chosen = judged[0];
        for (int p = 1; p < PORTS; p++) begin
            if (port == TURN_WIDTH'(p)) chosen = judged[p];
        end
    end
    assign is_rule = row_valid && row_memory == 5'd0;

    ww_tpp_resolve #(
        .STAGES            (STAGES),
        .REGISTERS         (REGISTERS),
        .METADATA_WORDS    (METADATA_WORDS),
        .METADATA_ADDRESSES(METADATA_ADDRESSES),
        .RULES             (RULES),
        .TAG_WIDTH         (TAG_WIDTH)
    ) u_resolve (
        .clk,
        .rst,
        .writes_enabled,
        .protection_enabled,
        .absent_guard_skipped,
        .rule_write  (is_rule && row_write),
        .rule_index  (row_index),
        .rule_data   (row_wdata[41:0]),
        .rule_read,
        .judged_valid(offered),
        .judged_ready(resolve_ready),
        .judged      (chosen),
        .judged_tag  (3'(port)),
        .m_valid     (valid[0]),
        .m_ready     (ready[0]),
        .m_plan      (plan[0]),
        .m_state     (state[0]),
        .m_aside     (aside[0])
    );

    for (genvar s = 0; s < STAGES; s++) begin : g_stage
        ww_tpp_stage #(
            .STAGE      (s + 1),
            .REGISTERS  (REGISTERS),
            .ROWS       (ROWS),
            .LATENCY    (LATENCY),
            .ASIDE_WIDTH(ASIDE_WIDTH)
        ) u_stage (
            .clk,
            .rst,
            .s_valid   (valid[s]),
            .s_ready   (ready[s]),
            .s_plan    (plan[s]),
            .s_state   (state[s]),
            .s_aside   (aside[s]),
            .m_valid   (valid[s+1]),
            .m_ready   (ready[s+1]),
            .m_plan    (plan[s+1]),
            .m_state   (state[s+1]),
            .m_aside   (aside[s+1]),
            .row_valid (row_valid && (row_memory == 5'(2 * s + 1) || row_memory == 5'(2 * s + 2))),
            .row_write,
            .row_memory(row_memory == 5'(2 * s + 2)),
            .row_index,
            .row_wdata (row_wdata[31:0]),
            .row_done  (stage_done[s]),
            .row_rdata (stage_rdata[s])
        );
        assign stage_enters[s] = valid[s] && ready[s];
        assign stage_leaves[s] = valid[s+1] && ready[s+1];
    end
    // Every result has its place.
    assign ready[STAGES] = 1'b1;
    wire unused_plan = &{1'b0, plan[STAGES], row_wdata};

    logic        did;
    logic        failed;
    logic [17:0] skips;
    ww_tpp_finish #(.TAG_WIDTH(TAG_WIDTH)) u_finish (
        .clk,
        .rst,
        .s_valid     (valid[STAGES]),
        .s_state     (state[STAGES]),
        .s_aside     (aside[STAGES]),
        .m_valid     (result_valid),
        .m_tag       (result_tag),
        .m_result    (result),
        .executed    (did),
        .guard_failed(failed),
        .skipped     (skips)
    );

    // ---- Counters and software ------------------------------------------------------------------------
    logic rule_done;
    always_ff @(posedge clk) begin
        executed      <= executed + 32'(did);
        guards_failed <= guards_failed + 32'(failed);
        for (int r = 0; r < 6; r++) begin
            skipped[32*r+:32] <= skipped[32*r+:32] + 32'(skips[3*r+:3]);
        end
        rule_done <= is_rule && !rule_done;
        if (rst) begin
            executed      <= '0;
            guards_failed <= '0;
            skipped       <= '0;
            rule_done     <= 1'b0;
        end
    end
    always_comb begin
        row_done  = rule_done;
        row_rdata = {22'd0, rule_read};
        for (int s = 0; s < STAGES; s++) begin
            if (stage_done[s]) begin
                row_done  = 1'b1;
                row_rdata = {32'd0, stage_rdata[s]};
            end
        end
    end
endmodule
