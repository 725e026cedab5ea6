//! How many different elements: linear counting (Whang, Vander-Zanden, Taylor, "A Linear-Time Probabilistic Counting
//! Algorithm for Database Applications", ACM TODS 1990).
//!
//! A bitmap is a slice of 64-bit words, a power of two of them, so that many of them lie in one allocation.

/// Sizes of bitmaps in bits.
pub const SIZES: std::ops::RangeInclusive<usize> = 64..=65_536;

/// Whether bitmaps may have this many bits: a power of two within [`SIZES`].
pub const fn is_size(bits: usize) -> bool {
    bits.is_power_of_two() && bits >= *SIZES.start() && bits <= *SIZES.end()
}

/// How many different elements a bitmap has seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Estimate {
    /// About this many.
    About(f64),
    /// All bits are set: more than can be estimated. The value is the largest estimate, `b ln b`.
    MoreThan(f64),
}

impl Estimate {
    /// The number, or what it is more than.
    pub const fn least(self) -> f64 {
        match self {
            Self::About(number) | Self::MoreThan(number) => number,
        }
    }
}

/// Adds an element, given its hash, of which the low bits count. True if that changes the bitmap.
#[inline]
pub fn set(bitmap: &mut [u64], hash: u64) -> bool {
    let bit = hash as usize & (64 * bitmap.len() - 1);
    let (word, mask) = (&mut bitmap[bit / 64], 1 << (bit % 64));
    let is_new = *word & mask == 0;
    *word |= mask;
    is_new
}

/// Adds the elements of another bitmap of the same size. True if that changes the bitmap.
pub fn merge(bitmap: &mut [u64], other: &[u64]) -> bool {
    let mut changed = false;
    for (word, more) in bitmap.iter_mut().zip(other) {
        changed |= more & !*word != 0;
        *word |= more;
    }
    changed
}

/// Bits that are set.
pub fn ones(bitmap: &[u64]) -> u32 {
    bitmap.iter().map(|word| word.count_ones()).sum()
}

/// `b ln(b / z)` for b bits of which z are not set.
pub fn estimate(bitmap: &[u64]) -> Estimate {
    let bits = 64.0 * bitmap.len() as f64;
    match bits - f64::from(ones(bitmap)) {
        0.0 => Estimate::MoreThan(bits * bits.ln()),
        zeros => Estimate::About(bits * (bits / zeros).ln()),
    }
}

/// The standard deviation of the estimate, as a share of the number of elements: `sqrt(b (e^t - t - 1)) / n`
/// with `t = n / b`. 0.024 for 500 elements and 1024 bits.
pub fn relative_error(bits: usize, elements: f64) -> f64 {
    let load = elements / bits as f64;
    (bits as f64 * (load.exp() - load - 1.0)).sqrt() / elements
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: 64 bits of which 48 are set: 64 ln 4. 1024 ln 1024 = 7097.8, where spec 003 says that it saturates.
    #[test]
    fn estimates_by_hand() {
        assert_eq!(estimate(&[0]), Estimate::About(0.0));
        let Estimate::About(found) = estimate(&[0xffff_ffff_ffff]) else { panic!("a number") };
        assert!((found - 64.0 * 4f64.ln()).abs() < 1e-9);
        let Estimate::MoreThan(most) = estimate(&[u64::MAX; 16]) else { panic!("saturated") };
        assert_eq!(most.round(), 7098.0);
        let mut last = [u64::MAX; 16];
        last[3] = !1;
        assert!((estimate(&last).least() - most).abs() < 1e-9, "one bit left");
        assert!(matches!(estimate(&last), Estimate::About(_)));
    }

    /// Spec 003, section 2.19: 2.4, 2.6, 3.2 and 7.2 %.
    #[test]
    fn errors_that_theory_gives() {
        for (elements, percent) in [(500.0, 2.4), (1024.0, 2.6), (2000.0, 3.2), (5000.0, 7.2)] {
            let found = 100.0 * relative_error(1024, elements);
            assert!((found - percent).abs() < 0.06, "{elements}: {found}");
        }
    }

    #[test]
    fn bits_and_merging() {
        let mut bitmap = [0; 2];
        assert!(set(&mut bitmap, 0xabcd_0000_0000_0041), "the low seven bits: 65");
        assert_eq!(bitmap, [0, 2]);
        assert!(!set(&mut bitmap, 65));
        assert!(!merge(&mut bitmap, &[0, 2]) && merge(&mut bitmap, &[1, 2]));
        assert_eq!((bitmap, ones(&bitmap)), ([1, 2], 2));
        assert!(is_size(64) && is_size(1024) && is_size(65_536));
        assert!(!is_size(32) && !is_size(1000) && !is_size(131_072));
    }
}
