//! Tail loss probes (RFC 8985 section 7): when nothing comes back, the last segment, or a new one, is sent before the
//! retransmission timer expires, so that its acknowledgement tells what is lost.

use super::{NEVER, Phase, Sender};
use crate::pending::Time;

/// PTO while no round trip was measured (section 7.2): 1 s.
const UNMEASURED: Time = 1_000_000_000_000;

/// A probe that was sent (section 7.1).
#[derive(Clone, Copy, Debug)]
pub(super) struct Probe {
    /// What had been sent then (TLP.end_seq).
    end: u64,
    /// It carried nothing new (TLP.is_retrans).
    again: bool,
    /// What was outstanding before it, bytes.
    flight: u64,
}

impl Sender {
    /// When a probe is to be sent, if nothing happens before (section 7.2).
    #[inline]
    pub(super) fn probe_time(&self) -> Time {
        let quiet = self.rack.is_some()
            && self.phase == Phase::Open
            && self.sent > self.unacknowledged
            && self.probe.is_none()
            && !self.probe_due
            && self.measured
            && self.scoreboard.is_empty();
        if !quiet {
            return NEVER;
        }
        let smoothed = self.round_trip.smoothed();
        // A segment, perhaps with the FIN, may wait for another one to be acknowledged.
        let mut wait = if smoothed == 0 { UNMEASURED } else { smoothed.saturating_mul(2) };
        if smoothed > 0 && self.sent - self.unacknowledged <= self.segment + 1 {
            wait = wait.saturating_add(self.acknowledgement_delay);
        }
        self.last_sent.max(self.quiet_since).saturating_add(wait).min(self.deadline)
    }

    /// The probe was handed out (section 7.3).
    pub(super) fn note_probe(&mut self, again: bool, flight: u64) {
        self.probe = Some(Probe { end: self.sent, again, flight });
        (self.probe_due, self.measured) = (false, false);
        self.counters.probes += 1;
    }

    /// What an acknowledgement says about the probe (section 7.4.2, without DSACK): one beyond it that no duplicate came
    /// before, tells that the probe has repaired a loss.
    pub(super) fn check_probe(&mut self, now: Time, acknowledgement: u64, duplicate: bool) {
        let Some(probe) = self.probe.filter(|probe| acknowledgement >= probe.end) else { return };
        let repaired = probe.again && acknowledgement > probe.end;
        if repaired && self.phase == Phase::Open {
            self.reduce_for_loss(probe.flight);
        }
        if repaired || duplicate || !probe.again {
            (self.probe, self.quiet_since) = (None, now);
        }
    }
}
