//! The values of integer and string literals (§6.4.3).

use super::token::Number;
use crate::ast::{Name, NumberWidth};
use num_bigint::BigInt;

/// Why a literal has no value.
#[derive(Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// What is wrong, as a diagnostic's message.
    pub message: String,
    /// What to do.
    pub help: Option<&'static str>,
}

/// Longest literal in characters; converting decimal digits takes quadratic time.
const MAX_NUMBER_LENGTH: usize = 4096;

/// The value of an integer literal: `[width(w|s)][0x|0o|0d|0b]digits` (§6.4.3.2).
pub fn decode_number(text: &Name) -> Result<Number, DecodeError> {
    let fail = |message: String, help| Err(DecodeError { message, help });
    if !text.is_ascii() {
        return fail(format!("'{text}' is not a number"), None);
    }
    if text.len() > MAX_NUMBER_LENGTH {
        let message = format!("integer literal is longer than {MAX_NUMBER_LENGTH} characters");
        return fail(message, None);
    }
    let mut rest: &str = text;
    let mut width = None;
    let head = rest.find(|c: char| !c.is_ascii_digit() && c != '_').unwrap_or(rest.len());
    let (prefix, tail) = rest.split_at(head);
    if let Some(signed) = match tail.as_bytes().first() {
        Some(b'w') => Some(false),
        Some(b's') => Some(true),
        _ => None,
    } {
        if prefix.contains('_') {
            let message = format!("underscore in the width of integer literal '{text}'");
            return fail(message, Some("write the width without underscores"));
        }
        let Ok(bits) = prefix.parse::<u32>() else {
            return fail(format!("the width of integer literal '{text}' is too large"), None);
        };
        width = Some(NumberWidth { bits, signed });
        rest = &tail[1..];
    }
    let lower = rest.get(..2).map(str::to_ascii_lowercase);
    let (radix, kind) = match lower.as_deref() {
        Some("0x") => (16, "hexadecimal"),
        Some("0o") => (8, "octal"),
        Some("0d") => (10, "decimal"),
        Some("0b") => (2, "binary"),
        _ => (10, "decimal"),
    };
    let has_prefix = matches!(lower.as_deref(), Some("0x" | "0o" | "0d" | "0b"));
    let digits: String =
        rest[if has_prefix { 2 } else { 0 }..].chars().filter(|&c| c != '_').collect();
    if digits.is_empty() {
        let message = format!("integer literal '{text}' has no digits");
        return fail(message, Some("digits follow the prefix directly, for instance 8w0xFF"));
    }
    if let Some(bad) = digits.chars().find(|c| !c.is_digit(radix)) {
        return if bad.is_ascii_digit() || has_prefix {
            fail(format!("'{bad}' is not a digit of {kind} literal '{text}'"), None)
        } else {
            let help = "a name cannot begin with a digit; a width is written as in 8w5 or 8s5";
            fail(format!("invalid integer literal '{text}'"), Some(help))
        };
    }
    match BigInt::parse_bytes(digits.as_bytes(), radix) {
        Some(value) => Ok(Number { value, width, text: text.clone() }),
        None => fail(format!("invalid integer literal '{text}'"), None),
    }
}

/// The contents of a string literal given with its quotes: `\"`, `\\`, `\n`, `\r`, `\t` stand for
/// one character, any other backslash for itself (§6.4.3.3 leaves further escapes to tools).
pub fn decode_string(quoted: &str) -> String {
    let inner = quoted.strip_prefix('"').unwrap_or(quoted);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    let mut out = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some(c @ ('"' | '\\')) => out.push(c),
            Some(c) => out.extend(['\\', c]),
            None => out.push('\\'),
        }
    }
    out
}

/// The literal that [`decode_string`] turns back into `text`, with quotes.
pub fn encode_string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
