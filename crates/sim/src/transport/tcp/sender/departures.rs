//! What a sender sends, and when.

use super::{NEVER, Phase, Sender};
use crate::pending::Time;
use crate::transport::tcp::rack::Rack;
use crate::transport::tcp::scoreboard::DUPLICATE_THRESHOLD;
use crate::transport::tcp::segment::Segment;
use crate::transport::tcp::settings::Pacing;

/// What may be sent.
#[derive(Clone, Copy)]
pub(super) enum Choice {
    New,
    /// Out of the order of `next`, by a recovery.
    Lost,
    /// The rescue retransmission of RFC 6675.
    Rescue,
    /// From `next` on, after a timeout.
    Again,
    /// A tail loss probe of what was sent last.
    Probe,
}

impl Sender {
    /// The position behind the last one there is to send.
    #[inline]
    pub(super) fn stream_end(&self) -> u64 {
        self.written + u64::from(self.finished)
    }

    pub(super) fn leave_idle(&mut self, now: Time) {
        self.congestion.rest(now);
        let idle = now - self.last_sent;
        if self.restart_after_idle && idle > self.round_trip.timeout() {
            self.congestion.restart();
        }
    }

    /// Bytes that RACK has found lost and that were not sent again.
    #[inline]
    fn lost(&self) -> u64 {
        self.rack.as_ref().map_or(0, Rack::lost)
    }

    /// What may be sent now, if anything.
    #[inline]
    pub(super) fn choose(&mut self) -> Option<(u64, u64, Choice)> {
        if self.probe_due {
            return Some(match self.new_segment() {
                Some((start, end)) => (start, end, Choice::New),
                None => (self.last_start(), self.sent, Choice::Probe),
            });
        }
        if self.resend_first {
            if let Some(rack) = &self.rack {
                let (start, end) = rack.first_lost()?;
                return Some((start, end.min(start + self.segment), Choice::Lost));
            }
            let (start, end) = self.scoreboard.gap(self.unacknowledged, self.sent);
            let run = (start, end.min(start + self.segment), Choice::Lost);
            return (start < end).then_some(run);
        }
        if self.phase == Phase::Recovery && self.sack {
            return self.choose_in_recovery();
        }
        if let Some(run) = self.rack.as_ref().and_then(Rack::first_lost) {
            return self.choose_after_timeout(run);
        }
        if self.next < self.sent {
            let (start, end) = self.scoreboard.gap(self.next, self.sent);
            let end = end.min(start + self.segment);
            if start < end {
                let flight = self.next - self.unacknowledged - self.scoreboard.below(self.next);
                if flight + (end - start) <= self.congestion.window() {
                    return Some((start, end, Choice::Again));
                }
                self.window_full_at = self.sent;
                return None;
            }
            self.next = self.sent;
        }
        let flight = self.sent - self.unacknowledged - self.scoreboard.total() - self.lost();
        let Some((start, end)) = self.new_segment() else {
            if flight + self.segment > self.congestion.window() {
                self.window_full_at = self.sent;
            }
            return None;
        };
        let mut allowed = self.congestion.window();
        if self.phase == Phase::Open && !self.sack {
            // With SACK it is what was reported that makes room.
            allowed += self.segment * u64::from(self.duplicates.min(DUPLICATE_THRESHOLD - 1));
        }
        let length = end.min(self.written) - start;
        if flight + length > allowed {
            self.window_full_at = self.sent;
            return None;
        }
        Some((start, end, Choice::New))
    }

    /// Where the last segment begins that was sent.
    fn last_start(&self) -> u64 {
        let first = self.unacknowledged;
        self.rack.as_ref().map_or(first, |rack| rack.last_start(first))
    }

    /// With RACK, all that was outstanding at a timeout is lost.
    fn choose_after_timeout(&mut self, (start, end): (u64, u64)) -> Option<(u64, u64, Choice)> {
        let end = end.min(start + self.segment);
        if self.pipe() + (end - start) <= self.congestion.window() {
            return Some((start, end, Choice::Lost));
        }
        self.window_full_at = self.sent;
        None
    }

