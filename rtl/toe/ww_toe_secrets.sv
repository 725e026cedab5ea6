// Numbers that nobody can guess who does not know the key: SipHash-1-3 of a connection and 32 bits more.
//
// Initial sequence numbers (RFC 6528), offsets of timestamps and SYN cookies (RFC 4987) are made of it. The hash is asked
// for with `start`, and is valid, with `done`, six clocks later.
//
// Source: J.-P. Aumasson and D. J. Bernstein, SipHash: a fast short-input PRF; crates/tcp, engine/cookie.rs.
module ww_toe_secrets
    import ww_toe_types::*;
    import ww_toe_engine_types::*;
(
    input  logic         clk,
    input  logic         rst,
    // The low half is the first word of the key.
    input  logic [127:0] key,
    input  logic [31:0]  own_ip,
    input  logic         start,
    input  connection_t  connection,
    input  number_t      more,
    output logic         done,
    output number_t      hash
);
    typedef logic [63:0] word_t;
    typedef struct packed {
        word_t v0;
        word_t v1;
        word_t v2;
        word_t v3;
    } state_t;

    function automatic word_t rotated(input word_t word, input int count);
        return word << count | word >> (64 - count);
    endfunction

    function automatic state_t round(input state_t was);
        state_t v;
        v = was;
        v.v0 += v.v1;
        v.v1 = rotated(v.v1, 13) ^ v.v0;
        v.v0 = rotated(v.v0, 32);
        v.v2 += v.v3;
        v.v3 = rotated(v.v3, 16) ^ v.v2;
        v.v0 += v.v3;
        v.v3 = rotated(v.v3, 21) ^ v.v0;
        v.v2 += v.v1;
        v.v1 = rotated(v.v1, 17) ^ v.v2;
        v.v2 = rotated(v.v2, 32);
        return v;
    endfunction

    // A number with its first byte, which is the high one, lowest.
    function automatic logic [31:0] turned(input logic [31:0] word);
        return {word[7:0], word[15:8], word[23:16], word[31:24]};
    endfunction

    // Two words of message, one with its length, three rounds to end with.
    localparam word_t LENGTH = 64'd16 << 56;
    state_t     v;
    word_t      second;
    logic [2:0] left;
    state_t     begins, mixed;
    word_t      message;
    always_comb begin
        begins.v0 = key[63:0] ^ 64'h736f6d6570736575;
        begins.v1 = key[127:64] ^ 64'h646f72616e646f6d;
        begins.v2 = key[63:0] ^ 64'h6c7967656e657261;
        begins.v3 = key[127:64] ^ 64'h7465646279746573;
        // The rounds of the message: the first word is mixed in with `start`.
        message = left == 3'd6 ? second : LENGTH;
        mixed = v;
        if (left > 3'd4) mixed.v3 ^= message;
        if (left == 3'd4) mixed.v2 ^= 64'hff;
    end

    state_t      first;
    word_t       opening;
    always_comb begin
        opening = {turned(connection.peer_ip), turned(own_ip)};
        first = begins;
        first.v3 ^= opening;
        first = round(first);
        first.v0 ^= opening;
    end

    state_t turned_over;
    always_comb begin
        turned_over = round(mixed);
        if (left > 3'd4) turned_over.v0 ^= message;
    end
    always_ff @(posedge clk) begin
        done <= left == 3'd2;
        if (left != 0) begin
            v <= turned_over;
            left <= left - 3'd1;
        end
        if (left == 3'd2) left <= '0;
        if (start) begin
            v <= first;
            second <= {turned(more), turned({connection.own_port, connection.peer_port})};
            left <= 3'd6;
        end
        if (rst) begin
            left <= '0;
            done <= 1'b0;
        end
    end
    assign hash = v.v0[31:0] ^ v.v1[31:0] ^ v.v2[31:0] ^ v.v3[31:0];
endmodule
