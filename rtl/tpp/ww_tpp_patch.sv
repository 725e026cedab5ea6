// Puts what a TPP leaves into its frame, and counts frames that were refused.
//
// For each frame one result of ww_tpp_finish is taken, with the frame's last beat. One beat a clock, one clock
// behind the beat that comes.
module ww_tpp_patch #(
    // Bits of tdata, 16 times a power of two.
    parameter int WIDTH = 64,
    // Bits of tuser, 1 or more.
    parameter int USER_WIDTH = 65,
    // Not to be set: bits of a result.
    localparam int RESULT_WIDTH = 20 + 12 * 25
) (
    input  logic                    clk,
    input  logic                    rst,
    input  logic                    s_axis_tvalid,
    output logic                    s_axis_tready,
    input  logic [WIDTH-1:0]        s_axis_tdata,
    input  logic [WIDTH/8-1:0]      s_axis_tkeep,
    input  logic                    s_axis_tlast,
    input  logic [USER_WIDTH-1:0]   s_axis_tuser,
    input  logic                    result_valid,
    output logic                    result_ready,
    input  logic [RESULT_WIDTH-1:0] result,
    output logic                    m_axis_tvalid,
    input  logic                    m_axis_tready,
    output logic [WIDTH-1:0]        m_axis_tdata,
    output logic [WIDTH/8-1:0]      m_axis_tkeep,
    output logic                    m_axis_tlast,
    output logic [USER_WIDTH-1:0]   m_axis_tuser,
    // Frames with a malformed TPP since reset, 32 bits for each fault, in the order of ww_tpp_front.
    output logic [6:0][31:0]        refused
);
    localparam int LANES = WIDTH / 16;
    localparam int LANE_WIDTH = $clog2(LANES);
    localparam int BYTES = WIDTH / 8;
    localparam int COUNT_WIDTH = $clog2(BYTES + 1);

    logic [2:0]        fault;
    logic [16:0]       needed;
    logic [11:0][24:0] patches;
    assign {fault, needed, patches} = result;

    // Which beat of the frame, and bytes before it. Patches are in the first 171 words.
    logic [7:0]             beat;
    logic [16:0]            earlier;
    logic [COUNT_WIDTH-1:0] count;
    logic [17:0]            bytes;
    logic [2:0]             verdict;
    logic [WIDTH-1:0]       patched;
    logic                   moves;
    ww_axis_keep_count #(.BYTES(BYTES)) u_count (.keep(s_axis_tkeep), .count);

    always_comb begin
        patched = s_axis_tdata;
        for (int p = 0; p < 12; p++) begin
            if (patches[p][24] && (patches[p][23:16] >> LANE_WIDTH) == beat) begin
                for (int l = 0; l < LANES; l++) begin
                    if (patches[p][16+:LANE_WIDTH] == LANE_WIDTH'(l)) begin
                        patched[16*l+:16] = {patches[p][7:0], patches[p][15:8]};
                    end
                end
            end
        end
        bytes   = {1'b0, earlier} + 18'(count);
        verdict = fault != 3'd0 && bytes < {1'b0, needed} ? 3'd1 : fault;
    end

    assign moves         = s_axis_tvalid && result_valid && (!m_axis_tvalid || m_axis_tready);
    assign s_axis_tready = moves;
    assign result_ready  = moves && s_axis_tlast;
    always_ff @(posedge clk) begin
        if (!m_axis_tvalid || m_axis_tready) begin
            m_axis_tvalid <= moves;
            m_axis_tdata  <= patched;
            m_axis_tkeep  <= s_axis_tkeep;
            m_axis_tlast  <= s_axis_tlast;
            m_axis_tuser  <= s_axis_tuser;
        end
        if (moves) begin
            beat    <= s_axis_tlast ? '0 : beat == 8'hff ? beat : beat + 8'd1;
            earlier <= s_axis_tlast ? '0 : bytes[17] ? '1 : bytes[16:0];
        end
        for (int i = 0; i < 7; i++) begin
            if (moves && s_axis_tlast && verdict == 3'(i + 1)) refused[i] <= refused[i] + 32'd1;
        end
        if (rst) begin
            m_axis_tvalid <= 1'b0;
            beat          <= '0;
            earlier       <= '0;
            refused       <= '0;
        end
    end
endmodule
