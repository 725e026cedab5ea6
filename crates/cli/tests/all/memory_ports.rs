//! `ww run` on memory ports: the same frames leave as from files, whatever the engine and the
//! number of workers.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use ww_io::capture::CaptureReader;
use ww_io::fingerprint::Fingerprint;

fn l2l3(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../p4/programs/l2l3").join(name)
}

fn ww(options: &[String]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ww"));
    command.arg("run").arg(l2l3("l2l3.p4")).arg("--entries").arg(l2l3("entries.txt"));
    command.args(options).output().expect("ww runs")
}

/// A port with the frames that the program's own test has for it.
fn port(number: usize, option: &str) -> String {
    let input = l2l3(&format!("in.{number}.pcap"));
    format!("--port={number}=mem:{}{option}", input.display())
}

/// What is to leave a port, `times` over.
fn expected(number: usize, times: u64) -> (u64, u64) {
    let path = l2l3(&format!("expected.{number}.pcap"));
    let mut reader = CaptureReader::open(&path).expect("a capture");
    let (mut frame, mut count, mut fingerprint) = (Vec::new(), 0, Fingerprint::default());
    while reader.next_frame(&mut frame).expect("a frame").is_some() {
        count += 1;
        fingerprint.add(&frame);
    }
    (count * times, fingerprint.sum().wrapping_mul(times))
}

#[test]
fn what_leaves_is_what_leaves_from_files() {
    for (engine, workers, times) in
        [("interp", None, 1), ("jit", None, 3), ("jit", Some(1), 2), ("jit", Some(2), 2)]
    {
        let option = if times == 1 { String::new() } else { format!(",loop={times}") };
        let mut options: Vec<_> = (0..5).map(|number| port(number, &option)).collect();
        options.extend([format!("--engine={engine}"), "--json".into()]);
        options.extend(workers.map(|workers| format!("--workers={workers}")));
        let output = ww(&options);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{options:?}: {stderr}");
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(report["engine"]["name"], engine);
        for number in 0..5 {
            let (count, sum) = expected(number, times);
            let port = &report["world"]["ports"][number];
            assert_eq!(port["tx"]["packets"], count, "{options:?}, port {number}: {report:#}");
            assert_eq!(port["output"]["sum"], format!("{sum:016x}"), "{options:?}, port {number}");
        }
        let all = report["world"]["workers"].as_array().expect("workers");
        assert_eq!(all.len(), workers.unwrap_or(1));
        let received: u64 = all.iter().filter_map(|w| w["rx"]["packets"].as_u64()).sum();
        assert_eq!(report["engine"]["received"], received);
    }
}

#[test]
fn combinations_that_make_no_sense_are_refused() {
    let files = format!("--port=0={}:", l2l3("in.0.pcap").display());
    for (options, status, expected) in [
        (
            vec![port(0, ""), "--workers=2".into(), "--engine=interp".into()],
            2,
            "engine interp has one worker",
        ),
        (vec![files.clone(), "--workers=1".into()], 2, "by one thread"),
        (vec![files, "--cores=0".into()], 2, "by one thread"),
        (vec![port(0, ""), "--cores=2-1".into()], 2, "neither a core nor a range"),
        (vec![port(0, ""), "--workers=0".into()], 2, "0 is not in 1..=256"),
        (vec![port(0, ",loop=0")], 2, "is not a number of times"),
        (vec!["--port=0=mem:nowhere.pcap".into()], 1, "nowhere.pcap: no such file"),
    ] {
        let output = ww(&options);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{options:?}: {stderr}");
        assert!(stderr.contains(expected), "{options:?}: {stderr}");
    }
    if !cfg!(feature = "dpdk") {
        let output = ww(&["--port=0=dpdk:net_null0".into()]);
        assert_eq!(output.status.code(), Some(1));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains("cargo build --features dpdk"), "{stderr}");
    }
}

/// Frames are counted as they are read: what a capture unpacks to does not matter.
#[test]
fn captures_beyond_the_limit_are_refused() {
    let limit = "--memory=64 KiB".to_owned();
    let bench = |memory: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ww"));
        command.arg("bench").arg(l2l3("l2l3.p4")).arg("--entries").arg(l2l3("entries.txt"));
        command.args(["--packets=1", "--rounds=1", "--sample=0", memory]);
        command.arg("--pcap").arg(l2l3("in.0.pcap")).output().expect("ww runs")
    };
    let ports = [port(0, ""), port(1, ""), "--memory=1KiB".into()];
    for (output, limit) in [(ww(&ports), "1 KiB"), (bench("--memory=1KiB"), "1 KiB")] {
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        let limit = format!("the limit is {limit}; `--memory SIZE` sets another");
        for part in ["in.0.pcap: packet ", "B on disk", &limit] {
            assert!(stderr.contains(part), "{part}: {stderr}");
        }
    }
    for output in [ww(&[port(0, ""), limit.clone()]), bench(&limit)] {
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{stderr}");
    }
    let output = ww(&[port(0, ""), "--memory=much".into()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("expected a size such as"));
}

#[test]
fn a_core_that_is_missing_is_told_and_the_run_goes_on() {
    let output = ww(&[port(0, ""), "--cores=65535".into()]);
    assert_eq!(output.status.code(), Some(0));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        stderr.matches("core 65535 is not available to this process").count(),
        1,
        "{stderr}"
    );
}
