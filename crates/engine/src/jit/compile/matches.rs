//! What selects compare with.

use super::emitter::{Emitter, Words};
use crate::jit::layout::words;
use crate::jit::runtime::tables::in_value_set;
use cranelift_codegen::ir::{InstBuilder, Value};
use ww_p4::pipeline::{BinaryOp, Match, ValueSetId};

impl Emitter<'_, '_> {
    /// Whether a value fits; `None` if every value does.
    pub fn fits(&mut self, one: &Match, value: &[Value], width: u32) -> Option<Value> {
        match one {
            Match::Any => None,
            Match::Value(wanted) => {
                let wanted = self.constant(width, wanted);
                Some(self.binary(BinaryOp::Eq, value, &wanted, width)[0])
            }
            Match::Mask { value: wanted, mask } => {
                let (wanted, mask) = (self.constant(width, wanted), self.constant(width, mask));
                let masked = self.binary(BinaryOp::And, value, &mask, width);
                Some(self.binary(BinaryOp::Eq, &masked, &wanted, width)[0])
            }
            Match::Range { low, high, signed } => {
                let (low, high) = (self.constant(width, low), self.constant(width, high));
                let op = if *signed { BinaryOp::LeSigned } else { BinaryOp::Le };
                let above = self.binary(op, &low, value, width)[0];
                let below = self.binary(op, value, &high, width)[0];
                Some(self.b.ins().band(above, below))
            }
            Match::ValueSet(set) => Some(self.in_value_set(*set, &[(value.to_vec(), width)])),
        }
    }

    /// Whether values are together a member of a value set.
    pub fn in_value_set(&mut self, set: ValueSetId, values: &[(Words, u32)]) -> Value {
        let count = values.iter().map(|(_, width)| words(u64::from(*width))).sum();
        self.plan.need_scratch(count);
        let mut at = 0;
        for (value, _) in values {
            self.set_scratch(at, value);
            at += value.len();
        }
        let (row, set) = (self.scratch(0), self.word(u64::from(set.0)));
        let count = self.word(count as u64);
        self.call(in_value_set as *const u8, &[self.context, set, row, count])
    }
}
