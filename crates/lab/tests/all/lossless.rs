//! `[queueing]`, and the transports that need it, `kind = "ndp"` and `kind = "dcqcn"`, as text.

use ww_lab::lab::{Lab, Request};
use ww_lab::world::{netns, sim};
use ww_sim::network::queueing::{Pause, Queueing, Trim};
use ww_sim::network::traffic::Transport;
use ww_sim::transport::{dcqcn, ndp};

const NDP: &str = r#"
[run]
duration = "100 us"
drain = "10 ms"
[topology]
kind = "star"
hosts = 9
edge = { rate = "10 Gb/s", delay = "1 us" }
[queueing]
kind = "trim"
packets = 8
headers = "40 kB"
[transport.fast]
kind = "ndp"
initial_window = 20
bytes = "1500 B"
timeout = "2 ms"
[[traffic]]
name = "incast"
kind = "incast"
from = ["h*"]
to = "h0"
bytes = "145800 B"
period = "1 s"
transport = "fast"
"#;

fn dcqcn() -> String {
    let (queueing, after) = (NDP.find("[queueing]").unwrap(), NDP.find("[[traffic]]").unwrap());
    let settings = r#"
[queueing]
kind = "pause"
pause_above = "30 kB"
headroom = "10 kB"
mark_from = "10 kB"
mark_all = "100 kB"
mark_most = 0.1
[transport.fast]
kind = "dcqcn"
bytes = "1500 B"
window = 30
gain = "6.25 %"
alpha_interval = "50 us"
increase_interval = "300 us"
increase_bytes = "1 MB"
recovery_steps = 4
additive = "20 Mb/s"
hyper = "100 Mb/s"
least = "5 Mb/s"
notify_interval = "40 us"
timeout = "1 ms"
"#;
    [&NDP[..queueing], settings, &NDP[after..]].concat()
}

/// Eight times 100 packets of 1,524 bytes on one line of 10 Gb/s: 975 us for the last, and those of headers.
#[test]
fn both_are_read_and_run() {
    let trim = Trim { packets: 8, header_bytes: 40_000 };
    let ndp = ndp::Settings { initial_window: 20, bytes: 1_500, timeout: 2_000_000_000 };
    let pause = Pause {
        pause_above: 30_000,
        // If it is not said: two packets less.
        resume_below: 27_000,
        headroom: 10_000,
        mark_from: 10_000,
        mark_all: 100_000,
        mark_most: 0.1,
    };
    let dcqcn_settings = dcqcn::Settings {
        bytes: 1_500,
        window: 30,
        gain: 0.0625,
        alpha_interval: 50_000_000,
        increase_interval: 300_000_000,
        increase_bytes: 1_000_000,
        recovery_steps: 4,
        additive: 20_000_000,
        hyper: 100_000_000,
        least: 5_000_000,
        notify_interval: 40_000_000,
        timeout: 1_000_000_000,
    };
    for (text, queueing, word) in
        [(NDP.to_owned(), Queueing::Trim(trim), "NDP"), (dcqcn(), Queueing::Pause(pause), "DCQCN")]
    {
        let lab = Lab::of_text("lossless", &text);
        let planned = lab.plan(&Request::default()).unwrap_or_else(|report| panic!("{report}"));
        let plan = &planned.variants[0].plan;
        assert_eq!(plan.network.queueing, queueing);
        match plan.network.traffic[0].kind.transport() {
            Some(Transport::Ndp(settings)) => assert_eq!((*settings, word), (ndp, "NDP")),
            Some(Transport::Dcqcn(settings)) => {
                assert_eq!((*settings, word), (dcqcn_settings, "DCQCN"));
            }
            other => panic!("{other:?}"),
        }
        let outcomes = sim::run_all(&planned, &(), None, 1, &()).expect("it runs");
        let get = |path: &[&str]| outcomes[0][0].numbers.get(path).expect("it is counted");
        assert_eq!(get(&["traffic", "incast", "flows", "finished"]), 8.0);
        let last = get(&["traffic", "incast", "fct_us", "largest"]);
        // DCQCN cuts rates on the first marks, and such small steps take milliseconds to come back.
        let most = if word == "NDP" { 1_100.0 } else { 10_000.0 };
        assert!((975.0..most).contains(&last), "{word}: {last} us");
        let key = if word == "NDP" { "trimmed" } else { "pauses" };
        assert!(get(&["network", key]) > 10.0, "{word}");
        let problems = netns::refused(plan);
        let about = problems.iter().filter(|problem| problem.contains(word)).count();
        assert_eq!(about, 1, "{problems:?}");
        assert!(problems.iter().any(|problem| problem.starts_with("[queueing]")), "{problems:?}");
    }
}

