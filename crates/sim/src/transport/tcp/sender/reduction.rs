//! How many bytes leave during a recovery with SACK (proportional rate reduction, RFC 9937 section 6.2): as many for
//! each byte that arrives as brings what is in the network down to the threshold by the end of a round trip, and
//! not less than arrives where more was lost than that.

use super::Sender;

/// The state of one recovery.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reduction {
    /// Bytes that have arrived since (prr_delivered).
    delivered: u64,
    /// Bytes that were sent since (prr_out).
    pub(super) sent: u64,
    /// What was in flight when it began (RecoverFS).
    flight: u64,
}

impl Sender {
    /// A recovery begins with an acknowledgement of `delivered` bytes.
    pub(super) fn begin_reduction(&mut self, delivered: u64) {
        let flight = self.sent - self.unacknowledged - self.scoreboard.total() + delivered;
        self.reduction = Reduction { delivered: 0, sent: 0, flight: flight.max(1) };
    }

    /// An acknowledgement of `delivered` bytes in a recovery. `safe`: something new is acknowledged, and nothing more
    /// was found lost. What is sent is counted in whole segments, as CEIL in the RFC's examples.
    pub(super) fn reduce(&mut self, delivered: u64, safe: bool) {
        if delivered == 0 && self.reduction.sent > 0 {
            return;
        }
        let (pipe, threshold) = (self.pipe(), self.congestion.threshold());
        let reduction = &mut self.reduction;
        reduction.delivered += delivered;
        let share = u128::from(reduction.delivered) * u128::from(threshold);
        let mut count = if pipe > threshold {
            let segments = share.div_ceil(u128::from(reduction.flight) * u128::from(self.segment));
            let bytes = segments.saturating_mul(u128::from(self.segment));
            u64::try_from(bytes).unwrap_or(u64::MAX).saturating_sub(reduction.sent)
        } else {
            let banked = reduction.delivered.saturating_sub(reduction.sent).max(delivered);
            let more = if safe { self.segment } else { 0 };
            (banked + more).min(threshold - pipe)
        };
        if count == 0 && reduction.sent == 0 {
            count = self.segment;
        }
        self.congestion.allow(pipe.saturating_add(count));
    }
}
