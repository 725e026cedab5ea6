// Small memory with one write port and one read port without a clock: LUT RAM (distributed RAM).
//
// The read data follow the address in the same clock; a word that is written in a clock is seen in
// the next one. Words are not cleared by reset; they are zero at power-up.
module ww_ram_async #(
    // Bits of a word, 1 or more.
    parameter int WIDTH = 8,
    // Words, 1 or more. Addresses of DEPTH and above must not be used.
    parameter int DEPTH = 32,
    // Not to be set: bits of an address, at least one.
    localparam int ADDRESS_WIDTH = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
    input  logic                     clk,
    // Stores wr_data at wr_addr.
    input  logic                     wr_en,
    input  logic [ADDRESS_WIDTH-1:0] wr_addr,
    input  logic [WIDTH-1:0]         wr_data,
    // The word at rd_addr, combinationally.
    input  logic [ADDRESS_WIDTH-1:0] rd_addr,
    output logic [WIDTH-1:0]         rd_data
);
    if (WIDTH < 1) begin : g_illegal_width
        $error("ww_ram_async: WIDTH must be 1 or more");
    end
    if (DEPTH < 1) begin : g_illegal_depth
        $error("ww_ram_async: DEPTH must be 1 or more");
    end

    (* ram_style = "distributed" *) logic [WIDTH-1:0] memory [DEPTH];

    initial begin
        // Synthesis tools limit the turns of a loop; Verilator makes one C++ statement for every word
        // of an assignment pattern.
`ifdef VERILATOR
        for (int row = 0; row < DEPTH; row++) memory[row] = '0;
`else
        memory = '{default: '0};
`endif
    end

    always_ff @(posedge clk) begin
        if (wr_en) memory[wr_addr] <= wr_data;
    end
    assign rd_data = memory[rd_addr];
endmodule
