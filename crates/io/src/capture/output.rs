//! Output files that appear whole or not at all.

use super::describe;
use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Why a capture cannot be written.
#[derive(Debug)]
pub struct OutputError {
    /// The file as it was named.
    pub file: String,
    /// What went wrong.
    pub problem: String,
}

impl OutputError {
    pub(super) fn new(path: &Path, problem: impl Into<String>) -> Self {
        Self { file: path.display().to_string(), problem: problem.into() }
    }

    pub(super) fn io(path: &Path, error: &io::Error) -> Self {
        Self::new(path, format!("cannot write: {}", describe(error)))
    }
}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.problem)
    }
}

impl std::error::Error for OutputError {}

/// A file under a temporary name in the folder of its target. Renamed by
/// [`commit`](Self::commit), removed when dropped without it.
///
/// A target that exists and is not a regular file (a pipe, `/dev/null`) is
/// written in place: there is nothing to protect, and a rename would replace it.
pub struct PendingFile {
    file: File,
    temporary: Option<PathBuf>,
    target: PathBuf,
}

impl PendingFile {
    /// Opens a file that will have this name.
    ///
    /// # Errors
    /// There is no such folder, or nothing may be written to it.
    pub fn create(path: &Path) -> io::Result<Self> {
        // Through a symbolic link to the file it stands for, so that it stays one.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        match fs::metadata(&target) {
            Ok(found) if found.is_dir() => {
                return Err(io::Error::other("it is a directory"));
            }
            Ok(found) if !found.is_file() => {
                let file = OpenOptions::new().write(true).open(&target)?;
                return Ok(Self { file, temporary: None, target });
            }
            _ => {}
        }
        let Some(name) = target.file_name() else {
            return Err(io::Error::other("it has no file name"));
        };
        for attempt in 0..100u32 {
            let mut temporary_name = OsString::from(".");
            temporary_name.push(name);
            temporary_name.push(format!(".{}-{attempt}.part", std::process::id()));
            let temporary = target.with_file_name(temporary_name);
            match OpenOptions::new().write(true).create_new(true).open(&temporary) {
                Ok(file) => return Ok(Self { file, temporary: Some(temporary), target }),
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                Err(e) if e.kind() == io::ErrorKind::NotFound => {
                    return Err(io::Error::other("no such folder"));
                }
                Err(e) => return Err(e),
            }
        }
        Err(io::Error::other("every temporary name beside it is taken"))
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// It cannot be written, or not be renamed.
    pub fn commit(mut self) -> io::Result<()> {
        self.file.flush()?;
        if let Some(temporary) = &self.temporary {
            fs::rename(temporary, &self.target)?;
        }
        self.temporary = None;
        Ok(())
    }
}

impl Write for PendingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for PendingFile {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            // Nobody is left to tell; the file keeps its telling name.
            let _ = fs::remove_file(temporary);
        }
    }
}
