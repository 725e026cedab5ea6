// Copies of the cells that a host has sent, each until its answer is there, and which of them are to be sent again.
//
// A copy has the place of its cell in the ring of epochs that ww_shoal_reports has. A link has one slot in an epoch, and one answer, so at
// most one cell waits to be sent again; it leaves in the next slot of the link, before its place is used for another. Only while nothing leaves, before another
// schedule begins, more of them wait: the one that has waited longest leaves first.
//
// Source: 004-pieo-shoal 2.17 (S27); docs/fabric.md, "Failures".
module ww_shoal_copies #(
    parameter int HOSTS = 8,
    // Places in the ring of epochs.
    parameter int PLACES = 9,
    // The most cells of a link that wait.
    parameter int MOST = 1,
    // Not to be set: bits of a host's number, of a place, of a number of cells that wait.
    localparam int HOST_WIDTH = $clog2(HOSTS),
    localparam int PLACE_WIDTH = $clog2(PLACES),
    localparam int COUNT_WIDTH = $clog2(MOST + 1)
) (
    input  logic                   clk,
    input  logic                   rst,
    // The words of the cell that is sent, as they go to the line. With the first one: to whom it goes, and its place.
    input  logic                   store,
    input  logic                   store_first,
    input  logic [63:0]            store_data,
    input  logic [HOST_WIDTH-1:0]  store_peer,
    input  logic [PLACE_WIDTH-1:0] store_place,
    // The cell of this place, that went to `failed_peer`, has to be sent again.
    input  logic                   failed,
    input  logic [HOST_WIDTH-1:0]  failed_peer,
    input  logic [PLACE_WIDTH-1:0] failed_place,
    // The link of this slot: so many cells have to be sent again. The first of them is, with `serve`.
    input  logic [HOST_WIDTH-1:0]  peer,
    output logic [COUNT_WIDTH-1:0] waits,
    input  logic                   serve,
    // A word of that cell, in the clock behind `word_read`; behind `serve` with `word_of_last`.
    input  logic                   word_read,
    input  logic                   word_of_last,
    input  logic [2:0]             word,
    output logic [63:0]            word_data,
    // So many have to be sent again over another link.
    input  logic [HOST_WIDTH-1:0]  told_peer,
    output logic [COUNT_WIDTH-1:0] told_waits,
    // A peer is dead: nothing is sent to it again. Not in a clock with `failed`.
    input  logic                   die,
    input  logic [HOST_WIDTH-1:0]  die_peer
);
    // Of each link the cells that wait, first in, first out, and their places.
    logic [HOSTS-1:0][COUNT_WIDTH-1:0]           again;
    logic [HOSTS-1:0][MOST-1:0][PLACE_WIDTH-1:0] places;
    logic [PLACE_WIDTH-1:0]                      last_place;
    logic [HOST_WIDTH-1:0]                       peer_now;
    logic [PLACE_WIDTH-1:0]                      place_now;
    logic [HOST_WIDTH-1:0]                       peer_q;
    logic [PLACE_WIDTH-1:0]                      place_q;
    logic [2:0]                                  count;
    assign waits      = again[peer];
    assign told_waits = again[told_peer];
    assign peer_now   = store_first ? store_peer : peer_q;
    assign place_now  = store_first ? store_place : place_q;

    ww_ram_sdp #(.WIDTH(64), .DEPTH(8 << (PLACE_WIDTH + HOST_WIDTH))) u_cells (
        .clk, .wr_en(store), .wr_addr({place_now, peer_now, store_first ? 3'd0 : count}), .wr_data(store_data), .rd_en(word_read),
        .rd_addr({word_of_last ? last_place : places[peer][0], peer, word}), .rd_data(word_data)
    );

    always_ff @(posedge clk) begin
        if (store) count <= store_first ? 3'd1 : count + 1'b1;
        if (store && store_first) begin
            peer_q  <= store_peer;
            place_q <= store_place;
        end
        if (serve) begin
            if (again[peer] != '0) again[peer] <= again[peer] - 1'b1;
            last_place <= places[peer][0];
            for (int n = 1; n < MOST; n++) places[peer][n-1] <= places[peer][n];
        end
        // Not in the clock of `serve`.
        if (failed) begin
            again[failed_peer] <= again[failed_peer] + 1'b1;
            for (int n = 0; n < MOST; n++) if (int'(again[failed_peer]) == n) places[failed_peer][n] <= failed_place;
        end
        if (die) again[die_peer] <= '0;
        if (rst) again <= '0;
    end
endmodule
