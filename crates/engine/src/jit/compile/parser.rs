//! Parse graphs.

use super::emitter::Emitter;
use crate::jit::layout::words;
use crate::jit::packet::PacketHead;
use crate::jit::runtime::frame::{extract_varbit, read_bits_at};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use std::mem::offset_of;
use ww_p4::pipeline::{
    Expr, Extract, FieldId, HeaderId, LayoutItem, Match, Op, OpKind, ParseGraph, Row, RowKind,
    State, Target, Transition,
};

/// Where the next bit of the packet is while a state is made.
#[derive(Clone, Copy)]
struct Cursor {
    /// Bits in front of the state, as a value.
    start: Value,
    /// Address of the byte there; meaningful if all is aligned.
    base: Value,
    /// Bits that the state has taken, if that is always the same.
    taken: Option<u64>,
}

/// What all states of a graph share.
struct Graph<'g> {
    graph: &'g ParseGraph,
    blocks: Vec<Block>,
    accept: Block,
    reject: Block,
    /// Whether every header begins at a byte.
    aligned: bool,
}

impl Emitter<'_, '_> {
    /// Makes a parser; goes on in a new block behind it.
    pub fn parser(&mut self, graph: &ParseGraph) {
        let length = self.head(offset_of!(PacketHead, length));
        let bits = self.b.ins().ishl_imm_u(length, 3);
        let limit = self.b.ins().iadd_imm_s(bits, 4096);
        self.set_head(offset_of!(PacketHead, states), 8, limit);
        let shared = Graph {
            graph,
            blocks: graph.states.iter().map(|_| self.b.create_block()).collect(),
            accept: self.b.create_block(),
            reject: self.b.create_block(),
            aligned: is_aligned(graph),
        };
        self.jump(shared.blocks[0]);
        for (n, state) in graph.states.iter().enumerate() {
            self.b.switch_to_block(shared.blocks[n]);
            self.state(&shared, state);
        }
        self.b.switch_to_block(shared.reject);
        self.b.set_cold_block(shared.reject);
        let one = self.word(1);
        self.set_head(offset_of!(PacketHead, rejected), 4, one);
        let failed = self.load_sized(
            super::emitter::Memory::Packet,
            self.memory,
            offset_of!(PacketHead, failed),
            4,
        );
        if let Some(field) = self.pipeline.intrinsic_field("parser_error") {
            let error = self.field(self.pipeline.parser_error);
            self.set_field_if(failed, field, &error);
        }
        self.jump(shared.accept);
        self.b.switch_to_block(shared.accept);
    }

    fn target(&self, graph: &Graph<'_>, target: Target) -> Block {
        match target {
            Target::State(id) => graph.blocks[id.index()],
            Target::Accept => graph.accept,
            Target::Reject => graph.reject,
        }
    }

    /// Has the parser fail with an error of the core library, which ends the block.
    fn fail_with(&mut self, graph: &Graph<'_>, state: &State, error: &str) {
        let code = self.pipeline.errors.iter().position(|e| &**e == error).unwrap_or(0);
        let code = self.word(code as u64);
        self.fail(graph, state, code);
    }

    fn fail(&mut self, graph: &Graph<'_>, state: &State, code: Value) {
        let one = self.word(1);
        self.set_head(offset_of!(PacketHead, failed), 4, one);
        self.set_field(self.pipeline.parser_error, &[code]);
        let target = self.target(graph, state.on_error);
        self.jump(target);
    }

    fn state(&mut self, graph: &Graph<'_>, state: &State) {
        let loops =
            graph.graph.loops.iter().any(|l| {
                l.states.iter().any(|s| std::ptr::eq(&graph.graph.states[s.index()], state))
            });
        // Without loops a packet cannot enter more states than the limit allows.
        if state.is_entry && (loops || graph.graph.states.len() > 4096) {
            let left = self.head(offset_of!(PacketHead, states));
            let less = self.b.ins().iadd_imm_s(left, -1);
            self.set_head(offset_of!(PacketHead, states), 8, less);
            let (go, timeout) = (self.b.create_block(), self.b.create_block());
            self.b.ins().brif(left, go, &[], timeout, &[]);
            self.b.switch_to_block(timeout);
            self.b.set_cold_block(timeout);
            self.fail_with(graph, state, "ParserTimeout");
            self.b.switch_to_block(go);
        }
        let start = self.head(offset_of!(PacketHead, cursor));
        let bytes = self.head(offset_of!(PacketHead, bytes));
        let front = self.b.ins().ushr_imm_u(start, 3);
        let base = self.b.ins().iadd(bytes, front);
        let mut cursor = Cursor { start, base, taken: Some(0) };

        match bits_at_once(state) {
            // One check for all; packets that are too short take the careful way, which knows
            // how far they get.
            Some(bits) => {
                let enough = self.has_bits(&cursor, bits);
                let (_, careful) = self.branch(enough);
                let after = cursor;
                self.ops(graph, state, &mut cursor, false);
                self.transition(graph, state);
                self.b.switch_to_block(careful);
                self.b.set_cold_block(careful);
                cursor = after;
                self.ops(graph, state, &mut cursor, true);
                self.transition(graph, state);
            }
            None => {
                self.ops(graph, state, &mut cursor, true);
                self.transition(graph, state);
            }
        }
    }

