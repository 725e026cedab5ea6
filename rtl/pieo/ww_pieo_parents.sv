// For each sublist and each parent, a block of PARENT_SIZE ids, the earliest time of its elements there: so a dequeue among
// the children of a parent selects its sublist as a dequeue among all does. In the order of ww_pieo's pointers, with
// which they move.
module ww_pieo_parents #(
    // Elements of a sublist; sublists; parents, 2 or more.
    parameter int B = 4,
    parameter int S = 8,
    parameter int PARENTS = 2,
    parameter int TIME_BITS = 16,
    parameter int NUM_WIDTH = 3,
    // Not to be set: bits of the number of a parent.
    localparam int PARENT_WIDTH = $clog2(PARENTS)
) (
    input  logic                                          clk,
    // A parent and a time: which sublists have an element of it whose time has come.
    input  logic [PARENT_WIDTH-1:0]                       parent,
    input  logic [TIME_BITS-1:0]                          now,
    output logic [S-1:0]                                  fits,
    // An operation is done: its two sublists, {parent, time} of their elements in the order of the times, how many
    // there are, their places, and the new order, as for the pointers.
    input  logic                                          write,
    input  logic [B-1:0][PARENT_WIDTH+TIME_BITS-1:0]      main_times,
    input  logic [NUM_WIDTH-1:0]                          main_num,
    input  logic [S-1:0]                                  main_place,
    input  logic [B-1:0][PARENT_WIDTH+TIME_BITS-1:0]      other_times,
    input  logic [NUM_WIDTH-1:0]                          other_num,
    input  logic [S-1:0]                                  other_place,
    input  logic                                          other_is_placed,
    input  logic [S:0]                                    place_to,
    input  logic [S-1:0]                                  take_to,
    // A parent: which sublists have an element of it, and its earliest time there.
    input  logic [PARENT_WIDTH-1:0]                       least_parent,
    output logic [S-1:0]                                  least_valid,
    output logic [S-1:0][TIME_BITS-1:0]                   least_times
);
    // {there is one, its time} for each parent.
    typedef logic [PARENTS-1:0][TIME_BITS:0] earliest_t;
    earliest_t [S-1:0] earliest;
    earliest_t [S-1:0] changed;
    earliest_t [S-1:0] ordered;
    earliest_t         main;
    earliest_t         other;

    for (genvar p = 0; p < PARENTS; p++) begin : g_parent
        logic [B-1:0]                main_of;
        logic [B-1:0]                other_of;
        logic [B-1:0]                main_onward;
        logic [B-1:0]                other_onward;
        logic [B-1:0][TIME_BITS-1:0] main_list;
        logic [B-1:0][TIME_BITS-1:0] other_list;
        for (genvar i = 0; i < B; i++) begin : g_entry
            assign main_list[i]  = main_times[i][TIME_BITS-1:0];
            assign other_list[i] = other_times[i][TIME_BITS-1:0];
            assign main_of[i] = NUM_WIDTH'(i) < main_num
                && main_times[i][TIME_BITS+:PARENT_WIDTH] == PARENT_WIDTH'(p);
            assign other_of[i] = NUM_WIDTH'(i) < other_num
                && other_times[i][TIME_BITS+:PARENT_WIDTH] == PARENT_WIDTH'(p);
        end
        ww_pieo_onward #(.WIDTH(B)) u_main (.bits(main_of), .onward(main_onward));
        ww_pieo_onward #(.WIDTH(B)) u_other (.bits(other_of), .onward(other_onward));
        ww_pieo_pick #(.WIDTH(TIME_BITS), .COUNT(B)) u_main_time (
            .list(main_list), .choose(main_onward & ~(main_onward << 1)), .word(main[p][TIME_BITS-1:0])
        );
        ww_pieo_pick #(.WIDTH(TIME_BITS), .COUNT(B)) u_other_time (
            .list(other_list), .choose(other_onward & ~(other_onward << 1)), .word(other[p][TIME_BITS-1:0])
        );
        assign main[p][TIME_BITS]  = main_onward[B-1];
        assign other[p][TIME_BITS] = other_onward[B-1];
    end

    always_comb begin
        for (int i = 0; i < S; i++) begin
            fits[i] = 1'b0;
            for (int p = 0; p < PARENTS; p++) begin
                if (parent == PARENT_WIDTH'(p)) fits[i] = earliest[i][p][TIME_BITS] && earliest[i][p][TIME_BITS-1:0] <= now;
            end
            {least_valid[i], least_times[i]} = '0;
            for (int p = 0; p < PARENTS; p++) begin
                if (least_parent == PARENT_WIDTH'(p)) {least_valid[i], least_times[i]} = earliest[i][p];
            end
            changed[i] = earliest[i];
            if (main_place[i]) changed[i] = main;
            if (other_place[i]) changed[i] = other;
        end
    end
    ww_pieo_edit #(.WIDTH($bits(earliest_t)), .COUNT(S)) u_order (
        .list(changed), .word(other_is_placed ? other : main), .insert_to(place_to), .remove_to(take_to), .result(ordered)
    );
    always_ff @(posedge clk) begin
        if (write) earliest <= ordered;
    end
endmodule
