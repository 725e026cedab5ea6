// Puts a transport's header in front of its data, with the checksum of both (RFC 1071, RFC 9293, RFC 768).
//
// A message is held back until its data have been summed up; the next one is summed up meanwhile, a beat a clock and one
// clock for the header. A header without data leaves alone.
//
// Source: 002-monitoring-limago 2.17, S46; crates/tcp, engine/outbound.rs.
module ww_transport_prepend #(
    // Beats of data that wait at most: those of two messages of 8,972 bytes and more.
    parameter int BEATS = 512,
    // Messages that wait at most, 2 or more.
    parameter int MESSAGES = 8
) (
    input  logic         clk,
    input  logic         rst,
    // A message: addresses, the first byte high; the codepoint of the packet (RFC 3168); TCP, or else UDP; words of the
    // header, 2 to 15, and its bytes, the first one low, with 0 for the checksum; bytes of data, which follow in a packet of
    // the stream if there are any.
    input  logic         head_valid,
    output logic         head_ready,
    input  logic [31:0]  source,
    input  logic [31:0]  destination,
    input  logic [1:0]   ecn,
    input  logic         tcp,
    input  logic [3:0]   words,
    input  logic [479:0] header,
    input  logic [13:0]  length,
    input  logic [511:0] s_axis_tdata,
    input  logic [63:0]  s_axis_tkeep,
    input  logic         s_axis_tlast,
    input  logic         s_axis_tvalid,
    output logic         s_axis_tready,
    // The message with its header: what ww_ipv4_prepend asks for.
    output logic [31:0]  m_source,
    output logic [31:0]  m_destination,
    output logic [7:0]   m_protocol,
    output logic [13:0]  m_length,
    output logic [1:0]   m_ecn,
    output logic [511:0] m_axis_tdata,
    output logic [63:0]  m_axis_tkeep,
    output logic         m_axis_tlast,
    output logic         m_axis_tvalid,
    input  logic         m_axis_tready
);
    // Sums. -----------------------------------------------------------------------------------------------------------
    typedef struct packed {
        logic [31:0]  source;
        logic [31:0]  destination;
        logic [1:0]   ecn;
        logic         tcp;
        logic [3:0]   words;
        logic [479:0] header;
        logic [13:0]  length;
    } head_t;

    // The header with the pseudo header comes first, then each beat with the sum so far.
    localparam int WORDS = 37;
    logic                   sums, summed;   // a message is summed up; its data are
    head_t                  head, taken;
    logic [15:0]            sum, next;
    logic                   takes, summed_ready, in_valid, in_ready;
    logic [511:0]           bytes;
    logic [63:0]            counts;
    logic [WORDS-1:0][15:0] terms;
    assign takes = head_valid && head_ready;
    always_comb begin
        taken = '{source: source, destination: destination, ecn: ecn, tcp: tcp, words: words, header: header,
                  length: length};
        bytes = takes ? 512'(header) : s_axis_tdata;
        counts = takes ? ~(64'hffff_ffff_ffff_ffff << {words, 2'b00}) : s_axis_tkeep;
        terms = '0;
        for (int n = 0; n < 32; n++) begin
            terms[n] = {counts[2*n] ? bytes[16*n+:8] : 8'h0, counts[2*n+1] ? bytes[16*n+8+:8] : 8'h0};
        end
        terms[32] = sum;
        if (takes) begin
            terms[32] = source[31:16];
            terms[33] = source[15:0];
            // Less than 2^16 in all: the protocol and the length.
            terms[34] = (tcp ? 16'd6 : 16'd17) + 16'(length) + 16'({words, 2'b00});
            terms[35] = destination[31:16];
            terms[36] = destination[15:0];
        end
    end
    assign head_ready = !sums || (summed && summed_ready);
    assign in_valid = sums && !summed && s_axis_tvalid;
    assign s_axis_tready = sums && !summed && in_ready;
    always_ff @(posedge clk) begin
        if (sums && summed && summed_ready) sums <= 1'b0;
        if (takes) begin
            head <= taken;
            sums <= 1'b1;
            summed <= length == 0;
        end
        if (in_valid && in_ready) begin
            summed <= s_axis_tlast;
        end
        if (takes || (in_valid && in_ready)) sum <= next;
        if (rst) sums <= 1'b0;
    end
    ww_ones_add #(.WORDS(WORDS)) u_add (.words(terms), .sum(next));

    // The checksum takes its place: in TCP bytes 16 and 17, in UDP 6 and 7, where 0 would say that there is none.
    head_t       filled, out;
    logic [15:0] checksum;
    always_comb begin
        filled = head;
        checksum = ~sum;
        if (head.tcp) filled.header[143:128] = {checksum[7:0], checksum[15:8]};
        else filled.header[63:48] = checksum == 0 ? '1 : {checksum[7:0], checksum[15:8]};
    end
    logic         out_valid, out_done, data_valid, data_ready, data_last;
    logic [511:0] data;
    logic [63:0]  data_keep;
    // verilator lint_off PINCONNECTEMPTY
    ww_fifo #(.WIDTH($bits(head_t)), .DEPTH(MESSAGES)) u_heads (
        .clk, .rst, .s_valid(sums && summed), .s_ready(summed_ready), .s_data(filled),
        .m_valid(out_valid), .m_ready(out_done), .m_data(out), .level()
    );
    ww_axis_fifo #(.WIDTH(512), .USER_WIDTH(1), .DEPTH(BEATS)) u_data (
        .clk, .rst, .s_axis_tdata, .s_axis_tkeep, .s_axis_tuser(1'b0), .s_axis_tlast, .s_axis_tvalid(in_valid),
        .s_axis_tready(in_ready), .m_axis_tdata(data), .m_axis_tkeep(data_keep), .m_axis_tuser(),
        .m_axis_tlast(data_last), .m_axis_tvalid(data_valid), .m_axis_tready(data_ready), .level()
    );
    // verilator lint_on PINCONNECTEMPTY

    // The header moves each beat of data up; what does not fit waits for the next one. --------------------------------
    logic [479:0] carried, header_bytes;
    logic [59:0]  carried_keep, first_keep;
    logic         is_first, flushes;
    logic [6:0]   head_bytes;
    logic [511:0] clean;
    logic [63:0]  keep;
    logic         has_data, rests;
    assign head_bytes = {1'b0, out.words, 2'b00};
    assign has_data = out.length != 0;
    always_comb begin
        keep = !has_data || flushes ? '0 : data_last ? data_keep : '1;
        for (int n = 0; n < 64; n++) clean[8*n+:8] = keep[n] ? data[8*n+:8] : 8'h0;
    end
    // Whether some of the beat's bytes do not fit.
    assign rests = (keep >> (7'd64 - head_bytes)) != 0;
    assign m_axis_tvalid = out_valid && (flushes || !has_data || data_valid);
    assign m_axis_tdata = (clean << {head_bytes, 3'b000}) | 512'(is_first ? header_bytes : carried);
    assign m_axis_tkeep = (keep << head_bytes) | 64'(is_first ? first_keep : carried_keep);
    assign m_axis_tlast = flushes || !has_data || (data_last && !rests);
    assign data_ready = out_valid && has_data && !flushes && m_axis_tready;
    assign out_done = m_axis_tvalid && m_axis_tready && m_axis_tlast;
    assign first_keep = ~('1 << head_bytes);
    assign header_bytes = out.header & ~('1 << {head_bytes, 3'b000});
    assign m_source = out.source;
    assign m_destination = out.destination;
    assign m_protocol = out.tcp ? 8'd6 : 8'd17;
    assign m_length = out.length + 14'(head_bytes);
    assign m_ecn = out.ecn;
    always_ff @(posedge clk) begin
        if (m_axis_tvalid && m_axis_tready) begin
            carried <= 480'(clean >> (10'(7'd64 - head_bytes) * 10'd8));
            carried_keep <= 60'(keep >> (7'd64 - head_bytes));
            is_first <= m_axis_tlast;
            flushes <= !flushes && has_data && data_last && rests;
        end
        if (rst) begin
            is_first <= 1'b1;
            flushes <= 1'b0;
        end
    end
endmodule
