//! Types as written.

use super::{Expression, Path};
use crate::source::Span;

/// A type as written (§7).
#[derive(Clone, Debug)]
pub struct TypeExpr {
    /// Which.
    pub kind: TypeExprKind,
    /// Where.
    pub span: Span,
}

/// The forms of a type.
#[derive(Clone, Debug)]
pub enum TypeExprKind {
    /// `bool`
    Bool,
    /// `error`
    Error,
    /// `match_kind`
    MatchKind,
    /// `string`
    String,
    /// `void`
    Void,
    /// `int`: integers of any size, at compile time.
    Int,
    /// `bit<W>`; plain `bit` is `bit<1>` and has no expression.
    Bit(Option<Box<Expression>>),
    /// `int<W>`
    Signed(Box<Expression>),
    /// `varbit<W>`
    Varbit(Box<Expression>),
    /// A name, with type arguments if there are any: `T`, `.T`, `T<A, B>`.
    Named {
        /// The name.
        path: Path,
        /// Type arguments; empty when none were written.
        arguments: Vec<TypeExpr>,
    },
    /// `T[n]`
    Stack {
        /// Element type.
        element: Box<TypeExpr>,
        /// Number of elements.
        size: Box<Expression>,
    },
    /// `tuple<A, B>`
    Tuple(Vec<TypeExpr>),
    /// `list<T>`
    List(Box<TypeExpr>),
    /// `_` as a type argument: to be inferred.
    DontCare,
}
