//! A reader of an output stream that goes away, and a stream that cannot be written: no command
//! panics, and its exit status still says what came of it.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::pipe;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A run of each command, good or bad, with its exit status.
const RUNS: &[(i32, &str)] = &[
    (2, ""),
    (0, "--help"),
    (0, "--version"),
    (2, "no-such-command"),
    (2, "check"),
    (1, "check bad.p4"),
    (1, "check bad.p4 --json"),
    (0, "check good.p4 --emit ir"),
    (0, "run good.p4 --port 1=in.pcap:"),
    (0, "run good.p4 --port 1=in.pcap: --json"),
    (1, "run good.p4 --port 1=in.pcap: --entries wrong.txt"),
    (2, "run good.p4 --port 1=in.pcap: --port 1=in.pcap:"),
    (1, "run bad.p4 --port 1=in.pcap:"),
    (1, "run good.p4 --port 1=no_such_if0"),
    (0, "stf good.p4 pass.stf"),
    (1, "stf good.p4 fail.stf"),
    (1, "stf good.p4 wrong.txt"),
    (3, "stf lang.p4 pass.stf"),
    (0, "trace good.p4 --port 1=in.pcap"),
    (1, "trace good.p4 --port 1=in.pcap --entries wrong.txt"),
    (0, "bench good.p4 --pcap 1=in.pcap --packets 1 --rounds 1"),
    (1, "bench good.p4 --pcap 1=none.pcap"),
    (1, "report bad.p4"),
    (1, "build bad.p4 --target rtl --out built"),
    (0, "blocks"),
    (0, "blocks pieo"),
    (1, "blocks none"),
    (1, "ctl -s none.sock table list"),
    (2, "clock ptp 1.2.3.4.5"),
    (0, "fabric schedule --hosts 8"),
    (1, "fabric sim none.csv --rules published --hosts 8"),
    (1, "fabric sim none.csv --profile prototype --engine rtl"),
    (2, "fabric sim none.csv --rules shoal --hosts 8 --engine rtl"),
    (0, "fabric flows permutation"),
    (0, "fabric flows incast"),
    (0, "fabric flows random"),
    (0, "fabric flows pareto"),
    (0, "fabric flows applications"),
    (1, "fabric matchings none.csv --rules rotornet --hosts 8"),
    (0, "fabric report"),
    (0, "phy gen --count 2"),
    (1, "phy cap none.bits"),
    (1, "phy replay none.txt -o out.bits"),
    (1, "phy encode none.pcap -o out.bits"),
    (1, "phy decode none.bits"),
    (1, "phy profile none.bits"),
    (1, "phy pace no_such_if0"),
    (0, "phy covert send --message x -o covert.bits"),
    (1, "phy covert receive none.bits"),
    (1, "phy covert detect none.bits"),
    (0, "sched exec operations.txt"),
    (1, "sched exec wrong.txt"),
    (1, "sched check wrong.txt"),
    (2, "sched bench --flows none"),
    (1, "sched report --hardware none.json"),
    (0, "lab list"),
    (1, "lab check wrong.toml"),
    (1, "lab run wrong.toml"),
    (1, "lab sweep wrong.toml"),
    (1, "lab seeds wrong.toml"),
    (1, "lab new ../lab"),
    (1, "lab element"),
    (1, "lab switch"),
    (1, "lab shim"),
    (1, "lab host"),
    (1, "tpp asm wrong.txt"),
    (0, "tpp asm good.tpp"),
    (1, "tpp dis 00"),
    (1, "tpp check wrong.txt"),
    (1, "tpp split wrong.txt"),
    (0, "tpp map"),
    (1, "tpp shim none.toml --stack in.pcap: --wire :"),
    (1, "tpp send wrong.txt --to 127.0.0.1"),
    (1, "tpp send good.tpp --to 127.0.0.1 --tries 1 --timeout 1ms"),
    (0, "tcp host --port in.pcap: --ip 10.0.0.2/24"),
    (1, "tcp host --port none.pcap: --ip 10.0.0.2/24"),
    (0, "tcp pair --cycles 100"),
    (0, "tcp report"),
    (0, "tcp equal --events 100"),
    (1, "tcp drill wrong.txt"),
    (2, "tpp trace none"),
    (2, "tpp echo --listen none"),
    (1, "tpp register x --control none.sock"),
    (1, "tpp unregister x --control none.sock"),
    (1, "tpp apps --control none.sock"),
    (1, "tpp add wrong.txt --name x --control none.sock"),
    (1, "tpp remove 1 --control none.sock"),
    (1, "tpp rules --control none.sock"),
    (1, "tpp stats --control none.sock"),
    (1, "tpp deploy none.toml --name x --control none.sock"),
    (1, "tpp aggregate none.json --to 127.0.0.1:1 --host h --once"),
    (2, "tpp collect --listen none --out out.txt"),
    (1, "tpp netshark none.json -o out.parquet"),
    (1, "tpp ndb .* none.json"),
    (1, "tpp netwatch none.toml none.json"),
    (1, "tpp profile none.json"),
];

