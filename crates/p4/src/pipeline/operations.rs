//! Operations: what blocks and parser states do, one after the other.

use super::expression::Expr;
use super::fields::{FieldId, HeaderId};
use super::tables::ExternInstanceId;
use crate::ast::Name;
use crate::ir::HardwareModule;
use crate::source::Span;

/// An operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Op {
    /// Which.
    pub kind: OpKind,
    /// The statement or expression that it stands for.
    pub span: Span,
}

/// The kinds of operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpKind {
    /// A field takes a value.
    Assign {
        /// The field.
        to: FieldId,
        /// The value, as wide as the field.
        value: Expr,
        /// Only if this bit is 1.
        guard: Option<FieldId>,
    },
    /// One of several fields takes a value; none if the index is beyond the last.
    AssignElement {
        /// Which field.
        index: Expr,
        /// The fields, all of one width.
        to: Vec<FieldId>,
        /// Only if the bit at the same position is 1; empty for no condition.
        guards: Vec<FieldId>,
        /// The value.
        value: Expr,
    },
    /// A header becomes invalid: its validity bit, fields and lengths become zero.
    Invalidate {
        /// The header.
        header: HeaderId,
    },
    /// One of several headers of one type becomes invalid; none if the index is beyond the last.
    InvalidateElement {
        /// Which header.
        index: Expr,
        /// The headers.
        headers: Vec<HeaderId>,
    },
    /// A function or method of the architecture.
    Extern(ExternCall),
    /// Parsers: takes a header out of the packet. If the packet is too short nothing changes and
    /// the parser fails with `PacketTooShort`.
    Extract(Extract),
    /// Parsers: copies the next bits of the packet into fields. If the packet is too short the
    /// parser fails with `PacketTooShort`.
    Lookahead {
        /// Fields and how many bits lie in front of them.
        to: Vec<(FieldId, u32)>,
        /// Bits in all.
        bits: u32,
        /// Distance in bits from where the state began, if that is always the same.
        offset: Option<u64>,
    },
    /// Parsers: moves over that many bits. The parser fails with `ParserInvalidArgument` if they
    /// are no whole bytes, then with `PacketTooShort` if there are fewer.
    Advance {
        /// How many; 32 bits wide.
        bits: Expr,
        /// Distance in bits from where the state began, if that is always the same.
        offset: Option<u64>,
    },
    /// Parsers: length of the packet in bytes.
    PacketLength {
        /// The field, 32 bits wide.
        to: FieldId,
    },
    /// Parsers: fails with the error unless the condition holds.
    Verify {
        /// The condition.
        condition: Expr,
        /// The error.
        error: Expr,
    },
    /// Deparsers: appends a header if it is valid, with its fields in the order of their layout.
    Emit {
        /// The header.
        header: HeaderId,
    },
}

/// `packet_in.extract`.
///
/// Checks come in this order: with a `varbit`, `ParserInvalidArgument` if its length is no
/// multiple of 8; `PacketTooShort` if the packet has fewer bits than needed; `HeaderTooShort` if
/// the `varbit` is longer than its field. Then the header gets its fields and becomes valid. What
/// follows from that (other members of its union, `nextIndex`) are operations of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extract {
    /// The header; several of one type if `index` chooses.
    pub headers: Vec<HeaderId>,
    /// Which of the headers; beyond the last one the bits are skipped and nothing is written.
    pub index: Option<Expr>,
    /// Bits without `varbit`.
    pub fixed_bits: u32,
    /// Length of the `varbit` in bits; 32 bits wide.
    pub varbit: Option<Expr>,
    /// Distance in bits from where the state began, if that is always the same.
    pub offset: Option<u64>,
}

/// A call of a function or method of the architecture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternCall {
    /// Name of the function or method.
    pub name: Name,
    /// The object; `None` for a function.
    pub object: Option<ExternInstanceId>,
    /// The module of hardware that the function is, in pipelines for hardware.
    pub module: Option<HardwareModule>,
    /// Types as written or inferred, for people.
    pub type_arguments: Vec<String>,
    /// Arguments in the order of the parameters.
    pub arguments: Vec<Argument>,
    /// Where the result goes; empty for none.
    pub result: Vec<OutLeaf>,
}

/// An argument of an [`ExternCall`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Name of the parameter.
    pub name: Name,
    /// The argument.
    pub value: ArgumentValue,
}

