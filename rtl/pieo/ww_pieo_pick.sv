// The word of a list that a vector with at most one bit chooses; zero if it chooses none.
module ww_pieo_pick #(
    // Bits of a word, 1 or more.
    parameter int WIDTH = 16,
    // Words of the list, 1 or more.
    parameter int COUNT = 4
) (
    input  logic [COUNT-1:0][WIDTH-1:0] list,
    input  logic [COUNT-1:0]            choose,
    output logic [WIDTH-1:0]            word
);
    always_comb begin
`ifdef VERILATOR
        // The same, word by word: as bits, wide lists make models of many megabytes.
        word = '0;
        for (int i = 0; i < COUNT; i++) begin
            if (choose[i]) word |= list[i];
        end
`else
        for (int b = 0; b < WIDTH; b++) begin
            logic [COUNT-1:0] column;
            for (int i = 0; i < COUNT; i++) column[i] = list[i][b] && choose[i];
            word[b] = |column;
        end
`endif
    end
endmodule
