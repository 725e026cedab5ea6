//! The golden model: what a switch does with a TPP, one instruction after the other.
//!
//! Every other implementation must leave packet and switch memory as this one does, bit for bit. What the
//! paper leaves open is decided here and listed in `docs/tpp.md`. In short:
//!
//! - PUSH and POP use SP in both modes. SP moves by their number, whether or not the access happens, so that a
//!   parser can tell all slots before anything is executed. Outside of packet memory nothing is accessed;
//!   behind the last instruction SP is put back to the nearer end of packet memory.
//! - A CEXEC that fails ends the TPP at this hop, with SP as it is there.
//! - Switch memory has 32-bit words. With 16-bit words LOAD gives the low half, STORE clears the high half,
//!   and CSTORE compares what LOAD would give. CEXEC always compares 32 bits.

use crate::header::{self, FIELDS, HEADER_LENGTH, Mode, WordSize, flag};
use crate::instruction::{Instruction, MASK_ALL_ONES, MAX_INSTRUCTIONS, Opcode};
use crate::map::table::TPP_FIELDS;
use crate::packet::Tpp;
use crate::protection::{Operation, Protection};
use crate::switch_memory::{Refusal, Swap, SwitchMemory, Value};
use serde::{Deserialize, Serialize};
use ww_packet::checksum::{Sum, update_u16};

/// What a CEXEC does that cannot be evaluated: its address does not exist or is denied, or an operand is
/// outside of packet memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum AbsentGuard {
    /// It fails: what it guards is not executed. Guards protect writes, so this is the safe reading.
    #[default]
    Fails,
    /// It is skipped as any other instruction: what it guards is executed. The paper's words, literally.
    Skipped,
}

/// How a switch executes TPPs.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'p> {
    /// Whether STORE, POP and CSTORE do anything at all.
    pub writes_enabled: bool,
    /// What a CEXEC does that cannot be evaluated.
    pub absent_guard: AbsentGuard,
    /// Which application may access what; `None` for all everything.
    pub protection: Option<&'p Protection>,
}

impl Default for Settings<'_> {
    fn default() -> Self {
        Self { writes_enabled: true, absent_guard: AbsentGuard::Fails, protection: None }
    }
}

/// What happened; for a switch's counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Whether the TPP was executed; not if it is marked done.
    pub executed: bool,
    /// Whether a CEXEC failed.
    pub guard_failed: bool,
    /// Instructions skipped because nothing is at the address.
    pub absent: u8,
    /// Because the application may not access the address.
    pub denied: u8,
    /// Because the address cannot be written.
    pub read_only: u8,
    /// Because writing is switched off.
    pub disabled: u8,
    /// Because an operand is outside of packet memory.
    pub out_of_memory: u8,
    /// Because the opcode is reserved.
    pub reserved: u8,
}

/// Why an instruction is skipped.
enum Skip {
    Absent,
    Denied,
    ReadOnly,
    Disabled,
    OutOfMemory,
    Reserved,
}

impl From<Refusal> for Skip {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Absent => Self::Absent,
            Refusal::ReadOnly => Self::ReadOnly,
        }
    }
}

