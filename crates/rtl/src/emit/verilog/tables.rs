//! Modules of tables: the blocks of `rtl/` that find entries and choose members of groups, and the
//! window by which the control plane reaches both.

use super::super::implementation::Implementation;
use super::objects::{CFG_PORTS, index_bits, range, window};
use crate::manifest::{DEFAULT_MEMORY, GROUP_MEMORY, MEMBER_MEMORY, SelectorObject, TableObject};
use num_bigint::BigUint;
use std::fmt::Write;

/// The module of a table with `copies` lookups a clock; `default` is the program's default
/// action.
pub fn table(name: &str, object: usize, table: &Implementation, default: &BigUint) -> String {
    let described = &table.object;
    let copies = described.copies;
    let has_keys = described.has_entries();
    let selector = described.selector.as_ref();
    let mut text = format!("module {name} (\n    input  logic clk,\n    input  logic rst,\n");
    for n in 0..copies {
        if has_keys || selector.is_some() {
            let _ = writeln!(text, "    input  logic lookup_valid_{n},");
        }
        if has_keys {
            let _ = writeln!(text, "    input  logic {}lookup_key_{n},", range(described.key_bits));
        }
        if let Some(selector) = selector {
            let _ =
                writeln!(text, "    input  logic {}lookup_hash_{n},", range(selector.hash_bits));
        }
        let _ = writeln!(text, "    // {} clocks later.", table.latency);
        let _ = writeln!(text, "    output logic hit_{n},");
        let _ = writeln!(text, "    output logic {}data_{n},", range(table.result_bits()));
        let _ = writeln!(text, "    output logic [31:0] row_{n},");
    }
    text.push_str(CFG_PORTS);
    text.push_str(");\n");
    text.push_str(&window(table.widest_row(), object));
    text.push_str(&default_action(table, default));
    if !has_keys && selector.is_none() {
        text.push_str(
            "    // No entries that software writes: no memory, only the default action.\n",
        );
        text.push_str("    assign table_done = row_valid;\n    assign table_rdata = '0;\n");
        for n in 0..copies {
            let _ = writeln!(
                text,
                "    assign hit_{n} = 1'b0;\n    assign data_{n} = default_data;\n    assign row_{n} = 32'd0;"
            );
        }
        text.push_str(
            "\n    logic unused_bits;\n    assign unused_bits = &{row_wdata, row_index, 1'b0};\n",
        );
        text.push_str("endmodule\n");
        return text;
    }
    let _ = writeln!(text, "    logic [{}:0] done, now;", copies - 1);
    let _ = writeln!(text, "    logic [{}:0] rdata;", common_bits(table) - 1);
    if let Some(selector) = selector {
        text.push_str(&selector_signals(selector));
    }
    text.push('\n');
    for n in 0..copies {
        text.push_str(&copy(table, n, default));
    }
    text.push_str(&all_copies(table));
    text.push_str("endmodule\n");
    text
}

