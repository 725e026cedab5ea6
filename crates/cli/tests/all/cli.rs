//! The command as scripts see it: exit status, what stands on which stream, files that appear.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of its own for each test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        fs::write(self.0.join(name), contents).expect("a file");
    }

    fn ww(&self, arguments: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ww"));
        command.current_dir(&self.0).args(arguments.split_whitespace());
        command.output().expect("ww runs")
    }

    /// Standard output of a run that must succeed.
    fn succeed(&self, arguments: &str) -> String {
        let output = self.ww(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    /// Both streams of a run that must end with `code`.
    fn fail(&self, code: i32, arguments: &str) -> (String, String) {
        let output = self.ww(arguments);
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{arguments}: {stderr}");
        (stdout, stderr)
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("a folder").flatten();
        let mut names: Vec<_> =
            entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A pcap file (microseconds, little endian, Ethernet) with one packet a second.
fn pcap(packets: &[&[u8]]) -> Vec<u8> {
    let word = |n: u32| n.to_le_bytes();
    let mut file = Vec::new();
    file.extend(word(0xa1b2_c3d4));
    file.extend([2, 0, 4, 0]);
    for n in [0, 0, 65_535, 1] {
        file.extend(word(n));
    }
    for (second, packet) in packets.iter().enumerate() {
        let length = packet.len() as u32;
        for n in [second as u32, 0, length, length] {
            file.extend(word(n));
        }
        file.extend(*packet);
    }
    file
}

/// Frames of a pcap file as written by `ww`.
fn frames(path: &Path) -> Vec<Vec<u8>> {
    let mut reader = ww_io::capture::OrderedReader::open(path).expect("a capture");
    let mut frames = Vec::new();
    while let Some(frame) = reader.next_frame().expect("a frame") {
        frames.push(frame.frame.to_vec());
    }
    frames
}

const PROGRAM: &str = "
#include <core.p4>
#include <v1model.p4>
header h_t { bit<8> kind; bit<8> mark; }
struct headers_t { h_t h; }
struct metadata_t { }
parser P(packet_in pkt, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    state start { pkt.extract(hdr.h); transition accept; }
}
control V(inout headers_t hdr, inout metadata_t meta) { apply { } }
control I(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    counter(4, CounterType.packets_and_bytes) seen;
    action forward(bit<9> port) { sm.egress_spec = port; hdr.h.mark = 0xaa; }
    action drop() { mark_to_drop(sm); }
    table t {
        key = { hdr.h.kind : exact; }
        actions = { forward; drop; }
        default_action = drop();
        size = 2;
    }
    apply { seen.count((bit<32>) hdr.h.kind); t.apply(); }
}
control E(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) { apply { } }
control C(inout headers_t hdr, inout metadata_t meta) { apply { } }
control D(packet_out pkt, in headers_t hdr) { apply { pkt.emit(hdr.h); } }
V1Switch(P(), V(), I(), E(), C(), D()) main;
";

fn switch(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("s.p4", PROGRAM);
    folder.write("in.pcap", pcap(&[&[1, 0, 9], &[2, 0, 9], &[1, 0, 8, 8]]));
    folder.write("good.txt", "table_add t forward 1 => 2\n");
    folder
}

#[test]
fn check() {
    let folder = switch("check");
    assert_eq!(folder.succeed("check s.p4"), "");
    folder.write("bad.p4", "const bit<8> x = y;\nconst bit<4> z = true;\n");
    let (stdout, stderr) = folder.fail(1, "check bad.p4");
    assert_eq!(stdout, "");
    assert!(stderr.contains("bad.p4:1:18") && stderr.contains("bad.p4:2:"), "{stderr}");
    assert!(stderr.contains("const bit<8> x = y;") && stderr.contains('^'), "{stderr}");
    assert!(!stderr.contains('\u{1b}'), "no colour in a pipe: {stderr}");
    folder.fail(1, "check missing.p4");
    folder.fail(2, "check");
    folder.fail(2, "check s.p4 --emit nothing");
    folder.fail(2, "check s.p4 --p4info s.xml");

    let (stdout, stderr) = folder.fail(1, "check bad.p4 --json");
    let report: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!(stderr, "");
    assert_eq!((&report["accepted"], &report["errors"]), (&false.into(), &2.into()));
    assert_eq!(report["diagnostics"][0]["line"], 1);
    let report: serde_json::Value =
        serde_json::from_str(&folder.succeed("check s.p4 --json")).expect("JSON");
    assert_eq!(report["accepted"], true);
}

#[test]
fn defines_and_includes() {
    let folder = Folder::new("defines");
    folder.write("p.p4", "#include <width.p4>\nconst bit<WIDTH> x = VALUE;\n");
    fs::create_dir_all(folder.0.join("inc")).expect("a folder");
    folder.write("inc/width.p4", "#define WIDTH 8\n");
    folder.succeed("check p.p4 -I inc -D VALUE=3");
    folder.fail(1, "check p.p4 -D VALUE=3");
    folder.fail(1, "check p.p4 -I inc");
}

#[test]
fn forms_of_a_program() {
    let folder = switch("forms");
    assert!(folder.succeed("check s.p4 --emit ast").contains("control I(inout headers_t hdr"));
    assert!(folder.succeed("check s.p4 --emit ir").contains("hdr.h.mark = 8w0xaa;"));
    assert!(folder.succeed("check s.p4 --emit pipeline").starts_with("pipeline v1model\n"));
    folder.fail(2, "check s.p4 --emit ir --json");
    folder.write("lang.p4", "const bit<8> x = 1;\n");
    let (stdout, stderr) = folder.fail(1, "check lang.p4 --emit pipeline");
    assert!(stdout.is_empty() && stderr.contains("main"), "{stderr}");
    folder.succeed("check s.p4 --p4info s.txtpb");
    let info = fs::read_to_string(folder.0.join("s.txtpb")).expect("P4Info");
    assert!(info.contains("name: \"I.t\""), "{info}");
    folder.succeed("check s.p4 --p4info s.json");
    let info = fs::read(folder.0.join("s.json")).expect("P4Info");
    let info: serde_json::Value = serde_json::from_slice(&info).expect("JSON");
    assert_eq!(info["tables"][0]["preamble"]["name"], "I.t");
    // Nothing is written for a rejected program, and no temporary file stays.
    folder.write("bad.p4", "const bit<8> x = y;\n");
    folder.fail(1, "check bad.p4 --p4info bad.txt");
    assert_eq!(
        folder.names(),
        ["bad.p4", "good.txt", "in.pcap", "lang.p4", "s.json", "s.p4", "s.txtpb"]
    );
}

#[test]
fn run_on_files() {
    let folder = switch("run");
    let out = folder.succeed("run s.p4 --entries good.txt --port 1=in.pcap: --port 2=:out.pcap");
    assert_eq!(frames(&folder.0.join("out.pcap")), [vec![1, 0xaa, 9], vec![1, 0xaa, 8, 8]]);
    assert!(out.contains("1 packet dropped"), "{out}");
    assert!(out.contains("counter I.seen[1]: 2 packets, 7 bytes"), "{out}");

    let json = folder.succeed("run s.p4 --entries good.txt --port 1=in.pcap: --json");
    let report: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(report["world"]["ports"][0]["rx"]["packets"], 3);
    assert_eq!(report["world"]["unattached"]["packets"], 2);
    assert_eq!(report["engine"]["dropped"]["ingress"], 1);
    assert_eq!(report["counters"][0]["bytes"], 7);
}

#[test]
fn bad_input_of_a_run() {
    let folder = switch("bad_input");
    let run = "--port 1=in.pcap:out.pcap";
    let entries = |text: &str| {
        folder.write("e.txt", text);
        let (stdout, stderr) = folder.fail(1, &format!("run s.p4 --entries e.txt {run}"));
        assert_eq!(stdout, "", "no partial output");
        stderr
    };
    let stderr = entries("table_add tt forward 1 => 2\n\ntable_add t forwrd 1 => 2\n");
    assert!(stderr.contains("e.txt:1:") && stderr.contains("no table named `tt`"), "{stderr}");
    assert!(stderr.contains("e.txt:3:") && stderr.contains("mean `I.forward`"), "{stderr}");
    let stderr = entries("table_add t forward 256 => 2\n");
    assert!(stderr.contains("e.txt:1:21") && stderr.contains("8 bit"), "{stderr}");
    let stderr = entries("table_add t drop 1 =>\ntable_add t drop 2 =>\ntable_add t drop 3 =>\n");
    assert!(stderr.contains("e.txt:3:") && stderr.contains("its size is 2"), "{stderr}");
    let (_, stderr) = folder.fail(1, &format!("run s.p4 --entries none.txt {run}"));
    assert!(stderr.contains("none.txt"), "{stderr}");

    let whole = fs::read(folder.0.join("in.pcap")).expect("a capture");
    folder.write("cut.pcap", &whole[..whole.len() - 1]);
    let (_, stderr) = folder.fail(1, "run s.p4 --port 1=cut.pcap:out.pcap");
    assert!(stderr.contains("cut.pcap") && stderr.contains("packet 3"), "{stderr}");
    let (_, stderr) = folder.fail(1, "run s.p4 --port 1=no_such_if0");
    assert!(stderr.contains("no_such_if0"), "{stderr}");
    for port in [511, 512] {
        let (_, stderr) = folder.fail(1, &format!("run s.p4 --port {port}=in.pcap:"));
        assert!(
            stderr.contains(&format!("port {port}: v1model has the ports 0 to 510")),
            "{stderr}"
        );
    }
    folder.fail(2, "run s.p4");
    folder.fail(2, "run s.p4 --port 1");
    folder.fail(2, "run s.p4 --port 1=in.pcap: --port 1=:out.pcap");
    folder.fail(2, "run s.p4 --port 1=in.pcap: --engine abacus");
    let (_, stderr) = folder.fail(2, &format!("run s.p4 --pace gaps {run}"));
    assert!(stderr.contains("--engine rtl"), "{stderr}");
    folder.fail(2, &format!("run s.p4 --engine rtl --pace fast {run}"));
    folder.fail(2, &format!("run s.p4 --engine rtl --width 65 {run}"));
    folder.write("metered.p4", beyond_hardware());
    let (_, stderr) = folder.fail(1, &format!("run metered.p4 --engine rtl {run}"));
    assert!(
        stderr.contains("engine rtl: not supported") && stderr.contains("more than once"),
        "{stderr}"
    );
    folder.write("lang.p4", "const bit<8> x = 1;\n");
    let (_, stderr) = folder.fail(1, &format!("run lang.p4 {run}"));
    assert!(stderr.contains("not supported") && stderr.contains("main"), "{stderr}");
    let names = ["cut.pcap", "e.txt", "good.txt", "in.pcap", "lang.p4", "metered.p4", "s.p4"];
    assert_eq!(folder.names(), names);
}

/// The program with something before the counter, which is the first thing that ingress does.
fn with(text: &str) -> String {
    let counted = "apply { seen";
    assert!(PROGRAM.contains(counted));
    PROGRAM.replace(counted, &format!("{text} seen"))
}

/// The program with something that hardware does not have: two uses of a meter by one packet.
fn beyond_hardware() -> String {
    with(
        "meter(4, MeterType.packets) rate;
    apply {
        bit<8> colour;
        rate.execute_meter((bit<32>) hdr.h.kind, colour);
        rate.execute_meter((bit<32>) colour, hdr.h.mark);",
    )
}

#[test]
fn check_while_running() {
    let folder = switch("compare");
    let run = "run s.p4 --entries good.txt --port 1=in.pcap: --port 2=:out.pcap";
    let plain = folder.succeed(run);
    assert_eq!(folder.succeed(&format!("{run} --check")), plain);
    assert_eq!(
        folder.succeed(&format!("{run} --check --engine interp")),
        plain.replace("jit", "interp")
    );
    folder.fail(2, "run s.p4 --check --port 1=lo");
    // Random numbers depend on the engine's seed, which is the same: no difference either.
    folder.write("random.p4", with("apply { random(sm.priority, 3w0, 3w7);"));
    folder.succeed(&format!("{} --check", run.replace("s.p4", "random.p4")));
}

/// What the language allows and nothing can carry out: a warning of `check`, a refusal with the reason elsewhere.
#[test]
fn legal_and_unexecutable() {
    let folder = switch("unexecutable");
    let table =
        "table other { key = { hdr.h.kind : lpm; hdr.h.mark : lpm; } actions = { NoAction; } }";
    let apply = "    apply { seen.count";
    assert!(PROGRAM.contains(apply));
    let program =
        PROGRAM.replace(apply, &format!("    {table}\n    apply {{ other.apply(); seen.count"));
    folder.write("two.p4", program);
    folder.write("pass.stf", "packet 1 01 00\n");
    let output = folder.ww("check two.p4");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let warned = text(&output.stdout) + &text(&output.stderr);
    assert!(warned.contains("warning: table `other` has two `lpm` keys"), "{warned}");
    for command in [
        "stf two.p4 pass.stf",
        "stf two.p4 pass.stf --engine jit",
        "run two.p4 --port 1=in.pcap:",
        "build two.p4 --target rtl --out hardware",
    ] {
        let output = folder.ww(command);
        let stderr = text(&output.stderr);
        assert!(matches!(output.status.code(), Some(1 | 3)), "{command}: {stderr}");
        assert!(stderr.contains("table `other` has two `lpm` keys"), "{command}: {stderr}");
        assert!(stderr.contains("longer one is not defined"), "{command}: {stderr}");
    }
}

/// What the compiler of BMv2 wrote is no program, and one sentence says so.
#[test]
fn compiler_output_as_a_program() {
    let folder = switch("json");
    folder.write("s.json", "{\n  \"header_types\" : [],\n  \"pipelines\" : []\n}\n");
    for command in ["check s.json", "run s.json --port 1=in.pcap:"] {
        let (_, stderr) = folder.fail(1, command);
        assert!(stderr.contains("JSON that p4c makes of a program for BMv2"), "{stderr}");
        assert!(stderr.contains("give the P4 source"), "{stderr}");
        assert!(stderr.ends_with("s.json is rejected: 1 error\n"), "{stderr}");
    }
}

#[test]
fn stf() {
    let folder = switch("stf");
    folder
        .write("pass.stf", "add t hdr.h.kind:1 forward(port:2)\npacket 1 01 00\nexpect 2 01 aa$\n");
    assert!(folder.succeed("stf s.p4 pass.stf").starts_with("PASS"));
    folder
        .write("fail.stf", "add t hdr.h.kind:1 forward(port:2)\npacket 1 01 00\nexpect 2 01 ab$\n");
    let (stdout, _) = folder.fail(1, "stf s.p4 fail.stf");
    assert!(stdout.starts_with("FAIL fail.stf:3: expect 2 01 ab$\n"), "{stdout}");
    assert!(stdout.contains("port 2, packet 1") && stdout.contains("at byte 1"), "{stdout}");
    folder.write("wrong.stf", "pakcet 1 01\nexpect\n");
    let (_, stderr) = folder.fail(1, "stf s.p4 wrong.stf");
    assert!(stderr.contains("wrong.stf:1:1") && stderr.contains("wrong.stf:2:"), "{stderr}");
    folder.write("lang.p4", "const bit<8> x = 1;\n");
    let (_, stderr) = folder.fail(3, "stf lang.p4 pass.stf");
    assert!(stderr.contains("not supported"), "{stderr}");
    folder.write("metered.p4", beyond_hardware());
    let (_, stderr) = folder.fail(3, "stf metered.p4 pass.stf --engine rtl");
    assert!(stderr.contains("more than once"), "{stderr}");
    // What a program is not to blame for is not "not supported".
    let mut without_tools = Command::new(env!("CARGO_BIN_EXE_ww"));
    without_tools.current_dir(&folder.0).env("WW_VERILATOR_ROOT", "/none");
    without_tools.args(["stf", "s.p4", "pass.stf", "--engine", "rtl"]);
    let output = without_tools.output().expect("ww runs");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("/none"), "{}", text(&output.stderr));
    folder.fail(2, "stf s.p4 pass.stf --pace gaps");
    folder.write("bad.p4", "const bit<8> x = y;\n");
    folder.fail(1, "stf bad.p4 pass.stf");
    folder.fail(2, "stf s.p4");
}

#[test]
fn trace() {
    let folder = switch("trace");
    let all = folder.succeed("trace s.p4 --entries good.txt --port 1=in.pcap");
    for line in [
        "packet 1: port 1, 3 bytes",
        "    state P.start",
        "      extract hdr.h: 2 bytes at byte 0",
        "        kind = 0x01",
        "    table I.t: hit, entry 0",
        "      key hdr.h.kind = 0x01   matches 0x01",
        "      action I.forward(port = 0x002)",
        "    hdr.h.mark: 0x00 -> 0xaa",
        "  SENT to port 2, 3 bytes",
        "packet 2: port 1, 3 bytes",
        "    table I.t: miss",
        "      default action I.drop()",
        "  DROPPED: egress_spec is the drop port after ingress",
        "packet 3: port 1, 4 bytes",
    ] {
        assert!(all.lines().any(|found| found.starts_with(line)), "{line} is not in\n{all}");
    }
    assert!(all.contains("s.p4:15:11"), "{all}");
    let one = folder.succeed("trace s.p4 --entries good.txt --port 1=in.pcap --packet 2");
    assert!(one.starts_with("packet 2:") && !one.contains("packet 3"), "{one}");
    let json = folder.succeed("trace s.p4 --entries good.txt --port 1=in.pcap --json --packet 3");
    let packet: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(packet["packet"], 3);
    assert_eq!(packet["events"][0]["event"], "receive");
    let (_, stderr) = folder.fail(1, "trace s.p4 --port 1=in.pcap --packet 4");
    assert!(stderr.contains("3 came in"), "{stderr}");
    folder.fail(2, "trace s.p4 --port 1=in.pcap --packet 0");
    folder.fail(2, "trace s.p4 --port 1=tap:x");
}
