// PIEO: an ordered list of N elements {id, rank, send_time}, from which the smallest-ranked element whose time has
// come leaves; the architecture of the PIEO paper with 4 clocks for every operation.
//
// The elements are in 2B sublists of B = ceil(sqrt N), rows of a RAM; an array of pointers in flip-flops has the
// sublists in the order of their ranks. An operation selects a sublist in the pointers (clock 1), reads it and, if it
// is full, a neighbour (clock 2), finds the places (clock 3), and writes back (clock 4). See README.md for the
// operations, the errors and the differences from the paper.
module ww_pieo #(
    // Elements, 4 or more; the ids are 0 to N-1.
    parameter int N = 64,
    // Bits of a rank and of a time, 1 or more each. All values are legal.
    parameter int RANK_BITS = 16,
    parameter int TIME_BITS = 16,
    // Ids of a parent, a power of two: a dequeue in the range k PARENT_SIZE to (k+1) PARENT_SIZE - 1 takes 4 clocks, as
    // any other operation. From N up there is one parent.
    parameter int PARENT_SIZE = 1 << $clog2(N),
    // 1: least_any and least_time are there; 0: they are zero, and cost nothing.
    parameter bit LEAST = 0,
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
    output logic [COUNT_WIDTH-1:0] occupancy,
    // The least send time of the elements of a parent, that of the id least_of, two clocks after least_of and the list
    // are so: in the third clock after a result. least_any: there are such elements.
    input  logic [ID_WIDTH-1:0]    least_of,
    output logic                   least_any,
    output logic [TIME_BITS-1:0]   least_time
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
    // Parents; bits of an entry of the list of times, which has the parent in its high bits if there are several.
    localparam int PARENTS = (N + PARENT_SIZE - 1) / PARENT_SIZE;
    localparam int PARENT_LOW = $clog2(PARENT_SIZE);
    localparam int ENTRY_WIDTH = TIME_BITS + (PARENTS > 1 ? $clog2(PARENTS) : 0);

    if (N < 4) begin : g_illegal_n
        $error("ww_pieo: N must be 4 or more");
    end
    if (RANK_BITS < 1 || TIME_BITS < 1) begin : g_illegal_bits
        $error("ww_pieo: RANK_BITS and TIME_BITS must be 1 or more");
    end

    if (PARENT_SIZE < 2 || 1 << PARENT_LOW != PARENT_SIZE) begin : g_illegal_parent
        $error("ww_pieo: PARENT_SIZE must be a power of two, 2 or more");
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

    // A row of the RAM: the elements by rank, and their times in ascending order. The number of elements is in the
    // pointer; places from there up hold anything.
    typedef struct packed {
        element_t [B-1:0]              elements;
        logic [B-1:0][ENTRY_WIDTH-1:0] times;
    } row_t;

    // A sublist: its row, and the number of its elements.
    typedef struct packed {
        logic [SUBLIST_WIDTH-1:0] sublist;
        logic [NUM_WIDTH-1:0]     num;
    } location_t;

    // The ranks and times are those of the first element and the earliest time; they mean nothing if num is 0.
    typedef struct packed {
        logic [SUBLIST_WIDTH-1:0] sublist;
        logic [NUM_WIDTH-1:0]     num;
        logic [RANK_BITS-1:0]     rank;
        logic [TIME_BITS-1:0]     send_time;
    } pointer_t;

    // ---------------------------------------------------------------------------------------------------------
    // The operation under way. `clock` has one bit for each of its four clocks.
    logic [4:1]             clock;
    logic                   clearing;
    logic                   retry;
    logic [1:0]             code;
    logic [ID_WIDTH-1:0]    lo;
    logic [ID_WIDTH-1:0]    hi;
    logic [TIME_BITS-1:0]   now;
    element_t               given;
    logic                   is_enqueue;
    logic                   by_id;

    assign op_ready   = clock[3:1] == '0 && !retry && !clearing;
    assign is_enqueue = code == ENQUEUE;
    assign by_id      = code == DEQUEUE_ID;

    always_ff @(posedge clk) begin
        clock[1] <= (op_valid && op_ready) || retry;
        clock[2] <= clock[1];
        clock[3] <= clock[2];
        clock[4] <= clock[3];
        if (op_valid && op_ready) begin
            code  <= op_code;
            lo    <= op_lo;
            hi    <= op_hi;
            now   <= op_now;
            given <= '{id: op_id, rank: op_rank, send_time: op_time};
        end
        if (rst) clock <= '0;
    end

    // ---------------------------------------------------------------------------------------------------------
    // Clock 1: select a sublist.
    pointer_t [S-1:0]         pointers;
    logic                     present;
    logic [SUBLIST_WIDTH-1:0] home;
    logic [S-1:0]             used;
    logic [S-1:0]             refused;
    logic [S-1:0]             candidates;
    logic [S-1:0]             fits;
    // The range is that of a parent; which sublists have an eligible element of it.
    logic                     of_parent;
    logic [S-1:0]             parent_fits;
    logic [S-1:0]             first_fit;
    logic [S-1:0]             fits_onward;
    logic [2:0]               problem;
    // Where it is in the array of pointers, and whether there is one: registers.
    logic [S-1:0]             place;
    logic                     selected;
    logic [2:0]               error;

    for (genvar i = 0; i < S; i++) begin : g_select
        logic behind;
        assign used[i] = pointers[i].num != '0;
        // For an enqueue: the last sublist that begins with the rank or a smaller one; else the first sublist.
        if (i == S - 1) begin : g_last
            assign behind = 1'b1;
        end else begin : g_not_last
            assign behind = !used[i+1] || pointers[i+1].rank > given.rank;
        end
        always_comb begin
            unique case (code)
                ENQUEUE:    fits[i] = behind;
                DEQUEUE_ID: fits[i] = used[i] && pointers[i].sublist == home;
                default: begin
                    fits[i] = used[i] && !refused[i];
                    fits[i] &= of_parent ? parent_fits[i] : pointers[i].send_time <= now;
                end
            endcase
        end
    end

    ww_pieo_onward #(.WIDTH(S)) u_select (.bits(fits), .onward(fits_onward));
    assign first_fit = fits_onward & ~(fits_onward << 1);

    always_comb begin
        problem = ERROR_NONE;
        if ((is_enqueue || by_id) && {1'b0, given.id} >= (ID_WIDTH + 1)'(N)) problem = ERROR_ID;
        else if (is_enqueue && present) problem = ERROR_DUPLICATE;
        else if (is_enqueue && occupancy == COUNT_WIDTH'(N)) problem = ERROR_FULL;
    end

    always_ff @(posedge clk) begin
        if (clock[1]) begin
            place      <= first_fit;
            candidates <= fits & ~first_fit;
            selected   <= fits_onward[S-1] && problem == ERROR_NONE && (!by_id || present);
            error      <= problem;
        end
    end

    // ---------------------------------------------------------------------------------------------------------
    // Clock 2: read it, and the sublist that takes an element from it or gives one to it.
    typedef enum logic [1:0] {ALONE, LEFT, RIGHT, FRESH} partner_t;
    location_t [S-1:0]  locations;
    location_t          chosen;
    location_t          left;
    location_t          right;
    location_t          fresh;
    logic [S-1:0]       end_of_used;
    logic               full;
    partner_t           partner_kind;
    location_t          partner;
    // Registers.
    logic [SUBLIST_WIDTH-1:0] main_sublist;
    logic [SUBLIST_WIDTH-1:0] other_sublist;
    logic [NUM_WIDTH-1:0]     main_count;
    logic [NUM_WIDTH-1:0]     other_count;
    partner_t           kind;
    logic               main_full;
    // Which sublists this operation, a dequeue in a range, has looked at in vain.
    logic               range_over;

    always_comb begin
        for (int i = 0; i < S; i++) locations[i] = '{sublist: pointers[i].sublist, num: pointers[i].num};
    end
    assign end_of_used = ~used & {used[S-2:0], 1'b1};

    ww_pieo_pick #(.WIDTH($bits(location_t)), .COUNT(S)) u_main (.list(locations), .choose(place), .word(chosen));
    ww_pieo_pick #(.WIDTH($bits(location_t)), .COUNT(S)) u_left (.list(locations), .choose(place >> 1), .word(left));
    ww_pieo_pick #(.WIDTH($bits(location_t)), .COUNT(S)) u_right (.list(locations), .choose(place << 1), .word(right));
    ww_pieo_pick #(.WIDTH($bits(location_t)), .COUNT(S)) u_fresh (.list(locations), .choose(end_of_used), .word(fresh));

    assign full = chosen.num == NUM_WIDTH'(B);

    always_comb begin
        partner_kind = ALONE;
        partner      = fresh;
        if (full) begin
            if (is_enqueue) partner_kind = right.num != '0 && right.num != NUM_WIDTH'(B) ? RIGHT : FRESH;
            else if (left.num != '0 && left.num != NUM_WIDTH'(B)) partner_kind = LEFT;
            else if (right.num != '0 && right.num != NUM_WIDTH'(B)) partner_kind = RIGHT;
        end
        if (partner_kind == LEFT) partner = left;
        else if (partner_kind == RIGHT) partner = right;
    end

    always_ff @(posedge clk) begin
        if (clock[2]) begin
            main_sublist  <= chosen.sublist;
            other_sublist <= partner.sublist;
            main_count    <= chosen.num;
            other_count   <= partner.num;
            main_full  <= full;
            kind       <= selected ? partner_kind : ALONE;
            range_over <= code != DEQUEUE_RANGE || candidates == '0;
        end
    end

    // ---------------------------------------------------------------------------------------------------------
    // Clock 3: find the places by rank, by time or by id. The element on the move goes from a full sublist of an
    // enqueue to the head of its right neighbour, or comes to the full sublist of a dequeue.
    row_t                        main_read;
    row_t                        other_read;
    logic [B-1:0]                main_filled;
    logic [B-1:0]                other_last;
    logic [B-1:0]                rank_above;
    logic [B-1:0]                hits;
    logic [B-1:0]                hits_onward;
    logic                        tail_rule;
    element_t                    other_tail;
    // Registers.
    row_t                        main_row;
    row_t                        other_row;
    logic [B-1:0]                above;
    logic [B-1:0]                remove_to;
    element_t                    mover;
    logic                        given_moves;
    logic                        hit_any;
    logic                        done;

    for (genvar i = 0; i < B; i++) begin : g_find
        assign main_filled[i] = NUM_WIDTH'(i) < main_count;
        assign other_last[i]  = NUM_WIDTH'(i + 1) == other_count;
        assign rank_above[i] = !main_filled[i] || main_read.elements[i].rank > given.rank;
        always_comb begin
            hits[i] = main_filled[i] && main_read.elements[i].send_time <= now;
            if (by_id) hits[i] = main_filled[i] && main_read.elements[i].id == given.id;
            if (code == DEQUEUE_RANGE) begin
                hits[i] &= main_read.elements[i].id >= lo && main_read.elements[i].id <= hi;
            end
        end
    end

    ww_pieo_onward #(.WIDTH(B)) u_hit (.bits(hits), .onward(hits_onward));
    ww_pieo_pick #(.WIDTH($bits(element_t)), .COUNT(B)) u_other_tail (
        .list(other_read.elements), .choose(other_last), .word(other_tail)
    );

    // The given element itself moves on if its rank is not below any in the full sublist.
    assign tail_rule = main_full && !rank_above[B-1];

    always_ff @(posedge clk) begin
        if (clock[3]) begin
            main_row       <= main_read;
            other_row      <= other_read;
            mover          <= is_enqueue ? main_read.elements[B-1] : kind == LEFT ? other_tail : other_read.elements[0];
            given_moves    <= is_enqueue && tail_rule;
            above          <= rank_above;
            remove_to      <= is_enqueue ? '0 : hits_onward;
            hit_any        <= hits_onward[B-1];
            done           <= selected && (is_enqueue || hits_onward[B-1]);
        end
    end

    // ---------------------------------------------------------------------------------------------------------
    // Clock 4: change the rows and the pointers.
    element_t                    removed;
    row_t                        main_new;
    row_t                        other_new;
    logic                        write_back;

    ww_pieo_change #(
        .B(B), .ELEMENT_WIDTH($bits(element_t)), .TIME_BITS(TIME_BITS), .NUM_WIDTH(NUM_WIDTH),
        .ENTRY_WIDTH(ENTRY_WIDTH), .TAG_FROM(RANK_BITS + TIME_BITS + PARENT_LOW)
    ) u_change (
        .main_elements(main_row.elements), .main_times(main_row.times), .main_count,
        .other_elements(other_row.elements), .other_times(other_row.times), .other_count,
        .is_enqueue, .moves(kind != ALONE), .right(kind == RIGHT), .given, .given_moves, .mover,
        .rank_above(above), .remove_to,
        .main_elements_new(main_new.elements), .main_times_new(main_new.times),
        .other_elements_new(other_new.elements), .other_times_new(other_new.times), .removed
    );

    ww_ram_tdp #(.WIDTH($bits(row_t)), .DEPTH(S)) u_rows (
        .clk,
        .a_en(clock[2] || write_back), .a_write(clock[4]), .a_addr(clock[4] ? main_sublist : chosen.sublist),
        .a_wdata(main_new), .a_rdata(main_read),
        .b_en(clock[2] || (write_back && kind != ALONE)), .b_write(clock[4]),
        .b_addr(clock[4] ? other_sublist : partner.sublist), .b_wdata(other_new), .b_rdata(other_read)
    );
    assign write_back = clock[4] && done;
    // A dequeue in a range goes on to the next sublist if this one has an eligible element, but none of the range.
    assign retry = clock[4] && selected && !is_enqueue && !hit_any && !range_over;

    // The pointers with their new contents, and then their order: a sublist that was empty goes behind the main
    // one, a sublist that is empty now to the head of the empty ones. Of two, only one can be either.
    logic [NUM_WIDTH-1:0]      main_num;
    logic [NUM_WIDTH-1:0]      other_num;
    pointer_t                  main_pointer;
    pointer_t                  other_pointer;
    pointer_t [S-1:0]          changed;
    pointer_t [S-1:0]          ordered;
    logic [S-1:0]              other_place;
    logic [S-1:0]              empties;
    logic                      opens;
    logic                      closes;
    pointer_t                  placed;
    logic [S:0]                place_to;
    logic [S-1:0]              take_to;
    logic [S-1:0]              behind_place;
    logic [S-1:0]              closing_to;

    always_comb begin
        main_num  = main_count;
        other_num = other_count;
        if (is_enqueue) begin
            if (kind == ALONE) main_num = main_count + 1'b1;
            else other_num = other_count + 1'b1;
        end else begin
            if (kind == ALONE) main_num = main_count - 1'b1;
            else other_num = other_count - 1'b1;
        end
        main_pointer = '{
            sublist: main_sublist, num: main_num, rank: main_new.elements[0].rank, send_time: main_new.times[0][TIME_BITS-1:0]
        };
        other_pointer = '{
            sublist: other_sublist, num: other_num, rank: other_new.elements[0].rank, send_time: other_new.times[0][TIME_BITS-1:0]
        };
        other_place = '0;
        if (kind == LEFT) other_place = place >> 1;
        else if (kind == RIGHT) other_place = place << 1;
        for (int i = 0; i < S; i++) begin
            changed[i] = pointers[i];
            if (place[i]) changed[i] = main_pointer;
            if (other_place[i]) changed[i] = other_pointer;
        end
        opens   = kind == FRESH;
        closes  = !is_enqueue && (kind == ALONE ? main_num == '0 : other_num == '0);
        empties = kind == ALONE ? place : other_place;
        placed  = kind == ALONE ? main_pointer : other_pointer;
    end
    ww_pieo_onward #(.WIDTH(S)) u_behind (.bits(place << 1), .onward(behind_place));
    ww_pieo_onward #(.WIDTH(S)) u_closing (.bits(empties), .onward(closing_to));
    // ~used: ones from the first empty sublist up.
    assign place_to = opens ? {1'b1, behind_place} : closes ? {1'b1, ~used} : '0;
    assign take_to  = opens ? ~used : closes ? closing_to : '0;
    ww_pieo_edit #(.WIDTH($bits(pointer_t)), .COUNT(S)) u_order (
        .list(changed), .word(placed), .insert_to(place_to), .remove_to(take_to), .result(ordered)
    );

    // What each sublist has of the parent of least_of.
    logic [S-1:0]                least_valid;
    logic [S-1:0][TIME_BITS-1:0] least_times;

    if (PARENTS > 1) begin : g_parents
        localparam int PARENT_WIDTH = $clog2(PARENTS);
        localparam logic [ID_WIDTH-1:0] LOW = ID_WIDTH'(PARENT_SIZE - 1);
        assign of_parent = code == DEQUEUE_RANGE && lo >> PARENT_LOW == hi >> PARENT_LOW && (lo & LOW) == '0
            && ((hi & LOW) == LOW || hi == ID_WIDTH'(N - 1));
        ww_pieo_parents #(
            .B(B), .S(S), .PARENTS(PARENTS), .TIME_BITS(TIME_BITS), .NUM_WIDTH(NUM_WIDTH)
        ) u_parents (
            .clk, .parent(PARENT_WIDTH'(lo >> PARENT_LOW)), .now, .fits(parent_fits), .write(write_back),
            .main_times(main_new.times), .main_num, .main_place(place), .other_times(other_new.times), .other_num,
            .other_place, .other_is_placed(kind != ALONE), .place_to, .take_to,
            .least_parent(PARENT_WIDTH'(least_of >> PARENT_LOW)), .least_valid, .least_times
        );
    end else begin : g_no_parents
        assign of_parent   = 1'b0;
        assign parent_fits = '0;
        assign least_valid = used;
        for (genvar i = 0; i < S; i++) begin : g_times
            assign least_times[i] = pointers[i].send_time;
        end
        logic [ID_WIDTH-1:0] unused;
        assign unused = least_of;
    end

    if (LEAST) begin : g_least
        ww_pieo_earliest #(.S(S), .TIME_BITS(TIME_BITS)) u_earliest (
            // Sublists that are not in use hold anything.
            .clk, .valid(least_valid & used), .times(least_times), .any(least_any), .earliest(least_time)
        );
    end else begin : g_no_least
        logic [S*(TIME_BITS+1)-1:0] unused;
        assign unused     = {least_valid, least_times};
        assign least_any  = 1'b0;
        assign least_time = '0;
    end

    always_ff @(posedge clk) begin
        if (write_back) begin
            pointers  <= ordered;
            occupancy <= is_enqueue ? occupancy + 1'b1 : occupancy - 1'b1;
        end
        if (clock[4]) refused <= retry ? refused | place : '0;
        if (rst) begin
            refused   <= '0;
            occupancy <= '0;
            for (int i = 0; i < S; i++) begin
                pointers[i] <= '{sublist: SUBLIST_WIDTH'(i), default: '0};
            end
        end
    end

    assign result_valid = clock[4] && !retry;
    assign result_found = selected && !is_enqueue && hit_any;
    assign result_error = error;
    assign {result_id, result_rank, result_time} = removed;

    // ---------------------------------------------------------------------------------------------------------
    // Which sublist each flow is in: the flow that came or left, and the one that moved.
    ww_pieo_map #(.N(N), .SUBLIST_WIDTH(SUBLIST_WIDTH)) u_map (
        .clk, .rst, .clearing,
        .read_id(op_id), .read_present(present), .read_sublist(home),
        .write(write_back), .write_change({kind != ALONE && !given_moves, 1'b1}),
        .write_id({mover.id, is_enqueue ? given.id : removed.id}),
        .write_present({1'b1, is_enqueue}),
        .write_sublist({is_enqueue ? other_sublist : main_sublist, given_moves ? other_sublist : main_sublist})
    );
endmodule
