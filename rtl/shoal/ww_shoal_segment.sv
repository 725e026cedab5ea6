// Cuts packets into cells for ww_shoal_control, and keeps them until they leave.
//
// A cell has 56 bytes of a packet. The last cell of a packet has up to 55, zeros behind them, and in its last byte how many
// there are; if the packet's length is a multiple of 56, that is a cell of its own with none. So a packet of n bytes has
// n / 56 + 1 cells. The cells of a destination are numbered as the control numbers them, and leave in any order.
//
// Throughput: a beat in each clock in the middle of a packet, 7 clocks for each cell; a packet waits while its destination has CELLS
// cells here. Paths without a register: s_axis_tdest to s_axis_tready, fetch_dst and fetch_seq to the memory.
//
// Source: 004-pieo-shoal 2.11 (S24).
module ww_shoal_segment #(
    // Hosts, 2 or more.
    parameter int HOSTS = 8,
    // Cells that are kept for each destination, a power of two, 2 or more.
    parameter int CELLS = 32,
    // Not to be set: bits of a host's number; of a sequence number; of a cell's place, words of a cell's payload.
    localparam int HOST_WIDTH = $clog2(HOSTS),
    localparam int SEQ_WIDTH = 20,
    localparam int PLACE_WIDTH = $clog2(CELLS),
    localparam int WORDS = 7
) (
    input  logic                  clk,
    input  logic                  rst,
    // Own number, constant.
    input  logic [HOST_WIDTH-1:0] host,
    // Packets; tdest is the destination, the same in all beats.
    input  logic                  s_axis_tvalid,
    output logic                  s_axis_tready,
    input  logic [63:0]           s_axis_tdata,
    input  logic [7:0]            s_axis_tkeep,
    input  logic                  s_axis_tlast,
    input  logic [HOST_WIDTH-1:0] s_axis_tdest,
    // To the control: a cell more for a destination.
    output logic                  add_valid,
    output logic [HOST_WIDTH-1:0] add_dst,
    output logic [31:0]           add_cells,
    // From the control: a cell leaves, of those that were added. Its seven words come from the next clock on; 7 clocks or more
    // from one to the next.
    input  logic                  fetch_valid,
    input  logic [HOST_WIDTH-1:0] fetch_dst,
    input  logic [SEQ_WIDTH-1:0]  fetch_seq,
    output logic                  payload_valid,
    output logic [63:0]           payload_data,
    output logic                  payload_sop,
    output logic                  payload_eop,
    // For one clock: a packet for the host itself, or for none, was dropped.
    output logic                  event_refused
);
    localparam int ADDRESS_WIDTH = HOST_WIDTH + PLACE_WIDTH + 3;
    localparam logic [2:0] LAST = 3'(WORDS - 1);

    if (HOSTS < 2) begin : g_illegal_hosts
        $error("ww_shoal_segment: HOSTS must be 2 or more");
    end
    if (CELLS < 2 || 2 ** PLACE_WIDTH != CELLS || PLACE_WIDTH > SEQ_WIDTH) begin : g_illegal_cells
        $error("ww_shoal_segment: CELLS must be a power of two, 2 or more");
    end

    // The cell that leaves, and its word that is read next.
    logic                   reads;
    logic [HOST_WIDTH-1:0]  read_dst;
    logic [PLACE_WIDTH-1:0] read_place;
    logic [2:0]             next_word;

    // ---- Packets in. `pads`: the packet has ended, and the rest of its last cell is written.
    logic                                   pads;
    logic [5:0]                             length;
    logic                                   in_packet;
    logic                                   starts_packet;
    logic [2:0]                             word;
    logic [HOST_WIDTH-1:0]                  dst_before;
    logic [HOST_WIDTH-1:0]                  dst;
    logic [HOSTS-1:0][CELLS-1:0]            used;
    logic [HOSTS-1:0][PLACE_WIDTH-1:0]      tail;
    logic                                   refuse;
    logic                                   room;
    logic                                   beat;
    logic                                   write;
    logic                                   ends_cell;
    logic                                   ends_packet;
    logic [3:0]                             count;
    logic                                   full;
    logic [63:0]                            bytes;
    logic [63:0]                            data;
    ww_axis_keep_count #(.BYTES(8)) u_count (.keep(s_axis_tkeep), .count);
    assign full          = count == 4'd8;
    assign dst           = in_packet || pads ? dst_before : s_axis_tdest;
    assign refuse        = dst == host || 32'(dst) >= HOSTS;
    assign room          = !used[dst][tail[dst]];
    assign s_axis_tready = !pads && (refuse || room) && !rst;
    assign beat          = s_axis_tvalid && s_axis_tready;
    assign write         = (beat && !refuse) || (pads && room);
    assign ends_cell     = write && word == LAST;
    assign ends_packet   = pads || (s_axis_tlast && !full);
    always_comb begin
        for (int n = 0; n < 8; n++) bytes[8*n+:8] = s_axis_tkeep[n] ? s_axis_tdata[8*n+:8] : 8'h00;
        data = pads ? '0 : bytes;
        if (word == LAST && ends_packet) data[63:56] = pads ? 8'(length) : 8'(8 * (WORDS - 1)) + 8'(count);
    end

    always_ff @(posedge clk) begin
        dst_before    <= dst;
        add_valid     <= ends_cell;
        add_dst       <= dst;
        event_refused <= beat && refuse && s_axis_tlast;
        if (beat) in_packet <= !s_axis_tlast;
        if (write) word <= word == LAST ? '0 : word + 3'd1;
        if (beat && !refuse && s_axis_tlast) begin
            pads   <= word != LAST || full;
            length <= word == LAST ? '0 : {word, 3'd0} + 6'(count);
        end
        if (pads && ends_cell) pads <= 1'b0;
        if (ends_cell) begin
            used[dst][tail[dst]] <= 1'b1;
            tail[dst]            <= tail[dst] + 1'b1;
            starts_packet        <= ends_packet;
        end
        if (reads && next_word == LAST) used[read_dst][read_place] <= 1'b0;
        if (rst) begin
            pads          <= 1'b0;
            in_packet     <= 1'b0;
            starts_packet <= 1'b1;
            word          <= '0;
            used          <= '0;
            tail          <= '0;
            add_valid     <= 1'b0;
            event_refused <= 1'b0;
        end
    end
    assign add_cells = 32'd1;

    // ---- Cells out.
    logic                     first;
    logic [1:0]               marks;
    logic [ADDRESS_WIDTH-1:0] address;
    assign address = fetch_valid ? {fetch_dst, fetch_seq[PLACE_WIDTH-1:0], 3'd0} : {read_dst, read_place, next_word};
    always_ff @(posedge clk) begin
        payload_valid <= fetch_valid || reads;
        first         <= fetch_valid;
        next_word     <= next_word + 3'd1;
        if (reads && next_word == LAST) reads <= 1'b0;
        if (fetch_valid) begin
            reads      <= 1'b1;
            read_dst   <= fetch_dst;
            read_place <= fetch_seq[PLACE_WIDTH-1:0];
            next_word  <= 3'd1;
        end
        if (rst) begin
            reads         <= 1'b0;
            payload_valid <= 1'b0;
            first         <= 1'b0;
        end
    end
    ww_ram_sdp #(.WIDTH(64), .DEPTH(HOSTS * CELLS * 8)) u_words (
        .clk, .wr_en(write), .wr_addr({dst, tail[dst], word}), .wr_data(data), .rd_en(1'b1), .rd_addr(address),
        .rd_data(payload_data)
    );
    ww_ram_async #(.WIDTH(2), .DEPTH(HOSTS * CELLS)) u_marks (
        .clk, .wr_en(ends_cell), .wr_addr({dst, tail[dst]}), .wr_data({ends_packet, starts_packet}),
        .rd_addr({read_dst, read_place}), .rd_data(marks)
    );
    assign {payload_eop, payload_sop} = first ? marks : '0;
    wire unused_seq = &{1'b0, fetch_seq};
endmodule
