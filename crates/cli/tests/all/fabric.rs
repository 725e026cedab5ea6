//! `ww fabric`: statuses, messages and files of its commands. What they compute is tested in the crate `fabric`.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

fn ww(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ww"));
    command.arg("fabric").args(arguments).current_dir(folder).output().expect("ww runs")
}

/// Status and standard error.
fn said(output: &Output) -> (Option<i32>, String) {
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn json(output: &Output) -> Value {
    assert_eq!(said(output), (Some(0), String::new()));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// A folder with FLOWS.
fn folder(flows: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("flows.csv"), flows).expect("written");
    let path = folder.path().to_owned();
    (folder, path)
}

#[test]
fn a_run_writes_flows_and_cells() {
    // Slot 0 takes host 1 to host 2: one cell goes directly.
    let (_keep, path) = folder("7,1,2,1,0\n");
    let output = ww(
        &path,
        &[
            "sim",
            "flows.csv",
            "--rules=published",
            "--hosts=4",
            "--flows-out=f.txt",
            "--trace=t.csv",
            "--json",
        ],
    );
    let figures = json(&output);
    assert_eq!((&figures["flows"], &figures["finished"]), (&1.into(), &1.into()));
    assert_eq!(figures["cell_slots"], figures["slots"].as_u64().expect("a number") * 4);
    let read = |name: &str| std::fs::read_to_string(path.join(name)).expect("a file");
    assert_eq!(read("t.csv"), "slot,from,to,src,dst,seq\n0,1,2,1,2,0\n");
    // One slot of 5.632 ns carries 448 bits of the flow.
    let time = "1/0.006us/79.545Gbps";
    assert_eq!(read("f.txt"), format!("(1->2) 1pkt, {time}, {time}, {time}, {time}, {time}\n"));
}

#[test]
fn bad_flows_are_refused_with_their_line_and_nothing_is_written() {
    for (flows, expected) in [
        ("1,0,1,5\n", "line 1: "),
        ("1,0,1,5,0,0\n", "line 1: "),
        ("1,0,1,5,0\n2,0,x,5,0\n", "line 2: "),
        ("1,0,4,5,0\n", "line 1: "),
        ("1,3,3,5,0\n", "line 1: "),
        ("1,0,1,0,0\n", "line 1: "),
        ("1,0,1,5,0\n1,0,2,5,0\n", "line 2: "),
        ("1,0,1,5,9\n2,0,2,5,8\n", "line 2: "),
        ("", "line 1: "),
    ] {
        let (_keep, path) = folder(flows);
        let options = ["--rules=published", "--hosts=4", "--flows-out=f.txt", "--trace=t.csv"];
        let output = ww(&path, &[&["sim", "flows.csv"], &options[..]].concat());
        let (status, said) = said(&output);
        assert_eq!(status, Some(1), "{flows:?}: {said}");
        assert!(said.contains("flows.csv: ") && said.contains(expected), "{flows:?}: {said}");
        assert!(output.stdout.is_empty());
        let files: Vec<_> = std::fs::read_dir(&path).expect("a folder").collect();
        assert_eq!(files.len(), 1, "{flows:?}: {files:?}");
    }
}

#[test]
fn wrong_usage_is_status_2() {
    let (_keep, path) = folder("1,0,1,5,0\n");
    for arguments in [
        &["schedule", "--hosts=8", "--leaves=3"][..],
        &["schedule", "--hosts=8", "--channels=8"],
        &["schedule", "--hosts=1"],
        &["schedule", "--hosts=8", "--order=random"],
        &["sim", "flows.csv", "--rules=unknown", "--hosts=4"],
        &["sim", "flows.csv", "--hosts=4"],
        &["sim", "flows.csv", "--rules=shoal"],
        &["sim", "flows.csv", "--rules=published", "--hosts=4", "--order=reordered"],
        &["sim", "flows.csv", "--rules=published", "--hosts=4", "--channels=2"],
        &["sim", "flows.csv", "--rules=published", "--hosts=4", "--delay-ns=1"],
        &["sim", "flows.csv", "--rules=shoal", "--hosts=4", "--channels=4"],
        &["sim", "flows.csv", "--profile=other"],
        &["sim", "flows.csv", "--rules=published", "--hosts=1"],
        &["sim", "flows.csv", "--rules=published", "--hosts=4", "--workers=5"],
        &["sim", "flows.csv", "--rules=published", "--hosts=4", "--fail=101"],
        &["sim", "flows.csv", "--rules=published", "--hosts=4", "--epochs=0"],
        &["sim", "flows.csv", "--rules=published", "--hosts=4", "--trace=flows.csv"],
        &["sim", "flows.csv", "--rules=published", "--hosts=4", "--trace=a", "--flows-out=a"],
        &["sim", "flows.csv", "--rules=shoal", "--hosts=8", "--engine=rtl"],
        &["sim", "flows.csv", "--profile=paper", "--engine=rtl"],
        &["sim", "flows.csv", "--profile=prototype", "--engine=other"],
        &["sim", "flows.csv", "--profile=prototype", "--rules=basic", "--engine=rtl"],
        &["sim", "flows.csv", "--profile=prototype", "--hosts=4", "--engine=rtl"],
        &["sim", "flows.csv", "--profile=prototype", "--order=reordered", "--engine=rtl"],
        &["sim", "flows.csv", "--profile=prototype", "--channels=2", "--engine=rtl"],
        &["sim", "flows.csv", "--profile=prototype", "--slot-ns=80", "--engine=rtl"],
        &["sim", "flows.csv", "--profile=prototype", "--delay-ns=0", "--engine=rtl"],
        &["sim", "flows.csv", "--profile=prototype", "--gate=0", "--engine=rtl"],
        &["sim", "flows.csv", "--profile=prototype", "--fail=25", "--engine=rtl"],
        &["sim", "flows.csv", "--profile=prototype", "--workers=2", "--engine=rtl"],
        &[
            "sim",
            "flows.csv",
            "--profile=prototype",
            "--kill=0@5",
            "--kill=1@5",
            "--kill=2@5",
            "--kill=3@5",
            "--kill=4@5",
            "--kill=5@5",
            "--repair",
            "--engine=rtl",
        ],
        &[
            "sim",
            "flows.csv",
            "--profile=prototype",
            "--engine=rtl",
            "--offset=3=-6.4",
            "--epochs=9",
            "--kill=3@5",
        ],
        &["sim", "flows.csv", "--profile=prototype", "--offset=3=6.4"],
        &["sim", "flows.csv", "--profile=prototype", "--engine=rtl", "--offset=3"],
        &["sim", "flows.csv", "--profile=prototype", "--engine=rtl", "--offset=8=0"],
        &[
            "sim",
            "flows.csv",
            "--profile=prototype",
            "--engine=rtl",
            "--offset=3=0",
            "--offset=3=0",
        ],
        &["sim", "flows.csv", "--profile=prototype", "--engine=rtl", "--offset=3=68", "--epochs=9"],
        &["sim", "flows.csv", "--profile=prototype", "--engine=rtl", "--offset=3=-6.4"],
        &["sim", "flows.csv", "--profile=prototype", "--engine=rtl", "--cdr-lock=6.5"],
        &[
            "sim",
            "flows.csv",
            "--profile=prototype",
            "--engine=rtl",
            "--cdr-lock=1",
            "--offset=3=6.4",
        ],
        &["sim", "flows.csv", "--rules=published", "--hosts=8", "--cdr-lock=1"],
        &["sim", "flows.csv", "--profile=prototype", "--kill=8@5"],
        &["sim", "flows.csv", "--profile=prototype", "--kill=3"],
        &["sim", "flows.csv", "--profile=prototype", "--revive=3@5"],
        &["sim", "flows.csv", "--profile=prototype", "--flip=1"],
        &["sim", "flows.csv", "--profile=prototype", "--flip-seed=1"],
        &["sim", "flows.csv", "--rules=published", "--hosts=8", "--flip=0.1"],
        &["flows", "incast", "--hosts=8", "--senders=8"],
        &["flows", "applications", "--name=unknown"],
        &["report", "--set=hosts=none"],
    ] {
        let output = ww(&path, arguments);
        let (status, said) = said(&output);
        assert_eq!(status, Some(2), "{arguments:?}: {said}");
        assert!(said.starts_with("error: "), "{arguments:?}: {said}");
    }
}

/// Options override a profile, and a delay of more than half an epoch is told on standard error.
#[test]
fn profiles_and_warnings() {
    let (_keep, path) = folder("1,0,1,5,0\n");
    let output = ww(&path, &["sim", "flows.csv", "--profile=prototype", "--json"]);
    let (status, told) = said(&output);
    assert_eq!(status, Some(0), "{told}");
    assert!(
        told.starts_with("warning: a delay of 21 slots is more than half an epoch of 7 slots"),
        "{told}"
    );
    let figures: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&figures["hosts"], &figures["rules"]), (&8.into(), &"shoal".into()));
    assert_eq!(figures["bound_violations"], 0);
    let options =
        ["--profile=prototype", "--rules=basic", "--hosts=6", "--delay-ns=76.8", "--json"];
    let figures = json(&ww(&path, &[&["sim", "flows.csv"], &options[..]].concat()));
    assert_eq!((&figures["hosts"], &figures["rules"]), (&6.into(), &"basic".into()));
}

