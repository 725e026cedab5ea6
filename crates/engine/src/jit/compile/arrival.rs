//! The start of the fast path: a packet's memory is made ready for the parser.

use super::emitter::{Emitter, Memory};
use crate::jit::packet::PacketHead;
use cranelift_codegen::ir::{Block, InstBuilder, types};
use cranelift_frontend::Switch;
use std::mem::offset_of;
use ww_p4::architecture::Meaning;
use ww_p4::pipeline::FieldType;

/// The first blocks of a function whose packets may wait.
pub struct Start {
    dispatch: Block,
    begin: Block,
}

/// Bytes that are cleared at once.
const VECTOR: usize = 16;

impl Emitter<'_, '_> {
    /// Leaves place for [`finish_start`](Self::finish_start).
    pub fn start(&mut self) -> Start {
        let start = Start { dispatch: self.b.create_block(), begin: self.b.create_block() };
        self.jump(start.dispatch);
        self.b.switch_to_block(start.begin);
        self.resumes = Some(Vec::new());
        start
    }

    /// Has packets that waited go on where they were, and all others at the start.
    pub fn finish_start(&mut self, start: Start) {
        self.b.switch_to_block(start.dispatch);
        let resumes = self.resumes.take().unwrap_or_default();
        let resume =
            self.load_sized(Memory::Packet, self.memory, offset_of!(PacketHead, resume), 4);
        let mut switch = Switch::new();
        for (n, block) in resumes.into_iter().enumerate() {
            switch.set_entry(n as u128 + 1, block);
        }
        switch.emit(&mut self.b, resume, start.begin);
    }

    /// Sets the head and all fields that packets start with. What differs from packet to packet
    /// is in the head already.
    pub fn arrive(&mut self, max_steps: u64) {
        let zero = self.word(0);
        let steps = self.word(max_steps);
        for (offset, bytes, value) in [
            (offset_of!(PacketHead, cursor), 8, zero),
            (offset_of!(PacketHead, out_bits), 8, zero),
            (offset_of!(PacketHead, steps), 8, steps),
            (offset_of!(PacketHead, requests), 4, zero),
            (offset_of!(PacketHead, rejected), 4, zero),
            (offset_of!(PacketHead, failed), 4, zero),
        ] {
            self.set_head(offset, bytes, value);
        }
        self.clear(self.layout.headers.start..self.layout.matched.end);
        let errors: Vec<_> = (0..self.pipeline.fields.len() as u32)
            .map(ww_p4::pipeline::FieldId)
            .filter(|f| self.pipeline[*f].ty == FieldType::Error)
            .filter(|f| self.pipeline.no_error != 0 || *f == self.pipeline.parser_error)
            .collect();
        let no_error = self.word(u64::from(self.pipeline.no_error));
        for field in errors {
            self.set_field(field, &[no_error]);
        }
        let port = self.load_sized(Memory::Packet, self.memory, offset_of!(PacketHead, port), 4);
        let time =
            self.load_sized(Memory::Packet, self.memory, offset_of!(PacketHead, microseconds), 8);
        for (meaning, value) in [
            (Meaning::IngressPort, port),
            (Meaning::PacketLength, self.length),
            (Meaning::IngressTime, time),
        ] {
            if let Some(field) = self.pipeline.meaning(meaning) {
                let value = self.mask(value, self.pipeline[field].width);
                self.set_field(field, &[value]);
            }
        }
    }

    /// Sets bytes of the packet's memory, which begin at a word, to zero.
    fn clear(&mut self, range: std::ops::Range<usize>) {
        let zero = self.b.ins().iconst(types::I8, 0);
        let zeros = self.b.ins().splat(types::I8X16, zero);
        let word = self.word(0);
        let mut at = range.start;
        while at < range.end {
            match range.end - at {
                VECTOR.. => {
                    self.store_vector(at, zeros);
                    at += VECTOR;
                }
                left => {
                    let bytes = [8, 4, 2, 1].into_iter().find(|n| *n <= left).unwrap_or(1);
                    self.set_head(at, bytes, word);
                    at += bytes;
                }
            }
        }
    }
}
