//! A node's clock: it runs fast or slow, and is adjusted.

use crate::pending::Time;

/// Maps true time to a node's time, piecewise linearly. Phase is kept in 2^-32 ps and rounded down only when read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// In the order of their start times.
    segments: Vec<Segment>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Segment {
    from: Time,
    reading: i128,
    /// Gain a picosecond, in 2^-64.
    drift: i128,
}

/// The unit of readings.
const ONE: i128 = 1 << 32;

impl Clock {
    /// A clock that shows true time.
    pub fn exact() -> Self {
        Self::default()
    }

    /// A clock that shows `offset` at the start and gains `billionths` ns a second (1 ppm is 1,000).
    pub fn new(offset: i64, billionths: i64) -> Self {
        let mut clock = Self::default();
        clock.push(0, i128::from(offset) * ONE, drift(billionths));
        clock
    }

    /// By how many billionths it is faster than true time at the start.
    pub fn billionths(&self) -> i64 {
        let drift = self.segments.first().map_or(0, |segment| segment.drift);
        // Rounded, as a drift is rounded down.
        ((drift * 1_000_000_000 + (1 << 63)) >> 64) as i64
    }

    /// Steps by `by` ps at true time `at`. Steps must come in the order of their times.
    pub fn step(&mut self, at: Time, by: i64) {
        let reading = self.fine(at) + i128::from(by) * ONE;
        let drift = self.segments.last().map_or(0, |segment| segment.drift);
        self.push(at, reading, drift);
    }

    /// Sets the frequency error from `at` on, in billionths.
    pub fn set_drift(&mut self, at: Time, billionths: i64) {
        let reading = self.fine(at);
        self.push(at, reading, drift(billionths));
    }

    /// Sets the frequency error from `at` on, in billionths and fractions of them.
    pub fn set_frequency(&mut self, at: Time, billionths: f64) {
        let reading = self.fine(at);
        self.push(
            at,
            reading,
            (billionths * (1u64 << 32) as f64) as i128 * (1 << 32) / 1_000_000_000,
        );
    }

    /// The first true time, from `now` on, at which it shows `reading` or more if it is not adjusted again. `now` must not
    /// be before its last adjustment.
    pub fn next(&self, now: Time, reading: Time) -> Time {
        let missing = reading.saturating_sub(self.read(now));
        if missing == 0 {
            return now;
        }
        // No clock is slower than half of true time.
        let (mut low, mut high) = (now, now.saturating_add(missing.saturating_mul(2)));
        while low < high {
            let middle = low + (high - low) / 2;
            match self.read(middle) >= reading {
                true => high = middle,
                false => low = middle + 1,
            }
        }
        low
    }

    fn push(&mut self, from: Time, reading: i128, drift: i128) {
        debug_assert!(self.segments.last().is_none_or(|last| last.from <= from));
        self.segments.push(Segment { from, reading, drift });
    }

    /// What it shows at a true time, in 2^-32 ps.
    pub fn fine(&self, now: Time) -> i128 {
        let later = self.segments.partition_point(|segment| segment.from <= now);
        let Some(segment) = later.checked_sub(1).map(|index| self.segments[index]) else {
            return i128::from(now) * ONE;
        };
        let since = i128::from(now - segment.from);
        segment.reading + since * ONE + ((since * segment.drift) >> 32)
    }

    /// The first true time at which it shows `reading` or more; `Time::MAX` if it never does.
    pub fn when(&self, reading: Time) -> Time {
        if self.segments.is_empty() || self.read(0) >= reading {
            return if self.segments.is_empty() { reading } else { 0 };
        }
        // Readings may jump back, but what was shown once was shown: the first segment that gets there.
        let ends = self.segments.iter().skip(1).map(|segment| segment.from).chain([Time::MAX]);
        for (segment, end) in self.segments.iter().zip(ends) {
            if self.read(end.saturating_sub(1).max(segment.from)) < reading {
                continue;
            }
            let (mut low, mut high) = (segment.from, end.saturating_sub(1).max(segment.from));
            while low < high {
                let middle = low + (high - low) / 2;
                match self.read(middle) >= reading {
                    true => high = middle,
                    false => low = middle + 1,
                }
            }
            return low;
        }
        Time::MAX
    }

    /// What it shows at a true time, in whole picoseconds; 0 if it shows less.
    pub fn read(&self, now: Time) -> Time {
        if self.segments.is_empty() {
            return now;
        }
        Time::try_from(self.fine(now) >> 32).unwrap_or(match self.fine(now) < 0 {
            true => 0,
            false => Time::MAX,
        })
    }
}

/// Billionths as a gain in 2^-64.
fn drift(billionths: i64) -> i128 {
    (i128::from(billionths) << 64) / 1_000_000_000
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Time = 1_000_000_000_000;

    #[test]
    fn drift_and_steps() {
        // 100 ppm: 100 us a second.
        let mut clock = Clock::new(-5, 100_000);
        assert_eq!(clock.read(0), 0, "it shows less than 0");
        assert_eq!((clock.billionths(), Clock::new(0, -7).billionths()), (100_000, -7));
        assert_eq!(clock.read(SECOND), SECOND + 100_000_000 - 5 - 1, "rounded down");
        clock.step(SECOND, 1000);
        assert_eq!(clock.read(SECOND - 1_000_000), SECOND - 1_000_000 + 99_999_900 - 5 - 1);
        assert_eq!(clock.read(SECOND), SECOND + 100_000_000 + 995 - 1);
        clock.set_drift(2 * SECOND, 0);
        clock.set_frequency(2 * SECOND, 0.5);
        // Half a billionth of a second is 500 ps, less what a drift is rounded down by: 2^-64 of each picosecond.
        let gained = clock.fine(3 * SECOND) - clock.fine(2 * SECOND) - i128::from(SECOND) * ONE;
        let missing = 500 * ONE - gained;
        assert!((0..=1 + (i128::from(SECOND) >> 32)).contains(&missing), "{missing}");
        let shown = clock.read(2 * SECOND);
        let at = clock.next(2 * SECOND, shown + 1000);
        assert!(clock.read(at) == shown + 1000 && clock.read(at - 1) < shown + 1000);
        clock.set_drift(2 * SECOND, 0);
        let there = clock.read(2 * SECOND);
        assert_eq!(clock.read(3 * SECOND), there + SECOND);
    }

    /// By its definition, around steps forth and back.
    #[test]
    fn when_inverts_read() {
        let mut clock = Clock::new(100, 2_000_000);
        clock.step(1000, 50);
        clock.step(2000, -500);
        clock.set_drift(3000, -3_000_000);
        for reading in 0..4000 {
            let at = clock.when(reading);
            assert!(clock.read(at) >= reading, "{reading}");
            assert!((0..at).all(|before| clock.read(before) < reading), "{reading} {at}");
        }
        assert_eq!(Clock::exact().when(77), 77);
        assert_eq!(Clock::new(0, -1_000_000).when(999 * SECOND), 1000 * SECOND);
    }

    #[test]
    fn slow_clocks_and_the_end_of_time() {
        let clock = Clock::new(0, -1_000_000);
        assert_eq!(clock.read(1000 * SECOND), 999 * SECOND - 1 + 1, "0.1 % slow");
        assert_eq!(Clock::exact().read(Time::MAX), Time::MAX);
        assert_eq!(Clock::new(10, 0).read(Time::MAX), Time::MAX);
    }
}
