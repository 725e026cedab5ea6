// Bytes of a stream are put into rows of 64, each byte at its position in the ring.
//
// A packet a command. A beat and what the one before left over make a row; what the last one leaves takes a clock more.
// Of a packet of which nothing is kept comes one row without bytes, so that each command has a last row.
//
// Source: 002-monitoring-limago 2.17, S49 (64 to 1 realignment).
module ww_toe_rows
    import ww_toe_types::*;
    import ww_toe_engine_types::*;
(
    input  logic         clk,
    input  logic         rst,
    // The command that is carried out, if it may be; `done`: this is its last clock.
    input  logic         valid,
    input  move_t        move,
    output logic         done,
    // Its bytes.
    input  logic [511:0] s_axis_tdata,
    input  logic         s_axis_tvalid,
    output logic         s_axis_tready,
    // Rows, and which bytes of them.
    output logic         row_valid,
    input  logic         row_ready,
    output row_t         row,
    output logic [63:0]  mask,
    output logic [511:0] data,
    output logic         last
);
    number_t      at, position;    // bytes of the packet that have been taken
    logic         rest;            // only what was left over is to go
    logic         ends, emits, moves;
    logic [5:0]   turn;
    logic [63:0]  kept, lanes, over, left_mask;
    logic [511:0] turned, left_data;
    assign position = move.start - 32'(move.skip) + at;
    assign turn = position[5:0];
    // These bytes of a beat begin the next row.
    assign over = ~('1 << turn);
    assign ends = at + 32'd64 >= move.total;
    always_comb begin
        for (int n = 0; n < 64; n++)
            kept[n] = at + 32'(n) >= 32'(move.skip) && at + 32'(n) < 32'(move.skip) + move.length;
        lanes = rest ? '0 : kept << turn | kept >> (7'd64 - 7'(turn));
        turned = s_axis_tdata << {turn, 3'b000} | s_axis_tdata >> (10'd512 - 10'({turn, 3'b000}));
        for (int n = 0; n < 64; n++) data[8*n+:8] = over[n] || rest ? left_data[8*n+:8] : turned[8*n+:8];
    end
    assign row = '{session: move.session, place: position[31:6]};
    assign mask = left_mask | (lanes & ~over);
    assign last = rest || (ends && (lanes & over) == '0);
    assign emits = mask != '0 || last;
    assign row_valid = valid && emits && (rest || s_axis_tvalid);
    assign s_axis_tready = valid && !rest && (row_ready || !emits);
    assign moves = valid && (rest || s_axis_tvalid) && (row_ready || !emits);
    assign done = moves && last;
    always_ff @(posedge clk) begin
        if (moves) begin
            at <= last ? '0 : at + 32'd64;
            rest <= ends && !last;
            left_mask <= last ? '0 : lanes & over;
            left_data <= turned;
        end
        if (rst) begin
            at <= '0;
            rest <= 1'b0;
            left_mask <= '0;
        end
    end
endmodule
