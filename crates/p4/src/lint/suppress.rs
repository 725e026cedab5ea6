//! `@noWarn("name")` (§20.2): which warnings are silenced where.

use crate::ast::{Annotation, AnnotationBody, ExpressionKind, Name};
use crate::source::{FileId, Span};
use std::collections::HashMap;

/// The text of an annotation's strings, one after the other.
pub(super) fn annotation_text(annotation: &Annotation) -> String {
    match &annotation.body {
        AnnotationBody::Unstructured(tokens) => {
            tokens.iter().filter(|t| t.is_string).map(|t| &*t.text).collect()
        }
        AnnotationBody::Expressions(list) => list
            .iter()
            .filter_map(|e| match &e.kind {
                ExpressionKind::String(s) => Some(&**s),
                _ => None,
            })
            .collect(),
        _ => String::new(),
    }
}

/// The text of `@deprecated("text")`, if it is there.
pub(super) fn deprecation(annotations: &[Annotation]) -> Option<Name> {
    annotations
        .iter()
        .find(|a| &*a.name.name == "deprecated")
        .map(|a| annotation_text(a).as_str().into())
}

/// Where which lint is silent.
#[derive(Debug, Default)]
pub(super) struct Regions {
    /// By lint and file: starts in ascending order, each with the largest end of all regions
    /// that start there or before.
    by_lint: HashMap<String, HashMap<FileId, Vec<(u32, u32)>>>,
}

impl Regions {
    /// Notes the annotations of something that covers `span`.
    pub(super) fn add(&mut self, annotations: &[Annotation], span: Span) {
        for a in annotations.iter().filter(|a| &*a.name.name == "noWarn") {
            self.by_lint
                .entry(annotation_text(a))
                .or_default()
                .entry(span.file)
                .or_default()
                .push((span.lo, span.hi));
        }
    }

    /// Makes the regions ready for questions.
    pub(super) fn prepare(mut self) -> Self {
        for regions in self.by_lint.values_mut().flat_map(HashMap::values_mut) {
            regions.sort_unstable();
            let mut largest = 0;
            for (_, end) in regions.iter_mut() {
                largest = largest.max(*end);
                *end = largest;
            }
        }
        self
    }

    /// Whether a lint is silent at a place.
    pub(super) fn contains(&self, lint: &str, span: Span) -> bool {
        let Some(regions) = self.by_lint.get(lint).and_then(|files| files.get(&span.file)) else {
            return false;
        };
        let before = regions.partition_point(|&(start, _)| start <= span.lo);
        before.checked_sub(1).is_some_and(|last| regions[last].1 >= span.hi)
    }
}
