// ww_shoal_sync_fifo with both clocks in phase: from a few clocks behind the resets on, which may end in any order and come again at
// any time, each word comes out exactly four clocks after it was given, so none is lost or doubled. It never slips, and is idle when
// it is not locked.
module ww_shoal_sync_fifo_properties (
    input logic        clk,
    input logic        rst,
    input logic        rx_rst,
    input logic [31:0] rx_data,
    input logic [3:0]  rx_control
);
    logic [31:0] data;
    logic [3:0]  control;
    logic        locked;
    logic        slipped;

    ww_shoal_sync_fifo #(.WIDTH(32)) dut (.rx_clk(clk), .*);

    // The words of the last clocks: given[n] n + 1 clocks ago.
    logic [35:0] given [4];
    // Clocks since the write side left its reset, and since both did, as far as they count here.
    logic [3:0]  written;
    logic [3:0]  quiet;
    logic        started;
    initial begin
        started = 1'b0;
        written = '0;
        quiet   = '0;
    end
    always_ff @(posedge clk) begin
        started  <= 1'b1;
        given[0] <= {rx_control, rx_data};
        for (int n = 1; n < 4; n++) given[n] <= given[n-1];
        written <= rx_rst ? '0 : written == 4'd8 ? 4'd8 : written + 4'd1;
        quiet   <= rst || rx_rst ? '0 : quiet == 4'd8 ? 4'd8 : quiet + 4'd1;
    end

    // The pointer of the writer, in binary, and its way through the registers.
    logic [3:0] pointer;
    logic [3:0] at_first;
    logic [3:0] at_second;
    function automatic logic [3:0] binary(input logic [3:0] gray);
        return {gray[3], ^gray[3:2], ^gray[3:1], ^gray};
    endfunction
    assign pointer   = dut.u_write_pointer.pointer;
    assign at_first  = binary(dut.u_written.stage[0]);
    assign at_second = binary(dut.u_written.stage[1]);

    always_ff @(posedge clk) begin
        // Power-up: the memory holds what is not known.
        if (!started) assume (rst && rx_rst);
        if (started) begin
            assert (!slipped);
            if (quiet >= 4'd4) assert (locked && {control, data} == given[3]);
            if (!locked) assert ({control, data} == {4'hf, 32'h07070707});

            // For the induction.
            assert (quiet <= written && written <= 4'd8);
            assert (binary(dut.rx_gray) == pointer);
            assert (dut.rx_running == (written != '0));
            for (int n = 0; n < 4; n++) begin
                if (int'(written) > n) assert (dut.memory[3'(pointer-4'(n)-4'd1)] == given[n]);
            end
            if (written < 4'd8) assert (pointer == written);
            // Each reset unlocks it before pointers of the time behind it have passed the registers.
            if (quiet == 4'd0) assert (written == '0 || (!locked && !dut.u_running.stage[0] && !dut.running));
            if (quiet == 4'd1) assert (!dut.u_running.stage[0] || (!locked && !dut.running));
            if (quiet == 4'd2) assert (!(locked && dut.running));
            if (quiet >= 4'd1) assert (at_first == pointer - 4'd1 && dut.u_running.stage[0] == (written >= 4'd2));
            if (quiet >= 4'd2) assert (at_second == pointer - 4'd2 && (!dut.running || written >= 4'd3));
            if (quiet >= 4'd3) assert (dut.written_before == pointer - 4'd3 && dut.running);
            if (quiet >= 4'd3 && locked) assert (dut.next == pointer - 4'd3);
        end
        // A receive clock that comes again.
        cover (started && quiet == 4'd8 && locked && data == 32'h12345678);
        cover (started && locked && quiet == '0 && written == '0);
    end
endmodule
