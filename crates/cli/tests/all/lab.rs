//! `ww lab`: what it prints and writes, how it ends, and that results do not depend on threads.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// An empty folder of this name.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lab").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn ww(here: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ww"));
    command.arg("lab").args(arguments).current_dir(here).output().expect("ww runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn good(here: &Path, arguments: &[&str]) -> String {
    let output = ww(here, arguments);
    assert!(
        output.status.success(),
        "{arguments:?}: {}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    text(&output.stdout)
}

fn bad(here: &Path, arguments: &[&str]) -> String {
    let output = ww(here, arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", text(&output.stdout));
    text(&output.stderr)
}

fn json(path: &Path) -> Value {
    let text =
        std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).expect("JSON")
}

/// One lab a line, its name first; also where there is no folder `labs`.
#[test]
fn labs_are_listed() {
    for here in [root(), folder("list")] {
        let list = good(&here, &["list"]);
        let names: Vec<&str> =
            list.lines().filter_map(|line| line.split_whitespace().next()).collect();
        for name in ["hello", "incast", "leaf-spine", "dctcp", "schedulers", "md1", "mm1"] {
            assert!(names.contains(&name), "{name}: {list}");
        }
    }
}

/// The lab with a program in it: all its figures are as they were computed by hand, its files are there, and every
/// engine, the program as hardware among them, sends the same frames at the same times.
#[test]
fn hello_runs_in_an_engine() {
    let out = folder("hello");
    let shown = out.display().to_string();
    let mut frames = Vec::new();
    for engine in ["jit", "interp", "rtl"] {
        let set = format!("node.r0.engine={engine}");
        good(&root(), &["run", "labs/hello", "--quick", "--out", &shown, "--set", &set]);
        let results = json(&out.join("results.json"));
        let verdicts = results["expectations"].as_array().expect("expectations");
        assert!(
            verdicts.len() >= 5 && verdicts.iter().all(|line| line["verdict"] == "met"),
            "{verdicts:?}"
        );
        assert_eq!(
            results["results"]["traffic"]["stream"]["latency_us"]["mean"]["value"],
            10327.68
        );
        frames.push((engine, std::fs::read(out.join("capture.pcapng")).expect("a capture")));
    }
    for (engine, capture) in &frames[1..] {
        assert!(*capture == frames[0].1, "{engine} has sent other frames than {}", frames[0].0);
    }
    for file in ["report.html", "flows.parquet", "packets.parquet", "capture.pcapng"] {
        assert!(std::fs::metadata(out.join(file)).is_ok_and(|file| file.len() > 100), "{file}");
    }
    let report = std::fs::read_to_string(out.join("report.html")).expect("text");
    // It needs nothing from elsewhere.
    assert!(report.contains("<svg") && !report.contains("src=") && !report.contains("href=\"http"));
}

/// What a program drops is counted as that: without routes all of the stream.
#[test]
fn a_program_drops() {
    let here = folder("program_drops");
    let lab = std::fs::read_to_string(root().join("labs/hello/lab.toml")).expect("text");
    let without: Vec<&str> = lab.lines().filter(|line| !line.starts_with("routes")).collect();
    assert_eq!(without.len() + 1, lab.lines().count());
    std::fs::write(here.join("lab.toml"), without.join("\n")).expect("a file");
    std::fs::copy(root().join("labs/hello/router.p4"), here.join("router.p4")).expect("a file");
    for engine in ["jit", "interp"] {
        let set = format!("node.r0.engine={engine}");
        let output = good(&here, &["run", ".", "--json", "--set", &set]);
        let results: Value = serde_json::from_str(&output).expect("JSON");
        let packets = &results["results"]["traffic"]["stream"]["packets"];
        // 1,000 bytes each 8 ms for 400 ms.
        for (name, wanted) in [("sent", 50), ("delivered", 0), ("dropped", 50)] {
            assert_eq!(packets[name]["value"], wanted, "{engine}: {name}");
        }
        assert_eq!(packets["drops"]["program"]["value"], 50, "{engine}");
    }
}

/// A run takes the rows of an earlier one out of its folder, and nothing else.
#[test]
fn rows_of_earlier_runs_go() {
    let out = folder("earlier");
    let shown = out.display().to_string();
    good(&root(), &["run", "labs/hello", "--quick", "--out", &shown, "--set", "run.seeds=2"]);
    assert!(out.join("seed-2/flows.parquet").is_file() && !out.join("flows.parquet").is_file());
    std::fs::write(out.join("seed-2/notes.txt"), "mine").expect("a file");
    good(&root(), &["run", "labs/hello", "--quick", "--out", &shown]);
    assert!(out.join("flows.parquet").is_file() && !out.join("seed-1").exists());
    let mut left = std::fs::read_dir(out.join("seed-2")).expect("a folder").flatten();
    assert_eq!(left.next().map(|entry| entry.file_name()), Some("notes.txt".into()));
    assert!(left.next().is_none());
}

/// Where there is no folder `labs`, a lab that comes with the program is written to the user's own cache.
#[test]
fn labs_come_with_the_program() {
    let here = folder("unpacked");
    let mut command = Command::new(env!("CARGO_BIN_EXE_ww"));
    // Above the folder there is a tree with labs.
    command.args(["lab", "check", "hello"]).current_dir("/");
    command.env_remove("WW_CACHE").env_remove("XDG_CACHE_HOME").env("HOME", &here);
    let output = command.output().expect("ww runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let name = format!(".cache/wirewright/labs-{}/hello/lab.toml", env!("CARGO_PKG_VERSION"));
    assert!(here.join(name).is_file());
}

/// Results are bytes of lab, settings and seed.
#[test]
fn results_do_not_depend_on_threads() {
    let run = |workers: &str, seed: &str| {
        let arguments =
            ["run", "labs/leaf-spine", "--quick", "--json", "--workers", workers, "--seed", seed];
        let short = ["--set", "run.duration=10 ms", "--set", "run.drain=20 ms"];
        text(&ww(&root(), &[&arguments[..], &short[..]].concat()).stdout)
    };
    let first = run("1", "1");
    assert!(first.starts_with('{') && first.len() > 1000, "{first}");
    assert_eq!(first, run("2", "1"));
    assert_ne!(first, run("1", "7"));
}

/// All mistakes at once, each with line and advice; nothing is written.
#[test]
fn mistakes_are_told_together() {
    let here = folder("mistakes");
    let file = "title = \"x\"\n[run]\ndurtion = \"1 ms\"\n[topology]\nkind = \"star\"\nhosts = 2\nedge = { rate = \"1 GB/s\" }\n[[traffic]]\nname = \"a\"\nkind = \"streem\"\n";
    std::fs::write(here.join("lab.toml"), file).expect("a file");
    for command in ["check", "run"] {
        let message = bad(&here, &[command, "."]);
        for words in
            ["lab.toml:3:1", "durtion", "duration", "lab.toml:7:", "GB/s", "lab.toml:10:", "stream"]
        {
            assert!(message.contains(words), "{command}: {words}: {message}");
        }
    }
    let unknown = bad(&root(), &["run", "labs/hello", "--set", "traffic.strem.rate=1 Mb/s"]);
    assert!(unknown.contains("strem") && unknown.contains("stream"), "{unknown}");
    let missing = bad(&here, &["run", "helo"]);
    assert!(missing.contains("helo"), "{missing}");
}

/// Mistakes of all kinds; behind `#~` the words that one in this line must be told with, several between bars.
const BROKEN: [(&str, &str); 4] = [
    (
        "lab.toml",
        r#"title = "Broken"
worlds = ["sim", "netns"] #~ which would refuse the lab: delays are too short: h0->s0 has 1 us

[run]
duration = "100 ms"
warmup = "20 ms"
drian = "10 ms" #~ did you mean 'drain'?
seed 3 #~ key with no value

[quick]
run.duration = "10 ms" #~ with [quick]: 'warmup' (20 ms) takes all of 'duration' (10 ms)

[topology]
kind = "star"
hosts = 4
edge = { rate = "1 Gb/s", delay = "1 us" }

[[node]]
name = "s0"
kind = "program"
program = "router.p4"
entries = "entries.txt"
routes = [
    "table_add routes forwrd {ip}/32 => {port} {own} {next_mac}", #~ 'routes' for 'h0': there is no action named `forwrd`
    "table_add routes forward {addr}/32 => {port} {own} {next_mac}", #~ unknown field '{addr}'
]

[[node]] #~ 'h1' and 'h2' have the address 10.0.0.3
name = "h1"
ip = "10.0.0.3"
latncy = "1 us" #~ unknown key 'latncy' in [[node]]; did you mean 'latency'?

[[node]] #~ 'r1' is not connected
name = "r1"
kind = "program"
program = "missing.p4" #~ there is no file

[[node]]
name = "r2"
kind = "program"
program = "wrong.p4"

[[link]]
ends = ["r2", "s0"]
rate = "1 Gb/s"
delay = "1 ms"
loss = 2 #~ expected a probability

[[traffic]]
name = "web"
kind = "flows"
pairs = [["h0", "h33"]] #~ there is no host 'h33'; did you mean 'h3'?
sizes = "web-serch" #~ did you mean 'web-search'?
load = 1.5 #~ expected more than 0 and at most 1
transport = "dctp" #~ did you mean 'dctcp'?

[[traffic]]
name = "fast"
kind = "streem" #~ did you mean 'stream'?
from = "h0"
to = "h2"
bytes = "1514 B"
rate = "2000 Tb/s" #~ expected a rate from 466 b/s to 1000 Tb/s
start = "50 ms"
stop = "40 ms" #~ 'stop' is before 'start'

[[traffic]]
name = "show"
kind = "command"
node = "h0"
run = ["ping", "{h9.ip}", "{ print $1 }"] #~ there is no host 'h9'
start = "1 s" #~ 'start' (1 s) is not before the end of all traffic

[[variant]]
name = "a"
sett = { "run.seed" = 2 } #~ did you mean 'set'?

[[variant]]
name = "b"
set = { "traffic.wbe.load" = 0.5 } #~ there is no 'wbe' in 'traffic'; did you mean 'web'?
"#,
    ),
    (
        "expected.toml",
        r#"[[expect]]
name = "Goodput"
measure = "a.traffic.wep.goodput_bps" #~ there is no traffic 'wep'; did you mean 'web'?
published = 1
source = "a count"
tolerence = "5 %" #~ did you mean 'tolerance'?

[[expect]]
name = Use #~ string values must be quoted
measure = "a.links.h0->s1.utilisation" #~ there is no direction of a link 'h0->s1'; did you mean 'h0->s0'?
published = "1 +" #~ found the end
source = "a count"
tolerance = "five" #~ 'tolerance': expected "5 %", a number
"#,
    ),
    (
        "entries.txt",
        "table_add routes drop_it 10.9.0.0/16 => #~ there is no action named `drop_it`
tabel_add routes forward 10.8.0.0/16 => 1 #~ did you mean `table_add`?
",
    ),
    (
        "wrong.p4",
        "#include <core.p4>
parser P(packet_in p) {
    state start { p.extrakt(1); transition accept; } //#~ did you mean `extract`?
}
",
    ),
];

/// Everything that is wrong with a lab is told in one report, by file and line, and nothing besides.
#[test]
fn every_mistake_in_one_report() {
    let here = folder("broken");
    let mut expected = Vec::new();
    for (name, text) in BROKEN {
        std::fs::write(here.join(name), text).expect("a file");
        for (number, line) in text.lines().enumerate() {
            let words = line.split_once("#~").map_or("", |(_, words)| words.trim());
            let words = words.split('|').filter(|words| !words.is_empty());
            expected.extend(words.map(|words| (format!("./{name}:{}:", number + 1), words)));
        }
    }
    std::fs::copy(root().join("labs/hello/router.p4"), here.join("router.p4")).expect("a file");
    let message = bad(&here, &["check", "."]);
    let told: Vec<&str> = message.lines().collect();
    for (line, (place, words)) in told.iter().zip(&expected) {
        assert!(line.starts_with(place) && line.contains(words), "{place} {words}\n{message}");
    }
    // The last line counts them.
    assert_eq!(told.len(), expected.len() + 1, "{message}");
    assert_eq!(told.last(), Some(&&*format!("error: {} mistakes", expected.len())));
    assert!(expected.len() >= 25, "{message}");
    // A run and a sweep do not judge what only other runs and worlds have.
    let others = ["with [quick]", "'worlds' names netns"];
    let own = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| line.starts_with("./"));
        let lines = lines.filter(|line| others.iter().all(|words| !line.contains(words)));
        lines.map(str::to_owned).collect()
    };
    for command in [&["run", ".", "--out", "out"][..], &["sweep", ".", "--over", "run.seed=1,2"]] {
        assert_eq!(own(&bad(&here, command)), own(&message), "{command:?}");
    }
    assert!(!here.join("out").exists() && !here.join("sweep").exists());
}

