//! `ww tpp` as scripts see it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn tpp(arguments: &str, input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ww"))
        .arg("tpp")
        .args(arguments.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("ww starts");
    // A command that refuses its arguments does not read.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("ww runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn file(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tpp-{name}"));
    std::fs::write(&path, text).expect("a file");
    path
}

const THREE: &str =
    "PUSH [Switch:SwitchID]\nPUSH [PacketMetadata:OutputPort]\nPUSH [Queue:QueueOccupancy]\n";

/// Length 0x36, memory 0x1e, three instructions; the sum of the words without the checksum is
/// 0036 + 1e00 + 0800 + 3000 + 3c04 + 3b00 = cd3a, its complement 32c5.
const THREE_HEX: &str = "00361e000000000032c50800300000003c0400003b000000";

#[test]
fn check_1_asm_prints_one_line() {
    let expected = format!("{THREE_HEX}{}\n", "00".repeat(30));
    let output = tpp("asm - --hops 5 --word 16", THREE);
    assert_eq!((text(&output.stdout), output.status.code()), (expected.clone(), Some(0)));
    assert_eq!(expected.trim().len() / 2, 54);
    let output = tpp("asm - --hops 10 --word 16", THREE);
    assert_eq!(text(&output.stdout).trim().len() / 2, 84);
    let source = file("three.tpp", &format!(".word 16\n.hops 5\n{THREE}"));
    let binary = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tpp-three.bin");
    let output = tpp(&format!("asm {} -o {}", source.display(), binary.display()), "");
    assert_eq!((text(&output.stdout), output.status.code()), (String::new(), Some(0)));
    assert_eq!(std::fs::read(&binary).expect("a file").len(), 54);
    // The file, its digits, and digits on standard input are the same program.
    let from_file = tpp(&format!("dis {}", binary.display()), "");
    assert_eq!(from_file.stdout, tpp(&format!("dis {}", expected.trim()), "").stdout);
    assert_eq!(from_file.stdout, tpp("dis -", &expected).stdout);
    assert!(text(&from_file.stdout).ends_with(THREE));
    let again = tpp("asm -", &text(&from_file.stdout));
    assert_eq!(text(&again.stdout), expected);
}

#[test]
fn mistakes_come_all_at_once() {
    let output = tpp("asm -", "PUHS [Switch:SwitchID]\nPUSH [Switch:SwitchDI]\n");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        text(&output.stderr),
        "error: -:1:1: there is no instruction 'PUHS'; did you mean 'PUSH'?\n  PUHS [Switch:SwitchID]\n  ^^^^\n-:2:7: 'Switch' has no 'SwitchDI'; did you mean 'SwitchID'?\n  PUSH [Switch:SwitchDI]\n        ^^^^^^^^^^^^^^^\n"
    );
    let output = tpp("asm - --hops 1", &"NOP\n".repeat(6));
    assert_eq!(output.status.code(), Some(1), "check 2");
    assert_eq!(tpp("asm - --hops 0", THREE).status.code(), Some(2));
    assert_eq!(tpp("asm - --word 24", THREE).status.code(), Some(2));
    let output = tpp("asm /nonexistent/program", "");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("/nonexistent/program"));
    let output = tpp("dis 0024", "");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("the packet ends before the TPP does"));
    let output = tpp(&format!("dis {THREE_HEX}{}", "00".repeat(31)), "");
    assert!(text(&output.stderr).contains("the TPP has 54 bytes, and 1 more follow"));
}

#[test]
fn check_judges_by_policy_and_stages() {
    let output = tpp("check - --hops 5 --word 16", THREE);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(
        text(&output.stdout),
        "3 instructions, 16-bit words, stack mode, 30 bytes of memory, application 0\nreads 0x0000 Switch:SwitchID\nreads 0xb000 Queue:QueueOccupancy\nreads 0xc040 PacketMetadata:OutputPort\nwrites nothing\noverhead: 54 bytes, 5.4 % of a packet of 1000 bytes\nNetFPGA: at most 9 cycles in 4 stages, 56.25 ns at 160 MHz\nASIC: at most 15 cycles more, 15 ns at 1 GHz; 1875 bytes of buffer at 1 Tb/s\n"
    );
    let policy = file("policy.toml", "[[app]]\ntag = 7\nread = [\"Switch:*\"]\n");
    let output = tpp(&format!("check - --hops 5 --app 7 --policy {}", policy.display()), THREE);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        text(&output.stderr),
        "error: refused, for 2 reasons:\ninstruction 2: no rule lets the application read 0xc040 PacketMetadata:OutputPort\ninstruction 3: no rule lets the application read 0xb000 Queue:QueueOccupancy\n"
    );
    let hazard = "LOAD [Stage3:Reg0], [Packet:Hop[0]]\nSTORE [Stage1:Reg0], [Packet:Hop[0]]\n";
    let output = tpp("check - --hops 1 --json", hazard);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), String::new()));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["accepted"], false);
    assert_eq!(
        report["refusals"][0],
        "hazard: instructions 1 (stage 3) and 2 (stage 1) share a word of packet memory"
    );
    assert_eq!(report["writes"], serde_json::json!([[0x1140, 0x1140]]));
    let broken = file("broken.toml", "[[app]]\ntag = 7\nread = [\"Swich:*\"]\n");
    let output = tpp(&format!("check - --hops 5 --policy {}", broken.display()), THREE);
    assert!(
        text(&output.stderr).contains("broken.toml:3:9: 'read': there is no namespace 'Swich'")
    );
}

#[test]
fn split_prints_parts_that_assemble() {
    let hazard = "LOAD [Stage3:Reg0], [Packet:Hop[1]]\nSTORE [Stage1:Reg0], [Packet:Hop[1]]\n";
    let output = tpp("split - --hops 2 --room 100", hazard);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let stdout = text(&output.stdout);
    let expected = "# TPP 1 of 2\n#   LOAD [Stage$3:Reg0], [Packet:Hop[0]]\n# Packet:Hop[0] is Packet:Hop[1]\n";
    assert!(stdout.starts_with(expected), "{stdout}");
    for line in stdout.lines().filter(|line| !line.starts_with('#')) {
        assert_eq!(tpp(&format!("dis {line}"), "").status.code(), Some(0));
    }
    let output = tpp("split - --hops 2 --json", hazard);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["parts"].as_array().map(Vec::len), Some(2));
    assert_eq!(report["parts"][1]["words"], serde_json::json!(["Packet:Hop[1]"]));
    let output = tpp("split -", hazard);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("say for how many hops"));
}

#[test]
fn map_is_the_table_of_the_page() {
    let output = tpp("map", "");
    let page = include_str!("../../../../docs/tpp.md");
    assert!(
        page.contains(text(&output.stdout).trim()),
        "docs/tpp.md: put in what `ww tpp map` prints"
    );
    let names = text(&tpp("map --names", "").stdout);
    assert!(names.lines().any(|line| line == "0xb000 Queue:QueueOccupancy"));
}
