//! Updates while packets flow: a worker at full speed, a control plane that makes 10,000 updates
//! a second, and the reference engine that executes one packet in 1,000 again, with the tables of
//! the generation that the packet saw. Every packet carries marks of its generation, twice, so
//! that one which sees a mixture of two shows it. No packet may differ, and memory may not grow.
//!
//! A binary of its own, for it measures the memory of the process.
//!
//! `WW_SOAK_SECONDS` sets the length of the run, 3 seconds if it is not set.

mod random;
mod reference;
mod requests;
mod run;
mod traffic;
mod updates;

use run::{Report, run};
use std::sync::Mutex;
use std::time::Duration;
use updates::Fault;

/// Bytes by which resident memory may differ: the allocator keeps pieces.
const SLACK: u64 = 16 << 20;

/// One run at a time: each measures the memory of the process, and needs all cores.
static TURN: Mutex<()> = Mutex::new(());

fn alone(time: Duration, fault: Option<Fault>) -> Report {
    let _turn = TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let report = run(time, fault);
    report.print();
    report
}

#[test]
fn updates_while_packets_flow() {
    let seconds = std::env::var("WW_SOAK_SECONDS").map_or(Ok(3), |text| text.parse());
    let seconds = seconds.expect("WW_SOAK_SECONDS is a number of seconds");
    let report = alone(Duration::from_secs(seconds), None);
    assert!(report.problems.is_empty(), "{}", report.problems.join("\n"));
    assert!(report.checked >= report.packets / traffic::SAMPLED, "{report:?}");
    assert!(report.left > report.checked / 4, "most packets are to leave: {report:?}");
    assert!(report.generations > 100 && report.changes_seen > 100, "{report:?}");
    match report.memory {
        Some([begin, end]) => assert!(end <= begin + SLACK, "memory grows: {report:?}"),
        None => println!("SKIPPED the check of memory: /proc/self/status does not say"),
    }
}

#[test]
fn half_a_transaction_is_found() {
    let report = alone(Duration::from_secs(60), Some(Fault::TornTransaction));
    let text = report.problems.join("\n");
    println!("{text}");
    assert!(text.contains("a mixture of generations"), "{text}");
}

#[test]
fn tables_that_differ_are_found() {
    let report = alone(Duration::from_secs(60), Some(Fault::LostRequest));
    let text = report.problems.join("\n");
    println!("{text}");
    assert!(text.contains("reference ["), "a packet is to differ: {text}");
}
