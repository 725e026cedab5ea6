// The earliest times of the rows of ww_pieo_pipelined, some clocks after they were changed.
//
// Each operation that changes a row asks for what its earliest time is then. The answer is worth nothing if an element
// has come to the row since the question, or the places of rows have changed; who brings an element asks later himself.
module ww_pieo_bounds #(
    // Sublists, 2 or more; elements of one.
    parameter int S = 8,
    parameter int C = 4,
    parameter int TIME_BITS = 16,
    // Not to be set: bits of a place.
    localparam int INDEX_WIDTH = $clog2(S)
) (
    input  logic                        clk,
    input  logic                        rst,
    // Clock 2: an operation that will change the row at this place.
    input  logic                        ask,
    input  logic [INDEX_WIDTH-1:0]      ask_index,
    // Clock 3: it brings an element.
    input  logic                        adds,
    // In any clock: the places of rows change.
    input  logic                        forget,
    // The clock after clock 4: the row that it has written.
    input  logic [C-1:0]                valid,
    input  logic [C-1:0][TIME_BITS-1:0] times,
    // The row at this place has only times of `learn_bound` and above, and one of them.
    output logic                        learn,
    output logic [INDEX_WIDTH-1:0]      learn_index,
    output logic [TIME_BITS-1:0]        learn_bound
);
    localparam int DEPTH = 2;
    localparam int CLOCKS = ($clog2(C) + DEPTH - 1) / DEPTH;
    // Questions on their way: in clocks 3 and 4, where the row is written, and in the tree.
    localparam int WAY = 3 + CLOCKS;
    logic [WAY-1:0]                  token;
    logic [WAY-1:0][INDEX_WIDTH-1:0] index;
    logic [WAY-1:0]                  good;
    logic                            any;

    for (genvar t = 0; t < WAY; t++) begin : g_good
        assign good[t] = token[t] && !(t > 0 && adds && index[t] == index[0]) && !forget;
    end
    ww_pieo_minimum #(.COUNT(C), .WIDTH(TIME_BITS), .DEPTH(DEPTH)) u_least (
        .clk, .valid, .values(times), .any, .least(learn_bound)
    );
    assign learn       = good[WAY-1] && any;
    assign learn_index = index[WAY-1];

    always_ff @(posedge clk) begin
        token <= {good[WAY-2:0], ask};
        index <= {index[WAY-2:0], ask_index};
        if (rst) token <= '0;
    end
endmodule