#[test]
fn a_schedule_is_json_with_its_switches() {
    let path = std::env::temp_dir();
    let schedule = json(&ww(&path, &["schedule", "--hosts=8", "--leaves=4", "--json"]));
    assert_eq!(schedule["slots"][0][0], serde_json::json!([1, 2, 3, 4, 5, 6, 7, 0]));
    let switches = schedule["switches"].as_object().expect("an object");
    let names: Vec<&String> = switches.keys().collect();
    assert_eq!(names, ["leaf0", "leaf1", "leaf2", "leaf3", "spine0", "spine1"]);
    assert!(switches.values().all(|slots| slots.as_array().is_some_and(|slots| slots.len() == 7)));
}

#[test]
fn generated_flows_run() {
    let (_keep, path) = folder("");
    for pattern in ["permutation", "incast", "random", "pareto", "applications"] {
        let count =
            if ["permutation", "incast"].contains(&pattern) { "--cells=20" } else { "--flows=20" };
        let output = ww(&path, &["flows", pattern, "--hosts=9", count, "--out=made.csv"]);
        assert_eq!(said(&output), (Some(0), String::new()), "{pattern}");
        let run = ww(&path, &["sim", "made.csv", "--rules=published", "--hosts=9", "--json"]);
        let figures = json(&run);
        assert_eq!(figures["flows"], figures["finished"], "{pattern}");
        assert!(figures["flows"].as_u64().is_some_and(|flows| flows >= 8), "{pattern}");
    }
}

