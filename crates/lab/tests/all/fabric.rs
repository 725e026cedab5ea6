//! Labs of circuit switches.

use ww_lab::lab::{Lab, Request};
use ww_lab::world::sim;

const EIGHT: &str = r#"
[run]
seeds = 2
[fabric]
rules = "shoal"
hosts = 8
order = "reordered"
slot = "76.8 ns"
delay = "100 ns"
[fabric.flows]
pattern = "incast"
senders = 7
cells = 20
"#;

#[test]
fn all_cells_of_an_incast_arrive_within_the_bound() {
    let planned = Lab::of_text("test", EIGHT).check().unwrap_or_else(|report| panic!("{report}"));
    let outcomes = sim::run_all(&planned, &(), None, 1, &()).expect("it runs");
    assert_eq!(outcomes[0].len(), 2);
    for outcome in &outcomes[0] {
        let get = |path: &[&str]| outcome.numbers.get(path).expect("it is counted");
        assert_eq!(get(&["fabric", "finished"]), 7.0);
        assert_eq!(get(&["fabric", "unfinished"]), 0.0);
        // Spec 004, (3.5): 1 + 7 senders.
        assert!(get(&["fabric", "queue_cells", "max"]) <= 8.0);
        assert_eq!(get(&["fabric", "bound_violations"]), 0.0);
        // Reordered, an even number of hosts, one channel: as many slots as hosts.
        assert_eq!(get(&["fabric", "epoch_slots"]), 8.0);
        // The receiver takes a cell in at most 7 of any 8 slots: 140 cells need 20 epochs, but for an idle slot at the end.
        assert!(get(&["fabric", "slots"]) >= 159.0);
    }
}

#[test]
fn bad_fabrics_are_refused() {
    for (good, bad, words) in [
        ("senders = 7", "senders = 8", "senders: expected 1 to 7, found 8"),
        ("\"incast\"", "\"incst\"", "incast"),
        ("hosts = 8", "hosts = 1", "expected"),
        ("hosts = 8", "hosts = 8\nchannels = 8", "change hosts or channels"),
        ("\"shoal\"", "\"published\"", "expected order plain"),
        ("senders = 7", "", "'senders'"),
        ("cells = 20", "cells = 0", "cells: expected at least 1"),
        ("rules = \"shoal\"", "", "expected rules"),
        ("seeds = 2", "duration = \"1 ms\"", "duration"),
        ("[run]", "[topology]\nkind = \"star\"\n[run]", "'topology' is of a network of packets"),
        ("[run]", "worlds = [\"netns\"]\n[run]", "runs in sim alone"),
    ] {
        let text = EIGHT.replacen(good, bad, 1);
        let report = Lab::of_text("test", &text).plan(&Request::default()).expect_err(bad);
        assert!(report.to_string().contains(words), "{bad}: {report}");
    }
}
