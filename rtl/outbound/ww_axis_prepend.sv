// Puts a header in front of each packet of a stream.
//
// Every beat moves up by BYTES lanes, and what does not fit waits for the next one: a packet has one beat more if its
// last one had more than the lanes that are left, and the input waits for that clock. No latency, no registers on the
// way; bytes behind the end are zero.
module ww_axis_prepend #(
    // Bytes of the header, 1 to 63.
    parameter int BYTES = 14
) (
    input  logic               clk,
    input  logic               rst,
    // Its first byte is the low one; read with a packet's first beat.
    input  logic [8*BYTES-1:0] header,
    input  logic [511:0]       s_axis_tdata,
    input  logic [63:0]        s_axis_tkeep,
    input  logic               s_axis_tlast,
    input  logic               s_axis_tvalid,
    output logic               s_axis_tready,
    output logic [511:0]       m_axis_tdata,
    output logic [63:0]        m_axis_tkeep,
    output logic               m_axis_tlast,
    output logic               m_axis_tvalid,
    input  logic               m_axis_tready
);
    if (BYTES < 1 || BYTES > 63) begin : g_illegal_bytes
        $error("ww_axis_prepend: BYTES must be 1 to 63");
    end
    localparam int REST = 64 - BYTES;

    // Of the last beat: what did not fit, and whether it is all that is left of its packet.
    logic [8*BYTES-1:0] carried;
    logic [BYTES-1:0]   carried_keep;
    logic               is_first, flushes;
    logic [511:0]       data;
    logic [63:0]        keep;
    always_comb begin
        keep = s_axis_tlast ? s_axis_tkeep : '1;
        for (int n = 0; n < 64; n++) data[8*n+:8] = keep[n] ? s_axis_tdata[8*n+:8] : 8'h0;
    end

    assign s_axis_tready = m_axis_tready && !flushes;
    assign m_axis_tvalid = s_axis_tvalid || flushes;
    assign m_axis_tdata = flushes ? 512'(carried) : {data[8*REST-1:0], is_first ? header : carried};
    assign m_axis_tkeep = flushes ? 64'(carried_keep) : {keep[REST-1:0], {BYTES{1'b1}}};
    assign m_axis_tlast = flushes || (s_axis_tlast && !keep[REST]);

    always_ff @(posedge clk) begin
        if (m_axis_tvalid && m_axis_tready) begin
            carried <= data[511:8*REST];
            carried_keep <= keep[63:REST];
            is_first <= m_axis_tlast;
            flushes <= !flushes && s_axis_tlast && !m_axis_tlast;
        end
        if (rst) begin
            is_first <= 1'b1;
            flushes <= 1'b0;
        end
    end
endmodule
