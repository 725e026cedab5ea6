// A fabric with the ports of ww_shoal_prototype, without switches: each host sends its cells straight to their
// destination, one for each meeting, and they are there 20 slots later. Those with errors in the header are lost. FAULT plants a mistake.
module ww_shoal_prototype #(
    parameter int FAULT = 0
) (
    input logic clk,
    input logic rst,
    output logic ready,
    input logic go,
    input logic [63:0] offset,
    input logic lock,
    output logic slot_begin,
    output logic [31:0] slot,
    input logic [7:0] add_valid,
    input logic [23:0] add_dst,
    input logic [255:0] add_cells,
    input logic [511:0] damage,
    input logic deaths,
    input logic [7:0] lives,
    input logic pause,
    input logic repair,
    input logic [7:0] members,
    input logic row_valid,
    input logic [2:0] row_switch,
    input logic [2:0] row_index,
    input logic [11:0] row_data,
    input logic [2:0] repaired_rows,
    input logic [7:0] begin_valid,
    input logic [7:0] begin_own,
    input logic [23:0] begin_peer,
    input logic [159:0] begin_missing,
    input logic [159:0] begin_next,
    input logic [7:0] begin_dead,
    output logic [7:0] queued_valid,
    output logic [7:0] queued_again,
    output logic [23:0] queued_via,
    output logic [23:0] queued_dst,
    output logic [159:0] queued_seq,
    output logic [7:0] sent_valid,
    output logic [23:0] sent_to,
    output logic [23:0] sent_src,
    output logic [23:0] sent_dst,
    output logic [159:0] sent_seq,
    output logic [7:0] received_valid,
    output logic [23:0] received_src,
    output logic [159:0] received_seq,
    output logic [7:0] payload_error,
    output logic [7:0] event_bad_frame,
    output logic [7:0] event_lost,
    output logic [7:0] event_overflow,
    output logic [7:0] searching,
    output logic [7:0] event_found,
    output logic event_cut,
    output logic [31:0] cut_cells
);
    localparam int LENGTH = (FAULT == 1) ? 13 : 12;

    logic [31:0] given[8][8];
    logic [31:0] left[8][8];
    logic [19:0] seq[8][8];
    logic air_valid[21][8];
    logic air_bad[21][8];
    logic [2:0] air_src[21][8];
    logic [19:0] air_seq[21][8];
    logic [3:0] clock;
    logic [4:0] place;
    logic [2:0] phase;
    logic is_running;
    logic [2:0] peer[8];
    // What was sent 20 slots ago: of the 21 places that of the next slot.
    logic [4:0] oldest;

    assign oldest = place == 5'd20 ? 5'd0 : place + 5'd1;
    // Its clocks are on time and nothing is cut.
    assign event_lost = '0;
    assign cut_cells = '0;
    // Its hosts live for ever.
    assign {queued_again, queued_seq, searching, event_found} = '0;
    logic unused_offset;
    assign unused_offset = ^{offset, lock, deaths, lives, pause, repair, members, row_valid, row_switch, row_index, row_data, repaired_rows, begin_valid, begin_own, begin_peer, begin_missing, begin_next, begin_dead};
    always_comb for (int h = 0; h < 8; h++) peer[h] = 3'(h) + phase + 3'd1;

    always_ff @(posedge clk) begin
        ready <= !rst && FAULT != 2;
        slot_begin <= 1'b0;
        {queued_valid, sent_valid, received_valid, payload_error, event_bad_frame, event_overflow} <= '0;
        event_cut <= 1'b0;
        for (int h = 0; h < 8; h++)
            if (add_valid[h])
                given[h][add_dst[3*h+:3]] <= given[h][add_dst[3*h+:3]] + add_cells[32*h+:32];
        if (is_running) begin
            clock <= clock + 1'b1;
            for (int h = 0; h < 8; h++) begin
                if (clock == 4'd1 && left[h][peer[h]] != '0 && FAULT != 3) begin
                    queued_valid[h] <= 1'b1;
                    queued_via[3*h+:3] <= peer[h];
                    queued_dst[3*h+:3] <= peer[h];
                end
                if (clock == 4'(9 - h) && FAULT != 3) begin
                    air_valid[place][peer[h]] <= left[h][peer[h]] != '0;
                    air_bad[place][peer[h]] <= damage[64*h+:64] != '0 && FAULT != 10;
                    if (left[h][peer[h]] != '0) begin
                        left[h][peer[h]] <= left[h][peer[h]] - 1'b1;
                        seq[h][peer[h]] <= seq[h][peer[h]] + 1'b1;
                        sent_valid[h] <= 1'b1;
                        sent_to[3*h+:3] <= peer[h];
                        sent_src[3*h+:3] <= 3'(h);
                        sent_dst[3*h+:3] <= peer[h];
                        sent_seq[20*h+:20] <= seq[h][peer[h]];
                        air_src[place][peer[h]] <= 3'(h);
                        air_seq[place][peer[h]] <= seq[h][peer[h]];
                    end
                end
                if (clock == 4'd10) begin
                    received_valid[h] <= air_valid[oldest][h] && !(FAULT == 4 && h == 5) && !air_bad[oldest][h];
                    event_bad_frame[h] <= air_bad[oldest][h];
                    received_src[3*h+:3] <= air_src[oldest][h];
                    received_seq[20*h+:20] <= air_seq[oldest][h];
                end
            end
            if (slot == 32'd4 && clock == 4'd5) begin
                payload_error[3] <= FAULT == 5;
                if (FAULT == 6) event_bad_frame[3] <= 1'b1;
                if (FAULT == 11) event_overflow[3] <= 1'b1;
                event_cut <= FAULT == 7;
            end
            if (clock == 4'(LENGTH - 1)) begin
                clock <= '0;
                slot_begin <= 1'b1;
                slot <= slot + ((FAULT == 8 && slot == 32'd9) ? 32'd2 : 32'd1);
                place <= oldest;
                phase <= phase == 3'd6 ? 3'd0 : phase + 3'd1;
                for (int h = 0; h < 8; h++)
                    for (int d = 0; d < 8; d++) begin
                        left[h][d] <= left[h][d] + given[h][d];
                        given[h][d] <= '0;
                    end
                for (int h = 0; h < 8; h++)
                    if (add_valid[h])
                        left[h][add_dst[3*h+:3]] <= left[h][add_dst[3*h+:3]] + given[h][add_dst[3*h+:3]]
                            + add_cells[32*h+:32];
            end
        end else if (go && ready && FAULT != 9) begin
            is_running <= 1'b1;
            slot_begin <= 1'b1;
            for (int h = 0; h < 8; h++)
                for (int d = 0; d < 8; d++) begin
                    left[h][d]  <= given[h][d];
                    given[h][d] <= '0;
                end
        end
        if (rst) begin
            is_running <= 1'b0;
            {clock, place, phase, slot} <= '0;
            for (int h = 0; h < 8; h++)
                for (int d = 0; d < 8; d++) begin
                    {given[h][d], left[h][d], seq[h][d]} <= '0;
                end
            for (int s = 0; s < 21; s++)
                for (int h = 0; h < 8; h++) begin
                    air_valid[s][h] <= 1'b0;
                    air_bad[s][h] <= 1'b0;
                end
        end
    end
endmodule
