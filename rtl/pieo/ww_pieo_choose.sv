// Which sublist an operation of ww_pieo_fast takes, and which neighbour helps it.
//
// There are four candidates: the best sublist before those two that the operation in front has changed, these two,
// and the best one after them. Whether one of the two has what is looked for is known last (`left_any`, `right_any`), so
// sublist and partner are found for all candidates at once, and chosen among at the end.
module ww_pieo_choose #(
    // Sublists, 2 or more; elements of one.
    parameter int S = 8,
    parameter int B = 4,
    // Not to be set: bits of the number of a sublist, of a number of elements.
    localparam int SUBLIST_WIDTH = $clog2(S),
    localparam int NUM_WIDTH = $clog2(B + 1)
) (
    // Of the sublists in order: where in the RAM, and how many elements (0: not used).
    input  logic [S-1:0][SUBLIST_WIDTH-1:0] sublists,
    input  logic [S-1:0][NUM_WIDTH-1:0]     counts,
    // An enqueue takes the last candidate that there is, and the first place of all if there is none; any other
    // operation the first.
    input  logic                     enqueues,
    // The candidates, in order: which there are, and their places, one bit each.
    input  logic                     before_any,
    input  logic                     left_any,
    input  logic                     right_any,
    input  logic                     after_any,
    input  logic [S-1:0]             before_place,
    input  logic [S-1:0]             left_place,
    input  logic [S-1:0]             right_place,
    input  logic [S-1:0]             after_place,
    // There is a candidate; the place; what is there. The partner: 0 none, 1 left neighbour, 2 right neighbour, 3 a sublist that
    // was not used.
    output logic                     any,
    output logic [S-1:0]             place,
    output logic [SUBLIST_WIDTH-1:0] main_sublist,
    output logic [NUM_WIDTH-1:0]     main_count,
    output logic [1:0]               partner_kind,
    output logic [SUBLIST_WIDTH-1:0] partner_sublist,
    output logic [NUM_WIDTH-1:0]     partner_count
);
    if (S < 2 || B < 1) begin : g_illegal_size
        $error("ww_pieo_choose: S must be 2 or more, B 1 or more");
    end

    localparam logic [1:0] ALONE = 2'd0;
    localparam logic [1:0] LEFT = 2'd1;
    localparam logic [1:0] RIGHT = 2'd2;
    localparam logic [1:0] FRESH = 2'd3;

    typedef struct packed {
        logic [SUBLIST_WIDTH-1:0] sublist;
        logic [NUM_WIDTH-1:0]     count;
    } location_t;

    typedef struct packed {
        logic [S-1:0] place;
        location_t    chosen;
        logic [1:0]   kind;
        location_t    partner;
    } candidate_t;

    location_t [S-1:0] locations;
    logic [S-1:0]      used;
    location_t         fresh;
    for (genvar i = 0; i < S; i++) begin : g_location
        assign locations[i] = '{sublist: sublists[i], count: counts[i]};
        assign used[i]      = counts[i] != '0;
    end
    ww_pieo_pick #(.WIDTH($bits(location_t)), .COUNT(S)) u_fresh (
        .list(locations), .choose(~used & {used[S-2:0], 1'b1}), .word(fresh)
    );

    // The last one is the first place of all.
    localparam int CANDIDATES = 5;
    logic [CANDIDATES-1:0][S-1:0] places;
    candidate_t [CANDIDATES-1:0]  candidates;
    assign places = {S'(1), after_place, right_place, left_place, before_place};

    for (genvar c = 0; c < CANDIDATES; c++) begin : g_candidate
        location_t  chosen;
        location_t  left;
        location_t  right;
        logic       full;
        logic       left_helps;
        logic       right_helps;
        logic [1:0] kind;
        ww_pieo_pick #(.WIDTH($bits(location_t)), .COUNT(S)) u_main (
            .list(locations), .choose(places[c]), .word(chosen)
        );
        ww_pieo_pick #(.WIDTH($bits(location_t)), .COUNT(S)) u_left (
            .list(locations), .choose(places[c] >> 1), .word(left)
        );
        ww_pieo_pick #(.WIDTH($bits(location_t)), .COUNT(S)) u_right (
            .list(locations), .choose(places[c] << 1), .word(right)
        );
        // A neighbour helps if it is partly full.
        assign full        = chosen.count == NUM_WIDTH'(B);
        assign left_helps  = left.count != '0 && left.count != NUM_WIDTH'(B);
        assign right_helps = right.count != '0 && right.count != NUM_WIDTH'(B);
        always_comb begin
            kind = ALONE;
            if (full) begin
                if (enqueues) kind = right_helps ? RIGHT : FRESH;
                else if (left_helps) kind = LEFT;
                else if (right_helps) kind = RIGHT;
            end
        end
        assign candidates[c] = '{
            place: places[c], chosen: chosen, kind: kind,
            partner: kind == LEFT ? left : kind == RIGHT ? right : fresh
        };
    end

    logic [CANDIDATES-1:0] choose;
    candidate_t            taken;
    assign any = before_any || left_any || right_any || after_any;
    always_comb begin
        if (enqueues) begin
            choose[3] = after_any;
            choose[2] = right_any && !after_any;
            choose[1] = left_any && !right_any && !after_any;
            choose[0] = before_any && !left_any && !right_any && !after_any;
        end else begin
            choose[0] = before_any;
            choose[1] = left_any && !before_any;
            choose[2] = right_any && !left_any && !before_any;
            choose[3] = after_any && !right_any && !left_any && !before_any;
        end
        choose[4] = !any;
    end
    ww_pieo_pick #(.WIDTH($bits(candidate_t)), .COUNT(CANDIDATES)) u_taken (
        .list(candidates), .choose(choose), .word(taken)
    );
    assign place = taken.place;
    assign {main_sublist, main_count}       = taken.chosen;
    assign partner_kind                     = taken.kind;
    assign {partner_sublist, partner_count} = taken.partner;
endmodule
