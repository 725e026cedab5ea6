// A cell to the line: header and payload, at the same time in every slot.
//
// The payload comes from the cell memory or from the host, and waits here until the header has gone. The header is made when the
// host's first word must have come, for the marks of packets come with that.
//
// Source: 004-pieo-shoal 2.11, 2.14.
module ww_shoal_cell_out (
    input  logic        clk,
    input  logic        rst,
    // Five clocks before the header is made, six before it is on the line: what it says. `own`: the payload and its marks come from
    // the host; otherwise the payload is `stored_data`, from the clock of `begin_cell` on.
    input  logic        begin_cell,
    input  logic        own,
    input  logic [9:0]  src,
    input  logic [9:0]  dst,
    input  logic [19:0] seq,
    input  logic        sop,
    input  logic        eop,
    input  logic [63:0] stored_data,
    // From the clock behind `begin_cell` on.
    input  logic [9:0]  report,
    input  logic        lost,
    // Seven words in a row, the first 1 to 4 clocks behind `begin_cell`, with the marks.
    input  logic        payload_valid,
    input  logic [63:0] payload_data,
    input  logic        payload_sop,
    input  logic        payload_eop,
    // Eight words in a row.
    output logic        tx_valid,
    output logic        tx_first,
    output logic [63:0] tx_data
);
    // Clocks behind `begin_cell`, up to the one in which the header is made.
    logic [4:0]  wait_clocks;
    logic        header_now;
    logic        is_own;
    logic [39:0] addresses;
    logic        marked_sop;
    logic        marked_eop;
    logic [52:0] fields;
    logic [10:0] check;
    assign header_now = wait_clocks[4];
    assign fields     = {lost, marked_eop, marked_sop, report, addresses};
    ww_shoal_header u_header (.fields, .check);

    // Words of the payload: the next one to write and to read.
    logic        write;
    logic [2:0]  write_place;
    logic [2:0]  stored_left;
    logic [2:0]  read_place;
    logic        reading;
    logic [63:0] read_data;
    logic        begins_own;
    assign begins_own = begin_cell ? own : is_own;
    assign write      = begins_own ? payload_valid && write_place != 3'd7 : begin_cell || stored_left != '0;
    ww_ram_async #(.WIDTH(64), .DEPTH(8)) u_payload (
        .clk, .wr_en(write), .wr_addr(begin_cell ? 3'd0 : write_place), .wr_data(begins_own ? payload_data : stored_data),
        .rd_addr(read_place), .rd_data(read_data)
    );

    always_ff @(posedge clk) begin
        wait_clocks <= {wait_clocks[3:0], begin_cell};
        if (begin_cell) begin
            is_own      <= own;
            addresses   <= {seq, dst, src};
            marked_sop  <= sop;
            marked_eop  <= eop;
            write_place <= own ? '0 : 3'd1;
            stored_left <= own ? '0 : 3'd6;
        end else begin
            if (write) write_place <= write_place + 1'b1;
            if (stored_left != '0) stored_left <= stored_left - 1'b1;
            if (is_own && payload_valid && write_place == '0) begin
                marked_sop <= payload_sop;
                marked_eop <= payload_eop;
            end
        end
        tx_valid <= header_now || reading;
        tx_first <= header_now;
        tx_data  <= header_now ? {check, fields} : read_data;
        if (header_now) begin
            reading    <= 1'b1;
            read_place <= '0;
        end else if (reading) begin
            read_place <= read_place + 1'b1;
            reading    <= read_place != 3'd6;
        end
        if (rst) begin
            wait_clocks <= '0;
            stored_left <= '0;
            is_own      <= 1'b0;
            write_place <= '0;
            reading     <= 1'b0;
            tx_valid    <= 1'b0;
            tx_first    <= 1'b0;
        end
    end
endmodule
