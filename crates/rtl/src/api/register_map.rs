//! The register map, for people: windows, memories, rows, bits.

use crate::manifest::{
    DEFAULT_MEMORY, GROUP_MEMORY, MEMBER_MEMORY, Manifest, ObjectKind, SelectorObject, TableObject,
    WINDOW_BYTES,
};
use std::fmt::Write;
use ww_blocks::facts::window;

/// The offset of a word in a window.
fn offset(bytes: u64) -> String {
    format!("0x{bytes:03X}")
}

/// A field of a row: name and bits.
type Field = (String, u32);

/// The register map as Markdown.
pub fn register_map(manifest: &Manifest) -> String {
    let mut text = format!(
        "# Register map of `{program}`

AXI4-Lite, 24 bits of byte address, 32-bit words. Every object has a window of {WINDOW_BYTES} bytes; that of
object n begins at n * 0x1000. An address beyond the last window is answered with SLVERR.

| offset | access | word |
|---|---|---|
| {write} | W | `{{memory[31:28], row[27:0]}}`: store the staged row there; answered when it has happened |
| {read} | W | `{{memory[31:28], row[27:0]}}`: read that row into the staging words; answered when it has happened |
| {width} | R | bits of a row |
| {object_word} | R | number of the object |
| {staging}... | R/W | the staging words, lowest bits of the row first |

Tables are best left to the driver in `control/`: which rows an entry takes is its business.

| window | object | kind | bits of a row |
|---|---|---|---|
",
        program = manifest.program,
        write = offset(window::WRITE),
        read = offset(window::READ),
        width = offset(window::WIDTH),
        object_word = offset(window::OBJECT),
        staging = offset(window::STAGING),
    );
    let mut sections = String::new();
    for (n, object) in manifest.objects.iter().enumerate() {
        let (window, kind) = (n as u32 * WINDOW_BYTES, kind(&object.kind));
        let (name, bits) = (&object.name, object.row_bits);
        let _ = writeln!(text, "| {window:#08x} | `{name}` | {kind} | {bits} |");
        let _ = write!(sections, "\n## {window:#08x} `{name}`: {kind}\n\n");
        describe(&mut sections, &object.kind, bits);
    }
    text + &sections
}

fn kind(kind: &ObjectKind) -> String {
    match kind {
        ObjectKind::Globals => "counts of the device".into(),
        ObjectKind::Table(table) if table.implementation == "none" => "table without keys".into(),
        ObjectKind::Table(table) if table.implementation == "constant" => {
            "table with constant entries, which are logic".into()
        }
        ObjectKind::Table(table) => format!("table ({})", table.implementation),
        ObjectKind::Register { .. } => "register array".into(),
        ObjectKind::Counter { table: None, .. } => "counter array".into(),
        ObjectKind::Counter { table: Some(table), .. } => format!("counters of `{table}`"),
        ObjectKind::Meter { table: None, .. } => "meter array".into(),
        ObjectKind::Meter { table: Some(table), .. } => format!("meters of `{table}`"),
        ObjectKind::ValueSet { .. } => "value set".into(),
        ObjectKind::Replication { .. } => "multicast groups and mirror sessions".into(),
        ObjectKind::Digests { .. } => "messages to the control plane".into(),
    }
}

/// A table of the fields of a row, from bit 0 upwards.
fn row(text: &mut String, title: &str, fields: &[Field]) {
    let _ = write!(text, "{title}\n\n| bits | field |\n|---|---|\n");
    let mut offset = 0;
    for (name, width) in fields {
        match width {
            0 => continue,
            1 => {
                let _ = writeln!(text, "| {offset} | {name} |");
            }
            _ => {
                let _ = writeln!(text, "| {}:{offset} | {name} |", offset + width - 1);
            }
        }
        offset += width;
    }
    text.push('\n');
}

fn field(name: &str, width: u32) -> Field {
    (name.to_owned(), width)
}

fn describe(text: &mut String, kind: &ObjectKind, row_bits: u32) {
    match kind {
        ObjectKind::Globals => text.push_str(
            "Memory 0, read only: row 0 packets received, 1 packets sent, 2 packets dropped by the program, 3 digests\n\
             lost, 4 packets lost for want of buffer.\n",
        ),
        ObjectKind::Table(object) => table(text, object, row_bits),
        ObjectKind::Register { width, size } => {
            row(text, &format!("Memory 0, rows 0 to {}:", last(*size)), &[field("value", *width)]);
        }
        ObjectKind::Counter { size, .. } => row(
            text,
            &format!("Memory 0, rows 0 to {}:", last(*size)),
            &[field("packets", 64), field("bytes", 64)],
        ),
        ObjectKind::Meter { size, bytes, .. } => {
            let unit = if *bytes { "bytes" } else { "packets" };
            let _ = writeln!(
                text,
                "Rates are in 10^-12 {unit} per microsecond, bursts in 10^-12 {unit}. Writing a row fills the buckets.\n"
            );
            let fields = [
                field("committed rate", 60),
                field("committed burst", 72),
                field("peak rate", 60),
                field("peak burst", 72),
                field("configured; 0: every packet is green", 1),
            ];
            row(text, &format!("Memory 0, rows 0 to {}:", last(*size)), &fields);
        }
        ObjectKind::ValueSet { widths, size } => {
            let total = widths.iter().sum();
            let fields = [field("valid", 1), field("mask", total), field("key", total)];
            row(text, &format!("Memory 0, rows 0 to {}, a member each:", last(*size)), &fields);
        }
        ObjectKind::Replication { groups, replicas, sessions } => {
            let ends = [last(u64::from(*groups)), last(u64::from(*replicas)), last(u64::from(*sessions))];
            let title = format!("Memory 0, rows 0 to {}, a multicast group each:", ends[0]);
            row(text, &title, &[field("first row in memory 1", 16), field("number of rows", 16)]);
            let title = format!("Memory 1, rows 0 to {}, a copy each:", ends[1]);
            row(text, &title, &[field("replication id", 16), field("port", 16)]);
            let fields = [
                field("bytes that are kept; 0xffff: all", 16),
                field("number of rows", 16),
                field("first row in memory 1", 16),
            ];
            row(text, &format!("Memory 2, rows 0 to {}, a mirror session each:", ends[2]), &fields);
        }
        ObjectKind::Digests { layouts, depth } => {
            let data = row_bits.saturating_sub(41);
            let _ = writeln!(
                text,
                "Reading memory 0, row 0 takes out the oldest message; up to {depth} wait.\n"
            );
            let fields =
                [field("data", data), field("kind", 8), field("receiver", 32), field("valid", 1)];
            row(text, "The row:", &fields);
            for (n, layout) in layouts.iter().enumerate() {
                let title = format!("Data of kind {n}, `{}`:", layout.name);
                row(text, &title, &layout.fields);
            }
        }
    }
}

