//! How far two counters are apart, in every tick.

use super::oscillator::{Attoseconds, Oscillator};
use crate::counter::Counter;
use std::collections::BTreeMap;

/// Differences of two counters that were read at the same true instants, those of the first one's ticks, with how often each was.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Offsets(BTreeMap<i128, u64>);

impl Offsets {
    /// All ticks of `first` from `begin` on and before `end`, in which neither counter is moved: these are the counters at tick 0
    /// of each oscillator.
    pub(super) fn read(
        &mut self,
        first: (Oscillator, Counter),
        second: (Oscillator, Counter),
        begin: Attoseconds,
        end: Attoseconds,
    ) {
        let (mut from, until) = (first.0.tick_from(begin), first.0.tick_from(end));
        let still = first.1.ahead_of(second.1);
        let slip = |tick: u64| {
            let other = second.0.tick_at(first.0.time_of(tick));
            i128::from(tick) - i128::from(other)
        };
        while from < until {
            // The ticks of the two drift apart in one direction: a run with the same difference is found by halving.
            let value = slip(from);
            let (mut low, mut high) = (from, until);
            if slip(until - 1) == value {
                low = until;
            } else {
                while high - low > 1 {
                    let middle = low + (high - low) / 2;
                    if slip(middle) == value { low = middle } else { high = middle }
                }
                low += 1;
            }
            *self.0.entry(still + value).or_default() += low - from;
            from = low;
        }
    }

    /// How often each difference was read.
    pub fn counts(&self) -> &BTreeMap<i128, u64> {
        &self.0
    }

    /// The largest difference either way.
    pub fn largest(&self) -> u128 {
        self.0.keys().map(|offset| offset.unsigned_abs()).max().unwrap_or(0)
    }

    /// The share of reads whose difference is larger than so many ticks.
    pub fn share_above(&self, ticks: u128) -> f64 {
        let all: u64 = self.0.values().sum();
        let above: u64 =
            self.0.iter().filter(|(offset, _)| offset.unsigned_abs() > ticks).map(|(_, n)| n).sum();
        if all == 0 { 0.0 } else { above as f64 / all as f64 }
    }
}
