//! The simulator beside the reference, on random networks: all figures, all flows, all cells.

use super::reference;
use crate::networks::{networks, without_empty};
use proptest::prelude::*;
use ww_fabric::flows::Flow;
use ww_fabric::outcome::Outcome;
use ww_fabric::published::{Settings, run};
use ww_fabric::trace::SentCell;

/// An outcome and the trace, as rows of numbers.
fn traced(settings: &Settings, flows: &[Flow], workers: usize) -> (Outcome, Vec<[u64; 6]>) {
    let mut rows = Vec::new();
    let mut note = |cell: &SentCell| {
        let [from, to, src, dst] = [cell.from, cell.to, cell.src, cell.dst].map(|host| host as u64);
        rows.push([cell.slot, from, to, src, dst, cell.seq]);
    };
    let outcome = run(settings, flows, workers, Some(&mut note)).unwrap();
    (outcome, rows)
}

fn compare(settings: &Settings, flows: &[Flow], workers: usize) {
    let mut rows = Vec::new();
    let expected = reference::run(settings, flows, None, &mut rows);
    let (outcome, trace) = traced(settings, flows, workers);
    assert_eq!(without_empty(outcome), without_empty(expected));
    assert_eq!(trace, rows);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn runs_equal_the_reference(
        (hosts, flows) in networks(),
        gate in prop_oneof![Just(0), 1..20u64],
        epochs in prop_oneof![3 => Just(None), 1 => (1..80u64).prop_map(Some)],
        finish in prop_oneof![3 => Just(None), 1 => (1..50u64).prop_map(Some)],
        fail in prop_oneof![3 => Just(0.0), 1 => 0.0..100.0],
        warmup in 0..100u64,
        // Threads in step are slow on a machine that has other work.
        workers in prop_oneof![19 => Just(1), 1 => 2..4usize],
    ) {
        let settings = Settings { hosts, gate, epochs, finish, fail, warmup };
        compare(&settings, &flows, workers.min(hosts));
    }
}

/// All pairs at once: as many columns of waits as there can be.
#[test]
fn all_to_all_equals_the_reference() {
    let pairs = (0..11).flat_map(|src| (1..11).map(move |shift| (src, (src + shift) % 11)));
    let flow = |(id, (src, dst))| Flow { id, src, dst, cells: 20 + id % 7, start: id / 50 };
    let flows: Vec<Flow> = (0..).zip(pairs).map(flow).collect();
    compare(&Settings::new(11), &flows, 1);
    compare(&Settings { gate: 10, ..Settings::new(11) }, &flows, 2);
}

/// A flow that starts and finishes in one slot, long after the last, and another before its feedback has come.
#[test]
fn a_flow_of_one_slot_ends_a_pause() {
    let flow = |id, src, dst, start| Flow { id, src, dst, cells: 1, start };
    let flows = [flow(0, 0, 1, 11), flow(1, 1, 0, 39), flow(2, 1, 0, 41)];
    compare(&Settings::new(3), &flows, 1);
}
