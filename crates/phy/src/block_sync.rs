//! Block synchronisation (IEEE 802.3 figure 49-14): where blocks begin in a stream of bits.
//!
//! A window of 64 headers ends with its last one, good or bad, and the next one begins from zero: the variant
//! of the standard, where descriptions of it differ. The offset goes from 65 to 0. A lane of 40GBASE-R locks in the same way, and is
//! watched in longer windows (figure 82-10).

use crate::block::{CONTROL, DATA};

/// Good headers in a row that lock.
const TO_LOCK: u32 = 64;

/// Watches sync headers.
#[derive(Debug, Clone)]
pub struct BlockSync {
    /// Headers of a window while locked.
    window: u32,
    /// Bad headers in it that unlock.
    most_bad: u32,
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

impl Default for BlockSync {
    /// As 10GBASE-R has it: 16 bad headers of 64 unlock.
    fn default() -> Self {
        Self { window: 64, most_bad: 16, headers: 0, bad: 0, locked: false, offset: 0 }
    }
}

impl BlockSync {
    /// As a lane of 40GBASE-R has it: 65 bad headers of 1024 unlock.
    pub fn of_lane() -> Self {
        Self { window: 1024, most_bad: 65, ..Self::default() }
    }

    /// Takes the next header.
    pub fn header(&mut self, header: u8) -> Step {
        let good = header == DATA || header == CONTROL;
        self.headers += 1;
        self.bad += u32::from(!good);
        if !good && (!self.locked || self.bad == self.most_bad) {
            self.locked = false;
            (self.headers, self.bad) = (0, 0);
            self.offset = if self.offset == 65 { 0 } else { self.offset + 1 };
            return Step::Slip;
        }
        if self.headers == if self.locked { self.window } else { TO_LOCK } {
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

    /// Bits slipped so far, 0 to 65.
    pub fn offset(&self) -> u8 {
        self.offset
    }
}
