//! Which fields hold constants or the same value as another field, and how operations and
//! conditions change that.
//!
//! Values have numbers. A number stands for a constant, or for what a field held when the number
//! was made; fields with one number hold the same value. Writing to a field changes its number
//! alone, so that no list of copies has to be kept.

use super::algebra::rewrite;
use super::field_sets::Facts;
use super::liveness::for_each_header_field;
use super::switch_fields::names_fields;
use crate::pipeline::Pipeline;
use crate::pipeline::expression::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::pipeline::fields::{FieldId, FieldRole};
use crate::pipeline::operations::{ArgumentValue, ExternCall, Op, OpKind};
use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};
use std::collections::HashMap;

#[derive(Clone, Debug)]
enum Value {
    Unknown,
    Const(BigUint),
    /// What this field held.
    Of(FieldId),
}

/// All numbers of values.
pub(super) struct Values {
    values: Vec<Value>,
    constants: HashMap<BigUint, u32>,
}

/// Replaces, folds and drops.
pub(super) struct Propagation<'p> {
    pub pipeline: &'p Pipeline,
    values: Values,
    /// Expressions simplified, and operations that became simpler or went.
    pub changes: u64,
}

impl Values {
    fn new() -> Self {
        Self { values: vec![Value::Unknown], constants: HashMap::new() }
    }

    fn constant(&mut self, value: &BigUint) -> u32 {
        if let Some(number) = self.constants.get(value) {
            return *number;
        }
        let number = self.add(Value::Const(value.clone()));
        self.constants.insert(value.clone(), number);
        number
    }

    fn add(&mut self, value: Value) -> u32 {
        let number = self.values.len() as u32;
        self.values.push(value);
        number
    }
}

impl<'p> Propagation<'p> {
    pub fn new(pipeline: &'p Pipeline) -> Self {
        Self { pipeline, values: Values::new(), changes: 0 }
    }

    /// What the field is known to be.
    fn replacement(&self, field: FieldId, facts: &Facts) -> Option<Expr> {
        let number = facts.get(field);
        match &self.values.values[number as usize] {
            Value::Unknown => None,
            Value::Const(value) => Some(Expr::constant(self.pipeline[field].width, value.clone())),
            Value::Of(original) => (*original != field && facts.get(*original) == number)
                .then(|| Expr::field(*original, &self.pipeline.fields)),
        }
    }

    /// The bit that a field is known to hold.
    fn bit(&self, field: FieldId, facts: &Facts) -> Option<bool> {
        match &self.values.values[facts.get(field) as usize] {
            Value::Const(value) => Some(!value.is_zero()),
            _ => None,
        }
    }

    /// Simplifies an expression by what is known.
    pub fn expr(&mut self, e: &mut Expr, facts: &Facts) {
        let this = &*self;
        if rewrite(e, &mut |field| this.replacement(field, facts)) {
            self.changes += 1;
        }
    }

    /// Notes that a field holds a constant.
    pub fn set_constant(&mut self, field: FieldId, value: &BigUint, facts: &mut Facts) {
        let number = self.values.constant(value);
        facts.set(field, number);
    }

    /// The number of an expression's value; 0 for one that is new.
    fn number(&mut self, e: &Expr, facts: &mut Facts) -> u32 {
        match &e.kind {
            ExprKind::Const(value) => self.values.constant(value),
            ExprKind::Field(field) => match facts.get(*field) {
                0 => {
                    let number = self.values.add(Value::Of(*field));
                    facts.set(*field, number);
                    number
                }
                number => number,
            },
            _ => 0,
        }
    }

