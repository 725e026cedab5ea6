//! What a sender learns from acknowledgements.

use super::{NEVER, Phase, Sender};
use crate::pending::Time;
use crate::transport::tcp::scoreboard::DUPLICATE_THRESHOLD;
use crate::transport::tcp::segment::Segment;

impl Sender {
    /// Something new is acknowledged.
    #[inline]
    pub(super) fn advance(&mut self, now: Time, segment: &Segment, bytes: u64, marked: bool) {
        let in_use = self.unacknowledged < self.window_full_at;
        (self.quiet_since, self.measured, self.probe_due) = (now, true, false);
        self.unacknowledged = segment.acknowledgement;
        self.next = self.next.max(self.unacknowledged);
        self.scoreboard.advance(self.unacknowledged);
        let time = now.saturating_sub(segment.echo);
        self.round_trip.measure(time, self.unacknowledged, self.sent);
        self.congestion.observe(self.unacknowledged, self.sent, bytes, marked);
        let mut restart_timer = true;
        if self.phase == Phase::Recovery {
            restart_timer = self.advance_recovery(bytes);
        } else {
            (self.duplicates, self.limited_transmit) = (0, 0);
            let after_timeout = self.phase == Phase::Loss;
            // No growth for an acknowledgement with ECN-Echo (RFC 3168 section 6.1.2).
            if in_use && !marked {
                self.congestion.grow(now, bytes, self.round_trip.smoothed(), after_timeout);
            } else {
                self.congestion.rest(now);
            }
            if after_timeout && Some(self.unacknowledged) >= self.recovery_point {
                self.phase = Phase::Open;
            }
        }
        // RFC 6298 rules 5.2 and 5.3.
        if self.unacknowledged == self.sent {
            self.deadline = NEVER;
        } else if restart_timer {
            self.deadline = now.saturating_add(self.round_trip.timeout());
        }
    }

    /// Something new is acknowledged in a recovery; whether the timer starts anew.
    fn advance_recovery(&mut self, bytes: u64) -> bool {
        if Some(self.unacknowledged) >= self.recovery_point {
            self.phase = Phase::Open;
            (self.duplicates, self.limited_transmit, self.resend_first) = (0, 0, false);
            if self.prr {
                self.congestion.end_reduction();
            } else if !self.sack {
                self.congestion.end_inflation(self.sent - self.unacknowledged);
            }
            return true;
        }
        if self.sack {
            return true;
        }
        self.congestion.deflate(bytes);
        self.resend_first = true;
        // Only for the first partial acknowledgement (RFC 6582 section 3.2, step 3).
        !std::mem::replace(&mut self.partial_seen, true)
    }

    /// Duplicate acknowledgements, or the scoreboard, may show a loss (RFC 5681 section 3.2, RFC 6675
    /// section 5), or RACK has found one. The acknowledgement is of so many bytes that had not been reported.
    pub(super) fn look_for_loss(&mut self, now: Time, duplicate: bool, delivered: u64) {
        match self.phase {
            Phase::Recovery if duplicate && !self.sack => self.congestion.inflate(1),
            Phase::Open => {
                self.duplicates += u32::from(duplicate);
                let lost = match &self.rack {
                    Some(rack) => rack.lost() > 0,
                    None => {
                        self.duplicates >= DUPLICATE_THRESHOLD
                            || self.scoreboard.lost_below() > self.unacknowledged
                    }
                };
                // Without SACK, duplicates may come from what a recovery has sent needlessly (RFC 6582
                // section 3.2, step 2).
                let trusted =
                    self.sack || self.recovery_point.is_none_or(|at| self.unacknowledged > at);
                if lost && trusted {
                    self.recover(now, delivered);
                }
            }
            Phase::Closed | Phase::SynSent | Phase::Recovery | Phase::Loss => {}
        }
    }

    /// A loss is answered, once in a window of data.
    pub(super) fn reduce_for_loss(&mut self, flight: u64) {
        if self.unacknowledged < self.reduced_until {
            self.congestion.lose_after_mark(flight);
        } else {
            self.congestion.lose(flight);
        }
        self.reduced_until = self.sent;
        self.reduced = true;
    }

    pub(super) fn recover(&mut self, now: Time, delivered: u64) {
        self.counters.fast_recoveries += 1;
        self.reduce_for_loss(self.sent - self.unacknowledged - self.limited_transmit);
        if !self.sack {
            self.congestion.inflate(u64::from(DUPLICATE_THRESHOLD));
        }
        self.phase = Phase::Recovery;
        self.recovery_point = Some(self.sent);
        self.limited_transmit = 0;
        (self.resend_first, self.partial_seen) = (true, false);
        (self.probe, self.probe_due) = (None, false);
        if self.prr {
            self.begin_reduction(delivered);
        }
        self.scoreboard.begin(self.unacknowledged);
        // The retransmission gets a whole timeout. RFC 6298 leaves the timer alone; with a timeout
        // hardly above a round trip it would expire before the retransmission can be acknowledged.
        self.deadline = now.saturating_add(self.round_trip.timeout());
    }
}
