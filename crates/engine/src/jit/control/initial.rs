//! What a program's tables hold after loading, read from the pipeline IR: the reference engine reads the
//! typed IR instead, so that a mistake in one of the two shows when they are compared.

use super::load::{Ids, by_id};
use crate::arch::Unsupported;
use crate::bits::Bits;
use crate::interp::{InitialEntry, InitialTable, Interp, Options};
use crate::tables::{KeyField, full_range};
use std::sync::Arc;
use ww_dataplane::control::{ActionData, KeyInfo, MatchKind, Schema, TableInfo};
use ww_p4::ir::Program;
use ww_p4::pipeline::{ActionCall, Entry, Match, Pipeline, Table};

/// All tables of a program after loading, in the order of its schema, for hardware, which has no
/// pipeline yet.
///
/// # Errors
/// The program cannot be lowered, or has what no engine takes.
pub fn initial_tables(
    program: &Arc<Program>,
    schema: &Schema,
) -> Result<Vec<InitialTable>, Unsupported> {
    let pipeline = ww_p4::pipeline::lower_for_hardware(program).map_err(|diagnostics| {
        let first = diagnostics.iter().next();
        Unsupported::new(first.map_or("it cannot be lowered", |found| found.message.as_str()))
    })?;
    tables(program, &pipeline, schema, &by_id(&pipeline, schema)?)
}

/// All tables after loading, in the order of the schema.
///
/// The pipeline has no tables that are never applied. No packet sees those; for the control plane they
/// have what the reference engine gives them.
pub(super) fn tables(
    program: &Arc<Program>,
    pipeline: &Pipeline,
    schema: &Schema,
    ids: &Ids,
) -> Result<Vec<InitialTable>, Unsupported> {
    let mut tables: Vec<Option<InitialTable>> = vec![None; schema.tables.len()];
    for (source, &n) in pipeline.tables.iter().zip(&ids.tables) {
        tables[n] = Some(table(&schema.tables[n], source));
    }
    if tables.iter().all(Option::is_some) {
        return Ok(tables.into_iter().flatten().collect());
    }
    // Whether the engine has modules of hardware does not matter for tables.
    let options = Options { modules: true, ..Options::default() };
    let reference = Interp::new(program.clone(), options)?.initial_tables();
    Ok(tables.into_iter().zip(reference).map(|(own, other)| own.unwrap_or(other)).collect())
}

fn table(info: &TableInfo, table: &Table) -> InitialTable {
    InitialTable {
        entries: table.entries.iter().map(|entry| initial_entry(info, table, entry)).collect(),
        default: action(&table.default_action),
    }
}

fn initial_entry(info: &TableInfo, table: &Table, entry: &Entry) -> InitialEntry {
    let is_matched = |kind: &str| kind != MatchKind::Selector.name();
    let matches = table.keys.iter().zip(&entry.keys).filter(|(key, _)| is_matched(&key.match_kind));
    InitialEntry {
        keys: matches.zip(&info.keys).map(|((_, of), key)| key_field(key, of)).collect(),
        priority: entry.priority.unwrap_or(0),
        action: action(&entry.action),
        is_const: entry.is_const,
    }
}

fn action(call: &ActionCall) -> ActionData {
    ActionData { action: call.action as usize, arguments: call.arguments.clone() }
}

/// A key in the form in which it is compared: ranges where the table compares ranges.
fn key_field(key: &KeyInfo, of: &Match) -> KeyField {
    let bits = |value| Bits::from_biguint(key.width, value);
    let is_range = key.kind == MatchKind::Range;
    match of {
        Match::Value(value) if is_range => {
            KeyField::Range { low: bits(value), high: bits(value), signed: key.signed }
        }
        Match::Value(value) => KeyField::exact(bits(value)),
        Match::Mask { value, mask } => KeyField::masked(&bits(value), bits(mask)),
        Match::Range { low, high, signed } => {
            KeyField::Range { low: bits(low), high: bits(high), signed: *signed }
        }
        // Entries of programs name no value sets: lowering refuses them.
        Match::Any | Match::ValueSet(_) if is_range => full_range(key.width, key.signed),
        Match::Any | Match::ValueSet(_) => KeyField::any(key.width),
    }
}
