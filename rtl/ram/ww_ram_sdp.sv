// Simple dual-port RAM: one write port, one read port, one clock.
//
// A read of the address that is written in the same clock gives the word from before the write. All
// words are zero at power-up; reset does not clear them. The read data keep their value while rd_en
// is low. Written so that synthesis tools infer block RAM or LUT RAM from it.
module ww_ram_sdp #(
    // Bits of a word, 1 or more.
    parameter int WIDTH = 32,
    // Words, 1 or more. Addresses of DEPTH and above must not be used.
    parameter int DEPTH = 512,
    // Clocks from rd_en to rd_data: 1, or 2 with a register behind the RAM (the output register of a
    // block RAM, for higher clock rates).
    parameter int LATENCY = 1,
    // "auto", "block" or "distributed": what the synthesis tool shall build it from.
    parameter string STYLE = "auto",
    // Not to be set: bits of an address, at least one.
    localparam int ADDRESS_WIDTH = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
    input  logic                     clk,
    // Stores wr_data at wr_addr.
    input  logic                     wr_en,
    input  logic [ADDRESS_WIDTH-1:0] wr_addr,
    input  logic [WIDTH-1:0]         wr_data,
    // Reads rd_addr; rd_data has the word LATENCY clocks later and holds it until the next read.
    input  logic                     rd_en,
    input  logic [ADDRESS_WIDTH-1:0] rd_addr,
    output logic [WIDTH-1:0]         rd_data
);
    if (WIDTH < 1) begin : g_illegal_width
        $error("ww_ram_sdp: WIDTH must be 1 or more");
    end
    if (DEPTH < 1) begin : g_illegal_depth
        $error("ww_ram_sdp: DEPTH must be 1 or more");
    end
    if (LATENCY != 1 && LATENCY != 2) begin : g_illegal_latency
        $error("ww_ram_sdp: LATENCY must be 1 or 2");
    end
    if (STYLE != "auto" && STYLE != "block" && STYLE != "distributed") begin : g_illegal_style
        $error("ww_ram_sdp: STYLE must be auto, block or distributed");
    end

    (* ram_style = STYLE *) logic [WIDTH-1:0] memory [DEPTH];
    logic [WIDTH-1:0] word;

    initial begin
        // Synthesis tools limit the turns of a loop; Verilator makes one C++ statement for every word
        // of an assignment pattern.
`ifdef VERILATOR
        for (int row = 0; row < DEPTH; row++) memory[row] = '0;
`else
        memory = '{default: '0};
`endif
        word = '0;
    end

    always_ff @(posedge clk) begin
        if (wr_en) memory[wr_addr] <= wr_data;
        if (rd_en) word <= memory[rd_addr];
    end

    if (LATENCY == 2) begin : g_output_register
        logic             word_is_new;
        logic [WIDTH-1:0] word_q;

        initial begin
            word_is_new = 1'b0;
            word_q      = '0;
        end

        always_ff @(posedge clk) begin
            word_is_new <= rd_en;
            if (word_is_new) word_q <= word;
        end
        assign rd_data = word_q;
    end else begin : g_no_output_register
        assign rd_data = word;
    end
endmodule
