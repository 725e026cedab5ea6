// True dual-port RAM: two ports, each of which reads or writes one word a clock; one clock.
//
// A port that writes keeps its read data. A port that reads the address that the other one writes in the same clock
// gets the word from before or after the write, whichever the device has: users must not depend on it. Both ports
// must not write the same address in one clock. Words are undefined at power-up. Written so that synthesis tools
// infer block RAM from it.
module ww_ram_tdp #(
    // Bits of a word, 1 or more.
    parameter int WIDTH = 32,
    // Words, 1 or more. Addresses of DEPTH and above must not be used.
    parameter int DEPTH = 512,
    // Not to be set: bits of an address, at least one.
    localparam int ADDRESS_WIDTH = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
    input  logic                     clk,
    // Port a: with a_en it stores a_wdata at a_addr (a_write) or reads a_addr; a_rdata has the word a clock later
    // and holds it until the next read.
    input  logic                     a_en,
    input  logic                     a_write,
    input  logic [ADDRESS_WIDTH-1:0] a_addr,
    input  logic [WIDTH-1:0]         a_wdata,
    output logic [WIDTH-1:0]         a_rdata,
    // Port b, likewise.
    input  logic                     b_en,
    input  logic                     b_write,
    input  logic [ADDRESS_WIDTH-1:0] b_addr,
    input  logic [WIDTH-1:0]         b_wdata,
    output logic [WIDTH-1:0]         b_rdata
);
    if (WIDTH < 1) begin : g_illegal_width
        $error("ww_ram_tdp: WIDTH must be 1 or more");
    end
    if (DEPTH < 1) begin : g_illegal_depth
        $error("ww_ram_tdp: DEPTH must be 1 or more");
    end

    (* ram_style = "block" *) logic [WIDTH-1:0] memory [DEPTH];

    always_ff @(posedge clk) begin
        if (a_en) begin
            if (a_write) memory[a_addr] <= a_wdata;
            else a_rdata <= memory[a_addr];
        end
        if (b_en) begin
            if (b_write) memory[b_addr] <= b_wdata;
            else b_rdata <= memory[b_addr];
        end
    end
endmodule
