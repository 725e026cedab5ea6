//! The congestion window: NewReno (RFC 5681, RFC 6582) with proportional rate reduction (RFC 6937) and undoing, as
//! Linux has them. All is counted in segments.

use super::Session;
use crate::sequence::Sequence;
use crate::settings::Nanoseconds;

/// Duplicate acknowledgements, or segments reported beyond a hole, after which its first segment is taken for lost.
pub(super) const DUPLICATES: u32 = 3;

/// Largest reordering that is allowed for, in segments.
const MOST_REORDERING: u32 = 300;

/// How a sender sees its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    /// All is well.
    Open,
    /// Something is out of order; nothing is taken for lost.
    Disorder,
    /// A router has marked, or a probe has found a loss: the window shrinks.
    Reduction,
    /// Segments are lost and sent again.
    Recovery,
    /// A timeout has passed.
    Loss,
}

/// The congestion window's state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Congestion {
    /// Segments that may be in flight.
    pub window: u32,
    /// Slow start ends here.
    pub threshold: u32,
    /// Segments acknowledged towards the next segment of the window.
    credit: u32,
    pub phase: Phase,
    /// snd_nxt when the phase began.
    pub high: Sequence,
    /// Window and threshold before the reduction.
    prior: Option<(u32, u32)>,
    /// Proportional rate reduction: delivered and sent since it began.
    delivered: u32,
    pub departed: u32,
    /// Where undoing may start, and segments sent again since then that no duplicate has been reported for; `None`:
    /// nothing was sent again.
    pub undo_marker: Option<Sequence>,
    pub undo_count: Option<u32>,
    /// When the first segment was sent again, in milliseconds of the timestamps' clock.
    pub resent_at: Option<u32>,
    /// A timeout may be spurious (RFC 5682).
    pub forward: bool,
    /// Largest reordering that was seen, in segments.
    pub reordering: u32,
    /// The window limits what is sent.
    limited: bool,
    most_out: u32,
    usage_ends: Sequence,
}

impl Congestion {
    pub(super) fn new(initial: u32, first: Sequence) -> Self {
        Self {
            window: initial,
            threshold: u32::MAX,
            credit: 0,
            phase: Phase::Open,
            high: first,
            prior: None,
            delivered: 0,
            departed: 0,
            undo_marker: None,
            undo_count: None,
            resent_at: None,
            forward: false,
            reordering: DUPLICATES,
            limited: false,
            most_out: 0,
            usage_ends: first,
        }
    }

    /// Half of the window, at least 2 (RFC 5681 equation 4).
    fn half(&self) -> u32 {
        (self.window >> 1).max(2)
    }

    pub(super) fn in_slow_start(&self) -> bool {
        self.window < self.threshold
    }

    /// Whether the window is being reduced step by step.
    pub(super) fn reduces(&self) -> bool {
        matches!(self.phase, Phase::Reduction | Phase::Recovery)
    }

    pub(super) fn note_reordering(&mut self, segments: u32) {
        self.reordering = self.reordering.max(segments.min(MOST_REORDERING));
    }

    /// The window grows by what was acknowledged, if it is what limits the sender.
    pub(super) fn grow(&mut self, mut acknowledged: u32) {
        if !self.is_limited() {
            return;
        }
        if self.in_slow_start() {
            let window = self.window.saturating_add(acknowledged).min(self.threshold);
            acknowledged -= window - self.window;
            self.window = window;
            if acknowledged == 0 {
                return;
            }
        }
        if self.credit >= self.window {
            self.credit = 0;
            self.window += 1;
        }
        self.credit += acknowledged;
        if self.credit >= self.window {
            let steps = self.credit / self.window;
            self.credit -= steps * self.window;
            self.window += steps;
        }
    }

    fn is_limited(&self) -> bool {
        if self.in_slow_start() { self.window < 2 * self.most_out } else { self.limited }
    }

    /// Notes whether the window limits the sender, after something was sent.
    pub(super) fn note_usage(
        &mut self,
        in_flight: u32,
        out: u32,
        acknowledged: Sequence,
        next: Sequence,
    ) {
        let limited = in_flight >= self.window;
        let round_over = !acknowledged.before(self.usage_ends);
        if round_over || limited || (!self.limited && out > self.most_out) {
            self.limited = limited;
            self.most_out = out;
            self.usage_ends = next;
        }
    }

    /// Begins a reduction to the threshold.
    pub(super) fn begin_reduction(&mut self, next: Sequence) {
        self.high = next;
        self.credit = 0;
        self.prior = Some((self.window, self.threshold));
        (self.delivered, self.departed) = (0, 0);
        self.threshold = self.half();
    }

