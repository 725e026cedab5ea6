//! [`Program`] to TPP: where immediates go, and how much packet memory it takes.
//!
//! Packet memory in stack mode: the words that operands name, then immediates, then the stack. In hop mode
//! each hop has a block of the words that operands name and then immediates, for operands count from the
//! block; the stack, if there is one, is behind the last block.

use super::{Code, Mistake, Operand, Program, Span, Statement};
use crate::header::{MAX_MEMORY, Mode, WordSize};
use crate::instruction::{Instruction, MASK_ALL_ONES, MAX_INSTRUCTIONS, MAX_OPERAND, Opcode};
use crate::packet::Repr;

/// How the stack moves at a hop, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Movement {
    /// What a hop leaves on the stack at most, wherever a CEXEC may end it.
    growth: usize,
    /// The most that is on it meanwhile.
    peak: usize,
}

impl Program {
    /// Makes the TPP.
    ///
    /// # Errors
    /// The first thing that does not fit.
    pub fn layout(&self) -> Result<Repr, Mistake> {
        if let Some(statement) = self.statements.get(MAX_INSTRUCTIONS) {
            let message = format!(
                "a TPP has at most {MAX_INSTRUCTIONS} instructions, this program {}",
                self.statements.len()
            );
            return Err(Mistake::new(statement.span, message)
                .help("`ww tpp split` makes several TPPs of it"));
        }
        let size = self.word.bytes();
        for (value, what) in [
            (self.stack_pointer, "the stack pointer"),
            (self.hop_length.filter(|_| self.mode == Mode::Hop), "the per-hop length"),
            (self.length, "the length of packet memory"),
        ] {
            if let Some((value, span)) = value
                && !usize::from(value).is_multiple_of(size)
            {
                let message = format!("{what} is {value} bytes and must be a multiple of {size}");
                return Err(Mistake::new(span, message));
            }
        }
        let block = self.block()?;
        let movement = self.movement()?;
        let (hops, blocks) = self.hops(&block, movement)?;
        let end_of_blocks = blocks * block.words * size;
        let stack_pointer = match self.stack_pointer {
            Some((value, span)) => {
                if block.immediates > 0 && usize::from(value) < end_of_blocks {
                    let message = format!("immediates take the first {end_of_blocks} bytes");
                    return Err(Mistake::new(span, message));
                }
                value.into()
            }
            None => end_of_blocks,
        };
        let needed = |hops: usize| {
            let blocks = if self.mode == Mode::Hop { hops } else { 1 };
            let bottom = match self.stack_pointer {
                Some((value, _)) => value.into(),
                None => blocks * block.words * size,
            };
            let top = (hops.saturating_sub(1) * movement.growth + movement.peak) * size;
            (bottom + top).max(blocks * block.words * size)
        };
        let length = match self.length {
            Some((length, _)) => length.into(),
            None => needed(hops),
        };
        let first =
            self.statements.first().map_or(Span { line: 1, column: 1, length: 0 }, |s| s.span);
        if length > MAX_MEMORY {
            let most = (0..hops).rev().find(|hops| needed(*hops) <= MAX_MEMORY).unwrap_or(0);
            let message = format!(
                "packet memory for {hops} hops takes {length} bytes; there are at most {MAX_MEMORY}"
            );
            let help = match most {
                0 => "`ww tpp split` makes several TPPs of it".to_owned(),
                _ => format!("{most} hops fit; `ww tpp split` makes several TPPs of it"),
            };
            return Err(Mistake::new(first, message).help(help));
        }
        if stack_pointer > length {
            let span = self.stack_pointer.or(self.length).map_or(first, |(_, span)| span);
            let message = format!(
                "the stack pointer {stack_pointer} is beyond packet memory of {length} bytes"
            );
            return Err(Mistake::new(span, message));
        }
        if block.immediates > 0 && end_of_blocks > length {
            let span = self.length.map_or(first, |(_, span)| span);
            let message =
                format!("immediates need {end_of_blocks} bytes, packet memory has {length}");
            return Err(Mistake::new(span, message));
        }
        let memory = self.fill(&block, blocks, length, first)?;
        Ok(Repr {
            mode: self.mode,
            word: self.word,
            marks: self.marks,
            hop: self.hop,
            stack_pointer: stack_pointer as u8,
            hop_length: match (self.hop_length, self.mode) {
                (Some((given, _)), _) => given,
                (None, Mode::Hop) => (block.words * size) as u8,
                (None, Mode::Stack) => 0,
            },
            app_tag: self.app_tag,
            protocol: self.protocol,
            instructions: block.code,
            memory,
        })
    }

