// The folded sum (RFC 1071) of many rows is that of the three which the counters make of them: in each level of 33, 35 and 65 rows a group of rows becomes
// others with the same number of ones of each column, and so with nothing but zeros only if there were none.
//
// That is enough: a one that a level moves from column c as weight 2 or 4 stands in column c + 1 or c + 2 modulo 16,
// and 2^16 is 1 modulo 2^16 - 1, so each level keeps the sum modulo 2^16 - 1. Of two numbers that are equal modulo 2^16 - 1, and zero together or not at all,
// the folded sums are equal.
module ww_ones_rows_properties (
    input logic             clk,
    input logic [64:0][15:0] rows
);
    ww_ones_level_properties #(.ROWS(65)) u_65 (.clk, .rows(rows[64:0]));
    ww_ones_level_properties #(.ROWS(35)) u_35 (.clk, .rows(rows[34:0]));
    ww_ones_level_properties #(.ROWS(33)) u_33 (.clk, .rows(rows[32:0]));
    ww_ones_level_properties #(.ROWS(29)) u_29 (.clk, .rows(rows[28:0]));
    ww_ones_level_properties #(.ROWS(15)) u_15 (.clk, .rows(rows[14:0]));
    ww_ones_level_properties #(.ROWS(13)) u_13 (.clk, .rows(rows[12:0]));
    ww_ones_level_properties #(.ROWS(10)) u_10 (.clk, .rows(rows[9:0]));
    ww_ones_level_properties #(.ROWS(7)) u_7 (.clk, .rows(rows[6:0]));
    ww_ones_level_properties #(.ROWS(6)) u_6 (.clk, .rows(rows[5:0]));
endmodule

// One level.
module ww_ones_level_properties #(
    parameter int ROWS = 33
) (
    input logic                  clk,
    input logic [ROWS-1:0][15:0] rows
);
    localparam int OUT_ROWS = ROWS / 7 * 3 + (ROWS % 7 < 3 ? ROWS % 7 : ROWS % 7 == 3 ? 2 : 3);
    localparam int PASSED = ROWS % 7 < 3 ? ROWS % 7 : 0;
    logic [OUT_ROWS-1:0][15:0] fewer;
    ww_ones_level #(.ROWS(ROWS)) u_level (.rows, .fewer);

    // Which rows a group has does not matter, if each row is in one.
    localparam int LEFT = ROWS % 7;
    localparam int GROUPS = ROWS / 7 + (LEFT >= 3 ? 1 : 0);
    for (genvar n = 0; n < GROUPS; n++) begin : g_group
        localparam int FIRST = LEFT <= 3 ? 7 * n : n * (ROWS / GROUPS) + (n < ROWS % GROUPS ? n : ROWS % GROUPS);
        localparam int SIZE = LEFT <= 3 ? (n == GROUPS - 1 && LEFT == 3 ? 3 : 7) : ROWS / GROUPS + (n < ROWS % GROUPS ? 1 : 0);
        logic [15:0][2:0] ones;
        logic [15:0][2:0] kept;
        always_comb begin
            for (int c = 0; c < 16; c++) begin
                ones[c] = '0;
                for (int row = FIRST; row < FIRST + SIZE; row++) ones[c] += 3'(rows[row][c]);
                kept[c] = 3'(fewer[3*n][c]) + (3'(fewer[3*n+1][(c+1)%16]) << 1);
                if (SIZE > 3) kept[c] += 3'(fewer[3*n+2][(c+2)%16]) << 2;
            end
        end
        always_ff @(posedge clk) begin
            for (int c = 0; c < 16; c++) assert (ones[c] == kept[c]);
        end
    end
    for (genvar n = 0; n < PASSED; n++) begin : g_passed
        always_ff @(posedge clk) assert (fewer[OUT_ROWS-PASSED+n] == rows[ROWS-PASSED+n]);
    end
    always_ff @(posedge clk) cover (fewer != '0);
endmodule
