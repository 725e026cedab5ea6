//! Match tables for native code: one [`EntryStore`] that the control plane changes, and any
//! number of [`TableIndex`]es, brought up to date with [`Change`]s, that packets look keys up in.
//!
//! The store keeps entries as rows of words in columns, with two orders of their slots: by handle
//! and by key. What an index is depends on the keys:
//!
//! - exact keys of up to 16 bits: an array; of more bits: a hash table (`hash`);
//! - exact keys and one prefix: a compressed trie (`trie`, `node`, `walk`);
//! - anything else: bit vectors in order of rank (`plan`, `rules`,
//!   `vector`).

mod arena;
mod codec;
mod handles;
mod hash;
mod index;
mod keys;
mod layout;
mod node;
mod packing;
mod plan;
mod rules;
mod slab;
mod store;
#[cfg(test)]
mod tests;
mod trie;
mod vector;
mod walk;

pub use index::{LookupFn, PrefetchFn, TableIndex};
pub use layout::KeyLayout;
pub use store::{Change, EntryStore, StoredEntry};

use std::cmp::Reverse;

/// Where an entry stands among all: the least one wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    priority: Reverse<i64>,
    /// Bits in all prefixes together, if they count.
    prefix: Reverse<u32>,
    handle: u64,
}

impl Rank {
    fn new(priority: i64, prefix: u32, handle: u64) -> Self {
        Self { priority: Reverse(priority), prefix: Reverse(prefix), handle }
    }

    fn handle(self) -> u64 {
        self.handle
    }
}

/// Asks for the cache line at an address, which need not be valid.
#[inline(always)]
fn prefetch_line<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch does not fault.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}
