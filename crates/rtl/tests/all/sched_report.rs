//! What `ww sched report` says, beside figures that do not come from it.

use serde_json::{Value, json};
use std::time::Duration;
use ww_plot::report::{Outcome, Report};
use ww_rtl::sched_report::{DATA, Options, Part, parse_hardware, report};

fn quick(parts: &[Part], hardware: &str) -> Result<Report, String> {
    let start = std::time::Instant::now();
    let clock = || -> Duration { start.elapsed() };
    let (parts, progress) = (parts.to_vec(), |_: &str| ());
    report(&Options {
        parts,
        quick: true,
        rtl: false,
        hardware,
        clock: &clock,
        progress: &progress,
    })
}

/// Figure 2.2, as it is printed.
#[test]
fn six_packets_as_published() {
    let report = quick(&[Part::SixPackets], DATA).expect("a report");
    assert!(report.broken().is_empty());
    let rows = &report.json()["parts"]["six-packets"]["data"]["rows"];
    let row = |n: usize| (rows[n]["order"].clone(), rows[n]["v"].clone());
    assert_eq!(row(0), (json!("ABCDEF"), json!([0, 20, 40, 50, 55, 60])));
    assert_eq!(row(1), (json!("ADCEFB"), json!([0, 5, 10, 20, 25, 35])));
    assert_eq!(row(2), (json!("ADCBEF"), json!([0, 5, 10, 20, 40, 45])));
    assert_eq!(row(3), (json!("ACDBEF"), json!([0, 5, 15, 20, 40, 45])));
    assert_eq!(row(4), row(3));
    // Not simulated here, and said so.
    let verdicts = &report.sections[0].verdicts;
    assert_eq!(verdicts.last().map(|verdict| verdict.outcome), Some(Outcome::Absent));
}

/// Rates and shares of the mixed run, recomputed from the bytes of each flow: in ten milliseconds a node of
/// R Mb/s sends R * 1,250 bytes.
#[test]
fn limits_hold_by_the_bytes() {
    let report = quick(&[Part::Limits], DATA).expect("a report");
    assert!(report.broken().is_empty(), "{:?}", report.broken());
    let mixed = &report.json()["parts"]["limits"]["data"]["mixed"];
    for node in 0..10 {
        let flows = mixed["bytes"][node].as_array().expect("flows");
        let bytes: Vec<u64> = flows.iter().map(|b| b.as_u64().expect("bytes")).collect();
        let set = mixed["set_mbps"][node].as_u64().expect("a rate");
        let sum: u64 = bytes.iter().sum();
        assert!(sum.abs_diff(set * 1250) <= 3000, "node {node}: {sum} of {}", set * 1250);
        let busy = if node == 9 { 5 } else { 10 };
        assert!(bytes[..busy].iter().all(|b| b.abs_diff(sum / busy as u64) <= 1500), "{bytes:?}");
        assert_eq!(bytes[busy..].iter().sum::<u64>(), 0);
    }
}

#[test]
fn deviations_are_within_theory() {
    let report = quick(&[Part::Deviation], DATA).expect("a report");
    assert!(report.broken().is_empty(), "{:?}", report.broken());
    let data = &report.json()["parts"]["deviation"]["data"];
    // WF2Q+ is where WF2Q+ is, and others are not.
    let places =
        |n: usize| data["backlogged"][n]["places_worst"]["worst"].as_f64().expect("places");
    assert_eq!(data["backlogged"][0]["policy"], "wf2q+");
    assert_eq!(places(0), 0.0);
    assert!((1..5).all(|n| places(n) > 0.0));
    // The classical burst, by hand: WFQ sends ten packets of the heavy flow in a row; its eleventh and the
    // others' have finish times of 11 and 10 packets' length. When the tenth ends, the fluid server has given
    // it half: five packets ahead, or four and a half after nine.
    let burst = &data["burst"][1];
    assert_eq!(burst["policy"], "wfq");
    let packets = burst["ahead_bytes"]["worst"].as_f64().expect("bytes") / 1500.0;
    assert!((4.5..=5.0).contains(&packets), "{packets}");
}

/// A file of figures with growth that is known: the square root, and in proportion.
fn known() -> String {
    let mut points = Vec::new();
    for (module, exponent) in [("ww_pieo", 0.5), ("ww_pifo:0", 1.0)] {
        for n in [256u32, 1024, 4096] {
            let gates = (1000.0 * f64::from(n).powf(exponent)) as u64;
            points.push(json!({ "kind": "cells", "module": module, "n": n, "gates": gates, "flipflops": gates,
                                "ram_bits": 0, "day": "2026-01-02", "tools": "by hand" }));
        }
    }
    points
        .push(json!({ "kind": "clock", "module": "ww_pieo", "n": 64, "failed": "more than 5 s" }));
    points.push(json!({ "kind": "clock", "module": "ww_pieo", "n": 16, "mhz": 80.0, "clocks": 4, "mops": 20.0 }));
    json!({ "points": points }).to_string()
}

