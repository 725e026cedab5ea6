// Reports: what a host tells its peer about the cell that it had from it, and what a report says about its own.
//
// Source: docs/fabric-rules.md, steps B.3, C and D, and "With ordered lists".
module ww_shoal_reports #(
    parameter int HOSTS = 8,
    parameter int SLOTS = HOSTS - 1,
    // The ring of epochs, see ww_shoal_meetings.
    parameter int PLACES = 9,
    // The most cells of a queue.
    parameter int CELLS = HOSTS,
    // The most cells that are sent again before a queue.
    parameter int AGAIN = 1,
    // Not to be set: as in ww_shoal_meetings, ww_shoal_ready and ww_shoal_queues; bits of a place in the ring of epochs.
    localparam int HOST_WIDTH = $clog2(HOSTS),
    localparam int PHASE_WIDTH = $clog2(SLOTS),
    localparam int EPOCH_WIDTH = 2 + $clog2((HOSTS + 1) * (CELLS + 1)),
    localparam int NUMBER_WIDTH = $clog2(2 * CELLS + 1),
    localparam int LAG_WIDTH = $clog2(PLACES + 1),
    localparam int PLACE_WIDTH = $clog2(PLACES),
    localparam int AGAIN_WIDTH = $clog2(AGAIN + 1)
) (
    input  logic                    clk,
    input  logic                    rst,
    // This slot, as ww_shoal_meetings has it; the number of its epoch. `epoch_ends`: with it the next slot begins an epoch.
    input  logic [HOST_WIDTH-1:0]   peer,
    input  logic [HOST_WIDTH-1:0]   from,
    input  logic [LAG_WIDTH-1:0]    lag,
    input  logic                    next_epoch,
    input  logic [LAG_WIDTH-1:0]    away_epochs,
    input  logic [PHASE_WIDTH-1:0]  away_slots,
    input  logic [PHASE_WIDTH-1:0]  from_phase,
    // For the cell to `onward_dst` of which the report is, off(from, onward_dst); slots of the epoch.
    output logic [HOST_WIDTH-1:0]   onward_dst,
    input  logic [HOST_WIDTH-1:0]   onward_phase,
    input  logic [HOST_WIDTH-1:0]   slots,
    input  logic [EPOCH_WIDTH-1:0]  epoch,
    input  logic                    epoch_ends,
    // Step B.3: what is sent to `peer` is a cell that is not empty, and a local one that goes on from there to `sent_dst`. The epoch's
    // place in the ring.
    input  logic                    sent,
    input  logic                    sent_cell,
    input  logic                    sent_onward,
    input  logic [HOST_WIDTH-1:0]   sent_dst,
    output logic [PLACE_WIDTH-1:0]  sent_place,
    // Step C, a clock behind `sent`: the report to `peer`, from the clock behind `tell` on. `told_departed` are the cells that have
    // left the queue to `told_dst`; `told_again` are sent again before it.
    input  logic                    tell,
    output logic [HOST_WIDTH-1:0]   told_dst,
    input  logic [NUMBER_WIDTH-1:0] told_departed,
    input  logic [AGAIN_WIDTH-1:0]  told_again,
    output logic [9:0]              report,
    // Step D.1: the report that has come, from the clock behind `hear` on. Without `heard` the cell that it is about was dropped, or may
    // have been: if it was not empty, it has to be sent again, `repeat_sent`, from its place in the ring.
    input  logic                    hear,
    input  logic                    heard,
    input  logic [9:0]              heard_report,
    output logic                    repeat_sent,
    output logic [PLACE_WIDTH-1:0]  repeat_place,
    output logic                    answer,
    output logic [HOST_WIDTH-1:0]   answer_dst,
    output logic [EPOCH_WIDTH-1:0]  answer_epoch,
    // Step D.2: a cell of `from` has joined the queue to `received_dst` with this number, or none has.
    input  logic                    received,
    input  logic                    received_queued,
    input  logic [HOST_WIDTH-1:0]   received_dst,
    input  logic [NUMBER_WIDTH-1:0] received_number,
    // `from` is dead: nothing that was sent to it is answered any more. Another schedule begins: so it is with all, and nothing has come from them.
    input  logic                    die,
    input  logic                    repair
);
    // What came last from each host.
    logic [HOSTS-1:0]        queued;
    logic [NUMBER_WIDTH-1:0] told_number;
    logic [NUMBER_WIDTH-1:0] place;
    ww_ram_async #(.WIDTH(HOST_WIDTH + NUMBER_WIDTH), .DEPTH(1 << HOST_WIDTH)) u_received (
        .clk, .wr_en(received), .wr_addr(from), .wr_data({received_dst, received_number}), .rd_addr(peer),
        .rd_data({told_dst, told_number})
    );
    assign place = told_number - told_departed;
    always_ff @(posedge clk) begin
        if (tell) report <= queued[peer] && !place[NUMBER_WIDTH-1] ? 10'(place) + 10'd1 + 10'(told_again) : '0;
        if (received) queued[from] <= received_queued;
        if (repair || rst) queued <= '0;
    end

    // What was sent over each link in the last epochs, and has to be answered: a ring of epochs. Of what was sent before the host began, or before a peer
    // died, nothing is there.
    logic [PLACE_WIDTH-1:0] place_now;
    logic [PLACE_WIDTH-1:0] place_then;
    logic                   was_cell;
    logic                   was_sent;
    logic [HOSTS-1:0][PLACES-1:0] is_there;
    logic                   onward;
    assign sent_place   = place_now;
    assign repeat_place = place_then;
    assign was_sent     = is_there[from][place_then];
    assign repeat_sent  = hear && !heard && was_cell && was_sent;
    assign place_then = PLACE_WIDTH'(LAG_WIDTH'(place_now) - lag + (LAG_WIDTH'(place_now) >= lag ? '0 : LAG_WIDTH'(PLACES)));
    ww_ram_async #(.WIDTH(2 + HOST_WIDTH), .DEPTH(PLACES << HOST_WIDTH)) u_sent (
        .clk, .wr_en(sent), .wr_addr({place_now, peer}), .wr_data({sent_cell, sent_onward, sent_dst}), .rd_addr({place_then, from}),
        .rd_data({was_cell, onward, onward_dst})
    );
    always_ff @(posedge clk) begin
        if (epoch_ends) place_now <= int'(place_now) == PLACES - 1 ? '0 : place_now + 1'b1;
        if (sent) is_there[peer][place_now] <= 1'b1;
        if (die) is_there[from] <= '0;
        if (repair) is_there <= '0;
        if (rst) begin
            place_now <= '0;
            is_there  <= '0;
        end
    end

    // The first slot behind the report's in which `from` sends to the cell's destination: 1 to SLOTS slots behind it.
    logic [HOST_WIDTH:0]           onward_slots;
    logic [9:0]                    value;
    logic signed [EPOCH_WIDTH+1:0] late;
    logic [EPOCH_WIDTH-1:0]        next;
    always_comb begin
        // From off(from, host).
        onward_slots = (HOST_WIDTH + 1)'(onward_phase) - (HOST_WIDTH + 1)'(from_phase);
        if ((HOST_WIDTH + 1)'(onward_phase) <= (HOST_WIDTH + 1)'(from_phase)) onward_slots = onward_slots + (HOST_WIDTH + 1)'(slots);
        value = int'(heard_report) > CELLS + AGAIN ? 10'(CELLS + AGAIN) : heard_report;
        // The cell leaves in the value-th slot, this many epochs behind the arrival of the next cell if that leaves at once.
        late = (EPOCH_WIDTH + 2)'(value) - 1'b1 - (EPOCH_WIDTH + 2)'(away_epochs);
        if (onward_slots > (HOST_WIDTH + 1)'(away_slots)) late = late + 1'b1;
        next = epoch + EPOCH_WIDTH'(next_epoch);
    end
    always_ff @(posedge clk) begin
        answer <= hear && heard && onward && was_sent;
        if (hear) begin
            answer_dst   <= onward_dst;
            answer_epoch <= value == '0 || late[EPOCH_WIDTH+1] ? next : next + late[EPOCH_WIDTH-1:0];
        end
        if (rst) answer <= 1'b0;
    end
    wire unused_bit = &{1'b0, late[EPOCH_WIDTH]};
endmodule
