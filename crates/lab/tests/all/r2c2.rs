//! `kind = "r2c2"` as text: a torus that runs with it, and what is said where it cannot.

use ww_lab::lab::{Lab, Request};
use ww_lab::world::{netns, sim};
use ww_sim::network::traffic::{Kind, Transport};

const LAB: &str = r#"
[run]
duration = "100 us"
drain = "10 ms"
[topology]
kind = "torus"
sizes = [2, 2, 2]
edge = { rate = "100 Gb/s", delay = "50 ns" }
core = { rate = "10 Gb/s", delay = "100 ns", queue = "1 MB" }
[transport.rack]
kind = "r2c2"
headroom = "5 %"
interval = "20 us"
[[traffic]]
name = "shuffle"
kind = "flows"
pairs = [["h0", "h7"], ["h7", "h0"]]
sizes = "200 KB"
once = true
transport = "rack"
"#;

#[test]
fn r2c2_is_read_and_runs() {
    let planned = Lab::of_text("r2c2", LAB)
        .plan(&Request::default())
        .unwrap_or_else(|report| panic!("{report}"));
    let plan = &planned.variants[0].plan;
    let Kind::Flows(flows) = &plan.network.traffic[0].kind else { panic!("flows") };
    let Transport::R2c2(settings) = flows.transport else { panic!("R2C2") };
    assert_eq!((settings.headroom, settings.interval, settings.bytes), (0.05, 20_000_000, 1_514));
    let outcomes = sim::run_all(&planned, &(), None, 1, &()).expect("it runs");
    let get = |path: &[&str]| outcomes[0][0].numbers.get(path).expect("it is counted");
    // Each flow's 138 packets of 1,538 bytes on the line have three links at 10 Gb/s: 56 us at least. They choose links at random, so
    // one may have four standard deviations more than 46: 68 packets, 84 us.
    assert_eq!(get(&["traffic", "shuffle", "flows", "finished"]), 2.0);
    let mean = get(&["traffic", "shuffle", "fct_us", "mean"]);
    assert!((56.0..90.0).contains(&mean), "{mean} us");
    let problems = netns::refused(plan);
    let about = problems.iter().filter(|problem| problem.contains("R2C2")).count();
    assert_eq!(about, 1, "{problems:?}");
}

#[test]
fn bad_r2c2_is_refused() {
    for (old, new, expected) in [
        (
            "headroom = \"5 %\"",
            "headroom = \"100 %\"",
            "'headroom': expected 0 % or more and less than 100 %",
        ),
        ("interval = \"20 us\"", "interval = \"0 us\"", "'interval': expected more than 0"),
        ("headroom", "headrom", "did you mean 'headroom'?"),
        (
            "interval = \"20 us\"",
            "bytes = \"20 B\"",
            "'bytes': expected a frame of 60 to 9014 bytes",
        ),
        ("sizes = [2, 2, 2]", "sizes = [2, 2, 2]\nhosts = 2", "'s0.0.0' has more: take hosts = 1"),
        (
            "kind = \"torus\"\nsizes = [2, 2, 2]",
            "kind = \"leaf-spine\"\nleaves = 8\nspines = 1\nhosts = 1",
            "'spine0' has none: take a torus",
        ),
    ] {
        let text = LAB.replacen(old, new, 1);
        let report = Lab::of_text("r2c2", &text).plan(&Request::default()).expect_err("a mistake");
        let all: Vec<String> = report.mistakes.iter().map(ToString::to_string).collect();
        assert!(all.len() == 1 && all[0].contains(expected), "{expected}\nfound\n{all:?}");
    }
}
