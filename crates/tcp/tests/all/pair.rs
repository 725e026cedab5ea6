//! Pairs: rates beside theory, streams whole whatever happens to frames, what the features are worth.

use serde_json::Value;
use ww_tcp::pair::{Impairments, Memory, Outcome, Peer, Plan, Scheme, run};
use ww_tcp::settings::Behaviour;

fn plan() -> Plan {
    Plan {
        peer: Peer::Model,
        scheme: Scheme::Wire,
        memory: Memory::Ddr4,
        segment: 1460,
        sessions: 1,
        bytes: None,
        cycles: 20_000,
        rtt: 0,
        impairments: Impairments::default(),
        seed: 1,
        receive: false,
        tcp: Behaviour::default(),
    }
}

fn number(outcome: &Outcome, name: &str) -> f64 {
    match &outcome.figures[name] {
        Value::Number(number) => number.as_f64().unwrap(),
        other => panic!("{name}: {other}"),
    }
}

/// What 100G Ethernet carries of frames with segments of so many bytes, in Gb/s (spec 002, 3, Fig 7.8).
fn theory(segment: u16) -> f64 {
    100.0 * (f64::from(segment) + 54.0) / (f64::from(segment) + 78.0)
}

fn rate_is_theory(segment: u16) {
    let outcome = run(&Plan { segment, ..plan() }).unwrap();
    let share = number(&outcome, "frame_gbps") / theory(segment);
    assert!((0.999..1.0005).contains(&share), "{segment} bytes: {share}");
    assert!(outcome.whole);
}

/// Check 30: every 64th size and its neighbours.
#[test]
fn scheme_1_has_the_rate_of_the_wire() {
    for segment in 74..=140 {
        rate_is_theory(segment);
    }
    for middle in (192..=8_896u16).step_by(64) {
        (middle - 1..=middle + 1).for_each(rate_is_theory);
    }
    rate_is_theory(8_960);
}

/// Check 30 for every size.
#[test]
#[ignore = "a minute and a half"]
fn scheme_1_has_the_rate_of_the_wire_for_every_segment() {
    (74..=8_960).for_each(rate_is_theory);
}

/// Check 30: 97.82 and 99.43 Gb/s are the published lines.
#[test]
fn published_rates_of_scheme_1() {
    for (segment, published) in [(1_024, 97.82), (2_048, 98.87), (4_096, 99.43)] {
        let outcome = run(&Plan { segment, ..plan() }).unwrap();
        assert!((number(&outcome, "frame_gbps") - published).abs() < 0.01, "{segment}");
    }
}

/// Check 30: stream to stream above 100 Gb/s from 1,024 bytes on, never above 165, and flat where memory is the bound.
#[test]
fn scheme_2_is_bounded_by_memory() {
    let rate = |segment, memory| {
        let plan = Plan { segment, memory, scheme: Scheme::Stream, ..plan() };
        number(&run(&plan).unwrap(), "frame_gbps")
    };
    for segment in (1_024..=8_960).step_by(124) {
        for memory in [Memory::Ddr4, Memory::Uram] {
            let rate = rate(segment, memory);
            assert!((100.0..=165.0).contains(&rate), "{segment} bytes, {memory:?}: {rate}");
        }
    }
    let (short, long) = (rate(2_048, Memory::Ddr4), rate(4_096, Memory::Ddr4));
    assert!((short - long).abs() < 2.5 && long < 130.0, "{short} {long}");
    assert!(rate(4_096, Memory::Uram) > 160.0);
}

/// Check 29: 64 KiB in a round trip of 50 us are 10.5 Gb/s; with enough of a window it is the line.
#[test]
fn goodput_rises_with_the_window_scale() {
    let goodput = |scale| {
        let tcp = Behaviour { window_scale: Some(scale), ..Behaviour::default() };
        let plan = Plan { rtt: 50_000, bytes: Some(100_000_000), tcp, ..plan() };
        number(&run(&plan).unwrap(), "goodput_gbps")
    };
    let narrow = goodput(0);
    assert!((10.2..10.6).contains(&narrow), "{narrow}");
    let doubled = goodput(1);
    assert!((1.9..2.05).contains(&(doubled / narrow)), "{doubled}");
    assert!(goodput(6) > 0.95 * 94.93, "{}", goodput(6));
}

