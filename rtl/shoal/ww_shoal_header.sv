// The check sequence of a cell's header: CRC-11 with x^11 + x^9 + x^8 + x^2 + x + 1, all ones at first.
//
// A header is one word of 64 bits: source in bits 9:0, destination in 19:10, sequence number in 39:20, report in 49:40, start of
// packet 50, end of packet 51, last cell dropped 52, and in 63:53 the check sequence of bits 52:0, the highest first. An empty
// cell has its sender as source and destination. All errors of up to three bits in the 64 are found.
//
// Source: 004-pieo-shoal 2.11 (S24); docs/fabric-rules.md, "Header".
module ww_shoal_header (
    input  logic [52:0] fields,
    output logic [10:0] check
);
    localparam logic [10:0] POLYNOMIAL = 11'h307;

    function automatic logic [10:0] crc(input logic [52:0] bits);
        crc = '1;
        for (int n = 52; n >= 0; n--) begin
            crc = crc[10] ^ bits[n] ? {crc[9:0], 1'b0} ^ POLYNOMIAL : {crc[9:0], 1'b0};
        end
    endfunction

    assign check = crc(fields);
endmodule
