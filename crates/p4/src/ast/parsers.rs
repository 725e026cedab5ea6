//! Parsers: states and transitions (§13).

use super::{Annotation, ApplyType, Declaration, Expression, Ident, Parameter, Statement};
use crate::source::Span;

/// `parser P(..)(..) { .. }`
#[derive(Clone, Debug)]
pub struct ParserDeclaration {
    /// Name, type parameters (illegal here, but parsed) and apply parameters.
    pub head: ApplyType,
    /// Constructor parameters.
    pub constructor_parameters: Vec<Parameter>,
    /// Constants, variables, instances, value sets.
    pub locals: Vec<Declaration>,
    /// States in order.
    pub states: Vec<ParserState>,
}

/// `state s { .. transition ..; }`
#[derive(Clone, Debug)]
pub struct ParserState {
    /// Annotations.
    pub annotations: Vec<Annotation>,
    /// Name.
    pub name: Ident,
    /// Statements.
    pub statements: Vec<Statement>,
    /// Where it goes; absent means `reject` (§13.5).
    pub transition: Option<Transition>,
    /// The whole state.
    pub span: Span,
}

/// A state's last statement.
#[derive(Clone, Debug)]
pub enum Transition {
    /// `transition s;`
    Direct(Ident),
    /// `transition select (e, ..) { .. }`
    Select {
        /// Expressions selected on.
        expressions: Vec<Expression>,
        /// Cases in order.
        cases: Vec<SelectCase>,
        /// The whole expression.
        span: Span,
    },
}

/// One case of a `select`.
#[derive(Clone, Debug)]
pub struct SelectCase {
    /// The keyset: one expression, or several when a tuple `(a, b)` was written. Elements may be
    /// `Default`, `DontCare`, `Mask`, `Range` or plain expressions.
    pub keyset: Vec<Expression>,
    /// The state.
    pub target: Ident,
    /// The whole case.
    pub span: Span,
}
