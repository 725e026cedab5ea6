//! Two copies of what packets read: readers use one while the writer changes the other, then the
//! writer swaps them. Readers take no lock and never wait; the writer waits until no reader is
//! left in the copy that it is about to change.
//!
//! The scheme is the left-right one (Ramalhete and Correia, 2013) with one slot per reader in
//! place of the read indicator. The published crates for it replay operations on a copy alone;
//! the indices here are changed with the help of a third structure (the entry store), which only
//! the writer has.

use std::any::Any;
use std::cell::UnsafeCell;
use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed, Ordering::Release, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

/// A reader that is in no copy.
const NOWHERE: usize = usize::MAX;

/// One per reader, in cache lines of its own: the number of the copy that the reader is in.
#[derive(Debug)]
#[repr(align(128))]
struct Place(AtomicUsize);

#[derive(Debug)]
struct Shared<T> {
    copies: [UnsafeCell<T>; 2],
    /// The copy that readers enter.
    current: AtomicUsize,
    readers: Box<[Place]>,
    /// What the copies point to, once the writer is gone.
    left_behind: Mutex<Option<Box<dyn Any + Send>>>,
}

// SAFETY: a copy is either read by any number of threads (T: Sync) or changed by the writer
// alone, which may be in another thread than its last change (T: Send); see `Writer::back`.
unsafe impl<T: Send + Sync> Sync for Shared<T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Send for Shared<T> {}

/// Reads the current copy.
#[derive(Debug)]
pub struct Reader<T> {
    shared: Arc<Shared<T>>,
    place: usize,
}

/// A copy that stays as it is until this is dropped.
#[derive(Debug)]
pub struct Pinned<'r, T> {
    value: &'r T,
    place: &'r AtomicUsize,
}

/// Changes the copy that is not current, and swaps.
#[derive(Debug)]
pub(super) struct Writer<T> {
    shared: Arc<Shared<T>>,
}

/// A writer and so many readers; the two copies must be alike.
pub(super) fn new<T>(current: T, other: T, readers: usize) -> (Writer<T>, Vec<Reader<T>>) {
    let place = || Place(AtomicUsize::new(NOWHERE));
    let shared = Arc::new(Shared {
        copies: [UnsafeCell::new(current), UnsafeCell::new(other)],
        current: AtomicUsize::new(0),
        readers: (0..readers).map(|_| place()).collect(),
        left_behind: Mutex::new(None),
    });
    let reader = |place| Reader { shared: shared.clone(), place };
    let readers = (0..readers).map(reader).collect();
    (Writer { shared }, readers)
}

impl<T> Reader<T> {
    /// The current copy. It does not change while the result lives, and the writer waits for the
    /// result to be dropped before its change after next: keep it for one batch of packets.
    pub fn pin(&mut self) -> Pinned<'_, T> {
        let place = &self.shared.readers[self.place].0;
        let mut current = self.shared.current.load(SeqCst);
        loop {
            place.store(current, SeqCst);
            let now = self.shared.current.load(SeqCst);
            if now == current {
                break;
            }
            current = now;
        }
        // SAFETY: the copy was current after `place` said that this reader is in it. The writer
        // changes it only after a later swap, and then only when it does not find it in any
        // `place` any more; all these accesses have one order (`SeqCst`).
        let value = unsafe { &*self.shared.copies[current].get() };
        Pinned { value, place }
    }
}

impl<T> Deref for Pinned<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.value
    }
}

impl<T> Drop for Pinned<'_, T> {
    fn drop(&mut self) {
        self.place.store(NOWHERE, Release);
    }
}

impl<T> Writer<T> {
    /// The current copy, as readers see it.
    pub fn front(&self) -> &T {
        // SAFETY: only `back` gives out the other copy for changes, and `swap` needs `&mut self`.
        unsafe { &*self.shared.copies[self.shared.current.load(Relaxed)].get() }
    }

    /// The copy that is not current, to be changed. Waits until no reader is in it.
    pub fn back(&mut self) -> &mut T {
        let other = 1 - self.shared.current.load(Relaxed);
        for place in &self.shared.readers {
            let mut rounds = 0u32;
            while place.0.load(SeqCst) == other {
                rounds += 1;
                if rounds < 64 { std::hint::spin_loop() } else { std::thread::yield_now() }
            }
        }
        // SAFETY: no reader is in the copy and none enters it, for it is not current; this is
        // the only writer, and it is borrowed for as long as the result lives.
        unsafe { &mut *self.shared.copies[other].get() }
    }

    /// Makes the other copy current.
    pub fn swap(&mut self) {
        let current = self.shared.current.load(Relaxed);
        self.shared.current.store(1 - current, SeqCst);
    }

    /// Keeps what the copies point to until the last reader is gone.
    pub fn leave_behind(&self, what: Box<dyn Any + Send>) {
        if let Ok(mut left) = self.shared.left_behind.lock() {
            *left = Some(what);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering::Acquire};

    #[test]
    fn pinned_copies_do_not_change() {
        let (mut writer, mut readers) = new([0u64; 2], [0u64; 2], 1);
        writer.back()[0] = 1;
        let pinned = readers[0].pin();
        writer.swap();
        assert_eq!((pinned[0], writer.front()[0]), (0, 1));
        drop(pinned);
        assert_eq!(readers[0].pin()[0], 1);
        assert_eq!(writer.back()[0], 0);
    }

    #[test]
    fn readers_see_whole_changes_only() {
        const CHANGES: u64 = 100_000;
        let (mut writer, readers) = new([0u64; 8], [0u64; 8], 2);
        let (done, begun) = (AtomicBool::new(false), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            let seen: Vec<_> = readers
                .into_iter()
                .map(|mut reader| {
                    let (done, begun) = (&done, &begun);
                    scope.spawn(move || {
                        let (mut last, mut distinct) = (0, 0u64);
                        loop {
                            let is_last_look = done.load(Acquire);
                            let pinned = reader.pin();
                            let first = pinned[0];
                            assert!(pinned.iter().all(|n| *n == first), "{:?}", *pinned);
                            assert!(first >= last, "{first} after {last}");
                            distinct += u64::from(first != last);
                            if last == 0 && first != 0 {
                                begun.fetch_add(1, Relaxed);
                            }
                            last = first;
                            if is_last_look {
                                return (last, distinct);
                            }
                        }
                    })
                })
                .collect();
            for n in 1..=CHANGES {
                writer.back().iter_mut().for_each(|cell| *cell = n);
                writer.swap();
                // However busy the machine is, all readers run before the second half.
                while n == CHANGES / 2 && begun.load(Relaxed) < 2 {
                    std::thread::yield_now();
                }
            }
            done.store(true, Release);
            for thread in seen {
                let (last, distinct) = thread.join().expect("no reader saw a mixture");
                assert_eq!(last, CHANGES);
                assert!(distinct > 1, "the reader never ran beside the writer");
            }
        });
    }
}