/// Executes a TPP at a switch: changes packet memory, hop number, stack pointer and checksum, and `memory`.
///
/// A TPP that is marked done stays as it is. Allocates nothing.
pub fn execute<T: AsRef<[u8]> + AsMut<[u8]>, M: SwitchMemory>(
    tpp: &mut Tpp<T>,
    memory: &mut M,
    settings: &Settings<'_>,
) -> Report {
    let mut report = Report::default();
    if tpp.is_done() {
        return report;
    }
    report.executed = true;
    let (word, flags, hop) = (tpp.word_size(), tpp.flags(), tpp.hop());
    let base = match tpp.mode() {
        Mode::Hop => usize::from(hop) * tpp.hop_length(),
        Mode::Stack => 0,
    };
    let count = tpp.instruction_count();
    let stack_pointer = isize::from(tpp.stack_pointer());
    let app_tag = tpp.app_tag();
    let bytes = tpp.as_bytes_mut();
    let (header, rest) = bytes.split_at_mut(HEADER_LENGTH);
    let (code, packet) = rest.split_at_mut(4 * count);
    let mut processor = Processor {
        header,
        packet: PacketMemory { bytes: packet, base, word, changed: 0 },
        memory,
        settings,
        app_tag,
        report_back: flags & flag::REPORT_BACK != 0,
        stack_pointer,
        latches: [(0, 0); MAX_INSTRUCTIONS],
        latched: 0,
    };
    for word in code.chunks_exact(4) {
        let instruction = Instruction(u32::from_be_bytes([word[0], word[1], word[2], word[3]]));
        match processor.step(instruction) {
            Ok(true) => {}
            Ok(false) => {
                report.guard_failed = true;
                break;
            }
            Err(skip) => {
                match skip {
                    Skip::Absent => report.absent += 1,
                    Skip::Denied => report.denied += 1,
                    Skip::ReadOnly => report.read_only += 1,
                    Skip::Disabled => report.disabled += 1,
                    Skip::OutOfMemory => report.out_of_memory += 1,
                    Skip::Reserved => report.reserved += 1,
                }
                if instruction.opcode() == Some(Opcode::Cexec)
                    && settings.absent_guard == AbsentGuard::Fails
                {
                    report.guard_failed = true;
                    break;
                }
            }
        }
    }
    let length = processor.packet.bytes.len() as isize;
    let stack_pointer = processor.stack_pointer.clamp(0, length);
    let changed = processor.packet.changed;
    finish(header, hop.saturating_add(1), stack_pointer as u8, changed);
    report
}

/// Puts hop number and stack pointer into the header, and the checksum right.
#[inline]
fn finish(header: &mut [u8], hop: u8, stack_pointer: u8, changed: u64) {
    let at = header::HOP.offset;
    let old = u16::from_be_bytes([header[at], header[at + 1]]);
    let new = u16::from_be_bytes([hop, stack_pointer]);
    let checksum = update_u16(header::CHECKSUM.get(header), old, new);
    let mut sum = Sum::new();
    sum.add_u32((changed >> 32) as u32).add_u32(changed as u32).add_u16(!checksum);
    let checksum = sum.checksum();
    header[at..at + 2].copy_from_slice(&new.to_be_bytes());
    let at = header::CHECKSUM.offset;
    header[at..at + 2].copy_from_slice(&checksum.to_be_bytes());
}

/// Packet memory with the base that operands count from.
struct PacketMemory<'b> {
    bytes: &'b mut [u8],
    base: usize,
    word: WordSize,
    /// The sum of new words and of the complements of those they replaced (RFC 1624, equation 3). Words of 32
    /// bits are summed whole: 2^16 is 1 in one's complement arithmetic, so that the halves need not be summed separately.
    changed: u64,
}

impl PacketMemory<'_> {
    /// The byte offset of an operand that takes `length` bytes.
    #[inline]
    fn offset(&self, operand: u8, length: usize) -> Result<usize, Skip> {
        let offset = self.base + usize::from(operand) * self.word.bytes();
        if offset + length <= self.bytes.len() { Ok(offset) } else { Err(Skip::OutOfMemory) }
    }

    #[inline]
    fn word_at(&self, offset: usize) -> u32 {
        match self.word {
            WordSize::Two => {
                u16::from_be_bytes([self.bytes[offset], self.bytes[offset + 1]]).into()
            }
            WordSize::Four => self.long_at(offset),
        }
    }

    /// 32 bits: one word, or two in the order of the network.
    #[inline]
    fn long_at(&self, offset: usize) -> u32 {
        let b = &self.bytes[offset..offset + 4];
        u32::from_be_bytes([b[0], b[1], b[2], b[3]])
    }

    /// Words lie at even offsets, as header and instructions have an even length.
    #[inline]
    fn put(&mut self, offset: usize, value: u32) {
        let old = self.word_at(offset);
        match self.word {
            WordSize::Two => {
                let value = value as u16;
                self.changed += u64::from(!(old as u16)) + u64::from(value);
                self.bytes[offset..offset + 2].copy_from_slice(&value.to_be_bytes());
            }
            WordSize::Four => {
                self.changed += u64::from(!old) + u64::from(value);
                self.bytes[offset..offset + 4].copy_from_slice(&value.to_be_bytes());
            }
        }
    }
}

struct Processor<'b, 's, M> {
    /// As it came.
    header: &'b [u8],
    packet: PacketMemory<'b>,
    memory: &'b mut M,
    settings: &'b Settings<'s>,
    app_tag: u8,
    report_back: bool,
    /// In bytes; while instructions are executed it may be outside of packet memory.
    stack_pointer: isize,
    /// Addresses and values of high words whose low words have been read.
    latches: [(u16, u32); MAX_INSTRUCTIONS],
    latched: usize,
}

