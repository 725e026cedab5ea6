//! Statements (§12).

use super::{BinaryOp, Call, Const, Expr, InstanceDeclaration, Span, VarId};

/// `{ .. }`
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// In order.
    pub statements: Vec<Stmt>,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Which.
    pub kind: StmtKind,
    /// Where it was written.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// A variable comes into being: with `init`, or with undefined contents, for which Wirewright
    /// takes the type's default value.
    Declare {
        /// The variable.
        var: VarId,
        /// First value.
        init: Option<Expr>,
    },
    /// An instance inside a block (its object exists since the program's start).
    Instance(Box<InstanceDeclaration>),
    /// `left = right`, or `left op= right`, where `left` is evaluated once.
    Assign {
        /// Compound assignment.
        op: Option<BinaryOp>,
        /// An l-value.
        left: Expr,
        /// Value. In a compound assignment it already has the operator's operand type.
        right: Expr,
    },
    /// A call whose result is dropped.
    Call(Call),
    /// A nested block.
    Block(Block),
    /// `if`
    If {
        /// `bool`
        condition: Expr,
        /// Taken if true.
        then: Block,
        /// Taken if false.
        otherwise: Option<Block>,
    },
    /// `switch`; the first case with a fitting label runs, and nothing after it.
    Switch {
        /// Compared with the labels; may be [`super::ExprKind::TableActionRun`].
        value: Expr,
        /// In order, fall-through labels merged.
        cases: Vec<SwitchCase>,
    },
    /// `return`
    Return(Option<Expr>),
    /// `exit`
    Exit,
    /// `for (init; condition; update) body`
    For {
        /// Before.
        init: Vec<Stmt>,
        /// Goes on while true.
        condition: Expr,
        /// After each round, also after `continue`.
        update: Vec<Stmt>,
        /// Body.
        body: Block,
    },
    /// `for (variable in collection) body`
    ForIn {
        /// An l-value; a declared loop variable is a [`super::ExprKind::Var`].
        variable: Expr,
        /// Over what; evaluated once.
        collection: Collection,
        /// Body.
        body: Block,
    },
    /// `break`
    Break,
    /// `continue`
    Continue,
}

/// What `for .. in` runs over.
#[derive(Clone, Debug)]
pub enum Collection {
    /// `lo .. hi`, both inclusive; nothing if `lo > hi`.
    Range(Expr, Expr),
    /// A list, tuple-like list expression, or stack: its elements in order.
    Elements(Expr),
}

/// A case of a `switch`.
#[derive(Clone, Debug)]
pub struct SwitchCase {
    /// The values that lead here.
    pub labels: Vec<Const>,
    /// `default` is among the labels.
    pub is_default: bool,
    /// Body.
    pub body: Block,
    /// First label.
    pub span: Span,
}