fn all_four() -> Impairments {
    "loss=1%,reorder=1%,duplicate=1%,damage=0.5%".parse().unwrap()
}

/// Check 32: thirty connections, any of the impairments, both directions, either peer.
fn streams_are_whole(seed: u64) {
    for peer in [Peer::Model, Peer::Smoltcp] {
        for receive in [false, true] {
            let tcp = Behaviour { window_scale: Some(4), ..Behaviour::default() };
            let plan = Plan {
                peer,
                receive,
                sessions: 30,
                bytes: Some(100_000),
                impairments: all_four(),
                seed,
                tcp,
                ..plan()
            };
            let outcome = run(&plan).unwrap();
            assert!(outcome.whole, "{peer:?}, receive {receive}, seed {seed}: {}", outcome.figures);
        }
    }
}

#[test]
fn streams_are_whole_whatever_happens_to_frames() {
    (1..=4).for_each(streams_are_whole);
}

#[test]
#[ignore = "a minute"]
fn streams_are_whole_for_32_seeds() {
    (1_000..1_032).for_each(streams_are_whole);
}

/// Check 32: with the published feature set too.
#[test]
fn published_streams_are_whole() {
    for seed in 1..=3 {
        let tcp = Behaviour { window_scale: Some(4), ..Behaviour::default() }.published();
        let (impairments, bytes) = (all_four(), Some(40_000));
        let plan = Plan { sessions: 8, bytes, impairments, seed, tcp, ..plan() };
        let outcome = run(&plan).unwrap();
        assert!(outcome.whole, "seed {seed}: {}", outcome.figures);
    }
}

/// Goodputs of 50 MB over 50 us with our feature set and the published one.
fn goodputs(impairments: &str, seed: u64) -> (f64, f64) {
    let goodput = |published: bool| {
        let tcp = Behaviour { window_scale: Some(6), ..Behaviour::default() };
        let tcp = if published { tcp.published() } else { tcp };
        let (rtt, bytes) = (50_000, Some(50_000_000));
        let plan =
            Plan { rtt, bytes, impairments: impairments.parse().unwrap(), seed, tcp, ..plan() };
        number(&run(&plan).unwrap(), "goodput_gbps")
    };
    (goodput(false), goodput(true))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn features_are_worth(impairments: &str, seeds: std::ops::Range<u64>, factor: f64, least: f64) {
    let (ours, published): (Vec<f64>, Vec<f64>) =
        seeds.map(|seed| goodputs(impairments, seed)).unzip();
    let (ours, published) = (median(ours), median(published));
    assert!(ours >= factor * published, "{impairments}: {ours} and {published} Gb/s");
    assert!(ours >= least, "{impairments}: {ours} Gb/s");
}

#[test]
fn features_are_worth_it_on_three_seeds() {
    features_are_worth("loss=1%", 1..4, 5.0, 0.0);
    features_are_worth("loss=0.1%", 1..4, 2.0, 0.0);
    features_are_worth("reorder=0.1%", 1..4, 5.0, 80.0);
}

#[test]
#[ignore = "a minute"]
fn features_are_worth_it_on_32_seeds() {
    features_are_worth("loss=1%", 500..532, 5.0, 0.0);
    features_are_worth("loss=0.1%", 500..532, 2.0, 0.0);
    features_are_worth("reorder=0.1%", 500..532, 5.0, 80.0);
}

/// The same plan has the same outcome.
#[test]
fn runs_repeat() {
    let plan = Plan {
        sessions: 5,
        bytes: Some(30_000),
        impairments: all_four(),
        tcp: Behaviour { window_scale: Some(2), ..Behaviour::default() },
        ..plan()
    };
    assert_eq!(run(&plan).unwrap().figures, run(&plan).unwrap().figures);
}