impl<M: SwitchMemory> Processor<'_, '_, M> {
    /// Executes one instruction. `false`: a CEXEC failed.
    #[inline]
    fn step(&mut self, instruction: Instruction) -> Result<bool, Skip> {
        let Some(opcode) = instruction.opcode() else { return Err(Skip::Reserved) };
        let (address, first, second) =
            (instruction.address(), instruction.first(), instruction.second());
        let size = self.packet.word.bytes();
        match opcode {
            Opcode::Nop => {}
            Opcode::Load => {
                let to = self.packet.offset(first, size)?;
                let value = self.read(address)?;
                self.packet.put(to, value);
            }
            Opcode::Push => {
                let to = self.stack_slot(self.stack_pointer);
                self.stack_pointer += size as isize;
                let to = to?;
                let value = self.read(address)?;
                self.packet.put(to, value);
            }
            Opcode::Store => {
                let from = self.packet.offset(first, size)?;
                self.write(address, from)?;
            }
            Opcode::Pop => {
                self.stack_pointer -= size as isize;
                let from = self.stack_slot(self.stack_pointer)?;
                self.write(address, from)?;
            }
            Opcode::Cstore => {
                let (old, new) =
                    (self.packet.offset(first, size)?, self.packet.offset(second, size)?);
                self.permitted(Operation::Read, address)?;
                self.may_write(address)?;
                let (old_value, new_value) = (self.packet.word_at(old), self.packet.word_at(new));
                let mask = self.packet.word.max();
                let swap = Swap { mask, old: old_value, new: new_value };
                let found = self.memory.compare_and_store(address, swap)?;
                if self.report_back {
                    self.packet.put(old, found);
                }
            }
            Opcode::Cexec => {
                let mask = match first {
                    MASK_ALL_ONES => u32::MAX,
                    _ => self.packet.long_at(self.packet.offset(first, 4)?),
                };
                let value = self.packet.long_at(self.packet.offset(second, 4)?);
                return Ok(self.read(address)? & mask == value);
            }
            Opcode::Loadi => {
                let to = self.packet.offset(first, size)?;
                let address = self.packet.word_at(self.packet.offset(second, size)?);
                let address = u16::try_from(address).map_err(|_| Skip::Absent)?;
                let value = self.read(address)?;
                self.packet.put(to, value);
            }
        }
        Ok(true)
    }

    /// The byte offset of a word of the stack.
    #[inline]
    fn stack_slot(&self, at: isize) -> Result<usize, Skip> {
        match usize::try_from(at) {
            Ok(at) if at + self.packet.word.bytes() <= self.packet.bytes.len() => Ok(at),
            _ => Err(Skip::OutOfMemory),
        }
    }

    #[inline]
    fn permitted(&self, operation: Operation, address: u16) -> Result<(), Skip> {
        match self.settings.protection {
            Some(table) if !table.allows(self.app_tag, operation, address) => Err(Skip::Denied),
            _ => Ok(()),
        }
    }

    #[inline]
    fn may_write(&self, address: u16) -> Result<(), Skip> {
        self.permitted(Operation::Write, address)?;
        if self.settings.writes_enabled { Ok(()) } else { Err(Skip::Disabled) }
    }

    #[inline]
    fn read(&mut self, address: u16) -> Result<u32, Skip> {
        self.permitted(Operation::Read, address)?;
        if (TPP_FIELDS..TPP_FIELDS + FIELDS.len() as u16).contains(&address) {
            return Ok(FIELDS[usize::from(address - TPP_FIELDS)].get(self.header).into());
        }
        if let Some((_, high)) = self.latches[..self.latched].iter().rev().find(|l| l.0 == address)
        {
            return Ok(*high);
        }
        let Value { word, high } = self.memory.read(address).ok_or(Skip::Absent)?;
        if let Some(high) = high {
            self.latches[self.latched] = (address.wrapping_add(1), high);
            self.latched += 1;
        }
        Ok(word)
    }

    #[inline]
    fn write(&mut self, address: u16, from: usize) -> Result<(), Skip> {
        self.may_write(address)?;
        Ok(self.memory.write(address, self.packet.word_at(from))?)
    }
}
