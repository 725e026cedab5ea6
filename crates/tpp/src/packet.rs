//! One TPP: header, instructions, packet memory. A view that checks everything once, and the values.

use crate::header::{self, HEADER_LENGTH, MAX_MEMORY, Mode, WordSize, flag};
use crate::instruction::{INSTRUCTION_LENGTH, Instruction, MAX_INSTRUCTIONS};
use std::fmt;
use ww_packet::checksum::internet_checksum;

/// Why bytes are not a TPP that a switch executes. Such a packet is forwarded as it is and counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Malformed {
    /// The packet ends before the header does, or before the total length.
    Truncated,
    /// The version is not 0.
    Version,
    /// The total length is below header and memory together, or what is between is no multiple of 4.
    Length,
    /// More than five instructions.
    TooManyInstructions,
    /// Memory length, stack pointer or (hop mode) per-hop length is no multiple of the word size.
    Alignment,
    /// The stack pointer is beyond packet memory.
    StackPointer,
    /// The checksum is wrong.
    Checksum,
}

impl Malformed {
    /// All, so that a switch can have a counter for each.
    pub const ALL: [Self; 7] = [
        Self::Truncated,
        Self::Version,
        Self::Length,
        Self::TooManyInstructions,
        Self::Alignment,
        Self::StackPointer,
        Self::Checksum,
    ];

    /// Its name in counters.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Truncated => "truncated",
            Self::Version => "version",
            Self::Length => "length",
            Self::TooManyInstructions => "too_many_instructions",
            Self::Alignment => "alignment",
            Self::StackPointer => "stack_pointer",
            Self::Checksum => "checksum",
        }
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Truncated => "the packet ends before the TPP does",
            Self::Version => "the version is not 0",
            Self::Length => "total length and memory length leave no whole number of instructions",
            Self::TooManyInstructions => "there are more than 5 instructions",
            Self::Alignment => {
                "memory length, stack pointer or per-hop length is no multiple of the word size"
            }
            Self::StackPointer => "the stack pointer is beyond packet memory",
            Self::Checksum => "the checksum is wrong",
        })
    }
}

impl std::error::Error for Malformed {}

/// A view over a TPP whose lengths, stack pointer, version and checksum are right.
#[derive(Debug, Clone, Copy)]
pub struct Tpp<T>(T);

impl<T: AsRef<[u8]>> Tpp<T> {
    /// Takes the beginning of `bytes` for a TPP; there may be more behind it.
    ///
    /// # Errors
    /// The first fault, in the order of [`Malformed`].
    #[inline]
    pub fn new(bytes: T) -> Result<Self, Malformed> {
        let b = bytes.as_ref();
        if b.len() < HEADER_LENGTH {
            return Err(Malformed::Truncated);
        }
        let tpp = Self(bytes);
        tpp.check()?;
        Ok(tpp)
    }

    #[inline]
    fn check(&self) -> Result<(), Malformed> {
        let bytes = self.0.as_ref();
        let (total, memory) = (self.length(), self.memory_length());
        if bytes.len() < total {
            return Err(Malformed::Truncated);
        }
        if self.flags() & flag::VERSION != 0 {
            return Err(Malformed::Version);
        }
        let Some(code) = total.checked_sub(HEADER_LENGTH + memory) else {
            return Err(Malformed::Length);
        };
        if !code.is_multiple_of(INSTRUCTION_LENGTH) {
            return Err(Malformed::Length);
        }
        if code / INSTRUCTION_LENGTH > MAX_INSTRUCTIONS {
            return Err(Malformed::TooManyInstructions);
        }
        let hop_length = match self.mode() {
            Mode::Hop => self.hop_length(),
            Mode::Stack => 0,
        };
        // All at once: a word is 2 or 4 bytes.
        let odd = memory | hop_length | usize::from(self.stack_pointer());
        if odd & (self.word_size().bytes() - 1) != 0 {
            return Err(Malformed::Alignment);
        }
        if usize::from(self.stack_pointer()) > memory {
            return Err(Malformed::StackPointer);
        }
        if internet_checksum(&bytes[..total]) != 0 {
            return Err(Malformed::Checksum);
        }
        Ok(())
    }

    #[inline]
    fn byte(&self, field: header::Field) -> u8 {
        self.0.as_ref()[field.offset]
    }

