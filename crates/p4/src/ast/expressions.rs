//! Expressions (§8).

use super::{Ident, Name, Path, TypeExpr};
use crate::source::Span;
use num_bigint::BigInt;

/// An expression.
#[derive(Clone, Debug)]
pub struct Expression {
    /// Which.
    pub kind: ExpressionKind,
    /// The whole expression.
    pub span: Span,
}

/// The kinds of expressions (§8).
#[derive(Clone, Debug)]
pub enum ExpressionKind {
    /// `true`, `false`
    Bool(bool),
    /// A number; with a width if it had a prefix such as `8w` or `4s`.
    Number {
        /// The value as written, never negative.
        value: BigInt,
        /// Width in bits and signedness of the prefix.
        width: Option<NumberWidth>,
    },
    /// A string literal, decoded.
    String(Name),
    /// `x`, `.x`
    Name(Path),
    /// `this`
    This,
    /// `error` or a type with arguments, as the base of a member: `error.NoError`, `T<A>.m`.
    Type(Box<TypeExpr>),
    /// `e.m`
    Member(Box<Expression>, Ident),
    /// `e[i]`
    Index(Box<Expression>, Box<Expression>),
    /// `e[hi:lo]`
    Slice(Box<Expression>, Box<Expression>, Box<Expression>),
    /// `f<T>(..)`; also a constructor call, which only the checker can tell apart. The callee of
    /// a constructor with type arguments is `Name` with `type_arguments`.
    Call {
        /// What is called.
        callee: Box<Expression>,
        /// Explicit type arguments.
        type_arguments: Vec<TypeExpr>,
        /// Arguments.
        arguments: Vec<Argument>,
    },
    /// `-e` etc.
    Unary(UnaryOp, Box<Expression>),
    /// `a + b` etc.
    Binary(BinaryOp, Box<Expression>, Box<Expression>),
    /// `c ? a : b`
    Conditional(Box<Expression>, Box<Expression>, Box<Expression>),
    /// `(T) e`
    Cast(Box<TypeExpr>, Box<Expression>),
    /// `{ a, b }`, `{ a, ... }`; a final `...` sets the flag.
    List {
        /// Elements.
        elements: Vec<Expression>,
        /// Ends with `...`.
        defaults: bool,
    },
    /// `{ a = 1, b = 2 }`, possibly ending with `...`.
    Record {
        /// Fields in written order.
        fields: Vec<(Ident, Expression)>,
        /// Ends with `...`.
        defaults: bool,
    },
    /// `{#}`
    Invalid,
    /// `...` as a whole value.
    Defaults,
    /// `a &&& b`
    Mask(Box<Expression>, Box<Expression>),
    /// `a .. b`
    Range(Box<Expression>, Box<Expression>),
    /// `_`
    DontCare,
    /// `default` as a label or keyset.
    Default,
    /// Something unreadable that was reported already.
    Error,
}

/// The prefix of a number: `8w` or `8s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberWidth {
    /// Bits.
    pub bits: u32,
    /// `s` rather than `w`.
    pub signed: bool,
}

/// An argument.
#[derive(Clone, Debug)]
pub struct Argument {
    /// `name = e`
    pub name: Option<Ident>,
    /// The value; [`ExpressionKind::DontCare`] for `_`.
    pub value: Expression,
    /// The whole argument.
    pub span: Span,
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `+`
    Plus,
    /// `!`
    Not,
    /// `~`
    Complement,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Mod,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `|+|`
    SatAdd,
    /// `|-|`
    SatSub,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `&`
    And,
    /// `^`
    Xor,
    /// `|`
    Or,
    /// `++`
    Concat,
    /// `&&`
    LogicalAnd,
    /// `||`
    LogicalOr,
}

impl BinaryOp {
    /// The operator as written.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Mod => "%",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::SatAdd => "|+|",
            BinaryOp::SatSub => "|-|",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::And => "&",
            BinaryOp::Xor => "^",
            BinaryOp::Or => "|",
            BinaryOp::Concat => "++",
            BinaryOp::LogicalAnd => "&&",
            BinaryOp::LogicalOr => "||",
        }
    }
}

impl UnaryOp {
    /// The operator as written.
    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOp::Negate => "-",
            UnaryOp::Plus => "+",
            UnaryOp::Not => "!",
            UnaryOp::Complement => "~",
        }
    }
}
