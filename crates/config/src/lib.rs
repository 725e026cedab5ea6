//! The one reader of our TOML files: labs, scheduling policies, rules and registries of tiny packet programs, descriptions of
//! architectures.
//!
//! A reader asks for keys and gets typed values (with units, ranges and defaults). What is wrong is collected, and reading goes on,
//! so that one report names every mistake of a file by line and column: TOML that cannot be parsed, values of a wrong type or out
//! of range, missing keys, and keys that nobody has asked for, with a spelling suggestion. Texts are bounded in size and depth.
//!
//! ```
//! use ww_config::quantity::{Rate, Span};
//! use ww_config::{Reader, parse};
//!
//! struct Port {
//!     number: u32,
//!     rate: Rate,
//! }
//!
//! fn port(reader: &Reader<'_>) -> Option<Port> {
//!     // Ask for every key first, so that each missing or wrong one is reported.
//!     let number = reader.needed_within("number", 0..=63, "3");
//!     let rate = reader.get_or("rate", Rate(1_000_000_000));
//!     Some(Port { number: number?, rate })
//! }
//!
//! fn ports(name: &str, text: &str) -> Result<(Span, Vec<Port>), ww_config::Report> {
//!     parse(name, text, |file| {
//!         let window = file.need("window", "\"100 us\"");
//!         let ports = file.each("port", port);
//!         Some((window?, ports))
//!     })
//! }
//!
//! let (window, list) = ports("ports.toml", "window = '1 ms'\n[[port]]\nnumber = 3\n").unwrap();
//! assert_eq!((window, list[0].number, list[0].rate), (Span(1_000_000_000), 3, Rate(1_000_000_000)));
//! let text = "windw = '1 ms'\n[[port]]\nnumber = 64\nrate = '10 GB/s'\n";
//! let report = ports("ports.toml", text).err().expect("three mistakes");
//! assert_eq!(
//!     report.to_string(),
//!     "ports.toml:1:1: unknown key 'windw' in the file; did you mean 'window'?\n\
//!      ports.toml:3:10: 'number': expected 0 to 63, found 64\n\
//!      ports.toml:4:8: 'rate': expected a rate such as \"40 Gb/s\" (b/s, kb/s, Mb/s, Gb/s, Tb/s), found \"10 GB/s\"",
//! );
//! ```
//!
//! What needs several files in one report (a lab and its expectations) uses [`Sources`], [`Mistakes`], [`tree::parse`] and
//! [`Reader`] directly. [`Reader::value`] gives a value with its [`Place`], [`Mistakes::advise`] adds a mistake of one's own.

pub mod mistakes;
pub mod quantity;
pub mod reader;
pub mod tree;
pub mod units;
mod write;

pub use mistakes::{Mistake, Mistakes, Place, Report, Sources, did_you_mean};
pub use quantity::Quantity;
pub use reader::Reader;
pub use tree::{Kind, Table, Value};
pub use write::write;

use std::io::Read;
use std::path::Path;

/// Bytes that a text may have: the largest of our files, states of control planes, stay below.
pub const MAX_TEXT: usize = 64 << 20;
/// Bytes that a file written by people may have.
pub const MAX_FILE: usize = 16 << 20;

/// Reads a text in the file called `name`. `read` takes what it knows from the file's table; it gives `None` only if it has
/// added a mistake. Keys that it has not asked for are mistakes, too.
///
/// # Errors
/// All mistakes, in the order of the text.
pub fn parse<T>(
    name: &str,
    text: &str,
    read: impl FnOnce(&Reader<'_>) -> Option<T>,
) -> Result<T, Report> {
    if text.len() > MAX_TEXT {
        return Err(Report::of_file(name, format!("has more than {MAX_TEXT} bytes")));
    }
    let (mut sources, mistakes) = (Sources::default(), Mistakes::default());
    let source = sources.file(name, text);
    let table = tree::parse(text, source, &mistakes);
    let place = Place::new(source, 0..0);
    let reader = Reader::new(&table, "the file", &place, &mistakes);
    let value = read(&reader);
    reader.finish();
    match (mistakes.report(&sources), value) {
        (Some(report), _) => Err(report),
        (None, Some(value)) => Ok(value),
        (None, None) => Err(Report::of_file(name, "cannot be read")),
    }
}

/// The text of a file of at most [`MAX_FILE`] bytes.
///
/// # Errors
/// It cannot be read, is too long, or is not UTF-8.
pub fn text(file: &Path) -> Result<String, Report> {
    text_within(file, MAX_FILE)
}

/// The text of a file of at most so many bytes.
///
/// # Errors
/// It cannot be read, is too long, or is not UTF-8.
pub fn text_within(file: &Path, most: usize) -> Result<String, Report> {
    let shown = file.display().to_string();
    let wrong = |error: std::io::Error| Report::of_file(&shown, format!("cannot be read: {error}"));
    let mut bytes = Vec::new();
    let opened = std::fs::File::open(file).map_err(wrong)?;
    // A file that has no length of its own, such as a pipe, is bounded too.
    opened.take(most as u64 + 1).read_to_end(&mut bytes).map_err(wrong)?;
    if bytes.len() > most {
        return Err(Report::of_file(&shown, format!("has more than {most} bytes")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..valid].iter().filter(|byte| **byte == b'\n').count() + 1;
        Report::of_file(format!("{shown}:{line}"), "is not UTF-8 text")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_bounded() {
        let long = " ".repeat(MAX_TEXT + 1);
        let report = parse("long.toml", &long, |_| Some(())).expect_err("too long");
        assert_eq!(report.to_string(), "long.toml: has more than 67108864 bytes");
        let report = text(Path::new("/dev/zero")).expect_err("too long");
        assert_eq!(report.to_string(), "/dev/zero: has more than 16777216 bytes");
        for deep in [format!("a = {}", "[".repeat(100_000)), format!("{} = 1", "a.".repeat(50_000))]
        {
            parse("deep.toml", &deep, |file| file.value("a").map(|_| ())).expect_err("too deep");
        }
    }

    #[test]
    fn unknown_keys_and_broken_lines_are_one_report() {
        let text = "x 1\nrte = 1\n[[port]]\nnumber = true\n";
        let report = parse("f", text, |file| {
            file.get_or("rate", 1u64);
            Some(file.each("port", |port| port.need::<u32>("number", "1")))
        });
        let lines: Vec<_> = report.expect_err("three").mistakes;
        let lines: Vec<_> = lines.iter().map(|mistake| mistake.position).collect();
        assert_eq!(lines.len(), 3, "{lines:?}");
        assert_eq!((lines[1], lines[2]), (Some((2, 1)), Some((4, 10))));
    }
}
