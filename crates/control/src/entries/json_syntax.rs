//! JSON whose values know where they were written.

use super::session::{Result, fail};
use crate::word::{Word, shorten};
use ww_p4::source::{FileId, Span};

/// How deeply arrays and objects nest at most.
const MAX_DEPTH: u32 = 32;

/// A value and its place.
#[derive(Clone, Debug)]
pub(super) struct Value {
    /// Where it is.
    pub span: Span,
    /// What it is.
    pub kind: Kind,
}

/// What a value is.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Null,
    Truth(bool),
    /// As it is written: numbers of any length are read exactly.
    Number(String),
    Text(String),
    List(Vec<Value>),
    /// In the order of the text; no name comes twice.
    Object(Vec<(Word, Value)>),
}

impl Kind {
    /// What it is, in messages.
    pub fn described(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Truth(truth) => truth.to_string(),
            Self::Number(number) => shorten(number),
            Self::Text(text) => format!("\"{}\"", shorten(text)),
            Self::List(list) => format!("a list of {}", list.len()),
            Self::Object(_) => "an object".to_owned(),
        }
    }
}

/// Reads a text that is one JSON value.
pub(super) fn parse(file: FileId, text: &str) -> Result<Value> {
    let mut parser = Parser { file, text, at: 0 };
    // Some editors put a byte order mark in front of files.
    if text.starts_with('\u{feff}') {
        parser.at = '\u{feff}'.len_utf8();
    }
    let value = parser.value(0)?;
    match parser.peek() {
        None => Ok(value),
        Some(_) => parser.expected("the end of the file behind the closing brace"),
    }
}

struct Parser<'t> {
    file: FileId,
    text: &'t str,
    at: usize,
}

