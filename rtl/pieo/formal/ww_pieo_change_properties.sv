// The step of ww_pieo and ww_pieo_fast that changes rows keeps them in order, for all rows of two elements and all
// operations that the selection of sublists allows: if ranks and times ascend in both rows, if the times are those
// of the elements, and if the rows follow each other, then all of this holds of the rows after the operation, which
// have the elements of before, with the given one or without the removed one.
module ww_pieo_change_properties (
    input logic            clk,
    input logic [1:0][5:0] main_elements,
    input logic [1:0][1:0] main_times,
    input logic [1:0]      main_count,
    input logic [1:0][5:0] other_elements,
    input logic [1:0][1:0] other_times,
    input logic [1:0]      other_count,
    input logic            is_enqueue,
    input logic            moves,
    input logic            right,
    input logic [5:0]      given,
    input logic [1:0]      remove_to
);
    // An element is {id, rank, time}, two bits each.
    logic            given_moves;
    logic [5:0]      mover;
    logic [1:0]      rank_above;
    logic [1:0][5:0] main_elements_new;
    logic [1:0][1:0] main_times_new;
    logic [1:0][5:0] other_elements_new;
    logic [1:0][1:0] other_times_new;
    logic [5:0]      removed;

    always_comb begin
        for (int i = 0; i < 2; i++) rank_above[i] = 2'(i) >= main_count || main_elements[i][3:2] > given[3:2];
        given_moves = is_enqueue && moves && !rank_above[1];
        if (is_enqueue) mover = main_elements[1];
        else mover = right ? other_elements[0] : other_elements[other_count != 2'd1];
    end
    ww_pieo_change #(.B(2), .ELEMENT_WIDTH(6), .TIME_BITS(2), .NUM_WIDTH(2)) dut (.*);

    // Ranks and times ascend, and the times are those of the elements.
    function automatic logic in_order(input logic [1:0][5:0] elements, input logic [1:0][1:0] times, input logic [1:0] count);
        in_order = 1'b1;
        if (count == 2'd1) in_order = times[0] == elements[0][1:0];
        if (count == 2'd2) begin
            in_order = elements[0][3:2] <= elements[1][3:2] && times[0] <= times[1]
                && ((times[0] == elements[0][1:0] && times[1] == elements[1][1:0])
                    || (times[0] == elements[1][1:0] && times[1] == elements[0][1:0]));
        end
    endfunction

    // How often an element is in a row.
    function automatic logic [2:0] times_in(input logic [5:0] element, input logic [1:0][5:0] elements, input logic [1:0] count);
        times_in = 3'(count != '0 && elements[0] == element) + 3'(count == 2'd2 && elements[1] == element);
    endfunction

    logic [1:0] main_num;
    logic [1:0] other_num;
    // Any element, to count it.
    logic [5:0] any;
    assign main_num  = moves ? main_count : is_enqueue ? main_count + 2'd1 : main_count - 2'd1;
    assign other_num = !moves ? other_count : is_enqueue ? other_count + 2'd1 : other_count - 2'd1;

    always_ff @(posedge clk) begin
        any <= any;
        // What holds before, by the selection of the sublists.
        assume (main_count <= 2'd2 && other_count <= 2'd2);
        assume (in_order(main_elements, main_times, main_count));
        assume (in_order(other_elements, other_times, other_count));
        if (is_enqueue) begin
            assume (moves == (main_count == 2'd2) && remove_to == '0 && right);
            if (moves) assume (other_count <= 2'd1);
            if (other_count != '0) assume (given[3:2] < other_elements[0][3:2]);
        end else begin
            assume (main_count != '0 && (remove_to == 2'b11 || (remove_to == 2'b10 && main_count == 2'd2)));
            if (moves) assume (main_count == 2'd2 && other_count == 2'd1);
        end
        if (main_count != '0 && other_count != '0) begin
            if (right) assume (main_elements[main_count == 2'd2][3:2] <= other_elements[0][3:2]);
            else assume (other_elements[other_count == 2'd2][3:2] <= main_elements[0][3:2]);
        end

        assert (in_order(main_elements_new, main_times_new, main_num));
        if (moves) assert (in_order(other_elements_new, other_times_new, other_num));
        if (moves && is_enqueue) assert (main_elements_new[1][3:2] <= other_elements_new[0][3:2]);
        if (!is_enqueue) assert (removed == (remove_to[0] ? main_elements[0] : main_elements[1]));
        // The elements of before, and one more, or one less.
        assert (times_in(any, main_elements_new, main_num) + times_in(any, moves ? other_elements_new : other_elements, other_num)
            == times_in(any, main_elements, main_count) + times_in(any, other_elements, other_count)
            + 3'(is_enqueue && any == given) - 3'(!is_enqueue && any == removed));
        // Equal ranks stay in the order of arrival: the new element is behind those that were there.
        if (is_enqueue && !moves) begin
            for (int i = 0; i < 2; i++) begin
                if (!rank_above[i]) assert (main_elements_new[i] == main_elements[i]);
            end
        end
        cover (is_enqueue && given_moves && other_count == 2'd1);
        cover (is_enqueue && moves && !given_moves);
        cover (!is_enqueue && moves && right);
        cover (!is_enqueue && moves && !right);
    end
endmodule