    /// NextSeg (RFC 6675 section 4), when the pipe has room (section 5, step C). With RACK what is lost is known, and
    /// nothing else is sent again.
    fn choose_in_recovery(&mut self) -> Option<(u64, u64, Choice)> {
        let (first, sent) = (self.unacknowledged, self.sent);
        if self.pipe() + self.segment > self.congestion.window() {
            self.window_full_at = sent;
            return None;
        }
        if let Some(rack) = &self.rack {
            if let Some((start, end)) = rack.first_lost() {
                return Some((start, end.min(start + self.segment), Choice::Lost));
            }
            return self.new_segment().map(|(start, end)| (start, end, Choice::New));
        }
        if let Some((start, end)) = self.scoreboard.next_lost(first, sent) {
            return Some((start, end, Choice::Lost));
        }
        if let Some((start, end)) = self.new_segment() {
            return Some((start, end, Choice::New));
        }
        if let Some((start, end)) = self.scoreboard.next_doubtful(first, sent) {
            return Some((start, end, Choice::Lost));
        }
        let (start, end) = self.scoreboard.rescue(first, sent)?;
        Some((start, end, Choice::Rescue))
    }

    /// The next segment of what was never sent, within the maximum window.
    #[inline]
    fn new_segment(&self) -> Option<(u64, u64)> {
        let data_end = self.written.min(self.sent + self.segment);
        // The end of the stream goes with the last byte.
        let end = if data_end >= self.written { self.stream_end() } else { data_end };
        let fits = data_end <= self.unacknowledged + self.maximum_window;
        (self.sent < end && fits).then_some((self.sent, end))
    }

    #[inline]
    pub(super) fn emit(&mut self, now: Time, start: u64, end: u64, choice: Choice) -> Segment {
        let fin = end > self.written;
        let length = end - start - u64::from(fin);
        let new = matches!(choice, Choice::New);
        let flight = self.sent - self.unacknowledged;
        if let Some(rack) = &mut self.rack {
            match new {
                true => rack.note_first(end, now),
                false => rack.note_again(start, end, now),
            }
        }
        match choice {
            Choice::New => {
                (self.next, self.sent) = (end, end);
                if self.phase == Phase::Open && self.duplicates > 0 {
                    self.limited_transmit += length;
                }
            }
            Choice::Again => self.next = end,
            Choice::Lost => {
                self.resend_first = false;
                self.scoreboard.note_retransmission(end);
            }
            Choice::Rescue => {
                self.scoreboard.note_rescue(self.recovery_point.unwrap_or(self.sent));
            }
            Choice::Probe => {}
        }
        if self.probe_due {
            self.note_probe(!new, flight);
        }
        if self.phase == Phase::Recovery {
            self.reduction.sent += end - start;
        }
        if self.deadline == NEVER {
            self.deadline = now.saturating_add(self.round_trip.timeout());
        }
        if let Some(pacing) = self.pacing {
            self.release = now + self.pace(pacing, length);
        }
        self.last_sent = now;
        self.counters.segments += 1;
        self.counters.retransmitted += u64::from(!new);
        // CWR goes with the first new data after a reduction (RFC 3168 section 6.1.2).
        let cwr = self.ecn && new && length > 0 && std::mem::take(&mut self.reduced);
        Segment {
            sequence: start,
            timestamp: now,
            length: length as u16,
            fin,
            ack: true,
            cwr,
            ecn_capable: self.ecn && new && length > 0,
            ..Segment::default()
        }
    }

    /// How long the next segment waits after one of `length` bytes.
    fn pace(&self, pacing: Pacing, length: u64) -> Time {
        let slow = self.congestion.in_slow_start();
        let percent = if slow { pacing.slow_start } else { pacing.avoidance };
        let rate = self.congestion.window() as f64 * f64::from(percent);
        (length as f64 * self.round_trip.smoothed() as f64 * 100.0 / rate) as Time
    }
}
