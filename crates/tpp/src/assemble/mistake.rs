//! Mistakes in programs, and how they are shown.

use super::Span;
use std::fmt::Write as _;

/// What is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Where.
    pub span: Span,
    /// What was expected and what was found.
    pub message: String,
    /// What to do, where we know it.
    pub help: Option<String>,
}

impl Mistake {
    pub(super) fn new(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), help: None }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// Characters of a source line that are shown at most.
const MAX_SHOWN: usize = 200;

/// The mistakes as text: place, message, advice, source line, caret.
pub fn render(file: &str, text: &str, mistakes: &[Mistake]) -> String {
    let mut out = String::new();
    for Mistake { span, message, help } in mistakes {
        let _ = write!(out, "{file}:{}:{}: {message}", span.line, span.column);
        if let Some(help) = help {
            let _ = write!(out, "; {help}");
        }
        out.push('\n');
        let line = span.line.checked_sub(1).and_then(|n| text.lines().nth(n)).unwrap_or_default();
        if !line.trim().is_empty() && span.column + span.length <= MAX_SHOWN {
            let shown: String = line.chars().take(MAX_SHOWN).map(plain).collect();
            let caret = "^".repeat(span.length.max(1));
            let _ = writeln!(out, "  {shown}\n  {:>1$}", caret, span.column - 1 + caret.len());
        }
    }
    out
}

/// A character that moves no cursor.
fn plain(c: char) -> char {
    if c.is_control() { ' ' } else { c }
}
