// Who meets whom in a slot, and what follows from that for reports: the one place that knows the schedule.
//
// Plain order on one channel: in slot t host i sends to (i + t mod P + 1) mod N, so off(i,j) = (j - i - 1) mod N, P = N - 1. All
// hosts have the same constants for a slot of the epoch; they are computed at elaboration, so no hardware divides. Another
// schedule is another table.
//
// Source: docs/fabric-rules.md, steps C and D and "With ordered lists".
module ww_shoal_meetings #(
    // Hosts, N; slots of an epoch, P; slots from sending a cell to when it may leave the next host, k.
    parameter int HOSTS = 8,
    parameter int SLOTS = HOSTS - 1,
    parameter int DELAY = 21,
    // Not to be set: bits of a host's number, of a slot's number in its epoch; entries of a host's memory of what it sent
    // over a link; bits of numbers of epochs up to that.
    localparam int HOST_WIDTH = $clog2(HOSTS),
    localparam int PHASE_WIDTH = $clog2(SLOTS),
    localparam int OPEN_CELLS = 2 * DELAY / SLOTS + 3,
    localparam int LAG_WIDTH = $clog2(OPEN_CELLS + 1)
) (
    input  logic [HOST_WIDTH-1:0]  host,
    // The slot's number in its epoch.
    input  logic [PHASE_WIDTH-1:0] phase,
    // The peer to which this host sends, and the one whose cell arrives at the end of the slot.
    output logic [HOST_WIDTH-1:0]  peer,
    output logic [HOST_WIDTH-1:0]  from,
    // The report that arrives is about the cell that was sent so many epochs of the link to `from` ago.
    output logic [LAG_WIDTH-1:0]   lag,
    // The next slot of the link to `from` is in the next epoch.
    output logic                   next_epoch,
    // A cell that is sent in it arrives at `from` this many epochs and slots behind the slot in which the report left.
    output logic [LAG_WIDTH-1:0]   away_epochs,
    output logic [PHASE_WIDTH-1:0] away_slots,
    // off(from, host): when in an epoch `from` sends to this host.
    output logic [PHASE_WIDTH-1:0] from_phase
);
    if (HOSTS < 4) begin : g_illegal_hosts
        $error("ww_shoal_meetings: HOSTS must be 4 or more");
    end
    if (SLOTS != HOSTS - 1) begin : g_illegal_slots
        $error("ww_shoal_meetings: SLOTS must be HOSTS - 1, an epoch of the plain order on one channel");
    end
    if (DELAY < 1) begin : g_illegal_delay
        $error("ww_shoal_meetings: DELAY must be 1 or more");
    end

    typedef struct packed {
        logic [HOST_WIDTH-1:0]  shift;
        logic [LAG_WIDTH-1:0]   lag;
        logic                   next_epoch;
        logic [LAG_WIDTH-1:0]   away_epochs;
        logic [PHASE_WIDTH-1:0] away_slots;
        logic [PHASE_WIDTH-1:0] from_phase;
    } meeting_t;

    function automatic int modulo(input int value);
        modulo = (value % SLOTS + SLOTS) % SLOTS;
    endfunction

    // Slot t of the epoch; r, in which the cell was sent that arrives at its end; T, whose cell the report is about.
    function automatic meeting_t [SLOTS-1:0] table_of();
        for (int t = 0; t < SLOTS; t++) begin
            automatic int there = modulo(t - (DELAY - 1));
            automatic int back  = HOSTS - 2 - there;
            // t - T, and from r to the arrival of the next cell.
            automatic int age  = 2 * DELAY - 1 + modulo(there - DELAY - back);
            automatic int away = 2 * DELAY - 1 + modulo(back - there - DELAY);
            table_of[t].shift       = HOST_WIDTH'(there + 1);
            table_of[t].lag         = LAG_WIDTH'((age - t + back) / SLOTS);
            table_of[t].next_epoch  = back <= t;
            table_of[t].away_epochs = LAG_WIDTH'(away / SLOTS);
            table_of[t].away_slots  = PHASE_WIDTH'(away % SLOTS);
            table_of[t].from_phase  = PHASE_WIDTH'(there);
        end
    endfunction
    localparam meeting_t [SLOTS-1:0] MEETINGS = table_of();

    meeting_t meeting;
    assign meeting = MEETINGS[phase];

    // Host numbers have one bit more while a sum is not yet modulo N.
    logic [HOST_WIDTH:0] ahead;
    logic [HOST_WIDTH:0] behind;
    always_comb begin
        ahead = (HOST_WIDTH + 1)'(host) + (HOST_WIDTH + 1)'(phase) + 1'b1;
        if (int'(ahead) >= HOSTS) ahead = ahead - (HOST_WIDTH + 1)'(HOSTS);
        behind = (HOST_WIDTH + 1)'(host) - (HOST_WIDTH + 1)'(meeting.shift);
        if (host < meeting.shift) behind = behind + (HOST_WIDTH + 1)'(HOSTS);
    end
    assign peer        = ahead[HOST_WIDTH-1:0];
    assign from        = behind[HOST_WIDTH-1:0];
    assign lag         = meeting.lag;
    assign next_epoch  = meeting.next_epoch;
    assign away_epochs = meeting.away_epochs;
    assign away_slots  = meeting.away_slots;
    assign from_phase  = meeting.from_phase;
    wire unused_carry = &{1'b0, ahead[HOST_WIDTH], behind[HOST_WIDTH]};
endmodule
