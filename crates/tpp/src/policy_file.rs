//! Files that say what applications may access, in TOML:
//!
//! ```
//! let rules = ww_tpp::policy_file::parse(r#"
//!     [[app]]
//!     tag = 7
//!     read = ["Switch:*", "Queue:QueueOccupancy", "0x8000-0x803f"]
//!     write = ["Link:AppSpecific_0"]
//! "#).expect("a good file");
//! let table = ww_tpp::protection::Protection::new(&rules);
//! assert!(table.allows(7, ww_tpp::protection::Operation::Write, 0xd000));
//! ```

use crate::map::{self, Range, table::SEGMENTS};
use crate::protection::{Operation, Rule};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::fmt;
use toml::Spanned;

/// Rules that a file may have.
pub const MAX_RULES: usize = 1 << 16;

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// A sentence.
    pub message: String,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    app: Vec<App>,
}

/// What one application may access, as a file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct App {
    tag: u8,
    #[serde(default)]
    read: Vec<Spanned<String>>,
    #[serde(default)]
    write: Vec<Spanned<String>>,
}

/// Reads a file.
///
/// # Errors
/// All mistakes in names and ranges, or the first in TOML.
pub fn parse(text: &str) -> Result<Vec<Rule>, Vec<FileError>> {
    let file: File = read(text)?;
    rules(&file.app, text)
}

/// Reads TOML.
///
/// # Errors
/// The first mistake.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, Vec<FileError>> {
    toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        vec![located(text, at, error.message().trim_end().replace('\n', "; "))]
    })
}

/// The rules of applications that were read from `text`, for files that have more than rules in them.
///
/// # Errors
/// All mistakes in names and ranges.
pub fn rules(apps: &[App], text: &str) -> Result<Vec<Rule>, Vec<FileError>> {
    let (mut rules, mut errors) = (Vec::new(), Vec::new());
    for app in apps {
        for (operation, words) in [(Operation::Read, &app.read), (Operation::Write, &app.write)] {
            for word in words {
                match ranges(word.as_ref()) {
                    Ok(ranges) => rules.extend(ranges.iter().map(|&(first, last)| Rule {
                        app_tag: app.tag,
                        operation,
                        first,
                        last,
                    })),
                    Err(message) => errors.push(located(text, word.span().start, message)),
                }
            }
        }
    }
    if rules.len() > MAX_RULES {
        errors.push(located(text, 0, format!("the file has more than {MAX_RULES} rules")));
    }
    if errors.is_empty() { Ok(rules) } else { Err(errors) }
}

/// A mistake at a byte of a text.
pub fn located(text: &str, at: usize, message: String) -> FileError {
    let before = text.get(..at).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    FileError { line, column, message }
}

/// The ranges of `*`, `Namespace:*`, `Namespace:Name`, `0xd000` or `0xd000-0xd00f`.
///
/// # Errors
/// A sentence about what is wrong with the word.
pub fn ranges(word: &str) -> Result<Vec<Range>, String> {
    let word = word.trim();
    if word == "*" {
        return Ok(vec![(0, u16::MAX)]);
    }
    if let Some(namespace) = word.strip_suffix(":*") {
        let same = |s: &&map::Segment| s.namespace.eq_ignore_ascii_case(namespace);
        let ranges: Vec<Range> = SEGMENTS.iter().filter(same).map(|s| (s.base, s.last())).collect();
        return match ranges.is_empty() {
            true => Err(format!("there is no namespace '{}'", namespace.escape_debug())),
            false => Ok(ranges),
        };
    }
    if word.starts_with(|c: char| c.is_ascii_digit()) {
        let (first, last) = word.split_once('-').unwrap_or((word, word));
        return match (address(first), address(last)) {
            (Some(first), Some(last)) if first <= last => Ok(vec![(first, last)]),
            _ => Err(format!(
                "expected an address or a range as 0xd000-0xd00f, found '{}'",
                word.escape_debug()
            )),
        };
    }
    let address = named(word)?;
    Ok(vec![(address, address)])
}

/// The address with a name.
pub(crate) fn named(word: &str) -> Result<u16, String> {
    map::lookup(word).map_err(|error| match error.help {
        Some(help) => format!("{}; {help}", error.message),
        None => error.message,
    })
}

fn address(text: &str) -> Option<u16> {
    match text.trim().strip_prefix("0x") {
        Some(hex) if hex.bytes().all(|b| b.is_ascii_hexdigit()) => {
            u16::from_str_radix(hex, 16).ok()
        }
        Some(_) => None,
        None => text.trim().parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_have_places() {
        let text = "[[app]]\ntag = 7\nread = [\"Switch:*\", \"Swich:ID\",\n \"5-3\"]\n";
        let messages: Vec<String> =
            parse(text).expect_err("wrong").iter().map(FileError::to_string).collect();
        assert_eq!(
            messages,
            [
                "3:21: there is no namespace 'Swich'; did you mean 'Switch'?",
                "4:2: expected an address or a range as 0xd000-0xd00f, found '5-3'",
            ]
        );
        assert_eq!(parse("[[app]]\ntag = 256\n").expect_err("wrong")[0].line, 2);
        assert!(parse("[[app]]\ntag = 1\nraed = []\n").is_err());
    }

    #[test]
    fn namespaces_have_all_their_segments() {
        let found = ranges("link:*").expect("ranges");
        assert_eq!(found, [(0x6000, 0x7fff), (0x8000, 0x803f), (0xd000, 0xd00f)]);
        assert_eq!(ranges("*"), Ok(vec![(0, 0xffff)]));
        assert_eq!(ranges("10"), Ok(vec![(10, 10)]));
    }
}
