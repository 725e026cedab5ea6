// A word of the payload of a test cell: a function of who sent it, to whom, which one, and which word.
//
// CRC-64 of eight bytes is one to one, so no two words that differ in any of these are alike.
module ww_shoal_pattern (
    input  logic [9:0]  src,
    input  logic [9:0]  dst,
    input  logic [19:0] seq,
    // 0 to 6.
    input  logic [2:0]  word,
    output logic [63:0] data
);
    ww_crc #(
        .WIDTH(64), .POLY(64'h42f0_e1eb_a9ea_3693), .INIT('0), .REFLECT_IN(0), .REFLECT_OUT(0), .XOR_OUT('0), .DATA_BYTES(8)
    ) u_hash (
        .clk(1'b0), .data({src, 2'd0, dst, 2'd0, 17'd0, word, seq}), .crc(data)
    );
endmodule
