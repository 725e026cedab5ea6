// Queues of packet descriptors, one for each flow, of DEPTH places each in one RAM.
module ww_scheduler_queues #(
    // Flows: ids 0 to FLOWS-1, 2 or more.
    parameter int FLOWS = 160,
    // Packets of a queue, a power of two, 2 or more.
    parameter int DEPTH = 16,
    // Bits of a length and of a handle.
    parameter int LENGTH_BITS = 16,
    parameter int HANDLE_BITS = 16,
    // Words of 64 bits that a policy knows of each packet: 0, 1, or 6 (README.md, "The policy port").
    parameter int HEAD_WORDS = 0,
    // Not to be set: bits of an id.
    localparam int ID_WIDTH = $clog2(FLOWS)
) (
    input  logic                   clk,
    input  logic                   rst,
    // High when an operation may begin; low for FLOWS clocks after reset, while the queues are emptied.
    output logic                   ready,
    // Puts a descriptor into a queue. In the next clock but one push_done, and with it whether the queue was empty, or
    // full: then nothing has changed.
    input  logic                   push,
    // Takes the first descriptor out, of a queue that has one. In the third clock after, pop_done and the descriptor.
    // In the fourth, pop_next: whether there is another one, and its length.
    input  logic                   pop,
    // As pop, with peek_done instead of pop_done, and nothing is taken out.
    input  logic                   peek,
    input  logic [ID_WIDTH-1:0]    id,
    input  logic [LENGTH_BITS-1:0] push_length,
    input  logic [HANDLE_BITS-1:0] push_handle,
    input  logic [383:0]           push_head,
    output logic                   push_done,
    output logic                   push_empty,
    output logic                   push_full,
    output logic                   pop_done,
    output logic                   peek_done,
    output logic [LENGTH_BITS-1:0] pop_length,
    output logic [HANDLE_BITS-1:0] pop_handle,
    output logic [383:0]           pop_head,
    output logic                   pop_next,
    output logic                   pop_more,
    output logic [LENGTH_BITS-1:0] pop_next_length,
    output logic [383:0]           pop_next_head
);
    localparam int PLACE_WIDTH = $clog2(DEPTH);
    if (FLOWS < 2) begin : g_illegal_flows
        $error("ww_scheduler_queues: FLOWS must be 2 or more");
    end
    if (DEPTH < 2 || 1 << PLACE_WIDTH != DEPTH) begin : g_illegal_depth
        $error("ww_scheduler_queues: DEPTH must be a power of two, 2 or more");
    end
    if (LENGTH_BITS < 1 || LENGTH_BITS > 32 || HANDLE_BITS < 1) begin : g_illegal_bits
        $error("ww_scheduler_queues: LENGTH_BITS must be 1 to 32, HANDLE_BITS 1 or more");
    end

    if (HEAD_WORDS != 0 && HEAD_WORDS != 1 && HEAD_WORDS != 6) begin : g_illegal_words
        $error("ww_scheduler_queues: HEAD_WORDS must be 0, 1 or 6");
    end
    localparam int PACKET_BITS = LENGTH_BITS + HANDLE_BITS + 64 * HEAD_WORDS;

    // Of a queue: the number of its packets, and where the first one is.
    typedef struct packed {
        logic [PLACE_WIDTH:0]   count;
        logic [PLACE_WIDTH-1:0] first;
    } queue_t;
    // In the RAM are the lowest PACKET_BITS.
    typedef struct packed {
        logic [383:0]           head;
        logic [LENGTH_BITS-1:0] length;
        logic [HANDLE_BITS-1:0] handle;
    } packet_t;

    // Bit k: the operation began k clocks ago.
    logic [1:1]          pushing;
    logic [3:1]          popping;
    logic                peeking;
    logic                clearing;
    logic [ID_WIDTH-1:0] clear_id;
    logic [ID_WIDTH-1:0] id_q;
    packet_t             given;
    queue_t              queue;
    queue_t              queue_new;
    logic                full;
    packet_t             packet;
    logic [PACKET_BITS-1:0] stored;
    logic [PLACE_WIDTH-1:0] next_place;
    logic                more;

    ww_ram_clear #(.DEPTH(FLOWS)) u_clear (.clk, .rst, .clearing, .address(clear_id));

    assign ready = !clearing;
    assign full  = queue.count == (PLACE_WIDTH + 1)'(DEPTH);

    always_comb begin
        queue_new = queue;
        if (pushing[1]) queue_new.count = queue.count + 1'b1;
        else queue_new = '{count: queue.count - 1'b1, first: queue.first + 1'b1};
        if (clearing) queue_new = '0;
    end

    ww_ram_sdp #(.WIDTH($bits(queue_t)), .DEPTH(FLOWS)) u_queues (
        .clk, .wr_en(clearing || (pushing[1] && !full) || (popping[1] && !peeking)), .wr_addr(clearing ? clear_id : id_q),
        .wr_data(queue_new), .rd_en(push || pop || peek), .rd_addr(id), .rd_data(queue)
    );
    ww_ram_sdp #(.WIDTH(PACKET_BITS), .DEPTH(FLOWS * DEPTH)) u_packets (
        .clk, .wr_en(pushing[1] && !full), .wr_addr({id_q, queue.first + queue.count[PLACE_WIDTH-1:0]}),
        .wr_data(given[PACKET_BITS-1:0]), .rd_en(popping[1] || popping[2]),
        .rd_addr({id_q, popping[1] ? queue.first : next_place}), .rd_data(stored)
    );
    assign packet = ($bits(packet_t))'(stored);

    always_ff @(posedge clk) begin
        pushing    <= push;
        popping    <= {popping[2:1], pop || peek};
        push_done  <= pushing[1];
        push_empty <= queue.count == '0;
        push_full  <= full;
        if (push || pop || peek) begin
            id_q    <= id;
            given   <= '{head: push_head, length: push_length, handle: push_handle};
            peeking <= peek;
        end
        if (popping[1]) begin
            next_place <= queue.first + 1'b1;
            more       <= queue.count > (PLACE_WIDTH + 1)'(1);
        end
        pop_done  <= popping[2] && !peeking;
        peek_done <= popping[2] && peeking;
        pop_next  <= popping[3] && !peeking;
        if (popping[2]) {pop_head, pop_length, pop_handle} <= packet;
        if (popping[3]) begin
            pop_more        <= more;
            pop_next_length <= packet.length;
            pop_next_head   <= packet.head;
        end
        if (rst) begin
            pushing   <= '0;
            popping   <= '0;
            push_done <= 1'b0;
            pop_done  <= 1'b0;
            peek_done <= 1'b0;
            pop_next  <= 1'b0;
        end
    end

    // Fewer words are kept than could be.
    logic unused;
    assign unused = ^given;
endmodule