fn last(size: u64) -> u64 {
    size.saturating_sub(1)
}

/// The memories of an action selector.
fn selector(text: &mut String, selector: &SelectorObject) {
    let title = format!(
        "Memory {GROUP_MEMORY}, rows 0 to {}, a group each; zero is an empty group. The reciprocal is \
         floor(2^{} / number of members) + 1:",
        last(u64::from(selector.groups)),
        selector.hash_bits + selector.count_bits(),
    );
    let fields = [
        field(&format!("first row in memory {MEMBER_MEMORY}"), selector.base_bits()),
        field("number of members", selector.count_bits()),
        field("reciprocal", selector.reciprocal_bits()),
    ];
    row(text, &title, &fields);
    let title = format!(
        "Memory {MEMBER_MEMORY}, rows 0 to {}, a member of a group each, the members of a group one behind the other:",
        last(u64::from(selector.members)),
    );
    row(text, &title, &[field("action number and parameters", selector.member_bits)]);
    text.push_str(
        "In entries and the default action the highest bit of the data says that the low ones are a group's number.\n\n",
    );
}

fn table(text: &mut String, table: &TableObject, row_bits: u32) {
    let (key, data) = (table.key_bits, table.data_bits + table.number_bits);
    let rows = match table.implementation.as_str() {
        "direct" => Some((
            format!("Memory 0, row = key (0 to {}):", (1u64 << key.min(63)) - 1),
            vec![field("data", data), field("valid", 1)],
        )),
        "cam" => Some((
            format!("Memory 0, rows 0 to {}:", last(table.entries)),
            vec![field("data", data), field("key", key), field("valid", 1)],
        )),
        "hash" => {
            let hash = table.hash;
            let (ways, buckets) = hash.map_or((0, 0), |hash| (hash.ways, hash.buckets));
            let stash = hash.map_or(0, |hash| hash.stash);
            Some((
                format!(
                    "{ways} ways of {buckets} buckets and a stash of {stash}. Memory = way, row = bucket; memory {ways} is the stash, row = slot:"
                ),
                vec![field("data", data), field("key", key), field("valid", 1)],
            ))
        }
        "ternary" => Some((
            format!(
                "Memory 0, rows 0 to {}; the lowest row that matches wins:",
                last(table.entries)
            ),
            vec![
                field("data", data),
                field("key; of ranges the lowest value", key),
                field("mask; of ranges the highest value", key),
                field("valid", 1),
            ],
        )),
        "lpm" => {
            let _ = writeln!(
                text,
                "Up to {} prefixes, in nodes of a trie with rows of {row_bits} bits that `control/ww_lpm.c` lays out.\n",
                table.entries
            );
            None
        }
        _ => None,
    };
    if let Some((title, fields)) = rows {
        row(text, &title, &fields);
    }
    let _ = writeln!(text, "Memory {DEFAULT_MEMORY}, row 0: data of the default action.\n");
    if let Some(found) = &table.selector {
        selector(text, found);
    }
    if !table.keys.is_empty() {
        let keys: Vec<Field> = table
            .keys
            .iter()
            .rev()
            .map(|k| {
                let sign = if k.is_signed_range { "; the sign is inverted" } else { "" };
                (format!("`{}` ({}{sign})", k.name, k.match_kind), k.width)
            })
            .collect();
        row(text, "The key:", &keys);
    }
    let _ =
        write!(text, "The data: bits {}:0 are the action's number", table.action_bits.max(1) - 1);
    if table.number_bits > 0 {
        let (low, high) = (table.data_bits, table.data_bits + table.number_bits - 1);
        let _ = write!(
            text,
            ", bits {high}:{low} the entry's, by which its counter and meter are indexed"
        );
    }
    text.push_str(".\n\n| number | action | parameters |\n|---|---|---|\n");
    for (n, action) in table.actions.iter().enumerate() {
        let list: Vec<String> = action
            .parameters
            .iter()
            .map(|p| format!("`{}` {}:{}", p.name, p.offset + p.width.max(1) - 1, p.offset))
            .collect();
        let _ = writeln!(text, "| {n} | `{}` | {} |", action.name, list.join(", "));
    }
}
