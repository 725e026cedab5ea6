//! TPP to text. Assembling the text gives the same bytes.

use crate::header::{DEFAULT_PROTOCOL, Mode, WordSize, flag};
use crate::instruction::{Instruction, MASK_ALL_ONES, Opcode};
use crate::map;
use crate::packet::Repr;
use std::fmt::Write as _;

/// Words of packet memory in a line.
const WORDS_IN_LINE: usize = 8;

/// The program of a TPP, with directives for all that instructions do not say.
pub fn disassemble(tpp: &Repr) -> String {
    let mut text = format!(".word {}\n.mode {}\n", tpp.word.bits(), tpp.mode.word());
    let mut directive = |name: &str, value: u16, default: u16| {
        if value != default {
            let _ = writeln!(text, ".{name} {value}");
        }
    };
    directive("length", tpp.memory.len() as u16, u16::MAX);
    directive("sp", tpp.stack_pointer.into(), u16::MAX);
    // In hop mode the layout would count it anew.
    let never = if tpp.mode == Mode::Hop { u16::MAX } else { 0 };
    directive("hop-length", tpp.hop_length.into(), never);
    directive("hop", tpp.hop.into(), 0);
    directive("app", tpp.app_tag.into(), 0);
    if tpp.protocol != DEFAULT_PROTOCOL {
        let _ = writeln!(text, ".protocol 0x{:04x}", tpp.protocol);
    }
    for (bit, name) in [
        (flag::REFLECT, "reflect"),
        (flag::REPORT_BACK, "report-back"),
        (flag::STANDALONE, "standalone"),
        (flag::DONE, "done"),
    ] {
        if tpp.marks & bit != 0 {
            let _ = writeln!(text, ".{name}");
        }
    }
    for word in &tpp.instructions {
        text += &line(*word, tpp.mode);
        text.push('\n');
    }
    let words: Vec<u32> = tpp.words().collect();
    let used = words.iter().rposition(|word| *word != 0).map_or(0, |last| last + 1);
    let digits = if tpp.word == WordSize::Two { 4 } else { 8 };
    for row in words[..used].chunks(WORDS_IN_LINE) {
        let row: Vec<String> = row.iter().map(|word| format!("0x{word:0digits$x}")).collect();
        let _ = writeln!(text, ".memory {}", row.join(", "));
    }
    text
}

/// One instruction.
pub fn line(instruction: Instruction, mode: Mode) -> String {
    let raw = format!(".instruction 0x{:08x}", instruction.0);
    let Some(opcode) = instruction.opcode().filter(|_| instruction.is_plain()) else { return raw };
    let address = match map::name(instruction.address()) {
        Some(name) => format!("[{name}]"),
        None => format!("[0x{:04x}]", instruction.address()),
    };
    let packet = |index: u8| match mode {
        Mode::Hop => format!("[Packet:Hop[{index}]]"),
        Mode::Stack => format!("[Packet:Word[{index}]]"),
    };
    let (first, second) = (packet(instruction.first()), packet(instruction.second()));
    let operands = match opcode {
        Opcode::Nop => String::new(),
        Opcode::Load | Opcode::Store => format!(" {address}, {first}"),
        Opcode::Push | Opcode::Pop => format!(" {address}"),
        Opcode::Cexec if instruction.first() == MASK_ALL_ONES => format!(" {address}, {second}"),
        Opcode::Cstore | Opcode::Cexec => format!(" {address}, {first}, {second}"),
        Opcode::Loadi => format!(" {second}, {first}"),
    };
    format!("{}{operands}", opcode.mnemonic())
}
