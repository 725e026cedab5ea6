//! Which bits of a key choose which rows of a block of rules.

use super::codec::{Codec, Compare};
use ww_dataplane::control::{KeyInfo, MatchKind};

/// Bits of a key that choose a row together.
pub(super) const CHUNK: u32 = 4;

/// Rows for the values of a chunk.
pub(super) const VALUES: usize = 1 << CHUNK;

/// Up to four bits of one word of a key, and the rows for their values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunk {
    /// Which word.
    pub(super) word: u16,
    /// Position of the lowest bit in the word.
    pub(super) shift: u8,
    /// Ones for the bits of the chunk, at the lowest position.
    pub(super) mask: u8,
    /// Number of the row for value 0. A chunk of a range has four tables one after the other: of
    /// rules whose lower bound is less, whose lower bound is equal, whose upper bound is greater,
    /// whose upper bound is equal.
    pub(super) row: u32,
    /// The key in the table's declaration; of a range only.
    key: u16,
    /// Whether this is the most significant chunk of a range.
    pub(super) is_last: bool,
}

impl Chunk {
    /// The bits of the chunk in words.
    #[inline(always)]
    fn of(self, words: &[u64]) -> u8 {
        (words[usize::from(self.word)] >> self.shift) as u8 & self.mask
    }
}

/// Chunks of [`Plan::masked`] that follow one another in a word of a key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// Ones for the bits of the chunks, at the lowest position.
    pub(super) mask: u64,
    /// Which word.
    pub(super) word: u32,
    /// Position of the lowest bit in the word.
    pub(super) shift: u32,
    /// Number of the row for value 0 of the first chunk; those of the others follow.
    pub(super) row: u32,
    /// Number of chunks.
    pub(super) chunks: u32,
}

/// The chunks of a table's keys.
///
/// Rules with values and masks need one row per chunk: the rules that fit the chunk's value. A
/// range compares its chunks from the least significant one on: the key is above the bound if it
/// is in this chunk, or equal in this chunk and above it in those behind.
#[derive(Debug)]
pub(super) struct Plan {
    masked: Vec<Chunk>,
    /// The same.
    pub(super) runs: Vec<Run>,
    /// Those of one key together, from the least significant one on.
    pub(super) ranges: Vec<Chunk>,
    /// Whether a key is compared as a range, by position in the declaration.
    is_range: Vec<bool>,
    pub(super) rows: usize,
}

impl Plan {
    /// `rows` are those that there are: a key is a range if one of them says so, too.
    pub(super) fn new<'a>(
        infos: &[KeyInfo],
        codec: &Codec,
        rows: impl Iterator<Item = &'a [u32]>,
    ) -> Self {
        let mut is_range: Vec<bool> = infos.iter().map(|k| k.kind == MatchKind::Range).collect();
        for row in rows {
            for (n, is_range) in is_range.iter_mut().enumerate() {
                *is_range |= codec.compare(row, n) != Compare::Masked;
            }
        }
        let layout = codec.layout();
        let mut plan =
            Plan { masked: Vec::new(), runs: Vec::new(), ranges: Vec::new(), is_range, rows: 0 };
        let mut start = 0;
        for &n in layout.order.iter().rev() {
            let (from, to) = (layout.offsets[n], layout.offsets[n] + layout.widths[n]);
            if plan.is_range[n] {
                plan.add_masked(start, from);
                plan.add_range(n, from, to);
                start = to;
            }
        }
        plan.add_masked(start, layout.bits);
        plan
    }

    fn add_masked(&mut self, from: u32, to: u32) {
        for (at, end) in pieces(from, to) {
            let chunk = self.chunk(at, end, 1);
            self.masked.push(chunk);
            match self.runs.last_mut() {
                Some(run) if at > from && at % 64 > 0 => {
                    run.mask |= u64::from(chunk.mask) << (CHUNK * run.chunks);
                    run.chunks += 1;
                }
                _ => self.runs.push(Run {
                    mask: u64::from(chunk.mask),
                    word: at / 64,
                    shift: at % 64,
                    row: chunk.row,
                    chunks: 1,
                }),
            }
        }
    }

    fn add_range(&mut self, key: usize, from: u32, to: u32) {
        for (at, end) in pieces(from, to) {
            let chunk = self.chunk(at, end, 4);
            self.ranges.push(Chunk { key: key as u16, is_last: end == to, ..chunk });
        }
    }

    fn chunk(&mut self, at: u32, end: u32, tables: usize) -> Chunk {
        let row = self.rows as u32;
        self.rows += tables * VALUES;
        Chunk {
            word: (at / 64) as u16,
            shift: (at % 64) as u8,
            mask: (1 << (end - at)) - 1,
            row,
            key: 0,
            is_last: false,
        }
    }

    /// Whether this plan can say what a row asks for.
    pub(super) fn suits(&self, codec: &Codec, row: &[u32]) -> bool {
        let mut keys = self.is_range.iter().enumerate();
        keys.all(|(n, &is_range)| is_range || codec.compare(row, n) == Compare::Masked)
    }

    /// Calls `set` with the number of each row in which the rule with this row of a store has a
    /// bit.
    pub(super) fn rows_of(&self, codec: &Codec, row: &[u32], mut set: impl FnMut(usize)) {
        let (first, second) = (codec.first_words(row), codec.second_words(row));
        for chunk in &self.masked {
            let (value, mask) = (chunk.of(&first), chunk.of(&second));
            for here in (0..=chunk.mask).filter(|here| (here ^ value) & mask == 0) {
                set(chunk.row as usize + usize::from(here));
            }
        }
        for chunk in &self.ranges {
            let (a, b) = (chunk.of(&first), chunk.of(&second));
            let compare = codec.compare(row, usize::from(chunk.key));
            let is_signed = compare == Compare::Signed && chunk.is_last;
            let sign = if is_signed { chunk.mask & !(chunk.mask >> 1) } else { 0 };
            for here in 0..=chunk.mask {
                let table = |n: usize| chunk.row as usize + n * VALUES + usize::from(here);
                if compare == Compare::Masked {
                    if (here ^ a) & b == 0 {
                        set(table(1));
                    }
                    set(table(3));
                    continue;
                }
                let (value, low, high) = (here ^ sign, a ^ sign, b ^ sign);
                let says = [low < value, low == value, high > value, high == value];
                (0..4).filter(|&n| says[n]).for_each(|n| set(table(n)));
            }
        }
    }

    /// Bytes of heap memory.
    pub(super) fn memory_bytes(&self) -> usize {
        (self.masked.capacity() + self.ranges.capacity()) * size_of::<Chunk>()
            + self.runs.capacity() * size_of::<Run>()
            + self.is_range.capacity()
    }
}

/// Bits from `from` to `to` in fours; no piece lies in two words.
fn pieces(from: u32, to: u32) -> impl Iterator<Item = (u32, u32)> {
    let mut at = from;
    std::iter::from_fn(move || {
        let start = at;
        at = (at + CHUNK).min(to).min((at / 64 + 1) * 64);
        (start < to).then_some((start, at))
    })
}
