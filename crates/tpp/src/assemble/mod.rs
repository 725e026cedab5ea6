//! The assembler: text to TPP, with all mistakes at once.
//!
//! [`parse`](Program::parse) reads a program, of any number of instructions; [`layout`](Program::layout) places
//! immediates, sizes packet memory and makes a TPP of at most five. The language is described in
//! `docs/tpp.md`.

mod layout;
mod mistake;
mod operand;
mod parse;

pub use mistake::{Mistake, render};

use crate::header::{Mode, WordSize};
use crate::instruction::Opcode;
use crate::packet::Repr;

/// Bytes of the longest text that is read.
pub const MAX_TEXT: usize = 1 << 20;

/// Instructions that a program may have, before it is split.
pub const MAX_PROGRAM: usize = 1000;

/// What the command line or the API says; it wins over the program's directives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The word size; 32 bits if nobody says.
    pub word: Option<WordSize>,
    /// The mode; if nobody says, hop for a program with `Packet:Hop` operands and stack for others.
    pub mode: Option<Mode>,
    /// Hops that packet memory is sized for.
    pub hops: Option<u16>,
    /// The application's tag; 0 if nobody says.
    pub app_tag: Option<u8>,
}

/// A place in a text: line and column from 1, in characters, and how many characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Span {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
    /// The number of characters.
    pub length: usize,
}

/// An operand in packet memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// The opcode takes none.
    None,
    /// A word: of the hop's block in hop mode, of the whole memory in stack mode.
    Word(u8),
    /// A mask of all ones, without a word.
    AllOnes,
    /// A value that is placed in packet memory.
    Immediate(u32),
}

/// An instruction of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub code: Code,
}

/// What a statement says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// An instruction word as a number.
    Raw(u32),
    /// A mnemonic with operands.
    Plain {
        /// The opcode.
        opcode: Opcode,
        /// The address in switch memory, 0 if there is none.
        address: u16,
        /// Operand 1.
        first: Operand,
        /// Operand 2.
        second: Operand,
    },
}

/// A program that has been read.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Program {
    /// The word size.
    pub word: WordSize,
    /// The mode.
    pub mode: Mode,
    /// Hops that packet memory is sized for, if somebody says.
    pub hops: Option<u16>,
    /// [`crate::packet::MARKS`].
    pub marks: u8,
    /// The application's tag.
    pub app_tag: u8,
    /// The hop number to begin with.
    pub hop: u8,
    /// The EtherType of what follows.
    pub protocol: u16,
    /// Instead of what the layout makes: the stack pointer to begin with,
    pub stack_pointer: Option<(u8, Span)>,
    /// the bytes a hop,
    pub hop_length: Option<(u8, Span)>,
    /// the bytes of packet memory.
    pub length: Option<(u8, Span)>,
    /// Words that packet memory begins with; immediates are not among them.
    pub memory: Vec<u32>,
    /// The instructions.
    pub statements: Vec<Statement>,
}

/// Assembles a program.
///
/// # Errors
/// All mistakes, in the order of their places.
pub fn assemble(text: &str, options: &Options) -> Result<Repr, Vec<Mistake>> {
    Program::parse(text, options)?.layout().map_err(|mistake| vec![mistake])
}
