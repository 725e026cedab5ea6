//! `scripts/check_fabric_trace.py`, which shares no code with the simulator, on traces of endless permutations.

use super::traffic::permutation;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use ww_fabric::flows;
use ww_fabric::relay::{Rules, Settings, run};
use ww_fabric::schedule::{Order, Schedule};
use ww_fabric::trace::{self, SentCell};

/// The script finds the simulator's figures, a share of 0.98 or more and no queue over the bound.
fn check(hosts: usize, delay: u64, epochs: u64, warmup_epochs: u64) {
    let schedule = Schedule::new(hosts, Order::Reordered, 1).unwrap();
    let epoch_slots = schedule.slots() as u64;
    let settings = Settings {
        delay,
        gate: epoch_slots,
        epochs: Some(epochs),
        warmup: warmup_epochs * epoch_slots,
        ..Settings::new(Rules::Shoal)
    };
    let all = permutation(hosts as u32, 7, 1);
    let mut rows = String::from(trace::HEADER);
    let mut note = |cell: &SentCell| write!(rows, "{cell}").unwrap();
    let outcome = run(&schedule, &settings, &all, 1, Some(&mut note)).unwrap();

    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("trace{hosts}"));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("flows.csv"), flows::write(&all)).unwrap();
    std::fs::write(folder.join("trace.csv"), rows).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/check_fabric_trace.py");
    let mut command = Command::new("python3");
    command.arg(script).args(["flows.csv", "trace.csv", "--share", "0.98", "--json"]);
    let numbers = [
        ("--hosts", hosts as u64),
        ("--epoch-slots", epoch_slots),
        ("--delay", delay),
        ("--slots", outcome.slots),
        ("--warmup", settings.warmup),
    ];
    for (option, number) in numbers {
        command.args([option, &number.to_string()]);
    }
    let output = command.current_dir(&folder).output().expect("python3 runs");
    std::fs::remove_dir_all(&folder).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{hosts} hosts: {errors}");
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["last_hops"], outcome.last_hop_cells);
    assert_eq!(found["bound_violations"], outcome.bound_violations);
    assert_eq!(found["slots"], outcome.slots);
}

#[test]
fn a_script_finds_the_capacity_and_the_bound_of_permutations() {
    check(8, 3, 200, 50);
    check(9, 3, 200, 50);
    check(64, 25, 20, 5);
}

#[test]
#[ignore = "millions of rows"]
fn a_script_finds_the_capacity_and_the_bound_of_512_hosts() {
    check(512, 200, 12, 4);
}
