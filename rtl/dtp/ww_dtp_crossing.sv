// Messages of DTP from the recovered clock to the local one.
//
// A ring of eight messages, whose write pointer crosses in Gray code through two registers: a message is there in the
// tick behind the second clock edge that sees it, or one tick later where the first edge came too near. While
// it is not full, it adds nothing else. Without room a message is dropped; that takes messages in all blocks for
// thousands of ticks, from a sender whose clock is faster.
//
// Constraints for synthesis: the paths from rx_gray to gray_at[0], from local_gray to u_gray_at_rx.stage[0], and from memory to
// `message` need a maximum delay of one period of the clock that they come from, the first two with no more skew than
// that (see rtl/axis_async_fifo).
module ww_dtp_crossing (
    input  logic        rx_clk,
    input  logic        rx_rst,
    input  logic        push,
    input  logic [55:0] pushed,
    input  logic        clk,
    input  logic        rst,
    input  logic        tick,
    // For simulation, which knows no metastability; else tie it to 0. A change of the pointer that comes in such a clock is
    // seen one clock later.
    input  logic        late,
    // For one tick each.
    output logic        message_valid,
    output logic [55:0] message
);
    // Pointers have a bit more than addresses.
    logic [55:0] memory [8];
    logic [2:0]  rx_address;
    logic [3:0]  rx_gray;
    logic [2:0]  address;
    logic [3:0]  local_gray;
    (* ASYNC_REG = "TRUE" *) logic [3:0] gray_at [2];
    logic [3:0]  gray_at_rx;
    logic        missed;

    logic       room;
    logic [3:0] unused_rx_gray_next;
    assign room = rx_gray != (gray_at_rx ^ 4'b1100);
    ww_gray_pointer #(.ADDRESS_WIDTH(3)) u_rx_pointer (
        .clk(rx_clk), .rst(rx_rst), .step(push && room), .address(rx_address), .gray(rx_gray),
        .gray_next(unused_rx_gray_next)
    );
    ww_synchronizer #(.WIDTH(4)) u_gray_at_rx (.clk(rx_clk), .rst(rx_rst), .given(local_gray), .taken(gray_at_rx));
    always_ff @(posedge rx_clk) begin
        if (push && room) memory[rx_address] <= pushed;
    end

    logic [3:0] unused_gray_next;
    logic       fetch;
    assign fetch = tick && local_gray != gray_at[1];
    ww_gray_pointer #(.ADDRESS_WIDTH(3)) u_pointer (
        .clk, .rst, .step(fetch), .address, .gray(local_gray), .gray_next(unused_gray_next)
    );
    always_ff @(posedge clk) begin
        missed <= late && !missed && gray_at[0] != rx_gray;
        if (!late || missed) gray_at[0] <= rx_gray;
        gray_at[1] <= gray_at[0];
        if (fetch) message <= memory[address];
        if (tick) message_valid <= fetch;
        if (rst) begin
            missed        <= 1'b0;
            gray_at[0]    <= '0;
            gray_at[1]    <= '0;
            message_valid <= 1'b0;
        end
    end
endmodule
