// The sublists of ww_pieo_pipelined in their order: where each begins, how many elements it may have, and a bound of
// their times; and the choice among them.
//
// A sublist has the keys {rank, arrival} from its own separator up to the next one's. Separators do not follow the
// elements that come and go, so the place of a key never depends on operations that are under way. A bound is never
// above the earliest time in the sublist: it is lowered as elements come, and raised when it is known that it can be.
module ww_pieo_directory #(
    // Sublists, an even number; elements of one, 2 or more.
    parameter int S = 8,
    parameter int C = 4,
    // Bits of a key, and of a time.
    parameter int KEY_BITS = 64,
    parameter int TIME_BITS = 16,
    // Not to be set: bits of a sublist's number or place, of a number of elements.
    localparam int SUBLIST_WIDTH = $clog2(S),
    localparam int COUNT_WIDTH = $clog2(C + 1)
) (
    input  logic                     clk,
    input  logic                     rst,
    // The choice. By time: the first sublist that may have an element of this time or before, but for those refused;
    // else the one that has the key, which there always is. Place (one bit, and as a number), number in the RAM, and
    // whether it may be full.
    input  logic                     by_time,
    input  logic [TIME_BITS-1:0]     now,
    input  logic [S-1:0]             refused,
    input  logic [KEY_BITS-1:0]      key,
    output logic                     any,
    output logic [S-1:0]             place,
    output logic [SUBLIST_WIDTH-1:0] index,
    output logic [SUBLIST_WIDTH-1:0] sublist,
    output logic                     full,
    // An element with this time comes (the choice of the same clock knows of it); one leaves.
    input  logic                     add,
    input  logic [S-1:0]             add_place,
    input  logic [TIME_BITS-1:0]     add_time,
    input  logic                     leave,
    input  logic [S-1:0]             leave_place,
    // All elements at this place have times above `raise_now`; `learn_bound` or above.
    input  logic                     raise,
    input  logic [S-1:0]             raise_place,
    input  logic [TIME_BITS-1:0]     raise_now,
    input  logic                     learn,
    input  logic [SUBLIST_WIDTH-1:0] learn_index,
    input  logic [TIME_BITS-1:0]     learn_bound,
    // A sublist that is full gives its upper half to one that was not used, which comes behind it.
    input  logic                     open,
    input  logic [S-1:0]             open_place,
    input  logic [KEY_BITS-1:0]      open_key,
    output logic                     has_unused,
    output logic [SUBLIST_WIDTH-1:0] unused_sublist,
    // A sublist goes; its elements, if any, are in the next one now.
    input  logic                     close,
    input  logic [S-1:0]             close_place,
    // One without elements, if there is another one too (to be believed when no operation is under way).
    output logic                     has_empty,
    output logic [S-1:0]             empty_place,
    // Of a place and the next one: whether they fit into one sublist with room to spare; their numbers; and how many elements the first has.
    input  logic [S-1:0]             pair_place,
    output logic                     pair_fits,
    output logic [SUBLIST_WIDTH-1:0] pair_first,
    output logic [SUBLIST_WIDTH-1:0] pair_second,
    output logic [COUNT_WIDTH-1:0]   pair_count
);
    // Elements that stay in the lower of two halves; elements of a sublist that is joined of two, at most.
    localparam int LOW  = C / 2;
    localparam int JOIN = 3 * C / 4;

    typedef struct packed {
        logic [SUBLIST_WIDTH-1:0] sublist;
        logic [COUNT_WIDTH-1:0]   count;
        logic [KEY_BITS-1:0]      separator;
        logic [TIME_BITS-1:0]     bound;
    } entry_t;

    typedef struct packed {
        logic [SUBLIST_WIDTH-1:0] sublist;
        logic [COUNT_WIDTH-1:0]   count;
    } location_t;

    entry_t [S-1:0] entries;
    // Ones from place 0 up.
    logic [S-1:0]   used;

    // ---------------------------------------------------------------------------------------------------------
    // The choice.
    logic [S-1:0]                    timely;
    logic [S-1:0]                    timely_onward;
    logic [S-1:0]                    begun;
    logic [S-1:0]                    some;
    logic [S-1:0][SUBLIST_WIDTH-1:0] sublists;
    logic [S-1:0]                    fulls;
    logic                            added_timely;
    assign added_timely = add && add_time <= now;
    for (genvar i = 0; i < S; i++) begin : g_choice
        assign sublists[i] = entries[i].sublist;
        assign fulls[i]    = entries[i].count == COUNT_WIDTH'(C)
                           || (entries[i].count == COUNT_WIDTH'(C - 1) && add && add_place[i]);
        assign some[i]     = used[i] && entries[i].count != '0;
        assign timely[i]   = ((some[i] && entries[i].bound <= now) || (added_timely && add_place[i])) && !refused[i];
        if (i == 0) begin : g_first
            assign begun[i] = 1'b1;
        end else begin : g_other
            assign begun[i] = used[i] && entries[i].separator <= key;
        end
    end
    ww_pieo_onward #(.WIDTH(S)) u_timely (.bits(timely), .onward(timely_onward));
    assign any   = timely != '0;
    assign place = by_time ? timely & ~(timely_onward << 1) : begun & ~(begun >> 1);
    assign full  = (place & fulls) != '0;
    ww_pieo_pick #(.WIDTH(SUBLIST_WIDTH), .COUNT(S)) u_sublist (.list(sublists), .choose(place), .word(sublist));
    always_comb begin
        for (int b = 0; b < SUBLIST_WIDTH; b++) begin
            logic [S-1:0] column;
            for (int i = 0; i < S; i++) column[i] = place[i] && i[b];
            index[b] = |column;
        end
    end

    // ---------------------------------------------------------------------------------------------------------
    // For the one who opens and closes.
    logic [S-1:0] empty;
    logic [S-1:0] empty_onward;
    location_t [S-1:0] locations;
    location_t    first;
    location_t    second;
    assign has_unused = !used[S-1];
    ww_pieo_pick #(.WIDTH(SUBLIST_WIDTH), .COUNT(S)) u_unused (
        .list(sublists), .choose(~used & {used[S-2:0], 1'b1}), .word(unused_sublist)
    );
    assign empty = used & ~some;
    ww_pieo_onward #(.WIDTH(S)) u_empty (.bits(empty), .onward(empty_onward));
    assign empty_place = empty & ~(empty_onward << 1);
    assign has_empty   = empty != '0 && used[1];
    for (genvar i = 0; i < S; i++) begin : g_location
        assign locations[i] = '{sublist: entries[i].sublist, count: entries[i].count};
    end
    ww_pieo_pick #(.WIDTH($bits(location_t)), .COUNT(S)) u_first (
        .list(locations), .choose(pair_place), .word(first)
    );
    ww_pieo_pick #(.WIDTH($bits(location_t)), .COUNT(S)) u_second (
        .list(locations), .choose(pair_place << 1), .word(second)
    );
    assign pair_first  = first.sublist;
    assign pair_second = second.sublist;
    assign pair_count  = first.count;
    assign pair_fits   = ((pair_place << 1) & used) != '0
                       && {1'b0, first.count} + {1'b0, second.count} <= (COUNT_WIDTH + 1)'(JOIN);

    // ---------------------------------------------------------------------------------------------------------
    // Changes.
    entry_t [S-1:0] changed;
    entry_t [S-1:0] ordered;
    entry_t         closing;
    entry_t         placed;
    logic [S:0]     insert_to;
    logic [S-1:0]   remove_to;
    logic [S-1:0]   behind;
    logic [S-1:0]   closing_to;
    ww_pieo_pick #(.WIDTH($bits(entry_t)), .COUNT(S)) u_closing (
        .list(entries), .choose(close_place), .word(closing)
    );
    // The bound of what is opened is that of the sublist that it is a half of.
    logic [TIME_BITS-1:0]            open_bound;
    logic [S-1:0][TIME_BITS-1:0]     bounds;
    for (genvar i = 0; i < S; i++) begin : g_bound
        assign bounds[i] = entries[i].bound;
    end
    ww_pieo_pick #(.WIDTH(TIME_BITS), .COUNT(S)) u_open_bound (.list(bounds), .choose(open_place), .word(open_bound));

    always_comb begin
        for (int i = 0; i < S; i++) begin
            changed[i] = entries[i];
            if (learn && learn_index == SUBLIST_WIDTH'(i)) changed[i].bound = learn_bound;
            // If all times are at most raise_now, there is no element at all.
            if (raise && raise_place[i] && raise_now != '1) changed[i].bound = raise_now + 1'b1;
            if (add && add_place[i] && (!some[i] || add_time < entries[i].bound)) changed[i].bound = add_time;
            if (add && add_place[i] && !(leave && leave_place[i])) changed[i].count = entries[i].count + 1'b1;
            if (leave && leave_place[i] && !(add && add_place[i])) changed[i].count = entries[i].count - 1'b1;
            if (open && open_place[i]) changed[i].count = COUNT_WIDTH'(LOW);
            if (close && i > 0 && close_place[i-1] && used[i]) begin
                changed[i].separator = closing.separator;
                changed[i].count     = entries[i].count + closing.count;
                if (closing.count != '0 && (closing.bound < entries[i].bound || !some[i])) changed[i].bound = closing.bound;
            end
        end
        placed = closing;
        if (open) begin
            placed.sublist   = unused_sublist;
            placed.count     = COUNT_WIDTH'(C - LOW);
            placed.separator = open_key;
            placed.bound     = open_bound;
        end
    end
    ww_pieo_onward #(.WIDTH(S)) u_behind (.bits(open_place << 1), .onward(behind));
    ww_pieo_onward #(.WIDTH(S)) u_closing_to (.bits(close_place), .onward(closing_to));
    // ~used: ones from the first that is not used up.
    assign insert_to = open ? {1'b1, behind} : close ? {1'b1, ~used} : '0;
    assign remove_to = open ? ~used : close ? closing_to : '0;
    ww_pieo_edit #(.WIDTH($bits(entry_t)), .COUNT(S)) u_order (
        .list(changed), .word(placed), .insert_to, .remove_to, .result(ordered)
    );

    always_ff @(posedge clk) begin
        entries <= ordered;
        if (open) used <= {used[S-2:0], 1'b1};
        if (close) used <= used >> 1;
        if (rst) begin
            used <= S'(1);
            for (int i = 0; i < S; i++) entries[i] <= '{sublist: SUBLIST_WIDTH'(i), default: '0};
        end
    end
endmodule
