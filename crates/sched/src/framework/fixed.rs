//! The one format of rates, tags and virtual time: docs/scheduling.md.
//!
//! - Wall clock: picoseconds, `u64`. It reaches 213 days.
//! - Virtual time and tags (start, finish): units of 2^-8 picoseconds, `u64`. They reach 20 hours of
//!   service without a pause; beyond, sums stay at the largest value.
//! - A rate is used as its reciprocal, a [`Pace`]: units of 2^-16 picoseconds a byte. Bytes times pace,
//!   shifted right by 16, are picoseconds; shifted by 8, virtual time. No division is left for the
//!   moment when a packet passes, so P4 and hardware compute the same.

/// Bits behind the point of virtual time and tags.
pub const TAG_FRACTION: u32 = 8;

/// Bits behind the point of a [`Pace`].
pub const PACE_FRACTION: u32 = 16;

/// Time for a byte, in 2^-16 picoseconds: the reciprocal of a rate. Shorter than 2^50, so that 16 KiB
/// times a pace fit 64 bits; that is 466 bit/s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pace(u64);

impl Pace {
    /// The pace of a rate in bits a second, rounded to the nearest. `None` below 466 bit/s and above
    /// 10^15 bit/s.
    pub fn of_rate(bits_per_second: u64) -> Option<Self> {
        // 8 bits a byte, 10^12 picoseconds a second.
        const BYTE: u128 = (8 * 1_000_000_000_000) << PACE_FRACTION;
        let rate = u128::from(bits_per_second);
        if !(466..=1_000_000_000_000_000).contains(&rate) {
            return None;
        }
        Some(Self(((BYTE + rate / 2) / rate) as u64))
    }

    /// The pace of a share `weight` of `total` of this rate: slower by `total / weight`.
    pub fn share(self, weight: u64, total: u64) -> Self {
        let weight = u128::from(weight.max(1));
        let pace = (u128::from(self.0) * u128::from(total.max(1)) + weight / 2) / weight;
        Self(pace.min(1 << 50) as u64)
    }

    /// The multiplier itself, as P4 and hardware need it.
    pub fn multiplier(self) -> u64 {
        self.0
    }

    /// Picoseconds that `bytes` take, rounded down.
    pub fn picoseconds(self, bytes: u64) -> u64 {
        self.scaled(bytes, PACE_FRACTION)
    }

    /// Virtual time that `bytes` take, rounded down.
    pub fn tag(self, bytes: u64) -> u64 {
        self.scaled(bytes, PACE_FRACTION - TAG_FRACTION)
    }

    fn scaled(self, bytes: u64, shift: u32) -> u64 {
        let product = (u128::from(bytes) * u128::from(self.0)) >> shift;
        u64::try_from(product).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_rates() {
        // 40 Gb/s is 200 ps a byte; 1,500 bytes take 300 ns.
        let pace = Pace::of_rate(40_000_000_000).expect("in range");
        assert_eq!(pace.multiplier(), 200 << 16);
        assert_eq!(pace.picoseconds(1500), 300_000);
        assert_eq!(pace.tag(1500), 300_000 << 8);
        // A tenth of it is 2,000 ps a byte; a third of 1 Gb/s 24,000.
        assert_eq!(pace.share(1, 10).picoseconds(1), 2000);
        let gigabit = Pace::of_rate(1_000_000_000).expect("in range");
        assert_eq!(gigabit.share(2, 6).picoseconds(10), 240_000);
        assert_eq!(Pace::of_rate(465), None);
        assert!(Pace::of_rate(466).expect("in range").multiplier() < 1 << 51);
    }
}
