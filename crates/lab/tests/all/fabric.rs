//! Labs of circuit switches.

use ww_lab::lab::{Lab, Request};
use ww_lab::world::{netns, sim};

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
        // A host sends one cell in a slot of 76.8 ns.
        let [least, mean, largest] =
            ["least", "mean", "largest"].map(|name| get(&["fabric", "fct_us", name]));
        assert!(20.0 * 0.0768 <= least && least <= mean && mean <= largest);
        // All start in slot 0, and the run ends with the last of them.
        assert!((largest - get(&["fabric", "slots"]) * 0.0768).abs() < 1e-9);
        let share = get(&["fabric", "fct_us", "mean_to_largest"]);
        assert!((share - mean / largest).abs() < 1e-9 && share < 1.0);
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
        ("hosts = 8", "hosts = 8\nhops = 1", "expected no hops with the rules shoal"),
        ("hosts = 8", "hosts = 8\nmatching = \"1 us\"", "expected no 'matching' with the rules"),
        ("hosts = 8", "hosts = 8\nmatching = \"2 s\"", "'matching': expected a second at most"),
        ("hosts = 8", "hosts = 8\nflip = 1.0", "expected a probability of 0 to less than 1"),
        ("hosts = 8", "hosts = 8\nflip = -0.1", "'flip'"),
        ("hosts = 8", "hosts = 8\nkill = [\"3\"]", "'kill': expected HOST@SLOT"),
        ("hosts = 8", "hosts = 8\nkill = \"3@5\"", "'kill': expected a list"),
        ("hosts = 8", "hosts = 8\nkill = [\"8@5\"]", "expected a host of 0 to 7"),
        ("hosts = 8", "hosts = 8\nrevive = [\"3@5\"]", "without a kill before it"),
        ("hosts = 8", "hosts = 8\nrepair = true", "expected a kill with repair"),
        ("\"shoal\"", "\"basic\"\nflip = 0.1", "expected rules shoal with flip and kill"),
        ("[run]", "worlds = [\"netns\"]\n[run]", "runs in sim alone"),
    ] {
        let text = EIGHT.replacen(good, bad, 1);
        let report = Lab::of_text("test", &text).plan(&Request::default()).expect_err(bad);
        assert!(report.to_string().contains(words), "{bad}: {report}");
    }
}

/// The same hosts with switches that turn slowly: in slots of 1 us, 10 of them from turn to turn, 2 dark.
const SLOW: &str = r#"
[fabric]
rules = "rotornet"
hosts = 8
slot = "1 us"
matching = "10 us"
reconfiguration = "2 us"
[fabric.flows]
pattern = "incast"
senders = 7
cells = 20
"#;

/// One run of a lab: the number at a path of `fabric`.
fn measured(text: &str) -> impl Fn(&[&str]) -> f64 + use<> {
    let planned = Lab::of_text("test", text).check().unwrap_or_else(|report| panic!("{report}"));
    let outcomes = sim::run_all(&planned, &(), None, 1, &()).expect("it runs");
    let numbers = outcomes[0][0].numbers.clone();
    move |path| numbers.get(&[&["fabric"], path].concat()).expect("it is counted")
}

#[test]
fn switches_turn_slowly() {
    // One hop: a circuit to host 0 carries 8 cells in a slice of 10 slots, so each host needs three cycles of 7 slices.
    let direct = measured(&SLOW.replace("hosts = 8", "hosts = 8\nhops = 1"));
    assert_eq!((direct(&["finished"]), direct(&["unfinished"])), (7.0, 0.0));
    let slices = (direct(&["fct_us", "largest"]) / 10.0).ceil();
    assert_eq!(slices, 21.0);
    // Nobody relays, so no cell of others waits anywhere.
    assert_eq!(direct(&["queue_cells", "max"]), 0.0);
    // Opera asks for three channels, and for slices that a cell can cross.
    let several = SLOW.replace("hosts = 8", "hosts = 8\nchannels = 3").replace("10 us", "20 us");
    for (rules, more) in [("opera", "bulk_bytes = 1_000"), ("vermilion", "factor = 2")] {
        let found = measured(&several.replace("\"rotornet\"", &format!("\"{rules}\"\n{more}")));
        assert_eq!((found(&["finished"]), found(&["unfinished"])), (7.0, 0.0), "{rules}");
        // Three channels bring host 0 three cells in a slot: 140 cells need 47 slots.
        assert!(found(&["fct_us", "largest"]) >= 47.0, "{rules}");
    }
}

/// What only shows when the network is drawn is told in a lab's words, too.
#[test]
fn slices_too_short_for_a_cell_are_refused() {
    let short = SLOW.replace("hosts = 8", "hosts = 8\nchannels = 3").replace("rotornet", "opera");
    let planned = Lab::of_text("test", &short).check().unwrap_or_else(|report| panic!("{report}"));
    let error = sim::run_all(&planned, &(), None, 1, &()).expect_err("a cell needs 12 slots");
    assert!(error.contains("change 'matching' or 'delay'"), "{error}");
}

