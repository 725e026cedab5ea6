//! Writing to the terminal and to files: all that `ww` writes to its streams goes through here, as
//! the macros of the standard library panic when a stream cannot be written.

use crate::Failure;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Stderr, StdoutLock, Write};
use std::path::Path;
use ww_p4::diagnostic::Diagnostics;
use ww_p4::source::SourceMap;

/// Standard output, for what is written piece by piece; `written` judges what came of it.
pub fn stdout() -> StdoutLock<'static> {
    io::stdout().lock()
}

/// Standard error, for processes that are started; `tell` writes to it.
pub fn stderr() -> Stderr {
    io::stderr()
}

/// Whether somebody watches: standard error is a terminal.
pub fn is_watched() -> bool {
    io::stderr().is_terminal()
}

/// Writes to standard output. A reader that has gone away (`| head`) is no error.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = stdout();
    written(stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()))
}

/// What comes of writing to standard output. A reader that has gone away is no error; results that
/// are lost for another reason (a full disk) are one.
pub fn written(result: io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Rejected(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes a line to standard error. Messages that cannot be written are lost and change nothing:
/// the exit status says what came of the command.
pub fn tell(line: impl Display) {
    tell_text(&format!("{line}\n"));
}

/// The same for a text that ends its lines itself.
pub fn tell_text(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// A number with what is counted: `1 packet`, `2 packets`.
pub fn counted(number: u64, what: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {what}{ending}")
}

/// Whether messages may be coloured.
fn colour() -> bool {
    is_watched() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
}

/// Prints all diagnostics on standard error.
pub fn print_diagnostics(diagnostics: &Diagnostics, sources: &SourceMap) {
    tell_text(&diagnostics.render(sources, colour()));
}

/// Writes a whole file: it appears complete or not at all.
pub fn write_file(path: &Path, contents: &[u8]) -> Result<(), Failure> {
    stream_file(path, |file| file.write_all(contents))
}

/// Writes a file piece by piece: it appears complete, when `write` has succeeded, or not at all.
pub fn stream_file<T>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> Result<T, Failure> {
    let fail =
        |error: io::Error| Failure::Rejected(format!("cannot write '{}': {error}", path.display()));
    let name = path.file_name().ok_or_else(|| fail(ErrorKind::InvalidInput.into()))?;
    let mut temporary = name.to_owned();
    temporary.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(temporary);
    // A file like /dev/stdout cannot be replaced.
    let special = path.metadata().is_ok_and(|metadata| !metadata.is_file());
    let target = if special { path } else { &temporary };
    let written = File::create(target).and_then(|file| {
        let mut file = BufWriter::new(file);
        let result = write(&mut file)?;
        file.flush()?;
        Ok(result)
    });
    if special {
        return written.map_err(fail);
    }
    written.and_then(|result| std::fs::rename(&temporary, path).map(|()| result)).map_err(|error| {
        let _ = std::fs::remove_file(&temporary);
        fail(error)
    })
}
