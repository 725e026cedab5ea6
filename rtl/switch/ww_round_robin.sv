// Whose turn it is: the first that offers behind the one that was served last, or else the first of all.
//
// Combinational. Without an offer it is `served`.
module ww_round_robin #(
    // Those who take turns, 1 or more.
    parameter int PORTS = 2,
    // Not to be set: bits of a number of one, at least one.
    localparam int PORT_WIDTH = PORTS > 1 ? $clog2(PORTS) : 1
) (
    // Bit n: number n offers something.
    input  logic [PORTS-1:0]      offers,
    // Who was served last.
    input  logic [PORT_WIDTH-1:0] served,
    output logic [PORT_WIDTH-1:0] chosen
);
    if (PORTS < 1) begin : g_illegal_ports
        $error("ww_round_robin: PORTS must be 1 or more");
    end

    always_comb begin
        chosen = served;
        for (int port = PORTS - 1; port >= 0; port--) begin
            if (offers[port]) chosen = PORT_WIDTH'(port);
        end
        for (int port = PORTS - 1; port >= 0; port--) begin
            if (offers[port] && port > int'(served)) chosen = PORT_WIDTH'(port);
        end
    end
endmodule
