//! Links of characters and clocks, as a lab says them.

use ww_clocks::servo::Stamps;
use ww_lab::lab::{Lab, Planned, Request};
use ww_lab::plan::clocks::Protocol;
use ww_sim::network::Phy;

const TWO: &str = r#"
[run]
duration = "10 ms"
[topology]
kind = "star"
hosts = 3
edge = { phy = "10gbase-r", length = "10 m" }
[[traffic]]
name = "one"
kind = "stream"
from = "h0"
to = "h1"
bytes = "100 B"
rate = "1 Mb/s"
"#;

fn with(text: &str) -> String {
    format!("{TWO}{text}\n")
}

fn planned(text: &str) -> Planned {
    Lab::of_text("test", text).plan(&Request::default()).unwrap_or_else(|report| panic!("{report}"))
}

#[test]
fn what_a_lab_says() {
    let planned = planned(&with(
        r#"
[clocks]
ppm = 100
wander = 2.5
[clocks.dtp]
interval = 1200
phases = 8
errors = 1e-6
pairs = [["h0", "s0"]]
[clocks.packets]
protocol = "ptp"
master = "h2"
sync = "125 ms"
transparent = true
resolution = "8 ns"
"#,
    ));
    let plan = &planned.variants[0].plan;
    let network = &plan.network;
    assert!(network.links.iter().flat_map(|link| link.directions).all(|line| {
        (line.phy, line.rate, line.delay) == (Phy::TenGigabit, 10_000_000_000, 50_000)
    }));
    assert_eq!(network.clocks.spread, 100_000);
    let dtp = network.clocks.dtp.as_ref().expect("it is there");
    assert_eq!((dtp.config.interval, dtp.config.phases), (9600, 8));
    assert_eq!(dtp.errors_one_in, 1_000_000);
    let name = |node: u32| network.nodes[node as usize].name.as_str();
    assert_eq!(dtp.pairs.iter().map(|pair| pair.map(name)).collect::<Vec<_>>(), [["h0", "s0"]]);
    let kept = network.clocks.kept.expect("it is there");
    assert_eq!((kept.stamps, kept.resolution, kept.wander), (Stamps::Hardware, 8000, 2.5));
    assert!(kept.transparent);
    let keeping = plan.keeping.as_ref().expect("it is there");
    assert_eq!(keeping.protocol, Protocol::Ptp { sync: 0.125, delay: 0.75 });
    assert_eq!(name(keeping.master), "h2");
    assert_eq!(keeping.slaves.iter().map(|node| name(*node)).collect::<Vec<_>>(), ["h0", "h1"]);
}

/// One mistake each, where it is, with what to do.
#[test]
fn mistakes() {
    for (text, expected) in [
        (
            TWO.replace("length", "rate = \"1 Gb/s\", length"),
            "'rate' of a link with phy = \"10gbase-r\": it is 10 Gb/s; leave out 'rate'",
        ),
        (TWO.replace("length", "jitter = \"1 ns\", length"), "'jitter' of a link with phy"),
        (TWO.replace("length", "overhead = \"24 B\", length"), "'overhead' of a link with phy"),
        (
            TWO.replace("10gbase-r", "10gbase-t"),
            "'phy': expected 10gbase-r, found \"10gbase-t\"; did you mean '10gbase-r'?",
        ),
        (TWO.replace("10gbase-r", "1g"), "'phy': expected 10gbase-r, found \"1g\""),
        (
            with("[clocks.dtp]").replace("phy = \"10gbase-r\"", "rate = \"1 Gb/s\""),
            "only where there is one; give links phy = \"10gbase-r\"",
        ),
        (with("[clocks.dtp]").replace("10 ms", "19 s"), "lasts 18 s at most"),
        (with("[clocks.dtp]\nphases = 3"), "'phases': expected 1, 2, 4, ..., 64, found 3"),
        (with("[clocks.dtp]\ninterval = 1"), "'interval': expected 2 to 100000"),
        (with("[clocks.dtp]\npairs = [[\"h0\"]]"), "'pairs': expected two nodes"),
        (with("[clocks.dtp]\npairs = [[\"h0\", \"h7\"]]"), "there is no node 'h7'"),
        (
            with("[clocks.dtp]\n[[change]]\nat = \"1 ms\"\nlink = \"h0-s0\"\ndelay = \"1 us\""),
            "take the link down, change it, and take it up",
        ),
        (with("[clocks]\nppm = -1"), "'ppm': expected 0 to 10000"),
        (with("[clocks.packets]\nprotocol = \"ptp\""), "needs 'master'; such as master = \"h0\""),
        (with("[clocks.packets]\nmaster = \"h0\""), "needs 'protocol'"),
        (
            with("[clocks.packets]\nprotocol = \"ptp\"\nmaster = \"s0\""),
            "'s0' is a switch; expected a host",
        ),
    ] {
        let report = Lab::of_text("test", &text).plan(&Request::default()).expect_err("mistakes");
        let report = report.to_string();
        assert!(report.lines().count() == 1 && report.contains(expected), "{expected}\n{report}");
    }
}
