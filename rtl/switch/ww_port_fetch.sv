// Reads packets for one output of a switch from the rings (ww_port_ring) of all its inputs, in the order
// in which it is asked to.
//
// One beat a clock, without a gap between packets of the same or of different inputs. The first beat of
// a packet that is asked for in clock t is offered in clock t + 2. Paths without a register:
// m_axis_tready, rd_ready and rd_last to get_ready.
module ww_port_fetch #(
    // Bits of tdata: 16 or more, a power of two.
    parameter int WIDTH = 512,
    // Rings, 2 or more.
    parameter int INPUTS = 4,
    // Bits of a place in a ring and of a packet's number.
    parameter int AT_WIDTH = 9,
    parameter int NUMBER_WIDTH = 7,
    // Not to be set: bits of the number of an input, of a beat from a ring.
    localparam int INPUT_WIDTH = $clog2(INPUTS),
    localparam int BYTES_WIDTH = $clog2(WIDTH / 8),
    localparam int WORD = BYTES_WIDTH + WIDTH
) (
    input  logic                    clk,
    input  logic                    rst,
    // Asks for a packet.
    input  logic                    get_valid,
    output logic                    get_ready,
    input  logic [INPUT_WIDTH-1:0]  get_input,
    input  logic [NUMBER_WIDTH-1:0] get_number,
    input  logic [AT_WIDTH-1:0]     get_at,
    // The rings' read ports for this output.
    output logic [INPUTS-1:0]       rd_en,
    output logic [AT_WIDTH-1:0]     rd_at,
    input  logic [INPUTS-1:0]       rd_ready,
    input  logic [INPUTS-1:0]       rd_last,
    input  logic [INPUTS*WORD-1:0]  rd_data,
    // A packet is read and not needed any more by this output. finish_ready must not depend on
    // finish_valid.
    output logic                    finish_valid,
    input  logic                    finish_ready,
    output logic [INPUT_WIDTH-1:0]  finish_input,
    output logic [NUMBER_WIDTH-1:0] finish_number,
    // The packets.
    output logic                    m_axis_tvalid,
    input  logic                    m_axis_tready,
    output logic [WIDTH-1:0]        m_axis_tdata,
    output logic [WIDTH/8-1:0]      m_axis_tkeep,
    output logic                    m_axis_tlast
);
    localparam int BYTES = WIDTH / 8;

    if (INPUTS < 2) begin : g_illegal_inputs
        $error("ww_port_fetch: INPUTS must be 2 or more");
    end

    // The packet that is read.
    logic                    active;
    logic [INPUT_WIDTH-1:0]  from;
    logic                    is_there, is_last, issue;
    // Where the beat at the output comes from.
    logic [INPUT_WIDTH-1:0]  fetched;
    logic [WORD-1:0]         words [INPUTS];
    logic [WORD-1:0]         word;

    assign is_there      = active && rd_ready[from];
    assign is_last       = rd_last[from];
    assign issue         = is_there && (!m_axis_tvalid || m_axis_tready) && (!is_last || finish_ready);
    assign finish_valid  = issue && is_last;
    assign finish_input  = from;
    assign get_ready     = !active || finish_valid;
    for (genvar n = 0; n < INPUTS; n++) begin : g_input
        assign rd_en[n] = issue && from == INPUT_WIDTH'(n);
        assign words[n] = rd_data[WORD*n+:WORD];
    end

    always_ff @(posedge clk) begin
        if (issue) begin
            rd_at        <= rd_at + 1'b1;
            fetched      <= from;
            m_axis_tlast <= is_last;
        end
        if (get_valid && get_ready) begin
            from          <= get_input;
            finish_number <= get_number;
            rd_at         <= get_at;
        end
        if (get_ready) active <= get_valid;
        if (issue) m_axis_tvalid <= 1'b1;
        else if (m_axis_tready) m_axis_tvalid <= 1'b0;
        if (rst) begin
            active        <= 1'b0;
            m_axis_tvalid <= 1'b0;
        end
    end

    assign word         = words[fetched];
    assign m_axis_tdata = word[WIDTH-1:0];
    always_comb begin
        for (int n = 0; n < BYTES; n++) m_axis_tkeep[n] = BYTES_WIDTH'(n) <= word[WORD-1:WIDTH];
    end
endmodule
