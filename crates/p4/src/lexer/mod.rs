//! The lexer: text of one file to preprocessing tokens (§6.4), which become tokens of the
//! language after macro expansion.

pub(crate) mod address;
mod literal;
mod token;

pub use literal::{DecodeError, decode_number, decode_string, encode_string};
pub use token::{Keyword, Number, Punct, Token, TokenKind};

use crate::ast::Name;
use crate::source::{FileId, Span};
use std::borrow::Cow;
use std::collections::HashSet;
use std::rc::Rc;

/// Keeps one copy of each name.
#[derive(Default)]
pub(crate) struct Interner {
    names: HashSet<Name>,
}

impl Interner {
    /// The shared copy of `text`.
    pub(crate) fn intern(&mut self, text: &str) -> Name {
        match self.names.get(text) {
            Some(name) => name.clone(),
            None => {
                let name: Name = text.into();
                self.names.insert(name.clone());
                name
            }
        }
    }
}

/// What a preprocessing token is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RawKind {
    /// A name or reserved word.
    Identifier(Name),
    /// A digit and all letters, digits and underscores behind it.
    Number(Name),
    /// A string literal with its quotes, undecoded; the flag says whether it was closed.
    String(Name, bool),
    /// An operator or punctuation.
    Punct(Punct),
    /// A character that no token begins with.
    Other(char),
    /// The end of a line.
    Newline,
    /// The end of the file.
    End,
}

/// A preprocessing token.
#[derive(Clone, Debug)]
pub(crate) struct RawToken {
    /// Which.
    pub(crate) kind: RawKind,
    /// Where.
    pub(crate) span: Span,
    /// Whether white space or a comment stands before it.
    pub(crate) space_before: bool,
    /// Whether it is the first of its line.
    pub(crate) line_start: bool,
    /// A macro's name met inside its own expansion: never expanded again.
    pub(crate) no_expand: bool,
}

impl RawToken {
    /// The token as written (lines spliced).
    pub(crate) fn spelling(&self) -> Cow<'_, str> {
        match &self.kind {
            RawKind::Identifier(text) | RawKind::Number(text) | RawKind::String(text, _) => {
                Cow::Borrowed(text)
            }
            RawKind::Punct(punct) => Cow::Borrowed(punct.text()),
            RawKind::Other(c) => Cow::Owned(c.to_string()),
            RawKind::Newline | RawKind::End => Cow::Borrowed(""),
        }
    }

    /// Whether it is that piece of punctuation.
    pub(crate) fn is(&self, punct: Punct) -> bool {
        self.kind == RawKind::Punct(punct)
    }

    /// Whether a line or the file ends here.
    pub(crate) fn ends_line(&self) -> bool {
        matches!(self.kind, RawKind::Newline | RawKind::End)
    }
}

/// Cuts one text into preprocessing tokens.
pub(crate) struct Scanner {
    text: Rc<str>,
    file: FileId,
    pos: usize,
    line_start: bool,
    /// Where a comment began that the file does not end.
    pub(crate) open_comment: Option<Span>,
    /// Strings end with the line: in directives and in skipped groups, where an apostrophe or a
    /// lone quote is no string.
    pub(crate) strings_end_with_line: bool,
    /// The text of words is not wanted, as in skipped groups.
    pub(crate) discard: bool,
    /// The last token is the beginning of a string that a conditional directive interrupts.
    pub(crate) string_interrupted: bool,
}

/// Where the text of a string ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StringEnd {
    /// At its closing quote.
    Quote,
    /// At the end of the line, which ends it too.
    Line,
    /// Before a line with a conditional directive, behind which it goes on.
    Conditional,
    /// At the end of the file: it is not closed.
    File,
}

impl Scanner {
    /// Starts at the beginning of a text, behind a byte order mark.
    pub(crate) fn new(text: Rc<str>, file: FileId) -> Self {
        let pos = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Self {
            text,
            file,
            pos,
            line_start: true,
            open_comment: None,
            strings_end_with_line: false,
            discard: false,
            string_interrupted: false,
        }
    }

