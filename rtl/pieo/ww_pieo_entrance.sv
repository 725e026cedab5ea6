// Clock 1 of ww_pieo_pipelined: takes operations, and reads what is known of their flows.
//
// The map of flows is written in clock 4, so a flow that is written while its operation waits here is noted. Behind
// clock 1 it is up to the pipeline to look at what is written.
module ww_pieo_entrance #(
    // Flows, 4 or more.
    parameter int N = 64,
    // Bits of an operation besides the flow, and of a key.
    parameter int OP_WIDTH = 32,
    parameter int KEY_BITS = 64,
    // Not to be set: bits of a flow's number; of what is known of it: whether it is in the list, and its key.
    localparam int ID_WIDTH = $clog2(N),
    localparam int FLOW_WIDTH = 1 + KEY_BITS
) (
    input  logic                  clk,
    input  logic                  rst,
    // An operation is taken in a clock in which both are high. Not ready while the map is cleared, N clocks after reset.
    input  logic                  op_valid,
    output logic                  op_ready,
    input  logic [ID_WIDTH-1:0]   op_id,
    input  logic [OP_WIDTH-1:0]   op,
    output logic                  clearing,
    // The operation in clock 1, and what is known of its flow; it leaves in a clock with `first_moves`.
    output logic                  first_valid,
    output logic [ID_WIDTH-1:0]   first_id,
    output logic [OP_WIDTH-1:0]   first,
    output logic [FLOW_WIDTH-1:0] first_flow,
    input  logic                  first_moves,
    // What becomes known of a flow.
    input  logic                  write,
    input  logic [ID_WIDTH-1:0]   write_id,
    input  logic [FLOW_WIDTH-1:0] write_flow,
    // Reads the key of a flow; it comes in the clock after. No operation enters clock 1 meanwhile.
    input  logic                  look_up,
    input  logic [ID_WIDTH-1:0]   look_up_id,
    output logic [KEY_BITS-1:0]   look_up_key
);
    logic                skid_valid;
    logic [ID_WIDTH-1:0] skid_id;
    logic [OP_WIDTH-1:0] skid;
    logic                enter_valid;
    logic [ID_WIDTH-1:0] enter_id;
    logic [OP_WIDTH-1:0] enter;
    logic                enters;
    logic                noted_valid;
    logic [FLOW_WIDTH-1:0] noted;
    logic [FLOW_WIDTH-1:0] read_flow;
    logic [ID_WIDTH-1:0] clear_id;

    assign op_ready    = !skid_valid && !clearing;
    assign enter_valid = skid_valid || (op_valid && op_ready);
    assign enter_id    = skid_valid ? skid_id : op_id;
    assign enter       = skid_valid ? skid : op;
    assign enters      = enter_valid && (!first_valid || first_moves) && !look_up;
    assign first_flow  = noted_valid ? noted : read_flow;
    assign look_up_key = read_flow[KEY_BITS-1:0];

    ww_ram_clear #(.DEPTH(N)) u_clear (.clk, .rst, .clearing, .address(clear_id));

    always_ff @(posedge clk) begin
        skid_valid <= enter_valid && !enters;
        skid_id    <= enter_id;
        skid       <= enter;
        if (enters) begin
            first_id <= enter_id;
            first    <= enter;
        end
        first_valid <= enters || (first_valid && !first_moves);
        if (write && write_id == (enters ? enter_id : first_id)) begin
            noted_valid <= 1'b1;
            noted       <= write_flow;
        end else if (enters) begin
            noted_valid <= 1'b0;
        end else if (look_up && !noted_valid) begin
            noted_valid <= 1'b1;
            noted       <= read_flow;
        end
        if (rst) begin
            skid_valid  <= 1'b0;
            first_valid <= 1'b0;
        end
    end

    ww_ram_sdp #(.WIDTH(FLOW_WIDTH), .DEPTH(N), .STYLE("block")) u_map (
        .clk, .wr_en(write || clearing), .wr_addr(clearing ? clear_id : write_id), .wr_data(clearing ? '0 : write_flow),
        .rd_en(enters || look_up), .rd_addr(look_up ? look_up_id : enter_id), .rd_data(read_flow)
    );
endmodule
