//! Objects: tables with their actions, extern objects, value sets.

use super::blocks::{ControlGraph, Match};
use super::fields::FieldId;
use crate::ast::{Annotation, Name};
use crate::ir::{self, InstanceId, VarId};
use crate::source::Span;
use num_bigint::BigUint;

ww_dataplane::indices! {
    /// A [`Table`] of a [`super::Pipeline`].
    TableId,
    /// An [`Action`] of a [`super::Pipeline`].
    ActionId,
    /// An [`ExternInstance`] of a [`super::Pipeline`].
    ExternInstanceId,
    /// A [`ValueSet`] of a [`super::Pipeline`].
    ValueSetId,
}

/// A table. However often it is applied, it is one object with one set of entries.
#[derive(Clone, Debug)]
pub struct Table {
    /// Control-plane name.
    pub name: Name,
    /// The control's instance and the table in the typed IR.
    pub source: (InstanceId, ir::TableId),
    /// Keys in order.
    pub keys: Vec<Key>,
    /// Actions in order.
    pub actions: Vec<TableAction>,
    /// Runs if no entry fits.
    pub default_action: ActionCall,
    /// Whether the control plane may not change the default action.
    pub const_default: bool,
    /// Capacity, if the program says it.
    pub size: Option<u64>,
    /// Entries of the program, in order.
    pub entries: Vec<Entry>,
    /// Whether the control plane may not add entries.
    pub const_entries: bool,
    /// Further properties.
    pub properties: Vec<Property>,
    /// Number of [`super::NodeKind::Apply`] nodes.
    pub applications: u32,
    /// Annotations of the declaration.
    pub annotations: Vec<Annotation>,
    /// Where it is declared.
    pub span: Span,
}

/// A key of a table.
#[derive(Clone, Debug)]
pub struct Key {
    /// Name for the control plane.
    pub name: Name,
    /// Holds the value at each application. A field of its own, unless the key is a field of the
    /// program anyway.
    pub field: FieldId,
    /// Bits.
    pub width: u32,
    /// Whether ranges compare as two's complement.
    pub signed: bool,
    /// `exact`, `lpm`, ...; `selector` keys choose a member of a group.
    pub match_kind: Name,
}

/// An action as a table lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableAction {
    /// The action.
    pub action: ActionId,
    /// May only be the default action.
    pub default_only: bool,
    /// May not be the default action.
    pub table_only: bool,
}

/// An action of a table, with the program's arguments bound.
#[derive(Clone, Debug)]
pub struct Action {
    /// Control-plane name.
    pub name: Name,
    /// What the entry supplies, in order.
    pub parameters: Vec<ActionParameter>,
    /// What it does.
    pub body: ControlGraph,
    /// Where it is declared.
    pub span: Span,
}

/// A parameter of an [`Action`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionParameter {
    /// Name.
    pub name: Name,
    /// Bits.
    pub width: u32,
    /// The fields that take it: one, or those of a struct, the first from the highest bits.
    pub fields: Vec<FieldId>,
}

/// An action with arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionCall {
    /// Position in [`Table::actions`].
    pub action: u32,
    /// One pattern per parameter.
    pub arguments: Vec<BigUint>,
}

/// An entry of the program.
#[derive(Clone, Debug)]
pub struct Entry {
    /// One per key.
    pub keys: Vec<Match>,
    /// What it does.
    pub action: ActionCall,
    /// The higher number wins, then the earlier entry; `None` where priorities have no meaning.
    pub priority: Option<i64>,
    /// Whether the control plane may not change it.
    pub is_const: bool,
    /// Where it was written.
    pub span: Span,
}

/// A property of a table that the architecture gives a meaning to.
#[derive(Clone, Debug)]
pub struct Property {
    /// Name.
    pub name: Name,
    /// Value.
    pub value: PropertyValue,
}

/// Value of a [`Property`], or an argument of a constructor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyValue {
    /// An object.
    Object(ExternInstanceId),
    /// A number; `true` is 1.
    Number(BigUint),
    /// A text.
    Text(Name),
    /// A member of an enum.
    Member(Name),
    /// Anything else; the program's text has it.
    Other,
}

/// An extern object.
#[derive(Clone, Debug)]
pub struct ExternInstance {
    /// Control-plane name.
    pub name: Name,
    /// Name of its type.
    pub type_name: Name,
    /// Type arguments: as written, and bits if the type has a fixed number.
    pub type_arguments: Vec<(String, Option<u64>)>,
    /// Constructor arguments.
    pub arguments: Vec<ConstructorArgument>,
    /// The object in the typed IR.
    pub source: InstanceId,
    /// Where it is declared.
    pub span: Span,
}

/// An argument of an extern object's constructor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConstructorArgument {
    /// Name of the parameter.
    pub name: Name,
    /// Value.
    pub value: PropertyValue,
}

/// A value set of a parser.
#[derive(Clone, Debug)]
pub struct ValueSet {
    /// Control-plane name.
    pub name: Name,
    /// The parser's instance and the set in the typed IR.
    pub source: (InstanceId, VarId),
    /// Bits of each key of a member.
    pub widths: Vec<u32>,
    /// Capacity.
    pub size: u64,
}
