// Who meets whom in a slot, and what follows from that for reports: the one place that knows the schedule.
//
// Plain order on one channel, of all hosts or of those that are left: member i of n sends in slot t to member (i + t mod P + 1) mod n, so off(i,j) =
// (j - i - 1) mod n, P = n - 1. All members have the same constants for a slot of the epoch; they are computed at elaboration, for each n that
// there may be, so no hardware divides. Another schedule is another table.
//
// Source: docs/fabric-rules.md, steps C and D and "With ordered lists"; docs/fabric.md, "Failures".
module ww_shoal_meetings #(
    // Hosts; slots of an epoch of all; slots from sending a cell to when it may leave the next host, k; the fewest hosts that may be left in a schedule, 3
    // or more, or all.
    parameter int HOSTS = 8,
    parameter int SLOTS = HOSTS - 1,
    parameter int DELAY = 21,
    parameter int LEAST = HOSTS,
    // Entries of a host's memory of what it sent over a link.
    parameter int PLACES = 2 * DELAY / (LEAST - 1) + 3,
    // Not to be set: bits of a host's number, of a slot's number in its epoch; of a number of epochs up to PLACES.
    localparam int HOST_WIDTH = $clog2(HOSTS),
    localparam int PHASE_WIDTH = $clog2(SLOTS),
    localparam int LAG_WIDTH = $clog2(PLACES + 1)
) (
    input  logic [HOST_WIDTH-1:0]  host,
    // Hosts of the schedule.
    input  logic [HOSTS-1:0]       members,
    // The slot's number in its epoch.
    input  logic [PHASE_WIDTH-1:0] phase,
    // Slots of the epoch.
    output logic [HOST_WIDTH-1:0]  slots,
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
    output logic [PHASE_WIDTH-1:0] from_phase,
    // off(from, onward_dst), of any two hosts.
    input  logic [HOST_WIDTH-1:0]  onward_from,
    input  logic [HOST_WIDTH-1:0]  onward_dst,
    output logic [HOST_WIDTH-1:0]  onward_phase
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
    if (LEAST < 3 || LEAST > HOSTS) begin : g_illegal_least
        $error("ww_shoal_meetings: LEAST must be 3 to HOSTS");
    end
    if (PLACES < 2 * DELAY / (LEAST - 1) + 3) begin : g_illegal_places
        $error("ww_shoal_meetings: PLACES must be 2 DELAY / (LEAST - 1) + 3 or more");
    end

    typedef struct packed {
        logic [HOST_WIDTH-1:0]  shift;
        logic [LAG_WIDTH-1:0]   lag;
        logic                   next_epoch;
        logic [LAG_WIDTH-1:0]   away_epochs;
        logic [PHASE_WIDTH-1:0] away_slots;
        logic [PHASE_WIDTH-1:0] from_phase;
    } meeting_t;

    function automatic int modulo(input int value, input int by);
        modulo = (value % by + by) % by;
    endfunction

    // Of n members, slot t of the epoch; r, in which the cell was sent that arrives at its end; T, whose cell the report is about.
    function automatic meeting_t [SLOTS-1:0] table_of(input int n);
        automatic int period = n - 1;
        table_of = '0;
        for (int t = 0; t < period; t++) begin
            automatic int there = modulo(t - (DELAY - 1), period);
            automatic int back  = n - 2 - there;
            // t - T, and from r to the arrival of the next cell.
            automatic int age  = 2 * DELAY - 1 + modulo(there - DELAY - back, period);
            automatic int away = 2 * DELAY - 1 + modulo(back - there - DELAY, period);
            table_of[t].shift       = HOST_WIDTH'(there + 1);
            table_of[t].lag         = LAG_WIDTH'((age - t + back) / period);
            table_of[t].next_epoch  = back <= t;
            table_of[t].away_epochs = LAG_WIDTH'(away / period);
            table_of[t].away_slots  = PHASE_WIDTH'(away % period);
            table_of[t].from_phase  = PHASE_WIDTH'(there);
        end
    endfunction
    function automatic meeting_t [HOSTS:LEAST][SLOTS-1:0] all_tables();
        for (int n = LEAST; n <= HOSTS; n++) all_tables[n] = table_of(n);
    endfunction
    localparam meeting_t [HOSTS:LEAST][SLOTS-1:0] MEETINGS = all_tables();

    // Members before each host, and the host that a member is. If no host can be left out they have the same numbers.
    logic [HOST_WIDTH:0]                   count;
    logic [HOSTS-1:0][HOST_WIDTH-1:0]      member;
    logic [HOSTS-1:0][HOST_WIDTH-1:0]      host_of;
    if (LEAST < HOSTS) begin : g_some
        always_comb begin
            count   = '0;
            host_of = '0;
            for (int h = 0; h < HOSTS; h++) begin
                member[h] = count[HOST_WIDTH-1:0];
                if (members[h]) begin
                    host_of[count[HOST_WIDTH-1:0]] = HOST_WIDTH'(h);
                    count = count + 1'b1;
                end
            end
        end
    end else begin : g_all
        assign count = (HOST_WIDTH + 1)'(HOSTS);
        for (genvar h = 0; h < HOSTS; h++) begin : g_host
            assign member[h]  = HOST_WIDTH'(h);
            assign host_of[h] = HOST_WIDTH'(h);
        end
        wire unused_members = &{1'b0, members};
    end

    meeting_t meeting;
    always_comb begin
        meeting = '0;
        for (int n = LEAST; n <= HOSTS; n++) if (int'(count) == n) meeting = MEETINGS[n][phase];
    end
    assign slots = HOST_WIDTH'(count - 1'b1);

    // Numbers have one bit more while a sum is not yet modulo n.
    logic [HOST_WIDTH-1:0] own;
    logic [HOST_WIDTH:0]   ahead;
    logic [HOST_WIDTH:0]   behind;
    logic [HOST_WIDTH:0]   onward;
    assign own = member[host];
    always_comb begin
        ahead = (HOST_WIDTH + 1)'(own) + (HOST_WIDTH + 1)'(phase) + 1'b1;
        if (ahead >= count) ahead = ahead - count;
        behind = (HOST_WIDTH + 1)'(own) - (HOST_WIDTH + 1)'(meeting.shift);
        if (own < meeting.shift) behind = behind + count;
        onward = (HOST_WIDTH + 1)'(member[onward_dst]) - (HOST_WIDTH + 1)'(member[onward_from]) - 1'b1;
        if (member[onward_dst] <= member[onward_from]) onward = onward + count;
    end
    assign peer         = host_of[ahead[HOST_WIDTH-1:0]];
    assign from         = host_of[behind[HOST_WIDTH-1:0]];
    assign lag          = meeting.lag;
    assign next_epoch   = meeting.next_epoch;
    assign away_epochs  = meeting.away_epochs;
    assign away_slots   = meeting.away_slots;
    assign from_phase   = meeting.from_phase;
    assign onward_phase = onward[HOST_WIDTH-1:0];
    wire unused_carry = &{1'b0, ahead[HOST_WIDTH], behind[HOST_WIDTH], onward[HOST_WIDTH]};
endmodule
