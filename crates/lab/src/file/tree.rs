//! TOML as a tree of values that know where they were written.

use super::mistakes::{Mistakes, Place};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Levels that values may nest.
const DEPTH: usize = 32;

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
    /// A number without a point.
    Integer(i64),
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

/// Reads a text. What is not TOML is a mistake, and is left out.
pub fn parse(text: &str, source: usize, mistakes: &Mistakes) -> Table {
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        let place = Place::new(source, error.span().unwrap_or(0..0));
        let message = error.message().trim_end().replace('\n', "; ");
        mistakes.advise(&place, message, syntax_advice(text, &place));
    }
    self::table(table.into_inner(), source, 0, mistakes)
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
        DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => Kind::Integer(number),
            Err(_) => {
                mistakes.add(&place, "expected a whole number below 2^63");
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
