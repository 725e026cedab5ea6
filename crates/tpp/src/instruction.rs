//! The instruction set and the 32-bit instruction word.
//!
//! ```text
//! 31   28 27                    12 11        6 5         0
//! opcode  switch address           operand 1   operand 2
//! ```
//!
//! The switch address is a word address of [`crate::map`]. An operand is a word offset into packet
//! memory, counted from the current hop's block in hop mode. The paper fixes no encoding; this one
//! holds every pattern of operands that it uses.

/// Instructions that a TPP may have at most.
pub const MAX_INSTRUCTIONS: usize = 5;

/// Bytes of an instruction.
pub const INSTRUCTION_LENGTH: usize = 4;

/// Operand 1 of CEXEC with this value means a mask of all ones, and no word of packet memory.
pub const MASK_ALL_ONES: u8 = 63;

/// The largest operand: 64 words can be named.
pub const MAX_OPERAND: u8 = 63;

/// What an instruction does. `mem` is switch memory, `pkt` packet memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Opcode {
    /// Nothing.
    Nop = 0,
    /// `pkt[operand 1] = mem[address]`.
    Load = 1,
    /// `mem[address] = pkt[operand 1]`.
    Store = 2,
    /// `pkt[SP] = mem[address]`, then SP goes up by a word.
    Push = 3,
    /// SP goes down by a word, then `mem[address] = pkt[SP]`.
    Pop = 4,
    /// If `mem[address] == pkt[operand 1]`, then `mem[address] = pkt[operand 2]`, in one step.
    Cstore = 5,
    /// Unless `mem[address] & mask == value`, nothing that follows is executed at this hop. The mask
    /// is in operand 1 and the value in operand 2, 32 bits each.
    Cexec = 6,
    /// `pkt[operand 1] = mem[pkt[operand 2]]`.
    Loadi = 7,
}

impl Opcode {
    /// All, by number.
    pub const ALL: [Self; 8] = [
        Self::Nop,
        Self::Load,
        Self::Store,
        Self::Push,
        Self::Pop,
        Self::Cstore,
        Self::Cexec,
        Self::Loadi,
    ];

    /// The word of the assembler.
    pub const fn mnemonic(self) -> &'static str {
        match self {
            Self::Nop => "NOP",
            Self::Load => "LOAD",
            Self::Store => "STORE",
            Self::Push => "PUSH",
            Self::Pop => "POP",
            Self::Cstore => "CSTORE",
            Self::Cexec => "CEXEC",
            Self::Loadi => "LOADI",
        }
    }

    /// Whether it reads switch memory.
    pub const fn reads(self) -> bool {
        matches!(self, Self::Load | Self::Push | Self::Cstore | Self::Cexec | Self::Loadi)
    }

    /// Whether it may write switch memory.
    pub const fn writes(self) -> bool {
        matches!(self, Self::Store | Self::Pop | Self::Cstore)
    }
}

/// An instruction word, of whatever value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Instruction(pub u32);

impl Instruction {
    /// Encodes; of the operands the low 6 bits count.
    pub const fn new(opcode: Opcode, address: u16, first: u8, second: u8) -> Self {
        let operands = (first as u32 & 63) << 6 | second as u32 & 63;
        Self((opcode as u32) << 28 | (address as u32) << 12 | operands)
    }

    /// The opcode, unless it is one of 8 to 15, which are reserved and skipped.
    #[inline]
    pub const fn opcode(self) -> Option<Opcode> {
        let number = (self.0 >> 28) as usize;
        if number < Opcode::ALL.len() { Some(Opcode::ALL[number]) } else { None }
    }

    /// The address in switch memory.
    #[inline]
    pub const fn address(self) -> u16 {
        (self.0 >> 12) as u16
    }

    /// Operand 1, 0 to 63: data, the old value, or the mask.
    #[inline]
    pub const fn first(self) -> u8 {
        (self.0 >> 6) as u8 & 63
    }

    /// Operand 2, 0 to 63: the new value, the value to compare with, or the word with the address.
    #[inline]
    pub const fn second(self) -> u8 {
        self.0 as u8 & 63
    }

    /// Whether the bits that its opcode does not use are zero, so that a mnemonic with operands says all.
    pub const fn is_plain(self) -> bool {
        let unused = match self.opcode() {
            None => return false,
            Some(Opcode::Nop) => 0x0fff_ffff,
            Some(Opcode::Load | Opcode::Store) => 0x3f,
            Some(Opcode::Push | Opcode::Pop) => 0xfff,
            Some(Opcode::Cstore | Opcode::Cexec) => 0,
            Some(Opcode::Loadi) => 0x0fff_f000,
        };
        self.0 & unused == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoding() {
        // By hand: 5 | 0xd000 | 000001 | 000010 = 0101 1101000000000000 000001 000010.
        let instruction = Instruction::new(Opcode::Cstore, 0xd000, 1, 2);
        assert_eq!(instruction.0, 0b0101_1101_0000_0000_0000_0000_0100_0010);
        assert_eq!(instruction.opcode(), Some(Opcode::Cstore));
        assert_eq!(
            (instruction.address(), instruction.first(), instruction.second()),
            (0xd000, 1, 2)
        );
        assert_eq!(Instruction::new(Opcode::Push, 0xb000, 0, 0).0, 0x3b00_0000);
        assert_eq!(Instruction(0x7000_0fc1).first(), 63);
        assert_eq!(Instruction(0x8000_0000).opcode(), None);
        assert_eq!(Instruction(0xf000_0000).opcode(), None);
    }

    #[test]
    fn unused_bits() {
        assert!(Instruction(0x3b00_0000).is_plain() && !Instruction(0x3b00_0001).is_plain());
        assert!(Instruction(0x1b00_0fc0).is_plain() && !Instruction(0x1b00_0fc1).is_plain());
        assert!(Instruction(0x7000_0fff).is_plain() && !Instruction(0x7000_1fff).is_plain());
        assert!(Instruction(0).is_plain() && !Instruction(1).is_plain());
        assert!(Instruction(0x6fff_ffff).is_plain() && !Instruction(0x9000_0000).is_plain());
    }
}
