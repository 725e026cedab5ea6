//! Modules around register arrays, counters, meters and messages: the block of `rtl/`, and the
//! window by which the control plane reaches it.

use super::super::lower::Array;
use std::fmt::Write;

/// Ports of the control bus of an object.
pub const CFG_PORTS: &str = "    // Control bus: held until cfg_ready.
    input  logic        cfg_valid,
    input  logic        cfg_write,
    input  logic [11:0] cfg_address,
    input  logic [31:0] cfg_wdata,
    output logic        cfg_ready,
    output logic [31:0] cfg_rdata
";

/// The window of an object with rows of this many bits.
pub fn window(row_bits: u32, object: usize) -> String {
    format!(
        "    logic row_valid, row_write, row_done;
    logic [3:0] row_memory;
    logic [27:0] row_index;
    logic [{top}:0] row_wdata, row_rdata;

    ww_row_window #(.ROW_WIDTH({row_bits}), .OBJECT(32'd{object})) window (
        .clk, .rst,
        .cfg_valid, .cfg_write, .cfg_address, .cfg_wdata, .cfg_ready, .cfg_rdata,
        .row_valid, .row_write, .row_memory, .row_index, .row_wdata, .row_done, .row_rdata
    );
",
        top = row_bits - 1
    )
}

/// Bits of a row of `ww_meter_array` with its default widths.
const METER_ROW: u32 = 265;

/// A range of bits in a declaration.
pub fn range(width: u32) -> String {
    if width == 1 { String::new() } else { format!("[{}:0] ", width - 1) }
}

/// Bits of an index.
pub fn index_bits(size: u64) -> u32 {
    (u64::BITS - size.saturating_sub(1).leading_zeros()).max(1)
}

/// The module of a register array with one access a packet.
pub fn register(name: &str, object: usize, array: &Array, writes: bool) -> String {
    let (width, size) = (array.width, array.size.max(1));
    let index = index_bits(size);
    let mut text = format!(
        "module {name} (
    input  logic clk,
    input  logic rst,
    // A packet reads.
    input  logic read_valid,
    input  logic {index_range}read_index,
    // Two clocks later: the value, with all that earlier packets wrote.
    output logic {range}read_data,
",
        index_range = range(index),
        range = range(width),
    );
    if writes {
        let _ = writeln!(
            text,
            "    // In the same clock: the value that the packet leaves.
    input  logic write_valid,
    input  logic {}write_data,",
            range(width)
        );
    }
    text.push_str(CFG_PORTS);
    text.push_str(");\n");
    text.push_str(&window(width, object));
    let (valid, data) = if writes { ("write_valid", "write_data") } else { ("1'b0", "'0") };
    let _ = writeln!(
        text,
        "
    ww_register_array #(.WIDTH({width}), .DEPTH({size})) array (
        .clk, .rst, .read_valid, .read_index, .read_data,
        .write_valid({valid}), .write_data({data}),
        .row_valid, .row_write, .row_memory, .row_index, .row_wdata, .row_done, .row_rdata
    );
endmodule"
    );
    text
}

/// The module of a register array in flip-flops, for packets that access it at several places.
pub fn register_file(name: &str, object: usize, array: &Array) -> String {
    let (width, size) = (array.width, array.size.max(1));
    let index = index_bits(size);
    let mut text = format!("module {name} (\n    input  logic clk,\n    input  logic rst,\n");
    for n in 0..array.ports.len() {
        let _ = writeln!(text, "    input  logic {}read_index_{n},", range(index));
        let _ = writeln!(text, "    output logic {}read_data_{n},", range(width));
    }
    text.push_str("    // In the order of the program: the last one wins.\n");
    for n in 0..array.writes.len() {
        let _ = writeln!(text, "    input  logic write_valid_{n},");
        let _ = writeln!(text, "    input  logic {}write_index_{n},", range(index));
        let _ = writeln!(text, "    input  logic {}write_data_{n},", range(width));
    }
    text.push_str(CFG_PORTS);
    text.push_str(");\n");
    text.push_str(&window(width, object));
    let _ = writeln!(
        text,
        "\n    logic {}values [{size}];\n    logic is_cell, is_busy;\n",
        range(width)
    );
    let busy: Vec<String> = (0..array.writes.len())
        .map(|n| format!("write_valid_{n}"))
        .chain(["1'b0".into()])
        .collect();
    let _ = writeln!(
        text,
        "    // The control plane writes in a clock in which no packet does.
    assign is_busy = {};
    assign is_cell = row_memory == 4'd0 && row_index < 28'd{size};
    assign row_done = row_valid && !(row_write && is_busy);
    assign row_rdata = is_cell ? values[row_index[{}:0]] : '0;",
        busy.join(" || "),
        index - 1,
    );
    for n in 0..array.ports.len() {
        if size.is_power_of_two() && size > 1 {
            let _ = writeln!(text, "    assign read_data_{n} = values[read_index_{n}];");
        } else {
            let _ = writeln!(
                text,
                "    assign read_data_{n} = 32'(read_index_{n}) < 32'd{size} ? values[read_index_{n}] : '0;"
            );
        }
    }
    text.push_str("\n    initial begin\n");
    let _ = writeln!(text, "        for (int n = 0; n < {size}; n++) values[n] = '0;\n    end\n");
    text.push_str("    always_ff @(posedge clk) begin\n");
    for n in 0..array.writes.len() {
        let _ = writeln!(
            text,
            "        if (write_valid_{n}) values[write_index_{n}] <= write_data_{n};"
        );
    }
    let _ = writeln!(
        text,
        "        if (row_valid && row_write && row_done && is_cell) values[row_index[{}:0]] <= row_wdata;
    end
endmodule",
        index - 1,
    );
    text
}

