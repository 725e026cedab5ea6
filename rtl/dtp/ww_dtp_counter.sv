// The counter of a DTP device: one a tick, and more when a port has heard of a larger one.
//
// Near counters, of beacons, are up to 8 ahead: the largest of all ports counts from the next tick on. Far ones,
// of JOINs, are compared one at a time, the lowest port first: taken in one tick, compared in the next, adopted in the
// third. They count meanwhile, so a latency that is known changes nothing. If one is more than 8 ahead, the other ports
// are to tell their peers; if it is as far behind, its own port is.
//
// `counter` is the sum of a register and of the last move: no path leads from a message through comparisons into
// 106 bits of carry in one tick.
module ww_dtp_counter #(
    parameter int PORTS = 4
) (
    input  logic                    clk,
    input  logic                    rst,
    input  logic                    tick,
    // Ticks since reset, of 53 bits.
    output logic [52:0]             ticks,
    output logic [105:0]            counter,
    // That of the tick before.
    output logic [105:0]            counter_before,
    // By how much the ports' peers are ahead, and by how much the counter was moved for this tick.
    input  logic [PORTS-1:0][3:0]   gain,
    output logic [3:0]              moved,
    // Far ones: the counter of the next tick, according to the peer.
    input  logic [PORTS-1:0]        joined_valid,
    input  logic [PORTS-1:0][105:0] joined,
    output logic [PORTS-1:0]        joined_taken,
    // The links of these ports change.
    input  logic [PORTS-1:0]        clear,
    // The counter of the next tick is not this one and one more, but another one, with these low bits, and one more.
    output logic                    load,
    output logic [52:0]             target_low,
    // These ports are to tell their peers the counter.
    output logic [PORTS-1:0]        tell,
    // There is no link any more: from 0.
    input  logic                    restart,
    // Held until `set_done`, in the third tick: the counter of the fourth is this and two more.
    input  logic                    set_valid,
    input  logic [105:0]            set_value,
    output logic                    set_done
);
    localparam int RANGE = 8;

    typedef enum logic [1:0] {IDLE, COMPARE, ADOPT} state_t;

    state_t            state;
    logic              forced;
    logic [PORTS-1:0]  chosen;
    logic [105:0]      base;
    logic [105:0]      target;
    logic signed [6:0] ahead;
    logic [3:0]        moved_before;

    assign target_low = target[52:0];
    assign counter    = base + 106'(moved);

    // Who is next.
    logic [PORTS-1:0] waiting;
    logic [PORTS-1:0] first;
    logic [105:0]     taken;
    assign waiting   = joined_valid & ~clear;
    assign first     = waiting & (~waiting + PORTS'(1));
    assign joined_taken = state == IDLE && !set_valid ? first : '0;
    always_comb begin
        taken = set_value;
        for (int p = 0; p < PORTS; p++) if (first[p] && !set_valid) taken = joined[p];
    end

    // By how much it is ahead, at most 63, and by how much when the last two moves are counted.
    logic [105:0]      difference;
    logic signed [7:0] now_ahead;
    logic              far_ahead;
    logic              far_behind;
    assign difference = target - base;
    assign now_ahead  = 8'(ahead) - signed'(8'(moved_before)) - signed'(8'(moved));
    assign far_ahead  = now_ahead > 8'(RANGE);
    assign far_behind = now_ahead < -8'(RANGE);
    assign load       = state == ADOPT && (forced || far_ahead);
    assign tell       = state != ADOPT || forced ? '0
                        : ({PORTS{far_ahead}} & ~chosen) | ({PORTS{far_behind}} & chosen);
    assign set_done   = tick && state == ADOPT && forced;

    // A move of 1 to 8: of beacons, or of what was compared and is that near.
    logic [3:0] largest;
    always_comb begin
        largest = state == ADOPT && now_ahead > 0 ? now_ahead[3:0] : '0;
        for (int p = 0; p < PORTS; p++) if (gain[p] > largest) largest = gain[p];
    end

    logic [105:0] target_next;
    assign target_next = target + 106'd1;

    always_ff @(posedge clk) begin
        if (tick) begin
            ticks          <= ticks + 53'd1;
            counter_before <= counter;
            base           <= load ? target_next : base + 106'(5'(moved) + 5'd1);
            moved_before   <= moved;
            moved          <= load ? '0 : largest;
            target         <= state == IDLE ? taken : target_next;
            ahead          <= difference[6:0];
            if (difference[105:6] != {100{difference[105]}}) ahead <= difference[105] ? -7'sd63 : 7'sd63;
            unique case (state)
                IDLE: begin
                    forced <= set_valid;
                    chosen <= first;
                    if (set_valid || waiting != '0) state <= COMPARE;
                end
                COMPARE: state <= !forced && (chosen & clear) != '0 ? IDLE : ADOPT;
                default: state <= IDLE;
            endcase
            if (restart) begin
                base  <= 106'd1;
                moved <= '0;
                if (state != IDLE && !forced) state <= IDLE;
            end
        end
        if (rst) begin
            ticks <= '0;
            base  <= '0;
            moved <= '0;
            state <= IDLE;
        end
    end
endmodule
