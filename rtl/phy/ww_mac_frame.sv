// Puts Ethernet frames on XGMII: preamble, start in lane 0 or 4, terminate, gap (IEEE 802.3 clause 46).
//
// Frames have their check sequence already. `gap` is the number of characters from /T/, which is the first, to the
// next /S/: the standard's least is 12. Starts stand in lanes 0 and 4 only, so that a gap is up to 3 shorter or longer;
// a count of the deficit keeps the mean exact while frames wait (clause 46.3.1.4). A gap is never shorter than what
// keeps /T/ and /S/ in words of their own.
//
// One word each clock with xgmii_take. A frame whose next beat is missing when the line wants it is ended by error
// characters, and the rest of it is thrown away. Paths without a register: xgmii_take to s_axis_tready.
module ww_mac_frame (
    input  logic        clk,
    input  logic        rst,
    // Characters between frames, 5 or more.
    input  logic [15:0] gap,
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic [63:0] s_axis_tdata,
    input  logic [7:0]  s_axis_tkeep,
    input  logic        s_axis_tlast,
    input  logic        xgmii_take,
    output logic [63:0] xgmii_data,
    output logic [7:0]  xgmii_control,
    // For one clock: a frame was on the line; one was cut for want of data.
    output logic        sent,
    output logic        underrun
);
    // generated: phy (crates/phy/src/block.rs, crates/phy/src/character.rs)
    localparam logic [7:0]  IDLE = 8'h07, ERROR = 8'hfe, START = 8'hfb, TERMINATE = 8'hfd;
    // end of generated
    localparam logic [63:0] IDLES = {8{IDLE}};
    localparam logic [63:0] ERRORS = {8{ERROR}};
    localparam logic [63:0] PREAMBLE = {56'hd5_5555_5555_5555, START};

    typedef enum logic [2:0] {WAIT, DATA, END, CUT, DRAIN} state_t;
    state_t state;

    // A word as it would be if the frame started in lane 0; `late` moves it by four lanes.
    logic [63:0] word;
    logic [7:0]  word_control;
    logic        late;
    logic [31:0] held;
    logic [3:0]  held_control;

    logic [3:0]  count;
    ww_axis_keep_count #(.BYTES(8)) u_count (
        .keep(s_axis_tkeep),
        .count
    );

    logic starts;
    logic ends;
    // Words of idle until the next start, and its lane.
    logic [13:0] wait_words;
    logic        next_late;
    assign starts        = state == WAIT && wait_words == '0 && s_axis_tvalid;
    assign s_axis_tready = (xgmii_take && state == DATA) || state == DRAIN;

    always_comb begin
        word         = IDLES;
        word_control = 8'hff;
        ends         = 1'b0;
        unique case (state)
            WAIT: if (starts) begin
                word         = PREAMBLE;
                word_control = 8'h01;
            end
            DATA: if (s_axis_tvalid) begin
                for (int i = 0; i < 8; i++) begin
                    if (s_axis_tkeep[i] || !s_axis_tlast) begin
                        word[8*i+:8]    = s_axis_tdata[8*i+:8];
                        word_control[i] = 1'b0;
                    end else if (i == 32'(count)) begin
                        word[8*i+:8] = TERMINATE;
                    end
                end
                ends = s_axis_tlast && count != 4'd8;
            end else begin
                word = ERRORS;
            end
            END, CUT: begin
                word[7:0] = TERMINATE;
                ends      = 1'b1;
            end
            default: ;
        endcase
    end

    // Where /T/ stands, counted from the first lane of the word that leaves now, and where the next /S/ shall stand, in
    // halves of words.
    logic [3:0]  place;
    logic [16:0] wish;
    logic [1:0]  over;
    logic [1:0]  deficit;
    logic        early;
    logic [14:0] start_half;
    logic [13:0] least_words;
    logic        too_near;
    assign place       = (state == DATA ? count : 4'd0) + (late ? 4'd4 : 4'd0);
    assign wish        = 17'(place) + 17'(gap);
    assign over        = wish[1:0];
    assign early       = 3'(deficit) + 3'(over) < 3'd4;
    assign start_half  = wish[16:2] + (early ? 15'd0 : 15'd1);
    assign least_words = place >= 4'd8 ? 14'd2 : 14'd1;
    assign too_near    = start_half[14:1] < least_words;

    always_ff @(posedge clk) begin
        sent     <= 1'b0;
        underrun <= 1'b0;
        if (xgmii_take) begin
            held          <= word[63:32];
            held_control  <= word_control[7:4];
            xgmii_data    <= word;
            xgmii_control <= word_control;
            if (starts && next_late) begin
                // What came before has left, with a word of its own if it needed one.
                xgmii_data    <= {word[31:0], IDLES[31:0]};
                xgmii_control <= {word_control[3:0], 4'hf};
            end else if (!starts && late) begin
                xgmii_data    <= {word[31:0], held};
                xgmii_control <= {word_control[3:0], held_control};
            end
            unique case (state)
                WAIT: begin
                    if (starts) begin
                        late  <= next_late;
                        state <= DATA;
                    end else if (wait_words != '0) begin
                        wait_words <= wait_words - 14'd1;
                    end else begin
                        // It comes later than it might: in the first lane, and no one has a debt.
                        late      <= 1'b0;
                        next_late <= 1'b0;
                        deficit   <= '0;
                    end
                end
                DATA: begin
                    if (!s_axis_tvalid) begin
                        state    <= CUT;
                        underrun <= 1'b1;
                    end else if (s_axis_tlast) begin
                        state <= count == 4'd8 ? END : WAIT;
                    end
                end
                END:     state <= WAIT;
                CUT:     state <= DRAIN;
                default: ;
            endcase
            if (ends) begin
                sent <= state != CUT;
                if (too_near) begin
                    wait_words <= least_words - 14'd1;
                    next_late  <= 1'b0;
                    deficit    <= '0;
                end else begin
                    wait_words <= start_half[14:1] - 14'd1;
                    next_late  <= start_half[0];
                    deficit    <= early ? deficit + over : deficit - 2'(3'd4 - 3'(over));
                end
            end
        end
        if (state == DRAIN && s_axis_tvalid && s_axis_tlast) state <= WAIT;
        if (rst) begin
            state         <= WAIT;
            late          <= 1'b0;
            next_late     <= 1'b0;
            deficit       <= '0;
            wait_words    <= '0;
            held          <= IDLES[31:0];
            held_control  <= '1;
            xgmii_data    <= IDLES;
            xgmii_control <= '1;
            sent          <= 1'b0;
            underrun      <= 1'b0;
        end
    end
endmodule
