//! `ww fabric` as scripts see it.

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn fabric(arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ww"))
        .arg("fabric")
        .args(arguments.split_whitespace())
        .output()
        .expect("ww runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder of its own for a test's files.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fabric-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Hosts 0 to 3 in the plain order: slot t takes host i to i + t + 1; two leaves of two hosts.
#[test]
fn schedule_prints_slots_and_switches() {
    let output = fabric("schedule --hosts 4 --order plain --channels 1 --leaves 2 --json");
    assert_eq!(output.status.code(), Some(0));
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["slots"], json!([[[1, 2, 3, 0], [2, 3, 0, 1], [3, 0, 1, 2]]]));
    assert_eq!(json["switches"]["spine1"].as_array().map(Vec::len), Some(3));
    let table = text(&fabric("schedule --hosts 4").stdout);
    assert!(table.contains("    1: 2 3 0 1\n"), "{table}");
}

#[test]
fn impossible_schedules_are_wrong_usage() {
    for (arguments, word) in [
        ("--hosts 8 --channels 8", "1 to 7 channels"),
        ("--hosts 8 --leaves 3", "divides the 8 hosts"),
        ("--hosts 1", "2 to 4096 hosts"),
        ("--hosts 8 --order odd", "odd"),
    ] {
        let output = fabric(&format!("schedule {arguments}"));
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        assert!(text(&output.stderr).contains(word), "{}", text(&output.stderr));
        assert!(output.stdout.is_empty());
    }
}

/// One cell from host 0 to host 2 of 4. In slot 0, host 0 meets host 1, which takes the cell; host 1 meets host 2 in slot 3,
/// the first of the next epoch, in which the cell arrives. The run ends after step 6 of the next slot.
#[test]
fn sim_prints_figures_and_writes_flows_and_trace() {
    let folder = folder("sim");
    let (flows, lines, trace) =
        (folder.join("flows"), folder.join("lines"), folder.join("trace.csv"));
    fs::write(&flows, "0,0,2,1,0\n").expect("a file");
    let output = fabric(&format!(
        "sim {} --rules published --hosts 4 --workers 2 --flows-out {} --trace {} --json",
        flows.display(),
        lines.display(),
        trace.display(),
    ));
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["slots"], 5);
    assert_eq!(json["cell_slots"], 20);
    assert_eq!((&json["flows"], &json["finished"]), (&json!(1), &json!(1)));
    assert_eq!(json["goodput_gbps"], Value::Null);
    // 1 slot is 5.632 ns and 448 bits in it are 79.545 Gb/s.
    let one = "1/0.006us/79.545Gbps";
    let four = "4/0.023us/19.886Gbps";
    assert_eq!(
        fs::read_to_string(&lines).expect("lines"),
        format!("(0->2) 1pkt, {one}, {one}, {one}, {four}, {four}\n")
    );
    assert_eq!(
        fs::read_to_string(&trace).expect("a trace"),
        "slot,from,to,src,dst,seq\n0,0,1,0,2,0\n3,1,2,0,2,0\n"
    );
    let output = fabric(&format!("sim {} --rules published --hosts 4", flows.display()));
    assert!(text(&output.stdout).contains("flows: 1, finished 1\n"), "{}", text(&output.stdout));
}

#[test]
fn bad_flows_are_rejected_and_leave_no_file() {
    let folder = folder("bad");
    let (flows, lines, trace) = (folder.join("flows"), folder.join("lines"), folder.join("trace"));
    for (content, word) in [
        ("", ":1: expected a flow"),
        ("0,0,2,1,0\n1,0,2,1\n", ":2: expected 5 fields"),
        ("0,0,2,x,0\n", ":1: cells: expected an integer"),
        ("0,0,4,1,0\n", ":1: dst: expected a host, 0 to 3"),
        ("0,1,1,1,0\n", ":1: expected src and dst to differ"),
        ("0,0,1,0,0\n", ":1: cells: expected 1 to"),
        ("0,0,1,1,0\n0,1,0,1,0\n", ":2: expected an id of its own"),
        ("0,0,1,1,5\n1,1,0,1,4\n", ":2: expected a start_slot of at least 5"),
    ] {
        fs::write(&flows, content).expect("a file");
        let output = fabric(&format!(
            "sim {} --rules published --hosts 4 --flows-out {} --trace {}",
            flows.display(),
            lines.display(),
            trace.display(),
        ));
        assert_eq!(output.status.code(), Some(1), "{content:?}");
        let message = text(&output.stderr);
        assert!(message.contains(&format!("{}{word}", flows.display())), "{message}");
        assert!(output.stdout.is_empty() && !lines.exists() && !trace.exists());
    }
    let output = fabric("sim /nonexistent/flows --rules published --hosts 4");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("/nonexistent/flows"));
}

#[test]
fn impossible_runs_are_wrong_usage() {
    let folder = folder("usage");
    let flows = folder.join("flows");
    fs::write(&flows, "0,0,2,1,0\n").expect("a file");
    for (arguments, word) in [
        ("--hosts 4", "--rules"),
        ("--hosts 4 --rules none", "none"),
        ("--hosts 4 --rules published --order reordered", "--order: expected plain"),
        ("--hosts 4 --rules published --channels 2", "--channels: expected 1"),
        ("--hosts 4 --rules published --delay-ns 5", "--delay-ns: expected 0"),
        ("--hosts 1 --rules published", "2 to 4096 hosts"),
        ("--hosts 4 --rules published --fail 101", "0 to 100 per cent"),
        ("--hosts 4 --rules published --fail nan", "0 to 100 per cent"),
        ("--hosts 4 --rules published --workers 0", "1 to 4 workers"),
        ("--hosts 4 --rules published --epochs 0", "--epochs"),
    ] {
        let output = fabric(&format!("sim {} {arguments}", flows.display()));
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        assert!(text(&output.stderr).contains(word), "{}", text(&output.stderr));
    }
    let name = flows.display();
    let output =
        fabric(&format!("sim {name} --hosts 4 --rules published --flows-out {name}"));
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read_to_string(&flows).expect("still there"), "0,0,2,1,0\n");
}
