//! Sketches of links in a lab: figures by hand, and mistakes.

use ww_lab::lab::{Lab, Request};
use ww_lab::world::sim;

/// Two switches, two hosts each. h0 sends to h2 and h3, h3 to h0, a packet of 1,000 bytes each millisecond.
const LAB: &str = r#"
title = "Two switches"
[run]
duration = "20 ms"
drain = "10 ms"
[topology]
kind = "dumbbell"
left = 2
right = 2
edge = { rate = "100 Mb/s", delay = "1 us" }
core = { rate = "100 Mb/s", delay = "1 us" }
[[traffic]]
name = "there"
kind = "stream"
from = "h0"
to = "h2"
bytes = "1000 B"
rate = "8 Mb/s"
[[traffic]]
name = "also"
kind = "stream"
from = "h0"
to = "h3"
bytes = "1000 B"
rate = "8 Mb/s"
[[traffic]]
name = "back"
kind = "stream"
from = "h3"
to = "h0"
bytes = "1000 B"
rate = "8 Mb/s"
[tpp]
[[tpp.app]]
name = "sketch"
kind = "sketch"
filter = "-p udp"
period = "4 ms"
services = ["h1", "h2"]
"#;

/// Four links carry packets: s0 to s1 for two destinations, the others for one.
#[test]
fn figures_by_hand() {
    let planned = Lab::of_text("t", LAB).plan(&Request::default());
    let planned = planned.unwrap_or_else(|report| panic!("{report}"));
    let outcomes = sim::run_all(&planned, &(), None, 1, &()).expect("it runs");
    let numbers = &outcomes[0][0].numbers;
    let figure = |path: &[&str]| numbers.get(&[&["tpp", "sketch"], path].concat());
    for (link, elements) in [("s0->s1", 2.0), ("s1->s0", 1.0), ("s1->h2", 1.0), ("s0->h0", 1.0)] {
        assert_eq!(figure(&[link, "elements"]), Some(elements), "{link}");
        assert_eq!(figure(&[link, "all_elements"]), Some(elements), "{link}");
        assert_eq!(figure(&[link, "identical"]), Some(1.0), "{link}");
        // As many bits are set, unless the two share one: 1024 ln(1024 / (1024 - n)).
        let estimate = 1024.0 * (1024.0 / (1024.0 - elements)).ln();
        let found = figure(&[link, "estimate"]).expect("there is one");
        assert!((found - estimate).abs() < 1e-9, "{link}: {found}");
    }
    // s1 to h3 is the fifth; h1 gets pushes alone, which carry no TPP.
    assert_eq!(figure(&["links"]), Some(5.0));
    assert_eq!(figure(&["links_identical"]), Some(5.0));
    assert_eq!(figure(&["links_different"]), Some(0.0));
    assert_eq!(figure(&["s0->h1", "elements"]), None);
    // Two hops of two words of 2 bytes behind 12 bytes and two instructions: 28 of 1028.
    assert_eq!(figure(&["stamped"]), Some(60.0));
    assert_eq!(figure(&["stamp_share"]), Some(28.0 / 1028.0));
    assert_eq!(figure(&["pushes_refused"]), Some(0.0));
}

/// One mistake each.
#[test]
fn mistakes() {
    let with = |old: &str, new: &str| LAB.replace(old, new);
    for (text, expected) in [
        (with("services = [\"h1\", \"h2\"]", ""), "needs 'services'"),
        (with("services = [\"h1\"", "services = [\"h9\""), "there is no host 'h9'"),
        (with("period", "bits = 1000\nperiod"), "'bits': expected a power of two"),
        (with("period", "bits = 32\nperiod"), "'bits'"),
        (with("period", "element = \"flows\"\nperiod"), "did you mean 'flow'?"),
        (with("4 ms", "4 us"), "'period': expected 1 ms or more"),
        (with("drain = \"10 ms\"", ""), "the last push needs time after the end of traffic"),
        (with("period", "hops = 70\nperiod"), "a path of 70 switches is too long for one TPP"),
    ] {
        let report = match Lab::of_text("t", &text).plan(&Request::default()) {
            Ok(_) => panic!("expected: {expected}"),
            Err(report) => report.to_string(),
        };
        assert!(report.contains(expected), "expected {expected}\n{report}");
    }
}
