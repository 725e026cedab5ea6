// Ring buffer of packets in block RAM for an input that cannot wait, such as an Ethernet receive side.
//
// s_axis_tready is always high. A packet that finds no room, or whose last beat says that its frame check
// sequence is bad (DROP_BAD), is dropped as a whole and counted. Packets leave once they are
// complete, in order, one beat a clock; the first beat 2 clocks after the last one came in, if
// nothing is before it.
module ww_ring_buffer #(
    // Bits of tdata, a multiple of 8.
    parameter int WIDTH = 512,
    // Bits of tuser, 1 or more.
    parameter int USER_WIDTH = 65,
    // Beats that it can hold, 2 or more. A longer packet is dropped.
    parameter int DEPTH = 512,
    // 1: drop packets with tuser[0] high in the last beat.
    parameter bit DROP_BAD = 1'b0,
    // Not to be set: bits of tkeep and of a number of beats.
    localparam int KEEP_WIDTH = WIDTH / 8,
    localparam int LEVEL_WIDTH = $clog2(DEPTH + 1)
) (
    input  logic clk,
    input  logic rst,
    // Beats of the memory that may be used, at most DEPTH: the depth at run time. A change counts for
    // the beats that come from then on.
    input  logic [LEVEL_WIDTH-1:0] limit,
    input  logic [WIDTH-1:0]      s_axis_tdata,
    input  logic [KEEP_WIDTH-1:0] s_axis_tkeep,
    input  logic [USER_WIDTH-1:0] s_axis_tuser,
    input  logic                  s_axis_tlast,
    input  logic                  s_axis_tvalid,
    output logic                  s_axis_tready,
    output logic [WIDTH-1:0]      m_axis_tdata,
    output logic [KEEP_WIDTH-1:0] m_axis_tkeep,
    output logic [USER_WIDTH-1:0] m_axis_tuser,
    output logic                  m_axis_tlast,
    output logic                  m_axis_tvalid,
    input  logic                  m_axis_tready,
    // Beats in the memory, with those of a packet that is coming in.
    output logic [LEVEL_WIDTH-1:0] level,
    // Since reset, stopping at the highest value: packets that were kept, that found no room, and
    // that were bad.
    output logic [31:0]            kept_packets,
    output logic [31:0]            dropped_packets,
    output logic [31:0]            bad_packets
);
    if (WIDTH < 8 || WIDTH % 8 != 0) begin : g_illegal_width
        $error("ww_ring_buffer: WIDTH must be a multiple of 8");
    end
    if (USER_WIDTH < 1) begin : g_illegal_user_width
        $error("ww_ring_buffer: USER_WIDTH must be 1 or more");
    end
    if (DEPTH < 2) begin : g_illegal_depth
        $error("ww_ring_buffer: DEPTH must be 2 or more");
    end

    localparam int BEAT_WIDTH = 1 + USER_WIDTH + KEEP_WIDTH + WIDTH;
    localparam int ADDRESS_WIDTH = $clog2(DEPTH);
    localparam logic [ADDRESS_WIDTH-1:0] LAST = ADDRESS_WIDTH'(DEPTH - 1);

    logic [ADDRESS_WIDTH-1:0] write_pointer;
    logic [ADDRESS_WIDTH-1:0] write_pointer_next;
    // Where the packet that is coming in begins.
    logic [ADDRESS_WIDTH-1:0] packet_pointer;
    logic [ADDRESS_WIDTH-1:0] read_pointer;
    // Beats of complete packets that have not been read, and of the packet that is coming in.
    logic [LEVEL_WIDTH-1:0]   complete;
    logic [LEVEL_WIDTH-1:0]   pending;
    // The rest of the packet is not wanted.
    logic                     discarding;
    logic                     has_room;
    logic                     store;
    logic                     is_bad;
    logic                     keep;
    logic                     fetch;

    assign s_axis_tready = 1'b1;
    assign level         = complete + pending;
    assign has_room      = level < limit && level < LEVEL_WIDTH'(DEPTH);
    assign store         = s_axis_tvalid && !discarding && has_room;
    assign is_bad        = DROP_BAD && s_axis_tuser[0];
    assign keep          = store && s_axis_tlast && !is_bad;
    assign fetch         = complete != '0 && (!m_axis_tvalid || m_axis_tready);
    assign write_pointer_next = write_pointer == LAST ? '0 : write_pointer + 1'b1;

    ww_ram_sdp #(
        .WIDTH(BEAT_WIDTH),
        .DEPTH(DEPTH)
    ) u_memory (
        .clk,
        .wr_en  (store),
        .wr_addr(write_pointer),
        .wr_data({s_axis_tlast, s_axis_tuser, s_axis_tkeep, s_axis_tdata}),
        .rd_en  (fetch),
        .rd_addr(read_pointer),
        .rd_data({m_axis_tlast, m_axis_tuser, m_axis_tkeep, m_axis_tdata})
    );

    always_ff @(posedge clk) begin
        if (s_axis_tvalid) begin
            discarding <= !s_axis_tlast && (discarding || !has_room);
            if (store && !s_axis_tlast) begin
                write_pointer <= write_pointer_next;
                pending       <= pending + 1'b1;
            end else if (keep) begin
                write_pointer  <= write_pointer_next;
                packet_pointer <= write_pointer_next;
                pending        <= '0;
            end else begin
                write_pointer <= packet_pointer;
                pending       <= '0;
            end
        end
        complete <= complete + (keep ? pending + 1'b1 : '0) - LEVEL_WIDTH'(fetch);

        if (fetch) read_pointer <= read_pointer == LAST ? '0 : read_pointer + 1'b1;
        if (fetch) m_axis_tvalid <= 1'b1;
        else if (m_axis_tready) m_axis_tvalid <= 1'b0;

        if (keep && kept_packets != '1) kept_packets <= kept_packets + 1'b1;
        if (s_axis_tvalid && !discarding && !has_room && dropped_packets != '1) begin
            dropped_packets <= dropped_packets + 1'b1;
        end
        if (store && s_axis_tlast && is_bad && bad_packets != '1) begin
            bad_packets <= bad_packets + 1'b1;
        end
        if (rst) begin
            write_pointer   <= '0;
            packet_pointer  <= '0;
            read_pointer    <= '0;
            complete        <= '0;
            pending         <= '0;
            discarding      <= 1'b0;
            m_axis_tvalid   <= 1'b0;
            kept_packets    <= '0;
            dropped_packets <= '0;
            bad_packets     <= '0;
        end
    end
endmodule
