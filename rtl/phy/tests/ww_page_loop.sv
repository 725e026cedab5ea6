// Blocks into pages, the memory, and out again.
module ww_page_loop #(
    parameter int PAGES = 4
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         block_valid,
    input  logic [65:0]  block_in,
    output logic         dropped,
    input  logic         take,
    output logic [65:0]  block_out,
    output logic         idle,
    output logic [31:0]  pages_written,
    output logic [31:0]  pages_freed,
    // The reader may have pages.
    input  logic         release_pages,
    // What is written, to be looked at.
    output logic         write_enable,
    output logic [31:0]  write_address,
    output logic [127:0] write_data
);
    localparam int ADDRESS_WIDTH = $clog2(PAGES) + 8;
    logic [ADDRESS_WIDTH-1:0] wr_addr;
    logic                     rd_en;
    logic [ADDRESS_WIDTH-1:0] rd_addr;
    logic [127:0]             rd_data;
    logic [31:0]              shown;
    assign write_address = 32'(wr_addr);

    ww_page_write #(.PAGES(PAGES)) u_write (
        .clk, .rst, .block_valid, .block(block_in), .write_enable, .write_address(wr_addr), .write_data,
        .pages_written, .pages_freed, .dropped
    );
    ww_ram_sdp #(.WIDTH(128), .DEPTH(PAGES * 256)) u_memory (
        .clk, .wr_en(write_enable), .wr_addr, .wr_data(write_data), .rd_en, .rd_addr, .rd_data
    );
    always_ff @(posedge clk) begin
        if (release_pages) shown <= pages_written;
        if (rst) shown <= '0;
    end
    ww_page_read #(.PAGES(PAGES)) u_read (
        .clk, .rst, .pages_written(shown), .pages_freed, .read_enable(rd_en), .read_address(rd_addr),
        .read_data(rd_data), .take, .block(block_out), .idle
    );
endmodule
