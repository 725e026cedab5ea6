// Packet memory of one input port of a switch: a ring of beats, written by one stream, that READERS
// outputs read at the same time, each a packet and a beat of its own.
//
// One beat a clock comes in and one beat a clock goes to each reader: the data lie in READERS memories
// that are written alike. A reader may read a packet while it still comes in; a beat can be read in the
// clock after the one that took it. Packets may be read several times and in any order; they are freed in any order,
// and their room is used again in the order in which they came.
//
// A packet longer than MAX_BYTES, rounded up to whole beats, is cut.
module ww_port_ring #(
    // Bits of tdata: 16 or more, a power of two.
    parameter int WIDTH = 512,
    // Outputs that read, 1 or more.
    parameter int READERS = 4,
    // Beats of the ring, a power of two; more than a packet of MAX_BYTES has.
    parameter int BEATS = 512,
    // Packets in the ring at most, a power of two, 2 or more.
    parameter int PACKETS = 128,
    // Longest packet in bytes.
    parameter int MAX_BYTES = 16384,
    // Not to be set: bits of a number of bytes less one, of a place in the ring, of a packet's number.
    localparam int BYTES_WIDTH = $clog2(WIDTH / 8),
    localparam int AT_WIDTH = $clog2(BEATS),
    localparam int NUMBER_WIDTH = $clog2(PACKETS)
) (
    input  logic                    clk,
    input  logic                    rst,
    // Packets in.
    input  logic                    s_axis_tvalid,
    output logic                    s_axis_tready,
    input  logic [WIDTH-1:0]        s_axis_tdata,
    input  logic [WIDTH/8-1:0]      s_axis_tkeep,
    input  logic                    s_axis_tlast,
    // The oldest packet that is not taken yet: its number and where its first beat is. Valid from the
    // clock after its first beat; take goes on to the next packet.
    input  logic                    take,
    output logic [NUMBER_WIDTH-1:0] number,
    output logic [AT_WIDTH-1:0]     at,
    // Readers, reader n with the n-th part of each vector. rd_ready: the beat at rd_at has come in;
    // rd_last: it is the last of its packet. rd_en has its data in rd_data one clock later, where they
    // stay until the next rd_en: {bytes less one, tdata}.
    input  logic [READERS-1:0]          rd_en,
    input  logic [READERS*AT_WIDTH-1:0] rd_at,
    output logic [READERS-1:0]          rd_ready,
    output logic [READERS-1:0]          rd_last,
    output logic [READERS*(BYTES_WIDTH+WIDTH)-1:0] rd_data,
    // The packet with this number is not read any more; allowed as soon as it was taken.
    input  logic                    free_valid,
    input  logic [NUMBER_WIDTH-1:0] free_number,
    // No packet is inside.
    output logic                    empty
);
    localparam int BYTES = WIDTH / 8;
    localparam int MAX_BEATS = (MAX_BYTES + BYTES - 1) / BYTES;
    localparam int LENGTH_WIDTH = $clog2(MAX_BEATS + 1);
    localparam int WORD = BYTES_WIDTH + WIDTH;

    if (WIDTH < 16 || 2 ** $clog2(WIDTH) != WIDTH) begin : g_illegal_width
        $error("ww_port_ring: WIDTH must be a power of two, 16 or more");
    end
    if (READERS < 1) begin : g_illegal_readers
        $error("ww_port_ring: READERS must be 1 or more");
    end
    if (2 ** AT_WIDTH != BEATS || BEATS <= MAX_BEATS) begin : g_illegal_beats
        $error("ww_port_ring: BEATS must be a power of two and hold more than MAX_BYTES");
    end
    if (2 ** NUMBER_WIDTH != PACKETS || PACKETS < 2) begin : g_illegal_packets
        $error("ww_port_ring: PACKETS must be a power of two, 2 or more");
    end

    // ---- Write
    // Where the next beat goes, and the oldest beat that is still needed; equal when empty, so one beat
    // of the ring stays free.
    logic [AT_WIDTH-1:0]     write_at;
    logic [AT_WIDTH-1:0]     oldest_at;
    logic [NUMBER_WIDTH-1:0] write_number;
    logic [NUMBER_WIDTH-1:0] oldest_number;
    // Packets that have come in as a whole and are not freed.
    logic [NUMBER_WIDTH:0]   whole;
    // Within a packet; beats of it so far; the rest of it is cut.
    logic                    in_packet;
    logic [LENGTH_WIDTH-1:0] length;
    logic                    cut;
    logic                    accepted, store, is_last, close, release_oldest;
    logic [BYTES_WIDTH:0]    kept;
    logic [BYTES_WIDTH-1:0]  bytes;
    logic [AT_WIDTH-1:0]     next_at, oldest_end;

    assign s_axis_tready = AT_WIDTH'(write_at + 1'b1) != oldest_at && !whole[NUMBER_WIDTH];
    assign accepted      = s_axis_tvalid && s_axis_tready;
    assign store         = accepted && !cut;
    assign is_last       = s_axis_tlast || length == LENGTH_WIDTH'(MAX_BEATS - 1);
    assign close         = store && is_last;
    assign next_at       = write_at + 1'b1;
    ww_axis_keep_count #(.BYTES(BYTES)) count_i (.keep(s_axis_tkeep), .count(kept));
    assign bytes         = BYTES_WIDTH'(kept - 1'b1);
    assign empty         = whole == '0 && !in_packet;

    always_ff @(posedge clk) begin
        if (accepted) begin
            in_packet <= !s_axis_tlast;
            cut    <= !s_axis_tlast && (cut || is_last);
        end
        if (store) begin
            write_at <= next_at;
            length   <= is_last ? '0 : length + 1'b1;
        end
        if (close) write_number <= write_number + 1'b1;
        if (take) number <= number + 1'b1;
        whole <= whole + (NUMBER_WIDTH+1)'(close) - (NUMBER_WIDTH+1)'(release_oldest);
        if (release_oldest) begin
            oldest_number <= oldest_number + 1'b1;
            oldest_at     <= oldest_end;
        end
        if (rst) begin
            in_packet        <= 1'b0;
            cut           <= 1'b0;
            write_at      <= '0;
            oldest_at     <= '0;
            length        <= '0;
            write_number  <= '0;
            oldest_number <= '0;
            number        <= '0;
            whole         <= '0;
        end
    end

    // ---- Packets: where they begin and end, and which are freed
    logic [PACKETS-1:0] freed;

    ww_ram_async #(.WIDTH(AT_WIDTH), .DEPTH(PACKETS)) begin_i (
        .clk, .wr_en(store && length == '0), .wr_addr(write_number), .wr_data(write_at),
        .rd_addr(number), .rd_data(at)
    );
    ww_ram_async #(.WIDTH(AT_WIDTH), .DEPTH(PACKETS)) end_i (
        .clk, .wr_en(close), .wr_addr(write_number), .wr_data(next_at),
        .rd_addr(oldest_number), .rd_data(oldest_end)
    );

    assign release_oldest = whole != '0 && freed[oldest_number];
    always_ff @(posedge clk) begin
        if (free_valid) freed[free_number] <= 1'b1;
        if (release_oldest) freed[oldest_number] <= 1'b0;
        if (rst) freed <= '0;
    end

    // ---- Read
    for (genvar n = 0; n < READERS; n++) begin : g_reader
        logic [AT_WIDTH-1:0] reading;
        assign reading     = rd_at[AT_WIDTH*n+:AT_WIDTH];
        assign rd_ready[n] = reading != write_at;

        ww_ram_sdp #(.WIDTH(WORD), .DEPTH(BEATS)) data_i (
            .clk,
            .wr_en(store), .wr_addr(write_at), .wr_data({bytes, s_axis_tdata}),
            .rd_en(rd_en[n]), .rd_addr(reading), .rd_data(rd_data[WORD*n+:WORD])
        );
        ww_ram_async #(.WIDTH(1), .DEPTH(BEATS)) last_i (
            .clk, .wr_en(store), .wr_addr(write_at), .wr_data(is_last),
            .rd_addr(reading), .rd_data(rd_last[n])
        );
    end
endmodule
