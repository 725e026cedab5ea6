// The slot clock of a host, its MAC, and the slots and multiplexers of a switch, for slots of the prototype's 12 clocks, a guard band of any
// length, and whenever host and switch are started: if the frame of a cell comes to the multiplexers after the guard band and has
// left them before the next one, then
//
// - no word of it is there in a guard band, so it is never cut, in any slot;
// - the multiplexers do not change while it passes.
//
// The words of the cell are 0: nothing here depends on them. A frame has 10 words: the preamble, 8 words of the cell, the check sequence. So with a guard band of 1 clock, as in the prototype, a
// host may be late by one clock; with one of 2 clocks it may not be late.
module ww_shoal_guard_properties (
    input logic        clk,
    input logic        rst,
    input logic        start_host,
    input logic        start_switch,
    input logic [15:0] guard_cycles,
    // What the schedule's memory says is free.
    input logic        row_valid,
    input logic        row_write,
    input logic [27:0] row_index,
    input logic [3:0]  row_wdata
);
    localparam int SLOT_CYCLES = 12;
    localparam int FRAME = 10;
    // From a slot's begin at the host to the preamble at the multiplexers: that of ww_shoal_tx.
    localparam int TX = 3;

    logic host_running;
    logic slot_begin;
    ww_shoal_slot_clock #(.SLOT_CYCLES(SLOT_CYCLES)) u_clock (
        .clk, .rst, .start(start_host), .running(host_running), .slot_begin
    );
    // Clock of the host's slot.
    logic [4:0] place;
    assign place = 5'(SLOT_CYCLES - 1) - 5'(u_clock.left);

    logic [63:0] xgmii_data;
    logic [7:0]  xgmii_control;
    ww_shoal_tx u_tx (
        .clk, .rst, .cell_valid(host_running && place < 5'd8), .cell_first(slot_begin), .cell_data('0), .xgmii_data, .xgmii_control
    );

    logic            running;
    logic            slot;
    logic            load;
    logic            guard;
    logic [1:0][1:0] choices;
    logic [1:0][1:0] configuration;
    logic            row_done;
    logic [3:0]      row_rdata;
    ww_shoal_schedule #(.PORTS(2), .ROWS(2)) u_schedule (
        .clk, .rst, .start(start_switch), .slot_cycles(16'(SLOT_CYCLES)), .guard_cycles, .first_row(1'b0), .rows(2'd2), .running,
        .slot, .load, .choices, .guard, .row_valid, .row_write, .row_memory(4'd0), .row_index, .row_wdata, .row_done, .row_rdata
    );
    logic [1:0][63:0] out_data;
    logic [1:0][7:0]  out_control;
    logic [1:0]       cut;
    ww_shoal_crossbar #(.WIDTH(64), .PORTS(2)) u_crossbar (
        .clk, .rst, .in_data({{8{8'h07}}, xgmii_data}), .in_control({8'hff, xgmii_control}), .out_data, .out_control, .load, .choices,
        .configuration, .guard, .cut
    );
    // Clock of the switch's slot.
    logic [15:0] cycle;
    assign cycle = 16'(SLOT_CYCLES - 1) - u_schedule.slot_left;

    // The clock of the switch's slot in which a preamble is at the multiplexers.
    logic [4:0] sum;
    logic [4:0] preamble;
    assign sum      = 5'(cycle) + 5'(TX) - place;
    assign preamble = sum[4] ? sum + 5'(SLOT_CYCLES) : sum >= 5'(SLOT_CYCLES) ? sum - 5'(SLOT_CYCLES) : sum;
    logic fits;
    assign fits = 16'(preamble) >= guard_cycles && preamble <= 5'(SLOT_CYCLES - FRAME);
    logic in_frame;
    assign in_frame = xgmii_control != 8'hff;

    logic            started;
    logic [15:0]     guard_cycles_before;
    logic            in_frame_before;
    logic [1:0][1:0] configuration_before;
    logic            good;
    logic [3:0]      words;
    initial started = 1'b0;
    always_ff @(posedge clk) begin
        started              <= 1'b1;
        guard_cycles_before  <= guard_cycles;
        in_frame_before      <= in_frame && !rst;
        configuration_before <= configuration;
        good                 <= host_running && running && fits && !rst;
        words                <= !in_frame ? '0 : words + 4'd1;
    end

    always_ff @(posedge clk) begin
        if (!started) assume (rst);
        else assume (guard_cycles == guard_cycles_before);
        assume (guard_cycles >= 16'd1 && guard_cycles < 16'(SLOT_CYCLES));
        if (started) begin
            if (host_running && running && fits) begin
                assert (!(guard && in_frame));
                if (in_frame_before && in_frame && good) assert (configuration == configuration_before);
            end
            if (good) assert (cut == '0);

            // For the induction.
            if (host_running) assert (place < 5'(SLOT_CYCLES) && slot_begin == (place == '0));
            else assert (!slot_begin);
            if (running) assert (cycle < 16'(SLOT_CYCLES) && guard == (cycle < guard_cycles));
            else assert (!guard);
            assert (!(guard && u_schedule.guard_left != guard_cycles - 16'd1 - cycle));
        end
        // A whole frame with the longest guard band, one that is as late as it may be, and one that is cut.
        cover (started && good && guard_cycles == 16'd2 && words == 4'd10 && !in_frame);
        cover (started && good && guard_cycles == 16'd1 && preamble == 5'd2 && words == 4'd10 && !in_frame);
        cover (started && !good && guard_cycles == 16'd2 && cut[0]);
    end
    wire unused = &{1'b0, out_data, out_control, slot, row_done, row_rdata};
endmodule
