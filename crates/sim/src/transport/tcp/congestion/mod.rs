//! Congestion control: the window, and the laws by which it changes.

mod cubic;
mod dctcp;
mod newreno;

use super::settings::{Control, Settings};
use crate::pending::Time;
use cubic::Cubic;
use dctcp::Estimate;
use newreno::Counted;

#[derive(Clone, Debug)]
enum Law {
    NewReno,
    Cubic(Cubic),
    Dctcp(Estimate),
}

/// The window of one sender, in bytes.
#[derive(Clone, Debug)]
pub(super) struct Congestion {
    window: u64,
    /// Slow start below it (ssthresh).
    threshold: u64,
    segment: u64,
    initial: u64,
    maximum: u64,
    slow_start_limit: u64,
    counted: Counted,
    law: Law,
}

impl Congestion {
    pub(super) fn new(settings: &Settings) -> Self {
        let segment = u64::from(settings.segment);
        let maximum = settings.maximum_window;
        let initial = (segment * u64::from(settings.initial_window)).min(maximum);
        let law = match settings.control {
            Control::NewReno => Law::NewReno,
            Control::Cubic { fast_convergence } => {
                Law::Cubic(Cubic::new(segment as f64, fast_convergence))
            }
            Control::Dctcp { gain } => Law::Dctcp(Estimate::new(gain)),
        };
        Self {
            window: initial,
            threshold: u64::MAX,
            segment,
            initial,
            maximum,
            slow_start_limit: segment.saturating_mul(u64::from(settings.slow_start_limit)),
            counted: Counted::default(),
            law,
        }
    }

    #[inline]
    pub(super) fn window(&self) -> u64 {
        self.window
    }

    #[inline]
    pub(super) fn threshold(&self) -> u64 {
        self.threshold
    }

    #[inline]
    pub(super) fn in_slow_start(&self) -> bool {
        self.window < self.threshold
    }

    /// DCTCP's estimate of the share of bytes that are marked.
    pub(super) fn marked_share(&self) -> Option<f64> {
        match &self.law {
            Law::Dctcp(estimate) => Some(estimate.share()),
            Law::NewReno | Law::Cubic(_) => None,
        }
    }

    /// `bytes` were acknowledged, with ECN-Echo if `marked`; everything before `acknowledged` is, and
    /// everything before `sent` was sent. Called for each acknowledgement of something new.
    #[inline]
    pub(super) fn observe(&mut self, acknowledged: u64, sent: u64, bytes: u64, marked: bool) {
        if let Law::Dctcp(estimate) = &mut self.law {
            estimate.observe(acknowledged, sent, bytes, marked);
        }
    }

    /// The window grows, for an acknowledgement of `bytes` while the window was in use (RFC 5681 section
    /// 3.1). `after_timeout`: in the slow start that repairs a timeout.
    #[inline]
    pub(super) fn grow(&mut self, now: Time, bytes: u64, round_trip: Time, after_timeout: bool) {
        if self.in_slow_start() {
            // RFC 3465 section 2.2, and 2.3 after a timeout.
            let limit = if after_timeout { self.segment } else { self.slow_start_limit };
            self.window += bytes.min(limit);
        } else if let Law::Cubic(cubic) = &mut self.law {
            self.window = cubic.grow(now, self.window, bytes, round_trip);
        } else {
            self.window += self.counted.grow(self.window, bytes, self.segment);
        }
        self.window = self.window.min(self.maximum);
    }

    /// An acknowledgement came while the window was not in use.
    #[inline]
    pub(super) fn rest(&mut self, now: Time) {
        if let Law::Cubic(cubic) = &mut self.law {
            cubic.rest(now);
        }
    }

    /// A loss was found by duplicate acknowledgements when `flight` bytes were outstanding.
    pub(super) fn lose(&mut self, flight: u64) {
        self.threshold = self.share_after_loss(flight).max(2 * self.segment);
        if let Law::Cubic(cubic) = &mut self.law {
            cubic.reduce(self.window);
        }
        self.window = self.threshold;
        self.counted = Counted::default();
    }

