//! The frame check sequence of Ethernet: CRC-32 (IEEE 802.3 clause 3.2.9).
//!
//! Four engines that give the same: [`bitwise`], the definition; [`table`], a byte at a time; [`slicing`], eight bytes
//! at a time; and [`folding`], which multiplies without carry where the processor can. [`fcs`] is the fastest there is.

pub mod bitwise;
pub mod folding;
pub mod slicing;
pub mod table;

/// Reflected polynomial: bit 31 - n is the coefficient of x^n.
const POLYNOMIAL: u32 = 0xedb8_8320;

/// Bytes of the sequence.
pub const FCS_LENGTH: usize = 4;

/// The check sequence of a frame without it; its bytes go on the line in little-endian order.
pub fn fcs(frame: &[u8]) -> u32 {
    folding::crc32(frame)
}

/// Whether the last four bytes of a frame are the check sequence of those before.
pub fn is_good(frame: &[u8]) -> bool {
    frame
        .split_last_chunk::<FCS_LENGTH>()
        .is_some_and(|(rest, end)| end == &fcs(rest).to_le_bytes())
}

/// The remainder of a byte.
const fn step(mut remainder: u32, bits: u32) -> u32 {
    let mut n = 0;
    while n < bits {
        remainder = remainder >> 1 ^ if remainder & 1 == 1 { POLYNOMIAL } else { 0 };
        n += 1;
    }
    remainder
}
