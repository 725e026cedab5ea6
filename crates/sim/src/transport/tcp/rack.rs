//! What is lost, told by the times at which segments were sent (RACK, RFC 8985 section 6): what was sent some time before
//! something that has arrived, and has not arrived itself, is lost. This also holds for what was sent again, which the
//! rules of RFC 6675 cannot judge.
//!
//! RFC 8985 keeps a time with each segment and goes through them. Here first transmissions, whose order in time is that
//! of their positions, are one queue, and what was sent again is another one; each is judged from its front on, once.
//! As long as nothing is lost, an acknowledgement takes segments from the front of the first queue, which is all.
//!
//! The reordering timer is set for the segment that is due first; section 6.2 step 5 takes the last one, to save timers.
//! The reordering window does not adapt to DSACK, which is not modelled.

use super::ranges::Ranges;
use super::scoreboard::Scoreboard;
use crate::pending::Time;
use std::collections::VecDeque;

const NEVER: Time = Time::MAX;
/// Time stamps in frames count nanoseconds, rounded down.
const STAMP: Time = 1_000;

/// A segment that was sent again.
#[derive(Clone, Copy, Debug)]
struct Again {
    start: u64,
    end: u64,
    moment: Moment,
}

/// When a segment was sent. Of those that were sent at one time the order is kept; RFC 8985 takes that of their
/// positions (RACK_sent_after), which is not that in which first transmissions and others leave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Moment {
    time: Time,
    /// What had been sent then, this one included.
    sent: u64,
    /// Retransmissions until then; 0 for a first transmission.
    retransmissions: u64,
}

impl Moment {
    #[inline]
    fn of_first(time: Time, end: u64) -> Self {
        Self { time, sent: end, retransmissions: 0 }
    }
}

/// RACK's state.
#[derive(Clone, Debug)]
pub(super) struct Rack {
    /// What is outstanding: the position behind each segment, and when it was first sent. In order of both.
    first: VecDeque<(u64, Time)>,
    /// Of these so many, from the front, are not waited for any more: they have arrived, are lost, or were sent again.
    judged: usize,
    /// What was sent again and is waited for, in order of time.
    again: VecDeque<Again>,
    /// Outstanding positions that were sent more than once.
    resent: Ranges,
    /// Outstanding positions that are lost and were not sent since.
    lost: Ranges,
    /// When the most recently sent of all segments that have arrived was sent (RACK.xmit_ts, RACK.end_seq).
    newest: Moment,
    retransmissions: u64,
    /// RACK.rtt.
    round_trip: Time,
    /// RACK.min_RTT, of the whole connection.
    least_round_trip: Time,
    /// What is behind the highest position that has arrived (RACK.fack).
    highest: u64,
    /// RACK.reordering_seen.
    reordered: bool,
    /// When something will be lost if it has not arrived by then.
    deadline: Time,
}

impl Rack {
    pub(super) fn new() -> Self {
        Self {
            first: VecDeque::new(),
            judged: 0,
            again: VecDeque::new(),
            resent: Ranges::default(),
            lost: Ranges::default(),
            newest: Moment::default(),
            retransmissions: 0,
            round_trip: 0,
            least_round_trip: NEVER,
            highest: 0,
            reordered: false,
            deadline: NEVER,
        }
    }

    /// When [`Self::judge`] is to be called if nothing arrives before; `Time::MAX` if not at all.
    #[inline]
    pub(super) fn deadline(&self) -> Time {
        self.deadline
    }

    /// Positions that are lost and were not sent since.
    #[inline]
    pub(super) fn lost(&self) -> u64 {
        self.lost.total()
    }

    /// The first run of them.
    #[inline]
    pub(super) fn first_lost(&self) -> Option<(u64, u64)> {
        self.lost.as_slice().first().map(|run| (run.start, run.end))
    }

    /// Where the last segment begins that was sent, if it is outstanding; `first` is the first outstanding position.
    pub(super) fn last_start(&self, first: u64) -> u64 {
        let before = self.first.len().checked_sub(2).and_then(|at| self.first.get(at));
        before.map_or(first, |(end, _)| (*end).max(first))
    }

    /// A segment was sent for the first time.
    #[inline]
    pub(super) fn note_first(&mut self, end: u64, now: Time) {
        self.first.push_back((end, now));
    }

    /// Something was sent again.
    pub(super) fn note_again(&mut self, start: u64, end: u64, now: Time) {
        self.lost.remove(start, end);
        self.resent.insert(start, end);
        self.retransmissions += 1;
        let sent = self.first.back().map_or(end, |(end, _)| *end);
        let moment = Moment { time: now, sent, retransmissions: self.retransmissions };
        self.again.push_back(Again { start, end, moment });
    }

    /// Everything from `first` to before `next` is acknowledged, by an acknowledgement that echoes `echo`. Before it,
    /// `board` had reported what is not new.
    #[inline]
    pub(super) fn acknowledge(
        &mut self,
        now: Time,
        first: u64,
        next: u64,
        echo: Time,
        board: &Scoreboard,
    ) {
        if self.resent.is_empty() && board.is_empty() {
            if let Some((end, time)) = self.take(next) {
                self.note_delivery(now, Moment::of_first(time, end));
                self.least_round_trip = self.least_round_trip.min(now - time);
            }
        } else {
            let (mut start, mut end) = board.gap(first, next);
            while start < end {
                self.arrive(now, start, end.min(next), Some(echo));
                (start, end) = board.gap(end, next);
            }
            self.take(next);
            self.resent.advance(next);
            while self.again.front().is_some_and(|again| again.end <= next) {
                self.again.pop_front();
            }
        }
        if self.lost.total() > 0 {
            self.lost.advance(next);
        }
        self.highest = self.highest.max(next);
    }

