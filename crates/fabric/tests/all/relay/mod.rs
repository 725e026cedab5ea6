//! Hosts that relay cells: the rules `shoal`, `basic`, `literal` and `consistent`.

mod bounds;
mod classes;
mod equality;
mod failures;
mod incasts;
mod live;
mod memory;
mod observed;
mod permutations;
mod prototype;
mod reference;
mod script;
mod states;
pub mod traffic;

use ww_fabric::flows::Flow;
use ww_fabric::outcome::Outcome;
use ww_fabric::relay::{Settings, run};
use ww_fabric::schedule::Schedule;
use ww_fabric::trace::SentCell;

/// An outcome and the trace, as rows of numbers.
fn traced(
    schedule: &Schedule,
    settings: &Settings,
    flows: &[Flow],
    workers: usize,
) -> (Outcome, Vec<[u64; 6]>) {
    let mut rows = Vec::new();
    let mut note = |cell: &SentCell| {
        let [from, to, src, dst] = [cell.from, cell.to, cell.src, cell.dst].map(|host| host as u64);
        rows.push([cell.slot, from, to, src, dst, cell.seq]);
    };
    let outcome = run(schedule, settings, flows, workers, Some(&mut note)).unwrap();
    (outcome, rows)
}
