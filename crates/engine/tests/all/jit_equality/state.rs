//! What packets leave behind in an engine.

use ww_dataplane::control::{CounterIndex, RegisterIndex};
use ww_engine::engine::Engine;

/// More cells of an object than these are not compared.
const MOST_CELLS: u64 = 1 << 12;

/// Where the state of two engines with one program differs.
pub fn differences(expected: &mut dyn Engine, found: &mut dyn Engine) -> Vec<String> {
    let mut problems = Vec::new();
    let schema = expected.schema().clone();
    for (n, info) in schema.registers.iter().enumerate() {
        for cell in 0..info.size.min(MOST_CELLS) {
            let register = RegisterIndex(n as u32);
            let one = expected.register_read(register, cell).ok();
            let other = found.register_read(register, cell).ok();
            if one != other {
                problems.push(format!("{}[{cell}]: {one:x?}, found {other:x?}", info.name));
            }
        }
    }
    for (n, info) in schema.counters.iter().enumerate() {
        let cells: Vec<u64> = match info.table {
            Some(table) => {
                let entries = expected.table_entries(table).unwrap_or_default();
                entries.iter().map(|entry| entry.handle.0).collect()
            }
            None => (0..info.size.min(MOST_CELLS)).collect(),
        };
        for cell in cells {
            let counter = CounterIndex(n as u32);
            let one = expected.counter_read(counter, cell).ok();
            let other = found.counter_read(counter, cell).ok();
            if one != other {
                problems.push(format!("{}[{cell}]: {one:?}, found {other:?}", info.name));
            }
        }
    }
    let (one, other) =
        (expected.take_digests().expect("digests"), found.take_digests().expect("digests"));
    if one != other {
        problems.push(format!("digests: {one:?}, found {other:?}"));
    }
    problems
}