/// What cannot be read at all does not hide the file beside it.
#[test]
fn a_file_that_is_no_text_hides_no_other() {
    let good_lab = std::fs::read(root().join("labs/md1/lab.toml")).expect("a lab");
    for (wrong, other) in [("lab.toml", "expected.toml"), ("expected.toml", "lab.toml")] {
        let here = folder(&format!("no-text-{wrong}"));
        std::fs::write(here.join("lab.toml"), &good_lab).expect("a file");
        std::fs::write(here.join(other), "titel 1\n").expect("a file");
        std::fs::write(here.join(wrong), b"# \n\xff\n").expect("a file");
        let message = bad(&here, &["check", "."]);
        assert!(message.contains(&format!("{wrong}:2: is not UTF-8 text")), "{message}");
        assert!(message.contains(&format!("{other}:1:7: key with no value")), "{message}");
    }
}

/// A figure that is missed is exit status 1, with results.
#[test]
fn an_expectation_that_is_missed() {
    let out = folder("missed");
    let shown = out.display().to_string();
    let message = bad(
        &root(),
        &["run", "labs/hello", "--quick", "--out", &shown, "--set", "link.h1-r0:1.delay=6 ms"],
    );
    assert!(message.contains("missed"), "{message}");
    let results = json(&out.join("results.json"));
    let latency = &results["expectations"][0];
    // Half of the way is 1 ms longer.
    assert_eq!((&latency["verdict"], &latency["measured"]), (&"missed".into(), &11327.68.into()));
}

