//! The state of a script that is carried out, and what all commands need.

use super::Surroundings;
use crate::number;
use crate::word::{Word, shorten};
use num_bigint::BigUint;
use std::sync::Arc;
use ww_dataplane::control::{Control, Error, Schema, TableIndex};
use ww_p4::diagnostic::Diagnostic;
use ww_p4::source::Span;

/// A result whose error is the message for the author.
pub(super) type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// A script at work.
pub(super) struct Session<'c> {
    /// What the commands are for.
    pub control: &'c mut dyn Control,
    /// What reading commands say.
    pub output: Vec<String>,
    /// Something that later commands may refer to does not exist, because its creation was
    /// refused; that they do not find it is no news.
    pub creation_failed: bool,
    /// What is around the dataplane.
    pub surroundings: &'c Surroundings,
}

impl<'c> Session<'c> {
    /// A session that has done nothing yet.
    pub fn new(control: &'c mut dyn Control, surroundings: &'c Surroundings) -> Self {
        Self { control, output: Vec::new(), creation_failed: false, surroundings }
    }

    /// What the program offers.
    pub fn schema(&self) -> Arc<Schema> {
        self.control.schema()
    }

    /// The table of that name.
    pub fn table(&self, name: &Word) -> Result<TableIndex> {
        self.schema().table(&name.text).map_err(|e| at(name.span, e))
    }

    /// Turns an engine's answer into ours. Objects that are missing because their creation was
    /// refused before are not reported again.
    pub fn accept<T>(
        &self,
        span: Span,
        answer: std::result::Result<T, Error>,
    ) -> Result<Option<T>> {
        match answer {
            Ok(value) => Ok(Some(value)),
            Err(Error::NoSuch { .. }) if self.creation_failed => Ok(None),
            Err(error) => Err(at(span, error)),
        }
    }

    /// The same for answers without value.
    pub fn done(&self, span: Span, answer: std::result::Result<(), Error>) -> Result<()> {
        self.accept(span, answer).map(|_| ())
    }

    /// The error that something is not there, unless its creation was refused before.
    pub fn missing(&self, span: Span, message: String) -> Result<()> {
        match self.creation_failed {
            true => Ok(()),
            false => fail(span, message),
        }
    }

    /// Keeps what a command has to say.
    pub fn say(&mut self, text: String) {
        self.output.push(text);
    }
}

/// A refusal as a message at a place.
pub(super) fn at(span: Span, error: Error) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(span, error.to_string()))
}

/// A message at a place.
pub(super) fn fail<T>(span: Span, message: impl Into<String>) -> Result<T> {
    Err(Box::new(Diagnostic::error(span, message)))
}

/// A number that must fit `T`.
pub(super) fn small<T: TryFrom<BigUint>>(word: &Word, what: &str) -> Result<T> {
    match number::small(&word.text) {
        Some(value) => Ok(value),
        None => fail(word.span, format!("expected {what}, found `{}`", shorten(&word.text))),
    }
}

/// The `N`th argument; the table of commands guarantees that it is there.
pub(super) fn argument(arguments: &[Word], n: usize, span: Span) -> Result<&Word> {
    match arguments.get(n) {
        Some(word) => Ok(word),
        None => fail(span, "an argument is missing"),
    }
}
