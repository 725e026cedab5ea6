//! Text to [`Program`].

use super::operand::{Piece, Written, number, number_up_to, operand};
use super::{Code, MAX_PROGRAM, MAX_TEXT, Mistake, Operand, Options, Program, Span, Statement};
use crate::header::{DEFAULT_PROTOCOL, MAX_MEMORY, Mode, WordSize, flag};
use crate::instruction::{MASK_ALL_ONES, MAX_OPERAND, Opcode};
use ww_spelling::suggestion;

/// Mistakes that are reported at most.
const MAX_MISTAKES: usize = 100;

const DIRECTIVES: [&str; 15] = [
    ".word",
    ".mode",
    ".hops",
    ".app",
    ".reflect",
    ".report-back",
    ".standalone",
    ".done",
    ".hop",
    ".protocol",
    ".sp",
    ".hop-length",
    ".length",
    ".memory",
    ".instruction",
];

impl Program {
    /// Reads a program.
    ///
    /// # Errors
    /// All mistakes in the order of their places, a hundred at most.
    pub fn parse(text: &str, options: &Options) -> Result<Self, Vec<Mistake>> {
        if text.len() > MAX_TEXT {
            let span = Span { line: 1, column: 1, length: 0 };
            let message = format!("the program has more than {MAX_TEXT} bytes");
            return Err(vec![Mistake::new(span, message)]);
        }
        let mut reader = Reader::default();
        reader.program.protocol = DEFAULT_PROTOCOL;
        for (index, line) in text.lines().enumerate() {
            if let Err(mistake) = reader.line(line, index + 1) {
                reader.mistakes.push(mistake);
            }
            if reader.mistakes.len() >= MAX_MISTAKES {
                break;
            }
        }
        reader.finish(options)
    }
}

/// A word of packet memory that an instruction names: which kind, and where.
struct Named {
    hop: bool,
    span: Span,
}

#[derive(Default)]
struct Reader {
    program: Program,
    word: Option<(WordSize, Span)>,
    mode: Option<Mode>,
    app_tag: Option<u8>,
    named: Vec<Named>,
    /// Immediates of one word, which must fit into it.
    words: Vec<(u32, Span)>,
    /// Directives that have been read; each but `.memory` and `.instruction` stands once.
    seen: Vec<String>,
    mistakes: Vec<Mistake>,
}

impl Reader {
    fn line(&mut self, line: &str, number: usize) -> Result<(), Mistake> {
        let code = line.find('#').unwrap_or(line.len()).min(line.find("//").unwrap_or(line.len()));
        let whole =
            Piece { text: &line[..code], span: Span { line: number, column: 1, length: 0 } };
        let whole = whole.part(0, code);
        if whole.text.is_empty() {
            return Ok(());
        }
        let end = whole.text.find(char::is_whitespace).unwrap_or(whole.text.len());
        let word = whole.part(0, end);
        let rest = whole.part(end, whole.text.len());
        match word.text.starts_with('.') {
            true => self.directive(word, rest),
            false => self.instruction(word, rest, whole.span),
        }
    }

