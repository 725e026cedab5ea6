// Checks the payload of test cells, as ww_shoal_payload_source makes it, and that no cell comes twice.
//
// `error` is high for one clock for each word that is not what the cell's source, destination, number and place make it; for
// marks of start and end that are wrong; for a cell with fewer words, or more; and for one whose number came before, among the last
// WINDOW / 2 of that source.
module ww_shoal_payload_check #(
    // Hosts, 2 or more.
    parameter int HOSTS = 8,
    // Numbers that are kept of a source: a power of two, 64 or more.
    parameter int WINDOW = 256,
    // Not to be set: bits of a host's number; words of a payload; bits of a place in the window.
    localparam int HOST_WIDTH = $clog2(HOSTS),
    localparam int WORDS = 7,
    localparam int WINDOW_WIDTH = $clog2(WINDOW)
) (
    input  logic                  clk,
    input  logic                  rst,
    // Own number, constant.
    input  logic [HOST_WIDTH-1:0] host,
    // The numbers of a source begin anew.
    input  logic                  begin_valid,
    input  logic [HOST_WIDTH-1:0] begin_src,
    input  logic                  received_valid,
    input  logic [HOST_WIDTH-1:0] received_src,
    input  logic [19:0]           received_seq,
    input  logic                  received_sop,
    input  logic                  received_eop,
    input  logic                  out_valid,
    input  logic                  out_first,
    input  logic [63:0]           out_data,
    output logic                  error
);
    // The cell whose words come, and the place of the next one; WORDS between cells.
    logic [HOST_WIDTH-1:0] src;
    logic [19:0]           seq;
    logic [2:0]            next;
    logic [HOST_WIDTH-1:0] src_now;
    logic [19:0]           seq_now;
    logic [2:0]            word;
    logic [63:0]           expected;
    assign src_now = received_valid ? received_src : src;
    assign seq_now = received_valid ? received_seq : seq;
    assign word    = received_valid ? '0 : next;
    ww_shoal_pattern u_pattern (.src(10'(src_now)), .dst(10'(host)), .seq(seq_now), .word, .data(expected));

    // Numbers that came, and those half a window away, which are forgotten.
    logic [31:0]             came [HOSTS << (WINDOW_WIDTH - 5)];
    logic [WINDOW_WIDTH-1:0] place;
    logic [WINDOW_WIDTH-1:0] away;
    logic                    wrong;
    assign place = received_seq[WINDOW_WIDTH-1:0];
    assign away  = place + WINDOW_WIDTH'(WINDOW / 2);
    always_comb begin
        wrong = out_valid != (word != 3'(WORDS)) || out_first != received_valid || (out_valid && out_data != expected);
        if (received_valid) begin
            wrong |= next != 3'(WORDS) || {received_eop, received_sop} != expected[1:0] || came[{received_src, place[WINDOW_WIDTH-1:5]}][place[4:0]];
        end
    end

    always_ff @(posedge clk) begin
        src  <= src_now;
        seq  <= seq_now;
        next <= word == 3'(WORDS) ? word : word + 3'd1;
        if (received_valid) begin
            came[{received_src, place[WINDOW_WIDTH-1:5]}][place[4:0]] <= 1'b1;
            came[{received_src, away[WINDOW_WIDTH-1:5]}][away[4:0]]   <= 1'b0;
        end
        if (begin_valid) for (int n = 0; n < WINDOW / 32; n++) came[{begin_src, (WINDOW_WIDTH - 5)'(n)}] <= '0;
        error <= wrong;
        if (rst) begin
            next  <= 3'(WORDS);
            for (int n = 0; n < HOSTS << (WINDOW_WIDTH - 5); n++) came[n] <= '0;
            error <= 1'b0;
        end
    end
endmodule
