//! Operations of controls, and those of parsers that have nothing to do with the packet.

use super::super::dataflow::ValueId;
use super::Lowering;
use super::environment::Environment;
use ww_p4::pipeline::{FieldId, HeaderId, Op, OpKind};

impl Lowering<'_> {
    /// Carries out an operation of a control.
    pub fn operation(&mut self, env: &mut Environment, op: &Op, active: ValueId) {
        match &op.kind {
            OpKind::Assign { to, value, guard } => {
                let mut value = self.eval(env, value);
                if let Some(guard) = guard {
                    let guard = self.field(env, *guard);
                    let old = self.field(env, *to);
                    value = self.graph.mux(guard, value, old);
                }
                let value = self.in_turn(value);
                self.set(env, *to, value);
            }
            OpKind::AssignElement { index, to, guards, value } => {
                let index = self.eval(env, index);
                let value = self.eval(env, value);
                let guards: Vec<ValueId> = guards.iter().map(|g| self.field(env, *g)).collect();
                for (n, field) in to.iter().enumerate() {
                    let mut here = self.is_index(index, n as u64);
                    if let Some(guard) = guards.get(n) {
                        here = self.graph.and(here, *guard);
                    }
                    let old = self.field(env, *field);
                    let new = self.graph.mux(here, value, old);
                    self.set(env, *field, new);
                }
            }
            OpKind::Invalidate { header } => {
                let always = self.graph.bit(true);
                self.invalidate(env, *header, always);
            }
            OpKind::InvalidateElement { index, headers } => {
                let index = self.eval(env, index);
                for (n, header) in headers.iter().enumerate() {
                    let here = self.is_index(index, n as u64);
                    self.invalidate(env, *header, here);
                }
            }
            OpKind::Extern(call) => self.call(env, call, active, op.span),
            OpKind::Emit { header } => self.emit(env, *header, active),
            // The rest is the parser's.
            OpKind::Extract(_)
            | OpKind::Lookahead { .. }
            | OpKind::Advance { .. }
            | OpKind::PacketLength { .. }
            | OpKind::Verify { .. } => {}
        }
    }

    /// All fields of a header, its validity first.
    pub fn header_fields(&self, header: HeaderId) -> Vec<FieldId> {
        let header = &self.pipeline[header];
        let layout = header.layout.iter().flat_map(|item| [Some(item.field), item.length]);
        std::iter::once(header.valid).chain(layout.flatten()).collect()
    }

    fn invalidate(&mut self, env: &mut Environment, header: HeaderId, condition: ValueId) {
        for field in self.header_fields(header) {
            let width = self.pipeline[field].width;
            if width == 0 {
                continue;
            }
            let (old, zero) = (self.field(env, field), self.graph.zero(width));
            let new = self.graph.mux(condition, zero, old);
            self.set(env, field, new);
        }
    }
}
