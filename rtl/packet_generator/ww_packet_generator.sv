// Packet generator: plays packets from a memory, again and again, at a set rate.
//
// Reached through a row port (rtl/README.md, "Control"):
//   memory 0, row r: beat r of what is played: {eop, sop, keep[WIDTH/8-1:0], data[WIDTH-1:0]}
//   memory 1, row 0: write starts from row 0 of memory 0: bits [31:0] times to play all rows (0: until
//                    stopped), [55:32] gap after each packet in 1/256 clocks (0, or at least one
//                    clock: less counts as one), [71:56] rows to play; read gives bit 0: running
//   memory 1, row 1: write stops at the end of the present packet; read gives the packets sent
//                    since the start
//   memory 1, row 2: read gives the beats sent since the start
// A start while running begins anew after the present beat; so stop first. The rows played must end with
// an eop. With gap 0, one beat a clock leaves without a gap. Rows of memory 0 are read in clocks in
// which the player does not need the memory: at gap 0 and with an output that is always ready, not
// before the end.
module ww_packet_generator #(
    // Bits of tdata, a multiple of 8, 64 or more.
    parameter int WIDTH = 512,
    // Beats in the memory, 2 to 65,535.
    parameter int DEPTH = 512,
    // Not to be set: bits of tkeep and of a row.
    localparam int KEEP_WIDTH = WIDTH / 8,
    localparam int ROW_WIDTH = 2 + KEEP_WIDTH + WIDTH
) (
    input  logic                  clk,
    input  logic                  rst,
    // The time in microseconds and the port number for tuser = {time, port, bad_fcs = 0}; the time
    // is that of the clock in which the packet's first beat is read from the memory.
    input  logic [47:0]           now,
    input  logic [15:0]           port,
    // Row port.
    input  logic                  row_valid,
    input  logic                  row_write,
    input  logic [3:0]            row_memory,
    input  logic [27:0]           row_index,
    input  logic [ROW_WIDTH-1:0]  row_wdata,
    output logic                  row_done,
    output logic [ROW_WIDTH-1:0]  row_rdata,
    // Packets out.
    output logic [WIDTH-1:0]      m_axis_tdata,
    output logic [KEEP_WIDTH-1:0] m_axis_tkeep,
    output logic [64:0]           m_axis_tuser,
    output logic                  m_axis_tlast,
    output logic                  m_axis_tvalid,
    input  logic                  m_axis_tready
);
    if (WIDTH < 64 || WIDTH % 8 != 0) begin : g_illegal_width
        $error("ww_packet_generator: WIDTH must be a multiple of 8, 64 or more");
    end
    if (DEPTH < 2 || DEPTH > 65535) begin : g_illegal_depth
        $error("ww_packet_generator: DEPTH must be 2 to 65535");
    end

    localparam int ADDRESS_WIDTH = $clog2(DEPTH);

    // Player: reads a beat into the memory's output register, from which it goes on to the output.
    logic                     running;
    logic                     stopping;
    logic                     is_endless;
    logic [31:0]              turns_left;
    logic [15:0]              rows;
    logic [15:0]              row;
    logic [23:0]              gap;
    logic [7:0]               gap_fraction;
    logic [15:0]              waiting;
    logic [23:0]              gap_sum;
    logic [63:0]              packets;
    logic [63:0]              beats;
    logic                     fetch;
    logic                     fetched;
    logic                     output_ready;
    logic [ROW_WIDTH-1:0]     word;
    logic                     word_eop;
    logic                     word_sop;
    logic [64:0]              user_now;
    logic [64:0]              user;
    logic                     packet_ends;
    // No beat of a packet has been read without its last one.
    logic                     between_packets;

    // Row port.
    logic                     asked;
    logic                     in_range;
    logic                     row_fetch;
    logic                     from_memory;
    logic                     starts;
    logic                     stops;
    logic [ROW_WIDTH-1:0]     status;

    // The end of a packet is known only when its last beat is out of the memory; the next beat is not
    // read before, unless there is no gap to keep and no stop to obey.
    assign packet_ends = fetched && word_eop;
    assign fetch       = running && row != rows && (!fetched || output_ready)
                         && !(packet_ends && (stopping || gap != '0))
                         && !(between_packets && stopping) && waiting == '0 && !starts;
    assign {word_eop, word_sop} = word[ROW_WIDTH-1-:2];
    assign gap_sum     = gap + 24'(gap_fraction);

    assign asked     = row_valid && !row_done;
    assign in_range  = row_index < 28'(DEPTH);
    assign row_fetch = asked && !row_write && row_memory == 4'd0 && in_range
                       && !fetch && (!fetched || output_ready);
    assign starts    = asked && row_write && row_memory == 4'd1 && row_index == 28'd0;
    assign stops     = asked && row_write && row_memory == 4'd1 && row_index == 28'd1;
    assign row_rdata = from_memory ? word : status;

    ww_ram_sdp #(.WIDTH(ROW_WIDTH), .DEPTH(DEPTH)) u_memory (
        .clk,
        .wr_en  (asked && row_write && row_memory == 4'd0 && in_range),
        .wr_addr(row_index[ADDRESS_WIDTH-1:0]),
        .wr_data(row_wdata),
        .rd_en  (fetch || row_fetch),
        .rd_addr(fetch ? row[ADDRESS_WIDTH-1:0] : row_index[ADDRESS_WIDTH-1:0]),
        .rd_data(word)
    );

    always_ff @(posedge clk) begin
        if (waiting != '0) waiting <= waiting - 1'b1;
        if (fetch) begin
            beats <= beats + 1'b1;
            row   <= row + 1'b1;
            if (row == rows - 1'b1) begin
                if (is_endless || turns_left != 32'd1) row <= '0;
                turns_left <= turns_left - 1'b1;
            end
        end
        fetched <= fetch || (fetched && !output_ready);
        if (packet_ends && output_ready) begin
            packets <= packets + 1'b1;
            // One clock passes without a fetch because the end was waited for.
            waiting      <= gap == '0 || gap_sum[23:8] == '0 ? '0 : gap_sum[23:8] - 1'b1;
            gap_fraction <= gap_sum[7:0];
        end
        if (fetch) between_packets <= 1'b0;
        else if (packet_ends && output_ready) between_packets <= 1'b1;
        if (between_packets && stopping) running <= 1'b0;
        if (running && row == rows && !fetched) running <= 1'b0;
        if (stops) stopping <= 1'b1;
        if (!running) stopping <= 1'b0;
        if (starts) begin
            running         <= row_wdata[71:56] != '0;
            stopping        <= 1'b0;
            between_packets <= 1'b1;
            is_endless      <= row_wdata[31:0] == '0;
            turns_left      <= row_wdata[31:0];
            gap             <= row_wdata[55:32];
            rows            <= row_wdata[71:56] > 16'(DEPTH) ? 16'(DEPTH) : row_wdata[71:56];
            row             <= '0;
            gap_fraction    <= '0;
            waiting         <= '0;
            packets         <= '0;
            beats           <= '0;
        end

        // A row of memory 0 waits for the memory, all others are there at once.
        row_done    <= asked && (row_fetch || row_write || row_memory != 4'd0 || !in_range);
        from_memory <= row_fetch;
        status      <= '0;
        if (row_memory == 4'd1 && row_index == 28'd0) status[0] <= running;
        if (row_memory == 4'd1 && row_index == 28'd1) status[63:0] <= packets;
        if (row_memory == 4'd1 && row_index == 28'd2) status[63:0] <= beats;

        if (rst) begin
            running  <= 1'b0;
            stopping <= 1'b0;
            fetched  <= 1'b0;
            waiting  <= '0;
            packets  <= '0;
            beats    <= '0;
            row_done <= 1'b0;
        end
    end

    // tuser of the packet: from the clock in which its first beat was read.
    logic [47:0] fetch_time;
    logic [64:0] user_q;
    always_ff @(posedge clk) begin
        if (fetch) fetch_time <= now;
        if (fetched) user_q <= user;
    end
    assign user_now = {fetch_time, port, 1'b0};
    assign user     = word_sop ? user_now : user_q;

    ww_axis_register #(.WIDTH(WIDTH), .USER_WIDTH(65)) u_output (
        .clk,
        .rst,
        .s_axis_tdata (word[WIDTH-1:0]),
        .s_axis_tkeep (word[WIDTH+:KEEP_WIDTH]),
        .s_axis_tuser (user),
        .s_axis_tlast (word_eop),
        .s_axis_tvalid(fetched),
        .s_axis_tready(output_ready),
        .m_axis_tdata,
        .m_axis_tkeep,
        .m_axis_tuser,
        .m_axis_tlast,
        .m_axis_tvalid,
        .m_axis_tready
    );
endmodule
