// Rows of 64 bytes are made a stream again: a packet of full beats for the bytes of each command, from its first byte on.
//
// A row and the one before make a beat. What the last row leaves goes with the first row of the next command if that one
// makes no beat of its own. So a command takes as many clocks as it has rows, or one more.
module ww_toe_beats (
    input  logic         clk,
    input  logic         rst,
    // Rows of a command: the first and the last one; where its first byte is in the first row; bytes of its last beat, 1 to
    // 64; and whether the last row has the bytes of two beats, or of one that has no bytes of the row before.
    input  logic         row_valid,
    output logic         row_ready,
    input  logic         first,
    input  logic         last,
    input  logic [5:0]   turn,
    input  logic [6:0]   tail,
    input  logic         rests,
    input  logic [511:0] row,
    // The stream.
    output logic [511:0] m_axis_tdata,
    output logic [63:0]  m_axis_tkeep,
    output logic         m_axis_tlast,
    output logic         m_axis_tvalid,
    input  logic         m_axis_tready
);
    logic         rest, silent, takes;   // the rest of a command waits; this row makes no beat
    logic [5:0]   rest_turn;
    logic [6:0]   rest_tail, count;
    logic [511:0] held;
    logic [9:0]   down;
    assign silent = first && !last && turn != 0;
    assign m_axis_tvalid = rest || (row_valid && !silent);
    assign row_ready = rest ? silent && m_axis_tready : silent || m_axis_tready;
    assign takes = row_valid && row_ready;
    assign down = {1'b0, rest ? rest_turn : turn, 3'b000};
    // A first row has no bytes before it, and a row that begins with a beat needs none.
    assign m_axis_tdata = rest || !(first || turn == 0) ? held >> down | (rest ? '0 : row << (10'd512 - down)) : row >> down;
    assign m_axis_tlast = rest || (last && !rests);
    assign count = rest ? rest_tail : m_axis_tlast ? tail : 7'd64;
    assign m_axis_tkeep = 64'((65'd1 << count) - 65'd1);
    always_ff @(posedge clk) begin
        if (rest && m_axis_tready) rest <= 1'b0;
        if (takes) begin
            held <= row;
            rest <= last && rests;
            rest_turn <= turn;
            rest_tail <= tail;
        end
        if (rst) rest <= 1'b0;
    end
endmodule
