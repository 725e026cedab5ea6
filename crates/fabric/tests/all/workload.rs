//! Generated flows have the properties of their patterns, whatever the seed.

use std::collections::HashSet;
use ww_fabric::flows::{self, Flow};
use ww_fabric::workload::{APPLICATIONS, Arrivals, Pattern, cells, classes, generate};
use ww_sim::workload::sizes::Pareto;

/// Flows that the reader of FLOWS takes.
fn made(pattern: &Pattern, hosts: usize, seed: u64) -> Vec<Flow> {
    let made = generate(pattern, hosts, seed).expect("flows");
    let text = flows::write(&made);
    let read = flows::read(text.as_bytes(), hosts).expect("FLOWS");
    assert_eq!(read, flows::Flows { flows: made.clone(), classes: None });
    made
}

#[test]
fn a_permutation_has_each_host_once() {
    for (hosts, pairs, seed) in [(2, 2, 1), (8, 8, 2), (9, 4, 3), (512, 512, 4)] {
        let flows = made(&Pattern::Permutation { pairs, cells: 7 }, hosts, seed);
        let sources: HashSet<u32> = flows.iter().map(|f| f.src).collect();
        let destinations: HashSet<u32> = flows.iter().map(|f| f.dst).collect();
        assert_eq!((sources.len(), destinations.len()), (pairs, pairs));
        assert!(flows.iter().all(|f| f.src != f.dst && f.cells == 7 && f.start == 0));
    }
    let seeds: HashSet<String> = (0..20)
        .map(|seed| flows::write(&made(&Pattern::Permutation { pairs: 8, cells: 1 }, 8, seed)))
        .collect();
    assert!(seeds.len() > 15, "{}", seeds.len());
}

#[test]
fn an_incast_has_one_destination() {
    let flows = made(&Pattern::Incast { senders: 7, cells: 7 }, 8, 1);
    assert!((1..8).all(|src| flows.iter().filter(|f| f.src == src && f.dst == 0).count() == 1));
    assert_eq!(flows.len(), 7);
}

/// Sources and destinations are even, and the load is what was asked for.
#[test]
fn random_and_pareto_flows_are_even() {
    for seed in 1..4 {
        let pattern = Pattern::Random { flows: 20_000, cells: 3 };
        let flows = made(&pattern, 10, seed);
        for host in 0..10 {
            // 2,000 each, with a standard deviation of 42.
            let sends = flows.iter().filter(|f| f.src == host).count();
            let receives = flows.iter().filter(|f| f.dst == host).count();
            assert!((1_750..2_250).contains(&sends) && (1_750..2_250).contains(&receives));
        }
        let pareto = Pattern::Pareto {
            flows: 20_000,
            shape: 1.05,
            mean_bytes: 100e3,
            largest_bytes: 10e6,
            arrivals: Arrivals::Load { load: 0.5, channels: 4 },
        };
        let flows = made(&pareto, 512, seed);
        let sum: u64 = flows.iter().map(|f| f.cells).sum();
        let last = flows.last().expect("flows").start;
        let load = sum as f64 / (last as f64 * 512.0 * 4.0);
        // The last of 20,000 arrivals has a standard deviation of 0.7 %.
        assert!((0.48..0.52).contains(&load), "{load}");
        // Those of more than 1 MB are as many as the distribution says.
        let sizes = Pareto::new(1.05, 100e3, 10e6).expect("sizes");
        let beyond = |x: f64| (sizes.smallest / x).powf(1.05);
        let expected = (beyond(1e6) - beyond(10e6)) / (1.0 - beyond(10e6));
        let large = flows.iter().filter(|f| f.cells > cells(1_000_000)).count() as f64 / 20_000.0;
        assert!((large - expected).abs() < 0.15 * expected, "{large}, {expected}");
    }
}

