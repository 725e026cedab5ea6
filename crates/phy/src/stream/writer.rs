//! Frames and gaps to blocks.

use super::placement::{Placement, Rounding};
use super::ring::Ring;
use crate::block::{TYPE_START_0, TYPE_START_4, TYPES_TERMINATE};
use crate::coding::Coding;

const PREAMBLE: u64 = 0xd555_5555_5555_5500;

/// Writes frames as blocks into a ring.
#[derive(Debug, Clone, Default)]
pub struct Writer {
    placement: Placement,
    /// Characters so far: where the next gap begins.
    at: u64,
    /// Whole blocks so far; the block of the last terminate is among them.
    blocks: u64,
}

impl Writer {
    /// With a rule for gaps that cannot be as they are wished, at 10 Gb/s.
    pub fn new(rounding: Rounding) -> Self {
        Self::with_coding(Coding::Xgmii, rounding)
    }

    /// With a rule for gaps that cannot be as they are wished, for blocks of 10 or 40 Gb/s.
    pub fn with_coding(coding: Coding, rounding: Rounding) -> Self {
        let placement = match coding {
            Coding::Xgmii => Placement::new(rounding),
            Coding::Xlgmii => Placement::at_multiples(rounding, 8),
        };
        Self { placement, ..Self::default() }
    }

    /// Characters so far, the last frame's terminate not included.
    pub fn at(&self) -> u64 {
        self.at
    }

    /// A gap and a frame, which has its check sequence and 8 bytes or more; gives the gap as it is.
    pub fn frame<E, F>(&mut self, ring: &mut Ring<F>, gap: u64, frame: &[u8]) -> Result<u64, E>
    where
        F: FnMut(&[u8], &mut [u64]) -> Result<(), E>,
    {
        assert!(frame.len() >= 8, "a frame of {} bytes", frame.len());
        let start = self.placement.place(self.at.saturating_add(gap), 8 * self.blocks);
        ring.idle(start / 8 - self.blocks)?;
        let starts_late = !start.is_multiple_of(8);
        let (head, octets) = frame.split_at(if starts_late { 4 } else { 0 });
        let (eights, rest) = octets.as_chunks::<8>();
        // The bytes that are left are the upper ones of the last eight.
        let last = u64::from_le_bytes(*frame.last_chunk().expect("it has 8 bytes or more"));
        let tail = if rest.is_empty() { 0 } else { last >> (64 - 8 * rest.len()) << 8 };
        let end = tail | u64::from(TYPES_TERMINATE[rest.len()]);
        let front = if let [a, b, c, d] = *head {
            let head = u64::from(u32::from_le_bytes([a, b, c, d]));
            let second = PREAMBLE >> 32 | head << 32;
            ring.run(PREAMBLE << 32 | u64::from(TYPE_START_4), Some(second), eights, end)?;
            2
        } else {
            ring.run(PREAMBLE | u64::from(TYPE_START_0), None, eights, end)?;
            1
        };
        let gap = start - self.at;
        self.blocks = start / 8 + front + eights.len() as u64 + 1;
        self.at = start + super::PREAMBLE + frame.len() as u64;
        Ok(gap)
    }

    /// Idle up to this many characters from the beginning, rounded up to whole blocks.
    pub fn idle_until<E, F>(&mut self, ring: &mut Ring<F>, at: u64) -> Result<(), E>
    where
        F: FnMut(&[u8], &mut [u64]) -> Result<(), E>,
    {
        let blocks = at.div_ceil(8).max(self.blocks);
        ring.idle(blocks - self.blocks)?;
        self.blocks = blocks;
        Ok(())
    }
}
