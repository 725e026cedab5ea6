// Synchronisation FIFO of a port of the switch: XGMII words from the recovered receive clock to the transmit clock.
//
// Both clocks have the same frequency (SyncE, or one oscillator) and an unknown, constant phase. A word goes in and a word
// comes out in each clock. The read pointer is set once from the write pointer, which crosses in Gray code, and steps
// freely from then on, so the latency is constant: 4 clocks if the edges coincide, else the phase less, between 3 and 4
// clocks. Jitter and wander of up to one clock in each direction change nothing. A wander beyond that, or clocks of
// different frequencies, make the FIFO `slip`: it sends idles and sets its read pointer anew.
//
// Without a receive clock, in reset, and until the pointer is set, the output is idle. A receive clock that stops without
// `rx_rst` slips, and one old word comes out.
//
// Constraints for synthesis: those of rtl/axis_async_fifo, for u_write_pointer.gray to u_written.stage[0] and for memory to
// `data` and `control`; rx_running to u_running.stage[0] may be declared false.
module ww_shoal_sync_fifo #(
    // Bits of data of an XGMII word, 32 or 64.
    parameter int WIDTH = 64,
    // Not to be set: bits of control, one for each byte.
    localparam int LANES = WIDTH / 8
) (
    input  logic             rx_clk,
    input  logic             rx_rst,
    input  logic [WIDTH-1:0] rx_data,
    input  logic [LANES-1:0] rx_control,
    input  logic             clk,
    input  logic             rst,
    output logic [WIDTH-1:0] data,
    output logic [LANES-1:0] control,
    // Words pass.
    output logic             locked,
    // For one clock: the clocks have drifted apart, and words were lost or idles put between them.
    output logic             slipped
);
    // 8 words: the newest one is read two to three clocks after it was written, and overwritten eight clocks after.
    localparam int ADDRESS_WIDTH = 3;
    localparam int WORD_WIDTH = WIDTH + LANES;
    localparam logic [WORD_WIDTH-1:0] IDLE = {{LANES{1'b1}}, {LANES{8'h07}}};

    if (WIDTH != 32 && WIDTH != 64) begin : g_illegal_width
        $error("ww_shoal_sync_fifo: WIDTH must be 32 or 64");
    end

    // Side of rx_clk.
    logic [WORD_WIDTH-1:0]    memory [2**ADDRESS_WIDTH];
    logic [ADDRESS_WIDTH-1:0] rx_address;
    logic [ADDRESS_WIDTH:0]   rx_gray;
    logic [ADDRESS_WIDTH:0]   unused_gray_next;
    logic                     rx_running;
    ww_gray_pointer #(.ADDRESS_WIDTH(ADDRESS_WIDTH)) u_write_pointer (
        .clk(rx_clk), .rst(rx_rst), .step(1'b1), .address(rx_address), .gray(rx_gray), .gray_next(unused_gray_next)
    );
    always_ff @(posedge rx_clk) begin
        memory[rx_address] <= {rx_control, rx_data};
        rx_running         <= !rx_rst;
    end

    // Side of clk. `written` is the number of words that were there two clocks ago.
    logic                   running;
    logic [ADDRESS_WIDTH:0] written_gray;
    logic [ADDRESS_WIDTH:0] written;
    logic [ADDRESS_WIDTH:0] written_before;
    ww_synchronizer #(.WIDTH(1)) u_running (.clk, .rst, .given(rx_running), .taken(running));
    ww_synchronizer #(.WIDTH(ADDRESS_WIDTH + 1)) u_written (.clk, .rst, .given(rx_gray), .taken(written_gray));
    for (genvar n = 0; n <= ADDRESS_WIDTH; n++) begin : g_binary
        assign written[n] = ^written_gray[ADDRESS_WIDTH:n];
    end

    // The next word to be read, and how many `written` is beyond it: 1, or 0 and 2 where the phase has moved since.
    logic [ADDRESS_WIDTH:0]   next;
    logic [ADDRESS_WIDTH:0]   ahead;
    logic                     in_window;
    logic                     locks;
    logic                     reads;
    logic [ADDRESS_WIDTH:0]   place;
    assign ahead     = written - next;
    assign in_window = ahead <= (ADDRESS_WIDTH + 1)'(2);
    // Only a pointer that moves belongs to a clock that runs.
    assign locks     = running && !locked && written != written_before;
    assign reads     = running && locked && in_window;
    assign place     = locked ? next : written - 1'b1;
    always_ff @(posedge clk) begin
        written_before    <= written;
        {control, data}   <= reads || locks ? memory[place[ADDRESS_WIDTH-1:0]] : IDLE;
        next              <= place + 1'b1;
        locked            <= reads || locks;
        slipped           <= running && locked && !in_window;
        if (rst) begin
            {control, data} <= IDLE;
            locked          <= 1'b0;
            slipped         <= 1'b0;
        end
    end
endmodule
