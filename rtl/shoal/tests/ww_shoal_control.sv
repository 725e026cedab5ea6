// Stand-in for the control: direct cells only, no header but {dst, src, seq}, and a check that cells come in their slot.
module ww_shoal_control #(
    parameter int HOSTS = 8, parameter int SLOTS = HOSTS - 1, parameter int DELAY = 21, parameter int SLOT_CYCLES = 12,
    localparam int HW = $clog2(HOSTS), localparam int SEND = 12
) (
    input  logic clk, input logic rst, input logic [HW-1:0] host, input logic slot_begin,
    input  logic add_valid, input logic [HW-1:0] add_dst, input logic [31:0] add_cells,
    output logic queued_valid, output logic [HW-1:0] queued_via, output logic [HW-1:0] queued_dst,
    output logic fetch_valid, output logic [HW-1:0] fetch_dst, output logic [19:0] fetch_seq,
    input  logic payload_valid, input logic [63:0] payload_data, input logic payload_sop, input logic payload_eop,
    output logic tx_valid, output logic tx_first, output logic [63:0] tx_data,
    input  logic rx_valid, input logic rx_first, input logic [63:0] rx_data, input logic rx_good,
    output logic received_valid, output logic [HW-1:0] received_src, output logic [19:0] received_seq,
    output logic received_sop, output logic received_eop, output logic out_valid, output logic out_first,
    output logic [63:0] out_data,
    output logic sent_valid, output logic [HW-1:0] sent_to, output logic [HW-1:0] sent_src, output logic [HW-1:0] sent_dst,
    output logic [19:0] sent_seq
);
    logic [31:0] cells [HOSTS];
    logic [19:0] seq [HOSTS];
    logic [31:0] slot;
    logic [7:0]  clocks;
    logic [HW-1:0] peer, from;
    assign peer = HW'((32'(host) + slot % SLOTS + 1) % HOSTS);
    assign from = HW'((32'(host) + 2 * HOSTS - (slot - DELAY) % SLOTS - 1) % HOSTS);
    // Clock n of the slot that is being sent; up to two overlap.
    logic        has, has_sent;
    logic [63:0] line [SEND];
    logic [SEND-1:0] line_valid, line_first;
    logic [63:0] buffer [8];
    logic [3:0]  in_place, out_place;
    logic        sop, eop;
    always_ff @(posedge clk) begin
        if (add_valid) cells[add_dst] <= cells[add_dst] + add_cells;
        clocks <= slot_begin ? 8'd1 : clocks == 8'd100 ? clocks : clocks + 8'd1;
        fetch_valid <= 0; queued_valid <= 0; sent_valid <= 0; received_valid <= 0;
        if (slot_begin) slot <= slot + 1;
        if (slot_begin && cells[peer] != 0) begin
            if (!(add_valid && add_dst == peer)) cells[peer] <= cells[peer] - 1;
            else cells[peer] <= cells[peer] + add_cells - 1;
            seq[peer] <= seq[peer] + 1;
            fetch_valid <= 1; fetch_dst <= peer; fetch_seq <= seq[peer];
            queued_valid <= 1; queued_via <= peer; queued_dst <= peer;
            sent_valid <= 1; sent_to <= peer; sent_src <= host; sent_dst <= peer; sent_seq <= seq[peer];
        end
        has <= slot_begin && cells[peer] != 0;
        line_valid <= line_valid << 1; line_first <= line_first << 1;
        for (int n = 1; n < SEND; n++) line[n] <= line[n-1];
        // Header in the clock before the payload: fetch_valid is in clock 1, so the payload in clock 2.
        line_valid[0] <= payload_valid; line[0] <= payload_data;
        if (clocks == 1) begin
            line_valid[0] <= 1; line_first[0] <= 1;
            line[0] <= has ? {22'd0, payload_eop, payload_sop, seq[sent_to] - 20'd1, 10'(sent_to), 10'(host)}
                           : {44'd0, 10'(host), 10'(host)};
        end else if (clocks >= 2 && clocks <= 8) begin
            line_valid[0] <= 1;
            if (clocks == 2) begin
                // The marks come with the first word.
                line[1][41:40] <= payload_valid ? {payload_eop, payload_sop} : 2'b00;
            end
        end
        if (rx_valid) begin
            buffer[rx_first ? 0 : 3'(in_place)] <= rx_data;
            in_place <= rx_first ? 1 : in_place + 1;
        end
        out_valid <= 0; out_first <= 0;
        if (out_place != 0) begin
            out_valid <= 1; out_data <= buffer[3'(out_place)];
            out_place <= out_place == 7 ? 0 : out_place + 1;
        end
        if (rx_valid && in_place == 7 && !rx_first && rx_good && buffer[0][9:0] != buffer[0][19:10]) begin
            received_valid <= 1; received_src <= HW'(buffer[0][9:0]); received_seq <= buffer[0][39:20];
            received_sop <= buffer[0][40]; received_eop <= buffer[0][41];
            out_valid <= 1; out_first <= 1; out_data <= buffer[1]; out_place <= 2;
            if (HW'(buffer[0][9:0]) != from || HW'(buffer[0][19:10]) != host) begin
                $display("host %0d slot %0d clock %0d: cell of %0d for %0d, expected of %0d", host, slot, clocks, buffer[0][9:0],
                    buffer[0][19:10], from);
                $stop;
            end
        end
        if (rst) begin
            for (int n = 0; n < HOSTS; n++) begin cells[n] <= 0; seq[n] <= 0; end
            slot <= '1; slot <= 0; line_valid <= 0; line_first <= 0; out_place <= 0; in_place <= 8; clocks <= 100;
            fetch_valid <= 0; queued_valid <= 0; sent_valid <= 0; received_valid <= 0; out_valid <= 0; out_first <= 0;
        end
    end
    assign tx_valid = line_valid[SEND-2]; assign tx_first = line_first[SEND-2]; assign tx_data = line[SEND-2];
endmodule
