//! The 12-byte header, written once: views, dissectors and documents come from these tables.
//!
//! All fields are in network byte order. The paper gives the header's size but not its fields.

use ww_packet::protocol::ethertype;

/// Bytes in the header.
pub const HEADER_LENGTH: usize = 12;

/// The EtherType of a TPP in front of a frame's own payload, and the UDP port of a TPP by itself.
pub const TPP_NUMBER: u16 = 0x6666;

/// The EtherType that a TPP says follows it, unless somebody says otherwise: IPv4.
pub const DEFAULT_PROTOCOL: u16 = ethertype::IPV4;

/// Bytes of packet memory that a TPP may have at most: the length has 8 bits.
pub const MAX_MEMORY: usize = 255;

/// A field of the header.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name in the memory map, where [`crate::map`] has it as `PacketMetadata:NAME`.
    pub name: &'static str,
    /// The first byte.
    pub offset: usize,
    /// 1 or 2.
    pub bytes: usize,
    /// What it says.
    pub about: &'static str,
}

/// Length of header, instructions and memory in bytes.
pub const TOTAL_LENGTH: Field =
    field("TotalLength", 0, 2, "header, instructions and memory, bytes");
/// Length of packet memory in bytes.
pub const MEMORY_LENGTH: Field = field("MemoryLength", 2, 1, "packet memory, bytes");
/// See [`FLAGS`].
pub const FLAGS_FIELD: Field = field("Flags", 3, 1, "mode, word size, reflect, done, report back");
/// Switches that have executed the TPP.
pub const HOP: Field =
    field("HopNumber", 4, 1, "from 0, +1 at each TPP-capable switch, at most 255");
/// The next free byte of packet memory.
pub const STACK_POINTER: Field = field("StackPointer", 5, 1, "byte offset into packet memory");
/// Bytes of packet memory for each hop, in hop mode.
pub const HOP_LENGTH: Field = field("PerHopLength", 6, 1, "bytes of memory a hop; hop mode only");
/// The application.
pub const APP_TAG: Field = field("AppTag", 7, 1, "which application; 8 bits for its 64-bit number");
/// The Internet checksum of header, instructions and memory.
pub const CHECKSUM: Field = field("Checksum", 8, 2, "ones' complement, over the whole TPP");
/// The EtherType of what follows.
pub const PROTOCOL: Field =
    field("EncapsulatedProtocol", 10, 2, "EtherType of the payload; 0: none");

/// All fields, in their order on the wire.
pub const FIELDS: [Field; 9] = [
    TOTAL_LENGTH,
    MEMORY_LENGTH,
    FLAGS_FIELD,
    HOP,
    STACK_POINTER,
    HOP_LENGTH,
    APP_TAG,
    CHECKSUM,
    PROTOCOL,
];

const fn field(name: &'static str, offset: usize, bytes: usize, about: &'static str) -> Field {
    Field { name, offset, bytes, about }
}

impl Field {
    /// The field's value in `header`, which holds at least 12 bytes.
    #[inline]
    pub(crate) fn get(&self, header: &[u8]) -> u16 {
        match self.bytes {
            1 => header[self.offset].into(),
            _ => u16::from_be_bytes([header[self.offset], header[self.offset + 1]]),
        }
    }
}

/// Bits of the flags.
pub mod flag {
    /// Operands count from the hop's own block; without it from the start of packet memory.
    pub const HOP_MODE: u8 = 0x80;
    /// Words have 32 bits; without it 16.
    pub const WIDE: u8 = 0x40;
    /// The first switch sends the TPP back.
    pub const REFLECT: u8 = 0x20;
    /// No switch executes the TPP any more.
    pub const DONE: u8 = 0x10;
    /// CSTORE puts what it found into its operand 1.
    pub const REPORT_BACK: u8 = 0x08;
    /// A hint that the TPP is alone in its packet.
    pub const STANDALONE: u8 = 0x04;
    /// The version, which is 0.
    pub const VERSION: u8 = 0x03;
}

/// The flags: bit mask, name, meaning.
pub const FLAGS: [(u8, &str, &str); 6] = [
    (flag::HOP_MODE, "HOP", "operands count from the hop's own block"),
    (flag::WIDE, "WIDE", "32-bit words"),
    (flag::REFLECT, "REFLECT", "the first switch sends the TPP back"),
    (flag::DONE, "DONE", "no switch executes the TPP any more"),
    (flag::REPORT_BACK, "REPORT_BACK", "CSTORE puts what it found into its operand 1"),
    (flag::STANDALONE, "STANDALONE", "the TPP is alone in its packet"),
];

/// Bytes of a word of packet memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum WordSize {
    /// 16 bits.
    Two,
    /// 32 bits.
    #[default]
    Four,
}

impl WordSize {
    /// 2 or 4.
    #[inline]
    pub const fn bytes(self) -> usize {
        match self {
            Self::Two => 2,
            Self::Four => 4,
        }
    }

    /// 16 or 32.
    pub const fn bits(self) -> u32 {
        self.bytes() as u32 * 8
    }

    /// The largest value.
    #[inline]
    pub const fn max(self) -> u32 {
        match self {
            Self::Two => 0xffff,
            Self::Four => 0xffff_ffff,
        }
    }
}

/// What operands count from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Mode {
    /// The start of packet memory.
    #[default]
    Stack,
    /// The start of the hop's own block.
    Hop,
}

impl Mode {
    /// `stack` or `hop`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Stack => "stack",
            Self::Hop => "hop",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_fill_the_header() {
        let mut next = 0;
        for field in FIELDS {
            assert_eq!(field.offset, next, "{}", field.name);
            next += field.bytes;
        }
        assert_eq!(next, HEADER_LENGTH);
        assert_eq!(FLAGS.iter().map(|(bit, ..)| bit).sum::<u8>() | flag::VERSION, 0xff);
    }
}
