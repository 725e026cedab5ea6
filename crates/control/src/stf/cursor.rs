//! A cursor over one line of an STF file.

use crate::word::{Word, shorten};
use ww_p4::diagnostic::Diagnostic;
use ww_p4::source::{FileId, Span};

/// A result whose error is the message for the author.
pub(super) type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// Reads a line from left to right.
pub(super) struct Cursor<'a> {
    file: FileId,
    /// Offset of the line in its file.
    base: usize,
    line: &'a str,
    position: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor at the start of `line`, which begins at the offset `base` of its file.
    pub fn new(file: FileId, base: usize, line: &'a str) -> Self {
        Self { file, base, line, position: 0 }
    }

    /// What is left, white space in front skipped.
    pub fn rest(&mut self) -> &'a str {
        let rest = &self.line[self.position..];
        let trimmed = rest.trim_start();
        self.position += rest.len() - trimmed.len();
        trimmed.trim_end()
    }

    /// Where the cursor stands, for [`return_to`](Cursor::return_to).
    pub fn position(&self) -> usize {
        self.position
    }

    /// Goes back to an earlier position.
    pub fn return_to(&mut self, position: usize) {
        self.position = position;
    }

    /// Whether nothing is left.
    pub fn at_end(&mut self) -> bool {
        self.rest().is_empty()
    }

    /// The span from `start` to here.
    pub fn span_from(&self, start: usize) -> Span {
        let lo = (self.base + start) as u32;
        Span { file: self.file, lo, hi: (self.base + self.position) as u32 }
    }

    /// The position behind white space.
    pub fn start(&mut self) -> usize {
        self.rest();
        self.position
    }

    /// The span of what comes next.
    pub fn here(&mut self) -> Span {
        let length = self.rest().split_whitespace().next().map_or(0, str::len);
        let lo = (self.base + self.position) as u32;
        Span { file: self.file, lo, hi: lo + length as u32 }
    }

    /// Takes the characters that fit.
    fn take_while(&mut self, fits: impl FnMut(char) -> bool) -> Option<Word> {
        let mut fits = fits;
        let rest = self.rest();
        let length = rest.find(|c| !fits(c)).unwrap_or(rest.len());
        self.take(length)
    }

    fn take(&mut self, length: usize) -> Option<Word> {
        let rest = self.rest();
        let text = rest.get(..length).filter(|t| !t.is_empty())?;
        let start = self.position;
        self.position += length;
        Some(Word { text: text.to_owned(), span: self.span_from(start) })
    }

    /// Takes `text` if it comes next.
    pub fn eat(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.position += text.len();
        }
        found
    }

    /// Whether `text` comes next.
    pub fn sees(&mut self, text: &str) -> bool {
        self.rest().starts_with(text)
    }

    /// Takes everything up to white space.
    pub fn word(&mut self, what: &str) -> Result<Word> {
        self.take_while(|c| !c.is_whitespace()).ok_or_else(|| self.expected(what))
    }

    /// Takes a name: letters, digits, `_`, `$`, dots and indices in brackets.
    pub fn name(&mut self, what: &str) -> Result<Word> {
        if self.eat("\"") {
            let word = self.take_while(|c| c != '"').ok_or_else(|| self.expected(what))?;
            return if self.eat("\"") { Ok(word) } else { Err(self.expected("a closing `\"`")) };
        }
        let mut inside = false;
        let fits = |c: char| {
            inside = (inside || c == '[') && c != ']';
            inside || c == ']' || c.is_alphanumeric() || matches!(c, '_' | '$' | '.')
        };
        self.take_while(fits).ok_or_else(|| self.expected(what))
    }

    /// Takes the name of a key, up to the `:` behind it. `h.isValid()` and slices are names.
    pub fn key_name(&mut self) -> Result<Word> {
        let mut depth = 0usize;
        let rest = self.rest();
        let end = rest.find(|c: char| {
            match c {
                '[' | '(' => depth += 1,
                ']' | ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            c == ':' && depth == 0
        });
        let length = end.map(|n| rest[..n].trim_end().len()).unwrap_or(0);
        self.take(length).ok_or_else(|| self.expected("KEY:VALUE"))
    }

    /// Takes a number's text: digits, letters, `*`, `_`, a sign in front; or that of an address,
    /// with single dots before digits, or with colons.
    pub fn number_text(&mut self, what: &str) -> Result<Word> {
        let rest = self.rest();
        let colons = rest.starts_with("::");
        let mut length = 0;
        for (at, c) in rest.char_indices() {
            let before = rest[..at].chars().next_back();
            let after = rest[at + c.len_utf8()..].chars().next();
            let fits = match c {
                '-' => at == 0,
                '*' | '_' => true,
                '.' => {
                    before.is_some_and(|b| b.is_ascii_digit())
                        && after.is_some_and(|a| a.is_ascii_digit())
                }
                ':' => {
                    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_hexdigit());
                    (digit(before) || before == Some(':') || colons)
                        && (digit(after) || after == Some(':') || before == Some(':'))
                }
                _ => c.is_alphanumeric(),
            };
            if !fits {
                break;
            }
            length = at + c.len_utf8();
        }
        self.take(length).ok_or_else(|| self.expected(what))
    }

    /// Takes a number that must fit `T`.
    pub fn small<T: TryFrom<num_bigint::BigUint>>(&mut self, what: &str) -> Result<T> {
        let word = self.number_text(what)?;
        crate::number::small(&word.text).ok_or_else(|| {
            Box::new(Diagnostic::error(
                word.span,
                format!("expected {what}, found `{}`", word.text),
            ))
        })
    }

    /// Takes a number of any size, perhaps negative; addresses are numbers.
    pub fn integer(&mut self, what: &str) -> Result<num_bigint::BigInt> {
        let word = self.number_text(what)?;
        integer(&word.text).ok_or_else(|| {
            Box::new(Diagnostic::error(
                word.span,
                format!("expected {what}, found `{}`", word.text),
            ))
        })
    }

    /// Takes `text`, which must come next.
    pub fn expect(&mut self, text: &str, what: &str) -> Result<()> {
        if self.eat(text) { Ok(()) } else { Err(self.expected(what)) }
    }

    /// Checks that nothing is left.
    pub fn end(&mut self) -> Result<()> {
        if self.at_end() { Ok(()) } else { Err(self.expected("the end of the line")) }
    }

    /// The complaint that something else was expected here.
    pub fn expected(&mut self, what: &str) -> Box<Diagnostic> {
        let span = self.here();
        let found = match self.rest().split_whitespace().next() {
            Some(word) => format!("`{}`", shorten(word)),
            None => "the end of the line".to_owned(),
        };
        Box::new(Diagnostic::error(span, format!("expected {what}, found {found}")))
    }
}

/// A number of any size: decimal, binary, octal or hexadecimal, an address (IPv4, IPv6, MAC), or
/// a truth value.
pub(super) fn integer(text: &str) -> Option<num_bigint::BigInt> {
    match text {
        "true" => return Some(1.into()),
        "false" => return Some(0.into()),
        _ => {}
    }
    let number = crate::number::signed(text);
    number.or_else(|| crate::entries::values::address(text).map(|(value, ..)| value))
}
