// A fabric of ww_shoal_control: hosts that are joined by what circuit switches do in a slot, and delay lines. What each host does
// in a slot is held until the next one begins, so that a test looks once a slot.
module ww_shoal_control_fabric #(
    parameter int HOSTS = 8,
    // Two or more: a cell is still leaving when its slot ends.
    parameter int DELAY = 21,
    parameter int GATE = HOSTS - 1,
    parameter int SLOT_CYCLES = 12,
    // The clock of a slot in which the first word arrives.
    parameter int RX_CLOCK = 1,
    parameter int CELLS = HOSTS,
    parameter int WINDOW = 64,
    parameter int LEAST = HOSTS,
    localparam int W = $clog2(HOSTS),
    localparam int SLOTS = HOSTS - 1
) (
    input  logic                   clk,
    input  logic                   rst,
    input  logic                   slot_begin,
    input  logic [HOSTS-1:0]       add_valid,
    input  logic [HOSTS-1:0][W-1:0] add_dst,
    input  logic [HOSTS-1:0][31:0] add_cells,
    // What happens to the cell that arrives in this slot: bits of its header that are inverted, its frame is bad, it is not there, its last
    // word is not there.
    input  logic [HOSTS-1:0][63:0] flip,
    input  logic [HOSTS-1:0]       bad,
    input  logic [HOSTS-1:0]       mute,
    input  logic [HOSTS-1:0]       cut,
    // Hosts may die. Those that are held in reset, and those whose slots go by; the number in its epoch of the slot in which one of them begins; start
    // signals, as of ww_shoal_control.
    input  logic                       deaths,
    input  logic [HOSTS-1:0]           hold,
    input  logic [HOSTS-1:0]           run,
    input  logic [$clog2(SLOTS)-1:0]   first_slot,
    // Nothing leaves in the slot that begins; another schedule begins with it. Who sent what arrives in it, by host.
    input  logic                       pause,
    input  logic                       repair,
    input  logic [HOSTS-1:0]           members,
    input  logic [HOSTS-1:0][W-1:0]    sources,
    input  logic [HOSTS-1:0]           begin_valid,
    input  logic [HOSTS-1:0]           begin_own,
    input  logic [HOSTS-1:0][W-1:0]    begin_peer,
    input  logic [HOSTS-1:0][19:0]     begin_missing,
    input  logic [HOSTS-1:0][19:0]     begin_next,
    input  logic [HOSTS-1:0]           begin_dead,
    // Of the last slot, from the clock of `slot_begin` on. Held: {valid, ...}. A report of the cell that left in the slot before.
    output logic [HOSTS-1:0][3*W+21:0] sent,
    output logic [HOSTS-1:0][2*W+21:0] queued,
    output logic [HOSTS-1:0][3:0]      found,
    output logic [HOSTS-1:0][W+22:0]   received,
    output logic [HOSTS-1:0][63:0]     headers,
    output logic [HOSTS-1:0][4:0]      events,
    output logic [HOSTS-1:0][W-1:0]    lost_from,
    output logic [HOSTS-1:0][W-1:0]    told_lost_by,
    // Ever: words that are not where they must be; words of payload received that are wrong; payloads received.
    output logic [31:0]            errors,
    output logic [31:0]            payload_errors,
    output logic [31:0]            payloads
);
    // A word of a payload, and the marks of a cell.
    function automatic logic [63:0] pattern(input logic [W-1:0] src, input logic [W-1:0] dst, input logic [19:0] seq, input int n);
        pattern = {8'(src), 8'(dst), 4'h0, seq, 8'(n), 16'hc0de} * 64'h9e3779b97f4a7c15;
    endfunction
    function automatic logic [1:0] marks(input logic [19:0] seq);
        marks = {seq % 20'd5 == 20'd3, seq % 20'd7 == 20'd2};
    endfunction

    localparam int LINE = (DELAY - 1) * SLOT_CYCLES + RX_CLOCK - 13;
    if (LINE < 1) begin : g_illegal_delay
        $error("ww_shoal_control_fabric: DELAY must be larger");
    end

    logic [7:0]  clock;
    logic [31:0] slot;
    logic        running;
    always_ff @(posedge clk) begin
        clock <= slot_begin ? 8'd1 : clock + 8'd1;
        if (slot_begin) begin
            slot    <= running ? slot + 1 : '0;
            running <= 1'b1;
        end
        if (rst) begin
            running <= 1'b0;
            clock   <= '0;
        end
    end
    // In the clock of `slot_begin` too.
    logic [31:0] slot_now;
    logic [7:0]  clock_now;
    assign slot_now  = slot_begin ? (running ? slot + 1 : 0) : slot;
    assign clock_now = slot_begin ? '0 : clock;

    logic [HOSTS-1:0]       tx_valid;
    logic [HOSTS-1:0]       tx_first;
    logic [HOSTS-1:0][63:0] tx_data;
    logic [HOSTS-1:0][65:0] line;
    logic [HOSTS-1:0]       wrong_word;
    logic [HOSTS-1:0]       wrong_payload;
    logic [HOSTS-1:0]       got_payload;
    logic [31:0]            ring_place;
    always_ff @(posedge clk) begin
        ring_place <= ring_place == LINE - 1 ? 0 : ring_place + 1;
        if (rst) ring_place <= '0;
        errors         <= rst ? '0 : errors + 32'($countones(wrong_word));
        payload_errors <= rst ? '0 : payload_errors + 32'($countones(wrong_payload));
        payloads       <= rst ? '0 : payloads + 32'($countones(got_payload));
    end

    for (genvar h = 0; h < HOSTS; h++) begin : g_host
        logic host_rst;
        logic host_begin;
        logic runs;
        logic has_run;
        assign host_rst   = rst || hold[h];
        assign host_begin = slot_begin && run[h];
        always_ff @(posedge clk) if (slot_begin) {has_run, runs} <= {runs, run[h]};

        // Fibre: a ring of words.
        logic [65:0] ring [LINE];
        assign line[h] = ring[ring_place];
        always_ff @(posedge clk) begin
            ring[ring_place] <= {tx_valid[h], tx_first[h], tx_data[h]};
            if (rst) for (int n = 0; n < LINE; n++) ring[n] <= '0;
        end

        // Who sent what arrives in this slot.
        logic         arrived;
        logic         rx_valid;
        logic [63:0]  rx_data;
        logic         rx_first;
        assign arrived  = running && int'(slot_now) >= DELAY - 1;
        assign rx_first = line[sources[h]][64];
        assign rx_valid = arrived && line[sources[h]][65] && !mute[h] && !(cut[h] && int'(clock_now) == RX_CLOCK + 7);
        assign rx_data  = line[sources[h]][63:0] ^ (rx_first ? flip[h] : '0);

        logic          queued_valid, fetch_valid, payload_valid, received_valid, received_sop, received_eop, out_valid, out_first, sent_valid;
        logic          queued_again, searching, event_found;
        logic [19:0]   queued_seq;
        logic          payload_first, sent_again, event_lost, event_overflow, event_duplicate, event_told_lost;
        logic [W-1:0]  queued_via, queued_dst, fetch_dst, received_src, sent_to, sent_src, sent_dst;
        logic [19:0]   fetch_seq, received_seq, sent_seq;
        logic [W-1:0]  event_lost_from, event_told_lost_by;
        logic [63:0]   payload_data, out_data;

        // The payload comes 1 to 4 clocks behind the request.
        logic [19:0]  seq;
        logic [W-1:0] dst;
        int           payload_wait;
        assign payload_valid = payload_wait <= 0 && payload_wait > -7;
        assign payload_first = payload_wait == 0;
        assign payload_data  = payload_valid ? pattern(W'(h), dst, seq, -payload_wait) : 64'hbad;
        always_ff @(posedge clk) begin
            if (payload_wait > -7) payload_wait <= payload_wait - 1;
            if (fetch_valid) begin
                payload_wait <= int'(fetch_seq[1:0]);
                seq          <= fetch_seq;
                dst          <= fetch_dst;
            end
            if (host_rst) payload_wait <= -7;
        end

        ww_shoal_control #(.HOSTS(HOSTS), .DELAY(DELAY), .GATE(GATE), .SLOT_CYCLES(SLOT_CYCLES), .CELLS(CELLS), .WINDOW(WINDOW), .LEAST(LEAST)) u_control (
            .clk, .rst(host_rst), .host(W'(h)), .deaths, .slot_begin(host_begin), .first_slot, .pause, .repair, .members, .begin_valid(begin_valid[h]), .begin_own(begin_own[h]),
            .begin_peer(begin_peer[h]), .begin_missing(begin_missing[h]), .begin_next(begin_next[h]), .begin_dead(begin_dead[h]), .add_valid(add_valid[h]), .add_dst(add_dst[h]), .add_cells(add_cells[h]),
            .queued_valid, .queued_again, .queued_via, .queued_dst, .queued_seq, .searching, .event_found, .fetch_valid, .fetch_dst, .fetch_seq, .payload_valid, .payload_data,
            .payload_sop(payload_first ? marks(seq)[0] : 1'b1), .payload_eop(payload_first ? marks(seq)[1] : 1'b1),
            .tx_valid(tx_valid[h]), .tx_first(tx_first[h]), .tx_data(tx_data[h]), .rx_valid, .rx_first, .rx_data,
            .rx_good(!bad[h]), .received_valid, .received_src, .received_seq, .received_sop, .received_eop, .out_valid, .out_first,
            .out_data, .sent_valid, .sent_again, .sent_to, .sent_src, .sent_dst, .sent_seq, .event_lost, .event_lost_from, .event_overflow,
            .event_duplicate, .event_told_lost, .event_told_lost_by
        );

        // Payload that comes out.
        logic [2:0]   out_word;
        logic [W-1:0] out_src;
        logic [19:0]  out_seq;
        logic [2:0]   now_word;
        assign now_word = out_first ? 3'd0 : out_word;
        assign wrong_payload[h] = (out_valid && (out_data != pattern(out_first ? received_src : out_src, W'(h), out_first ? received_seq :
            out_seq, int'(now_word)) || now_word == 3'd7)) || (received_valid && marks(received_seq) != {received_eop, received_sop})
            || (out_word != 3'd7 && !out_valid) || received_valid != out_first || (out_first && !out_valid);
        assign got_payload[h] = out_valid && now_word == 3'd6;
        always_ff @(posedge clk) begin
            if (out_valid) out_word <= now_word + 3'd1;
            if (out_valid && now_word == 3'd6) out_word <= 3'd7;
            if (out_first) begin
                out_src <= received_src;
                out_seq <= received_seq;
            end
            if (host_rst) out_word <= 3'd7;
        end

        // Cells to the line are in their place: words 13 to 20 clocks behind the beginning of a slot.
        logic [7:0] place;
        assign place = clock_now >= 8'd9 ? clock_now - 8'd13 : clock_now + 8'(SLOT_CYCLES) - 8'd13;
        assign wrong_word[h] = running && run[h] && has_run && (slot > 0 || (slot_begin && slot_now > 0)) && (tx_valid[h] != (place < 8) || tx_first[h] != (place == 0));

        logic [3*W+21:0] sent_now;
        logic [2*W+21:0] queued_now;
        logic [3:0]      found_now;
        logic [W+22:0]   received_now;
        logic [63:0]     header_now;
        logic [4:0]      events_now;
        logic [W-1:0]    lost_from_now, told_lost_by_now;
        always_ff @(posedge clk) begin
            if (slot_begin) begin
                sent[h]         <= sent_now;
                queued[h]       <= queued_now;
                found[h]        <= found_now;
                received[h]     <= received_now;
                headers[h]      <= header_now;
                events[h]       <= events_now;
                lost_from[h]    <= lost_from_now;
                told_lost_by[h] <= told_lost_by_now;
                sent_now        <= '0;
                queued_now      <= '0;
                found_now       <= '0;
                received_now    <= '0;
                events_now      <= '0;
            end
            if (sent_valid) sent_now <= {1'b1, sent_again, sent_to, sent_src, sent_dst, sent_seq};
            if (queued_valid) queued_now <= {1'b1, queued_again, queued_via, queued_dst, queued_again ? queued_seq : 20'd0};
            if (event_found) found_now <= found_now + 4'd1;
            if (received_valid) received_now <= {1'b1, received_sop, received_eop, received_src, received_seq};
            if (tx_first[h]) header_now <= tx_data[h];
            if (event_lost) begin
                events_now[0] <= 1'b1;
                lost_from_now <= event_lost_from;
            end
            if (event_overflow) events_now[1] <= 1'b1;
            if (event_duplicate) events_now[4] <= 1'b1;
            if (event_told_lost) begin
                events_now[2]    <= 1'b1;
                told_lost_by_now <= event_told_lost_by;
            end
            // More than one in a slot.
            if ((sent_valid && sent_now != '0) || (queued_valid && queued_now != '0) || (received_valid && received_now != '0 && !slot_begin))
                events_now[3] <= 1'b1;
            if (rst) begin
                sent_now     <= '0;
                queued_now   <= '0;
                found_now    <= '0;
                received_now <= '0;
                events_now   <= '0;
                header_now   <= '0;
                lost_from_now <= '0;
                told_lost_by_now <= '0;
            end
        end
    end
endmodule
