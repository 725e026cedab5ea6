// Receive side of a 10 Gb/s Ethernet MAC: XGMII at 64 bits to AXI4-Stream.
//
// Finds frames that start in lane 0 or 4, checks the preamble and the frame check sequence and takes both off. The
// stream cannot be stopped. A frame is bad, which tuser[0] of its last beat says, if its check sequence is wrong, a
// control character other than /T/ cuts it, it has fewer than 64 bytes, or it has more than MAX_FRAME, where it is cut.
// A frame whose preamble is not 55 ... 55 d5 is left out, and so is one of no more than four bytes.
//
// Latency: 8 clocks from the word with the frame's first byte, behind the preamble, to its beat on the stream, 9 for a
// start in lane 4.
module ww_mac_receive #(
    // Bytes of a frame, check sequence included.
    parameter int MAX_FRAME = 9018,
    // Put into tuser, 0 to 65535.
    parameter int PORT = 0
) (
    input  logic        clk,
    input  logic        rst,
    // Goes into tuser as the time of arrival, in microseconds by convention.
    input  logic [47:0] now,
    input  logic        xgmii_valid,
    input  logic [63:0] xgmii_data,
    input  logic [7:0]  xgmii_control,
    output logic        m_axis_tvalid,
    output logic [63:0] m_axis_tdata,
    output logic [7:0]  m_axis_tkeep,
    output logic        m_axis_tlast,
    // {time of arrival, port, bad}
    output logic [64:0] m_axis_tuser,
    // For one clock each: a frame with a wrong preamble; one that was cut by a control character; too short; too long.
    output logic        bad_preamble,
    output logic        cut,
    output logic        runt,
    output logic        oversize
);
    if (MAX_FRAME < 64 || MAX_FRAME > 65000) begin : g_illegal_max_frame
        $error("ww_mac_receive: MAX_FRAME must be 64 to 65000");
    end
    if (PORT < 0 || PORT > 65535) begin : g_illegal_port
        $error("ww_mac_receive: PORT must be 0 to 65535");
    end

    // generated: phy (crates/phy/src/block.rs, crates/phy/src/character.rs)
    localparam logic [7:0]  START = 8'hfb;
    localparam logic [7:0]  TERMINATE = 8'hfd;
    // end of generated
    localparam logic [55:0] PREAMBLE = 56'hd5_5555_5555_5555;

    // Words with the frame's first byte in lane 0: of the upper half of the word before, if the frame started in lane 4.
    logic [31:0] before_data;
    logic [3:0]  before_control;
    logic        late;
    logic        starts;
    logic        starts_late;
    logic [63:0] data;
    logic [7:0]  control;
    assign starts      = xgmii_control[0] && xgmii_data[7:0] == START;
    assign starts_late = before_control[0] && before_data[7:0] == START;
    assign data        = late ? {xgmii_data[31:0], before_data} : xgmii_data;
    assign control     = late ? {xgmii_control[3:0], before_control} : xgmii_control;

    // How many bytes are in front of the first control character.
    logic [3:0] count;
    logic       ends;
    always_comb begin
        count = 4'd8;
        for (int i = 7; i >= 0; i--) if (control[i]) count = 4'(i);
        ends = count != 4'd8;
    end
    logic [7:0] ending;
    assign ending = data[8*count[2:0]+:8];

    // The preamble behind /S/, which says whether the frame is late.
    logic        receiving;
    logic        begins;
    logic [55:0] first;
    logic [6:0]  first_control;
    assign begins        = (!receiving || ends) && (starts || starts_late);
    assign first         = starts_late ? {xgmii_data[31:0], before_data[31:8]} : xgmii_data[63:8];
    assign first_control = starts_late ? {xgmii_control[3:0], before_control[3:1]} : xgmii_control[7:1];

    logic [15:0] length;
    logic [16:0] reached;
    logic        too_long;
    logic        breaks;
    assign reached  = 17'(length) + 17'(count);
    assign too_long = reached > 17'(MAX_FRAME);
    assign breaks   = ends && ending != TERMINATE;

    // A beat waits for what is behind it, for it may be the last one.
    logic        held;
    logic [63:0] held_data;
    logic        beat_valid;
    logic [63:0] beat_data;
    logic [7:0]  beat_keep;
    logic        beat_last;
    logic        beat_bad;
    logic [63:0] beat_stamp;
    logic [63:0] stamp;
    logic        tail;
    logic [63:0] tail_data;
    logic [7:0]  tail_keep;
    logic        tail_bad;

    logic is_bad;
    logic ends_held;
    assign is_bad    = breaks || too_long || reached < 17'd64;
    assign ends_held = (ends && count == 4'd0) || too_long;

    always_ff @(posedge clk) begin
        beat_valid   <= 1'b0;
        beat_last    <= 1'b0;
        bad_preamble <= 1'b0;
        cut          <= 1'b0;
        runt         <= 1'b0;
        oversize     <= 1'b0;
        if (xgmii_valid) begin
            before_data    <= xgmii_data[63:32];
            before_control <= xgmii_control[7:4];
            if (tail) begin
                // The last beat, which had no room beside the one before it.
                tail       <= 1'b0;
                beat_valid <= 1'b1;
                beat_data  <= tail_data;
                beat_keep  <= tail_keep;
                beat_last  <= 1'b1;
                beat_bad   <= tail_bad;
            end
            if (receiving) begin
                length     <= reached[15:0];
                beat_stamp <= stamp;
                held       <= 1'b1;
                held_data  <= data;
                if (held) begin
                    beat_valid <= 1'b1;
                    beat_data  <= held_data;
                    beat_keep  <= '1;
                    beat_bad   <= is_bad && ends_held;
                    beat_last  <= ends_held;
                end
                if (ends || too_long) begin
                    receiving <= 1'b0;
                    held      <= 1'b0;
                    cut       <= breaks && !too_long;
                    oversize  <= too_long;
                    runt      <= !breaks && reached < 17'd64;
                    tail      <= ends && count != 4'd0 && !too_long;
                end
                tail_data <= data;
                tail_keep <= 8'((9'd1 << count) - 9'd1);
                tail_bad  <= is_bad;
            end
            if (begins) begin
                late   <= starts_late;
                length <= '0;
                stamp  <= {now, 16'(PORT)};
                if (first == PREAMBLE && first_control == '0) receiving <= 1'b1;
                else bad_preamble <= 1'b1;
            end
        end
        if (rst) begin
            receiving         <= 1'b0;
            held           <= 1'b0;
            tail           <= 1'b0;
            late           <= 1'b0;
            before_data    <= '0;
            before_control <= '0;
            beat_valid     <= 1'b0;
        end
    end

    logic unused_ready;
    ww_axis_fcs_check #(.WIDTH(64), .USER_WIDTH(65), .STRIP(1)) u_check (
        .clk,
        .rst,
        .s_axis_tvalid(beat_valid),
        .s_axis_tready(unused_ready),
        .s_axis_tdata (beat_data),
        .s_axis_tkeep (beat_keep),
        .s_axis_tlast (beat_last),
        .s_axis_tuser ({beat_stamp, beat_bad}),
        .m_axis_tvalid,
        .m_axis_tready(1'b1),
        .m_axis_tdata,
        .m_axis_tkeep,
        .m_axis_tlast,
        .m_axis_tuser
    );
endmodule
