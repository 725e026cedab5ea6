//! Rate limits of nodes, fair shares of their flows.
//!
//! spec: 004-pieo-shoal 8, checks 13 and 14

use ww_rtl::two_level::experiment::{Experiment, run};

/// 1 ms of it: the rates are known to one packet of the slowest node in 40.
#[test]
fn limits_and_shares_for_a_millisecond() {
    let published = Experiment::published();
    let experiment = Experiment { settle: 200_000_000, duration: 1_000_000_000, ..published };
    let measured = run(&experiment).expect("it runs");
    for (node, (rate, &limit)) in measured.nodes.iter().zip(&experiment.limits).enumerate() {
        println!("{limit} b/s: {rate:.0}, Jain {:.6}", measured.jain(node));
        assert!((rate / limit as f64 - 1.0).abs() < 0.01, "{measured:?}");
        assert!(measured.jain(node) > 0.999, "{measured:?}");
    }
    // The link is full.
    assert!((measured.packets as i64 - 3333).abs() <= 2, "{measured:?}");
}