#[test]
fn growth_is_judged() {
    let report = quick(&[Part::Hardware], &known()).expect("a report");
    let of = |what: &str| {
        let mut all = report.sections[0].verdicts.iter();
        all.find(|verdict| verdict.what.starts_with(what)).expect("a verdict")
    };
    assert_eq!(of("ww_pieo: growth").outcome, Outcome::Holds);
    assert_eq!(of("ww_pieo: growth").measured, "0.50, from 256 to 4096 elements");
    assert!(of("ww_pifo:0: growth").measured.starts_with("1.00"));
    // sqrt(30,000) is 173.2 beside 2,048.
    let scale = of("gates of ww_pieo with 30,000");
    assert!(
        scale.measured.contains("173205 (fitted) beside 2048000 (fitted)"),
        "{}",
        scale.measured
    );
    // The figures say that there is no RAM at all.
    assert_eq!(of("RAM for 30,000").outcome, Outcome::Worse);
    assert_eq!(of("clock of ww_pieo").outcome, Outcome::Holds);
    // 50 ns at 80 MHz; 240 Gb/s for one operation, 120 for two (check 11).
    let accounting = &report.sections[0].tables[1].rows[0];
    assert_eq!(accounting[2..5], ["50.0", "240", "120"].map(str::to_owned));
    let missing = &report.sections[0].tables[2].rows;
    assert!(missing.iter().any(|row| row[2] == "64" && row[3] == "more than 5 s"), "{missing:?}");
    assert!(
        report.sections[0].about.iter().any(|text| text.contains("on 2026-01-02, with by hand"))
    );
    // With sizes below 256 alone the fit is over these, and says so.
    let small = known().replace("\"n\":256", "\"n\":64").replace("\"n\":1024", "\"n\":128");
    let report = quick(&[Part::Hardware], &small).expect("a report");
    let growth = report.sections[0].verdicts.iter().find(|v| v.what.starts_with("ww_pieo: growth"));
    assert!(growth.expect("a verdict").reason.contains("smaller sizes"));
    // Growth in proportion to N is too much for ww_pieo.
    let steep = known()
        .replace("ww_pifo:0", "ww_other")
        .replace("ww_pieo", "ww_pifo")
        .replace("ww_other", "ww_pieo");
    let report = quick(&[Part::Hardware], &steep).expect("a report");
    let growth = report.sections[0].verdicts.iter().find(|v| v.what.starts_with("ww_pieo: growth"));
    assert_eq!(growth.expect("a verdict").outcome, Outcome::Worse);
}

#[test]
fn files_of_figures_are_checked() {
    assert!(parse_hardware(DATA).is_ok());
    for (text, expected) in [
        ("", "EOF"),
        ("{}", "there are no 'points'"),
        (r#"{"points": [{"kind": "x"}]}"#, "point 0 has no kind"),
        (r#"{"points": [{"kind": "cells"}]}"#, "point 0 has no module"),
        (r#"{"points": [{"kind": "cells", "module": "m", "n": 0}]}"#, "point 0 has no n of 2 to"),
    ] {
        let error = parse_hardware(text).expect_err("refused").to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
    assert!(quick(&[Part::Hardware], "{}").is_err());
}

/// Scripts rely on these keys.
#[test]
fn the_form_of_the_results_is_stable() {
    let parts = [Part::SixPackets, Part::Hardware, Part::Limits, Part::Gallery];
    let json = quick(&parts, &known()).expect("a report").json();
    let keys =
        |value: &Value| value.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&json), ["notes", "parts", "schema", "title"]);
    assert_eq!(json["schema"], 1);
    assert_eq!(keys(&json["parts"]), ["gallery", "hardware", "limits", "six-packets"]);
    for (name, part) in json["parts"].as_object().expect("parts") {
        assert_eq!(keys(part), ["data", "verdicts"], "{name}");
        for verdict in part["verdicts"].as_array().expect("verdicts") {
            assert_eq!(
                keys(verdict),
                ["measured", "outcome", "published", "reason", "required", "what"]
            );
            let word = verdict["outcome"].as_str().expect("a word");
            assert!(["holds", "worse", "not measured"].contains(&word));
            // What is not there has a reason.
            assert!(word != "not measured" || verdict["reason"] != "", "{verdict}");
        }
    }
    assert_eq!(keys(&json["parts"]["hardware"]["data"]), ["exponents", "points"]);
    assert_eq!(
        keys(&json["parts"]["six-packets"]["data"]["rows"][0]),
        ["order", "published", "published_v", "queue", "v"]
    );
}

/// One file that needs nothing from anywhere.
#[test]
fn the_page_is_whole() {
    let html =
        quick(&[Part::SixPackets, Part::Hardware, Part::Gallery], DATA).expect("a report").html();
    // The name space of SVG is a name, not an address.
    let rest = html.replace("http://www.w3.org/2000/svg", "");
    for word in ["http:", "https:", "<script", "<link", "@import", "url(", "src="] {
        assert!(!rest.contains(word), "the page has {word}");
    }
    let count = |tag: &str| rest.matches(&format!("<{tag}")).count();
    for tag in ["svg", "table", "figure", "nav", "h2", "g ", "text"] {
        let close = format!("</{}", tag.trim());
        assert_eq!(count(tag), rest.matches(&close).count(), "{tag}");
    }
    assert!(count("svg") >= 20);
}