    /// Bytes of header, instructions and memory.
    #[inline]
    pub fn length(&self) -> usize {
        header::TOTAL_LENGTH.get(self.0.as_ref()).into()
    }

    /// Bytes of packet memory.
    #[inline]
    pub fn memory_length(&self) -> usize {
        self.byte(header::MEMORY_LENGTH).into()
    }

    /// The flags, see [`flag`].
    #[inline]
    pub fn flags(&self) -> u8 {
        self.byte(header::FLAGS_FIELD)
    }

    /// What operands count from.
    #[inline]
    pub fn mode(&self) -> Mode {
        if self.flags() & flag::HOP_MODE != 0 { Mode::Hop } else { Mode::Stack }
    }

    /// The word size.
    #[inline]
    pub fn word_size(&self) -> WordSize {
        if self.flags() & flag::WIDE != 0 { WordSize::Four } else { WordSize::Two }
    }

    /// Whether no switch may execute it any more.
    #[inline]
    pub fn is_done(&self) -> bool {
        self.flags() & flag::DONE != 0
    }

    /// Switches that have executed it.
    #[inline]
    pub fn hop(&self) -> u8 {
        self.byte(header::HOP)
    }

    /// The next free byte of packet memory, at most its length.
    #[inline]
    pub fn stack_pointer(&self) -> u8 {
        self.byte(header::STACK_POINTER)
    }

    /// Bytes of packet memory for each hop, in hop mode.
    #[inline]
    pub fn hop_length(&self) -> usize {
        self.byte(header::HOP_LENGTH).into()
    }

    /// The application.
    #[inline]
    pub fn app_tag(&self) -> u8 {
        self.byte(header::APP_TAG)
    }

    /// The EtherType of what follows the TPP; 0 if nothing does.
    pub fn protocol(&self) -> u16 {
        header::PROTOCOL.get(self.0.as_ref())
    }

    /// 0 to 5.
    #[inline]
    pub fn instruction_count(&self) -> usize {
        (self.length() - HEADER_LENGTH - self.memory_length()) / INSTRUCTION_LENGTH
    }

    /// The instructions.
    pub fn instructions(&self) -> impl ExactSizeIterator<Item = Instruction> + '_ {
        let bytes = &self.0.as_ref()[HEADER_LENGTH..self.length() - self.memory_length()];
        bytes
            .chunks_exact(INSTRUCTION_LENGTH)
            .map(|b| Instruction(u32::from_be_bytes(b.try_into().expect("chunks of four bytes"))))
    }

    /// Packet memory.
    pub fn memory(&self) -> &[u8] {
        let end = self.length();
        &self.0.as_ref()[end - self.memory_length()..end]
    }

    /// Packet memory as words.
    pub fn words(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        words(self.memory(), self.word_size())
    }

    /// Header, instructions and memory.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0.as_ref()[..self.length()]
    }
}

impl<T: AsRef<[u8]> + AsMut<[u8]>> Tpp<T> {
    /// Header, instructions and memory. Who writes keeps lengths and checksum right.
    #[inline]
    pub(crate) fn as_bytes_mut(&mut self) -> &mut [u8] {
        let length = self.length();
        &mut self.0.as_mut()[..length]
    }

    /// Sets and clears flags, and keeps the checksum right.
    pub(crate) fn set_flags(&mut self, flags: u8) {
        let bytes = self.as_bytes_mut();
        bytes[header::FLAGS_FIELD.offset] = flags;
        fill_checksum(bytes);
    }

    /// No switch executes it any more; keeps the checksum right.
    pub fn mark_done(&mut self) {
        self.set_flags(self.flags() | flag::DONE);
    }

    /// Sets the EtherType of what follows, and keeps the checksum right.
    pub(crate) fn set_protocol(&mut self, protocol: u16) {
        let bytes = self.as_bytes_mut();
        let at = header::PROTOCOL.offset;
        bytes[at..at + 2].copy_from_slice(&protocol.to_be_bytes());
        fill_checksum(bytes);
    }
}

/// Computes the checksum of a whole TPP and puts it in.
pub fn fill_checksum(tpp: &mut [u8]) {
    let at = header::CHECKSUM.offset;
    tpp[at..at + 2].fill(0);
    let checksum = internet_checksum(tpp);
    tpp[at..at + 2].copy_from_slice(&checksum.to_be_bytes());
}