/// The module of a counter array: lanes that each count once a packet; a cell is their sum. Bytes
/// are those of the whole packet, whose length is known later than that it counts.
pub fn counter(name: &str, object: usize, size: u64, lanes: usize, in_flight: u32) -> String {
    let size = size.max(1);
    let index = index_bits(size);
    let mut text = format!("module {name} (\n    input  logic clk,\n    input  logic rst,\n");
    for n in 0..lanes {
        let _ = writeln!(text, "    // A packet comes by; whether it counts, and where.");
        let _ = writeln!(text, "    input  logic packet_{n},");
        let _ = writeln!(text, "    input  logic enable_{n},");
        let _ = writeln!(text, "    input  logic {}index_{n},", range(index));
    }
    text.push_str("    // The end of a packet, and its bytes.\n    input  logic end_valid,\n    input  logic [15:0] end_bytes,\n");
    text.push_str(CFG_PORTS);
    text.push_str(");\n");
    text.push_str(&window(128, object));
    let _ = writeln!(text, "\n    logic [{}:0] done, now, valid, ready;", lanes - 1);
    for n in 0..lanes {
        let s = if lanes == 1 { String::new() } else { format!("[{n}]") };
        let _ = writeln!(
            text,
            "    logic token_valid_{n}, length_valid_{n}, counts_{n};
    logic {index_range}at_{n};
    logic [15:0] bytes_{n};
    logic [127:0] cell_{n}, kept_{n};
    logic unused_{n};
    logic unused_token_ready_{n}, unused_length_ready_{n};
    logic [$clog2({in_flight}+1)-1:0] unused_tokens_{n}, unused_lengths_{n};

    // Tokens wait for the end of their packet, or the other way round.
    ww_fifo #(.WIDTH({token}), .DEPTH({in_flight})) tokens_{n} (
        .clk, .rst, .s_valid(packet_{n}), .s_ready(unused_token_ready_{n}),
        .s_data({{enable_{n}, index_{n}}}),
        .m_valid(token_valid_{n}), .m_ready(ready{s}), .m_data({{counts_{n}, at_{n}}}),
        .level(unused_tokens_{n})
    );
    ww_fifo #(.WIDTH(16), .DEPTH({in_flight})) lengths_{n} (
        .clk, .rst, .s_valid(end_valid), .s_ready(unused_length_ready_{n}), .s_data(end_bytes),
        .m_valid(length_valid_{n}), .m_ready(ready{s}), .m_data(bytes_{n}), .level(unused_lengths_{n})
    );
    assign ready{s} = token_valid_{n} && length_valid_{n};
    assign valid{s} = ready{s} && counts_{n};
    assign unused_{n} = &{{unused_token_ready_{n}, unused_length_ready_{n}, 1'b0}};

    ww_counter_array #(.DEPTH({size})) lane_{n} (
        .clk, .rst,
        .count_valid(valid{s}), .count_index(at_{n}), .count_bytes(bytes_{n}),
        .row_valid(row_valid && !done{s}), .row_write, .row_memory, .row_index,
        .row_wdata({wdata}), .row_done(now{s}), .row_rdata(cell_{n})
    );
",
            index_range = range(index),
            token = index + 1,
            wdata = if n == 0 { "row_wdata" } else { "128'd0" },
        );
    }
    let sum = |half: &str| {
        let terms: Vec<String> = (0..lanes)
            .map(|n| {
                let s = if lanes == 1 { String::new() } else { format!("[{n}]") };
                format!("(done{s} ? kept_{n}{half} : cell_{n}{half})")
            })
            .collect();
        terms.join(" + ")
    };
    let _ = writeln!(
        text,
        "    assign row_done = &(done | now);
    assign row_rdata[63:0] = {};
    assign row_rdata[127:64] = {};

    always_ff @(posedge clk) begin
        done <= rst || row_done ? '0 : done | now;",
        sum("[63:0]"),
        sum("[127:64]"),
    );
    for n in 0..lanes {
        let s = if lanes == 1 { String::new() } else { format!("[{n}]") };
        let _ = writeln!(text, "        if (now{s}) kept_{n} <= cell_{n};");
    }
    text.push_str("    end\nendmodule\n");
    text
}

