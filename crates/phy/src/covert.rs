//! A timing channel between frames, and its detector.
//!
//! The distance of two frames says a bit, and no byte of any frame does. Where software stamps frames, with an error of hundreds of nanoseconds, a
//! shift of some characters is not to be seen; where characters are counted, it is plain.
//!
//! A message is sent behind a marker, with its length and its check sequence: 32 bits `1ACFFC1D`, 16 bits with the
//! number of bytes, the bytes, 32 bits of CRC-32 of them; the highest bit first. A bit is two gaps: one is
//! longer by a shift and then one shorter for 1, the reverse for 0. So the mean gap stays as it is whatever is said, and the
//! receiver needs no threshold: it compares two neighbours. Frames around the message have the mean gap.
//!
//! Each bit takes two frames: at 1518 bytes and 9 Gb/s that is 368 kb/s.

use crate::fcs::fcs;

/// What a message begins with: the marker of CCSDS 131.0-B for the beginning of a frame.
const MARKER: u32 = 0x1acf_fc1d;

/// Bits of the marker that may be wrong.
const MOST_WRONG: u32 = 3;

/// Longest message in bytes.
pub const LONGEST: usize = u16::MAX as usize;

/// The bits of a message.
fn bits(message: &[u8]) -> impl Iterator<Item = bool> + '_ {
    let length = (message.len() as u16).to_be_bytes();
    let around = MARKER.to_be_bytes().into_iter().chain(length);
    let all = around.chain(message.iter().copied()).chain(fcs(message).to_be_bytes());
    all.flat_map(|byte| (0..8).rev().map(move |n| byte >> n & 1 == 1))
}

/// The gaps that say a message of up to [`LONGEST`] bytes.
pub fn gaps(message: &[u8], mean: u64, shift: u64) -> impl Iterator<Item = u64> + '_ {
    let (long, short) = (mean + shift, mean.saturating_sub(shift));
    bits(message).flat_map(move |bit| if bit { [long, short] } else { [short, long] })
}

/// A message that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    /// Its bytes, as they came.
    pub message: Vec<u8>,
    /// Whether its check sequence is right.
    pub good: bool,
    /// Which interval it began with, from 0.
    pub at: usize,
}

/// Messages in the intervals between frames.
pub fn receive(intervals: &[u64]) -> Vec<Received> {
    let mut found = Vec::new();
    let mut at = 0;
    while at + 2 * 80 <= intervals.len() {
        let bit = |n: usize| {
            let both = intervals.get(at + 2 * n..)?.first_chunk();
            both.map(|[first, second]| first > second)
        };
        let word = |begin: usize, width: usize| {
            (begin..begin + width).try_fold(0u32, |word, n| Some(word << 1 | u32::from(bit(n)?)))
        };
        let marker = word(0, 32).is_some_and(|marker| (marker ^ MARKER).count_ones() <= MOST_WRONG);
        let length = word(32, 16).map_or(0, |length| length as usize);
        let message: Option<Vec<u8>> =
            (0..length).map(|n| word(48 + 8 * n, 8).map(|byte| byte as u8)).collect();
        if let (true, Some(message), Some(check)) = (marker, message, word(48 + 8 * length, 32)) {
            let good = check == fcs(&message);
            found.push(Received { message, good, at });
            at += 2 * (80 + 8 * length);
        } else {
            at += 1;
        }
    }
    found
}

/// Intervals per decision window.
const WINDOW: usize = 128;

/// How intervals look to one who suspects a channel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Suspicion {
    /// Standard deviation of the intervals, in characters.
    pub deviation: f64,
    /// Their kurtosis: 1 for two values equally often, 1.8 where all in a range are alike, 2.4 for differences of such,
    /// 3 for a normal distribution.
    pub kurtosis: f64,
}

impl Suspicion {
    /// The worst window of 128 intervals in characters, or of all if there are fewer; `None` for fewer than 16, or where all are
    /// the same.
    pub fn of(intervals: &[f64]) -> Option<Self> {
        let windows = intervals.chunks(WINDOW).filter(|window| window.len() >= 16);
        windows.filter_map(Self::of_window).min_by(|a, b| {
            (b.is_channel(), a.kurtosis)
                .partial_cmp(&(a.is_channel(), b.kurtosis))
                .unwrap_or(std::cmp::Ordering::Equal)
        })
    }

