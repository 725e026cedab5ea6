// From the segmented local bus of a 100G MAC to an AXI4-Stream: receive side.
//
// The bus has four segments of 16 bytes. A frame begins in any of them; the end of one frame and others behind it may be in the same clock. The stream begins
// each frame in lane 0 of a beat of its own. Segments go into a queue of four banks, each a segment of four that follow each other; a beat is what the queue has
// of one frame, four segments or up to its end.
//
// A MAC cannot wait, and so m_axis has no tready: what may stop it needs a buffer behind this, as ww_ring_buffer. A beat a clock is enough for the line: a frame
// of n bytes takes ceil(n / 64) clocks of 3.1 ns here and (n + 24) / 38.8 there, which is more for 15 bytes or more. If shorter ones come faster, the queue
// fills, and frames are cut or lost, and told of.
//
// Source: 002-monitoring-limago 2.2 (S2).
module ww_lbus_to_axis #(
    // Rows of four segments in the queue, a power of two, 8 or more.
    parameter int ROWS = 8
) (
    input  logic              clk,
    input  logic              rst,
    // Segments in the order of the line; in each the first byte is the high one. `mty`: bytes at the end of a last segment that are not of the frame.
    input  logic [3:0]        s_lbus_ena,
    input  logic [3:0]        s_lbus_sop,
    input  logic [3:0]        s_lbus_eop,
    input  logic [3:0]        s_lbus_err,
    input  logic [3:0][3:0]   s_lbus_mty,
    input  logic [3:0][127:0] s_lbus_data,
    // `tuser` counts with a last beat: the frame is bad, by its MAC's word, or as it had a second start, or as it was cut.
    output logic [511:0]      m_axis_tdata,
    output logic [63:0]       m_axis_tkeep,
    output logic              m_axis_tuser,
    output logic              m_axis_tlast,
    output logic              m_axis_tvalid,
    // For one clock: a frame is cut, or one or more are lost, for want of room; segments came without a start.
    output logic              event_overflow,
    output logic              event_stray
);
    if (ROWS < 8 || 2 ** $clog2(ROWS) != ROWS) begin : g_illegal_rows
        $error("ww_lbus_to_axis: ROWS must be a power of two, 8 or more");
    end
    localparam int ROW_WIDTH = $clog2(ROWS);
    localparam int COUNT_WIDTH = ROW_WIDTH + 3;

    typedef struct packed {
        logic         err;
        logic         eop;
        logic [3:0]   mty;
        logic [127:0] data;
    } segment_t;

    // ---- Segments that are kept, and their place in the queue.
    logic                   in_frame;
    logic                   in_frame_next;
    logic [COUNT_WIDTH-1:0] written;
    logic [COUNT_WIDTH-1:0] read;
    logic                   full;
    logic [3:0]             kept;
    logic                   stray;
    logic                   lost;
    segment_t [3:0]         segment;
    logic [3:0][2:0]        place;
    logic [2:0]             count;
    // Room for all of this clock, and for the end of a frame that is cut.
    assign full = written - read > COUNT_WIDTH'(4 * ROWS - 5);
    always_comb begin
        in_frame_next = in_frame;
        stray         = 1'b0;
        lost          = 1'b0;
        kept          = '0;
        count         = '0;
        for (int n = 0; n < 4; n++) begin
            segment[n] = '{err: s_lbus_err[n], eop: s_lbus_eop[n], mty: s_lbus_mty[n], data: s_lbus_data[n]};
            place[n]   = count;
            if (s_lbus_ena[n] && (s_lbus_sop[n] || in_frame_next)) begin
                // The start of a frame within another one.
                if (s_lbus_sop[n] && in_frame_next) segment[n].err = 1'b1;
                if (!full) begin
                    kept[n] = 1'b1;
                    count   = count + 1'b1;
                    in_frame_next = !s_lbus_eop[n];
                end else begin
                    lost = 1'b1;
                    // A frame that has begun ends here.
                    if (in_frame_next) begin
                        kept[n]        = 1'b1;
                        count          = count + 1'b1;
                        segment[n].eop = 1'b1;
                        segment[n].err = 1'b1;
                    end
                    in_frame_next = 1'b0;
                end
            end else begin
                stray = stray || s_lbus_ena[n];
            end
        end
    end

    // ---- Into the banks.
    logic [3:0]                bank_write;
    logic [3:0][ROW_WIDTH-1:0] bank_row;
    segment_t [3:0]            bank_segment;
    logic [COUNT_WIDTH-1:0]    visible;
    always_ff @(posedge clk) begin
        for (int bank = 0; bank < 4; bank++) begin
            bank_write[bank] <= 1'b0;
            bank_row[bank]   <= ROW_WIDTH'((written + COUNT_WIDTH'(3 - bank)) >> 2);
            for (int n = 0; n < 4; n++) begin
                if (kept[n] && 2'(bank) == 2'(written[1:0] + place[n][1:0])) begin
                    bank_write[bank]   <= 1'b1;
                    bank_segment[bank] <= segment[n];
                end
            end
        end
        written        <= written + COUNT_WIDTH'(count);
        // What is written at the next edge can be read behind it.
        visible        <= written;
        in_frame       <= in_frame_next;
        event_overflow <= lost;
        event_stray    <= stray;
        if (rst) begin
            bank_write     <= '0;
            written        <= '0;
            visible        <= '0;
            in_frame       <= 1'b0;
            event_overflow <= 1'b0;
            event_stray    <= 1'b0;
        end
    end

    // ---- The four segments that are next.
    segment_t [3:0] bank_out;
    segment_t [3:0] head;
    for (genvar bank = 0; bank < 4; bank++) begin : g_bank
        ww_ram_async #(.WIDTH($bits(segment_t)), .DEPTH(ROWS)) u_segments (
            .clk, .wr_en(bank_write[bank]), .wr_addr(bank_row[bank]), .wr_data(bank_segment[bank]),
            .rd_addr(ROW_WIDTH'((read + COUNT_WIDTH'(3 - bank)) >> 2)), .rd_data(bank_out[bank])
        );
    end
    logic [COUNT_WIDTH-1:0] there;
    logic [2:0]             taken;
    logic                   ends;
    logic                   is_bad;
    logic                   was_bad;
    logic [6:0]             bytes;
    assign there = visible - read;
    always_comb begin
        for (int n = 0; n < 4; n++) head[n] = bank_out[2'(read[1:0] + 2'(n))];
        taken  = there >= COUNT_WIDTH'(4) ? 3'd4 : 3'd0;
        ends   = 1'b0;
        is_bad = was_bad;
        bytes  = 7'd64;
        for (int n = 3; n >= 0; n--) begin
            if (there >= COUNT_WIDTH'(n + 1) && head[n].eop) begin
                taken = 3'(n + 1);
                ends  = 1'b1;
                bytes = 7'(16 * n + 16) - 7'(head[n].mty);
            end
        end
        for (int n = 0; n < 4; n++) if (3'(n) < taken && head[n].err) is_bad = 1'b1;
    end
    always_ff @(posedge clk) begin
        read          <= read + COUNT_WIDTH'(taken);
        m_axis_tvalid <= taken != '0;
        m_axis_tlast  <= ends;
        m_axis_tuser  <= is_bad;
        was_bad       <= is_bad && !ends;
        for (int lane = 0; lane < 64; lane++) begin
            m_axis_tdata[8*lane+:8] <= head[lane/16].data[8*(15-lane%16)+:8];
            m_axis_tkeep[lane]      <= 7'(lane) < bytes;
        end
        if (rst) begin
            read          <= '0;
            m_axis_tvalid <= 1'b0;
            was_bad       <= 1'b0;
        end
    end
endmodule
