//! Storage: scalar fields, and what headers, unions and stacks are made of.

use crate::ast::Name;
use crate::ir::EnumId;
use crate::source::Span;

ww_dataplane::indices! {
    /// A [`Field`] of a [`super::Pipeline`].
    FieldId,
    /// A [`Header`] of a [`super::Pipeline`].
    HeaderId,
    /// A [`Union`] of a [`super::Pipeline`].
    UnionId,
    /// A [`Stack`] of a [`super::Pipeline`].
    StackId,
}

/// A scalar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name, different from all others.
    pub name: Name,
    /// Bits.
    pub width: u32,
    /// Its type in the program.
    pub ty: FieldType,
    /// How long it lives.
    pub scope: Scope,
    /// What it is.
    pub role: FieldRole,
    /// Where the program declares it, or what it was made for.
    pub span: Span,
}

impl Field {
    /// Whether its number is two's complement.
    pub fn is_signed(&self) -> bool {
        self.ty == FieldType::Signed
    }
}

/// What the bits of a field mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldType {
    /// `bit<W>`
    Bits,
    /// `int<W>`
    Signed,
    /// `bool`
    Bool,
    /// `error`: a position in [`super::Pipeline::errors`].
    Error,
    /// A plain enum: the position of a member in the typed IR's definition.
    Enum(EnumId),
    /// `varbit<W>`
    Varbit,
}

/// How long a field lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Part of the parsed headers; lives through all blocks.
    Headers,
    /// Part of the user's metadata; lives through all blocks.
    Metadata,
    /// Part of the intrinsic metadata; lives through all blocks.
    Intrinsic,
    /// Lives in one block.
    Local,
}

/// What a field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldRole {
    /// A variable, or part of one that is no header.
    Variable,
    /// Part of a header.
    Header(HeaderId),
    /// The validity bit of a header.
    Validity(HeaderId),
    /// Length in bits of a `varbit`.
    Length(FieldId),
    /// `nextIndex` of a stack.
    NextIndex(StackId),
    /// Value of an expression.
    Temporary,
    /// Key of a table; written before each application.
    Key,
    /// Whether a table hit, or which action it ran.
    TableResult,
    /// Comes from the entry whose action runs.
    ActionData,
    /// How the parser ended.
    ParserError,
}

/// A header instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Its name.
    pub name: Name,
    /// Name of its type.
    pub type_name: Name,
    /// Its validity bit.
    pub valid: FieldId,
    /// Its fields in the order in which they are on the wire.
    pub layout: Vec<LayoutItem>,
    /// Bits of all fields but `varbit`s.
    pub fixed_bits: u32,
    /// The union that it is a member of.
    pub union: Option<UnionId>,
    /// Where it is declared.
    pub span: Span,
}

impl Header {
    /// Most bits that it can have on the wire.
    pub fn max_bits(&self, fields: &[Field]) -> u64 {
        let varbit = |item: &LayoutItem| match item.length {
            Some(_) => fields.get(item.field.index()).map_or(0, |f| u64::from(f.width)),
            None => 0,
        };
        u64::from(self.fixed_bits) + self.layout.iter().map(varbit).sum::<u64>()
    }
}

/// A field within a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayoutItem {
    /// The field.
    pub field: FieldId,
    /// Bits in front of it, counting each `varbit` as empty.
    pub offset: u32,
    /// The length of a `varbit`.
    pub length: Option<FieldId>,
}

/// A header union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Union {
    /// Its name.
    pub name: Name,
    /// Its members in order.
    pub members: Vec<HeaderId>,
}

/// A header stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stack {
    /// Its name.
    pub name: Name,
    /// `nextIndex`, from 0 to the number of elements.
    pub next: FieldId,
    /// Its elements.
    pub elements: Vec<StackElement>,
}

/// An element of a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StackElement {
    /// A header.
    Header(HeaderId),
    /// A union.
    Union(UnionId),
}
