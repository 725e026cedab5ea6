//! From a P4 file to a program that an engine can load.

use crate::error::{Error, Mistakes};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use ww_io::overwrite::Files;
use ww_p4::diagnostic::Severity;
use ww_p4::frontend::{Compilation, compile_file};
use ww_p4::ir;
use ww_p4::preprocess::Options;
use ww_p4::source::{SourceMap, Span};

/// A program that is accepted.
#[derive(Clone)]
pub struct Program {
    /// Its file.
    pub path: PathBuf,
    /// Where spans of it are.
    pub sources: Arc<SourceMap>,
    /// The typed IR.
    pub ir: Arc<ir::Program>,
}

impl Program {
    /// Reads and checks a program. Warnings are left out: `ww check` has them.
    ///
    /// # Errors
    /// All errors of a program that is rejected.
    pub fn open(path: &Path, options: &Options) -> Result<Self, Mistakes> {
        let Compilation { sources, program, mut diagnostics, .. } = compile_file(path, options);
        let sources = Arc::new(sources);
        if diagnostics.has_errors() {
            diagnostics.retain(|diagnostic| diagnostic.severity == Severity::Error);
            return Err(Mistakes::new(path, diagnostics, sources));
        }
        Ok(Self { path: path.to_owned(), sources, ir: Arc::new(program) })
    }
}

/// ` (at FILE:LINE:COLUMN)`, for the end of a sentence; nothing without a place.
pub(crate) fn at(sources: &SourceMap, span: Option<Span>) -> String {
    let known = span.filter(|span| sources.position(*span).is_some());
    known.map_or_else(String::new, |span| format!(" (at {})", sources.describe(span)))
}

/// The files that a program was read from: its own, and descriptions of architectures.
pub fn files(sources: &SourceMap) -> Files {
    let mut files = Files::default();
    for (number, file) in sources.files().filter(|file| !file.is_system).enumerate() {
        let what = if number == 0 { "the program" } else { "a file of the program" };
        files.reads(what, &file.path);
    }
    files
}

/// The preprocessor's options of folders and of macros as `N=V`, or `N` for `N=1`.
pub fn options(include: &[PathBuf], define: &[String]) -> Options {
    let one = |text: &String| match text.split_once('=') {
        Some((name, value)) => (name.to_owned(), value.to_owned()),
        None => (text.clone(), "1".to_owned()),
    };
    Options {
        include_dirs: include.to_vec(),
        defines: define.iter().map(one).collect(),
        ..Options::default()
    }
}

/// Why a file cannot be read, in the words that the front end has for its files.
fn reason(error: &std::io::Error) -> String {
    if error.kind() == std::io::ErrorKind::IsADirectory {
        return "it is a folder".to_owned();
    }
    let text = error.to_string();
    text.split_once(" (os error").map_or_else(|| text.clone(), |(words, _)| words.to_lowercase())
}

/// The text of a file.
///
/// # Errors
/// It cannot be read, or is not UTF-8: the line.
pub fn text(path: &Path) -> Result<String, Error> {
    let bytes = std::fs::read(path).map_err(|error| {
        Error::Failed(format!("cannot read '{}': {}", path.display(), reason(&error)))
    })?;
    String::from_utf8(bytes).map_err(|error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()]
            .iter()
            .filter(|b| **b == b'\n')
            .count();
        Error::Failed(format!("{}:{}: is not UTF-8 text", path.display(), line + 1))
    })
}
