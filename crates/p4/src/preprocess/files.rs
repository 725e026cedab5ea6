//! Finding and reading files: beside the including file, in the folders of `-I`, and among
//! Wirewright's own includes, which are part of the library.

use super::Preprocessor;
use crate::diagnostic::Diagnostic;
use crate::lexer::RawToken;
use crate::source::{FileId, Span};
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use ww_spelling::suggestion;

include!(concat!(env!("OUT_DIR"), "/system_includes.rs"));

/// Largest file that is read, in bytes.
const MAX_FILE_SIZE: u64 = 64 << 20;

/// Most files that may include one another in a row.
const MAX_INCLUDE_DEPTH: usize = 200;

/// Names and texts of our own includes, in alphabetical order.
pub fn system_includes() -> &'static [(&'static str, &'static str)] {
    SYSTEM_INCLUDES
}

/// Where a file came from, which says where `#include "..."` looks first.
#[derive(Clone, Debug)]
pub(super) enum Origin {
    /// A file on disk in this folder.
    Disk(PathBuf),
    /// One of our own, in this folder of them.
    System(PathBuf),
}

impl Origin {
    /// The origin of a file on disk.
    pub(super) fn of_path(path: &Path) -> Self {
        Origin::Disk(path.parent().unwrap_or(Path::new("")).to_owned())
    }
}

/// Reads a whole file. Bytes that are not UTF-8 become U+FFFD, which comments and strings may
/// contain (§6.4) and everything else may not.
pub(super) fn read(path: &Path) -> Result<String, String> {
    let metadata = std::fs::metadata(path).map_err(|e| reason(&e))?;
    if metadata.is_dir() {
        return Err("it is a folder".to_owned());
    }
    let file = std::fs::File::open(path).map_err(|e| reason(&e))?;
    let mut bytes = Vec::new();
    file.take(MAX_FILE_SIZE + 1).read_to_end(&mut bytes).map_err(|e| reason(&e))?;
    if bytes.len() as u64 > MAX_FILE_SIZE {
        return Err(format!("it is larger than {} MiB", MAX_FILE_SIZE >> 20));
    }
    Ok(match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    })
}

/// The operating system's words without its error number.
fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((words, _)) => words.to_lowercase(),
        None => text,
    }
}

/// `a/../b/./c` without detours, for our own includes.
fn normalize(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                out.pop();
            }
            Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}

impl Preprocessor<'_> {
    /// Obeys `#include` of `name`, written at `span`; `quoted` for `"name"`.
    pub(super) fn include(&mut self, name: &str, quoted: bool, span: Span) {
        if name.is_empty() {
            self.diagnostics.error(span, "empty file name in '#include'");
            return;
        }
        if self.files.len() >= MAX_INCLUDE_DEPTH {
            let message = format!("includes are nested more than {MAX_INCLUDE_DEPTH} deep");
            self.give_up(
                Diagnostic::error(span, message)
                    .help("does a file include itself? '#pragma once' at its top prevents that"),
            );
            return;
        }
        let wanted = Path::new(name);
        let origin = self.files.last().map(|f| f.origin.clone());
        let mut candidates: Vec<PathBuf> = Vec::new();
        let mut system: Vec<PathBuf> = Vec::new();
        if quoted {
            match &origin {
                Some(Origin::Disk(dir)) => candidates.push(dir.join(wanted)),
                Some(Origin::System(dir)) => system.push(normalize(&dir.join(wanted))),
                None => {}
            }
        }
        if wanted.is_absolute() {
            candidates.push(wanted.to_owned());
        } else {
            candidates.extend(self.options.include_dirs.iter().map(|dir| dir.join(wanted)));
            system.push(normalize(wanted));
        }
        // A system file's neighbour wins over `-I` like any other file's neighbour does.
        if let (true, Some(Origin::System(_))) = (quoted, &origin)
            && let Some(first) = system.first().cloned()
            && self.include_system(&first)
        {
            return;
        }
        for candidate in candidates {
            if candidate.is_file() || (candidate.exists() && !candidate.is_dir()) {
                self.include_disk(&candidate, span);
                return;
            }
        }
        if !system.iter().any(|path| self.include_system(path)) {
            self.report_missing(name, quoted, span);
        }
    }

    fn include_disk(&mut self, path: &Path, span: Span) {
        let key = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let id = match self.known_files.get(&key) {
            Some(&id) => id,
            None => match read(path) {
                Ok(text) => {
                    let id = self.sources.add(path, text, false);
                    self.known_files.insert(key, id);
                    id
                }
                Err(reason) => {
                    let message = format!("cannot read '{}': {reason}", path.display());
                    self.diagnostics.error(span, message);
                    return;
                }
            },
        };
        self.open_once(id, Origin::of_path(path));
    }

    /// Includes one of our own files; says whether there is one of that name.
    fn include_system(&mut self, path: &Path) -> bool {
        let found = SYSTEM_INCLUDES.iter().find(|(name, _)| Path::new(name) == path);
        let Some(&(name, text)) = found else { return false };
        // The brackets keep it apart from every file on disk.
        let shown = PathBuf::from(format!("<{name}>"));
        let id = match self.known_files.get(&shown) {
            Some(&id) => id,
            None => {
                let id = self.sources.add(&shown, text.to_owned(), true);
                self.known_files.insert(shown, id);
                id
            }
        };
        let dir = Path::new(name).parent().unwrap_or(Path::new("")).to_owned();
        self.open_once(id, Origin::System(dir));
        true
    }

    fn open_once(&mut self, id: FileId, origin: Origin) {
        if !self.once.contains(&id) {
            self.open(id, origin);
        }
    }

    fn report_missing(&mut self, name: &str, quoted: bool, span: Span) {
        let mut names: Vec<String> = SYSTEM_INCLUDES.iter().map(|(n, _)| (*n).to_owned()).collect();
        let mut dirs: Vec<&Path> = self.options.include_dirs.iter().map(PathBuf::as_path).collect();
        if let (true, Some(Origin::Disk(dir))) = (quoted, self.files.last().map(|f| &f.origin)) {
            dirs.push(if dir.as_os_str().is_empty() { Path::new(".") } else { dir });
        }
        for dir in dirs {
            let Ok(entries) = std::fs::read_dir(dir) else { continue };
            let found = entries.take(1000).flatten().map(|e| e.file_name());
            names.extend(found.filter_map(|n| n.into_string().ok()));
        }
        let mut diagnostic =
            Diagnostic::error(span, format!("cannot find '{name}'")).label("no file of that name");
        diagnostic.help = Some(match suggestion(name, names.iter().map(String::as_str)) {
            Some(near) => format!("did you mean '{near}'?"),
            None => "folders to search are given with -I".to_owned(),
        });
        self.diagnostics.push(diagnostic);
    }

    /// The name between the quotes or angle brackets of an `#include` line, given as tokens.
    pub(super) fn header_name(line: &[RawToken]) -> Option<(String, bool)> {
        use crate::lexer::{Punct, RawKind};
        match line {
            [token] => match &token.kind {
                RawKind::String(text, true) => Some((text.trim_matches('"').to_owned(), true)),
                _ => None,
            },
            [first, middle @ .., last] if first.is(Punct::Lt) && last.is(Punct::Gt) => {
                let mut name = String::new();
                for token in middle {
                    name.push_str(&token.spelling());
                }
                Some((name, false))
            }
            _ => None,
        }
    }
}
