// Receive side of a host's MAC: the eight words of a cell out of an Ethernet frame on XGMII.
//
// A frame starts in lane 0 with a whole preamble. Its next eight words are the cell, and the word behind them has the check
// sequence and the terminate. The eight words come out in any case, as they were on the line; `cell_good`, with the last one, tells
// whether all of it was there and the check sequence is right. A frame without its preamble does not appear. What starts
// within those nine words is lost with them.
//
// Latency: 6 clocks from a word on XGMII, which the check sequence takes. Throughput: a frame in 10 clocks.
module ww_shoal_rx (
    input  logic        clk,
    input  logic        rst,
    // Lane 0 is in the low byte.
    input  logic [63:0] xgmii_data,
    input  logic [7:0]  xgmii_control,
    // Eight clocks that follow one another.
    output logic        cell_valid,
    output logic        cell_first,
    output logic [63:0] cell_data,
    output logic        cell_good,
    // With the last word of a cell that is not good.
    output logic        event_bad
);
    localparam logic [7:0]  START = 8'hfb;
    localparam logic [7:0]  TERMINATE = 8'hfd;
    localparam logic [63:0] PREAMBLE = {56'hd5_5555_5555_5555, START};
    // Place of the check sequence behind the preamble. The words of the cell have 1 to 8, and 0 is outside of a frame.
    localparam logic [3:0]  CHECK = 4'd9;
    // Clocks of ww_axis_crc32, and those in which words wait for it.
    localparam int CRC_CLOCKS = 4;
    localparam int WAIT = 5;

    logic [3:0] place;
    logic       is_start;
    logic       is_last;
    logic       may_start;
    assign is_start  = xgmii_control == 8'h01 && xgmii_data == PREAMBLE;
    assign is_last   = place == CHECK;
    assign may_start = place == '0 || is_last;

    // What of the frame was there so far.
    logic whole;
    logic whole_now;
    assign whole_now = whole && (is_last ? xgmii_control == 8'hf0 && xgmii_data[39:32] == TERMINATE : xgmii_control == '0);

    logic [CRC_CLOCKS-1:0] whole_line;
    logic [63:0]           line [WAIT];
    logic [WAIT-1:0]       line_valid;
    logic [WAIT-1:0]       line_first;
    always_ff @(posedge clk) begin
        place      <= may_start ? {3'd0, is_start} : place + 4'd1;
        whole      <= may_start || whole_now;
        whole_line <= {whole_line[CRC_CLOCKS-2:0], whole_now};
        line[0]    <= xgmii_data;
        for (int n = 1; n < WAIT; n++) line[n] <= line[n-1];
        line_valid <= {line_valid[WAIT-2:0], place != '0 && !is_last};
        line_first <= {line_first[WAIT-2:0], place == 4'd1};
        if (rst) begin
            place      <= '0;
            line_valid <= '0;
        end
    end

    logic        crc_valid;
    logic [31:0] unused_crc;
    logic        crc_good;
    ww_axis_crc32 #(.WIDTH(64)) u_crc (
        .clk,
        .rst,
        .enable    (1'b1),
        .beat_valid(place != '0),
        .beat_data (xgmii_data),
        .beat_keep (is_last ? 8'h0f : 8'hff),
        .beat_last (is_last),
        .crc_valid,
        .crc       (unused_crc),
        .crc_good
    );

    always_ff @(posedge clk) begin
        cell_valid <= line_valid[WAIT-1];
        cell_first <= line_valid[WAIT-1] && line_first[WAIT-1];
        cell_data  <= line[WAIT-1];
        cell_good  <= crc_valid && crc_good && whole_line[CRC_CLOCKS-1];
        event_bad  <= crc_valid && !(crc_good && whole_line[CRC_CLOCKS-1]);
        if (rst) begin
            cell_valid <= 1'b0;
            cell_first <= 1'b0;
            cell_good  <= 1'b0;
            event_bad  <= 1'b0;
        end
    end
endmodule
