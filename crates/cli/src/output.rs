//! Writing to the terminal and to files.

use crate::Failure;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;
use ww_p4::diagnostic::Diagnostics;
use ww_p4::source::SourceMap;

/// Writes to standard output. A reader that has gone away (`| head`) is no error.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Rejected(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// A number with what is counted: `1 packet`, `2 packets`.
pub fn counted(number: u64, what: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {what}{ending}")
}

/// Whether messages may be coloured.
fn colour() -> bool {
    io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
}

/// Prints all diagnostics on standard error.
pub fn print_diagnostics(diagnostics: &Diagnostics, sources: &SourceMap) {
    let text = diagnostics.render(sources, colour());
    if !text.is_empty() {
        // Nothing can be done if even that fails.
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
}

/// Writes a whole file: it appears complete or not at all.
pub fn write_file(path: &Path, contents: &[u8]) -> Result<(), Failure> {
    let fail =
        |error: io::Error| Failure::Rejected(format!("cannot write '{}': {error}", path.display()));
    let name = path.file_name().ok_or_else(|| fail(ErrorKind::InvalidInput.into()))?;
    let mut temporary = name.to_owned();
    temporary.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(temporary);
    // A file like /dev/stdout cannot be replaced.
    let special = path.metadata().is_ok_and(|metadata| !metadata.is_file());
    if special {
        return std::fs::write(path, contents).map_err(fail);
    }
    let result =
        std::fs::write(&temporary, contents).and_then(|()| std::fs::rename(&temporary, path));
    result.map_err(|error| {
        let _ = std::fs::remove_file(&temporary);
        fail(error)
    })
}
