//! What packets look keys up in.

use super::codec::Form;
use super::hash::{HashIndex, WideIndex};
use super::rules::{self, Narrow, Row, Rules, Wide};
use super::store::Redo;
use super::trie::Trie;
use super::{Change, EntryStore, KeyLayout, prefetch_line, walk};
use std::ffi::c_void;

/// A lookup function: the target of a key, 0 on a miss. See
/// [`crate::jit::abi::TableView::lookup`].
pub type LookupFn = unsafe extern "C" fn(*const c_void, *const u64) -> u32;

/// A function that loads what a lookup is going to read into the cache.
pub type PrefetchFn = unsafe extern "C" fn(*const c_void, *const u64);

/// Widest keys that are looked up in an array.
const ARRAY_BITS: u32 = 16;

/// An index over the entries of an [`EntryStore`], for packets.
///
/// While packets use it, it must not be changed. The functions and the pointer are valid until
/// the next change.
#[derive(Debug)]
pub struct TableIndex {
    layout: KeyLayout,
    kind: Kind,
}

/// In boxes: the address stays the same when the index moves.
#[derive(Debug)]
enum Kind {
    /// By the key itself.
    Array(Box<[u32]>),
    Hash64(Box<HashIndex<u64, 5>>),
    Hash128(Box<HashIndex<u128, 3>>),
    HashWide(Box<WideIndex>),
    Trie(Box<Trie>),
    Narrow(Box<Rules<Narrow>>),
    Wide(Box<Rules<Wide>>),
}

impl TableIndex {
    /// An index over the entries in `store`.
    pub fn new(store: &EntryStore) -> Self {
        Self { layout: store.layout().clone(), kind: Kind::new(store) }
    }

    /// Brings the index up to date with one change. Changes are applied in the order in which
    /// the store made them; the store may have changed further by then, as long as those changes
    /// are applied, too, before a packet uses the index.
    pub fn apply(&mut self, store: &EntryStore, change: &Change) {
        self.apply_all(store, std::slice::from_ref(change));
    }

    /// Brings the index up to date with many changes.
    pub fn apply_all(&mut self, store: &EntryStore, changes: &[Change]) {
        // A store whose order has changed says so in a change that these may not include yet:
        // after `rebuild`, it does no harm.
        let turned =
            store.is_ranked_index() != matches!(self.kind, Kind::Narrow(_) | Kind::Wide(_));
        if turned || changes.iter().any(|c| matches!(c.0, Redo::All)) {
            self.rebuild(store);
            return;
        }
        let rows = || {
            changes.iter().filter_map(|change| match &change.0 {
                Redo::Key(row) => Some(&**row),
                Redo::All | Redo::Rank(_) => None,
            })
        };
        let words = |row: &[u32]| store.codec().first_words(row);
        let target = |row: &[u32]| store.row_target(row).unwrap_or(0);
        match &mut self.kind {
            Kind::Array(array) => {
                for row in rows() {
                    array[words(row).first().map_or(0, |&w| w as usize)] = target(row);
                }
            }
            Kind::Hash64(index) => {
                for row in rows() {
                    index.set(hash_key(&words(row)), target(row));
                }
            }
            Kind::Hash128(index) => {
                for row in rows() {
                    index.set(hash_key(&words(row)), target(row));
                }
            }
            Kind::HashWide(index) => {
                for row in rows() {
                    index.set(&words(row), target(row));
                }
            }
            Kind::Trie(trie) => trie.apply(store, rows()),
            Kind::Narrow(rules) => {
                if !apply_ranks(rules, store, changes) {
                    self.rebuild(store);
                }
            }
            Kind::Wide(rules) => {
                if !apply_ranks(rules, store, changes) {
                    self.rebuild(store);
                }
            }
        }
    }

    /// Makes the index anew.
    pub fn rebuild(&mut self, store: &EntryStore) {
        self.kind = Kind::new(store);
    }

    /// The function that looks a key up; its first argument is [`TableIndex::data`], the second
    /// one points to as many words as [`KeyLayout::words`] says.
    pub fn lookup_fn(&self) -> LookupFn {
        match &self.kind {
            Kind::Array(_) if self.layout.bits == 0 => lookup_only,
            Kind::Array(_) => lookup_array,
            Kind::Hash64(_) => HashIndex::<u64, 5>::lookup,
            Kind::Hash128(_) => HashIndex::<u128, 3>::lookup,
            Kind::HashWide(_) => WideIndex::lookup,
            Kind::Trie(_) => walk::lookup_fn(self.layout.bits),
            Kind::Narrow(_) => rules::narrow_fn(),
            Kind::Wide(_) => rules::wide_fn(),
        }
    }

    /// The function that loads what a lookup is going to read into the cache.
    pub fn prefetch_fn(&self) -> PrefetchFn {
        match &self.kind {
            Kind::Array(_) if self.layout.bits > 0 => prefetch_array,
            Kind::Hash64(_) => HashIndex::<u64, 5>::prefetch,
            Kind::Hash128(_) => HashIndex::<u128, 3>::prefetch,
            Kind::HashWide(_) => WideIndex::prefetch,
            Kind::Trie(_) => walk::prefetch_fn(self.layout.bits),
            // All keys need the same rows.
            Kind::Array(_) | Kind::Narrow(_) | Kind::Wide(_) => prefetch_nothing,
        }
    }

