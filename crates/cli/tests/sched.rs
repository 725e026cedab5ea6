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
