//! Reading and writing big-endian fields at fixed offsets.
//!
//! The views check their length once, on construction; these helpers rely on it. They are inlined in other crates, where a
//! simulation reads several fields of each packet.

use crate::HeaderError;

/// Fails unless `bytes` holds at least `needed` bytes.
#[inline]
pub(crate) fn need(bytes: &[u8], needed: usize) -> Result<(), HeaderError> {
    if bytes.len() < needed {
        return Err(HeaderError::Truncated { needed, found: bytes.len() });
    }
    Ok(())
}

/// The `N` bytes from `at` on.
#[inline]
pub(crate) fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut out = [0; N];
    out.copy_from_slice(&bytes[at..at + N]);
    out
}

/// The 16-bit field at `at`.
#[inline]
pub(crate) fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_be_bytes(array(bytes, at))
}

/// The 32-bit field at `at`.
#[inline]
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes(array(bytes, at))
}

/// Overwrites the bytes from `at` on.
#[inline]
pub(crate) fn put<const N: usize>(bytes: &mut [u8], at: usize, value: [u8; N]) {
    bytes[at..at + N].copy_from_slice(&value);
}
