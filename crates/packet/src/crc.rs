//! Cyclic redundancy checks of any width from 1 to 64 bits, table driven.
//!
//! The parameters are those of the Rocksoft model (Williams, "A painless guide to
//! CRC error detection algorithms"), in which catalogues list CRCs.

/// What distinguishes one CRC from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CrcParameters {
    /// Bits in the remainder, 1 to 64.
    pub width: u8,
    /// The generator polynomial without its highest term, most significant bit first.
    pub polynomial: u64,
    /// The remainder before the first bit.
    pub init: u64,
    /// Whether each byte goes in with its least significant bit first.
    pub reflect_input: bool,
    /// Whether the bits of the remainder are reversed at the end.
    pub reflect_output: bool,
    /// What the remainder is combined with (exclusive or) at the very end.
    pub xor_output: u64,
}

/// CRC-16/ARC: polynomial 0x8005, reflected; v1model's `crc16`.
pub const ARC: CrcParameters = CrcParameters {
    width: 16,
    polynomial: 0x8005,
    init: 0,
    reflect_input: true,
    reflect_output: true,
    xor_output: 0,
};

/// CRC-16/IBM-3740, often called CRC-CCITT: polynomial 0x1021 from 0xffff.
pub const CCITT: CrcParameters = CrcParameters {
    width: 16,
    polynomial: 0x1021,
    init: 0xffff,
    reflect_input: false,
    reflect_output: false,
    xor_output: 0,
};

/// CRC-16/XMODEM: polynomial 0x1021 from zero.
pub const XMODEM: CrcParameters = CrcParameters { init: 0, ..CCITT };

/// CRC-32/ISO-HDLC, the frame check sequence of IEEE 802.3 clause 3.2.9;
/// v1model's `crc32`.
pub const IEEE: CrcParameters = CrcParameters {
    width: 32,
    polynomial: 0x04c1_1db7,
    init: 0xffff_ffff,
    reflect_input: true,
    reflect_output: true,
    xor_output: 0xffff_ffff,
};

/// CRC-32C (Castagnoli), RFC 3720 section 12.1.
pub const CASTAGNOLI: CrcParameters = CrcParameters { polynomial: 0x1edc_6f41, ..IEEE };

/// Table for [`ARC`].
pub static CRC16_ARC: Crc = Crc::new(ARC);
/// Table for [`CCITT`].
pub static CRC16_CCITT: Crc = Crc::new(CCITT);
/// Table for [`XMODEM`].
pub static CRC16_XMODEM: Crc = Crc::new(XMODEM);
/// Table for [`IEEE`].
pub static CRC32: Crc = Crc::new(IEEE);
/// Table for [`CASTAGNOLI`].
pub static CRC32C: Crc = Crc::new(CASTAGNOLI);

/// A CRC ready to run: its parameters and its tables.
///
/// Table `k` holds the remainder of each byte followed by `k` zero bytes, so that
/// eight bytes go in at once ("slicing by 8").
#[derive(Debug, Clone)]
pub struct Crc {
    parameters: CrcParameters,
    tables: [[u64; 256]; 8],
}

/// A remainder in the making, between [`Crc::start`] and [`Crc::finish`].
///
/// Reflected CRCs keep it in the low bits, the others in the high bits, so that
/// one byte step serves every width.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CrcState(u64);

impl Crc {
    /// Builds the tables. Widths outside 1 to 64 are taken as the nearest bound;
    /// bits of the parameters beyond the width are ignored.
    pub const fn new(mut parameters: CrcParameters) -> Self {
        if parameters.width == 0 {
            parameters.width = 1;
        }
        if parameters.width > 64 {
            parameters.width = 64;
        }
        let mask = u64::MAX >> (64 - parameters.width);
        parameters.polynomial &= mask;
        parameters.init &= mask;
        parameters.xor_output &= mask;
        let spare = 64 - parameters.width as u32;
        let mut tables = [[0; 256]; 8];
        let mut byte = 0;
        while byte < 256 {
            let mut remainder;
            let mut bit = 0;
            if parameters.reflect_input {
                let polynomial = (parameters.polynomial << spare).reverse_bits();
                remainder = byte as u64;
                while bit < 8 {
                    let low = remainder & 1;
                    remainder >>= 1;
                    if low == 1 {
                        remainder ^= polynomial;
                    }
                    bit += 1;
                }
            } else {
                let polynomial = parameters.polynomial << spare;
                remainder = (byte as u64) << 56;
                while bit < 8 {
                    let high = remainder >> 63;
                    remainder <<= 1;
                    if high == 1 {
                        remainder ^= polynomial;
                    }
                    bit += 1;
                }
            }
            tables[0][byte] = remainder;
            byte += 1;
        }
        let mut zeros = 1;
        while zeros < 8 {
            let mut byte = 0;
            while byte < 256 {
                let before: u64 = tables[zeros - 1][byte];
                tables[zeros][byte] = if parameters.reflect_input {
                    (before >> 8) ^ tables[0][(before & 0xff) as usize]
                } else {
                    (before << 8) ^ tables[0][(before >> 56) as usize]
                };
                byte += 1;
            }
            zeros += 1;
        }
        Self { parameters, tables }
    }

