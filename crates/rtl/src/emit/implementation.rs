//! Which block of `rtl/` holds a table, and how long a lookup takes.

use super::lower::Lowering;
use super::refusal::Reason;
use crate::geometry;
use crate::manifest::{ActionLayout, HashParameters, KeyLayout, ParameterLayout, TableObject};
use num_bigint::BigUint;
use ww_p4::pipeline::{Match, PropertyValue, Table};

/// Bits of a key that a table may be indexed with directly.
const DIRECT_BITS: u32 = 10;
/// Exact entries up to which comparing with all costs less than hashing.
const CAM_ENTRIES: u64 = 16;
/// Clocks that a trie takes to read a memory: 2 for the higher clock rate.
const MEMORY_LATENCY: u32 = 1;
/// The hash functions' seed.
const SEED: u64 = 1;

/// A table in hardware.
#[derive(Clone, Debug)]
pub struct Implementation {
    /// What software knows of it.
    pub object: TableObject,
    /// Clocks from the key to the result.
    pub latency: u32,
    /// Bits of a row as the block has it; those of a default action for a table without keys.
    pub row_bits: u32,
    /// Parameters of the block's instance, as written.
    pub parameters: Vec<(String, String)>,
}

impl Implementation {
    /// Chooses the implementation of a table: the annotation `@ww_table("cam")` if it is there,
    /// otherwise the cheapest that has its match kinds.
    pub fn choose(lowering: &mut Lowering<'_>, table: &Table, copies: u32) -> Self {
        let kinds: Vec<&str> = table
            .keys
            .iter()
            .filter(|key| key.width > 0 && &*key.match_kind != "selector")
            .map(|key| &*key.match_kind)
            .collect();
        // An entry of the program may leave out any key.
        let any_exact = table.entries.iter().any(|entry| {
            let keys = table.keys.iter().zip(&entry.keys);
            keys.into_iter().any(|(key, m)| &*key.match_kind == "exact" && *m == Match::Any)
        });
        let layout = lowering.data_layout(table);
        let key_bits: u32 = key_layouts(table).iter().map(|key| key.width).sum();
        let entries = table.size.unwrap_or(1024).max(table.entries.len() as u64).max(1);
        let counts = table.properties.iter().any(|p| {
            matches!(&*p.name, "counters" | "meters") && matches!(p.value, PropertyValue::Object(_))
        });
        let kind = if kinds.is_empty() {
            "none"
        } else if !any_exact && kinds.iter().all(|kind| *kind == "exact") {
            if key_bits <= DIRECT_BITS {
                "direct"
            } else if entries <= CAM_ENTRIES {
                "cam"
            } else {
                "hash"
            }
        } else if !any_exact
            && kinds[kinds.len() - 1] == "lpm"
            && kinds[..kinds.len() - 1].iter().all(|kind| *kind == "exact")
            && geometry::trie(key_bits, layout.data_bits, entries).is_some()
        {
            "lpm"
        } else if kinds
            .iter()
            .all(|kind| matches!(*kind, "exact" | "ternary" | "range" | "optional" | "lpm"))
        {
            "ternary"
        } else {
            lowering.refuse(Reason::MatchKind, &table.name, Some(table.span));
            "none"
        };
        if table.keys.iter().any(|key| key.signed && &*key.match_kind == "range") {
            lowering.refuse(Reason::MatchKind, &table.name, Some(table.span));
        }
        let number_bits = if counts && matches!(kind, "hash" | "cam" | "ternary") {
            (u64::BITS - (entries - 1).leading_zeros()).max(1)
        } else {
            0
        };
        let object = TableObject {
            implementation: kind.to_owned(),
            // A direct table has a row for each key.
            entries: if kind == "direct" { 1 << key_bits } else { entries },
            key_bits,
            data_bits: layout.data_bits,
            action_bits: layout.action_bits,
            keys: key_layouts(table),
            actions: action_layouts(lowering, table, layout.action_bits),
            copies,
            number_bits,
            hash: None,
        };
        let mut chosen =
            Self { object, latency: 0, row_bits: layout.data_bits, parameters: Vec::new() };
        chosen.measure(table);
        chosen
    }

    /// Bits of the data that the block holds for an entry.
    pub fn width(&self) -> u32 {
        self.object.data_bits + self.object.number_bits
    }

