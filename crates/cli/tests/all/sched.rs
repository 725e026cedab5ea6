//! `ww sched` as scripts see it.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs `ww sched` with `input` on standard input.
fn sched(arguments: &str, input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ww"))
        .arg("sched")
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

#[test]
fn exec_prints_a_line_for_each_operation() {
    // Worked out by hand: at 7 ids 0 and 1 are eligible and 0 came first.
    let input = "enq 0 5 7\nenq 1 5 6\n# nothing\n\nenq 1023 4 65535\nenq 1024 1 1\ndeq 7\ndeqrange 7 0 9\ndeq 7\ndeqid 1023\nlen\n";
    let expected = "ok\nok\nok\nid\n0 5 7\n1 5 6\nnone\n1023 4 65535\n0\n";
    let output = sched("exec -", input);
    assert_eq!(text(&output.stdout), expected);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn exec_stops_at_what_is_no_operation() {
    let output = sched("exec -", "len\nenq 1 2\nlen\n");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout), "0\n");
    let message = text(&output.stderr);
    assert!(
        message.contains("-:2: expected 'enq ID RANK ELIGIBLE', found no ELIGIBLE"),
        "{message}"
    );
    let output = sched("exec -", &"x".repeat(10_000));
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("more than 4096 bytes"));
}

#[test]
fn exec_takes_widths_and_capacity() {
    let input = "enq 3 255 1023\nenq 2 256 0\nenq 2 0 1024\nenq 4 0 0\n";
    let output = sched("exec --capacity 4 --rank-bits 8 --time-bits 10 -", input);
    assert_eq!(text(&output.stdout), "ok\nrange\nrange\nid\n");
    assert_eq!(sched("exec --capacity 0 -", "").status.code(), Some(2));
    assert_eq!(sched("exec --rank-bits 65 -", "").status.code(), Some(2));
    let missing = sched("exec /nonexistent/operations", "");
    assert_eq!(missing.status.code(), Some(1));
    assert!(text(&missing.stderr).contains("/nonexistent/operations"));
}

#[test]
fn implementations_agree() {
    // Numbers of a linear congruence make operations of all kinds.
    let mut state = 1u64;
    let mut next = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % below
    };
    let mut input = String::new();
    for _ in 0..5000 {
        let (id, time) = (next(210), next(300));
        input += &match next(10) {
            0 => format!("deqid {id}\n"),
            1 => format!("deqrange {time} {id} {}\n", id + next(100)),
            2 => "len\n".into(),
            3..5 => format!("deq {time}\n"),
            _ => format!("enq {id} {} {time}\n", next(9)),
        };
    }
    let answers =
        |name: &str| text(&sched(&format!("exec --impl {name} --capacity 200 -"), &input).stdout);
    let list = answers("list");
    assert_eq!(list.lines().count(), 5000);
    assert_eq!(answers("fast"), list);
    assert_ne!(answers("pifo"), list);
}

#[test]
fn bench_gives_rates() {
    let output = sched("bench --flows 1000 --seconds 0.001 --json", "");
    let rates: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let rows = rates["rates"].as_array().expect("rows");
    // 16 bits: all 4, rising 2, random 1; 64 bits without the bitmaps.
    assert_eq!(rows.len(), 13);
    assert!(rows.iter().all(|row| row["mpairs"].as_f64().is_some_and(|rate| rate > 0.0)));
}

#[test]
fn check_prints_the_hierarchy_or_the_fault() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join("sched-policy.toml");
    let good = "rate = \"40 Gb/s\"\n[root]\npolicy = \"drr\"\n[[root.children]]\nname = \"a\"\ncount = 2\n";
    std::fs::write(&file, good).expect("a file");
    let output = sched(&format!("check {}", file.display()), "");
    assert_eq!(output.status.code(), Some(0));
    let expected = "link: 40000000000 b/s, 2 flows\nroot: drr\n  a.0 to a.1, quantum 1500 bytes\n";
    assert_eq!(text(&output.stdout), expected);
    std::fs::write(&file, good.replace("count", "cuont")).expect("a file");
    let output = sched(&format!("check {}", file.display()), "");
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    assert!(message.contains("policy.toml:6:1: unknown key 'cuont'"), "{message}");
}

