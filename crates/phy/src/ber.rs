//! Monitor of the bit error ratio (IEEE 802.3 figure 49-15).

use crate::block::{CONTROL, DATA};

/// Bad headers in a window that are too many.
const MOST_BAD: u32 = 16;

/// Blocks in 125 us of 10GBASE-R.
pub const WINDOW: u32 = 19_531;

/// Bad headers in a window that are too many at 40GBASE-R.
const MOST_BAD_40G: u32 = 97;

/// Blocks of all lanes in 1.25 ms of 40GBASE-R.
pub const WINDOW_40G: u32 = 781_250;

/// 16 bad sync headers (97 at 40GBASE-R) within a window raise `hi_ber`; it falls at the end of a window with fewer. Headers count
/// only while blocks are aligned.
#[derive(Debug, Clone)]
pub struct BerMonitor {
    window: u32,
    most_bad: u32,
    headers: u32,
    bad: u32,
    hi_ber: bool,
}

impl Default for BerMonitor {
    fn default() -> Self {
        Self::new(WINDOW)
    }
}

impl BerMonitor {
    /// A monitor with a window of this many headers, 16 or more.
    pub fn new(window: u32) -> Self {
        assert!(window >= MOST_BAD, "a window of {window} headers cannot have {MOST_BAD} bad ones");
        Self { window, most_bad: MOST_BAD, headers: 0, bad: 0, hi_ber: false }
    }

    /// As 40GBASE-R has it (clause 82): 97 bad headers in 1.25 ms.
    pub fn of_40g() -> Self {
        Self { most_bad: MOST_BAD_40G, ..Self::new(WINDOW_40G) }
    }

    /// Processes the next header; returns `hi_ber`.
    pub fn header(&mut self, header: u8, locked: bool) -> bool {
        if !locked {
            (self.headers, self.bad, self.hi_ber) = (0, 0, false);
            return false;
        }
        self.headers += 1;
        if header != DATA && header != CONTROL {
            self.bad += 1;
            self.hi_ber |= self.bad >= self.most_bad;
        }
        if self.headers == self.window {
            self.hi_ber = self.bad >= self.most_bad;
            (self.headers, self.bad) = (0, 0);
        }
        self.hi_ber
    }

    /// Whether there are too many errors.
    pub fn hi_ber(&self) -> bool {
        self.hi_ber
    }
}
