//! `ww run --scheduler` on capture files: exact departures, queue metadata, marks, on both engines.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Egress writes what the queue was like into the frame.
const PROGRAM: &str = "
#include <core.p4>
#include <v1model.p4>
header ethernet_t { bit<96> addresses; bit<16> kind; }
header seen_t { bit<32> joined; bit<32> waited; bit<32> before; bit<32> behind; }
struct headers_t { ethernet_t ethernet; seen_t seen; }
struct metadata_t { }
parser P(packet_in pkt, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.ethernet);
        transition select(hdr.ethernet.kind) { 0x9000: seen; default: accept; }
    }
    state seen { pkt.extract(hdr.seen); transition accept; }
}
control V(inout headers_t hdr, inout metadata_t meta) { apply { } }
control I(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply { sm.egress_spec = 3; }
}
control E(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply {
        if (hdr.seen.isValid()) {
            hdr.seen.joined = (bit<32>) sm.enq_timestamp;
            hdr.seen.waited = (bit<32>) sm.deq_timedelta;
            hdr.seen.before = (bit<32>) sm.enq_qdepth;
            hdr.seen.behind = (bit<32>) sm.deq_qdepth;
        }
    }
}
control C(inout headers_t hdr, inout metadata_t meta) { apply { } }
control D(packet_out pkt, in headers_t hdr) { apply { pkt.emit(hdr); } }
V1Switch(P(), V(), I(), E(), C(), D()) main;
";

/// 1 Gb/s: 8 ns for each byte and the 24 around a frame.
const POLICY: &str = "
rate = \"1 Gb/s\"
[root]
policy = \"strict\"
[[root.children]]
name = \"first\"
priority = 0
[[root.children]]
name = \"rest\"
priority = 1
[traffic]
default = \"rest\"
[[traffic.classes]]
flow = \"first\"
dscp = 46
[traffic.queue]
packets = 4
mark_above = 2000
";

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        let folder = Self(path);
        folder.write("s.p4", PROGRAM);
        folder.write("policy.toml", POLICY);
        folder
    }

    fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        fs::write(self.0.join(name), contents).expect("a file");
    }

    fn run(&self, arguments: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ww"));
        command.current_dir(&self.0).arg("run").arg("s.p4").args(arguments.split_whitespace());
        command.output().expect("ww runs")
    }
}

/// A capture with nanoseconds since its first second.
fn pcap(frames: &[(u32, Vec<u8>)]) -> Vec<u8> {
    let words = [0xa1b2_3c4d, 0x0004_0002, 0, 0, 65_535, 1];
    let mut file: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
    for (at, frame) in frames {
        let length = frame.len() as u32;
        file.extend([100, *at, length, length].into_iter().flat_map(u32::to_le_bytes));
        file.extend(frame);
    }
    file
}

/// The frames of such a capture, with nanoseconds since second 100.
fn read(path: &Path) -> Vec<(u64, Vec<u8>)> {
    let file = fs::read(path).expect("it was written");
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().expect("four"));
    assert_eq!(word(0), 0xa1b2_3c4d, "nanoseconds");
    let (mut at, mut list) = (24, Vec::new());
    while at < file.len() {
        let time = u64::from(word(at) - 100) * 1_000_000_000 + u64::from(word(at + 4));
        let end = at + 16 + word(at + 8) as usize;
        list.push((time, file[at + 16..end].to_vec()));
        at = end;
    }
    list
}

/// A frame whose last byte is a number, with what egress fills in.
fn tagged(number: u8, bytes: usize) -> Vec<u8> {
    let mut frame = [&[2; 12][..], &[0x90, 0]].concat();
    frame.resize(bytes, 0);
    frame[bytes - 1] = number;
    frame
}

/// An IPv4 frame of 1,000 bytes whose last byte is a number.
fn ipv4(number: u8, field: u8) -> Vec<u8> {
    let mut frame = [
        &[2; 12][..],
        &[8, 0, 0x45, field, 3, 218, 0, 1, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2],
    ]
    .concat();
    frame.resize(1000, 0);
    frame[999] = number;
    frame
}

#[test]
fn departures_and_queue_metadata() {
    let folder = Folder::new("departures");
    // 0 and 1 at once, 2 in between, 3 when all is quiet: 226 bytes take 2,000 ns.
    let frames = [(0, 0), (0, 1), (500, 2), (100_000, 3)];
    let frames: Vec<_> = frames.map(|(at, number)| (at, tagged(number, 226))).into();
    folder.write("in.pcap", pcap(&frames));
    // With a socket for requests the queues are the same.
    for options in ["interp", "jit", "interp --control socket", "jit --control socket"] {
        let _ = fs::remove_file(folder.0.join("out.pcap"));
        let output = folder.run(&format!(
            "--engine {options} --port 1=in.pcap: --port 3=:out.pcap --scheduler policy.toml --json"
        ));
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let left = read(&folder.0.join("out.pcap"));
        let number = |frame: &[u8], at: usize| {
            u32::from_be_bytes(frame[at..at + 4].try_into().expect("four"))
        };
        let seen: Vec<_> = left
            .iter()
            .map(|(at, frame)| {
                let [joined, waited, before, behind] = [14, 18, 22, 26].map(|at| number(frame, at));
                (frame[225], *at, [joined, waited, before, behind])
            })
            .collect();
        // Times in the metadata are whole microseconds.
        let wanted = [
            (0, 0, [0, 0, 0, 0]),
            (1, 2000, [0, 2, 0, 1]),
            (2, 4000, [0, 4, 1, 0]),
            (3, 100_000, [100, 0, 0, 0]),
        ];
        assert_eq!(seen, wanted, "{options}");
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let queues = &report["queues"][0];
        assert_eq!((queues["port"].as_u64(), queues["sent"].as_u64()), (Some(3), Some(4)));
        assert_eq!(queues["busy_ns"].as_f64(), Some(8000.0));
        let flow = &queues["flows"][0];
        assert_eq!((flow["flow"].as_str(), flow["packets"].as_u64()), (Some("rest"), Some(4)));
        assert_eq!(flow["longest_wait_ns"].as_f64(), Some(3500.0));
    }
}

