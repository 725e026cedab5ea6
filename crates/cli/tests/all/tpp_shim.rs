//! `ww tpp shim` on capture files: what goes out with TPPs comes back without, and is collected.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use ww_io::capture::{CaptureReader, CaptureWriter};
use ww_packet::ipv4;

const RULES: &str = r#"
mtu = 1500
[[app]]
tag = 3
read = ["Switch:*", "PacketMetadata:*"]
[[rule]]
app = 3
filter = "-p udp --dport 5000"
hops = 2
program = """
PUSH [Switch:SwitchID]
PUSH [PacketMetadata:OutputPort]
"""
"#;

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    fs::write(path.join("rules.toml"), RULES).expect("a file");
    path
}

fn ww(folder: &Path, arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ww"));
    command.current_dir(folder).args(arguments.split_whitespace()).output().expect("ww runs")
}

fn good(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn datagram(port: u16, bytes: u16) -> Vec<u8> {
    let header = ipv4::Repr {
        source: [10, 0, 0, 1].into(),
        destination: [10, 0, 0, 2].into(),
        protocol: 17,
        ttl: 64,
        dscp: 0,
        ecn: 0,
        identification: 0,
        dont_fragment: true,
        payload_length: 8 + bytes,
    };
    let mut frame = vec![2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 8, 0];
    frame.extend(header.emit());
    frame.extend([1000, port, 8 + bytes, 0].iter().flat_map(|word: &u16| word.to_be_bytes()));
    frame.resize(frame.len() + usize::from(bytes), 0x5a);
    frame
}

fn frames(path: &Path) -> Vec<Vec<u8>> {
    let mut reader = CaptureReader::open(path).expect("a capture");
    let (mut all, mut frame) = (Vec::new(), Vec::new());
    while reader.next_frame(&mut frame).expect("a good capture").is_some() {
        all.push(frame.clone());
    }
    all
}

fn capture(path: &Path, frames: &[Vec<u8>]) {
    let template = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../p4/programs/l2l3/in.0.pcap");
    let mut reader = CaptureReader::open(&template).expect("a capture");
    let info = reader.next_frame(&mut Vec::new()).expect("good").expect("a frame");
    let mut writer = CaptureWriter::create(path, &["here"]).expect("a file");
    frames.iter().for_each(|frame| writer.write(0, info.timestamp, frame).expect("written"));
    writer.finish().expect("finished");
}

/// A host's shim, a switch, another host's shim: the second stack gets what the first one sent, and its collector what
/// the switch has told.
#[test]
fn from_stack_to_stack() {
    let folder = folder("tpp_shim");
    let sent =
        vec![datagram(5000, 100), datagram(5001, 100), datagram(5000, 1470), datagram(5000, 0)];
    capture(&folder.join("stack.pcap"), &sent);
    capture(&folder.join("none.pcap"), &[]);
    let report = good(&ww(
        &folder,
        "tpp shim rules.toml --stack stack.pcap: --wire none.pcap:wire.pcap --json",
    ));
    assert_eq!((report["stamped"].as_u64(), report["too_long"].as_u64()), (Some(2), Some(1)));
    let wire = frames(&folder.join("wire.pcap"));
    let longer: Vec<usize> =
        wire.iter().zip(&sent).map(|(out, sent)| out.len() - sent.len()).collect();
    // 12 bytes of header, two instructions, two words at two hops.
    assert_eq!(longer, [36, 0, 0, 36]);

    let program = "
#include <core.p4>
#include <v1model.p4>
header h_t { bit<96> addresses; bit<16> kind; }
struct headers { h_t h; }
struct metadata { }
parser P(packet_in p, out headers hdr, inout metadata m, inout standard_metadata_t sm) { state start { p.extract(hdr.h); transition accept; } }
control V(inout headers hdr, inout metadata m) { apply { } }
control I(inout headers hdr, inout metadata m, inout standard_metadata_t sm) { apply { sm.egress_spec = 4; } }
control E(inout headers hdr, inout metadata m, inout standard_metadata_t sm) { apply { } }
control C(inout headers hdr, inout metadata m) { apply { } }
control D(packet_out p, in headers hdr) { apply { p.emit(hdr); } }
V1Switch(P(), V(), I(), E(), C(), D()) main;
";
    fs::write(folder.join("patch.p4"), program).expect("a file");
    fs::write(folder.join("settings.toml"), "switch_id = 9\n").expect("a file");
    good(&ww(
        &folder,
        "run patch.p4 --port 1=wire.pcap: --port 4=:there.pcap --tpp settings.toml --json",
    ));
    let report = good(&ww(
        &folder,
        "tpp shim rules.toml --stack none.pcap:stack2.pcap --wire there.pcap: --collect tpps.json --json",
    ));
    assert_eq!(report["stripped"].as_u64(), Some(2));
    assert_eq!(frames(&folder.join("stack2.pcap")), sent);
    let text = fs::read_to_string(folder.join("tpps.json")).expect("collected");
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 2);
    for line in &lines {
        assert_eq!(line["words"], serde_json::json!([9, 4, 0, 0]));
        assert_eq!((line["hops"].as_u64(), line["app"].as_u64()), (Some(1), Some(3)));
        assert_eq!(
            (line["source"].as_str(), line["ports"][1].as_u64()),
            (Some("10.0.0.1"), Some(5000))
        );
    }
}

#[test]
fn rules_that_are_refused() {
    let folder = folder("tpp_shim_refused");
    let bad = RULES.replace("\"PacketMetadata:*\"", "\"Link:*\"").replace("-p udp ", "");
    fs::write(folder.join("rules.toml"), bad).expect("a file");
    let output = ww(&folder, "tpp shim rules.toml --stack a.pcap: --wire b.pcap:");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    for part in [
        "rules.toml:8:10: filter: ports need -p tcp or -p udp",
        "rules.toml:10:11: the program: instruction 2",
    ] {
        assert!(said.contains(part), "{said}");
    }
}
