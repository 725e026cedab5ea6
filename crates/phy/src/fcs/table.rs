//! A byte at a time, with a table of 1 KB.

/// What a byte does to the remainder.
pub(super) const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = super::step(byte as u32, 8);
        byte += 1;
    }
    table
};

/// CRC-32 of some bytes.
pub fn crc32(bytes: &[u8]) -> u32 {
    !update(!0, bytes)
}

/// The remainder with some more bytes.
pub(super) fn update(remainder: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(remainder, |remainder, byte| {
        remainder >> 8 ^ TABLE[(remainder as u8 ^ byte) as usize]
    })
}
