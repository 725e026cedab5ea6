//! Bit by bit.

/// CRC-32 of some bytes.
pub fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |remainder, byte| super::step(remainder ^ u32::from(*byte), 8))
}
