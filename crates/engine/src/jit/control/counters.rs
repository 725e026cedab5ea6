//! Counters that every worker counts for itself, and that are added up when they are read.

use super::touched;
use crate::arch::Unsupported;
use crate::jit::abi::CounterCell;
use crate::objects;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use ww_dataplane::control::{CounterInfo, CounterValue};

/// Arrays of fewer cells are looked through as they are.
const MANY: usize = 1 << 12;

/// Cells that start as zero. Pages that nobody writes to take no memory.
#[derive(Debug)]
pub(super) struct Cells {
    memory: NonNull<CounterCell>,
    count: usize,
}

// SAFETY: the cells are read and written as atomic words, or by the one worker they belong to.
unsafe impl Send for Cells {}
// SAFETY: as above.
unsafe impl Sync for Cells {}

impl Cells {
    pub fn new(info: &CounterInfo) -> Result<Self, Unsupported> {
        let too_large = || {
            let CounterInfo { name, size, .. } = info;
            Unsupported::new(format!(
                "counter `{name}` of {size} cells: no memory for 16 bytes a cell and worker; raise the \
                 limit of the process (`ulimit -v`), or take fewer cells or workers"
            ))
        };
        let count = usize::try_from(info.size).map_err(|_| too_large())?;
        if count == 0 {
            return Ok(Self { memory: NonNull::dangling(), count });
        }
        let layout = Layout::array::<CounterCell>(count).map_err(|_| too_large())?;
        // SAFETY: the layout is not empty; all zeros are a valid cell.
        let memory = NonNull::new(unsafe { alloc_zeroed(layout) }).ok_or_else(too_large)?;
        Ok(Self { memory: memory.cast(), count })
    }

    /// The next cells, from index `from` on, that may have counted: the first, and the one behind
    /// the last.
    fn next_used(&self, from: u64) -> Option<(u64, u64)> {
        let from = usize::try_from(from).ok().filter(|from| *from < self.count)?;
        if self.count < MANY {
            return Some((from as u64, self.count as u64));
        }
        let (start, each) = (self.memory.as_ptr() as usize, size_of::<CounterCell>());
        let used = touched::next(start + from * each..start + self.count * each)?;
        // Pages need not begin where cells do.
        let (first, last) = ((used.start - start) / each, (used.end - start).div_ceil(each));
        Some((first as u64, last as u64))
    }

    /// The address of the first cell.
    pub fn as_ptr(&self) -> *mut CounterCell {
        self.memory.as_ptr()
    }

    /// A cell; `None` beyond the end.
    pub fn cell(&self, index: u64) -> Option<*mut CounterCell> {
        let index = usize::try_from(index).ok().filter(|n| *n < self.count)?;
        // SAFETY: the index is inside.
        Some(unsafe { self.memory.as_ptr().add(index) })
    }
}

impl Drop for Cells {
    fn drop(&mut self) {
        if let Ok(layout) = Layout::array::<CounterCell>(self.count)
            && self.count > 0
        {
            // SAFETY: allocated with this layout.
            unsafe { dealloc(self.memory.as_ptr().cast(), layout) };
        }
    }
}

/// What a cell holds.
///
/// # Safety
/// `cell` points to a cell that is not being freed.
pub(super) unsafe fn load(cell: *mut CounterCell) -> CounterValue {
    // SAFETY: the caller's promise; the words are aligned.
    unsafe {
        let word = |word: *mut u64| AtomicU64::from_ptr(word).load(Relaxed);
        CounterValue {
            packets: word(&raw mut (*cell).packets),
            bytes: word(&raw mut (*cell).bytes),
        }
    }
}

/// Overwrites a cell.
///
/// # Safety
/// `cell` points to a cell that is not being freed, and that no worker counts in.
pub(super) unsafe fn store(cell: *mut CounterCell, value: CounterValue) {
    // SAFETY: the caller's promise; the words are aligned.
    unsafe {
        let store = |word: *mut u64, value| AtomicU64::from_ptr(word).store(value, Relaxed);
        store(&raw mut (*cell).packets, value.packets);
        store(&raw mut (*cell).bytes, value.bytes);
    }
}

/// Both parts added, modulo 2^64.
pub(super) fn plus(a: CounterValue, b: CounterValue) -> CounterValue {
    CounterValue {
        packets: a.packets.wrapping_add(b.packets),
        bytes: a.bytes.wrapping_add(b.bytes),
    }
}

/// Both parts subtracted, modulo 2^64.
pub(super) fn minus(a: CounterValue, b: CounterValue) -> CounterValue {
    CounterValue {
        packets: a.packets.wrapping_sub(b.packets),
        bytes: a.bytes.wrapping_sub(b.bytes),
    }
}

/// The control plane's side of an array of counters: what to take off the workers' sums, so that
/// workers need not know of writes.
#[derive(Debug)]
pub(super) struct Bases {
    cells: objects::Cells<CounterValue>,
    /// Added to all readings.
    common: CounterValue,
}

impl Bases {
    pub fn new(info: &CounterInfo) -> Self {
        let zero = CounterValue::default();
        Self { cells: objects::Cells::new(info.size, zero), common: zero }
    }

    /// A counter; `None` beyond the end.
    pub fn read(&self, workers: &[Cells], index: u64) -> Option<CounterValue> {
        let base = *self.cells.get(index)?;
        Some(plus(minus(sum(workers, index), base), self.common))
    }

