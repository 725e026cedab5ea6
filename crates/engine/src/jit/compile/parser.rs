//! Parse graphs.

use super::emitter::{Emitter, Known};
use crate::jit::layout::words;
use crate::jit::packet::{PacketHead, status};
use crate::jit::runtime::frame::{extract_varbit, read_bits_at};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use std::mem::offset_of;
use ww_p4::architecture::Meaning;
use ww_p4::pipeline::passes::{can_time_out, start_offsets};
use ww_p4::pipeline::{
    Expr, Extract, FieldId, HeaderId, LayoutItem, Match, Op, OpKind, ParseGraph, Row, RowKind,
    State, Target, Transition,
};

/// Where the next bit of the packet is while a state is made.
#[derive(Clone, Copy)]
struct Cursor {
    /// Bits in front of the state, as a value.
    start: Value,
    /// Address of the byte from which `front` counts; meaningful if all is aligned.
    base: Value,
    /// Bits between `base` and the start of the state.
    front: u64,
    /// Bits that the state has taken.
    taken: u64,
    /// Whether the packet's head must be told even when nothing was taken.
    is_news: bool,
}

/// What all states of a graph share.
struct Graph {
    blocks: Vec<Block>,
    /// Where states begin, if always at the same place.
    starts: Vec<Option<u64>>,
    /// How many ways lead to a state.
    ways: Vec<usize>,
    accept: Block,
    reject: Block,
    /// Whether a packet can enter more states than the limit allows, so that they are counted.
    can_time_out: bool,
    /// Whether every header begins at a byte.
    aligned: bool,
}

impl Emitter<'_, '_> {
    /// Makes a parser; goes on in a new block behind it.
    pub fn parser(&mut self, graph: &ParseGraph) {
        let can_time_out = can_time_out(graph);
        if can_time_out {
            let bits = self.b.ins().ishl_imm_u(self.length, 3);
            let limit = self.b.ins().iadd_imm_s(bits, 4096);
            self.set_head(offset_of!(PacketHead, states), 8, limit);
        }
        let shared = Graph {
            blocks: graph.states.iter().map(|_| self.b.create_block()).collect(),
            starts: start_offsets(graph),
            ways: ways(graph),
            can_time_out,
            accept: self.b.create_block(),
            reject: self.b.create_block(),
            aligned: is_aligned(graph),
        };
        let mut arriving: Vec<Option<Known>> = vec![None; graph.states.len()];
        self.jump(shared.blocks[0]);
        for (n, state) in graph.states.iter().enumerate() {
            let known = arriving[n].take().unwrap_or_default();
            self.enter(shared.blocks[n], known);
            if self.is_full() {
                self.give(status::DONE);
                continue;
            }
            self.state(&shared, n, state, &mut arriving);
        }
        self.enter(shared.reject, Known::new());
        self.b.set_cold_block(shared.reject);
        let one = self.word(1);
        self.set_head(offset_of!(PacketHead, rejected), 4, one);
        let failed = self.load_sized(
            super::emitter::Memory::Packet,
            self.memory,
            offset_of!(PacketHead, failed),
            4,
        );
        if let Some(field) = self.pipeline.meaning(Meaning::ParserError) {
            let error = self.field(self.pipeline.parser_error);
            self.set_field_if(failed, field, &error);
        }
        self.jump(shared.accept);
        self.enter(shared.accept, Known::new());
    }

    fn target(&self, graph: &Graph, target: Target) -> Block {
        match target {
            Target::State(id) => graph.blocks[id.index()],
            Target::Accept => graph.accept,
            Target::Reject => graph.reject,
        }
    }

    /// Has the parser fail with an error of the core library, which ends the block.
    fn fail_with(&mut self, graph: &Graph, state: &State, error: &str) {
        let code = self.pipeline.errors.iter().position(|e| &**e == error).unwrap_or(0);
        let code = self.word(code as u64);
        self.fail(graph, state, code);
    }

    fn fail(&mut self, graph: &Graph, state: &State, code: Value) {
        let one = self.word(1);
        self.set_head(offset_of!(PacketHead, failed), 4, one);
        self.set_field(self.pipeline.parser_error, &[code]);
        let target = self.target(graph, state.on_error);
        self.jump(target);
    }

