//! Counters of 106 bits, of which messages carry 53.

/// Bits of a counter that one message carries.
pub const LOW_BITS: u32 = 53;
/// The low bits.
pub const LOW_MASK: u64 = (1 << LOW_BITS) - 1;
/// Bits of a counter.
pub const BITS: u32 = 2 * LOW_BITS;
const MASK: u128 = (1 << BITS) - 1;

/// A counter, which wraps after 106 bits: after 10^16 years.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Counter(u128);

impl Counter {
    /// A counter of the low 106 bits.
    pub const fn new(value: u128) -> Self {
        Self(value & MASK)
    }

    /// Its value.
    pub const fn value(self) -> u128 {
        self.0
    }

    /// Its low 53 bits.
    pub const fn low(self) -> u64 {
        self.0 as u64 & LOW_MASK
    }

    /// Its high 53 bits.
    pub const fn high(self) -> u64 {
        (self.0 >> LOW_BITS) as u64
    }

    /// The counter with these halves.
    pub const fn of_halves(high: u64, low: u64) -> Self {
        Self(((high & LOW_MASK) as u128) << LOW_BITS | (low & LOW_MASK) as u128)
    }

    /// Later by some ticks, or earlier.
    pub const fn plus(self, ticks: i128) -> Self {
        Self(self.0.wrapping_add(ticks as u128) & MASK)
    }

    /// By how many ticks it is ahead of another one, modulo the counter's range; the difference with the smaller magnitude.
    pub const fn ahead_of(self, other: Self) -> i128 {
        let distance = self.0.wrapping_sub(other.0) & MASK;
        if distance >> (BITS - 1) == 1 { distance as i128 - (1 << BITS) } else { distance as i128 }
    }

    /// The counter with these low bits that is nearest to this one: what 53 bits mean to one who is less than 2^52 ticks, a year,
    /// away.
    pub const fn nearest(self, low: u64) -> Self {
        let distance = low.wrapping_sub(self.low()) & LOW_MASK;
        let ticks =
            distance as i128 - if distance >> (LOW_BITS - 1) == 1 { 1 << LOW_BITS } else { 0 };
        self.plus(ticks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn difference_wraps_at_half_the_range() {
        let counter = Counter::new((1 << 53) + 5);
        assert_eq!((counter.high(), counter.low()), (1, 5));
        assert_eq!(Counter::of_halves(1, 5), counter);
        // The low half wraps; the nearest is in the half before.
        let before = counter.nearest((1 << 53) - 2);
        assert_eq!(before.value(), (1 << 53) - 2);
        assert_eq!(before.ahead_of(counter), -7);
        assert_eq!(before.nearest(5), counter);
        // All of it wraps.
        let last = Counter::new(u128::MAX);
        assert_eq!(last.plus(1).value(), 0);
        assert_eq!(last.plus(3).ahead_of(last), 3);
        assert_eq!(last.ahead_of(last.plus(3)), -3);
        assert_eq!(last.nearest(1).value(), 1);
    }
}
