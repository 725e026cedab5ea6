//! The Internet checksum (RFC 1071) and its incremental update (RFC 1624).

use std::net::{Ipv4Addr, Ipv6Addr};

/// A running one's complement sum of 16-bit big-endian words.
///
/// Parts may have any length: a part that begins at an odd offset is summed as if
/// the parts had been one buffer.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sum {
    total: u64,
    odd: bool,
}

impl Sum {
    /// The empty sum.
    pub const fn new() -> Self {
        Self { total: 0, odd: false }
    }

    /// Adds bytes.
    pub fn add(&mut self, bytes: &[u8]) -> &mut Self {
        let part = sum_words(bytes);
        // A part at an odd offset has its words' halves swapped; so has its sum
        // (RFC 1071 section 2, byte order independence).
        self.total += u64::from(if self.odd { part.swap_bytes() } else { part });
        self.odd ^= bytes.len() % 2 == 1;
        self
    }

    /// Adds one 16-bit word.
    #[inline]
    pub fn add_u16(&mut self, word: u16) -> &mut Self {
        self.total += u64::from(if self.odd { word.swap_bytes() } else { word });
        self
    }

    /// Adds a 32-bit value as two words.
    #[inline]
    pub fn add_u32(&mut self, value: u32) -> &mut Self {
        self.add_u16((value >> 16) as u16).add_u16(value as u16)
    }

    /// The sum folded to 16 bits, not complemented.
    #[inline]
    pub fn folded(&self) -> u16 {
        fold(self.total)
    }

    /// The checksum: the one's complement of the sum.
    pub fn checksum(&self) -> u16 {
        !self.folded()
    }
}

/// Folds the carries of a one's complement sum back in.
#[inline]
const fn fold(mut total: u64) -> u16 {
    while total >> 16 != 0 {
        total = (total & 0xffff) + (total >> 16);
    }
    total as u16
}

/// The folded sum of `bytes` as big-endian words, an odd last byte padded with zero.
fn sum_words(bytes: &[u8]) -> u16 {
    // Summing in the machine's own byte order and swapping once at the end gives
    // the same result (RFC 1071 section 2) and lets the compiler use vectors. A
    // u64 takes 2^32 terms of 32 bits: 16 GiB of data.
    let mut chunks = bytes.chunks_exact(4);
    let mut total = 0u64;
    for chunk in &mut chunks {
        total += u64::from(u32::from_ne_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]));
    }
    let mut tail = [0u8; 4];
    let rest = chunks.remainder();
    tail[..rest.len()].copy_from_slice(rest);
    total += u64::from(u32::from_ne_bytes(tail));
    u16::from_be(fold(total))
}

/// The Internet checksum of `bytes` (RFC 1071), an odd last byte padded with zero.
pub fn internet_checksum(bytes: &[u8]) -> u16 {
    !sum_words(bytes)
}

/// The checksum after one 16-bit word of the data changed (RFC 1624, equation 3).
#[inline]
pub fn update_u16(checksum: u16, old: u16, new: u16) -> u16 {
    !fold(u64::from(!checksum) + u64::from(!old) + u64::from(new))
}

/// The checksum after a 32-bit field at an even offset changed (RFC 1624, equation 3).
pub fn update_u32(checksum: u16, old: u32, new: u32) -> u16 {
    let words = |v: u32| u64::from(v >> 16) + u64::from(v & 0xffff);
    !fold(u64::from(!checksum) + words(!old) + words(new))
}

/// The pseudo-header sum for TCP and UDP over IPv4 (RFC 9293 section 3.1, RFC 768).
/// `length` is that of the transport header and its data, in bytes.
pub fn pseudo_header_v4(source: Ipv4Addr, destination: Ipv4Addr, protocol: u8, length: u16) -> Sum {
    let mut sum = Sum::new();
    sum.add(&source.octets()).add(&destination.octets());
    sum.add_u16(u16::from(protocol)).add_u16(length);
    sum
}

