//! The published engine's answer to acknowledgements (spec 2.17, 2.19): slow start, avoidance, and after three
//! duplicates all again from the first byte that is not acknowledged. Its receiver keeps nothing out of order, so
//! what was sent behind a hole is needed again in any case.

use super::acknowledgements::News;
use super::congestion::{DUPLICATES, Phase};
use super::{Segment, Session};
use crate::settings::Nanoseconds;

impl Session {
    /// Takes in an acknowledgement.
    pub(super) fn judge_published(&mut self, segment: &Segment<'_>, news: &News, now: Nanoseconds) {
        if news.advanced {
            self.duplicates = 0;
            if self.congestion.phase >= Phase::Recovery
                && !self.acknowledged.before(self.congestion.high)
            {
                self.congestion.phase = Phase::Open;
            }
            self.congestion.grow(news.passed);
            return;
        }
        let repeated = !news.data && !news.window && segment.payload.is_empty();
        if !repeated || self.board.out() == 0 {
            return;
        }
        self.duplicates = self.duplicates.saturating_add(1);
        // Once a flight: later duplicates are of the same one.
        if self.duplicates == DUPLICATES && self.congestion.phase < Phase::Recovery {
            self.congestion.go_back(self.board.in_flight(), self.next);
            for index in 0..self.board.count() {
                self.board.lose(index);
            }
            self.forced.first = true;
            self.timers.retransmit = None;
            self.arm_timeout(now);
        }
    }
}
