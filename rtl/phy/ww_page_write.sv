// Blocks into pages of 4,096 bytes in memory, for software that takes a page at a time.
//
// A page has 496 blocks: sync header i in bits 2 i of its first 992 bits, 32 bits of zeros, then payload i at
// byte 128 + 8 i. The memory has PAGES pages, which are filled one behind the other and around. A page counts when all
// of it is written; blocks that find no free page at the beginning of one are dropped and counted, so that a page never
// lacks blocks in the middle. One block a clock.
module ww_page_write #(
    // Pages of the ring, a power of two, 2 or more; 32 are 128 KB.
    parameter int PAGES = 32,
    // Not to be set: bits of an address of 128-bit words.
    localparam int ADDRESS_WIDTH = $clog2(PAGES) + 8
) (
    input  logic                     clk,
    input  logic                     rst,
    input  logic                     block_valid,
    // block[1:0] is the sync header.
    input  logic [65:0]              block,
    // To the memory; byte 0 of a page is in the low byte of its first word.
    output logic                     write_enable,
    output logic [ADDRESS_WIDTH-1:0] write_address,
    output logic [127:0]             write_data,
    // Pages that are in memory, and pages that the reader is done with, since reset; both count around.
    output logic [31:0]              pages_written,
    input  logic [31:0]              pages_freed,
    // For one clock: a block was dropped.
    output logic                     dropped
);
    if (PAGES < 2 || 2 ** $clog2(PAGES) != PAGES) begin : g_illegal_pages
        $error("ww_page_write: PAGES must be a power of two, 2 or more");
    end

    localparam logic [8:0] LAST = 9'd495;

    logic [8:0]               place;
    logic [ADDRESS_WIDTH-9:0] page;
    logic [127:0]             headers;
    logic [63:0]              payload;
    // A word of headers is written in the clock behind that of its last block, in which no payloads are.
    logic                     headers_due;
    logic                     ends_page;
    logic [2:0]               headers_word;
    logic [ADDRESS_WIDTH-9:0] headers_page;
    logic                     is_full;
    logic                     takes;
    logic                     ends_headers;
    // A page that was begun counts only when it is written.
    assign is_full      = pages_written - pages_freed + 32'(ends_page) >= 32'(PAGES);
    assign takes        = block_valid && (place != '0 || !is_full);
    assign ends_headers = place[5:0] == 6'd63 || place == LAST;

    always_ff @(posedge clk) begin
        write_enable <= 1'b0;
        headers_due  <= 1'b0;
        ends_page    <= 1'b0;
        dropped      <= block_valid && !takes;
        if (takes) begin
            payload                     <= block[65:2];
            headers[2*32'(place[5:0])+:2] <= block[1:0];
            if (place[5:0] == '0) headers[127:2] <= '0;
            if (place[0]) begin
                write_enable  <= 1'b1;
                write_address <= {page, place[8:1] + 8'd8};
                write_data    <= {block[65:2], payload};
            end
            headers_due  <= ends_headers;
            ends_page    <= place == LAST;
            headers_word <= place[8:6];
            headers_page <= page;
            place        <= place == LAST ? '0 : place + 9'd1;
            if (place == LAST) page <= page + (ADDRESS_WIDTH - 8)'(1);
        end
        if (headers_due) begin
            write_enable  <= 1'b1;
            write_address <= {headers_page, 5'd0, headers_word};
            write_data    <= headers;
            if (ends_page) pages_written <= pages_written + 32'd1;
        end
        if (rst) begin
            write_enable  <= 1'b0;
            headers_due   <= 1'b0;
            ends_page     <= 1'b0;
            dropped       <= 1'b0;
            place         <= '0;
            page          <= '0;
            pages_written <= '0;
        end
    end
endmodule
