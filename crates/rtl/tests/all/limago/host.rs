//! The whole host in hardware beside the model: frames, news, bytes and counters.

use std::collections::BTreeSet;
use ww_rtl::toe::equal::{Plan, run};

/// What must have happened, or else the seeds say nothing.
const EXPECTED: [&str; 15] = [
    "SynSent",
    "SynReceived",
    "Established",
    "FinWait1",
    "FinWait2",
    "TimeWait",
    "CloseWait",
    "LastAck",
    "Reset",
    "Aborted",
    "\"data\"",
    "\"reset\"",
    "\"options\"",
    "\"cookie\"",
    "\"again\"",
];

fn compare(seeds: std::ops::Range<u64>, events: u64, hostile: bool) {
    let mut seen = BTreeSet::new();
    for seed in seeds {
        let found = run(Plan { events, hostile, seed }).expect("Verilator is there");
        assert!(found.first.is_none(), "seed {seed}: {}", found.first.unwrap_or_default());
        seen.extend(found.seen);
    }
    let unseen: Vec<&str> = EXPECTED.into_iter().filter(|&what| !seen.contains(what)).collect();
    assert!(unseen.is_empty(), "these did not happen: {unseen:?}; these did: {seen:?}");
}

#[test]
fn a_host_does_what_the_model_does() {
    compare(0..12, 2_000, false);
}

#[test]
fn a_host_meets_hostile_frames_as_the_model_does() {
    compare(100..112, 2_000, true);
}

#[test]
#[ignore = "long: 32 seeds of 20,000 events, twice"]
fn fresh_seeds_are_the_same_in_hardware_and_model() {
    let first = crate::fresh::first_seed();
    compare(first..first + 32, 20_000, false);
    compare(first + 10_000..first + 10_032, 20_000, true);
}
