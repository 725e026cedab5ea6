//! Characters to frames and gaps.

use super::{LEAST_GAP, PREAMBLE};
use crate::character::{START, TERMINATE};
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

/// Collects the frame that the line is in. Places are in characters; those of a frame come in order.
#[derive(Debug)]
pub(crate) struct Assembler {
    /// Where the gap began.
    end: u64,
    start: Option<u64>,
    /// Behind the start: the rest of the preamble and the frame.
    bytes: Vec<u8>,
    longest: usize,
    /// A preamble may be one byte short.
    short_preamble: bool,
    pub(crate) frames: u64,
    pub(crate) good: u64,
    pub(crate) short_gaps: u64,
}

impl Assembler {
    /// For frames of up to `longest` bytes, their check sequence included.
    pub(crate) fn new(longest: usize) -> Self {
        Self {
            end: 0,
            start: None,
            bytes: Vec::with_capacity(longest + 2 * SLACK),
            longest,
            short_preamble: false,
            frames: 0,
            good: 0,
            short_gaps: 0,
        }
    }

    /// For a line on which a sender may leave out a byte of the preamble.
    pub(crate) fn with_short_preambles(longest: usize) -> Self {
        Self { short_preamble: true, ..Self::new(longest) }
    }

    /// Whether there is a start without an end.
    #[inline]
    pub(crate) fn in_frame(&self) -> bool {
        self.start.is_some()
    }

    /// Where the last terminate was.
    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    /// The start of a frame, in the place of its first byte of preamble.
    #[inline]
    pub(crate) fn start(&mut self, at: u64, visit: &mut impl FnMut(Captured<'_>)) {
        self.finish(true, visit);
        self.start = Some(at);
        self.bytes.clear();
    }

    /// A byte within a frame.
    #[inline]
    pub(crate) fn octet(&mut self, octet: u8, visit: &mut impl FnMut(Captured<'_>)) {
        if self.start.is_some() {
            self.bytes.push(octet);
            if self.too_long() {
                self.finish(true, visit);
            }
        }
    }

    /// Eight bytes within a frame.
    #[inline]
    pub(crate) fn octets(&mut self, octets: u64) {
        self.bytes.extend_from_slice(&octets.to_le_bytes());
    }

    /// Words of data within a frame.
    #[inline]
    pub(crate) fn run(&mut self, first: u64, rest: &[u64]) {
        // What is too long is not kept.
        let begin = self.bytes.len();
        let room = (self.longest + SLACK).saturating_sub(begin) / 8;
        let kept = &rest[..rest.len().min(room)];
        self.bytes.resize(begin + 8 + 8 * kept.len(), 0);
        let (eights, _) = self.bytes[begin..].as_chunks_mut::<8>();
        for (eight, word) in eights.iter_mut().zip(std::iter::once(&first).chain(kept)) {
            *eight = word.to_le_bytes();
        }
    }

    /// A frame in one piece: what is behind the first `skipped` bytes of some words, and some bytes of another.
    #[inline]
    pub(crate) fn whole(
        &mut self,
        start: u64,
        (words, skipped): (&[u64], usize),
        (last, end): (u64, usize),
        visit: &mut impl FnMut(Captured<'_>),
    ) {
        // The preamble is put where the skipped part of it comes to its end.
        let lead = REST_OF_PREAMBLE.len() - skipped;
        self.bytes.resize(lead + 8 * words.len() + 8, 0);
        self.bytes[..lead].copy_from_slice(&REST_OF_PREAMBLE[..lead]);
        let (eights, _) = self.bytes[lead..].as_chunks_mut::<8>();
        for (eight, word) in eights.iter_mut().zip(words.iter().chain([&last])) {
            *eight = word.to_le_bytes();
        }
        self.bytes.truncate(lead + 8 * words.len() + end);
        self.start = Some(start);
        self.finish(false, visit);
    }

    /// Whether so many bytes behind the preamble may be a frame.
    #[inline]
    pub(crate) fn takes(&self, bytes: usize) -> bool {
        bytes <= self.longest
    }

    #[inline]
    pub(crate) fn too_long(&self) -> bool {
        self.start.is_some() && self.bytes.len() > self.longest + SLACK
    }

    /// A word, the first character of which is at a place.
    pub(crate) fn characters(&mut self, at: u64, word: Word, visit: &mut impl FnMut(Captured<'_>)) {
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
                self.start(at + lane as u64, visit);
            } else if self.start.is_some() {
                self.finish(octets[lane] != TERMINATE, visit);
            }
            lane += 1;
        }
    }

    /// The frame, if there is one, is at its end, or cut.
    pub(crate) fn finish(&mut self, cut: bool, visit: &mut impl FnMut(Captured<'_>)) {
        let Some(start) = self.start.take() else { return };
        let gap = start.saturating_sub(self.end);
        self.end = start + PREAMBLE + self.bytes.len().saturating_sub(7) as u64;
        let shorter = if self.short_preamble { &REST_OF_PREAMBLE[1..] } else { &REST_OF_PREAMBLE };
        let frame = self.bytes.strip_prefix(&REST_OF_PREAMBLE);
        let (frame, verdict) = match frame.or_else(|| self.bytes.strip_prefix(shorter)) {
            None => (&self.bytes[..], Verdict::BadPreamble),
            Some(frame) if frame.len() > self.longest => {
                (&frame[..self.longest], Verdict::Oversize)
            }
            Some(frame) if cut => (frame, Verdict::Cut),
            Some(frame) if frame.len() < SHORTEST => (frame, Verdict::Runt),
            Some(frame) if fcs::is_good(frame) => (frame, Verdict::Good),
            Some(frame) => (frame, Verdict::BadFcs),
        };
        self.frames += 1;
        self.good += u64::from(verdict == Verdict::Good);
        self.short_gaps += u64::from(self.frames > 1 && gap < LEAST_GAP);
        visit(Captured { start, gap, frame, verdict });
    }
}