/// A new lab is good as it is, and has something to measure.
#[test]
fn a_new_lab() {
    let here = folder("new");
    good(&here, &["new", "mine"]);
    good(&here, &["check", "mine"]);
    good(&here, &["run", "mine", "--quick"]);
    assert!(bad(&here, &["new", "mine"]).contains("mine"));
}

/// A sweep has a point for each value, goes on where it was, and runs anew what has changed.
#[test]
fn sweeps_go_on() {
    let here = folder("sweep");
    let out = here.join("out").display().to_string();
    let lab = root().join("labs/md1").display().to_string();
    let sweep = |workers: &str, over: &str| {
        good(
            &here,
            &["sweep", &lab, "--quick", "--over", over, "--out", &out, "--workers", workers],
        )
    };
    sweep("1", "run.seed=1,2");
    let whole = std::fs::read(here.join("out/sweep.json")).expect("a file");
    let points: Vec<PathBuf> = std::fs::read_dir(here.join("out/points"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path().join("results.json"))
        .collect();
    assert_eq!(points.len(), 2);
    let stamp =
        |path: &PathBuf| std::fs::metadata(path).and_then(|file| file.modified()).expect("a time");
    let before = stamp(&points[0]);
    std::fs::remove_file(&points[1]).expect("it is there");
    sweep("2", "run.seed=1,2");
    assert_eq!(stamp(&points[0]), before, "it was there");
    assert!(points[1].is_file());
    assert!(std::fs::read(here.join("out/sweep.json")).is_ok_and(|again| again == whole));
}

/// Starts a run, waits until `begun` holds, and gives it Ctrl-C.
fn interrupted(here: &Path, arguments: &[&str], begun: impl Fn() -> bool) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ww"));
    command.arg("lab").args(arguments).current_dir(here);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("ww runs");
    let deadline = Instant::now() + Duration::from_secs(120);
    while !begun() {
        assert!(Instant::now() < deadline, "{arguments:?} has not begun");
        if child.try_wait().expect("a status").is_some() {
            panic!("{arguments:?}: {:?}", child.wait_with_output());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let process = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &process]).status().expect("kill runs");
    assert!(sent.success());
    child.wait_with_output().expect("it ends")
}

