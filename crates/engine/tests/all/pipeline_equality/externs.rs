//! Functions and objects of v1model.

use super::executor::Executor;
use super::expressions::{Fields, eval};
use super::packet::Context;
use super::run::{Stop, on_wire};
use num_bigint::BigUint;
use ww_dataplane::DropReason;
use ww_dataplane::control::{Control, Digest, DigestField};
use ww_dataplane::random::{Draw, Drawer, between, site};
use ww_engine::bits::{BitWriter, Bits};
use ww_p4::ir::{InstanceId, Span};
use ww_p4::pipeline::{
    Argument, ArgumentValue, Expr, ExprKind, ExternCall, FieldId, Operand, OutLeaf, Pipeline, Scope,
};
use ww_packet::checksum::internet_checksum;
use ww_packet::hash::Hash;

impl Executor {
    /// A call.
    pub fn call(
        &mut self,
        pipeline: &Pipeline,
        call: &ExternCall,
        at: Span,
        fields: &mut Fields,
        context: &mut Context,
    ) -> Result<(), Stop> {
        let argument = |n: usize| call.arguments.get(n).map(|a| &a.value);
        let number = |n: usize, fields: &Fields| match argument(n) {
            Some(ArgumentValue::In(o) | ArgumentValue::InOut(o, _)) => whole(o, fields),
            Some(ArgumentValue::Member(_, n)) => Bits::new(32, u128::from(*n)),
            _ => Bits::zero(0),
        };
        let member = |n: usize| match argument(n) {
            Some(ArgumentValue::Member(name, _)) => name.to_string(),
            other => panic!("no member of an enum: {other:?}"),
        };
        if let Some(object) = call.object {
            let source = pipeline[object].source;
            let kind = &*pipeline[object].type_name;
            return self.method(pipeline, kind, source, call, fields, context);
        }
        match &*call.name {
            "assert" | "assume" if number(0, fields).is_zero() => {
                let reason =
                    if &*call.name == "assert" { DropReason::Assert } else { DropReason::Assume };
                return Err(Stop::Drop(reason));
            }
            "assert" | "assume" | "log_msg" => {}
            "hash" => {
                let bytes = wire(operand(&call.arguments[3]), fields);
                let hash = BigUint::from(self.hash(&member(1), &bytes, at, context));
                let (base, max) = (number(2, fields).to_biguint(), number(4, fields).to_biguint());
                let offset = if max == BigUint::ZERO { max } else { hash % max };
                put(pipeline, &call.arguments[0], &(base + offset), fields);
            }
            "random" => {
                let (low, high) = (number(1, fields), number(2, fields));
                let (width, high) = (low.width(), high.to_biguint());
                let draw = || self.draw(at, context);
                let value = between(low.to_biguint(), &high, width, draw);
                put(pipeline, &call.arguments[0], &value, fields);
            }
            "digest" => {
                let data = operand(&call.arguments[1]);
                let digest_fields = data
                    .leaves
                    .iter()
                    .map(|leaf| {
                        let length = leaf.length.as_ref().map(|l| eval(l, fields).low_u64() as u32);
                        let value = on_wire(&eval(&leaf.value, fields), length);
                        DigestField {
                            name: leaf.name.clone(),
                            width: value.width(),
                            value: value.to_biguint(),
                        }
                    })
                    .collect();
                self.digests.push(Digest {
                    receiver: number(0, fields).low_u64() as u32,
                    name: data.type_name.clone(),
                    fields: digest_fields,
                    at: context.now,
                });
            }
            "truncate" => {
                context.requests.truncate = Some(number(0, fields).low_u64() as u32);
            }
            "clone" | "clone3" | "clone_preserving_field_list" => {
                let session = number(1, fields).low_u64() as u32;
                let keep = self.keep(pipeline, call, 2, fields);
                context.requests.clone = Some((session, keep));
            }
            "resubmit" | "resubmit_preserving_field_list" => {
                context.requests.resubmit = Some(self.keep(pipeline, call, 0, fields));
            }
            "recirculate" | "recirculate_preserving_field_list" => {
                context.requests.recirculate = Some(self.keep(pipeline, call, 0, fields));
            }
            "verify_checksum"
            | "verify_checksum_with_payload"
            | "update_checksum"
            | "update_checksum_with_payload" => {
                let old = number(2, fields);
                if call.name.starts_with("update") {
                    put(pipeline, &call.arguments[2], &old.to_biguint(), fields);
                }
                if number(0, fields).is_zero() {
                    return Ok(());
                }
                let mut writer = BitWriter::new();
                append(operand(&call.arguments[1]), fields, &mut writer);
                if call.name.ends_with("with_payload") {
                    writer.write_from(&context.bytes, context.cursor);
                }
                let bytes = writer.into_bytes();
                let hash = self.hash(&member(3), &bytes, at, context);
                let sum = Bits::new(old.width(), u128::from(hash));
                if call.name.starts_with("update") {
                    put(pipeline, &call.arguments[2], &sum.to_biguint(), fields);
                } else if sum != old {
                    context.checksum_error = true;
                }
            }
            other => panic!("function {other}"),
        }
        Ok(())
    }

