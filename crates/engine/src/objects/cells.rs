//! Arrays that may be declared much larger than they are used.

use std::collections::BTreeSet;

/// Bytes of the cells that get memory together, about a page of the system.
const PAGE_BYTES: usize = 4096;

/// An array in which every cell has the same value at first. Cells get memory when they are first
/// changed, together with those beside them; what goes through an array passes over the others.
#[derive(Debug)]
pub struct Cells<T> {
    size: u64,
    initial: T,
    /// Those without memory hold `initial`. The list itself begins as zeroed memory, which the
    /// system hands out when it is written to.
    pages: Vec<Option<Box<[T]>>>,
    /// Which have memory.
    used: BTreeSet<usize>,
}

impl<T: Clone> Cells<T> {
    /// Cells of a page; a power of two, so that an index is split by a shift.
    const PAGE: usize = {
        let bytes = if size_of::<T>() == 0 { 1 } else { size_of::<T>() };
        let cells = PAGE_BYTES / bytes;
        if cells == 0 { 1 } else { 1 << cells.ilog2() }
    };

    /// `size` cells of `initial`, at most [`ww_p4::limits::MOST_CELLS`].
    pub fn new(size: u64, initial: T) -> Self {
        let pages = vec![None; size.div_ceil(Self::PAGE as u64) as usize];
        Self { size, initial, pages, used: BTreeSet::new() }
    }

    /// Number of cells.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// What cells hold that were never changed.
    pub fn initial(&self) -> &T {
        &self.initial
    }

    /// A cell; `None` beyond the end.
    pub fn get(&self, index: u64) -> Option<&T> {
        if index >= self.size {
            return None;
        }
        let (page, cell) = (index as usize / Self::PAGE, index as usize % Self::PAGE);
        Some(self.pages[page].as_ref().map_or(&self.initial, |page| &page[cell]))
    }

    /// A cell to be changed; `None` beyond the end.
    pub fn get_mut(&mut self, index: u64) -> Option<&mut T> {
        if index >= self.size {
            return None;
        }
        let (page, cell) = (index as usize / Self::PAGE, index as usize % Self::PAGE);
        let cells = self.pages[page].get_or_insert_with(|| {
            self.used.insert(page);
            vec![self.initial.clone(); Self::PAGE].into()
        });
        Some(&mut cells[cell])
    }

    /// Gives all cells one value.
    pub fn fill(&mut self, value: T) {
        for page in std::mem::take(&mut self.used) {
            self.pages[page] = None;
        }
        self.initial = value;
    }

    /// The next cells, from index `from` on, that have memory: the first, and the one behind the last.
    pub fn next_used(&self, from: u64) -> Option<(u64, u64)> {
        let first = usize::try_from(from).ok()? / Self::PAGE;
        let page = *self.used.range(first..).next()?;
        let begin = from.max((page * Self::PAGE) as u64);
        let end = self.size.min(((page + 1) * Self::PAGE) as u64);
        (begin < end).then_some((begin, end))
    }
}

impl<T: Clone> Clone for Cells<T> {
    fn clone(&self) -> Self {
        let mut copy = Self::new(self.size, self.initial.clone());
        self.used.iter().for_each(|page| copy.pages[*page] = self.pages[*page].clone());
        copy.used = self.used.clone();
        copy
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ww_p4::limits::MOST_CELLS;

    #[test]
    fn huge_arrays_behave_like_small_ones() {
        for size in [10, MOST_CELLS] {
            let mut cells = Cells::new(size, 0u8);
            assert_eq!(cells.get(9), Some(&0));
            *cells.get_mut(9).expect("inside") = 7;
            assert_eq!((cells.get(9), cells.get(8)), (Some(&7), Some(&0)));
            assert_eq!(cells.get(size), None);
            assert!(cells.get_mut(size).is_none());
            assert_eq!(cells.clone().get(9), Some(&7));
            cells.fill(3);
            assert_eq!((cells.get(9), cells.get(8)), (Some(&3), Some(&3)));
        }
    }

    #[test]
    fn memory_is_where_cells_were_changed() {
        let mut cells = Cells::new(MOST_CELLS - 1, [0u64; 20]);
        assert_eq!((Cells::<[u64; 20]>::PAGE, cells.next_used(0)), (16, None));
        for index in [40, MOST_CELLS - 2, 33] {
            cells.get_mut(index).expect("inside")[0] = 1;
        }
        let end = MOST_CELLS - 1;
        for cells in [&cells.clone(), &cells] {
            assert_eq!(cells.next_used(0), Some((32, 48)));
            assert_eq!(cells.next_used(37), Some((37, 48)));
            assert_eq!(cells.next_used(48), Some((end - 15, end)));
            assert_eq!((cells.next_used(end), cells.next_used(u64::MAX)), (None, None));
        }
        cells.fill([2; 20]);
        assert_eq!((cells.next_used(0), cells.get(40)), (None, Some(&[2; 20])));
    }
}
