// Transmit side of a host's MAC: a cell of eight words becomes an Ethernet frame on XGMII.
//
// Preamble in a word of its own, the words of the cell, the frame check sequence with the terminate behind it: 10 words. Idle
// otherwise. The gap to the next frame is what is left of a slot, 2 words and 3 lanes of 12 clocks.
//
// Latency: 4 clocks from a word to its place on XGMII, which the check sequence takes. Throughput: a cell in 10 clocks.
module ww_shoal_tx (
    input  logic        clk,
    input  logic        rst,
    // The eight words of a cell, in clocks that follow one another; 10 clocks or more from one first word to the next.
    input  logic        cell_valid,
    input  logic        cell_first,
    input  logic [63:0] cell_data,
    // Lane 0 is in the low byte.
    output logic [63:0] xgmii_data,
    output logic [7:0]  xgmii_control
);
    localparam logic [7:0]  IDLE = 8'h07;
    localparam logic [7:0]  START = 8'hfb;
    localparam logic [7:0]  TERMINATE = 8'hfd;
    localparam logic [63:0] PREAMBLE = {56'hd5_5555_5555_5555, START};
    // Clocks in which words wait, so that the check sequence is there behind the last one.
    localparam int WAIT = 3;

    logic [2:0] place;
    logic [2:0] next_place;
    assign place = cell_first ? '0 : next_place;

    logic [63:0]     line [WAIT];
    logic [WAIT-1:0] line_valid;
    logic [WAIT-1:0] line_first;
    always_ff @(posedge clk) begin
        next_place <= place + 3'd1;
        line[0]    <= cell_data;
        for (int n = 1; n < WAIT; n++) line[n] <= line[n-1];
        line_valid <= {line_valid[WAIT-2:0], cell_valid};
        line_first <= {line_first[WAIT-2:0], cell_valid && cell_first};
        if (rst) begin
            line_valid <= '0;
            line_first <= '0;
        end
    end

    logic        crc_valid;
    logic [31:0] crc;
    logic        unused_good;
    ww_axis_crc32 #(.WIDTH(64)) u_crc (
        .clk,
        .rst,
        .enable    (1'b1),
        .beat_valid(cell_valid),
        .beat_data (cell_data),
        .beat_keep (8'hff),
        .beat_last (place == 3'd7),
        .crc_valid,
        .crc,
        .crc_good  (unused_good)
    );

    always_ff @(posedge clk) begin
        xgmii_data    <= {8{IDLE}};
        xgmii_control <= '1;
        if (line_first[WAIT-2]) begin
            xgmii_data    <= PREAMBLE;
            xgmii_control <= 8'h01;
        end else if (line_valid[WAIT-1]) begin
            xgmii_data    <= line[WAIT-1];
            xgmii_control <= 8'h00;
        end else if (crc_valid) begin
            xgmii_data    <= {{3{IDLE}}, TERMINATE, crc};
            xgmii_control <= 8'hf0;
        end
        if (rst) begin
            xgmii_data    <= {8{IDLE}};
            xgmii_control <= '1;
        end
    end
    // What is behind the first word has left the line of marks.
    wire unused_first = line_first[WAIT-1];
endmodule
