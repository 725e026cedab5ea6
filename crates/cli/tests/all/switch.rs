//! The shape `switch` on the command line: programs do what they do on the reference engine, and
//! a packet takes a few clocks more.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Clocks that the shape `switch` may add from the first bit in to the first bit out.
const MOST_CLOCKS: u64 = 12;

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../p4/programs")
}

fn ww(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ww"));
    command.current_dir(programs()).args(arguments).output().expect("ww runs")
}

/// The STF tests of a program on a switch.
fn stf(program: &str, ports: &str) {
    let entries = std::fs::read_dir(programs().join(program)).expect("it is there");
    let paths = entries.map(|entry| entry.expect("readable").path());
    let tests: Vec<_> = paths.filter(|path| path.extension().is_some_and(|e| e == "stf")).collect();
    assert!(tests.len() >= 2);
    let p4 = format!("{program}/{program}.p4");
    for test in tests {
        let test = test.display().to_string();
        let hardware = ["--engine", "rtl", "--shape", "switch", "--ports", ports, "--width", "64"];
        let output = ww(&[&["stf", &p4, &test][..], &hardware].concat());
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn udp_count() {
    stf("udp_count", "4");
}

#[test]
fn l2l3_with_its_copies() {
    stf("l2l3", "8");
}

/// Sizes of a report: bytes, first-bit latency, and the clocks of all ports at once.
fn measured(arguments: &[&str], sizes: &str) -> Vec<Value> {
    let output = ww(&[&["report", "--json", "--sizes", sizes], arguments].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    report["sizes"].as_array().expect("a list").clone()
}

/// Measures a program in both shapes, of which `switch` may take a little longer.
fn latency_and_throughput(program: &[&str], sizes: &str) {
    let wire = measured(program, sizes);
    let switch = measured(&[program, &["--shape", "switch", "--ports", "6"]].concat(), sizes);
    assert_eq!(wire.len(), switch.len());
    for (wire, switch) in wire.iter().zip(&switch) {
        let first = |size: &Value| size["alone"]["first_bit"].as_u64().expect("it came out");
        let (before, now) = (first(wire), first(switch));
        println!("{} bytes: first bit wire {before}, switch {now}", wire["bytes"]);
        assert!(now <= before + MOST_CLOCKS, "{wire} {switch}");
        // All ports at once need the clocks that the busiest one needs.
        let together = &switch["together"];
        println!("{together}");
        let clocks = together["clocks_per_round"].as_f64().expect("a number");
        let bound = together["bound"].as_f64().expect("a number");
        assert!(clocks <= bound * 1.02, "{together}");
    }
}

#[test]
fn clocks_of_udp_count() {
    let program =
        ["udp_count/udp_count.p4", "--width", "128", "--entries", "udp_count/entries.txt"];
    latency_and_throughput(&program, "64,65,512,1518");
}

/// Egress of `l2l3` counts bytes, and its packets do not wait for their ends.
#[test]
fn clocks_of_l2l3() {
    let program = [
        "l2l3/l2l3.p4",
        "--width",
        "128",
        "--entries",
        "l2l3/entries.txt",
        "--pcap",
        "0=l2l3/in.0.pcap",
        "--pcap",
        "1=l2l3/in.1.pcap",
    ];
    latency_and_throughput(&program, "64,65,512,1518");
}
