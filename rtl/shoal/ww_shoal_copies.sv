// Copies of the cells that a host has sent, each until its answer is there, and which of them are to be sent again.
//
// A copy has the place of its cell in the ring of epochs that ww_shoal_reports has. A link has one slot in an epoch, and one answer, so at
// most one cell waits to be sent again; it leaves in the next slot of the link, before its place is used for another.
//
// Source: 004-pieo-shoal 2.17 (S27); docs/fabric.md, "Failures".
module ww_shoal_copies #(
    parameter int HOSTS = 8,
    // Places in the ring of epochs.
    parameter int PLACES = 9,
    // Not to be set: bits of a host's number, of a place.
    localparam int HOST_WIDTH = $clog2(HOSTS),
    localparam int PLACE_WIDTH = $clog2(PLACES)
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
    // The link of this slot: a cell has to be sent again. It is, with `serve`.
    input  logic [HOST_WIDTH-1:0]  peer,
    output logic                   waits,
    input  logic                   serve,
    // A word of that cell, in the clock behind `word_read`; behind `serve` with `word_of_last`.
    input  logic                   word_read,
    input  logic                   word_of_last,
    input  logic [2:0]             word,
    output logic [63:0]            word_data,
    // Whether a cell has to be sent again over another link.
    input  logic [HOST_WIDTH-1:0]  told_peer,
    output logic                   told_waits,
    // A peer is dead: nothing is sent to it again. Not in a clock with `failed`.
    input  logic                   die,
    input  logic [HOST_WIDTH-1:0]  die_peer
);
    logic [HOSTS-1:0]                  again;
    logic [HOSTS-1:0][PLACE_WIDTH-1:0] places;
    logic [PLACE_WIDTH-1:0]            last_place;
    logic [HOST_WIDTH-1:0]             peer_now;
    logic [PLACE_WIDTH-1:0]            place_now;
    logic [HOST_WIDTH-1:0]             peer_q;
    logic [PLACE_WIDTH-1:0]            place_q;
    logic [2:0]                        count;
    assign waits      = again[peer];
    assign told_waits = again[told_peer];
    assign peer_now   = store_first ? store_peer : peer_q;
    assign place_now  = store_first ? store_place : place_q;

    ww_ram_sdp #(.WIDTH(64), .DEPTH(8 << (PLACE_WIDTH + HOST_WIDTH))) u_cells (
        .clk, .wr_en(store), .wr_addr({place_now, peer_now, store_first ? 3'd0 : count}), .wr_data(store_data), .rd_en(word_read),
        .rd_addr({word_of_last ? last_place : places[peer], peer, word}), .rd_data(word_data)
    );

    always_ff @(posedge clk) begin
        if (store) count <= store_first ? 3'd1 : count + 1'b1;
        if (store && store_first) begin
            peer_q  <= store_peer;
            place_q <= store_place;
        end
        if (serve) begin
            again[peer] <= 1'b0;
            last_place  <= places[peer];
        end
        // Not in the clock of `serve`.
        if (failed) begin
            again[failed_peer]  <= 1'b1;
            places[failed_peer] <= failed_place;
        end
        if (die) again[die_peer] <= 1'b0;
        if (rst) again <= '0;
    end
endmodule
