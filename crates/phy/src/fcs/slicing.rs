//! Eight bytes at a time, with tables of 8 KB.

use super::table::{self, TABLE};

/// What byte n of eight does to the remainder is in table 7 - n.
static TABLES: [[u32; 256]; 8] = {
    let mut tables = [TABLE; 8];
    let mut n = 1;
    while n < 8 {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[n - 1][byte];
            tables[n][byte] = before >> 8 ^ TABLE[(before & 0xff) as usize];
            byte += 1;
        }
        n += 1;
    }
    tables
};

/// CRC-32 of some bytes.
pub fn crc32(bytes: &[u8]) -> u32 {
    !update(!0, bytes)
}

/// The remainder with some more bytes.
pub(super) fn update(remainder: u32, bytes: &[u8]) -> u32 {
    let (eights, rest) = bytes.as_chunks::<8>();
    let remainder = eights.iter().fold(remainder, |remainder, eight| {
        let word = (u64::from_le_bytes(*eight) ^ u64::from(remainder)).to_le_bytes();
        (0..8).fold(0, |sum, n| sum ^ TABLES[7 - n][word[n] as usize])
    });
    table::update(remainder, rest)
}
