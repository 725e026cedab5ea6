// PIEO with an operation every 2 clocks: the interface and the decisions of ww_pieo, in a pipeline of four clocks.
//
// While an operation finds the places in its rows (clock 3) and writes them (clock 4), the next one selects a sublist
// (clocks 1 and 2). It searches the pointers of all sublists but those that the operation in front changes, and judges
// the latter by their elements: would one of them fit, were the operation in front done? README.md explains it.
module ww_pieo_fast #(
    // Elements, 4 or more; the ids are 0 to N-1.
    parameter int N = 64,
    // Bits of a rank and of a time, 1 or more each. All values are legal.
    parameter int RANK_BITS = 16,
    parameter int TIME_BITS = 16,
    // Not to be set: bits of an id, of a number of elements.
    localparam int ID_WIDTH = $clog2(N),
    localparam int COUNT_WIDTH = $clog2(N + 1)
) (
    input  logic                   clk,
    input  logic                   rst,
    // An operation: 0 enqueue, 1 dequeue, 2 dequeue op_id, 3 dequeue among the ids op_lo to op_hi.
    input  logic                   op_valid,
    output logic                   op_ready,
    input  logic [1:0]             op_code,
    input  logic [ID_WIDTH-1:0]    op_id,
    input  logic [RANK_BITS-1:0]   op_rank,
    input  logic [TIME_BITS-1:0]   op_time,
    input  logic [TIME_BITS-1:0]   op_now,
    input  logic [ID_WIDTH-1:0]    op_lo,
    input  logic [ID_WIDTH-1:0]    op_hi,
    // For one clock for each operation, the fourth after it; the element that left, if result_found.
    output logic                   result_valid,
    output logic                   result_found,
    output logic [ID_WIDTH-1:0]    result_id,
    output logic [RANK_BITS-1:0]   result_rank,
    output logic [TIME_BITS-1:0]   result_time,
    // 0 none, 1 id, 2 duplicate, 4 full. (3, rank or time out of range, cannot happen with these widths.)
    output logic [2:0]             result_error,
    // Elements in the list.
    output logic [COUNT_WIDTH-1:0] occupancy
);
    function automatic int root_of(input int value);
        root_of = 1;
        while (root_of * root_of < value) root_of++;
    endfunction

    // Elements of a sublist; sublists; their widths.
    localparam int B = root_of(N);
    localparam int S = 2 * B;
    localparam int SUBLIST_WIDTH = $clog2(S);
    localparam int NUM_WIDTH = $clog2(B + 1);

    if (N < 4) begin : g_illegal_n
        $error("ww_pieo_fast: N must be 4 or more");
    end
    if (RANK_BITS < 1 || TIME_BITS < 1) begin : g_illegal_bits
        $error("ww_pieo_fast: RANK_BITS and TIME_BITS must be 1 or more");
    end

    // generated: pieo (crates/blocks/src/facts.rs)
    localparam logic [1:0] ENQUEUE = 2'd0;
    localparam logic [1:0] DEQUEUE_ID = 2'd2;
    localparam logic [1:0] DEQUEUE_RANGE = 2'd3;
    localparam logic [2:0] ERROR_NONE = 3'd0;
    localparam logic [2:0] ERROR_ID = 3'd1;
    localparam logic [2:0] ERROR_DUPLICATE = 3'd2;
    localparam logic [2:0] ERROR_FULL = 3'd4;
    // end of generated

    typedef struct packed {
        logic [ID_WIDTH-1:0]  id;
        logic [RANK_BITS-1:0] rank;
        logic [TIME_BITS-1:0] send_time;
    } element_t;

    // A row of the RAM: the elements by rank, and their times in ascending order.
    typedef struct packed {
        element_t [B-1:0]            elements;
        logic [B-1:0][TIME_BITS-1:0] times;
    } row_t;

    // A sublist: its row, and the number of its elements.
    typedef struct packed {
        logic [SUBLIST_WIDTH-1:0] sublist;
        logic [NUM_WIDTH-1:0]     num;
    } location_t;

    // Of a sublist: the smallest rank and the earliest time.
    typedef struct packed {
        logic [RANK_BITS-1:0] rank;
        logic [TIME_BITS-1:0] send_time;
    } least_t;

    typedef struct packed {
        logic [1:0]           code;
        logic [ID_WIDTH-1:0]  lo;
        logic [ID_WIDTH-1:0]  hi;
        logic [TIME_BITS-1:0] now;
        element_t             given;
    } operation_t;

    // As ww_pieo_choose tells.
    typedef enum logic [1:0] {ALONE, LEFT, RIGHT, FRESH} partner_t;

    // ---------------------------------------------------------------------------------------------------------
    // Two operations at most are under way: `front` in clocks 1 and 2, `back` in clocks 3 and 4. `second` tells the
    // second of each two clocks; operations come with its end.
    logic       second;
    logic       clearing;
    operation_t front;
    logic       front_valid;
    operation_t back;
    logic       back_valid;
    logic       front_enqueues;
    logic       front_by_id;
    logic       front_in_range;
    logic       back_enqueues;
    logic       back_in_range;
    // A dequeue in a range goes through the pipeline alone: it waits in front until nothing is in the back. It only
    // searches; it comes to the front again for the next sublist, or to take out the element that it has found.
    logic       waits;
    logic       again;
    logic       resolves;
    logic       accepts;

    assign front_enqueues = front.code == ENQUEUE;
    assign front_by_id    = front.code == ENQUEUE || front.code == DEQUEUE_ID;
    assign front_in_range = front.code == DEQUEUE_RANGE;
    assign back_enqueues  = back.code == ENQUEUE;
    assign back_in_range  = back.code == DEQUEUE_RANGE;
    assign waits          = front_valid && front_in_range && back_valid;
    assign op_ready       = second && !clearing && (front_valid ? !front_in_range : !again && !resolves);
    assign accepts        = op_valid && op_ready;

    // ---------------------------------------------------------------------------------------------------------
    // Clock 1, while the operation in the back is in its clock 3: select among the sublists that the latter leaves
    // alone, which are before or after those two.
    location_t [S-1:0]        locations;
    least_t [S-1:0]           least;
    logic [S-1:0][SUBLIST_WIDTH-1:0] sublists;
    logic [S-1:0][NUM_WIDTH-1:0]     counts;
    logic                     map_present;
    logic [SUBLIST_WIDTH-1:0] map_sublist;
    logic [S-1:0]             used;
    logic [S-1:0]             homes;
    logic [S-1:0]             refused;
    logic [S-1:0]             fits;
    logic [S-1:0]             pair_onward;
    logic [S-1:0]             fits_before;
    logic [S-1:0]             fits_after;
    logic [S-1:0]             onward_before;
    logic [S-1:0]             onward_after;
    logic [S-1:0]             choice_before;
    logic [S-1:0]             choice_after;
    // Of the operation in the back: the places of its sublists, and what becomes of the order of the pointers.
    logic [S-1:0]             pair;
    logic                     opens;
    logic                     closes;
    // Registers: the choices, where they are after the operation in the back; whether the flow is in a sublist that
    // the latter leaves alone.
    logic [S-1:0]             earlier;
    logic [S-1:0]             later;
    logic                     before_any;
    logic                     after_any;
    logic                     more;
    logic                     settled_present;

    for (genvar i = 0; i < S; i++) begin : g_select
        assign sublists[i] = locations[i].sublist;
        assign counts[i]   = locations[i].num;
        assign used[i]     = counts[i] != '0;
        assign homes[i]    = used[i] && sublists[i] == map_sublist;
        always_comb begin
            unique case (front.code)
                ENQUEUE:    fits[i] = used[i] && least[i].rank <= front.given.rank;
                DEQUEUE_ID: fits[i] = homes[i] && map_present;
                default:    fits[i] = used[i] && least[i].send_time <= front.now && !refused[i];
            endcase
        end
    end

    ww_pieo_onward #(.WIDTH(S)) u_pair (.bits(pair), .onward(pair_onward));
    assign fits_before = fits & ~pair_onward;
    assign fits_after  = fits & pair_onward & ~pair;
    ww_pieo_onward #(.WIDTH(S)) u_before (.bits(fits_before), .onward(onward_before));
    ww_pieo_onward #(.WIDTH(S)) u_after (.bits(fits_after), .onward(onward_after));
    // A dequeue takes the first that fits; an enqueue the last, up to which all fit.
    assign choice_before = fits_before & ~(front_enqueues ? fits_before >> 1 : onward_before << 1);
    assign choice_after  = fits_after & ~(front_enqueues ? fits_after >> 1 : onward_after << 1);

    always_ff @(posedge clk) begin
        if (!second) begin
            earlier          <= choice_before;
            later           <= opens ? choice_after << 1 : closes ? choice_after >> 1 : choice_after;
            before_any      <= fits_before != '0;
            after_any       <= fits_after != '0;
            more            <= (fits_before & ~choice_before) != '0;
            settled_present <= map_present && (pair & homes) == '0;
        end
    end

    // ---------------------------------------------------------------------------------------------------------
    // Clock 2, while the operation in the back is in its clock 4: select among all sublists, and read the rows.
    // Would the operation in the back, once done, leave in its main sublist, or in that of its partner, what the front
    // looks for: an element, or, for an enqueue, a first element with no larger rank?
    logic         main_fits;
    logic         other_fits;
    logic         main_begins_below;
    logic         other_begins_below;
    // Where these are, after it.
    logic [S-1:0] main_place;
    logic [S-1:0] other_place;
    logic         other_is_left;
    logic         left_any;
    logic         right_any;
    logic [S-1:0] left_place;
    logic [S-1:0] right_place;
    logic [S-1:0] place;
    logic         any;
    logic         present;
    logic [2:0]   problem;
    logic         selected;
    logic         goes;
    location_t    chosen;
    location_t    partner;
    logic [1:0]   partner_kind;
    logic [COUNT_WIDTH-1:0] elements;

    assign left_place  = other_is_left ? other_place : main_place;
    assign right_place = other_is_left ? main_place : other_place;
    always_comb begin
        if (front_enqueues) begin
            left_any  = other_is_left ? other_begins_below : main_begins_below;
            right_any = other_is_left ? main_begins_below : other_begins_below;
        end else begin
            left_any  = other_is_left ? other_fits : main_fits;
            right_any = other_is_left ? main_fits : other_fits;
        end
    end
    assign present = settled_present || main_fits || other_fits;
    always_comb begin
        problem = ERROR_NONE;
        if (front_by_id && {1'b0, front.given.id} >= (ID_WIDTH + 1)'(N)) problem = ERROR_ID;
        else if (front_enqueues && present) problem = ERROR_DUPLICATE;
        else if (front_enqueues && elements == COUNT_WIDTH'(N)) problem = ERROR_FULL;
    end
    assign selected = problem == ERROR_NONE && (front_enqueues || any);
    assign goes     = front_valid && selected && !front_in_range;

    ww_pieo_choose #(.S(S), .B(B)) u_choose (
        .sublists, .counts, .enqueues(front_enqueues), .before_any, .left_any, .right_any, .after_any,
        .before_place(earlier), .left_place, .right_place, .after_place(later),
        .any, .place, .main_sublist(chosen.sublist), .main_count(chosen.num), .partner_kind,
        .partner_sublist(partner.sublist), .partner_count(partner.num)
    );

    // ---------------------------------------------------------------------------------------------------------
    // The operation in the back: what it decided in the front. `go`: it changes the list.
    logic                     go;
    logic                     back_selected;
    logic                     back_more;
    logic [2:0]               error;
    logic [S-1:0]             back_place;
    logic [SUBLIST_WIDTH-1:0] main_sublist;
    logic [NUM_WIDTH-1:0]     main_count;
    logic [SUBLIST_WIDTH-1:0] other_sublist;
    logic [NUM_WIDTH-1:0]     other_count;
    partner_t                 kind;
    element_t                 removed;

    always_ff @(posedge clk) begin
        second <= !second;
        if (second) begin
            if (!waits) begin
                front_valid <= accepts || again || resolves;
                back        <= front;
                if (again) front <= back;
                else if (resolves) begin
                    front          <= back;
                    front.code     <= DEQUEUE_ID;
                    front.given.id <= removed.id;
                end else begin
                    front <= '{
                        code: op_code, lo: op_lo, hi: op_hi, now: op_now,
                        given: '{id: op_id, rank: op_rank, send_time: op_time}
                    };
                end
            end
            back_valid    <= front_valid && !waits;
            go            <= goes && !waits;
            back_selected <= selected;
            back_more     <= more;
            error         <= problem;
            back_place    <= place;
            main_sublist  <= chosen.sublist;
            main_count    <= chosen.num;
            other_sublist <= partner.sublist;
            other_count   <= partner.num;
            kind          <= partner_t'(partner_kind);
            if (again) refused <= refused | back_place;
            else if (back_valid) refused <= '0;
            if (goes && !waits) elements <= front_enqueues ? elements + 1'b1 : elements - 1'b1;
        end
        if (rst) begin
            second      <= 1'b0;
            front_valid <= 1'b0;
            back_valid  <= 1'b0;
            go          <= 1'b0;
            refused     <= '0;
            elements    <= '0;
        end
    end

    // ---------------------------------------------------------------------------------------------------------
    // Clock 3: find the places in the rows, and what the operation in front wants to know of their elements. The rows
    // of the operation before are not in the RAM yet.
    row_t                     main_read;
    row_t                     other_read;
    row_t                     main_here;
    row_t                     other_here;
    row_t                     main_kept;
    row_t                     other_kept;
    logic [1:0]               kept;
    logic [SUBLIST_WIDTH-1:0] main_kept_sublist;
    logic [SUBLIST_WIDTH-1:0] other_kept_sublist;
    logic [B-1:0]             main_filled;
    logic [B-1:0]             other_filled;
    logic [B-1:0]             other_last;
    logic [B-1:0]             rank_above;
    logic [B-1:0]             hits;
    logic [B-1:0]             hits_onward;
    logic [B-1:0]             main_wanted;
    logic [B-1:0]             other_wanted;
    logic                     given_wanted;
    element_t                 other_tail;

    always_comb begin
        main_here = main_read;
        if (kept[0] && main_sublist == main_kept_sublist) main_here = main_kept;
        if (kept[1] && main_sublist == other_kept_sublist) main_here = other_kept;
        other_here = other_read;
        if (kept[0] && other_sublist == main_kept_sublist) other_here = main_kept;
        if (kept[1] && other_sublist == other_kept_sublist) other_here = other_kept;
    end
    for (genvar i = 0; i < B; i++) begin : g_find
        assign main_filled[i]  = NUM_WIDTH'(i) < main_count;
        assign other_filled[i] = NUM_WIDTH'(i) < other_count;
        assign other_last[i]   = NUM_WIDTH'(i + 1) == other_count;
        assign rank_above[i]   = !main_filled[i] || main_here.elements[i].rank > back.given.rank;
        always_comb begin
            if (back.code == DEQUEUE_ID) hits[i] = main_here.elements[i].id == back.given.id;
            else hits[i] = main_here.elements[i].send_time <= back.now;
            if (back_in_range) begin
                hits[i] &= main_here.elements[i].id >= back.lo && main_here.elements[i].id <= back.hi;
            end
            hits[i] &= main_filled[i] && !back_enqueues;
            if (front_by_id) begin
                main_wanted[i]  = main_filled[i] && main_here.elements[i].id == front.given.id;
                other_wanted[i] = other_filled[i] && other_here.elements[i].id == front.given.id;
            end else begin
                main_wanted[i]  = main_filled[i] && main_here.elements[i].send_time <= front.now;
                other_wanted[i] = other_filled[i] && other_here.elements[i].send_time <= front.now;
            end
        end
    end
    assign given_wanted = front_by_id ? back.given.id == front.given.id : back.given.send_time <= front.now;

    ww_pieo_onward #(.WIDTH(B)) u_hit (.bits(hits), .onward(hits_onward));
    ww_pieo_pick #(.WIDTH($bits(element_t)), .COUNT(B)) u_other_tail (
        .list(other_here.elements), .choose(other_last), .word(other_tail)
    );

    // Registers, for clock 4.
    row_t         main_row;
    row_t         other_row;
    logic [B-1:0] above;
    logic [B-1:0] remove_to;
    logic         given_moves;
    element_t     mover;
    logic [B-1:0] main_want;
    logic [B-1:0] other_want;
    logic         given_want;
    logic [B-1:0] other_tail_bit;
    logic [1:0]   main_low;
    logic [1:0]   other_low;
    logic         given_low;

    always_ff @(posedge clk) begin
        if (!second) begin
            main_row       <= main_here;
            other_row      <= other_here;
            above          <= rank_above;
            remove_to      <= hits_onward;
            given_moves    <= back_enqueues && kind != ALONE && !rank_above[B-1];
            mover          <= back_enqueues ? main_here.elements[B-1] : kind == LEFT ? other_tail : other_here.elements[0];
            main_want      <= main_wanted;
            other_want     <= other_wanted;
            given_want     <= given_wanted;
            other_tail_bit <= other_last;
            given_low      <= back.given.rank <= front.given.rank;
            for (int i = 0; i < 2; i++) begin
                main_low[i]  <= main_here.elements[i].rank <= front.given.rank;
                other_low[i] <= other_here.elements[i].rank <= front.given.rank;
            end
        end
    end

    // Also in clock 3: the order of the pointers and the numbers of elements after the operation. A sublist that was
    // empty goes behind the main one, a sublist that is empty now to the head of the empty ones.
    typedef struct packed {
        location_t location;
        least_t    lowest;
    } pointer_t;
    pointer_t [S-1:0]     changed;
    pointer_t [S-1:0]     ordered;
    logic [S-1:0]         old_other_place;
    logic [NUM_WIDTH-1:0] main_num;
    logic [NUM_WIDTH-1:0] other_num;
    pointer_t             placed;
    logic [S:0]           place_to;
    logic [S-1:0]         take_to;
    logic [S-1:0]         behind_place;
    logic [S-1:0]         closing_to;

    always_comb begin
        main_num  = main_count;
        other_num = other_count;
        if (kind == ALONE) main_num = back_enqueues ? main_count + 1'b1 : main_count - 1'b1;
        else other_num = back_enqueues ? other_count + 1'b1 : other_count - 1'b1;
        old_other_place = '0;
        if (kind == LEFT) old_other_place = back_place >> 1;
        else if (kind == RIGHT) old_other_place = back_place << 1;
        for (int i = 0; i < S; i++) begin
            changed[i] = '{location: locations[i], lowest: least[i]};
            if (back_place[i]) changed[i].location.num = main_num;
            if (old_other_place[i]) changed[i].location.num = other_num;
        end
        placed = '{location: '{sublist: main_sublist, num: '0}, lowest: '0};
        if (kind != ALONE) placed.location = '{sublist: other_sublist, num: other_num};
    end
    assign pair   = go ? back_place | old_other_place : '0;
    assign opens  = go && kind == FRESH;
    assign closes = go && !back_enqueues && (kind == ALONE ? main_count : other_count) == NUM_WIDTH'(1);
    ww_pieo_onward #(.WIDTH(S)) u_behind (.bits(back_place << 1), .onward(behind_place));
    ww_pieo_onward #(.WIDTH(S)) u_closing (.bits(kind == ALONE ? back_place : old_other_place), .onward(closing_to));
    // ~used: ones from the first empty sublist up.
    assign place_to = opens ? {1'b1, behind_place} : closes ? {1'b1, ~used} : '0;
    assign take_to  = opens ? ~used : closes ? closing_to : '0;
    ww_pieo_edit #(.WIDTH($bits(pointer_t)), .COUNT(S)) u_order (
        .list(changed), .word(placed), .insert_to(place_to), .remove_to(take_to), .result(ordered)
    );

    // ---------------------------------------------------------------------------------------------------------
    // Clock 4: change the rows; tell the operation in front.
    row_t     main_new;
    row_t     other_new;
    logic     written;
    logic     main_full;
    logic     mover_want;
    logic     mover_low;
    logic     moved_want;
    logic     moved_low;
    logic [B-1:0] main_loses;
    logic [B-1:0] other_loses;

    assign main_full = kind != ALONE;
    ww_pieo_change #(
        .B(B), .ELEMENT_WIDTH($bits(element_t)), .TIME_BITS(TIME_BITS), .NUM_WIDTH(NUM_WIDTH)
    ) u_change (
        .main_elements(main_row.elements), .main_times(main_row.times), .main_count,
        .other_elements(other_row.elements), .other_times(other_row.times), .other_count,
        .is_enqueue(back_enqueues), .moves(main_full), .right(kind == RIGHT), .given(back.given), .given_moves, .mover,
        .rank_above(above), .remove_to,
        .main_elements_new(main_new.elements), .main_times_new(main_new.times),
        .other_elements_new(other_new.elements), .other_times_new(other_new.times), .removed
    );

    always_comb begin
        main_loses  = remove_to & ~(remove_to << 1);
        other_loses = '0;
        if (back_enqueues) main_loses[B-1] = main_full && !given_moves;
        else if (kind == LEFT) other_loses = other_tail_bit;
        else other_loses[0] = 1'b1;
        mover_want = back_enqueues ? main_want[B-1] : (other_want & other_loses) != '0;
        moved_want = given_moves ? given_want : mover_want;
        main_fits  = (main_want & ~main_loses) != '0;
        if (back_enqueues) main_fits |= !given_moves && given_want;
        else main_fits |= main_full && mover_want;
        other_fits = (other_want & ~other_loses) != '0 || (back_enqueues && moved_want);
        main_fits &= go;
        other_fits &= go && main_full;

        mover_low = mover.rank <= front.given.rank;
        moved_low = given_moves ? given_low : mover_low;
        if (back_enqueues) main_begins_below = above[0] ? given_low : main_low[0];
        else if (kind == LEFT) main_begins_below = mover_low;
        else main_begins_below = remove_to[0] ? main_low[1] : main_low[0];
        main_begins_below &= main_place != '0;
        other_begins_below = back_enqueues ? moved_low : kind == LEFT ? other_low[0] : other_low[1];
        other_begins_below &= other_place != '0;
    end

    assign again    = second && back_valid && back_in_range && back_selected && !remove_to[B-1] && back_more;
    assign resolves = second && back_valid && back_in_range && back_selected && remove_to[B-1];
    assign result_valid = second && back_valid && !again && !resolves;
    assign result_found = go && !back_enqueues;
    assign result_error = error;
    assign {result_id, result_rank, result_time} = removed;

    always_ff @(posedge clk) begin
        if (!second) begin
            if (go) begin
                for (int i = 0; i < S; i++) begin
                    locations[i] <= ordered[i].location;
                    least[i]     <= ordered[i].lowest;
                end
            end
            // Where the sublists of the back are now; none is of one that is empty now.
            main_place  <= '0;
            other_place <= '0;
            if (go) begin
                main_place <= closes && kind == ALONE ? '0 : closes && kind == LEFT ? old_other_place : back_place;
                if (opens) other_place <= back_place << 1;
                else if (!closes) other_place <= old_other_place;
            end
            other_is_left <= kind == LEFT;
        end else begin
            for (int i = 0; i < S; i++) begin
                if (main_place[i]) least[i] <= '{rank: main_new.elements[0].rank, send_time: main_new.times[0]};
                if (other_place[i]) least[i] <= '{rank: other_new.elements[0].rank, send_time: other_new.times[0]};
            end
            if (go) begin
                main_kept          <= main_new;
                other_kept         <= other_new;
                main_kept_sublist  <= main_sublist;
                other_kept_sublist <= other_sublist;
                kept               <= {main_full, 1'b1};
                occupancy          <= back_enqueues ? occupancy + 1'b1 : occupancy - 1'b1;
            end
        end
        written <= second && go;
        if (rst) begin
            written     <= 1'b0;
            kept        <= '0;
            main_place  <= '0;
            other_place <= '0;
            occupancy   <= '0;
            for (int i = 0; i < S; i++) locations[i] <= '{sublist: SUBLIST_WIDTH'(i), num: '0};
        end
    end

    // The RAM reads at the end of a clock 2, and writes a clock after the end of a clock 4: in turn.
    ww_ram_tdp #(.WIDTH($bits(row_t)), .DEPTH(S)) u_rows (
        .clk,
        .a_en(second || written), .a_write(!second), .a_addr(second ? chosen.sublist : main_kept_sublist),
        .a_wdata(main_kept), .a_rdata(main_read),
        .b_en(second || (written && kept[1])), .b_write(!second),
        .b_addr(second ? partner.sublist : other_kept_sublist), .b_wdata(other_kept), .b_rdata(other_read)
    );

    // Which sublist each flow is in: the flow that came or left, and the one that moved.
    ww_pieo_map #(.N(N), .SUBLIST_WIDTH(SUBLIST_WIDTH)) u_map (
        .clk, .rst, .clearing,
        .read_id(resolves ? removed.id : op_id), .read_present(map_present), .read_sublist(map_sublist),
        .write(second && go), .write_change({main_full && !given_moves, 1'b1}),
        .write_id({mover.id, back_enqueues ? back.given.id : removed.id}),
        .write_present({1'b1, back_enqueues}),
        .write_sublist({back_enqueues ? other_sublist : main_sublist, given_moves ? other_sublist : main_sublist})
    );
endmodule
