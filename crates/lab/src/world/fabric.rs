//! World sim for circuit switches: slots instead of events, or a fabric among the nodes of a network.

use super::sim::Outcome;
use crate::plan::Plan;
use crate::plan::fabric::{Fabric, in_words_of_labs};
use crate::results::collect::Curves;
use crate::results::numbers::Numbers;
use serde_json::Value;
use ww_fabric::node::{FabricNode, FabricReport};
use ww_fabric::outcome::{CELL_BYTES, FinishedFlow, LONG_FLOW};
use ww_fabric::workload;
use ww_sim::simulation::{Parts, Reports};

/// Simulates a fabric with the flows and bit errors of a seed. A run is not stopped between its slots: `watch` is asked before it begins,
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
    let flows = workload::generate(pattern, schedule.hosts(), seed)
        .map_err(|error| in_words_of_labs(&error))?;
    let outcome = configuration
        .clone()
        .with_flip_seed(seed)
        .run(&flows, None)
        .map_err(|error| in_words_of_labs(&error))?;
    let figures = outcome.figures();
    add(&mut numbers, &mut vec!["fabric"], &figures);
    // Switches that turn slowly do not follow this schedule: `ww fabric matchings` shows their cycle.
    let epoch_slots = configuration.rotors().is_none().then_some(schedule.slots() as f64);
    numbers.set_some(&["fabric", "epoch_slots"], epoch_slots);
    add_completion(&mut numbers, &outcome);
    let unfinished = outcome.flows - outcome.finished.len() as u64;
    numbers.set(&["fabric", "unfinished"], unfinished as f64);
    if outcome.finished.is_empty() && outcome.flows > 0 {
        notes.push("no flow has finished: there are no completion times".into());
    }
    watch(1.0);
    Ok(Outcome { seed, numbers, curves, stopped: None, notes })
}

/// Puts fabrics in the place of switches.
///
/// # Errors
/// A sentence: what the fabric cannot do.
pub(super) fn install(plan: &Plan, parts: &mut Parts) -> Result<(), String> {
    for (node, circuits) in &plan.circuits {
        let fabric = FabricNode::new(&circuits.configuration, *node, circuits.source)
            .map_err(|error| in_words_of_labs(&error))?;
        parts.nodes.insert(*node, Box::new(fabric));
    }
    Ok(())
}

/// Adds what fabrics in the place of switches have counted.
pub(super) fn reported(reports: &mut Reports, numbers: &mut Numbers) {
    for FabricReport { outcome, source_cells_max, .. } in reports.take() {
        add(numbers, &mut vec!["fabric"], &outcome.figures());
        let bytes = source_cells_max * u64::from(CELL_BYTES);
        numbers.set(&["fabric", "source_bytes_max"], bytes as f64);
    }
}

/// Adds the completion times of all flows that have finished, short or long: the least, the mean, the largest, in
/// microseconds, and the mean divided by the largest; and the mean of long flows alone. Nothing if none has.
fn add_completion(numbers: &mut Numbers, outcome: &ww_fabric::outcome::Outcome) {
    let times = || outcome.finished.iter().map(FinishedFlow::completion);
    let (Some(least), Some(largest)) = (times().min(), times().max()) else { return };
    let mean = times().sum::<u64>() as f64 / outcome.finished.len() as f64;
    let microseconds = outcome.slot_ns / 1000.0;
    for (name, slots) in [("least", least as f64), ("mean", mean), ("largest", largest as f64)] {
        numbers.set(&["fabric", "fct_us", name], slots * microseconds);
    }
    numbers.set(&["fabric", "fct_us", "mean_to_largest"], mean / largest as f64);
    let long = || outcome.finished.iter().filter(|flow| flow.cells >= LONG_FLOW);
    let sum: u64 = long().map(FinishedFlow::completion).sum();
    // Not a number, and so left out, if there is none.
    numbers
        .set(&["fabric", "fct_us", "long_mean"], sum as f64 / long().count() as f64 * microseconds);
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
