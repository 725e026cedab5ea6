//! Flattening: variables become fields.

use super::{Lowered, Lowerer};
use crate::ir::{StructKind, Type};
use crate::pipeline::SYMBOLIC_WIDTH;
use crate::pipeline::fields::{
    FieldId, FieldRole, FieldType, Header, HeaderId, LayoutItem, Scope, Stack, StackElement,
    StackId, Union, UnionId,
};
use crate::source::Span;
use std::rc::Rc;

/// The fields of a variable, in the shape of its type.
#[derive(Clone, Debug)]
pub(super) enum Storage {
    /// A scalar.
    Scalar(FieldId),
    /// A `varbit` and its length.
    Varbit(FieldId, FieldId),
    /// A header and its fields.
    Header(HeaderId, Rc<[Storage]>),
    /// A union and its members.
    Union(Rc<[Storage]>),
    /// A struct or tuple.
    Struct(Rc<[Storage]>),
    /// A stack and its elements; arrays have no [`Stack`].
    Stack(Option<StackId>, Rc<[Storage]>),
    /// What has no value at run time.
    Nothing,
}

/// What new fields are for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Purpose {
    /// How long they live.
    pub scope: Scope,
    /// What they are, outside headers.
    pub role: FieldRole,
    /// Where they are declared.
    pub span: Span,
}

impl Purpose {
    /// A variable that lives in one block.
    pub fn local(span: Span) -> Self {
        Self { scope: Scope::Local, role: FieldRole::Variable, span }
    }

    /// Values of expressions.
    pub fn temporary(span: Span) -> Self {
        Self { scope: Scope::Local, role: FieldRole::Temporary, span }
    }
}

impl Storage {
    /// Parts that a field or element number chooses from.
    pub fn parts(&self) -> &[Storage] {
        match self {
            Storage::Header(_, parts)
            | Storage::Union(parts)
            | Storage::Struct(parts)
            | Storage::Stack(_, parts) => parts,
            _ => &[],
        }
    }
}

/// The type of a scalar field and its width, if the type is a scalar.
pub(super) fn scalar(types: &crate::ir::Types, ty: &Type) -> Option<(FieldType, u32)> {
    Some(match types.storage(ty) {
        Type::Bit(width) => (FieldType::Bits, *width),
        Type::Signed(width) => (FieldType::Signed, *width),
        Type::Bool => (FieldType::Bool, 1),
        Type::Error => (FieldType::Error, SYMBOLIC_WIDTH),
        Type::Enum(id) => (FieldType::Enum(*id), SYMBOLIC_WIDTH),
        Type::ActionRun(_) | Type::MatchKind => (FieldType::Bits, SYMBOLIC_WIDTH),
        _ => return None,
    })
}