    fn ops(&mut self, graph: &Graph<'_>, state: &State, cursor: &mut Cursor, checked: bool) {
        let mut moved = false;
        for op in &state.ops {
            match &op.kind {
                OpKind::Extract(extract) => {
                    self.extract(graph, state, extract, cursor, checked);
                    moved = true;
                }
                OpKind::Lookahead { to, bits, .. } => {
                    if checked {
                        self.require(graph, state, cursor, u64::from(*bits));
                    }
                    for (field, offset) in to {
                        let width = self.pipeline[*field].width;
                        let value = self.read_at(graph, cursor, u64::from(*offset), width);
                        self.set_field(*field, &value);
                    }
                }
                OpKind::Advance { bits, .. } => {
                    self.advance(graph, state, bits, cursor);
                    moved = true;
                }
                OpKind::Verify { condition, error } => {
                    let holds = self.eval(condition)[0];
                    let (go, fails) = (self.b.create_block(), self.b.create_block());
                    self.b.ins().brif(holds, go, &[], fails, &[]);
                    self.b.switch_to_block(fails);
                    self.settle(cursor);
                    let code = self.eval(error)[0];
                    self.fail(graph, state, code);
                    self.b.switch_to_block(go);
                }
                OpKind::Extern(_) => {
                    // Some read the payload, which begins at the position.
                    self.settle(cursor);
                    self.operation(op);
                }
                _ => self.operation(op),
            }
        }
        if moved {
            self.settle(cursor);
        }
    }

    /// Writes the position into the packet's head.
    fn settle(&mut self, cursor: &Cursor) {
        if let Some(taken) = cursor.taken.filter(|t| *t > 0) {
            let at = self.b.ins().iadd_imm_s(cursor.start, taken as i64);
            self.set_head(offset_of!(PacketHead, cursor), 8, at);
        }
    }