    fn directive(&mut self, word: Piece, rest: Piece) -> Result<(), Mistake> {
        let name = word.text.to_ascii_lowercase();
        let several = matches!(name.as_str(), ".memory" | ".instruction");
        if !several && self.seen.contains(&name) {
            return Err(Mistake::new(word.span, format!("{name} stands here a second time")));
        }
        self.seen.push(name.clone());
        let program = &mut self.program;
        let byte = |max| number_up_to(rest, max).map(|value| value as u8);
        let mark = |flag: u8, marks: &mut u8| match rest.text.is_empty() {
            true => {
                *marks |= flag;
                Ok(())
            }
            false => Err(Mistake::new(
                rest.span,
                format!("expected nothing behind {name}, found '{}'", rest.shown()),
            )),
        };
        match name.as_str() {
            ".word" => {
                let size = match rest.text {
                    "16" => WordSize::Two,
                    "32" => WordSize::Four,
                    _ => return Err(expected(rest, "16 or 32")),
                };
                self.word = Some((size, rest.span));
            }
            ".mode" => {
                self.mode = Some(match rest.text {
                    "stack" => Mode::Stack,
                    "hop" => Mode::Hop,
                    _ => return Err(expected(rest, "stack or hop")),
                });
            }
            ".hops" => program.hops = Some(number_up_to(rest, 255)? as u16),
            ".app" => self.app_tag = Some(byte(255)?),
            ".reflect" => mark(flag::REFLECT, &mut program.marks)?,
            ".report-back" => mark(flag::REPORT_BACK, &mut program.marks)?,
            ".standalone" => mark(flag::STANDALONE, &mut program.marks)?,
            ".done" => mark(flag::DONE, &mut program.marks)?,
            ".hop" => program.hop = byte(255)?,
            ".protocol" => program.protocol = number_up_to(rest, 0xffff)? as u16,
            ".sp" => program.stack_pointer = Some((byte(MAX_MEMORY as u32)?, rest.span)),
            ".hop-length" => program.hop_length = Some((byte(255)?, rest.span)),
            ".length" => program.length = Some((byte(MAX_MEMORY as u32)?, rest.span)),
            ".memory" => {
                for piece in rest.split() {
                    let value = match operand(piece)? {
                        Written::Number(value) => value,
                        Written::Switch(address) => address.into(),
                        Written::Hop(_) | Written::Word(_) => {
                            return Err(expected(piece, "a number or the name of an address"));
                        }
                    };
                    self.words.push((value, piece.span));
                    program.memory.push(value);
                    if program.memory.len() > MAX_MEMORY / 2 {
                        let message = format!("packet memory has at most {MAX_MEMORY} bytes");
                        return Err(Mistake::new(piece.span, message));
                    }
                }
            }
            ".instruction" => {
                let code = Code::Raw(number(rest)?);
                self.push(code, rest.span)?;
            }
            _ => {
                let mistake =
                    Mistake::new(word.span, format!("there is no directive '{}'", word.shown()));
                return Err(match suggestion(&name, DIRECTIVES) {
                    Some(near) => mistake.help(format!("did you mean '{near}'?")),
                    None => mistake,
                });
            }
        }
        Ok(())
    }

    fn push(&mut self, code: Code, span: Span) -> Result<(), Mistake> {
        if self.program.statements.len() >= MAX_PROGRAM {
            let message = format!("a program has at most {MAX_PROGRAM} instructions");
            return Err(Mistake::new(span, message));
        }
        self.program.statements.push(Statement { span, code });
        Ok(())
    }

    fn instruction(&mut self, word: Piece, rest: Piece, span: Span) -> Result<(), Mistake> {
        let named = |opcode: &Opcode| opcode.mnemonic().eq_ignore_ascii_case(word.text);
        let Some(opcode) = Opcode::ALL.into_iter().find(named) else {
            let mistake =
                Mistake::new(word.span, format!("there is no instruction '{}'", word.shown()));
            return Err(match suggestion(word.text, Opcode::ALL.map(Opcode::mnemonic)) {
                Some(near) => mistake.help(format!("did you mean '{near}'?")),
                None => mistake,
            });
        };
        let pieces = rest.split();
        let form = match opcode {
            Opcode::Nop => "NOP",
            Opcode::Load => "LOAD [switch], [Packet:..]",
            Opcode::Store => "STORE [switch], [Packet:..] or number",
            Opcode::Push => "PUSH [switch]",
            Opcode::Pop => "POP [switch]",
            Opcode::Cstore => "CSTORE [switch], old, new",
            Opcode::Cexec => "CEXEC [switch], value or CEXEC [switch], mask, value",
            Opcode::Loadi => "LOADI address, [Packet:..]",
        };
        let counts = match opcode {
            Opcode::Nop => 0..=0,
            Opcode::Push | Opcode::Pop => 1..=1,
            Opcode::Load | Opcode::Store | Opcode::Loadi => 2..=2,
            Opcode::Cstore => 3..=3,
            Opcode::Cexec => 2..=3,
        };
        if !counts.contains(&pieces.len()) {
            let message =
                format!("{} has the wrong number of operands: {}", opcode.mnemonic(), pieces.len());
            return Err(Mistake::new(span, message).help(format!("write {form}")));
        }
        // All operands, so that all mistakes are seen.
        let mut written = Vec::new();
        for piece in &pieces {
            match operand(*piece) {
                Ok(operand) => written.push((operand, *piece)),
                Err(mistake) => self.mistakes.push(mistake),
            }
        }
        if written.len() < pieces.len() {
            return Ok(());
        }
        let none = Operand::None;
        let (address, first, second) = match opcode {
            Opcode::Nop => (0, none, none),
            Opcode::Push | Opcode::Pop => (switch(written[0], form)?, none, none),
            Opcode::Load => (switch(written[0], form)?, self.place(written[1], form)?, none),
            Opcode::Store => (switch(written[0], form)?, self.value(written[1], form)?, none),
            Opcode::Cstore => (
                switch(written[0], form)?,
                self.value(written[1], form)?,
                self.value(written[2], form)?,
            ),
            Opcode::Cexec if written.len() == 2 => {
                (switch(written[0], form)?, Operand::AllOnes, self.long(written[1], form)?)
            }
            Opcode::Cexec => {
                let mask = self.long(written[1], form)?;
                if mask == Operand::Word(MASK_ALL_ONES) {
                    let message = format!("word {MASK_ALL_ONES} stands for a mask of all ones");
                    return Err(Mistake::new(written[1].1.span, message)
                        .help("leave the mask out, or use another word"));
                }
                (switch(written[0], form)?, mask, self.long(written[2], form)?)
            }
            Opcode::Loadi => {
                // The name of an address stands for its number here.
                let address = match written[0] {
                    (Written::Switch(address), piece) => (Written::Number(address.into()), piece),
                    other => other,
                };
                let second = self.value(address, form)?;
                (0, self.place(written[1], form)?, second)
            }
        };
        self.push(Code::Plain { opcode, address, first, second }, span)
    }

