//! The abstract syntax tree: what the author wrote, before any name has a meaning.
//!
//! The shapes follow the grammar of P4_16 1.2.5 (Appendix H). Nothing here is checked.

mod annotations;
mod controls;
mod declarations;
mod expressions;
mod parsers;
mod statements;
mod types;

use crate::source::Span;
pub use annotations::{Annotation, AnnotationBody, AnnotationToken};
pub use controls::{
    ActionDeclaration, ActionRef, ControlDeclaration, KeyElement, TableDeclaration, TableEntry,
    TableProperty, TablePropertyKind,
};
pub use declarations::{
    ApplyType, Declaration, DeclarationKind, Direction, EnumDeclaration, ExternDeclaration,
    FunctionDeclaration, Instantiation, Parameter, Prototype, StructDeclaration, StructField,
    StructKind, VariableDeclaration,
};
pub use expressions::{Argument, BinaryOp, Expression, ExpressionKind, NumberWidth, UnaryOp};
pub use parsers::{ParserDeclaration, ParserState, SelectCase, Transition};
pub use statements::{Block, ForVariable, Statement, StatementKind, SwitchCase};
use std::sync::Arc;
pub use types::{TypeExpr, TypeExprKind};

/// A whole program after preprocessing.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Top-level declarations in order.
    pub declarations: Vec<Declaration>,
}

/// An identifier's text.
pub type Name = Arc<str>;

/// An identifier where it was written.
#[derive(Clone, Debug)]
pub struct Ident {
    /// Its text.
    pub name: Name,
    /// Where.
    pub span: Span,
}

/// `name` or `.name` (§6.6: a leading dot looks the name up at the top level).
#[derive(Clone, Debug)]
pub struct Path {
    /// With a leading dot.
    pub absolute: bool,
    /// The name itself.
    pub name: Ident,
}