    /// The parameters the tables were built from.
    pub const fn parameters(&self) -> &CrcParameters {
        &self.parameters
    }

    /// The remainder before the first byte.
    pub const fn start(&self) -> CrcState {
        let aligned = self.parameters.init << (64 - self.parameters.width as u32);
        CrcState(if self.parameters.reflect_input { aligned.reverse_bits() } else { aligned })
    }

    /// The remainder after further bytes.
    pub fn update(&self, state: CrcState, bytes: &[u8]) -> CrcState {
        let mut remainder = state.0;
        let (chunks, rest) = bytes.as_chunks::<8>();
        if self.parameters.reflect_input {
            for chunk in chunks {
                remainder = self.eight((remainder ^ u64::from_le_bytes(*chunk)).to_le_bytes());
            }
            for &byte in rest {
                let index = (remainder as u8 ^ byte) as usize;
                remainder = (remainder >> 8) ^ self.tables[0][index];
            }
        } else {
            for chunk in chunks {
                remainder = self.eight((remainder ^ u64::from_be_bytes(*chunk)).to_be_bytes());
            }
            for &byte in rest {
                let index = ((remainder >> 56) as u8 ^ byte) as usize;
                remainder = (remainder << 8) ^ self.tables[0][index];
            }
        }
        CrcState(remainder)
    }

    /// The remainder of eight bytes, in the order in which they go in.
    fn eight(&self, bytes: [u8; 8]) -> u64 {
        let mut remainder = 0;
        for (table, byte) in self.tables.iter().rev().zip(bytes) {
            remainder ^= table[usize::from(byte)];
        }
        remainder
    }

    /// The CRC value, in the low `width` bits.
    pub const fn finish(&self, state: CrcState) -> u64 {
        let spare = 64 - self.parameters.width as u32;
        let value = match (self.parameters.reflect_input, self.parameters.reflect_output) {
            (true, true) => state.0,
            (true, false) => state.0.reverse_bits() >> spare,
            (false, true) => state.0.reverse_bits(),
            (false, false) => state.0 >> spare,
        };
        value ^ self.parameters.xor_output
    }

    /// The CRC of `bytes`, in the low `width` bits.
    pub fn checksum(&self, bytes: &[u8]) -> u64 {
        self.finish(self.update(self.start(), bytes))
    }
}

