// A cell from the line: its header, checked, and its words, kept until the whole cell is there and then given on.
//
// Source: 004-pieo-shoal 2.11, 2.14.
module ww_shoal_cell_in #(
    parameter int HOSTS = 8
) (
    input  logic        clk,
    input  logic        rst,
    // Eight words in a row; a first word counts only while `open`, at the beginning of a slot.
    input  logic        slot_begin,
    input  logic        open,
    input  logic        rx_valid,
    input  logic        rx_first,
    input  logic [63:0] rx_data,
    // With the last word: the frame has a right check sequence.
    input  logic        rx_good,
    // The header, from four clocks behind it to the next one; it came in this slot and is in order: a right check sequence, and hosts
    // that exist.
    output logic [52:0] header,
    output logic        header_good,
    // A first word has come in this slot.
    output logic        seen,
    // For one clock, behind the last word of the cell; and the header and the frame are in order.
    output logic        done,
    output logic        done_good,
    // In the clock of `done`: give its words on, from the next clock on, with the header or without.
    input  logic        give,
    input  logic        give_header,
    output logic        word_valid,
    output logic [2:0]  word,
    output logic [63:0] word_data
);
    logic        first;
    logic        next;
    logic [2:0]  count;
    logic [63:0] read_data;
    logic [2:0]  place;
    logic [2:0]  place_q;
    logic        giving;
    logic [10:0] check;
    logic [10:0] computed;
    logic [10:0] check_q;

    assign first = rx_valid && rx_first && open;
    assign next  = rx_valid && !rx_first && count != '0;
    ww_ram_async #(.WIDTH(64), .DEPTH(8)) u_words (
        .clk, .wr_en(first || next), .wr_addr(first ? 3'd0 : count), .wr_data(rx_data), .rd_addr(place), .rd_data(read_data)
    );
    ww_shoal_header u_header (.fields(header), .check);

    always_ff @(posedge clk) begin
        // Three bits: behind the eighth word they are zero again.
        count <= first ? 3'd1 : next ? count + 1'b1 : '0;
        done  <= next && count == 3'd7;
        if (slot_begin) seen <= 1'b0;
        if (first) begin
            seen    <= 1'b1;
            header  <= rx_data[52:0];
            check_q <= rx_data[63:53];
        end
        computed    <= check;
        header_good <= seen && !slot_begin && !first && computed == check_q && int'(header[9:0]) < HOSTS && int'(header[19:10]) < HOSTS;
        done_good   <= rx_good && header_good;
        if (rst) begin
            count       <= '0;
            done        <= 1'b0;
            seen        <= 1'b0;
            header_good <= 1'b0;
        end
    end

    assign place = done ? {2'b0, !give_header} : place_q;
    always_ff @(posedge clk) begin
        word_valid <= done ? give : giving;
        word       <= place;
        word_data  <= read_data;
        place_q    <= place + 1'b1;
        giving     <= done ? give : giving && place != 3'd7;
        if (rst) begin
            word_valid <= 1'b0;
            giving     <= 1'b0;
        end
    end
endmodule
