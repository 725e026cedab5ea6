//! Blocks to frames and gaps.

use super::assembler::{Assembler, Captured};
use crate::block::{Block, CONTROL, DATA, ENDS, TYPE_START_0, TYPE_START_4};
use crate::coding::Coding;
use crate::decoder::Decoder;

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

/// Blocks with a start and the first bytes of a preamble.
const START_0: u64 = 0xd555_5555_5555_5500 | TYPE_START_0 as u64;
const START_4: u64 = 0x5555_5500_0000_0000 | TYPE_START_4 as u64;

/// Finds frames in descrambled blocks.
#[derive(Debug)]
pub struct Reader {
    decoder: Decoder,
    /// Of the word that the decoder gives next, in characters; the first one is of no block.
    at: i64,
    assembler: Assembler,
    blocks: u64,
}

impl Reader {
    /// For frames of up to `longest` bytes, their check sequence included, at 10 Gb/s.
    pub fn new(longest: usize) -> Self {
        Self::with_coding(Coding::Xgmii, longest)
    }

    /// For frames of up to `longest` bytes, their check sequence included, in blocks of 10 or 40 Gb/s.
    pub fn with_coding(coding: Coding, longest: usize) -> Self {
        let decoder = Decoder::new(coding);
        Self { decoder, at: -8, assembler: Assembler::new(longest), blocks: 0 }
    }

    /// Takes a block; `visit` gets the frame that ends in the block before it, if one does.
    #[inline]
    pub fn block(&mut self, block: Block, visit: &mut impl FnMut(Captured<'_>)) {
        let word = self.decoder.decode(block);
        self.blocks += 1;
        if word.control == 0 && self.assembler.in_frame() {
            self.assembler.octets(word.data);
            if self.assembler.too_long() {
                self.assembler.finish(true, visit);
            }
        } else if let Ok(at) = u64::try_from(self.at) {
            self.assembler.characters(at, word, visit);
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
            // The start of the next frame is the last block that was taken.
            if n > 0 && self.decoder.holds_start() {
                let (start, headers, payloads) = (payloads[n - 1], &headers[n..], &payloads[n..]);
                if let Some(taken) = self.whole(start, headers, payloads, visit) {
                    n += taken;
                    continue;
                }
            }
            let data = if self.assembler.in_frame() {
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
                self.blocks += idle as u64;
                n += idle;
                if n < count {
                    self.block(Block { header: headers[n], payload: payloads[n] }, visit);
                    n += 1;
                }
            } else {
                self.block(Block { header: headers[n], payload: payloads[n] }, visit);
                n += 1;
            }
            if self.assembler.too_long() {
                self.assembler.finish(true, visit);
            }
        }
    }

    /// A frame without a fault, whose blocks and one more are all here, and whose start is held: as many blocks as were taken.
    #[inline]
    fn whole(
        &mut self,
        start: u64,
        headers: &[u8],
        payloads: &[u64],
        visit: &mut impl FnMut(Captured<'_>),
    ) -> Option<usize> {
        // The other half of a late preamble is in the first block of data.
        let skipped = match start {
            START_0 => 0,
            START_4 => 4,
            _ => return None,
        };
        let data = headers.iter().position(|header| *header != DATA)?;
        let [CONTROL, CONTROL] = headers.get(data..data + 2)? else { return None };
        let (last, behind) = (payloads[data], payloads[data + 1]);
        let end = usize::from(ENDS[usize::from(last as u8)]?);
        // Behind the terminate there is idle, which is zeros.
        let is_clean = end == 7 || last >> (8 + 8 * end) == 0;
        let bytes = (8 * data + end).checked_sub(skipped)?;
        if !is_clean || !self.assembler.takes(bytes) {
            return None;
        }
        let at = u64::try_from(self.at).ok()? + skipped as u64;
        if !self.decoder.skip_frame(Block { header: CONTROL, payload: behind }) {
            return None;
        }
        self.assembler.whole(at, (&payloads[..data], skipped), (last >> 8, end), visit);
        self.at += 8 * (data as i64 + 2);
        self.blocks += data as u64 + 2;
        Some(data + 2)
    }

    /// A run of data within a frame; whether the decoder stood so that it could be taken.
    fn data(&mut self, payloads: &[u64]) -> bool {
        let Some((last, most)) = payloads.split_last() else { return false };
        let Some(first) = self.decoder.decode_data(*last) else { return false };
        self.at += 8 * payloads.len() as i64;
        self.blocks += payloads.len() as u64;
        self.assembler.run(first, most);
        true
    }

    /// The stream is at its end: as if idle followed.
    pub fn finish_stream(&mut self, visit: &mut impl FnMut(Captured<'_>)) {
        self.block(Block::IDLE, visit);
        self.blocks -= 1;
        self.assembler.finish(true, visit);
    }

    /// What it has seen.
    pub fn counts(&self) -> ReaderCounts {
        ReaderCounts {
            blocks: self.blocks,
            bad_blocks: self.decoder.errors(),
            frames: self.assembler.frames,
            good: self.assembler.good,
            short_gaps: self.assembler.short_gaps,
        }
    }

    /// Characters since the last frame, its terminate included: a gap that has not ended. The last block counts after
    /// [`finish_stream`](Self::finish_stream) only: a block is decoded when the next one is known.
    pub fn idle_at_end(&self) -> u64 {
        u64::try_from(self.at).unwrap_or(0).saturating_sub(self.assembler.end())
    }
}
