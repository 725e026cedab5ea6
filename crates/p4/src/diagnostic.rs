//! Errors and warnings: what was expected, what was found, where, what to do.

use crate::source::{SourceMap, Span};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

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
}

/// Past this many errors the rest is counted, not kept.
const MAX_ERRORS: usize = 200;

impl Diagnostics {
    /// An empty collection.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one diagnostic. The same message at the same place is kept once.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let known = |d: &Diagnostic| d.span == diagnostic.span && d.message == diagnostic.message;
        if self.list.iter().any(known) {
            return;
        }
        if diagnostic.severity == Severity::Error {
            self.errors += 1;
            if self.errors > MAX_ERRORS {
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
        if self.errors > MAX_ERRORS {
            out.push_str(&format!("... and {} more errors\n", self.errors - MAX_ERRORS));
        }
        out
    }
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
    let mut by_file: Vec<(crate::source::FileId, Vec<_>)> = Vec::new();
    for (span, label, kind) in places {
        let Some(file) = sources.file(span.file) else { continue };
        let limit = file.text.len();
        let lo = (span.lo as usize).min(limit);
        let hi = (span.hi as usize).clamp(lo, limit);
        let annotation = kind.span(lo..hi);
        let annotation = if label.is_empty() { annotation } else { annotation.label(label) };
        match by_file.iter_mut().find(|(id, _)| *id == span.file) {
            Some((_, list)) => list.push(annotation),
            None => by_file.push((span.file, vec![annotation])),
        }
    }
    for (id, annotations) in by_file {
        if let Some(file) = sources.file(id) {
            let path = file.path.display().to_string();
            group = group
                .element(Snippet::source(file.text.as_str()).path(path).annotations(annotations));
        }
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    renderer.render(&[group])
}