    /// Whether the packet has so many bits more, behind what the state has taken.
    fn has_bits(&mut self, cursor: &Cursor, bits: u64) -> Value {
        let length = self.head(offset_of!(PacketHead, length));
        let all = self.b.ins().ishl_imm_u(length, 3);
        let needed = cursor.taken.unwrap_or(0) + bits;
        let end = self.b.ins().iadd_imm_s(cursor.start, needed as i64);
        self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, end, all)
    }

    fn require(&mut self, graph: &Graph<'_>, state: &State, cursor: &Cursor, bits: u64) {
        let enough = self.has_bits(cursor, bits);
        self.go_or_fail(graph, state, cursor, enough, "PacketTooShort");
    }

    /// Goes on if the condition holds, else fails with the position that was reached.
    fn go_or_fail(
        &mut self,
        graph: &Graph<'_>,
        state: &State,
        cursor: &Cursor,
        condition: Value,
        error: &str,
    ) {
        let (go, short) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(condition, go, &[], short, &[]);
        self.b.switch_to_block(short);
        self.b.set_cold_block(short);
        self.settle(cursor);
        self.fail_with(graph, state, error);
        self.b.switch_to_block(go);
    }

    /// Bits that begin `offset` bits behind the position.
    fn read_at(
        &mut self,
        graph: &Graph<'_>,
        cursor: &Cursor,
        offset: u64,
        width: u32,
    ) -> super::emitter::Words {
        let offset = cursor.taken.unwrap_or(0) + offset;
        if graph.aligned {
            return self.read_bits(cursor.base, offset, width);
        }
        let bytes = self.head(offset_of!(PacketHead, bytes));
        let at = self.b.ins().iadd_imm_s(cursor.start, offset as i64);
        let end = u64::from(width);
        (0..words(end) as u64)
            .map(|n| {
                let high = end - n * 64;
                let low = high.saturating_sub(64);
                let at = self.b.ins().iadd_imm_s(at, low as i64);
                let width = self.word(high - low);
                self.call(read_bits_at as *const u8, &[bytes, at, width])
            })
            .collect()
    }

    fn advance(&mut self, graph: &Graph<'_>, state: &State, bits: &Expr, cursor: &mut Cursor) {
        let amount = self.eval(bits)[0];
        let odd = self.b.ins().band_imm_u(amount, 7);
        let zero = self.word(0);
        let whole = self.b.ins().icmp(IntCC::Equal, odd, zero);
        self.go_or_fail(graph, state, cursor, whole, "ParserInvalidArgument");
        self.skip(graph, state, amount, cursor);
    }

    /// Moves over a number of bits that is known only when the packet is there.
    fn skip(&mut self, graph: &Graph<'_>, state: &State, bits: Value, cursor: &mut Cursor) {
        let length = self.head(offset_of!(PacketHead, length));
        let all = self.b.ins().ishl_imm_u(length, 3);
        let taken = cursor.taken.unwrap_or(0);
        let at = self.b.ins().iadd_imm_s(cursor.start, taken as i64);
        let end = self.b.ins().iadd(at, bits);
        let enough = self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, end, all);
        self.go_or_fail(graph, state, cursor, enough, "PacketTooShort");
        self.move_to(end, cursor);
    }

    fn move_to(&mut self, end: Value, cursor: &mut Cursor) {
        self.set_head(offset_of!(PacketHead, cursor), 8, end);
        let bytes = self.head(offset_of!(PacketHead, bytes));
        let front = self.b.ins().ushr_imm_u(end, 3);
        let base = self.b.ins().iadd(bytes, front);
        *cursor = Cursor { start: end, base, taken: Some(0) };
    }

    fn extract(
        &mut self,
        graph: &Graph<'_>,
        state: &State,
        extract: &Extract,
        cursor: &mut Cursor,
        checked: bool,
    ) {
        let variable = extract.varbit.as_ref().map(|bits| {
            let bits = self.eval(bits)[0];
            let odd = self.b.ins().band_imm_u(bits, 7);
            let zero = self.word(0);
            let whole = self.b.ins().icmp(IntCC::Equal, odd, zero);
            self.go_or_fail(graph, state, cursor, whole, "ParserInvalidArgument");
            bits
        });
        let fixed = u64::from(extract.fixed_bits);
        match variable {
            None if checked && fixed > 0 => self.require(graph, state, cursor, fixed),
            None => {}
            Some(bits) => {
                let length = self.head(offset_of!(PacketHead, length));
                let all = self.b.ins().ishl_imm_u(length, 3);
                let front = (cursor.taken.unwrap_or(0) + fixed) as i64;
                let at = self.b.ins().iadd_imm_s(cursor.start, front);
                let end = self.b.ins().iadd(at, bits);
                let enough = self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, end, all);
                self.go_or_fail(graph, state, cursor, enough, "PacketTooShort");
                let header = &self.pipeline[extract.headers[0]];
                let most = header.max_bits(&self.pipeline.fields).saturating_sub(fixed);
                let most = self.word(most);
                let fits = self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, bits, most);
                self.go_or_fail(graph, state, cursor, fits, "HeaderTooShort");
            }
        }
        match &extract.index {
            None => {
                if let Some(header) = extract.headers.first() {
                    self.take(graph, *header, cursor, variable);
                }
            }
            Some(index) => {
                let (targets, beyond) = self.dispatch(index, extract.headers.len());
                for (header, target) in extract.headers.iter().zip(targets) {
                    self.b.switch_to_block(target);
                    self.take(graph, *header, cursor, variable);
                    self.jump(beyond);
                }
                self.b.switch_to_block(beyond);
            }
        }
        match (variable, cursor.taken) {
            (None, Some(taken)) => cursor.taken = Some(taken + fixed),
            (None, None) => {}
            (Some(bits), taken) => {
                let front = (taken.unwrap_or(0) + fixed) as i64;
                let at = self.b.ins().iadd_imm_s(cursor.start, front);
                let end = self.b.ins().iadd(at, bits);
                self.move_to(end, cursor);
            }
        }
    }

    /// Copies the bits of a header into its fields.
    fn take(
        &mut self,
        graph: &Graph<'_>,
        header: HeaderId,
        cursor: &Cursor,
        variable: Option<Value>,
    ) {
        let header = &self.pipeline[header];
        let mut behind_varbit = false;
        for LayoutItem { field, offset, length } in &header.layout {
            let width = self.pipeline[*field].width;
            if let (Some(length), Some(bits)) = (length, variable) {
                self.take_varbit(*field, *length, u64::from(*offset), bits, cursor);
                behind_varbit = true;
            } else if let Some(length) = length {
                // Extracted without a length: the field is empty.
                let zero = self.word(0);
                self.set_field(*length, &[zero]);
                self.set_field(*field, &[zero]);
            } else if self.layout.slot(*field).is_none() {
            } else if let (true, Some(bits)) = (behind_varbit, variable) {
                let at = (cursor.taken.unwrap_or(0) + u64::from(*offset)) as i64;
                let start = self.b.ins().iadd_imm_s(cursor.start, at);
                let start = self.b.ins().iadd(start, bits);
                let bytes = self.head(offset_of!(PacketHead, bytes));
                let front = self.b.ins().ushr_imm_u(start, 3);
                let base = self.b.ins().iadd(bytes, front);
                let moved = Cursor { start, base, taken: Some(0) };
                let value = if graph.aligned && offset % 8 == 0 {
                    self.read_at(graph, &moved, 0, width)
                } else {
                    self.read_unaligned(start, width)
                };
                self.set_field(*field, &value);
            } else {
                let value = self.read_at(graph, cursor, u64::from(*offset), width);
                self.set_field(*field, &value);
            }
        }
        let one = self.word(1);
        self.set_field(header.valid, &[one]);
    }

    fn read_unaligned(&mut self, start: Value, width: u32) -> super::emitter::Words {
        let bytes = self.head(offset_of!(PacketHead, bytes));
        let end = u64::from(width);
        (0..words(end) as u64)
            .map(|n| {
                let high = end - n * 64;
                let low = high.saturating_sub(64);
                let at = self.b.ins().iadd_imm_s(start, low as i64);
                let width = self.word(high - low);
                self.call(read_bits_at as *const u8, &[bytes, at, width])
            })
            .collect()
    }

    fn take_varbit(
        &mut self,
        field: FieldId,
        length: FieldId,
        offset: u64,
        bits: Value,
        cursor: &Cursor,
    ) {
        self.set_field(length, &[bits]);
        let Some(slot) = self.layout.slot(field) else { return };
        let width = self.pipeline[field].width;
        let count = words(u64::from(width));
        self.plan.need_scratch(count);
        let bytes = self.head(offset_of!(PacketHead, bytes));
        let at = (cursor.taken.unwrap_or(0) + offset) as i64;
        let at = self.b.ins().iadd_imm_s(cursor.start, at);
        let (out, width_word) = (self.scratch(0), self.word(u64::from(slot.width)));
        self.run(extract_varbit as *const u8, &[out, bytes, at, bits, width_word]);
        let value = self.get_scratch(0, count);
        self.set_field(field, &value);
    }

    fn transition(&mut self, graph: &Graph<'_>, state: &State) {
        match &state.transition {
            Transition::Goto(target) => {
                let target = self.target(graph, *target);
                self.jump(target);
            }
            Transition::Select { values, rows } => self.select(graph, state, values, rows),
        }
    }

    fn select(&mut self, graph: &Graph<'_>, state: &State, exprs: &[Expr], rows: &[Row]) {
        let values: Vec<_> = exprs.iter().map(|e| (self.eval(e), e.width)).collect();
        for row in rows {
            let target = self.target(graph, row.target);
            let fits = match &row.kind {
                RowKind::Any => None,
                RowKind::Values(matches) => self.fits_all(matches, &values),
                RowKind::ValueSet(set) => Some(self.in_value_set(*set, &values)),
            };
            let Some(fits) = fits else {
                return self.jump(target);
            };
            let next = self.b.create_block();
            self.b.ins().brif(fits, target, &[], next, &[]);
            self.b.switch_to_block(next);
        }
        self.fail_with(graph, state, "NoMatch");
    }

    /// Whether values fit; `None` if all do.
    fn fits_all(
        &mut self,
        matches: &[Match],
        values: &[(super::emitter::Words, u32)],
    ) -> Option<Value> {
        let mut all = None;
        for (one, (value, width)) in matches.iter().zip(values) {
            let Some(fits) = self.fits(one, value, *width) else { continue };
            all = Some(match all {
                None => fits,
                Some(all) => self.b.ins().band(all, fits),
            });
        }
        all
    }
}

/// Bits that a packet needs for all operations of a state, if that is always the same and there
/// is more than one operation that would have to check.
fn bits_at_once(state: &State) -> Option<u64> {
    let (mut taken, mut needed, mut checks) = (0, 0, 0);
    for op in &state.ops {
        match &op.kind {
            OpKind::Extract(extract) if extract.varbit.is_none() => {
                taken += u64::from(extract.fixed_bits);
                needed = needed.max(taken);
                checks += 1;
            }
            OpKind::Lookahead { bits, .. } => {
                needed = needed.max(taken + u64::from(*bits));
                checks += 1;
            }
            OpKind::Extract(_) | OpKind::Advance { .. } => return None,
            _ => {}
        }
    }
    (checks > 1).then_some(needed)
}

/// Whether everything begins at a byte: `advance` and `varbit`s take whole bytes.
fn is_aligned(graph: &ParseGraph) -> bool {
    let ops = |state: &State| -> bool {
        state.ops.iter().all(|op: &Op| match &op.kind {
            OpKind::Extract(extract) => extract.fixed_bits.is_multiple_of(8),
            _ => true,
        })
    };
    graph.states.iter().all(ops)
}
