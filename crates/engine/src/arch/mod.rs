//! How this crate meets the architecture that `ww_p4::architecture` describes: what of it is
//! carried out here, and where a program keeps the metadata that it shares with the switch.

mod ends;
mod externs;
mod intrinsic;

pub use ends::{End, Ends, When};
pub use externs::{ExternFunction, ExternObject};
pub use intrinsic::IntrinsicFields;

use std::fmt;
use ww_p4::diagnostic::Diagnostic;
use ww_p4::source::Span;

/// What an engine cannot run, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// The sentence.
    pub message: String,
    /// Where in the program.
    pub span: Option<Span>,
}

impl Unsupported {
    /// With this sentence.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), span: None }
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not supported: {}", self.message)
    }
}

impl std::error::Error for Unsupported {}

impl From<Diagnostic> for Unsupported {
    fn from(diagnostic: Diagnostic) -> Self {
        let span = Some(diagnostic.span).filter(|span| !span.is_none());
        let message = match diagnostic.help {
            Some(help) => format!("{} ({help})", diagnostic.message),
            None => diagnostic.message,
        };
        Self { message, span }
    }
}
