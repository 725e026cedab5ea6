//! Runs as they are described: profiles, what overrides them, what cannot be; and what the rules do in whole runs.

use ww_fabric::configuration::{Given, Profile, Rules};
use ww_fabric::flows::Flow;
use ww_fabric::outcome::Outcome;
use ww_fabric::relay;
use ww_fabric::schedule::Order;
use ww_fabric::workload::{Pattern, generate};

const SHOAL: Rules = Rules::Relay(relay::Rules::Shoal);

/// Flows that never end within a test: from each host to another one.
fn permutation(hosts: usize, seed: u64) -> Vec<Flow> {
    let pattern = Pattern::Permutation { pairs: hosts, cells: 1 << 40 };
    generate(&pattern, hosts, seed).expect("flows")
}

fn run(given: &Given, flows: &[Flow]) -> Outcome {
    given.configuration().expect("a fabric").run(flows, 1, None).expect("a run")
}

fn throughput(outcome: &Outcome) -> f64 {
    outcome.figures()["throughput"].as_f64().expect("a number")
}

/// Spec 004, check 24 with the queue bound kept: a random permutation gets the whole capacity (N/2)/P.
#[test]
fn shoal_carries_permutations_at_capacity_within_the_bound() {
    for (hosts, delay, slots) in [(8, 3.0, 8), (9, 3.0, 8), (64, 25.0, 64)] {
        for seed in 1..4 {
            let given = Given {
                rules: Some(SHOAL),
                hosts: Some(hosts),
                order: Some(Order::Reordered),
                slot_ns: Some(1.0),
                delay_ns: Some(delay),
                epochs: Some(100),
                warmup: 20 * slots,
                ..Given::default()
            };
            let outcome = run(&given, &permutation(hosts, seed));
            let capacity = hosts as f64 / 2.0 / slots as f64;
            let share = throughput(&outcome) / capacity;
            assert!(share >= 0.98, "{hosts} hosts, seed {seed}: {share}");
            assert!(share <= 1.0 + 1e-9, "{hosts} hosts, seed {seed}: {share}");
            assert_eq!(outcome.bound_violations, 0);
            assert_eq!(given.configuration().expect("a fabric").warning(), None);
        }
    }
}

/// Spec 004, check 23: seven hosts send seven cells to host 0 of the prototype.
#[test]
fn an_incast_on_the_prototype() {
    let given = Given { profile: Some(Profile::Prototype), ..Given::default() };
    let configuration = given.configuration().expect("a fabric");
    assert!(configuration.warning().expect("21 slots of 7").contains("21 slots"));
    let flows = generate(&Pattern::Incast { senders: 7, cells: 7 }, 8, 1).expect("flows");
    let outcome = configuration.run(&flows, 1, None).expect("a run");
    let times: Vec<f64> =
        outcome.finished.iter().map(|flow| flow.completion() as f64 * 0.0768).collect();
    assert_eq!(times.len(), 7);
    let slowest = times.iter().copied().fold(0.0, f64::max);
    let fastest = times.iter().copied().fold(f64::INFINITY, f64::min);
    assert!((slowest - 6.9).abs() <= 0.54, "slowest {slowest} us, published 6.9");
    assert!((fastest - 6.05).abs() <= 0.54, "fastest {fastest} us, published 6.05");
    assert!(outcome.queue_samples.len() <= 8, "a queue of {}", outcome.queue_samples.len() - 1);
    assert_eq!(outcome.bound_violations, 0);
}

/// The same with any number of workers, under all rules.
#[test]
fn workers_change_nothing() {
    let flows = generate(&Pattern::Random { flows: 40, cells: 6 }, 9, 3).expect("flows");
    for rules in Rules::ALL {
        let given = Given { rules: Some(rules), hosts: Some(9), ..Given::default() };
        let configuration = given.configuration().expect("a fabric");
        let one = configuration.run(&flows, 1, None).expect("a run");
        let three = configuration.run(&flows, 3, None).expect("a run");
        assert_eq!(one, three, "{}", rules.name());
        assert_eq!(one.finished.len(), 40, "{}", rules.name());
    }
}

#[test]
fn rules_have_their_names() {
    for rules in Rules::ALL {
        assert_eq!(Rules::named(rules.name()), Some(rules));
    }
    assert_eq!(Rules::named("other"), None);
}

#[test]
fn what_cannot_be_is_named() {
    let published = Given { rules: Some(Rules::Published), hosts: Some(8), ..Given::default() };
    let shoal = Given { rules: Some(SHOAL), hosts: Some(8), ..Given::default() };
    for (given, expected) in [
        (Given::default(), "expected rules (--rules)"),
        (Given { hosts: None, ..shoal }, "expected hosts (--hosts)"),
        (Given { channels: Some(8), ..shoal }, "channel"),
        (Given { slot_ns: Some(0.0), ..shoal }, "--slot-ns: expected 0.001"),
        (Given { slot_ns: Some(f64::NAN), ..shoal }, "--slot-ns: expected 0.001"),
        (Given { delay_ns: Some(-1.0), ..shoal }, "--delay-ns: expected 0 "),
        (Given { delay_ns: Some(1e12), ..shoal }, "--delay-ns: expected 0 "),
        (Given { order: Some(Order::Reordered), ..published }, "the rules 'published' have"),
        (Given { channels: Some(2), ..published }, "the rules 'published' have"),
        (Given { delay_ns: Some(1.0), ..published }, "the rules 'published' have"),
        (Given { slot_ns: Some(5.0), ..published }, "the rules 'published' have"),
        (Given { profile: Some(Profile::Paper), ..published }, "the rules 'published' have"),
    ] {
        let error = given.configuration().expect_err("no fabric").to_string();
        assert!(error.contains(expected), "{given:?}: {error}");
    }
}
