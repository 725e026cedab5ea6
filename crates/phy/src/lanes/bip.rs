//! Parity of a lane: BIP-8 (IEEE 802.3 clause 82.2.8, table 82-4).
//!
//! Bit i of it is the parity of bits i, i + 8, ... of all payloads; the first bit of a sync header counts in bit 3, the second one in
//! bit 4.

use crate::block::Block;

/// The parity of blocks so far.
#[derive(Debug, Clone, Copy, Default)]
pub struct Bip {
    /// Sum of all payloads without carry; bytes are added at the end.
    payloads: u64,
    headers: u8,
}

impl Bip {
    /// One block more; markers count, too.
    #[inline]
    pub fn add(&mut self, block: Block) {
        self.payloads ^= block.payload;
        self.headers ^= block.header;
    }

    /// The parity.
    pub fn value(self) -> u8 {
        let payloads = self.payloads.to_le_bytes().iter().fold(0, |sum, octet| sum ^ octet);
        payloads ^ (self.headers & 3) << 3
    }
}
