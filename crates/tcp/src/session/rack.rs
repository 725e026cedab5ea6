//! Which segments are lost (RFC 8985): those that were sent long enough before one that has arrived.

use super::Session;
use super::congestion::{DUPLICATES, Phase};
use crate::sequence::Sequence;
use crate::settings::{MICROSECOND, Nanoseconds};

/// Recoveries for which a longer wait is kept after a duplicate has shown it to be needed (RFC 8985 section 6.2).
const PERSISTENCE: u8 = 16;

/// The segment sent last among those that have arrived, and how long others are waited for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rack {
    /// When it was sent, and behind its last byte.
    sent: Nanoseconds,
    end: Sequence,
    /// Its round trip.
    round_trip: Nanoseconds,
    /// A segment has arrived after ones sent behind it.
    pub reordered: bool,
    /// Quarters of the least round trip that reordered segments are waited for, at most 255.
    quarters: u8,
    persistence: u8,
    /// A duplicate was reported, and the round trip in which it counts is over at this byte.
    duplicate: bool,
    round_ends: Option<Sequence>,
}

impl Rack {
    pub(super) fn new() -> Self {
        Self { quarters: 1, ..Self::default() }
    }

    /// A segment sent at `sent` up to `end` has arrived.
    pub(super) fn arrived(
        &mut self,
        now: Nanoseconds,
        sent: Nanoseconds,
        end: Sequence,
        resent: bool,
        least: Option<Nanoseconds>,
    ) {
        let round_trip = now.saturating_sub(sent);
        // The answer is to what was sent before.
        if resent && least.is_some_and(|least| round_trip < least) {
            return;
        }
        self.round_trip = round_trip;
        if self.is_before((self.sent, self.end), (sent, end)) {
            (self.sent, self.end) = (sent, end);
        }
    }

    /// Whether the first of two segments was sent before the second.
    fn is_before(&self, first: (Nanoseconds, Sequence), second: (Nanoseconds, Sequence)) -> bool {
        first.0 < second.0 || (first.0 == second.0 && first.1.before(second.1))
    }

    /// Whether a segment that was sent at `sent` is due by the last round trip.
    pub(super) fn is_due(&self, sent: Nanoseconds, now: Nanoseconds) -> bool {
        now.saturating_sub(sent) >= self.round_trip
    }

    /// A duplicate was reported.
    pub(super) fn note_duplicate(&mut self) {
        self.duplicate = true;
    }

    /// After an acknowledgement that duplicates were looked for in: the wait grows once a round trip in which there
    /// is one, and falls back after [`PERSISTENCE`] recoveries.
    fn adapt(&mut self, acknowledged: Sequence, next: Sequence) {
        if self.round_ends.is_some_and(|end| !acknowledged.before(end)) {
            self.round_ends = None;
        }
        if std::mem::take(&mut self.duplicate) && self.round_ends.is_none() {
            self.round_ends = Some(next);
            self.quarters = self.quarters.saturating_add(1);
            self.persistence = PERSISTENCE;
        } else if self.persistence == 0 {
            self.quarters = 1;
        }
    }

    /// A recovery has ended.
    pub(super) fn recovered(&mut self) {
        self.persistence = self.persistence.saturating_sub(1);
    }
}

impl Session {
    /// How long after its turn a segment is waited for.
    fn reordering_window(&self) -> Nanoseconds {
        if !self.rack.reordered
            && (self.congestion.phase >= Phase::Recovery
                || self.board.sacked >= self.congestion.reordering)
        {
            return 0;
        }
        let least = self.round_trip.least().unwrap_or(0);
        let mean = self.round_trip.smoothed().unwrap_or(0);
        ((least >> 2) * u64::from(self.rack.quarters)).min(mean)
    }

    /// Takes segments for lost that were sent long enough before the one that RACK goes by. Returns how many, and
    /// whether others are still waited for, for which the timer is armed.
    pub(super) fn find_lost(&mut self, now: Nanoseconds) -> (u32, bool) {
        self.rack.adapt(self.acknowledged, self.next);
        let wait = self.rack.round_trip + self.reordering_window();
        let (mut lost, mut longest) = (0, 0);
        for index in 0..self.board.count() {
            let Some(&record) = self.board.get(index) else { break };
            if record.sacked || (record.lost && !record.resent) {
                continue;
            }
            let turn =
                self.rack.is_before((record.sent, record.end), (self.rack.sent, self.rack.end));
            if !turn {
                // First sendings are in order; only ones that were sent again lie between.
                if !record.ever_resent && self.board.resent == 0 {
                    break;
                }
                continue;
            }
            let due = record.sent + wait;
            if due <= now {
                lost += u32::from(self.board.lose(index));
            } else {
                longest = longest.max(due - now);
            }
        }
        if longest > 0 {
            // A clock of microseconds is good enough, and one timer serves many segments.
            self.timers.await_reordered(now + longest + MICROSECOND);
        }
        (lost, longest > 0)
    }

    /// Without SACK: the first segment is lost after enough duplicates, and each next one when a recovery advances
    /// without ending (RFC 6582).
    pub(super) fn find_first_lost(&mut self, advanced: bool) -> u32 {
        let phase = self.congestion.phase;
        let enough = phase < Phase::Recovery && self.board.sacked >= self.congestion.reordering;
        let partial = phase == Phase::Recovery && advanced;
        let first_lost = self.board.first().is_some_and(|first| first.lost);
        if (enough || partial) && !first_lost && self.board.out() > 0 {
            return u32::from(self.board.lose(0));
        }
        0
    }

    /// The segment at `start`, sent once, has arrived after what was reported up to `furthest`.
    pub(super) fn note_reordered(&mut self, start: Sequence, furthest: Sequence) {
        let segments = (furthest - start).div_ceil(self.mss.max(1));
        self.congestion.note_reordering(segments.max(DUPLICATES));
        self.rack.reordered = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_sent_counts() {
        let mut rack = Rack::new();
        rack.arrived(100, 50, Sequence(10), false, None);
        rack.arrived(101, 40, Sequence(20), false, None);
        assert_eq!((rack.sent, rack.end, rack.round_trip), (50, Sequence(10), 61));
        // An answer that is faster than any before is to the first sending.
        rack.arrived(102, 101, Sequence(30), true, Some(40));
        assert_eq!(rack.sent, 50);
    }

    #[test]
    fn duplicates_make_the_wait_longer_once_a_round_trip() {
        let mut rack = Rack::new();
        for acknowledged in [0, 10] {
            rack.note_duplicate();
            rack.adapt(Sequence(acknowledged), Sequence(100));
        }
        assert_eq!(rack.quarters, 2);
        rack.note_duplicate();
        rack.adapt(Sequence(100), Sequence(200));
        assert_eq!(rack.quarters, 3);
        (0..PERSISTENCE).for_each(|_| rack.recovered());
        rack.adapt(Sequence(300), Sequence(400));
        assert_eq!(rack.quarters, 1);
    }
}
