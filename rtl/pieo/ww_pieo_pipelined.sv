// PIEO with an operation every clock: the interface and the decisions of ww_pieo.
//
// Each operation changes one row of the RAM. Which one is known without waiting for the operations in front: sublists
// begin at separators that stay, and a dequeue goes to the first sublist whose bound of times allows it. If there is
// nothing after all, it tries the next one. README.md explains it.
module ww_pieo_pipelined #(
    // Elements, 4 or more; the ids are 0 to N-1.
    parameter int N = 64,
    // Bits of a rank and of a time, 1 or more each. All values are legal.
    parameter int RANK_BITS = 16,
    parameter int TIME_BITS = 16,
    // Elements of a sublist, 4 or more. 0: what README.md says.
    parameter int ROW = 0,
    // Bits of the number of enqueues, which orders equal ranks: after 2^ARRIVAL_BITS of them without the list being
    // empty once, equal ranks may leave in a wrong order. At 250 MHz 48 bits last 13 days of an enqueue every clock.
    parameter int ARRIVAL_BITS = 48,
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
    // For one clock for each operation, in their order, the fourth after it if nothing was in the way; the element that
    // left, if result_found.
    output logic                   result_valid,
    output logic                   result_found,
    output logic [ID_WIDTH-1:0]    result_id,
    output logic [RANK_BITS-1:0]   result_rank,
    output logic [TIME_BITS-1:0]   result_time,
    // 0 none, 1 id, 2 duplicate. (3, rank or time out of range, cannot happen with these widths; 4, full, not with
    // these ids.)
    output logic [2:0]             result_error,
    // Elements in the list.
    output logic [COUNT_WIDTH-1:0] occupancy
);
    function automatic int root_of(input int value);
        root_of = 1;
        while (root_of * root_of < value) root_of++;
    endfunction

    function automatic int row_of(input int n);
        row_of = 2 * root_of(n);
        if (row_of < 32) row_of = 32;
        if (row_of > n) row_of = n;
    endfunction

    // Elements of a sublist. Sublists: so many that if all are used, two neighbours fit into three quarters of one.
    localparam int C = ROW != 0 ? ROW : row_of(N);
    localparam int S = 2 * ((4 * N + 3 * C - 1) / (3 * C));
    localparam int SUBLIST_WIDTH = $clog2(S);
    localparam int KEY_BITS = RANK_BITS + ARRIVAL_BITS;

    if (N < 4) begin : g_illegal_n
        $error("ww_pieo_pipelined: N must be 4 or more");
    end
    if (RANK_BITS < 1 || TIME_BITS < 1) begin : g_illegal_bits
        $error("ww_pieo_pipelined: RANK_BITS and TIME_BITS must be 1 or more");
    end
    if (C < 4) begin : g_illegal_row
        $error("ww_pieo_pipelined: ROW must be 4 or more");
    end

    // generated: pieo (crates/blocks/src/facts.rs)
    localparam logic [1:0] ENQUEUE = 2'd0;
    localparam logic [1:0] DEQUEUE_ID = 2'd2;
    localparam logic [1:0] DEQUEUE_RANGE = 2'd3;
    localparam logic [2:0] ERROR_NONE = 3'd0;
    localparam logic [2:0] ERROR_ID = 3'd1;
    localparam logic [2:0] ERROR_DUPLICATE = 3'd2;
    // end of generated

    typedef struct packed {
        logic                 valid;
        logic [ID_WIDTH-1:0]  id;
        logic [RANK_BITS-1:0] rank;
        logic [TIME_BITS-1:0] send_time;
    } element_t;
    typedef element_t [C-1:0] row_t;

    typedef struct packed {
        logic [RANK_BITS-1:0]    rank;
        logic [ARRIVAL_BITS-1:0] arrival;
    } stamp_t;

    // What is known of a flow: whether it is in the list, and with which key.
    typedef struct packed {
        logic   present;
        stamp_t stamp;
    } flow_t;

    typedef struct packed {
        logic [1:0]           code;
        logic [TIME_BITS-1:0] now;
        logic [ID_WIDTH-1:0]  lo;
        logic [ID_WIDTH-1:0]  hi;
        element_t             given;
    } operation_t;

    // An operation on its way: acts: it changes the row at this place; else it has only a result.
    typedef struct packed {
        operation_t               op;
        logic                     acts;
        logic [2:0]               error;
        stamp_t                   stamp;
        logic [S-1:0]             place;
        logic [SUBLIST_WIDTH-1:0] sublist;
    } chosen_t;

    typedef enum logic [2:0] {RUN, SPLIT_ROW, SPLIT_HIGH, CLOSE, SCAN, JOIN_FIRST, JOIN_SECOND, JOIN} state_t;
    state_t state;
    logic   clearing;
    logic   joined;

    function automatic logic by_time(input logic [1:0] code);
        by_time = code != ENQUEUE && code != DEQUEUE_ID;
    endfunction

    // ---------------------------------------------------------------------------------------------------------
    // Clock 1: what the map knows of the flow arrives. The map is written in clock 4, so an operation looks out for
    // what is written until it has left clock 2.
    logic       first_valid;
    operation_t first;
    flow_t      first_flow;
    logic       first_moves;
    logic       map_write;
    logic [ID_WIDTH-1:0] map_write_id;
    flow_t      map_write_flow;
    stamp_t     middle_key;
    logic       map_read_middle;
    logic [ID_WIDTH-1:0] middle_id;

    assign first.given.valid = 1'b1;
    ww_pieo_entrance #(
        .N(N), .OP_WIDTH($bits(operation_t) - 1 - ID_WIDTH), .KEY_BITS(KEY_BITS)
    ) u_entrance (
        .clk, .rst, .op_valid, .op_ready, .op_id, .op({op_code, op_now, op_lo, op_hi, op_rank, op_time}), .clearing,
        .first_valid, .first_id(first.given.id),
        .first({first.code, first.now, first.lo, first.hi, first.given.rank, first.given.send_time}),
        .first_flow, .first_moves,
        .write(map_write), .write_id(map_write_id), .write_flow(map_write_flow),
        .look_up(map_read_middle), .look_up_id(middle_id), .look_up_key(middle_key)
    );

    // ---------------------------------------------------------------------------------------------------------
    // Clock 2: choose the sublist, read its row.
    logic       second_valid;
    operation_t second;
    flow_t      second_flow;
    logic       second_leaves;
    // A dequeue in clock 3 that finds nothing where it looks (`retry`) comes back here from clock 4 (`fourth_looks`), and the
    // operation behind it, which has gone to clock 3 meanwhile and is not valid there, after it (`recalled`).
    logic       recalled_valid;
    operation_t recalled;
    flow_t      recalled_flow;
    logic [S-1:0] refused;
    logic [S-1:0] refuses;
    logic       retry;
    chosen_t    third;
    logic       third_valid;
    logic       third_went;
    logic       third_again;
    flow_t      third_flow;
    logic       fourth_again;
    // Clock 4 does not need all of it.
    chosen_t    fourth;
    logic       fourth_valid;
    logic       fourth_looks;

    operation_t               now_op;
    logic                     now_valid;
    logic                     now_enqueues;
    logic                     now_by_id;
    flow_t                    now_told;
    flow_t                    now_flow;
    logic                     now_bad;
    logic                     now_unsure;
    logic                     now_acts;
    logic                     now_crowded;
    logic                     goes;
    logic                     quiet;
    stamp_t                   key;
    logic                     any;
    logic [S-1:0]             place;
    logic [SUBLIST_WIDTH-1:0] index;
    logic [SUBLIST_WIDTH-1:0] sublist;
    logic                     full;
    logic                     has_unused;
    logic [SUBLIST_WIDTH-1:0] unused_sublist;
    logic                     has_empty;
    logic [S-1:0]             empty_place;
    logic [ARRIVAL_BITS-1:0]  arrival;

    assign now_valid    = fourth_looks || recalled_valid || second_valid;
    assign now_op       = fourth_looks ? fourth.op : recalled_valid ? recalled : second;
    assign now_told     = recalled_valid ? recalled_flow : second_flow;
    assign now_enqueues = now_op.code == ENQUEUE;
    assign now_by_id    = !by_time(now_op.code);
    // The operations in front that name the same flow decide; of a dequeue in front it is not known whom it takes, only
    // from which sublist. So for a flow that is in the list, `place` is where it is, also for an enqueue.
    always_comb begin
        now_flow   = now_told;
        now_unsure = 1'b0;
        if (fourth_valid && fourth.acts) begin
            if (by_time(fourth.op.code)) now_unsure = (fourth.place & place) != '0;
            else if (fourth.op.given.id == now_op.given.id) begin
                now_flow = '{present: fourth.op.code == ENQUEUE, stamp: fourth.stamp};
            end
        end
        if (third_valid && third.acts) begin
            if (by_time(third.op.code)) now_unsure |= (third.place & place) != '0;
            else if (third.op.given.id == now_op.given.id) begin
                now_flow = '{present: third.op.code == ENQUEUE, stamp: third.stamp};
            end
        end
        now_unsure &= now_by_id && now_flow.present && !now_bad;
    end
    assign key         = now_flow.present ? now_flow.stamp : '{rank: now_op.given.rank, arrival: arrival};
    assign now_bad     = now_by_id && {1'b0, now_op.given.id} >= (ID_WIDTH + 1)'(N);
    assign now_acts    = !now_bad && (now_by_id ? now_flow.present != now_enqueues : any);
    assign now_crowded = now_enqueues && now_acts && full;
    assign goes        = state == RUN && now_valid && !now_unsure && !now_crowded;
    assign second_leaves = goes && !fourth_looks && !recalled_valid;
    assign first_moves = first_valid && (!second_valid || second_leaves);
    assign quiet       = !third_valid && !fourth_valid && !fourth_looks;
    assign refuses     = fourth_looks ? (fourth_again ? refused : '0) | fourth.place : '0;

    always_ff @(posedge clk) begin
        if (first_moves) second <= first;
        second_valid <= first_moves || (second_valid && !second_leaves);
        if (map_write && map_write_id == (first_moves ? first.given.id : second.given.id)) second_flow <= map_write_flow;
        else if (first_moves) second_flow <= first_flow;
        if (fourth_looks) refused <= refuses;
        third_valid <= goes && !retry;
        third_went  <= goes;
        third_again <= fourth_looks;
        third_flow  <= map_write && map_write_id == now_op.given.id ? map_write_flow : now_told;
        third <= '{
            op: now_op, acts: now_acts,
            error: now_bad ? ERROR_ID : now_enqueues && now_flow.present ? ERROR_DUPLICATE : ERROR_NONE,
            stamp: key, place: place, sublist: sublist
        };
        if (fourth_looks && third_went) begin
            recalled_valid <= 1'b1;
            recalled       <= third.op;
            recalled_flow  <= third_flow;
        end else begin
            if (goes && !fourth_looks) recalled_valid <= 1'b0;
            if (map_write && map_write_id == recalled.given.id) recalled_flow <= map_write_flow;
        end
        if (goes && now_enqueues) arrival <= arrival + 1'b1;
        else if (quiet && !now_valid && occupancy == '0 && !has_empty) arrival <= '0;
        if (rst) begin
            second_valid   <= 1'b0;
            recalled_valid <= 1'b0;
            third_valid    <= 1'b0;
            arrival        <= '0;
        end
    end

    // ---------------------------------------------------------------------------------------------------------
    // Clock 3: the directory learns of an element that comes; find the place in the row. What the operation in front does
    // to the same row is not done yet: the row is asked as it was, and the answers are moved as the elements will be.
    row_t         read_row;
    row_t         written_row;
    row_t         fourth_row;
    row_t         changed_row;
    row_t         base;
    logic         adds;
    logic         same_as_fourth;
    logic         written;
    logic [SUBLIST_WIDTH-1:0] written_sublist;
    logic [C-1:0] asked;
    logic         asked_given;
    logic [C-1:0] answers;
    logic [C-1:0] answers_onward;
    logic [C:0]   insert_to;
    logic [C-1:0] remove_to;

    function automatic logic answers_to(input operation_t op, input element_t element);
        unique case (op.code)
            ENQUEUE:       answers_to = !element.valid || element.rank > op.given.rank;
            DEQUEUE_ID:    answers_to = element.valid && element.id == op.given.id;
            DEQUEUE_RANGE: answers_to = element.valid && element.send_time <= op.now && element.id >= op.lo && element.id <= op.hi;
            default:       answers_to = element.valid && element.send_time <= op.now;
        endcase
    endfunction

    assign adds           = third_valid && third.acts && third.op.code == ENQUEUE;
    assign same_as_fourth = fourth_valid && fourth.acts && fourth.sublist == third.sublist;
    assign base = same_as_fourth ? fourth_row : written && written_sublist == third.sublist ? written_row : read_row;
    for (genvar i = 0; i < C; i++) begin : g_ask
        assign asked[i] = answers_to(third.op, base[i]);
    end
    // What comes in is the element of an enqueue, or an empty place behind the last one.
    assign asked_given = answers_to(third.op, fourth.op.code == ENQUEUE ? fourth.op.given : '0);
    ww_pieo_edit #(.WIDTH(1), .COUNT(C)) u_answers (
        .list(asked), .word(asked_given), .insert_to(same_as_fourth ? insert_to : '0),
        .remove_to(same_as_fourth ? remove_to : '0), .result(answers)
    );
    ww_pieo_onward #(.WIDTH(C)) u_answers_onward (.bits(answers), .onward(answers_onward));
    assign retry = third_valid && third.acts && by_time(third.op.code) && answers == '0;

    // ---------------------------------------------------------------------------------------------------------
    // Clock 4: change the row, give the result. Rows that are split or joined pass here too.
    // Without whether they are valid: all that leave are.
    logic [C-1:0][$bits(element_t)-2:0] leaving;
    element_t       joining;
    logic [C-1:0]   join_bit;
    logic           write;
    logic           writes_row;
    row_t           write_row;
    logic [SUBLIST_WIDTH-1:0] write_sublist;

    for (genvar i = 0; i < C; i++) begin : g_leaving
        assign leaving[i] = fourth_row[i][$bits(element_t)-2:0];
    end
    ww_pieo_pick #(.WIDTH($bits(element_t) - 1), .COUNT(C)) u_leaving (
        .list(leaving), .choose(remove_to & ~(remove_to << 1)), .word({result_id, result_rank, result_time})
    );
    ww_pieo_pick #(.WIDTH($bits(element_t)), .COUNT(C)) u_joining (
        .list(written_row), .choose(join_bit), .word(joining)
    );
    ww_pieo_edit #(.WIDTH($bits(element_t)), .COUNT(C)) u_row (
        .list(fourth_row),
        .word(state == JOIN ? joining : fourth.op.code == ENQUEUE ? fourth.op.given : '0),
        .insert_to, .remove_to, .result(changed_row)
    );

    assign result_valid = fourth_valid;
    assign result_found = fourth.acts && fourth.op.code != ENQUEUE;
    assign result_error = fourth.error;

    always_ff @(posedge clk) begin
        fourth       <= third;
        fourth_valid <= third_valid && !retry;
        fourth_looks <= retry;
        fourth_again <= third_again;
        insert_to    <= '0;
        remove_to    <= '0;
        if (third_valid && third.acts) begin
            if (third.op.code == ENQUEUE) insert_to <= {1'b1, answers};
            else remove_to <= answers_onward;
        end
        fourth_row      <= same_as_fourth ? changed_row : base;
        written_row     <= write_row;
        written         <= writes_row || (fourth_valid && fourth.acts);
        written_sublist <= write_sublist;
        if (fourth_valid && fourth.acts) occupancy <= fourth.op.code == ENQUEUE ? occupancy + 1'b1 : occupancy - 1'b1;
        unique case (state)
            SPLIT_ROW, JOIN_SECOND: fourth_row <= read_row;
            SPLIT_HIGH: fourth_row <= fourth_row;
            default: ;
        endcase
        if (state == JOIN_FIRST) written_row <= read_row;
        if (state == JOIN_SECOND || state == JOIN) written_row <= written_row;
        if (state == JOIN_SECOND || (state == JOIN && !joined)) insert_to <= '1;
        if (state == JOIN) fourth_row <= changed_row;
        if (rst) begin
            fourth_valid <= 1'b0;
            fourth_looks <= 1'b0;
            written      <= 1'b0;
            occupancy    <= '0;
        end
    end

    // ---------------------------------------------------------------------------------------------------------
    // The earliest times of rows, some clocks after they were changed.
    logic                        open;
    logic                        close;
    logic                        learn;
    logic [SUBLIST_WIDTH-1:0]    learn_index;
    logic [TIME_BITS-1:0]        learn_bound;
    logic [C-1:0]                written_valid;
    logic [C-1:0][TIME_BITS-1:0] written_times;

    for (genvar i = 0; i < C; i++) begin : g_time
        assign written_valid[i] = written_row[i].valid;
        assign written_times[i] = written_row[i].send_time;
    end
    ww_pieo_bounds #(.S(S), .C(C), .TIME_BITS(TIME_BITS)) u_bounds (
        .clk, .rst, .ask(goes && now_acts && !retry), .ask_index(index), .adds, .forget(open || close),
        .valid(written_valid), .times(written_times), .learn, .learn_index, .learn_bound
    );

    // ---------------------------------------------------------------------------------------------------------
    // Sublists that are full are split, in front of the enqueue that needs the room, and one that is empty then goes. If
    // none is left, two neighbours are joined.
    logic                     crowded;
    logic                     undisturbed;
    logic                     low_waits;
    logic [S-1:0]             scan_place;
    logic                     pair_fits;
    logic [SUBLIST_WIDTH-1:0] pair_first;
    logic [SUBLIST_WIDTH-1:0] pair_second;
    logic [$clog2(C + 1)-1:0] pair_count;
    logic [S-1:0]             work_place;
    logic [SUBLIST_WIDTH-1:0] work_sublist;
    logic [SUBLIST_WIDTH-1:0] read_sublist;

    // Rows may be split while operations in front are still busy with others; places may only move when all are done.
    assign undisturbed = !(third_valid && third.acts && third.sublist == sublist)
                       && !(fourth_valid && fourth.acts && fourth.sublist == sublist);
    assign crowded = state == RUN && now_valid && now_crowded && !now_unsure;
    assign open    = state == SPLIT_HIGH;
    assign joined  = join_bit == '0;
    assign close   = (state == CLOSE && has_empty) || (state == JOIN && joined);

    assign map_read_middle = state == SPLIT_ROW;
    assign middle_id       = read_row[C/2].id;

    always_comb begin
        read_sublist = sublist;
        if (state == SCAN) read_sublist = pair_first;
        if (state == JOIN_FIRST) read_sublist = pair_second;
    end

    // The row that a split or a join writes, instead of that of an operation.
    always_comb begin
        writes_row    = 1'b1;
        write_sublist = work_sublist;
        write_row     = fourth_row;
        if (clearing) begin
            write_sublist = '0;
            write_row     = '0;
        end else if (state == SPLIT_HIGH) begin
            write_sublist = unused_sublist;
            write_row     = fourth_row >> (C / 2 * $bits(element_t));
        end else if (low_waits) begin
            for (int i = C / 2; i < C; i++) write_row[i] = '0;
        end else if (!(state == JOIN && joined)) begin
            writes_row    = 1'b0;
            write_sublist = fourth.sublist;
            write_row     = changed_row;
        end
        write = writes_row || (fourth_valid && fourth.acts);
    end

    always_ff @(posedge clk) begin
        low_waits <= state == SPLIT_HIGH;
        unique case (state)
            RUN: begin
                work_place   <= place;
                work_sublist <= sublist;
                scan_place   <= S'(1);
                // A dequeue that looks again comes first.
                if (crowded && has_unused) state <= undisturbed && !retry ? SPLIT_ROW : RUN;
                else if (quiet && (crowded || !now_valid)) state <= has_empty ? CLOSE : crowded ? SCAN : RUN;
            end
            SPLIT_ROW: state <= SPLIT_HIGH;
            SPLIT_HIGH: state <= has_empty ? CLOSE : RUN;
            CLOSE: state <= RUN;
            SCAN: begin
                if (pair_fits) state <= JOIN_FIRST;
                else scan_place <= {scan_place[S-2:0], scan_place[S-1]};
            end
            JOIN_FIRST: begin
                state        <= JOIN_SECOND;
                work_sublist <= pair_second;
            end
            JOIN_SECOND: state <= JOIN;
            default: if (joined) state <= RUN;
        endcase
        // The last element of the first row is the first to join the second one.
        if (state == JOIN_FIRST) begin
            for (int i = 0; i < C; i++) join_bit[i] <= pair_count == ($clog2(C + 1))'(i + 1);
        end else if (state == JOIN) begin
            join_bit <= join_bit >> 1;
        end
        if (rst) begin
            state     <= RUN;
            low_waits <= 1'b0;
        end
    end

    ww_pieo_directory #(.S(S), .C(C), .KEY_BITS(KEY_BITS), .TIME_BITS(TIME_BITS)) u_directory (
        .clk, .rst,
        .by_time(!now_by_id), .now(now_op.now), .refused(refuses), .key,
        .any, .place, .index, .sublist, .full,
        .add(adds), .add_place(third.place), .add_time(third.op.given.send_time),
        .leave(fourth_valid && result_found), .leave_place(fourth.place),
        .raise(fourth_looks && fourth.op.code != DEQUEUE_RANGE), .raise_place(fourth.place), .raise_now(fourth.op.now),
        .learn, .learn_index, .learn_bound,
        .open, .open_place(work_place), .open_key(middle_key), .has_unused, .unused_sublist,
        .close, .close_place(state == CLOSE ? empty_place : scan_place), .has_empty, .empty_place,
        .pair_place(scan_place), .pair_fits, .pair_first, .pair_second, .pair_count
    );

    ww_ram_sdp #(.WIDTH($bits(row_t)), .DEPTH(S), .STYLE("block")) u_rows (
        .clk, .wr_en(write), .wr_addr(write_sublist), .wr_data(write_row),
        .rd_en(1'b1), .rd_addr(read_sublist), .rd_data(read_row)
    );

    assign map_write      = fourth_valid && fourth.acts;
    assign map_write_id   = fourth.op.code == ENQUEUE ? fourth.op.given.id : result_id;
    assign map_write_flow = '{present: fourth.op.code == ENQUEUE, stamp: fourth.stamp};
endmodule
