//! Hosts whose slot clocks are off: nothing changes inside the guard band, and beyond it each of their cells is cut and counted.
//!
//! spec: 004-pieo-shoal S25, S29

use super::loads::load;
use super::{compare_with, profile, with_errors};
use ww_fabric::observed::late;
use ww_fabric::offsets::{ClockCounts, HostOffset, Offsets};
use ww_fabric::outcome::Outcome;
use ww_rtl::shoal_prototype::SimulatedPrototype;

/// Offsets of hosts, in clocks of 6.4 ns.
fn clocks(late: &[(usize, i64)]) -> Offsets {
    with_lock(late, 0)
}

fn with_lock(late: &[(usize, i64)], lock_ps: u64) -> Offsets {
    let of = |&(host, clocks)| HostOffset { host, late_ps: 6_400 * clocks };
    Offsets::new(&late.iter().map(of).collect::<Vec<_>>(), lock_ps).expect("offsets")
}

/// A host may be late by a clock, the guard band: each set of hosts that are, with and without errors in headers.
#[test]
fn the_guard_band_hides_a_late_clock() {
    for (seed, late) in (40..).zip([0x01_u8, 0x80, 0x55, 0x2c, 0xfe, 0xff]) {
        let hosts: Vec<_> = (0..8).filter(|host| late >> host & 1 == 1).map(|h| (h, 1)).collect();
        let errors = (seed % 2 == 1).then_some((0.05, seed));
        let configuration = with_errors(Some(1_000), errors);
        let what = format!("seed {seed}, late hosts {hosts:?}");
        let (_, cells) = compare_with(&configuration, &clocks(&hosts), &load(seed), &what);
        assert!(cells > 20, "{what}");
    }
}

/// A run of 200 epochs, 1,400 slots, with a host that is off.
fn off_by(host: usize, late: i64) -> (Outcome, ClockCounts) {
    off(&clocks(&[(host, late)]))
}

fn off(offsets: &Offsets) -> (Outcome, ClockCounts) {
    let configuration = profile(Some(200));
    let mut hardware = SimulatedPrototype::new().expect("a model of the hardware");
    hardware.set_offsets(offsets);
    let flows: Vec<_> =
        load(2).into_iter().map(|flow| ww_fabric::flows::Flow { cells: 300, ..flow }).collect();
    let settings = configuration.relay().expect("hosts that relay");
    let outcome = late::run(configuration.schedule(), settings, &flows, &mut hardware, None);
    let outcome = outcome.expect("an outcome");
    let counts = outcome.clocks.expect("counts");
    assert_eq!(outcome.slots, 1_400);
    (outcome, counts)
}

/// A host sends a cell in each slot, if only an empty one. Those of the last 5 slots are not yet at its leaf when the run ends, which is 49
/// clocks behind it, and those of the last 21 not at the peer.
#[test]
fn each_cell_of_a_host_that_is_early_is_cut() {
    for clocks in [-1, -5, -10] {
        let (_, counts) = off_by(6, clocks);
        assert!((1_395..=1_400).contains(&counts.cut_cells), "{clocks}: {counts:?}");
        assert!(counts.missing_cells >= 1_379, "{clocks}: {counts:?}");
    }
    // A clock early, only the preamble is cut: a frame that has none is no frame.
    assert_eq!(off_by(6, -1).1.bad_frames, 0);
}

/// A frame that is late loses its end, so it is a bad one at its peer.
#[test]
fn each_cell_of_a_host_that_is_too_late_is_cut() {
    for clocks in [2, 6] {
        let (_, counts) = off_by(3, clocks);
        assert!((1_395..=1_400).contains(&counts.cut_cells), "{clocks}: {counts:?}");
        assert!((1_379..=1_400).contains(&counts.bad_frames), "{clocks}: {counts:?}");
    }
}

/// Flows between other hosts lose what went over the one that is off, so some may never end; none ends from or to it.
#[test]
fn flows_of_a_host_that_is_off_do_not_finish() {
    for clocks in [-1, 2] {
        let (outcome, _) = off_by(4, clocks);
        assert!(outcome.finished.iter().all(|flow| flow.src != 4 && flow.dst != 4));
        assert!(outcome.finished.len() < outcome.flows as usize);
        assert!(outcome.last_hop_cells > 1_400, "{}", outcome.last_hop_cells);
    }
}

/// Receivers that lock need the clock by which a host might be late (S26): hosts on time send what the model sends, one that is late by a clock is cut as
/// one that is early.
#[test]
fn receivers_lock_in_the_clock_that_is_left() {
    for seed in [50, 51] {
        let errors = (seed % 2 == 1).then_some((0.05, seed));
        let configuration = with_errors(Some(1_000), errors);
        compare_with(&configuration, &with_lock(&[], 625), &load(seed), &format!("seed {seed}"));
    }
    for late in [-1, 1] {
        let (_, counts) = off(&with_lock(&[(2, late)], 625));
        assert!((1_395..=1_400).contains(&counts.cut_cells), "{late}: {counts:?}");
    }
}
