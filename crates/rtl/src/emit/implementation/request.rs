//! What the program or the command line asks a table to be held by: `@ww_table("cam")`,
//! `--table NAME=cam`.

use crate::emit::Refusal;
use crate::emit::options::EmitOptions;
use crate::emit::refusal::Reason;
use std::fmt;
use std::str::FromStr;
use ww_p4::ast::AnnotationBody;
use ww_p4::pipeline::{Pipeline, Table};

/// Name of the annotation.
const ANNOTATION: &str = "ww_table";

/// Blocks that hold tables with keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableKind {
    /// `ww_table_direct`: a row for each key.
    Direct,
    /// `ww_table_cam`: the key is compared with all entries.
    Cam,
    /// `ww_table_hash`: cuckoo hashing.
    Hash,
    /// `ww_table_lpm`: a trie.
    Lpm,
    /// `ww_table_ternary`: compared with all entries under their masks.
    Ternary,
}

impl TableKind {
    /// All, the cheapest memory for an entry first.
    pub const ALL: [Self; 5] = [Self::Direct, Self::Cam, Self::Hash, Self::Lpm, Self::Ternary];

    /// Its name in annotations, on the command line and in the manifest.
    pub fn name(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Cam => "cam",
            Self::Hash => "hash",
            Self::Lpm => "lpm",
            Self::Ternary => "ternary",
        }
    }
}

/// A block with parameters of its own: `hash`, `hash,ways=3`, `lpm,memory_latency=2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableRequest {
    /// Which block.
    pub kind: TableKind,
    /// Ways of a hash table: 2 to 8.
    pub ways: Option<u32>,
    /// Clocks that a trie takes to read a memory: 1 or 2.
    pub memory_latency: Option<u32>,
}

impl FromStr for TableRequest {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.split(',').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let names = || TableKind::ALL.map(TableKind::name).join(", ");
        let kind = TableKind::ALL.into_iter().find(|kind| kind.name() == name);
        let kind = kind.ok_or_else(|| format!("expected one of {}, not `{name}`", names()))?;
        let mut request = Self { kind, ways: None, memory_latency: None };
        for part in parts {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let number: Option<u32> = value.trim().parse().ok();
            match (kind, name.trim(), number) {
                (TableKind::Hash, "ways", Some(2..=8)) => request.ways = number,
                (TableKind::Lpm, "memory_latency", Some(1..=2)) => request.memory_latency = number,
                (TableKind::Hash, ..) => {
                    return Err(format!("`hash` takes ways=2 to ways=8, not `{part}`"));
                }
                (TableKind::Lpm, ..) => {
                    return Err(format!("`lpm` takes memory_latency=1 or 2, not `{part}`"));
                }
                _ => return Err(format!("`{}` takes no parameters", kind.name())),
            }
        }
        Ok(request)
    }
}

impl fmt::Display for TableRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.name())?;
        if let Some(ways) = self.ways {
            write!(f, ",ways={ways}")?;
        }
        match self.memory_latency {
            Some(clocks) => write!(f, ",memory_latency={clocks}"),
            None => Ok(()),
        }
    }
}

/// Whether a name on the command line is that of a table: its control-plane name, or the end of
/// it from some dot on.
fn is_named(table: &Table, name: &str) -> bool {
    let rest = table.name.strip_suffix(name);
    !name.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// What is asked of a table: by the options, or else by its annotation.
///
/// # Errors
/// The annotation says something else than a block.
pub fn requested(table: &Table, options: &EmitOptions) -> Result<Option<TableRequest>, Refusal> {
    let full = options.tables.iter().rev().find(|(name, _)| **name == *table.name);
    let some = || options.tables.iter().rev().find(|(name, _)| is_named(table, name));
    if let Some((_, request)) = full.or_else(some) {
        return Ok(Some(*request));
    }
    let Some(found) = table.annotations.iter().find(|a| &*a.name.name == ANNOTATION) else {
        return Ok(None);
    };
    let text = match &found.body {
        AnnotationBody::Unstructured(tokens) => {
            tokens.iter().map(|token| &*token.text).collect::<String>()
        }
        _ => String::new(),
    };
    text.parse().map(Some).map_err(|error| Refusal {
        reason: Reason::Implementation,
        what: format!("table `{}`: @{ANNOTATION}: {error}", table.name),
        span: Some(found.span),
    })
}

/// Names on the command line that are no table's, or several tables'.
pub fn unknown(pipeline: &Pipeline, options: &EmitOptions) -> Vec<Refusal> {
    let refusal = |what| Refusal { reason: Reason::Implementation, what, span: None };
    let mut refusals = Vec::new();
    for (name, _) in &options.tables {
        let list = |tables: &[&Table]| {
            let names: Vec<String> = tables.iter().map(|t| format!("`{}`", t.name)).collect();
            names.join(", ")
        };
        let found: Vec<&Table> = pipeline.tables.iter().filter(|t| is_named(t, name)).collect();
        let exact = found.iter().any(|table| *table.name == **name);
        match found.len() {
            0 => {
                let all: Vec<&Table> = pipeline.tables.iter().collect();
                let all = if all.is_empty() { "no tables".to_owned() } else { list(&all) };
                let text = format!("--table {name}: there is no such table; the program applies ");
                refusals.push(refusal(text + &all));
            }
            2.. if !exact => {
                let text = format!("--table {name}: several tables have this name: ");
                refusals.push(refusal(text + &list(&found)));
            }
            _ => {}
        }
    }
    refusals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read() {
        let read = |text: &str| text.parse::<TableRequest>();
        let plain = |kind| TableRequest { kind, ways: None, memory_latency: None };
        for kind in TableKind::ALL {
            assert_eq!(read(kind.name()), Ok(plain(kind)));
        }
        let hash = TableRequest { ways: Some(3), ..plain(TableKind::Hash) };
        assert_eq!(read("hash,ways=3"), Ok(hash));
        assert_eq!(read(&hash.to_string()), Ok(hash));
        let lpm = TableRequest { memory_latency: Some(2), ..plain(TableKind::Lpm) };
        assert_eq!(read("lpm, memory_latency = 2"), Ok(lpm));
        for wrong in ["", "tcam", "hash,ways=1", "hash,ways", "lpm,ways=3", "cam,ways=3", "hash,"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
