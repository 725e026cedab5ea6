// Array of two-rate three-colour markers (RFC 2698, colour-blind), one packet a clock on any index.
//
// Integer arithmetic throughout, so that software can follow it bit for bit: time is in microseconds,
// rates are in 10^-12 units a microsecond, tokens and bucket depths in 10^-12 units. A unit is what
// the user counts: a packet or a byte.
//
// Only two steps of a marker depend on the packet before it, and each takes one clock: the time at
// which the buckets were filled last, and the tokens. The product of elapsed time and rate lies
// between the two and is a pipeline of its own. In the second loop both outcomes of every comparison
// are made from differences that were taken before, so it holds one addition and not four.
//
// A row access uses a clock without a packet and goes through the same stages; so a packet sees the
// old rates or the new ones with full buckets, and nothing between.
module ww_meter_array #(
    // Meters, 1 or more. Packets beyond are green.
    parameter int DEPTH = 256,
    // Bits of a rate in 10^-12 units a microsecond; 60 bits hold 10^6 units a microsecond.
    parameter int RATE_WIDTH = 60,
    // Bits of a number of tokens in 10^-12 units, 57 or more; 72 bits hold 4.7 * 10^9 units.
    parameter int TOKEN_WIDTH = 72,
    // Bits of the time in microseconds, 1 to 48.
    parameter int TIME_WIDTH = 48,
    // How the RAMs are built: see ww_ram_sdp.
    parameter string STYLE = "auto",
    // Not to be set: bits of an index, at least one.
    localparam int INDEX_WIDTH = DEPTH > 1 ? $clog2(DEPTH) : 1,
    // Not to be set: bits of the rows of the two memories, and of the larger.
    localparam int RATES_WIDTH = 1 + 2 * (TOKEN_WIDTH + RATE_WIDTH),
    localparam int STATE_WIDTH = TIME_WIDTH + 2 * TOKEN_WIDTH,
    localparam int ROW_WIDTH = RATES_WIDTH > STATE_WIDTH ? RATES_WIDTH : STATE_WIDTH
) (
    input  logic                   clk,
    input  logic                   rst,
    // A packet of so many units (1, or its bytes) at this time.
    input  logic                   execute_valid,
    input  logic [INDEX_WIDTH-1:0] execute_index,
    input  logic [15:0]            execute_units,
    input  logic [TIME_WIDTH-1:0]  execute_time,
    // Eight clocks later: 0 green, 1 yellow, 2 red.
    output logic [1:0]             colour,
    // Row port. Memory 0: {configured, peak depth, peak rate, committed depth, committed rate}; a
    // write also fills both buckets and sets the time of the last filling to zero. A meter that is not
    // configured is green for ever. Memory 1: {peak tokens, committed tokens, time of last filling};
    // tokens must not exceed the depth.
    input  logic                   row_valid,
    input  logic                   row_write,
    input  logic [3:0]             row_memory,
    input  logic [27:0]            row_index,
    input  logic [ROW_WIDTH-1:0]   row_wdata,
    output logic                   row_done,
    output logic [ROW_WIDTH-1:0]   row_rdata
);
    // Parts of an elapsed time that are multiplied on their own.
    localparam int PARTS = 3;
    localparam int PART_WIDTH = 16;
    localparam int PRODUCT_WIDTH = RATE_WIDTH + PARTS * PART_WIDTH;
    localparam int WIDE = PRODUCT_WIDTH > TOKEN_WIDTH ? PRODUCT_WIDTH : TOKEN_WIDTH + 1;
    // 10^12, what one unit is in tokens.
    localparam logic [39:0] UNIT = 40'd1_000_000_000_000;

    if (DEPTH < 1 || DEPTH > 2 ** 28) begin : g_illegal_depth
        $error("ww_meter_array: DEPTH must be 1 to 2**28");
    end
    if (RATE_WIDTH < 1) begin : g_illegal_rate_width
        $error("ww_meter_array: RATE_WIDTH must be 1 or more");
    end
    if (TOKEN_WIDTH < 57) begin : g_illegal_token_width
        $error("ww_meter_array: TOKEN_WIDTH must be 57 or more, for the tokens of 65535 units");
    end
    if (TIME_WIDTH < 1 || TIME_WIDTH > PARTS * PART_WIDTH) begin : g_illegal_time_width
        $error("ww_meter_array: TIME_WIDTH must be 1 to 48");
    end

    typedef logic [TOKEN_WIDTH-1:0]        tokens_t;
    // With a sign, and wide enough for a sum of two.
    typedef logic signed [TOKEN_WIDTH+1:0] difference_t;
    typedef struct packed {
        tokens_t               depth;
        logic [RATE_WIDTH-1:0] rate;
    } bucket_t;
    // Bucket 0 is the committed one, bucket 1 the peak one.
    typedef struct packed {
        logic          configured;
        bucket_t [1:0] bucket;
    } rates_t;
    typedef struct packed {
        tokens_t [1:0]         tokens;
        logic [TIME_WIDTH-1:0] filled_at;
    } state_t;

    // ---- Clock 0: a packet, or a row access that is not yet under way.
    logic                   row_starts;
    logic                   row_exists;
    logic                   takes;
    logic                   in_range;
    logic [INDEX_WIDTH-1:0] index;
    // What is in each stage.
    logic [7:1]             row_at;
    logic [7:1]             packet_at;
    assign row_exists = row_memory <= 4'd1 && row_index < 28'(DEPTH);
    assign row_starts = row_valid && row_at == '0 && !execute_valid;
    assign takes      = row_starts || execute_valid;
    assign index      = execute_valid ? execute_index : row_index[INDEX_WIDTH-1:0];
    if (2 ** INDEX_WIDTH == DEPTH) begin : g_all_in_range
        assign in_range = execute_valid || row_exists;
    end else begin : g_in_range
        assign in_range = execute_valid ? execute_index < INDEX_WIDTH'(DEPTH) : row_exists;
    end
    always_ff @(posedge clk) begin
        row_at    <= {row_at[6:1], row_starts};
        packet_at <= {packet_at[6:1], execute_valid && in_range};
        if (rst) begin
            row_at    <= '0;
            packet_at <= '0;
        end
    end
    // What a row access writes.
    logic   writes_rates;
    logic   writes_state;
    rates_t new_rates;
    state_t new_state;
    assign writes_rates = row_write && row_exists && row_memory == 4'd0;
    assign writes_state = row_write && row_exists && row_memory == 4'd1;
    assign new_rates    = row_wdata[RATES_WIDTH-1:0];
    assign new_state    = row_wdata[STATE_WIDTH-1:0];
    if (ROW_WIDTH > RATES_WIDTH) begin : g_unused_of_rates
        wire unused = &{1'b0, row_wdata[ROW_WIDTH-1:RATES_WIDTH]};
    end

    // ---- Clocks 1 to 5: what later stages need of a packet.
    logic [INDEX_WIDTH-1:0]     index_at [1:5];
    logic [1:0][15:0]           units_at;
    logic [1:0][TIME_WIDTH-1:0] time_at;
    always_ff @(posedge clk) begin
        index_at[1] <= in_range ? index : '0;
        for (int i = 2; i <= 5; i++) index_at[i] <= index_at[i-1];
        units_at <= {units_at[0], execute_units};
        time_at  <= {time_at[0], execute_time};
    end

    // ---- Clock 2: rates and the time of the last filling.
    rates_t rates_2;
    ww_ram_sdp #(
        .WIDTH  (RATES_WIDTH),
        .DEPTH  (DEPTH),
        .LATENCY(2),
        .STYLE  (STYLE)
    ) u_rates (
        .clk,
        .wr_en  (row_starts && writes_rates && !rst),
        .wr_addr(row_index[INDEX_WIDTH-1:0]),
        .wr_data(new_rates),
        .rd_en  (1'b1),
        .rd_addr(in_range ? index : '0),
        .rd_data(rates_2)
    );

    logic                  executes_2;
    logic                  store_time;
    logic [TIME_WIDTH-1:0] filled_at_2;
    logic [TIME_WIDTH-1:0] stored_time;
    logic                  is_later;
    assign executes_2 = packet_at[2] && rates_2.configured;
    assign is_later   = time_at[1] > filled_at_2;
    assign store_time = row_at[2] ? writes_rates || writes_state : executes_2 && is_later;
    assign stored_time = !row_at[2]   ? time_at[1]
                       : writes_state ? new_state.filled_at : '0;
    logic                  unused_time_done;
    logic [TIME_WIDTH-1:0] unused_time_row;
    ww_register_array #(
        .WIDTH(TIME_WIDTH),
        .DEPTH(DEPTH),
        .STYLE(STYLE)
    ) u_times (
        .clk,
        .rst,
        .read_valid (takes),
        .read_index (index),
        .read_data  (filled_at_2),
        .write_valid(store_time),
        .write_data (stored_time),
        .row_valid  (1'b0),
        .row_write  (1'b0),
        .row_memory ('0),
        .row_index  ('0),
        .row_wdata  ('0),
        .row_done   (unused_time_done),
        .row_rdata  (unused_time_row)
    );

    // What a row read returns, until its tokens are there.
    rates_t                row_rates;
    logic [TIME_WIDTH-1:0] row_filled_at;
    always_ff @(posedge clk) begin
        if (row_at[2]) begin
            row_rates     <= rates_2;
            row_filled_at <= filled_at_2;
        end
    end

    // ---- Clocks 3 to 7: the tokens that both buckets gain, and what the packet costs.
    logic [PARTS*PART_WIDTH-1:0] elapsed_3;
    rates_t                      rates_3;
    logic [15:0]                 units_3;
    logic [55:0]                 cost_at [4:6];
    tokens_t [1:0]               depth_at [4:6];
    logic [7:3]                  executes_at;
    always_ff @(posedge clk) begin
        elapsed_3 <= is_later ? (PARTS * PART_WIDTH)'(time_at[1] - filled_at_2) : '0;
        rates_3   <= rates_2;
        units_3   <= units_at[1];
        cost_at[4] <= 56'(units_3) * 56'(UNIT);
        for (int i = 5; i <= 6; i++) cost_at[i] <= cost_at[i-1];
        for (int i = 0; i < 2; i++) depth_at[4][i] <= rates_3.bucket[i].depth;
        for (int i = 5; i <= 6; i++) depth_at[i] <= depth_at[i-1];
        executes_at <= {executes_at[6:3], executes_2};
        if (rst) executes_at <= '0;
    end
    // It has been looked at in clock 2.
    wire unused_configured = rates_3.configured;

    tokens_t [1:0] tokens_7;
    tokens_t [1:0] left_7;
    logic    [1:0] enough_7;
    for (genvar i = 0; i < 2; i++) begin : g_bucket
        logic [PARTS-1:0][RATE_WIDTH+PART_WIDTH-1:0] part_4;
        logic [WIDE-1:0]                             product_5;
        tokens_t                                     gain_6;
        always_ff @(posedge clk) begin
            for (int j = 0; j < PARTS; j++) begin
                part_4[j] <= (RATE_WIDTH + PART_WIDTH)'(rates_3.bucket[i].rate)
                           * (RATE_WIDTH + PART_WIDTH)'(elapsed_3[PART_WIDTH*j+:PART_WIDTH]);
            end
            product_5 <= WIDE'(part_4[0]) + (WIDE'(part_4[1]) << PART_WIDTH)
                       + (WIDE'(part_4[2]) << (2 * PART_WIDTH));
            // No bucket holds more.
            gain_6 <= |product_5[WIDE-1:TOKEN_WIDTH] ? '1 : product_5[TOKEN_WIDTH-1:0];
        end

        // Clock 6: the differences.
        tokens_t     depth_7;
        tokens_t     gain_7;
        difference_t gain_less_depth_7;
        difference_t gain_less_cost_7;
        difference_t depth_less_cost_7;
        always_ff @(posedge clk) begin
            depth_7           <= depth_at[6][i];
            gain_7            <= gain_6;
            gain_less_depth_7 <= difference_t'({2'b00, gain_6}) - difference_t'({2'b00, depth_at[6][i]});
            gain_less_cost_7  <= difference_t'({2'b00, gain_6}) - difference_t'(cost_at[6]);
            depth_less_cost_7 <= difference_t'({2'b00, depth_at[6][i]}) - difference_t'(cost_at[6]);
        end

        // Clock 7: the loop. `filled`: after filling; `paid`: and less what the packet costs.
        difference_t tokens;
        difference_t over;
        difference_t paid;
        difference_t paid_from_gain;
        tokens_t     filled;
        logic        is_full;
        assign tokens         = difference_t'({2'b00, tokens_7[i]});
        assign over           = tokens + gain_less_depth_7;
        assign is_full        = over >= 0;
        assign filled         = is_full ? depth_7 : tokens_7[i] + gain_7;
        assign paid_from_gain = tokens + gain_less_cost_7;
        assign paid           = is_full ? depth_less_cost_7 : paid_from_gain;
        assign enough_7[i]    = paid >= 0;
        // Nothing is taken from a peak bucket that has not enough, and then from neither.
        assign left_7[i]      = enough_7[1] && enough_7[i] ? TOKEN_WIDTH'(paid) : filled;
    end

    tokens_t [1:0] stored_tokens;
    logic          store_tokens;
    always_comb begin
        stored_tokens = left_7;
        if (row_at[7]) begin
            stored_tokens = writes_state ? new_state.tokens
                                         : {new_rates.bucket[1].depth, new_rates.bucket[0].depth};
        end
        store_tokens = row_at[7] ? writes_rates || writes_state : executes_at[7];
    end
    logic                     unused_tokens_done;
    logic [2*TOKEN_WIDTH-1:0] unused_tokens_row;
    ww_register_array #(
        .WIDTH(2 * TOKEN_WIDTH),
        .DEPTH(DEPTH),
        .STYLE(STYLE)
    ) u_tokens (
        .clk,
        .rst,
        .read_valid (packet_at[5] || row_at[5]),
        .read_index (index_at[5]),
        .read_data  (tokens_7),
        .write_valid(store_tokens),
        .write_data (stored_tokens),
        .row_valid  (1'b0),
        .row_write  (1'b0),
        .row_memory ('0),
        .row_index  ('0),
        .row_wdata  ('0),
        .row_done   (unused_tokens_done),
        .row_rdata  (unused_tokens_row)
    );

    // ---- Clock 8.
    always_ff @(posedge clk) begin
        if (!executes_at[7]) colour <= 2'd0;
        else if (!enough_7[1]) colour <= 2'd2;
        else if (!enough_7[0]) colour <= 2'd1;
        else colour <= 2'd0;
    end

    assign row_done = row_at[7];
    always_comb begin
        row_rdata = '0;
        if (row_exists) begin
            row_rdata = row_memory == 4'd0 ? ROW_WIDTH'(row_rates)
                                           : ROW_WIDTH'({tokens_7, row_filled_at});
        end
    end
    // The last stage is that of the tokens, which has its own flag.
    wire unused_packet = |packet_at[7:6];
endmodule
