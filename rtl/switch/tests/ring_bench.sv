// Two input ports with their rings and two outputs that fetch from both, for the tests.
module ring_bench #(
    parameter int WIDTH = 64,
    parameter int BEATS = 64,
    parameter int PACKETS = 8,
    parameter int MAX_BYTES = 200,
    localparam int AT = $clog2(BEATS),
    localparam int NUMBER = $clog2(PACKETS),
    localparam int WORD = $clog2(WIDTH / 8) + WIDTH
) (
    input  logic clk,
    input  logic rst,
    input  logic [WIDTH-1:0]   s0_axis_tdata, s1_axis_tdata,
    input  logic [WIDTH/8-1:0] s0_axis_tkeep, s1_axis_tkeep,
    input  logic               s0_axis_tlast, s1_axis_tlast, s0_axis_tvalid, s1_axis_tvalid,
    output logic               s0_axis_tready, s1_axis_tready,
    output logic [WIDTH-1:0]   m0_axis_tdata, m1_axis_tdata,
    output logic [WIDTH/8-1:0] m0_axis_tkeep, m1_axis_tkeep,
    output logic               m0_axis_tlast, m1_axis_tlast, m0_axis_tvalid, m1_axis_tvalid,
    input  logic               m0_axis_tready, m1_axis_tready,
    // Of both inputs.
    input  logic [1:0]          take,
    output logic [2*NUMBER-1:0] number,
    output logic [2*AT-1:0]     at,
    input  logic [1:0]          free_valid,
    input  logic [2*NUMBER-1:0] free_number,
    output logic [1:0]          empty,
    // Of both outputs.
    input  logic [1:0]          get_valid,
    output logic [1:0]          get_ready,
    input  logic [1:0]          get_input,
    input  logic [2*NUMBER-1:0] get_number,
    input  logic [2*AT-1:0]     get_at,
    output logic [1:0]          finish_valid,
    input  logic [1:0]          finish_ready,
    output logic [1:0]          finish_input,
    output logic [2*NUMBER-1:0] finish_number
);
    logic [3:0]        rd_en, rd_ready, rd_last, by_output_en, by_output_ready, by_output_last;
    logic [2*AT-1:0]   rd_at;
    logic [4*WORD-1:0] rd_data, by_output_data;

    for (genvar o = 0; o < 2; o++) begin : g_output
        for (genvar i = 0; i < 2; i++) begin : g_input
            assign rd_en[2*i+o] = by_output_en[2*o+i];
            assign by_output_ready[2*o+i] = rd_ready[2*i+o];
            assign by_output_last[2*o+i] = rd_last[2*i+o];
            assign by_output_data[(2*o+i)*WORD+:WORD] = rd_data[(2*i+o)*WORD+:WORD];
        end
    end

    for (genvar n = 0; n < 2; n++) begin : g_ring
        ww_port_ring #(
            .WIDTH(WIDTH), .READERS(2), .BEATS(BEATS), .PACKETS(PACKETS), .MAX_BYTES(MAX_BYTES)
        ) ring_i (
            .clk, .rst,
            .s_axis_tvalid(n == 0 ? s0_axis_tvalid : s1_axis_tvalid),
            .s_axis_tready(ring_tready[n]),
            .s_axis_tdata(n == 0 ? s0_axis_tdata : s1_axis_tdata),
            .s_axis_tkeep(n == 0 ? s0_axis_tkeep : s1_axis_tkeep),
            .s_axis_tlast(n == 0 ? s0_axis_tlast : s1_axis_tlast),
            .take(take[n]), .number(number[n*NUMBER+:NUMBER]), .at(at[n*AT+:AT]),
            .rd_en(rd_en[2*n+:2]), .rd_at, .rd_ready(rd_ready[2*n+:2]), .rd_last(rd_last[2*n+:2]),
            .rd_data(rd_data[2*n*WORD+:2*WORD]),
            .free_valid(free_valid[n]), .free_number(free_number[n*NUMBER+:NUMBER]),
            .empty(empty[n])
        );
    end
    logic [1:0] ring_tready, tvalid, tready, tlast;
    logic [2*WIDTH-1:0]   tdata;
    logic [2*WIDTH/8-1:0] tkeep;
    assign {s1_axis_tready, s0_axis_tready} = ring_tready;
    assign {m1_axis_tvalid, m0_axis_tvalid} = tvalid;
    assign {m1_axis_tlast, m0_axis_tlast} = tlast;
    assign {m1_axis_tdata, m0_axis_tdata} = tdata;
    assign {m1_axis_tkeep, m0_axis_tkeep} = tkeep;
    assign tready = {m1_axis_tready, m0_axis_tready};

    for (genvar n = 0; n < 2; n++) begin : g_fetch
        ww_port_fetch #(.WIDTH(WIDTH), .INPUTS(2), .AT_WIDTH(AT), .NUMBER_WIDTH(NUMBER)) fetch_i (
            .clk, .rst,
            .get_valid(get_valid[n]), .get_ready(get_ready[n]), .get_input(get_input[n+:1]),
            .get_number(get_number[n*NUMBER+:NUMBER]), .get_at(get_at[n*AT+:AT]),
            .rd_en(by_output_en[2*n+:2]), .rd_at(rd_at[n*AT+:AT]),
            .rd_ready(by_output_ready[2*n+:2]), .rd_last(by_output_last[2*n+:2]),
            .rd_data(by_output_data[2*n*WORD+:2*WORD]),
            .finish_valid(finish_valid[n]), .finish_ready(finish_ready[n]),
            .finish_input(finish_input[n+:1]), .finish_number(finish_number[n*NUMBER+:NUMBER]),
            .m_axis_tvalid(tvalid[n]), .m_axis_tready(tready[n]),
            .m_axis_tdata(tdata[n*WIDTH+:WIDTH]), .m_axis_tkeep(tkeep[n*WIDTH/8+:WIDTH/8]),
            .m_axis_tlast(tlast[n])
        );
    end
endmodule
