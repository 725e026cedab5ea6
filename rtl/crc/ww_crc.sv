// CRC of a key of fixed length, all bytes at once.
//
// The parameters are those of the Rocksoft model, in which catalogues list CRCs (Williams, "A painless
// guide to CRC error detection algorithms"). Each bit of the remainder is the parity of some bits of
// the key and a constant; which ones is computed at elaboration. The defaults are CRC-32 as in IEEE
// 802.3; CRC-16/ARC is WIDTH=16, POLY='h8005, INIT=0, XOR_OUT=0 with both reflections.
module ww_crc #(
    // Bits of the remainder, 1 to 64.
    parameter int WIDTH = 32,
    // Generator polynomial without its highest term, most significant bit first.
    parameter logic [63:0] POLY = 64'h04c1_1db7,
    // Remainder before the first bit.
    parameter logic [63:0] INIT = 64'hffff_ffff,
    // 1: each byte goes in with its least significant bit first.
    parameter int REFLECT_IN = 1,
    // 1: the bits of the remainder are reversed at the end.
    parameter int REFLECT_OUT = 1,
    // What the remainder is combined with (exclusive or) at the very end.
    parameter logic [63:0] XOR_OUT = 64'hffff_ffff,
    // Bytes of the key, 1 or more.
    parameter int DATA_BYTES = 13,
    // Clocks from data to crc: 0 (combinational), 1 or 2.
    parameter int STAGES = 0
) (
    // Not used with STAGES=0.
    input  logic                    clk,
    // The key; its first byte is the low one.
    input  logic [8*DATA_BYTES-1:0] data,
    output logic [WIDTH-1:0]        crc
);
    localparam int BITS = 8 * DATA_BYTES;
    // What one look at STAGES=2 covers in its first stage.
    localparam int CHUNK = 64;
    localparam int CHUNKS = (BITS + CHUNK - 1) / CHUNK;

    if (WIDTH < 1 || WIDTH > 64) begin : g_illegal_width
        $error("ww_crc: WIDTH must be 1 to 64");
    end
    if (DATA_BYTES < 1) begin : g_illegal_bytes
        $error("ww_crc: DATA_BYTES must be 1 or more");
    end
    if (STAGES < 0 || STAGES > 2) begin : g_illegal_stages
        $error("ww_crc: STAGES must be 0, 1 or 2");
    end

    typedef logic [WIDTH-1:0] remainder_t;

    // The remainder after one more bit, which is zero.
    function automatic remainder_t advance(remainder_t remainder);
        remainder_t shifted;
        shifted = remainder << 1;
        return remainder[WIDTH-1] ? shifted ^ WIDTH'(POLY) : shifted;
    endfunction

    // The bits of the key whose parity is the given bit (one-hot) of the remainder.
    function automatic logic [BITS-1:0] parity_of(remainder_t which);
        logic [BITS-1:0] mask;
        remainder_t      response;
        mask     = '0;
        // What a bit does to the remainder, from the last one that goes in to the first.
        response = WIDTH'(POLY);
        for (int i = BITS - 1; i >= 0; i--) begin
            mask[REFLECT_IN != 0 ? i : i / 8 * 8 + 7 - i % 8] = |(response & which);
            response = advance(response);
        end
        return mask;
    endfunction

    // The remainder of a key of zeros.
    function automatic remainder_t of_zeros();
        remainder_t remainder;
        remainder = WIDTH'(INIT);
        for (int i = 0; i < BITS; i++) remainder = advance(remainder);
        return remainder;
    endfunction

    localparam remainder_t OF_ZEROS = of_zeros();

    remainder_t remainder;
    for (genvar i = 0; i < WIDTH; i++) begin : g_bit
        localparam logic [BITS-1:0] MASK = parity_of(remainder_t'(1) << i);
        if (STAGES == 2) begin : g_two
            logic [CHUNKS-1:0]       part;
            logic [CHUNKS*CHUNK-1:0] masked;
            assign masked = (CHUNKS * CHUNK)'(data & MASK);
            always_ff @(posedge clk) begin
                for (int j = 0; j < CHUNKS; j++) part[j] <= ^masked[CHUNK*j+:CHUNK];
            end
            assign remainder[i] = ^part ^ OF_ZEROS[i];
        end else begin : g_one
            assign remainder[i] = ^(data & MASK) ^ OF_ZEROS[i];
        end
    end

    remainder_t result;
    always_comb begin
        for (int i = 0; i < WIDTH; i++) begin
            result[i] = remainder[REFLECT_OUT != 0 ? WIDTH - 1 - i : i] ^ XOR_OUT[i];
        end
    end

    if (STAGES > 0) begin : g_register
        always_ff @(posedge clk) crc <= result;
    end else begin : g_combinational
        wire unused_clk = clk;
        assign crc = result;
    end
endmodule
