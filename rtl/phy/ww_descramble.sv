// The descrambler of 10GBASE-R, G(x) = 1 + x^39 + x^58 (IEEE 802.3 clause 49.2.10).
//
// It finds the scrambler's state by itself: after 58 bits its output is right. WIDTH bits each enabled clock;
// latency one enabled clock.
module ww_descramble #(
    // Bits a clock, 1 to 128.
    parameter int WIDTH = 64
) (
    input  logic             clk,
    input  logic             rst,
    input  logic             enable,
    // Bit 0 is first on the line.
    input  logic [WIDTH-1:0] scrambled,
    output logic [WIDTH-1:0] plain
);
    if (WIDTH < 1 || WIDTH > 128) begin : g_illegal_width
        $error("ww_descramble: WIDTH must be 1 to 128");
    end

    logic [57:0]       history;
    logic [WIDTH+57:0] stream;
    assign stream = {scrambled, history};

    always_ff @(posedge clk) begin
        if (enable) begin
            plain   <= scrambled ^ stream[WIDTH+18:19] ^ stream[WIDTH-1:0];
            history <= stream[WIDTH+57:WIDTH];
        end
        if (rst) history <= '1;
    end
endmodule
