//! Blocks to frames and gaps.

use super::{LEAST_GAP, PREAMBLE};
use crate::block::{Block, CONTROL, DATA};
use crate::character::{START, TERMINATE};
use crate::decoder::Decoder;
use crate::fcs;
use crate::xgmii::Word;

/// What a start and the rest of a preamble are followed by.
const REST_OF_PREAMBLE: [u8; 7] = [0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0xd5];

/// Bytes of the shortest frame, with its check sequence.
const SHORTEST: usize = 64;

/// Bytes beyond the longest frame that are kept until it is clear that it is too long: the rest of the preamble, and a
/// block.
const SLACK: usize = REST_OF_PREAMBLE.len() + 8;

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
            bytes: Vec::with_capacity(longest + 2 * SLACK),
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
            if self.too_long() {
                self.finish(true, visit);
            }
        } else if let Ok(at) = u64::try_from(self.at) {
            self.characters(at, word, visit);
        }
        self.at += 8;
    }

    /// Blocks, in the form in which memory holds them. Runs of data and of idle are taken at once.
    pub fn blocks(
        &mut self,
        headers: &[u8],
        payloads: &[u64],
        visit: &mut impl FnMut(Captured<'_>),
    ) {
        let count = headers.len().min(payloads.len());
        let (headers, payloads) = (&headers[..count], &payloads[..count]);
        let mut n = 0;
        while n < count {
            let data = if self.start.is_some() {
                headers[n..].iter().position(|header| *header != DATA).unwrap_or(count - n)
            } else {
                0
            };
            if self.data(&payloads[n..n + data]) {
                n += data;
            } else if self.decoder.rests() && headers[n] == CONTROL {
                let idle = payloads[n..].iter().zip(&headers[n..]);
                let idle =
                    idle.take_while(|(p, h)| **p == Block::IDLE.payload && **h == CONTROL).count();
                self.at += 8 * idle as i64;
                self.counts.blocks += idle as u64;
                n += idle;
                if n < count {
                    self.block(Block { header: headers[n], payload: payloads[n] }, visit);
                    n += 1;
                }
            } else {
                self.block(Block { header: headers[n], payload: payloads[n] }, visit);
                n += 1;
            }
            if self.too_long() {
                self.finish(true, visit);
            }
        }
    }

    /// A run of data within a frame; whether the decoder stood so that it could be taken.
    fn data(&mut self, payloads: &[u64]) -> bool {
        let Some((last, most)) = payloads.split_last() else { return false };
        let Some(first) = self.decoder.decode_data(*last) else { return false };
        self.at += 8 * payloads.len() as i64;
        self.counts.blocks += payloads.len() as u64;
        // What is too long is not kept.
        let begin = self.bytes.len();
        let room = (self.longest + SLACK).saturating_sub(begin) / 8;
        let kept = &most[..most.len().min(room)];
        self.bytes.resize(begin + 8 + 8 * kept.len(), 0);
        let (eights, _) = self.bytes[begin..].as_chunks_mut::<8>();
        for (eight, word) in eights.iter_mut().zip(std::iter::once(&first).chain(kept)) {
            *eight = word.to_le_bytes();
        }
        true
    }

    fn too_long(&self) -> bool {
        self.start.is_some() && self.bytes.len() > self.longest + SLACK
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

    fn characters(&mut self, at: u64, word: Word, visit: &mut impl FnMut(Captured<'_>)) {
        let octets = word.data.to_le_bytes();
        let mut lane = 0;
        while lane < 8 {
            let data = ((word.control >> lane).trailing_zeros() as usize).min(8 - lane);
            if self.start.is_some() {
                self.bytes.extend_from_slice(&octets[lane..][..data]);
            }
            lane += data;
            if lane == 8 {
                return;
            }
            if octets[lane] == START {
                self.finish(true, visit);
                self.start = Some(at + lane as u64);
                self.bytes.clear();
            } else if self.start.is_some() {
                self.finish(octets[lane] != TERMINATE, visit);
            }
            lane += 1;
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
