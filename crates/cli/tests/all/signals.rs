//! SIGINT and SIGTERM while a program is being read and compiled.

use std::fs::{self, File};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// `O_NONBLOCK` of Linux: a pipe that nobody reads cannot be opened for writing.
const NO_WAIT: i32 = 0o4000;

/// The first signal ends the command with status 1 and leaves no file. The program is a pipe: once
/// it can be opened for writing, the command waits for the program's text.
fn ends_at_once(name: &str, signal: &str, arguments: &[&str]) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("signals-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let made = Command::new("mkfifo").arg(folder.join("prog.p4")).status().expect("mkfifo runs");
    assert!(made.success());
    for file in ["in.pcap", "t.stf"] {
        fs::write(folder.join(file), "").expect("a file");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_ww"));
    command.current_dir(&folder).args(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("ww runs");
    let end = Instant::now() + Duration::from_secs(20);
    let mut pipe = File::options();
    pipe.write(true).custom_flags(NO_WAIT);
    let text = loop {
        match pipe.open(folder.join("prog.p4")) {
            Ok(text) => break text,
            Err(error) => assert!(Instant::now() < end, "{arguments:?} opens no program: {error}"),
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let id = child.id().to_string();
    let sent = Command::new("kill").args([signal, &id]).status().expect("kill runs");
    assert!(sent.success());
    while child.try_wait().expect("a child").is_none() {
        if Instant::now() > end {
            child.kill().expect("a child");
            panic!("{arguments:?} goes on after {signal}");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().expect("it ends");
    drop(text);
    assert_eq!(output.status.code(), Some(1), "{arguments:?} after {signal}: {:?}", output.status);
    assert!(output.stdout.is_empty(), "{arguments:?} printed");
    let mut left: Vec<_> = fs::read_dir(&folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["in.pcap", "prog.p4", "t.stf"], "{arguments:?} left files");
}

#[test]
fn the_first_signal_ends_a_command_that_compiles() {
    ends_at_once("run", "-TERM", &["run", "prog.p4", "--port", "0=in.pcap:out.pcap"]);
    ends_at_once("run-int", "-INT", &["run", "prog.p4", "--port", "0=in.pcap:out.pcap"]);
    ends_at_once("bench", "-INT", &["bench", "prog.p4", "--pcap", "0=in.pcap"]);
    ends_at_once("stf", "-TERM", &["stf", "prog.p4", "t.stf"]);
    ends_at_once("trace", "-INT", &["trace", "prog.p4", "--port", "0=in.pcap"]);
    ends_at_once("build", "-TERM", &["build", "prog.p4", "--target", "rtl", "--out", "out"]);
    ends_at_once("report", "-INT", &["report", "prog.p4"]);
    ends_at_once("check", "-TERM", &["check", "prog.p4"]);
}
