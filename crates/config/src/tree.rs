//! TOML as a tree of values that know where they were written.

use super::mistakes::{Mistakes, Place};
use std::borrow::Cow;
use std::ops::RangeInclusive;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Levels that values may nest.
const DEPTH: usize = 64;
/// Whole numbers that values may be.
const INTEGERS: RangeInclusive<i128> = i64::MIN as i128..=u64::MAX as i128;
/// A text is read again so often without what could not be read.
const ATTEMPTS: usize = 8;

/// A value and its place.
#[derive(Clone, Debug)]
pub struct Value {
    /// Where it is.
    pub place: Place,
    /// What it is.
    pub kind: Kind,
}

/// What a value is.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A string.
    Text(String),
    /// A number without a point, from -2^63 to below 2^64.
    Integer(i128),
    /// A number with a point.
    Float(f64),
    /// `true` or `false`.
    Truth(bool),
    /// A date or time, as it is written.
    Date(String),
    /// Values in brackets, or tables with the same name.
    List(Vec<Value>),
    /// Keys with values.
    Table(Table),
}

/// Keys with values, in the order of the text.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// All of them.
    pub entries: Vec<Entry>,
}

/// A key with its value.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Where the key is.
    pub place: Place,
    /// What it stands for.
    pub value: Value,
}

impl Table {
    /// What a key stands for.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value)
    }

    /// What a key stands for, to be changed.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        self.entries.iter_mut().find(|entry| entry.key == key).map(|entry| &mut entry.value)
    }

    /// Sets what a key stands for.
    pub fn set(&mut self, key: &str, value: Value) {
        match self.entries.iter_mut().find(|entry| entry.key == key) {
            Some(entry) => {
                entry.place = value.place.clone();
                entry.value = value;
            }
            None => {
                let place = value.place.clone();
                self.entries.push(Entry { key: key.to_owned(), place, value });
            }
        }
    }
}

