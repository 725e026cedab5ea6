// The ones' complement sum (RFC 1071) of an IPv4 header, 20 to 60 bytes, a header a clock, the sum a clock later.
//
// Source: 002-monitoring-limago 2.15, S28.
module ww_ipv4_sum #(
    // As of ww_ones_add.
    parameter int ARCHITECTURE = 5
) (
    input  logic         clk,
    input  logic         rst,
    // Low: everything stands still.
    input  logic         enable,
    // A header begins with byte 0; its length is in the low four bits of that. What is behind it does not count.
    input  logic         header_valid,
    input  logic [479:0] header,
    // An enabled clock later: the sum as big-endian words, not inverted; it is all ones if the checksum in the header is right; the header says that it has
    // fewer than 20 bytes: the sum is that of 20.
    output logic         sum_valid,
    output logic [15:0]  sum,
    output logic         sum_good,
    output logic         sum_short
);
    localparam int WORDS = 30;
    localparam int LEAST = 10;

    logic [3:0]             ihl;
    logic [WORDS-1:0][15:0] words;
    logic [15:0]            next;
    assign ihl = header[3:0];
    always_comb begin
        for (int n = 0; n < WORDS; n++) begin
            words[n] = n < LEAST || n < 2 * int'(ihl) ? {header[16*n+:8], header[16*n+8+:8]} : 16'h0;
        end
    end
    ww_ones_add #(.WORDS(WORDS), .ARCHITECTURE(ARCHITECTURE)) u_add (.words, .sum(next));
    always_ff @(posedge clk) begin
        if (enable) begin
            sum_valid <= header_valid;
            sum       <= next;
            sum_short <= 2 * int'(ihl) < LEAST;
        end
        if (rst) sum_valid <= 1'b0;
    end
    assign sum_good = sum == 16'hffff;
endmodule
