//! Lookups in a [`Trie`].

use super::index::{LookupFn, PrefetchFn};
use super::node::{LEAF, STRIDE};
use super::prefetch_line;
use super::trie::Trie;
use std::ffi::c_void;

/// A key as the walk goes through it, from its most significant bit on.
trait Cursor {
    /// # Safety
    /// `key` points to the words of a key with so many bits.
    unsafe fn new(key: *const u64, bits: u32) -> Self;

    /// The next `count` bits, 1 to 63; zero behind the end.
    fn next(&mut self, count: u32) -> u64;
}

/// Up to 64 bits, left-aligned.
struct One(u64);

impl Cursor for One {
    #[inline(always)]
    unsafe fn new(key: *const u64, bits: u32) -> Self {
        // SAFETY: there is a word.
        Self(unsafe { *key } << (64 - bits))
    }

    #[inline(always)]
    fn next(&mut self, count: u32) -> u64 {
        let chunk = self.0 >> (64 - count);
        self.0 <<= count;
        chunk
    }
}

/// 65 to 128 bits, left-aligned.
struct Two(u128);

impl Cursor for Two {
    #[inline(always)]
    unsafe fn new(key: *const u64, bits: u32) -> Self {
        // SAFETY: there are two words.
        let key = unsafe { u128::from(*key) | u128::from(*key.add(1)) << 64 };
        Self(key << (128 - bits))
    }

    #[inline(always)]
    fn next(&mut self, count: u32) -> u64 {
        let chunk = (self.0 >> 64) as u64 >> (64 - count);
        self.0 <<= count;
        chunk
    }
}

/// Any number of bits.
struct Many {
    key: *const u64,
    /// Bits that are left.
    bits: u32,
}

impl Cursor for Many {
    #[inline(always)]
    unsafe fn new(key: *const u64, bits: u32) -> Self {
        Self { key, bits }
    }

    #[inline(always)]
    fn next(&mut self, count: u32) -> u64 {
        let missing = count.saturating_sub(self.bits);
        self.bits -= count - missing;
        let (word, shift) = ((self.bits / 64) as usize, self.bits % 64);
        // SAFETY: bits from `self.bits` on are in the key: this word, and the next one if as many
        // as are wanted reach into it.
        let chunk = unsafe {
            let low = *self.key.add(word) >> shift;
            let next = shift + count - missing > 64;
            if next { low | *self.key.add(word + 1) << (64 - shift) } else { low }
        };
        (chunk << missing) & ((1 << count) - 1)
    }
}

/// # Safety
/// `index` is a [`Trie`], `key` points to the words of a key.
#[inline(always)]
unsafe fn walk<C: Cursor>(index: *const c_void, key: *const u64) -> u32 {
    // SAFETY: as the caller says. Positions in the arrays are those that the trie wrote.
    unsafe {
        let trie = &*index.cast::<Trie>();
        let mut cursor = C::new(key, trie.bits);
        let root = *trie.roots.get_unchecked(cursor.next(trie.first) as usize);
        if root & LEAF != 0 {
            return root & !LEAF;
        }
        let (nodes, leaves) = (trie.nodes.as_ptr(), trie.leaves.as_ptr());
        let mut node = nodes.add(root as usize);
        loop {
            if (*node).is_jump() {
                if cursor.next((*node).count()) != (*node).value() {
                    return (*node).leaf_base;
                }
                let to = (*node).child_base;
                if to & LEAF != 0 {
                    return to & !LEAF;
                }
                node = nodes.add(to as usize);
                continue;
            }
            let chunk = cursor.next(STRIDE);
            let upto = u64::MAX >> (63 - chunk);
            let here = (*node).children & upto;
            if here >> chunk & 1 == 0 {
                let nth = ((*node).starts & upto).count_ones() - 1;
                return *leaves.add(((*node).leaf_base + nth) as usize);
            }
            node = nodes.add(((*node).child_base + here.count_ones() - 1) as usize);
        }
    }
}

macro_rules! walks {
    ($($(#[$feature:meta])* $name:ident: $cursor:ty;)*) => {$(
        /// # Safety
        /// As [`walk`]; the features are there.
        $(#[$feature])*
        unsafe extern "C" fn $name(index: *const c_void, key: *const u64) -> u32 {
            // SAFETY: as the caller says.
            unsafe { walk::<$cursor>(index, key) }
        }
    )*};
}

walks! {
    one: One;
    two: Two;
    many: Many;
}

#[cfg(target_arch = "x86_64")]
walks! {
    #[target_feature(enable = "popcnt,bmi1,bmi2")]
    one_popcnt: One;
    #[target_feature(enable = "popcnt,bmi1,bmi2")]
    two_popcnt: Two;
    #[target_feature(enable = "popcnt,bmi1,bmi2")]
    many_popcnt: Many;
}

/// The fastest lookup function of this processor for keys with so many bits.
pub(super) fn lookup_fn(bits: u32) -> LookupFn {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        if has!("popcnt") && has!("bmi1") && has!("bmi2") {
            return match bits {
                0..=64 => one_popcnt,
                65..=128 => two_popcnt,
                _ => many_popcnt,
            };
        }
    }
    match bits {
        0..=64 => one,
        65..=128 => two,
        _ => many,
    }
}

/// # Safety
/// As [`walk`].
unsafe extern "C" fn prefetch<C: Cursor>(index: *const c_void, key: *const u64) {
    // SAFETY: as the caller says.
    unsafe {
        let trie = &*index.cast::<Trie>();
        let chunk = C::new(key, trie.bits).next(trie.first);
        // The first array mostly is in the cache, the nodes are not.
        let root = *trie.roots.get_unchecked(chunk as usize);
        if root & LEAF == 0 {
            prefetch_line(trie.nodes.as_ptr().wrapping_add(root as usize));
        }
    }
}

/// The prefetch function for keys with so many bits.
pub(super) fn prefetch_fn(bits: u32) -> PrefetchFn {
    match bits {
        0..=64 => prefetch::<One>,
        65..=128 => prefetch::<Two>,
        _ => prefetch::<Many>,
    }
}
