// The subflows of a host that wait to send, and which of them may have its cell in the queue of this slot's link.
//
// Subflow (m,f) is unused, busy (its cell is in a queue or not answered), or waits with E, the first epoch of link host->m in which
// its next cell may leave. A row of a RAM has all that go over m. The row is read and written in the slot of link m, and once more
// when a report about one of them arrives. So what happens when a pair becomes active is done at the link's next slot: pairs that
// became active in the epoch before it are `fresh`, and the first epoch of the link since then is this one.
//
// E is compared modulo 2^EPOCH_WIDTH, which is enough for all that can wait.
//
// Source: docs/fabric-rules.md, steps A, B.1, B.3 and D.1, and "With ordered lists".
module ww_shoal_ready #(
    parameter int HOSTS = 8,
    // The most cells of a queue.
    parameter int CELLS = HOSTS,
    // The most cells that are sent again before a queue.
    parameter int AGAIN = 1,
    // Not to be set: bits of a host's number, of an epoch's, of a number of cells that leave before another.
    localparam int HOST_WIDTH = $clog2(HOSTS),
    localparam int EPOCH_WIDTH = 2 + $clog2((HOSTS + 1) * (CELLS + 1)),
    localparam int LENGTH_WIDTH = $clog2(CELLS + AGAIN + 1)
) (
    input  logic                    clk,
    input  logic                    rst,
    // Clocks of the slot; the sixth one writes what has become of the link's subflows.
    input  logic                    read,
    input  logic                    settle,
    input  logic                    compare,
    input  logic                    choose,
    input  logic                    decide,
    input  logic                    write,
    // The link's peer and the number of its epoch; pairs, as ww_shoal_pairs has them.
    input  logic [HOST_WIDTH-1:0]   peer,
    input  logic [EPOCH_WIDTH-1:0]  epoch,
    input  logic [HOSTS-1:0]        active,
    input  logic [HOSTS-1:0]        fresh,
    // Cells that leave before one that joins the link's queue now, and whether a local one may not join.
    input  logic [LENGTH_WIDTH-1:0] length,
    input  logic                    closed,
    // From `decide` on: the pair that is first, and its gate; from `write` on: its cell joins the queue.
    output logic [HOST_WIDTH-1:0]   first,
    input  logic                    gate_open,
    output logic                    join_queue,
    // With `write`: a local cell for this host leaves over the link to it.
    input  logic                    direct_leaves,
    // A report: read the row in the first of two clocks; the subflow waits from then on, if `answer` in the second.
    input  logic                    answer_read,
    input  logic                    answer,
    input  logic [HOST_WIDTH-1:0]   answer_peer,
    input  logic [HOST_WIDTH-1:0]   answer_dst,
    input  logic [EPOCH_WIDTH-1:0]  answer_epoch,
    // A peer is dead: all that go over it are unused. There is no `write` for it until it has come back.
    input  logic                    die,
    input  logic [HOST_WIDTH-1:0]   die_peer,
    // Another schedule begins: all that wait may go at once.
    input  logic                    repair
);
    localparam logic [1:0] UNUSED = 2'd0;
    localparam logic [1:0] WAITS = 2'd1;
    localparam logic [1:0] BUSY = 2'd2;

    typedef struct packed {
        logic [1:0]             state;
        logic [EPOCH_WIDTH-1:0] epoch;
    } subflow_t;

    // Rows that were never written are unused.
    logic [HOSTS-1:0]     written;
    // Those whose subflows that wait may go in the link's next slot.
    logic [HOSTS-1:0]     released;
    logic                 row_written;
    subflow_t [HOSTS-1:0] row_ram;
    subflow_t [HOSTS-1:0] row;
    subflow_t [HOSTS-1:0] answered;
    subflow_t [HOSTS-1:0] settled;
    subflow_t [HOSTS-1:0] served;
    assign row = row_written ? row_ram : '0;
    ww_ram_sdp #(.WIDTH($bits(row)), .DEPTH(1 << HOST_WIDTH)) u_rows (
        .clk,
        .wr_en(write || answer), .wr_addr(answer ? answer_peer : peer), .wr_data(answer ? answered : served),
        .rd_en(read || answer_read), .rd_addr(answer_read ? answer_peer : peer), .rd_data(row_ram)
    );
    always_ff @(posedge clk) begin
        if (read || answer_read) row_written <= written[answer_read ? answer_peer : peer];
        if (write || answer) written[answer ? answer_peer : peer] <= 1'b1;
        if (die) written[die_peer] <= 1'b0;
        if (write) released[peer] <= 1'b0;
        if (repair) released <= '1;
        if (rst) begin
            written  <= '0;
            released <= '0;
        end
    end
    always_comb begin
        answered             = row;
        answered[answer_dst] = '{state: WAITS, epoch: answer_epoch};
    end

    // Step A for this link, and pairs that are not active. A key is how many epochs E is ahead, with the sign inverted, so that keys
    // compare as numbers without a sign.
    subflow_t [HOSTS-1:0]                  now;
    logic     [HOSTS-1:0][EPOCH_WIDTH-1:0] ahead;
    logic     [HOSTS-1:0]                  waits;
    always_comb begin
        for (int f = 0; f < HOSTS; f++) begin
            now[f]   = row[f];
            ahead[f] = row[f].epoch - epoch;
            if (released[peer]) begin
                now[f].epoch = epoch;
                ahead[f]     = '0;
            end
            if (active[f]) begin
                if (row[f].state == UNUSED || (row[f].state == WAITS && fresh[f] && ahead[f][EPOCH_WIDTH-1])) begin
                    now[f]   = '{state: WAITS, epoch: epoch};
                    ahead[f] = '0;
                end
            end else if (row[f].state == WAITS && (ahead[f][EPOCH_WIDTH-1] || ahead[f] == '0)) begin
                now[f].state = UNUSED;
            end
            waits[f] = active[f] && now[f].state == WAITS;
        end
    end
    logic [HOSTS-1:0]                  waiting;
    logic [HOSTS-1:0][EPOCH_WIDTH-1:0] keys;
    always_ff @(posedge clk) begin
        if (settle) begin
            settled <= now;
            waiting <= waits;
            for (int f = 0; f < HOSTS; f++) keys[f] <= {~ahead[f][EPOCH_WIDTH-1], ahead[f][EPOCH_WIDTH-2:0]};
        end
    end

    // The least of each group of eight, and the least of these.
    localparam int GROUPS = (HOSTS + 7) / 8;
    localparam int GROUP_WIDTH = GROUPS > 1 ? $clog2(GROUPS) : 1;
    logic [GROUPS-1:0]                  any;
    logic [GROUPS-1:0]                  any_q;
    logic [GROUPS-1:0][2:0]             place;
    logic [GROUPS-1:0][2:0]             place_q;
    logic [GROUPS-1:0][EPOCH_WIDTH-1:0] least;
    logic [GROUPS-1:0][EPOCH_WIDTH-1:0] least_q;
    logic                               found;
    logic                               found_q;
    logic [GROUP_WIDTH-1:0]             group;
    logic [EPOCH_WIDTH-1:0]             least_of_all;
    logic [EPOCH_WIDTH-1:0]             least_ahead;
    for (genvar n = 0; n < GROUPS; n++) begin : g_group
        logic [7:0]                  valid;
        logic [7:0][EPOCH_WIDTH-1:0] key;
        for (genvar f = 0; f < 8; f++) begin : g_key
            if (8 * n + f < HOSTS) begin : g_there
                assign valid[f] = waiting[8*n+f];
                assign key[f]   = keys[8*n+f];
            end else begin : g_none
                assign valid[f] = 1'b0;
                assign key[f]   = '0;
            end
        end
        ww_shoal_least #(.COUNT(8), .KEY_WIDTH(EPOCH_WIDTH)) u_least (
            .valid, .key, .any(any[n]), .place(place[n]), .least(least[n])
        );
    end
    ww_shoal_least #(.COUNT(GROUPS), .KEY_WIDTH(EPOCH_WIDTH)) u_least (
        .valid(any_q), .key(least_q), .any(found), .place(group), .least(least_of_all)
    );
    always_ff @(posedge clk) begin
        if (compare) begin
            any_q   <= any;
            place_q <= place;
            least_q <= least;
        end
        if (choose) begin
            found_q     <= found;
            first       <= HOST_WIDTH'({group, place_q[group]});
            least_ahead <= least_of_all;
        end
        // A cell that joins behind `length` others leaves in epoch + length.
        if (decide) begin
            join_queue <= found_q && !closed && gate_open
                && (!least_ahead[EPOCH_WIDTH-1] || least_ahead[EPOCH_WIDTH-2:0] <= (EPOCH_WIDTH - 1)'(length));
        end
        if (rst) join_queue <= 1'b0;
    end

    always_comb begin
        served = settled;
        if (join_queue) served[first].state = BUSY;
        if (direct_leaves) served[peer] = '{state: WAITS, epoch: epoch + 1'b1};
    end
endmodule
