// The pairs of a host with all destinations: how many cells each has, which have cells that are in no queue, and since when.
//
// What is added in a slot counts from the next one on. The number of cells that were ever added is kept as it is now and as it was
// when the slot began; so additions may come in any clock. When the host of a pair dies both begin anew, and only the numbers of cells go on.
//
// Source: docs/fabric-rules.md, step A, the gate of B.1, B.2, and "With hosts that die".
module ww_shoal_pairs #(
    parameter int HOSTS = 8,
    // Slots of an epoch.
    parameter int SLOTS = HOSTS - 1,
    // Slots after which the gate doubles, G; 0: it is always open.
    parameter int GATE = SLOTS,
    // The most cells of a queue.
    parameter int CELLS = HOSTS,
    // The most cells that are sent again before a queue.
    parameter int AGAIN = 1,
    // Not to be set: bits of a host's number, of a slot's number in its epoch, of a number of cells that leave before another, of a
    // sequence number.
    localparam int HOST_WIDTH = $clog2(HOSTS),
    localparam int PHASE_WIDTH = $clog2(SLOTS),
    localparam int LENGTH_WIDTH = $clog2(CELLS + AGAIN + 1),
    localparam int SEQ_WIDTH = 20
) (
    input  logic                    clk,
    input  logic                    rst,
    input  logic [HOST_WIDTH-1:0]   host,
    // First clock of a slot, and the number in its epoch of this slot that begins.
    input  logic                    slot_begin,
    input  logic [PHASE_WIDTH-1:0]  begin_phase,
    // So many cells more for a destination; 0, none for the host itself, and for hosts that do not exist are ignored.
    input  logic                    add_valid,
    input  logic [HOST_WIDTH-1:0]   add_dst,
    input  logic [31:0]             add_cells,
    // In this slot the pair has cells that are in no queue; and it has had them for less than an epoch.
    output logic [HOSTS-1:0]        active,
    output logic [HOSTS-1:0]        fresh,
    // About pair `dst`, combinationally: the gate of a queue of this length is open; the number of its next cell.
    input  logic [HOST_WIDTH-1:0]   dst,
    input  logic [LENGTH_WIDTH-1:0] length,
    output logic                    gate_open,
    output logic [SEQ_WIDTH-1:0]    seq,
    // That cell joins a queue; or instead of it one that is sent again over another host, and others of those wait besides.
    input  logic                    take,
    input  logic                    take_again,
    input  logic                    others_wait,
    // Hosts that are dead: their pairs are not active. Pairs with cells that are to be sent again over other hosts: they are active, too.
    input  logic [HOSTS-1:0]        dead,
    input  logic [HOSTS-1:0]        waiting,
    // With `slot_begin`: host `dst` has died, and nothing of its pair is left. Another schedule begins, in whose epochs slots have other numbers.
    input  logic                    die,
    input  logic                    repair,
    // The number of a pair's first cell, if that is not 0. Only before the host's first slot.
    input  logic                    begin_pair,
    input  logic [HOST_WIDTH-1:0]   begin_dst,
    input  logic [SEQ_WIDTH-1:0]    begin_seq
);
    localparam int AGES = $clog2(HOSTS);
    localparam int AGE_WIDTH = $clog2(AGES + 1);
    localparam int GATE_WIDTH = GATE > 1 ? $clog2(GATE) : 1;

    logic add;
    assign add = add_valid && add_cells != '0 && add_dst != host && int'(add_dst) < HOSTS;

    // Cells that were ever added, now, and at the beginning of the slot if some have been added in it.
    logic [HOSTS-1:0] started;
    logic [HOSTS-1:0] changed;
    logic [31:0]      added_ram;
    logic [31:0]      added;
    logic [31:0]      now_ram;
    logic [31:0]      earlier;
    logic [31:0]      total;
    assign added = started[add_dst] && !(die && add_dst == dst) ? added_ram : '0;
    ww_ram_async #(.WIDTH(32), .DEPTH(1 << HOST_WIDTH)) u_for_addition (
        .clk, .wr_en(add), .wr_addr(add_dst), .wr_data(added + add_cells), .rd_addr(add_dst), .rd_data(added_ram)
    );
    ww_ram_async #(.WIDTH(32), .DEPTH(1 << HOST_WIDTH)) u_now (
        .clk, .wr_en(add), .wr_addr(add_dst), .wr_data(added + add_cells), .rd_addr(dst), .rd_data(now_ram)
    );
    ww_ram_async #(.WIDTH(32), .DEPTH(1 << HOST_WIDTH)) u_before (
        .clk, .wr_en(add && (slot_begin || !changed[add_dst])), .wr_addr(add_dst), .wr_data(added), .rd_addr(dst),
        .rd_data(earlier)
    );
    assign total = changed[dst] ? earlier : now_ram;

    // Cells that have joined a queue.
    logic [HOSTS-1:0] taken;
    logic [31:0]      joined_ram;
    logic [31:0]      joined;
    assign joined = taken[dst] ? joined_ram : '0;
    ww_ram_async #(.WIDTH(32), .DEPTH(1 << HOST_WIDTH)) u_joined (
        .clk, .wr_en(take && !take_again), .wr_addr(dst), .wr_data(joined + 32'd1), .rd_addr(dst), .rd_data(joined_ram)
    );

    // The number of the first of these cells.
    logic [HOSTS-1:0]     numbered;
    logic [SEQ_WIDTH-1:0] number_ram;
    assign seq = (numbered[dst] ? number_ram : '0) + joined[SEQ_WIDTH-1:0];
    ww_ram_async #(.WIDTH(SEQ_WIDTH), .DEPTH(1 << HOST_WIDTH)) u_numbers (
        .clk, .wr_en(die || begin_pair), .wr_addr(die ? dst : begin_dst), .wr_data(die ? seq : begin_seq), .rd_addr(dst), .rd_data(number_ram)
    );

    // Cells were there when the slot began that have not joined a queue.
    logic [HOSTS-1:0] has_cells;
    logic             is_last;
    assign is_last = joined + 32'd1 == total;

    // The slot of an epoch, and of the time of a gate, in which the pair became active; its age in such times.
    logic [HOSTS-1:0][PHASE_WIDTH-1:0] birth_phase;
    logic [HOSTS-1:0][GATE_WIDTH-1:0]  birth;
    logic [HOSTS-1:0][AGE_WIDTH-1:0]   age;
    logic [GATE_WIDTH-1:0]             begin_gate;
    assign gate_open = GATE == 0 || int'(age[dst]) >= AGES || 32'(length) <= 32'd1 << age[dst];

    always_ff @(posedge clk) begin
        if (take && take_again) begin
            active[dst] <= others_wait || has_cells[dst];
        end else if (take) begin
            taken[dst] <= 1'b1;
            if (is_last) begin
                active[dst]    <= 1'b0;
                has_cells[dst] <= 1'b0;
            end
        end
        if (slot_begin) begin
            begin_gate <= int'(begin_gate) + 1 >= GATE ? '0 : begin_gate + 1'b1;
            changed    <= '0;
            for (int f = 0; f < HOSTS; f++) begin
                if (birth_phase[f] == begin_phase || repair) fresh[f] <= 1'b0;
                if (birth[f] == begin_gate && int'(age[f]) < AGES) age[f] <= age[f] + 1'b1;
                if (changed[f]) has_cells[f] <= 1'b1;
                if ((changed[f] || has_cells[f] || waiting[f]) && !active[f] && !dead[f]) begin
                    active[f]      <= 1'b1;
                    fresh[f]       <= 1'b1;
                    age[f]         <= '0;
                    birth_phase[f] <= begin_phase;
                    birth[f]       <= begin_gate;
                end
            end
        end
        if (die) begin
            started[dst]   <= 1'b0;
            changed[dst]   <= 1'b0;
            taken[dst]     <= 1'b0;
            has_cells[dst] <= 1'b0;
            active[dst]    <= 1'b0;
            numbered[dst]  <= 1'b1;
        end
        if (begin_pair) numbered[begin_dst] <= 1'b1;
        if (add) begin
            started[add_dst] <= 1'b1;
            changed[add_dst] <= 1'b1;
        end
        if (rst) begin
            started     <= '0;
            changed     <= '0;
            taken       <= '0;
            numbered    <= '0;
            has_cells   <= '0;
            active      <= '0;
            fresh       <= '0;
            age         <= '0;
            birth_phase <= '0;
            birth       <= '0;
            begin_gate  <= '0;
        end
    end
endmodule