#[test]
fn a_report_has_the_published_figures() {
    let report = json(&ww(&std::env::temp_dir(), &["report", "--json"]));
    let close = |value: &Value, expected: f64| {
        let found = value.as_f64().expect("a number");
        assert!((found - expected).abs() < 0.0005, "{found}, {expected}");
    };
    close(&report["psn_kw"], 8.717);
    close(&report["shoal_kw"], 2.549);
    close(&report["cost_parity"][0], 1.0 / 3.0);
    close(&report["cost_minus_40"][1], 0.183);
}

/// A script that knows nothing of the simulator finds the same throughput in the trace, and no queue beyond the bound; with
/// the rules `literal` it finds some.
#[test]
fn a_script_judges_traces() {
    let (_keep, path) = folder("");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/check_fabric_trace.py");
    for (pattern, rules, within) in [
        ("permutation", "shoal", true),
        ("incast", "shoal", true),
        ("pareto", "shoal", true),
        ("permutation", "literal", false),
    ] {
        let size = if pattern == "pareto" { "--flows=60" } else { "--cells=600" };
        let made = ww(&path, &["flows", pattern, "--hosts=9", size, "--out=made.csv"]);
        assert_eq!(said(&made), (Some(0), String::new()));
        let rules = format!("--rules={rules}");
        let options =
            ["--hosts=9", "--order=reordered", "--slot-ns=1", "--delay-ns=3", "--epochs=200"];
        let output = ["--warmup=160", "--trace=t.csv", "--json"];
        let run = ww(&path, &[&["sim", "made.csv", &rules], &options[..], &output].concat());
        let figures = json(&run);
        let mut check = Command::new("python3");
        check.arg(&script).args(["made.csv", "t.csv", "--hosts=9", "--epoch-slots=8", "--delay=3"]);
        check.args(["--warmup=160", "--json"]).arg(format!("--slots={}", figures["slots"]));
        let judged = check.current_dir(&path).output().expect("python3 runs");
        assert_eq!(judged.status.code(), Some(i32::from(!within)), "{pattern} {rules}");
        let judgement: Value = serde_json::from_slice(&judged.stdout).expect("JSON");
        assert_eq!(judgement["bound_violations"] == 0, within, "{pattern} {rules}: {judgement}");
        // The share is of N/2 cells a host and epoch of 8 slots.
        let share = judgement["share"].as_f64().expect("a number");
        let throughput = figures["throughput"].as_f64().expect("a number");
        assert!((throughput - share * 4.5 / 8.0).abs() < 1e-9, "{pattern}: {throughput}, {share}");
    }
}

