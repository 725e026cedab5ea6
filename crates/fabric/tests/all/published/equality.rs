//! The simulator beside the reference, on random networks: all figures, all flows, all cells.

use super::reference;
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
    let mut expected = reference::run(settings, flows, None, &mut rows);
    let (mut outcome, trace) = traced(settings, flows, workers);
    // Lengths that no queue had may or may not be listed.
    for outcome in [&mut expected, &mut outcome] {
        while outcome.queue_samples.last() == Some(&0) {
            outcome.queue_samples.pop();
        }
    }
    assert_eq!(outcome, expected);
    assert_eq!(trace, rows);
}

/// Flows of 2 to 9 hosts: pairs that repeat or not, pauses that are short against an epoch or many epochs long.
fn networks() -> impl Strategy<Value = (usize, Vec<Flow>)> {
    let gap = prop_oneof![8 => 0..4u64, 4 => 0..40u64, 1 => 0..900u64];
    let flow = (0..9u32, 0..8u32, 1..30u64, gap);
    // Few hosts that send or receive make long queues.
    let hosts = (2..10u32, 1..10u32, 1..10u32);
    (hosts, prop::collection::vec(flow, 1..60)).prop_map(|((hosts, senders, receivers), flows)| {
        let mut start = 0;
        let flow = |(id, (src, dst, cells, gap)): (u64, (u32, u32, u64, u64))| {
            start += gap;
            let src = src % senders.min(hosts);
            let mut dst = dst % receivers.min(hosts);
            if src == dst {
                dst = (dst + 1) % hosts;
            }
            Flow { id, src, dst, cells, start }
        };
        (hosts as usize, (0..).zip(flows).map(flow).collect())
    })
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
