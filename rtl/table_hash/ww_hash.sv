// Hash functions of a ww_table_hash: one bucket number for each way, one clock after the key.
//
// The key is reduced to 48 bits with a matrix over GF(2), those pass a step that is not linear, and a
// second matrix over GF(2) gives the bits of the bucket numbers:
//
//   mix[j]    = XOR of all key[i] with M[i][j]
//   bent[j]   = mix[j] ^ (mix[(j+11) % 48] & ~mix[(j+29) % 48])
//   bucket[w] = bits XOR of all bent[j] with S[w][bit][j]
//
// The step in the middle is there because keys in practice are regular (consecutive addresses, a few
// bits that vary): a linear function maps such a set either evenly or onto few buckets. The matrices
// are words of the SplitMix64 generator (Steele, Lea, Flood, 2014) addressed by their number:
//
//   word(n)      = SplitMix64 output for the state SEED + n * 0x9E3779B97F4A7C15
//   M[i]         = (word(2i + 1) & word(2i + 2))[47:0]         a quarter of the bits are ones
//   S[w][bit]    = word(0x100000 + 32 w + bit)[47:0]
//
// ww_hash_bucket in rtl/driver computes the same.
module ww_hash #(
    // Bits of the key, 1 to 4096.
    parameter int KEY_WIDTH = 32,
    // Number of hash functions, 1 to 8.
    parameter int WAYS = 4,
    // Buckets of each way, a power of two from 2 to 2^24.
    parameter int BUCKETS = 256,
    // Chooses the functions.
    parameter logic [63:0] SEED = 64'd1,
    // Not to be set: bits of a bucket number.
    localparam int BUCKET_WIDTH = $clog2(BUCKETS)
) (
    input  logic                               clk,
    input  logic [KEY_WIDTH-1:0]               key,
    // Bucket in each way, one clock after the key.
    output logic [WAYS-1:0][BUCKET_WIDTH-1:0]  bucket
);
    localparam int MIX = 48;

    function automatic logic [63:0] word(input logic [63:0] number);
        logic [63:0] z;
        z = SEED + number * 64'h9E37_79B9_7F4A_7C15;
        z = (z ^ (z >> 30)) * 64'hBF58_476D_1CE4_E5B9;
        z = (z ^ (z >> 27)) * 64'h94D0_49BB_1331_11EB;
        word = z ^ (z >> 31);
    endfunction

    // M is cut into groups of key bits: it keeps the XOR trees flat, and tools take long over
    // functions of wide constants.
    localparam int GROUP = 16;
    localparam int GROUPS = (KEY_WIDTH + GROUP - 1) / GROUP;

    // Rows of M: the bits of the mix that each key bit of a group changes.
    function automatic logic [GROUP-1:0][MIX-1:0] rows(input logic [63:0] first);
        for (int i = 0; i < GROUP; i++) begin
            rows[i] = MIX'(word(2 * first + 64'(2 * i + 1)) & word(2 * first + 64'(2 * i + 2)));
        end
    endfunction

    logic [GROUPS*GROUP-1:0]    padded;
    logic [GROUPS-1:0][MIX-1:0] part;
    logic [MIX-1:0]             mix;
    logic [MIX-1:0]             bent;

    assign padded = (GROUPS * GROUP)'(key);

    for (genvar g = 0; g < GROUPS; g++) begin : g_group
        localparam logic [GROUP-1:0][MIX-1:0] ROWS = rows(64'(GROUP * g));
        always_comb begin
            part[g] = '0;
            for (int i = 0; i < GROUP; i++) part[g] ^= ROWS[i] & {MIX{padded[GROUP * g + i]}};
        end
    end

    for (genvar j = 0; j < MIX; j++) begin : g_mix
        logic [GROUPS-1:0] parts;
        always_comb begin
            for (int g = 0; g < GROUPS; g++) parts[g] = part[g][j];
        end
        always_ff @(posedge clk) mix[j] <= ^parts;
        assign bent[j] = mix[j] ^ (mix[(j + 11) % MIX] & ~mix[(j + 29) % MIX]);
    end

    for (genvar w = 0; w < WAYS; w++) begin : g_way
        for (genvar b = 0; b < BUCKET_WIDTH; b++) begin : g_bit
            localparam logic [63:0] SELECT = word(64'h10_0000 + 64'(32 * w + b));
            assign bucket[w][b] = ^(bent & SELECT[MIX-1:0]);
        end
    end
endmodule
