//! Time of a clock that is being kept.

use std::ops::{Add, Neg, Sub};

/// A reading of a clock, or a difference of two, in 2^-16 ns: PTP's unit of corrections (IEEE 1588-2008 clause 5.3.2). It covers 10^15
/// years.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(pub i128);

/// Nanoseconds of a second.
const SECOND: i128 = 1_000_000_000;

impl Time {
    /// Of picoseconds, to the nearest unit.
    pub fn of_picoseconds(picoseconds: i128) -> Self {
        Self(((picoseconds << 16) + 500).div_euclid(1000))
    }

    /// In picoseconds, rounded down.
    pub fn picoseconds(self) -> i128 {
        (self.0 * 1000) >> 16
    }

    /// Of nanoseconds.
    pub fn of_nanoseconds(nanoseconds: i128) -> Self {
        Self(nanoseconds << 16)
    }

    /// In nanoseconds.
    pub fn nanoseconds(self) -> f64 {
        self.0 as f64 / 65_536.0
    }

    /// Of seconds.
    pub fn of_seconds(seconds: f64) -> Self {
        Self((seconds * 1e9 * 65_536.0).round() as i128)
    }

    /// In seconds.
    pub fn seconds(self) -> f64 {
        self.nanoseconds() / 1e9
    }

    /// Seconds and nanoseconds, rounded down, and what is left in units.
    pub fn parts(self) -> (i128, u32, i64) {
        let nanoseconds = self.0 >> 16;
        let (seconds, rest) = (nanoseconds.div_euclid(SECOND), nanoseconds.rem_euclid(SECOND));
        (seconds, rest as u32, (self.0 & 0xffff) as i64)
    }

    /// The half.
    pub fn half(self) -> Self {
        Self(self.0 >> 1)
    }
}

impl Add for Time {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Time {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Neg for Time {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units() {
        assert_eq!(Time::of_picoseconds(6400).0, 419_430, "6.4 ns are 419,430.4 units");
        assert_eq!(Time::of_nanoseconds(3).picoseconds(), 3000);
        assert_eq!(Time::of_seconds(1.5).parts(), (1, 500_000_000, 0));
        assert_eq!((-Time::of_nanoseconds(1)).parts(), (-1, 999_999_999, 0));
        assert_eq!((Time::of_nanoseconds(1) - Time(1)).parts(), (0, 0, 65_535));
    }
}