    /// Something is reported to have arrived: what of it `board` did not know.
    pub(super) fn report(&mut self, now: Time, start: u64, end: u64, board: &Scoreboard) {
        let (mut from, mut until) = board.gap(start, end);
        while from < until.min(end) {
            self.arrive(now, from, until.min(end), None);
            (from, until) = board.gap(until, end);
        }
    }

    /// Forgets first transmissions before `next`; the last one.
    #[inline]
    fn take(&mut self, next: u64) -> Option<(u64, Time)> {
        let mut last = None;
        while let Some(segment) = self.first.front()
            && segment.0 <= next
        {
            last = self.first.pop_front();
            self.judged = self.judged.saturating_sub(1);
        }
        last
    }

    #[inline]
    fn note_delivery(&mut self, now: Time, moment: Moment) {
        self.round_trip = now - moment.time;
        self.newest = self.newest.max(moment);
    }

    /// Something has arrived that had not been known to have (section 6.2, steps 1 to 3).
    fn arrive(&mut self, now: Time, start: u64, end: u64, echo: Option<Time>) {
        self.lost.remove(start, end);
        // Of what was sent again, the first transmission may be what has arrived. The echo of RFC 7323 tells of
        // what fills the first gap; of what is beyond it, that it came sooner than a round trip takes.
        let mut newest = None;
        for again in &self.again {
            let overlaps = again.start < end && start < again.end;
            let time = again.moment.time;
            let first_came = echo.is_some_and(|echo| echo.saturating_add(STAMP) <= time)
                || now - time < self.least_round_trip;
            if overlaps && !first_came {
                newest = Some(again.moment);
            }
        }
        if let Some(moment) = newest {
            self.note_delivery(now, moment);
        }
        let (mut from, mut until) = self.resent.gap_before(start, end);
        while from < until {
            // The segment of a position, and that of the last one.
            let segment = |position: u64| {
                let at = self.first.partition_point(|(end, _)| *end <= position);
                self.first.get(at).copied()
            };
            let (lowest, highest) = (segment(from), segment(until - 1));
            self.reordered |= lowest.is_some_and(|(end, _)| end < self.highest);
            if let Some((end, time)) = highest {
                self.note_delivery(now, Moment::of_first(time, end));
                self.least_round_trip = self.least_round_trip.min(now - time);
            }
            (from, until) = self.resent.gap_before(until, end);
        }
        self.highest = self.highest.max(end);
    }

    /// Marks what is lost (section 6.2, steps 4 and 5); how many positions that is. `first` is the first outstanding
    /// position; `repairing`: in a recovery, or after a timeout.
    #[inline]
    pub(super) fn judge(
        &mut self,
        now: Time,
        first: u64,
        smoothed: Time,
        repairing: bool,
        board: &Scoreboard,
    ) -> u64 {
        self.deadline = NEVER;
        let next = self.first.get(self.judged);
        let in_question = next
            .is_some_and(|(end, time)| Moment::of_first(*time, *end) < self.newest)
            || self.again.front().is_some_and(|again| again.moment < self.newest);
        if !in_question {
            return 0;
        }
        let certain = !self.reordered && (repairing || board.lost_below() > 0);
        // Without handshake nothing may have been measured yet.
        let most = if smoothed == 0 { NEVER } else { smoothed };
        let window = if certain { 0 } else { (self.least_round_trip / 4).min(most) };
        let allowed = self.round_trip.saturating_add(window);
        let before = self.lost.total();
        while let Some((end, time)) = self.first.get(self.judged).copied()
            && Moment::of_first(time, end) < self.newest
        {
            let start = match self.judged.checked_sub(1).and_then(|at| self.first.get(at)) {
                Some((end, _)) => (*end).max(first),
                None => first,
            };
            if !self.settle(start, end, now, time.saturating_add(allowed), board, false) {
                break;
            }
            self.judged += 1;
        }
        while let Some(again) = self.again.front().copied()
            && again.moment < self.newest
        {
            let start = again.start.max(first);
            let due = again.moment.time.saturating_add(allowed);
            if !self.settle(start, again.end, now, due, board, true) {
                break;
            }
            self.again.pop_front();
        }
        self.lost.total() - before
    }

    /// Marks what of a segment has not arrived, if it is due; otherwise notes when it is. Whether the segment is not
    /// waited for any more.
    fn settle(
        &mut self,
        start: u64,
        end: u64,
        now: Time,
        due: Time,
        board: &Scoreboard,
        again: bool,
    ) -> bool {
        let (mut from, mut until) = board.gap(start, end);
        while from < until.min(end) {
            let stop = until.min(end);
            let (mut run, mut behind) = match again {
                true => (from, stop),
                false => self.resent.gap_before(from, stop),
            };
            while run < behind {
                if due > now {
                    self.deadline = self.deadline.min(due);
                    return false;
                }
                self.lost.insert(run, behind);
                (run, behind) = match again {
                    true => (stop, stop),
                    false => self.resent.gap_before(behind, stop),
                };
            }
            (from, until) = board.gap(until, end);
        }
        true
    }

    /// The timer of RFC 6298 has expired: all that is outstanding, `first` to before `sent`, and was not reported is lost.
    pub(super) fn lose_all(&mut self, first: u64, sent: u64, board: &Scoreboard) {
        self.again.clear();
        self.judged = self.first.len();
        self.deadline = NEVER;
        let (mut start, mut end) = board.gap(first, sent);
        while start < end {
            self.lost.insert(start, end);
            (start, end) = board.gap(end, sent);
        }
    }
}
