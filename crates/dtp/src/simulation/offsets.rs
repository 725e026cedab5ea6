//! How far two counters are apart, in every tick.

use super::oscillator::{Attoseconds, Oscillator};
use crate::counter::Counter;
use std::collections::BTreeMap;
use std::ops::Range;

/// Differences in ticks of two counters that were read at the same true instants, those at which the first one counts, with how often
/// each was.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Offsets(BTreeMap<i128, u64>);

impl Offsets {
    /// All that `first` counts in a time in which neither counter is moved: these are the counters at the beginning of each
    /// oscillator. They count fractions of a tick, and whole ticks are compared.
    pub(super) fn read(
        &mut self,
        first: (Oscillator, Counter),
        second: (Oscillator, Counter),
        phases: u64,
        time: Range<Attoseconds>,
    ) {
        let (mut from, until) = (first.0.tick_from(time.start), first.0.tick_from(time.end));
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
            self.count(still + value, first.1.plus(i128::from(from)), low - from, phases);
            from = low;
        }
    }

    /// A run of reads in which the first counter, which begins at `value`, is ahead by `offset`, all in fractions.
    fn count(&mut self, offset: i128, value: Counter, length: u64, phases: u64) {
        let whole = offset.div_euclid(i128::from(phases));
        // Of the fractions of a tick, the first so many read one more.
        let more = offset.rem_euclid(i128::from(phases)) as u64;
        let begin = (value.value() % u128::from(phases)) as u64;
        let reads_before = |place: u64| place / phases * more + (place % phases).min(more);
        let one_more = reads_before(begin + length) - reads_before(begin);
        for (offset, count) in [(whole, length - one_more), (whole + 1, one_more)] {
            if count > 0 {
                *self.0.entry(offset).or_default() += count;
            }
        }
    }

    /// How often each difference was read.
    pub fn counts(&self) -> &BTreeMap<i128, u64> {
        &self.0
    }

    /// The largest absolute difference.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Every read on its own.
    #[test]
    fn runs_are_counted_as_reads_are() {
        for phases in [1, 4, 8] {
            for offset in -20..20 {
                for begin in 0..8 {
                    let mut offsets = Offsets::default();
                    offsets.count(offset, Counter::new(1000 + begin), 37, phases);
                    let mut expected = BTreeMap::new();
                    for value in (1000 + begin as i128..).take(37) {
                        let whole = |value: i128| value.div_euclid(i128::from(phases));
                        *expected.entry(whole(value) - whole(value - offset)).or_default() += 1;
                    }
                    assert_eq!(offsets.0, expected, "{offset} of {phases} from {begin}");
                }
            }
        }
    }
}
