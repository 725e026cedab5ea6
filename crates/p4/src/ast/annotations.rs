//! Annotations (§20).

use super::{Expression, Ident, Name};
use crate::source::Span;

/// `@name...` (§20).
#[derive(Clone, Debug)]
pub struct Annotation {
    /// The name without the `@`.
    pub name: Ident,
    /// What follows.
    pub body: AnnotationBody,
    /// The whole annotation.
    pub span: Span,
}

/// What follows an annotation's name.
#[derive(Clone, Debug)]
pub enum AnnotationBody {
    /// Nothing.
    Empty,
    /// `( tokens )` or the rest of a `@pragma` line: the tokens as written, strings decoded.
    Unstructured(Vec<AnnotationToken>),
    /// `[ expression, ... ]`.
    Expressions(Vec<Expression>),
    /// `[ key = expression, ... ]`.
    KeyValues(Vec<(Ident, Expression)>),
}

/// A token inside an unstructured annotation.
#[derive(Clone, Debug)]
pub struct AnnotationToken {
    /// Source text of the token; for a string the decoded contents.
    pub text: Name,
    /// Whether it was a string literal.
    pub is_string: bool,
    /// Where.
    pub span: Span,
}
