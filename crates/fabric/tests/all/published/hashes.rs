//! SHA-256 of flow lines that an independent simulator has printed, for a stated generator of flows.

use super::reference::{self, Fault};
use sha2::{Digest, Sha256};
use ww_fabric::flows::Flow;
use ww_fabric::outcome::{FinishedFlow, Outcome};
use ww_fabric::published::{SLOT_NS, Settings, run};

/// x0 = 1, x = (1103515245x + 12345) mod 2^31 a draw, r(n) = (x >> 8) mod n; of 2,000 flows number k: src r(N), dst
/// (src + 1 + r(N - 1)) mod N, cells 1 + r(40), r(9) slots after the flow before.
fn flows(hosts: u32) -> Vec<Flow> {
    let mut x: u64 = 1;
    let mut draw = |n: u32| {
        x = (1_103_515_245 * x + 12_345) % (1 << 31);
        (x >> 8) % u64::from(n)
    };
    let mut start = 0;
    let mut flow = |id| {
        let src = draw(hosts) as u32;
        let dst = (src + 1 + draw(hosts - 1) as u32) % hosts;
        let cells = 1 + draw(40);
        start += draw(9);
        Flow { id, src, dst, cells, start }
    };
    (0..2_000).map(&mut flow).collect()
}

/// The three runs: settings, and how the hash of the sorted lines begins.
fn runs() -> [(Settings, &'static str); 3] {
    let settings = Settings::new(12);
    [
        (settings, "df7409096dbb17c8"),
        (Settings { gate: 4, finish: Some(900), ..settings }, "5d6e5a949286eabf"),
        (Settings { fail: 25.0, epochs: Some(150), ..settings }, "57d7a28a3a0b72e9"),
    ]
}

fn hash(lines: impl Iterator<Item = String>) -> String {
    let mut lines: Vec<String> = lines.collect();
    lines.sort();
    let digest = Sha256::digest(lines.concat());
    digest[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

fn outcome_hash(outcome: &Outcome) -> String {
    hash(outcome.finished.iter().map(|flow| flow.line(SLOT_NS).to_string()))
}

#[test]
fn runs_have_the_published_hashes_with_one_and_two_workers() {
    let flows = flows(12);
    for (settings, expected) in runs() {
        for workers in [1, 2] {
            let outcome = run(&settings, &flows, workers, None).unwrap();
            assert_eq!(outcome_hash(&outcome), expected, "{settings:?}, {workers} workers");
        }
    }
}

#[test]
fn the_reference_has_the_published_hashes() {
    let flows = flows(12);
    for (settings, expected) in runs() {
        let outcome = reference::run(&settings, &flows, None, &mut Vec::new());
        assert_eq!(outcome_hash(&outcome), expected, "{settings:?}");
    }
}

/// Figures that the independent simulator gives for the first run.
#[test]
fn the_reference_has_the_published_queue_and_reordering() {
    let outcome = reference::run(&runs()[0].0, &flows(12), None, &mut Vec::new());
    assert_eq!((outcome.queue_samples.len() - 1, outcome.reorder_cells), (7, 23));
}

/// Which of the three hashes each planted fault changes: the hashes judge each of these rules.
#[test]
fn planted_faults_change_the_hashes() {
    let flows = flows(12);
    for fault in Fault::ALL {
        let changed: Vec<bool> = runs()
            .iter()
            .map(|(settings, expected)| {
                let outcome = reference::run(settings, &flows, Some(fault), &mut Vec::new());
                outcome_hash(&outcome) != *expected
            })
            .collect();
        assert!(changed.iter().any(|&changed| changed), "{fault:?}: {changed:?}");
    }
}

/// The same for the lines: times in binary64 instead of binary32.
#[test]
fn lines_in_binary64_change_the_hashes() {
    let line = |flow: &FinishedFlow| {
        let FinishedFlow { src, dst, cells, start, .. } = *flow;
        let (queued, received) = (flow.last_queued, flow.last_received);
        let times = [
            queued - start,
            queued - flow.first_queued,
            received - flow.first_received,
            received - flow.first_queued,
            received - start,
        ];
        let time = |slots: u64| {
            let time = (slots + 1) as f64 * 5.632;
            let rate = 448.0 * cells as f64 / time;
            format!("{}/{:.3}us/{rate:.3}Gbps", slots + 1, 0.001 * time)
        };
        format!("({src}->{dst}) {cells}pkt, {}\n", times.map(time).join(", "))
    };
    let flows = flows(12);
    assert!(runs().iter().any(|(settings, expected)| {
        let outcome = reference::run(settings, &flows, None, &mut Vec::new());
        hash(outcome.finished.iter().map(line)) != *expected
    }));
}
