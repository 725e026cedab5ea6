// Block synchronisation of 10GBASE-R (IEEE 802.3 figure 49-14): where blocks begin in the stream of bits.
//
// It watches sync headers. 64 good ones lock; 16 bad ones within 64 unlock. Unlocked, each bad header asks
// for a slip of one bit, which ww_gearbox_receive makes. A window that holds 1 to 15 bad headers ends with
// its 64th, good or bad, and the next one begins from zero.
module ww_block_sync (
    input  logic       clk,
    input  logic       rst,
    // A header is there.
    input  logic       header_valid,
    input  logic [1:0] header,
    // Blocks are aligned.
    output logic       locked,
    // One clock: leave out one bit of the stream. Headers do not count until the slip has been made.
    output logic       slip,
    // The slip has been made.
    input  logic       slip_done,
    // How many bits have been left out, 0 to 65: the place of the alignment.
    output logic [6:0] offset
);
    logic [5:0] headers;
    logic [3:0] bad_headers;
    logic       slips;

    logic is_good;
    logic is_last;
    logic gives_up;
    assign is_good  = header[0] != header[1];
    assign is_last  = headers == 6'd63;
    assign gives_up = !is_good && (!locked || bad_headers == 4'd15);

    always_ff @(posedge clk) begin
        slip <= 1'b0;
        if (slips) begin
            if (slip_done) slips <= 1'b0;
        end else if (header_valid) begin
            headers <= headers + 6'd1;
            if (!is_good) bad_headers <= bad_headers + 4'd1;
            if (is_last) begin
                bad_headers <= '0;
                if (is_good && bad_headers == '0) locked <= 1'b1;
            end
            if (gives_up) begin
                headers     <= '0;
                bad_headers <= '0;
                locked      <= 1'b0;
                slip        <= 1'b1;
                slips       <= 1'b1;
                offset      <= offset == 7'd65 ? '0 : offset + 7'd1;
            end
        end
        if (rst) begin
            headers     <= '0;
            bad_headers <= '0;
            locked      <= 1'b0;
            slip        <= 1'b0;
            slips       <= 1'b0;
            offset      <= '0;
        end
    end
endmodule
