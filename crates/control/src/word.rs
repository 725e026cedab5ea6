//! Pieces of outside text with their places.

use ww_p4::source::Span;

/// A piece of text and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The text.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// The beginning of a long word, for messages.
pub fn shorten(word: &str) -> String {
    match word.char_indices().nth(40) {
        Some((at, _)) => format!("{}...", &word[..at]),
        None => word.to_owned(),
    }
}
