//! Hosts that get their cells while the run goes send what those do that know their flows before.

use super::traced;
use super::traffic::{bursts, on_and_off};
use proptest::prelude::*;
use ww_fabric::flows::Flow;
use ww_fabric::relay::live::{Live, Moved};
use ww_fabric::relay::{Rules, Settings};
use ww_fabric::schedule::{Order, Schedule};

/// Runs both; the slots that a quiet fabric skips are skipped, or not.
fn compare(schedule: &Schedule, settings: &Settings, flows: &[Flow], skip: bool) {
    let (expected, trace) = traced(schedule, settings, flows, 1);
    let mut departures = Vec::new();
    let mut arrivals = Vec::new();
    for [slot, from, to, src, dst, _] in trace {
        if from == src {
            departures.push((slot, src as usize));
        }
        if to == dst {
            arrivals.push((slot + settings.delay - 1, (src as usize, dst as usize)));
        }
    }
    arrivals.sort_unstable();
    let mut live = Live::new(schedule, settings).unwrap();
    let (mut moved, mut left, mut arrived) = (Moved::default(), Vec::new(), Vec::new());
    let mut next = flows.iter().peekable();
    while live.slot() < expected.slots {
        while let Some(flow) = next.next_if(|flow| flow.start == live.slot()) {
            live.give(flow.src as usize, flow.dst as usize, flow.cells);
        }
        let slot = live.slot();
        live.pass(&mut moved);
        left.extend(moved.left.iter().map(|host| (slot, *host)));
        arrived.extend(moved.arrived.iter().map(|pair| (slot, *pair)));
        if skip
            && live.is_quiet()
            && let Some(flow) = next.peek()
        {
            live.skip_to(flow.start);
        }
    }
    // The trace goes by senders, arrivals by receivers.
    arrived.sort_unstable();
    assert_eq!((left, arrived), (departures, arrivals));
    for &Flow { src, dst, .. } in flows {
        let of_pair = flows.iter().filter(|flow| (flow.src, flow.dst) == (src, dst));
        let cells: u64 = of_pair.map(|flow| flow.cells).sum();
        assert_eq!(live.in_order(src as usize, dst as usize), cells);
    }
    let found = live.outcome();
    assert_eq!(
        (found.slots, found.queue_samples, found.bound_violations, found.reorder_cells),
        (expected.slots, expected.queue_samples, expected.bound_violations, expected.reorder_cells)
    );
    assert_eq!(found.last_hop_cells, expected.last_hop_cells);
    assert_eq!(found.aggregate_cells_max, expected.aggregate_cells_max);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn cells_given_in_time_go_as_those_of_flows(
        hosts in 2..10u32,
        seed in any::<u64>(),
        rules in prop::sample::select(Rules::ALL.to_vec()),
        order in prop_oneof![Just(Order::Plain), Just(Order::Reordered)],
        channels in 1..4usize,
        delay in prop_oneof![Just(1), 1..20u64],
        gate in prop_oneof![Just(0), 1..10u64],
        skip in any::<bool>(),
    ) {
        let schedule = Schedule::new(hosts as usize, order, channels.min(hosts as usize - 1)).unwrap();
        let settings = Settings { delay, gate, ..Settings::new(rules) };
        for flows in [bursts(hosts, seed, 300), on_and_off(hosts, seed, schedule.slots() as u64, 400)] {
            if !flows.is_empty() {
                compare(&schedule, &settings, &flows, skip);
            }
        }
    }
}

#[test]
fn a_fabric_without_cells_is_quiet() {
    let schedule = Schedule::new(8, Order::Reordered, 1).unwrap();
    let mut live = Live::new(&schedule, &Settings::new(Rules::Shoal)).unwrap();
    assert!(live.is_quiet());
    live.skip_to(1_000_000_000);
    live.give(0, 5, 1);
    assert!(!live.is_quiet());
    let (mut moved, mut arrived) = (Moved::default(), Vec::new());
    while !live.is_quiet() {
        live.pass(&mut moved);
        arrived.append(&mut moved.arrived);
    }
    assert_eq!(arrived, [(0, 5)]);
}

#[test]
fn failed_hosts_get_no_cells_while_it_runs() {
    let schedule = Schedule::new(8, Order::Plain, 1).unwrap();
    let settings = Settings { fail: 25.0, ..Settings::new(Rules::Shoal) };
    let error = Live::new(&schedule, &settings).unwrap_err().0;
    assert!(error.contains("found 25 per cent"), "{error}");
}
