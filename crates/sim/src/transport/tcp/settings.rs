//! What can be chosen.

use crate::pending::Time;

/// Picoseconds of a millisecond.
const MILLISECOND: Time = 1_000_000_000;

/// The law by which the window grows and shrinks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Control {
    /// Additive increase, halving (RFC 5681).
    NewReno,
    /// RFC 9438.
    Cubic {
        /// Gives way faster to new flows (section 4.7, which wants it off where one flow is alone).
        fast_convergence: bool,
    },
    /// RFC 8257. Needs [`Settings::ecn`].
    Dctcp {
        /// Weight of the newest window in the estimate of marking, above 0 and at most 1. Section 4.2
        /// recommends 1/16.
        gain: f64,
    },
}

/// Sends at a rate of so many per cent of window / smoothed round-trip time instead of in bursts. As
/// long as no round trip was measured, which happens only without handshake, nothing is paced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pacing {
    /// Per cent while in slow start. Linux has 200, to let the window double.
    pub slow_start: u32,
    /// Per cent else. Linux has 120.
    pub avoidance: u32,
}

impl Default for Pacing {
    fn default() -> Self {
        Self { slow_start: 200, avoidance: 120 }
    }
}

/// Settings of both ends. [`Settings::mistakes`] says which are out of range; a sender or receiver
/// made of such ones takes the nearest value that is not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Law of the window.
    pub control: Control,
    /// Maximum segment size: bytes of data in a full segment, from 1.
    pub segment: u16,
    /// Window at the start, segments, from 1 (RFC 6928: 10).
    pub initial_window: u32,
    /// The most that may be outstanding, bytes, from one segment to 2^31.
    pub maximum_window: u64,
    /// Segments by which the window may grow for one acknowledgement in slow start (L of RFC 3465).
    /// 1 is RFC 5681, where a receiver that delays acknowledgements lets the window grow by half a
    /// round trip; with 2 it doubles. After a timeout it is 1 in any case (RFC 3465 section 2.3).
    pub slow_start_limit: u32,
    /// Selective acknowledgements.
    pub sack: bool,
    /// Losses are found by time, and tails by probes (RACK-TLP, RFC 8985), instead of by the rules of RFC 6675. Needs
    /// `sack`; without it, it does nothing.
    pub rack: bool,
    /// A recovery reduces what is in the network in proportion to what arrives (PRR, RFC 9937) instead of waiting until
    /// enough has arrived. Needs `sack`; without it, it does nothing.
    pub prr: bool,
    /// Explicit congestion notification, agreed by both ends.
    pub ecn: bool,
    /// Spreads segments over the round trip.
    pub pacing: Option<Pacing>,
    /// A round trip of SYN and SYN-ACK before the data. Otherwise the connection is open at once.
    pub handshake: bool,
    /// Least retransmission timeout. RFC 6298 rule 2.4: 1 s; Linux: 200 ms; experiments in data
    /// centres go below 1 ms. If it is below `acknowledge_within`, a last segment that waits for a second
    /// one is sent again needlessly.
    pub minimum_timeout: Time,
    /// Retransmission timeout while there is no measurement (RFC 6298 rule 2.1: 1 s).
    pub initial_timeout: Time,
    /// Most that the timeout becomes by doubling (RFC 6298 rule 2.5: at least 60 s).
    pub maximum_timeout: Time,
    /// After an idle time of more than the timeout the window is the initial one again, if it was
    /// larger (RFC 5681 section 4.1).
    pub restart_after_idle: bool,
    /// An acknowledgement at the latest when so many segments have arrived, from 1 (no delay). RFC
    /// 5681 section 4.2 wants at most 2 full-sized ones.
    pub acknowledge_every: u32,
    /// An acknowledgement at the latest so long after the first segment that was not acknowledged
    /// (RFC 5681 section 4.2: below 500 ms; Linux: 40 ms).
    pub acknowledge_within: Time,
}

impl Default for Settings {
    /// What the RFCs recommend, with SACK, RACK-TLP and PRR, and a full Ethernet frame with time stamps.
    fn default() -> Self {
        Self {
            control: Control::NewReno,
            segment: 1448,
            initial_window: 10,
            maximum_window: 1 << 30,
            slow_start_limit: 2,
            sack: true,
            rack: true,
            prr: true,
            ecn: false,
            pacing: None,
            handshake: true,
            minimum_timeout: 1000 * MILLISECOND,
            initial_timeout: 1000 * MILLISECOND,
            maximum_timeout: 60_000 * MILLISECOND,
            restart_after_idle: true,
            acknowledge_every: 2,
            acknowledge_within: 40 * MILLISECOND,
        }
    }
}

