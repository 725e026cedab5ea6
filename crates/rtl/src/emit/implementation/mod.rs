//! Which block of `rtl/` holds a table, and how long a lookup takes.

pub mod request;

use super::lower::Lowering;
use super::options::{EmitOptions, Optimiser};
use super::refusal::{Reason, Refusal};
use super::selector::{self, Selector};
use crate::geometry;
use crate::manifest::{ActionLayout, HashParameters, KeyLayout, ParameterLayout, TableObject};
use num_bigint::BigUint;
use request::{TableKind, TableRequest, requested};
use ww_p4::pipeline::{Match, PropertyValue, Table};

/// Bits of a key that a table is indexed with directly by itself.
const DIRECT_BITS: u32 = 10;
/// Bits of a key that a table may be indexed with directly.
const MAX_DIRECT_BITS: u32 = 16;
/// Entries that a `ww_table_cam` or a `ww_table_ternary` may have.
const MAX_COMPARED: u64 = 4096;
/// Most buckets of a way of a `ww_table_hash`.
const MAX_BUCKETS: u64 = 1 << 24;
/// Exact entries up to which comparing with all costs less than hashing.
const CAM_ENTRIES: u64 = 16;
/// Clocks of a `ww_table_selector`.
const SELECTOR_LATENCY: u32 = 9;
/// The hash functions' seed.
const SEED: u64 = 1;

/// A table in hardware.
#[derive(Clone, Debug)]
pub struct Implementation {
    /// What software knows of it.
    pub object: TableObject,
    /// Clocks from the key to the result.
    pub latency: u32,
    /// Of these, clocks until the entry is found; the rest chooses a member of its group.
    pub lookup_latency: u32,
    /// Whether the default action is the program's for ever.
    pub const_default: bool,
    /// Bits of a row as the block has it; those of a default action for a table without keys.
    pub row_bits: u32,
    /// Parameters of the block's instance, as written.
    pub parameters: Vec<(String, String)>,
}

impl Implementation {
    /// Chooses the implementation of a table: what the options or the annotation
    /// `@ww_table("cam")` ask for, otherwise the cheapest that has its match kinds.
    pub fn choose(
        lowering: &mut Lowering<'_>,
        table: &Table,
        copies: u32,
        options: &EmitOptions,
    ) -> Self {
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
        let selector = Selector::of(lowering.pipeline, table)
            .map(|selector| selector.object(selector::key_bits(table), layout.data_bits));
        let data_bits = selector.map_or(layout.data_bits, |selector| selector.data_bits());
        let key_bits: u32 = key_layouts(table).iter().map(|key| key.width).sum();
        let entries = table.size.unwrap_or(1024).max(table.entries.len() as u64).max(1);
        let counts = table.properties.iter().any(|p| {
            matches!(&*p.name, "counters" | "meters") && matches!(p.value, PropertyValue::Object(_))
        });
        let asked = requested(table, options).unwrap_or_else(|refusal| {
            lowering.refusals.push(refusal);
            None
        });
        let shape = Shape { kinds: &kinds, any_exact, key_bits, entries, data: data_bits };
        let pairs = lowering.tables.iter().zip(&lowering.pipeline.tables);
        // Its entries are in the dataflow graph already.
        let constant = pairs.into_iter().any(|(used, t)| used.constant && std::ptr::eq(t, table));
        let kind = match shape.fitting() {
            _ if constant => "constant",
            _ if kinds.is_empty() && asked.is_none() => "none",
            fitting if fitting.is_empty() && !kinds.is_empty() => {
                lowering.refuse(Reason::MatchKind, &table.name, Some(table.span));
                "none"
            }
            fitting => match asked {
                Some(asked) if !fitting.contains(&asked.kind) => {
                    let what = shape.mismatch(table, asked.kind, &fitting);
                    let span = Some(table.span);
                    lowering.refusals.push(Refusal { reason: Reason::Implementation, what, span });
                    "none"
                }
                Some(asked) => asked.kind.name(),
                None => shape.cheapest(&fitting, options.optimisers.has(Optimiser::TableMemory)),
            },
        };
        let number_bits = if counts && matches!(kind, "hash" | "cam" | "ternary") {
            (u64::BITS - (entries - 1).leading_zeros()).max(1)
        } else {
            0
        };
        let object = TableObject {
            implementation: kind.to_owned(),
            // A direct table has a row for each key.
            entries: if kind == "direct" { 1 << key_bits } else { entries },
            key_bits: if constant { 0 } else { key_bits },
            data_bits,
            action_bits: layout.action_bits,
            keys: if constant { Vec::new() } else { key_layouts(table) },
            actions: action_layouts(lowering, table, layout.action_bits),
            copies,
            number_bits,
            hash: None,
            memory_bits: 0,
            compared_bits: 0,
            selector,
        };
        let mut chosen = Self {
            object,
            latency: 0,
            lookup_latency: 0,
            const_default: table.const_default,
            row_bits: data_bits,
            parameters: Vec::new(),
        };
        chosen.measure(table, asked, options.memory_latency);
        chosen.lookup_latency = chosen.latency;
        if selector.is_some() {
            chosen.latency += SELECTOR_LATENCY;
        }
        (chosen.object.memory_bits, chosen.object.compared_bits) = chosen.storage();
        chosen
    }

