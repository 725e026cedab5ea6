//! The cells of one pair at their destination, which arrive out of order and leave in order.

use std::collections::VecDeque;

/// Which sequence numbers have arrived. Memory grows with the distance between the first that is missing and the last that
/// has arrived, not with their number.
#[derive(Debug, Default)]
pub struct Reorder {
    /// The first that is missing.
    expected: u64,
    /// `early[k]`: whether `expected + 1 + k` has arrived. Empty, or its last is true.
    early: VecDeque<bool>,
    held: u64,
}

impl Reorder {
    /// The first number that has not arrived.
    pub fn expected(&self) -> u64 {
        self.expected
    }

    /// Notes an arrival, which must be the first of its number. Returns how many cells are now held, because one before
    /// them is missing.
    pub fn arrive(&mut self, seq: u64) -> u64 {
        if seq == self.expected {
            self.expected += 1;
            while let Some(arrived) = self.early.pop_front() {
                if !arrived {
                    break;
                }
                self.expected += 1;
                self.held -= 1;
            }
        } else {
            let place = (seq - self.expected - 1) as usize;
            if self.early.len() <= place {
                self.early.resize(place + 1, false);
            }
            self.early[place] = true;
            self.held += 1;
        }
        self.held
    }
}
