//! The packet: `extract`, `lookahead`, `advance`, `length` and `emit`.

use super::storage::{Purpose, Storage, header_id};
use super::values::Value;
use super::{Lowered, Lowerer, Place};
use crate::ir::{Call, CallArgument, Expr as IrExpr, Type};
use crate::pipeline::expression::{BinaryOp, Expr};
use crate::pipeline::fields::{FieldId, FieldType};
use crate::pipeline::operations::{Extract, OpKind};
use crate::source::Span;

impl Lowerer<'_> {
    /// A method of `packet_in` or `packet_out`.
    pub(super) fn packet_method(&mut self, name: &str, call: &Call) -> Lowered<Value> {
        let span = call.span;
        let argument = |n: u32| call.arguments.iter().find(|a| a.parameter == n);
        let ty = call.type_arguments.first().unwrap_or(&Type::Void);
        match (name, argument(0)) {
            ("extract", Some(header)) => self.extract(header, argument(1), ty, span),
            ("lookahead", _) => self.lookahead(ty, span),
            ("advance", Some(CallArgument { value: Some(bits), .. })) => {
                let bits = self.eval(bits)?.scalar(32);
                self.emit(OpKind::Advance { bits, offset: None }, span)?;
                Ok(Value::Nothing)
            }
            ("length", _) => {
                let to = self.temporary(32, FieldType::Bits, span)?;
                self.emit(OpKind::PacketLength { to }, span)?;
                Ok(Value::Scalar(self.read_field(to)))
            }
            ("emit", Some(CallArgument { value: Some(header), .. })) => {
                self.emit_headers(header, span)?;
                Ok(Value::Nothing)
            }
            _ => self.refuse(span, format!("method `{name}` of the packet is not known")),
        }
    }

    fn extract(
        &mut self,
        header: &CallArgument,
        varbit: Option<&CallArgument>,
        ty: &Type,
        span: Span,
    ) -> Lowered<Value> {
        let place = match &header.value {
            Some(expr) => self.place(expr, true)?,
            None => self.scratch(ty, span)?,
        };
        let varbit = match varbit.and_then(|a| a.value.as_ref()) {
            Some(bits) => Some(self.eval(bits)?.scalar(32)),
            None => None,
        };
        let mut headers: Vec<_> = place.alternatives.iter().filter_map(header_id).collect();
        if headers.is_empty() {
            // Out of range: the bits go by.
            headers = self.scratch(ty, span)?.alternatives.iter().filter_map(header_id).collect();
        }
        let Some(first) = headers.first() else {
            return self.refuse(span, "what is extracted is no header");
        };
        let fixed_bits = self.out[*first].fixed_bits;
        let (index, headers_here) = (place.index.clone(), headers.clone());
        let extract = Extract { headers: headers_here, index, fixed_bits, varbit, offset: None };
        self.emit(OpKind::Extract(extract), span)?;
        self.invalidate_others(place.index.as_ref(), &headers, span)?;
        if let Some(stack) = &place.next_of {
            let stack_type = Type::Stack(Box::new(Type::Void), 0);
            let (next, _) = self.next_index(stack, &stack_type);
            let value = Expr::binary(BinaryOp::Add, next, Expr::one(32));
            self.set_next(stack, value, span)?;
        }
        Ok(Value::Nothing)
    }

    /// Storage that nobody reads.
    fn scratch(&mut self, ty: &Type, span: Span) -> Lowered<Place> {
        self.temporaries += 1;
        let name = format!("${}", self.temporaries);
        let storage = self.storage(&name, ty, Purpose::temporary(span))?;
        Ok(Place::of(storage))
    }

    fn lookahead(&mut self, ty: &Type, span: Span) -> Lowered<Value> {
        let place = self.scratch(ty, span)?;
        let Some(storage) = place.whole().cloned() else { return Ok(Value::Nothing) };
        let (mut to, mut bits, mut sets) = (Vec::new(), 0, Vec::new());
        self.lay_out(&storage, &mut to, &mut bits, &mut sets);
        self.emit(OpKind::Lookahead { to, bits, offset: None }, span)?;
        for (field, value) in sets {
            self.emit(OpKind::Assign { to: field, value, guard: None }, span)?;
        }
        Ok(self.read_storage(&storage))
    }

    /// Scalars one after the other, and what else becomes of headers and stacks.
    fn lay_out(
        &self,
        storage: &Storage,
        to: &mut Vec<(FieldId, u32)>,
        bits: &mut u32,
        sets: &mut Vec<(FieldId, Expr)>,
    ) {
        match storage {
            Storage::Scalar(field) => {
                let width = self.out[*field].width;
                if width > 0 {
                    to.push((*field, *bits));
                }
                *bits = bits.saturating_add(width);
            }
            Storage::Header(id, _) => sets.push((self.out[*id].valid, Expr::bool(true))),
            Storage::Stack(Some(id), elements) => {
                let size = Expr::constant(32, elements.len());
                sets.push((self.out[*id].next, size));
            }
            _ => {}
        }
        storage.parts().iter().for_each(|part| self.lay_out(part, to, bits, sets));
    }

    fn emit_headers(&mut self, header: &IrExpr, span: Span) -> Lowered<()> {
        let mut storage = None;
        if self.is_place(header) {
            storage = self.place(header, false)?.fixed().cloned();
        }
        let storage = match storage {
            Some(storage) => storage,
            None => {
                let value = self.eval(header)?;
                self.in_storage(value, &header.ty, span)?
            }
        };
        self.emit_storage(&storage, span)
    }

    fn emit_storage(&mut self, storage: &Storage, span: Span) -> Lowered<()> {
        if let Storage::Header(header, _) = storage {
            return self.emit(OpKind::Emit { header: *header }, span);
        }
        for part in storage.parts() {
            self.emit_storage(part, span)?;
        }
        Ok(())
    }
}