/// The Ethernet frame check sequence over a frame from destination address to the
/// end of the payload. On the wire it follows the frame, least significant byte first.
pub fn frame_check_sequence(frame: &[u8]) -> u32 {
    CRC32.checksum(frame) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHECK: &[u8] = b"123456789";

    /// Parameters with a check value from the "Catalogue of parametrised CRC
    /// algorithms": the CRC of the nine digits.
    fn catalogued(
        width: u8,
        polynomial: u64,
        init: u64,
        reflect: (bool, bool),
        xor_output: u64,
        check: u64,
    ) {
        let crc = Crc::new(CrcParameters {
            width,
            polynomial,
            init,
            reflect_input: reflect.0,
            reflect_output: reflect.1,
            xor_output,
        });
        assert_eq!(crc.checksum(CHECK), check, "{:x?}", crc.parameters());
        assert_eq!(crc.checksum(CHECK), bitwise(crc.parameters(), CHECK));
    }

    /// The model's definition, one bit at a time.
    fn bitwise(p: &CrcParameters, bytes: &[u8]) -> u64 {
        let mask = u64::MAX >> (64 - p.width);
        let top = 1u64 << (p.width - 1);
        let mut remainder = p.init & mask;
        for &byte in bytes {
            let byte = if p.reflect_input { byte.reverse_bits() } else { byte };
            for bit in (0..8).rev() {
                let feedback = (remainder & top != 0) != (byte >> bit & 1 == 1);
                remainder = (remainder << 1) & mask;
                if feedback {
                    remainder ^= p.polynomial & mask;
                }
            }
        }
        if p.reflect_output {
            remainder = remainder.reverse_bits() >> (64 - p.width);
        }
        remainder ^ (p.xor_output & mask)
    }

    #[test]
    fn catalogue_check_values() {
        let both = (true, true);
        let none = (false, false);
        catalogued(3, 0x3, 0x0, none, 0x7, 0x4); // CRC-3/GSM
        catalogued(5, 0x05, 0x1f, both, 0x1f, 0x19); // CRC-5/USB
        catalogued(7, 0x09, 0x00, none, 0x00, 0x75); // CRC-7/MMC
        catalogued(8, 0x07, 0x00, none, 0x00, 0xf4); // CRC-8/SMBUS
        catalogued(8, 0x31, 0x00, both, 0x00, 0xa1); // CRC-8/MAXIM-DOW
        catalogued(12, 0x80f, 0x000, (false, true), 0x000, 0xdaf); // CRC-12/UMTS
        catalogued(16, 0x8005, 0x0000, both, 0x0000, 0xbb3d); // CRC-16/ARC
        catalogued(16, 0x1021, 0xffff, none, 0x0000, 0x29b1); // CRC-16/IBM-3740
        catalogued(16, 0x1021, 0x0000, none, 0x0000, 0x31c3); // CRC-16/XMODEM
        catalogued(16, 0x1021, 0x0000, both, 0x0000, 0x2189); // CRC-16/KERMIT
        catalogued(24, 0x86_4cfb, 0xb7_04ce, none, 0, 0x21_cf02); // CRC-24/OPENPGP
        catalogued(32, 0x04c1_1db7, 0xffff_ffff, both, 0xffff_ffff, 0xcbf4_3926); // ISO-HDLC
        catalogued(32, 0x1edc_6f41, 0xffff_ffff, both, 0xffff_ffff, 0xe306_9283); // ISCSI
        catalogued(32, 0x04c1_1db7, 0xffff_ffff, none, 0xffff_ffff, 0xfc89_1918); // BZIP2
        catalogued(64, 0x42f0_e1eb_a9ea_3693, 0, none, 0, 0x6c40_df5f_0b49_7347); // ECMA-182
        let ones = u64::MAX;
        catalogued(64, 0x42f0_e1eb_a9ea_3693, ones, both, ones, 0x995d_c9bb_df19_39fa); // XZ
    }

    #[test]
    fn ready_made_tables() {
        assert_eq!(CRC16_ARC.checksum(CHECK), 0xbb3d);
        assert_eq!(CRC16_CCITT.checksum(CHECK), 0x29b1);
        assert_eq!(CRC16_XMODEM.checksum(CHECK), 0x31c3);
        assert_eq!(CRC32.checksum(CHECK), 0xcbf4_3926);
        assert_eq!(CRC32C.checksum(CHECK), 0xe306_9283);
    }

    #[test]
    fn rfc3720_castagnoli_examples() {
        // RFC 3720 appendix B.4; the values there are byte strings, low byte first.
        assert_eq!(CRC32C.checksum(&[0; 32]), 0x8a91_36aa);
        assert_eq!(CRC32C.checksum(&[0xff; 32]), 0x62a8_ab43);
        let ascending: Vec<u8> = (0..32).collect();
        assert_eq!(CRC32C.checksum(&ascending), 0x46dd_794e);
    }

    #[test]
    fn mixed_reflection_agrees_with_definition() {
        for width in [1, 4, 8, 11, 16, 31, 32, 63, 64] {
            for reflect in 0..4 {
                let crc = Crc::new(CrcParameters {
                    width,
                    polynomial: 0x9d3c_5f17_11ed_c6f5,
                    init: 0x0123_4567_89ab_cdef,
                    reflect_input: reflect & 1 != 0,
                    reflect_output: reflect & 2 != 0,
                    xor_output: 0x5aa5_0ff0_c33c_9669,
                });
                assert_eq!(crc.checksum(CHECK), bitwise(crc.parameters(), CHECK));
                let long: Vec<u8> = (0..77u8).map(|i| i.wrapping_mul(59)).collect();
                for length in 0..long.len() {
                    let bytes = &long[..length];
                    assert_eq!(crc.checksum(bytes), bitwise(crc.parameters(), bytes));
                }
            }
        }
    }

    #[test]
    fn in_parts_as_in_one() {
        let state = CRC32.update(CRC32.start(), b"1234");
        assert_eq!(CRC32.finish(CRC32.update(state, b"56789")), 0xcbf4_3926);
    }

    #[test]
    fn frame_with_its_fcs_leaves_the_residue() {
        // IEEE 802.3: the CRC over a frame and its FCS is constant, 0x2144df1c
        // after the final complement.
        let mut frame = vec![0xff; 60];
        let fcs = frame_check_sequence(&frame);
        frame.extend_from_slice(&fcs.to_le_bytes());
        assert_eq!(CRC32.checksum(&frame), 0x2144_df1c);
    }
}
