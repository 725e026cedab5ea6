//! What chance decides: the extra cycle at a crossing between clocks, and bits that are wrong.

use crate::message::BITS;

/// Numbers that look random and follow from a seed (SplitMix64, Steele, Lea and Flood 2014).
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// From a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    }

    /// 0 to `limit` - 1.
    pub fn below(&mut self, limit: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(limit)) >> 64) as u64
    }
}

/// Whose message crosses, and why it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crossing {
    /// Device that receives it.
    pub receiver: usize,
    /// Device that sent it.
    pub sender: usize,
    /// It is part of the delay measurement; otherwise it carries a counter.
    pub measures: bool,
}

/// Decides how many cycles a message waits at the crossing from the received clock to the local one: 0 or 1.
pub trait Crossings {
    /// The cycles of one message.
    fn cycles(&mut self, crossing: Crossing) -> u64;
}

impl Crossings for Random {
    fn cycles(&mut self, _: Crossing) -> u64 {
        self.below(2)
    }
}

impl<F: FnMut(Crossing) -> u64> Crossings for F {
    fn cycles(&mut self, crossing: Crossing) -> u64 {
        self(crossing).min(1)
    }
}

/// Inverts one bit of one in `one_in` messages, chosen at random.
#[derive(Debug, Clone)]
pub struct BitErrors {
    /// One message in `one_in` has a bit error; 0 for none.
    pub one_in: u64,
    random: Random,
}

impl BitErrors {
    /// From a seed.
    pub fn new(one_in: u64, seed: u64) -> Self {
        Self { one_in, random: Random::new(seed) }
    }

    /// The bits as they arrive.
    pub fn pass(&mut self, bits: u64) -> u64 {
        if self.one_in > 0 && self.random.below(self.one_in) == 0 {
            bits ^ 1 << self.random.below(u64::from(BITS))
        } else {
            bits
        }
    }
}
