//! The router of docs/tutorial.md, as the tutorial runs it: on a capture, on its test, and live
//! between two network namespaces, where a ping and a TCP transfer go through it.
//!
//! The live test needs root, network namespaces, iproute2, ping and python3; where these are
//! missing it says so and passes.

use crate::namespaces;

use namespaces::{Namespaces, Process};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Bytes fetched over TCP in each direction.
const TRANSFER: usize = 2 << 20;

/// Frames that the sniffer looks at; a transfer has several times as many.
const SNIFFED: usize = 400;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn example(name: &str) -> String {
    root().join("examples/router").join(name).display().to_string()
}

fn read(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn ww(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ww")).args(arguments).output().expect("ww runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_program_passes_its_test() {
    let output = ww(&["stf", &example("router.p4"), &example("router.stf")]);
    let stdout = text(&output.stdout);
    assert!(output.status.success(), "{stdout}{}", text(&output.stderr));
    assert!(stdout.starts_with("PASS"), "{stdout}");
}

#[test]
fn the_program_has_no_warnings() {
    let output = ww(&["check", &example("router.p4")]);
    assert!(output.status.success());
    assert_eq!(text(&output.stdout) + &text(&output.stderr), "");
}

/// The tutorial shows the files piece by piece; each piece stands in the file.
#[test]
fn the_tutorial_shows_these_files() {
    let tutorial = read(root().join("docs/tutorial.md"));
    let mut pieces = 0;
    for (kind, file) in [
        ("p4", "router.p4"),
        ("entries", "entries.txt"),
        ("stf", "router.stf"),
        ("python", "make_pcap.py"),
    ] {
        let whole = read(example(file));
        let fence = format!("```{kind}\n");
        for block in tutorial.split(fence.as_str()).skip(1) {
            let piece = block.split("```").next().unwrap_or_default();
            assert!(whole.contains(piece), "{file} does not contain\n{piece}");
            pieces += 1;
        }
    }
    assert!(pieces >= 10, "the tutorial shows {pieces} pieces");
}

/// Commands of the tutorial (`$ ww ..`) with the output that it shows.
fn shown_commands(tutorial: &str) -> Vec<(String, Vec<String>)> {
    let mut commands: Vec<(String, Vec<String>)> = Vec::new();
    for block in tutorial.split("```console\n").skip(1) {
        let mut current = None;
        for line in block.split("```").next().unwrap_or_default().lines() {
            if let Some(command) = line.strip_prefix("$ ") {
                current = command.strip_prefix("ww ").map(|arguments| {
                    commands.push((arguments.to_owned(), Vec::new()));
                    commands.len() - 1
                });
            } else if line.starts_with("# ") {
                current = None;
            } else if let Some(n) = current {
                commands[n].1.push(line.to_owned());
            }
        }
    }
    commands
}

/// What the tutorial shows is what happens, as far as it uses the finished files: every line shown
/// is in the output, in order; `...` stands for lines left out.
#[test]
fn the_tutorial_shows_what_happens() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tutorial");
    std::fs::create_dir_all(&folder).expect("a folder");
    for file in ["router.p4", "entries.txt", "router.stf"] {
        std::fs::copy(example(file), folder.join(file)).expect("a copy");
    }
    let mut python = Command::new("python3");
    if !python.arg(example("make_pcap.py")).current_dir(&folder).status().is_ok_and(|s| s.success())
    {
        ww_netns::testing::skip("the_tutorial_shows_what_happens", "needs python3");
        return;
    }
    let mut compared = 0;
    for (arguments, shown) in shown_commands(&read(root().join("docs/tutorial.md"))) {
        // Steps that show a mistake use other files.
        if shown.iter().any(|line| line.starts_with("error: ") || line.starts_with("FAIL")) {
            continue;
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_ww"));
        command.args(arguments.split_whitespace()).current_dir(&folder);
        let output = command.output().expect("ww runs");
        let actual = text(&output.stdout) + &text(&output.stderr);
        let mut lines = actual.lines();
        for line in shown.iter().filter(|line| *line != "...") {
            assert!(
                lines.any(|found| found == line),
                "ww {arguments}: no line\n{line}\nin\n{actual}"
            );
            compared += 1;
        }
    }
    assert!(compared > 25, "{compared} lines compared");
}

/// The router, once packets go through it.
fn router(names: &Namespaces, options: &[&str]) -> Process {
    let mut router = names.command("router", env!("CARGO_BIN_EXE_ww"));
    router.args(["run", &example("router.p4"), "--entries", &example("entries.txt"), "--json"]);
    router.args(["--port", "1=p1", "--port", "2=p2"]).args(options);
    let router = names.spawn(router.stdout(Stdio::piped()).stderr(Stdio::piped()));
    let deadline = Instant::now() + Duration::from_secs(20);
    while !names.ping("h1", "10.0.2.1", &["-c", "1", "-W", "1"]) {
        assert!(Instant::now() < deadline, "no reply through the router");
    }
    router
}

/// Behind queues with a line of 20 Mb/s, TCP takes the time that the line takes for its bytes, or
/// longer, and nothing arrives damaged.
fn with_slow_lines(names: &Namespaces) {
    let policy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("slow_lines.toml");
    let text_of_policy = "rate = \"20 Mb/s\"\n[root]\npolicy = \"fifo\"\n[[root.children]]\n\
                          name = \"all\"\n[traffic.queue]\nbytes = 60_000\n";
    std::fs::write(&policy, text_of_policy).expect("a file");
    let router = router(names, &["--scheduler", &policy.display().to_string()]);
    let began = Instant::now();
    names.transfer("h1", "h2", "10.0.2.1", TRANSFER, SNIFFED);
    let least = Duration::from_secs_f64(TRANSFER as f64 * 8.0 / 20e6);
    assert!(began.elapsed() >= least, "{:?} for what takes {least:?}", began.elapsed());

    let output = router.interrupt();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let queues = report["queues"].as_array().expect("queues");
    let sum =
        |key: &str| queues.iter().map(|port| port[key].as_f64().expect("a number")).sum::<f64>();
    assert_eq!(Some(sum("sent") as u64), report["engine"]["transmitted"].as_u64(), "{report:#}");
    // 400 ns for each byte, and for 24 around each frame.
    let line = 400.0 * (sum("sent_bytes") + 24.0 * sum("sent"));
    assert!((sum("busy_ns") / line - 1.0).abs() < 1e-6, "{report:#}");
    // Packets waited for each other, and were on their way when their time had come, not before.
    let longest = |port: &Value| port["flows"][0]["longest_wait_ns"].as_f64();
    assert!(queues.iter().filter_map(longest).any(|wait| wait > 400.0 * 1514.0), "{report:#}");
}

#[test]
fn live_between_namespaces() {
    let Some(names) = Namespaces::new("live_between_namespaces", &example("netns.sh")) else {
        return;
    };
    let router = router(&names, &[]);
    for (host, address) in [("h1", "10.0.2.1"), ("h2", "10.0.1.1")] {
        // With one byte of payload and with the largest that needs no fragments.
        for size in ["1", "1472"] {
            let options = ["-c", "3", "-i", "0.2", "-W", "5", "-s", size];
            assert!(names.ping(host, address, &options), "ping of {size} bytes from {host}");
        }
    }
    // A packet whose TTL is used up goes nowhere.
    assert!(!names.ping("h1", "10.0.2.1", &["-c", "1", "-W", "1", "-t", "1"]));

    for (client, server, address) in [("h1", "h2", "10.0.2.1"), ("h2", "h1", "10.0.1.1")] {
        let frames = names.transfer(client, server, address, TRANSFER, SNIFFED);
        assert_eq!(frames["wrong"], 0, "frames that reached {client}: {frames}");
        assert_eq!(frames["seen"], SNIFFED, "{frames}");
        assert!(frames["longest"].as_u64() <= Some(1514), "{frames}");
    }
    for host in ["h1", "h2"] {
        assert_eq!(names.checksum_errors(host), 0, "in the kernel of {host}");
    }

    let output = router.interrupt();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let sum = |what: &str, unit: &str| -> u64 {
        let ports = report["world"]["ports"].as_array().expect("ports");
        assert_eq!(ports.len(), 2);
        ports.iter().map(|port| port[what][unit].as_u64().expect("a number")).sum()
    };
    let failures = |port: &Value| {
        let fields = ["rx_errors", "tx_errors"];
        fields.iter().map(|f| port[f].as_u64().expect("a number")).sum::<u64>()
    };
    let ports = report["world"]["ports"].as_array().expect("ports");
    assert_eq!(ports.iter().map(failures).sum::<u64>(), 0, "{report:#}");
    let dropped: u64 = report["engine"]["dropped"]
        .as_object()
        .expect("reasons")
        .values()
        .map(|count| count.as_u64().expect("a number"))
        .sum();
    assert!(dropped >= 1, "the packet whose TTL was used up: {report:#}");
    // What came in was routed or dropped; the direct counter saw every packet that was routed.
    let transmitted = report["engine"]["transmitted"].as_u64().expect("a number");
    assert_eq!(sum("rx", "packets"), transmitted + dropped, "{report:#}");
    let routed: u64 = report["counters"]
        .as_array()
        .expect("counters")
        .iter()
        .filter(|counter| counter["name"] == "RouterIngress.routed")
        .map(|counter| counter["packets"].as_u64().expect("a number"))
        .sum();
    assert_eq!(routed, transmitted, "{report:#}");
    assert!(sum("tx", "bytes") > 2 * TRANSFER as u64, "{report:#}");
    with_slow_lines(&names);
}
