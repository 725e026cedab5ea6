//! The pipeline IR: a program for one architecture, ready to become native code or hardware.
//!
//! Lowering ([`lower`]) evaluates everything that is known when the program is loaded: each block
//! of the architecture is one parse graph or control-flow graph in which sub-parsers,
//! sub-controls, functions and directly called actions are inlined; constructor parameters are
//! constants; objects are entries of one list. Headers, structs, stacks, unions and tuples are
//! flattened: all storage is one table of scalar [`Field`]s, and everything refers to it by
//! [`FieldId`].
//!
//! Rules that hold everywhere (they are the reference engine's decisions on what the language
//! leaves open):
//! - All fields are zero when a packet enters the pipeline, except what the architecture sets.
//!   Zero is the default value of all types (`false`, the first member, length 0) but `error`,
//!   whose fields start as [`Pipeline::no_error`]; they are never in headers.
//! - Fields of the headers and of both metadata structs live from the first block to the last.
//!   Every other field belongs to one block, which writes it before reading it.
//! - **The fields of an invalid header are zero.** Reading one therefore needs no check. Writing
//!   to one must have no effect: each such assignment carries its header's validity bit as
//!   *guard*. [`OpKind::Invalidate`] clears the validity bit and all fields.
//! - At most one member of a union is valid; lowering emits the invalidations.
//! - An index out of range reads as zero ([`ExprKind::Index`]) and writes nothing
//!   ([`OpKind::AssignElement`]).
//! - A `varbit<W>` is a field of W bits and a length in bits. The first bit on the wire is the
//!   most significant bit of the field; bits beyond the length are zero. Equal values are
//!   therefore equal fields with equal lengths.
//! - Plain enums, `error` and `action_run` are numbers of [`SYMBOLIC_WIDTH`] bits: the position
//!   of the member; `bool` is one bit.
//! - Expressions have no effects and may be evaluated in any order, or not at all. Operations of
//!   a block happen one after the other.
//! - Arithmetic is modulo 2^W; `/` and `%` by zero give zero; a shift by W or more gives zero, or
//!   copies of the sign bit for an arithmetic one.
//!
//! Names are those of the program; what has no name there has one with a `$`.
//!
//! What cannot be lowered is reported as an error at its place in the source: packages of unknown
//! architectures, extern types and functions that the architecture lacks, `varbit` action
//! parameters, stacks of more than [`MAX_ELEMENTS`] elements under run-time indices, and programs
//! that grow beyond [`MAX_OPERATIONS`] operations or [`MAX_FIELDS`] fields by inlining.

mod arithmetic;
mod blocks;
mod expression;
mod fields;
mod lower;
mod operations;
mod parse_loops;
pub mod passes;
mod stages;
mod tables;
mod text;
mod verify;

pub use blocks::{
    Block, Body, ControlGraph, Match, Node, NodeId, NodeKind, ParseGraph, ParseLoop, Row, RowKind,
    State, StateId, SwitchCase, Target, Transition,
};
pub use expression::{BinaryOp, Expr, ExprKind, UnaryOp};
pub use fields::{
    Field, FieldId, FieldRole, FieldType, Header, HeaderId, LayoutItem, Scope, Stack, StackElement,
    StackId, Union, UnionId,
};
pub use lower::{lower, lower_for_hardware};
pub use operations::{
    Argument, ArgumentValue, ExternCall, Extract, InLeaf, Op, OpKind, Operand, OutLeaf,
};
pub use stages::{NodeStages, Stages, stages};
pub use tables::{
    Action, ActionCall, ActionId, ActionParameter, ConstructorArgument, Entry, ExternInstance,
    ExternInstanceId, Key, Property, PropertyValue, Table, TableAction, TableId, ValueSet,
    ValueSetId,
};
pub use verify::verify;

use crate::architecture::{Architecture, Meaning};
use crate::ast::Name;

/// Bits of plain enums, `error` and `action_run`.
pub const SYMBOLIC_WIDTH: u32 = 32;
/// Largest number of elements that a run-time index chooses from.
pub const MAX_ELEMENTS: usize = 1 << 16;
/// Largest number of operations in a pipeline.
pub const MAX_OPERATIONS: usize = crate::limits::MOST_OPERATIONS as usize;
/// Largest number of fields in a pipeline.
pub const MAX_FIELDS: usize = 1 << 20;

/// A program for one architecture.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// The architecture.
    pub architecture: &'static Architecture,
    /// All storage.
    pub fields: Vec<Field>,
    /// Header instances, elements of stacks and members of unions among them.
    pub headers: Vec<Header>,
    /// Header unions.
    pub unions: Vec<Union>,
    /// Header stacks.
    pub stacks: Vec<Stack>,
    /// All `error` members; the position is the value.
    pub errors: Vec<Name>,
    /// Position of `error.NoError`: what fields of type `error` start with. It is 0 unless the
    /// program brings its own core library.
    pub no_error: u32,
    /// Fields of the intrinsic metadata by their names in the program.
    pub intrinsic: Vec<(Name, FieldId)>,
    /// What a parser leaves here becomes the packet's parser error.
    pub parser_error: FieldId,
    /// `@field_list`s: number and fields that survive with a copy of the packet.
    pub field_lists: Vec<(u64, Vec<FieldId>)>,
    /// Extern objects.
    pub externs: Vec<ExternInstance>,
    /// Value sets of parsers.
    pub value_sets: Vec<ValueSet>,
    /// Tables.
    pub tables: Vec<Table>,
    /// Actions, one for each table that lists it.
    pub actions: Vec<Action>,
    /// The architecture's blocks in the order in which a packet meets them.
    pub blocks: Vec<Block>,
}

macro_rules! arena_index {
    ($($id:ident => $field:ident: $item:ident),* $(,)?) => {$(
        impl std::ops::Index<$id> for Pipeline {
            type Output = $item;
            fn index(&self, id: $id) -> &$item {
                &self.$field[id.index()]
            }
        }
    )*};
}

arena_index! {
    FieldId => fields: Field,
    HeaderId => headers: Header,
    UnionId => unions: Union,
    StackId => stacks: Stack,
    ExternInstanceId => externs: ExternInstance,
    ValueSetId => value_sets: ValueSet,
    TableId => tables: Table,
    ActionId => actions: Action,
}

impl Pipeline {
    /// The field of the intrinsic metadata with this meaning, if the architecture and the program's
    /// declaration have it.
    pub fn meaning(&self, meaning: Meaning) -> Option<FieldId> {
        self.architecture.named(meaning).and_then(|name| self.intrinsic_field(name))
    }

    /// The field of the intrinsic metadata with this name.
    pub fn intrinsic_field(&self, name: &str) -> Option<FieldId> {
        self.intrinsic.iter().find(|(n, _)| &**n == name).map(|(_, field)| *field)
    }

    /// The value of a field when a packet enters the pipeline.
    pub fn initial(&self, field: &Field) -> u32 {
        if field.ty == FieldType::Error { self.no_error } else { 0 }
    }

    /// The block for a parameter of the package.
    pub fn block(&self, parameter: &str) -> Option<&Block> {
        self.blocks.iter().find(|b| b.description.parameter == parameter)
    }

    /// The IR as text: stable, and readable without knowledge of this module.
    pub fn text(&self) -> String {
        text::print(self)
    }
}
