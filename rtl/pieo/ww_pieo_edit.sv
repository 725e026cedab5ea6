// A list of COUNT words, less one word and with one more, in one step of logic: each place takes the word that
// was there, or that of a neighbour, or the new one.
//
// Both places are positions in the old list, given as vectors of ones from the position up. The new word goes
// in front of the old word at its position; without a removal the words behind it move up, and the last one of
// a full list leaves. Either vector may be all zeros: nothing is inserted, nothing is removed.
module ww_pieo_edit #(
    // Bits of a word, 1 or more.
    parameter int WIDTH = 16,
    // Words of the list, 1 or more.
    parameter int COUNT = 4
) (
    input  logic [COUNT-1:0][WIDTH-1:0] list,
    input  logic [WIDTH-1:0]            word,
    // Bit i: the new word goes to a position of i or less. Bit COUNT alone: behind the last word, which is of use
    // with a removal only.
    input  logic [COUNT:0]              insert_to,
    // Bit i: the word that goes is at a position of i or less.
    input  logic [COUNT-1:0]            remove_to,
    output logic [COUNT-1:0][WIDTH-1:0] result
);
    if (WIDTH < 1) begin : g_illegal_width
        $error("ww_pieo_edit: WIDTH must be 1 or more");
    end
    if (COUNT < 1) begin : g_illegal_count
        $error("ww_pieo_edit: COUNT must be 1 or more");
    end

    for (genvar i = 0; i < COUNT; i++) begin : g_word
        logic [WIDTH-1:0] below;
        logic [WIDTH-1:0] above;
        logic             inserted_below;
        logic             removed_below;

        if (i == 0) begin : g_first
            assign below          = word;
            assign inserted_below = 1'b0;
            assign removed_below  = 1'b0;
        end else begin : g_not_first
            assign below          = list[i-1];
            assign inserted_below = insert_to[i-1];
            assign removed_below  = remove_to[i-1];
        end
        if (i == COUNT - 1) begin : g_last
            assign above = word;
        end else begin : g_not_last
            assign above = list[i+1];
        end

        // At most one of these; none keeps the word. Written as sums of products, which is two levels of LUTs.
        logic takes_below;
        logic takes_word;
        logic takes_above;
        logic keeps;
        assign takes_below = inserted_below && !removed_below;
        assign takes_word  = insert_to[i] ? !inserted_below && !removed_below : remove_to[i] && insert_to[i+1];
        assign takes_above = remove_to[i] && !insert_to[i+1];
        assign keeps       = !(takes_below || takes_word || takes_above);
`ifdef VERILATOR
        // The same, quicker in simulation.
        assign result[i] = keeps ? list[i] : takes_below ? below : takes_above ? above : word;
`else
        assign result[i]   = ({WIDTH{takes_below}} & below) | ({WIDTH{takes_word}} & word)
                           | ({WIDTH{takes_above}} & above) | ({WIDTH{keeps}} & list[i]);
`endif
    end
endmodule
