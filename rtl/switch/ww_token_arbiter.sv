// Merges words of several sources into one row, one word a clock, in turn (round robin).
//
// A word that is taken in clock t is offered in clock t + 1; one word a clock. No source waits for more
// than one word of each other source. Paths without a register: m_ready and s_valid to s_ready.
module ww_token_arbiter #(
    // Sources, 2 or more.
    parameter int SOURCES = 4,
    // Bits of a word, 1 or more.
    parameter int WIDTH = 64,
    // Not to be set: bits of the number of a source.
    localparam int SOURCE_WIDTH = $clog2(SOURCES)
) (
    input  logic                     clk,
    input  logic                     rst,
    // Source n has the n-th part of each vector.
    input  logic [SOURCES-1:0]       s_valid,
    output logic [SOURCES-1:0]       s_ready,
    input  logic [SOURCES*WIDTH-1:0] s_data,
    // The words, and where they come from.
    output logic                     m_valid,
    input  logic                     m_ready,
    output logic [WIDTH-1:0]         m_data,
    output logic [SOURCE_WIDTH-1:0]  m_source
);
    if (SOURCES < 2) begin : g_illegal_sources
        $error("ww_token_arbiter: SOURCES must be 2 or more");
    end

    logic [SOURCE_WIDTH-1:0] chosen;
    logic                    room;
    logic [WIDTH-1:0]        words [SOURCES];

    assign room = !m_valid || m_ready;
    ww_round_robin #(.PORTS(SOURCES)) u_turn (.offers(s_valid), .served(m_source), .chosen);
    for (genvar n = 0; n < SOURCES; n++) begin : g_source
        assign words[n]   = s_data[WIDTH*n+:WIDTH];
        assign s_ready[n] = room && chosen == SOURCE_WIDTH'(n);
    end

    always_ff @(posedge clk) begin
        if (room) begin
            m_valid <= s_valid != '0;
            if (s_valid != '0) begin
                m_data   <= words[chosen];
                m_source <= chosen;
            end
        end
        if (rst) begin
            m_valid  <= 1'b0;
            m_source <= '0;
        end
    end
endmodule