    fn parameter(&mut self, name: &str, value: impl ToString) {
        self.parameters.push((name.to_owned(), value.to_string()));
    }

    fn measure(&mut self, table: &Table) {
        let (key, data) = (self.object.key_bits, self.width());
        let entries = self.object.entries;
        if self.object.implementation == "none" {
            return;
        }
        self.parameter("KEY_WIDTH", key);
        self.parameter("DATA_WIDTH", data);
        match self.object.implementation.as_str() {
            "direct" => {
                self.latency = 2;
                self.row_bits = 1 + data;
            }
            "cam" => {
                self.parameter("ENTRIES", entries);
                self.latency = 3;
                self.row_bits = 1 + key + data;
            }
            "hash" => {
                let (ways, buckets, stash) = geometry::hash(entries).unwrap_or_default();
                self.parameter("ENTRIES", entries);
                self.parameter("WAYS", ways);
                self.parameter("BUCKETS", buckets);
                self.parameter("STASH", stash);
                self.parameter("SEED", format!("64'd{SEED}"));
                self.object.hash = Some(HashParameters { ways, buckets, stash, seed: SEED });
                self.latency = 5;
                self.row_bits = 1 + key + data;
            }
            "lpm" => {
                let Some(trie) = geometry::trie(key, data, entries) else { return };
                let join = |values: Vec<String>| format!("{{{}}}", values.join(", "));
                let levels = trie.levels.iter().rev();
                let strides = levels.clone().map(|(stride, _)| format!("4'd{stride}")).collect();
                let rows = levels.map(|(_, rows)| format!("32'd{rows}")).collect();
                self.parameter("ENTRIES", entries);
                self.parameter("ROOT_BITS", trie.root_bits);
                self.parameter("LEVELS", trie.levels.len());
                self.parameter("STRIDES", join(strides));
                self.parameter("ROWS", join(rows));
                self.parameter("LIST_ROWS", trie.list_rows);
                self.parameter("ROW_WIDTH", trie.row_bits);
                self.parameter("MEMORY_LATENCY", MEMORY_LATENCY);
                self.latency = (trie.levels.len() as u32 + 2) * MEMORY_LATENCY + 1;
                self.row_bits = trie.row_bits;
            }
            _ => {
                self.parameter("ENTRIES", entries);
                let (bits, low) = range_masks(table);
                if bits != BigUint::ZERO {
                    self.parameter("RANGE_BITS", format!("{key}'h{bits:x}"));
                    self.parameter("RANGE_LOW", format!("{key}'h{low:x}"));
                }
                self.latency = 4;
                self.row_bits = 1 + 2 * key + data;
            }
        }
    }
}

/// Bits of range keys, and the lowest bit of each.
fn range_masks(table: &Table) -> (BigUint, BigUint) {
    let one = BigUint::from(1u32);
    let (mut bits, mut low) = (BigUint::ZERO, BigUint::ZERO);
    for key in key_layouts(table) {
        if key.match_kind == "range" {
            bits |= ((&one << key.width) - 1u32) << key.offset;
            low |= &one << key.offset;
        }
    }
    (bits, low)
}

fn key_layouts(table: &Table) -> Vec<KeyLayout> {
    let keys = table.keys.iter().filter(|key| &*key.match_kind != "selector");
    let mut offset: u32 = keys.clone().map(|key| key.width).sum();
    keys.map(|key| {
        offset -= key.width;
        KeyLayout {
            name: key.name.to_string(),
            match_kind: key.match_kind.to_string(),
            width: key.width,
            offset,
        }
    })
    .collect()
}

fn action_layouts(lowering: &Lowering<'_>, table: &Table, action_bits: u32) -> Vec<ActionLayout> {
    let layout = |listed: &ww_p4::pipeline::TableAction| {
        let action = &lowering.pipeline[listed.action];
        let mut offset = action_bits;
        let parameters = action.parameters.iter().map(|parameter| {
            let at = offset;
            offset += parameter.width;
            ParameterLayout { name: parameter.name.to_string(), width: parameter.width, offset: at }
        });
        ActionLayout { name: action.name.to_string(), parameters: parameters.collect() }
    };
    table.actions.iter().map(layout).collect()
}
