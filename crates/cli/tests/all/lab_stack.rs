//! Hosts with a stack on two sides of a router in P4, the lab `stack`: what is on both lines, frame by frame.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use ww_io::capture::CaptureReader;

const MACS: [[u8; 6]; 2] = [[2, 0, 10, 0, 1, 1], [2, 0, 10, 0, 2, 1]];
const ROUTER: [u8; 6] = [2, 0, 0, 0, 0, 0xfe];
const BYTES: usize = 500_000;

/// Runs the lab with an engine; gives the bytes of its capture, and its results.
fn run(engine: &str, name: &str) -> (Vec<u8>, Value, PathBuf) {
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lab_stack").join(name);
    let _ = std::fs::remove_dir_all(&out);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let set = format!("node.r0.engine={engine}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_ww"));
    command.args(["lab", "run", "labs/stack", "--quick", "--set", &set, "--out"]).arg(&out);
    let output = command.current_dir(root).output().expect("ww runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}{told}", String::from_utf8_lossy(&output.stdout));
    let read = |file: &str| std::fs::read(out.join(file)).expect("it is there");
    let results = serde_json::from_slice(&read("results.json")).expect("JSON");
    (read("capture.pcapng"), results, out.join("capture.pcapng"))
}

/// The frames of each direction: from h0 and to it, from h1 and to it.
fn directions(path: &Path) -> [Vec<Vec<u8>>; 4] {
    let mut reader = CaptureReader::open(path).expect("a capture");
    let (mut frames, mut frame) = ([const { Vec::new() }; 4], Vec::new());
    while let Some(info) = reader.next_frame(&mut frame).expect("a frame") {
        frames[info.interface as usize].push(frame.clone());
    }
    frames
}

/// The sum of RFC 1071 over bytes that hold their checksum: 0xffff if it is right.
fn sum(parts: &[&[u8]]) -> u32 {
    let mut total: u32 = 0;
    for part in parts {
        for word in part.chunks(2) {
            total += u32::from(word[0]) << 8 | u32::from(*word.get(1).unwrap_or(&0));
        }
    }
    while total >> 16 != 0 {
        total = (total & 0xffff) + (total >> 16);
    }
    total
}

/// The header's sum and the one of what is behind it (RFC 791, 793, 768, 792).
fn check(frame: &[u8]) {
    assert_eq!(sum(&[&frame[14..34]]), 0xffff);
    let end = 14 + usize::from(u16::from_be_bytes([frame[16], frame[17]]));
    let payload = &frame[34..end];
    let length = (payload.len() as u16).to_be_bytes();
    let pseudo = [&frame[26..34], &[0, frame[23]], &length].concat();
    let whole = match frame[23] {
        1 => sum(&[payload]),
        _ => sum(&[&pseudo, payload]),
    };
    assert_eq!(whole, 0xffff, "{frame:02x?}");
}

fn is_ipv4(frame: &&Vec<u8>) -> bool {
    frame[12..14] == [8, 0]
}

/// What the program has to make of a frame.
fn routed(frame: &[u8], to: [u8; 6]) -> Vec<u8> {
    let mut frame = frame.to_vec();
    frame[..6].copy_from_slice(&to);
    frame[6..12].copy_from_slice(&ROUTER);
    frame[22] -= 1;
    frame[24..26].fill(0);
    let checksum = !(sum(&[&frame[14..34]]) as u16);
    frame[24..26].copy_from_slice(&checksum.to_be_bytes());
    frame
}

/// The bytes that went from h0 to h1, put together by their numbers.
fn stream(frames: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = vec![None; BYTES];
    let mut first = None;
    for frame in frames.iter().filter(is_ipv4).filter(|frame| frame[23] == 6) {
        let end = 14 + usize::from(u16::from_be_bytes([frame[16], frame[17]]));
        let data = &frame[34 + usize::from(frame[46] >> 4) * 4..end];
        let number = u32::from_be_bytes(frame[38..42].try_into().expect("four"));
        if frame[47] & 2 != 0 {
            first = Some(number.wrapping_add(1));
            continue;
        }
        let at = number.wrapping_sub(first.expect("SYN comes first")) as usize;
        for (place, byte) in data.iter().enumerate() {
            assert_eq!(bytes[at + place].replace(*byte), None, "once");
        }
    }
    bytes.into_iter().map(|byte| byte.expect("no holes")).collect()
}

