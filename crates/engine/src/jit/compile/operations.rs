//! Operations on fields.

use super::emitter::Emitter;
use crate::jit::packet::PacketHead;
use cranelift_codegen::ir::InstBuilder;
use std::mem::offset_of;
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
                let (targets, beyond) = self.dispatch(index, to.len());
                for (n, (field, target)) in to.iter().zip(targets).enumerate() {
                    self.b.switch_to_block(target);
                    match guards.get(n) {
                        None => self.set_field(*field, &value),
                        Some(guard) => {
                            let condition = self.number(*guard);
                            self.set_field_if(condition, *field, &value);
                        }
                    }
                    self.jump(beyond);
                }
                self.b.switch_to_block(beyond);
            }
            OpKind::Invalidate { header } => self.invalidate(*header),
            OpKind::InvalidateElement { index, headers } => {
                let (targets, beyond) = self.dispatch(index, headers.len());
                for (header, target) in headers.iter().zip(targets) {
                    self.b.switch_to_block(target);
                    self.invalidate(*header);
                    self.jump(beyond);
                }
                self.b.switch_to_block(beyond);
            }
            OpKind::PacketLength { to } => {
                let length = self.head(offset_of!(PacketHead, length));
                let length = self.mask(length, 32);
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
