//! Counters that every worker counts for itself, and that are added up when they are read.

use crate::arch::Unsupported;
use crate::jit::abi::CounterCell;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use ww_dataplane::control::{CounterInfo, CounterValue};

/// More cells than these have no room in the address space of most machines.
const MOST_CELLS: u64 = 1 << 32;

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
            Unsupported::new(format!("counter `{name}` of {size} cells: no memory for them"))
        };
        if info.size > MOST_CELLS {
            return Err(too_large());
        }
        let count = usize::try_from(info.size).map_err(|_| too_large())?;
        if count == 0 {
            return Ok(Self { memory: NonNull::dangling(), count });
        }
        let layout = Layout::array::<CounterCell>(count).map_err(|_| too_large())?;
        // SAFETY: the layout is not empty; all zeros are a valid cell.
        let memory = NonNull::new(unsafe { alloc_zeroed(layout) }).ok_or_else(too_large)?;
        Ok(Self { memory: memory.cast(), count })
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
    cells: Cells,
    /// Added to all readings.
    common: CounterValue,
}

impl Bases {
    pub fn new(info: &CounterInfo) -> Result<Self, Unsupported> {
        Ok(Self { cells: Cells::new(info)?, common: CounterValue::default() })
    }

    /// A counter; `None` beyond the end.
    pub fn read(&self, workers: &[Cells], index: u64) -> Option<CounterValue> {
        let base = self.cells.cell(index)?;
        // SAFETY: the cell is inside and lives as long as `self`.
        let base = unsafe { load(base) };
        Some(plus(minus(sum(workers, index), base), self.common))
    }

    /// Sets a counter; `None` beyond the end.
    pub fn write(&mut self, workers: &[Cells], index: u64, value: CounterValue) -> Option<()> {
        let base = self.cells.cell(index)?;
        // SAFETY: as in `read`; workers do not know of bases.
        unsafe { store(base, plus(minus(sum(workers, index), value), self.common)) };
        Some(())
    }

    /// Sets all counters. Looks at every cell, but writes only where something was counted.
    pub fn fill(&mut self, workers: &[Cells], value: CounterValue) {
        self.common = value;
        for index in 0..self.cells.count as u64 {
            let Some(base) = self.cells.cell(index) else { return };
            let sum = sum(workers, index);
            // SAFETY: as in `write`.
            unsafe {
                if load(base) != sum {
                    store(base, sum);
                }
            }
        }
    }
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
        let mut bases = Bases::new(&info(4)).expect("memory");
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
        let cells = Cells::new(&info(1 << 30)).expect("16 GiB of addresses");
        let last = cells.cell((1 << 30) - 1).expect("inside");
        // SAFETY: nobody else uses the cells.
        unsafe {
            store(last, value(1, 2));
            assert_eq!(load(last), value(1, 2));
        }
        assert!(cells.cell(1 << 30).is_none());
        assert!(Cells::new(&info((1 << 32) + 1)).is_err());
    }
}
