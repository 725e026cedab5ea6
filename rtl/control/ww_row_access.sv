// Order of a row access at a table or counter: writes at once, reads in an idle clock.
//
// A block with a row port uses this module to turn the handshake of the port into one pulse for its
// RAM. A write happens in the first clock of row_valid. A read waits for a clock in which the block's
// read port is free and is done READ_LATENCY clocks later.
module ww_row_access #(
    // Clocks from `read` to the clock in which the block has the row on row_rdata, 1 or more.
    parameter int READ_LATENCY = 1
) (
    input  logic clk,
    input  logic rst,
    // Row port: an access is waiting; held until row_done.
    input  logic row_valid,
    // Row port: 1 to store, 0 to read.
    input  logic row_write,
    // Row port: the access has happened; one clock.
    output logic row_done,
    // The block's read port is not used by its datapath in this clock.
    input  logic idle,
    // Store the row at the end of this clock.
    output logic write,
    // Read the row in this clock.
    output logic read
);
    if (READ_LATENCY < 1) begin : g_illegal_latency
        $error("ww_row_access: READ_LATENCY must be 1 or more");
    end

    // A bit for each clock since `read`.
    logic [READ_LATENCY-1:0] reading;

    assign write    = row_valid && row_write;
    assign read     = row_valid && !row_write && idle && reading == '0;
    assign row_done = write || reading[READ_LATENCY-1];

    always_ff @(posedge clk) begin
        reading <= READ_LATENCY'({reading, read});
        if (rst) reading <= '0;
    end
endmodule
