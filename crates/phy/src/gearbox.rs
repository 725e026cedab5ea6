//! Gearboxes: blocks of 66 bits to the words of a serialiser, and back. Bit 0 is first on the line.

use crate::block::Block;

/// Blocks to words of 16 to 64 bits.
#[derive(Debug, Clone)]
pub struct Transmit {
    width: u32,
    waiting: u128,
    level: u32,
}

impl Transmit {
    /// For words of 16 to 64 bits.
    pub fn new(width: u32) -> Self {
        assert!((16..=64).contains(&width), "a word of {width} bits");
        Self { width, waiting: 0, level: 0 }
    }

    /// Whether the next word needs a block: at 40 bits, for 20 of 33 words.
    pub fn needs_block(&self) -> bool {
        self.level < self.width
    }

    /// The next word. `block` is called if another block is needed.
    pub fn word(&mut self, block: impl FnOnce() -> Block) -> u64 {
        if self.needs_block() {
            self.waiting |= block().to_bits() << self.level;
            self.level += 66;
        }
        let word = self.waiting & ((1 << self.width) - 1);
        self.waiting >>= self.width;
        self.level -= self.width;
        word as u64
    }
}

/// Words of 16 to 64 bits to blocks.
#[derive(Debug, Clone)]
pub struct Receive {
    width: u32,
    waiting: u128,
    level: u32,
    slips: u32,
}

impl Receive {
    /// For words of 16 to 64 bits.
    pub fn new(width: u32) -> Self {
        assert!((16..=64).contains(&width), "a word of {width} bits");
        Self { width, waiting: 0, level: 0, slips: 0 }
    }

    /// Processes a word, of which the low bits count; returns a block if one is complete.
    pub fn word(&mut self, word: u64) -> Option<Block> {
        let word = word & (u64::MAX >> (64 - self.width));
        self.leave_out();
        self.waiting |= u128::from(word) << self.level;
        // Behind an odd number of slips, 65 bits may wait for 64 more: the last one waits here.
        let last = if self.level + self.width > u128::BITS { word >> 63 } else { 0 };
        self.level += self.width;
        self.leave_out();
        if self.level < 66 {
            return None;
        }
        let block = Block::of_bits(self.waiting);
        self.waiting = self.waiting >> 66 | u128::from(last) << (u128::BITS - 66);
        self.level -= 66;
        Some(block)
    }

    /// Leaves out one bit in front of the next block.
    pub fn slip(&mut self) {
        self.slips += 1;
    }

    /// Bits that were taken and are of no block yet.
    pub fn waiting(&self) -> u32 {
        self.level
    }

    fn leave_out(&mut self) {
        if self.slips > 0 {
            let slips = self.slips.min(self.level);
            self.waiting >>= slips;
            self.level -= slips;
            self.slips -= slips;
        }
    }
}
