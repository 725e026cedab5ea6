//! `ww ctl` against a running `ww run`, and the learning switch with its controller in Python.
//!
//! The live tests need root, network namespaces, iproute2 and python3; where these are missing
//! they say so and pass.

use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};
use std::time::{Duration, Instant};
use ww_netns::{Namespaces, testing};

fn example(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/learning");
    folder.join(name).display().to_string()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A process that is killed if it is still there when dropped.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A network namespace of its own, removed when dropped.
struct Namespace(Namespaces);

impl Namespace {
    fn new(test: &str) -> Option<Self> {
        if !testing::has(test, "python3", &["-V"]) {
            return None;
        }
        let this = Self(testing::namespaces(test, &["-ctl"])?);
        // The kernel's own IPv6 frames would be news to the switch.
        let quiet = ww_netns::sysctl(this.name(), "net.ipv6.conf.default.disable_ipv6", "1");
        quiet.expect("a setting");
        Some(this)
    }

    fn name(&self) -> &str {
        self.0.name("-ctl")
    }

    fn command(&self, program: &str) -> Command {
        ww_netns::command(self.name(), program)
    }

    fn socket(&self) -> String {
        // A short one: names of sockets have at most 107 bytes.
        std::env::temp_dir().join(format!("{}.sock", self.name())).display().to_string()
    }

    /// `ww run` with three TAP devices and a socket, ready to take requests.
    fn run(&self, program: &str, engine: &str) -> Process {
        self.run_with(program, engine, &[])
    }

    fn run_with(&self, program: &str, engine: &str, options: &[&str]) -> Process {
        let mut ww = self.command(env!("CARGO_BIN_EXE_ww"));
        ww.args(["run", program, "--engine", engine, "--control", &self.socket(), "--json"]);
        ww.args(["--port", "1=tap:t1", "--port", "2=tap:t2", "--port", "3=tap:t3"]).args(options);
        ww.stdin(Stdio::null()).stdout(Stdio::piped());
        let process = Process(ww.spawn().expect("ww runs"));
        // Verilator and a C++ compiler may have to make a model first.
        let deadline = Instant::now() + Duration::from_secs(300);
        let open = |name: &str| {
            let up = self.command("ip").args(["-br", "link", "show", name]).output();
            up.is_ok_and(|output| text(&output.stdout).contains("LOWER_UP"))
        };
        while !ctl(self, &["generation"]).status.success()
            || !["t1", "t2", "t3"].iter().all(|n| open(n))
        {
            assert!(Instant::now() < deadline, "ww run does not take requests");
            std::thread::sleep(Duration::from_millis(50));
        }
        process
    }

    /// The script that sends and receives frames.
    fn frames(&self) -> Frames {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all/ctl/frames.py");
        let mut python = self.command("python3");
        python.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = Process(python.spawn().expect("python3 runs"));
        let input = process.0.stdin.take().expect("a pipe");
        let output = BufReader::new(process.0.stdout.take().expect("a pipe"));
        let mut frames = Frames { input, output, _process: process };
        assert_eq!(frames.line(), "ready");
        frames
    }
}

struct Frames {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    _process: Process,
}

impl Frames {
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("a line");
        line.trim_end().to_owned()
    }

    fn ask(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("it reads");
    }

    /// How many frames arrived at t1, t2 and t3.
    fn arrived(&mut self) -> [u64; 3] {
        let value: Value = serde_json::from_str(&self.line()).expect("JSON");
        ["t1", "t2", "t3"].map(|name| value[name].as_u64().expect("a number"))
    }

    fn send(&mut self, from: &str, to: &str, tap: &str) -> [u64; 3] {
        self.ask(&format!("flood {from} {to} {tap} 1"));
        self.arrived()
    }
}

fn ctl(namespace: &Namespace, arguments: &[&str]) -> Output {
    let mut ww = Command::new(env!("CARGO_BIN_EXE_ww"));
    ww.args(["ctl", "--socket", &namespace.socket()]).args(arguments);
    ww.stdin(Stdio::null()).output().expect("ww runs")
}