    /// Which words a block has: encodes the instructions, places immediates.
    fn block(&self) -> Result<Block, Mistake> {
        let mut named = 0;
        let mut immediates = 0;
        for Statement { code, .. } in &self.statements {
            let Code::Plain { opcode, first, second, .. } = code else { continue };
            let words = words_of(*opcode, self.word);
            for operand in [first, second] {
                match operand {
                    Operand::Word(index) => named = named.max(usize::from(*index) + words),
                    Operand::Immediate(_) => immediates += words,
                    Operand::None | Operand::AllOnes => {}
                }
            }
        }
        if self.mode == Mode::Stack {
            named = named.max(self.memory.len());
        } else if let Some((given, span)) = self.hop_length {
            let words = usize::from(given) / self.word.bytes();
            let enough = words >= immediates + if immediates > 0 { named } else { 0 };
            if !enough {
                let needed = (immediates + named) * self.word.bytes();
                let message = format!("a hop needs {needed} bytes, not {given}");
                return Err(Mistake::new(span, message));
            }
            named = words - immediates;
        }
        let mut block =
            Block { immediates, words: named + immediates, placed: Vec::new(), code: Vec::new() };
        let mut next = named;
        for Statement { code, span } in &self.statements {
            block.code.push(match *code {
                Code::Raw(word) => Instruction(word),
                Code::Plain { opcode, address, first, second } => {
                    let words = words_of(opcode, self.word);
                    let mut slot = |operand, most| -> Result<u8, Mistake> {
                        Ok(match operand {
                            Operand::None => 0,
                            Operand::Word(index) => index,
                            Operand::AllOnes => MASK_ALL_ONES,
                            Operand::Immediate(value) => {
                                let at = next;
                                next += words;
                                if at > usize::from(most) {
                                    let message = format!(
                                        "no word is left for the number {value:#x}: operands reach words 0 to {most}"
                                    );
                                    return Err(Mistake::new(*span, message));
                                }
                                if words == 2 {
                                    block.placed.push((at, value >> 16));
                                    block.placed.push((at + 1, value & 0xffff));
                                } else {
                                    block.placed.push((at, value));
                                }
                                at as u8
                            }
                        })
                    };
                    let most = if opcode == Opcode::Cexec { MASK_ALL_ONES - 1 } else { MAX_OPERAND };
                    let first = slot(first, most)?;
                    let second = slot(second, MAX_OPERAND)?;
                    Instruction::new(opcode, address, first, second)
                }
            });
        }
        Ok(block)
    }

    fn movement(&self) -> Result<Movement, Mistake> {
        let (mut depth, mut growth, mut peak) = (0isize, 0, 0);
        for Statement { code, span } in &self.statements {
            let opcode = match *code {
                Code::Raw(word) => Instruction(word).opcode(),
                Code::Plain { opcode, .. } => Some(opcode),
            };
            match opcode {
                Some(Opcode::Push) => depth += 1,
                Some(Opcode::Pop) => depth -= 1,
                Some(Opcode::Cexec) => growth = growth.max(depth),
                _ => {}
            }
            peak = peak.max(depth);
            if depth < 0 && self.stack_pointer.is_none() {
                return Err(Mistake::new(*span, "there is nothing on the stack to pop")
                    .help("push first, or fill packet memory with .memory and set .sp"));
            }
        }
        let growth = growth.max(depth).max(0) as usize;
        Ok(Movement { growth, peak: peak as usize })
    }

    /// The number of hops and of blocks.
    fn hops(&self, block: &Block, movement: Movement) -> Result<(usize, usize), Mistake> {
        let needed = movement.growth > 0 || self.mode == Mode::Hop && block.words > 0;
        if let (Some((length, _)), Mode::Hop) = (self.length, self.mode) {
            let bytes = (block.words * self.word.bytes()).max(1);
            let fit = usize::from(length) / bytes;
            let blocks = self.hops.map_or(fit, |hops| fit.min(hops.into()));
            return Ok((blocks, blocks));
        }
        let hops = match self.hops {
            None if needed && self.length.is_none() => {
                let span = self.statements.first().map(|s| s.span).unwrap_or_default();
                return Err(Mistake::new(span, "for how many hops is packet memory to be?")
                    .help("write .hops N, or --hops N on the command line"));
            }
            hops => usize::from(hops.unwrap_or(1)),
        };
        Ok((hops, if self.mode == Mode::Hop { hops } else { 1 }))
    }

    /// Packet memory: immediates in each block, and the words of `.memory` around them.
    fn fill(
        &self,
        block: &Block,
        blocks: usize,
        length: usize,
        first: Span,
    ) -> Result<Vec<u8>, Mistake> {
        let size = self.word.bytes();
        let mut words: Vec<Option<u32>> = vec![None; length / size];
        for number in 0..blocks {
            for (at, value) in &block.placed {
                if let Some(word) = words.get_mut(number * block.words + at) {
                    *word = Some(*value);
                }
            }
        }
        let free = words.iter_mut().filter(|word| word.is_none());
        let mut given = self.memory.iter();
        for (word, value) in free.zip(given.by_ref()) {
            *word = Some(*value);
        }
        if given.next().is_some() {
            let message = format!(
                ".memory has {} words, and there is room for {}",
                self.memory.len(),
                length / size - blocks * block.immediates
            );
            return Err(Mistake::new(first, message));
        }
        let bytes = words.into_iter().map(Option::unwrap_or_default);
        Ok(bytes.flat_map(|word| word.to_be_bytes()[4 - size..].to_vec()).collect())
    }
}

/// Words that an operand of this opcode takes: masks and values of CEXEC have 32 bits.
fn words_of(opcode: Opcode, word: WordSize) -> usize {
    if opcode == Opcode::Cexec && word == WordSize::Two { 2 } else { 1 }
}

/// What a hop's block is made of (in stack mode there is one block for all hops).
struct Block {
    /// Words of immediates, at the end.
    immediates: usize,
    /// All words.
    words: usize,
    /// Where immediates are, and their words.
    placed: Vec<(usize, u32)>,
    /// The instructions.
    code: Vec<Instruction>,
}
