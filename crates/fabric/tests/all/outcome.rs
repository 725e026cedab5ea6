//! Figures and lines of a run, against values that are worked out by hand.

use serde_json::json;
use ww_fabric::outcome::{FinishedFlow, Outcome};

fn flow(cells: u64, start: u64, last_received: u64) -> FinishedFlow {
    FinishedFlow {
        src: 3,
        dst: 0,
        cells,
        start,
        first_queued: start + 1,
        last_queued: start + 3,
        first_received: start + 4,
        last_received,
    }
}

/// Times A to E are 4, 3, 6, 9 and 10 slots of 10 ns; 448 bits a cell.
#[test]
fn a_line_has_the_five_times() {
    let line = flow(3, 20, 29).line(10.0).to_string();
    assert_eq!(
        line,
        "(3->0) 3pkt, 4/0.040us/33.600Gbps, 3/0.030us/44.800Gbps, 6/0.060us/22.400Gbps, \
         9/0.090us/14.933Gbps, 10/0.100us/13.440Gbps\n"
    );
}

/// 448/7168 is 0.0625 and three times that 0.1875: halves go to the even digit, as printf rounds.
#[test]
fn rates_round_as_printf_does() {
    for (cells, rate) in [(1, "/0.062Gbps\n"), (3, "/0.188Gbps\n")] {
        let line = flow(cells, 0, 7167).line(1.0).to_string();
        assert!(line.ends_with(rate), "{line}");
    }
}

/// 2^24 + 1 slots are no binary32: they round to the even 2^24 before they are multiplied.
#[test]
fn times_are_binary32() {
    let line = flow(1, 0, 1 << 24).line(1.0).to_string();
    assert!(line.contains(", 16777217/16777.216us/"), "{line}");
}

fn outcome() -> Outcome {
    Outcome {
        rules: "published",
        hosts: 4,
        channels: 2,
        slot_ns: 7.0,
        slots: 50,
        warmup: 25,
        flows: 7,
        finished: vec![
            flow(1_785, 0, 999),
            flow(1_786, 0, 5_000),
            flow(1, 100, 3_099),
            flow(17_857, 0, 6_000),
            flow(17_858, 0, 17_857),
            flow(35_716, 1, 17_858),
        ],
        queue_samples: vec![980, 10, 9, 0, 1, 0],
        aggregate_cells_max: 12,
        reorder_cells: 5,
        last_hop_cells: 50,
        bound_violations: 2,
        failures: None,
        classes: Vec::new(),
        clocks: None,
    }
}

/// Short flows take 1,000 and 3,000 slots of 7 ns; long ones have one and two cells a slot, of 64 Gb/s each.
#[test]
fn figures_are_those_worked_out_by_hand() {
    let expected = json!({
        "rules": "published", "hosts": 4, "slots": 50, "cell_slots": 400, "flows": 7, "finished": 6,
        "queue_cells": {"max": 4, "p99": 1, "p999": 2},
        "aggregate_cells_max": 12, "reorder_cells": 5, "throughput": 0.25, "bound_violations": 2,
        "fct_us": {"short_mean": 14.0, "short_p999": 21.0}, "goodput_gbps": 96.0,
    });
    assert_eq!(outcome().figures(), expected);
}

#[test]
fn what_did_not_occur_is_null() {
    let mut outcome = outcome();
    outcome.finished.clear();
    outcome.warmup = 50;
    let figures = outcome.figures();
    for pointer in ["/throughput", "/fct_us/short_mean", "/fct_us/short_p999", "/goodput_gbps"] {
        assert_eq!(figures.pointer(pointer), Some(&json!(null)), "{pointer}");
    }
}
