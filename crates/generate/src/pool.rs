//! The few numbers that programs, entries and packets of one seed share, so that keys are hit,
//! cases are taken and comparisons hold more often than chance would have it.

use crate::random::Random;
use num_bigint::BigUint;

/// How many numbers a pool has besides 0, 1, 2, 3 and all ones.
const CONSTANTS: usize = 4;

/// Numbers of up to [`Pool::WIDTH`] bits; narrower values are their low bits, so that a value
/// stays recognisable after a cast.
#[derive(Clone, Debug)]
pub struct Pool {
    constants: Vec<BigUint>,
}

impl Pool {
    /// Bits of the widest value.
    pub const WIDTH: u32 = 512;

    /// The pool of a seed.
    pub fn new(seed: u64) -> Self {
        let mut random = Random::new(seed ^ 0x706f_6f6c);
        let constants = (0..CONSTANTS).map(|_| random_bits(&mut random, Self::WIDTH)).collect();
        Self { constants }
    }

    /// A value of `width` bits: mostly one of the pool's.
    pub fn value(&self, random: &mut Random, width: u32) -> BigUint {
        let value = match random.below(12) {
            n @ 0..=3 => BigUint::from(n),
            4 => ones(width),
            5 => random_bits(random, width),
            // The ends of a signed range.
            6 if width > 1 => ones(width - 1) + random.below(2),
            n => self.constants[n % CONSTANTS].clone(),
        };
        value & ones(width)
    }
}

/// All ones.
pub fn ones(width: u32) -> BigUint {
    (BigUint::from(1u32) << width) - 1u32
}

/// Any bits.
pub fn random_bits(random: &mut Random, width: u32) -> BigUint {
    let words = width.div_ceil(64);
    let value = (0..words).fold(BigUint::ZERO, |sum, _| (sum << 64u32) + random.next());
    value & ones(width)
}
