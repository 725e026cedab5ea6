//! Calls of the architecture's functions and methods.

use super::emitter::{Emitter, Memory, Words};
use super::plan::{Data, Leaf, Site};
use crate::jit::abi::{Context, CounterCell};
use crate::jit::layout::words;
use crate::jit::packet::{KEEP_OWN, PacketHead, request};
use crate::jit::runtime::externs::{
    checksum, digest, execute_meter, hash, hash_range, meter_colour, random, read_register,
    write_register,
};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};
use std::mem::offset_of;
use ww_dataplane::DropReason;
use ww_dataplane::control::CounterIndex;
use ww_p4::architecture::Meaning;
use ww_p4::pipeline::{
    ArgumentValue, Expr, ExprKind, ExternCall, FieldId, Operand, OutLeaf, Scope,
};
use ww_p4::source::Span;

impl Emitter<'_, '_> {
    /// Makes a call of the architecture.
    pub fn extern_call(&mut self, call: &ExternCall, span: Span) {
        match call.object {
            Some(object) => {
                let kind = self.pipeline[object].type_name.clone();
                self.method(call, object, &kind, span);
            }
            None => self.function(call, span),
        }
    }

    fn function(&mut self, call: &ExternCall, span: Span) {
        match &*call.name {
            "assert" => self.assertion(call, DropReason::Assert),
            "assume" => self.assertion(call, DropReason::Assume),
            "hash" => self.hash(call, span),
            "random" => self.random(call, span),
            "digest" => self.digest(call, span),
            "truncate" => {
                let length = self.number_argument(call, 0);
                self.set_head(offset_of!(PacketHead, truncate), 4, length);
                self.request(request::TRUNCATE);
            }
            "clone" | "clone3" | "clone_preserving_field_list" => {
                self.plan.clones = true;
                let session = self.number_argument(call, 1);
                self.set_head(offset_of!(PacketHead, clone_session), 4, session);
                self.keep(call, 2, offset_of!(PacketHead, clone_keep));
                self.request(request::CLONE);
            }
            "resubmit" | "resubmit_preserving_field_list" => {
                self.keep(call, 0, offset_of!(PacketHead, resubmit_keep));
                self.request(request::RESUBMIT);
            }
            "recirculate" | "recirculate_preserving_field_list" => {
                self.keep(call, 0, offset_of!(PacketHead, recirculate_keep));
                self.request(request::RECIRCULATE);
            }
            "verify_checksum" | "verify_checksum_with_payload" => self.checksum(call, span, false),
            "update_checksum" | "update_checksum_with_payload" => self.checksum(call, span, true),
            // `log_msg` tells people who trace; `static_assert` held when the program was checked.
            _ => {}
        }
    }

    fn method(
        &mut self,
        call: &ExternCall,
        object: ww_p4::pipeline::ExternInstanceId,
        kind: &str,
        span: Span,
    ) {
        match (kind, &*call.name) {
            ("counter", _) => {
                let Some(counter) = self.plan.counter(object) else { return };
                let index = self.number_argument(call, 0);
                self.count(counter, index);
            }
            ("meter", _) => {
                let Some(meter) = self.plan.meter(object) else { return };
                self.plan.ordered = true;
                let index = self.number_argument(call, 0);
                let meter = self.word(u64::from(meter.0));
                let arguments = [self.context, self.memory, meter, index];
                let colour = self.call(execute_meter as *const u8, &arguments);
                self.put(call, 1, &[colour], 64);
            }
            ("direct_meter", _) => {
                let Some(meter) = self.plan.meter(object) else { return };
                self.plan.ordered = true;
                let meter = self.word(u64::from(meter.0));
                let colour = self.call(meter_colour as *const u8, &[self.context, meter]);
                self.put(call, 0, &[colour], 64);
            }
            ("register", "read") => {
                let Some(register) = self.plan.register(object) else { return };
                self.plan.ordered = true;
                let width = self.outs(call, 0).iter().map(|l| self.pipeline[l.field].width).sum();
                let index = self.number_argument(call, 1);
                let count = words(u64::from(width));
                self.plan.need_scratch(count);
                let (row, count_word) = (self.scratch(0), self.word(count as u64));
                let register = self.word(u64::from(register.0));
                let arguments = [self.context, register, index, row, count_word];
                self.run(read_register as *const u8, &arguments);
                let value = self.get_scratch(0, count);
                self.put(call, 0, &value, width);
            }
            ("register", _) => {
                let Some(register) = self.plan.register(object) else { return };
                self.plan.ordered = true;
                let index = self.number_argument(call, 0);
                let (value, _) = self.whole_argument(call, 1);
                self.plan.need_scratch(value.len());
                self.set_scratch(0, &value);
                let (row, count) = (self.scratch(0), self.word(value.len() as u64));
                let register = self.word(u64::from(register.0));
                let arguments = [self.context, register, index, row, count];
                self.run(write_register as *const u8, &arguments);
            }
            ("Checksum16", _) => {
                let Some(data) = operand(call, 0) else { return };
                let site = self.site(span, "csum16", data, false, Vec::new());
                let sum = self.call_with_data(hash as *const u8, site, data, &[]);
                self.spread(&call.result, &[sum], 64);
            }
            // Direct counters count at the application of their table.
            _ => {}
        }
    }