/// A setting that is out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Name of the field of [`Settings`].
    pub setting: &'static str,
    /// What is expected.
    pub expected: &'static str,
}

impl Settings {
    /// All that is out of range.
    pub fn mistakes(&self) -> Vec<Mistake> {
        let pacing = self.pacing.unwrap_or_default();
        let (gain, dctcp) = match self.control {
            Control::Dctcp { gain } => (gain, true),
            _ => (1.0, false),
        };
        let rules = [
            (self.segment >= 1, "segment", "at least 1 byte"),
            (self.initial_window >= 1, "initial_window", "at least 1 segment"),
            (self.slow_start_limit >= 1, "slow_start_limit", "at least 1 segment"),
            (
                (u64::from(self.segment)..=1 << 31).contains(&self.maximum_window),
                "maximum_window",
                "from one segment to 2^31 bytes",
            ),
            (pacing.slow_start >= 1 && pacing.avoidance >= 1, "pacing", "at least 1 per cent"),
            (self.minimum_timeout >= 1, "minimum_timeout", "more than 0"),
            (
                self.minimum_timeout <= self.maximum_timeout,
                "maximum_timeout",
                "at least minimum_timeout",
            ),
            (
                (self.minimum_timeout..=self.maximum_timeout).contains(&self.initial_timeout),
                "initial_timeout",
                "from minimum_timeout to maximum_timeout",
            ),
            (self.acknowledge_every >= 1, "acknowledge_every", "at least 1 segment"),
            (gain > 0.0 && gain <= 1.0, "gain", "above 0 and at most 1"),
            (!dctcp || self.ecn, "ecn", "true, because DCTCP needs it"),
        ];
        let broken = rules.into_iter().filter(|(holds, ..)| !holds);
        broken.map(|(_, setting, expected)| Mistake { setting, expected }).collect()
    }

    /// The nearest settings that are in range.
    pub(super) fn in_range(mut self) -> Self {
        self.segment = self.segment.max(1);
        self.initial_window = self.initial_window.max(1);
        self.slow_start_limit = self.slow_start_limit.max(1);
        self.maximum_window = self.maximum_window.clamp(u64::from(self.segment), 1 << 31);
        if let Some(pacing) = &mut self.pacing {
            pacing.slow_start = pacing.slow_start.max(1);
            pacing.avoidance = pacing.avoidance.max(1);
        }
        // Half of all times: sums and doubled times then never overflow.
        self.minimum_timeout = self.minimum_timeout.clamp(1, Time::MAX >> 2);
        self.maximum_timeout = self.maximum_timeout.clamp(self.minimum_timeout, Time::MAX >> 2);
        self.initial_timeout =
            self.initial_timeout.clamp(self.minimum_timeout, self.maximum_timeout);
        self.acknowledge_every = self.acknowledge_every.max(1);
        match &mut self.control {
            Control::Dctcp { gain } => {
                *gain = if *gain > 0.0 { gain.min(1.0) } else { f64::MIN_POSITIVE };
                self.ecn = true;
            }
            Control::NewReno | Control::Cubic { .. } => {}
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_mistakes_at_once_and_none_after_clamping() {
        assert_eq!(Settings::default().mistakes(), []);
        let settings = Settings {
            control: Control::Dctcp { gain: f64::NAN },
            segment: 0,
            initial_window: 0,
            maximum_window: 1 << 40,
            slow_start_limit: 0,
            sack: true,
            rack: true,
            prr: true,
            ecn: false,
            pacing: Some(Pacing { slow_start: 0, avoidance: 0 }),
            handshake: true,
            minimum_timeout: 0,
            initial_timeout: 5,
            maximum_timeout: 3,
            restart_after_idle: true,
            acknowledge_every: 0,
            acknowledge_within: 0,
        };
        let names: Vec<_> = settings.mistakes().iter().map(|mistake| mistake.setting).collect();
        let expected = [
            "segment",
            "initial_window",
            "slow_start_limit",
            "maximum_window",
            "pacing",
            "minimum_timeout",
            "initial_timeout",
            "acknowledge_every",
            "gain",
            "ecn",
        ];
        assert_eq!(names, expected);
        assert_eq!(settings.in_range().mistakes(), []);
        let crossed = Settings { minimum_timeout: 9, maximum_timeout: 8, ..Settings::default() };
        assert!(crossed.mistakes().iter().any(|mistake| mistake.setting == "maximum_timeout"));
        assert_eq!(crossed.in_range().mistakes(), []);
    }
}