/// Points that are done when Ctrl-C comes stay, and the same command makes of them what it would have made alone.
#[test]
fn a_sweep_after_ctrl_c() {
    let here = folder("sweep-ctrl-c");
    let lab = root().join("labs/md1").display().to_string();
    let arguments = |out| {
        ["sweep", &lab, "--quick", "--over", "run.seed=1,2,3,4,5,6", "--workers", "1", "--out", out]
    };
    let points = || {
        let folders = std::fs::read_dir(here.join("cut/points")).into_iter().flatten().flatten();
        folders.filter(|folder| folder.path().join("results.json").is_file()).count()
    };
    let cut = interrupted(&here, &arguments("cut"), || points() > 0);
    assert_eq!(cut.status.code(), Some(1), "{}", text(&cut.stderr));
    assert!(text(&cut.stderr).contains("the same command goes on"), "{}", text(&cut.stderr));
    let done = points();
    assert!((1..6).contains(&done), "{done} of 6");
    assert_eq!(json(&here.join("cut/sweep.json"))["missing"], 6 - done);
    let said = good(&here, &arguments("cut"));
    assert!(said.contains(&format!("6 points, {done} of them from before")), "{said}");
    good(&here, &arguments("whole"));
    let bytes = |name: &str| std::fs::read(here.join(name).join("sweep.json")).expect("a file");
    assert_eq!(bytes("cut"), bytes("whole"));
    // The folder of another lab's sweep stays as it is.
    let other = root().join("labs/mm1").display().to_string();
    let refused = bad(&here, &["sweep", &other, "--over", "run.seed=1", "--out", "whole"]);
    assert!(refused.contains("has a sweep of 'md1'"), "{refused}");
}

