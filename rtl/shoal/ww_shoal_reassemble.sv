// Puts the cells of each source in order, and joins them into packets again: the other end of ww_shoal_segment.
//
// A window of CELLS cells is kept for each source, from the first one that has not gone on. A packet goes on when all of its cells are
// there, so one that is not whole never does. A cell is lost when it has not come and one that is REORDER or more behind it comes; the
// window leaves it then, and the cells of its packet are dropped. So the network may hold a cell back while up to REORDER - 1 others
// of its source pass it, and the end of a packet with a lost cell is known by cells behind it. What is left of the window
// is for the packet itself and for those that wait to be taken; a cell beyond the window is refused while such packets wait.
//
// Throughput: a cell in 7 clocks, and 2 clocks between packets. Latency: 4 clocks from the last word of a packet's last cell to its first
// beat, and up to HOSTS clocks more until its source is looked at, and as many until it is sent.
//
// Source: 004-pieo-shoal 2.11 (S24).
module ww_shoal_reassemble #(
    // Hosts, 2 or more.
    parameter int HOSTS = 8,
    // Cells of the window of each source, a power of two, 4 or more; cells after which one that has not come is lost, 1 to CELLS - 1.
    // Packets of up to CELLS - REORDER cells have room in any case, and those of more than CELLS never.
    parameter int CELLS = 64,
    parameter int REORDER = CELLS / 2,
    // Not to be set: bits of a host's number; of a sequence number; of a cell's place.
    localparam int HOST_WIDTH = $clog2(HOSTS),
    localparam int SEQ_WIDTH = 20,
    localparam int PLACE_WIDTH = $clog2(CELLS)
) (
    input  logic                  clk,
    input  logic                  rst,
    // From the control: a cell for this host, with the first of its seven words.
    input  logic                  received_valid,
    input  logic [HOST_WIDTH-1:0] received_src,
    input  logic [SEQ_WIDTH-1:0]  received_seq,
    input  logic                  received_sop,
    input  logic                  received_eop,
    input  logic                  out_valid,
    input  logic [63:0]           out_data,
    // Packets; tuser is the source.
    output logic                  m_axis_tvalid,
    input  logic                  m_axis_tready,
    output logic [63:0]           m_axis_tdata,
    output logic [7:0]            m_axis_tkeep,
    output logic                  m_axis_tlast,
    output logic [HOST_WIDTH-1:0] m_axis_tuser,
    // For one clock: so many cells are lost; so many have come and go on in no packet; one of these had no room, for packets
    // wait to be taken.
    output logic                  event_lost,
    output logic [SEQ_WIDTH-1:0]  lost_cells,
    output logic                  event_dropped,
    output logic [PLACE_WIDTH:0]  dropped_cells,
    output logic                  event_refused
);
    localparam logic [2:0] LAST = 3'd6;
    typedef logic [SEQ_WIDTH-1:0] seq_t;
    typedef logic [PLACE_WIDTH-1:0] place_t;

    if (HOSTS < 2) begin : g_illegal_hosts
        $error("ww_shoal_reassemble: HOSTS must be 2 or more");
    end
    if (CELLS < 4 || 2 ** PLACE_WIDTH != CELLS || PLACE_WIDTH > SEQ_WIDTH - 2) begin : g_illegal_cells
        $error("ww_shoal_reassemble: CELLS must be a power of two, 4 to 2^18");
    end
    if (REORDER < 1 || REORDER >= CELLS) begin : g_illegal_reorder
        $error("ww_shoal_reassemble: REORDER must be 1 to CELLS - 1");
    end

    // Of each source: which cells of the window are there; its first cell; the first one that has not been looked at, up to which all are
    // there; the window has the beginning of a packet before that. Packets that were complete, and that have gone on.
    logic [HOSTS-1:0][CELLS-1:0]     present;
    seq_t [HOSTS-1:0]                heads;
    seq_t [HOSTS-1:0]                nexts;
    logic [HOSTS-1:0]                in_packet;
    logic [HOSTS-1:0][PLACE_WIDTH:0] made;
    logic [HOSTS-1:0][PLACE_WIDTH:0] gone;

    // ---- A cell comes: a clock behind it, whether it may stay.
    logic                  arrive;
    logic                  arrive_word;
    logic [HOST_WIDTH-1:0] src;
    seq_t                  seq;
    logic                  sop;
    logic                  eop;
    logic [63:0]           data;
    logic [2:0]            word;
    seq_t                  distance;
    seq_t                  looked_at;
    logic                  beyond;
    logic                  misses;
    logic                  moves_on;
    logic                  waits;
    logic                  accept;
    logic                  storing;
    logic                  ends;
    logic                  is_wrong;
    assign distance  = seq - heads[src];
    assign looked_at = nexts[src] - heads[src];
    assign beyond    = !distance[SEQ_WIDTH-1] && distance >= SEQ_WIDTH'(CELLS);
    // Packets wait to be sent, or cells to be looked at.
    assign waits     = made[src] != gone[src] || has_next(src);
    assign misses    = !distance[SEQ_WIDTH-1] && distance >= looked_at + SEQ_WIDTH'(REORDER);
    assign accept    = beyond ? !waits : !distance[SEQ_WIDTH-1] && !present[src][place_t'(seq)];
    assign moves_on  = accept && !waits && (beyond || misses);
    assign ends      = arrive_word && storing && word == LAST;
    // There is no such length, or nothing in the packet.
    assign is_wrong  = eop && (data[63:56] > 8'd55 || (sop && data[63:56] == '0));

    function automatic logic has_next(input logic [HOST_WIDTH-1:0] of);
        return nexts[of] - heads[of] < SEQ_WIDTH'(CELLS) && present[of][place_t'(nexts[of])];
    endfunction

    always_ff @(posedge clk) begin
        arrive      <= received_valid;
        arrive_word <= out_valid;
        data        <= out_data;
        word        <= received_valid ? '0 : word + 1'b1;
        if (received_valid) begin
            src <= received_src;
            seq <= received_seq;
            sop <= received_sop;
            eop <= received_eop;
        end
        if (arrive) storing <= accept;
        if (ends) storing <= 1'b0;
        if (rst) begin
            arrive      <= 1'b0;
            arrive_word <= 1'b0;
            storing     <= 1'b0;
        end
    end

    // ---- One source after the other is looked at, while no cell comes: the next cell of a packet, or one that belongs to none.
    logic [HOST_WIDTH-1:0] looked;
    logic [1:0]            marks;
    logic                  steps;
    logic                  breaks;
    logic                  looks;
    logic                  belongs;
    assign belongs = in_packet[looked] != marks[0];
    assign looks   = !arrive && !ends && has_next(looked);
    assign steps   = looks && belongs;
    // Only behind a fault, so that it may wait for the packets before it.
    assign breaks  = looks && !belongs && made[looked] == gone[looked];
    ww_ram_async #(.WIDTH(2), .DEPTH(CELLS << HOST_WIDTH)) u_marks (
        .clk, .wr_en(ends), .wr_addr({src, place_t'(seq)}), .wr_data({eop, sop}), .rd_addr({looked, place_t'(nexts[looked])}),
        .rd_data(marks)
    );

    // ---- A window leaves cells behind, of a source with no complete packet in it.
    logic                  moves;
    logic [HOST_WIDTH-1:0] moved;
    seq_t                  left_cells;
    place_t                from_head;
    logic [CELLS-1:0]      left;
    logic [PLACE_WIDTH:0]  left_present;
    assign moves = arrive ? moves_on : breaks;
    assign moved = arrive ? src : looked;
    always_comb begin
        // A cell without a beginning goes; a packet without its end goes before the one that begins.
        left_cells = nexts[looked] - heads[looked] + SEQ_WIDTH'(!marks[0]);
        if (arrive) begin
            // All up to the first cell that has not come, and that one if it is lost; or more, until there is room.
            left_cells = looked_at + SEQ_WIDTH'(misses);
            if (distance >= left_cells + SEQ_WIDTH'(CELLS)) left_cells = distance - SEQ_WIDTH'(CELLS - 1);
        end
        left_present = '0;
        for (int n = 0; n < CELLS; n++) begin
            from_head = place_t'(n) - place_t'(heads[moved]);
            left[n] = moves && SEQ_WIDTH'(from_head) < left_cells;
            left_present += (PLACE_WIDTH + 1)'(left[n] && present[moved][n]);
        end
    end
    always_ff @(posedge clk) begin
        event_lost    <= moves && left_cells != SEQ_WIDTH'(left_present);
        lost_cells    <= left_cells - SEQ_WIDTH'(left_present);
        event_refused <= arrive && beyond && waits;
        event_dropped <= (moves && left_present != '0) || (arrive && !accept) || (ends && is_wrong);
        dropped_cells <= moves ? left_present : (PLACE_WIDTH + 1)'(1);
        if (rst) begin
            event_lost    <= 1'b0;
            event_refused <= 1'b0;
            event_dropped <= 1'b0;
        end
    end

    // ---- Complete packets go on, a word in each clock.
    logic                  sends;
    logic [HOST_WIDTH-1:0] sent;
    logic [2:0]            sent_word;
    place_t                sent_place;
    logic                  reads;
    logic                  is_end;
    logic [5:0]            length;
    logic                  cell_end;
    logic [5:0]            cell_length;
    logic                  ram_end;
    logic [5:0]            ram_length;
    logic                  last;
    logic                  next_is_empty;
    logic                  frees;
    assign sent_place    = place_t'(heads[sent]) + place_t'(sent_word == LAST);
    assign reads         = sends && (!m_axis_tvalid || m_axis_tready);
    // With the last word of a cell it is seen whether the next one has no bytes of the packet any more.
    assign is_end        = sent_word == LAST ? cell_end : ram_end;
    assign length        = sent_word == LAST ? cell_length : ram_length;
    assign next_is_empty = sent_word == LAST && !cell_end && ram_end && ram_length == '0;
    assign last          = next_is_empty || (is_end && length <= {sent_word, 3'd0} + 6'd8);
    assign frees         = reads && (last || sent_word == LAST);
    ww_ram_async #(.WIDTH(7), .DEPTH(CELLS << HOST_WIDTH)) u_ends (
        .clk, .wr_en(ends), .wr_addr({src, place_t'(seq)}), .wr_data({eop, data[61:56]}), .rd_addr({sent, sent_place}),
        .rd_data({ram_end, ram_length})
    );
    ww_ram_sdp #(.WIDTH(64), .DEPTH(8 * CELLS << HOST_WIDTH)) u_words (
        .clk, .wr_en(arrive_word && (arrive ? accept : storing)), .wr_addr({src, place_t'(seq), word}), .wr_data(data),
        .rd_en(reads), .rd_addr({sent, place_t'(heads[sent]), sent_word}), .rd_data(m_axis_tdata)
    );
    always_ff @(posedge clk) begin
        if (m_axis_tready) m_axis_tvalid <= 1'b0;
        if (reads) begin
            m_axis_tvalid <= 1'b1;
            m_axis_tlast  <= last;
            m_axis_tkeep  <= last && is_end ? 8'hff >> ({sent_word, 3'd0} + 6'd8 - length) : 8'hff;
            m_axis_tuser  <= sent;
            sent_word     <= frees ? '0 : sent_word + 1'b1;
            cell_end      <= is_end;
            cell_length   <= length;
            if (last) sends <= 1'b0;
        end
        if (!sends) begin
            sends <= made[sent] != gone[sent];
            if (made[sent] == gone[sent]) sent <= int'(sent) == HOSTS - 1 ? '0 : sent + 1'b1;
        end
        if (rst) begin
            m_axis_tvalid <= 1'b0;
            sends         <= 1'b0;
            sent          <= '0;
            sent_word     <= '0;
        end
    end

    always_ff @(posedge clk) begin
        if (!steps && !breaks) looked <= int'(looked) == HOSTS - 1 ? '0 : looked + 1'b1;
        if (steps) begin
            nexts[looked]     <= nexts[looked] + 1'b1;
            in_packet[looked] <= !marks[1];
            if (marks[1]) made[looked] <= made[looked] + 1'b1;
        end
        if (ends && !is_wrong) present[src][place_t'(seq)] <= 1'b1;
        if (moves) begin
            heads[moved]     <= heads[moved] + left_cells;
            nexts[moved]     <= heads[moved] + left_cells;
            present[moved]   <= present[moved] & ~left;
            in_packet[moved] <= 1'b0;
        end
        // No window moves while a packet is in it.
        if (frees) begin
            heads[sent] <= heads[sent] + 1'b1 + SEQ_WIDTH'(next_is_empty);
            present[sent][place_t'(heads[sent])] <= 1'b0;
            if (last) gone[sent] <= gone[sent] + 1'b1;
            if (next_is_empty) present[sent][sent_place] <= 1'b0;
        end
        if (rst) begin
            looked    <= '0;
            present   <= '0;
            heads     <= '0;
            nexts     <= '0;
            in_packet <= '0;
            made      <= '0;
            gone      <= '0;
        end
    end
endmodule
