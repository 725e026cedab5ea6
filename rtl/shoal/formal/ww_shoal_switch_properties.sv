// The whole switch, whatever is on its inputs, in its schedule memory and at its row port, and whenever it is started:
//
// - each output is exactly the input that its configuration names, a clock later, or idle; so it never has two;
// - all multiplexers change with the same edge, which is the first clock of a slot, and what they take is the schedule's row;
// - before `start` they have the first row, and there is no guard band;
// - a cell that lies inside a slot, without the guard band, comes out whole at one output, each word 5 clocks after it came in;
// - a word of a frame in a guard band is told, once in a band, and nothing else is.
//
// The clocks are in phase. That words leave a synchronisation FIFO 4 clocks later is proved in ww_shoal_sync_fifo_properties and
// assumed here.
module ww_shoal_switch_properties (
    input logic             clk,
    input logic             rst,
    input logic [2:0][31:0] rx_data,
    input logic [2:0][3:0]  rx_control,
    input logic             start,
    input logic [15:0]      slot_cycles,
    input logic [15:0]      guard_cycles,
    input logic [1:0]       first_row,
    input logic [2:0]       rows,
    input logic             row_valid,
    input logic             row_write,
    input logic [3:0]       row_memory,
    input logic [27:0]      row_index,
    input logic [31:0]      row_wdata,
    // Free inputs of the proof: a cell begins at the multiplexers, from this input to this output; it has ended.
    input logic             begins,
    input logic             ends,
    input logic [1:0]       from,
    input logic [1:0]       to
);
    // No power of two: an input can be named that does not exist.
    localparam int PORTS = 3;
    localparam logic [35:0] IDLE = {4'hf, 32'h07070707};

    logic [2:0][31:0] tx_data;
    logic [2:0][3:0]  tx_control;
    logic             running;
    logic [1:0]       slot;
    logic             guard;
    logic [2:0][2:0]  configuration;
    logic [2:0]       locked;
    logic [2:0]       event_cut;
    logic [2:0]       event_slipped;
    logic             row_done;
    logic [31:0]      row_rdata;
    ww_shoal_switch #(.WIDTH(32), .PORTS(PORTS), .ROWS(4)) dut (.rx_clk({3{clk}}), .rx_rst({3{rst}}), .*);

    logic              started;
    logic [2:0]        quiet;
    // Words of the last clocks, given[n] n + 1 clocks ago.
    logic [2:0][35:0]  given [5];
    // The slots, told once more: clock of the slot, number of the slot in the epoch.
    logic              begun;
    logic [15:0]       cycle;
    logic [2:0]        number;
    // The row that was in the memory when the next one had to be read.
    logic [8:0]        due;
    logic              last;
    // What was there a clock ago.
    logic [2:0][2:0]   configuration_before;
    logic [2:0][35:0]  at_multiplexers;
    logic              load_before;
    logic              guard_before;
    logic              rst_before;
    // In this guard band a word of a frame was lost.
    logic [2:0]        told;
    logic [2:0]        told_before;
    logic [15:0]       slot_cycles_before;
    logic [15:0]       guard_cycles_before;
    logic [1:0]        first_row_before;
    logic [2:0]        rows_before;
    // The cell.
    logic              passing;
    logic              passed_before;
    logic [1:0]        cell_from;
    logic [1:0]        cell_to;
    logic [2:0]        cell_words;
    logic [2:0][2:0]   configuration_first;

    function automatic logic frame(input logic [35:0] word);
        return word != IDLE && {word[35:32], word[7:0]} != {4'h1, 8'h9c};
    endfunction

    assign last = cycle == slot_cycles - 16'd1;
    logic [2:0] next_number;
    logic [1:0] next_row;
    assign next_number = number == rows - 3'd1 ? 3'd0 : number + 3'd1;
    assign next_row    = begun ? first_row + next_number[1:0] : first_row;
    logic in_slot;
    assign in_slot = begun && cycle >= guard_cycles;

    initial begin
        started = 1'b0;
        quiet   = '0;
    end
    always_ff @(posedge clk) begin
        started <= 1'b1;
        quiet   <= rst ? '0 : quiet == 3'd5 ? 3'd5 : quiet + 3'd1;
        for (int n = 0; n < PORTS; n++) given[0][n] <= {rx_control[n], rx_data[n]};
        for (int n = 1; n < 5; n++) given[n] <= given[n-1];

        begun  <= (begun || start) && !rst;
        cycle  <= rst || (start && !begun) || last ? '0 : cycle + 16'd1;
        number <= rst || !begun ? '0 : last ? next_number : number;
        if (cycle == slot_cycles - 16'd2) due <= dut.u_schedule.u_memory.memory[next_row];

        configuration_before <= configuration;
        load_before          <= dut.load;
        guard_before         <= guard;
        rst_before           <= rst;
        told_before          <= told;
        slot_cycles_before   <= slot_cycles;
        guard_cycles_before  <= guard_cycles;
        first_row_before     <= first_row;
        rows_before          <= rows;
        for (int n = 0; n < PORTS; n++) begin
            at_multiplexers[n] <= {dut.in_control[n], dut.in_data[n]};
            told[n]            <= guard && !rst && (frame({dut.in_control[n], dut.in_data[n]}) || told[n]);
        end

        passed_before <= (passing || begins) && in_slot && !rst && quiet >= 3'd4;
        passing       <= (passing || begins) && in_slot && !rst && quiet >= 3'd4 && !last && !ends;
        if (!passing) begin
            cell_words <= 3'd1;
            cell_from  <= from;
            cell_to    <= to;
        end else if (cell_words != 3'd7) begin
            cell_words <= cell_words + 3'd1;
        end
        if (begun && number == '0) configuration_first <= configuration;
    end

    always_ff @(posedge clk) begin
        if (!started) begin
            assume (rst);
        end else begin
            // Software sets these before `start` and leaves them.
            assume (slot_cycles == slot_cycles_before && guard_cycles == guard_cycles_before);
            assume (first_row == first_row_before && rows == rows_before);
        end
        assume (slot_cycles >= 16'd2 && rows >= 3'd1 && rows <= 3'd4);
        // Proved of the FIFO.
        for (int n = 0; n < PORTS; n++) begin
            if (quiet >= 3'd4) assume ({dut.in_control[n], dut.in_data[n]} == given[3][n]);
        end
        // A cell's circuit is one that there is.
        if (begins && !passing) assume (from < 2'd3 && to < 2'd3 && configuration[to] == {1'b1, from});

        if (started) begin
            // Outputs.
            for (int n = 0; n < PORTS; n++) begin
                if (rst_before || guard_before || !configuration_before[n][2] || configuration_before[n][1:0] == 2'd3) begin
                    assert ({tx_control[n], tx_data[n]} == IDLE);
                end else begin
                    assert ({tx_control[n], tx_data[n]} == at_multiplexers[configuration_before[n][1:0]]);
                end
            end
            // Configurations: all of a row, in the first clock of a slot.
            if (rst_before) assert (configuration == '0);
            else if (begun && cycle == '0 && load_before) assert (configuration == due);
            else if (begun) assert (configuration == configuration_before);
            else assert (configuration == (load_before ? due : configuration_before));
            assert (guard == (begun && cycle < guard_cycles));
            assert (running == begun);
            if (begun) assert (slot == first_row + number[1:0]);
            // A cell inside its slot.
            if (passed_before && !rst_before) begin
                assert ({tx_control[cell_to], tx_data[cell_to]} == given[4][cell_from]);
                assert (!event_cut[cell_from]);
            end
            // What is lost is told.
            for (int n = 0; n < PORTS; n++) begin
                assert (event_cut[n] == (!rst_before && guard_before && frame(at_multiplexers[n]) && !told_before[n]));
            end

            // For the induction.
            assert (dut.u_schedule.slot_left == slot_cycles - 16'd1 - cycle && cycle < slot_cycles);
            if (guard) assert (dut.u_schedule.guard_left == guard_cycles - 16'd1 - cycle);
            assert (number < rows && (begun || number == '0));
            assert (quiet <= 3'd5);
            assert (dut.u_crossbar.lost == told);
            if (last) assert (dut.choices == due);
            if (begun) begin
                assert (dut.u_schedule.row == (last ? next_row : first_row + number[1:0]));
                assert (dut.u_schedule.rows_left == rows - 3'd1 - (last ? next_number : number));
            end
            if (passing) begin
                assert (in_slot && quiet >= 3'd4 && cell_from < 2'd3 && cell_to < 2'd3);
                assert (configuration[cell_to] == {1'b1, cell_from});
            end
        end
        // A cell of two words that fills its slot, in the second slot; and one that is cut in front of the third.
        cover (started && number == 3'd1 && slot_cycles == 16'd3 && guard_cycles == 16'd1 && passing && last
               && cell_words == 3'd1 && configuration != configuration_first);
        cover (started && number == 3'd2 && event_cut == 3'b010 && rows == 3'd3);
    end
endmodule