/// What an [`Argument`] is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgumentValue {
    /// A value.
    In(Operand),
    /// Fields that take results; zero where the function gives none.
    Out(Vec<OutLeaf>),
    /// A value, and fields that take its successor; the same value where the function leaves it.
    InOut(Operand, Vec<OutLeaf>),
    /// A text.
    Text(Name),
    /// A member of an enum: its name and position.
    Member(Name, u32),
    /// An extern object.
    Object(ExternInstanceId),
    /// Left out.
    Absent,
}

/// A value of any type: its scalars in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// Its type, for people.
    pub type_name: String,
    /// Its scalars.
    pub leaves: Vec<InLeaf>,
}

/// A scalar of an [`Operand`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InLeaf {
    /// Way to it from the operand, with dots; empty for the operand itself.
    pub name: String,
    /// Its value.
    pub value: Expr,
    /// Length of a `varbit`.
    pub length: Option<Expr>,
    /// Validity of the header that it is in; on the wire an invalid header has no bits.
    pub valid: Option<Expr>,
}

/// A scalar of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutLeaf {
    /// Way to it, with dots.
    pub name: String,
    /// The field.
    pub field: FieldId,
    /// Length of a `varbit`.
    pub length: Option<FieldId>,
}

impl OpKind {
    /// Calls `visit` with every expression that is read.
    pub fn for_each_expr<'o>(&'o self, visit: &mut dyn FnMut(&'o Expr)) {
        match self {
            OpKind::Assign { value, .. } => visit(value),
            OpKind::AssignElement { index, value, .. } => {
                visit(index);
                visit(value);
            }
            OpKind::InvalidateElement { index, .. } => visit(index),
            OpKind::Extern(call) => {
                for argument in &call.arguments {
                    if let ArgumentValue::In(operand) | ArgumentValue::InOut(operand, _) =
                        &argument.value
                    {
                        for leaf in &operand.leaves {
                            visit(&leaf.value);
                            leaf.length.iter().chain(&leaf.valid).for_each(&mut *visit);
                        }
                    }
                }
            }
            OpKind::Extract(extract) => {
                extract.index.iter().chain(&extract.varbit).for_each(visit);
            }
            OpKind::Advance { bits, .. } => visit(bits),
            OpKind::Verify { condition, error } => {
                visit(condition);
                visit(error);
            }
            OpKind::Invalidate { .. }
            | OpKind::Lookahead { .. }
            | OpKind::PacketLength { .. }
            | OpKind::Emit { .. } => {}
        }
    }

    /// Calls `visit` with every guard.
    pub fn for_each_guard(&self, visit: &mut dyn FnMut(FieldId)) {
        match self {
            OpKind::Assign { guard, .. } => guard.iter().copied().for_each(visit),
            OpKind::AssignElement { guards, .. } => guards.iter().copied().for_each(visit),
            _ => {}
        }
    }

    /// Whether fields that the operation can write may also keep their value.
    pub fn is_partial(&self) -> bool {
        match self {
            OpKind::Assign { guard, .. } => guard.is_some(),
            OpKind::AssignElement { .. } | OpKind::InvalidateElement { .. } => true,
            OpKind::Extract(extract) => extract.headers.len() > 1,
            _ => false,
        }
    }

    /// Calls `visit` with every field that the operation can write; `headers` are the pipeline's.
    pub fn for_each_write(
        &self,
        headers: &[super::fields::Header],
        visit: &mut dyn FnMut(FieldId),
    ) {
        let mut header = |id: HeaderId| {
            if let Some(header) = headers.get(id.index()) {
                visit(header.valid);
                for item in &header.layout {
                    visit(item.field);
                    item.length.into_iter().for_each(&mut *visit);
                }
            }
        };
        match self {
            OpKind::Invalidate { header: id } => header(*id),
            OpKind::InvalidateElement { headers, .. } => headers.iter().for_each(|id| header(*id)),
            OpKind::Extract(extract) => extract.headers.iter().for_each(|id| header(*id)),
            OpKind::Assign { to, .. } | OpKind::PacketLength { to } => visit(*to),
            OpKind::AssignElement { to, .. } => to.iter().copied().for_each(visit),
            OpKind::Lookahead { to, .. } => to.iter().for_each(|(field, _)| visit(*field)),
            OpKind::Extern(call) => {
                let mut leaves = |leaves: &[OutLeaf]| {
                    for leaf in leaves {
                        visit(leaf.field);
                        leaf.length.into_iter().for_each(&mut *visit);
                    }
                };
                for argument in &call.arguments {
                    if let ArgumentValue::Out(out) | ArgumentValue::InOut(_, out) = &argument.value
                    {
                        leaves(out);
                    }
                }
                leaves(&call.result);
            }
            OpKind::Advance { .. } | OpKind::Verify { .. } | OpKind::Emit { .. } => {}
        }
    }
}
