//! `ww report`: clocks of real programs are what the frames' sizes alone say.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Bytes of a beat of 512 bits.
const BEAT: u64 = 64;
const SIZES: [u64; 8] = [64, 65, 127, 128, 129, 256, 1518, 9018];

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../p4/programs")
}

fn ww(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ww"));
    command.current_dir(programs()).args(arguments).output().expect("ww runs")
}

/// The report of a program as JSON, for the sizes above.
fn report(arguments: &[&str]) -> Value {
    let sizes = SIZES.map(|size| size.to_string()).join(",");
    let output = ww(&[&["report"], arguments, &["--json", "--sizes", &sizes]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let measured = report["sizes"].as_array().expect("a list").iter();
    assert_eq!(measured.map(|size| number(&size["bytes"])).collect::<Vec<_>>(), SIZES);
    report
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn beats(bytes: u64) -> u64 {
    bytes.div_ceil(BEAT)
}

/// All packets came out, and no clock was without a beat, in or out. Frames leave as long as they
/// came.
fn check_line_rate(report: &Value) {
    for size in report["sizes"].as_array().expect("a list") {
        let (stream, alone) = (&size["stream"], &size["alone"]);
        let bytes = number(&size["bytes"]);
        assert_eq!(stream["clocks_per_packet"].as_f64(), Some(beats(bytes) as f64), "{size}");
        assert_eq!(stream["frames_out"], stream["packets"], "{size}");
        assert_eq!(number(&alone["bytes_out"]), bytes, "{size}");
        let (first, last) = (number(&alone["first_bit"]), number(&alone["last_bit"]));
        assert_eq!(last - first, beats(bytes) - 1, "{size}");
        let stages = alone["stages"].as_object().expect("one frame came out");
        assert_eq!(stages.len(), 4);
        assert_eq!(stages.values().map(number).sum::<u64>(), last, "{size}");
    }
}

/// First-bit latencies by size.
fn first_bits(report: &Value) -> Vec<u64> {
    let sizes = report["sizes"].as_array().expect("a list").iter();
    sizes.map(|size| number(&size["alone"]["first_bit"])).collect()
}

/// A stage's clocks by size.
fn stage(report: &Value, name: &str) -> Vec<u64> {
    let sizes = report["sizes"].as_array().expect("a list").iter();
    sizes.map(|size| number(&size["alone"]["stages"][name])).collect()
}

#[test]
fn headers_in_one_beat() {
    let report =
        report(&["udp_count/udp_count.p4", "--entries", "udp_count/entries.txt", "--width", "512"]);
    assert_eq!(report["timing"]["store_and_forward"], Value::Array(Vec::new()));
    check_line_rate(&report);
    // Cut-through: all sizes wait equally long; only the deparser takes the time of the beats.
    let latencies = first_bits(&report);
    assert!(latencies.iter().all(|latency| *latency == latencies[0]), "{latencies:?}");
    for name in ["parser", "match_action", "memory"] {
        let clocks = stage(&report, name);
        assert!(clocks.iter().all(|count| *count == clocks[0]), "{name} {clocks:?}");
    }
    let deparser = stage(&report, "deparser");
    let growth = |n: usize| deparser[n] - deparser[0];
    for (n, size) in SIZES.iter().enumerate() {
        assert_eq!(growth(n), beats(*size) - 1, "{deparser:?}");
    }
}

#[test]
fn headers_in_many_beats() {
    let entries = "mdp/entries.txt";
    // Repetitions of msgSeqNum, the 4 bytes at 42, are dropped.
    let report = report(&[
        "mdp/mdp.p4",
        "--entries",
        entries,
        "--pcap",
        "0=mdp/in.0.pcap",
        "--vary",
        "42:4",
    ]);
    check_line_rate(&report);
    let head = beats(number(&report["timing"]["head_bytes"]));
    assert!((3..beats(1518)).contains(&head), "{head} beats of head");
    // The parser waits for the head, or the end of a packet that is shorter, and for no more.
    let (parser, latencies) = (stage(&report, "parser"), first_bits(&report));
    for (n, size) in SIZES.iter().enumerate() {
        assert_eq!(parser[n] - parser[0], beats(*size).min(head) - 1, "{parser:?}");
        assert_eq!(latencies[n] - latencies[0], beats(*size).min(head) - 1, "{latencies:?}");
    }
}

/// The router of two tables, and the switch, which makes copies and counts bytes in egress: clocks
/// from the first bit in to the first bit out at 128 bits.
#[test]
fn routers_cut_through() {
    for (name, most) in [("l3_ipv4", 32), ("l2l3", 60)] {
        let program = format!("{name}/{name}.p4");
        let (entries, capture) = (format!("{name}/entries.txt"), format!("1={name}/in.1.pcap"));
        let arguments = [&program, "--entries", &entries, "--pcap", &capture, "--width", "128"]
            .map(|a| a as &str);
        check_cut_through(&report(&arguments), most);
    }
}

/// Every size leaves equally soon, and soon enough; the bus is never idle.
fn check_cut_through(report: &Value, most: u64) {
    assert_eq!(report["timing"]["store_and_forward"], Value::Array(Vec::new()));
    let latencies = first_bits(report);
    assert!(latencies.iter().all(|latency| *latency == latencies[0]), "{latencies:?}");
    assert!(latencies[0] <= most, "{latencies:?}");
    for size in report["sizes"].as_array().expect("a list") {
        let stream = &size["stream"];
        assert_eq!(stream["clocks_per_packet"].as_f64(), stream["bound"].as_f64(), "{size}");
        assert_eq!(stream["frames_out"], stream["packets"], "{size}");
    }
}

/// Reads the length of the packet, and puts 4 bytes in front of it.
const STORES: &str = r"
#include <core.p4>
#include <v1model.p4>
header tag_t { bit<32> length; }
header ethernet_t { bit<48> dst; bit<48> src; bit<16> kind; }
struct headers { tag_t tag; ethernet_t ethernet; }
struct metadata { }
parser P(packet_in p, out headers h, inout metadata m, inout standard_metadata_t s) {
    state start { p.extract(h.ethernet); transition accept; }
}
control V(inout headers h, inout metadata m) { apply { } }
control I(inout headers h, inout metadata m, inout standard_metadata_t s) {
    apply { h.tag.setValid(); h.tag.length = s.packet_length; s.egress_spec = 1; }
}
control E(inout headers h, inout metadata m, inout standard_metadata_t s) { apply { } }
control D(packet_out p, in headers h) { apply { p.emit(h.tag); p.emit(h.ethernet); } }
V1Switch(P(), V(), I(), E(), V(), D()) main;
";

#[test]
fn a_program_that_reads_the_length() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report");
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("stores.p4");
    std::fs::write(&file, STORES).expect("a file");
    let path = file.to_string_lossy();
    let report = report(&[&path]);
    let reasons = report["timing"]["store_and_forward"].as_array().expect("a list");
    assert_eq!(reasons.len(), 1, "{reasons:?}");
    assert!(reasons[0].to_string().contains("packet_length"), "{reasons:?}");
    let latencies = first_bits(&report);
    for (size, measured) in SIZES.iter().zip(report["sizes"].as_array().expect("a list")) {
        // What leaves is longer, and takes the bus longer where a beat more is needed.
        let out = beats(size + 4);
        assert_eq!(number(&measured["stream"]["bound"]), out, "{measured}");
        assert_eq!(
            measured["stream"]["clocks_per_packet"].as_f64(),
            Some(out as f64),
            "{measured}"
        );
        let later = number(&measured["alone"]["first_bit"]) - latencies[0];
        assert_eq!(later, beats(*size) - 1, "{latencies:?}");
    }
    let text = ww(&["report", &path, "--sizes", "64"]);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    let sentence = "Store-and-forward: a packet's processing begins with its end, since the \
                    program reads packet_length.";
    assert!(text.split_whitespace().collect::<Vec<_>>().join(" ").contains(sentence), "{text}");
}

#[test]
fn wrong_arguments() {
    let program = "udp_count/udp_count.p4";
    for wrong in [["--vary", "1"], ["--sizes", "0"], ["--sizes", "99999"], ["--width", "100"]] {
        let output = ww(&["report", program, wrong[0], wrong[1]]);
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
    }
    let output = ww(&["report", program, "--pcap", "none.pcap"]);
    assert_eq!(output.status.code(), Some(1));
}
