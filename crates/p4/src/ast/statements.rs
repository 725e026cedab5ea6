//! Statements (§12).

use super::{Annotation, BinaryOp, Declaration, Expression, Ident, TypeExpr};
use crate::source::Span;

/// `{ .. }`
#[derive(Clone, Debug)]
pub struct Block {
    /// Annotations.
    pub annotations: Vec<Annotation>,
    /// Statements and declarations in order.
    pub statements: Vec<Statement>,
    /// With the braces.
    pub span: Span,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Which.
    pub kind: StatementKind,
    /// The whole statement.
    pub span: Span,
}

/// The kinds of statements (§12).
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// A constant, a variable or an instantiation.
    Declaration(Box<Declaration>),
    /// `l = e;`, or `l op= e;` with an operator.
    Assignment {
        /// The operator of a compound assignment.
        op: Option<BinaryOp>,
        /// Target.
        left: Expression,
        /// Value.
        right: Expression,
    },
    /// `f(..);`: always an [`ExpressionKind::Call`].
    Call(Expression),
    /// `{ .. }`
    Block(Block),
    /// `if (c) s else t`
    If {
        /// Condition.
        condition: Expression,
        /// Taken if true.
        then: Box<Statement>,
        /// Taken if false.
        otherwise: Option<Box<Statement>>,
    },
    /// `switch (e) { .. }`
    Switch {
        /// What decides.
        expression: Expression,
        /// Cases in order.
        cases: Vec<SwitchCase>,
    },
    /// `return e;`
    Return(Option<Expression>),
    /// `exit;`
    Exit,
    /// `for (init; condition; update) s`
    For {
        /// Annotations.
        annotations: Vec<Annotation>,
        /// Declarations, assignments and calls before the loop.
        init: Vec<Statement>,
        /// Goes on while true.
        condition: Expression,
        /// After each round.
        update: Vec<Statement>,
        /// Body.
        body: Box<Statement>,
    },
    /// `for (T x in e) s`, or with an l-value instead of `T x`.
    ForIn {
        /// Annotations.
        annotations: Vec<Annotation>,
        /// The loop variable.
        variable: ForVariable,
        /// A range, a list expression, a stack or a list.
        collection: Expression,
        /// Body.
        body: Box<Statement>,
    },
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `;`
    Empty,
}

/// The loop variable of `for .. in`.
#[derive(Clone, Debug)]
pub enum ForVariable {
    /// Declared by the loop.
    Declared {
        /// Annotations.
        annotations: Vec<Annotation>,
        /// Type.
        ty: TypeExpr,
        /// Name.
        name: Ident,
    },
    /// An l-value from outside.
    Existing(Expression),
}

/// A case of a `switch`.
#[derive(Clone, Debug)]
pub struct SwitchCase {
    /// [`ExpressionKind::Default`] or an expression.
    pub label: Expression,
    /// The block; `None` falls through to the next case.
    pub body: Option<Block>,
}
