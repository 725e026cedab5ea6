//! What a host keeps of the cells that have come for it: of each source the first number that is missing, as far as it has looked.
//!
//! Hardware has a window of bits, in rows, and looks at some rows in a slot. So what it tells a source may be older than what has come.

use std::collections::BTreeSet;

/// Numbers of a row of the window.
const ROW: u64 = 16;
/// Rows that a host looks at in a slot.
const ROWS_OF_A_SLOT: usize = 4;

/// The cells of a pair at its destination.
#[derive(Debug, Default)]
pub struct Came {
    /// The first number that is missing, as far as the host has looked.
    pub missing: u64,
    /// Numbers from there on that have come.
    come: BTreeSet<u64>,
}

impl Came {
    /// A cell has come. Returns whether it is the first with this number.
    pub fn arrive(&mut self, number: u64) -> bool {
        number >= self.missing && self.come.insert(number)
    }

    /// Numbers before this one do not count any more, and none has come.
    pub fn restart(&mut self, next: u64) {
        *self = Self { missing: next, come: BTreeSet::new() };
    }

    /// Looks at a row. Returns whether the first number that is missing is in the next one, or behind it.
    pub fn look(&mut self) -> bool {
        let next_row = (self.missing / ROW + 1) * ROW;
        while self.missing < next_row {
            if !self.come.remove(&self.missing) {
                return false;
            }
            self.missing += 1;
        }
        true
    }
}

/// Sources of which a host has to look at more rows.
#[derive(Clone, Debug, Default)]
pub struct Looks(BTreeSet<u16>);

impl Looks {
    /// A cell of a source has come.
    pub fn add(&mut self, source: u16) {
        self.0.insert(source);
    }

    /// The numbers of a source begin anew.
    pub fn forget(&mut self, source: u16) {
        self.0.remove(&source);
    }

    /// The rows of a slot, each of the source with the least number; `look` is [`Came::look`] of its cells.
    pub fn look(&mut self, mut look: impl FnMut(u16) -> bool) {
        for _ in 0..ROWS_OF_A_SLOT {
            let Some(&source) = self.0.first() else { return };
            if !look(source) {
                self.0.remove(&source);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers 3 to 99 come before 2: rows end at 16, 32, 48 and 64 in the first slot, and the rest is looked at in the second.
    #[test]
    fn a_host_looks_at_four_rows_in_a_slot() {
        let mut came = Came::default();
        let mut looks = Looks::default();
        for number in [0, 1].into_iter().chain(3..100) {
            assert!(came.arrive(number));
            looks.add(5);
        }
        looks.look(|_| came.look());
        assert_eq!(came.missing, 2);
        assert!(came.arrive(2) && !came.arrive(2) && !came.arrive(0));
        looks.add(5);
        looks.look(|source| source == 5 && came.look());
        assert_eq!(came.missing, 64);
        looks.look(|_| came.look());
        assert_eq!(came.missing, 100);
        assert!(looks.0.is_empty());
    }
}
