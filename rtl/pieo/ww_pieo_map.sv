// Which sublist each flow is in: a RAM of N words {present, sublist}, with one read and up to two writes an operation.
//
// `write_*` has two changes; the first is stored in the clock of `write`, the second in the next one, so `write` may
// come every second clock. A read sees all changes of clocks up to and with its own. After reset all words are
// cleared, which takes N clocks, in which `clearing` is high.
module ww_pieo_map #(
    // Words, 2 or more.
    parameter int N = 16,
    // Bits of the number of a sublist, 1 or more.
    parameter int SUBLIST_WIDTH = 3,
    // Not to be set: bits of the number of a flow.
    localparam int ID_WIDTH = $clog2(N)
) (
    input  logic                          clk,
    input  logic                          rst,
    output logic                          clearing,
    // Reads the word of a flow; read_present and read_sublist have it in the next clock, and only in that one.
    input  logic [ID_WIDTH-1:0]           read_id,
    output logic                          read_present,
    output logic [SUBLIST_WIDTH-1:0]      read_sublist,
    // Change 0 and change 1; not both of one flow. An id of N or more must not be changed.
    input  logic                          write,
    input  logic [1:0]                    write_change,
    input  logic [1:0][ID_WIDTH-1:0]      write_id,
    input  logic [1:0]                    write_present,
    input  logic [1:0][SUBLIST_WIDTH-1:0] write_sublist
);
    // The changes of the clock before; the second of them is stored now.
    logic                          written;
    logic [1:0]                    change;
    logic [1:0][ID_WIDTH-1:0]      id;
    logic [1:0]                    present;
    logic [1:0][SUBLIST_WIDTH-1:0] sublist;

    logic [ID_WIDTH-1:0]      reader;
    logic [ID_WIDTH-1:0]      clear_id;
    logic                     store;
    logic [ID_WIDTH-1:0]      store_id;
    logic [SUBLIST_WIDTH:0]   store_word;
    logic [SUBLIST_WIDTH:0]   word;

    ww_ram_clear #(.DEPTH(N)) u_clear (.clk, .rst, .clearing, .address(clear_id));

    always_ff @(posedge clk) begin
        written <= write;
        reader  <= read_id;
        if (write) begin
            change  <= write_change;
            id      <= write_id;
            present <= write_present;
            sublist <= write_sublist;
        end
        if (rst) begin
            written  <= 1'b0;
            change   <= '0;
        end
    end

    always_comb begin
        store      = 1'b0;
        store_id   = write_id[0];
        store_word = {write_present[0], write_sublist[0]};
        if (clearing) begin
            store      = 1'b1;
            store_id   = clear_id;
            store_word = '0;
        end else if (written) begin
            store      = change[1];
            store_id   = id[1];
            store_word = {present[1], sublist[1]};
        end else if (write) begin
            store = write_change[0];
        end
    end

    ww_ram_sdp #(.WIDTH(SUBLIST_WIDTH + 1), .DEPTH(N)) u_ram (
        .clk, .wr_en(store), .wr_addr(store_id), .wr_data(store_word), .rd_en(1'b1), .rd_addr(read_id), .rd_data(word)
    );

    // The RAM gives the old word where a change is stored in the clock of the read, or later.
    always_comb begin
        {read_present, read_sublist} = word;
        for (int c = 0; c < 2; c++) begin
            if (change[c] && id[c] == reader) {read_present, read_sublist} = {present[c], sublist[c]};
        end
    end
endmodule