    /// Sets a counter; `None` beyond the end.
    pub fn write(&mut self, workers: &[Cells], index: u64, value: CounterValue) -> Option<()> {
        let base = plus(minus(sum(workers, index), value), self.common);
        if *self.cells.get(index)? != base {
            *self.cells.get_mut(index)? = base;
        }
        Some(())
    }

    /// Sets all counters. Looks at and writes to cells only where something may have been counted.
    pub fn fill(&mut self, workers: &[Cells], value: CounterValue) {
        self.common = value;
        self.cells.fill(CounterValue::default());
        let mut from = 0;
        while let Some((begin, end)) = next_used(workers, from) {
            for index in begin..end {
                let sum = sum(workers, index);
                if sum != CounterValue::default()
                    && let Some(base) = self.cells.get_mut(index)
                {
                    *base = sum;
                }
            }
            from = end;
        }
    }

    /// The next counters, from index `from` on, that may be other than zero: the first, and the one
    /// behind the last.
    pub fn next_used(&self, workers: &[Cells], from: u64) -> Option<(u64, u64)> {
        let size = self.cells.size();
        if self.common != CounterValue::default() {
            return (from < size).then_some((from, size));
        }
        next_used(workers, from).into_iter().chain(self.cells.next_used(from)).min()
    }
}

/// The next cells that one of the workers may have counted in.
fn next_used(workers: &[Cells], from: u64) -> Option<(u64, u64)> {
    workers.iter().filter_map(|cells| cells.next_used(from)).min()
}

fn sum(workers: &[Cells], index: u64) -> CounterValue {
    let cells = workers.iter().filter_map(|cells| cells.cell(index));
    // SAFETY: the cells live as long as `workers`.
    cells.fold(CounterValue::default(), |sum, cell| plus(sum, unsafe { load(cell) }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ww_dataplane::control::CountUnit;

    fn info(size: u64) -> CounterInfo {
        let (name, instance, unit) = ("c".to_owned(), 0, CountUnit::Packets);
        CounterInfo { name, instance, unit, size, table: None, is_direct: false }
    }

    fn value(packets: u64, bytes: u64) -> CounterValue {
        CounterValue { packets, bytes }
    }

    #[test]
    fn readings_are_sums_since_the_last_write() {
        let workers = [Cells::new(&info(4)), Cells::new(&info(4))].map(|c| c.expect("memory"));
        let mut bases = Bases::new(&info(4));
        let count = |worker: usize, index: u64, add: CounterValue| {
            let cell = workers[worker].cell(index).expect("inside");
            // SAFETY: nobody else uses the cells.
            unsafe { store(cell, plus(load(cell), add)) };
        };
        count(0, 1, value(2, 100));
        count(1, 1, value(3, 50));
        assert_eq!(bases.read(&workers, 1), Some(value(5, 150)));
        assert_eq!(bases.write(&workers, 1, value(7, 7)), Some(()));
        count(1, 1, value(1, 1));
        assert_eq!(bases.read(&workers, 1), Some(value(8, 8)));
        bases.fill(&workers, value(9, 0));
        count(0, 0, value(1, 2));
        assert_eq!(bases.read(&workers, 0), Some(value(10, 2)));
        assert_eq!(bases.read(&workers, 1), Some(value(9, 0)));
        assert_eq!(bases.write(&workers, 1, value(1, u64::MAX)), Some(()));
        count(0, 1, value(0, 3));
        assert_eq!(bases.read(&workers, 1), Some(value(1, 2)));
        assert_eq!((bases.read(&workers, 4), bases.write(&workers, 4, value(0, 0))), (None, None));
    }

    #[test]
    fn huge_arrays_take_memory_where_they_are_used() {
        let size = ww_p4::limits::MOST_CELLS;
        let workers =
            [Cells::new(&info(size)), Cells::new(&info(size))].map(|c| c.expect("memory"));
        let mut bases = Bases::new(&info(size));
        assert!(workers[0].cell(size).is_none());
        let used = |bases: &Bases| {
            let (mut from, mut list, mut looked_at) = (0, Vec::new(), 0);
            while let Some((begin, end)) = bases.next_used(&workers, from) {
                looked_at += end - begin;
                let read = |index| (index, bases.read(&workers, index).expect("inside"));
                let nonzero = |(_, v): &(u64, CounterValue)| *v != CounterValue::default();
                list.extend((begin..end).map(read).filter(nonzero));
                from = end;
            }
            // Huge pages are of 2 MiB.
            assert!(looked_at <= 4 * (2 << 20) / 16, "{looked_at}");
            list
        };
        let count = |worker: usize, index: u64| {
            let cell = workers[worker].cell(index).expect("inside");
            // SAFETY: nobody else uses the cells.
            unsafe { store(cell, value(1, 2)) };
        };
        count(0, size - 1);
        count(1, 1 << 20);
        bases.write(&workers, 1 << 26, value(7, 7)).expect("inside");
        let expected = [(1 << 20, value(1, 2)), (1 << 26, value(7, 7)), (size - 1, value(1, 2))];
        assert_eq!(used(&bases), expected);
        bases.fill(&workers, CounterValue::default());
        assert_eq!(used(&bases), []);
        count(0, 5);
        assert_eq!(used(&bases), [(5, value(1, 2))]);
    }
}