impl Lowerer<'_> {
    /// New fields for a variable.
    pub(super) fn storage(&mut self, name: &str, ty: &Type, purpose: Purpose) -> Lowered<Storage> {
        let program = self.program;
        let Purpose { scope, role, span } = purpose;
        if let Some((field_type, width)) = scalar(&program.types, ty) {
            let field = self.field(name.to_owned(), width, field_type, scope, role, span)?;
            return Ok(Storage::Scalar(field));
        }
        match program.types.storage(ty) {
            Type::Varbit(width) => {
                let field =
                    self.field(name.to_owned(), *width, FieldType::Varbit, scope, role, span)?;
                let length = format!("{name}.$length");
                let role = FieldRole::Length(field);
                let length = self.field(length, 32, FieldType::Bits, scope, role, span)?;
                Ok(Storage::Varbit(field, length))
            }
            Type::Tuple(types) => {
                let parts = types
                    .iter()
                    .enumerate()
                    .map(|(n, ty)| self.storage(&format!("{name}.{n}"), ty, purpose))
                    .collect::<Lowered<Rc<[_]>>>()?;
                Ok(Storage::Struct(parts))
            }
            Type::Stack(element, size) => self.stack_storage(name, element, *size, purpose),
            Type::Struct(id) => match program.types[*id].kind {
                StructKind::Header => self.header_storage(name, *id, purpose),
                StructKind::Struct => Ok(Storage::Struct(self.parts(name, *id, purpose)?)),
                StructKind::Union => {
                    let members = self.parts(name, *id, purpose)?;
                    let union = UnionId(self.out.unions.len() as u32);
                    let ids: Vec<HeaderId> = members.iter().filter_map(header_id).collect();
                    for id in &ids {
                        self.out.headers[id.index()].union = Some(union);
                    }
                    self.out.unions.push(Union { name: name.into(), members: ids });
                    Ok(Storage::Union(members))
                }
            },
            _ => Ok(Storage::Nothing),
        }
    }

    fn parts(
        &mut self,
        name: &str,
        id: crate::ir::StructId,
        purpose: Purpose,
    ) -> Lowered<Rc<[Storage]>> {
        let program = self.program;
        program.types[id]
            .fields
            .iter()
            .map(|field| {
                // Globals point at the declaration of each field, locals at their own.
                let span = if purpose.scope == Scope::Local { purpose.span } else { field.span };
                let purpose = Purpose { span, ..purpose };
                self.storage(&format!("{name}.{}", field.name), &field.ty, purpose)
            })
            .collect()
    }

    fn header_storage(
        &mut self,
        name: &str,
        id: crate::ir::StructId,
        purpose: Purpose,
    ) -> Lowered<Storage> {
        let Purpose { scope, span, .. } = purpose;
        let header = HeaderId(self.out.headers.len() as u32);
        let role = FieldRole::Validity(header);
        let valid = self.field(format!("{name}.$valid"), 1, FieldType::Bool, scope, role, span)?;
        self.out.headers.push(Header {
            name: name.into(),
            type_name: self.program.types[id].name.clone(),
            valid,
            layout: Vec::new(),
            fixed_bits: 0,
            union: None,
            span,
        });
        let parts = self.parts(name, id, Purpose { role: FieldRole::Header(header), ..purpose })?;
        let mut layout = Vec::new();
        let mut offset = 0;
        self.layout(&parts, &mut offset, &mut layout);
        let entry = &mut self.out.headers[header.index()];
        entry.layout = layout;
        entry.fixed_bits = offset;
        Ok(Storage::Header(header, parts))
    }

    fn layout(&self, parts: &[Storage], offset: &mut u32, out: &mut Vec<LayoutItem>) {
        for part in parts {
            match part {
                Storage::Scalar(field) => {
                    out.push(LayoutItem { field: *field, offset: *offset, length: None });
                    *offset = offset.saturating_add(self.out[*field].width);
                }
                Storage::Varbit(field, length) => {
                    let length = Some(*length);
                    out.push(LayoutItem { field: *field, offset: *offset, length });
                }
                other => self.layout(other.parts(), offset, out),
            }
        }
    }

    fn stack_storage(
        &mut self,
        name: &str,
        element: &Type,
        size: u32,
        purpose: Purpose,
    ) -> Lowered<Storage> {
        let elements = (0..size)
            .map(|n| self.storage(&format!("{name}[{n}]"), element, purpose))
            .collect::<Lowered<Rc<[_]>>>()?;
        let types = &self.program.types;
        if !types.is_header(element) && !types.is_union(element) {
            return Ok(Storage::Stack(None, elements));
        }
        let stack = StackId(self.out.stacks.len() as u32);
        let Purpose { scope, span, .. } = purpose;
        let role = FieldRole::NextIndex(stack);
        let next = self.field(format!("{name}.$next"), 32, FieldType::Bits, scope, role, span)?;
        let ids = elements.iter().filter_map(|e| self.stack_element(e)).collect();
        self.out.stacks.push(Stack { name: name.into(), next, elements: ids });
        Ok(Storage::Stack(Some(stack), elements))
    }

    fn stack_element(&self, element: &Storage) -> Option<StackElement> {
        match element {
            Storage::Header(id, _) => Some(StackElement::Header(*id)),
            Storage::Union(members) => {
                let union = members.iter().find_map(header_id);
                union.and_then(|h| self.out[h].union).map(StackElement::Union)
            }
            _ => None,
        }
    }

    /// Calls `visit` with every field of a storage.
    pub(super) fn for_each_field(&self, storage: &Storage, visit: &mut dyn FnMut(FieldId)) {
        match storage {
            Storage::Scalar(field) => visit(*field),
            Storage::Varbit(field, length) => {
                visit(*field);
                visit(*length);
            }
            Storage::Header(header, _) => visit(self.out[*header].valid),
            Storage::Stack(Some(stack), _) => visit(self.out[*stack].next),
            _ => {}
        }
        for part in storage.parts() {
            self.for_each_field(part, visit);
        }
    }
}

/// The header that a storage is.
pub(super) fn header_id(storage: &Storage) -> Option<HeaderId> {
    match storage {
        Storage::Header(id, _) => Some(*id),
        _ => None,
    }
}
