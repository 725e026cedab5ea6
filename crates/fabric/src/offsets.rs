//! Hosts of the prototype whose slot clocks are not on time: `--offset HOST=NS` of `ww fabric sim`.
//!
//! A host that is late by no more than the guard band allows sends whole cells. One that is early, or later, sends into the guard bands of
//! its leaf, which cut its cells (S25, S29).

use crate::configuration::picoseconds;
use crate::prototype::{CLOCK_PS, GUARD_CLOCKS, HOSTS};
use crate::schedule::BadFabric;
use serde_json::{Value, json};
use std::fmt;
use std::str::FromStr;

/// The most clocks that a host may be off, early or late: the frame of a cell has 10 of the 12 clocks of a slot, so at 11 it would pass whole
/// in another slot, to another host.
const MOST_CLOCKS: i64 = 10;

/// A host and how late its slots begin: `HOST=NS`, less than zero if early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostOffset {
    /// The host, from 0.
    pub host: usize,
    /// Picoseconds.
    pub late_ps: i64,
}

impl FromStr for HostOffset {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = || {
            let (host, late) = text.split_once('=')?;
            let is_number = !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_digit());
            let (sign, late) = late.strip_prefix('-').map_or((1, late), |late| (-1, late));
            let late_ps = sign * i64::try_from(picoseconds(late).ok()?).ok()?;
            is_number.then_some(Self { host: host.parse().ok()?, late_ps })
        };
        read().ok_or_else(|| {
            let text: String = text.chars().take(40).collect();
            format!(
                "expected HOST=NS, nanoseconds with at most three decimals and perhaps a minus, such as 3=-6.4, found '{}'",
                text.escape_debug()
            )
        })
    }
}

/// How late the slots of each host begin, and what the guard band has for that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Offsets {
    /// Clocks, by host.
    clocks: [i8; HOSTS],
    /// The clock by which hosts might be late is that in which receivers lock.
    locks: bool,
}

impl Offsets {
    /// Those of some hosts, to the nearest clock, halves away from zero; the others are on time. Receivers need `lock_ps` after each
    /// reconfiguration until they have the phase (S26).
    ///
    /// # Errors
    /// There is no such host, it is named twice, or is off by more than 10 clocks, 64 ns; or receivers need more than a clock.
    pub fn new(offsets: &[HostOffset], lock_ps: u64) -> Result<Self, BadFabric> {
        if lock_ps > CLOCK_PS {
            return Err(BadFabric(format!(
                "expected at most {} ns with --cdr-lock and --engine rtl, as a slot of 12 clocks has one for the guard band, ten for the frame of \
                 a cell, and one that is left, found {} ns; change it or choose --engine model",
                CLOCK_PS as f64 / 1000.0,
                lock_ps as f64 / 1000.0
            )));
        }
        let mut clocks = [None; HOSTS];
        for &HostOffset { host, late_ps } in offsets {
            let late = (2 * late_ps.abs() + CLOCK_PS as i64) / (2 * CLOCK_PS as i64);
            let Some(of_host) = clocks.get_mut(host) else {
                return Err(BadFabric(format!(
                    "expected a host of 0 to {}, found {host}; change --offset",
                    HOSTS - 1
                )));
            };
            if of_host.is_some() {
                return Err(BadFabric(format!(
                    "expected each host once with --offset, found {host} twice; leave one out"
                )));
            }
            if late > MOST_CLOCKS {
                return Err(BadFabric(format!(
                    "expected -{most} to {most} ns with --offset, as a host that is further off sends into other slots, found {} ns for \
                     host {host}; change it",
                    late_ps as f64 / 1000.0,
                    most = MOST_CLOCKS as f64 * CLOCK_PS as f64 / 1000.0,
                )));
            }
            *of_host = Some((late * late_ps.signum()) as i8);
        }
        Ok(Self { clocks: clocks.map(Option::unwrap_or_default), locks: lock_ps > 0 })
    }

