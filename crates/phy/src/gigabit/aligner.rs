//! Where code-groups begin in a stream of bits: at commas (IEEE 802.3 clause 36.3.2.4).

use crate::eight_b_ten_b::is_comma;

const MASK: u32 = 0x3ff;

/// Takes ten bits at a time, from anywhere on, and gives ten that begin where a comma began last. So there is one
/// code-group out for each word in, later by less than two.
#[derive(Debug, Clone, Default)]
pub struct Aligner {
    /// Ten bits that were taken.
    last: u32,
    phase: u32,
}

impl Aligner {
    /// Takes a word, of which the low ten bits count, bit 0 first on the line; gives a code-group. If it may `realign`, each comma says
    /// anew where code-groups begin.
    #[inline]
    pub fn word(&mut self, word: u16, realign: bool) -> u16 {
        let window = self.last | (u32::from(word) & MASK) << 10;
        self.last = window >> 10;
        if realign && let Some(phase) = (0..10).find(|phase| is_comma((window >> phase) as u16)) {
            self.phase = phase;
        }
        (window >> self.phase & MASK) as u16
    }

    /// Bits from the first one of a word to the first one of a code-group, 0 to 9.
    pub fn phase(&self) -> u32 {
        self.phase
    }
}
