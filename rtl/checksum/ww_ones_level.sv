// One level of a tree of counters: rows of 16 bits become fewer rows with the same ones' complement sum (RFC 1071).
//
// Each column of seven rows is counted: the count's bits of weight 1, 2 and 4 are a bit of three new rows. A bit of weight 2 is worth as much in the
// column to the left, and one of weight 4 in that to the left of it; what leaves on the left comes back on the right, because 2^16 is 1 modulo 2^16 - 1.
// So rows never get wider, and there is nothing to fold. The new rows are all zero only if the old ones are.
//
// Seven rows become three, as do four to six; three become two; one or two rows that are left over pass. Groups are as equal as they can be: 33 rows are
// three of seven and two of six.
//
// Source: 002-monitoring-limago 2.15, S30.
module ww_ones_level #(
    // 4 or more.
    parameter int ROWS = 33,
    // Not to be set: groups of seven, and of what is left over; rows that come out.
    localparam int LEFT = ROWS % 7,
    localparam int GROUPS = ROWS / 7 + (LEFT >= 3 ? 1 : 0),
    localparam int PASSED = LEFT < 3 ? LEFT : 0,
    localparam int OUT_ROWS = 3 * GROUPS + PASSED - (LEFT == 3 ? 1 : 0)
) (
    input  logic [ROWS-1:0][15:0]     rows,
    output logic [OUT_ROWS-1:0][15:0] fewer
);
    if (ROWS < 4) begin : g_illegal_rows
        $error("ww_ones_level: ROWS must be 4 or more");
    end

    // The first row of a group, and of the one behind the last. With three left over, the last group has these.
    function automatic int first_of(input int group);
        if (LEFT <= 3) first_of = 7 * group < ROWS - PASSED ? 7 * group : ROWS - PASSED;
        else first_of = group * (ROWS / GROUPS) + (group < ROWS % GROUPS ? group : ROWS % GROUPS);
    endfunction

    for (genvar n = 0; n < GROUPS; n++) begin : g_group
        localparam int FIRST = first_of(n);
        localparam int SIZE = first_of(n + 1) - FIRST;
        logic [15:0][2:0]  count;
        logic [2:0][15:0]  weights;
        always_comb begin
            for (int column = 0; column < 16; column++) begin
                count[column] = '0;
                for (int row = 0; row < SIZE; row++) count[column] += 3'(rows[FIRST+row][column]);
                for (int weight = 0; weight < 3; weight++) weights[weight][column] = count[column][weight];
            end
        end
        assign fewer[3*n]   = weights[0];
        assign fewer[3*n+1] = {weights[1][14:0], weights[1][15]};
        if (SIZE > 3) begin : g_fours
            assign fewer[3*n+2] = {weights[2][13:0], weights[2][15:14]};
        end else begin : g_no_fours
            wire unused_fours = &{1'b0, weights[2]};
        end
    end
    for (genvar n = 0; n < PASSED; n++) begin : g_passed
        assign fewer[3*GROUPS+n] = rows[ROWS-PASSED+n];
    end
endmodule