/// The words of `memory`, whose length is a multiple of the word size.
fn words(memory: &[u8], size: WordSize) -> impl ExactSizeIterator<Item = u32> + '_ {
    memory
        .chunks_exact(size.bytes())
        .map(|bytes| bytes.iter().fold(0, |word, byte| word << 8 | u32::from(*byte)))
}

/// The values of a TPP.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Repr {
    /// What operands count from.
    pub mode: Mode,
    /// The word size.
    pub word: WordSize,
    /// [`flag::REFLECT`], [`flag::DONE`], [`flag::REPORT_BACK`] and [`flag::STANDALONE`]; other bits do
    /// not count.
    pub marks: u8,
    /// Switches that have executed it.
    pub hop: u8,
    /// The next free byte of packet memory; a multiple of the word size, at most the memory's length.
    pub stack_pointer: u8,
    /// Bytes of memory a hop; in hop mode a multiple of the word size.
    pub hop_length: u8,
    /// The application.
    pub app_tag: u8,
    /// The EtherType of what follows; 0 for nothing.
    pub protocol: u16,
    /// At most 5.
    pub instructions: Vec<Instruction>,
    /// At most 255 bytes, a multiple of the word size.
    pub memory: Vec<u8>,
}

/// The flags that [`Repr::marks`] holds.
pub const MARKS: u8 = flag::REFLECT | flag::DONE | flag::REPORT_BACK | flag::STANDALONE;

impl Repr {
    /// The values of a TPP.
    pub fn parse<T: AsRef<[u8]>>(tpp: &Tpp<T>) -> Self {
        Self {
            mode: tpp.mode(),
            word: tpp.word_size(),
            marks: tpp.flags() & MARKS,
            hop: tpp.hop(),
            stack_pointer: tpp.stack_pointer(),
            hop_length: tpp.byte(header::HOP_LENGTH),
            app_tag: tpp.app_tag(),
            protocol: tpp.protocol(),
            instructions: tpp.instructions().collect(),
            memory: tpp.memory().to_vec(),
        }
    }

    /// The TPP as bytes, checksum filled in.
    ///
    /// # Panics
    /// If the values break the bounds that the fields state; [`Self::check`] says so before.
    pub fn emit(&self) -> Vec<u8> {
        self.check().expect("values inside their bounds");
        let length = HEADER_LENGTH + 4 * self.instructions.len() + self.memory.len();
        let mode = if self.mode == Mode::Hop { flag::HOP_MODE } else { 0 };
        let wide = if self.word == WordSize::Four { flag::WIDE } else { 0 };
        let mut bytes = Vec::with_capacity(length);
        bytes.extend_from_slice(&(length as u16).to_be_bytes());
        bytes.push(self.memory.len() as u8);
        bytes.push(mode | wide | self.marks & MARKS);
        bytes.extend_from_slice(&[self.hop, self.stack_pointer, self.hop_length, self.app_tag]);
        bytes.extend_from_slice(&[0, 0]);
        bytes.extend_from_slice(&self.protocol.to_be_bytes());
        for instruction in &self.instructions {
            bytes.extend_from_slice(&instruction.0.to_be_bytes());
        }
        bytes.extend_from_slice(&self.memory);
        fill_checksum(&mut bytes);
        bytes
    }

    /// Whether the values make a TPP.
    ///
    /// # Errors
    /// What [`Tpp::new`] would say; memory above 255 bytes is a wrong length.
    pub fn check(&self) -> Result<(), Malformed> {
        let mask = self.word.bytes() - 1;
        let hop_length = if self.mode == Mode::Hop { self.hop_length } else { 0 };
        if self.memory.len() > MAX_MEMORY {
            Err(Malformed::Length)
        } else if self.instructions.len() > MAX_INSTRUCTIONS {
            Err(Malformed::TooManyInstructions)
        } else if (self.memory.len() | usize::from(self.stack_pointer | hop_length)) & mask != 0 {
            Err(Malformed::Alignment)
        } else if usize::from(self.stack_pointer) > self.memory.len() {
            Err(Malformed::StackPointer)
        } else {
            Ok(())
        }
    }