    /// Bits of what a lookup gives: of the action number and its data.
    pub fn result_bits(&self) -> u32 {
        self.object.selector.map_or(self.object.data_bits, |selector| selector.member_bits)
    }

    /// Bits of the widest row in the table's window.
    pub fn widest_row(&self) -> u32 {
        let groups = self.object.selector.map_or(0, |selector| selector.row_bits());
        self.row_bits.max(self.object.data_bits).max(groups)
    }

    /// Bits of the data that the block holds for an entry.
    pub fn width(&self) -> u32 {
        self.object.data_bits + self.object.number_bits
    }

    /// Bits of its memories, and of entries in flip-flops that are compared.
    fn storage(&self) -> (u64, u64) {
        let object = &self.object;
        let (key, data) = (u64::from(object.key_bits), u64::from(self.width()));
        let row = u64::from(self.row_bits);
        let (memory, compared) = match (object.implementation.as_str(), &object.hash) {
            ("hash", Some(hash)) => {
                let rows = u64::from(hash.ways) * u64::from(hash.buckets);
                (rows * row, u64::from(hash.stash) * (1 + key))
            }
            ("lpm", _) => {
                let trie = geometry::trie(object.key_bits, self.width(), object.entries);
                (trie.map_or(0, |trie| trie.memory_bits), 0)
            }
            ("cam", _) => (object.entries * data, object.entries * (1 + key)),
            ("ternary", _) => (object.entries * data, object.entries * (1 + 2 * key)),
            ("direct", _) => (object.entries * row, 0),
            _ => (0, 0),
        };
        let groups = object.selector.map_or(0, |selector| {
            let copies = if self.const_default { 1 } else { 2 };
            u64::from(selector.groups) * u64::from(selector.group_row_bits()) * copies
                + u64::from(selector.members) * u64::from(selector.member_bits)
        });
        let memory = memory + groups;
        (memory * u64::from(object.copies), compared * u64::from(object.copies))
    }

    fn parameter(&mut self, name: &str, value: impl ToString) {
        self.parameters.push((name.to_owned(), value.to_string()));
    }

