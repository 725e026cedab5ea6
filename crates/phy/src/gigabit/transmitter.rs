//! Frames and gaps to code-groups (IEEE 802.3 figures 36-5 and 36-6).

use super::ordered_set::{COMMA, END, Filling, REPEAT, START};
use crate::eight_b_ten_b::{Disparity, Octet, encode};
use crate::stream::{Placement, Rounding};

/// The preamble behind /S/.
const PREAMBLE: [u8; 7] = [0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0xd5];

/// Writes frames as code-groups, one of which is a number of ten bits, bit 0 first on the line. The first one is at place 0, which is
/// even.
#[derive(Debug, Clone)]
pub struct Transmitter {
    placement: Placement,
    disparity: Disparity,
    /// Characters so far, where the next gap begins: at the /T/.
    at: u64,
    /// Code-groups so far, an even number between calls.
    sent: u64,
    /// The next configuration set is /C2/.
    second: bool,
}

impl Transmitter {
    /// With a rule for gaps behind which a frame would start at an odd place.
    pub fn new(rounding: Rounding) -> Self {
        Self {
            placement: Placement::at_multiples(rounding, 2),
            disparity: Disparity::default(),
            at: 0,
            sent: 0,
            second: false,
        }
    }

    /// Characters so far, the last frame's /T/ not included.
    pub fn at(&self) -> u64 {
        self.at
    }

    /// A gap of characters, /T/ of the frame before counted, and a frame, which has its check sequence; gives the
    /// gap as it is, which is 4 or more behind a frame.
    pub fn frame(&mut self, gap: u64, frame: &[u8], visit: &mut impl FnMut(u16)) -> u64 {
        // A receiver wants an ordered set of idle between frames.
        let least = if self.at > 0 { self.sent + 2 } else { self.sent };
        let start = self.placement.place(self.at.saturating_add(gap), least);
        self.idle_until(start, visit);
        let gap = start - self.at;
        self.octet(START, visit);
        PREAMBLE.iter().chain(frame).for_each(|value| self.octet(Octet::data(*value), visit));
        self.at = self.sent;
        self.octet(END, visit);
        self.octet(REPEAT, visit);
        if self.sent % 2 == 1 {
            self.octet(REPEAT, visit);
        }
        gap
    }

    /// Idle up to this many characters from the beginning, rounded up to whole ordered sets.
    pub fn idle_until(&mut self, at: u64, visit: &mut impl FnMut(u16)) {
        while self.sent < at {
            let set = match self.disparity {
                Disparity::Positive => Filling::Idle1,
                Disparity::Negative => Filling::Idle2,
            };
            self.filling(set, visit);
        }
    }

    /// A configuration set with a register: /C1/ and /C2/ in turn. They count as a gap.
    pub fn configuration(&mut self, register: u16, visit: &mut impl FnMut(u16)) {
        let set = if self.second { Filling::Configuration2 } else { Filling::Configuration1 };
        self.second = !self.second;
        self.filling(set, visit);
        for value in register.to_le_bytes() {
            self.octet(Octet::data(value), visit);
        }
    }

    fn filling(&mut self, set: Filling, visit: &mut impl FnMut(u16)) {
        self.octet(COMMA, visit);
        self.octet(set.second().expect("not any"), visit);
    }

    #[inline]
    fn octet(&mut self, octet: Octet, visit: &mut impl FnMut(u16)) {
        let (code_group, disparity) = encode(octet, self.disparity).expect("an octet that has one");
        self.disparity = disparity;
        self.sent += 1;
        visit(code_group);
    }
}
