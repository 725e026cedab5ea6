//! Source files and positions in them.

use std::path::{Path, PathBuf};
use ww_dataplane::trace::Place;

/// Identifies a file of a [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A half-open range of bytes in one source file.
///
/// A token that came out of a macro carries the range of the macro's use, because that is what
/// the user wrote and can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// Offset of the first byte.
    pub lo: u32,
    /// Offset behind the last byte.
    pub hi: u32,
}

impl From<Span> for Place {
    fn from(span: Span) -> Self {
        Self { file: span.file.0, lo: span.lo, hi: span.hi }
    }
}

impl From<Place> for Span {
    fn from(place: Place) -> Self {
        Self { file: FileId(place.file), lo: place.lo, hi: place.hi }
    }
}

impl Span {
    /// A span for things that no source text stands for.
    pub const NONE: Span = Span { file: FileId(u32::MAX), lo: 0, hi: 0 };

    /// Where it begins: the number of the file in its source map, and the offset of the first byte.
    pub fn begin(self) -> (u32, u32) {
        (self.file.0, self.lo)
    }

    /// The smallest span that covers both, or `self` if they lie in different files.
    pub fn to(self, end: Span) -> Span {
        if self.file == end.file {
            Span { file: self.file, lo: self.lo.min(end.lo), hi: self.hi.max(end.hi) }
        } else {
            self
        }
    }

    /// Whether this is [`Span::NONE`].
    pub fn is_none(self) -> bool {
        self.file.0 == u32::MAX
    }
}

/// One file as it was read.
#[derive(Debug)]
pub struct SourceFile {
    /// The path under which it was opened; diagnostics print it as it is.
    pub path: PathBuf,
    /// The whole text.
    pub text: String,
    /// Offset of the first byte of each line.
    line_starts: Vec<u32>,
    /// Whether the file came from Wirewright's own include folder.
    pub is_system: bool,
}

/// A human position: both numbers count from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// All files that take part in one compilation.
#[derive(Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// An empty map.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file. Texts are limited to 4 GiB by the width of a span.
    pub fn add(&mut self, path: impl AsRef<Path>, text: String, is_system: bool) -> FileId {
        let mut line_starts = vec![0];
        line_starts.extend(
            text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| i as u32 + 1),
        );
        let id = FileId(self.files.len() as u32);
        self.files.push(SourceFile {
            path: path.as_ref().to_owned(),
            text,
            line_starts,
            is_system,
        });
        id
    }

    /// The file behind `id`, or `None` for [`Span::NONE`]'s.
    pub fn file(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// All files in the order in which they were read.
    pub fn files(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.iter()
    }

    /// Line and column of a span's first byte.
    pub fn position(&self, span: Span) -> Option<LineColumn> {
        let file = self.file(span.file)?;
        let index = file.line_starts.partition_point(|&start| start <= span.lo) - 1;
        let start = file.line_starts[index] as usize;
        let column = file.text.get(start..span.lo as usize).map_or(0, |s| s.chars().count()) + 1;
        Some(LineColumn { line: index + 1, column })
    }

    /// `file:line:column` of a span's first byte.
    pub fn describe(&self, span: Span) -> String {
        match (self.file(span.file), self.position(span)) {
            (Some(file), Some(at)) => format!("{}:{}:{}", file.path.display(), at.line, at.column),
            _ => "<built-in>".to_owned(),
        }
    }

    /// The text of a span, empty if it has none.
    pub fn snippet(&self, span: Span) -> &str {
        self.file(span.file)
            .and_then(|f| f.text.get(span.lo as usize..span.hi as usize))
            .unwrap_or("")
    }
}
