//! The file of a lab: TOML, read so that every mistake is found at once.

pub mod overrides;
pub mod quantity;

use mistakes::Report;
use std::path::Path;
pub use ww_config::{mistakes, reader, tree};

/// A file of a lab has at most so many bytes.
const MAX_TEXT: u64 = 16 << 20;

/// The text of a file.
///
/// # Errors
/// It cannot be read, is too long, or is not UTF-8.
pub fn text(file: &Path) -> Result<String, Report> {
    let shown = file.display().to_string();
    let wrong = |error: std::io::Error| Report::of_file(&shown, format!("cannot be read: {error}"));
    if std::fs::metadata(file).map_err(wrong)?.len() > MAX_TEXT {
        return Err(Report::of_file(&shown, format!("has more than {MAX_TEXT} bytes")));
    }
    let bytes = std::fs::read(file).map_err(wrong)?;
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..valid].iter().filter(|byte| **byte == b'\n').count() + 1;
        Report::of_file(format!("{shown}:{line}"), "is not UTF-8 text")
    })
}
