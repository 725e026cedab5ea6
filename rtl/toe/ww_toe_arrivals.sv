// Takes TCP segments apart: what the header and its options say, and the data without them.
//
// A header waits for its options, a clock for each of them; with it the data leave, a beat a clock. A segment of two beats
// takes three clocks. Headers and data leave by queues of their own, so that the next segment is read while one waits for
// its session. What is not known is passed over; from an option whose length makes no sense nothing more is read.
//
// Source: RFC 9293 section 3.1 and 3.2, RFC 2018, RFC 7323; crates/tcp, options.rs.
module ww_toe_arrivals
    import ww_toe_types::*;
    import ww_toe_engine_types::*;
#(
    // Headers that wait at most, and beats of data, 2 or more.
    parameter int HEADERS = 16,
    parameter int BEATS = 512
) (
    input  logic         clk,
    input  logic         rst,
    // Of the segment, with its first beat: its sender, its bytes, and whether it is marked (RFC 3168).
    input  logic [31:0]  source,
    input  logic [13:0]  length,
    input  logic         marked,
    // Segments whose checksum is right; the first beat has the whole header.
    input  logic [511:0] s_axis_tdata,
    input  logic         s_axis_tvalid,
    output logic         s_axis_tready,
    // What they say.
    output arrival_t     arrival,
    output logic         arrival_valid,
    input  logic         arrival_ready,
    // Their data, a packet each; none of a segment without.
    output logic [511:0] m_axis_tdata,
    output logic [63:0]  m_axis_tkeep,
    output logic         m_axis_tlast,
    output logic         m_axis_tvalid,
    input  logic         m_axis_tready
);
    typedef enum logic [1:0] {HEADER, OPTIONS, SAY, DATA} step_t;
    step_t        step;
    arrival_t     said;
    logic [319:0] rest;       // options that were not read, the first byte low
    logic [5:0]   left;       // how many bytes
    logic [511:0] carried;    // data that did not leave
    logic [6:0]   head;       // bytes of the header
    logic [13:0]  remaining;  // bytes of data that have not left
    logic         arrival_taken;

    function automatic logic [15:0] half(input logic [511:0] bytes, input int at);
        return {bytes[8*at+:8], bytes[8*at+8+:8]};
    endfunction

    function automatic logic [31:0] word(input logic [511:0] bytes, input int at);
        return {half(bytes, at), half(bytes, at + 2)};
    endfunction

    // One option. -----------------------------------------------------------------------------------------------------
    logic [7:0]   kind, size;
    logic         ends, is_nop;
    options_t     options;
    logic [511:0] value;
    always_comb begin
        kind = rest[7:0];
        size = rest[15:8];
        value = 512'(rest);
        is_nop = kind == 8'd1;
        ends = left == 0 || kind == 0 || (!is_nop && (left < 6'd2 || size < 8'd2 || size > 8'(left)));
        options = said.segment.options;
        if (!ends) begin
            case (kind)
                8'd2: if (size == 8'd4) begin
                    options.mss = half(value, 2);
                    options.mss_on = options.mss != 0;
                end
                8'd3: if (size == 8'd3) begin
                    options.scale_on = 1'b1;
                    options.scale = rest[23:16] > 8'd14 ? 4'd14 : rest[19:16];
                end
                8'd4: if (size == 8'd2) options.sack_permitted = 1'b1;
                8'd5: if (size[2:0] == 3'd2) begin
                    options.count = 3'((size - 8'd2) >> 3);
                    for (int n = 0; n < 4; n++) begin
                        options.blocks[n] = n < int'(options.count)
                            ? '{start: word(value, 8 * n + 2), stop: word(value, 8 * n + 6)} : '0;
                    end
                end
                8'd8: if (size == 8'd10) begin
                    options.timestamps = 1'b1;
                    options.value = word(value, 2);
                    options.echo = word(value, 6);
                end
                default: ;
            endcase
        end
        // What is not there is zero, as in the model.
        if (!options.mss_on) options.mss = '0;
    end

    // Data. -----------------------------------------------------------------------------------------------------------
    logic [6:0]   fits;
    logic         flushes;    // the rest is here
    logic         data_valid, data_ready, data_leaves, data_may;
    logic [511:0] data;
    logic [63:0]  keep;
    assign fits = 7'd64 - head;
    assign flushes = remaining <= 14'(fits);
    assign data = carried | (flushes ? '0 : s_axis_tdata << (10'(fits) * 10'd8));
    assign keep = remaining >= 14'd64 ? '1 : (64'd1 << remaining[5:0]) - 64'd1;
    assign data_may = step == DATA || (step == SAY && arrival_taken && remaining != 0);
    assign data_valid = data_may && (flushes || s_axis_tvalid);
    assign data_leaves = data_valid && data_ready;
    assign s_axis_tready = step == HEADER || (data_may && !flushes && data_ready);

    always_ff @(posedge clk) begin
        case (step)
            HEADER: if (s_axis_tvalid) begin
                said.connection.peer_ip <= source;
                said.connection.peer_port <= half(s_axis_tdata, 0);
                said.connection.own_port <= half(s_axis_tdata, 2);
                said.segment.number <= word(s_axis_tdata, 4);
                said.segment.acknowledgement <= word(s_axis_tdata, 8);
                said.segment.flags <= s_axis_tdata[111:104];
                said.segment.window <= half(s_axis_tdata, 14);
                said.segment.marked <= marked;
                said.segment.options <= '0;
                said.segment.length <= length - 14'({s_axis_tdata[103:100], 2'b00});
                rest <= s_axis_tdata[479:160];
                left <= {s_axis_tdata[103:100], 2'b00} - 6'd20;
                head <= 7'({s_axis_tdata[103:100], 2'b00});
                remaining <= length - 14'({s_axis_tdata[103:100], 2'b00});
                carried <= s_axis_tdata >> {s_axis_tdata[103:100], 5'b00000};
                step <= s_axis_tdata[103:100] == 4'd5 ? SAY : OPTIONS;
            end
            OPTIONS: begin
                said.segment.options <= options;
                rest <= is_nop ? rest >> 8 : rest >> {size[5:0], 3'b000};
                left <= is_nop ? left - 6'd1 : left - size[5:0];
                if (ends) step <= SAY;
            end
            SAY: if (arrival_taken) step <= remaining == 0 ? HEADER : DATA;
            default: ;
        endcase
        if (data_leaves) begin
            carried <= s_axis_tdata >> (10'(head) * 10'd8);
            remaining <= remaining - 14'd64;
            if (remaining <= 14'd64) step <= HEADER;
        end
        if (rst) step <= HEADER;
    end

    // verilator lint_off PINCONNECTEMPTY
    ww_fifo #(.WIDTH($bits(arrival_t)), .DEPTH(HEADERS)) u_headers (
        .clk, .rst, .s_valid(step == SAY), .s_ready(arrival_taken), .s_data(said),
        .m_valid(arrival_valid), .m_ready(arrival_ready), .m_data(arrival), .level()
    );
    ww_axis_fifo #(.WIDTH(512), .USER_WIDTH(1), .DEPTH(BEATS)) u_data (
        .clk, .rst, .s_axis_tdata(data), .s_axis_tkeep(keep), .s_axis_tuser(1'b0), .s_axis_tlast(remaining <= 14'd64),
        .s_axis_tvalid(data_valid), .s_axis_tready(data_ready),
        .m_axis_tdata, .m_axis_tkeep, .m_axis_tuser(), .m_axis_tlast, .m_axis_tvalid, .m_axis_tready, .level()
    );
    // verilator lint_on PINCONNECTEMPTY
endmodule
