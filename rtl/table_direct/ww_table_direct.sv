// Exact-match table whose key is the row number: one row for each value of the key.
//
// One lookup a clock; the result is there 2 clocks later. A row {valid, data} is written in one clock:
// a lookup sees all of the old or all of the new row.
module ww_table_direct #(
    // Bits of the key, 1 to 24.
    parameter int KEY_WIDTH = 8,
    // Bits of the data, 1 or more.
    parameter int DATA_WIDTH = 32,
    // "auto", "block" or "distributed": what the RAM is built from.
    parameter string STYLE = "auto",
    // Not to be set: bits of a row, {valid, data}.
    localparam int ROW_WIDTH = 1 + DATA_WIDTH
) (
    input  logic                  clk,
    input  logic                  rst,
    // Lookup, one a clock.
    input  logic                  lookup_valid,
    input  logic [KEY_WIDTH-1:0]  lookup_key,
    // Result, 2 clocks after the lookup. result_data has a meaning only with result_hit.
    output logic                  result_hit,
    output logic [DATA_WIDTH-1:0] result_data,
    // The key of an entry that matched, 0 on a miss.
    output logic [KEY_WIDTH-1:0]  result_index,
    // Row port: memory 0, row = key. A read waits for a clock without a lookup.
    input  logic                  row_valid,
    input  logic                  row_write,
    input  logic [3:0]            row_memory,
    input  logic [27:0]           row_index,
    input  logic [ROW_WIDTH-1:0]  row_wdata,
    output logic                  row_done,
    output logic [ROW_WIDTH-1:0]  row_rdata
);
    if (KEY_WIDTH < 1 || KEY_WIDTH > 24) begin : g_illegal_key
        $error("ww_table_direct: KEY_WIDTH must be 1 to 24; use ww_table_hash for wider keys");
    end
    if (DATA_WIDTH < 1) begin : g_illegal_data
        $error("ww_table_direct: DATA_WIDTH must be 1 or more");
    end

    localparam int LATENCY = 2;

    logic                 exists;
    logic                 write;
    logic                 read;
    logic [ROW_WIDTH-1:0] row;

    assign exists = row_memory == 4'd0 && row_index[27:KEY_WIDTH] == '0;

    ww_row_access #(.READ_LATENCY(LATENCY)) row_access (
        .clk, .rst, .row_valid, .row_write, .row_done,
        .idle(!lookup_valid), .write, .read
    );

    ww_ram_sdp #(.WIDTH(ROW_WIDTH), .DEPTH(1 << KEY_WIDTH), .LATENCY(LATENCY), .STYLE(STYLE)) ram (
        .clk,
        .wr_en(write && exists), .wr_addr(row_index[KEY_WIDTH-1:0]), .wr_data(row_wdata),
        .rd_en(lookup_valid || read),
        .rd_addr(lookup_valid ? lookup_key : row_index[KEY_WIDTH-1:0]),
        .rd_data(row)
    );

    logic [KEY_WIDTH-1:0] key_1, key_2;
    always_ff @(posedge clk) begin
        key_1 <= lookup_key;
        key_2 <= key_1;
    end

    assign result_hit   = row[ROW_WIDTH-1];
    assign result_data  = row[DATA_WIDTH-1:0];
    assign result_index = result_hit ? key_2 : '0;
    assign row_rdata    = exists ? row : '0;
endmodule
