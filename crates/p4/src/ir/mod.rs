//! The typed IR: a checked program in which every name is resolved, every expression has a type
//! and every generic is specialised. It stays close to the source, and `interp` executes it as it
//! is, so that no lowering stands between a program and its reference meaning.
//!
//! Facts an executor may rely on (the checker guarantees them):
//! - No type in an executable body contains [`Type::Parameter`], [`Type::Infer`] or
//!   [`Type::Unknown`]; generic functions were copied per use.
//! - P4 has no recursion, so every variable has at most one live activation: a [`VarId`] may be a
//!   slot in one flat store.
//! - Implicit casts are explicit [`ExprKind::Cast`]s; `int` (arbitrary precision) occurs only in
//!   constants.
//! - Arguments stand in evaluation order (§6.8: left to right as written).

mod declarations;
mod expressions;
mod statements;
mod types;
mod values;
pub mod visit;

pub use declarations::*;
pub use expressions::*;
pub use statements::*;
pub use types::*;
pub use values::*;

pub use crate::ast::{BinaryOp, Direction, Name, StructKind, UnaryOp};
pub use crate::source::Span;

ww_dataplane::indices! {
    /// A [`StructDef`] in [`Types`].
    StructId,
    /// An [`EnumDef`] in [`Types`].
    EnumId,
    /// A [`NewTypeDef`] in [`Types`].
    NewTypeId,
    /// An [`ExternDef`] in [`Types`].
    ExternId,
    /// An [`ApplyTypeDef`] in [`Types`].
    ApplyTypeId,
    /// A type parameter; only the checker sees it.
    TypeParameterId,
    /// A [`Variable`] of a [`Program`].
    VarId,
    /// A [`Function`] of a [`Program`].
    FunctionId,
    /// An [`ExternFunction`] of a [`Program`].
    ExternFunctionId,
    /// An [`Action`] of a [`Program`].
    ActionId,
    /// A [`Table`] of a [`Program`].
    TableId,
    /// A [`Parser`] of a [`Program`].
    ParserId,
    /// A [`Control`] of a [`Program`].
    ControlId,
    /// An [`Instance`] of a [`Program`].
    InstanceId,
}