    /// Packet memory as words.
    pub fn words(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        words(&self.memory, self.word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instruction::Opcode;

    /// One PUSH of 0xb000 in 16-bit words, memory of 2 bytes, application 9.
    ///
    /// By hand: 12 + 4 + 2 = 18 = 0x12. Words: 0012 0200 0000 0009 cccc 0800 3b00 0000 abcd, sum without
    /// the checksum 0x12 + 0x200 + 9 + 0x800 + 0x3b00 + 0xabcd = 0xf0e8, so the checksum is 0x0f17.
    const BYTES: [u8; 18] = [
        0x00, 0x12, 0x02, 0x00, 0x00, 0x00, 0x00, 0x09, 0x0f, 0x17, 0x08, 0x00, 0x3b, 0x00, 0x00,
        0x00, 0xab, 0xcd,
    ];

    fn changed(at: usize, value: u8) -> Vec<u8> {
        let mut bytes = BYTES.to_vec();
        bytes[at] = value;
        fill_checksum(&mut bytes);
        bytes
    }

    #[test]
    fn values_by_hand() {
        let tpp = Tpp::new(BYTES).expect("a TPP");
        assert_eq!((tpp.length(), tpp.memory_length(), tpp.instruction_count()), (18, 2, 1));
        assert_eq!((tpp.app_tag(), tpp.protocol(), tpp.hop()), (9, 0x0800, 0));
        assert_eq!((tpp.mode(), tpp.word_size()), (Mode::Stack, WordSize::Two));
        assert_eq!(tpp.memory(), [0xab, 0xcd]);
        assert_eq!(tpp.words().collect::<Vec<_>>(), [0xabcd]);
        let push = Instruction::new(Opcode::Push, 0xb000, 0, 0);
        assert_eq!(tpp.instructions().collect::<Vec<_>>(), [push]);
        assert_eq!(Repr::parse(&tpp).emit(), BYTES);
    }

    #[test]
    fn every_malformation_has_its_name() {
        let fault = |bytes: &[u8]| Tpp::new(bytes).map(|_| ()).expect_err("malformed");
        assert_eq!(fault(&BYTES[..11]), Malformed::Truncated);
        assert_eq!(fault(&BYTES[..17]), Malformed::Truncated);
        assert_eq!(fault(&changed(3, 1)), Malformed::Version);
        assert_eq!(fault(&changed(2, 7)), Malformed::Length, "below header and memory");
        assert_eq!(fault(&changed(2, 1)), Malformed::Length, "5 bytes of instructions");
        assert_eq!(fault(&changed(3, 0x40)), Malformed::Alignment, "2 bytes of 32-bit words");
        assert_eq!(fault(&changed(5, 1)), Malformed::Alignment, "SP");
        let mut odd_hop = changed(3, 0x80);
        odd_hop[6] = 3;
        fill_checksum(&mut odd_hop);
        assert_eq!(fault(&odd_hop), Malformed::Alignment, "per-hop length");
        assert!(Tpp::new(changed(6, 3)).is_ok(), "which stack mode does not use");
        assert_eq!(fault(&changed(5, 4)), Malformed::StackPointer);
        assert!(Tpp::new(changed(5, 2)).is_ok(), "a full memory");
        let mut bytes = BYTES;
        bytes[17] ^= 1;
        assert_eq!(fault(&bytes), Malformed::Checksum);
        // 12 + 6 * 4 bytes without memory.
        let mut six = vec![0; 36];
        six[1] = 36;
        fill_checksum(&mut six);
        assert_eq!(fault(&six), Malformed::TooManyInstructions);
        six[1] = 32;
        fill_checksum(&mut six[..32]);
        assert_eq!(Tpp::new(six).expect("five").instruction_count(), 5);
    }

    #[test]
    fn repr_knows_its_bounds() {
        let good = Repr { memory: vec![0; 252], stack_pointer: 252, ..Repr::default() };
        assert_eq!(good.check(), Ok(()));
        let memory = |length| Repr { memory: vec![0; length], ..Repr::default() };
        assert_eq!(memory(256).check(), Err(Malformed::Length));
        assert_eq!(memory(254).check(), Err(Malformed::Alignment));
        let six = Repr { instructions: vec![Instruction(0); 6], ..Repr::default() };
        assert_eq!(six.check(), Err(Malformed::TooManyInstructions));
    }
}
