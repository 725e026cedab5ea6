//! Operations on fields.

use super::emitter::Emitter;
use cranelift_codegen::ir::InstBuilder;
use ww_p4::pipeline::{HeaderId, Op, OpKind};

impl Emitter<'_, '_> {
    /// Makes an operation that is none of the parser's own.
    pub fn operation(&mut self, op: &Op) {
        match &op.kind {
            OpKind::Assign { to, value, guard } => {
                if self.layout.slot(*to).is_none() {
                    return;
                }
                let value = self.eval(value);
                match guard {
                    None => self.set_field(*to, &value),
                    Some(guard) => {
                        let condition = self.number(*guard);
                        self.set_field_if(condition, *to, &value);
                    }
                }
            }
            OpKind::AssignElement { index, to, guards, value } => {
                let value = self.eval(value);
                let blocks = self.dispatch(index, to.len());
                self.one_of(blocks, |e, n| match guards.get(n) {
                    None => e.set_field(to[n], &value),
                    Some(guard) => {
                        let condition = e.number(*guard);
                        e.set_field_if(condition, to[n], &value);
                    }
                });
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

    fn invalidate(&mut self, header: HeaderId) {
        let header = &self.pipeline[header];
        let zero = self.b.ins().iconst(cranelift_codegen::ir::types::I64, 0);
        self.set_field(header.valid, &[zero]);
        for item in &header.layout {
            self.set_field(item.field, &[zero]);
            if let Some(length) = item.length {
                self.set_field(length, &[zero]);
            }
        }
    }
}
