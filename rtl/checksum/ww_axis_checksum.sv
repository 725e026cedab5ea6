// Ones'-complement sum (RFC 1071) of a range of bytes of every packet of a stream, one beat a clock.
//
// It listens to a stream; it does not pass it on. With the whole of a TCP, UDP or ICMP packet as the
// range and the sum of the pseudo header as `initial_sum`, range_good says whether the checksum in
// the packet is right. The range may start at any byte, also an odd one, and may end beyond the
// packet (of at most 65535 bytes); an odd number of bytes is padded with zero.
module ww_axis_checksum #(
    // Bits of data: 64, 128, 256 or 512.
    parameter int WIDTH = 512
) (
    input  logic               clk,
    input  logic               rst,
    // Low: everything stands still, and the beat is not taken.
    input  logic               enable,
    // A beat is transferred in this clock.
    input  logic               beat_valid,
    input  logic [WIDTH-1:0]   beat_data,
    input  logic [WIDTH/8-1:0] beat_keep,
    input  logic               beat_last,
    // With all beats of a packet: the first byte of the range and its length in bytes.
    input  logic [15:0]        range_start,
    input  logic [15:0]        range_length,
    // With the last beat of a packet: what is added to the sum.
    input  logic [15:0]        initial_sum,
    // Five enabled clocks after a last beat.
    output logic               sum_valid,
    // Sum of the range as big-endian words, not inverted.
    output logic [15:0]        sum,
    // The sum is all ones: a range that contains its own checksum is right.
    output logic               sum_good
);
    localparam int BYTES = WIDTH / 8;
    localparam int COUNT_WIDTH = $clog2(BYTES + 1);
    // Words that are added up before the second register.
    localparam int GROUP = 4;
    localparam int GROUPS = WIDTH / 16 / GROUP;

    if (WIDTH != 64 && WIDTH != 128 && WIDTH != 256 && WIDTH != 512) begin : g_illegal_width
        $error("ww_axis_checksum: WIDTH must be 64, 128, 256 or 512");
    end

    // ---- Stage 1: the bytes of the beat that are in the range, others zero.
    // Bytes of the packet before this beat; stays at the highest multiple of a beat.
    logic [16:0] offset;
    logic [16:0] range_end;
    logic        valid_1;
    logic        last_1;
    logic        odd_1;
    logic [15:0] initial_1;
    logic [COUNT_WIDTH-1:0] from;
    logic [COUNT_WIDTH-1:0] to;
    logic [WIDTH-1:0]       masked;
    logic [WIDTH-1:0]       masked_1;

    // Where a position lies in the beat: 0 before it or at its start, BYTES behind it.
    function automatic logic [COUNT_WIDTH-1:0] place_in_beat(logic [16:0] position, logic [16:0] start);
        if (position <= start) return '0;
        if (position - start >= 17'(BYTES)) return COUNT_WIDTH'(BYTES);
        return COUNT_WIDTH'(position - start);
    endfunction

    always_comb begin
        range_end = {1'b0, range_start} + {1'b0, range_length};
        from      = place_in_beat({1'b0, range_start}, offset);
        to        = place_in_beat(range_end, offset);
        for (int i = 0; i < BYTES; i++) begin
            masked[8*i+:8] = 8'h00;
            if (COUNT_WIDTH'(i) >= from && COUNT_WIDTH'(i) < to && (!beat_last || beat_keep[i])) begin
                masked[8*i+:8] = beat_data[8*i+:8];
            end
        end
    end
    always_ff @(posedge clk) begin
        if (enable) begin
            valid_1   <= beat_valid;
            last_1    <= beat_last;
            odd_1     <= range_start[0];
            initial_1 <= initial_sum;
            masked_1  <= masked;
            if (beat_valid) begin
                if (beat_last) offset <= '0;
                else if (!offset[16]) offset <= offset + 17'(BYTES);
            end
        end
        if (rst) begin
            valid_1 <= 1'b0;
            offset  <= '0;
        end
    end

    // ---- Stage 2: words by groups; stage 3: the groups. Words have their first byte in the low half
    // here, which changes no more than the order of the bytes in the sum (RFC 1071 section 2).
    logic                         valid_2;
    logic                         last_2;
    logic                         odd_2;
    logic [15:0]                  initial_2;
    logic [GROUPS-1:0][17:0]      group;
    logic [GROUPS-1:0][17:0]      group_2;
    logic                         valid_3;
    logic                         last_3;
    logic                         odd_3;
    logic [15:0]                  initial_3;
    logic [31:0]                  beat_sum;
    logic [31:0]                  beat_sum_3;
    always_comb begin
        beat_sum = '0;
        for (int i = 0; i < GROUPS; i++) begin
            group[i] = '0;
            for (int j = 0; j < GROUP; j++) group[i] += 18'(masked_1[16*(GROUP*i+j)+:16]);
            beat_sum += 32'(group_2[i]);
        end
    end
    always_ff @(posedge clk) begin
        if (enable) begin
            valid_2    <= valid_1;
            last_2     <= last_1;
            odd_2      <= odd_1;
            initial_2  <= initial_1;
            group_2    <= group;
            valid_3    <= valid_2;
            last_3     <= last_2;
            odd_3      <= odd_2;
            initial_3  <= initial_2;
            beat_sum_3 <= beat_sum;
        end
        if (rst) begin
            valid_2 <= 1'b0;
            valid_3 <= 1'b0;
        end
    end

    // ---- Stage 4: the loop over the beats.
    logic        valid_4;
    logic        odd_4;
    logic [15:0] initial_4;
    logic [31:0] earlier;
    logic [31:0] total;
    logic [31:0] total_4;
    assign total = earlier + beat_sum_3;
    always_ff @(posedge clk) begin
        if (enable) begin
            valid_4   <= valid_3 && last_3;
            odd_4     <= odd_3;
            initial_4 <= initial_3;
            total_4   <= total;
            if (valid_3) earlier <= last_3 ? '0 : total;
        end
        if (rst) begin
            valid_4 <= 1'b0;
            earlier <= '0;
        end
    end

    // ---- Stage 5: carries, byte order, and what was there before.
    function automatic logic [15:0] plus(logic [15:0] left, logic [15:0] right);
        logic [16:0] result;
        result = {1'b0, left} + {1'b0, right};
        return result[15:0] + 16'(result[16]);
    endfunction

    logic [15:0] folded;
    assign folded = plus(total_4[31:16], total_4[15:0]);
    always_ff @(posedge clk) begin
        if (enable) begin
            sum_valid <= valid_4;
            sum       <= plus(odd_4 ? folded : {folded[7:0], folded[15:8]}, initial_4);
        end
        if (rst) sum_valid <= 1'b0;
    end
    assign sum_good = sum == 16'hffff;
endmodule
