//! Packets as strings of bits: reading fields out and appending them.

use super::Bits;
use num_bigint::BigUint;

/// Reads bit fields, most significant bit first, from any bit offset.
#[derive(Clone, Copy, Debug)]
pub struct BitReader<'a> {
    bytes: &'a [u8],
}

impl<'a> BitReader<'a> {
    /// A reader of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// Length in bits.
    pub fn length(&self) -> u64 {
        self.bytes.len() as u64 * 8
    }

    /// `width` bits from bit `offset` on, or `None` if there are fewer.
    pub fn read(&self, offset: u64, width: u32) -> Option<Bits> {
        let end = offset.checked_add(u64::from(width))?;
        if end > self.length() {
            return None;
        }
        if width == 0 {
            return Some(Bits::zero(0));
        }
        let bytes = self.bytes.get((offset / 8) as usize..end.div_ceil(8) as usize)?;
        let spare = (8 - end % 8) % 8;
        if bytes.len() <= 16 {
            let value = bytes.iter().fold(0u128, |value, &byte| value << 8 | u128::from(byte));
            Some(Bits::new(width, value >> spare))
        } else {
            Some(Bits::from_biguint(width, &(BigUint::from_bytes_be(bytes) >> spare)))
        }
    }
}

/// Collects bits, most significant bit first.
#[derive(Clone, Debug, Default)]
pub struct BitWriter {
    bytes: Vec<u8>,
    /// Bits used in the last byte, 0 if it is full or there is none.
    partial: u32,
}

impl BitWriter {
    /// An empty buffer.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of bits so far.
    pub fn length(&self) -> u64 {
        let whole = self.bytes.len() as u64 * 8;
        if self.partial == 0 { whole } else { whole - 8 + u64::from(self.partial) }
    }

    /// Appends a bit string.
    pub fn write(&mut self, bits: &Bits) {
        match bits {
            Bits::Small { width, value } => {
                let mut left = *width;
                while left > 0 {
                    if self.partial == 0 && left >= 8 {
                        left -= 8;
                        self.bytes.push((value >> left) as u8);
                    } else {
                        let take = left.min(8 - self.partial);
                        left -= take;
                        self.push_bits((value >> left) as u8, take);
                    }
                }
            }
            Bits::Wide { width, value } => {
                let mut bytes = value.to_bytes_be();
                let whole = width.div_ceil(8) as usize;
                if bytes.len() < whole {
                    let mut padded = vec![0; whole - bytes.len()];
                    padded.append(&mut bytes);
                    bytes = padded;
                }
                let first = width % 8;
                let mut rest = bytes.as_slice();
                if first != 0
                    && let Some((&byte, tail)) = rest.split_first()
                {
                    self.push_bits_across(byte, first);
                    rest = tail;
                }
                self.write_bytes(rest);
            }
        }
    }

    /// Appends whole bytes.
    pub fn write_bytes(&mut self, bytes: &[u8]) {
        if self.partial == 0 {
            self.bytes.extend_from_slice(bytes);
        } else {
            for &byte in bytes {
                self.push_bits_across(byte, 8);
            }
        }
    }

    /// Appends what `bytes` holds from bit `offset` on.
    pub fn write_from(&mut self, bytes: &[u8], offset: u64) {
        let (index, used) = ((offset / 8) as usize, (offset % 8) as u32);
        let Some(rest) = bytes.get(index..) else { return };
        match rest.split_first() {
            Some((&byte, tail)) if used != 0 => {
                self.push_bits_across(byte, 8 - used);
                self.write_bytes(tail);
            }
            _ => self.write_bytes(rest),
        }
    }

    /// Appends the low `count` bits (1 to 8), which may straddle a byte boundary.
    fn push_bits_across(&mut self, bits: u8, count: u32) {
        let room = 8 - self.partial;
        if count <= room {
            self.push_bits(bits, count);
        } else {
            self.push_bits(bits >> (count - room), room);
            self.push_bits(bits, count - room);
        }
    }

    /// Appends the low `count` bits, which fit into the last byte (or a new one).
    fn push_bits(&mut self, bits: u8, count: u32) {
        if count == 0 {
            return;
        }
        let bits = bits & (0xff >> (8 - count));
        if self.partial == 0 {
            self.bytes.push(bits << (8 - count));
        } else if let Some(last) = self.bytes.last_mut() {
            *last |= bits << (8 - self.partial - count);
        }
        self.partial = (self.partial + count) % 8;
    }

    /// The bytes; unused bits of the last one are zero.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_across_bytes() {
        let reader = BitReader::new(&[0b1010_0101, 0xff, 0x00, 0x3c]);
        assert_eq!(reader.read(0, 4), Some(Bits::new(4, 0b1010)));
        assert_eq!(reader.read(4, 8), Some(Bits::new(8, 0b0101_1111)));
        assert_eq!(reader.read(26, 4), Some(Bits::new(4, 0xf)));
        assert_eq!(reader.read(0, 33), None);
        assert_eq!(reader.read(32, 0), Some(Bits::zero(0)));
        assert_eq!(reader.read(u64::MAX, 8), None);
    }

    #[test]
    fn writes_what_it_reads() {
        let bytes: Vec<u8> = (0..64).map(|n: u8| n.wrapping_mul(37) ^ 0x5a).collect();
        for widths in [[3, 13, 1, 128, 200, 7], [8, 16, 32, 64, 136, 8], [129, 5, 130, 1, 9, 77]] {
            let reader = BitReader::new(&bytes);
            let mut writer = BitWriter::new();
            let mut offset = 0;
            for width in widths {
                writer.write(&reader.read(offset, width).expect("long enough"));
                offset += u64::from(width);
                assert_eq!(writer.length(), offset);
            }
            writer.write_from(&bytes, offset);
            assert_eq!(writer.into_bytes(), bytes);
        }
    }

    #[test]
    fn last_byte_is_padded_with_zeros() {
        let mut writer = BitWriter::new();
        writer.write(&Bits::new(12, 0xabc));
        assert_eq!(writer.into_bytes(), [0xab, 0xc0]);
    }
}
