//! What packets look keys up in.

use super::{Change, EntryStore, KeyLayout};
use crate::bits::Bits;
use crate::tables::MatchTable;
use num_bigint::BigUint;
use std::ffi::c_void;

/// A lookup function: the target of a key, 0 on a miss. See
/// [`crate::jit::abi::TableView::lookup`].
pub type LookupFn = unsafe extern "C" fn(*const c_void, *const u64) -> u32;

/// A function that loads what a lookup is going to read into the cache.
pub type PrefetchFn = unsafe extern "C" fn(*const c_void, *const u64);

/// An index over the entries of an [`EntryStore`], for packets.
///
/// While packets use it, it must not be changed. The functions and the pointer are valid until
/// the next change.
#[derive(Debug)]
pub struct TableIndex {
    inner: Box<Inner>,
}

#[derive(Debug)]
struct Inner {
    layout: KeyLayout,
    table: MatchTable<(u32, bool)>,
}

impl TableIndex {
    /// An index over the entries in `store`.
    pub fn new(store: &EntryStore) -> Self {
        let inner = Inner { layout: store.layout().clone(), table: store.table.clone() };
        Self { inner: Box::new(inner) }
    }

    /// Brings the index up to date with one change. Changes are applied in the order in which
    /// the store made them; the store may have changed further by then, as long as those changes
    /// are applied, too, before a packet uses the index.
    pub fn apply(&mut self, store: &EntryStore, change: &Change) {
        self.apply_all(store, std::slice::from_ref(change));
    }

    /// Brings the index up to date with many changes.
    pub fn apply_all(&mut self, store: &EntryStore, changes: &[Change]) {
        if !changes.is_empty() {
            self.rebuild(store);
        }
    }

    /// Makes the index anew.
    pub fn rebuild(&mut self, store: &EntryStore) {
        self.inner.table = store.table.clone();
    }

    /// The function that looks a key up; its first argument is [`TableIndex::data`], the second
    /// one points to as many words as [`KeyLayout::words`] says.
    pub fn lookup_fn(&self) -> LookupFn {
        lookup
    }

    /// The function that loads what a lookup is going to read into the cache.
    pub fn prefetch_fn(&self) -> PrefetchFn {
        prefetch
    }

    /// The first argument of both functions.
    pub fn data(&self) -> *const c_void {
        std::ptr::from_ref::<Inner>(&self.inner).cast()
    }

    /// The target for a key, 0 on a miss.
    ///
    /// # Panics
    /// If the key has fewer words than [`KeyLayout::words`].
    pub fn lookup(&self, key: &[u64]) -> u32 {
        assert!(key.len() >= self.inner.layout.words, "the key has too few words");
        // SAFETY: the index and as many words as its layout has are there.
        unsafe { self.lookup_fn()(self.data(), key.as_ptr()) }
    }

    /// Bytes of heap memory in use.
    pub fn memory_bytes(&self) -> usize {
        self.inner.table.len() * 128
    }
}

/// # Safety
/// `index` is from [`TableIndex::data`] and `key` has the words of its layout.
unsafe extern "C" fn lookup(index: *const c_void, key: *const u64) -> u32 {
    // SAFETY: see above.
    let inner = unsafe { &*index.cast::<Inner>() };
    let words: Vec<u32> = (0..inner.layout.words)
        .flat_map(|n| {
            // SAFETY: see above.
            let word = unsafe { *key.add(n) };
            [word as u32, (word >> 32) as u32]
        })
        .collect();
    let whole = BigUint::new(words);
    let layout = &inner.layout;
    let keys = layout.offsets.iter().zip(&layout.widths);
    let values: Vec<Bits> =
        keys.map(|(&at, &width)| Bits::from_biguint(width, &(&whole >> at))).collect();
    let hit = inner.table.lookup(&values).and_then(|h| inner.table.get(h));
    hit.map_or(0, |e| e.payload.0)
}

/// # Safety
/// Reads nothing.
unsafe extern "C" fn prefetch(_index: *const c_void, _key: *const u64) {}
