// Memory of a trie level: a RAM whose depth may be a little above a power of two.
//
// The driver needs some rows above the number of nodes, which is mostly a power of two. These rows
// go to LUT RAM, so that they do not double the block RAMs or put a multiplexer behind many of them.
// Timing and power-up are those of ww_ram_sdp, except that a row which is written in the clock of its
// read, or while its word is held, may be seen with the old or the new content.
module ww_lpm_memory #(
    // Bits of a row, 1 or more.
    parameter int WIDTH = 32,
    // Rows, 1 or more.
    parameter int DEPTH = 1056,
    // Clocks from rd_en to rd_data: 1 or 2.
    parameter int LATENCY = 1,
    // Not to be set: bits of an address, at least one.
    localparam int ADDRESS_WIDTH = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
    input  logic                     clk,
    // Stores wr_data at wr_addr.
    input  logic                     wr_en,
    input  logic [ADDRESS_WIDTH-1:0] wr_addr,
    input  logic [WIDTH-1:0]         wr_data,
    // Reads rd_addr; rd_data has the row LATENCY clocks later and holds it.
    input  logic                     rd_en,
    input  logic [ADDRESS_WIDTH-1:0] rd_addr,
    output logic [WIDTH-1:0]         rd_data
);
    localparam int BELOW = DEPTH > 1 ? 1 << (ADDRESS_WIDTH - 1) : 1;
    localparam int REST = DEPTH - BELOW;

    if (BELOW >= 512 && REST > 0 && REST <= 128) begin : g_split
        localparam int REST_WIDTH = REST > 1 ? $clog2(REST) : 1;

        logic             wr_rest, rd_rest;
        logic [WIDTH-1:0] below_word;

        assign wr_rest = wr_addr[ADDRESS_WIDTH-1];
        assign rd_rest = rd_addr[ADDRESS_WIDTH-1];

        ww_ram_sdp #(.WIDTH(WIDTH), .DEPTH(BELOW), .LATENCY(LATENCY)) below_ram (
            .clk, .wr_en(wr_en && !wr_rest), .wr_addr(wr_addr[ADDRESS_WIDTH-2:0]), .wr_data,
            .rd_en, .rd_addr(rd_addr[ADDRESS_WIDTH-2:0]), .rd_data(below_word)
        );

        // The LUT RAM is read after the clock edge, so that its depth is not added to that of the
        // logic that makes the address.
        logic [REST_WIDTH-1:0] rest_addr;
        logic                  rest;
        logic [WIDTH-1:0]      rest_word;
        always_ff @(posedge clk) begin
            if (rd_en) begin
                rest      <= rd_rest;
                rest_addr <= rd_addr[REST_WIDTH-1:0];
            end
        end
        ww_ram_async #(.WIDTH(WIDTH), .DEPTH(REST)) rest_ram (
            .clk, .wr_en(wr_en && wr_rest), .wr_addr(wr_addr[REST_WIDTH-1:0]), .wr_data,
            .rd_addr(rest_addr), .rd_data(rest_word)
        );

        if (LATENCY == 2) begin : g_output_register
            logic             is_new, rest_q;
            logic [WIDTH-1:0] rest_word_q;
            always_ff @(posedge clk) begin
                is_new <= rd_en;
                if (is_new) begin
                    rest_q      <= rest;
                    rest_word_q <= rest_word;
                end
            end
            assign rd_data = rest_q ? rest_word_q : below_word;
        end else begin : g_no_output_register
            assign rd_data = rest ? rest_word : below_word;
        end
    end else begin : g_one
        ww_ram_sdp #(.WIDTH(WIDTH), .DEPTH(DEPTH), .LATENCY(LATENCY)) ram (
            .clk, .wr_en, .wr_addr, .wr_data, .rd_en, .rd_addr, .rd_data
        );
    end
endmodule
