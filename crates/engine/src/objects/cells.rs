//! Arrays that may be declared much larger than they are used.

use std::collections::BTreeMap;

/// Up to this many cells are allocated at once.
const DENSE_LIMIT: u64 = 1 << 20;

/// An array in which every cell has the same value at first.
#[derive(Clone, Debug)]
pub struct Cells<T> {
    size: u64,
    initial: T,
    storage: Storage<T>,
}

#[derive(Clone, Debug)]
enum Storage<T> {
    Dense(Vec<T>),
    /// Only the cells that were written.
    Sparse(BTreeMap<u64, T>),
}

impl<T: Clone> Cells<T> {
    /// `size` cells of `initial`.
    pub fn new(size: u64, initial: T) -> Self {
        let storage = if size <= DENSE_LIMIT {
            Storage::Dense(vec![initial.clone(); size as usize])
        } else {
            Storage::Sparse(BTreeMap::new())
        };
        Self { size, initial, storage }
    }

    /// Number of cells.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// A cell; `None` beyond the end.
    pub fn get(&self, index: u64) -> Option<&T> {
        if index >= self.size {
            return None;
        }
        match &self.storage {
            Storage::Dense(cells) => cells.get(index as usize),
            Storage::Sparse(cells) => Some(cells.get(&index).unwrap_or(&self.initial)),
        }
    }

    /// A cell to be changed; `None` beyond the end.
    pub fn get_mut(&mut self, index: u64) -> Option<&mut T> {
        if index >= self.size {
            return None;
        }
        match &mut self.storage {
            Storage::Dense(cells) => cells.get_mut(index as usize),
            Storage::Sparse(cells) => {
                Some(cells.entry(index).or_insert_with(|| self.initial.clone()))
            }
        }
    }

    /// Gives all cells one value.
    pub fn fill(&mut self, value: T) {
        match &mut self.storage {
            Storage::Dense(cells) => cells.fill(value),
            Storage::Sparse(cells) => {
                cells.clear();
                self.initial = value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn huge_arrays_behave_like_small_ones() {
        for size in [10, 1 << 40] {
            let mut cells = Cells::new(size, 0u8);
            assert_eq!(cells.get(9), Some(&0));
            *cells.get_mut(9).expect("inside") = 7;
            assert_eq!((cells.get(9), cells.get(8)), (Some(&7), Some(&0)));
            assert_eq!(cells.get(size), None);
            assert!(cells.get_mut(size).is_none());
            cells.fill(3);
            assert_eq!((cells.get(9), cells.get(8)), (Some(&3), Some(&3)));
        }
    }
}
