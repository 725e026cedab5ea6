// The ones' complement sum of three rows of 16 bits, combinational: what stands behind a tree of counters.
//
// All give the folded sum of the three numbers: 16'h0000 only if all are zero, else 16'hffff in place of it.
//
// Source: 002-monitoring-limago 2.15, S30: ArchRed1 to ArchRed3.
module ww_ones_merge #(
    // 1: adds, and adds the carries twice. 2: the sum, and one and two more, of which the carries choose. 3: a row of sums and one of carries, then as 2,
    // with one carry: the shortest way. 20: 2 as it was printed, which is wrong for a sum of 17'h1ffff: 0 in place of 1. It is there to be measured.
    parameter int STYLE = 3
) (
    input  logic [2:0][15:0] rows,
    output logic [15:0]      sum
);
    if (STYLE != 1 && STYLE != 2 && STYLE != 3 && STYLE != 20) begin : g_illegal_style
        $error("ww_ones_merge: STYLE must be 1, 2, 3 or 20");
    end

    if (STYLE == 3) begin : g_carry_save
        logic [15:0] ones;
        logic [15:0] twos;
        logic [16:0] plain;
        logic [16:0] more;
        assign ones  = rows[0] ^ rows[1] ^ rows[2];
        assign twos  = (rows[0] & rows[1]) | (rows[0] & rows[2]) | (rows[1] & rows[2]);
        assign plain = 17'(ones) + 17'({twos[14:0], twos[15]});
        assign more  = 17'(ones) + 17'({twos[14:0], twos[15]}) + 17'd1;
        assign sum   = plain[16] ? more[15:0] : plain[15:0];
        wire unused_carry = &{1'b0, more[16]};
    end else begin : g_add
        logic [17:0] plain;
        assign plain = 18'(rows[0]) + 18'(rows[1]) + 18'(rows[2]);
        if (STYLE == 1) begin : g_fold
            logic [16:0] folded;
            assign folded = 17'(plain[15:0]) + 17'(plain[17:16]);
            assign sum    = folded[15:0] + 16'(folded[16]);
        end else begin : g_choose
            logic [17:0] one_more;
            logic [17:0] two_more;
            logic        adds_two;
            assign one_more = 18'(rows[0]) + 18'(rows[1]) + 18'(rows[2]) + 18'd1;
            assign two_more = 18'(rows[0]) + 18'(rows[1]) + 18'(rows[2]) + 18'd2;
            // One more may itself reach 2^17: then there are two carries to add.
            assign adds_two = STYLE == 2 ? one_more[17] : plain[17];
            assign sum      = adds_two ? two_more[15:0] : plain[16] ? one_more[15:0] : plain[15:0];
            wire unused_carries = &{1'b0, one_more[17:16], two_more[17:16]};
        end
    end
endmodule