    fn measure(&mut self, table: &Table, asked: Option<TableRequest>, memory_latency: u32) {
        let (key, data) = (self.object.key_bits, self.width());
        let entries = self.object.entries;
        if !self.object.has_entries() {
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
                let (mut ways, mut buckets, stash) = geometry::hash(entries).unwrap_or_default();
                if let Some(asked) = asked.and_then(|asked| asked.ways) {
                    (ways, buckets) = (asked, self::buckets(entries, asked));
                }
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
                let clocks = asked.and_then(|asked| asked.memory_latency);
                let clocks = clocks.unwrap_or(memory_latency);
                self.parameter("MEMORY_LATENCY", clocks);
                self.latency = (trie.levels.len() as u32 + 2) * clocks + 1;
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

/// Buckets of a way, with this many ways: full to four fifths at most, to two fifths with 2 ways,
/// which place fewer keys.
fn buckets(entries: u64, ways: u32) -> u32 {
    let percent = if ways == 2 { 250 } else { 125 };
    let wanted = entries.saturating_mul(percent).div_ceil(100 * u64::from(ways));
    wanted.max(2).next_power_of_two().min(MAX_BUCKETS) as u32
}

/// What decides which blocks can hold a table.
struct Shape<'a> {
    /// Match kinds of its keys.
    kinds: &'a [&'a str],
    /// Whether an entry of the program leaves out an exact key.
    any_exact: bool,
    key_bits: u32,
    entries: u64,
    /// Bits of an entry's data.
    data: u32,
}

impl Shape<'_> {
    /// The blocks that can hold it, the most special one first.
    fn fitting(&self) -> Vec<TableKind> {
        let Some((last, first)) = self.kinds.split_last() else { return Vec::new() };
        let exact = |kinds: &[&str]| !self.any_exact && kinds.iter().all(|kind| *kind == "exact");
        let fits = |kind: TableKind| match kind {
            TableKind::Direct => exact(self.kinds) && self.key_bits <= MAX_DIRECT_BITS,
            TableKind::Cam => exact(self.kinds) && self.entries <= MAX_COMPARED,
            TableKind::Hash => exact(self.kinds) && geometry::hash(self.entries).is_some(),
            TableKind::Lpm => {
                *last == "lpm"
                    && exact(first)
                    && geometry::trie(self.key_bits, self.data, self.entries).is_some()
            }
            TableKind::Ternary => {
                let known = ["exact", "ternary", "range", "optional", "lpm"];
                self.entries <= MAX_COMPARED && self.kinds.iter().all(|kind| known.contains(kind))
            }
        };
        TableKind::ALL.into_iter().filter(|kind| fits(*kind)).collect()
    }

    /// Which of those that fit to take by itself.
    fn cheapest(&self, fitting: &[TableKind], by_cost: bool) -> &'static str {
        let suits = |kind: &TableKind| match kind {
            TableKind::Direct => by_cost && self.key_bits <= DIRECT_BITS,
            TableKind::Cam => by_cost && self.entries <= CAM_ENTRIES,
            TableKind::Hash | TableKind::Ternary => true,
            TableKind::Lpm => by_cost,
        };
        fitting
            .iter()
            .copied()
            .find(suits)
            .or(fitting.first().copied())
            .map_or("none", TableKind::name)
    }

    /// Why a block cannot hold it, and which could.
    fn mismatch(&self, table: &Table, asked: TableKind, fitting: &[TableKind]) -> String {
        let asked = asked.name();
        let name = &table.name;
        if self.kinds.is_empty() {
            return format!("table `{name}` cannot be built as `{asked}`: it has no keys");
        }
        let mut has = self.kinds.to_vec();
        has.dedup();
        let keys = match has.len() {
            1 if self.kinds.len() == 1 => format!("its key is {}", has[0]),
            1 => format!("its {} keys are {}", self.kinds.len(), has[0]),
            _ => format!("its keys are {}", self.kinds.join(", ")),
        };
        let any =
            if self.any_exact { ", one of which an entry of the program leaves out" } else { "" };
        let could: Vec<String> = fitting.iter().map(|kind| format!("`{}`", kind.name())).collect();
        format!(
            "table `{name}` cannot be built as `{asked}`: {keys}{any} ({} bits), with {} entries; \
             {} can hold it",
            self.key_bits,
            self.entries,
            could.join(" or "),
        )
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
            is_signed_range: key.signed && &*key.match_kind == "range",
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
