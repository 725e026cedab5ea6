// ww_shoal_segment, and ww_shoal_reassemble behind a network that a test is: the cells to destination d are those from source d.
module ww_shoal_packets #(
    parameter int HOSTS = 6,
    // Cells that are kept for a destination, and of a source.
    parameter int KEPT = 128,
    parameter int CELLS = 64,
    parameter int REORDER = 16,
    localparam int HOST_WIDTH = $clog2(HOSTS),
    localparam int LEFT_WIDTH = $clog2(CELLS) + 1
) (
    input  logic                  clk,
    input  logic                  rst,
    input  logic [HOST_WIDTH-1:0] host,
    input  logic                  s_axis_tvalid,
    output logic                  s_axis_tready,
    input  logic [63:0]           s_axis_tdata,
    input  logic [7:0]            s_axis_tkeep,
    input  logic                  s_axis_tlast,
    input  logic [HOST_WIDTH-1:0] s_axis_tdest,
    output logic                  add_valid,
    output logic [HOST_WIDTH-1:0] add_dst,
    // A cell leaves; it arrives as this number of this source, if it is not lost, with these bits of its marks and its last byte inverted.
    input  logic                  fetch_valid,
    input  logic [HOST_WIDTH-1:0] fetch_dst,
    input  logic [19:0]           fetch_seq,
    input  logic                  lose,
    // What came last comes again.
    input  logic                  again,
    input  logic [19:0]           arrive_seq,
    input  logic [1:0]            invert_marks,
    input  logic [7:0]            invert_length,
    output logic                  m_axis_tvalid,
    input  logic                  m_axis_tready,
    output logic [63:0]           m_axis_tdata,
    output logic [7:0]            m_axis_tkeep,
    output logic                  m_axis_tlast,
    output logic [HOST_WIDTH-1:0] m_axis_tuser,
    output logic                  event_lost,
    output logic [19:0]           lost_cells,
    output logic                  event_dropped,
    output logic [LEFT_WIDTH-1:0] dropped_cells,
    output logic                  event_refused
);
    logic                  payload_valid;
    logic [63:0]           payload_data;
    logic                  payload_sop;
    logic                  payload_eop;
    logic [31:0]           add_cells;
    logic                  packet_refused;
    logic [7:0][63:0]      last_words;
    logic [1:0]            last_marks;
    logic                  is_again;
    logic                  again_word;
    logic                  comes;
    logic [63:0]           comes_data;
    logic [1:0]            comes_marks;
    logic                  lost;
    logic                  first;
    logic [HOST_WIDTH-1:0] src;
    logic [19:0]           seq;
    logic [1:0]            marks;
    logic [7:0]            length;
    logic [2:0]            word;
    always_ff @(posedge clk) begin
        first      <= fetch_valid;
        word       <= fetch_valid || again ? '0 : word + 1'b1;
        is_again   <= again;
        again_word <= again || (again_word && word != 3'd6);
        if (comes) last_words[word] <= comes_data;
        if (first) last_marks <= comes_marks;
        if (fetch_valid) begin
            lost   <= lose;
            src    <= fetch_dst;
            seq    <= arrive_seq;
            marks  <= invert_marks;
            length <= invert_length;
        end
        if (rst) begin
            first      <= 1'b0;
            is_again   <= 1'b0;
            again_word <= 1'b0;
        end
    end
    assign comes       = again_word || (payload_valid && !lost);
    assign comes_data  = again_word ? last_words[word] : payload_data ^ (word == 3'd6 ? {length, 56'd0} : '0);
    assign comes_marks = again_word ? last_marks : {payload_eop, payload_sop} ^ marks;
    wire unused_outputs = &{1'b0, add_cells, packet_refused};
    ww_shoal_segment #(.HOSTS(HOSTS), .CELLS(KEPT)) u_segment (
        .clk, .rst, .host, .s_axis_tvalid, .s_axis_tready, .s_axis_tdata, .s_axis_tkeep, .s_axis_tlast, .s_axis_tdest, .add_valid,
        .add_dst, .add_cells, .fetch_valid, .fetch_dst, .fetch_seq, .payload_valid, .payload_data, .payload_sop, .payload_eop,
        .event_refused(packet_refused)
    );
    ww_shoal_reassemble #(.HOSTS(HOSTS), .CELLS(CELLS), .REORDER(REORDER)) u_reassemble (
        .clk, .rst, .received_valid(is_again || (payload_valid && first && !lost)), .received_src(src), .received_seq(seq),
        .received_sop(comes_marks[0]), .received_eop(comes_marks[1]), .out_valid(comes), .out_data(comes_data),
        .m_axis_tvalid, .m_axis_tready,
        .m_axis_tdata, .m_axis_tkeep, .m_axis_tlast, .m_axis_tuser, .event_lost, .lost_cells, .event_dropped, .dropped_cells, .event_refused
    );
endmodule
