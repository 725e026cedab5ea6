// A 100G Ethernet link between two segmented local buses: one direction of both MACs and of the line, without delays of PHYs and cable.
//
// A frame of n bytes takes n + 24 on the line: preamble, check sequence and gap. At 322.265625 MHz 12.5 GB/s are 1280 / 33 bytes a clock, exactly, so what is
// left of a clock counts in the next one. A segment comes out when the line has carried it. As at the receive side of a MAC, a frame has all segments of a
// clock but in front of its start and behind its end; with ROTATE frames begin in another segment each time.
//
// Frames must have 60 bytes or more, without check sequence, and a beat in each clock in which `s_lbus_ready` is high a clock before: a frame whose next segment
// is not there in time is told of.
//
// Source: 002-monitoring-limago 2.1 (S3), 2.2 (S2).
module ww_lbus_wire #(
    parameter bit ROTATE = 1'b1
) (
    input  logic              clk,
    input  logic              rst,
    input  logic [3:0]        s_lbus_ena,
    input  logic [3:0]        s_lbus_sop,
    input  logic [3:0]        s_lbus_eop,
    input  logic [3:0]        s_lbus_err,
    input  logic [3:0][3:0]   s_lbus_mty,
    input  logic [3:0][127:0] s_lbus_data,
    output logic              s_lbus_ready,
    output logic [3:0]        m_lbus_ena,
    output logic [3:0]        m_lbus_sop,
    output logic [3:0]        m_lbus_eop,
    output logic [3:0]        m_lbus_err,
    output logic [3:0][3:0]   m_lbus_mty,
    output logic [3:0][127:0] m_lbus_data,
    // For one clock: the line had nothing to send within a frame.
    output logic              event_underflow
);
    localparam int DEPTH = 64;
    localparam int PLACE = $clog2(DEPTH);
    // In 33rds of a byte.
    localparam int CLOCK = 1280;
    localparam int BYTE = 33;
    localparam int PREAMBLE = 8 * BYTE;
    localparam int CHECK = 4 * BYTE;
    localparam int GAP = 12 * BYTE;

    typedef struct packed {
        logic         sop;
        logic         eop;
        logic         err;
        logic [3:0]   mty;
        logic [127:0] data;
    } segment_t;
    segment_t queue [DEPTH];

    // Segments that came, that the line has carried, that left; the line's time that is left.
    logic [PLACE:0]    came;
    logic [PLACE:0]    carried;
    logic [PLACE:0]    left;
    logic signed [15:0] credit;
    logic              in_frame;
    logic              leaving;
    logic [1:0]        first_lane;

    logic [PLACE:0]     came_next;
    logic [3:0][PLACE:0] came_at;
    always_comb begin
        came_next = came;
        for (int n = 0; n < 4; n++) begin
            came_at[n] = came_next;
            if (s_lbus_ena[n]) came_next = came_next + 1'b1;
        end
    end
    always_ff @(posedge clk) begin
        for (int n = 0; n < 4; n++) begin
            if (s_lbus_ena[n]) begin
                queue[came_at[n][PLACE-1:0]] <= '{sop: s_lbus_sop[n], eop: s_lbus_eop[n], err: s_lbus_err[n], mty: s_lbus_mty[n], data: s_lbus_data[n]};
            end
        end
    end

    // What the line carries in this clock.
    logic [PLACE:0]     carried_next;
    logic signed [15:0] credit_next;
    logic               in_frame_next;
    logic               underflow;
    logic               next_sop;
    logic               next_eop;
    logic [3:0]         next_mty;
    logic signed [15:0] cost;
    always_comb begin
        carried_next  = carried;
        credit_next   = credit + 16'(CLOCK);
        in_frame_next = in_frame;
        underflow     = 1'b0;
        next_sop      = 1'b0;
        next_eop      = 1'b0;
        next_mty      = '0;
        cost          = '0;
        for (int n = 0; n < 4; n++) begin
            if (carried_next != came) begin
                next_sop = queue[carried_next[PLACE-1:0]].sop;
                next_eop = queue[carried_next[PLACE-1:0]].eop;
                next_mty = queue[carried_next[PLACE-1:0]].mty;
                cost = 16'(BYTE) * (16'sd16 - 16'(next_mty)) + (next_sop ? 16'(PREAMBLE) : 16'sd0) + (next_eop ? 16'(CHECK) : 16'sd0);
                if (credit_next >= cost) begin
                    credit_next   = credit_next - cost - (next_eop ? 16'(GAP) : 16'sd0);
                    in_frame_next = !next_eop;
                    carried_next  = carried_next + 1'b1;
                end
            end else if (credit_next > 0) begin
                underflow = in_frame_next && credit_next >= 16'(CLOCK);
                // Time in which nothing is there passes.
                credit_next = '0;
            end
        end
    end

    // What leaves: all lanes from the first one on that have been carried, if they are all there are, or end.
    logic [3:0]     leaves;
    logic [PLACE:0] left_next;
    logic           leaving_next;
    logic           whole;
    segment_t [3:0] lane_segment;
    always_comb begin
        left_next    = left;
        leaving_next = leaving;
        leaves       = '0;
        whole        = 1'b0;
        for (int n = 0; n < 4; n++) begin
            lane_segment[n] = queue[left_next[PLACE-1:0]];
            if ((leaving || 2'(n) >= first_lane) && left_next != carried) begin
                leaves[n]    = 1'b1;
                leaving_next = !lane_segment[n].eop;
                whole        = n == 3 || lane_segment[n].eop;
                left_next    = left_next + 1'b1;
            end
        end
        if (!whole) begin
            leaves       = '0;
            left_next    = left;
            leaving_next = leaving;
        end
    end

    always_ff @(posedge clk) begin
        came            <= came_next;
        carried         <= carried_next;
        credit          <= credit_next;
        in_frame        <= in_frame_next;
        event_underflow <= underflow;
        s_lbus_ready    <= came_next - left < (PLACE + 1)'(DEPTH - 16);
        left            <= left_next;
        leaving         <= leaving_next;
        if (ROTATE && |leaves && !leaving_next) first_lane <= first_lane + 1'b1;
        m_lbus_ena <= leaves;
        for (int n = 0; n < 4; n++) begin
            m_lbus_sop[n]  <= lane_segment[n].sop;
            m_lbus_eop[n]  <= lane_segment[n].eop;
            m_lbus_err[n]  <= lane_segment[n].err;
            m_lbus_mty[n]  <= lane_segment[n].mty;
            m_lbus_data[n] <= lane_segment[n].data;
        end
        if (rst) begin
            came            <= '0;
            carried         <= '0;
            credit          <= '0;
            in_frame        <= 1'b0;
            event_underflow <= 1'b0;
            s_lbus_ready    <= 1'b0;
            left            <= '0;
            leaving         <= 1'b0;
            first_lane      <= '0;
            m_lbus_ena      <= '0;
        end
    end
endmodule
