// Two devices with a port each, their clocks, and blocks between them that are late and may have wrong bits.
module ww_dtp_pair (
    input  logic              clk,
    input  logic              clk_b,
    input  logic              rst,
    input  logic [15:0]       interval,
    input  logic [15:0]       most_jumps,
    input  logic [1:0]        link,
    // Blocks of the way, 1 to 63.
    input  logic [5:0]        way,
    // Blocks that are a frame's leave.
    input  logic [1:0]        busy,
    // Inverted in the block that a sends, if it carries a message.
    input  logic [65:0]       flip,
    output logic [1:0]        sends,
    output logic [1:0][65:0]  sent,
    output logic [1:0][105:0] counter,
    input  logic [1:0]        set_valid,
    input  logic [105:0]      set_value,
    output logic [1:0]        set_done,
    input  logic [1:0]        log_valid,
    input  logic [52:0]       log_data,
    output logic [1:0]        log_ready,
    output logic [1:0]        log_received,
    output logic [1:0]        heard_valid,
    output logic [1:0][2:0]   heard_code,
    output logic [1:0][52:0]  heard_payload,
    output logic [1:0][2:0]   state,
    output logic [1:0][13:0]  delay,
    output logic [1:0]        event_out_of_range,
    output logic [1:0]        event_jump
);
    logic [1:0] clks;
    assign clks = {clk_b, clk};

    for (genvar n = 0; n < 2; n++) begin : g_device
        logic [65:0] blocks [64];
        logic [65:0] arrives;
        logic [5:0]  place;

        // The other one's blocks, in its clock.
        always_ff @(posedge clks[1-n]) begin
            blocks[place] <= sent[1-n] ^ (n == 1 && sends[0] ? flip : '0);
            place         <= place + 6'd1;
            arrives       <= blocks[place-way];
            if (rst) place <= '0;
        end

        // verilator lint_off PINCONNECTEMPTY
        ww_dtp_device #(.PORTS(1)) u_device (
            .clk          (clks[n]),
            .rst,
            .rx_clk       (clks[1-n]),
            .rx_rst       (rst),
            .tick         (1'b1),
            .enable       (1'b1),
            .interval,
            .most_jumps,
            .encoded      ({64'h1e, busy[n] ? 2'b10 : 2'b01}),
            .filled       (sent[n]),
            .link         (link[n]),
            .arrived      (1'b1),
            .descrambled  (arrives),
            .restored     (),
            .late         (1'b0),
            .counter      (counter[n]),
            .set_valid    (set_valid[n]),
            .set_value,
            .set_done     (set_done[n]),
            .log_valid    (log_valid[n]),
            .log_data,
            .log_ready    (log_ready[n]),
            .log_received (log_received[n]),
            .heard_valid  (heard_valid[n]),
            .heard_code   (heard_code[n]),
            .heard_payload(heard_payload[n]),
            .filled_valid (sends[n]),
            .state        (state[n]),
            .delay        (delay[n]),
            .event_sent   (),
            .event_beacon (),
            .event_jump   (event_jump[n]),
            .event_jump_ticks(),
            .event_out_of_range(event_out_of_range[n]),
            .event_unexpected()
        );
        // verilator lint_on PINCONNECTEMPTY
    end
endmodule
