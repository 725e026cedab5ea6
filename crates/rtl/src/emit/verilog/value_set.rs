//! The module of a parser's value set: members in flip-flops, compared with each key at once.

use super::objects::{CFG_PORTS, index_bits, range, window};
use std::fmt::Write;

/// The module of a value set with `ports` keys a clock, and the bits of its rows.
pub fn value_set(name: &str, object: usize, key: u32, size: u64, ports: usize) -> (String, u32) {
    let (row, index) = (1 + 2 * key, index_bits(size));
    let mut text = format!("module {name} (\n    input  logic clk,\n    input  logic rst,\n");
    for n in 0..ports {
        let _ = writeln!(text, "    input  logic {}key_{n},", range(key));
        text.push_str("    // One clock later: whether it is a member.\n");
        let _ = writeln!(text, "    output logic hit_{n},");
    }
    text.push_str(CFG_PORTS);
    text.push_str(");\n");
    text.push_str(&window(row, object));
    let _ = writeln!(
        text,
        "
    // {{key, mask, valid}} of each member.
    logic [{top}:0] members [{size}];
    logic is_member;

    assign is_member = row_memory == 4'd0 && row_index < 28'd{size};
    assign row_done = row_valid;
    assign row_rdata = is_member ? members[row_index[{index_top}:0]] : '0;

    always_ff @(posedge clk) begin
        if (row_valid && row_write && is_member) members[row_index[{index_top}:0]] <= row_wdata;
        if (rst) begin
            for (int n = 0; n < {size}; n++) members[n] <= '0;
        end
    end
",
        top = row - 1,
        index_top = index - 1,
    );
    for n in 0..ports {
        let _ = writeln!(
            text,
            "    logic [{last}:0] equal_{n};
    always_comb begin
        for (int n = 0; n < {size}; n++) begin
            equal_{n}[n] = members[n][0]
                && ((key_{n} ^ members[n][{key_low}+:{key}]) & members[n][1+:{key}]) == '0;
        end
    end
    always_ff @(posedge clk) hit_{n} <= |equal_{n};",
            last = size - 1,
            key_low = 1 + key,
        );
    }
    text.push_str("endmodule\n");
    (text, row)
}
