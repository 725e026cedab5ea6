//! Smoothed round trips and the retransmission timeout (RFC 6298), with the variance that Linux keeps.
//!
//! RTO = SRTT + max(4 RTTVAR, floor). The variance rises at once and falls at most once a round trip, by a quarter; a
//! sample that is better than expected counts an eighth of one that is worse (Linux, `tcp_rtt_estimator`): so a path
//! that gets faster does not make the timeout longer.

use crate::sequence::Sequence;
use crate::settings::{Nanoseconds, SECOND};

/// Timeout before the first sample (RFC 6298 section 2.1).
const INITIAL: Nanoseconds = SECOND;
/// Longest timeout (RFC 6298 section 2.5), and longest round trip that is believed.
pub const LONGEST: Nanoseconds = 120 * SECOND;

/// What a sender knows of round trips. All integers, as in hardware: the mean in eighths, the deviation in quarters.
#[derive(Clone, Debug)]
pub struct RoundTrip {
    /// Eight times the mean; 0 before the first sample.
    mean_8: Nanoseconds,
    /// Four times the mean deviation.
    deviation_4: Nanoseconds,
    /// Largest of it in this round trip, and the floor.
    largest_4: Nanoseconds,
    /// What the timeout has of it.
    variance_4: Nanoseconds,
    /// A round trip ends when this byte is acknowledged.
    round_ends: Sequence,
    /// Least of all samples.
    least: Option<Nanoseconds>,
    /// Timeout without the variance's doubling.
    timeout: Nanoseconds,
    /// Doublings since the last sample.
    doublings: u8,
    floor: Nanoseconds,
}

impl RoundTrip {
    /// Before the first sample.
    pub fn new(floor: Nanoseconds) -> Self {
        Self {
            mean_8: 0,
            deviation_4: 0,
            largest_4: 0,
            variance_4: 0,
            round_ends: Sequence(0),
            least: None,
            timeout: INITIAL,
            doublings: 0,
            floor,
        }
    }

    /// Mean, or `None` before the first sample.
    pub fn smoothed(&self) -> Option<Nanoseconds> {
        (self.mean_8 > 0).then_some(self.mean_8 >> 3)
    }

    /// Least of all samples.
    pub fn least(&self) -> Option<Nanoseconds> {
        self.least
    }

    /// Counts a sample as a candidate for the least one.
    pub fn note_least(&mut self, sample: Nanoseconds) {
        let sample = sample.clamp(1, LONGEST);
        self.least = Some(self.least.map_or(sample, |least| least.min(sample)));
    }

    /// Takes a sample; `acknowledged` and `sent` are snd_una and snd_nxt. Doublings of the timeout end.
    pub fn measure(&mut self, sample: Nanoseconds, acknowledged: Sequence, sent: Sequence) {
        let sample = sample.clamp(1, LONGEST);
        if self.mean_8 == 0 {
            self.mean_8 = sample << 3;
            self.deviation_4 = sample << 1;
            self.variance_4 = self.deviation_4.max(self.floor);
            self.largest_4 = self.variance_4;
            self.round_ends = sent;
        } else {
            let mean = self.mean_8 >> 3;
            let error = sample.abs_diff(mean);
            if sample >= mean {
                self.mean_8 += error;
                self.deviation_4 = self.deviation_4 - (self.deviation_4 >> 2) + error;
            } else {
                self.mean_8 -= error;
                let (error, deviation) = (error, self.deviation_4 >> 2);
                if error > deviation {
                    self.deviation_4 += (error - deviation) >> 3;
                } else {
                    self.deviation_4 -= deviation - error;
                }
            }
            if self.deviation_4 > self.largest_4 {
                self.largest_4 = self.deviation_4;
                self.variance_4 = self.variance_4.max(self.largest_4);
            }
            if acknowledged.after(self.round_ends) {
                if self.largest_4 < self.variance_4 {
                    self.variance_4 -= (self.variance_4 - self.largest_4) >> 2;
                }
                self.round_ends = sent;
                self.largest_4 = self.floor;
            }
        }
        self.mean_8 = self.mean_8.max(8);
        self.timeout = ((self.mean_8 >> 3) + self.variance_4).min(LONGEST);
        self.doublings = 0;
    }

    /// The retransmission timeout with its doublings.
    pub fn timeout(&self) -> Nanoseconds {
        (self.timeout << self.doublings.min(16)).min(LONGEST)
    }

    /// A timeout has passed: the next one takes twice as long.
    pub fn double(&mut self) {
        self.doublings = self.doublings.saturating_add(1);
    }

    /// The peer has answered: the timeout is that of the samples again.
    pub fn answered(&mut self) {
        self.doublings = 0;
    }

    /// Doublings since the last sample.
    pub fn doublings(&self) -> u8 {
        self.doublings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::MILLISECOND;

    const ONE: Sequence = Sequence(1);

    #[test]
    fn first_sample_of_ten_milliseconds() {
        let mut round_trip = RoundTrip::new(200 * MILLISECOND);
        assert_eq!(round_trip.timeout(), SECOND);
        round_trip.measure(10 * MILLISECOND, ONE, ONE);
        assert_eq!(round_trip.timeout(), 210 * MILLISECOND);
        assert_eq!(round_trip.smoothed(), Some(10 * MILLISECOND));
    }

    #[test]
    fn a_long_first_sample_has_twice_itself_as_variance() {
        let mut round_trip = RoundTrip::new(200 * MILLISECOND);
        round_trip.measure(300 * MILLISECOND, ONE, ONE);
        assert_eq!(round_trip.timeout(), 900 * MILLISECOND);
    }

    #[test]
    fn doubling_ends_with_a_sample_and_at_two_minutes() {
        let mut round_trip = RoundTrip::new(200 * MILLISECOND);
        round_trip.measure(10 * MILLISECOND, ONE, ONE);
        round_trip.double();
        round_trip.double();
        assert_eq!(round_trip.timeout(), 840 * MILLISECOND);
        (0..200).for_each(|_| round_trip.double());
        assert_eq!(round_trip.timeout(), LONGEST);
        round_trip.measure(10 * MILLISECOND, ONE, ONE);
        assert_eq!(round_trip.timeout(), 210 * MILLISECOND);
    }

    #[test]
    fn steady_samples_leave_mean_and_floor() {
        let mut round_trip = RoundTrip::new(200 * MILLISECOND);
        for at in 0..1000 {
            round_trip.measure(40 * MILLISECOND, Sequence(at), Sequence(at + 1));
        }
        assert_eq!(round_trip.timeout(), 240 * MILLISECOND);
    }
}