    fn of_window(intervals: &[f64]) -> Option<Self> {
        let count = intervals.len() as f64;
        let mean = intervals.iter().sum::<f64>() / count;
        let moment = |power: i32| {
            intervals.iter().map(|interval| (interval - mean).powi(power)).sum::<f64>() / count
        };
        let variance = moment(2);
        (variance > 0.0).then(|| Self {
            deviation: variance.sqrt(),
            kurtosis: moment(4) / (variance * variance),
        })
    }

    /// Whether a covert sender is present: almost only two values, further apart than starts in lanes 0 and 4 explain.
    pub fn is_channel(self) -> bool {
        self.kurtosis < 1.6 && self.deviation > 3.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{Device, Kind, Stamps};

    /// The intervals of frames of 1518 bytes around a message, whose gaps are 170 characters in the mean.
    fn line(message: &[u8], shift: u64) -> Vec<u64> {
        let around = || std::iter::repeat_n(170, 200);
        around().chain(gaps(message, 170, shift)).chain(around()).map(|gap| 1526 + gap).collect()
    }

    /// What a device makes of intervals.
    fn through(kind: Kind, intervals: &[u64]) -> Vec<u64> {
        let (mut device, mut start, mut last) = (Device::new(kind, 5), 0, None);
        let mut found = Vec::new();
        for interval in std::iter::once(&0).chain(intervals) {
            start += interval;
            let at = device.forward(start, 1518);
            found.extend(last.replace(at).map(|last| at - last));
        }
        found
    }

    #[test]
    fn a_message_arrives() {
        for message in [&b""[..], b"a", &[0; 300], &[255; 300], b"the quick brown fox"] {
            let found = receive(&line(message, 4));
            let expected = Received { message: message.to_vec(), good: true, at: 200 };
            assert_eq!(found, [expected]);
        }
        assert_eq!(receive(&[1696; 1000]), []);
        // Cut short.
        let cut = line(b"abc", 4);
        assert_eq!(receive(&cut[..200 + 2 * 90]), []);
    }

    /// The mean gap is the same whatever is said.
    #[test]
    fn covert_sender_keeps_the_mean_gap() {
        let message: Vec<u8> = (0..200).collect();
        let all: Vec<u64> = gaps(&message, 170, 16).collect();
        assert_eq!(all.iter().sum::<u64>(), 170 * all.len() as u64);
    }

    /// A shift that is larger than what a device varies by passes it, and a smaller one does not.
    #[test]
    fn devices_hide_small_shifts() {
        let arrives = |kind, shift| {
            let found = receive(&through(kind, &line(b"the quick brown fox", shift)));
            found.iter().any(|one| one.good)
        };
        assert!(arrives(Kind::CutThrough, 100));
        assert!(!arrives(Kind::CutThrough, 4));
        assert!(!arrives(Kind::StoreAndForward, 100));
    }

    #[test]
    fn the_detector_counts_characters() {
        let seen = |deviation: f64, intervals: &[u64]| {
            let mut stamps = Stamps::new(deviation, 9);
            let seen: Vec<f64> = intervals.iter().map(|one| stamps.interval(*one)).collect();
            Suspicion::of(&seen).is_some_and(Suspicion::is_channel)
        };
        let message: Vec<u8> = (0..100).collect();
        for shift in [4, 16, 100] {
            assert!(seen(0.0, &line(&message, shift)), "shift {shift}");
        }
        // Software that stamps to 100 ns does not see 16 characters.
        assert!(!seen(125.0, &line(&message, 16)));
        // Nobody speaks: regular frames, gaps that cannot be even, devices.
        assert!(!seen(0.0, &[1696; 2000]));
        let alternating: Vec<u64> = (0..2000).map(|n| 84 + n % 2 * 4).collect();
        assert!(!seen(0.0, &alternating));
        for kind in [Kind::CutThrough, Kind::StoreAndForward] {
            assert!(!seen(0.0, &through(kind, &[1696; 5000])), "{kind:?}");
        }
    }
}
