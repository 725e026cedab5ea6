//! The figures of the document, from its own assumptions, and the arithmetic of networks against counting them.

use std::collections::{HashMap, VecDeque};
use ww_fabric::report::{Assumptions, Clos, Report};

fn close(found: f64, expected: f64, within: f64) {
    assert!((found - expected).abs() <= within, "{found}, expected {expected} within {within}");
}

#[test]
fn power_and_cost_are_those_of_the_document() {
    let report = Report::new(&Assumptions::default());
    close(report.psn_kw, 8.717, 0.0005);
    close(report.shoal_kw, 2.549, 0.0005);
    close(report.saving, 0.708, 0.0005);
    close(report.cost_parity[0], 1.0 / 3.0, 1e-12);
    close(report.cost_parity[1], 5.0 / 12.0, 1e-12);
    // The document prints 9.6 % for the first; its own model gives 10 %.
    close(report.cost_minus_40[0], 0.1, 1e-12);
    close(report.cost_minus_40[1], 0.183, 0.0005);
}

#[test]
fn fattrees_are_those_of_the_document() {
    let report = Report::new(&Assumptions::default());
    let [large, small, chassis, ..] = &report.networks[..] else { panic!("{report:?}") };
    assert_eq!((large.chips, large.transceivers, large.fibres), (192.0, 24_576.0, 12_288.0));
    assert_eq!((small.chips, small.transceivers, small.fibres), (1_280.0, 40_960.0, 20_480.0));
    assert_eq!((large.fibres_with_hosts, small.fibres_with_hosts), (16_384.0, 24_576.0));
    assert_eq!((large.hops, small.hops), (4.0, 6.0));
    // Fewer transceivers than small switches, more chips and more hops than large ones.
    assert!(chassis.transceivers < small.transceivers && chassis.chips > small.chips);
    assert!(chassis.hops > small.hops);
    // A tree of k = 4: 20 switches for 16 hosts.
    let four = Clos { hosts: 16.0, ports: 4.0, tiers: 3.0 };
    assert_eq!((four.switches(), four.most_hosts()), (20.0, 16.0));
}

/// Hosts of a torus by breadth-first search.
#[test]
fn distances_in_a_torus_are_those_of_a_search() {
    for side in [3_i32, 4, 8] {
        let mut assumptions = Assumptions::default();
        assumptions.set(&format!("torus_side={side}")).expect("a name");
        let torus = Report::new(&assumptions).networks.pop().expect("the torus is last");
        let mut distances = HashMap::from([([0, 0, 0], 0)]);
        let mut queue = VecDeque::from([[0, 0, 0]]);
        while let Some(at) = queue.pop_front() {
            for (axis, step) in (0..3).flat_map(|axis| [(axis, 1), (axis, side - 1)]) {
                let mut next = at;
                next[axis] = (at[axis] + step) % side;
                if !distances.contains_key(&next) {
                    distances.insert(next, distances[&at] + 1);
                    queue.push_back(next);
                }
            }
        }
        let farthest = distances.values().max().expect("hosts");
        let mean = f64::from(distances.values().sum::<i32>()) / (distances.len() - 1) as f64;
        assert_eq!(torus.hops, f64::from(*farthest));
        close(torus.share_for_own_traffic, 1.0 / mean, 1e-12);
    }
}

#[test]
fn assumptions_are_set_by_name() {
    let mut assumptions = Assumptions::default();
    assumptions.set("circuit_switch_w=77").expect("a name");
    // 48 switches at 38.5 W more.
    close(Report::new(&assumptions).shoal_kw, 2.549_44 + 48.0 * 38.5 / 1000.0, 1e-9);
    for (setting, expected) in [
        ("hosts", "expected NAME=VALUE"),
        ("host=3", "no assumption has the name 'host'; there are hosts, "),
        ("hosts=0", "expected a number above 0, found '0'"),
        ("hosts=many", "expected a number above 0, found 'many'"),
        ("hosts=inf", "expected a number above 0"),
    ] {
        let mistake = assumptions.set(setting).expect_err("a mistake").to_string();
        assert!(mistake.contains(expected), "{mistake}");
    }
}
