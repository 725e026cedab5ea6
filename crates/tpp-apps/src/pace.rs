//! Sending at a rate that changes.

use ww_host::agent::Time;

/// How far a sender may be behind and still catch up; more is forgotten, ps.
pub const BURST: Time = 5_000_000_000;

/// When the next frame is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    next: Time,
}

impl Pace {
    /// The first one is due then.
    pub fn new(first: Time) -> Self {
        Self { next: first }
    }

    /// When it is due.
    pub fn next(&self) -> Time {
        self.next
    }

    /// A frame of `bits` bits has been sent at `rate` bits a second. A sender that was polled too late catches up.
    pub fn sent(&mut self, now: Time, bits: u64, rate: f64) {
        self.delay(now, (bits as f64 / rate.max(1.0) * 1e12) as Time);
    }

    /// The next one is due `gap` after this one.
    pub fn delay(&mut self, now: Time, gap: Time) {
        self.next = self.next.max(now.saturating_sub(BURST)).saturating_add(gap);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Time = 1_000_000_000;

    #[test]
    fn lateness_is_made_up_for() {
        let mut pace = Pace::new(0);
        pace.sent(MS / 2, 1000, 1e6);
        assert_eq!(pace.next(), MS, "1000 bits at 1 Mb/s are 1 ms from when it was due");
        pace.sent(100 * MS, 1000, 1e6);
        assert_eq!(pace.next(), 96 * MS, "5 ms at most");
        pace.delay(96 * MS, 3 * MS);
        assert_eq!(pace.next(), 99 * MS);
    }
}