#[test]
fn bad_slow_switches_are_refused() {
    for (good, bad, words) in [
        ("hosts = 8", "hosts = 8\nhops = 3", "expected 1 or 2 hops, found 3; change hops"),
        ("hosts = 8", "hosts = 8\nfactor = 3", "expected no factor with the rules rotornet"),
        ("hosts = 8", "hosts = 8\nbulk_bytes = 3", "expected no 'bulk_bytes' with the rules"),
        ("hosts = 8", "hosts = 8\norder = \"reordered\"", "expected no order reordered"),
        ("hosts = 8", "hosts = 8\nkill = [\"3@5\"]", "expected rules shoal with flip and kill"),
        ("\"2 us\"", "\"10 us\"", "change 'reconfiguration' or 'matching'"),
        ("\"2 us\"", "2", "has no unit"),
        ("\"rotornet\"", "\"opera\"", "expected 3 to 64 channels"),
        ("\"rotornet\"", "\"vermilion\"\nfactor = 1", "expected a factor of 2 to 64"),
    ] {
        let text = SLOW.replacen(good, bad, 1);
        let report = Lab::of_text("test", &text).plan(&Request::default()).expect_err(bad);
        assert!(report.to_string().contains(words), "{bad}: {report}");
    }
}

#[test]
fn headers_have_errors_and_hosts_die() {
    // An epoch has 8 slots, a cell needs 2: host 3 may be back after 20.
    let fails = EIGHT
        .replace("seeds = 2", "seeds = 1")
        .replace("hosts = 8", "hosts = 8\nflip = \"2 %\"\nkill = [\"3@40\"]\nrevive = [\"3@60\"]");
    let found = measured(&fails);
    // The flow of host 3 has died, all others arrive.
    assert_eq!((found(&["finished"]), found(&["unfinished"])), (6.0, 1.0));
    assert_eq!(found(&["failures", "dead_flows"]), 1.0);
    // Of 7 cells in a slot of all that live, one in fifty is dropped: within five deviations of a binomial.
    let (cells, dropped) = (7.0 * found(&["slots"]), found(&["failures", "dropped"]));
    assert!(
        (dropped - cells / 50.0).abs() < 5.0 * (cells / 50.0).sqrt() + 2.0,
        "{dropped} of {cells}"
    );
    // Other seeds, other errors.
    let others = measured(&fails.replace("seeds = 1", "seed = 2\nseeds = 1"));
    assert_ne!(
        [found(&["failures", "dropped"]), found(&["slots"])],
        [others(&["failures", "dropped"]), others(&["slots"])]
    );
    // Without host 3 the schedule has 7 hosts and 6 slots, and nobody waits for it.
    let repaired = fails.replace("revive = [\"3@60\"]", "repair = true");
    assert_eq!(measured(&repaired)(&["finished"]), 6.0);
}

/// TCP over circuits in the place of a star's switch.
const STAR: &str = r#"
[run]
duration = "1 ms"
drain = "9 ms"
[topology]
kind = "star"
hosts = 8
edge = { rate = "10 Gb/s", delay = "1 us" }
[topology.fabric]
rules = "shoal"
slot = "76.8 ns"
delay = "500 ns"
[[traffic]]
name = "flows"
kind = "flows"
pairs = "permutation"
once = true
sizes = "100 KB"
transport = "dctcp"
"#;

#[test]
fn tcp_crosses_circuits() {
    let planned = Lab::of_text("test", STAR).check().unwrap_or_else(|report| panic!("{report}"));
    let outcomes = sim::run_all(&planned, &(), None, 1, &()).expect("it runs");
    let get = |path: &[&str]| outcomes[0][0].numbers.get(path).expect("it is counted");
    assert_eq!(get(&["traffic", "flows", "flows", "finished"]), 8.0);
    assert_eq!(get(&["traffic", "flows", "flows", "retransmitted"]), 0.0);
    assert_eq!(get(&["fabric", "bound_violations"]), 0.0);
    // A segment of 1,448 bytes takes 28 cells.
    assert!(get(&["fabric", "source_bytes_max"]) >= 28.0 * 64.0);
    // 70 segments of 28 cells, at best one in each slot of 76.8 ns, and half as fast if each takes a detour.
    let least = get(&["traffic", "flows", "fct_us", "least"]);
    assert!(least > 69.0 * 28.0 * 0.0768, "{least} us");
}

#[test]
fn bad_circuits_of_a_star_are_refused() {
    for (good, bad, words) in [
        ("rules = \"shoal\"", "rules = \"published\"", "basic, literal, consistent, shoal"),
        ("rules = \"shoal\"", "", "expected rules"),
        ("rules = \"shoal\"", "rules = \"shoal\"\nhosts = 8", "'hosts'"),
        (
            "rules = \"shoal\"",
            "rules = \"shoal\"\nbuffer = \"1 KB\"",
            "room for the cells of a frame",
        ),
        ("rules = \"shoal\"", "rules = \"shoal\"\nchannels = 8", "change hosts or channels"),
        ("\"76.8 ns\"", "\"2 s\"", "'slot': expected a second at most"),
        ("kind = \"star\"", "kind = \"star\"\nswitch = { routes = true }", "leave out 'switch'"),
        ("hosts = 8", "hosts = 1", "expected"),
        (
            "kind = \"star\"\nhosts = 8",
            "kind = \"ring\"\nswitches = 8\ncore = { rate = \"1 Gb/s\" }",
            "say kind = \"star\"",
        ),
    ] {
        let text = STAR.replacen(good, bad, 1);
        let report = Lab::of_text("test", &text).plan(&Request::default()).expect_err(bad);
        assert!(report.to_string().contains(words), "{bad}: {report}");
    }
}

#[test]
fn world_netns_has_no_circuits() {
    let text = STAR.replacen("[run]", "worlds = [\"netns\"]\n[run]", 1);
    let planned = Lab::of_text("test", &text).plan(&Request::default()).expect("a good lab");
    let problems = netns::refused(&planned.variants[0].plan);
    assert!(problems[0].contains("'s0' is a fabric of circuit switches"), "{problems:?}");
}