    fn count(&mut self, counter: CounterIndex, index: Value) {
        let size = self.plan.counter_size(counter);
        let size = self.word(size);
        let inside = self.b.ins().icmp(IntCC::UnsignedLessThan, index, size);
        self.when(inside, |e| {
            let arrays = e.load(Memory::Tables, e.context, offset_of!(Context, counters));
            let array = e.load(Memory::Tables, arrays, counter.index() * 8);
            let offset = e.b.ins().imul_imm_u(index, size_of::<CounterCell>() as i64);
            let cell = e.b.ins().iadd(array, offset);
            e.count_packet(cell);
        });
    }

    fn assertion(&mut self, call: &ExternCall, reason: DropReason) {
        let holds = self.number_argument(call, 0);
        let go = self.b.create_block();
        let lost = self.lost(reason);
        self.b.ins().brif(holds, go, &[], lost, &[]);
        self.b.switch_to_block(go);
    }

    fn request(&mut self, which: u32) {
        let offset = offset_of!(PacketHead, requests);
        let old = self.load_sized(Memory::Packet, self.memory, offset, 4);
        let new = self.b.ins().bor_imm_u(old, i64::from(which));
        self.set_head(offset, 4, new);
    }

    /// Notes which fields a copy keeps.
    fn keep(&mut self, call: &ExternCall, n: usize, offset: usize) {
        let value = match operand(call, n) {
            Some(_) if call.name.ends_with("field_list") => self.number_argument(call, n),
            data => {
                let fields = data.map(|data| self.named_metadata(data)).unwrap_or_default();
                self.plan.keeps.push(fields);
                self.word(KEEP_OWN | (self.plan.keeps.len() as u64 - 1))
            }
        };
        self.set_head(offset, 8, value);
    }

    fn named_metadata(&self, data: &Operand) -> Vec<FieldId> {
        let named = |e: &Expr| match e.kind {
            ExprKind::Field(id) => {
                let scope = self.pipeline[id].scope;
                matches!(scope, Scope::Metadata | Scope::Intrinsic).then_some(id)
            }
            _ => None,
        };
        data.leaves.iter().filter_map(|leaf| named(&leaf.value)).collect()
    }

    fn hash(&mut self, call: &ExternCall, span: Span) {
        let Some(data) = operand(call, 3) else { return };
        let (base, base_width) = self.whole_argument(call, 2);
        let (max, max_width) = self.whole_argument(call, 4);
        let algorithm = member(call, 1);
        self.plan.draws |= algorithm == "random";
        let out: u32 = self.outs(call, 0).iter().map(|l| self.pipeline[l.field].width).sum();
        let count = words(u64::from(out));
        let site = self.site(span, &algorithm, data, false, vec![out]);
        if base.len() == 1 && max.len() == 1 {
            let value = self.call_with_data(hash as *const u8, site, data, &[]);
            let one = self.word(1);
            let safe = self.b.ins().select(max[0], max[0], one);
            let rest = self.b.ins().urem(value, safe);
            let zero = self.word(0);
            let rest = self.b.ins().select(max[0], rest, zero);
            let sum = self.b.ins().iadd(base[0], rest);
            let over = self.compare(IntCC::UnsignedLessThan, sum, base[0]);
            return self.put(call, 0, &[sum, over], 128);
        }
        let mut numbers = base;
        numbers.extend(max);
        if let Some(site) = self.plan.sites.get_mut(site as usize) {
            site.widths = vec![out, base_width, max_width];
        }
        self.plan.need_scratch(count);
        self.call_with_data(hash_range as *const u8, site, data, &numbers);
        let value = self.get_scratch(0, count);
        self.put(call, 0, &value, out);
    }

