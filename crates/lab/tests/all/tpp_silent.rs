//! `kind = "silent"`: verdicts against the lab's own changes of links, by hand.

use ww_lab::lab::{Lab, Request};
use ww_lab::results::numbers::Numbers;
use ww_lab::world::sim;

/// The line between two switches loses everything in the second of four windows of ten packets a stream, and in half of
/// the third one.
const LAB: &str = r#"
title = "Two switches"
[run]
duration = "40 ms"
drain = "5 ms"
[topology]
kind = "dumbbell"
left = 2
right = 2
edge = { rate = "100 Mb/s", delay = "1 us" }
core = { rate = "100 Mb/s", delay = "1 us" }
[[change]]
at = "10 ms"
link = "s0-s1"
loss = 1.0
[[change]]
at = "25 ms"
link = "s0-s1"
loss = 0.0
[tpp]
[[tpp.app]]
name = "losses"
kind = "silent"
window = "10 ms"
"#;

/// A packet a millisecond from one host to another.
fn stream(from: &str, to: &str) -> String {
    format!(
        "[[traffic]]\nname = '{from}{to}'\nkind = 'stream'\nfrom = '{from}'\nto = '{to}'\n\
         bytes = '1000 B'\nrate = '8 Mb/s'\n"
    )
}

fn run(streams: &[(&str, &str)]) -> Numbers {
    let traffic: String = streams.iter().map(|(from, to)| stream(from, to)).collect();
    let planned = Lab::of_text("t", &format!("{LAB}{traffic}"))
        .plan(&Request::default())
        .unwrap_or_else(|report| panic!("{report}"));
    let mut outcomes = sim::run_all(&planned, &(), None, 1, &()).expect("it runs");
    outcomes.remove(0).remove(0).numbers
}

fn figures(numbers: &Numbers, names: &[&str]) -> Vec<Option<f64>> {
    names.iter().map(|name| numbers.get(&["tpp", "losses", name])).collect()
}

const NAMES: [&str; 6] = ["windows", "faulty", "named", "ambiguous", "missed", "false"];

/// Each edge has a stream that stays on its side. The third window changes inside and is not judged, but named: five of ten
/// packets of two streams are lost.
#[test]
fn a_link_that_others_tell_apart() {
    let numbers = run(&[("h0", "h2"), ("h3", "h1"), ("h0", "h1"), ("h3", "h2")]);
    assert_eq!(figures(&numbers, &NAMES), [3.0, 1.0, 1.0, 0.0, 0.0, 0.0].map(Some));
    let loss = |window| numbers.get(&["tpp", "losses", window, "s0-s1", "loss"]);
    assert_eq!(
        ["window0", "window1", "window2", "window3"].map(loss),
        [None, Some(1.0), Some(0.5), None]
    );
    assert_eq!(figures(&numbers, &["loss_error", "switch_drops"]), [Some(0.0); 2]);
    assert_eq!(
        figures(&numbers, &["sent", "received", "uncounted"]),
        [160.0, 130.0, 0.0].map(Some)
    );
}

/// With one stream the three links of its path are the same: the host's own, the line, and that to the receiver.
#[test]
fn links_that_nobody_tells_apart() {
    let numbers = run(&[("h0", "h2")]);
    assert_eq!(figures(&numbers, &NAMES), [3.0, 1.0, 0.0, 1.0, 0.0, 0.0].map(Some));
    for link in ["h0-s0", "s0-s1", "h2-s1"] {
        assert_eq!(numbers.get(&["tpp", "losses", "window1", link, "one_of"]), Some(3.0), "{link}");
    }
}

#[test]
fn mistakes() {
    for (key, expected) in [
        ("window = '1 us'", "'window': expected 1 ms or more"),
        ("background = 0.0", "'background': expected more than 0, less than 0.5; found 0"),
        ("lead = -1.0", "'lead': expected more than 0, found -1"),
        ("busy = 0.0", "'busy': expected more than 0, 1 at most; found 0"),
        ("filter = '-p tpc'", "'filter': "),
        ("hops = 60", "a path of 60 switches is too long for one TPP"),
        ("programm = 'x'", "unknown key 'programm'"),
    ] {
        let text = LAB.replace("window = \"10 ms\"", key) + &stream("h0", "h2");
        let report = match Lab::of_text("t", &text).plan(&Request::default()) {
            Ok(_) => panic!("expected: {expected}"),
            Err(report) => report.to_string(),
        };
        assert!(report.contains(expected), "expected {expected}\n{report}");
    }
}