/// A request that must succeed; what it prints.
fn done(namespace: &Namespace, arguments: &[&str]) -> String {
    let output = ctl(namespace, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// A request that must be refused with status 1.
fn refused(namespace: &Namespace, arguments: &[&str], expected: &str) {
    let output = ctl(namespace, arguments);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {message}");
    assert!(message.contains(expected), "{arguments:?}: {message}");
}

const A: &str = "020000000001";
const B: &str = "020000000002";

#[test]
fn flooding_stops_when_the_controller_has_learned() {
    learning("interp");
}

#[test]
fn the_native_engine_learns_too() {
    learning("jit");
}

fn learning(engine: &str) {
    let Some(namespace) = Namespace::new(&format!("learn-{engine}")) else { return };
    let _ww = namespace.run(&example("learning.p4"), engine);
    let mut python = Command::new("python3");
    python.arg(example("controller.py")).arg(namespace.socket()).args(["1", "2", "3"]);
    let mut controller = Process(python.stdout(Stdio::piped()).spawn().expect("python3 runs"));
    let mut says = BufReader::new(controller.0.stdout.take().expect("a pipe")).lines();
    let mut hear = || says.next().expect("a line").expect("a line");
    assert_eq!(hear(), "ready");
    let mut frames = namespace.frames();
    assert_eq!(frames.send(A, B, "t1"), [0, 1, 1], "flooded");
    assert_eq!(hear(), format!("{A} is at port 1"));
    assert_eq!(frames.send(B, A, "t2"), [1, 0, 0], "A is known");
    assert_eq!(hear(), format!("{B} is at port 2"));
    assert_eq!(frames.send(A, B, "t1"), [0, 1, 0], "B is known");
    // A moves.
    assert_eq!(frames.send(A, B, "t3"), [0, 1, 0]);
    assert_eq!(hear(), format!("{A} is at port 3"));
    assert_eq!(frames.send(B, A, "t2"), [0, 0, 1]);
    let dump: Value =
        serde_json::from_str(&done(&namespace, &["--json", "table", "dump", "sources"]))
            .expect("JSON");
    assert_eq!(dump["count"], 2, "the old place of A is forgotten: {dump}");
}

#[test]
fn requests_to_a_running_dataplane() {
    requests("interp");
}

#[test]
fn requests_to_the_native_engine() {
    requests("jit");
}

fn requests(engine: &str) {
    let Some(namespace) = Namespace::new(&format!("run-{engine}")) else { return };
    let mut ww = namespace.run(&example("learning.p4"), engine);
    let ask = |arguments: &[&str]| done(&namespace, arguments);
    assert!(ask(&["table", "list"]).contains(
        "table LearningIngress.destinations: size 4096, keys: hdr.ethernet.dst (exact, 48 bits)"
    ));
    assert_eq!(
        ask(&["table", "add", "destinations", "02:00:00:00:00:02", "do", "forward", "2"]),
        "handle 0\n"
    );
    assert_eq!(
        ask(&["table", "add", "destinations", "02:00:00:00:00:01", "=>", "forward", "1"]),
        "handle 1\n"
    );
    let dump = ask(&["table", "dump", "destinations"]);
    assert!(
        dump.contains("  0: hdr.ethernet.dst=0x20000000002 => LearningIngress.forward port=0x2\n"),
        "{dump}"
    );
    assert!(dump.contains("default: LearningIngress.flood"), "{dump}");
    refused(
        &namespace,
        &["table", "add", "destinations", "02:00:00:00:00:02", "do", "forward", "3"],
        "same key already",
    );
    refused(
        &namespace,
        &["table", "add", "destination", "1", "do", "flood"],
        "did you mean `LearningIngress.destinations`?",
    );
    assert_eq!(
        ctl(&namespace, &["table", "add", "destinations", "1", "=", "flood"]).status.code(),
        Some(2)
    );

    // Commands, all or nothing.
    let commands = namespace.0.folder().join("commands.txt");
    std::fs::write(
        &commands,
        "table_add destinations forward 5 => 3\ntable_add destinations forward 5 => 4\n",
    )
    .expect("a file");
    let file = commands.display().to_string();
    refused(&namespace, &["run", "--atomic", &file], "nothing is changed");
    assert_eq!(ask(&["table", "dump", "destinations"]), dump);

    // A program that does not fit, one that does not compile, and one that takes over while
    // frames flow.
    let program = std::fs::read_to_string(example("learning.p4")).expect("the program");
    let write = |name: &str, text: String| {
        let path = namespace.0.folder().join(name);
        std::fs::write(&path, text).expect("a file");
        path.display().to_string()
    };
    let misfit =
        write("misfit.p4", program.replace("hdr.ethernet.dst: exact", "hdr.ethernet.dst: lpm"));
    refused(
        &namespace,
        &["load", &misfit],
        "table `LearningIngress.destinations`: the new program's has the key `hdr.ethernet.dst` as lpm of 48 bit(s) instead of exact of 48",
    );
    let broken = write("broken.p4", program.replace("apply {}", "apply { nonsense(); }"));
    refused(&namespace, &["load", &broken], "nonsense");
    assert_eq!(ask(&["table", "dump", "destinations"]), dump);
    let next = write("next.p4", program.replace("size = 4096;", "size = 8192;"));
    let mut frames = namespace.frames();
    frames.ask(&format!("load {A} {B} t1 1500"));
    for _ in 0..3 {
        let said = ask(&["load", &next]);
        assert!(said.contains("table LearningIngress.destinations keeps 2 entries"), "{said}");
    }
    assert_eq!(frames.arrived(), [0, 1500, 0], "no frame is lost");
    let generation: Value = serde_json::from_str(&ask(&["generation", "--json"])).expect("JSON");
    assert_eq!(generation["loads"], 3);
    let ports: Value = serde_json::from_str(&ask(&["port", "show", "--json"])).expect("JSON");
    assert_eq!(ports["ports"][0]["rx_packets"], 1500, "{ports}");
    assert_eq!(ports["ports"][1]["tx_packets"], 1500, "{ports}");

    ask(&["stop"]);
    let mut report = String::new();
    let mut output = ww.0.stdout.take().expect("a pipe");
    std::io::Read::read_to_string(&mut output, &mut report).expect("a report");
    assert!(ww.0.wait().expect("it ends").success());
    let report: Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report["engine"]["received"], 1500, "of all programs: {report:#}");
    assert!(!Path::new(&namespace.socket()).exists());
}

/// Queues and a TCPU belong to the packets' side, which answers between two batches of the native engine.
#[test]
fn queues_and_tpp_words_of_a_running_dataplane() {
    for engine in ["interp", "jit"] {
        let Some(namespace) = Namespace::new(&format!("blocks-{engine}")) else { return };
        let folder = namespace.0.folder();
        let (policy, settings) = (folder.join("policy.toml"), folder.join("settings.toml"));
        let tree =
            "rate = \"1 Gb/s\"\n[root]\npolicy = \"fifo\"\n[[root.children]]\nname = \"all\"\n";
        std::fs::write(&policy, tree).expect("a file");
        std::fs::write(&settings, "switch_id = 42\n").expect("a file");
        let files = [policy, settings].map(|path| path.display().to_string());
        let options = ["--scheduler", files[0].as_str(), "--tpp", files[1].as_str()];
        let mut ww = namespace.run_with(&example("learning.p4"), engine, &options);
        let ask = |arguments: &[&str]| done(&namespace, arguments);
        assert_eq!(ask(&["tpp", "read", "Switch:SwitchID", "0x1140"]), "42\n0\n", "{engine}");
        ask(&["tpp", "write", "Stage$1:Reg0", "0xbeef"]);
        assert_eq!(ask(&["tpp", "read", "0x1140"]), "48879\n", "{engine}");
        refused(&namespace, &["tpp", "write", "Switch:SwitchID", "1"], "can be read only");
        refused(&namespace, &["tpp", "read", "Link:ID"], "depends on a packet");
        assert_eq!(ctl(&namespace, &["tpp", "read", "Swich:SwitchID"]).status.code(), Some(2));
        ask(&["table", "add", "destinations", "02:00:00:00:00:02", "do", "forward", "2"]);
        let mut frames = namespace.frames();
        assert_eq!(frames.send(A, B, "t1"), [0, 1, 0]);
        let shown: Value = serde_json::from_str(&ask(&["queue", "show", "--json"])).expect("JSON");
        assert_eq!(shown["queues"][0]["port"], 2, "{engine}: {shown}");
        assert_eq!(shown["queues"][0]["sent"], 1, "{engine}: {shown}");
        assert!(ask(&["queue", "show"]).starts_with("port 2: 1000000000 b/s, 1 packets sent, "));
        ask(&["stop"]);
        let mut report = String::new();
        let mut output = ww.0.stdout.take().expect("a pipe");
        std::io::Read::read_to_string(&mut output, &mut report).expect("a report");
        let report: Value = serde_json::from_str(&report).expect("JSON");
        assert_eq!(report["queues"][0]["sent"], 1, "{report:#}");
    }
}

/// In hardware the parameters of a CRC are logic: nobody there changes them.
#[test]
fn a_request_that_the_engine_does_not_handle_is_refused_by_name() {
    let Some(namespace) = Namespace::new("run-rtl") else { return };
    let folder = std::env::temp_dir().join(format!("ww-ctl-rtl-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("writable");
    let commands = folder.join("crc.txt");
    std::fs::write(&commands, "set_crc16_parameters any 0x8005 0 0 true true\n").expect("writable");
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all/ctl/reflect.p4");
    let mut ww = namespace.run(&program.display().to_string(), "rtl");
    let commands = commands.display().to_string();
    let output = ctl(&namespace, &["run", &commands]);
    let printed = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert!(
        printed.contains("engine rtl does not handle the request `set_custom_crc`"),
        "{printed}"
    );
    done(&namespace, &["stop"]);
    assert!(ww.0.wait().expect("it ends").success());
    std::fs::remove_dir_all(&folder).expect("it is ours");
}

#[test]
fn nobody_listens() {
    let ww = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_ww")).args(arguments).output().expect("ww runs")
    };
    let output = ww(&["ctl", "--socket", "/nonexistent/ww.sock", "generation"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("cannot reach a dataplane at '/nonexistent/ww.sock'"));
    assert_eq!(ww(&["ctl", "--socket", "x", "tabel"]).status.code(), Some(2));
    let output =
        ww(&["run", &example("learning.p4"), "--port", "1=:", "--control", "/nonexistent/ww.sock"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains("cannot listen at '/nonexistent/ww.sock'"),
        "{}",
        text(&output.stderr)
    );
}