/// The module in which messages to the control plane wait; each kind has a port. Messages that
/// find no room are lost and counted.
pub fn digests(name: &str, object: usize, widths: &[u32], depth: u32) -> (String, u32) {
    let data = widths.iter().copied().max().unwrap_or(1);
    let row = data + 41;
    let mut text = format!("module {name} (\n    input  logic clk,\n    input  logic rst,\n");
    for (n, width) in widths.iter().enumerate() {
        let _ = writeln!(text, "    input  logic valid_{n},");
        let _ = writeln!(text, "    input  logic [31:0] receiver_{n},");
        let _ = writeln!(text, "    input  logic {}data_{n},", range(*width));
    }
    text.push_str("    // A message was lost.\n    output logic lost,\n");
    text.push_str(CFG_PORTS);
    text.push_str(");\n");
    text.push_str(&window(row, object));
    let count = widths.len();
    let _ = writeln!(
        text,
        "
    logic [{last}:0] valid, ready, taken, full;
    logic out_valid, out_ready, in_ready;
    logic [{payload}:0] out_data, chosen;
",
        last = count - 1,
        payload = row - 2,
    );
    for (n, width) in widths.iter().enumerate() {
        let s = if count == 1 { String::new() } else { format!("[{n}]") };
        let _ = writeln!(
            text,
            "    logic {range}waiting_{n};
    logic [31:0] to_{n};
    logic [3:0] unused_level_{n};
    // A few of each kind wait for their turn.
    ww_fifo #(.WIDTH({word}), .DEPTH(8)) kind_{n} (
        .clk, .rst, .s_valid(valid_{n}), .s_ready(full{s}), .s_data({{receiver_{n}, data_{n}}}),
        .m_valid(valid{s}), .m_ready(ready{s}), .m_data({{to_{n}, waiting_{n}}}), .level(unused_level_{n})
    );
    assign taken{s} = valid_{n} && !full{s};",
            range = range(*width),
            word = width + 32,
        );
    }
    text.push_str("\n    always_comb begin\n        ready = '0;\n        chosen = '0;\n");
    for n in (0..count).rev() {
        let s = if count == 1 { String::new() } else { format!("[{n}]") };
        let _ = writeln!(
            text,
            "        if (valid{s}) begin
            ready = '0;
            ready{s} = in_ready;
            chosen = {{to_{n}, 8'd{n}, {data}'(waiting_{n})}};
        end"
        );
    }
    let _ = writeln!(
        text,
        "    end

    logic [$clog2({depth}+1)-1:0] unused_level;
    assign lost = |taken;
    ww_fifo #(.WIDTH({word}), .DEPTH({depth})) messages (
        .clk, .rst, .s_valid(|valid), .s_ready(in_ready), .s_data(chosen),
        .m_valid(out_valid), .m_ready(out_ready), .m_data(out_data), .level(unused_level)
    );

    // Reading row 0 takes the oldest out.
    assign row_done = row_valid;
    assign row_rdata = out_valid ? {{1'b1, out_data}} : '0;
    assign out_ready = row_valid && !row_write && row_memory == 4'd0 && row_index == 28'd0;

    logic unused_bits;
    assign unused_bits = &{{row_wdata, 1'b0}};
endmodule",
        word = row - 1,
    );
    (text, row)
}

/// The module of a meter array, and the bits of its rows.
pub fn meter(name: &str, object: usize, size: u64) -> (String, u32) {
    let size = size.max(1);
    let index = index_bits(size);
    let mut text = format!(
        "module {name} (
    input  logic clk,
    input  logic rst,
    // A packet of so many units at a time in microseconds.
    input  logic execute_valid,
    input  logic {index_range}execute_index,
    input  logic [15:0] execute_units,
    input  logic [47:0] execute_time,
    // Eight clocks later: 0 green, 1 yellow, 2 red.
    output logic [1:0] colour,
",
        index_range = range(index),
    );
    text.push_str(CFG_PORTS);
    text.push_str(");\n");
    text.push_str(&window(METER_ROW, object));
    let _ = writeln!(
        text,
        "
    ww_meter_array #(.DEPTH({size})) array (
        .clk, .rst,
        .execute_valid, .execute_index, .execute_units, .execute_time, .colour,
        .row_valid, .row_write, .row_memory, .row_index, .row_wdata, .row_done, .row_rdata
    );
endmodule"
    );
    (text, METER_ROW)
}