    /// A loss was found in a window for which a mark has already had the window reduced: not again
    /// (RFC 3168 section 6.1.2). DCTCP, whose reaction to a mark may be small, reacts nevertheless (RFC
    /// 8257 section 3.5).
    pub(super) fn lose_after_mark(&mut self, flight: u64) {
        match self.law {
            Law::Dctcp(_) => self.lose(flight),
            Law::NewReno | Law::Cubic(_) => self.threshold = self.window.max(2 * self.segment),
        }
    }

    /// ECN-Echo, the first in a window of data (RFC 3168 section 6.1.2). The window does not go below
    /// one segment; that the sender would then also wait for the timer is left out.
    pub(super) fn mark(&mut self) {
        let window = self.window;
        let reduced = match &mut self.law {
            Law::NewReno => newreno::halved(window),
            Law::Cubic(cubic) => {
                cubic.reduce(window);
                cubic::decreased(window)
            }
            Law::Dctcp(estimate) => estimate.reduced(window),
        };
        self.threshold = reduced.max(2 * self.segment);
        self.window = reduced.max(self.segment);
        self.counted = Counted::default();
    }

    /// A recovery lets so many bytes be in the network.
    pub(super) fn allow(&mut self, window: u64) {
        self.window = window;
    }

    /// The recovery has brought what is in the network down to the threshold (RFC 9937 section 6.2).
    pub(super) fn end_reduction(&mut self) {
        self.window = self.threshold;
    }

    /// The timer has expired when `flight` bytes were outstanding. `again`: of the same data it had expired
    /// before, then the threshold stays (RFC 5681 section 3.1).
    ///
    /// With SACK a recovery goes on sending new data while it waits for a retransmission that was lost again, so that by the
    /// time of the timeout much more is outstanding than there ever was in the network at once. What was reported
    /// does not count: no more than the window is in the network.
    pub(super) fn time_out(&mut self, flight: u64, again: bool) {
        let flight = flight.min(self.window);
        if !again {
            self.threshold = self.share_after_loss(flight).max(2 * self.segment);
        }
        if let Law::Cubic(cubic) = &mut self.law {
            cubic.time_out(self.window);
        }
        self.window = self.segment;
        self.counted = Counted::default();
    }

    /// Nothing was sent for longer than the timeout (RFC 5681 section 4.1).
    pub(super) fn restart(&mut self) {
        self.window = self.window.min(self.initial);
    }

    /// The SYN was lost: the initial window is one segment (RFC 5681 section 3.1).
    pub(super) fn open_with_one_segment(&mut self) {
        self.window = self.segment;
    }

    /// NewReno's recovery lets the window stand for what has left the network (RFC 6582 section 3.2).
    pub(super) fn inflate(&mut self, segments: u64) {
        self.window += segments * self.segment;
    }

    /// A partial acknowledgement of `bytes` (RFC 6582 section 3.2, step 3).
    pub(super) fn deflate(&mut self, bytes: u64) {
        self.window = self.window.saturating_sub(bytes);
        if bytes >= self.segment {
            self.window += self.segment;
        }
        self.window = self.window.max(self.segment);
    }

    /// NewReno's recovery ends with `flight` bytes outstanding (RFC 6582 section 3.2, step 3, the first of
    /// its two ways, which avoids a burst).
    pub(super) fn end_inflation(&mut self, flight: u64) {
        self.window = self.threshold.min(flight.max(self.segment) + self.segment);
    }

    fn share_after_loss(&self, flight: u64) -> u64 {
        match self.law {
            Law::Cubic(_) => cubic::decreased(flight),
            Law::NewReno | Law::Dctcp(_) => newreno::halved(flight),
        }
    }
}