    /// A word that is written.
    fn place(&mut self, operand: (Written, Piece), form: &str) -> Result<Operand, Mistake> {
        match operand.0 {
            Written::Hop(_) | Written::Word(_) => self.value(operand, form),
            _ => Err(expected(operand.1, "a word of packet memory").help(format!("write {form}"))),
        }
    }

    /// A word that is read, or a number of one word.
    fn value(&mut self, operand: (Written, Piece), form: &str) -> Result<Operand, Mistake> {
        let result = self.long(operand, form)?;
        if let Operand::Immediate(value) = result {
            self.words.push((value, operand.1.span));
        }
        Ok(result)
    }

    /// Words that are read, or a number of 32 bits.
    fn long(&mut self, (written, piece): (Written, Piece), form: &str) -> Result<Operand, Mistake> {
        let index = match written {
            Written::Number(value) => return Ok(Operand::Immediate(value)),
            Written::Switch(_) => {
                return Err(expected(piece, "a word of packet memory or a number")
                    .help(format!("write {form}")));
            }
            Written::Hop(index) | Written::Word(index) => index,
        };
        debug_assert!(index <= MAX_OPERAND);
        self.named.push(Named { hop: matches!(written, Written::Hop(_)), span: piece.span });
        Ok(Operand::Word(index))
    }

    fn finish(mut self, options: &Options) -> Result<Program, Vec<Mistake>> {
        let program = &mut self.program;
        program.word = options.word.or(self.word.map(|(word, _)| word)).unwrap_or_default();
        program.hops = options.hops.or(program.hops);
        program.app_tag = options.app_tag.or(self.app_tag).unwrap_or_default();
        let hop = self.named.iter().any(|named| named.hop);
        let inferred = if hop { Mode::Hop } else { Mode::Stack };
        program.mode = options.mode.or(self.mode).unwrap_or(inferred);
        for named in &self.named {
            if named.hop != (program.mode == Mode::Hop) {
                let (message, help) = match named.hop {
                    true => ("Packet:Hop is for hop mode", "write Packet:Word[N], or .mode hop"),
                    false => {
                        ("Packet:Word is for stack mode", "write Packet:Hop[N], or .mode stack")
                    }
                };
                self.mistakes.push(Mistake::new(named.span, message).help(help));
            }
        }
        for (value, span) in &self.words {
            if *value > program.word.max() {
                let message = format!("{value:#x} does not fit into a word of 16 bits");
                self.mistakes.push(Mistake::new(*span, message).help("write .word 32"));
            }
        }
        if self.mistakes.is_empty() {
            return Ok(self.program);
        }
        self.mistakes.sort_by_key(|mistake| (mistake.span.line, mistake.span.column));
        self.mistakes.truncate(MAX_MISTAKES);
        Err(self.mistakes)
    }
}

fn expected(piece: Piece, what: &str) -> Mistake {
    Mistake::new(piece.span, format!("expected {what}, found '{}'", piece.shown()))
}

fn switch((written, piece): (Written, Piece), form: &str) -> Result<u16, Mistake> {
    match written {
        Written::Switch(address) => Ok(address),
        _ => Err(expected(piece, "an address in switch memory").help(format!("write {form}"))),
    }
}