    /// One step of a reduction: `delivered` segments are newly known to have arrived.
    pub(super) fn reduce(
        &mut self,
        in_flight: u32,
        delivered: u32,
        newly_lost: u32,
        advanced: bool,
    ) {
        let before = self.prior.map_or(self.window, |(window, _)| window).max(1);
        if delivered == 0 {
            return;
        }
        self.delivered += delivered;
        let mut count = if in_flight > self.threshold {
            let share = u64::from(self.threshold) * u64::from(self.delivered);
            (share.div_ceil(u64::from(before)) as u32).saturating_sub(self.departed)
        } else {
            let room = self.threshold - in_flight;
            let mut count = self.delivered.saturating_sub(self.departed).max(delivered);
            if advanced && newly_lost == 0 {
                count += 1;
            }
            count.min(room)
        };
        // One segment is sent again at once.
        count = count.max(u32::from(self.departed == 0));
        self.window = in_flight + count;
    }

    /// Ends a reduction at the threshold.
    pub(super) fn end_reduction(&mut self) {
        if self.threshold < u32::MAX
            && (self.undo_marker.is_some() || self.phase == Phase::Reduction)
        {
            self.window = self.threshold;
        }
    }

    /// Three duplicates have come, with the published feature set: the window is half of what was in flight.
    pub(super) fn go_back(&mut self, in_flight: u32, next: Sequence) {
        self.threshold = (in_flight >> 1).max(2);
        self.window = self.threshold;
        self.credit = 0;
        self.high = next;
        self.phase = Phase::Recovery;
    }

    /// A timeout has passed: one segment more than what is in flight.
    pub(super) fn collapse(&mut self, in_flight: u32) {
        self.window = in_flight + 1;
        self.credit = 0;
    }

    /// Before a timeout shrinks the window.
    pub(super) fn remember_for_timeout(&mut self) {
        self.prior = Some((self.window, self.threshold));
        self.threshold = self.half();
    }

    /// The reduction was a mistake.
    pub(super) fn undo(&mut self) {
        if let Some((window, threshold)) = self.prior {
            self.window = self.window.max(window);
            self.threshold = self.threshold.max(threshold);
        }
        self.undo_marker = None;
    }

    /// After an idle time of so many timeouts (RFC 2861).
    pub(super) fn restart(&mut self, initial: u32, idle: Nanoseconds, timeout: Nanoseconds) {
        let restart = initial.min(self.window);
        self.threshold = self.threshold.max((self.window >> 1) + (self.window >> 2));
        let mut left = idle.saturating_sub(timeout);
        while left > 0 && self.window > restart {
            self.window >>= 1;
            left = left.saturating_sub(timeout);
        }
        self.window = self.window.max(restart);
        self.credit = 0;
    }
}

impl Session {
    /// From here on a reduction may turn out to be a mistake.
    pub(super) fn begin_undo(&mut self) {
        self.congestion.undo_marker = Some(self.acknowledged);
        self.congestion.undo_count = (self.board.resent > 0).then_some(self.board.resent);
    }

    /// Whether all that was sent again since the reduction was superfluous: duplicates are reported for each, or the
    /// first answer is to what was sent before (RFC 3522).
    pub(super) fn may_undo(&self) -> bool {
        self.congestion.undo_marker.is_some()
            && (self.congestion.undo_count == Some(0) || self.answer_is_to_first())
    }

    pub(super) fn answer_is_to_first(&self) -> bool {
        match (self.congestion.resent_at, self.last_echo) {
            (Some(resent), Some(echo)) => (echo.wrapping_sub(resent) as i32) < 0,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn congestion(window: u32, threshold: u32) -> Congestion {
        Congestion {
            window,
            threshold,
            most_out: window,
            limited: true,
            ..Congestion::new(10, Sequence(0))
        }
    }

    #[test]
    fn slow_start_adds_what_is_acknowledged() {
        let mut c = congestion(10, u32::MAX);
        c.grow(10);
        assert_eq!(c.window, 20);
        // Not limited by the window any more: 10 were out at most.
        c.grow(10);
        assert_eq!(c.window, 20);
    }

    #[test]
    fn avoidance_adds_one_a_window() {
        let mut c = congestion(10, 5);
        (0..10).for_each(|_| c.grow(1));
        assert_eq!(c.window, 11);
        (0..11).for_each(|_| c.grow(1));
        assert_eq!(c.window, 12);
    }

    #[test]
    fn a_reduction_ends_at_half_the_window() {
        let mut c = congestion(20, u32::MAX);
        c.phase = Phase::Recovery;
        c.begin_reduction(Sequence(20_000));
        c.undo_marker = Some(Sequence(0));
        let mut in_flight = 19;
        for _ in 0..19 {
            in_flight -= 1;
            c.reduce(in_flight, 1, 0, false);
            if in_flight < c.window {
                c.departed += 1;
                in_flight += 1;
            }
        }
        assert!((9..=11).contains(&c.window), "{}", c.window);
        c.end_reduction();
        assert_eq!(c.window, 10);
    }

    #[test]
    fn undo_gives_the_window_back() {
        let mut c = congestion(20, u32::MAX);
        c.begin_reduction(Sequence(0));
        c.undo_marker = Some(Sequence(0));
        c.reduce(5, 1, 1, false);
        c.undo();
        assert_eq!((c.window, c.threshold), (20, u32::MAX));
    }
}
