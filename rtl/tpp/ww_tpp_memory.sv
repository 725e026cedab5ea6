// The memory of a stage: one port, rows of 128 bits, written by words of 32 bits.
//
// One read or write a clock; what is read is there in the next clock and stays until the next read. All words
// are zero at power-up. Written so that synthesis tools infer block RAM.
module ww_tpp_memory #(
    // Rows, a power of two.
    parameter int ROWS = 512,
    // Not to be set: bits of a row's number.
    localparam int ROW_WIDTH = $clog2(ROWS)
) (
    input  logic                 clk,
    input  logic                 enable,
    input  logic                 write,
    input  logic [ROW_WIDTH-1:0] row,
    // Which word of the row is written.
    input  logic [1:0]           part,
    input  logic [31:0]          wdata,
    output logic [127:0]         rdata
);
    (* ram_style = "block" *) logic [127:0] memory[ROWS];

    initial begin
`ifdef VERILATOR
        for (int i = 0; i < ROWS; i++) memory[i] = '0;
`else
        memory = '{default: '0};
`endif
    end

    always_ff @(posedge clk) begin
        if (enable && write) begin
            for (int i = 0; i < 4; i++) begin
                if (part == 2'(i)) memory[row][32*i+:32] <= wdata;
            end
        end
        if (enable && !write) rdata <= memory[row];
    end
endmodule
