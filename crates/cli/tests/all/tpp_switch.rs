//! `ww run --tpp`: a program that knows nothing of TPPs, and its captures with a TPP in each frame.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use ww_io::capture::{CaptureReader, CaptureWriter};
use ww_tpp::assemble::{Options, assemble};
use ww_tpp::frame::{insert, strip};
use ww_tpp::packet::{Repr, Tpp};

/// Ports of the program's captures.
const PORTS: u32 = 5;

const SETTINGS: &str = "
switch_id = 7
[[port]]
number = 4
link_id = 4711
[[app]]
tag = 3
read = [\"Switch:*\", \"PacketMetadata:*\", \"Link:*\", \"FlowEntry:*\"]
";

const PROGRAM: &str = ".app 3
.hops 1
PUSH [Switch:SwitchID]
PUSH [PacketMetadata:InputPort]
PUSH [PacketMetadata:OutputPort]
PUSH [Link:ID]
PUSH [Stage$1:Version]
";

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    fs::write(path.join("settings.toml"), SETTINGS).expect("a file");
    path
}

fn program() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../p4/programs/l2l3")
}

fn frames(path: &Path) -> Vec<Vec<u8>> {
    let mut reader = CaptureReader::open(path).expect("a capture");
    let (mut all, mut frame) = (Vec::new(), Vec::new());
    while reader.next_frame(&mut frame).expect("a good capture").is_some() {
        all.push(frame.clone());
    }
    all
}

/// Writes a capture again with a TPP in each frame that can have one. Gives how many can not.
fn with_tpps(from: &Path, to: &Path, tpp: &[u8]) -> usize {
    let mut reader = CaptureReader::open(from).expect("a capture");
    let name = to.to_str().expect("a plain name");
    let mut writer = CaptureWriter::create(to, &[name]).expect("a file");
    let (mut frame, mut without) = (Vec::new(), 0);
    while let Some(info) = reader.next_frame(&mut frame).expect("a good capture") {
        without += usize::from(insert(&mut frame, tpp).is_err());
        writer.write(0, info.timestamp, &frame).expect("written");
    }
    writer.finish().expect("finished");
    without
}

fn run(folder: &Path, arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ww"));
    let program = program();
    command.current_dir(folder).arg("run").arg(program.join("l2l3.p4"));
    command.arg("--entries").arg(program.join("entries.txt"));
    command.args(arguments.split_whitespace()).output().expect("ww runs")
}

/// The program's own captures say what it sends. With a TPP in each frame that came in it sends the same, each with
/// its TPP, executed once for each port that it leaves by.
#[test]
fn the_program_sends_what_it_sends_without_tpps() {
    let folder = folder("tpp_switch");
    let tpp = assemble(PROGRAM, &Options::default()).expect("a good program").emit();
    let mut without = 0;
    for port in 0..PORTS {
        let name = format!("in.{port}.pcap");
        without += with_tpps(&program().join(&name), &folder.join(&name), &tpp);
    }
    let ports: Vec<String> =
        (0..PORTS).map(|n| format!("--port {n}=in.{n}.pcap:out.{n}.pcap")).collect();
    let ports = ports.join(" ");
    for engine in ["jit --check", "interp"] {
        let output = run(&folder, &format!("{ports} --tpp settings.toml --json --engine {engine}"));
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let (mut executed, mut plain) = (0, 0);
        for port in 0..PORTS {
            let expected = frames(&program().join(format!("expected.{port}.pcap")));
            let mut found = frames(&folder.join(format!("out.{port}.pcap")));
            for frame in &mut found {
                let Some(tpp) = strip(frame) else {
                    plain += 1;
                    continue;
                };
                executed += 1;
                let tpp = Repr::parse(&Tpp::new(tpp).expect("a good TPP"));
                let words: Vec<u32> = tpp.words().collect();
                let link = if port == 4 { 4711 } else { 7 * 256 + port };
                assert_eq!((tpp.hop, words[0], words[2], words[3]), (1, 7, port, link));
                assert_eq!(words[4], 0, "the settings do not permit it");
            }
            assert_eq!(found, expected, "engine {engine}, port {port}");
        }
        assert!(executed > 100 && plain <= without, "{executed} {plain} {without}");
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let tpps = &report["tpp"];
        assert!(tpps["executed"].as_u64() >= Some(executed), "{tpps}");
        assert_eq!(tpps["denied"], tpps["executed"]);
    }
}

#[test]
fn settings_that_are_refused() {
    let folder = folder("tpp_refused");
    fs::write(folder.join("bad.toml"), "switch_id = 1\nrate = 0\n[[port]]\nnumber = 5000\n")
        .expect("a file");
    let output = run(&folder, "--port 0=x.pcap:y.pcap --tpp bad.toml");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    for line in ["bad.toml:2:8: ", "bad.toml:4:10: "] {
        assert!(said.contains(line), "{said}");
    }
    let output = run(&folder, "--port 0=x.pcap:y.pcap --tpp settings.toml --engine rtl");
    assert_eq!(output.status.code(), Some(2));
}
