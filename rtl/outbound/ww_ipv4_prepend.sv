// Puts an IPv4 header of 20 bytes in front of each message of a stream: no options, time to live 64, identification 0,
// not to be fragmented (RFC 6864 allows that for such packets).
//
// Throughput and latency are those of `ww_axis_prepend`.
//
// Source: 002-monitoring-limago 2.17, S46; crates/tcp, engine/outbound.rs.
module ww_ipv4_prepend (
    input  logic         clk,
    input  logic         rst,
    // Of the message, read with its first beat: addresses, the first byte high; protocol, bytes, codepoint (RFC 3168).
    input  logic [31:0]  source,
    input  logic [31:0]  destination,
    input  logic [7:0]   protocol,
    input  logic [13:0]  length,
    input  logic [1:0]   ecn,
    input  logic [511:0] s_axis_tdata,
    input  logic [63:0]  s_axis_tkeep,
    input  logic         s_axis_tlast,
    input  logic         s_axis_tvalid,
    output logic         s_axis_tready,
    output logic [511:0] m_axis_tdata,
    output logic [63:0]  m_axis_tkeep,
    output logic         m_axis_tlast,
    output logic         m_axis_tvalid,
    input  logic         m_axis_tready
);
    // Ten words, the first one high.
    logic [9:0][15:0] words;
    logic [19:0]      total;
    logic [16:0]      folded;
    logic [15:0]      checksum;
    logic [159:0]     header;
    always_comb begin
        words = {{14'h1140, ecn}, 16'(length) + 16'd20, 16'h0000, 16'h4000, {8'd64, protocol}, 16'h0000, source,
                 destination};
        total = '0;
        for (int n = 0; n < 10; n++) total += 20'(words[n]);
        folded = 17'(total[15:0]) + 17'(total[19:16]);
        checksum = ~(folded[15:0] + 16'(folded[16]));
        words[4] = checksum;
        for (int n = 0; n < 20; n++) header[8*n+:8] = words[9-n/2][n % 2 == 0 ? 8 : 0+:8];
    end

    ww_axis_prepend #(.BYTES(20)) u_prepend (
        .clk, .rst, .header, .s_axis_tdata, .s_axis_tkeep, .s_axis_tlast, .s_axis_tvalid, .s_axis_tready,
        .m_axis_tdata, .m_axis_tkeep, .m_axis_tlast, .m_axis_tvalid, .m_axis_tready
    );
endmodule
