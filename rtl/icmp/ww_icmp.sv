// ICMP (RFC 792): answers echo requests, and datagrams for ports that nobody listens on.
//
// It is given the head and the message of a frame that `ww_inbound` has accepted, and gives the message that answers it,
// with its destination and length, for `ww_ipv4_prepend`. An echo reply is the request with another type and its
// checksum changed by that (RFC 1624), beat by beat. A port unreachable quotes the datagram's IPv4 header and the eight
// bytes behind it; it leaves when the datagram's last beat has come.
//
// Source: 002-monitoring-limago 2.16, S36.
module ww_icmp
    import ww_inbound_types::*;
(
    input  logic         clk,
    input  logic         rst,
    // Read with the message's first beat: KIND_ICMP is an echo request, KIND_UDP a datagram for a closed port.
    // verilator lint_off UNUSEDSIGNAL
    input  head_t        head,
    // verilator lint_on UNUSEDSIGNAL
    input  logic [511:0] s_axis_tdata,
    input  logic [63:0]  s_axis_tkeep,
    input  logic         s_axis_tlast,
    input  logic         s_axis_tvalid,
    output logic         s_axis_tready,
    // The answer; where it goes and its bytes hold with all of its beats.
    output logic [31:0]  m_destination,
    output logic [13:0]  m_length,
    output logic [511:0] m_axis_tdata,
    output logic [63:0]  m_axis_tkeep,
    output logic         m_axis_tlast,
    output logic         m_axis_tvalid,
    input  logic         m_axis_tready
);
    function automatic logic [15:0] swapped(input logic [15:0] word);
        return {word[7:0], word[15:8]};
    endfunction

    logic         is_first, quotes, is_echo;
    logic [15:0]  updated;
    ww_checksum_update #(.WORDS(1)) u_update (
        .checksum(swapped(s_axis_tdata[31:16])), .old_words(swapped(s_axis_tdata[15:0])),
        .new_words({8'h0, s_axis_tdata[15:8]}), .updated
    );

    // A quotation: 8 bytes of ICMP, 20 to 60 of the IPv4 header, 8 of the datagram: 96 at most.
    logic [767:0] quotation, built;
    logic [6:0]   quoted, built_bytes, header_bytes;
    logic [47:0][15:0] words;
    logic [15:0]  sum;
    always_comb begin
        header_bytes = {1'b0, head.words, 2'b00};
        built = '0;
        built[15:0] = 16'h0303;
        for (int n = 0; n < 60; n++) if (7'(n) < header_bytes) built[8*(n+8)+:8] = head.bytes[8*n+:8];
        for (int n = 5; n < 16; n++) if (head.words == 4'(n)) built[8*(4*n+8)+:64] = s_axis_tdata[63:0];
        built_bytes = header_bytes + 7'd16;
        for (int n = 0; n < 48; n++) words[n] = swapped(built[16*n+:16]);
    end
    ww_ones_add #(.WORDS(48), .ARCHITECTURE(5)) u_sum (.words, .sum);

    assign is_echo = is_first ? head.kind == KIND_ICMP : !quotes;
    logic second, ready;
    assign ready = !m_axis_tvalid || m_axis_tready;
    // Of a datagram only the first beat is read; the answer waits for the last one.
    assign s_axis_tready = ready && !second;
    always_ff @(posedge clk) begin
        if (ready) m_axis_tvalid <= 1'b0;
        if (s_axis_tvalid && s_axis_tready) begin
            is_first <= s_axis_tlast;
            if (is_first) begin
                m_destination <= head.source;
                m_length <= head.kind == KIND_ICMP ? head.length : 14'(built_bytes);
                quotes <= head.kind != KIND_ICMP;
            end
            if (is_echo) begin
                m_axis_tdata <= s_axis_tdata;
                if (is_first) m_axis_tdata[31:0] <= {swapped(updated), s_axis_tdata[15:8], 8'h0};
                m_axis_tkeep <= s_axis_tkeep;
                m_axis_tlast <= s_axis_tlast;
                m_axis_tvalid <= 1'b1;
            end else begin
                if (is_first) begin
                    quotation <= built;
                    quotation[31:16] <= swapped(~sum);
                    quoted <= built_bytes;
                end
                second <= s_axis_tlast;
            end
        end else if (second && ready) begin
            // First 64 bytes, then the rest if there is one.
            m_axis_tdata <= quotation[511:0];
            m_axis_tkeep <= quoted >= 7'd64 ? '1 : ~(64'hffff_ffff_ffff_ffff << quoted[5:0]);
            m_axis_tlast <= quoted <= 7'd64;
            m_axis_tvalid <= 1'b1;
            quotation <= {512'h0, quotation[767:512]};
            quoted <= quoted - 7'd64;
            second <= quoted > 7'd64;
        end
        if (rst) begin
            is_first <= 1'b1;
            second <= 1'b0;
            m_axis_tvalid <= 1'b0;
        end
    end
endmodule
