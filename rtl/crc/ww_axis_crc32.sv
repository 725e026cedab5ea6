// CRC-32 of every packet of a stream (IEEE 802.3 clause 3.2.9), one beat a clock.
//
// It listens to a stream; it does not pass it on. A last beat that is not full goes in with zeros for
// the missing bytes, and the remainder is taken back by as many bytes afterwards: a step of the CRC
// can be undone. That takes one matrix for each bit of the number of missing bytes, outside the loop
// over the beats, instead of one for each number.
module ww_axis_crc32 #(
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
    // Four enabled clocks after a last beat.
    output logic               crc_valid,
    // The CRC of the packet. Sent as a frame check sequence, its low byte goes first.
    output logic [31:0]        crc,
    // The packet's last four bytes are the frame check sequence of those before.
    output logic               crc_good
);
    localparam int BYTES = WIDTH / 8;
    localparam int COUNT_WIDTH = $clog2(BYTES + 1);
    localparam int MISSING_WIDTH = $clog2(BYTES);
    // Bits of `missing` that are dealt with in the first of two stages.
    localparam int FIRST_HALF = MISSING_WIDTH / 2;
    localparam logic [31:0] POLY = 32'h04c1_1db7;
    // What the CRC of a packet together with its frame check sequence always is.
    localparam logic [31:0] GOOD = 32'h2144_df1c;

    if (WIDTH != 64 && WIDTH != 128 && WIDTH != 256 && WIDTH != 512) begin : g_illegal_width
        $error("ww_axis_crc32: WIDTH must be 64, 128, 256 or 512");
    end

    // A linear map of remainders: bit j of the result is the parity of the bits in row j.
    typedef logic [31:0][31:0] map_t;

    function automatic map_t one_bit_forward();
        map_t map;
        for (int j = 0; j < 32; j++) begin
            map[j] = '0;
            if (j > 0) map[j][j-1] = 1'b1;
            map[j][31] = map[j][31] ^ POLY[j];
        end
        return map;
    endfunction

    function automatic map_t one_bit_back();
        map_t map;
        for (int j = 0; j < 32; j++) begin
            map[j] = '0;
            // The lowest bit tells whether the polynomial was added: its lowest term is 1.
            if (j < 31) begin
                map[j][j+1] = 1'b1;
                map[j][0]   = POLY[j+1];
            end else begin
                map[j][0] = 1'b1;
            end
        end
        return map;
    endfunction

    // First `before`, then `after`.
    function automatic map_t chain(map_t after, map_t before_it);
        map_t map;
        for (int j = 0; j < 32; j++) begin
            map[j] = '0;
            for (int i = 0; i < 32; i++) begin
                if (after[j][i]) map[j] = map[j] ^ before_it[i];
            end
        end
        return map;
    endfunction

    // A map 2^times times.
    function automatic map_t doubled(map_t once, int times);
        map_t map;
        map = once;
        for (int i = 0; i < times; i++) map = chain(map, map);
        return map;
    endfunction

    function automatic logic [31:0] apply(map_t map, logic [31:0] remainder);
        logic [31:0] result;
        for (int j = 0; j < 32; j++) result[j] = ^(map[j] & remainder);
        return result;
    endfunction

    localparam map_t BEAT_FORWARD = doubled(one_bit_forward(), $clog2(WIDTH));

    // ---- Stage 1: what the bytes of the beat add to the remainder.
    logic [WIDTH-1:0]       masked;
    logic [COUNT_WIDTH-1:0] count;
    logic [31:0]            added;
    always_comb begin
        for (int i = 0; i < BYTES; i++) begin
            masked[8*i+:8] = !beat_last || beat_keep[i] ? beat_data[8*i+:8] : 8'h00;
        end
    end
    ww_axis_keep_count #(.BYTES(BYTES)) count_keep (
        .keep(beat_keep),
        .count
    );
    ww_crc #(
        .WIDTH(32),
        .POLY({32'h0, POLY}),
        .INIT('0),
        .REFLECT_IN(1),
        .REFLECT_OUT(0),
        .XOR_OUT('0),
        .DATA_BYTES(BYTES)
    ) beat_crc (
        .clk,
        .data(masked),
        .crc (added)
    );

    logic                     valid_1;
    logic                     last_1;
    logic [31:0]              added_1;
    logic [MISSING_WIDTH-1:0] missing_1;
    always_ff @(posedge clk) begin
        if (enable) begin
            valid_1   <= beat_valid;
            last_1    <= beat_last;
            added_1   <= added;
            missing_1 <= beat_last ? MISSING_WIDTH'(COUNT_WIDTH'(BYTES) - count) : '0;
        end
        if (rst) valid_1 <= 1'b0;
    end

    // ---- Stage 2: the loop over the beats.
    logic                     first;
    logic                     valid_2;
    logic [31:0]              remainder_2;
    logic [MISSING_WIDTH-1:0] missing_2;
    always_ff @(posedge clk) begin
        if (enable) begin
            valid_2   <= valid_1 && last_1;
            missing_2 <= missing_1;
            if (valid_1) begin
                first       <= last_1;
                remainder_2 <= apply(BEAT_FORWARD, first ? '1 : remainder_2) ^ added_1;
            end
        end
        if (rst) begin
            first   <= 1'b1;
            valid_2 <= 1'b0;
        end
    end

    // ---- Stages 3 and 4: back by the missing bytes, 1, 2, 4, ... of them at a time.
    logic                     valid_3;
    logic [31:0]              remainder_3;
    logic [MISSING_WIDTH-1:0] missing_3;
    for (genvar i = 0; i < MISSING_WIDTH; i++) begin : g_back
        localparam map_t BYTES_BACK = doubled(one_bit_back(), 3 + i);
        logic        is_missing;
        logic [31:0] remainder;
        logic [31:0] result;
        if (i == 0) begin : g_stage_3
            assign remainder = remainder_2;
        end else if (i == FIRST_HALF) begin : g_stage_4
            assign remainder = remainder_3;
        end else begin : g_next
            assign remainder = g_back[i-1].result;
        end
        assign is_missing = i < FIRST_HALF ? missing_2[i] : missing_3[i];
        assign result     = is_missing ? apply(BYTES_BACK, remainder) : remainder;
    end

    always_ff @(posedge clk) begin
        if (enable) begin
            valid_3     <= valid_2;
            missing_3   <= missing_2;
            remainder_3 <= g_back[FIRST_HALF-1].result;
            crc_valid   <= valid_3;
            for (int i = 0; i < 32; i++) crc[i] <= !g_back[MISSING_WIDTH-1].result[31-i];
        end
        if (rst) begin
            valid_3   <= 1'b0;
            crc_valid <= 1'b0;
        end
    end
    // The lower bits have done their work.
    wire unused_missing = &{1'b0, missing_3[FIRST_HALF-1:0]};

    assign crc_good = crc == GOOD;
endmodule