    /// Takes in that a condition holds, or does not.
    pub fn assume(&mut self, condition: &Expr, holds: bool, facts: &mut Facts) {
        if condition.width != 1 {
            return;
        }
        match &condition.kind {
            ExprKind::Field(field) => {
                self.set_constant(*field, &BigUint::from(u32::from(holds)), facts);
                if let (FieldRole::Validity(header), false) = (self.pipeline[*field].role, holds) {
                    // The fields of an invalid header are zero.
                    let pipeline = self.pipeline;
                    for_each_header_field(pipeline, header, &mut |f| {
                        self.set_constant(f, &BigUint::ZERO, facts);
                    });
                }
            }
            ExprKind::Unary(UnaryOp::Not, inner) => self.assume(inner, !holds, facts),
            ExprKind::Binary(op, a, b) => match (op, holds) {
                (BinaryOp::And, true) | (BinaryOp::Or, false) => {
                    self.assume(a, holds, facts);
                    self.assume(b, holds, facts);
                }
                (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => {
                    for (side, other) in [(a, b), (b, a)] {
                        if let (Some(field), Some(value)) = (side.as_field(), other.as_const()) {
                            self.set_constant(field, value, facts);
                        }
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }

    /// Takes in that an expression has a value.
    pub fn assume_value(&mut self, e: &Expr, value: &BigUint, facts: &mut Facts) {
        if e.width == 1 {
            self.assume(e, !value.is_zero(), facts);
        } else if let Some(field) = e.as_field() {
            self.set_constant(field, value, facts);
        }
    }

    /// Forgets what an operation can write.
    pub fn forget(&self, op: &OpKind, facts: &mut Facts) {
        op.for_each_write(&self.pipeline.headers, &mut |f| facts.set(f, 0));
    }

    /// Simplifies an operation and takes in what it does; whether it stays.
    pub fn op(&mut self, op: &mut Op, facts: &mut Facts) -> bool {
        let before = self.changes;
        let stays = self.op_kind(&mut op.kind, facts);
        // One operation counts once.
        self.changes = self.changes.min(before + 1) + u64::from(!stays && self.changes == before);
        stays
    }

    fn op_kind(&mut self, op: &mut OpKind, facts: &mut Facts) -> bool {
        let pipeline = self.pipeline;
        match op {
            OpKind::Assign { to, value, guard } => {
                self.expr(value, facts);
                match guard.and_then(|g| self.bit(g, facts)) {
                    Some(false) => return false,
                    Some(true) => {
                        *guard = None;
                        self.changes += 1;
                    }
                    None => {}
                }
                let number = self.number(value, facts);
                if number != 0 && facts.get(*to) == number || value.as_field() == Some(*to) {
                    return false;
                }
                facts.set(*to, if guard.is_none() { number } else { 0 });
            }
            OpKind::AssignElement { index, to, guards, value } => {
                self.expr(index, facts);
                self.expr(value, facts);
                if let Some(n) = index.as_const() {
                    let Some(n) = n.to_usize().filter(|n| *n < to.len()) else { return false };
                    let value = std::mem::replace(value, Expr::zero(0));
                    *op = OpKind::Assign { to: to[n], value, guard: guards.get(n).copied() };
                    self.changes += 1;
                    return self.op_kind(op, facts);
                }
                self.forget(op, facts);
            }
            OpKind::Invalidate { header } => {
                let zero = self.values.constant(&BigUint::ZERO);
                let mut changes = false;
                for_each_header_field(pipeline, *header, &mut |f| {
                    changes |= facts.get(f) != zero;
                    facts.set(f, zero);
                });
                return changes;
            }
            OpKind::InvalidateElement { index, headers } => {
                self.expr(index, facts);
                if let Some(n) = index.as_const() {
                    let n = n.to_usize().filter(|n| *n < headers.len());
                    let Some(header) = n.map(|n| headers[n]) else { return false };
                    *op = OpKind::Invalidate { header };
                    self.changes += 1;
                    return self.op_kind(op, facts);
                }
                self.forget(op, facts);
            }
            OpKind::Extern(call) => {
                self.call(call, facts);
                self.forget(op, facts);
            }
            OpKind::Extract(extract) => {
                if let Some(index) = &mut extract.index {
                    self.expr(index, facts);
                    let n = index.as_const().map(|n| n.to_usize());
                    if let Some(Some(n)) = n
                        && n < extract.headers.len()
                    {
                        extract.headers = vec![extract.headers[n]];
                        extract.index = None;
                        self.changes += 1;
                    }
                }
                if let Some(length) = &mut extract.varbit {
                    self.expr(length, facts);
                }
                let single = match (&extract.index, extract.headers.as_slice()) {
                    (None, [header]) => Some(pipeline[*header].valid),
                    _ => None,
                };
                self.forget(op, facts);
                if let Some(valid) = single {
                    self.set_constant(valid, &BigUint::from(1u32), facts);
                }
            }
            OpKind::Advance { bits, .. } => {
                self.expr(bits, facts);
                return bits.as_const().is_none_or(|bits| !bits.is_zero());
            }
            OpKind::Verify { condition, error } => {
                self.expr(condition, facts);
                self.expr(error, facts);
                if condition.as_bool() == Some(true) {
                    return false;
                }
                let condition = condition.clone();
                self.assume(&condition, true, facts);
            }
            OpKind::Emit { header } => {
                return self.bit(pipeline[*header].valid, facts) != Some(false);
            }
            OpKind::Lookahead { .. } | OpKind::PacketLength { .. } => self.forget(op, facts),
        }
        true
    }

    fn call(&mut self, call: &mut ExternCall, facts: &Facts) {
        if names_fields(self.pipeline, call) {
            return;
        }
        for argument in &mut call.arguments {
            if let ArgumentValue::In(operand) | ArgumentValue::InOut(operand, _) =
                &mut argument.value
            {
                for leaf in &mut operand.leaves {
                    self.expr(&mut leaf.value, facts);
                    for e in leaf.length.iter_mut().chain(&mut leaf.valid) {
                        self.expr(e, facts);
                    }
                }
            }
        }
    }
}
