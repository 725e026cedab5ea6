// Keys of a ww_table_cam with STYLE "bram", and the order in which a row is written.
//
// Piece p of the key, 9 bits, addresses RAM p, whose words have a one for each slot with this value in
// the piece. A slot has the key if its bit is one in the words of all pieces. The sequence of a write:
//   FETCH       wait for a clock without a lookup at the rows, read the slot's old row
//   OLD         keep the old key; out of the table with the slot if key or valid bit change
//   CLEAR_READ  wait for a clock without a lookup, read the words of the old key  (other key only)
//   CLEAR       write them back without the slot's bit                            (other key only)
//   SET_READ    wait for a clock without a lookup, read the words of the new key
//   SET         write them back with the slot's bit
//   STORE       write the row, put the slot into the table if its valid bit is set
module ww_cam_ram #(
    // Bits of the key, 1 or more.
    parameter int KEY_WIDTH = 32,
    // Slots, 1 or more.
    parameter int ENTRIES = 16,
    // Not to be set: bits of a slot's number.
    localparam int INDEX_WIDTH = ENTRIES > 1 ? $clog2(ENTRIES) : 1
) (
    input  logic                   clk,
    input  logic                   rst,
    // Lookup; `same` has a one for each slot with this key one clock later.
    input  logic                   lookup_valid,
    input  logic [KEY_WIDTH-1:0]   lookup_key,
    output logic [ENTRIES-1:0]     same,
    // Row port; `exists` and `index` say whether and which slot it addresses, `new_valid` and
    // `new_key` are what a write stores.
    input  logic                   row_valid,
    input  logic                   row_write,
    input  logic                   exists,
    input  logic [INDEX_WIDTH-1:0] index,
    input  logic                   new_valid,
    input  logic [KEY_WIDTH-1:0]   new_key,
    output logic                   row_done,
    // RAM of the rows: free for a read of `index`; read it; the key in it one clock later; write it.
    input  logic                   row_idle,
    output logic                   row_read,
    input  logic [KEY_WIDTH-1:0]   row_key,
    output logic                   row_store,
    // Slot `index` is in the table from the next clock on, or is not.
    output logic                   set_valid,
    output logic                   clear_valid
);
    localparam int PIECE = 9;
    localparam int PIECES = (KEY_WIDTH + PIECE - 1) / PIECE;

    typedef enum logic [2:0] {FETCH, OLD, CLEAR_READ, CLEAR, SET_READ, SET, STORE} state_t;
    state_t state;

    logic [KEY_WIDTH-1:0] old_key;
    logic                 other_key;

    assign other_key = row_key != new_key;

    assign row_read    = state == FETCH && row_valid && exists && row_idle;
    assign clear_valid = state == OLD && row_write && (other_key || !new_valid);
    assign set_valid   = state == STORE && new_valid;
    assign row_store   = state == STORE;

    always_comb begin
        case (state)
            FETCH:   row_done = row_valid && !exists;
            OLD:     row_done = !row_write;
            STORE:   row_done = 1'b1;
            default: row_done = 1'b0;
        endcase
    end

    always_ff @(posedge clk) begin
        case (state)
            FETCH:      if (row_read) state <= OLD;
            OLD:        state <= !row_write ? FETCH : other_key ? CLEAR_READ : SET_READ;
            CLEAR_READ: if (!lookup_valid) state <= CLEAR;
            CLEAR:      state <= SET_READ;
            SET_READ:   if (!lookup_valid) state <= SET;
            SET:        state <= STORE;
            default:    state <= FETCH;
        endcase
        if (state == OLD) old_key <= row_key;
        if (rst) state <= FETCH;
    end

    logic [KEY_WIDTH-1:0]            read_key;
    logic [KEY_WIDTH-1:0]            write_key;
    logic                            read;
    logic                            write;
    logic [PIECES-1:0][ENTRIES-1:0]  slots;
    logic [ENTRIES-1:0]              bit_of_slot;

    assign read      = state == CLEAR_READ || state == SET_READ;
    assign write     = state == CLEAR || state == SET;
    assign write_key = state == CLEAR ? old_key : new_key;
    assign read_key  = lookup_valid ? lookup_key : state == CLEAR_READ ? old_key : new_key;
    always_comb begin
        bit_of_slot        = '0;
        bit_of_slot[index] = 1'b1;
    end

    for (genvar p = 0; p < PIECES; p++) begin : g_piece
        localparam int BITS = KEY_WIDTH - PIECE * p < PIECE ? KEY_WIDTH - PIECE * p : PIECE;
        ww_ram_sdp #(.WIDTH(ENTRIES), .DEPTH(1 << BITS)) ram (
            .clk,
            .wr_en(write), .wr_addr(write_key[PIECE*p +: BITS]),
            .wr_data(state == CLEAR ? slots[p] & ~bit_of_slot : slots[p] | bit_of_slot),
            .rd_en(lookup_valid || read), .rd_addr(read_key[PIECE*p +: BITS]),
            .rd_data(slots[p])
        );
    end

    always_comb begin
        same = '1;
        for (int p = 0; p < PIECES; p++) same &= slots[p];
    end
endmodule
