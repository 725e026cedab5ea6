//! The driver on `direct.sv`: what it does can be computed from the schedule alone, and so can its mistakes.

use super::{on_hardware, profile, with_errors};
use std::fmt::Write;
use ww_fabric::flows::Flow;
use ww_fabric::outcome::FinishedFlow;
use ww_rtl::design::SourceFile;
use ww_rtl::shoal_prototype::{MODULE, SimulatedPrototype};

fn direct(fault: u32) -> SimulatedPrototype {
    let text = include_str!("direct.sv").replace("FAULT = 0", &format!("FAULT = {fault}"));
    let file = SourceFile { name: format!("{MODULE}.sv"), text };
    SimulatedPrototype::with_files(&[file]).expect("a model")
}

fn flow(id: u64, src: u32, dst: u32, cells: u64, start: u64) -> Flow {
    Flow { id, src, dst, cells, start }
}

/// Cells of a pair leave in its slots, one each, from the flow's start on, and are there in the 20th slot after.
#[test]
fn cells_that_are_offered_are_seen() {
    // From each host to all others in the first slot, so that each addition has a clock of its own; two flows that begin
    // in the slot before that of their pair, and in it; one behind a pause, and two at once.
    let mut flows = Vec::new();
    for src in 0..8 {
        for dst in (0..8).filter(|&dst| dst != src) {
            flows.push(flow(flows.len() as u64, src, dst, 2 + u64::from(src), 0));
        }
    }
    let pause = 7 * 100_000;
    // 6 to 0 is 2 hosts on: the second slot of an epoch.
    for (src, dst, cells, start) in
        [(6, 0, 3, 140), (1, 2, 3, 203), (6, 0, 5, 281), (4, 1, 1, pause + 4), (2, 7, 3, pause + 5)]
    {
        flows.push(flow(flows.len() as u64, src, dst, cells, start));
    }
    let mut rows = Vec::new();
    let mut finished = Vec::new();
    let mut seqs = [[0; 8]; 8];
    for &Flow { src, dst, cells, start, .. } in &flows {
        let phase = u64::from((dst + 8 - src - 1) % 8);
        let first = start + (phase + 7 - start % 7) % 7;
        let last = first + 7 * (cells - 1);
        let seq = &mut seqs[src as usize][dst as usize];
        for slot in (first..=last).step_by(7) {
            rows.push([slot, src.into(), dst.into(), *seq]);
            *seq += 1;
        }
        finished.push(FinishedFlow {
            src,
            dst,
            cells,
            start,
            first_queued: first,
            last_queued: last,
            first_received: first + 20,
            last_received: last + 20,
        });
    }
    rows.sort();
    let mut expected = String::new();
    for [slot, src, dst, seq] in rows {
        let _ = writeln!(expected, "{slot},{src},{dst},{src},{dst},{seq}");
    }
    let mut hardware = direct(0);
    let (outcome, trace) = on_hardware(&profile(None), &mut hardware, &flows);
    let outcome = outcome.expect("an outcome");
    assert_eq!(trace, expected);
    assert_eq!(outcome.finished, finished);
    // The last flow misses its slot of the epoch in which it starts: phase 4 of the next, two epochs more, and the delay.
    assert_eq!(outcome.slots, pause + 7 + 4 + 2 * 7 + 20 + 1);
    // Queues are empty at the end of each slot.
    assert_eq!(outcome.queue_samples, [56 * outcome.slots]);
    // The pause is skipped.
    assert!(hardware.clocks() < 12 * 2_000, "{}", hardware.clocks());
}

/// Each planted mistake, and what is said of it.
#[test]
fn mistakes_of_hardware_are_named() {
    let flows: Vec<Flow> =
        (1..8).map(|src| flow(src.into(), src, 5 * u32::from(src != 5), 9, 0)).collect();
    let expected: [(u32, &[&str]); 10] = [
        (1, &["slot_begin", "after 12 clocks"]),
        (2, &["expected ready", "100000 clocks"]),
        (3, &["found nothing", "7 of 7 flows", "hangs"]),
        (4, &["at its destination", "5", "found none"]),
        (5, &["slot 4", "host 3", "payload"]),
        (6, &["slot 4", "host 3", "frames"]),
        (7, &["slot 4", "cut"]),
        (8, &["port slot", "found 11"]),
        (9, &["expected a slot after go", "100000 clocks"]),
        (11, &["slot 4", "host 3", "room"]),
    ];
    for (fault, words) in expected {
        let (outcome, _) = on_hardware(&profile(None), &mut direct(fault), &flows);
        let message = outcome.expect_err("a mistake").to_string();
        for word in words {
            assert!(message.contains(word), "{fault}: {message}: no {word:?}");
        }
    }
}

/// With errors in headers the module loses cells and does not send them again; or lets them pass.
#[test]
fn mistakes_about_errors_are_named() {
    let flows: Vec<Flow> = (1..8).map(|src| flow(src.into(), src, 0, 9, 0)).collect();
    for (fault, words) in [
        (0, ["expected cell", "that was dropped before"]),
        (10, ["damaged frames more", "found none"]),
    ] {
        let configuration = with_errors(None, Some((0.1, 1)));
        let (outcome, _) = on_hardware(&configuration, &mut direct(fault), &flows);
        let message = outcome.expect_err("a mistake").to_string();
        for word in words {
            assert!(message.contains(word), "{fault}: {message}: no {word:?}");
        }
    }
}
