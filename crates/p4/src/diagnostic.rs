//! Errors and warnings: what was expected, what was found, where, what to do.

use crate::source::{FileId, SourceMap, Span};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

/// How grave a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The program is rejected.
    Error,
    /// The program is legal but suspicious.
    Warning,
}

/// One message for the author of a program.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// One sentence without a full stop, lower case at its start.
    pub message: String,
    /// The place that the caret points at.
    pub span: Span,
    /// What stands beside the caret; may be empty.
    pub label: String,
    /// Further places with a word each, such as the first of two equal declarations.
    pub secondary: Vec<(Span, String)>,
    /// What to do, if that is known.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            message: message.into(),
            span,
            label: String::new(),
            secondary: Vec::new(),
            help: None,
        }
    }

    /// A warning at `span`.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(span, message) }
    }

    /// Adds words beside the caret.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// The same as a warning.
    pub fn into_warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }

    /// Adds a further place.
    pub fn also(mut self, span: Span, label: impl Into<String>) -> Self {
        if !span.is_none() {
            self.secondary.push((span, label.into()));
        }
        self
    }

    /// Adds advice.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// Collects diagnostics; passes go on after an error, so that the author sees all at once.
#[derive(Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
    known: Box<Known>,
}

/// What was reported so far.
#[derive(Debug, Default)]
struct Known {
    /// Place and message of each, to keep it once.
    seen: HashSet<(Span, u64)>,
    /// Places with an error.
    wrong: HashSet<Span>,
    hasher: RandomState,
}

/// Past this many errors the rest is counted, not kept; past this many diagnostics further
/// warnings are dropped.
pub(crate) const MAX_KEPT: usize = 1000;

impl Diagnostics {
    /// An empty collection.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one diagnostic. The same message at the same place is kept once.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if diagnostic.severity == Severity::Warning && self.list.len() >= MAX_KEPT {
            return;
        }
        let message = self.known.hasher.hash_one(&diagnostic.message);
        if !self.known.seen.insert((diagnostic.span, message)) {
            return;
        }
        if diagnostic.severity == Severity::Error {
            self.errors += 1;
            self.known.wrong.insert(diagnostic.span);
            if self.errors > MAX_KEPT {
                return;
            }
        }
        self.list.push(diagnostic);
    }

    /// Adds an error without further adornment.
    pub fn error(&mut self, span: Span, message: impl Into<String>) {
        self.push(Diagnostic::error(span, message));
    }

    /// Adds a warning without further adornment.
    pub fn warning(&mut self, span: Span, message: impl Into<String>) {
        self.push(Diagnostic::warning(span, message));
    }

    /// Whether the program is rejected.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// The number of errors, also of those past the limit that is kept.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// Whether there is an error at exactly this place.
    pub(crate) fn has_error_at(&self, span: Span) -> bool {
        self.known.wrong.contains(&span)
    }

    /// All that is kept, in the order in which it was found.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// Removes diagnostics that `keep` refuses (used for warnings that the author silenced).
    pub fn retain(&mut self, keep: impl FnMut(&Diagnostic) -> bool) {
        self.list.retain(keep);
    }

    /// All diagnostics as text for a terminal, sorted by place.
    pub fn render(&self, sources: &SourceMap, color: bool) -> String {
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        let mut sorted: Vec<&Diagnostic> = self.list.iter().collect();
        sorted.sort_by_key(|d| d.span);
        let mut out = String::new();
        for diagnostic in sorted {
            out.push_str(&render_one(diagnostic, sources, &renderer));
            out.push_str("\n\n");
        }
        if self.errors > MAX_KEPT {
            out.push_str(&format!("... and {} more errors\n", self.errors - MAX_KEPT));
        }
        out
    }
}

/// Longest piece of a file, in bytes, that is searched for the lines of one message.
const MAX_SHOWN: usize = 1 << 20;

/// The whole lines that hold all these places.
fn lines_around(text: &str, places: &[(Span, &str, AnnotationKind)]) -> Range<usize> {
    let limit = text.len();
    let lo = places.iter().map(|(span, ..)| span.lo as usize).min().unwrap_or(0).min(limit);
    let hi = places.iter().map(|(span, ..)| span.hi as usize).max().unwrap_or(0).clamp(lo, limit);
    let bytes = text.as_bytes();
    let start = bytes[..lo].iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    let end = bytes[hi..].iter().position(|&b| b == b'\n').map_or(limit, |at| hi + at);
    start..end
}

fn render_one(diagnostic: &Diagnostic, sources: &SourceMap, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = Group::with_title(level.primary_title(diagnostic.message.as_str()));
    let places =
        std::iter::once((diagnostic.span, diagnostic.label.as_str(), AnnotationKind::Primary))
            .chain(
                diagnostic
                    .secondary
                    .iter()
                    .map(|(span, label)| (*span, label.as_str(), AnnotationKind::Context)),
            );
    let mut by_file: Vec<(FileId, Vec<_>)> = Vec::new();
    for (span, label, kind) in places {
        match by_file.iter_mut().find(|(id, _)| *id == span.file) {
            Some((_, list)) => list.push((span, label, kind)),
            None => by_file.push((span.file, vec![(span, label, kind)])),
        }
    }
    for (id, mut places) in by_file {
        let Some(file) = sources.file(id) else { continue };
        let mut window = lines_around(&file.text, &places);
        if window.len() > MAX_SHOWN {
            // Places that lie far apart: the first has to do.
            places.truncate(1);
            window = lines_around(&file.text, &places);
        }
        let path = file.path.display().to_string();
        if window.len() > MAX_SHOWN {
            let place = places.first().map_or(Span::NONE, |(span, ..)| *span);
            group = group.element(Level::NOTE.message(sources.describe(place)));
            continue;
        }
        let annotations = places.into_iter().map(|(span, label, kind)| {
            let lo = (span.lo as usize).clamp(window.start, window.end);
            let hi = (span.hi as usize).clamp(lo, window.end);
            let annotation = kind.span(lo - window.start..hi - window.start);
            if label.is_empty() { annotation } else { annotation.label(label) }
        });
        let start = Span { file: id, lo: window.start as u32, hi: window.start as u32 };
        let line = sources.position(start).map_or(1, |p| p.line);
        let shown = file.text.get(window.clone()).unwrap_or("");
        group = group
            .element(Snippet::source(shown).line_start(line).path(path).annotations(annotations));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    renderer.render(&[group])
}