    /// The next byte, past any spliced line ends; `None` at the end.
    fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while bytes.get(self.pos) == Some(&b'\\') {
            match bytes.get(self.pos + 1..) {
                Some([b'\n', ..]) => self.pos += 2,
                Some([b'\r', b'\n', ..]) => self.pos += 3,
                _ => break,
            }
        }
        bytes.get(self.pos).copied()
    }

    /// Takes the next byte if it is `wanted`.
    fn eat(&mut self, wanted: u8) -> bool {
        let before = self.pos;
        if self.peek() == Some(wanted) {
            self.pos += 1;
            return true;
        }
        self.pos = before;
        false
    }

    fn span(&self, lo: usize) -> Span {
        Span { file: self.file, lo: lo as u32, hi: self.pos as u32 }
    }

    /// The text from `lo` to here without spliced line ends.
    fn taken(&self, lo: usize) -> Cow<'_, str> {
        let text = &self.text[lo..self.pos];
        if text.contains("\\\n") || text.contains("\\\r\n") {
            Cow::Owned(text.replace("\\\r\n", "").replace("\\\n", ""))
        } else {
            Cow::Borrowed(text)
        }
    }

    /// The same as a shared name; empty if it is not wanted.
    fn kept(&self, lo: usize, interner: &mut Interner) -> Name {
        if self.discard { interner.intern("") } else { interner.intern(&self.taken(lo)) }
    }

    /// Skips white space and comments, but not the end of the line; says whether there was any.
    fn skip_space(&mut self) -> bool {
        let start = self.pos;
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\x0b' | b'\x0c' | b'\r') => self.pos += 1,
                Some(b'/') => {
                    let lo = self.pos;
                    self.pos += 1;
                    match self.peek() {
                        Some(b'/') => {
                            while self.peek().is_some_and(|b| b != b'\n') {
                                self.pos += 1;
                            }
                        }
                        Some(b'*') => {
                            self.pos += 1;
                            self.skip_block_comment(lo);
                        }
                        _ => {
                            self.pos = lo;
                            return self.pos > start;
                        }
                    }
                }
                _ => return self.pos > start,
            }
        }
    }

    fn skip_block_comment(&mut self, lo: usize) {
        let opening = self.span(lo);
        loop {
            match self.peek() {
                None => {
                    self.open_comment.get_or_insert(opening);
                    return;
                }
                Some(b'*') => {
                    self.pos += 1;
                    if self.eat(b'/') {
                        return;
                    }
                }
                Some(_) => self.pos += 1,
            }
        }
    }

    /// The next token; `End` for ever once the text is used up.
    pub(crate) fn next(&mut self, interner: &mut Interner) -> RawToken {
        let space_before = self.skip_space();
        let line_start = self.line_start;
        let first = self.peek();
        let lo = self.pos;
        self.line_start = false;
        let kind = match first {
            None => RawKind::End,
            Some(b'\n') => {
                self.pos += 1;
                self.line_start = true;
                RawKind::Newline
            }
            Some(b'"') => self.string(lo, interner),
            Some(byte) if is_word(byte) => self.word(lo, byte, interner),
            Some(byte) if byte.is_ascii() => self.punct(byte),
            Some(_) => self.beyond_ascii(lo, interner),
        };
        RawToken { kind, span: self.span(lo), space_before, line_start, no_expand: false }
    }

    fn word(&mut self, lo: usize, first: u8, interner: &mut Interner) -> RawKind {
        let mut end = self.pos;
        while let Some(byte) = self.peek() {
            if is_word(byte) {
                self.pos += 1;
            } else if !byte.is_ascii() && self.char().is_some_and(char::is_alphanumeric) {
                // Belongs to the word for the reader, who gets one message about it.
                self.pos += self.char().map_or(1, char::len_utf8);
            } else {
                break;
            }
            end = self.pos;
        }
        self.pos = end;
        let text = self.kept(lo, interner);
        match () {
            () if first.is_ascii_digit() => RawKind::Number(text),
            () if &*text == "_" => RawKind::Punct(Punct::DontCare),
            () => RawKind::Identifier(text),
        }
    }

    /// The character here. The text is UTF-8 and `pos` stands on a boundary whenever the byte
    /// here is not ASCII, because only whole characters are taken.
    fn char(&self) -> Option<char> {
        self.text.get(self.pos..)?.chars().next()
    }

    fn beyond_ascii(&mut self, lo: usize, interner: &mut Interner) -> RawKind {
        match self.char() {
            Some(c) if c.is_alphabetic() => self.word(lo, b'a', interner),
            Some(c) => {
                self.pos += c.len_utf8();
                RawKind::Other(c)
            }
            None => {
                self.pos += 1;
                RawKind::Other('\u{fffd}')
            }
        }
    }

    fn string(&mut self, lo: usize, interner: &mut Interner) -> RawKind {
        self.pos += 1;
        match self.string_body() {
            StringEnd::Quote => return RawKind::String(self.kept(lo, interner), true),
            StringEnd::Conditional => self.string_interrupted = true,
            StringEnd::Line => {}
            StringEnd::File => {
                // Not closed: it ends with its first line, so that the rest is still read.
                let text = self.text.get(lo..).unwrap_or_default();
                self.pos = lo + line_length(text);
            }
        }
        RawKind::String(self.kept(lo, interner), false)
    }

    /// Goes on with a string that a conditional directive interrupted: what follows up to the
    /// next such directive, or with the closing quote.
    pub(crate) fn resume_string(&mut self) -> (Cow<'_, str>, StringEnd) {
        let lo = self.pos;
        let end = self.string_body();
        self.line_start = end == StringEnd::Conditional;
        (self.taken(lo), end)
    }

    /// Takes the rest of a string, behind its opening quote.
    fn string_body(&mut self) -> StringEnd {
        let mut escaped = false;
        loop {
            match self.peek() {
                None => return StringEnd::File,
                Some(b'"') if !escaped => {
                    self.pos += 1;
                    return StringEnd::Quote;
                }
                Some(b'\n') if self.strings_end_with_line => return StringEnd::Line,
                Some(b'\n') => {
                    self.pos += 1;
                    escaped = false;
                    if self.conditional_ahead() {
                        self.line_start = true;
                        return StringEnd::Conditional;
                    }
                }
                Some(byte) => {
                    self.pos += 1;
                    escaped = byte == b'\\' && !escaped;
                }
            }
        }
    }

    /// Whether the line that begins here is a conditional directive.
    pub(crate) fn conditional_ahead(&self) -> bool {
        let rest = self.text.get(self.pos..).unwrap_or_default();
        let Some(rest) = rest.trim_start_matches([' ', '\t']).strip_prefix('#') else {
            return false;
        };
        let rest = rest.trim_start_matches([' ', '\t']);
        let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        matches!(
            &rest[..end],
            "if" | "ifdef" | "ifndef" | "elif" | "elifdef" | "elifndef" | "else" | "endif"
        )
    }

    fn punct(&mut self, first: u8) -> RawKind {
        use Punct::*;
        self.pos += 1;
        let punct = match first {
            b'(' => ParenOpen,
            b')' => ParenClose,
            b'[' => BracketOpen,
            b']' => BracketClose,
            b'}' => BraceClose,
            b';' => Semicolon,
            b':' => Colon,
            b',' => Comma,
            b'?' => Question,
            b'@' => At,
            b'~' => Tilde,
            b'{' => {
                let before = self.pos;
                if self.eat(b'#') && self.eat(b'}') {
                    InvalidHeader
                } else {
                    self.pos = before;
                    BraceOpen
                }
            }
            b'.' if self.eat(b'.') => self.choose(b'.', Dots, Range),
            b'.' => Dot,
            b'=' => self.choose(b'=', Eq, Assign),
            b'!' => self.choose(b'=', Ne, Not),
            b'<' if self.eat(b'<') => self.choose(b'=', ShlAssign, Shl),
            b'<' => self.choose(b'=', Le, Lt),
            b'>' if self.eat(b'>') => self.choose(b'=', ShrAssign, Shr),
            b'>' => self.choose(b'=', Ge, Gt),
            b'+' if self.eat(b'+') => Concat,
            b'+' => self.choose(b'=', PlusAssign, Plus),
            b'-' => self.choose(b'=', MinusAssign, Minus),
            b'*' => self.choose(b'=', StarAssign, Star),
            b'/' => self.choose(b'=', SlashAssign, Slash),
            b'%' => self.choose(b'=', PercentAssign, Percent),
            b'^' => self.choose(b'=', XorAssign, Xor),
            b'&' if self.eat(b'&') => self.choose(b'&', Mask, LogicalAnd),
            b'&' => self.choose(b'=', AndAssign, And),
            b'|' if self.eat(b'|') => LogicalOr,
            b'|' => self.bar(),
            b'#' => self.choose(b'#', HashHash, Hash),
            _ => return RawKind::Other(first as char),
        };
        RawKind::Punct(punct)
    }

    fn choose(&mut self, next: u8, with: Punct, without: Punct) -> Punct {
        if self.eat(next) { with } else { without }
    }

    /// Behind a single `|`: `|+|`, `|-|`, their assignments, `|=` or just `|`.
    fn bar(&mut self) -> Punct {
        let before = self.pos;
        if self.eat(b'+') && self.eat(b'|') {
            return self.choose(b'=', Punct::SatPlusAssign, Punct::SatPlus);
        }
        self.pos = before;
        if self.eat(b'-') && self.eat(b'|') {
            return self.choose(b'=', Punct::SatMinusAssign, Punct::SatMinus);
        }
        self.pos = before;
        self.choose(b'=', Punct::OrAssign, Punct::Or)
    }

    /// The file name of an `#include`, if it is written directly: the name, whether it stands in
    /// quotes rather than angle brackets, and where.
    pub(crate) fn header_name(&mut self) -> Option<(String, bool, Span)> {
        self.skip_space();
        let close = match self.peek()? {
            b'"' => b'"',
            b'<' => b'>',
            _ => return None,
        };
        let lo = self.pos;
        let line = self.text.get(lo..)?;
        let line = &line[..line_length(line)];
        let length = line.get(1..)?.find(close as char)?;
        let name = line[1..1 + length].to_owned();
        self.pos = lo + length + 2;
        Some((name, close == b'"', self.span(lo)))
    }
}

/// Bytes before the end of the first line.
fn line_length(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests;
