//! Operands: `[Switch:SwitchID]`, `[0xb000]`, `[Packet:Hop[1]]`, `[Packet:Word[1]]`, `0xff`.

use super::{Mistake, Span};
use crate::instruction::MAX_OPERAND;
use crate::map;

/// An operand as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// An address in switch memory.
    Switch(u16),
    /// A word of the hop's block.
    Hop(u8),
    /// A word of the whole packet memory.
    Word(u8),
    /// A number.
    Number(u32),
}

/// Part of a line.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'t> {
    pub text: &'t str,
    pub span: Span,
}

impl<'t> Piece<'t> {
    /// The part from byte `from` to byte `to`, without blanks around it.
    pub fn part(&self, from: usize, to: usize) -> Self {
        let part = &self.text[from..to];
        let blanks = part.len() - part.trim_start().len();
        let before = self.text[..from + blanks].chars().count();
        let text = part.trim();
        let span = Span {
            line: self.span.line,
            column: self.span.column + before,
            length: text.chars().count(),
        };
        Piece { text, span }
    }

    /// The parts between commas that are in no bracket.
    pub fn split(&self) -> Vec<Self> {
        let (mut parts, mut depth, mut from) = (Vec::new(), 0u32, 0);
        for (at, c) in self.text.char_indices() {
            match c {
                '[' => depth += 1,
                ']' => depth = depth.saturating_sub(1),
                ',' if depth == 0 => {
                    parts.push(self.part(from, at));
                    from = at + 1;
                }
                _ => {}
            }
        }
        if !self.text.trim().is_empty() {
            parts.push(self.part(from, self.text.len()));
        }
        parts
    }

    /// The beginning of the text, for a message.
    pub fn shown(&self) -> String {
        self.text.chars().flat_map(char::escape_debug).take(40).collect()
    }
}

/// A number: decimal, or hexadecimal with `0x`; `_` may stand between digits.
pub fn number(piece: Piece) -> Result<u32, Mistake> {
    let digits = piece.text.replace('_', "");
    let parsed = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) if !hex.starts_with('+') => u64::from_str_radix(hex, 16).ok(),
        None if digits.starts_with(|c: char| c.is_ascii_digit()) => digits.parse().ok(),
        _ => None,
    };
    match parsed.map(u32::try_from) {
        Some(Ok(value)) => Ok(value),
        Some(Err(_)) => {
            Err(Mistake::new(piece.span, format!("{} has more than 32 bits", piece.shown())))
        }
        None => {
            Err(Mistake::new(piece.span, format!("expected a number, found '{}'", piece.shown())))
        }
    }
}

/// A number of at most `max`.
pub fn number_up_to(piece: Piece, max: u32) -> Result<u32, Mistake> {
    let value = number(piece)?;
    match value <= max {
        true => Ok(value),
        false => Err(Mistake::new(piece.span, format!("expected 0 to {max}, found {value}"))),
    }
}

/// An operand.
pub fn operand(piece: Piece) -> Result<Written, Mistake> {
    let Some(inside) = piece.text.strip_prefix('[') else {
        return number(piece).map(Written::Number).map_err(|mistake| match mistake.message {
            message if message.starts_with("expected a number") => {
                Mistake::new(piece.span, format!("expected an operand, found '{}'", piece.shown()))
                    .help("write [Namespace:Name], [Packet:Hop[N]], [Packet:Word[N]] or a number")
            }
            _ => mistake,
        });
    };
    if !inside.ends_with(']') {
        return Err(Mistake::new(piece.span, format!("'{}' has no closing ']'", piece.shown())));
    }
    let inner = piece.part(1, piece.text.len() - 1);
    if let Some((namespace, word)) = inner.text.split_once(':')
        && namespace.trim().eq_ignore_ascii_case("packet")
    {
        let at = inner.text.len() - word.len();
        return packet_word(inner.part(at, inner.text.len()));
    }
    if inner.text.starts_with(|c: char| c.is_ascii_digit()) {
        return number_up_to(inner, 0xffff).map(|address| Written::Switch(address as u16));
    }
    map::lookup(inner.text).map(Written::Switch).map_err(|error| Mistake {
        span: inner.span,
        message: error.message,
        help: error.help,
    })
}

/// `Hop[1]` or `Word[1]`.
fn packet_word(piece: Piece) -> Result<Written, Mistake> {
    let wrong = || {
        Mistake::new(
            piece.span,
            format!("expected a word of packet memory, found '{}'", piece.shown()),
        )
        .help("write Packet:Hop[N] (of the hop's block) or Packet:Word[N] (of the whole memory)")
    };
    let (word, rest) = piece.text.split_once('[').ok_or_else(wrong)?;
    let from = piece.text.len() - rest.len();
    let to = piece.text.strip_suffix(']').ok_or_else(wrong)?.len();
    if from > to {
        return Err(wrong());
    }
    let index = number_up_to(piece.part(from, to), MAX_OPERAND.into())? as u8;
    match word.trim() {
        word if word.eq_ignore_ascii_case("hop") => Ok(Written::Hop(index)),
        word if word.eq_ignore_ascii_case("word") => Ok(Written::Word(index)),
        _ => Err(wrong()),
    }
}
