//! World sim for two TCP/IP hosts and a line.

use super::sim::Outcome;
use crate::results::collect::Curves;
use crate::results::numbers::Numbers;
use ww_tcp::pair::{self, Plan};

/// Runs a pair with a seed. It is not stopped on its way: `watch` is asked before it begins, and told of its end.
///
/// # Errors
/// A sentence: what the pair cannot do.
pub(super) fn run(
    plan: &Plan,
    seed: u64,
    watch: &mut dyn FnMut(f64) -> bool,
) -> Result<Outcome, String> {
    let (mut numbers, curves) = (Numbers::default(), Curves::default());
    if !watch(0.0) {
        return Ok(Outcome { seed, numbers, curves, stopped: Some(0), notes: Vec::new() });
    }
    let outcome = pair::run(&Plan { seed, ..plan.clone() })?;
    for (name, value) in outcome.figures.as_object().into_iter().flatten() {
        numbers.set_some(&["pair", name], value.as_f64());
    }
    numbers.set(&["pair", "whole"], f64::from(u8::from(outcome.whole)));
    watch(1.0);
    Ok(Outcome { seed, numbers, curves, stopped: None, notes: Vec::new() })
}