#[test]
fn mistakes_are_told() {
    let dcqcn = dcqcn();
    for (text, old, new, expected) in [
        (NDP, "packets = 8", "packets = 0", "expected room for 1 packet or more, found 0"),
        (NDP, "\"40 kB\"", "\"40 B\"", "expected room for a header, 60 bytes, or more, found 40"),
        (NDP, "packets", "packet", "did you mean 'packets'?"),
        (NDP, "kind = \"trim\"", "kind = \"trm\"", "did you mean 'trim'?"),
        (NDP, "initial_window = 20", "initial_window = 0", "initial window of 1 packet or more"),
        (NDP, "\"2 ms\"", "\"0 s\"", "a timeout of more than 0"),
        (NDP, "\"1500 B\"", "\"50 B\"", "'bytes': expected a frame of 60 to 9014 bytes"),
        (NDP, "kind = \"ndp\"", "kind = \"tcp\"", "unknown key 'bytes'"),
        (&dcqcn, "window = 30", "window = 0", "expected window to be more than 0"),
        (&dcqcn, "\"6.25 %\"", "\"101 %\"", "expected a gain of more than 0 and up to 1"),
        (&dcqcn, "mark_most = 0.1", "mark_most = 1.1", "'mark_most'"),
        (&dcqcn, "\"100 kB\"", "\"1 kB\"", "expected marks to begin at no more bytes"),
        (&dcqcn, "headroom", "resume_below", "expected to resume at no more"),
    ] {
        let text = match expected.starts_with("expected to resume") {
            true => text.replacen("headroom = \"10 kB\"", "resume_below = \"31 kB\"", 1),
            false => text.replacen(old, new, 1),
        };
        let report = Lab::of_text("lossless", &text).plan(&Request::default());
        let report = report.err().unwrap_or_else(|| panic!("{expected}: no mistake"));
        let all: Vec<String> = report.mistakes.iter().map(ToString::to_string).collect();
        assert!(all.iter().any(|told| told.contains(expected)), "{expected}\nfound\n{all:?}");
    }
    // Without its queues a transport is refused, and queues that trim without theirs.
    let without = |text: &str, from: &str, to: &str| {
        let (from, to) = (text.find(from).unwrap(), text.find(to).unwrap());
        let text = [&text[..from], &text[to..]].concat();
        let report =
            Lab::of_text("lossless", &text).plan(&Request::default()).expect_err("a mistake");
        report.mistakes.iter().map(ToString::to_string).collect::<String>()
    };
    let found = without(NDP, "[queueing]", "[transport.fast]");
    assert!(found.contains("'incast' uses NDP, which needs queues that trim"), "{found}");
    let found = without(&dcqcn, "[queueing]", "[transport.fast]");
    assert!(found.contains("'incast' uses DCQCN, which needs queues that pause"), "{found}");
    let cubic = NDP.replacen("transport = \"fast\"", "transport = \"cubic\"", 1);
    let report = Lab::of_text("lossless", &cubic).plan(&Request::default()).expect_err("a mistake");
    assert!(
        report
            .mistakes
            .iter()
            .any(|told| told.to_string().contains("queues that trim are for NDP"))
    );
}