    /// By host.
    pub fn clocks(&self) -> &[i8; HOSTS] {
        &self.clocks
    }

    /// Whether receivers lock in the clock behind the guard band.
    pub fn locks(&self) -> bool {
        self.locks
    }

    /// Whether no cell is cut: no host is early, or later than the guard band allows.
    pub fn are_in_guard(&self) -> bool {
        let most = if self.locks { GUARD_CLOCKS - 1 } else { GUARD_CLOCKS };
        self.clocks.iter().all(|&clocks| (0..=most).contains(&clocks))
    }
}

/// What clocks that are off have cost, at all hosts and switches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockCounts {
    /// Cells, empty ones too, that a guard band of a switch has cut.
    pub cut_cells: u64,
    /// Frames that came to a host without their end, or with a wrong check sequence.
    pub bad_frames: u64,
    /// Slots in which no whole cell came to a host for which it had room, bad frames among them.
    pub missing_cells: u64,
}

impl ClockCounts {
    /// The counts as a JSON object.
    pub fn json(&self) -> Value {
        let Self { cut_cells, bad_frames, missing_cells } = *self;
        json!({ "cut_cells": cut_cells, "bad_frames": bad_frames, "missing_cells": missing_cells })
    }
}

/// A line for people.
impl fmt::Display for ClockCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cut_cells, bad_frames, missing_cells } = self;
        writeln!(
            f,
            "clocks: cells cut by guard bands {cut_cells}, bad frames {bad_frames}, slots without a whole cell at a host \
             {missing_cells}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clocks(text: &str) -> Result<[i8; HOSTS], String> {
        let one = text.split(' ').map(str::parse).collect::<Result<Vec<_>, _>>()?;
        Offsets::new(&one, 0).map(|offsets| *offsets.clocks()).map_err(|BadFabric(cause)| cause)
    }

    /// A clock of 156.25 MHz has 6.4 ns.
    #[test]
    fn nanoseconds_become_the_nearest_clocks() {
        assert_eq!(clocks("1=6.4 0=0 7=-12.8"), Ok([0, 1, 0, 0, 0, 0, 0, -2]));
        assert_eq!(clocks("0=3.199 1=3.2 2=-3.199 3=-3.2"), Ok([0, 1, 0, -1, 0, 0, 0, 0]));
        assert_eq!(clocks("0=64 1=-64 2=67.199"), Ok([10, -10, 10, 0, 0, 0, 0, 0]));
    }

    #[test]
    fn the_guard_band_is_a_clock() {
        let in_guard = |text: &str, lock_ps| {
            Offsets::new(&[text.parse().unwrap()], lock_ps).unwrap().are_in_guard()
        };
        assert!(in_guard("3=0", 0) && in_guard("3=6.4", 0));
        assert!(!in_guard("3=-6.4", 0) && !in_guard("3=12.8", 0));
        // A receiver that needs any of it needs a clock.
        assert!(in_guard("3=0", 625) && !in_guard("3=6.4", 625) && !in_guard("3=-6.4", 625));
        assert!(in_guard("3=0", 6_400) && Offsets::new(&[], 6_401).is_err());
    }

    #[test]
    fn mistakes_are_told() {
        for text in ["", "3", "3=", "=3", "a=3", "3=1.2345", "3=--1", "-1=3", "3=+1", "3=1e3"] {
            assert!(clocks(text).unwrap_err().starts_with("expected HOST=NS"), "{text}");
        }
        for (text, start) in [
            ("8=0", "expected a host of 0 to 7, found 8"),
            ("3=1 3=2", "expected each host once with --offset, found 3 twice"),
            ("3=67.2", "expected -64 to 64 ns"),
            ("3=-67.2", "expected -64 to 64 ns"),
        ] {
            let found = clocks(text).unwrap_err();
            assert!(found.starts_with(start), "{found}");
        }
    }
}
