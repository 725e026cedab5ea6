// Packet capture: stores whole packets of a stream in a memory and counts packets and bytes.
//
// s_axis_tready is always high. Reached through a row port (rtl/README.md, "Control"):
//   memory 0, row r: read gives captured beat r: {eop, sop, keep[WIDTH/8-1:0], data[WIDTH-1:0]}
//   memory 1, row r: read gives the tuser of captured beat r
//   memory 2, row 0: write forgets all and starts with the next packet: bits [31:0] packets to store (0:
//                    until stopped); read gives bit 0: running
//   memory 2, row 1: write stops; a packet of which not all has come is not stored; read gives the
//                    packets stored
//   memory 2, row 2: read gives the beats stored
//   memory 2, row 3: read gives the packets seen while running
//   memory 2, row 4: read gives the bytes of these packets
//   memory 2, row 5: read gives the packets seen that found no room
// With a number of packets to store it stops by itself after the last one; so does not a full memory:
// counting goes on.
module ww_packet_capture #(
    // Bits of tdata, a multiple of 8, 64 or more.
    parameter int WIDTH = 512,
    // Bits of tuser, 1 or more, at most those of a row.
    parameter int USER_WIDTH = 65,
    // Beats in the memory, 2 or more.
    parameter int DEPTH = 512,
    // Not to be set: bits of tkeep and of a row.
    localparam int KEEP_WIDTH = WIDTH / 8,
    localparam int ROW_WIDTH = 2 + KEEP_WIDTH + WIDTH
) (
    input  logic                  clk,
    input  logic                  rst,
    // Packets in.
    input  logic [WIDTH-1:0]      s_axis_tdata,
    input  logic [KEEP_WIDTH-1:0] s_axis_tkeep,
    input  logic [USER_WIDTH-1:0] s_axis_tuser,
    input  logic                  s_axis_tlast,
    input  logic                  s_axis_tvalid,
    output logic                  s_axis_tready,
    // Row port.
    input  logic                  row_valid,
    input  logic                  row_write,
    input  logic [3:0]            row_memory,
    input  logic [27:0]           row_index,
    input  logic [ROW_WIDTH-1:0]  row_wdata,
    output logic                  row_done,
    output logic [ROW_WIDTH-1:0]  row_rdata
);
    if (WIDTH < 64 || WIDTH % 8 != 0) begin : g_illegal_width
        $error("ww_packet_capture: WIDTH must be a multiple of 8, 64 or more");
    end
    if (USER_WIDTH < 1 || USER_WIDTH > ROW_WIDTH) begin : g_illegal_user_width
        $error("ww_packet_capture: USER_WIDTH must be 1 to 2 + WIDTH * 9 / 8");
    end
    if (DEPTH < 2) begin : g_illegal_depth
        $error("ww_packet_capture: DEPTH must be 2 or more");
    end

    localparam int ADDRESS_WIDTH = $clog2(DEPTH);
    localparam int LEVEL_WIDTH = $clog2(DEPTH + 1);

    logic                   running;
    logic                   is_endless;
    logic [31:0]            packets_left;
    // Beats of complete packets, and with those of the packet that is coming in.
    logic [LEVEL_WIDTH-1:0] stored;
    logic [LEVEL_WIDTH-1:0] next;
    // Within a packet of the stream; within one that is counted; the rest of it is not stored.
    logic                   in_packet;
    logic                   counting;
    logic                   discarding;
    logic [31:0]            packets_stored;
    logic [63:0]            packets_seen;
    logic [63:0]            bytes_seen;
    logic [63:0]            packets_missed;
    logic                   wanted;
    logic                   has_room;
    logic                   store;

    logic                   asked;
    logic                   starts;
    logic                   stops;
    logic                   in_range;
    logic                   fetch;
    logic                   from_beat;
    logic                   from_user;
    logic [ROW_WIDTH-1:0]   beat;
    logic [USER_WIDTH-1:0]  user;
    logic [ROW_WIDTH-1:0]   status;
    logic [ROW_WIDTH-1:0]   status_next;
    logic                   unused_wdata;

    assign s_axis_tready = 1'b1;
    assign wanted        = s_axis_tvalid && running && (counting || !in_packet);
    assign has_room      = next < LEVEL_WIDTH'(DEPTH);
    assign store         = wanted && !discarding && has_room;

    assign asked    = row_valid && !row_done;
    assign starts   = asked && row_write && row_memory == 4'd2 && row_index == 28'd0;
    assign stops    = asked && row_write && row_memory == 4'd2 && row_index == 28'd1;
    assign in_range = row_index < 28'(stored);
    assign fetch    = asked && !row_write && row_memory < 4'd2 && in_range;
    assign unused_wdata = &{1'b0, row_wdata[ROW_WIDTH-1:32]};

    ww_ram_sdp #(.WIDTH(ROW_WIDTH + USER_WIDTH), .DEPTH(DEPTH)) u_memory (
        .clk,
        .wr_en  (store),
        .wr_addr(next[ADDRESS_WIDTH-1:0]),
        .wr_data({s_axis_tuser, s_axis_tlast, !in_packet, s_axis_tkeep, s_axis_tdata}),
        .rd_en  (fetch),
        .rd_addr(row_index[ADDRESS_WIDTH-1:0]),
        .rd_data({user, beat})
    );

    // Bytes of a beat: tkeep is contiguous from byte 0.
    logic [15:0] bytes;
    always_comb begin
        bytes = '0;
        for (int place = 0; place < KEEP_WIDTH; place++) begin
            if (s_axis_tkeep[place]) bytes = 16'(place + 1);
        end
    end

    always_comb begin
        status_next = '0;
        if (row_memory == 4'd2) begin
            case (row_index)
                28'd0:   status_next[0] = running;
                28'd1:   status_next[31:0] = packets_stored;
                28'd2:   status_next[LEVEL_WIDTH-1:0] = stored;
                28'd3:   status_next[63:0] = packets_seen;
                28'd4:   status_next[63:0] = bytes_seen;
                28'd5:   status_next[63:0] = packets_missed;
                default: status_next = '0;
            endcase
        end
    end
    assign row_rdata = from_beat ? beat : from_user ? ROW_WIDTH'(user) : status;

    always_ff @(posedge clk) begin
        if (s_axis_tvalid) in_packet <= !s_axis_tlast;
        if (wanted) begin
            counting   <= !s_axis_tlast;
            bytes_seen <= bytes_seen + 64'(bytes);
            if (store) next <= next + 1'b1;
            else discarding <= 1'b1;
            if (s_axis_tlast) begin
                discarding   <= 1'b0;
                packets_seen <= packets_seen + 1'b1;
                if (store) begin
                    stored         <= next + 1'b1;
                    packets_stored <= packets_stored + 1'b1;
                    packets_left   <= packets_left - 1'b1;
                    if (!is_endless && packets_left == 32'd1) running <= 1'b0;
                end else begin
                    next           <= stored;
                    packets_missed <= packets_missed + 1'b1;
                end
            end
        end
        if (stops) running <= 1'b0;
        if (starts) begin
            running        <= 1'b1;
            is_endless     <= row_wdata[31:0] == '0;
            packets_left   <= row_wdata[31:0];
        end
        if (starts || rst) begin
            stored         <= '0;
            next           <= '0;
            counting       <= 1'b0;
            discarding     <= 1'b0;
            packets_stored <= '0;
            packets_seen   <= '0;
            bytes_seen     <= '0;
            packets_missed <= '0;
        end

        row_done  <= asked;
        from_beat <= fetch && row_memory == 4'd0;
        from_user <= fetch && row_memory == 4'd1;
        status    <= status_next;

        if (rst) begin
            running   <= 1'b0;
            in_packet <= 1'b0;
            row_done  <= 1'b0;
        end
    end
endmodule