    fn state(
        &mut self,
        graph: &Graph,
        number: usize,
        state: &State,
        arriving: &mut [Option<Known>],
    ) {
        let mut cursor = match graph.starts[number] {
            Some(front) => {
                let (start, base) = (self.word(front), self.bytes);
                Cursor { start, base, front, taken: 0, is_news: true }
            }
            None => {
                let start = self.head(offset_of!(PacketHead, cursor));
                let bytes = self.b.ins().ushr_imm_u(start, 3);
                let base = self.b.ins().iadd(self.bytes, bytes);
                Cursor { start, base, front: 0, taken: 0, is_news: false }
            }
        };
        if state.is_entry && graph.can_time_out {
            let left = self.head(offset_of!(PacketHead, states));
            let less = self.b.ins().iadd_imm_s(left, -1);
            self.set_head(offset_of!(PacketHead, states), 8, less);
            self.go_or_fail(graph, state, &cursor, left, "ParserTimeout");
        }
        if let Some(bits) = bits_at_once(state) {
            // One check for all; packets that are too short take the careful way, which knows
            // how far they get.
            let (go, careful) = (self.b.create_block(), self.b.create_block());
            let enough = self.has_bits(&cursor, bits);
            self.b.ins().brif(enough, go, &[], careful, &[]);
            let (known, at) = (self.known.clone(), cursor);
            self.enter(go, known.clone());
            self.ops(graph, state, &mut cursor, false);
            self.transition(graph, state, &cursor, arriving);
            self.enter(careful, known);
            self.b.set_cold_block(careful);
            cursor = at;
            self.ops(graph, state, &mut cursor, true);
            // It has failed in some operation: this is a way that nobody goes.
            self.fail_with(graph, state, "PacketTooShort");
        } else {
            self.ops(graph, state, &mut cursor, true);
            self.transition(graph, state, &cursor, arriving);
        }
    }