#[test]
fn priorities_limits_and_marks() {
    let folder = Folder::new("priorities");
    // One leaves at once; four wait, more do not fit; then a frame that goes before the rest.
    let mut frames: Vec<_> = (0..7).map(|number| (0, ipv4(number, 0b10))).collect();
    frames.push((1000, ipv4(9, 46 << 2)));
    folder.write("in.pcap", pcap(&frames));
    for engine in ["interp", "jit"] {
        let output = folder.run(&format!(
            "--engine {engine} --port 1=in.pcap: --port 3=:out.pcap --scheduler policy.toml --check"
        ));
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
        let left = read(&folder.0.join("out.pcap"));
        let seen: Vec<_> =
            left.iter().map(|(at, frame)| (frame[999], *at, frame[15] & 3)).collect();
        // 8,192 ns each; the third in the queue makes it longer than 2,000 bytes.
        let wanted = [
            (0, 0, 2),
            (9, 8192, 0),
            (1, 16_384, 2),
            (2, 24_576, 2),
            (3, 32_768, 3),
            (4, 40_960, 3),
        ];
        assert_eq!(seen, wanted, "{engine}");
        assert!(said.contains("2 dropped: the queue's limit"), "{said}");
        assert!(said.contains("2 marked"), "{said}");
    }
}

#[test]
fn bad_input() {
    let folder = Folder::new("bad_scheduler");
    folder.write("in.pcap", pcap(&[]));
    folder.write("wrong.toml", POLICY.replace("dscp = 46", "dscp = 460"));
    let fail = |code: i32, arguments: &str, words: &str| {
        let output = folder.run(&format!("--port 1=in.pcap:out.pcap {arguments}"));
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(said.contains(words), "{said}");
    };
    fail(1, "--scheduler wrong.toml", "wrong.toml:15:8: 'dscp': expected 0 to 63, found 460");
    fail(1, "--scheduler none.toml", "none.toml");
    fail(2, "--scheduler policy.toml --engine rtl", "--scheduler");
    fail(2, "--scheduler policy.toml --workers 2", "--scheduler");
    fail(1, "--scheduler s.p4", "`main` is a `V1Switch`, which is no scheduling policy");
    fail(1, "--scheduler none.p4", "none.p4");
    let strict = include_str!("../../../../p4/schedulers/strict.p4");
    folder.write("strict.p4", strict.replace("parameters.priority", "parameters.urgency"));
    fail(1, "--scheduler strict.p4", "strict.p4:12:30");
    folder.write("p4.toml", POLICY.replace("\"strict\"", "\"strict.p4\""));
    fail(1, "--scheduler p4.toml", "p4.toml:4:10: error: ");
    folder.write("s.p4", strict);
    fail(1, "--engine jit", "scheduling policy");
    assert!(!folder.0.join("out.pcap").exists(), "no output of a run that did not begin");
}

/// A policy in P4 in the place of a built-in one, alone and in a file: the same frames at the same times.
#[test]
fn policies_in_p4() {
    let folder = Folder::new("p4_scheduler");
    let strict = include_str!("../../../../p4/schedulers/strict.p4");
    folder.write("strict.p4", strict);
    folder.write("p4.toml", POLICY.replace("\"strict\"", "\"strict.p4\""));
    let mut frames: Vec<_> = (0..7).map(|number| (0, ipv4(number, 0b10))).collect();
    frames.push((1000, ipv4(9, 46 << 2)));
    frames.push((30_000, ipv4(10, 46 << 2)));
    folder.write("in.pcap", pcap(&frames));
    let run = |scheduler: &str, out: &str| {
        let output = folder.run(&format!(
            "--port 1=in.pcap: --port 3=:{out} --scheduler {scheduler} --engine jit --check"
        ));
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
        (read(&folder.0.join(out)), said)
    };
    let (rust, p4) = (run("policy.toml", "rust.pcap").0, run("p4.toml", "p4.pcap").0);
    let times: Vec<u64> = rust.iter().map(|(at, _)| *at).collect();
    assert_eq!(times, [0, 8192, 16_384, 24_576, 32_768, 40_960, 49_152]);
    assert!(rust == p4, "the same frames");

    // Alone: 10 Gb/s, so 819.2 ns for 1,024 bytes; all frames are of queue 0, and none is dropped.
    let (left, said) = run("strict.p4", "alone.pcap");
    let seen: Vec<_> = left.iter().map(|(at, frame)| (frame[999], *at)).collect();
    let wanted = [
        (0, 0),
        (1, 819),
        (2, 1638),
        (3, 2457),
        (4, 3276),
        (5, 4096),
        (6, 4915),
        (9, 5734),
        (10, 30_000),
    ];
    assert_eq!(seen, wanted);
    assert!(said.contains("queue0"), "{said}");
}