    fn random(&mut self, call: &ExternCall, span: Span) {
        self.plan.draws = true;
        let (low, low_width) = self.whole_argument(call, 1);
        let (high, high_width) = self.whole_argument(call, 2);
        let out: u32 = self.outs(call, 0).iter().map(|l| self.pipeline[l.field].width).sum();
        let widths = vec![out, low_width, high_width];
        let site = self.plan.site(Site {
            span,
            behind_ingress: self.behind_ingress,
            algorithm: String::new(),
            data: Data::default(),
            with_payload: false,
            widths,
        });
        let count = words(u64::from(out));
        self.plan.need_scratch(count.max(low.len() + high.len()));
        self.set_scratch(0, &low);
        self.set_scratch(low.len(), &high);
        let (row, site) = (self.scratch(0), self.word(site));
        self.run(random as *const u8, &[self.context, self.memory, site, row]);
        let value = self.get_scratch(0, count);
        self.put(call, 0, &value, out);
    }

    fn digest(&mut self, call: &ExternCall, span: Span) {
        let Some(data) = operand(call, 1) else { return };
        let receiver = self.number_argument(call, 0);
        let site = self.site(span, "", data, false, Vec::new());
        self.call_with_data(digest as *const u8, site, data, &[receiver]);
    }

    fn checksum(&mut self, call: &ExternCall, span: Span, updates: bool) {
        let Some(data) = operand(call, 1) else { return };
        let (old, width) = self.whole_argument(call, 2);
        if updates {
            self.put(call, 2, &old, width);
        }
        let condition = self.number_argument(call, 0);
        self.when(condition, |e| e.checksum_of(call, span, data, (&old, width), updates));
    }

    fn checksum_of(
        &mut self,
        call: &ExternCall,
        span: Span,
        data: &Operand,
        (old, width): (&[Value], u32),
        updates: bool,
    ) {
        let algorithm = member(call, 3);
        self.plan.draws |= algorithm == "random";
        let with_payload = call.name.ends_with("with_payload");
        let sum = match self.inline_sum(data, &algorithm, with_payload) {
            Some(sum) => sum,
            None => {
                let site = self.site(span, &algorithm, data, with_payload, Vec::new());
                self.call_with_data(checksum as *const u8, site, data, &[])
            }
        };
        let sum = self.mask(sum, width);
        if updates {
            self.put(call, 2, &[sum], 64);
        } else if self.verifying
            && let Some(field) = self.pipeline.meaning(Meaning::ChecksumError)
        {
            let zero = self.word(0);
            let mut new = old.to_vec();
            new[0] = self.b.ins().bxor(old[0], sum);
            let differs = self.any(&new);
            let wrong = self.compare(IntCC::NotEqual, differs, zero);
            let before = self.number(field);
            let error = self.b.ins().bor(before, wrong);
            self.set_field(field, &[error]);
        }
    }

    /// The ones' complement sum of whole 16-bit words of fixed data, made without a call.
    fn inline_sum(&mut self, data: &Operand, algorithm: &str, with_payload: bool) -> Option<Value> {
        let plain = data.leaves.iter().all(|l| l.length.is_none() && l.valid.is_none());
        let bits: u64 = data.leaves.iter().map(|l| u64::from(l.value.width)).sum();
        let fits = bits.is_multiple_of(16) && (16..=1024).contains(&bits);
        if algorithm != "csum16" || with_payload || !plain || !fits {
            return None;
        }
        // 2^16 is 1 in ones' complement arithmetic: a scalar counts as it stands, moved so that
        // it ends where a 16-bit word ends. Wide ones are taken in halves of words.
        let mut sum = self.word(0);
        let mut end = 0;
        for leaf in &data.leaves {
            let width = leaf.value.width;
            end += width;
            let value = self.eval(&leaf.value);
            let distance = (16 - end % 16) % 16;
            let step = if width + distance <= 48 { width } else { 32 };
            let mut low = 0;
            while low < width {
                let take = step.min(width - low);
                let part = self.slice(&value, width, low, take)[0];
                let moved = self.b.ins().ishl_imm_u(part, i64::from(distance));
                sum = self.b.ins().iadd(sum, moved);
                low += take;
            }
        }
        // At most 64 parts of less than 2^48: the carries are folded into 16 bits.
        for shift in [32, 16, 16, 16] {
            let mask = (1i64 << shift) - 1;
            let low = self.b.ins().band_imm_u(sum, mask);
            let high = self.b.ins().ushr_imm_u(sum, shift);
            sum = self.b.ins().iadd(low, high);
        }
        Some(self.b.ins().bxor_imm_u(sum, 0xffff))
    }

