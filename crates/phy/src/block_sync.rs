//! Block synchronisation (IEEE 802.3 figure 49-14): where blocks begin in a stream of bits.
//!
//! A window of 64 headers ends with its last one, good or bad, and the next one begins from zero: the variant
//! of the standard, where descriptions of it differ. The offset goes from 65 to 0.

use crate::block::{CONTROL, DATA};

/// Headers that lock, and of a window.
const WINDOW: u32 = 64;
/// Bad headers in a window that unlock.
const MOST_BAD: u32 = 16;

/// Watches sync headers.
#[derive(Debug, Clone, Default)]
pub struct BlockSync {
    headers: u32,
    bad: u32,
    locked: bool,
    offset: u8,
}

/// What a header asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Nothing.
    Stay,
    /// The next block begins one bit later.
    Slip,
}

impl BlockSync {
    /// Takes the next header.
    pub fn header(&mut self, header: u8) -> Step {
        let good = header == DATA || header == CONTROL;
        self.headers += 1;
        self.bad += u32::from(!good);
        if !good && (!self.locked || self.bad == MOST_BAD) {
            self.locked = false;
            (self.headers, self.bad) = (0, 0);
            self.offset = if self.offset == 65 { 0 } else { self.offset + 1 };
            return Step::Slip;
        }
        if self.headers == WINDOW {
            if self.bad == 0 {
                self.locked = true;
            }
            (self.headers, self.bad) = (0, 0);
        }
        Step::Stay
    }

    /// Whether blocks are aligned.
    pub fn locked(&self) -> bool {
        self.locked
    }

    /// Bits left out so far, 0 to 65.
    pub fn offset(&self) -> u8 {
        self.offset
    }
}
