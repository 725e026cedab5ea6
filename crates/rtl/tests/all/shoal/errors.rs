//! Headers with errors: hardware sends each cell again when the model does, and hands on each cell once.
//!
//! spec: 004-pieo-shoal S27

use super::loads::load;
use super::{compare, with_errors};
use ww_fabric::relay::failures::FailureCounts;

/// Compares both with the loads of some seeds, with few errors to many, and says what these have cost.
fn with_seeds(seeds: std::ops::Range<u64>) -> FailureCounts {
    let mut sum = FailureCounts::default();
    for seed in seeds {
        let probability = [0.001, 0.01, 0.05, 0.2, 0.3][((seed + seed / 5) % 5) as usize];
        let configuration = with_errors(Some(1_000), Some((probability, seed)));
        let what = format!("seed {seed}, probability {probability}");
        let (model, _) = compare(&configuration, &load(seed), &what);
        let counts = model.failures.expect("counts of failures");
        sum.dropped += counts.dropped;
        sum.retransmitted += counts.retransmitted;
        sum.duplicates += counts.duplicates;
    }
    sum
}

#[test]
fn hardware_retransmits_what_the_model_retransmits() {
    let FailureCounts { dropped, retransmitted, duplicates, .. } = with_seeds(0..12);
    let enough = dropped > 5_000 && retransmitted > 500 && duplicates > 50;
    assert!(enough, "dropped {dropped}, retransmitted {retransmitted}, duplicates {duplicates}");
}

#[test]
#[ignore = "longer"]
fn hardware_retransmits_what_the_model_retransmits_with_a_thousand_loads() {
    with_seeds(12..1_012);
}
