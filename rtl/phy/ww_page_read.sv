// Blocks from pages of 4,096 bytes in memory: the reverse of ww_page_write, for the transmit side.
//
// It begins with a page when all of it is in memory, and then gives a block in every clock in which one is taken. Between
// pages, when none is there, it gives idle, and says so. What it reads ahead are 8 words of payloads and 2 of headers.
module ww_page_read #(
    // Pages of the ring, a power of two, 2 or more.
    parameter int PAGES = 32,
    // Not to be set: bits of an address of 128-bit words.
    localparam int ADDRESS_WIDTH = $clog2(PAGES) + 8
) (
    input  logic                     clk,
    input  logic                     rst,
    // Pages that are in memory since reset, and pages that this module is done with.
    input  logic [31:0]              pages_written,
    output logic [31:0]              pages_freed,
    // From the memory: the word is there one clock after read_enable.
    output logic                     read_enable,
    output logic [ADDRESS_WIDTH-1:0] read_address,
    input  logic [127:0]             read_data,
    // The block is taken in this clock; one is always offered.
    input  logic                     take,
    output logic [65:0]              block,
    // What is offered is idle because no page is there.
    output logic                     idle
);
    if (PAGES < 2 || 2 ** $clog2(PAGES) != PAGES) begin : g_illegal_pages
        $error("ww_page_read: PAGES must be a power of two, 2 or more");
    end

    // generated: phy (crates/phy/src/block.rs, crates/phy/src/character.rs)
    localparam logic [7:0]  TYPE_CONTROL = 8'h1e;
    localparam logic [1:0]  CONTROL = 2'b01;
    // end of generated
    localparam logic [65:0] IDLE = {56'h0, TYPE_CONTROL, CONTROL};
    localparam logic [8:0]  LAST = 9'd495;
    // Words of headers and of payloads in a page.
    localparam logic [3:0]  HEADER_WORDS = 4'd8;
    localparam logic [7:0]  PAYLOAD_WORDS = 8'd248;
    localparam int          AHEAD = 8;

    // Reading ahead: headers first, for each word of them is wanted 64 times.
    logic [ADDRESS_WIDTH-9:0] page;
    logic [3:0]               headers_read;
    logic [7:0]               payloads_read;
    logic                     has_page;
    logic                     reads_headers;
    logic                     reads_payloads;
    logic [1:0]               headers_level;
    logic [3:0]               payloads_level;
    logic                     headers_coming;
    logic                     payloads_coming;
    assign has_page       = pages_written != pages_freed;
    assign reads_headers  = has_page && headers_read != HEADER_WORDS
                            && headers_level + 2'(headers_coming) < 2'd2;
    assign reads_payloads = has_page && payloads_read != PAYLOAD_WORDS && !reads_headers
                            && payloads_level + 4'(payloads_coming) < 4'(AHEAD);
    assign read_enable    = reads_headers || reads_payloads;
    assign read_address   = reads_headers ? {page, 5'd0, headers_read[2:0]}
                                          : {page, payloads_read + 8'd8};

    logic is_done;
    assign is_done = headers_read == HEADER_WORDS && payloads_read == PAYLOAD_WORDS;
    always_ff @(posedge clk) begin
        headers_coming  <= reads_headers;
        payloads_coming <= reads_payloads;
        if (reads_headers)  headers_read  <= headers_read + 4'd1;
        if (reads_payloads) payloads_read <= payloads_read + 8'd1;
        if (is_done) begin
            headers_read  <= '0;
            payloads_read <= '0;
            page          <= page + (ADDRESS_WIDTH - 8)'(1);
            pages_freed   <= pages_freed + 32'd1;
        end
        if (rst) begin
            headers_coming  <= 1'b0;
            payloads_coming <= 1'b0;
            headers_read    <= '0;
            payloads_read   <= '0;
            page            <= '0;
            pages_freed     <= '0;
        end
    end

    logic         headers_valid;
    logic [127:0] headers;
    logic         headers_taken;
    logic         payloads_valid;
    logic [127:0] payloads;
    logic         payloads_taken;
    logic         unused_headers_ready;
    logic         unused_payloads_ready;
    ww_fifo #(.WIDTH(128), .DEPTH(2)) u_headers (
        .clk,
        .rst,
        .s_valid(headers_coming),
        .s_ready(unused_headers_ready),
        .s_data (read_data),
        .m_valid(headers_valid),
        .m_ready(headers_taken),
        .m_data (headers),
        .level  (headers_level)
    );
    ww_fifo #(.WIDTH(128), .DEPTH(AHEAD)) u_payloads (
        .clk,
        .rst,
        .s_valid(payloads_coming),
        .s_ready(unused_payloads_ready),
        .s_data (read_data),
        .m_valid(payloads_valid),
        .m_ready(payloads_taken),
        .m_data (payloads),
        .level  (payloads_level)
    );

    // A page is begun when there are words enough to go on without a pause: reading is twice as fast as taking.
    logic [8:0] place;
    logic       offers;
    assign offers         = headers_valid && payloads_valid;
    assign idle           = !offers;
    assign headers_taken  = offers && take && (place[5:0] == 6'd63 || place == LAST);
    assign payloads_taken = offers && take && place[0];
    assign block          = !offers ? IDLE
                            : {place[0] ? payloads[127:64] : payloads[63:0], headers[2*32'(place[5:0])+:2]};
    always_ff @(posedge clk) begin
        if (offers && take) place <= place == LAST ? '0 : place + 9'd1;
        if (rst) place <= '0;
    end
endmodule