/// More than 84 % of the flows stay within a third of the hosts, as was published of the traces.
#[test]
fn applications_are_skewed() {
    for application in &APPLICATIONS {
        let arrivals = Arrivals::EverySlots(0.544);
        let pattern = Pattern::Application { flows: 20_000, application, arrivals };
        for hosts in [96, 512] {
            let flows = made(&pattern, hosts, 5);
            let mut busy = vec![0; hosts];
            for flow in &flows {
                busy[flow.src as usize] += 1;
                busy[flow.dst as usize] += 1;
            }
            let mut order: Vec<usize> = (0..hosts).collect();
            order.sort_by_key(|host| std::cmp::Reverse(busy[*host]));
            let third: HashSet<usize> = order[..hosts / 3].iter().copied().collect();
            let within =
                |f: &&Flow| third.contains(&(f.src as usize)) && third.contains(&(f.dst as usize));
            let share = flows.iter().filter(within).count() as f64 / flows.len() as f64;
            assert!(share > 0.84, "{} on {hosts} hosts: {share}", application.name);
        }
    }
}

#[test]
fn what_a_pattern_does_not_allow_is_named() {
    let load = |load| Arrivals::Load { load, channels: 1 };
    let pareto = |shape, arrivals| Pattern::Pareto {
        flows: 9,
        shape,
        mean_bytes: 1e5,
        largest_bytes: 1e7,
        arrivals,
    };
    for (pattern, hosts, expected) in [
        (Pattern::Permutation { pairs: 9, cells: 1 }, 8, "pairs: expected 1 to 8, found 9"),
        (Pattern::Incast { senders: 8, cells: 1 }, 8, "senders: expected 1 to 7, found 8"),
        (Pattern::Random { flows: 0, cells: 1 }, 8, "flows: expected 1 to 10000000, found 0"),
        (Pattern::Random { flows: 1, cells: 0 }, 8, "cells: expected at least 1, found 0"),
        (Pattern::Random { flows: 1, cells: 1 }, 1, "hosts: expected 2 to 1048576, found 1"),
        (pareto(1.05, load(1.5)), 8, "load: expected a number above 0, at most 1, found 1.5"),
        (pareto(-1.0, load(0.5)), 8, "shape"),
        (
            pareto(1.05, Arrivals::EverySlots(0.0)),
            8,
            "slots between flows: expected a number above 0, found 0",
        ),
        (
            Pattern::Application { flows: 1, application: &APPLICATIONS[0], arrivals: load(0.5) },
            2,
            "a processor, a memory and a disk",
        ),
    ] {
        let mistake = generate(&pattern, hosts, 1).expect_err("a mistake").to_string();
        assert!(mistake.contains(expected), "{mistake}");
    }
}

#[test]
fn classes_have_their_shares() {
    for (shares, seed) in [(vec![1.0, 3.0], 1), (vec![0.2, 0.0, 0.5, 0.3], 2), (vec![7.0], 3)] {
        let drawn = classes(&shares, 40_000, seed).unwrap();
        let sum: f64 = shares.iter().sum();
        for (class, share) in (0..).zip(&shares) {
            let found = drawn.iter().filter(|&&drawn| drawn == class).count() as f64 / 40_000.0;
            let expected = share / sum;
            // More than six standard deviations of the binomial distribution.
            let deviation = (expected * (1.0 - expected) / 40_000.0).sqrt();
            assert!((found - expected).abs() <= 6.0 * deviation, "{shares:?}: {class} {found}");
        }
        assert!(drawn.iter().all(|&class| usize::from(class) < shares.len()));
        assert_eq!(classes(&shares, 100, seed).unwrap(), drawn[..100]);
    }
    let bad: [&[f64]; 6] =
        [&[], &[1.0; 9], &[0.0, 0.0], &[-0.1, 1.0], &[f64::NAN], &[f64::MAX, f64::MAX]];
    for shares in bad {
        let message = classes(shares, 10, 1).unwrap_err().to_string();
        assert!(message.starts_with("class shares: expected"), "{message}");
    }
}