impl Parser<'_> {
    fn span(&self, from: usize) -> Span {
        Span { file: self.file, lo: from as u32, hi: self.at as u32 }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// The next character that is not white space.
    fn peek(&mut self) -> Option<char> {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
        self.rest().chars().next()
    }

    /// The error that something else was expected here.
    fn expected<T>(&mut self, what: &str) -> Result<T> {
        let found = match self.peek() {
            None => "the end of the file".to_owned(),
            Some(character) if character.is_control() => format!("`{}`", character.escape_debug()),
            Some(character) => format!("`{character}`"),
        };
        let from = self.at;
        self.at += self.rest().chars().next().map_or(0, char::len_utf8);
        fail(self.span(from), format!("expected {what}, found {found}"))
    }

    fn value(&mut self, depth: u32) -> Result<Value> {
        let Some(first) = self.peek() else { return self.expected("a value") };
        let from = self.at;
        if depth > MAX_DEPTH {
            return fail(self.span(from), format!("values nest more than {MAX_DEPTH} deep"));
        }
        let kind = match first {
            '{' => self.object(depth)?,
            '[' => self.list(depth)?,
            '"' => Kind::Text(self.string()?),
            '-' | '0'..='9' => Kind::Number(self.number()?),
            _ => match self.word() {
                "null" => Kind::Null,
                "true" => Kind::Truth(true),
                "false" => Kind::Truth(false),
                _ => {
                    self.at = from;
                    return self.expected("a value (an object, a list, a string or a number)");
                }
            },
        };
        Ok(Value { span: self.span(from), kind })
    }

    /// The letters that come next.
    fn word(&mut self) -> &str {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn number(&mut self) -> Result<String> {
        let from = self.at;
        let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '-');
        let rest = self.rest();
        self.at += rest.find(|c| !part(c)).unwrap_or(rest.len());
        let text = self.text[from..self.at].to_owned();
        if text.strip_prefix('-').unwrap_or(&text).bytes().all(|b| b.is_ascii_digit()) {
            return Ok(text);
        }
        let message = "expected a whole number in decimal digits, or a string such as \"0x0800\"";
        fail(self.span(from), format!("{message}, found `{}`", shorten(&text)))
    }

    fn string(&mut self) -> Result<String> {
        let from = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let Some(next) = self.rest().chars().next().filter(|c| *c != '\n') else {
                return fail(self.span(from), "the string does not end on its line");
            };
            let start = self.at;
            self.at += next.len_utf8();
            match next {
                '"' => return Ok(text),
                '\\' => match self.escape() {
                    Some(character) => text.push(character),
                    None => return fail(self.span(start), "this is no escape sequence of JSON"),
                },
                other => text.push(other),
            }
        }
    }

    /// What stands behind a backslash; surrogates have no place in names and addresses.
    fn escape(&mut self) -> Option<char> {
        let kind = self.rest().chars().next()?;
        self.at += kind.len_utf8();
        Some(match kind {
            '"' | '\\' | '/' => kind,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let digits = self.rest().get(..4)?.to_owned();
                self.at += 4;
                let plain = digits.bytes().all(|b| b.is_ascii_hexdigit());
                char::from_u32(u32::from_str_radix(&digits, 16).ok().filter(|_| plain)?)?
            }
            _ => return None,
        })
    }

    fn list(&mut self, depth: u32) -> Result<Kind> {
        self.at += 1;
        let mut list = Vec::new();
        if self.peek() == Some(']') {
            self.at += 1;
            return Ok(Kind::List(list));
        }
        loop {
            list.push(self.value(depth + 1)?);
            match self.peek() {
                Some(',') => self.at += 1,
                Some(']') => break,
                _ => return self.expected("`,` or `]`"),
            }
        }
        self.at += 1;
        Ok(Kind::List(list))
    }

    fn object(&mut self, depth: u32) -> Result<Kind> {
        self.at += 1;
        let mut fields: Vec<(Word, Value)> = Vec::new();
        let mut names = std::collections::HashSet::new();
        if self.peek() == Some('}') {
            self.at += 1;
            return Ok(Kind::Object(fields));
        }
        loop {
            if self.peek() != Some('"') {
                return self.expected("a name in double quotes");
            }
            let from = self.at;
            let text = self.string()?;
            let name = Word { text, span: self.span(from) };
            if !names.insert(name.text.clone()) {
                return fail(name.span, format!("`{}` is given twice", shorten(&name.text)));
            }
            if self.peek() != Some(':') {
                return self.expected("`:`");
            }
            self.at += 1;
            fields.push((name, self.value(depth + 1)?));
            match self.peek() {
                Some(',') => self.at += 1,
                Some('}') => break,
                _ => return self.expected("`,` or `}`"),
            }
        }
        self.at += 1;
        Ok(Kind::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> std::result::Result<String, String> {
        parse(FileId(0), text)
            .map(|value| format!("{:?}", value.kind))
            .map_err(|error| format!("{}: {}", error.span.lo, error.message))
    }

    #[test]
    fn values_and_places() {
        let value = parse(FileId(0), "\u{feff} {\"a\": [1, -2, \"x\\u0041\\n\"], \"b\": true}");
        let Kind::Object(fields) = value.expect("JSON").kind else { panic!("an object") };
        let [(a, list), (b, truth)] = &fields[..] else { panic!("{fields:?}") };
        assert_eq!((a.text.as_str(), a.span.lo, b.span.lo), ("a", 5, 32));
        assert!(matches!(truth.kind, Kind::Truth(true)));
        let Kind::List(list) = &list.kind else { panic!("a list") };
        assert!(matches!(&list[1].kind, Kind::Number(number) if number == "-2"));
        assert!(matches!(&list[2].kind, Kind::Text(text) if text == "xA\n"));
    }

    #[test]
    fn mistakes_and_places() {
        for (text, wanted) in [
            ("", "0: expected a value, found the end of the file"),
            ("{\"a\" 1}", "5: expected `:`, found `1`"),
            ("{\"a\": 1,}", "8: expected a name in double quotes, found `}`"),
            ("{a: 1}", "1: expected a name in double quotes, found `a`"),
            ("[1 2]", "3: expected `,` or `]`, found `2`"),
            ("{} x", "3: expected the end of the file behind the closing brace, found `x`"),
            ("\"a\n\"", "0: the string does not end on its line"),
            ("\"\\q\"", "1: this is no escape sequence of JSON"),
            ("{\"a\": 1, \"a\": 2}", "9: `a` is given twice"),
            ("nil", "0: expected a value (an object, a list, a string or a number), found `n`"),
        ] {
            assert_eq!(read(text), Err(wanted.to_owned()), "{text}");
        }
        for text in ["0x10", "1.5", "1e9", "00x"] {
            assert!(read(text).is_err_and(|e| e.contains("a whole number")), "{text}");
        }
        assert!(read(&"[".repeat(100_000)).is_err_and(|e| e.contains("nest more than 32 deep")));
    }
}
