//! Round-trip time and retransmission timeout (RFC 6298).
//!
//! Time stamps give a measurement for each acknowledgement. Applied to all of them, the gains of RFC
//! 6298 would forget within a fraction of a round trip; RFC 7323 appendix G divides them by the
//! number of measurements expected in a round trip. Here that number is what the last round trip
//! gave, rounded up to a power of two. Times have no granularity, so the timeout is SRTT + 4 RTTVAR
//! between its bounds.

use super::settings::Settings;
use crate::pending::Time;

/// What is known of the round-trip time, and the timeout.
#[derive(Clone, Debug)]
pub(super) struct RoundTrip {
    smoothed: Time,
    variation: Time,
    /// The timeout without back-off.
    base: Time,
    doublings: u32,
    minimum: Time,
    maximum: Time,
    /// Measurements since the last round trip ended, and where this one ends.
    samples: u32,
    round_end: u64,
    /// Logarithm, base 2, of the measurements of a round trip.
    shift: u32,
}

impl RoundTrip {
    pub(super) fn new(settings: &Settings) -> Self {
        Self {
            smoothed: 0,
            variation: 0,
            base: settings.initial_timeout,
            doublings: 0,
            minimum: settings.minimum_timeout,
            maximum: settings.maximum_timeout,
            samples: 0,
            round_end: 0,
            shift: 0,
        }
    }

    /// SRTT, 0 before the first measurement.
    #[inline]
    pub(super) fn smoothed(&self) -> Time {
        self.smoothed
    }

    /// A measurement, when everything before `acknowledged` has been acknowledged and everything before
    /// `sent` has been sent. Ends the back-off (section 5).
    #[inline]
    pub(super) fn measure(&mut self, round_trip: Time, acknowledged: u64, sent: u64) {
        self.doublings = 0;
        self.samples += 1;
        if acknowledged >= self.round_end {
            self.shift = self.samples.next_power_of_two().trailing_zeros();
            self.samples = 0;
            self.round_end = sent;
        }
        if self.smoothed == 0 {
            self.smoothed = round_trip.max(1);
            self.variation = round_trip / 2;
        } else {
            let difference = round_trip.abs_diff(self.smoothed);
            self.variation = approach(self.variation, difference, 2 + self.shift);
            self.smoothed = approach(self.smoothed, round_trip, 3 + self.shift).max(1);
        }
        let timeout = self.smoothed.saturating_add(self.variation.saturating_mul(4));
        self.base = timeout.clamp(self.minimum, self.maximum);
    }

    /// The timeout, with back-off.
    #[inline]
    pub(super) fn timeout(&self) -> Time {
        if self.doublings == 0 {
            return self.base;
        }
        // At most 63 doublings; the product of 2^62 and 2^63 is in range of 128 bits.
        let doubled = u128::from(self.base) << self.doublings;
        doubled.min(u128::from(self.maximum)) as Time
    }

    /// The timer has expired (rule 5.5).
    pub(super) fn back_off(&mut self) {
        self.doublings = (self.doublings + 1).min(63);
    }
}

/// `value` + (`target` - `value`) / 2^`shift`.
#[inline]
fn approach(value: Time, target: Time, shift: u32) -> Time {
    if target >= value {
        value + ((target - value) >> shift)
    } else {
        value - ((value - target) >> shift)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Time = 1_000_000_000;

    fn settings() -> Settings {
        Settings { minimum_timeout: MS, ..Settings::default() }
    }

    /// By hand: R = 100 ms gives SRTT 100, RTTVAR 50, RTO 300. R' = 180 gives RTTVAR 50 - 12.5 + 20 =
    /// 57.5, SRTT 87.5 + 22.5 = 110, RTO 340.
    #[test]
    fn rules_2_2_and_2_3() {
        let mut trip = RoundTrip::new(&settings());
        assert_eq!((trip.smoothed(), trip.timeout()), (0, 1000 * MS));
        trip.measure(100 * MS, 1, 1);
        assert_eq!((trip.smoothed(), trip.timeout()), (100 * MS, 300 * MS));
        trip.measure(180 * MS, 1, 2);
        assert_eq!((trip.smoothed(), trip.timeout()), (110 * MS, 340 * MS));
    }

    #[test]
    fn bounds_and_back_off() {
        let bounds = Settings { maximum_timeout: 1700 * MS, ..Settings::default() };
        let mut trip = RoundTrip::new(&bounds);
        trip.measure(MS, 1, 1);
        assert_eq!(trip.timeout(), 1000 * MS);
        for _ in 0..100 {
            trip.back_off();
            assert_eq!(trip.timeout(), 1700 * MS);
        }
        trip.measure(MS, 1, 1);
        assert_eq!(trip.timeout(), 1000 * MS);
    }

    /// After a step from 1 to 2 ms, the share of the step that is left after n round trips is
    /// (7/8)^n, with one measurement a round trip and, nearly, with 64.
    #[test]
    fn the_memory_is_of_round_trips() {
        for samples in [1u64, 64] {
            let mut trip = RoundTrip::new(&settings());
            let mut acknowledged = 0;
            for round in 0..30 {
                for _ in 0..samples {
                    acknowledged += 1;
                    let time = if round < 20 { MS } else { 2 * MS };
                    trip.measure(time, acknowledged, acknowledged + samples - 1);
                }
            }
            let left = (2 * MS - trip.smoothed()) as f64 / MS as f64;
            let expected = 0.875f64.powi(10);
            assert!((left - expected).abs() < 0.03, "{samples}: {left} {expected}");
        }
    }
}