    fn ops(&mut self, graph: &Graph, state: &State, cursor: &mut Cursor, checked: bool) {
        for op in &state.ops {
            if self.is_full() {
                break;
            }
            match &op.kind {
                OpKind::Extract(extract) => {
                    self.extract(graph, state, extract, cursor, checked);
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
    }

    /// Writes the position into the packet's head.
    fn settle(&mut self, cursor: &Cursor) {
        if cursor.is_news || cursor.taken > 0 {
            let at = self.b.ins().iadd_imm_s(cursor.start, cursor.taken as i64);
            self.set_head(offset_of!(PacketHead, cursor), 8, at);
        }
    }

    /// Whether the packet has so many bits more, behind what the state has taken.
    fn has_bits(&mut self, cursor: &Cursor, bits: u64) -> Value {
        let needed = cursor.taken + bits;
        if cursor.is_news && (cursor.front + needed).is_multiple_of(8) {
            let bytes = self.word((cursor.front + needed) / 8);
            return self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, self.length, bytes);
        }
        let all = self.b.ins().ishl_imm_u(self.length, 3);
        let end = self.b.ins().iadd_imm_s(cursor.start, needed as i64);
        self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, end, all)
    }

    fn require(&mut self, graph: &Graph, state: &State, cursor: &Cursor, bits: u64) {
        let enough = self.has_bits(cursor, bits);
        self.go_or_fail(graph, state, cursor, enough, "PacketTooShort");
    }

    /// Goes on if the condition holds, else fails with the position that was reached.
    fn go_or_fail(
        &mut self,
        graph: &Graph,
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
        graph: &Graph,
        cursor: &Cursor,
        offset: u64,
        width: u32,
    ) -> super::emitter::Words {
        let offset = cursor.taken + offset;
        if graph.aligned {
            return self.read_bits(cursor.base, cursor.front + offset, width);
        }
        let bytes = self.bytes;
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

    fn advance(&mut self, graph: &Graph, state: &State, bits: &Expr, cursor: &mut Cursor) {
        let amount = self.eval(bits)[0];
        let odd = self.b.ins().band_imm_u(amount, 7);
        let zero = self.word(0);
        let whole = self.b.ins().icmp(IntCC::Equal, odd, zero);
        self.go_or_fail(graph, state, cursor, whole, "ParserInvalidArgument");
        self.skip(graph, state, amount, cursor);
    }

    /// Moves over a number of bits that is known only when the packet is there.
    fn skip(&mut self, graph: &Graph, state: &State, bits: Value, cursor: &mut Cursor) {
        let all = self.b.ins().ishl_imm_u(self.length, 3);
        let at = self.b.ins().iadd_imm_s(cursor.start, cursor.taken as i64);
        let end = self.b.ins().iadd(at, bits);
        let enough = self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, end, all);
        self.go_or_fail(graph, state, cursor, enough, "PacketTooShort");
        self.move_to(end, cursor);
    }

    fn move_to(&mut self, end: Value, cursor: &mut Cursor) {
        self.set_head(offset_of!(PacketHead, cursor), 8, end);
        let bytes = self.bytes;
        let front = self.b.ins().ushr_imm_u(end, 3);
        let base = self.b.ins().iadd(bytes, front);
        *cursor = Cursor { start: end, base, front: 0, taken: 0, is_news: false };
    }

    fn extract(
        &mut self,
        graph: &Graph,
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
                let all = self.b.ins().ishl_imm_u(self.length, 3);
                let front = (cursor.taken + fixed) as i64;
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
                let blocks = self.dispatch(index, extract.headers.len());
                let at = *cursor;
                self.one_of(blocks, |e, n| e.take(graph, extract.headers[n], &at, variable));
            }
        }
        match variable {
            None => cursor.taken += fixed,
            Some(bits) => {
                let front = (cursor.taken + fixed) as i64;
                let at = self.b.ins().iadd_imm_s(cursor.start, front);
                let end = self.b.ins().iadd(at, bits);
                self.move_to(end, cursor);
            }
        }
    }

    /// Copies the bits of a header into its fields.
    fn take(&mut self, graph: &Graph, id: HeaderId, cursor: &Cursor, variable: Option<Value>) {
        let header = &self.pipeline[id];
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
                let at = (cursor.taken + u64::from(*offset)) as i64;
                let start = self.b.ins().iadd_imm_s(cursor.start, at);
                let start = self.b.ins().iadd(start, bits);
                let bytes = self.bytes;
                let front = self.b.ins().ushr_imm_u(start, 3);
                let base = self.b.ins().iadd(bytes, front);
                let moved = Cursor { start, base, front: 0, taken: 0, is_news: false };
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
        let taken = self.b.ins().iadd_imm_s(cursor.start, cursor.taken as i64 + 1);
        self.set_origin(id, taken);
    }

    fn read_unaligned(&mut self, start: Value, width: u32) -> super::emitter::Words {
        let bytes = self.bytes;
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
        let bytes = self.bytes;
        let at = (cursor.taken + offset) as i64;
        let at = self.b.ins().iadd_imm_s(cursor.start, at);
        let (out, width_word) = (self.scratch(0), self.word(u64::from(slot.width)));
        self.run(extract_varbit as *const u8, &[out, bytes, at, bits, width_word]);
        let value = self.get_scratch(0, count);
        self.set_field(field, &value);
    }

    fn transition(
        &mut self,
        graph: &Graph,
        state: &State,
        cursor: &Cursor,
        arriving: &mut [Option<Known>],
    ) {
        let mut is_needed = false;
        state.transition.for_each_target(&mut |target| {
            is_needed |= match target {
                Target::State(id) => graph.starts[id.index()].is_none(),
                Target::Accept | Target::Reject => true,
            };
        });
        if is_needed {
            self.settle(cursor);
        }
        match &state.transition {
            Transition::Goto(target) => {
                self.lead(graph, *target, arriving);
                let target = self.target(graph, *target);
                self.jump(target);
            }
            Transition::Select { values, rows } => {
                self.select(graph, values, rows, arriving);
                if !rows.last().is_some_and(Row::is_any) {
                    self.settle(cursor);
                    self.fail_with(graph, state, "NoMatch");
                }
            }
        }
    }

    /// Notes what is known on the only way to a state.
    fn lead(&self, graph: &Graph, target: Target, arriving: &mut [Option<Known>]) {
        if let Target::State(id) = target
            && graph.ways[id.index()] == 1
        {
            arriving[id.index()] = Some(self.known.clone());
        }
    }

    /// Compares row by row; goes on where none fits, unless the last one always does.
    fn select(
        &mut self,
        graph: &Graph,
        exprs: &[Expr],
        rows: &[Row],
        arriving: &mut [Option<Known>],
    ) {
        let values: Vec<_> = exprs.iter().map(|e| (self.eval(e), e.width)).collect();
        for (n, row) in rows.iter().enumerate() {
            self.lead(graph, row.target, arriving);
            let target = self.target(graph, row.target);
            let fits = match &row.kind {
                RowKind::Any => None,
                RowKind::Values(matches) => self.fits_all(matches, &values),
                RowKind::ValueSet(set) => Some(self.in_value_set(*set, &values)),
            };
            let Some(fits) = fits else {
                self.jump(target);
                if n + 1 < rows.len() {
                    // Nobody comes to the rows behind.
                    let rest = self.b.create_block();
                    self.b.switch_to_block(rest);
                    continue;
                }
                return;
            };
            let next = self.b.create_block();
            self.b.ins().brif(fits, target, &[], next, &[]);
            self.b.switch_to_block(next);
        }
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

/// How many ways lead to each state; the first state has one from outside.
fn ways(graph: &ParseGraph) -> Vec<usize> {
    let mut ways = vec![0; graph.states.len()];
    if let Some(first) = ways.first_mut() {
        *first = 1;
    }
    let mut count = |target: Target| {
        if let Target::State(id) = target {
            ways[id.index()] += 1;
        }
    };
    for state in &graph.states {
        state.transition.for_each_target(&mut count);
        count(state.on_error);
    }
    ways
}