/// On both engines: the router answers ARP, each IPv4 packet leaves with one less to live, from and to the right
/// addresses, and is otherwise as it came; sums are right on both sides; figures are as computed by hand.
#[test]
fn real_hosts_and_a_router() {
    let (first, results, path) = run("jit", "jit");
    let verdicts = results["expectations"].as_array().expect("expectations");
    assert!(verdicts.len() >= 10 && verdicts.iter().all(|line| line["verdict"] == "met"));
    let [from_0, to_0, from_1, to_1] = directions(&path);
    // Who has 10.0.1.254? It is at the router's address: RFC 826.
    assert_eq!((&from_0[0][..6], &from_0[0][12..14]), (&[0xff; 6][..], &[8, 6][..]));
    let reply = [
        &MACS[0][..],
        &ROUTER,
        &[8, 6, 0, 1, 8, 0, 6, 4, 0, 2],
        &ROUTER,
        &[10, 0, 1, 254],
        &MACS[0],
        &[10, 0, 1, 1],
    ];
    assert_eq!(to_0[0][..42], reply.concat());
    for (from, to, mac) in [(&from_0, &to_1, MACS[1]), (&from_1, &to_0, MACS[0])] {
        let came: Vec<&Vec<u8>> = from.iter().filter(is_ipv4).collect();
        let left: Vec<&Vec<u8>> = to.iter().filter(is_ipv4).collect();
        assert!(came.len() > 100 && came.len() == left.len(), "{} {}", came.len(), left.len());
        for (came, left) in came.into_iter().zip(left) {
            check(came);
            check(left);
            assert_eq!((came[22], left[22]), (64, 63));
            assert_eq!(*left, routed(came, mac));
        }
    }
    assert!(stream(&from_0) == stream(&to_1));
    let (again, same, _) = run("jit", "again");
    assert!(again == first && same == results, "two runs are alike");
    let (other, interp, _) = run("interp", "interp");
    assert!(other == first, "the engines send the same frames at the same times");
    assert_eq!(interp["results"], results["results"]);
}

/// A router that takes one from the time to live and forgets the checksum: what it forwards is thrown away, and a host
/// never answers.
#[test]
fn a_router_that_forgets_the_checksum() {
    let here = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lab_stack").join("forgets");
    let lab = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../labs/stack");
    std::fs::create_dir_all(&here).expect("a folder");
    let program = std::fs::read_to_string(lab.join("router.p4")).expect("text");
    let broken = program.replace("update_checksum(hdr.ipv4.isValid()", "update_checksum(false");
    assert_ne!(program, broken);
    std::fs::write(here.join("router.p4"), broken).expect("a file");
    for file in ["lab.toml", "expected.toml"] {
        std::fs::copy(lab.join(file), here.join(file)).expect("a file");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_ww"));
    let output = command.args(["lab", "run", ".", "--quick", "--json"]).current_dir(&here).output();
    let output = output.expect("ww runs");
    assert_eq!(output.status.code(), Some(1));
    let results: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let figure =
        |path: &str| results["results"].pointer(path).map(|figure| figure["value"].clone());
    assert_eq!(figure("/traffic/file/flows/finished"), Some(0.into()));
    assert_eq!(figure("/traffic/ping/packets/answered"), Some(0.into()));
    // All that was sent came, and was thrown away: 10 pings, 7 packets, and SYNs at 12 ms, 1.012 s and so on.
    assert_eq!(figure("/traffic/ping/packets/drops/host"), Some(10.into()));
    assert_eq!(figure("/traffic/stream/packets/drops/host"), Some(7.into()));
    assert_eq!(figure("/traffic/file/packets/drops/host"), Some(1.into()));
}
