//! Absolute time, as captures record it, and its relation to a run's clock.

use ww_dataplane::Picoseconds;

/// Picoseconds in a second.
pub const SECOND: i128 = 1_000_000_000_000;

/// A point in UTC: picoseconds since 1970-01-01T00:00:00Z, leap seconds not
/// counted. Negative before 1970, which pcapng can express.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct UtcTime(pub i128);

impl UtcTime {
    /// From whole seconds and nanoseconds.
    pub fn from_seconds(seconds: i64, nanoseconds: u32) -> Self {
        Self(i128::from(seconds) * SECOND + i128::from(nanoseconds) * 1000)
    }

    /// Whole nanoseconds since 1970, rounded towards the past.
    pub fn nanoseconds(self) -> i128 {
        self.0.div_euclid(1000)
    }

    /// Time since `start`. `None` before it, and after the 213 days that
    /// [`Picoseconds`] spans.
    pub fn since(self, start: Self) -> Option<Picoseconds> {
        u64::try_from(self.0.checked_sub(start.0)?).ok()
    }

    /// The point `elapsed` after this one.
    pub fn after(self, elapsed: Picoseconds) -> Self {
        Self(self.0.saturating_add(i128::from(elapsed)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic() {
        let start = UtcTime::from_seconds(1_700_000_000, 123_456_789);
        assert_eq!(start.nanoseconds(), 1_700_000_000_123_456_789);
        assert_eq!(start.after(1_999).nanoseconds(), 1_700_000_000_123_456_790);
        assert_eq!(start.after(5).since(start), Some(5));
        assert_eq!(start.since(start.after(1)), None);
        assert_eq!(UtcTime(-1).nanoseconds(), -1);
        // 2^64 picoseconds are 213.5 days: 214 days do not fit, 213 do.
        let day = 86_400 * SECOND;
        assert!(UtcTime(213 * day).since(UtcTime(0)).is_some());
        assert!(UtcTime(214 * day).since(UtcTime(0)).is_none());
    }
}