/// Commands that nothing above runs: they change the machine, or need a server for each kind of
/// request (`ctl table list` stands for those of `ctl`, which print by one function).
const NOT_RUN: &[&str] = &["lab clean"];

pub(super) const PROGRAM: &str = "
#include <core.p4>
#include <v1model.p4>
header h_t { bit<8> kind; }
struct headers_t { h_t h; }
struct metadata_t { }
parser P(packet_in pkt, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    state start { pkt.extract(hdr.h); transition accept; }
}
control V(inout headers_t hdr, inout metadata_t meta) { apply { } }
control I(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    apply { sm.egress_spec = 2; }
}
control E(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) { apply { } }
control C(inout headers_t hdr, inout metadata_t meta) { apply { } }
control D(packet_out pkt, in headers_t hdr) { apply { pkt.emit(hdr.h); } }
V1Switch(P(), V(), I(), E(), C(), D()) main;
";

fn folder() -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("streams");
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    let write = |name: &str, bytes: &[u8]| fs::write(path.join(name), bytes).expect("a file");
    write("good.p4", PROGRAM.as_bytes());
    write("bad.p4", b"const bit<8> x = y;\n");
    write("lang.p4", b"const bit<8> x = 1;\n");
    write("wrong.txt", b"nonsense\n");
    write("wrong.toml", b"nonsense = [\n");
    write("pass.stf", b"packet 1 01\nexpect 2 01$\n");
    write("fail.stf", b"packet 1 01\nexpect 2 02$\n");
    write("operations.txt", b"len\n");
    write("good.tpp", b".hops 4\nPUSH [Switch:SwitchID]\n");
    let mut capture = vec![0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0];
    for word in [0u32, 0, 65_535, 1, 0, 0, 1, 1] {
        capture.extend(word.to_le_bytes());
    }
    capture.push(1);
    write("in.pcap", &capture);
    path
}

/// A stream that nobody reads any more.
fn closed() -> Stdio {
    let (_, writer) = pipe().expect("a pipe");
    writer.into()
}

/// A stream without room.
fn full() -> Stdio {
    File::options().write(true).open("/dev/full").expect("/dev/full").into()
}

fn status(folder: &Path, arguments: &str, stdout: Stdio, stderr: Stdio) -> Option<i32> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ww"));
    command.current_dir(folder).args(arguments.split_whitespace());
    command.stdin(Stdio::null()).stdout(stdout).stderr(stderr);
    command.status().expect("ww runs").code()
}

#[test]
fn streams_that_cannot_be_written_change_no_status() {
    let folder = folder();
    for &(expected, arguments) in RUNS {
        let one = |stdout: Stdio, stderr: Stdio| status(&folder, arguments, stdout, stderr);
        for (what, found) in [
            ("plain", one(Stdio::null(), Stdio::null())),
            ("2> closed", one(Stdio::null(), closed())),
            ("2> full", one(Stdio::null(), full())),
            ("> closed", one(closed(), Stdio::null())),
            ("> closed 2> closed", one(closed(), closed())),
        ] {
            assert_eq!(found, Some(expected), "ww {arguments}, {what}");
        }
        // Results that are lost are an error of their own where there was none before.
        let found = one(full(), full());
        let lost = found == Some(1) && expected == 0;
        assert!(found == Some(expected) || lost, "ww {arguments}, > full: {found:?}");
    }
}

/// The names behind `Commands:` in a help text.
fn commands(words: &str) -> Vec<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ww"));
    let output = command.args(words.split_whitespace()).arg("--help").output().expect("ww runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let listed = text.lines().skip_while(|line| *line != "Commands:").skip(1);
    let named = listed.take_while(|line| line.starts_with("  "));
    let names = named.filter(|line| !line.starts_with("   ")).filter_map(|line| {
        let name = line.split_whitespace().next()?;
        (name != "help").then(|| format!("{words} {name}").trim().to_owned())
    });
    names.collect()
}

#[test]
fn every_command_is_in_the_table() {
    let mut leaves = BTreeSet::new();
    let mut open = commands("");
    while let Some(command) = open.pop() {
        // Those of `ctl` print by one function.
        let below = if command == "ctl" { Vec::new() } else { commands(&command) };
        if below.is_empty() {
            leaves.insert(command);
        }
        open.extend(below);
    }
    assert!(leaves.len() > 40, "{leaves:?}");
    let begins = |line: &str, command: &str| {
        line.strip_prefix(command).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    for leaf in &leaves {
        let is_run = RUNS.iter().any(|(_, line)| begins(line, leaf));
        assert!(is_run || NOT_RUN.contains(&leaf.as_str()), "no run of `ww {leaf}` in the table");
    }
}
