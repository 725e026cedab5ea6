//! The simulator beside the reference, on random networks: all figures, all flows, all cells.

use super::reference;
use super::traced;
use super::traffic::bursts;
use proptest::prelude::*;
use ww_fabric::flows::Flow;
use ww_fabric::relay::{Rules, Settings};
use ww_fabric::schedule::{Order, Schedule};

/// Whether the simulator, with so many workers, does what the reference does.
fn compare(schedule: &Schedule, settings: &Settings, flows: &[Flow], workers: usize) {
    let mut expected = reference::run(schedule, settings, flows, None);
    let mut found = traced(schedule, settings, flows, workers);
    // Lengths that no queue had may or may not be listed.
    for (outcome, _) in [&mut expected, &mut found] {
        while outcome.queue_samples.last() == Some(&0) {
            outcome.queue_samples.pop();
        }
    }
    assert_eq!(found.0, expected.0);
    assert_eq!(found.1, expected.1);
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
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn runs_equal_the_reference(
        (hosts, flows) in networks(),
        rules in prop::sample::select(Rules::ALL.to_vec()),
        order in prop_oneof![Just(Order::Plain), Just(Order::Reordered)],
        channels in 1..4usize,
        delay in prop_oneof![Just(1), 1..6u64, 1..30u64],
        gate in prop_oneof![Just(0), 1..20u64],
        epochs in prop_oneof![3 => Just(None), 1 => (1..80u64).prop_map(Some)],
        finish in prop_oneof![3 => Just(None), 1 => (1..50u64).prop_map(Some)],
        fail in prop_oneof![3 => Just(0.0), 1 => 0.0..100.0],
        warmup in 0..100u64,
        // Threads in step are slow on a machine that has other work.
        workers in prop_oneof![59 => Just(1), 1 => 2..4usize],
    ) {
        let schedule = Schedule::new(hosts, order, channels.min(hosts - 1)).unwrap();
        let settings =
            Settings { slot_ns: 23.25, delay, gate, epochs, finish, fail, warmup, ..Settings::new(rules) };
        compare(&schedule, &settings, &flows, workers.min(hosts));
    }

    /// Short flows of the same pairs again and again, so that pairs end and begin while cells and reports are underway.
    #[test]
    fn bursts_equal_the_reference(
        hosts in 4..10u32,
        seed in any::<u64>(),
        rules in prop::sample::select(Rules::ALL.to_vec()),
        order in prop_oneof![Just(Order::Plain), Just(Order::Reordered)],
        delay in prop_oneof![Just(1), 1..12u64],
        gate in prop_oneof![Just(0), 1..10u64],
    ) {
        let schedule = Schedule::new(hosts as usize, order, 1).unwrap();
        let settings = Settings { delay, gate, ..Settings::new(rules) };
        compare(&schedule, &settings, &bursts(hosts, seed, 200), 1);
    }
}