/// The pseudo-header sum for upper layers over IPv6 (RFC 8200 section 8.1).
/// `length` is that of the upper-layer header and its data, in bytes.
pub fn pseudo_header_v6(source: Ipv6Addr, destination: Ipv6Addr, protocol: u8, length: u32) -> Sum {
    let mut sum = Sum::new();
    sum.add(&source.octets()).add(&destination.octets());
    sum.add_u32(length).add_u16(u16::from(protocol));
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rfc1071_example() {
        // RFC 1071 section 3: the words 0001 f203 f4f5 f6f7 sum to 2ddf0, folded ddf2.
        let data = [0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7];
        assert_eq!(Sum::new().add(&data).folded(), 0xddf2);
        assert_eq!(internet_checksum(&data), !0xddf2);
    }

    #[test]
    fn odd_length_is_padded_with_zero() {
        assert_eq!(internet_checksum(&[0x12, 0x34, 0x56]), !(0x1234 + 0x5600));
        assert_eq!(internet_checksum(&[]), 0xffff);
    }

    #[test]
    fn parts_at_odd_offsets() {
        let data: Vec<u8> = (0..=255u8).cycle().take(1501).collect();
        let whole = internet_checksum(&data);
        for (a, b) in [(1, 2), (3, 700), (13, 1500), (0, 1501), (7, 7)] {
            let mut sum = Sum::new();
            sum.add(&data[..a]).add(&data[a..b]).add(&data[b..]);
            assert_eq!(sum.checksum(), whole, "split at {a} and {b}");
        }
    }

    #[test]
    fn agrees_with_word_by_word_sum() {
        // The definition, literally: add words, fold each carry at once.
        let mut seed = 1u32;
        for length in 0..300usize {
            let data: Vec<u8> = (0..length)
                .map(|_| {
                    seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (seed >> 24) as u8
                })
                .collect();
            let mut sum = 0u32;
            for pair in data.chunks(2) {
                sum += u32::from(pair[0]) << 8 | u32::from(*pair.get(1).unwrap_or(&0));
                sum = (sum & 0xffff) + (sum >> 16);
            }
            assert_eq!(internet_checksum(&data), !(sum as u16), "length {length}");
        }
    }

    #[test]
    fn rfc1624_examples() {
        // RFC 1624 section 4: HC 0xdd2f, m 0x5555, m' 0x3285 gives 0x0000 (and not
        // 0xffff, as the formula it replaces would).
        assert_eq!(update_u16(0xdd2f, 0x5555, 0x3285), 0x0000);
    }

    #[test]
    fn update_equals_recomputation() {
        // An IPv4 header (without checksum field semantics: any even data will do).
        let mut data = [0x45, 0x00, 0x00, 0x54, 0xa6, 0xf2, 0x40, 0x00, 0x40, 0x01];
        let before = internet_checksum(&data);
        data[8] = 0x3f;
        assert_eq!(update_u16(before, 0x4001, 0x3f01), internet_checksum(&data));
        let before = internet_checksum(&data);
        data[4..8].copy_from_slice(&[0xde, 0xad, 0xbe, 0xef]);
        assert_eq!(update_u32(before, 0xa6f2_4000, 0xdead_beef), internet_checksum(&data));
    }

    #[test]
    fn udp_pseudo_header() {
        // 192.168.0.31 -> 192.168.0.30, UDP, ports 20 -> 10, length 10, data "Hi":
        // c0a8+001f+c0a8+001e+0011+000a+0014+000a+000a+4869 = 1ca39 -> ca3a -> 35c5.
        let mut sum = pseudo_header_v4([192, 168, 0, 31].into(), [192, 168, 0, 30].into(), 17, 10);
        sum.add(&[0, 20, 0, 10, 0, 10, 0, 0, b'H', b'i']);
        assert_eq!(sum.checksum(), 0x35c5);
    }
}
