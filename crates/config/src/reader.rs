//! Reads tables key by key: what is wrong is noted, and reading goes on.

use crate::mistakes::{Mistakes, Place, did_you_mean};
use crate::quantity::Quantity;
use crate::tree::{Entry, Kind, Table, Value};
use std::cell::{Cell, RefCell};
use ww_spelling::suggestion;

/// A table that is being read.
#[derive(Debug)]
pub struct Reader<'t> {
    table: &'t Table,
    /// As messages call it: `[run]`, `'edge' of [topology]`.
    what: String,
    /// Where a missing key is told.
    place: &'t Place,
    mistakes: &'t Mistakes,
    asked: RefCell<Vec<&'static str>>,
    /// Whether [`finish`](Self::finish) finds fault with keys that nobody has asked for.
    is_strict: Cell<bool>,
}

impl<'t> Reader<'t> {
    /// Reads a table that messages call `what`.
    pub fn new(
        table: &'t Table,
        what: impl Into<String>,
        place: &'t Place,
        mistakes: &'t Mistakes,
    ) -> Self {
        Self {
            table,
            what: what.into(),
            place,
            mistakes,
            asked: RefCell::default(),
            is_strict: Cell::new(true),
        }
    }

    /// Where the table is.
    pub fn place(&self) -> &'t Place {
        self.place
    }

    /// As messages call it.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// The collector.
    pub fn mistakes(&self) -> &'t Mistakes {
        self.mistakes
    }

    /// The value of a key. From now on the key is known.
    pub fn value(&self, key: &'static str) -> Option<&'t Value> {
        self.asked.borrow_mut().push(key);
        self.table.get(key)
    }

    /// Whether there is such a key. From now on it is known.
    pub fn has(&self, key: &'static str) -> bool {
        self.value(key).is_some()
    }

    /// Keys that nobody has asked for are no mistakes of this table.
    pub fn skip_rest(&self) {
        self.is_strict.set(false);
    }

    /// The value of a key that must be there, with an example for the message.
    pub fn needed_value(&self, key: &'static str, example: &str) -> Option<&'t Value> {
        let value = self.value(key);
        if value.is_none() {
            self.missing(key, example);
        }
        value
    }

    /// Says that a key is missing.
    pub fn missing(&self, key: &str, example: &str) {
        let advice = Some(format!("such as {key} = {example}"));
        // A key that is not known and is nearly this one is told as that.
        if !self.has_slip_of(key) {
            self.mistakes.advise(self.place, format!("{} needs '{key}'", self.what), advice);
        }
    }

    /// Whether a key is missing, and there is one that nobody has asked for and that is nearly this one, or a line that could not be read.
    pub fn has_slip_of(&self, key: &str) -> bool {
        let known = self.asked.borrow();
        let mut entries = self.table.entries.iter();
        self.table.get(key).is_none()
            && (self.mistakes.may_have_more(self.place)
                || entries.any(|entry| {
                    !known.contains(&entry.key.as_str()) && suggestion(&entry.key, [key]).is_some()
                }))
    }

    /// Whether somebody has asked for a key.
    pub fn knows(&self, key: &str) -> bool {
        self.asked.borrow().contains(&key)
    }

    /// Whether there may be more tables of a name than those that could be read.
    pub fn may_lack(&self, key: &str) -> bool {
        self.mistakes.may_have_more(self.place) || self.has_slip_of(key)
    }

    /// A quantity, if the key is there and its value is good.
    pub fn get<Q: Quantity>(&self, key: &'static str) -> Option<Q> {
        self.value(key).and_then(|value| self.read(key, value))
    }

    /// A quantity that has a default.
    pub fn get_or<Q: Quantity>(&self, key: &'static str, default: Q) -> Q {
        self.get(key).unwrap_or(default)
    }

    /// A quantity that must be there. `None` has been told.
    pub fn need<Q: Quantity>(&self, key: &'static str, example: &str) -> Option<Q> {
        self.needed_value(key, example).and_then(|value| self.read(key, value))
    }

    /// A value as a quantity.
    pub fn read<Q: Quantity>(&self, key: &str, value: &Value) -> Option<Q> {
        match Q::read(value) {
            Ok(quantity) => Some(quantity),
            Err(message) => {
                self.mistakes.add(&value.place, format!("'{key}': {message}"));
                None
            }
        }
    }

    /// One of some words. A word that is nearly one of them is told, and taken as that one, so that what belongs to it is read.
    pub fn choice<T: Copy>(&self, key: &'static str, words: &[(&str, T)]) -> Option<T> {
        self.value(key).and_then(|value| self.chosen(key, value, words))
    }

    /// One of some words, which must be there.
    pub fn needed_choice<T: Copy>(&self, key: &'static str, words: &[(&str, T)]) -> Option<T> {
        let all: Vec<String> = words.iter().map(|(word, _)| format!("\"{word}\"")).collect();
        let value = self.needed_value(key, &all.join(" | "))?;
        self.chosen(key, value, words)
    }

    fn chosen<T: Copy>(&self, key: &str, value: &Value, words: &[(&str, T)]) -> Option<T> {
        let found = value.text();
        let named =
            |text: &str| words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
        if let Some(chosen) = found.and_then(named) {
            return Some(chosen);
        }
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let message =
            format!("'{key}': expected {}, found {}", known.join(", "), value.described());
        let advice = found.and_then(|text| did_you_mean(text, known.iter().copied()));
        self.mistakes.advise(&value.place, message, advice);
        found.and_then(|text| suggestion(text, known)).and_then(named)
    }

    /// A number of this range.
    pub fn within<Q>(&self, key: &'static str, range: std::ops::RangeInclusive<Q>) -> Option<Q>
    where
        Q: Quantity + PartialOrd + std::fmt::Display,
    {
        let value = self.value(key)?;
        match Q::read(value) {
            Ok(number) if range.contains(&number) => return Some(number),
            // Whole numbers that the type cannot hold are beyond the range, too.
            Err(_) if !matches!(value.kind, Kind::Integer(_)) => return self.read(key, value),
            _ => {}
        }
        let (from, to) = range.into_inner();
        self.mistakes.add(
            &value.place,
            format!("'{key}': expected {from} to {to}, found {}", value.described()),
        );
        None
    }

    /// A number of this range that must be there.
    pub fn needed_within<Q>(
        &self,
        key: &'static str,
        range: std::ops::RangeInclusive<Q>,
        example: &str,
    ) -> Option<Q>
    where
        Q: Quantity + PartialOrd + std::fmt::Display,
    {
        self.needed_value(key, example)?;
        self.within(key, range)
    }

    /// A table within this one.
    pub fn inner(&self, key: &'static str) -> Option<Reader<'t>> {
        let value = self.value(key)?;
        self.as_table(value, format!("'{key}' of {}", self.what))
    }

    /// A value that must be a table.
    pub fn as_table(&self, value: &'t Value, what: String) -> Option<Reader<'t>> {
        match &value.kind {
            Kind::Table(table) => Some(Reader::new(table, what, &value.place, self.mistakes)),
            _ => {
                let found = value.described();
                self.mistakes
                    .add(&value.place, format!("expected {what} to be a table, found {found}"));
                None
            }
        }
    }

    /// Tables with one name: `[[node]]`.
    pub fn tables(&self, key: &'static str) -> Vec<Reader<'t>> {
        let Some(value) = self.value(key) else { return Vec::new() };
        let read = |value| self.as_table(value, format!("[[{key}]]"));
        value.listed().iter().filter_map(read).collect()
    }

    /// What `read` makes of each table of a name; unknown keys in them are mistakes. A table of which it makes nothing is skipped.
    pub fn each<T>(
        &self,
        key: &'static str,
        mut read: impl FnMut(&Reader<'t>) -> Option<T>,
    ) -> Vec<T> {
        let mut list = Vec::new();
        for reader in self.tables(key) {
            list.extend(read(&reader));
            reader.finish();
        }
        list
    }

    /// The values of a list, each as a quantity with its place. What is wrong is skipped; a missing list is empty.
    pub fn list<Q: Quantity>(&self, key: &'static str) -> Vec<(Q, &'t Place)> {
        let Some(value) = self.value(key) else { return Vec::new() };
        let Kind::List(values) = &value.kind else {
            let found = value.described();
            self.mistakes.add(&value.place, format!("'{key}': expected a list, found {found}"));
            return Vec::new();
        };
        let read = |value: &'t Value| Some((self.read(key, value)?, &value.place));
        values.iter().filter_map(read).collect()
    }

    /// A quantity with its place, if the key is there and its value is good.
    pub fn placed<Q: Quantity>(&self, key: &'static str) -> Option<(Q, &'t Place)> {
        self.value(key).and_then(|value| Some((self.read(key, value)?, &value.place)))
    }

    /// Says what is wrong with the value of a key; with the table, if it has no such key.
    pub fn wrong(&self, key: &str, message: impl Into<String>) {
        let place = self.table.get(key).map_or(self.place, |value| &value.place);
        self.mistakes.add(place, message);
    }

    /// All keys with their values: keys that the file's author has made up.
    pub fn entries(&self) -> &'t [Entry] {
        &self.table.entries
    }

    /// Says which keys nobody has asked for.
    pub fn finish(self) {
        let known = self.asked.into_inner();
        let unread = self.table.entries.iter().filter(|_| self.is_strict.get());
        for entry in unread {
            if known.contains(&entry.key.as_str()) {
                continue;
            }
            let message = format!("unknown key '{}' in {}", entry.key, self.what);
            let advice = did_you_mean(&entry.key, known.iter().copied()).or_else(|| {
                let mut words = known.clone();
                words.sort_unstable();
                words.dedup();
                Some(format!("there are {}", words.join(", ")))
            });
            self.mistakes.advise(&entry.place, message, advice);
        }
    }
}
