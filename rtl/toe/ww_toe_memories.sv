// Memories of the session processor: sessions, records of what is on its way, ranges out of order, ends of writes.
//
// Each is read at one place and written at one place a clock; what is read is there in the next clock, and what is
// written at the place that is read shows at once.
module ww_toe_memories
    import ww_toe_types::*;
#(
    // As of ww_toe_session.
    parameter int SESSIONS = 64,
    parameter int RECORDS  = 1024,
    parameter int RANGES   = 64,
    parameter int MARKS    = 64,
    // Not to be set: bits of places.
    localparam int SB = SESSIONS == 1 ? 1 : $clog2(SESSIONS),
    localparam int CB = SB + $clog2(RECORDS),
    localparam int GB = SB + $clog2(RANGES),
    localparam int MB = SB + $clog2(MARKS)
) (
    input  logic          clk,
    // Sessions.
    input  logic          save,
    input  logic [SB-1:0] save_index,
    input  session_t      save_data,
    input  logic [SB-1:0] load_index,
    output session_t      loaded,
    // What is on its way.
    input  logic          record_write,
    input  logic [CB-1:0] record_write_at,
    input  record_t       record_data,
    input  logic [CB-1:0] record_read_at,
    output record_t       record_q,
    // What came out of order.
    input  logic          range_write,
    input  logic [GB-1:0] range_write_at,
    input  block_t        range_data,
    input  logic [GB-1:0] range_read_at,
    output block_t        range_q,
    // Ends of writes.
    input  logic          mark_write,
    input  logic [MB-1:0] mark_write_at,
    input  number_t       mark_data,
    input  logic [MB-1:0] mark_read_at,
    output number_t       mark_q
);

    if (SESSIONS < 1 || SESSIONS > 65536) begin : gen_illegal_sessions
        $error("SESSIONS must be from 1 to 65,536");
    end
    if (RECORDS < 4 || RECORDS > 65536 || (RECORDS & (RECORDS - 1)) != 0) begin : gen_illegal_records
        $error("RECORDS must be a power of two from 4 to 65,536");
    end
    if (RANGES < 2 || RANGES > 64 || (RANGES & (RANGES - 1)) != 0) begin : gen_illegal_ranges
        $error("RANGES must be a power of two from 2 to 64");
    end
    if (MARKS < 2 || MARKS > 32768 || (MARKS & (MARKS - 1)) != 0) begin : gen_illegal_marks
        $error("MARKS must be a power of two from 2 to 32,768");
    end

    session_t sessions [2 ** SB];
    record_t  records [2 ** CB];
    block_t   ranges [2 ** GB];
    number_t  marks [2 ** MB];

    always_ff @(posedge clk) begin
        if (save) sessions[save_index] <= save_data;
        if (record_write) records[record_write_at] <= record_data;
        if (range_write) ranges[range_write_at] <= range_data;
        if (mark_write) marks[mark_write_at] <= mark_data;
        loaded <= sessions[load_index];
        record_q <= record_write && record_write_at == record_read_at ? record_data : records[record_read_at];
        range_q <= range_write && range_write_at == range_read_at ? range_data : ranges[range_read_at];
        mark_q <= mark_write && mark_write_at == mark_read_at ? mark_data : marks[mark_read_at];
    end
endmodule
