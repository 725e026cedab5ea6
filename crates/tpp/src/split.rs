//! Splitting a program that one TPP cannot hold: too many instructions, too much memory, or hazards.
//!
//! The parts are TPPs in hop mode that are sent one after the other; PUSH and POP become LOAD and STORE of a
//! fixed word of the hop's block. The host keeps an *image*: for each hop, the words that the whole program
//! has there. It fills a part's packet memory from the image, sends it, and takes what comes back into the
//! image. After the last part the image holds what the program would have left, on switches that nobody else
//! changes meanwhile. What one packet would have seen at one moment is seen at several.
//!
//! One thing differs: where a PUSH is skipped because its address does not exist, a whole program finds in
//! that word what an earlier hop left on the stack, if it left something; a part finds what the image has.
//!
//! CEXEC instructions are repeated in every later part, for they guard all that follows them.

use crate::analyse::hazard::hazards;
use crate::assemble::{Code, Operand, Program, Statement};
use crate::header::{
    APP_TAG, FIELDS, HEADER_LENGTH, HOP, MAX_MEMORY, Mode, PROTOCOL, WordSize, flag,
};
use crate::instruction::{
    INSTRUCTION_LENGTH, Instruction, MASK_ALL_ONES, MAX_INSTRUCTIONS, MAX_OPERAND, Opcode,
};
use crate::map::Stages;
use crate::map::table::TPP_FIELDS;
use crate::packet::Repr;
use std::collections::BTreeSet;
use std::fmt;

/// What a word of the image is in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// `Packet:Hop[N]`, or in stack mode `Packet:Word[N]`.
    Named(usize),
    /// An immediate.
    Immediate,
    /// The word at this depth of what the hop pushes, from 0.
    Stack(usize),
}

/// The words of the whole program: by hop, and then as in [`Split::origins`].
pub type Image = Vec<Vec<u32>>;

/// One TPP of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its instructions.
    pub instructions: Vec<Instruction>,
    /// For each word of its block, the word of the image.
    pub words: Vec<usize>,
    /// The statements of the program that it executes, from 0; repeated guards included.
    pub statements: Vec<usize>,
}

/// A program in parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// The TPPs, in the order in which they are to be sent.
    pub parts: Vec<Part>,
    /// What the words of the image are.
    pub origins: Vec<Origin>,
    /// The image before the first part.
    pub image: Image,
    word: WordSize,
    marks: u8,
    app_tag: u8,
    protocol: u16,
}

/// Why a program cannot be split. Statements are numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CannotSplit {
    /// Nobody says for how many hops, or for none.
    Hops,
    /// A statement is given as a number, or the program sets stack pointer or lengths itself.
    Layout,
    /// A POP without a PUSH at the same hop.
    EmptyStack(usize),
    /// A statement writes a word of packet memory that all hops share.
    SharedWord(usize),
    /// The program has more words than operands can name.
    TooManyWords,
    /// A statement, with the guards before it, does not fit into a TPP of that size.
    Room(usize),
    /// A statement conflicts with the guards before it, which must be in the same TPP.
    Guard(usize),
    /// A statement changes what a guard before it looks at, so that the guard cannot be repeated behind it.
    GuardChanged(usize),
    /// A LOADI's address is made by the program itself.
    Address(usize),
    /// A statement reads a field of the TPP that is another one in the parts.
    OwnField(usize),
}

impl fmt::Display for CannotSplit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hops => f.write_str("say for how many hops, 1 to 255"),
            Self::Layout => f.write_str(
                "programs with .instruction, .sp, .hop-length, .length, .hop or .done cannot be split",
            ),
            Self::EmptyStack(n) => {
                write!(f, "instruction {}: nothing was pushed at the same hop", n + 1)
            }
            Self::SharedWord(n) => write!(
                f,
                "instruction {}: writes a word that all hops share; use hop mode",
                n + 1
            ),
            Self::TooManyWords => write!(f, "a hop needs more than {MAX_OPERAND} words"),
            Self::Room(n) => write!(
                f,
                "instruction {}: does not fit, with the guards before it, into a TPP for so many hops",
                n + 1
            ),
            Self::Guard(n) => write!(
                f,
                "instruction {}: its stage is before that of a CEXEC that guards it",
                n + 1
            ),
            Self::GuardChanged(n) => write!(
                f,
                "instruction {}: changes what a CEXEC before it looks at, and the program goes on in another TPP",
                n + 1
            ),
            Self::OwnField(n) => {
                write!(f, "instruction {}: reads a field of the TPP that splitting changes", n + 1)
            }
            Self::Address(n) => {
                write!(f, "instruction {}: the program itself makes the address of this LOADI", n + 1)
            }
        }
    }
}

impl std::error::Error for CannotSplit {}

/// A statement with its words in the image.
#[derive(Clone, Debug)]
struct Step {
    statement: usize,
    opcode: Opcode,
    address: u16,
    /// Operand 1, its first word.
    first: Option<usize>,
    /// Operand 2, its first word.
    second: Option<usize>,
    /// Words of each operand.
    words: usize,
}

