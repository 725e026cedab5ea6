// The ones' complement sum (RFC 1071) of each message of a stream: a beat a clock, the sum a clock behind the last beat.
//
// It listens to a stream; it does not pass it on. A message may have any number of beats, full ones but the last; an odd number of bytes is padded with
// zero. For TCP and UDP it begins with the pseudo header, so the sum is all ones if the checksum within is right, and its complement is the checksum if
// that field was zero.
//
// The beat's words and the sum so far are one addition: 33 words for 512 bits, 65 for 1,024.
//
// Source: 002-monitoring-limago 2.15, S29 to S31.
module ww_message_sum #(
    // Bits of data: 64, 128, 256, 512 or 1024.
    parameter int WIDTH = 512,
    // As of ww_ones_add; 6 is ArchRed4: the loop has three rows, and they are merged behind its register.
    parameter int ARCHITECTURE = 5
) (
    input  logic               clk,
    input  logic               rst,
    // Low: everything stands still, and the beat is not taken.
    input  logic               enable,
    // A beat is transferred in this clock. `beat_keep` counts with the last beat of a message; its ones are at the low end.
    input  logic               beat_valid,
    input  logic [WIDTH-1:0]   beat_data,
    input  logic [WIDTH/8-1:0] beat_keep,
    input  logic               beat_last,
    // An enabled clock behind a last beat.
    output logic               sum_valid,
    // Sum of the message as big-endian words, not inverted.
    output logic [15:0]        sum,
    // The sum is all ones: a message that contains its own checksum is right.
    output logic               sum_good
);
    localparam int WORDS = WIDTH / 16;

    if (WIDTH != 64 && WIDTH != 128 && WIDTH != 256 && WIDTH != 512 && WIDTH != 1024) begin : g_illegal_width
        $error("ww_message_sum: WIDTH must be 64, 128, 256, 512 or 1024");
    end

    // Words as on the line: the first byte is the high one. Bytes behind the end are zero.
    logic [WORDS-1:0][15:0] words;
    always_comb begin
        for (int n = 0; n < WORDS; n++) begin
            words[n] = {beat_data[16*n+:8], beat_data[16*n+8+:8]};
            if (beat_last && !beat_keep[2*n]) words[n][15:8] = '0;
            if (beat_last && !beat_keep[2*n+1]) words[n][7:0] = '0;
        end
    end

    // A beat is the first one behind reset and behind a last one.
    logic is_first;
    always_ff @(posedge clk) begin
        if (enable) begin
            sum_valid <= beat_valid && beat_last;
            if (beat_valid) is_first <= beat_last;
        end
        if (rst) begin
            sum_valid <= 1'b0;
            is_first  <= 1'b1;
        end
    end

    if (ARCHITECTURE == 6) begin : g_three_rows
        logic [2:0][15:0] so_far;
        logic [2:0][15:0] three;
        ww_ones_rows #(.ROWS(WORDS + 3)) u_rows (.rows({is_first ? '0 : so_far, words}), .three);
        always_ff @(posedge clk) if (enable && beat_valid) so_far <= three;
        ww_ones_merge #(.STYLE(3)) u_merge (.rows(so_far), .sum);
    end else begin : g_one_row
        logic [15:0] next;
        ww_ones_add #(.WORDS(WORDS + 1), .ARCHITECTURE(ARCHITECTURE)) u_add (.words({is_first ? 16'h0 : sum, words}), .sum(next));
        always_ff @(posedge clk) if (enable && beat_valid) sum <= next;
    end
    assign sum_good = sum == 16'hffff;
endmodule
