//! Checks of expressions and operations.

use super::{Place, Verifier};
use crate::pipeline::SYMBOLIC_WIDTH;
use crate::pipeline::expression::{BinaryOp, Expr, ExprKind};
use crate::pipeline::fields::{FieldId, HeaderId};
use crate::pipeline::operations::{
    ArgumentValue, ExternCall, Extract, Op, OpKind, Operand, OutLeaf,
};

impl Verifier<'_> {
    /// An expression whose value must have so many bits.
    pub(super) fn expr(&mut self, e: &Expr, width: u32) {
        self.require(e.width == width, || {
            format!("an expression of {} bits, not {width}", e.width)
        });
        self.inner(e);
    }

    fn inner(&mut self, e: &Expr) {
        let width = e.width;
        match &e.kind {
            ExprKind::Const(value) => self.pattern(value, width),
            ExprKind::Field(field) => self.field_has_width(*field, width),
            ExprKind::Unary(_, a) => self.expr(a, width),
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                self.require(width == 1, || "a comparison of more than one bit".to_owned());
                self.inner(a);
                self.expr(b, a.width);
            }
            ExprKind::Binary(op, a, b) if op.is_shift() => {
                self.expr(a, width);
                self.inner(b);
            }
            ExprKind::Binary(BinaryOp::Concat, a, b) => {
                self.require(a.width + b.width == width, || {
                    "a concatenation of another width".to_owned()
                });
                self.inner(a);
                self.inner(b);
            }
            ExprKind::Binary(_, a, b) => {
                self.expr(a, width);
                self.expr(b, width);
            }
            ExprKind::Select(c, a, b) => {
                self.expr(c, 1);
                self.expr(a, width);
                self.expr(b, width);
            }
            ExprKind::Slice(a, low) => {
                let inside = low.checked_add(width).is_some_and(|end| end <= a.width);
                self.require(inside, || "a slice beyond the end".to_owned());
                self.inner(a);
            }
            ExprKind::ZeroExtend(a) | ExprKind::SignExtend(a) => {
                self.require(a.width < width, || "an extension to fewer bits".to_owned());
                self.inner(a);
            }
            ExprKind::Index(index, elements) => {
                self.inner(index);
                elements.iter().for_each(|e| self.expr(e, width));
            }
        }
    }

    fn header(&mut self, header: HeaderId) -> bool {
        let exists = header.index() < self.pipeline.headers.len();
        self.require(exists, || format!("there is no header {}", header.0));
        exists
    }

    fn guard(&mut self, guard: Option<FieldId>) {
        if let Some(guard) = guard {
            self.field_has_width(guard, 1);
        }
    }

    /// An operation.
    pub(super) fn op(&mut self, op: &Op, place: Place) {
        let only_in = match op.kind {
            OpKind::Extract(_)
            | OpKind::Lookahead { .. }
            | OpKind::Advance { .. }
            | OpKind::PacketLength { .. }
            | OpKind::Verify { .. } => Some(Place::Parser),
            OpKind::Emit { .. } => Some(Place::Deparser),
            _ => None,
        };
        // `length` may be asked for anywhere.
        let anywhere = matches!(op.kind, OpKind::PacketLength { .. });
        self.require(anywhere || only_in.is_none_or(|p| p == place), || {
            "an operation that does not belong there".to_owned()
        });
        match &op.kind {
            OpKind::Assign { to, value, guard } => {
                if let Some(width) = self.field_width(*to) {
                    self.expr(value, width);
                }
                self.guard(*guard);
            }
            OpKind::AssignElement { index, to, guards, value } => {
                self.inner(index);
                self.inner(value);
                to.iter().for_each(|f| self.field_has_width(*f, value.width));
                guards.iter().for_each(|f| self.field_has_width(*f, 1));
                self.require(guards.is_empty() || guards.len() == to.len(), || {
                    "guards for some elements only".to_owned()
                });
            }
            OpKind::Invalidate { header } => {
                self.header(*header);
            }
            OpKind::InvalidateElement { index, headers } => {
                self.inner(index);
                for header in headers {
                    self.header(*header);
                }
            }
            OpKind::Extern(call) => self.call(call),
            OpKind::Extract(extract) => self.extract(extract),
            OpKind::Lookahead { to, bits, .. } => {
                for (field, offset) in to {
                    let width = self.field_width(*field).unwrap_or(0);
                    self.require(offset + width <= *bits, || "a field beyond the end".to_owned());
                }
            }
            OpKind::Advance { bits, .. } => self.expr(bits, 32),
            OpKind::PacketLength { to } => self.field_has_width(*to, 32),
            OpKind::Verify { condition, error } => {
                self.expr(condition, 1);
                self.expr(error, SYMBOLIC_WIDTH);
            }
            OpKind::Emit { header } => {
                self.header(*header);
            }
        }
    }

    fn extract(&mut self, extract: &Extract) {
        let several = extract.index.is_some();
        let count = extract.headers.len();
        self.require(count == 1 || several && count > 0, || format!("{count} headers to extract"));
        for header in &extract.headers {
            if self.header(*header) {
                let header = &self.pipeline[*header];
                self.require(header.fixed_bits == extract.fixed_bits, || {
                    format!("header {} of another size", header.name)
                });
                let variable = header.layout.iter().filter(|i| i.length.is_some()).count();
                self.require(variable == usize::from(extract.varbit.is_some()), || {
                    format!("header {} with {variable} varbit fields", header.name)
                });
            }
        }
        extract.index.iter().for_each(|e| self.inner(e));
        extract.varbit.iter().for_each(|e| self.expr(e, 32));
    }

    fn call(&mut self, call: &ExternCall) {
        if let Some(object) = call.object {
            let exists = object.index() < self.pipeline.externs.len();
            self.require(exists, || format!("there is no object {}", object.0));
        }
        for argument in &call.arguments {
            match &argument.value {
                ArgumentValue::In(operand) => self.operand(operand),
                ArgumentValue::Out(out) => self.results(out),
                ArgumentValue::InOut(operand, out) => {
                    self.operand(operand);
                    self.results(out);
                }
                ArgumentValue::Object(id) => {
                    let exists = id.index() < self.pipeline.externs.len();
                    self.require(exists, || format!("there is no object {}", id.0));
                }
                ArgumentValue::Text(_) | ArgumentValue::Member(..) | ArgumentValue::Absent => {}
            }
        }
        self.results(&call.result);
    }

    fn operand(&mut self, operand: &Operand) {
        for leaf in &operand.leaves {
            self.inner(&leaf.value);
            leaf.length.iter().for_each(|e| self.expr(e, 32));
            leaf.valid.iter().for_each(|e| self.expr(e, 1));
        }
    }

    fn results(&mut self, leaves: &[OutLeaf]) {
        for leaf in leaves {
            self.field_width(leaf.field);
            leaf.length.iter().for_each(|f| self.field_has_width(*f, 32));
        }
    }
}
