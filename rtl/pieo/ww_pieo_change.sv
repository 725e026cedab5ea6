// The last step of an operation of ww_pieo and ww_pieo_fast, one step of logic: the rows of the main sublist and of its
// partner after the operation. An element is given to the main sublist or removed from it; if it was full, one more
// moves: from it to the head of the partner (enqueue), or from the partner to it (dequeue).
module ww_pieo_change #(
    // Elements of a sublist, 2 or more.
    parameter int B = 4,
    // Bits of an element {id, rank, time}, of which the time has the low TIME_BITS; of a number of elements.
    parameter int ELEMENT_WIDTH = 36,
    parameter int TIME_BITS = 16,
    parameter int NUM_WIDTH = 3,
    // Bits of an entry of the lists of times: the time, above it bits of the element from bit TAG_FROM up.
    parameter int ENTRY_WIDTH = TIME_BITS,
    parameter int TAG_FROM = ELEMENT_WIDTH
) (
    // The rows before: elements by rank, times in ascending order, and how many there are.
    input  logic [B-1:0][ELEMENT_WIDTH-1:0] main_elements,
    input  logic [B-1:0][ENTRY_WIDTH-1:0]   main_times,
    input  logic [NUM_WIDTH-1:0]            main_count,
    input  logic [B-1:0][ELEMENT_WIDTH-1:0] other_elements,
    input  logic [B-1:0][ENTRY_WIDTH-1:0]   other_times,
    input  logic [NUM_WIDTH-1:0]            other_count,
    // Enqueue, else dequeue; an element moves (to or from the partner); the partner of a dequeue is the right one.
    input  logic                            is_enqueue,
    input  logic                            moves,
    input  logic                            right,
    // The enqueued element, and whether it is itself the one that moves on (tail rule); the one that moves otherwise.
    input  logic [ELEMENT_WIDTH-1:0]        given,
    input  logic                            given_moves,
    input  logic [ELEMENT_WIDTH-1:0]        mover,
    // Enqueue: the places with a rank above the given one.
    input  logic [B-1:0]                    rank_above,
    // Dequeue: the places from that of the removed element up; none for an enqueue.
    input  logic [B-1:0]                    remove_to,
    output logic [B-1:0][ELEMENT_WIDTH-1:0] main_elements_new,
    output logic [B-1:0][ENTRY_WIDTH-1:0]   main_times_new,
    output logic [B-1:0][ELEMENT_WIDTH-1:0] other_elements_new,
    output logic [B-1:0][ENTRY_WIDTH-1:0]   other_times_new,
    output logic [ELEMENT_WIDTH-1:0]        removed
);
    logic [ELEMENT_WIDTH-1:0] moved;
    logic [B:0]           insert_to;
    logic [B:0]           insert_time_to;
    logic [B:0]           other_time_to;
    logic [ENTRY_WIDTH-1:0] time_in;
    logic [ENTRY_WIDTH-1:0] time_out;
    logic [ENTRY_WIDTH-1:0] time_moved;
    logic                 takes_time;
    logic [B-1:0]         main_equal;
    logic [B-1:0]         main_remove_to;
    logic [B-1:0]         other_equal;
    logic [B-1:0]         other_remove_to;

    ww_pieo_pick #(.WIDTH(ELEMENT_WIDTH), .COUNT(B)) u_removed (
        .list(main_elements), .choose(remove_to & ~(remove_to << 1)), .word(removed)
    );
    assign moved      = given_moves ? given : mover;
    assign time_moved = entry_of(moved);

    // By rank: an enqueue inserts at the rank, a dequeue gets an element of the left at its head or of the right at
    // its tail.
    always_comb begin
        insert_to = '0;
        if (is_enqueue) insert_to = {1'b1, rank_above};
        else if (moves && !right) insert_to = '1;
        else if (moves) insert_to[B] = 1'b1;
    end
    ww_pieo_edit #(.WIDTH(ELEMENT_WIDTH), .COUNT(B)) u_main_elements (
        .list(main_elements), .word(is_enqueue ? given : moved), .insert_to, .remove_to, .result(main_elements_new)
    );

    function automatic logic [ENTRY_WIDTH-1:0] entry_of(input logic [ELEMENT_WIDTH-1:0] element);
        entry_of = ENTRY_WIDTH'({element >> TAG_FROM, element[TIME_BITS-1:0]});
    endfunction

    // By time. Which of several equal entries leaves does not matter.
    assign time_in           = is_enqueue ? entry_of(given) : time_moved;
    assign time_out          = is_enqueue ? time_moved : entry_of(removed);
    assign takes_time        = is_enqueue ? moves && !given_moves : 1'b1;
    assign insert_time_to[B] = is_enqueue ? !given_moves : moves;
    assign other_time_to[B]  = is_enqueue;
    for (genvar i = 0; i < B; i++) begin : g_times
        assign insert_time_to[i] = insert_time_to[B] && (NUM_WIDTH'(i) >= main_count || main_times[i][TIME_BITS-1:0] > time_in[TIME_BITS-1:0]);
        assign other_time_to[i]  = is_enqueue && (NUM_WIDTH'(i) >= other_count || other_times[i][TIME_BITS-1:0] > time_moved[TIME_BITS-1:0]);
        assign main_equal[i]     = takes_time && main_times[i] == time_out;
        assign other_equal[i]    = !is_enqueue && other_times[i] == time_moved;
    end
    ww_pieo_onward #(.WIDTH(B)) u_main_remove (.bits(main_equal), .onward(main_remove_to));
    ww_pieo_onward #(.WIDTH(B)) u_other_remove (.bits(other_equal), .onward(other_remove_to));
    ww_pieo_edit #(.WIDTH(ENTRY_WIDTH), .COUNT(B)) u_main_times (
        .list(main_times), .word(time_in), .insert_to(insert_time_to), .remove_to(main_remove_to),
        .result(main_times_new)
    );

    // The partner gets the element at its head, gives its head away, or loses its tail, for which the number of its
    // elements is enough.
    ww_pieo_edit #(.WIDTH(ELEMENT_WIDTH), .COUNT(B)) u_other_elements (
        .list(other_elements), .word(moved), .insert_to({(B + 1) {is_enqueue}}),
        .remove_to({B{!is_enqueue && right}}), .result(other_elements_new)
    );
    ww_pieo_edit #(.WIDTH(ENTRY_WIDTH), .COUNT(B)) u_other_times (
        .list(other_times), .word(time_moved), .insert_to(other_time_to), .remove_to(other_remove_to),
        .result(other_times_new)
    );
endmodule