/// The register with the default action, and the choice between it and the other memories.
fn default_action(table: &Implementation, default: &BigUint) -> String {
    let (data, row_bits) = (table.object.data_bits, table.widest_row());
    format!(
        "
    // The default action: memory {DEFAULT_MEMORY}, row 0.
    logic {range}default_data;
    logic is_default, table_done;
    logic [{top}:0] table_rdata;

    assign is_default = row_memory == 4'd{DEFAULT_MEMORY};
    assign row_done = is_default ? row_valid : table_done;
    assign row_rdata = is_default ? {row_bits}'(default_data) : table_rdata;

    always_ff @(posedge clk) begin
        if (rst) begin
            default_data <= {data}'h{default:x};
        end else if (row_valid && row_write && is_default && row_index == 28'd0) begin
            default_data <= row_wdata[{data_top}:0];
        end
    end

",
        range = range(data),
        top = row_bits - 1,
        data_top = data - 1,
    )
}

fn selector_signals(selector: &SelectorObject) -> String {
    format!(
        "    // The selector: groups in memory {GROUP_MEMORY}, members in memory {MEMBER_MEMORY}.
    logic is_selector;
    logic [3:0] selector_memory;
    assign is_selector = row_memory == 4'd{GROUP_MEMORY} || row_memory == 4'd{MEMBER_MEMORY};
    assign selector_memory = row_memory - 4'd{GROUP_MEMORY};
    // A group's row is {{reciprocal[{reciprocal}:0], count[{count}:0], base[{base}:0]}}.
",
        reciprocal = selector.reciprocal_bits() - 1,
        count = selector.count_bits() - 1,
        base = selector.base_bits() - 1,
    )
}

/// Signals between what finds an entry and what chooses a member; without a selector they are the
/// table's own.
struct Found {
    hit: String,
    row: String,
    now: String,
    rdata: String,
}

/// The index of a copy in the signals with a bit for each.
fn copy_bit(table: &Implementation, n: u32) -> String {
    if table.object.copies == 1 { String::new() } else { format!("[{n}]") }
}

/// The name of what a copy reads: of the first it is what the table reads.
fn read_name(n: u32) -> String {
    if n == 0 { "rdata".to_owned() } else { format!("rdata_{n}") }
}

/// One of the copies with a lookup a clock: what finds the entry, and what chooses a member.
fn copy(table: &Implementation, n: u32, default: &BigUint) -> String {
    let mut text = String::new();
    let has_keys = table.object.has_entries();
    let (bit, rdata) = (copy_bit(table, n), read_name(n));
    if n > 0 {
        let _ = writeln!(text, "    logic [{}:0] {rdata};", common_bits(table) - 1);
    }
    match &table.object.selector {
        None => {
            let found = Found {
                hit: format!("hit_{n}"),
                row: format!("row_{n}"),
                now: format!("now{bit}"),
                rdata: rdata.clone(),
            };
            text.push_str(&block(table, n, &found));
            let data = found_data(table, n);
            let _ = writeln!(text, "    assign data_{n} = hit_{n} ? {data} : default_data;");
        }
        Some(chooser) => {
            let found = Found {
                hit: format!("found_hit_{n}"),
                row: format!("found_row_{n}"),
                now: format!("found_now_{n}"),
                rdata: format!("found_rdata_{n}"),
            };
            if has_keys {
                let _ = writeln!(
                    text,
                    "    logic {hit}, {now};\n    logic [31:0] {row};\n    logic [{top}:0] {read};",
                    hit = found.hit,
                    now = found.now,
                    row = found.row,
                    read = found.rdata,
                    top = table.row_bits - 1,
                );
                text.push_str(&block(table, n, &found));
            }
            text.push_str(&selector(table, chooser, n, default, has_keys.then_some(&found)));
        }
    }
    if n > 0 {
        let _ = writeln!(
            text,
            "    logic unused_rdata_{n};\n    assign unused_rdata_{n} = &{{rdata_{n}, 1'b0}};"
        );
    }
    text.push('\n');
    text
}

/// The block that finds an entry.
fn block(table: &Implementation, n: u32, found: &Found) -> String {
    let described = &table.object;
    let block = match described.implementation.as_str() {
        "direct" => "ww_table_direct",
        "cam" => "ww_table_cam",
        "hash" => "ww_table_hash",
        "lpm" => "ww_table_lpm",
        _ => "ww_table_ternary",
    };
    let parameters: Vec<String> =
        table.parameters.iter().map(|(name, value)| format!("        .{name}({value})")).collect();
    let (data, width) = (described.data_bits, table.width());
    let Found { hit, row, now, rdata } = found;
    let mut text = format!(
        "    logic {index_range}index_{n};
    logic {data_range}found_{n};

    {block} #(
{parameters}
    ) copy_{n} (
        .clk, .rst,
        .lookup_valid(lookup_valid_{n}), .lookup_key(lookup_key_{n}),
        .result_hit({hit}), .result_data(found_{n}), .result_index(index_{n}),
        .row_valid(row_valid && !is_default{others} && !done{bit}), .row_write, .row_memory, .row_index,
        .row_wdata(row_wdata[{top}:0]), .row_done({now}), .row_rdata({rdata})
    );
",
        index_range = range(result_index_bits(described)),
        data_range = range(width),
        parameters = parameters.join(",\n"),
        others = if described.selector.is_some() { " && !is_selector" } else { "" },
        bit = copy_bit(table, n),
        top = table.row_bits - 1,
    );
    if described.number_bits > 0 {
        let _ = writeln!(
            text,
            "    assign {row} = 32'(found_{n}[{}:{data}]);
    logic unused_index_{n};
    assign unused_index_{n} = &{{index_{n}, 1'b0}};",
            width - 1
        );
    } else {
        let _ = writeln!(text, "    assign {row} = 32'(index_{n});");
    }
    text
}

/// The block that chooses a member of the group that an entry refers to. `found` is missing in a
/// table without entries.
fn selector(
    table: &Implementation,
    selector: &SelectorObject,
    n: u32,
    default: &BigUint,
    found: Option<&Found>,
) -> String {
    let (data, common) = (table.object.data_bits, common_bits(table));
    let (hit, entry, tag, now, rdata) = match found {
        Some(found) => (
            found.hit.clone(),
            found_data(table, n),
            found.row.clone(),
            found.now.clone(),
            format!("{common}'({})", found.rdata),
        ),
        // Rows of entries read as zero.
        None => (
            "1'b0".to_owned(),
            format!("{data}'d0"),
            "32'd0".to_owned(),
            "row_valid && !is_default".to_owned(),
            format!("{common}'d0"),
        ),
    };
    format!(
        "    logic selector_now_{n};
    logic [{top}:0] selector_rdata_{n};

    ww_table_selector #(
        .DATA_WIDTH({member}), .GROUPS({groups}), .MEMBERS({members}),
        .GROUP_MEMBERS({group_members}), .HASH_WIDTH({hash}), .LOOKUP_LATENCY({latency}),
        .TAG_WIDTH(32), .DEFAULT_GROUP(1'b{default_group}), .FALLBACK({member}'h{default:x})
    ) selector_{n} (
        .clk, .rst, .lookup_valid(lookup_valid_{n}), .lookup_hash(lookup_hash_{n}),
        .entry_hit({hit}), .entry_data({entry}), .entry_tag({tag}), .default_data,
        .result_hit(hit_{n}), .result_data(data_{n}), .result_tag(row_{n}),
        .row_valid(row_valid && is_selector && !done{bit}), .row_write,
        .row_memory(selector_memory), .row_index, .row_wdata(row_wdata[{top}:0]),
        .row_done(selector_now_{n}), .row_rdata(selector_rdata_{n})
    );
    assign now{bit} = is_selector ? selector_now_{n} : {now};
    assign {read} = is_selector ? {common}'(selector_rdata_{n}) : {rdata};
",
        top = selector.row_bits() - 1,
        member = selector.member_bits,
        groups = selector.groups,
        members = selector.members,
        group_members = selector.group_members,
        hash = selector.hash_bits,
        latency = table.lookup_latency,
        default_group = u32::from(!table.const_default),
        bit = copy_bit(table, n),
        read = read_name(n),
    )
}

/// Reading and writing rows of all copies.
fn all_copies(table: &Implementation) -> String {
    let (common, row_bits) = (common_bits(table), table.widest_row());
    let mut text = format!(
        "    // All copies store a row; the first one is read.
    logic [{top}:0] kept;

    assign table_done = &(done | now);
    assign table_rdata = {row_bits}'(done[0] ? kept : rdata);

    always_ff @(posedge clk) begin
        done <= rst || table_done ? '0 : done | now;
        if (now[0]) kept <= rdata;
    end

",
        top = common - 1,
    );
    if row_bits > common {
        text.push_str("    logic unused_bits;\n    assign unused_bits = &{row_wdata, 1'b0};\n");
    }
    text
}

/// Bits of the widest row but for the default action.
fn common_bits(table: &Implementation) -> u32 {
    let groups = table.object.selector.map_or(0, |selector| selector.row_bits());
    if table.object.has_entries() { table.row_bits.max(groups) } else { groups }
}

/// The data of the entry that a block found, without its number.
fn found_data(table: &Implementation, n: u32) -> String {
    let data = table.object.data_bits;
    if table.width() == data { format!("found_{n}") } else { format!("found_{n}[{}:0]", data - 1) }
}

/// Bits of `result_index`, as the blocks compute them.
fn result_index_bits(table: &TableObject) -> u32 {
    match (table.implementation.as_str(), &table.hash) {
        ("direct", _) => table.key_bits,
        ("hash", Some(hash)) => {
            index_bits(u64::from(hash.ways) * u64::from(hash.buckets) + u64::from(hash.stash))
        }
        _ => index_bits(table.entries),
    }
}