    /// Calls a function of the runtime with (context, packet, site, scratch): numbers first, then
    /// the words of the data.
    fn call_with_data(
        &mut self,
        function: *const u8,
        site: u64,
        data: &Operand,
        numbers: &[Value],
    ) -> Value {
        let mut row = numbers.to_vec();
        for leaf in &data.leaves {
            row.extend(self.eval(&leaf.value));
            for further in leaf.length.iter().chain(&leaf.valid) {
                let value = self.eval(further)[0];
                row.push(value);
            }
        }
        self.plan.need_scratch(row.len());
        self.set_scratch(0, &row);
        let (site, scratch) = (self.word(site), self.scratch(0));
        self.call(function, &[self.context, self.memory, site, scratch])
    }

    fn site(
        &mut self,
        span: Span,
        algorithm: &str,
        data: &Operand,
        with_payload: bool,
        widths: Vec<u32>,
    ) -> u64 {
        let leaf = |leaf: &ww_p4::pipeline::InLeaf| Leaf {
            name: leaf.name.clone(),
            width: leaf.value.width,
            has_length: leaf.length.is_some(),
            has_validity: leaf.valid.is_some(),
        };
        let data = Data {
            type_name: data.type_name.clone(),
            leaves: data.leaves.iter().map(leaf).collect(),
        };
        let algorithm = algorithm.to_owned();
        let behind_ingress = self.behind_ingress;
        self.plan.site(Site { span, behind_ingress, algorithm, data, with_payload, widths })
    }

    /// All scalars of an argument in one row, and its bits.
    fn whole_argument(&mut self, call: &ExternCall, n: usize) -> (Words, u32) {
        match call.arguments.get(n).map(|a| &a.value) {
            Some(ArgumentValue::In(data) | ArgumentValue::InOut(data, _)) => {
                let mut row = (vec![self.word(0)], 0);
                for leaf in &data.leaves {
                    let value = self.eval(&leaf.value);
                    let width = leaf.value.width;
                    let joined = self.concat((&row.0, row.1), (&value, width));
                    row = (joined, row.1 + width);
                }
                row
            }
            Some(ArgumentValue::Member(_, number)) => (vec![self.word(u64::from(*number))], 32),
            _ => (vec![self.word(0)], 0),
        }
    }

    /// An argument as one word; the largest one if it does not fit.
    fn number_argument(&mut self, call: &ExternCall, n: usize) -> Value {
        let (value, _) = self.whole_argument(call, n);
        match value.get(1..) {
            Some(high) if !high.is_empty() => {
                let any = self.any(high);
                let most = self.word(u64::MAX);
                self.b.ins().select(any, most, value[0])
            }
            _ => value[0],
        }
    }

    fn outs<'c>(&self, call: &'c ExternCall, n: usize) -> &'c [OutLeaf] {
        match call.arguments.get(n).map(|a| &a.value) {
            Some(ArgumentValue::Out(leaves) | ArgumentValue::InOut(_, leaves)) => leaves,
            _ => &[],
        }
    }

    /// Stores a result.
    fn put(&mut self, call: &ExternCall, n: usize, value: &[Value], width: u32) {
        let leaves = self.outs(call, n);
        self.spread(leaves, value, width);
    }

    /// Spreads a value over scalars, the last one from the lowest bits.
    fn spread(&mut self, leaves: &[OutLeaf], value: &[Value], width: u32) {
        let mut low = 0;
        for leaf in leaves.iter().rev() {
            let bits = self.pipeline[leaf.field].width;
            let of = width.max(low + bits);
            let wide = self.extend(value, width, of, false);
            let part = self.slice(&wide, of, low, bits);
            self.set_field(leaf.field, &part);
            low += bits;
        }
    }
}

fn operand(call: &ExternCall, n: usize) -> Option<&Operand> {
    match call.arguments.get(n).map(|a| &a.value) {
        Some(ArgumentValue::In(operand) | ArgumentValue::InOut(operand, _)) => Some(operand),
        _ => None,
    }
}

fn member(call: &ExternCall, n: usize) -> String {
    match call.arguments.get(n).map(|a| &a.value) {
        Some(ArgumentValue::Member(name, _)) => name.to_string(),
        _ => String::new(),
    }
}