/// A figure that cannot be there is told before anything runs.
#[test]
fn expectations_name_what_there_is() {
    let here = folder("wrong-measure");
    for file in ["lab.toml", "router.p4"] {
        std::fs::copy(root().join("labs/hello").join(file), here.join(file)).expect("a file");
    }
    let expected = "[[expect]]\nname = \"x\"\nmeasure = \"traffic.strem.goodput_bps\"\npublished = 1\nsource = \"s\"\ntolerance = \"5 %\"\n";
    std::fs::write(here.join("expected.toml"), expected).expect("a file");
    for arguments in [&["check", "."][..], &["run", ".", "--out", "out"]] {
        let message = bad(&here, arguments);
        assert!(message.contains("no traffic 'strem'; did you mean 'stream'?"), "{message}");
    }
    assert!(!here.join("out").exists());
}

/// A run that is ended says where it stood and keeps what it has.
#[test]
fn a_run_after_ctrl_c() {
    let here = folder("run-ctrl-c");
    let lab = root().join("labs/md1").display().to_string();
    let arguments =
        ["run", &lab, "--set", "run.duration=86400 s", "--set", "run.seeds=1", "--out", "out"];
    let begun = Instant::now();
    let cut = interrupted(&here, &arguments, || {
        begun.elapsed() > Duration::from_secs(1) && here.join("out").is_dir()
    });
    assert_eq!(cut.status.code(), Some(1), "{}", text(&cut.stderr));
    let said = text(&cut.stderr);
    assert!(said.contains("stopped:") && said.contains("ms of 86400"), "{said}");
    assert!(!here.join("out/results.json").exists());
    let kept = json(&here.join("out/results.partial.json"));
    let sent =
        kept["results"]["rho_50"]["traffic"]["arrivals"]["packets"]["sent"]["value"].as_u64();
    assert!(sent.is_some_and(|sent| sent > 0), "{kept:#}");
}
