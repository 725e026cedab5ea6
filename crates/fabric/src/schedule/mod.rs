//! The schedule of the fabric: who sends to whom in which slot of an epoch.
//!
//! A **slot** is the time of one cell and the guard before it. In a slot, a channel connects each host to at most one
//! peer, and each host is the peer of at most one: a partial permutation without fixed points. An **epoch** is the time
//! in which every ordered pair of hosts meets once, over all channels. Epochs repeat without end.
//!
//! All matchings here are **shifts**: host i sends to host i + s (modulo the number of hosts N) for one s from 1 to
//! N - 1. The reverse of shift s is shift N - s.
//!
//! # The reordered schedule
//!
//! A reply to what i sent to j leaves when j meets i. [`Order::Reordered`] keeps these two meetings at least ⌊P/2⌋ slots
//! apart in both directions, P being the slots of an epoch, so that a cell may travel for nearly half an epoch before the
//! reply to it is due. No schedule can do better, as the two distances add up to P.
//!
//! The construction, for any number of channels C. Put shifts into pairs {s, N - s}, s < N/2. If N is even, shift N/2 is
//! its own reverse: its two halves, hosts 0 to N/2 - 1 and the others, are one more pair, each half idle in the slot
//! of the other. That makes K = ⌊N/2⌋ pairs, to be put at slots (a, a + h), h = ⌊P/2⌋, with at most C in a slot. P is
//! ⌈2K/C⌉, so there is room for 2K = N or N - 1 in all.
//!
//! - P is even: pair k takes slots k mod h and k mod h + h, on channel ⌊k/h⌋. K ≤ CP/2 = Ch, so C channels suffice.
//! - P is odd: as P = 2h + 1, h and P have no common divisor, and the walk 0, h, 2h, ... (modulo P) visits each slot once
//!   in P steps. Pair k takes steps 2k and 2k + 1 of the walk, which are h slots apart, and h + 1 the other way. Step w
//!   is on channel ⌊w/P⌋. The steps taken are 0 to 2K - 1, and 2K ≤ CP, so C channels suffice.
//!
//! With one channel that is the published order: shifts 1, 2, ..., then N - 1, N - 2, ... half an epoch later.

mod matching;
mod switches;
mod text;

pub use matching::Matching;
pub use switches::{Switch, Switches};

use std::fmt;

/// Hosts that a fabric may have at most: an epoch of one channel has nearly the square of that in meetings.
pub const MAX_HOSTS: usize = 4096;

/// In which order hosts meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Shifts 1, 2, 3, ... as they come.
    Plain,
    /// i meets j at least ⌊P/2⌋ slots after and before j meets i.
    Reordered,
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Plain => "plain",
            Self::Reordered => "reordered",
        })
    }
}

/// A fabric that cannot be: one sentence that says what was expected and what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadFabric(pub String);

impl fmt::Display for BadFabric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadFabric {}

/// Who sends to whom: a [`Matching`] for each channel and slot.
#[derive(Clone, Debug)]
pub struct Schedule {
    hosts: usize,
    order: Order,
    /// `channels[channel][slot]`
    channels: Vec<Vec<Matching>>,
}

impl Schedule {
    /// The schedule of `hosts` hosts, 2 to [`MAX_HOSTS`], with `channels` channels each, 1 to `hosts - 1`.
    pub fn new(hosts: usize, order: Order, channels: usize) -> Result<Self, BadFabric> {
        if !(2..=MAX_HOSTS).contains(&hosts) {
            return Err(BadFabric(format!("expected 2 to {MAX_HOSTS} hosts, found {hosts}")));
        }
        if !(1..hosts).contains(&channels) {
            return Err(BadFabric(format!(
                "expected 1 to {} channels, as each of {hosts} hosts has that many peers, found {channels}",
                hosts - 1
            )));
        }
        Ok(match order {
            Order::Plain => Self::plain(hosts, channels),
            Order::Reordered => Self::reordered(hosts, channels),
        })
    }

    fn idle(hosts: usize, order: Order, channels: usize, slots: usize) -> Self {
        Self { hosts, order, channels: vec![vec![Matching::Idle; slots]; channels] }
    }

    /// Shift after shift, over the channels of a slot first.
    fn plain(hosts: usize, channels: usize) -> Self {
        let mut made = Self::idle(hosts, Order::Plain, channels, (hosts - 1).div_ceil(channels));
        for shift in 1..hosts {
            let place = shift - 1;
            made.channels[place % channels][place / channels] = Matching::Shift(shift);
        }
        made
    }

    /// The construction of the module's description.
    fn reordered(hosts: usize, channels: usize) -> Self {
        let pairs = hosts / 2;
        let slots = (2 * pairs).div_ceil(channels);
        let half = slots / 2;
        let mut made = Self::idle(hosts, Order::Reordered, channels, slots);
        for pair in 0..pairs {
            let shift = pair + 1;
            let (there, back) = if 2 * shift == hosts {
                (Matching::LowerHalf, Matching::UpperHalf)
            } else {
                (Matching::Shift(shift), Matching::Shift(hosts - shift))
            };
            if slots.is_multiple_of(2) {
                let channel = &mut made.channels[pair / half];
                channel[pair % half] = there;
                channel[pair % half + half] = back;
            } else {
                for (step, matching) in [(2 * pair, there), (2 * pair + 1, back)] {
                    made.channels[step / slots][step * half % slots] = matching;
                }
            }
        }
        made
    }

    /// Hosts, N.
    pub fn hosts(&self) -> usize {
        self.hosts
    }

    /// The order.
    pub fn order(&self) -> Order {
        self.order
    }

    /// Channels of a host.
    pub fn channels(&self) -> usize {
        self.channels.len()
    }

    /// Slots of an epoch, P.
    pub fn slots(&self) -> usize {
        self.channels[0].len()
    }

    /// Who sends to whom on `channel` in `slot` of an epoch.
    ///
    /// # Panics
    ///
    /// If there is no such channel or slot.
    pub fn matching(&self, channel: usize, slot: usize) -> Matching {
        self.channels[channel][slot]
    }

    /// The host to which `host` sends on `channel` in `slot` of an epoch.
    ///
    /// # Panics
    ///
    /// If there is no such channel or slot.
    pub fn peer(&self, channel: usize, slot: usize, host: usize) -> Option<usize> {
        self.matching(channel, slot).peer(self.hosts, host)
    }
}
