//! Functions that set fields of the intrinsic metadata, and the requests for copies and returns.

use super::super::machine::Machine;
use super::super::requests::{CloneRequest, Preserve};
use super::super::values::Value;
use super::Arguments;
use crate::arch::ExternFunction as Function;
use ww_p4::architecture::{FieldPath, MetadataRoot};
use ww_p4::ir::{Call, Expr, ExprKind, Program, Type};

impl<'a> Machine<'a> {
    /// `mark_to_drop(standard_metadata)` and its like, and without argument for programs that
    /// predate it.
    pub(super) fn assign_fields(
        &mut self,
        fields: &[(&str, u64)],
        arguments: &mut Arguments<'a>,
        call: &'a Call,
    ) {
        self.packet.requests.marked_at = Some(call.span);
        let Some(def) = self.program.types.as_struct(&self.loaded.intrinsic) else { return };
        let position = |name: &str| def.fields.iter().position(|f| &*f.name == name);
        let mark = |value: &mut Value| {
            if let Value::Struct(parts) = value {
                for (name, number) in fields.iter().copied() {
                    let position = position(name);
                    if let Some(Value::Bits(bits)) = position.and_then(|n| parts.get_mut(n)) {
                        *bits = crate::bits::Bits::new(bits.width(), u128::from(number));
                    }
                }
            }
        };
        if arguments.find(0).is_some() {
            let mut metadata = arguments.value(0).clone();
            mark(&mut metadata);
            arguments.set(0, metadata);
        } else {
            // Without an argument all copies of the metadata that callers pass on are meant.
            for var in &self.loaded.intrinsic_variables {
                mark(&mut self.slots[var.index()]);
            }
        }
    }

    /// `clone`, `clone3`, `clone_preserving_field_list`: type, session, and what to keep.
    pub(super) fn request_clone(&mut self, function: Function, arguments: &Arguments<'a>) {
        let session = arguments.value(1).to_u64() as u32;
        let preserve = self.preserve(function, arguments, 2);
        self.packet.requests.clone = Some(CloneRequest { session, preserve });
    }

    /// What a copy keeps, as the argument at `parameter` says.
    pub(super) fn preserve(
        &self,
        function: Function,
        arguments: &Arguments<'a>,
        parameter: u32,
    ) -> Preserve {
        match function {
            Function::ClonePreserving
            | Function::ResubmitPreserving
            | Function::RecirculatePreserving => {
                Preserve::FieldList(arguments.value(parameter).to_u64())
            }
            _ => {
                let mut paths = Vec::new();
                if let Some(data) = arguments.expr(parameter) {
                    self.named_paths(data, &mut paths);
                }
                if paths.is_empty() { Preserve::Nothing } else { Preserve::Paths(paths) }
            }
        }
    }

    /// The metadata fields that an old-style argument names: themselves, not their values, for
    /// what counts is the value at the end of the control.
    fn named_paths(&self, expr: &Expr, out: &mut Vec<FieldPath>) {
        match &expr.kind {
            ExprKind::Struct(items)
            | ExprKind::StructInOrder(items, _)
            | ExprKind::Tuple(items) => {
                items.iter().for_each(|item| self.named_paths(item, out));
            }
            ExprKind::Cast(inner) => self.named_paths(inner, out),
            _ => out.extend(self.metadata_path(expr)),
        }
    }

    fn metadata_path(&self, expr: &Expr) -> Option<FieldPath> {
        match &expr.kind {
            ExprKind::Field(base, position) => {
                let mut path = self.metadata_path(base)?;
                path.fields.push(*position);
                Some(path)
            }
            ExprKind::Var(var) => {
                let ty = &self.program[*var].ty;
                if *ty == self.loaded.intrinsic {
                    return Some(FieldPath { root: MetadataRoot::Intrinsic, fields: Vec::new() });
                }
                // A parameter of a control inside may be a part of the metadata.
                let mut found = Vec::new();
                paths_to_type(self.program, &self.loaded.metadata, ty, &mut Vec::new(), &mut found);
                match found.as_mut_slice() {
                    [fields] => {
                        Some(FieldPath { root: MetadataRoot::User, fields: std::mem::take(fields) })
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// All ways from a type to a struct type inside it (or to itself).
fn paths_to_type(
    program: &Program,
    from: &Type,
    to: &Type,
    path: &mut Vec<u32>,
    found: &mut Vec<Vec<u32>>,
) {
    let (Some(def), Type::Struct(_)) = (program.types.as_struct(from), to) else { return };
    if from == to {
        found.push(path.clone());
        return;
    }
    for (position, field) in def.fields.iter().enumerate() {
        path.push(position as u32);
        paths_to_type(program, &field.ty, to, path, found);
        path.pop();
    }
}
