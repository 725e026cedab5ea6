//! Blocks to frames and gaps.

use super::{LEAST_GAP, PREAMBLE};
use crate::block::Block;
use crate::character::{START, TERMINATE};
use crate::decoder::Decoder;
use crate::fcs;

/// What a start and the rest of a preamble are followed by.
const REST_OF_PREAMBLE: [u8; 7] = [0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0xd5];

/// Bytes of the shortest frame, with its check sequence.
const SHORTEST: usize = 64;

/// What is to be thought of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// Whole, and its check sequence is right.
    Good,
    /// Its check sequence is wrong.
    BadFcs,
    /// A character that is neither data nor a terminate ended it.
    Cut,
    /// It has fewer than 64 bytes.
    Runt,
    /// It is longer than the reader takes; what is given is its beginning.
    Oversize,
    /// What is behind its start is not a preamble.
    BadPreamble,
}

/// A frame that was found.
#[derive(Debug, Clone, Copy)]
pub struct Captured<'a> {
    /// Place of its start, in characters from the first block on.
    pub start: u64,
    /// Characters in front of it from the terminate of the frame before, or from the first block.
    pub gap: u64,
    /// Its bytes, with the check sequence.
    pub frame: &'a [u8],
    /// Whether to believe them.
    pub verdict: Verdict,
}

/// What a reader has seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReaderCounts {
    /// Blocks.
    pub blocks: u64,
    /// Blocks that could not be decoded where they stood.
    pub bad_blocks: u64,
    /// Frames of any verdict.
    pub frames: u64,
    /// Good ones.
    pub good: u64,
    /// Gaps shorter than 12 characters. A mean of 12 has gaps of 9 to 15.
    pub short_gaps: u64,
}

/// Finds frames in descrambled blocks.
#[derive(Debug)]
pub struct Reader {
    decoder: Decoder,
    /// Of the word that the decoder gives next, in characters; the first one is of no block.
    at: i64,
    /// Where the gap began.
    end: u64,
    start: Option<u64>,
    /// Behind the start: the rest of the preamble and the frame.
    bytes: Vec<u8>,
    longest: usize,
    counts: ReaderCounts,
}

impl Reader {
    /// For frames of up to `longest` bytes, their check sequence included.
    pub fn new(longest: usize) -> Self {
        Self {
            decoder: Decoder::default(),
            at: -8,
            end: 0,
            start: None,
            bytes: Vec::with_capacity(longest + 16),
            longest,
            counts: ReaderCounts::default(),
        }
    }

    /// Takes a block; `visit` gets the frame that ends in the block before it, if one does.
    #[inline]
    pub fn block(&mut self, block: Block, visit: &mut impl FnMut(Captured<'_>)) {
        let word = self.decoder.decode(block);
        self.counts.blocks += 1;
        if word.control == 0 && self.start.is_some() {
            self.bytes.extend_from_slice(&word.data.to_le_bytes());
            if self.bytes.len() > self.longest + REST_OF_PREAMBLE.len() + 8 {
                self.finish(true, visit);
            }
        } else if let Ok(at) = u64::try_from(self.at) {
            self.characters(at, word.lanes(), visit);
        }
        self.at += 8;
    }

    /// Blocks, in the form in which memory holds them.
    pub fn blocks(
        &mut self,
        headers: &[u8],
        payloads: &[u64],
        visit: &mut impl FnMut(Captured<'_>),
    ) {
        for (header, payload) in headers.iter().zip(payloads) {
            self.block(Block { header: *header, payload: *payload }, visit);
        }
    }

    /// The stream is at its end: as if idle followed.
    pub fn finish_stream(&mut self, visit: &mut impl FnMut(Captured<'_>)) {
        self.block(Block::IDLE, visit);
        self.counts.blocks -= 1;
        if self.start.is_some() {
            self.finish(true, visit);
        }
    }

    /// What it has seen.
    pub fn counts(&self) -> ReaderCounts {
        ReaderCounts { bad_blocks: self.decoder.errors(), ..self.counts }
    }

    /// Characters that no frame has, from the last terminate on.
    pub fn idle_at_end(&self) -> u64 {
        u64::try_from(self.at).unwrap_or(0).saturating_sub(self.end)
    }

    fn characters(
        &mut self,
        at: u64,
        lanes: [(bool, u8); 8],
        visit: &mut impl FnMut(Captured<'_>),
    ) {
        for (lane, (control, octet)) in lanes.into_iter().enumerate() {
            let at = at + lane as u64;
            match (control, octet) {
                (false, _) if self.start.is_some() => self.bytes.push(octet),
                (true, START) => {
                    if self.start.is_some() {
                        self.finish(true, visit);
                    }
                    self.start = Some(at);
                    self.bytes.clear();
                }
                (true, _) if self.start.is_some() => self.finish(octet != TERMINATE, visit),
                _ => {}
            }
        }
    }

    fn finish(&mut self, cut: bool, visit: &mut impl FnMut(Captured<'_>)) {
        let Some(start) = self.start.take() else { return };
        let gap = start.saturating_sub(self.end);
        self.end = start + PREAMBLE + self.bytes.len().saturating_sub(7) as u64;
        let (frame, verdict) = match self.bytes.strip_prefix(&REST_OF_PREAMBLE) {
            None => (&self.bytes[..], Verdict::BadPreamble),
            Some(frame) if frame.len() > self.longest => {
                (&frame[..self.longest], Verdict::Oversize)
            }
            Some(frame) if cut => (frame, Verdict::Cut),
            Some(frame) if frame.len() < SHORTEST => (frame, Verdict::Runt),
            Some(frame) if fcs::is_good(frame) => (frame, Verdict::Good),
            Some(frame) => (frame, Verdict::BadFcs),
        };
        self.counts.frames += 1;
        self.counts.good += u64::from(verdict == Verdict::Good);
        self.counts.short_gaps += u64::from(self.counts.frames > 1 && gap < LEAST_GAP);
        visit(Captured { start, gap, frame, verdict });
    }
}