impl Step {
    fn operands(&self) -> impl Iterator<Item = usize> + '_ {
        [self.first, self.second].into_iter().flatten().flat_map(|at| at..at + self.words)
    }

    /// Words that it may write.
    fn writes(&self, report_back: bool) -> Option<usize> {
        match self.opcode {
            Opcode::Load | Opcode::Loadi => self.first,
            Opcode::Cstore if report_back => self.first,
            _ => None,
        }
    }
}

impl Split {
    /// Splits a program into TPPs of at most `room` bytes each, header included, for the program's hops,
    /// such that none has a hazard in a pipeline of these stages.
    ///
    /// # Errors
    /// The first reason why that is not possible.
    pub fn new(program: &Program, room: usize, stages: &Stages) -> Result<Self, CannotSplit> {
        let hops = usize::from(program.hops.unwrap_or(0));
        if hops == 0 || hops > 255 {
            return Err(CannotSplit::Hops);
        }
        let given = program.stack_pointer.is_some()
            || program.hop_length.is_some()
            || program.length.is_some()
            || program.hop != 0
            || program.marks & flag::DONE != 0;
        if given {
            return Err(CannotSplit::Layout);
        }
        let (origins, values, steps) = steps(program)?;
        let mut split = Self {
            parts: Vec::new(),
            image: image(program, &origins, &values, hops),
            origins,
            word: program.word,
            marks: program.marks,
            app_tag: program.app_tag,
            protocol: program.protocol,
        };
        split.cut(&steps, room, stages)?;
        Ok(split)
    }

    fn cut(&mut self, steps: &[Step], room: usize, stages: &Stages) -> Result<(), CannotSplit> {
        let report_back = self.marks & flag::REPORT_BACK != 0;
        let mut guards: Vec<&Step> = Vec::new();
        let mut current: Vec<&Step> = Vec::new();
        let mut begin = 0;
        for (number, step) in steps.iter().enumerate() {
            if own_field(step.address) {
                return Err(CannotSplit::OwnField(step.statement));
            }
            if step.opcode == Opcode::Loadi {
                let made = |earlier: &Step| {
                    earlier.writes(report_back).is_some_and(|word| step.second == Some(word))
                };
                if steps[..number].iter().any(made) {
                    return Err(CannotSplit::Address(step.statement));
                }
            }
            current.push(step);
            if self.judge(&current, room, stages) != Verdict::Good {
                current.pop();
                self.close(&current);
                let between = |guard: &Step| {
                    let behind = steps[..number].iter().filter(|s| s.statement > guard.statement);
                    behind.filter(|s| changes(s, guard, report_back)).map(|s| s.statement).next()
                };
                if let Some(changed) = guards.iter().find_map(|guard| between(guard)) {
                    return Err(CannotSplit::GuardChanged(changed));
                }
                current = guards.clone();
                begin = current.len();
                current.push(step);
                match self.judge(&current, room, stages) {
                    Verdict::Good => {}
                    Verdict::Room => return Err(CannotSplit::Room(step.statement)),
                    Verdict::Hazard => return Err(CannotSplit::Guard(step.statement)),
                }
            }
            if step.opcode == Opcode::Cexec {
                guards.push(step);
            }
        }
        if current.len() > begin {
            self.close(&current);
        }
        Ok(())
    }

    /// Makes a part of these steps, without guards that guard nothing.
    fn close(&mut self, steps: &[&Step]) {
        let last = steps.iter().rposition(|step| step.opcode != Opcode::Cexec);
        if let Some(last) = last {
            self.parts.push(part(&steps[..=last]));
        }
    }

    fn judge(&self, steps: &[&Step], room: usize, stages: &Stages) -> Verdict {
        let part = part(steps);
        let memory = part.words.len() * self.word.bytes() * self.image.len();
        let length = HEADER_LENGTH + INSTRUCTION_LENGTH * steps.len() + memory;
        if steps.len() > MAX_INSTRUCTIONS || memory > MAX_MEMORY || length > room {
            return Verdict::Room;
        }
        match hazards(&self.fill(&part, &self.image), stages).is_empty() {
            true => Verdict::Good,
            false => Verdict::Hazard,
        }
    }

    /// The TPP of a part, with packet memory from an image.
    pub fn fill(&self, part: &Part, image: &Image) -> Repr {
        let size = self.word.bytes();
        let words = image.iter().flat_map(|hop| part.words.iter().map(|word| hop[*word]));
        Repr {
            mode: Mode::Hop,
            word: self.word,
            marks: self.marks,
            hop_length: (part.words.len() * size) as u8,
            app_tag: self.app_tag,
            protocol: self.protocol,
            instructions: part.instructions.clone(),
            memory: words.flat_map(|word| word.to_be_bytes()[4 - size..].to_vec()).collect(),
            ..Repr::default()
        }
    }

