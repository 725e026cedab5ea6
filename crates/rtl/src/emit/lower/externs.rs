//! Calls of the architecture's functions and methods.

use super::super::dataflow::ValueId;
use super::super::refusal::Reason;
use super::Lowering;
use super::environment::{Environment, Request, Slot};
use super::state::{Counter, Owner, size_of};
use ww_p4::architecture::Meaning;
use ww_p4::pipeline::{
    ArgumentValue, BinaryOp, ExprKind, ExternCall, ExternInstanceId, FieldId, Operand, OutLeaf,
    Scope,
};
use ww_p4::source::Span;

impl Lowering<'_> {
    /// Makes a call of the architecture.
    pub fn call(&mut self, env: &mut Environment, call: &ExternCall, active: ValueId, span: Span) {
        if let Some(module) = &call.module {
            return self.module_call(env, call, module, active, span);
        }
        match call.object {
            Some(object) => self.method(env, call, object, active),
            None => self.function(env, call, active, span),
        }
    }

    fn function(&mut self, env: &mut Environment, call: &ExternCall, active: ValueId, span: Span) {
        match &*call.name {
            "assert" | "assume" => {
                let Some(holds) = self.number(env, call, 0) else { return };
                let fails = self.not(holds);
                let lost = self.get(env, Slot::Lost);
                let lost = self.graph.or(lost, fails);
                env.set(Slot::Lost, lost);
            }
            "hash" => self.hash(env, call, span),
            "random" => self.random(env, call, span),
            "digest" => {
                let Some(data) = operand(call, 1).cloned() else { return };
                let Some(receiver) = self.number(env, call, 0) else { return };
                let enable = self.enabled(env, active);
                self.digest(env, receiver, &data, enable);
            }
            "truncate" => {
                let Some(length) = self.number(env, call, 0) else { return };
                let length = self.graph.resize(length, 32);
                self.request(env, Request::Truncate);
                env.set(Slot::Request(Request::TruncateLength), length);
            }
            "clone" | "clone3" | "clone_preserving_field_list" => {
                let Some(session) = self.number(env, call, 1) else { return };
                let session = self.graph.resize(session, 32);
                self.request(env, Request::Clone);
                env.set(Slot::Request(Request::CloneSession), session);
                self.keep(env, call, 2, Request::CloneKeep);
            }
            "resubmit" | "resubmit_preserving_field_list" => {
                self.request(env, Request::Resubmit);
                self.keep(env, call, 0, Request::ResubmitKeep);
            }
            "recirculate" | "recirculate_preserving_field_list" => {
                self.request(env, Request::Recirculate);
                self.keep(env, call, 0, Request::RecirculateKeep);
            }
            "verify_checksum" | "verify_checksum_with_payload" => {
                self.verify_checksum(env, call, span)
            }
            "update_checksum" | "update_checksum_with_payload" => {
                self.update_checksum(env, call, span)
            }
            // `log_msg` tells people who trace; `static_assert` held when the program was checked.
            _ => {}
        }
    }

    fn method(
        &mut self,
        env: &mut Environment,
        call: &ExternCall,
        object: ExternInstanceId,
        active: ValueId,
    ) {
        let instance = &self.pipeline[object];
        let enable = self.enabled(env, active);
        match (&*instance.type_name, &*call.name) {
            ("counter", _) => {
                let Some(index) = self.number(env, call, 0) else { return };
                self.count(Counter::indexed(object, instance), enable, index);
            }
            ("register", "read") => {
                let Some(index) = self.number(env, call, 1) else { return };
                if let Some(value) = self.read_register(object, index, enable) {
                    self.spread(env, outs(call, 0), value);
                }
            }
            ("register", _) => {
                let Some(index) = self.number(env, call, 0) else { return };
                if let Some(value) = self.whole(env, call, 1) {
                    self.write_register(object, index, value, enable);
                }
            }
            ("Checksum16", _) => {
                let Some(data) = operand(call, 0).cloned() else { return };
                if let Some(sum) = self.hash_of(env, "csum16", &data) {
                    self.spread(env, &call.result, sum);
                }
            }
            ("meter", _) => {
                let Some(index) = self.number(env, call, 0) else { return };
                let owner = Owner::Own(size_of(instance));
                let colour = self.execute_meter(object, owner, enable, index);
                self.spread(env, outs(call, 1), colour);
            }
            ("direct_meter", _) => {
                let colour = self.get(env, Slot::Colour(object));
                self.spread(env, outs(call, 0), colour);
            }
            // Direct counters count at the application of their table.
            _ => {}
        }
    }

    fn request(&mut self, env: &mut Environment, request: Request) {
        let one = self.graph.bit(true);
        env.set(Slot::Request(request), one);
    }

    /// Notes which fields a copy keeps.
    fn keep(&mut self, env: &mut Environment, call: &ExternCall, n: usize, slot: Request) {
        let fields = match operand(call, n) {
            Some(_) if call.name.ends_with("field_list") => {
                let index = self.number(env, call, n).and_then(|v| self.graph.as_number(v));
                let Some(index) = index else {
                    return self.refuse(Reason::FieldList, "", self.graph.at);
                };
                let lists = &self.pipeline.field_lists;
                lists.iter().find(|(number, _)| *number == index).map(|(_, fields)| fields.clone())
            }
            Some(data) => Some(self.named_metadata(data)),
            None => None,
        };
        let fields = fields.unwrap_or_default();
        let position = self.keeps.iter().position(|kept| *kept == fields).unwrap_or_else(|| {
            self.keeps.push(fields);
            self.keeps.len() - 1
        });
        let value = self.graph.constant(8, position);
        env.set(Slot::Request(slot), value);
    }

    fn named_metadata(&self, data: &Operand) -> Vec<FieldId> {
        let named = |kind: &ExprKind| match kind {
            ExprKind::Field(id) => {
                let scope = self.pipeline[*id].scope;
                matches!(scope, Scope::Metadata | Scope::Intrinsic).then_some(*id)
            }
            _ => None,
        };
        data.leaves.iter().filter_map(|leaf| named(&leaf.value.kind)).collect()
    }

    /// `base + H(data) mod max`, or `base` alone if `max` is zero.
    fn hash(&mut self, env: &mut Environment, call: &ExternCall, span: Span) {
        let Some(data) = operand(call, 3).cloned() else { return };
        let algorithm = member(call, 1);
        let hash = match &*algorithm {
            "random" => self.draw(env, span),
            _ => self.hash_of(env, &algorithm, &data),
        };
        let Some(hash) = hash else { return };
        let (Some(base), Some(max)) = (self.whole(env, call, 2), self.whole(env, call, 4)) else {
            return;
        };
        let out: u32 = outs(call, 0).iter().map(|leaf| self.pipeline[leaf.field].width).sum();
        if out == 0 {
            return;
        }
        let width = 65.max(self.graph.width(max)).max(self.graph.width(base) + 1).max(out);
        let offset = match self.graph.as_number(max) {
            Some(0) => self.graph.zero(width),
            Some(max) if max.is_power_of_two() => {
                let low = match max.trailing_zeros() {
                    0 => self.graph.zero(1),
                    bits => self.graph.slice(hash, 0, bits),
                };
                self.graph.resize(low, width)
            }
            _ => {
                let steps = 64.max(self.graph.width(max));
                let (hash, max) = (self.graph.resize(hash, steps), self.graph.resize(max, steps));
                let rest = self.divide(BinaryOp::Rem, hash, max);
                self.graph.resize(rest, width)
            }
        };
        let base = self.graph.resize(base, width);
        let sum = self.graph.binary(BinaryOp::Add, base, offset);
        self.spread(env, outs(call, 0), sum);
    }

    /// `random(result, lo, hi)`.
    fn random(&mut self, env: &mut Environment, call: &ExternCall, span: Span) {
        let (Some(low), Some(high)) = (self.whole(env, call, 1), self.whole(env, call, 2)) else {
            return;
        };
        if let Some(number) = self.random_between(env, span, low, high) {
            self.spread(env, outs(call, 0), number);
        }
    }

    fn verify_checksum(&mut self, env: &mut Environment, call: &ExternCall, span: Span) {
        let Some(data) = operand(call, 1).cloned() else { return };
        let Some(condition) = self.number(env, call, 0) else { return };
        let Some(sum) = self.checksum_by(env, call, &data, span) else { return };
        let Some(given) = self.whole(env, call, 2) else { return };
        let Some(field) = self.pipeline.meaning(Meaning::ChecksumError) else { return };
        if !self.verifying {
            return;
        }
        let sum = self.fitted(sum, self.graph.width(given));
        let equal = self.graph.equal(sum, given);
        let differs = self.not(equal);
        let wrong = self.graph.and(condition, differs);
        let before = self.field(env, field);
        let wrong = self.graph.resize(wrong, self.graph.width(before));
        let error = self.graph.binary(BinaryOp::Or, before, wrong);
        self.set(env, field, error);
    }

    fn update_checksum(&mut self, env: &mut Environment, call: &ExternCall, span: Span) {
        let Some(data) = operand(call, 1).cloned() else { return };
        let Some(condition) = self.number(env, call, 0) else { return };
        let Some(sum) = self.checksum_by(env, call, &data, span) else { return };
        let Some(old) = self.whole(env, call, 2) else { return };
        let sum = self.fitted(sum, self.graph.width(old));
        let new = self.graph.mux(condition, sum, old);
        self.spread(env, outs(call, 2), new);
    }

    /// What the checksum of a call should be, 64 bits.
    fn checksum_by(
        &mut self,
        env: &mut Environment,
        call: &ExternCall,
        data: &Operand,
        span: Span,
    ) -> Option<ValueId> {
        let algorithm = member(call, 3);
        if algorithm == "random" {
            // The packet draws only if the condition holds.
            let condition = self.number(env, call, 0)?;
            let place = Slot::Draws(ww_dataplane::random::site(span.begin(), self.behind_ingress));
            let before = self.get(env, place);
            let number = self.draw(env, span)?;
            let behind = self.get(env, place);
            let count = self.graph.mux(condition, behind, before);
            env.set(place, count);
            return Some(number);
        }
        if call.name.ends_with("with_payload") {
            self.hash_with_payload(env, &algorithm, data)
        } else {
            self.hash_of(env, &algorithm, data)
        }
    }

    /// A number with as many bits as wanted: low ones, or with zeros in front.
    fn fitted(&mut self, value: ValueId, width: u32) -> ValueId {
        self.graph.resize(value, width)
    }

    /// A scalar argument.
    pub fn number(&mut self, env: &Environment, call: &ExternCall, n: usize) -> Option<ValueId> {
        self.whole(env, call, n)
    }

    /// An argument: all its scalars, the first in the highest bits.
    pub(super) fn whole(
        &mut self,
        env: &Environment,
        call: &ExternCall,
        n: usize,
    ) -> Option<ValueId> {
        if let Some(ArgumentValue::Member(_, position)) = call.arguments.get(n).map(|a| &a.value) {
            return Some(self.graph.constant(32, *position));
        }
        let data = operand(call, n)?;
        let parts: Vec<ValueId> = data
            .leaves
            .iter()
            .filter(|leaf| leaf.value.width > 0)
            .map(|leaf| self.eval(env, &leaf.value))
            .collect();
        if parts.is_empty() {
            return Some(self.graph.zero(1));
        }
        Some(self.graph.join(parts))
    }

    /// Gives fields a value: the first has its highest bits.
    pub(super) fn spread(&mut self, env: &mut Environment, leaves: &[OutLeaf], value: ValueId) {
        let total: u32 = leaves.iter().map(|leaf| self.pipeline[leaf.field].width).sum();
        if total == 0 {
            return;
        }
        let value = self.graph.resize(value, total);
        let mut top = total;
        for leaf in leaves {
            let width = self.pipeline[leaf.field].width;
            top -= width;
            if width > 0 {
                let part = self.graph.slice(value, top, width);
                self.set(env, leaf.field, part);
            }
        }
    }
}

fn operand(call: &ExternCall, n: usize) -> Option<&Operand> {
    match &call.arguments.get(n)?.value {
        ArgumentValue::In(operand) | ArgumentValue::InOut(operand, _) => Some(operand),
        _ => None,
    }
}

pub(super) fn outs(call: &ExternCall, n: usize) -> &[OutLeaf] {
    match call.arguments.get(n).map(|argument| &argument.value) {
        Some(ArgumentValue::Out(leaves) | ArgumentValue::InOut(_, leaves)) => leaves,
        _ => &[],
    }
}

fn member(call: &ExternCall, n: usize) -> String {
    match call.arguments.get(n).map(|argument| &argument.value) {
        Some(ArgumentValue::Member(name, _)) => name.to_string(),
        _ => String::new(),
    }
}
