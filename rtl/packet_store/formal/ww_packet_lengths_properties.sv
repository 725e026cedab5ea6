// ww_packet_lengths answers every question once, in order, with the bytes of the packet that was
// asked about, and without delay: packets come in one after another under any pid, also under one that the
// packet before had, and questions come at any time about the open packet or about any that ended.
// One question, chosen freely, is followed.
module ww_packet_lengths_properties #(
    parameter int CELLS = 2,
    parameter int DEPTH = 2
) (
    input logic        clk,
    input logic        rst,
    // A beat of a packet: the first one if none is open.
    input logic        beat,
    input logic        beat_last,
    input logic        beat_pid,
    // Two bits of a length stand for all: they are only carried.
    input logic [1:0]  beat_low,
    input logic        ask_valid,
    input logic        ask_pid,
    // Free and constant: the question that is followed.
    input logic [2:0]  chosen
);
    // The packets as ww_packet_store has them.
    logic        open;
    logic        open_pid;
    logic        end_valid;
    logic        end_pid;
    logic [1:0]  ended;
    logic [15:0] latest [CELLS];

    logic [15:0] beat_bytes;
    logic        ask_ready;
    logic        ask_open;
    logic        length_valid;
    logic [15:0] length_bytes;
    logic        waiting;

    assign beat_bytes = {14'd0, beat_low};
    assign end_valid = beat && beat_last;
    assign end_pid   = open ? open_pid : beat_pid;
    assign ask_open  = open && open_pid == ask_pid;

    ww_packet_lengths #(.CELLS(CELLS), .DEPTH(DEPTH)) dut (
        .clk, .rst,
        .end_valid, .end_pid, .end_bytes(beat_bytes),
        .ask_valid, .ask_ready, .ask_pid, .ask_open,
        .length_valid, .length_bytes, .waiting
    );

    logic        started;
    logic [2:0]  chosen_before;
    // Questions and answers so far.
    logic [2:0]  asked;
    logic [2:0]  answered;
    // The one that is followed: asked; its length is known.
    logic        is_asked;
    logic        is_known;
    logic [15:0] bytes;
    // Another packet has ended while the question waited with its length known.
    logic        reused;

    initial begin
        started  = 1'b0;
        open     = 1'b0;
        ended    = '0;
        asked    = '0;
        answered = '0;
        is_asked = 1'b0;
        is_known = 1'b0;
        reused   = 1'b0;
    end

    always_ff @(posedge clk) begin
        started       <= 1'b1;
        chosen_before <= chosen;
        if (!started) assume (rst);
        if (started) assume (!rst && chosen == chosen_before);

        if (!rst) begin
            if (beat) begin
                open <= !beat_last;
                if (!open) open_pid <= beat_pid;
            end
            if (end_valid) begin
                ended[end_pid]  <= 1'b1;
                latest[end_pid] <= beat_bytes;
            end
            // Nobody asks about a packet that never was.
            if (ask_valid) assume (ask_open || ended[ask_pid]);
            assume (asked != '1);

            if (ask_valid && ask_ready) begin
                asked <= asked + 1'b1;
                if (asked == chosen) begin
                    is_asked <= 1'b1;
                    is_known <= !ask_open || end_valid;
                    bytes    <= ask_open ? beat_bytes : latest[ask_pid];
                    reused   <= 1'b0;
                end
            end
            if (is_asked && !is_known && end_valid) begin
                is_known <= 1'b1;
                bytes    <= beat_bytes;
            end
            if (is_asked && is_known && end_valid) reused <= 1'b1;
            if (length_valid) answered <= answered + 1'b1;

            if (length_valid) assert (answered < asked);
            if (length_valid && answered == chosen) begin
                assert (is_asked && is_known);
                assert (length_bytes == bytes);
            end
            // A known length waits for the questions in front of it only.
            if (is_asked && is_known && answered == chosen) assert (length_valid);
            assert (waiting == (answered != asked));
            cover (length_valid && answered == chosen && reused);
        end
    end
endmodule