impl Value {
    /// What kind of value it is, and its text where that is short: for messages.
    pub fn described(&self) -> String {
        match &self.kind {
            Kind::Text(text) => {
                let short: String = text.chars().take(60).collect();
                format!("{short:?}")
            }
            Kind::Integer(number) => number.to_string(),
            Kind::Float(number) => number.to_string(),
            Kind::Truth(value) => value.to_string(),
            Kind::Date(text) => format!("the date or time {text}"),
            Kind::List(_) => "a list".to_owned(),
            Kind::Table(_) => "a table".to_owned(),
        }
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The table, if it is one.
    pub fn table(&self) -> Option<&Table> {
        match &self.kind {
            Kind::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The values of a list, or the value alone.
    pub fn listed(&self) -> &[Value] {
        match &self.kind {
            Kind::List(list) => list,
            _ => std::slice::from_ref(self),
        }
    }
}

/// Reads a text. What is not TOML is a mistake, and is skipped.
pub fn parse(text: &str, source: usize, mistakes: &Mistakes) -> Table {
    let mut readable = Cow::Borrowed(text);
    let mut attempt = 0;
    loop {
        let (table, errors) = DeTable::parse_recoverable(&readable);
        let mut rest = readable.as_bytes().to_vec();
        let mut parts = Vec::new();
        for error in &errors {
            let place = Place::new(source, error.span().unwrap_or(0..0));
            let message = error.message().trim_end().replace('\n', "; ");
            let part = unreadable(text, &place);
            // What is left of a value over several lines is no other mistake.
            if !is_left_open(text, &rest, part.0.start) {
                mistakes.advise(&place, message, syntax_advice(text, &place));
            }
            blank(&mut rest, &part.0);
            parts.push(part);
        }
        parts.into_iter().for_each(|(place, table)| mistakes.unreadable(place, table));
        if errors.is_empty() || attempt == ATTEMPTS || rest == readable.as_bytes() {
            return self::table(table.into_inner(), source, 0, mistakes);
        }
        // Behind some errors the parser reads nothing: without these lines, which are whole ones, it does.
        readable = Cow::Owned(String::from_utf8(rest).unwrap_or_default());
        attempt += 1;
    }
}

/// Whether the lines above a line, as far as they are not in what is readable, open a value that goes on below.
fn is_left_open(text: &str, readable: &[u8], line: usize) -> bool {
    let mut start = line;
    while let Some(above) = text.get(..start.saturating_sub(1)).filter(|_| start > 0) {
        let begin = above.rfind('\n').map_or(0, |at| at + 1);
        if above[begin..].trim().is_empty()
            || readable.get(begin..start) == text.as_bytes().get(begin..start)
        {
            break;
        }
        start = begin;
    }
    let lines = text.get(start..line).unwrap_or_default();
    let count = |letters: &str| lines.chars().filter(|letter| letters.contains(*letter)).count();
    let quotes = ["\"\"\"", "\'\'\'"].iter().any(|quotes| lines.matches(quotes).count() % 2 == 1);
    quotes || count("[{") > count("]}")
}

/// Takes a part out of a text; what is left stays at its place.
fn blank(text: &mut [u8], part: &Place) {
    let end = part.end.min(text.len());
    let letters = text.get_mut(part.start..end).unwrap_or_default().iter_mut();
    letters.filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
}

/// The part of a text that cannot be read for an error, and where the table begins that it is in.
fn unreadable(text: &str, error: &Place) -> (Place, Option<usize>) {
    let line = text.get(..error.start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    // Heads of tables with their places, from a line on.
    let heads = |text: &str, from: usize| {
        let lines = text.split_inclusive('\n').scan(from, |at, line| {
            let start = *at;
            *at += line.len();
            Some((start, line))
        });
        let heads = lines.filter(|(_, line)| line.trim_start().starts_with('['));
        heads.map(|(start, line)| start + line.len() - line.trim_start().len()).collect::<Vec<_>>()
    };
    let (before, rest) = text.split_at_checked(line).unwrap_or((text, ""));
    let first = rest.split_inclusive('\n').next().unwrap_or_default();
    if first.trim_start().starts_with('[') {
        let next = heads(&rest[first.len()..], line + first.len()).into_iter().next();
        return (Place::new(error.source, line..next.unwrap_or(text.len() + 1)), None);
    }
    let table = heads(before, 0).pop().unwrap_or(0);
    (Place::new(error.source, line..line + first.len().max(1)), Some(table))
}

/// A quantity without quotes is the commonest slip.
fn syntax_advice(text: &str, place: &Place) -> Option<String> {
    let line_start = text.get(..place.start)?.rfind('\n').map_or(0, |at| at + 1);
    let line = text.get(line_start..)?.lines().next()?;
    let (_, value) = line.split_once('=')?;
    let value = value.split('#').next()?.trim();
    let is_quantity = value.starts_with(|c: char| c.is_ascii_digit())
        && value.len() < 30
        && value.ends_with(|c: char| c.is_ascii_alphabetic() || c == '%');
    is_quantity.then(|| format!("quantities stand in quotes: \"{value}\""))
}

fn table(table: DeTable<'_>, source: usize, depth: usize, mistakes: &Mistakes) -> Table {
    let mut entries: Vec<Entry> = Vec::new();
    for (key, value) in table {
        let place = Place::new(source, key.span());
        let value = self::value(value, source, depth + 1, mistakes);
        entries.push(Entry { key: key.into_inner().into_owned(), place, value });
    }
    entries.sort_by_key(|entry| entry.place.start);
    Table { entries }
}

fn value(spanned: Spanned<DeValue<'_>>, source: usize, depth: usize, mistakes: &Mistakes) -> Value {
    let place = Place::new(source, spanned.span());
    if depth > DEPTH {
        mistakes.add(&place, format!("values nest more than {DEPTH} levels"));
        return Value { place, kind: Kind::Truth(false) };
    }
    let kind = match spanned.into_inner() {
        DeValue::String(text) => Kind::Text(text.into_owned()),
        DeValue::Integer(number) => match i128::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) if INTEGERS.contains(&number) => Kind::Integer(number),
            _ => {
                mistakes.add(&place, "expected a whole number from -2^63 to below 2^64");
                Kind::Integer(0)
            }
        },
        DeValue::Float(number) => match number.as_str().parse() {
            Ok(number) => Kind::Float(number),
            Err(_) => Kind::Float(f64::NAN),
        },
        DeValue::Boolean(value) => Kind::Truth(value),
        DeValue::Datetime(value) => Kind::Date(value.to_string()),
        DeValue::Array(list) => {
            let list = list.into_iter().map(|item| value(item, source, depth + 1, mistakes));
            Kind::List(list.collect())
        }
        DeValue::Table(inner) => Kind::Table(table(inner, source, depth, mistakes)),
    };
    Value { place, kind }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mistakes::Sources;

    fn read(text: &str) -> (Table, Vec<String>) {
        let (mut sources, mistakes) = (Sources::default(), Mistakes::default());
        let file = sources.file("lab.toml", text);
        let table = parse(text, file, &mistakes);
        let report = mistakes.report(&sources).unwrap_or_default();
        (table, report.mistakes.iter().map(ToString::to_string).collect())
    }

    /// A line that is no TOML is told, and hides none of those behind it.
    #[test]
    fn lines_that_are_not_toml() {
        let text = "[a]\nx 1\ny = 2\n[b]\nlist = [1,\n  2 3,\n  4]\nz = 5\n[[c]\nw = 6\n[d]\nv = 7 s\nu = 8\n[e]\nlist ! [\n  1,\n  2,\n]\nt = 9\n";
        let (table, told) = read(text);
        for (number, line) in told.iter().enumerate() {
            let lines = ["2:", "6:", "9:", "12:", "15:"];
            assert!(line.starts_with(&format!("lab.toml:{}", lines[number])), "{told:#?}");
        }
        assert_eq!(told.len(), 5, "{told:#?}");
        assert!(told[3].contains("quantities stand in quotes: \"7 s\""), "{told:#?}");
        let integer = |table: &str, key: &str| {
            let value = super::Table::get(&read(text).0, table)?.table()?.get(key)?.described();
            Some(value)
        };
        assert_eq!(integer("a", "y").as_deref(), Some("2"));
        assert_eq!(integer("b", "z").as_deref(), Some("5"));
        assert_eq!(integer("d", "u").as_deref(), Some("8"));
        assert_eq!(integer("e", "t").as_deref(), Some("9"));
        // What belongs to a table whose head cannot be read is in no other one.
        assert_eq!(integer("b", "w"), None);
        assert!(table.get("c").is_none());
    }
}
