//! What an instruction touches at a hop.

use crate::header::Mode;
use crate::instruction::{Instruction, MASK_ALL_ONES, Opcode};
use crate::packet::Repr;
use crate::protection::Operation;

/// A set of bytes of packet memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bytes([u64; 4]);

impl Bytes {
    /// The bytes from `at` on; all are below 256.
    pub fn range(at: usize, length: usize) -> Self {
        let mut bytes = Self::default();
        for byte in at..at + length {
            bytes.0[byte / 64] |= 1 << (byte % 64);
        }
        bytes
    }

    pub fn add(&mut self, other: &Self) {
        for (mine, other) in self.0.iter_mut().zip(other.0) {
            *mine |= other;
        }
    }

    pub fn overlaps(&self, other: &Self) -> bool {
        self.0.iter().zip(other.0).any(|(mine, other)| mine & other != 0)
    }
}

/// The word that holds the address of a LOADI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    pub at: usize,
    pub bytes: Bytes,
}

impl Slot {
    /// The address that it holds at first, if it is one.
    pub fn address(&self, tpp: &Repr) -> Option<u16> {
        let word = tpp.words().nth(self.at / tpp.word.bytes())?;
        u16::try_from(word).ok()
    }
}

/// Which address an instruction accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// This.
    At(u16),
    /// The one that a word of packet memory holds.
    Word(Slot),
}

/// What an instruction touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Footprint {
    pub opcode: Opcode,
    pub target: Target,
    /// Packet memory that it reads.
    pub reads: Bytes,
    /// Packet memory that it may write.
    pub writes: Bytes,
}

impl Footprint {
    /// What it does with switch memory.
    pub fn operations(&self) -> impl Iterator<Item = Operation> + use<> {
        let opcode = self.opcode;
        [(opcode.reads(), Operation::Read), (opcode.writes(), Operation::Write)]
            .into_iter()
            .filter_map(|(does, operation)| does.then_some(operation))
    }

    /// Of an instruction with this base and stack pointer, and the stack pointer behind it. No footprint
    /// has an instruction that is skipped, or does nothing, whatever the switch has.
    pub fn of(
        instruction: Instruction,
        tpp: &Repr,
        report_back: bool,
        base: usize,
        stack_pointer: isize,
    ) -> (Option<Self>, isize) {
        let size = tpp.word.bytes();
        let length = tpp.memory.len();
        let Some(opcode) = instruction.opcode() else { return (None, stack_pointer) };
        let base = if tpp.mode == Mode::Hop { base } else { 0 };
        let place = |operand: u8| base + usize::from(operand) * size;
        let part =
            |at: usize, bytes: usize| (at + bytes <= length).then(|| Bytes::range(at, bytes));
        let stack = |at: isize| usize::try_from(at).ok().and_then(|at| part(at, size));
        let (first, second) = (place(instruction.first()), place(instruction.second()));
        let none = Some(Bytes::default());
        let mut target = Target::At(instruction.address());
        let mut behind = stack_pointer;
        let (reads, writes) = match opcode {
            Opcode::Nop => return (None, stack_pointer),
            Opcode::Load => (none, part(first, size)),
            Opcode::Store => (part(first, size), none),
            Opcode::Push => {
                behind += size as isize;
                (none, stack(stack_pointer))
            }
            Opcode::Pop => {
                behind -= size as isize;
                (stack(behind), none)
            }
            Opcode::Cstore => {
                let (old, new) = (part(first, size), part(second, size));
                (both(old, new), if report_back { old } else { none })
            }
            Opcode::Cexec if instruction.first() == MASK_ALL_ONES => (part(second, 4), none),
            Opcode::Cexec => (both(part(first, 4), part(second, 4)), none),
            Opcode::Loadi => {
                let address = part(second, size);
                if let Some(bytes) = address {
                    target = Target::Word(Slot { at: second, bytes });
                }
                (address, part(first, size))
            }
        };
        let footprint = match (reads, writes) {
            (Some(reads), Some(writes)) => Some(Self { opcode, target, reads, writes }),
            _ => None,
        };
        (footprint, behind)
    }
}

fn both(a: Option<Bytes>, b: Option<Bytes>) -> Option<Bytes> {
    let mut all = a?;
    all.add(&b?);
    Some(all)
}