    /// The targets by key, if the keys are so short that they are kept in an array.
    pub fn array(&self) -> Option<*const u32> {
        match &self.kind {
            Kind::Array(array) => Some(array.as_ptr()),
            _ => None,
        }
    }

    /// The first argument of both functions.
    pub fn data(&self) -> *const c_void {
        fn address<T>(index: &T) -> *const c_void {
            std::ptr::from_ref(index).cast()
        }
        match &self.kind {
            Kind::Array(array) => array.as_ptr().cast(),
            Kind::Hash64(index) => address::<HashIndex<u64, 5>>(index),
            Kind::Hash128(index) => address::<HashIndex<u128, 3>>(index),
            Kind::HashWide(index) => address::<WideIndex>(index),
            Kind::Trie(index) => address::<Trie>(index),
            Kind::Narrow(index) => address::<Rules<Narrow>>(index),
            Kind::Wide(index) => address::<Rules<Wide>>(index),
        }
    }

    /// The target for a key, 0 on a miss.
    ///
    /// # Panics
    /// If the key has fewer words than [`KeyLayout::words`].
    pub fn lookup(&self, key: &[u64]) -> u32 {
        assert!(key.len() >= self.layout.words, "the key has too few words");
        // SAFETY: the index and as many words as its layout has are there.
        unsafe { self.lookup_fn()(self.data(), key.as_ptr()) }
    }

    /// Bytes of heap memory in use.
    pub fn memory_bytes(&self) -> usize {
        match &self.kind {
            Kind::Array(array) => array.len() * 4,
            Kind::Hash64(index) => index.memory_bytes(),
            Kind::Hash128(index) => index.memory_bytes(),
            Kind::HashWide(index) => index.memory_bytes(),
            Kind::Trie(index) => index.memory_bytes(),
            Kind::Narrow(index) => index.memory_bytes(),
            Kind::Wide(index) => index.memory_bytes(),
        }
    }
}

impl Kind {
    fn new(store: &EntryStore) -> Self {
        let layout = store.layout();
        if store.is_ranked_index() {
            return if store.len() <= Narrow::BITS {
                Kind::Narrow(Box::new(Rules::new(store)))
            } else {
                Kind::Wide(Box::new(Rules::new(store)))
            };
        }
        if store.form() == Form::Prefix {
            return Kind::Trie(Box::new(Trie::new(store)));
        }
        let entries = store
            .slots()
            .map(|slot| (store.codec().first_words(store.row(slot)), store.slot_target(slot)));
        let (seed, length) = (store.seed(), store.len());
        match layout.bits {
            bits if bits <= ARRAY_BITS => {
                let mut array = vec![0; 1 << layout.bits];
                for (words, target) in entries {
                    array[words.first().map_or(0, |&w| w as usize)] = target;
                }
                Kind::Array(array.into())
            }
            0..=64 => {
                let mut index = HashIndex::new(seed, length);
                entries.for_each(|(words, target)| index.set(hash_key(&words), target));
                Kind::Hash64(Box::new(index))
            }
            65..=128 => {
                let mut index = HashIndex::new(seed, length);
                entries.for_each(|(words, target)| index.set(hash_key(&words), target));
                Kind::Hash128(Box::new(index))
            }
            _ => {
                let mut index = WideIndex::new(seed, layout.words, length);
                entries.for_each(|(words, target)| index.set(&words, target));
                Kind::HashWide(Box::new(index))
            }
        }
    }
}

fn hash_key<K: super::hash::InlineKey>(words: &[u64]) -> K {
    K::from_words(words)
}

/// Whether all changes could be applied.
fn apply_ranks<R: Row>(rules: &mut Rules<R>, store: &EntryStore, changes: &[Change]) -> bool {
    changes.iter().all(|change| match change.0 {
        Redo::Rank(rank) => rules.apply(store, rank),
        Redo::All | Redo::Key(_) => true,
    })
}

/// # Safety
/// `index` is an array of as many targets as there are keys; `key` points to a word.
unsafe extern "C" fn lookup_array(index: *const c_void, key: *const u64) -> u32 {
    // SAFETY: as the caller says.
    unsafe { *index.cast::<u32>().add(*key as usize) }
}

/// # Safety
/// `index` is an array of one target.
unsafe extern "C" fn lookup_only(index: *const c_void, _key: *const u64) -> u32 {
    // SAFETY: as the caller says.
    unsafe { *index.cast::<u32>() }
}

/// # Safety
/// As [`lookup_array`].
unsafe extern "C" fn prefetch_array(index: *const c_void, key: *const u64) {
    // SAFETY: as the caller says.
    let key = unsafe { *key };
    prefetch_line(index.cast::<u32>().wrapping_add(key as usize));
}

/// # Safety
/// Reads nothing.
unsafe extern "C" fn prefetch_nothing(_index: *const c_void, _key: *const u64) {}
