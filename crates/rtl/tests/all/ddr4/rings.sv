// The buffers of both directions, small, at one memory.
module rings
    import ww_toe_types::*;
    import ww_toe_engine_types::*;
#(
    parameter int SESSIONS = 4,
    parameter int LINES = 16
) (
    input  logic              clk,
    input  logic              rst,
    input  logic [3:0]        scale,
    // Of the receiver (0), which reads bytes once, and of the sender (1).
    input  logic [1:0]        write_valid,
    output logic [1:0]        write_room,
    input  move_t [1:0]       write,
    input  logic [1:0]        read_valid,
    output logic [1:0]        read_room,
    input  move_t [1:0]       read,
    input  logic [1:0][511:0] s_data,
    input  logic [1:0]        s_valid,
    output logic [1:0]        s_ready,
    output logic [1:0][511:0] m_data,
    output logic [1:0][63:0]  m_keep,
    output logic [1:0]        m_last,
    output logic [1:0]        m_valid,
    input  logic [1:0]        m_ready,
    output logic [28:0]       app_addr,
    output logic [2:0]        app_cmd,
    output logic              app_en,
    input  logic              app_rdy,
    output logic [511:0]      app_wdf_data,
    output logic [63:0]       app_wdf_mask,
    output logic              app_wdf_wren,
    output logic              app_wdf_end,
    input  logic              app_wdf_rdy,
    input  logic [511:0]      app_rd_data,
    input  logic              app_rd_data_valid,
    output logic              quiet
);
    logic [1:0]         out_valid, out_ready, fetch_valid, fetch_ready, data_valid, buffer_quiet;
    logic [1:0][25:0]   out_row, fetch_row;
    logic [1:0][63:0]   out_mask;
    logic [1:0][511:0]  out_data;
    logic [511:0]       data;
    logic               memory_quiet;
    for (genvar n = 0; n < 2; n++) begin : g_buffer
        assign out_row[n][25] = 1'(n);
        assign fetch_row[n][25] = 1'(n);
        ww_toe_buffer #(.SESSIONS(SESSIONS), .LINES(LINES), .CONSUMES(n == 0)) u_buffer (
            .clk, .rst, .scale, .write_valid(write_valid[n]), .write_room(write_room[n]), .write(write[n]),
            .read_valid(read_valid[n]), .read_room(read_room[n]), .read(read[n]),
            .s_axis_tdata(s_data[n]), .s_axis_tvalid(s_valid[n]), .s_axis_tready(s_ready[n]),
            .m_axis_tdata(m_data[n]), .m_axis_tkeep(m_keep[n]), .m_axis_tlast(m_last[n]), .m_axis_tvalid(m_valid[n]),
            .m_axis_tready(m_ready[n]), .out_valid(out_valid[n]), .out_ready(out_ready[n]),
            .out_row(out_row[n][24:0]), .out_mask(out_mask[n]), .out_data(out_data[n]),
            .fetch_valid(fetch_valid[n]), .fetch_ready(fetch_ready[n]), .fetch_row(fetch_row[n][24:0]),
            .data_valid(data_valid[n]), .data, .quiet(buffer_quiet[n])
        );
    end
    ww_ddr4 u_memory (
        .clk, .rst, .write_valid(out_valid), .write_ready(out_ready), .write_row(out_row), .write_mask(out_mask),
        .write_data(out_data), .read_valid(fetch_valid), .read_ready(fetch_ready), .read_row(fetch_row),
        .data_valid, .data, .app_addr, .app_cmd, .app_en, .app_rdy, .app_wdf_data, .app_wdf_mask, .app_wdf_wren,
        .app_wdf_end, .app_wdf_rdy, .app_rd_data, .app_rd_data_valid, .quiet(memory_quiet)
    );
    assign quiet = memory_quiet && &buffer_quiet;
endmodule
