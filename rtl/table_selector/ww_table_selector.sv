// Action selector behind a table: an entry is data, or a group whose members' data a hash chooses from.
//
// The member is number (hash modulo number of members) of the group. One lookup a clock, each with the
// result a fixed time later. A group is one row: software writes new members to rows that no group has,
// then the group's row, and a lookup sees all of the old group or all of the new one.
module ww_table_selector #(
    // Bits of the data of a member, 1 or more.
    parameter int DATA_WIDTH = 32,
    // Groups, 1 or more.
    parameter int GROUPS = 64,
    // Rows of all members together, 1 to 2^20.
    parameter int MEMBERS = 256,
    // Most members of one group, 1 to MEMBERS.
    parameter int GROUP_MEMBERS = 128,
    // Bits of the hash, 1 to 64.
    parameter int HASH_WIDTH = 16,
    // Clocks from lookup_* to entry_*, 0 or more.
    parameter int LOOKUP_LATENCY = 0,
    // Bits that go along with a lookup, 1 or more.
    parameter int TAG_WIDTH = 1,
    // 1 if the default may be a group: the groups' memory exists twice then.
    parameter bit DEFAULT_GROUP = 1'b1,
    // Data in the place of a default that is an empty group.
    parameter logic [DATA_WIDTH-1:0] FALLBACK = '0,
    // Not to be set: bits of the number of a group, of a member's row and of a number of members.
    localparam int GROUP_WIDTH = GROUPS > 1 ? $clog2(GROUPS) : 1,
    localparam int BASE_WIDTH = MEMBERS > 1 ? $clog2(MEMBERS) : 1,
    localparam int COUNT_WIDTH = $clog2(GROUP_MEMBERS + 1),
    // Not to be set: bits of a reciprocal.
    localparam int RECIPROCAL_WIDTH = HASH_WIDTH + COUNT_WIDTH + 1,
    // Not to be set: bits of an entry, {group, data or number of the group}.
    localparam int ENTRY_WIDTH = 1 + (DATA_WIDTH > GROUP_WIDTH ? DATA_WIDTH : GROUP_WIDTH),
    // Not to be set: bits of a group's row, {reciprocal, count, base}, and of the row port.
    localparam int GROUP_ROW = RECIPROCAL_WIDTH + COUNT_WIDTH + BASE_WIDTH,
    localparam int ROW_WIDTH = GROUP_ROW > DATA_WIDTH ? GROUP_ROW : DATA_WIDTH
) (
    input  logic                   clk,
    input  logic                   rst,
    // A lookup begins in the table, one a clock; its hash.
    input  logic                   lookup_valid,
    input  logic [HASH_WIDTH-1:0]  lookup_hash,
    // What the table found, LOOKUP_LATENCY clocks later; entry_data has a meaning only with entry_hit.
    input  logic                   entry_hit,
    input  logic [ENTRY_WIDTH-1:0] entry_data,
    input  logic [TAG_WIDTH-1:0]   entry_tag,
    // What happens on a miss, in the form of an entry; may change at any time.
    input  logic [ENTRY_WIDTH-1:0] default_data,
    // Result, 9 clocks later. An empty group is a miss; on a miss the data are those of the default.
    output logic                   result_hit,
    output logic [DATA_WIDTH-1:0]  result_data,
    output logic [TAG_WIDTH-1:0]   result_tag,
    // Row port: memory 0, row = group; memory 1, row = member. A write of a group is done when no
    // lookup is left that saw its old row. A read waits for a clock without a lookup.
    input  logic                   row_valid,
    input  logic                   row_write,
    input  logic [3:0]             row_memory,
    input  logic [27:0]            row_index,
    input  logic [ROW_WIDTH-1:0]   row_wdata,
    output logic                   row_done,
    output logic [ROW_WIDTH-1:0]   row_rdata
);
    if (DATA_WIDTH < 1 || TAG_WIDTH < 1) begin : g_illegal_width
        $error("ww_table_selector: DATA_WIDTH and TAG_WIDTH must be 1 or more");
    end
    if (GROUPS < 1 || GROUPS > 1048576) begin : g_illegal_groups
        $error("ww_table_selector: GROUPS must be 1 to 2^20");
    end
    if (MEMBERS < 1 || MEMBERS > 1048576) begin : g_illegal_members
        $error("ww_table_selector: MEMBERS must be 1 to 2^20");
    end
    if (GROUP_MEMBERS < 1 || GROUP_MEMBERS > MEMBERS) begin : g_illegal_group_members
        $error("ww_table_selector: GROUP_MEMBERS must be 1 to MEMBERS");
    end
    if (HASH_WIDTH < 1 || HASH_WIDTH > 64) begin : g_illegal_hash
        $error("ww_table_selector: HASH_WIDTH must be 1 to 64");
    end

    // Clocks counted from entry_*: both memories take 2 to read.
    localparam int GROUP_READ = 2;
    localparam int CHOSEN = 3;
    localparam int MEMBER_READ = 7;
    localparam int RESULT = 9;

    logic                  entry_valid;
    logic                  member_busy;
    logic [HASH_WIDTH-1:0] hash;

    ww_delay_line #(.WIDTH(1), .CLOCKS(LOOKUP_LATENCY)) valid_line (
        .clk, .d(lookup_valid), .q(entry_valid)
    );
    ww_delay_line #(.WIDTH(1), .CLOCKS(MEMBER_READ)) busy_line (
        .clk, .d(entry_valid), .q(member_busy)
    );
    ww_delay_line #(.WIDTH(HASH_WIDTH), .CLOCKS(LOOKUP_LATENCY + CHOSEN)) hash_line (
        .clk, .d(lookup_hash), .q(hash)
    );
    ww_delay_line #(.WIDTH(TAG_WIDTH), .CLOCKS(RESULT)) tag_line (
        .clk, .d(entry_tag), .q(result_tag)
    );

    // ---- Row port

    logic is_group, is_member, write, read, done, group_write, settling;

    assign is_group  = row_memory == 4'd0 && row_index < 28'(GROUPS);
    assign is_member = row_memory == 4'd1 && row_index < 28'(MEMBERS);

    ww_row_access #(.READ_LATENCY(2)) row_access (
        .clk, .rst, .row_valid(row_valid && !settling), .row_write, .row_done(done),
        .idle(row_memory == 4'd0 ? !entry_valid : !member_busy), .write, .read
    );

    // Lookups that read a group's row just before it is written read a member MEMBER_READ clocks
    // after that; their members stay until then.
    logic [MEMBER_READ-1:0] since_write;

    assign group_write = write && is_group;
    assign settling    = since_write != '0;
    assign row_done    = (done && !group_write) || since_write[MEMBER_READ-1];

    always_ff @(posedge clk) begin
        since_write <= {since_write[MEMBER_READ-2:0], group_write};
        if (rst) since_write <= '0;
    end

    // ---- The row of the group, and that of the default's

    logic [GROUP_ROW-1:0]   row;
    logic [GROUP_ROW-1:0]   default_row;
    logic                   entry_hit_2;
    logic [ENTRY_WIDTH-1:0] entry_2, default_2;

    ww_ram_sdp #(.WIDTH(GROUP_ROW), .DEPTH(GROUPS), .LATENCY(GROUP_READ)) groups (
        .clk,
        .wr_en(group_write), .wr_addr(row_index[GROUP_WIDTH-1:0]),
        .wr_data(row_wdata[GROUP_ROW-1:0]),
        .rd_en(entry_valid || read),
        .rd_addr(entry_valid ? entry_data[GROUP_WIDTH-1:0] : row_index[GROUP_WIDTH-1:0]),
        .rd_data(row)
    );
    ww_delay_line #(.WIDTH(1 + 2 * ENTRY_WIDTH), .CLOCKS(GROUP_READ)) entry_line (
        .clk, .d({entry_hit, entry_data, default_data}), .q({entry_hit_2, entry_2, default_2})
    );

    if (DEFAULT_GROUP) begin : g_default
        ww_ram_sdp #(.WIDTH(GROUP_ROW), .DEPTH(GROUPS), .LATENCY(GROUP_READ)) groups (
            .clk,
            .wr_en(group_write), .wr_addr(row_index[GROUP_WIDTH-1:0]),
            .wr_data(row_wdata[GROUP_ROW-1:0]),
            .rd_en(entry_valid), .rd_addr(default_data[GROUP_WIDTH-1:0]), .rd_data(default_row)
        );
    end else begin : g_no_default
        assign default_row = '0;
    end

    // ---- Which of them, and whether the data are a member's

    logic                        found, default_is, chosen_hit, chosen_group;
    logic [DATA_WIDTH-1:0]       chosen_data;
    logic [BASE_WIDTH-1:0]       chosen_base;
    logic [COUNT_WIDTH-1:0]      chosen_count;
    logic [RECIPROCAL_WIDTH-1:0] chosen_reciprocal;

    assign found      = entry_hit_2 && (!entry_2[ENTRY_WIDTH-1] || row[BASE_WIDTH +: COUNT_WIDTH] != '0);
    assign default_is = !default_2[ENTRY_WIDTH-1] || default_row[BASE_WIDTH +: COUNT_WIDTH] != '0;

    always_ff @(posedge clk) begin
        chosen_hit   <= found;
        chosen_group <= found ? entry_2[ENTRY_WIDTH-1] : default_is && default_2[ENTRY_WIDTH-1];
        chosen_data  <= found ? entry_2[DATA_WIDTH-1:0]
                      : default_is ? default_2[DATA_WIDTH-1:0] : FALLBACK;
        {chosen_reciprocal, chosen_count, chosen_base} <= found ? row : default_row;
    end

    // ---- hash modulo count
    //
    // With w = HASH_WIDTH, c = COUNT_WIDTH and a count n, 0 < n < 2^c, the reciprocal is
    // m = floor(2^(w+c) / n) + 1. So m * n = 2^(w+c) + e with 0 < e <= n, and
    //   hash * m / 2^(w+c) = hash / n + (hash * e / 2^(w+c)) / n.
    // hash < 2^w and e < 2^c: what is added is less than 1/n. hash / n is a multiple of 1/n, so the sum
    // does not reach the next whole number: floor(hash * m / 2^(w+c)) is floor(hash / n), for all values.
    // m is largest for n = 1, 2^(w+c) + 1: RECIPROCAL_WIDTH bits hold it.
    localparam int DIGITS = (HASH_WIDTH + 15) / 16;
    localparam int PARTIAL_WIDTH = 16 + RECIPROCAL_WIDTH;
    localparam int PRODUCT_WIDTH = 16 * DIGITS + RECIPROCAL_WIDTH;

    logic [16*DIGITS-1:0]     digits;
    logic [PARTIAL_WIDTH-1:0] partial [DIGITS];
    logic [PRODUCT_WIDTH-1:0] product;
    logic [COUNT_WIDTH-1:0]   hash_4, hash_5, count_4, count_5, quotient_5, rest_6;
    logic [BASE_WIDTH-1:0]    base_6, address_7;

    assign digits = (16 * DIGITS)'(hash);

    always_comb begin
        product = '0;
        for (int n = 0; n < DIGITS; n++) product += PRODUCT_WIDTH'(partial[n]) << (16 * n);
    end

    always_ff @(posedge clk) begin
        for (int n = 0; n < DIGITS; n++) begin
            partial[n] <= PARTIAL_WIDTH'(digits[16*n +: 16]) * PARTIAL_WIDTH'(chosen_reciprocal);
        end
        hash_4     <= COUNT_WIDTH'(hash);
        count_4    <= chosen_count;
        // The rest is below the count: the low bits of quotient and hash give it.
        quotient_5 <= COUNT_WIDTH'(product >> (HASH_WIDTH + COUNT_WIDTH));
        hash_5     <= hash_4;
        count_5    <= count_4;
        rest_6     <= hash_5 - COUNT_WIDTH'(quotient_5 * count_5);
        address_7  <= base_6 + BASE_WIDTH'(rest_6);
    end
    ww_delay_line #(.WIDTH(BASE_WIDTH), .CLOCKS(3)) base_line (
        .clk, .d(chosen_base), .q(base_6)
    );

    // ---- The member

    logic [DATA_WIDTH-1:0] member, direct_data;
    logic                  result_group;

    ww_ram_sdp #(.WIDTH(DATA_WIDTH), .DEPTH(MEMBERS), .LATENCY(RESULT - MEMBER_READ)) members (
        .clk,
        .wr_en(write && is_member), .wr_addr(row_index[BASE_WIDTH-1:0]),
        .wr_data(row_wdata[DATA_WIDTH-1:0]),
        .rd_en(member_busy || read),
        .rd_addr(member_busy ? address_7 : row_index[BASE_WIDTH-1:0]),
        .rd_data(member)
    );
    ww_delay_line #(.WIDTH(2 + DATA_WIDTH), .CLOCKS(RESULT - CHOSEN)) chosen_line (
        .clk, .d({chosen_hit, chosen_group, chosen_data}), .q({result_hit, result_group, direct_data})
    );

    assign result_data = result_group ? member : direct_data;
    assign row_rdata   = is_group ? ROW_WIDTH'(row) : is_member ? ROW_WIDTH'(member) : '0;
endmodule