    /// Takes what came back of a part into an image. Words of another TPP are passed over.
    pub fn collect(&self, part: &Part, tpp: &Repr, image: &mut Image) {
        let mut words = tpp.words();
        for hop in image {
            for at in &part.words {
                let Some(word) = words.next() else { return };
                hop[*at] = word;
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Good,
    Room,
    Hazard,
}

/// Whether the address is a field of the TPP's header that differs in the parts. Which fields a LOADI reads is
/// not looked at.
fn own_field(address: u16) -> bool {
    let field = address.checked_sub(TPP_FIELDS).and_then(|at| FIELDS.get(usize::from(at)));
    let same = [HOP.name, APP_TAG.name, PROTOCOL.name];
    field.is_some_and(|field| !same.contains(&field.name))
}

/// Whether a step changes what a guard looks at.
fn changes(step: &Step, guard: &Step, report_back: bool) -> bool {
    let location = step.opcode.writes() && step.address == guard.address;
    let written = step.writes(report_back);
    location || written.is_some_and(|word| guard.operands().any(|operand| operand == word))
}

/// Encodes steps with the words that they use, in the order of the image, so that two words of one
/// operand stay together.
fn part(steps: &[&Step]) -> Part {
    let used: BTreeSet<usize> = steps.iter().flat_map(|step| step.operands()).collect();
    let words: Vec<usize> = used.into_iter().collect();
    let place = |word: Option<usize>| match word {
        // All words of the image can be named, so those of a part can.
        Some(word) => words.binary_search(&word).expect("a used word") as u8,
        None => 0,
    };
    let instructions = steps.iter().map(|step| {
        let first = match (step.opcode, step.first) {
            (Opcode::Cexec, None) => MASK_ALL_ONES,
            (_, first) => place(first),
        };
        Instruction::new(step.opcode, step.address, first, place(step.second))
    });
    Part {
        instructions: instructions.collect(),
        statements: steps.iter().map(|step| step.statement).collect(),
        words,
    }
}

/// The words of the program, immediates' values, and the steps.
type Words = (Vec<Origin>, Vec<u32>, Vec<Step>);

fn steps(program: &Program) -> Result<Words, CannotSplit> {
    let long = if program.word == WordSize::Two { 2 } else { 1 };
    let mut named = 0;
    for Statement { code, .. } in &program.statements {
        let Code::Plain { opcode, first, second, .. } = code else {
            return Err(CannotSplit::Layout);
        };
        let words = if *opcode == Opcode::Cexec { long } else { 1 };
        for operand in [first, second] {
            if let Operand::Word(index) = operand {
                named = named.max(usize::from(*index) + words);
            }
        }
    }
    let mut origins: Vec<Origin> = (0..named).map(Origin::Named).collect();
    let mut values = Vec::new();
    let mut stack: Vec<usize> = Vec::new();
    let mut depth = 0;
    let mut steps = Vec::new();
    for (statement, Statement { code, .. }) in program.statements.iter().enumerate() {
        let Code::Plain { opcode, address, first, second } = *code else { continue };
        let words = if opcode == Opcode::Cexec { long } else { 1 };
        let mut word = |operand| match operand {
            Operand::None | Operand::AllOnes => None,
            Operand::Word(index) => Some(usize::from(index)),
            Operand::Immediate(value) => {
                let at = origins.len();
                origins.extend(vec![Origin::Immediate; words]);
                match words {
                    2 => values.extend([value >> 16, value & 0xffff]),
                    _ => values.push(value),
                }
                Some(at)
            }
        };
        let (mut first, second) = (word(first), word(second));
        let mut opcode = opcode;
        match opcode {
            Opcode::Nop => continue,
            Opcode::Push => {
                if depth == stack.len() {
                    stack.push(origins.len());
                    origins.push(Origin::Stack(depth));
                    values.push(0);
                }
                (opcode, first) = (Opcode::Load, Some(stack[depth]));
                depth += 1;
            }
            Opcode::Pop => {
                depth = depth.checked_sub(1).ok_or(CannotSplit::EmptyStack(statement))?;
                (opcode, first) = (Opcode::Store, Some(stack[depth]));
            }
            _ => {}
        }
        let step = Step { statement, opcode, address, first, second, words };
        let shared =
            |at: usize| program.mode == Mode::Stack && !matches!(origins[at], Origin::Stack(_));
        if step.writes(program.marks & flag::REPORT_BACK != 0).is_some_and(shared) {
            return Err(CannotSplit::SharedWord(statement));
        }
        steps.push(step);
    }
    if origins.len() > usize::from(MAX_OPERAND) {
        return Err(CannotSplit::TooManyWords);
    }
    Ok((origins, values, steps))
}

/// The image at the beginning: the words of `.memory`, and immediates. `values` are those of the words that
/// have no name.
fn image(program: &Program, origins: &[Origin], values: &[u32], hops: usize) -> Image {
    let named = origins.len() - values.len();
    let hop = |hop: usize| {
        let from = if program.mode == Mode::Hop { hop * named } else { 0 };
        let word = |at: usize| program.memory.get(from + at).copied().unwrap_or(0);
        (0..named).map(word).chain(values.iter().copied()).collect()
    };
    (0..hops).map(hop).collect()
}
