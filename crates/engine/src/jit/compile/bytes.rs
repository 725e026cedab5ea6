//! Bit strings in the frame: big-endian, the first bit on the wire is the most significant one.

use super::emitter::{Emitter, Memory, Words};
use crate::jit::layout::{WORD, words};
use cranelift_codegen::ir::{InstBuilder, Value, types};
use std::ops::Range;

impl Emitter<'_, '_> {
    /// Reads `width` bits that begin `offset` bits behind an address.
    pub fn read_bits(&mut self, base: Value, offset: u64, width: u32) -> Words {
        let end = offset + u64::from(width);
        (0..words(u64::from(width)) as u64)
            .map(|n| {
                let high = end - n * u64::from(WORD);
                let low = high.saturating_sub(u64::from(WORD)).max(offset);
                self.read_word(base, low, (high - low) as u32)
            })
            .collect()
    }

    /// Reads up to 64 bits.
    fn read_word(&mut self, base: Value, offset: u64, width: u32) -> Value {
        if width == 0 {
            return self.word(0);
        }
        let (first, end) = (offset / 8, (offset + u64::from(width)).div_ceil(8));
        let behind = (end * 8 - offset - u64::from(width)) as u32;
        let mut left = (end - first) as usize;
        let mut at = first as usize;
        if left == 9 {
            // Bits of nine bytes: the first eight lose their low bits' place to the ninth.
            let high = self.read_bytes(base, at, 8);
            let low = self.load_sized(Memory::Frame, base, at + 8, 1);
            let high = self.b.ins().ishl_imm_u(high, i64::from(8 - behind));
            let low = self.b.ins().ushr_imm_u(low, i64::from(behind));
            let both = self.b.ins().bor(high, low);
            return self.mask(both, width);
        }
        let mut value = None;
        while left > 0 {
            let take = [8, 4, 2, 1].into_iter().find(|n| *n <= left).unwrap_or(1);
            let part = self.read_bytes(base, at, take);
            value = Some(match value {
                None => part,
                Some(high) => {
                    let high = self.b.ins().ishl_imm_u(high, take as i64 * 8);
                    self.b.ins().bor(high, part)
                }
            });
            at += take;
            left -= take;
        }
        let value = value.unwrap_or_else(|| self.word(0));
        let value =
            if behind > 0 { self.b.ins().ushr_imm_u(value, i64::from(behind)) } else { value };
        // Bits in front of the wanted ones are there only if they do not begin at a byte.
        if offset.is_multiple_of(8) { value } else { self.mask(value, width) }
    }

    /// Reads 1, 2, 4 or 8 bytes as a big-endian number.
    fn read_bytes(&mut self, base: Value, at: usize, bytes: usize) -> Value {
        let value = self.load_sized(Memory::Frame, base, at, bytes);
        self.swap(value, bytes)
    }

    /// Reverses the order of the low bytes.
    fn swap(&mut self, value: Value, bytes: usize) -> Value {
        let ty = match bytes {
            8 => return self.b.ins().bswap(value),
            4 => types::I32,
            2 => types::I16,
            _ => return value,
        };
        let narrow = self.b.ins().ireduce(ty, value);
        let swapped = self.b.ins().bswap(narrow);
        self.b.ins().uextend(types::I64, swapped)
    }

    /// Writes the bytes of a run behind an address from scalars that follow one another; the run
    /// begins `skipped` bits behind the first of them.
    pub fn write_row(
        &mut self,
        memory: Memory,
        base: Value,
        row: &[(Words, u32)],
        skipped: u64,
        run: Range<usize>,
    ) {
        let mut at = run.start;
        while at < run.end {
            let take = [8, 4, 2, 1].into_iter().find(|n| *n <= run.end - at).unwrap_or(1);
            let offset = skipped + (at - run.start) as u64 * 8;
            let chunk = self.row_part(row, offset, take as u32 * 8);
            let swapped = self.swap(chunk, take);
            self.store_sized(memory, base, at, take, swapped);
            at += take;
        }
    }

    /// Up to 64 bits of a row of scalars, from `offset` on; zeros behind its end.
    pub fn row_part(&mut self, row: &[(Words, u32)], offset: u64, width: u32) -> Value {
        let end = offset + u64::from(width);
        let mut begin = 0;
        let mut sum: Option<Value> = None;
        for (value, bits) in row {
            let (from, to) = (begin, begin + u64::from(*bits));
            begin = to;
            let (first, last) = (from.max(offset), to.min(end));
            if first >= last {
                continue;
            }
            let part = self.slice(value, *bits, (to - last) as u32, (last - first) as u32)[0];
            let up = end - last;
            let part = if up > 0 { self.b.ins().ishl_imm_u(part, up as i64) } else { part };
            sum = Some(match sum {
                None => part,
                Some(sum) => self.b.ins().bor(sum, part),
            });
        }
        sum.unwrap_or_else(|| self.word(0))
    }
}
