//! Operations on fields.

use super::emitter::Emitter;
use cranelift_codegen::ir::{InstBuilder, Value};
use ww_p4::pipeline::{FieldId, FieldRole, HeaderId, Op, OpKind};

impl Emitter<'_, '_> {
    /// Makes an operation that is none of the parser's own.
    pub fn operation(&mut self, op: &Op) {
        match &op.kind {
            OpKind::Assign { to, value, guard } => {
                let value = self.eval(value);
                self.assign(*to, *guard, &value);
            }
            OpKind::AssignElement { index, to, guards, value } => {
                let value = self.eval(value);
                let blocks = self.dispatch(index, to.len());
                self.one_of(blocks, |e, n| e.assign(to[n], guards.get(n).copied(), &value));
            }
            OpKind::Invalidate { header } => self.invalidate(*header),
            OpKind::InvalidateElement { index, headers } => {
                let blocks = self.dispatch(index, headers.len());
                self.one_of(blocks, |e, n| e.invalidate(headers[n]));
            }
            OpKind::PacketLength { to } => {
                let length = self.mask(self.length, 32);
                self.set_field(*to, &[length]);
            }
            OpKind::Extern(call) => self.extern_call(call, op.span),
            OpKind::Emit { header } => self.emit(*header),
            // Only in parsers, which make them themselves.
            OpKind::Extract(_)
            | OpKind::Lookahead { .. }
            | OpKind::Advance { .. }
            | OpKind::Verify { .. } => unreachable!("an operation of parsers in a control"),
        }
    }

    fn assign(&mut self, to: FieldId, guard: Option<FieldId>, value: &[Value]) {
        if let FieldRole::Validity(header) = self.pipeline[to].role {
            // The fields of a header that becomes valid in this way come from nowhere.
            let nowhere = self.word(0);
            self.set_origin(header, nowhere);
        }
        match guard {
            None => self.set_field(to, value),
            Some(guard) => {
                let condition = self.number(guard);
                self.set_field_if(condition, to, value);
            }
        }
    }

    fn invalidate(&mut self, id: HeaderId) {
        let header = &self.pipeline[id];
        let zero = self.b.ins().iconst(cranelift_codegen::ir::types::I64, 0);
        self.set_field(header.valid, &[zero]);
        self.set_origin(id, zero);
        for item in &header.layout {
            self.set_field(item.field, &[zero]);
            if let Some(length) = item.length {
                self.set_field(length, &[zero]);
            }
        }
    }
}
