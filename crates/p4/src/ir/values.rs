//! Compile-time values.

use super::{InstanceId, Name};
use num_bigint::BigInt;

/// A value known at compile time; its type stands beside it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Const {
    /// `bool`
    Bool(bool),
    /// `int`, `bit<W>`, `int<W>`, and serializable enums and `type`s of them. Within the type's
    /// range: `int<W>` may be negative, `bit<W>` never is.
    Int(BigInt),
    /// `string`
    String(Name),
    /// `error`: index into [`super::Program::errors`].
    Error(u32),
    /// A member of a plain enum, or an action in [`super::Type::ActionRun`]: its index.
    Member(u32),
    /// A match kind.
    MatchKind(Name),
    /// All fields of a struct or a valid header, or the elements of a tuple, list or stack.
    Aggregate(Vec<Const>),
    /// An invalid header or header union.
    Invalid,
}

/// What a constructor parameter is bound to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConstructorValue {
    /// A value.
    Const(Const),
    /// An object.
    Instance(InstanceId),
    /// An `@optional` parameter without argument.
    Absent,
}
