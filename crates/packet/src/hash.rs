//! The hash algorithms of v1model (`HashAlgorithm`), over bytes.
//!
//! The input is the concatenation of the hashed fields, most significant bit
//! first, padded with zero bits at the end to whole bytes. Where the architecture
//! leaves the algorithm's details open, they are those of the BMv2 software switch.

use crate::checksum::internet_checksum;
use crate::crc::{ARC, CRC16_ARC, CRC16_CCITT, CRC32, Crc, CrcParameters, IEEE};

/// A hash function from bytes to at most 64 bits.
#[derive(Debug, Clone)]
pub enum Hash {
    /// The input itself: its first 64 bits as a number (all of it, if shorter).
    Identity,
    /// The Internet checksum, RFC 1071; 16 bits.
    Csum16,
    /// Exclusive or of the 16-bit words, the last padded with zero; 16 bits.
    Xor16,
    /// CRC-16/ARC; 16 bits.
    Crc16,
    /// CRC-16/IBM-3740; 16 bits.
    Crc16Ccitt,
    /// CRC-32/ISO-HDLC; 32 bits.
    Crc32,
    /// A CRC with parameters of its own.
    Custom(Box<Crc>),
}

impl Hash {
    /// `crc16_custom` before anybody configures it: the same as `crc16`.
    pub fn crc16_custom() -> Self {
        Self::custom(ARC)
    }

    /// `crc32_custom` before anybody configures it: the same as `crc32`.
    pub fn crc32_custom() -> Self {
        Self::custom(IEEE)
    }

    /// A CRC with the given parameters.
    pub fn custom(parameters: CrcParameters) -> Self {
        Self::Custom(Box::new(Crc::new(parameters)))
    }

    /// The algorithm that v1model's `HashAlgorithm` member `name` stands for.
    /// `random` is not a function of the input and therefore not one of them.
    pub fn by_name(name: &str) -> Option<Self> {
        Some(match name {
            "identity" => Self::Identity,
            "csum16" => Self::Csum16,
            "xor16" => Self::Xor16,
            "crc16" => Self::Crc16,
            "crc16_custom" => Self::crc16_custom(),
            "crcCCITT" => Self::Crc16Ccitt,
            "crc32" => Self::Crc32,
            "crc32_custom" => Self::crc32_custom(),
            _ => return None,
        })
    }

    /// Bits in the result: it is below 2 to the power of this.
    pub fn width(&self) -> u32 {
        match self {
            Self::Identity => 64,
            Self::Csum16 | Self::Xor16 | Self::Crc16 | Self::Crc16Ccitt => 16,
            Self::Crc32 => 32,
            Self::Custom(crc) => u32::from(crc.parameters().width),
        }
    }

    /// The hash of `bytes`.
    pub fn hash(&self, bytes: &[u8]) -> u64 {
        match self {
            Self::Identity => identity(bytes),
            Self::Csum16 => u64::from(internet_checksum(bytes)),
            Self::Xor16 => u64::from(xor16(bytes)),
            Self::Crc16 => CRC16_ARC.checksum(bytes),
            Self::Crc16Ccitt => CRC16_CCITT.checksum(bytes),
            Self::Crc32 => CRC32.checksum(bytes),
            Self::Custom(crc) => crc.checksum(bytes),
        }
    }
}

/// The first eight bytes (fewer if there are fewer) as a big-endian number.
pub fn identity(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).fold(0, |value, &byte| value << 8 | u64::from(byte))
}

/// Exclusive or of the big-endian 16-bit words; an odd last byte is the high half
/// of a word whose low half is zero.
pub fn xor16(bytes: &[u8]) -> u16 {
    bytes.chunks(2).fold(0, |value, pair| {
        value ^ u16::from_be_bytes([pair[0], pair.get(1).copied().unwrap_or(0)])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identity_takes_the_leading_bytes() {
        assert_eq!(Hash::Identity.hash(&[]), 0);
        assert_eq!(Hash::Identity.hash(&[0x12, 0x34]), 0x1234);
        assert_eq!(Hash::Identity.hash(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), 0x0102_0304_0506_0708);
    }

    #[test]
    fn xor16_of_words() {
        assert_eq!(Hash::Xor16.hash(&[0x12, 0x34, 0xff, 0x00]), 0xed34);
        assert_eq!(Hash::Xor16.hash(&[0x12, 0x34, 0xab]), 0xb934);
        assert_eq!(Hash::Xor16.hash(&[]), 0);
    }

    #[test]
    fn named_algorithms() {
        let check = b"123456789";
        for (name, value) in [
            ("crc16", 0xbb3d),
            ("crc16_custom", 0xbb3d),
            ("crcCCITT", 0x29b1),
            ("crc32", 0xcbf4_3926),
            ("crc32_custom", 0xcbf4_3926),
            // 3132+3334+3536+3738+3900 = 109d4 -> 09d5 -> f62a
            ("csum16", 0xf62a),
            // 3132^3334=0206 ^3536=3730 ^3738=0008 ^3900=3908
            ("xor16", 0x3908),
            ("identity", 0x3132_3334_3536_3738),
        ] {
            let hash = Hash::by_name(name).expect(name);
            assert_eq!(hash.hash(check), value, "{name}");
            assert!(hash.width() == 64 || hash.hash(check) >> hash.width() == 0);
        }
        assert!(Hash::by_name("random").is_none());
    }
}
