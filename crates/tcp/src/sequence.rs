//! Sequence numbers: 32 bits that wrap (RFC 9293 section 3.4).

use std::fmt;
use std::ops::{Add, AddAssign, Sub};

/// A sequence number. Two are compared by their signed distance, so both must lie within 2^31 of each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sequence(pub u32);

impl Sequence {
    /// Whether this one comes before `other`.
    #[inline]
    pub const fn before(self, other: Self) -> bool {
        (self.0.wrapping_sub(other.0) as i32) < 0
    }

    /// Whether this one comes after `other`.
    #[inline]
    pub const fn after(self, other: Self) -> bool {
        other.before(self)
    }

    /// The later of two.
    #[inline]
    pub const fn latest(self, other: Self) -> Self {
        if self.before(other) { other } else { self }
    }

    /// The earlier of two.
    #[inline]
    pub const fn earliest(self, other: Self) -> Self {
        if self.before(other) { self } else { other }
    }

    /// Bytes from `earlier` to this one; 0 if this one is not after it.
    #[inline]
    pub const fn beyond(self, earlier: Self) -> u32 {
        if self.after(earlier) { self.0.wrapping_sub(earlier.0) } else { 0 }
    }
}

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Add<u32> for Sequence {
    type Output = Self;
    #[inline]
    fn add(self, bytes: u32) -> Self {
        Self(self.0.wrapping_add(bytes))
    }
}

impl AddAssign<u32> for Sequence {
    #[inline]
    fn add_assign(&mut self, bytes: u32) {
        *self = *self + bytes;
    }
}

impl Sub<u32> for Sequence {
    type Output = Self;
    #[inline]
    fn sub(self, bytes: u32) -> Self {
        Self(self.0.wrapping_sub(bytes))
    }
}

/// The distance between two, modulo 2^32.
impl Sub for Sequence {
    type Output = u32;
    #[inline]
    fn sub(self, other: Self) -> u32 {
        self.0.wrapping_sub(other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Sequence;

    #[test]
    fn order_wraps() {
        let top = Sequence(u32::MAX);
        assert!(top.before(top + 1) && (top + 1).after(top));
        assert_eq!((top + 5) - top, 5);
        assert_eq!((top + 5).beyond(top), 5);
        assert_eq!(top.beyond(top + 5), 0);
        assert_eq!(top.latest(Sequence(3)), Sequence(3));
        assert_eq!(top.earliest(Sequence(3)), top);
    }

    #[test]
    fn half_of_the_space_is_before() {
        let here = Sequence(17);
        assert!(here.before(here + 0x7fff_ffff));
        assert!(!here.before(here + 0x8000_0001));
    }
}