#[test]
fn turning_switches_run_and_show_their_matchings() {
    let (_keep, path) = folder("7,1,2,1,0\n");
    for rules in ["rotornet", "opera", "vermilion"] {
        let rules = format!("--rules={rules}");
        let common = ["flows.csv", &rules, "--hosts=8", "--channels=3", "--json"];
        let times = ["--matching-ns=2000", "--reconfiguration-ns=200"];
        let figures = json(&ww(&path, &[&["sim"], &common[..], &times[..]].concat()));
        assert_eq!(figures["finished"], 1, "{rules}");
        let network = json(&ww(&path, &[&["matchings"], &common[..], &times[..]].concat()));
        assert_eq!(network["switches"].as_array().map(Vec::len), Some(3), "{rules}");
        let threads = ww(&path, &[&["sim"], &common[..], &["--workers=2"]].concat());
        let (status, said) = said(&threads);
        assert_eq!(status, Some(2), "{said}");
        assert!(said.contains("--workers"), "{said}");
    }
    let output = ww(&path, &["matchings", "flows.csv", "--rules=shoal", "--hosts=8"]);
    assert_eq!(said(&output).0, Some(2));
}

#[test]
fn hardware_writes_the_files_of_the_model() {
    let (_keep, path) = folder("");
    let made =
        ww(&path, &["flows", "--hosts=8", "--out=flows.csv", "incast", "--senders=7", "--cells=7"]);
    assert_eq!(said(&made).0, Some(0));
    let figures = |engine: &str, more: &[&str]| {
        let (trace, lines) = (format!("--trace={engine}.csv"), format!("--flows-out={engine}.txt"));
        let engine = format!("--engine={engine}");
        let common = ["sim", "flows.csv", "--profile=prototype", &engine, &trace, &lines, "--json"];
        let output = ww(&path, &[&common, more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", said(&output).1);
        serde_json::from_slice::<Value>(&output.stdout).expect("JSON")
    };
    let read = |name: &str| std::fs::read_to_string(path.join(name)).expect("a file");
    for more in [&[][..], &["--flip=0.1", "--flip-seed=7"]] {
        let model = figures("model", more);
        assert_eq!(model, figures("rtl", more), "{more:?}");
        assert_eq!(read("model.csv"), read("rtl.csv"), "{more:?}");
        assert_eq!(read("model.txt"), read("rtl.txt"), "{more:?}");
        assert_eq!(read("rtl.txt").lines().count(), 7);
        let again = model["failures"]["retransmitted"].as_u64();
        assert_eq!(again.is_some_and(|cells| cells > 0), !more.is_empty(), "{model}");
    }
    // A host that is late by the guard band changes nothing; one that is early loses its cells, and its queues are unknown.
    let mut late = figures("rtl", &["--offset", "5=6.4"]);
    let none = serde_json::json!({ "cut_cells": 0, "bad_frames": 0, "missing_cells": 0 });
    assert_eq!(late.as_object_mut().and_then(|late| late.remove("clocks")), Some(none));
    assert_eq!(late, figures("model", &[]));
    assert_eq!(read("model.csv"), read("rtl.csv"));
    // What receivers need to lock on is the clock that is left: nothing changes but that no host may be late.
    let locking = figures("rtl", &["--cdr-lock", "0.625"]);
    assert_eq!(locking, figures("model", &[]));
    assert_eq!((read("model.csv"), read("model.txt")), (read("rtl.csv"), read("rtl.txt")));
    let early = figures("rtl", &["--offset", "5=-6.4", "--epochs", "30"]);
    assert!(early["clocks"]["cut_cells"].as_u64() > Some(200), "{early}");
    assert!(early["queue_cells"].is_null() && early["bound_violations"].is_null(), "{early}");
    assert!(!read("rtl.txt").contains("(5->"), "{}", read("rtl.txt"));
}

#[test]
fn classes_have_figures_of_their_own() {
    let (_keep, path) = folder("0,1,2,300,0,1\n1,3,2,300,0,0\n2,4,2,300,0,1\n");
    let options = ["--rules=shoal", "--hosts=8", "--order=reordered", "--json"];
    let run = |options: &[&str]| ww(&path, &[&["sim", "flows.csv"], options].concat());
    let figures = json(&run(&options));
    let classes = figures["classes"].as_array().expect("classes");
    let of = |n: usize, key: &str| classes[n][key].clone();
    assert_eq!((classes.len(), of(0, "class"), of(1, "class")), (2, 0.into(), 1.into()));
    assert_eq!((of(0, "flows"), of(1, "flows"), of(1, "finished")), (1.into(), 2.into(), 2.into()));
    let mean = |n: usize| classes[n].pointer("/fct_us/short_mean").and_then(Value::as_f64);
    assert!(mean(0) < mean(1), "{figures}");
    let workers = json(&run(&[&options[..], &["--workers=3"]].concat()));
    assert_eq!(workers, figures);
    // Whoever knows no classes says so before anything is written.
    let refused = [
        (vec!["--rules=published", "--hosts=8"], 1, "the rules published"),
        (vec!["--rules=basic", "--hosts=8"], 1, "the rules basic"),
        (vec!["--rules=rotornet", "--hosts=8"], 1, "the rules rotornet"),
        (vec!["--rules=shoal", "--hosts=8", "--flip=0.1"], 1, "failures in a run"),
        (vec!["--profile=prototype", "--engine=rtl"], 2, "--engine model"),
    ];
    for (options, status, word) in refused {
        let output = run(&[&options[..], &["--flows-out=f.txt"]].concat());
        let (found, said) = said(&output);
        assert_eq!(found, Some(status), "{options:?}: {said}");
        assert!(said.contains(word), "{options:?}: {said}");
        assert!(!path.join("f.txt").exists(), "{options:?}");
    }
    // Without classes there is no such figure, and generated flows are the same but for them.
    let flows = ["flows", "random", "--hosts=8", "--flows=40", "--cells=9"];
    let plain = ww(&path, &flows).stdout;
    let classed = ww(&path, &[&flows[..], &["--classes=1,4"]].concat()).stdout;
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
    for (plain, classed) in text(&plain).lines().zip(text(&classed).lines()) {
        assert!(classed == format!("{plain},0") || classed == format!("{plain},1"), "{classed}");
    }
    std::fs::write(path.join("flows.csv"), &plain).expect("written");
    assert_eq!(json(&run(&options)).get("classes"), None);
    let (status, said) = said(&ww(&path, &[&flows[..], &["--classes=0,0"]].concat()));
    assert!(status == Some(2) && said.contains("class shares"), "{said}");
}
