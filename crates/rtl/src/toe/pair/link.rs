//! One direction between two hosts, a clock at a time (spec S53): over the MAC's bus and 100 Gb/s, or stream to stream.

use std::collections::VecDeque;
use ww_phy::lbus::{Beat, FromAxis, ToAxis, Wire};
use ww_tcp::pair::Scheme;

/// Beats of a frame that are there before it begins to leave: hosts send without gaps.
const START: usize = 2;
/// Rows of the queue of the receiving bus.
const ROWS: usize = 64;

/// See the module.
pub(super) struct Link {
    way: Way,
    /// Beats that are late on purpose, by the clock in which they come.
    late: VecDeque<(u64, Beat)>,
    delay: u64,
}

enum Way {
    Wire { from: FromAxis, wire: Wire, to: ToAxis },
    Stream,
}

impl Link {
    /// A link whose beats take `delay` clocks more.
    pub(super) fn new(scheme: Scheme, delay: u64) -> Self {
        let way = match scheme {
            Scheme::Wire => Way::Wire {
                from: FromAxis::new(START),
                wire: Wire::new(false),
                to: ToAxis::new(ROWS),
            },
            Scheme::Stream => Way::Stream,
        };
        Self { way, late: VecDeque::new(), delay }
    }

    /// Whether a beat is taken in this clock.
    pub(super) fn is_ready(&self) -> bool {
        match &self.way {
            Way::Wire { from, .. } => from.is_ready(),
            Way::Stream => true,
        }
    }

    /// The clock of the next beat that is late on purpose.
    pub(super) fn comes(&self) -> Option<u64> {
        self.late.front().map(|(at, _)| *at)
    }

    /// One clock: a beat goes in, and one comes out at the other end.
    pub(super) fn clock(&mut self, now: u64, beat: Option<Beat>) -> Option<Beat> {
        let came = match &mut self.way {
            Way::Wire { from, wire, to } => {
                let sent = from.clock(beat, wire.is_ready());
                let carried = wire.clock(&sent.segments);
                to.clock(&carried.segments).beat
            }
            Way::Stream => beat,
        };
        if self.delay == 0 {
            return came;
        }
        self.late.extend(came.map(|beat| (now + self.delay, beat)));
        let due = self.late.front().is_some_and(|&(at, _)| at <= now);
        due.then(|| self.late.pop_front()).flatten().map(|(_, beat)| beat)
    }
}