/// Operations with all kinds of operands, legal and not, and times that go back.
fn random_operations(count: usize) -> String {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    // xorshift64 (Marsaglia, "Xorshift RNGs", 2003).
    let mut below = |bound: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) % bound
    };
    // Full at first.
    let mut text: String = (0..20).map(|id| format!("enq {id} {} {}\n", id / 3, id * 7)).collect();
    text += "len\n";
    for _ in 0..count {
        let rank = [below(8), 65_530 + below(8)][below(2) as usize];
        let time = [below(1 << 16), 65_530 + below(7)][below(2) as usize];
        let id = below(23);
        text += &match below(20) {
            0..9 => format!("enq {id} {rank} {time}\n"),
            9..14 => format!("deq {time}\n"),
            14..16 => format!("deqid {}\n", below(40)),
            16..19 => format!("deqrange {time} {id} {}\n", below(40)),
            _ => "len\n".to_owned(),
        };
    }
    text
}

/// The hardware decides as the reference does, errors included, at every occupancy of 20.
#[test]
fn exec_on_simulated_hardware() {
    let operations = random_operations(4000);
    let expected = sched("exec --capacity 20 -", &operations);
    let expected = text(&expected.stdout);
    for word in ["ok", "none", "id", "duplicate", "range", "20"] {
        assert!(expected.lines().any(|line| line == word), "the operations lead to no {word}");
    }
    for hardware in ["rtl", "rtl-fast", "rtl-pipelined"] {
        let output = sched(&format!("exec --capacity 20 --impl {hardware} -"), &operations);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let found = text(&output.stdout);
        let differ =
            found.lines().zip(expected.lines()).position(|(found, wanted)| found != wanted);
        assert_eq!((differ, found.len()), (None, expected.len()), "{hardware}");
    }
    // The report simulates the same models: figure 2.2's order, in hardware.
    let report = sched("report --only six-packets", "");
    assert_eq!(report.status.code(), Some(0), "{}", text(&report.stderr));
    for block in ["ww_pieo (RTL)", "ww_pieo_fast (RTL)"] {
        let line =
            text(&report.stdout).lines().find(|line| line.contains(block)).map(str::to_owned);
        let line = line.expect("a verdict");
        assert!(
            line.starts_with("holds ") && line.ends_with("ACDBEF at 0, 5, 15, 20, 40, 45"),
            "{line}"
        );
    }
    let output = sched("exec --capacity 3 --impl rtl -", "len\n");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains("4 to 65536 elements, not 3"),
        "{}",
        text(&output.stderr)
    );
}

/// `ww sched report` writes its files, says what is wrong, and ends with a status of 1 for what must hold.
#[test]
fn report_writes_and_judges() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("sched-report");
    let _ = std::fs::remove_dir_all(&folder);
    let arguments =
        format!("report --quick --no-rtl --only six-packets,gallery --out {}", folder.display());
    let output = sched(&arguments, "");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    // The published order and virtual times of WF2Q+ (figure 2.2).
    assert!(text(&output.stdout).contains("ACDBEF at 0, 5, 15, 20, 40, 45"));
    let results = std::fs::read_to_string(folder.join("results.json")).expect("results");
    let results: serde_json::Value = serde_json::from_str(&results).expect("JSON");
    assert_eq!(results["parts"].as_object().map(serde_json::Map::len), Some(2));
    let page = std::fs::read_to_string(folder.join("report.html")).expect("a page");
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<svg "));
    // The same bytes a second time, and as standard output.
    let again = sched(&format!("{arguments} --json"), "");
    assert_eq!(
        text(&again.stdout),
        std::fs::read_to_string(folder.join("results.json")).expect("results")
    );
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&again.stdout).expect("JSON"), results);
}

#[test]
fn report_refuses_what_it_cannot_read() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    assert_eq!(sched("report --only nothing", "").status.code(), Some(2));
    assert_eq!(sched("report --sizes 16", "").status.code(), Some(2));
    let output = sched("report --only hardware --hardware /nonexistent/figures.json", "");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("/nonexistent/figures.json"));
    let file = folder.join("sched-figures.json");
    std::fs::write(&file, "[]").expect("a file");
    let output = sched(&format!("report --only hardware --hardware {}", file.display()), "");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("scripts/pieo_figures.py"), "{}", text(&output.stderr));
    // Outside of the source tree nothing can be measured.
    let output = sched("report --only hardware --measure", "");
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
}
