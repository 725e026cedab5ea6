//! Labs of two TCP/IP hosts and a line.

use ww_lab::lab::{Lab, Request};
use ww_lab::world::sim;

const PAIR: &str = r#"
[run]
seeds = 2
[pair]
segment = 1000
bytes = "1 MB"
rtt = "20 us"
loss = "0.5 %"
"#;

#[test]
fn streams_come_whole_and_seeds_differ() {
    let planned = Lab::of_text("test", PAIR).check().unwrap_or_else(|report| panic!("{report}"));
    let outcomes = sim::run_all(&planned, &(), None, 1, &()).expect("it runs");
    let get = |seed: usize, name: &str| {
        outcomes[0][seed].numbers.get(&["pair", name]).expect("it is counted")
    };
    for seed in 0..2 {
        assert_eq!(get(seed, "whole"), 1.0);
        assert_eq!(get(seed, "delivered_bytes"), 1e6);
        assert!(get(seed, "retransmitted") > 0.0, "frames were lost");
    }
    assert_ne!(get(0, "goodput_gbps"), get(1, "goodput_gbps"));
}

#[test]
fn bad_pairs_are_refused() {
    for (good, bad, words) in [
        ("segment = 1000", "segment = 0", "expected 1 to 8960"),
        ("segment = 1000", "segment = 8961", "expected 1 to 8960"),
        ("segment = 1000", "sgment = 1000", "'sgment'"),
        ("rtt = \"20 us\"", "rtt = \"11 s\"", "'rtt': expected 10 s at most"),
        ("rtt = \"20 us\"", "cycles = 100", "leave out one of them"),
        ("rtt = \"20 us\"", "scheme = \"fibre\"", "wire"),
        ("rtt = \"20 us\"", "sessions = 64\nwindow_scale = 10", "up to 9"),
        ("\"0.5 %\"", "\"101 %\"", "'loss'"),
        ("seeds = 2", "duration = \"1 ms\"", "duration"),
        ("[run]", "[topology]\nkind = \"star\"\n[run]", "'topology' is of a network of packets"),
        ("[run]", "[fabric]\nhosts = 8\n[run]", "'fabric' is of another kind of lab"),
        ("[run]", "worlds = [\"netns\"]\n[run]", "runs in sim alone"),
    ] {
        let text = PAIR.replacen(good, bad, 1);
        let report = Lab::of_text("test", &text).plan(&Request::default()).expect_err(bad);
        assert!(report.to_string().contains(words), "{bad}: {report}");
    }
}
