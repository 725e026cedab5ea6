//! World netns: labs between network namespaces, with the kernel's own stack. Where namespaces cannot be made, the tests
//! say so and do nothing.

use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use ww_netns::testing;

/// One run at a time: each measures what the machine can do.
static ALONE: Mutex<()> = Mutex::new(());

/// Runs that may find the machine too busy, before a test gives up.
const TRIES: usize = 5;

/// Standard error past the capture of the test harness, which hides what passes.
fn say(message: &str) {
    let _ = writeln!(std::io::stderr(), "{message}");
}

/// The right to run; `None` where that cannot be, which is said.
fn possible(test: &str) -> Option<MutexGuard<'static, ()>> {
    let guard = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    testing::available(test).then_some(guard)
}

fn ww(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ww"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A lab in a folder of its own.
struct Lab {
    folder: tempfile::TempDir,
}

impl Lab {
    fn new(toml: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("lab.toml"), toml).expect("a file");
        Self { folder }
    }

    fn path(&self) -> String {
        self.folder.path().display().to_string()
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    fn run(&self, more: &[&str]) -> Output {
        let (path, out) = (self.path(), self.out().display().to_string());
        let mut command = ww(&["lab", "run", &path, "--json", "--out", &out]);
        command.args(more).output().expect("ww runs")
    }

    /// Its results in world sim.
    fn simulated(&self, more: &[&str]) -> Value {
        let output = self.run(&[&["--world", "sim"], more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("JSON")
    }

    /// Its results in world netns; `None` if the machine is too busy, again and again, which is said.
    fn results(&self, test: &str, more: &[&str]) -> Option<Value> {
        let mut why = String::new();
        for _ in 0..TRIES {
            let output = self.run(&[&["--world", "netns"], more].concat());
            let errors = text(&output.stderr);
            if output.status.success() && !errors.contains("busier") {
                return Some(serde_json::from_slice(&output.stdout).expect("JSON"));
            }
            let busy =
                errors.contains("busier") || errors.contains("would give wrong results here");
            assert!(busy, "{errors}");
            why = errors;
        }
        testing::skip(test, &format!("this machine is too busy for it: {why}"));
        None
    }
}

fn figure(results: &Value, path: &str) -> f64 {
    let at = path.split('.').fold(&results["results"], |at, name| &at[name]);
    at["value"].as_f64().unwrap_or_else(|| panic!("no figure {path} in {results:#}"))
}

/// Namespaces of a run of this process, or of any if it is `None`.
fn namespaces(process: Option<u32>) -> Vec<String> {
    let prefix = process.map_or("wwl-".to_owned(), |process| format!("wwl-{process}-"));
    let Ok(entries) = std::fs::read_dir("/run/netns") else { return Vec::new() };
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with(&prefix)).collect()
}

fn record(process: u32) -> PathBuf {
    Path::new("/run/wirewright/labs").join(format!("{process}-0.json"))
}

fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

const HELLO: &str = r#"
title = "Two hosts and a router"
worlds = ["sim", "netns"]
[run]
duration = "1500 ms"
drain = "300 ms"
[[node]]
name = "h0"
kind = "host"
ip = "10.0.1.1"
[[node]]
name = "h1"
kind = "host"
ip = "10.0.2.1"
[[node]]
name = "r0"
kind = "program"
program = "router.p4"
mac = "02:00:00:00:00:fe"
routes = "table_add routes forward {ip}/32 => {port} {own} {next_mac}"
[[link]]
ends = ["h0", "r0:0"]
rate = "50 Mb/s"
delay = "10 ms"
[[link]]
ends = ["h1", "r0:1"]
rate = "50 Mb/s"
delay = "10 ms"
[[traffic]]
name = "ping"
kind = "command"
node = "h0"
run = ["ping", "-c", "5", "-i", "0.1", "{h1.ip}"]
start = "100 ms"
[[traffic]]
name = "stream"
kind = "stream"
from = "h0"
to = "h1"
bytes = "1000 B"
rate = "1 Mb/s"
stop = "400 ms"
[[traffic]]
name = "file"
kind = "flows"
pairs = [["h0", "h1"]]
once = true
start = "500 ms"
sizes = "500 KB"
transport = "cubic"
[measure]
packets = true
capture = ["h1-r0"]
queues = { every = "10 ms", links = "all" }
"#;

/// The router of labs/hello between two kernels: ping, a stream and a file through it; what is written down.
#[test]
fn hello() {
    let test = "hello in netns";
    let Some(_guard) = possible(test) else { return };
    let lab = Lab::new(HELLO);
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../labs/hello/router.p4");
    std::fs::copy(program, lab.folder.path().join("router.p4")).expect("the program");
    let Some(results) = lab.results(test, &[]) else { return };
    assert_eq!(results["world"], "netns");
    assert_eq!(figure(&results, "commands.ping.exit_status"), 0.0);
    let ping = std::fs::read_to_string(lab.out().join("ping.txt")).expect("what ping said");
    assert!(ping.contains("5 received"), "{ping}");
    // The router takes one from the time to live: 64 becomes 63 on the way back.
    assert!(ping.contains("ttl=63"), "{ping}");
    // A packet of 1,000 bytes every 8 ms from 0 to 400 ms: 0, 8, ..., 392.
    assert_eq!(figure(&results, "traffic.stream.packets.sent"), 50.0);
    assert_eq!(figure(&results, "traffic.stream.packets.delivered"), 50.0);
    // Two lines of 50 Mb/s (1,024 bytes: 163.84 us each) and two delays of 10 ms: nothing is faster than that.
    let latency = figure(&results, "traffic.stream.latency_us.p50");
    assert!(latency >= 20_327.0, "{latency}");
    assert_eq!(figure(&results, "traffic.file.flows.finished"), 1.0);
    assert!(figure(&results, "traffic.file.slowdown.mean") >= 1.0);
    let capture = std::fs::read(lab.out().join("capture.pcapng")).expect("a capture");
    let holds = |name: &[u8]| capture.windows(name.len()).any(|window| window == name);
    assert!(holds(b"h1->r0") && holds(b"r0->h1"), "interfaces have the names of directions");
    for file in
        ["flows.parquet", "packets.parquet", "queues.parquet", "results.json", "report.html"]
    {
        assert!(lab.out().join(file).is_file(), "{file}");
    }
    assert_eq!(namespaces(None), [""; 0], "all is removed");
}

const DUMBBELL: &str = r#"
title = "The same in both worlds"
worlds = ["sim", "netns"]
[run]
duration = "5 s"
warmup = "1 s"
drain = "200 ms"
[topology]
kind = "dumbbell"
left = 1
right = 1
edge = { rate = "100 Mb/s", delay = "2 ms", queue = "300 KB" }
core = { rate = "50 Mb/s", delay = "2 ms", queue = "150 KB" }
[[traffic]]
name = "there"
kind = "stream"
from = "h0"
to = "h1"
bytes = "500 B"
rate = "1 Mb/s"
start = "1 s"
stop = "2 s"
[[traffic]]
name = "back"
kind = "stream"
from = "h1"
to = "h0"
bytes = "500 B"
rate = "1 Mb/s"
start = "1 s"
stop = "2 s"
[[traffic]]
name = "bulk"
kind = "flows"
pairs = [["h0", "h1"]]
once = true
start = "2 s"
sizes = "100 MB"
# More than the 80 KB that fill the links, less than would overflow the queue: how TCP finds its window after losses
# differs between the kernel and the model, and is not what this compares.
transport = { kind = "tcp", congestion = "cubic", maximum_window = "150 KB" }
"#;

/// Round-trip time of small packets on idle links, us.
fn round_trip(results: &Value) -> f64 {
    ["there", "back"]
        .map(|name| figure(results, &format!("traffic.{name}.latency_us.p50")))
        .iter()
        .sum()
}

/// Bits a second of the TCP flow while it was there: 3 of the 4 seconds that are measured.
fn goodput(results: &Value) -> f64 {
    figure(results, "traffic.bulk.goodput_bps") * 4.0 / 3.0
}

/// Links that a machine can be which has much else to do.
const LONGER: [&str; 10] = [
    "--set",
    "topology.edge.delay=5 ms",
    "--set",
    "topology.core.delay=5 ms",
    "--set",
    "topology.edge.queue=600 KB",
    "--set",
    "topology.core.queue=600 KB",
    "--set",
    "traffic.bulk.transport.maximum_window=400 KB",
];

/// Goodput within 5 %, the round-trip time within 10 % or 0.3 ms, whichever is more. The median of three runs counts.
/// With delays of 2 ms, or where the machine is too busy for that, of 5 ms.
#[test]
fn as_in_sim() {
    let test = "netns as sim";
    let Some(_guard) = possible(test) else { return };
    let lab = Lab::new(DUMBBELL);
    if !compare(test, &lab, &[]) {
        say(&format!("{test}: again, with longer links"));
        compare(test, &lab, &LONGER);
    }
}

/// Compares the worlds; false if the machine is too busy for it.
fn compare(test: &str, lab: &Lab, set: &[&str]) -> bool {
    let sim = lab.simulated(set);
    let mut found = Vec::new();
    for _ in 0..3 {
        let Some(results) = lab.results(test, set) else { return false };
        found.push((round_trip(&results), goodput(&results)));
    }
    say(&format!(
        "{test}: round trip {:.1} us in sim, {:.1?} us in netns; goodput {:.2} Mb/s in sim, {:.2?} Mb/s in netns",
        round_trip(&sim),
        found.iter().map(|(time, _)| *time).collect::<Vec<_>>(),
        goodput(&sim) / 1e6,
        found.iter().map(|(_, rate)| rate / 1e6).collect::<Vec<_>>(),
    ));
    let median = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    let time = median(found.iter().map(|(time, _)| *time).collect());
    let rate = median(found.iter().map(|(_, rate)| *rate).collect());
    let bound = (round_trip(&sim) * 0.1).max(300.0);
    assert!(
        (time - round_trip(&sim)).abs() <= bound,
        "round trip: {time} us, {} in sim",
        round_trip(&sim)
    );
    assert!(
        (rate / goodput(&sim) - 1.0).abs() <= 0.05,
        "goodput: {rate}, {} in sim",
        goodput(&sim)
    );
    true
}

const STAR: &str = r#"
title = "Requests, incast, and a link that goes and comes"
worlds = ["sim", "netns"]
[run]
duration = "3 s"
drain = "500 ms"
[topology]
kind = "star"
hosts = 4
edge = { rate = "20 Mb/s", delay = "5 ms", queue = "200 KB" }
[[traffic]]
name = "ask"
kind = "requests"
clients = ["h0"]
servers = ["h1"]
request = "200 B"
response = "10 KB"
transport = "cubic"
start = "200 ms"
stop = "1200 ms"
[[traffic]]
name = "many"
kind = "incast"
from = ["h1", "h2", "h3"]
to = "h0"
bytes = "20 KB"
period = "250 ms"
transport = "cubic"
start = "1200 ms"
stop = "1800 ms"
[[traffic]]
name = "stream"
kind = "stream"
from = "h3"
to = "h2"
bytes = "1000 B"
rate = "1 Mb/s"
start = "2 s"
stop = "3 s"
[[change]]
at = "2300 ms"
link = "h3-s0"
down = true
[[change]]
at = "2700 ms"
link = "h3-s0"
up = true
"#;

/// Requests take what handshakes and answers take, each turn of an incast has its flows, and a link that is down for
/// 400 ms costs the packets of that time: 50, one each 8 ms.
#[test]
fn requests_incast_and_changes() {
    let test = "requests in netns";
    let Some(_guard) = possible(test) else { return };
    let lab = Lab::new(STAR);
    let sim = lab.simulated(&[]);
    let Some(netns) = lab.results(test, &[]) else { return };
    for (world, results) in [("sim", &sim), ("netns", &netns)] {
        // Two handshakes of 20 ms, two ways of 10 ms, and 7 segments of 0.62 ms on a line and the last one on the next.
        let answered = figure(results, "traffic.ask.fct_us.mean");
        let expected = 65_000.0;
        assert!((answered / expected - 1.0).abs() < 0.1, "{world}: {answered}");
        assert!(figure(results, "traffic.ask.flows.finished") >= 13.0, "{world}");
        // At 1,200, 1,450 and 1,700 ms.
        assert_eq!(figure(results, "traffic.many.flows.finished"), 9.0, "{world}");
        // 60 KB at 20 Mb/s.
        let slowest = figure(results, "traffic.many.fct_us.largest");
        assert!(slowest >= 24_000.0, "{world}: {slowest}");
        assert_eq!(figure(results, "traffic.stream.packets.sent"), 125.0, "{world}");
        let lost = figure(results, "traffic.stream.packets.dropped");
        assert!((48.0..=52.0).contains(&lost), "{world}: {lost}");
    }
}

/// Whether there is no such process, or only its exit status.
fn has_ended(process: &str) -> bool {
    let stat = std::fs::read_to_string(Path::new("/proc").join(process).join("stat"));
    stat.map_or(true, |stat| {
        stat.rsplit(')').next().is_some_and(|rest| rest.trim().starts_with('Z'))
    })
}

const LONG: &str = r#"
title = "Long"
worlds = ["sim", "netns"]
[run]
duration = "100 s"
[topology]
kind = "star"
hosts = 2
edge = { rate = "10 Mb/s", delay = "20 ms" }
[[traffic]]
name = "sleep"
kind = "command"
node = "h1"
run = ["sleep", "1000"]
"#;

/// A run that has begun, with its command at work.
fn begun(test: &str, lab: &Lab) -> Option<Child> {
    for _ in 0..TRIES {
        let (path, out) = (lab.path(), lab.out().display().to_string());
        let mut command = ww(&["lab", "run", &path, "--world", "netns", "--out", &out]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("ww runs");
        let begins = lab.out().join("sleep.txt");
        let mut ended = false;
        wait_until("the run begins", || {
            ended = child.try_wait().expect("a status").is_some();
            ended || begins.exists()
        });
        if !ended {
            return Some(child);
        }
        let errors = text(&child.wait_with_output().expect("output").stderr);
        assert!(errors.contains("would give wrong results here"), "{errors}");
    }
    testing::skip(test, "this machine is too busy for it");
    None
}

/// What a killed run leaves behind is removed by `ww lab clean`, with what runs in it, and nothing else.
#[test]
fn clean_after_a_kill() {
    let test = "ww lab clean";
    let Some(_guard) = possible(test) else { return };
    let stranger = format!("ww-test-{}-stranger", std::process::id());
    let add = Command::new("ip").args(["netns", "add", &stranger]).status();
    assert!(add.expect("ip runs").success());
    let lab = Lab::new(LONG);
    if let Some(mut child) = begun(test, &lab) {
        let process = child.id();
        // As long as it runs nothing of it is removed.
        let output = ww(&["lab", "clean"]).output().expect("ww runs");
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_eq!(namespaces(Some(process)).len(), 4, "two hosts, a switch, and the links");
        child.kill().expect("a kill");
        child.wait().expect("an end");
        let pids = || {
            let host = namespaces(Some(process)).into_iter().find(|name| name.ends_with("h1"))?;
            let output = Command::new("ip").args(["netns", "pids", &host]).output().ok()?;
            Some(text(&output.stdout))
        };
        let left = pids().expect("the host's namespace is still there");
        let left = left.split_whitespace().next().expect("its command still runs").to_owned();
        let output = ww(&["lab", "clean"]).output().expect("ww runs");
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(
            text(&output.stdout).contains(&format!("removed wwl-{process}-0-h1")),
            "{output:?}"
        );
        assert_eq!(namespaces(Some(process)), [""; 0]);
        assert!(!record(process).exists());
        wait_until("the command has ended", || has_ended(&left));
    }
    let output = Command::new("ip").args(["netns", "del", &stranger]).output().expect("ip runs");
    assert!(output.status.success(), "another's namespace was removed");
}

#[test]
fn ctrl_c() {
    let test = "Ctrl-C in netns";
    let Some(_guard) = possible(test) else { return };
    let lab = Lab::new(LONG);
    let Some(child) = begun(test, &lab) else { return };
    let process = child.id();
    let sent = Command::new("kill").args(["-INT", &process.to_string()]).status();
    assert!(sent.expect("kill runs").success());
    let output = child.wait_with_output().expect("output");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("stopped"), "{}", text(&output.stderr));
    assert_eq!(namespaces(Some(process)), [""; 0]);
    assert!(!record(process).exists());
}

/// What this machine cannot be is refused, in words that say what to change; nothing is left behind.
#[test]
fn refusals() {
    let Some(_guard) = possible("refusals in netns") else { return };
    let lab = Lab::new(LONG);
    let fast = ["topology.edge.delay=10 us", "topology.edge.rate=400 Gb/s"];
    let cases: [(&[&str], &[&str]); 5] = [
        (
            &fast,
            &[
                "h0->s0 has 10 us",
                "--set topology.edge.delay=\"",
                "h0->s0 has 400000 Mb/s",
                "World sim has no such bounds",
            ],
        ),
        (&["worlds=[\"sim\"]"], &["is not for world netns: 'worlds' does not name it"]),
        (
            &["worlds=[\"sim\"]", "netns=cannot: it is secret"],
            &["is not for world netns: it is secret"],
        ),
        (
            &["node=[{ name = \"s0\", scheduler = \"fifo.toml\" }]"],
            &["a plain switch with a scheduler"],
        ),
        (
            &[
                "traffic=[{ name = \"d\", kind = \"flows\", pairs = [[\"h0\", \"h1\"]], once = true, sizes = \"1 KB\", transport = \"bbr9\" }]",
            ],
            &["there is no transport 'bbr9'"],
        ),
    ];
    std::fs::write(
        lab.folder.path().join("fifo.toml"),
        std::fs::read(
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../labs/schedulers/fifo.toml"),
        )
        .expect("a policy"),
    )
    .expect("a file");
    for (settings, words) in cases {
        let set: Vec<&str> = settings.iter().flat_map(|setting| ["--set", setting]).collect();
        let output = lab.run(&[&["--world", "netns"], &set[..]].concat());
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{errors}");
        for word in words {
            assert!(errors.contains(word), "{word}\n{errors}");
        }
        assert_eq!(namespaces(None), [""; 0]);
    }
}

/// A lab of the tree without its variants, so that the machine is measured for one run at a time.
fn installed(name: &str) -> Lab {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../labs").join(name);
    let text = std::fs::read_to_string(folder.join("lab.toml")).expect("a lab");
    let (plain, _) = text.split_once("[[variant]]").expect("a lab with variants");
    Lab::new(plain)
}

/// Figures of both worlds, which must be within 5 % of one another.
fn agree(lab: &Lab, test: &str, set: &str, paths: &[&str]) {
    let simulated = lab.simulated(&["--set", set]);
    let Some(real) = lab.results(test, &["--set", set]) else { return };
    for path in paths {
        let [simulated, real] = [&simulated, &real].map(|results| figure(results, path));
        say(&format!("{set}: {path}: {simulated} in sim, {real} in netns"));
        assert!((real / simulated - 1.0).abs() < 0.05, "{set}: {path}: {simulated} {real}");
    }
}

/// RCP* with real packets: hosts that compute rates, registers in switches that are processes.
#[test]
fn rcp_shares_in_both_worlds() {
    let test = "RCP* in netns";
    let Some(_guard) = possible(test) else { return };
    let lab = installed("rcp");
    let figures = [
        "tpp.rcp.pair0_bps",
        "tpp.rcp.pair1_bps",
        "tpp.rcp.pair2_bps",
        "links.s0->s1.utilisation",
        "links.s1->s2.utilisation",
    ];
    for alpha in ["0.0", "1.0", "2.0"] {
        agree(&lab, test, &format!("tpp.app.rcp.alpha={alpha}"), &figures);
    }
}

/// CONGA* with real packets.
#[test]
fn conga_utilisation_in_both_worlds() {
    let test = "CONGA* in netns";
    let Some(_guard) = possible(test) else { return };
    let lab = installed("conga");
    let figures = [
        "tpp.conga.demand0_bps",
        "tpp.conga.demand1_bps",
        "links.spine0->leaf2.utilisation",
        "links.spine1->leaf2.utilisation",
    ];
    agree(&lab, test, "tpp.app.conga.balanced=true", &figures);
}

/// Programs in P4 execute the TPPs of real packets, and say the same ways as in virtual time.
#[test]
fn histories_in_both_worlds() {
    let test = "histories in netns";
    let Some(_guard) = possible(test) else { return };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../labs/histories");
    let read = |name| std::fs::read_to_string(folder.join(name)).expect("a file of the lab");
    let lab = Lab::new(&read("lab.toml"));
    for name in ["router.p4", "rules.toml"] {
        std::fs::write(lab.folder.path().join(name), read(name)).expect("a file");
    }
    let Some(results) = lab.results(test, &[]) else { return };
    // Of each of three streams 150 packets, all with three hops; what is wrong concerns those of one stream.
    for (variant, violating, by_r2, by_r3) in
        [("right", 0.0, 0.0, 150.0), ("wrong", 150.0, 150.0, 0.0), ("stale", 150.0, 0.0, 150.0)]
    {
        let figure = |name: &str| figure(&results, &format!("{variant}.tpp.ways.{name}"));
        assert_eq!((figure("histories"), figure("mean_hops")), (450.0, 3.0), "{variant}");
        assert_eq!(figure("violating"), violating, "{variant}");
        let found = (figure("queries.to_h1_by_r2"), figure("queries.to_h1_by_r3"));
        assert_eq!(found, (by_r2, by_r3), "{variant}");
    }
}

const COLLECTED: &str = r#"
title = "A program in the packets of real hosts"
worlds = ["sim", "netns"]
[run]
duration = "1500 ms"
drain = "300 ms"
[topology]
kind = "dumbbell"
left = 1
right = 1
edge = { rate = "50 Mb/s", delay = "5 ms" }
core = { rate = "50 Mb/s", delay = "5 ms" }
[[traffic]]
name = "stream"
kind = "stream"
from = "h0"
to = "h1"
bytes = "1000 B"
rate = "1 Mb/s"
stop = "1 s"
[[traffic]]
name = "file"
kind = "flows"
pairs = [["h1", "h0"]]
once = true
sizes = "200 KB"
transport = { kind = "tcp", congestion = "cubic", segment = "1300 B" }
[tpp]
[[tpp.app]]
name = "paths"
kind = "collect"
program = "PUSH [Switch:SwitchID]\nPUSH [PacketMetadata:OutputPort]\nPUSH [PacketMetadata:InputPort]\n"
hops = 2
"#;

/// The kernels' sockets, behind shims, get what they would get without: a stream of UDP and a file over TCP.
#[test]
fn sockets_behind_shims() {
    let test = "shims in netns";
    let Some(_guard) = possible(test) else { return };
    let lab = Lab::new(COLLECTED);
    let Some(results) = lab.results(test, &[]) else { return };
    // A packet of 1,000 bytes every 8 ms from 0 to 1 s: 0, 8, ..., 992.
    assert_eq!(figure(&results, "traffic.stream.packets.sent"), 125.0);
    assert_eq!(figure(&results, "traffic.stream.packets.delivered"), 125.0);
    assert_eq!(figure(&results, "traffic.file.flows.finished"), 1.0);
    // The file's segments, or some of them, and their acknowledgements carry TPPs as well.
    assert!(figure(&results, "tpp.paths.collected") > 125.0);
    assert_eq!(figure(&results, "tpp.paths.mean_hops"), 2.0);
    // s0 has h0 at port 0 and s1 at port 1; s1 has h1 at port 0.
    assert_eq!(figure(&results, "tpp.paths.s0->s1.InputPort.zero_share"), 1.0);
    assert_eq!(figure(&results, "tpp.paths.s1->h1.InputPort.mean"), 1.0);
    assert!(lab.out().join("tpps.parquet").is_file());
}
