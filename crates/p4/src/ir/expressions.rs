//! Expressions with their types (§8).

use super::{
    ActionId, BinaryOp, Const, Direction, ExternFunctionId, ExternId, FunctionId,
    InstanceDeclaration, Span, TableId, Type, UnaryOp, VarId,
};

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Which.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Where it was written.
    pub span: Span,
}

/// The kinds of expressions.
///
/// L-values are [`Var`](ExprKind::Var), and [`Field`](ExprKind::Field),
/// [`Element`](ExprKind::Element), [`Next`](ExprKind::Next), [`Last`](ExprKind::Last) and
/// [`Slice`](ExprKind::Slice) of l-values.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A compile-time value.
    Const(Const),
    /// A variable, parameter, instance or value set.
    Var(VarId),
    /// A field of a struct, header or header union, by position.
    Field(Box<Expr>, u32),
    /// An element of a tuple, by position.
    TupleField(Box<Expr>, u32),
    /// An element of a stack or array; the index may be out of range at run time.
    Element(Box<Expr>, Box<Expr>),
    /// `stack.next` (parsers only).
    Next(Box<Expr>),
    /// `stack.last` (parsers only).
    Last(Box<Expr>),
    /// `stack.lastIndex`: `bit<32>`.
    LastIndex(Box<Expr>),
    /// Bits `hi` down to `lo` of a `bit<W>` or `int<W>`; the result is `bit<hi-lo+1>`.
    Slice {
        /// Of what.
        base: Box<Expr>,
        /// Highest bit.
        hi: u32,
        /// Lowest bit.
        lo: u32,
    },
    /// One operand.
    Unary(UnaryOp, Box<Expr>),
    /// Two operands; `&&` and `||` evaluate the second only if needed. `==` and `!=` work on every
    /// type. A shift's right operand may have another type than its left.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `c ? a : b`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Conversion to [`Expr::ty`] from the operand's type: between `bit`, `int`, `bool`, enums and
    /// `type`s, or a tuple to a struct of the same shape.
    Cast(Box<Expr>),
    /// All fields of a struct, or of a header, which is then valid.
    Struct(Vec<Expr>),
    /// As `Struct`, but the fields are evaluated in the given order of positions, which the
    /// author wrote: only where it differs and a field's value calls something.
    StructInOrder(Vec<Expr>, Vec<u32>),
    /// The elements of a tuple, list, stack or array.
    Tuple(Vec<Expr>),
    /// `{#}`: an invalid header or header union.
    Invalid,
    /// The default value of the type (§7.3): zero, false, first member, invalid header.
    Default,
    /// A call, also as an expression.
    Call(Box<Call>),
    /// `t.apply().hit`: the table is applied; `bool`.
    TableHit(TableId),
    /// `t.apply().miss`: the table is applied; `bool`.
    TableMiss(TableId),
    /// `t.apply().action_run`: the table is applied; [`Type::ActionRun`].
    TableActionRun(TableId),
    /// A nameless instance; only in constructor arguments.
    Construct(Box<InstanceDeclaration>),
}

/// A call.
#[derive(Clone, Debug)]
pub struct Call {
    /// What is called.
    pub callee: Callee,
    /// Type arguments of extern functions and methods, inferred ones too.
    pub type_arguments: Vec<Type>,
    /// Arguments in evaluation order. Parameters without one are `@optional`.
    pub arguments: Vec<CallArgument>,
    /// The whole call.
    pub span: Span,
}

/// What can be called.
#[derive(Clone, Debug)]
pub enum Callee {
    /// A function with a body.
    Function(FunctionId),
    /// An action called directly, all its parameters given.
    Action(ActionId),
    /// A function of the architecture.
    ExternFunction(ExternFunctionId),
    /// A method of an extern object. An abstract one runs the instance's body.
    Method {
        /// The object: a variable, or `None` for `this` inside an abstract method's body.
        object: Option<Box<Expr>>,
        /// Its extern.
        extern_id: ExternId,
        /// Position in [`super::ExternDef::methods`].
        method: u32,
    },
    /// `apply` of a parser or control instance.
    Apply(Box<Expr>),
    /// `apply` of a table.
    Table(TableId),
    /// `h.isValid()` on a header or header union.
    IsValid(Box<Expr>),
    /// `h.setValid()`
    SetValid(Box<Expr>),
    /// `h.setInvalid()`
    SetInvalid(Box<Expr>),
    /// `s.push_front(n)`
    PushFront(Box<Expr>, u32),
    /// `s.pop_front(n)`
    PopFront(Box<Expr>, u32),
}

/// An argument.
#[derive(Clone, Debug)]
pub struct CallArgument {
    /// Position of the parameter.
    pub parameter: u32,
    /// Its direction; [`Direction::None`] is action data or a compile-time value, read like `in`.
    pub direction: Direction,
    /// The value, an l-value for `out` and `inout`; `None` for `_`, whose result is dropped.
    pub value: Option<Expr>,
    /// The parameter's type.
    pub ty: Type,
}

/// A set of values to match against (§13.6, §14.2.1).
#[derive(Clone, Debug)]
pub enum KeySet {
    /// `_` or `default`.
    Any,
    /// One value.
    Value(Expr),
    /// `value &&& mask`.
    Mask(Expr, Expr),
    /// `lo .. hi`, both inclusive.
    Range(Expr, Expr),
    /// A value set; its variable.
    ValueSet(Expr),
}
