//! Files that say what applications may access, in TOML:
//!
//! ```
//! let rules = ww_tpp::policy_file::parse("policy.toml", r#"
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
use ww_config::quantity::Quantity;
use ww_config::{Reader, Report, Value};

/// Rules that a file may have.
pub const MAX_RULES: usize = 1 << 16;

/// Reads the text of the file called `name`.
///
/// # Errors
/// All mistakes.
pub fn parse(name: &str, text: &str) -> Result<Vec<Rule>, Report> {
    ww_config::parse(name, text, |file| Some(rules(file)))
}

/// The rules of the tables `[[app]]` of a file; those with mistakes are skipped.
pub fn rules(file: &Reader<'_>) -> Vec<Rule> {
    let mut rules = Vec::new();
    file.each("app", |app| {
        let tag: Option<u8> = app.need("tag", "7");
        for (operation, key) in [(Operation::Read, "read"), (Operation::Write, "write")] {
            let ranges = app.list(key).into_iter().flat_map(|(Ranges(ranges), _)| ranges);
            let rule = |(first, last)| Some(Rule { app_tag: tag?, operation, first, last });
            rules.extend(ranges.filter_map(rule));
        }
        Some(())
    });
    if rules.len() > MAX_RULES {
        file.wrong("app", format!("the file has more than {MAX_RULES} rules"));
    }
    rules
}

/// Addresses as files name them.
struct Ranges(Vec<Range>);

impl Quantity for Ranges {
    fn read(value: &Value) -> Result<Self, String> {
        String::read(value).and_then(|word| ranges(&word)).map(Self)
    }
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
        let text = "[[app]]\ntag = 7\nread = [\"Switch:*\", \"Swich:ID\",\n \"5-3\"]\n\
                    [[app]]\ntag = 256\nraed = []\n";
        let report = parse("p.toml", text).expect_err("wrong");
        assert_eq!(
            report.to_string(),
            "p.toml:3:21: 'read': there is no namespace 'Swich'; did you mean 'Switch'?\n\
             p.toml:4:2: 'read': expected an address or a range as 0xd000-0xd00f, found '5-3'\n\
             p.toml:6:7: 'tag': expected a whole number, 0 to 255, found 256\n\
             p.toml:7:1: unknown key 'raed' in [[app]]; did you mean 'read'?"
        );
    }

    #[test]
    fn namespaces_have_all_their_segments() {
        let found = ranges("link:*").expect("ranges");
        assert_eq!(found, [(0x6000, 0x7fff), (0x8000, 0x803f), (0xd000, 0xd00f)]);
        assert_eq!(ranges("*"), Ok(vec![(0, 0xffff)]));
        assert_eq!(ranges("10"), Ok(vec![(10, 10)]));
    }
}
