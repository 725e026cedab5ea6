// What ww_ones_merge makes of three rows is their folded sum (RFC 1071), in each style; the one that was printed gives 0 in place of 1 if the rows sum up to
// 17'h1ffff, and is right in all other cases.
module ww_ones_merge_properties (
    input logic             clk,
    input logic [2:0][15:0] three
);
    logic [17:0] total;
    logic [16:0] once;
    logic [15:0] folded;
    assign total  = 18'(three[0]) + 18'(three[1]) + 18'(three[2]);
    assign once   = 17'(total[15:0]) + 17'(total[17:16]);
    assign folded = once[15:0] + 16'(once[16]);
    logic [15:0] sum_1;
    logic [15:0] sum_2;
    logic [15:0] sum_3;
    logic [15:0] sum_printed;
    ww_ones_merge #(.STYLE(1)) u_1 (.rows(three), .sum(sum_1));
    ww_ones_merge #(.STYLE(2)) u_2 (.rows(three), .sum(sum_2));
    ww_ones_merge #(.STYLE(3)) u_3 (.rows(three), .sum(sum_3));
    ww_ones_merge #(.STYLE(20)) u_printed (.rows(three), .sum(sum_printed));
    always_ff @(posedge clk) begin
        assert (sum_1 == folded);
        assert (sum_2 == folded);
        assert (sum_3 == folded);
        assert (sum_printed == (total == 18'h1ffff ? 16'h0 : folded));
        cover (total == 18'h1ffff);
    end
endmodule
