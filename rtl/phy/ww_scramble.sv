// The self-synchronising scrambler of 10GBASE-R, G(x) = 1 + x^39 + x^58 (IEEE 802.3 clause 49.2.6).
//
// A bit of output is the input bit and those of the output 39 and 58 bits before it, added. WIDTH bits each
// enabled clock; latency one enabled clock. Sync headers do not pass through it.
module ww_scramble #(
    // Bits a clock, 1 to 128.
    parameter int WIDTH = 64
) (
    input  logic             clk,
    input  logic             rst,
    input  logic             enable,
    // Bit 0 is first on the line.
    input  logic [WIDTH-1:0] plain,
    output logic [WIDTH-1:0] scrambled
);
    if (WIDTH < 1 || WIDTH > 128) begin : g_illegal_width
        $error("ww_scramble: WIDTH must be 1 to 128");
    end

    // The last 58 bits of output, the newest at the top, and the bits of a clock on top of them.
    typedef logic [WIDTH+57:0] stream_t;

    function automatic stream_t extend(logic [57:0] before_it, logic [WIDTH-1:0] bits);
        stream_t result;
        result = {bits, before_it};
        for (int i = 0; i < WIDTH; i++) result[58+i] = bits[i] ^ result[19+i] ^ result[i];
        return result;
    endfunction

    logic [57:0] history;
    stream_t     stream;
    assign stream = extend(history, plain);
    wire unused_stream = &{1'b0, stream[57:0]};

    always_ff @(posedge clk) begin
        if (enable) begin
            scrambled <= stream[WIDTH+57:58];
            history   <= stream[WIDTH+57:WIDTH];
        end
        // Any value does; ones let idle show the scrambler's work from the first block on.
        if (rst) history <= '1;
    end
endmodule
