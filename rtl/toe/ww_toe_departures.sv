// Makes headers of segments that leave: the 20 bytes of TCP, and the options in the order that Linux has them, padded in
// front with no-operations to whole words.
//
// Combinational. The checksum is 0: ww_transport_prepend fills it in. With timestamps a fourth block is left out.
//
// Source: RFC 9293 section 3.1, RFC 2018, RFC 7323 appendix A; crates/tcp, options.rs.
module ww_toe_departures
    import ww_toe_types::*;
    import ww_toe_engine_types::*;
(
    input  leaving_t     leaving,
    // Words of the header, 5 to 15, and the words, the first one low, each with its first byte low.
    output logic [3:0]   words,
    output logic [479:0] header
);
    // verilator lint_off UNUSEDSIGNAL
    departure_t departure;
    options_t   options;
    // verilator lint_on UNUSEDSIGNAL
    assign departure = leaving.departure;
    assign options = departure.options;

    logic [14:0][31:0] high;  // words with the first byte high
    logic [2:0]        blocks;
    always_comb begin
        high = '0;
        high[0] = {leaving.connection.own_port, leaving.connection.peer_port};
        high[1] = departure.number;
        high[2] = departure.acknowledgement;
        words = 4'd5;
        blocks = options.timestamps && options.count > 3'd3 ? 3'd3 : options.count;
        if (options.mss_on) begin
            high[words] = {16'h0204, options.mss};
            words += 4'd1;
        end
        if (options.sack_permitted || options.timestamps) begin
            high[words] = options.timestamps ? {options.sack_permitted ? 16'h0402 : 16'h0101, 16'h080a} : 32'h01010402;
            words += 4'd1;
        end
        if (options.timestamps) begin
            high[words] = options.value;
            high[words+4'd1] = options.echo;
            words += 4'd2;
        end
        if (options.scale_on) begin
            high[words] = {24'h010303, 4'h0, options.scale};
            words += 4'd1;
        end
        if (blocks != 0) begin
            high[words] = {24'h010105, 2'b00, blocks, 3'd2};
            words += 4'd1;
        end
        for (int n = 0; n < 4; n++) begin
            if (n < int'(blocks)) begin
                high[words] = options.blocks[n].start;
                high[words+4'd1] = options.blocks[n].stop;
                words += 4'd2;
            end
        end
        high[3] = {words, 4'h0, departure.flags, departure.window};
        for (int n = 0; n < 15; n++)
            header[32*n+:32] = {high[n][7:0], high[n][15:8], high[n][23:16], high[n][31:24]};
    end
endmodule
