// Rows of 16 bits to three with the same ones' complement sum: levels of counters, combinational. See ww_ones_level.
//
// 33 and 35 rows take three levels (15, 7, 3), 65 take four (29, 13, 6, 3).
//
// Source: 002-monitoring-limago 2.15, S30, S31.
module ww_ones_rows #(
    // 4 or more.
    parameter int ROWS = 33
) (
    input  logic [ROWS-1:0][15:0] rows,
    output logic [2:0][15:0]      three
);
    if (ROWS < 4) begin : g_illegal_rows
        $error("ww_ones_rows: ROWS must be 4 or more");
    end

    // Rows that a level makes of so many, as in ww_ones_level; rows in front of a level; levels.
    function automatic int fewer_of(input int count);
        fewer_of = count / 7 * 3 + (count % 7 < 3 ? count % 7 : count % 7 == 3 ? 2 : 3);
    endfunction
    function automatic int rows_at(input int level);
        rows_at = ROWS;
        for (int below = 0; below < level; below++) rows_at = fewer_of(rows_at);
    endfunction
    function automatic int levels();
        levels = 0;
        for (int left = ROWS; left > 3; left = fewer_of(left)) levels++;
    endfunction
    localparam int LEVELS = ROWS > 3 ? levels() : 1;

    for (genvar level = 0; level < LEVELS; level++) begin : g_level
        logic [rows_at(level)-1:0][15:0]     many;
        logic [rows_at(level + 1)-1:0][15:0] fewer;
        if (level == 0) begin : g_first
            assign many = rows;
        end else begin : g_next
            assign many = g_level[level-1].fewer;
        end
        ww_ones_level #(.ROWS(rows_at(level))) u_level (.rows(many), .fewer);
    end
    assign three = g_level[LEVELS-1].fewer;
endmodule
