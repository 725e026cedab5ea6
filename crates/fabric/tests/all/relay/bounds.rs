//! No queue under `shoal` is ever over 1 + incast, whatever the traffic, the schedule and the delay.

use super::reference::{self, Fault};
use super::traffic::{all_to_all, bursts, incast, on_and_off, permutation};
use ww_fabric::flows::Flow;
use ww_fabric::relay::{Rules, Settings, run};
use ww_fabric::schedule::{Order, Schedule};

type Traffic = fn(u32, u64, u64, u64) -> Vec<Flow>;

const TRAFFIC: [Traffic; 5] = [
    incast,
    all_to_all,
    on_and_off,
    |hosts, seed, epoch_slots, _| permutation(hosts, seed, 3 * epoch_slots),
    |hosts, seed, _, slots| bursts(hosts, seed, slots),
];

/// How long some queue is in each, at least.
const LONGEST: [usize; 5] = [3, 3, 2, 1, 2];

/// Hosts, order, channels and delay: odd and even, short delays and such over P/2 and over P.
const FABRICS: [(usize, Order, usize, u64); 6] = [
    (8, Order::Reordered, 1, 3),
    (9, Order::Reordered, 1, 3),
    (8, Order::Plain, 1, 21),
    (9, Order::Reordered, 3, 2),
    (12, Order::Plain, 2, 20),
    (7, Order::Reordered, 6, 9),
];

fn settings(schedule: &Schedule, delay: u64, epochs: u64) -> Settings {
    let gate = schedule.slots() as u64;
    Settings { delay, gate, epochs: Some(epochs), ..Settings::new(Rules::Shoal) }
}

#[test]
fn no_traffic_exceeds_the_bound() {
    for (hosts, order, channels, delay) in FABRICS {
        let schedule = Schedule::new(hosts, order, channels).unwrap();
        let epoch_slots = schedule.slots() as u64;
        for (number, traffic) in TRAFFIC.iter().enumerate() {
            let (mut reached, mut sent) = (0, 0);
            for seed in 1..=4 {
                let flows = traffic(hosts as u32, seed, epoch_slots, 1500 * epoch_slots);
                let settings = settings(&schedule, delay, 1500);
                let outcome = run(&schedule, &settings, &flows, 1, None).unwrap();
                let which =
                    format!("{hosts} hosts, {order}, delay {delay}, traffic {number}, seed {seed}");
                assert_eq!(outcome.bound_violations, 0, "{which}");
                reached = reached
                    .max(outcome.queue_samples.iter().rposition(|&count| count > 0).unwrap());
                sent += outcome.last_hop_cells;
            }
            // The runs are no idle ones, and queues do fill.
            assert!(
                sent > 1000 && reached >= LONGEST[number],
                "{hosts} {order} {number}: {sent} {reached}"
            );
        }
    }
}

/// The bound judges each part of the rules: without it, some queue is over.
#[test]
fn planted_faults_exceed_the_bound() {
    for fault in Fault::ALL {
        let found =
            [(Order::Reordered, 3), (Order::Plain, 12)].into_iter().any(|(order, delay)| {
                let schedule = Schedule::new(8, order, 1).unwrap();
                let settings = settings(&schedule, delay, 60);
                let exceeds = |flows: &[Flow], fault| {
                    reference::run(&schedule, &settings, flows, fault).0.bound_violations > 0
                };
                TRAFFIC.iter().any(|traffic| {
                    (1..=3).any(|seed| {
                        let flows = traffic(8, seed, 8, 60 * 8);
                        assert!(!exceeds(&flows, None));
                        exceeds(&flows, Some(fault))
                    })
                })
            });
        assert!(found, "{fault:?}");
    }
}

/// Which of the other rules exceed (3.5), with exact reports, under incast and random traffic: `basic` by any number of
/// cells, as (3.3) is its bound; `literal` by a cell, in few slots; `consistent` in none.
#[test]
fn other_rules_and_the_bound() {
    let schedule = Schedule::new(8, Order::Reordered, 1).unwrap();
    for traffic in [incast as Traffic, on_and_off] {
        let over = |rules| -> u64 {
            let violations = (1..=4).map(|seed| {
                let flows = traffic(8, seed, 8, 1500 * 8);
                let settings = Settings { rules, gate: 0, ..settings(&schedule, 3, 1500) };
                run(&schedule, &settings, &flows, 1, None).unwrap().bound_violations
            });
            violations.sum()
        };
        let [basic, literal, consistent, shoal] = Rules::ALL.map(over);
        assert!(basic > 10_000, "{basic}");
        assert!((1..100).contains(&literal), "{literal}");
        assert_eq!((consistent, shoal), (0, 0));
    }
}

/// A worker more or less changes nothing, with any rules, and on the longer runs.
#[test]
fn two_workers_do_what_one_does() {
    let schedule = Schedule::new(12, Order::Reordered, 2).unwrap();
    let flows = on_and_off(12, 5, schedule.slots() as u64, 100);
    for rules in Rules::ALL {
        let settings = Settings { delay: 3, gate: 6, ..Settings::new(rules) };
        let one = super::traced(&schedule, &settings, &flows, 1);
        assert_eq!(one.0.finished.len(), flows.len());
        for workers in [2, 3] {
            assert!(
                super::traced(&schedule, &settings, &flows, workers) == one,
                "{rules} {workers}"
            );
        }
    }
}

/// Memory is that of what waits: a flow of as many cells as there can be starts like any other.
#[test]
fn a_flow_of_very_many_cells_costs_no_more() {
    let schedule = Schedule::new(8, Order::Reordered, 1).unwrap();
    let flow = Flow { id: 0, src: 0, dst: 1, cells: ww_fabric::flows::MAX_CELLS, start: 0 };
    let settings = settings(&schedule, 3, 1000);
    let outcome = run(&schedule, &settings, &[flow], 1, None).unwrap();
    assert!(outcome.last_hop_cells > 4 * 990, "{}", outcome.last_hop_cells);
    assert!(outcome.reorder_cells < 16, "{}", outcome.reorder_cells);
}