    fn method(
        &mut self,
        pipeline: &Pipeline,
        kind: &str,
        source: InstanceId,
        call: &ExternCall,
        fields: &mut Fields,
        context: &mut Context,
    ) -> Result<(), Stop> {
        let schema = self.inner.schema();
        let length = context.bytes.len() as u64;
        let index = |n: usize, fields: &Fields| {
            whole(operand(&call.arguments[n]), fields).to_u64_saturating()
        };
        match (kind, &*call.name) {
            ("counter", _) => {
                let n = schema.counters.iter().position(|c| c.instance == source.0);
                let cells = &mut self.counters[n.expect("a counter")];
                if let Some(cell) = cells.get_mut(index(0, fields)) {
                    cell.packets += 1;
                    cell.bytes += length;
                }
            }
            ("direct_counter", _) => {}
            ("meter", _) => {
                let n = schema.meters.iter().position(|m| m.instance == source.0).expect("a meter");
                let units = if schema.meters[n].bytes { length } else { 1 };
                let cell = self.meters[n].get_mut(index(0, fields));
                let colour = cell.map_or(0, |m| m.execute(context.now, units) as u8);
                put(pipeline, &call.arguments[1], &BigUint::from(colour), fields);
            }
            ("direct_meter", _) => {
                let n = schema.meters.iter().position(|m| m.instance == source.0);
                let n = n.expect("a meter") as u32;
                let colour = self.colours.get(&n).copied().unwrap_or(0);
                put(pipeline, &call.arguments[0], &BigUint::from(colour), fields);
            }
            ("register", "read") => {
                let n = schema.registers.iter().position(|r| r.instance == source.0);
                let value = self.registers[n.expect("a register")].get(index(1, fields)).cloned();
                put(pipeline, &call.arguments[0], &value.unwrap_or_default(), fields);
            }
            ("register", _) => {
                let n = schema.registers.iter().position(|r| r.instance == source.0);
                let value = whole(operand(&call.arguments[1]), fields).to_biguint();
                let cells = &mut self.registers[n.expect("a register")];
                if let Some(cell) = cells.get_mut(index(0, fields)) {
                    *cell = value;
                }
            }
            ("Checksum16", _) => {
                let sum = internet_checksum(&wire(operand(&call.arguments[0]), fields));
                write(pipeline, &call.result, &BigUint::from(sum), fields);
            }
            other => panic!("method {other:?}"),
        }
        Ok(())
    }

    /// The fields that a copy keeps: those of a list, or those that the data names.
    fn keep(
        &self,
        pipeline: &Pipeline,
        call: &ExternCall,
        n: usize,
        fields: &Fields,
    ) -> Vec<FieldId> {
        let Some(ArgumentValue::In(data)) = call.arguments.get(n).map(|a| &a.value) else {
            return Vec::new();
        };
        if call.name.ends_with("field_list") {
            let number = whole(data, fields).to_u64_saturating();
            let list = pipeline.field_lists.iter().find(|(n, _)| *n == number);
            return list.map(|(_, fields)| fields.clone()).unwrap_or_default();
        }
        let named = |e: &Expr| match e.kind {
            ExprKind::Field(id) => {
                let scope = pipeline[id].scope;
                matches!(scope, Scope::Metadata | Scope::Intrinsic).then_some(id)
            }
            _ => None,
        };
        data.leaves.iter().filter_map(|leaf| named(&leaf.value)).collect()
    }

    /// The hash of bytes by the algorithm of a name.
    pub fn hash(&mut self, name: &str, bytes: &[u8], at: Span, context: &mut Context) -> u64 {
        match name {
            "random" => self.draw(at, context),
            "crc16_custom" => self.crc16_custom.hash(bytes),
            "crc32_custom" => self.crc32_custom.hash(bytes),
            _ => Hash::by_name(name).map_or(0, |hash| hash.hash(bytes)),
        }
    }

    /// Random numbers are those of the reference engine: by packet and call site.
    fn draw(&mut self, at: Span, context: &mut Context) -> u64 {
        let here = site(at.begin(), context.behind_ingress);
        let count = match context.draws.iter_mut().find(|(site, _)| *site == here) {
            Some((_, count)) => {
                *count += 1;
                *count
            }
            None => {
                context.draws.push((here, 0));
                0
            }
        };
        let draw = Draw { seed: self.options.seed, site: here, count };
        draw.number(Drawer { packet: context.tag.packet, copy: context.tag.copy })
    }
}

fn operand(argument: &Argument) -> &Operand {
    match &argument.value {
        ArgumentValue::In(operand) | ArgumentValue::InOut(operand, _) => operand,
        other => panic!("no value: {other:?}"),
    }
}

/// All scalars in one row.
fn whole(operand: &Operand, fields: &Fields) -> Bits {
    operand.leaves.iter().fold(Bits::zero(0), |sum, leaf| sum.concat(&eval(&leaf.value, fields)))
}

/// As on the wire: invalid headers have no bits, `varbit`s as many as they are long.
fn append(operand: &Operand, fields: &Fields, writer: &mut BitWriter) {
    for leaf in &operand.leaves {
        if leaf.valid.as_ref().is_none_or(|v| !eval(v, fields).is_zero()) {
            let length = leaf.length.as_ref().map(|l| eval(l, fields).low_u64() as u32);
            writer.write(&on_wire(&eval(&leaf.value, fields), length));
        }
    }
}

fn wire(operand: &Operand, fields: &Fields) -> Vec<u8> {
    let mut writer = BitWriter::new();
    append(operand, fields, &mut writer);
    writer.into_bytes()
}

/// Stores a result.
fn put(pipeline: &Pipeline, argument: &Argument, value: &BigUint, fields: &mut Fields) {
    match &argument.value {
        ArgumentValue::Out(leaves) | ArgumentValue::InOut(_, leaves) => {
            write(pipeline, leaves, value, fields);
        }
        other => panic!("no result: {other:?}"),
    }
}

/// Spreads a value over the scalars of a result, the last one from the lowest bits.
fn write(pipeline: &Pipeline, leaves: &[OutLeaf], value: &BigUint, fields: &mut Fields) {
    let mut rest = value.clone();
    for leaf in leaves.iter().rev() {
        let width = pipeline[leaf.field].width;
        fields[leaf.field.index()] = Bits::from_biguint(width, &rest);
        rest >>= width;
    }
}
