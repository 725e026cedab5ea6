//! The simulator beside the reference, on random networks: all figures, all flows, all cells.

use super::reference;
use super::traced;
use super::traffic::bursts;
use crate::networks::{networks, without_empty};
use proptest::prelude::*;
use ww_fabric::flows::Flow;
use ww_fabric::relay::{Rules, Settings};
use ww_fabric::schedule::{Order, Schedule};

/// Whether the simulator, with so many workers, does what the reference does.
fn compare(schedule: &Schedule, settings: &Settings, flows: &[Flow], workers: usize) {
    let expected = reference::run(schedule, settings, flows, None);
    let found = traced(schedule, settings, flows, workers);
    assert_eq!(without_empty(found.0), without_empty(expected.0));
    assert_eq!(found.1, expected.1);
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
