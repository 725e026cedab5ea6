//! What the deparser puts out.

use super::emitter::{Emitter, Memory, Words};
use crate::jit::layout::words;
use crate::jit::packet::{ELSEWHERE, PacketHead};
use crate::jit::runtime::frame::write_bits;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};
use std::mem::offset_of;
use std::ops::Range;
use ww_p4::pipeline::{ControlGraph, Header, HeaderId, NodeKind, OpKind, Pipeline};

/// A [`PacketHead::place`] that no header comes from.
const NO_PLACE: u64 = 1 << 40;

impl Emitter<'_, '_> {
    /// Decides where the deparser writes: right in front of the payload, if what goes out is not
    /// longer than the headers that came in, so that the payload need not move.
    pub fn choose_output(&mut self, graph: &ControlGraph) {
        let (zero, elsewhere) = (self.word(0), self.word(ELSEWHERE));
        self.set_head(offset_of!(PacketHead, out_bits), 8, zero);
        self.set_head(offset_of!(PacketHead, begin), 8, elsewhere);
        let far = self.word(NO_PLACE);
        self.set_head(offset_of!(PacketHead, place), 8, far);
        let Some(headers) = graph.emits().filter(|_| self.plan.plain_output) else { return };
        let mut sum = self.word(0);
        for id in headers {
            let header = &self.pipeline[id];
            let valid = self.number(header.valid);
            let bits = self.word(u64::from(header.fixed_bits));
            let zero = self.word(0);
            let bits = self.b.ins().select(valid, bits, zero);
            sum = self.b.ins().iadd(sum, bits);
        }
        let cursor = self.head(offset_of!(PacketHead, cursor));
        let fits = self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, sum, cursor);
        let odd = self.b.ins().band_imm_u(cursor, 7);
        let zero = self.word(0);
        let whole = self.b.ins().icmp(IntCC::Equal, odd, zero);
        let fits = self.b.ins().band(fits, whole);
        let spare = self.b.ins().isub(cursor, sum);
        let spare = self.b.ins().ushr_imm_u(spare, 3);
        let out = self.head(offset_of!(PacketHead, out));
        let inside = self.b.ins().iadd(self.bytes, spare);
        let out = self.b.ins().select(fits, inside, out);
        let begin = self.b.ins().select(fits, spare, elsewhere);
        self.set_head(offset_of!(PacketHead, begin), 8, begin);
        let bits = self.b.ins().ishl_imm_u(spare, 3);
        let place = self.b.ins().iadd_imm_s(bits, 1);
        let place = self.b.ins().select(fits, place, far);
        self.set_head(offset_of!(PacketHead, place), 8, place);
        self.set_head(offset_of!(PacketHead, out), 8, out);
    }

    /// Appends a header if it is valid.
    pub fn emit(&mut self, id: HeaderId) {
        let valid = self.number(self.pipeline[id].valid);
        self.when(valid, |e| e.emit_valid(id));
    }

    fn emit_valid(&mut self, id: HeaderId) {
        let pipeline = self.pipeline;
        let header = &pipeline[id];
        if self.plan.plain_output {
            let written = self.head(offset_of!(PacketHead, out_bits));
            let out = self.head(offset_of!(PacketHead, out));
            let front = self.b.ins().ushr_imm_u(written, 3);
            let base = self.b.ins().iadd(out, front);
            self.write_header(id, base, written);
            let end = self.b.ins().iadd_imm_s(written, i64::from(header.fixed_bits));
            self.set_head(offset_of!(PacketHead, out_bits), 8, end);
            return;
        }
        for item in &header.layout {
            let width = pipeline[item.field].width;
            let value = self.field(item.field);
            let length = match item.length {
                Some(length) => self.number(length),
                None => self.word(u64::from(width)),
            };
            self.append(&value, width, length);
        }
    }

    /// Writes the fields of a header: of one that goes out where it came in, only those that the
    /// program can have changed.
    fn write_header(&mut self, id: HeaderId, base: Value, written: Value) {
        let pipeline = self.pipeline;
        let header = &pipeline[id];
        let changed = self.plan.changed_bytes(header);
        let bytes = header.fixed_bits as usize / 8;
        if changed.iter().map(|run| run.len()).sum::<usize>() == bytes {
            return self.write_run(header, base, 0..bytes);
        }
        let place = self.head(offset_of!(PacketHead, place));
        let here = self.b.ins().iadd(place, written);
        let origin = self.origin(id);
        let stays = self.b.ins().icmp(IntCC::Equal, here, origin);
        let (kept, moved, after) =
            (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.b.ins().brif(stays, kept, &[], moved, &[]);
        let known = self.known.clone();
        self.b.switch_to_block(moved);
        self.write_run(header, base, 0..bytes);
        self.jump(after);
        self.enter(kept, known.clone());
        for run in changed {
            self.write_run(header, base, run);
        }
        self.jump(after);
        self.enter(after, known);
    }

    /// Writes some of the bytes of a header.
    fn write_run(&mut self, header: &Header, base: Value, run: Range<usize>) {
        let (first, last) = (run.start as u32 * 8, run.end as u32 * 8);
        let mut row: Vec<(Words, u32)> = Vec::new();
        let mut begin = None;
        for item in &header.layout {
            let width = self.pipeline[item.field].width;
            if item.offset + width > first && item.offset < last {
                begin.get_or_insert(item.offset);
                row.push((self.field(item.field), width));
            }
        }
        let skipped = u64::from(first - begin.unwrap_or(first));
        self.write_row(Memory::Frame, base, &row, skipped, run);
    }

    /// Appends the first `length` bits of a value.
    fn append(&mut self, value: &[Value], width: u32, length: Value) {
        self.plan.need_scratch(words(u64::from(width)));
        self.set_scratch(0, value);
        let (row, width) = (self.scratch(0), self.word(u64::from(width)));
        self.run(write_bits as *const u8, &[self.context, self.memory, row, width, length]);
    }
}

/// Whether all that a deparser puts out is a number of whole bytes that is known when the program
/// is loaded: then native code writes it, and this is the most bytes that it can be.
pub fn plain_output(pipeline: &Pipeline, graph: &ControlGraph) -> Option<usize> {
    let mut bits = 0;
    for node in &graph.nodes {
        if matches!(node.kind, NodeKind::Loop { .. } | NodeKind::Apply { .. }) {
            return None;
        }
    }
    for (_, op) in graph.operations() {
        let OpKind::Emit { header } = op.kind else { continue };
        let header = &pipeline[header];
        let plain = header.layout.iter().all(|item| item.length.is_none());
        if !plain || !header.fixed_bits.is_multiple_of(8) {
            return None;
        }
        bits += header.fixed_bits as usize;
    }
    Some(bits / 8)
}
