//! World sim for circuit switches: slots instead of events.

use super::sim::Outcome;
use crate::plan::fabric::Fabric;
use crate::results::collect::Curves;
use crate::results::numbers::Numbers;
use serde_json::Value;
use ww_fabric::workload;

/// Simulates a fabric with the flows of a seed. A run is not stopped between its slots: `watch` is asked before it begins,
/// and told of its end.
///
/// # Errors
/// A sentence: what the fabric cannot do.
pub(super) fn run(
    fabric: &Fabric,
    seed: u64,
    watch: &mut dyn FnMut(f64) -> bool,
) -> Result<Outcome, String> {
    let Fabric { configuration, pattern } = fabric;
    let (mut numbers, curves) = (Numbers::default(), Curves::default());
    let mut notes: Vec<String> = configuration.warning().into_iter().collect();
    if !watch(0.0) {
        return Ok(Outcome { seed, numbers, curves, stopped: Some(0), notes });
    }
    let schedule = configuration.schedule();
    let flows = workload::generate(pattern, schedule.hosts(), seed).map_err(|error| error.0)?;
    let outcome = configuration.run(&flows, None).map_err(|error| error.0)?;
    let figures = outcome.figures();
    add(&mut numbers, &mut vec!["fabric"], &figures);
    numbers.set(&["fabric", "epoch_slots"], schedule.slots() as f64);
    let unfinished = outcome.flows - outcome.finished.len() as u64;
    numbers.set(&["fabric", "unfinished"], unfinished as f64);
    if outcome.finished.is_empty() && outcome.flows > 0 {
        notes.push("no flow has finished: there are no completion times".into());
    }
    watch(1.0);
    Ok(Outcome { seed, numbers, curves, stopped: None, notes })
}

/// Adds all numbers of a tree.
fn add<'v>(numbers: &mut Numbers, path: &mut Vec<&'v str>, value: &'v Value) {
    if let Some(table) = value.as_object() {
        for (name, value) in table {
            path.push(name);
            add(numbers, path, value);
            path.pop();
        }
    }
    numbers.set_some(path, value.as_f64());
}
