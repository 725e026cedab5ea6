//! Why something does not run.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use ww_io::overwrite::Overwrite;
use ww_p4::diagnostic::Diagnostics;
use ww_p4::source::SourceMap;

/// Why something does not run.
#[derive(Debug)]
pub enum Error {
    /// What was asked for contradicts itself.
    Usage(String),
    /// A file is wrong: all that is wrong with it.
    Mistakes(Box<Mistakes>),
    /// The engine cannot hold the program.
    Unsupported(String),
    /// Anything else.
    Failed(String),
}

/// All that is wrong with a file.
pub struct Mistakes {
    /// Errors, and warnings beside them.
    pub diagnostics: Diagnostics,
    /// Where they are.
    pub sources: Arc<SourceMap>,
    /// The closing sentence, which names the file.
    pub message: String,
}

/// The closing sentence about a file with errors.
pub fn rejection(path: &Path, diagnostics: &Diagnostics) -> String {
    let count = match diagnostics.error_count() {
        1 => "1 error".to_owned(),
        n => format!("{n} errors"),
    };
    format!("{} is rejected: {count}", path.display())
}

impl Mistakes {
    /// Of a file with errors.
    pub fn new(path: &Path, diagnostics: Diagnostics, sources: Arc<SourceMap>) -> Self {
        let message = rejection(path, &diagnostics);
        Self { diagnostics, sources, message }
    }
}

impl fmt::Debug for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.diagnostics.render(&self.sources, false);
        write!(f, "{}\n{}", text.trim_end(), self.message)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(message) | Self::Unsupported(message) | Self::Failed(message) => {
                f.write_str(message)
            }
            Self::Mistakes(mistakes) => mistakes.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl From<Mistakes> for Error {
    fn from(mistakes: Mistakes) -> Self {
        Self::Mistakes(Box::new(mistakes))
    }
}

impl From<Overwrite> for Error {
    fn from(overwrite: Overwrite) -> Self {
        Self::Usage(overwrite.to_string())
    }
}

impl Error {
    /// The system, a file or a port refused.
    pub fn failed(error: impl fmt::Display) -> Self {
        Self::Failed(error.to_string())
    }
}
