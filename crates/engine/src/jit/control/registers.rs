//! Registers.

use crate::bits::Bits;
use crate::objects::Cells;

/// Registers of up to so many words in all are one piece of memory, which is quicker. The system
/// hands it out page by page, as it is written to.
const DENSE_WORDS: u64 = 1 << 20;

/// A register: cells of one width, each in as many 64-bit words as it needs, the lowest first.
#[derive(Clone, Debug)]
pub struct Register {
    size: u64,
    /// Words of a cell.
    words: usize,
    initial: Box<[u64]>,
    storage: Storage,
}

#[derive(Clone, Debug)]
enum Storage {
    Dense(Vec<u64>),
    Sparse(Cells<Box<[u64]>>),
}

impl Register {
    /// Of so many cells of this value.
    pub(super) fn new(size: u64, initial: &Bits) -> Self {
        let mut cell = Vec::new();
        super::records::push_words(initial, &mut cell);
        let words = cell.len();
        let initial = cell.into_boxed_slice();
        let storage = match size.checked_mul(words as u64) {
            Some(all) if all <= DENSE_WORDS => Storage::Dense(dense(size, &initial)),
            _ => Storage::Sparse(Cells::new(size, initial.clone())),
        };
        Self { size, words, initial, storage }
    }

    /// Words of a cell.
    pub fn words(&self) -> usize {
        self.words
    }

    /// A cell; `None` beyond the end.
    pub fn get(&self, index: u64) -> Option<&[u64]> {
        match &self.storage {
            Storage::Dense(cells) => {
                let at = self.position(index)?;
                cells.get(at..at + self.words)
            }
            Storage::Sparse(cells) => cells.get(index).map(|cell| &**cell),
        }
    }

    /// A cell to be changed; `None` beyond the end. Bits above the width must stay zero.
    pub fn get_mut(&mut self, index: u64) -> Option<&mut [u64]> {
        let at = self.position(index)?;
        match &mut self.storage {
            Storage::Dense(cells) => cells.get_mut(at..at + self.words),
            Storage::Sparse(cells) => cells.get_mut(index).map(|cell| &mut **cell),
        }
    }

    fn position(&self, index: u64) -> Option<usize> {
        (index < self.size).then(|| index as usize * self.words)
    }

    /// Gives all cells one value.
    pub(super) fn fill(&mut self, value: &Bits) {
        let mut cell = Vec::with_capacity(self.words);
        super::records::push_words(value, &mut cell);
        match &mut self.storage {
            Storage::Dense(cells) => {
                cells.chunks_exact_mut(self.words).for_each(|c| c.copy_from_slice(&cell));
            }
            Storage::Sparse(cells) => cells.fill(cell.into()),
        }
    }

    /// Gives all cells their value from the start.
    pub(super) fn reset(&mut self) {
        let initial = self.initial.clone();
        match &mut self.storage {
            Storage::Dense(cells) => *cells = dense(self.size, &initial),
            Storage::Sparse(cells) => cells.fill(initial),
        }
    }

    /// The next cells, from index `from` on, that may be other than zero: the first, and the one
    /// behind the last.
    pub(super) fn next_used(&self, from: u64) -> Option<(u64, u64)> {
        match &self.storage {
            Storage::Sparse(cells) if cells.initial().iter().all(|word| *word == 0) => {
                cells.next_used(from)
            }
            _ => (from < self.size).then_some((from, self.size)),
        }
    }
}

/// So many cells of one value, in memory that is touched only if it is not zero.
fn dense(size: u64, initial: &[u64]) -> Vec<u64> {
    match initial.iter().all(|word| *word == 0) {
        true => vec![0; initial.len() * size as usize],
        false => initial.repeat(size as usize),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_and_sparse_ones_behave_alike() {
        for size in [100, ww_p4::limits::MOST_CELLS] {
            let mut register = Register::new(size, &Bits::new(100, 3));
            assert_eq!(register.get(99), Some(&[3, 0][..]));
            register.get_mut(7).expect("inside").copy_from_slice(&[1, 2]);
            assert_eq!(register.get(7), Some(&[1, 2][..]));
            assert_eq!(register.get(8), Some(&[3, 0][..]));
            assert!(register.get(size).is_none() && register.get_mut(size).is_none());
            register.fill(&Bits::new(100, 5 << 64));
            assert_eq!(register.get(7), Some(&[0, 5][..]));
            register.reset();
            assert_eq!(register.get(7), Some(&[3, 0][..]));
            assert_eq!(register.next_used(4), Some((4, size)));
        }
    }
}
