// Ports that listen: the longest segment that each takes, and its connections that are half open.
//
// All that is asked concerns `port`, and what it says is true in the same clock.
//
// Source: 002-monitoring-limago 2.16, S39; crates/tcp, engine/mod.rs.
module ww_toe_listeners #(
    // Ports, 1 to 64.
    parameter int LISTENERS = 16
) (
    input  logic        clk,
    input  logic        rst,
    input  logic [13:0] usual_mss,
    input  logic [15:0] port,
    // Whether it listens; the longest segment there, and how many are half open. `full`: no other port can.
    output logic        listens,
    output logic [13:0] mss,
    output logic [16:0] half_open,
    output logic        full,
    // It listens from now on, with segments of at most `set_mss` bytes if that is not 0; or no more.
    input  logic        set,
    input  logic [13:0] set_mss,
    input  logic        remove,
    // One more is half open; one of `ends_port` is so no more.
    input  logic        opens,
    input  logic        ends,
    input  logic [15:0] ends_port
);
    if (LISTENERS < 1 || LISTENERS > 64) begin : g_illegal_listeners
        $error("ww_toe_listeners: LISTENERS must be 1 to 64");
    end

    typedef struct packed {
        logic        on;
        logic [15:0] port;
        logic [13:0] mss;      // 0: the usual one
        logic [16:0] half_open;
    } listener_t;
    listener_t [LISTENERS-1:0] listeners;
    logic                      free;
    logic [5:0]                at, free_at;
    logic [13:0]               own_mss;
    always_comb begin
        listens = 1'b0;
        at = '0;
        free = 1'b0;
        free_at = '0;
        own_mss = '0;
        half_open = '0;
        for (int n = LISTENERS - 1; n >= 0; n--) begin
            if (listeners[n].on && listeners[n].port == port) begin
                listens = 1'b1;
                at = 6'(n);
                own_mss = listeners[n].mss;
                half_open = listeners[n].half_open;
            end
            if (!listeners[n].on) begin
                free = 1'b1;
                free_at = 6'(n);
            end
        end
        mss = own_mss != 0 && own_mss < usual_mss ? own_mss : usual_mss;
    end
    assign full = !free;

    always_ff @(posedge clk) begin
        for (int n = 0; n < LISTENERS; n++) begin
            if (remove && listens && at == 6'(n)) listeners[n].on <= 1'b0;
            if (set && listens && at == 6'(n)) listeners[n].mss <= set_mss;
            if (set && !listens && free && free_at == 6'(n))
                listeners[n] <= '{on: 1'b1, port: port, mss: set_mss, half_open: '0};
            if (opens && at == 6'(n)) listeners[n].half_open <= half_open + 17'd1;
            if (ends && listeners[n].port == ends_port && listeners[n].half_open != 0)
                listeners[n].half_open <= listeners[n].half_open - 17'd1;
        end
        if (rst) listeners <= '0;
    end
endmodule
