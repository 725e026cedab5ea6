//! Pages of 4,096 bytes with 496 blocks, as memory and bitstream files hold them (spec 000 section 2.4).
//!
//! Sync header i, of two bits, is field i mod 16 of the 32-bit word i / 16; bytes 124 to 127 are reserved and zero;
//! payload i is at byte 128 + 8 i. All is little-endian. 32 pages are a ring of 128 KB.

use crate::block::Block;

/// Bytes of a page.
pub const PAGE_BYTES: usize = 4096;
/// Blocks of a page.
pub const PAGE_BLOCKS: usize = 496;
/// Where payloads begin.
const PAYLOADS: usize = 128;

/// Blocks in two arrays, for code that processes many at a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Sync headers.
    pub headers: [u8; PAGE_BLOCKS],
    /// The other 64 bits of each.
    pub payloads: [u64; PAGE_BLOCKS],
}

impl Default for Page {
    /// Idle.
    fn default() -> Self {
        Self {
            headers: [Block::IDLE.header; PAGE_BLOCKS],
            payloads: [Block::IDLE.payload; PAGE_BLOCKS],
        }
    }
}

impl Page {
    /// Block n, fewer than 496.
    pub fn block(&self, n: usize) -> Block {
        Block { header: self.headers[n], payload: self.payloads[n] }
    }

    /// Its bytes.
    pub fn to_bytes(&self) -> [u8; PAGE_BYTES] {
        let mut bytes = [0; PAGE_BYTES];
        for (byte, four) in bytes.iter_mut().zip(self.headers.as_chunks::<4>().0) {
            *byte = four.iter().rev().fold(0, |byte, header| byte << 2 | header & 3);
        }
        for (eight, payload) in
            bytes[PAYLOADS..].as_chunks_mut::<8>().0.iter_mut().zip(self.payloads)
        {
            *eight = payload.to_le_bytes();
        }
        bytes
    }

    /// The page of 4,096 bytes; reserved fields are not checked.
    pub fn of_bytes(bytes: &[u8; PAGE_BYTES]) -> Self {
        let headers = std::array::from_fn(|n| bytes[n / 4] >> (2 * (n % 4)) & 3);
        let payloads = bytes[PAYLOADS..].as_chunks::<8>().0;
        Self { headers, payloads: std::array::from_fn(|n| u64::from_le_bytes(payloads[n])) }
    }
}
