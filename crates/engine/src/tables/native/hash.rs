//! Hash indices for exact keys: 64-byte buckets, so that a lookup mostly misses one cache line.

use super::prefetch_line;
use std::ffi::c_void;

/// A key that is kept in the bucket itself.
pub(super) trait InlineKey: Copy + Eq + Default + std::fmt::Debug {
    /// # Safety
    /// `key` points to the words of such a key.
    unsafe fn read(key: *const u64) -> Self;

    /// From words, lowest first; missing ones are zero.
    fn from_words(words: &[u64]) -> Self;

    /// An evenly distributed number.
    fn hash(self, seed: u64) -> u64;
}

/// The high and low half of a product, mixed: the step of wyhash (Wang Yi) and its successors.
#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

const MULTIPLE: u64 = 0x9e37_79b9_7f4a_7c15;

impl InlineKey for u64 {
    #[inline(always)]
    unsafe fn read(key: *const u64) -> Self {
        // SAFETY: one word, as the caller says.
        unsafe { *key }
    }

    fn from_words(words: &[u64]) -> Self {
        words.first().copied().unwrap_or(0)
    }

    #[inline(always)]
    fn hash(self, seed: u64) -> u64 {
        fold(self ^ seed, MULTIPLE)
    }
}

impl InlineKey for u128 {
    #[inline(always)]
    unsafe fn read(key: *const u64) -> Self {
        // SAFETY: two words, as the caller says.
        unsafe { u128::from(*key) | u128::from(*key.add(1)) << 64 }
    }

    fn from_words(words: &[u64]) -> Self {
        let word = |n: usize| u128::from(words.get(n).copied().unwrap_or(0));
        word(0) | word(1) << 64
    }

    #[inline(always)]
    fn hash(self, seed: u64) -> u64 {
        fold(fold(self as u64 ^ seed, MULTIPLE) ^ (self >> 64) as u64, MULTIPLE)
    }
}

/// Keys with their targets. A target of 0 is an empty place.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug)]
struct Bucket<K, const PLACES: usize> {
    keys: [K; PLACES],
    targets: [u32; PLACES],
    /// How many keys had no place here, or in a bucket before, and went on to the next one.
    passed: u32,
}

/// A hash table of keys and targets; `PLACES` is chosen so that a bucket is 64 bytes.
///
/// A key whose bucket is full goes to the next one with a place; each bucket that it passes
/// counts it, so that a lookup knows where to stop.
#[derive(Debug)]
pub(super) struct HashIndex<K, const PLACES: usize> {
    buckets: Vec<Bucket<K, PLACES>>,
    /// Number of buckets, a power of two, less one.
    mask: u64,
    seed: u64,
    used: usize,
}

impl<K: InlineKey, const PLACES: usize> HashIndex<K, PLACES> {
    pub(super) fn new(seed: u64, expected: usize) -> Self {
        let mut index = Self { buckets: Vec::new(), mask: 0, seed, used: 0 };
        index.resize(expected);
        index
    }

    /// Room for so many keys. Buckets are at most 85 % full.
    fn resize(&mut self, expected: usize) {
        let wanted = (expected * 20 / (17 * PLACES) + 1).next_power_of_two();
        let empty = Bucket { keys: [K::default(); PLACES], targets: [0; PLACES], passed: 0 };
        let old = std::mem::replace(&mut self.buckets, vec![empty; wanted]);
        self.mask = wanted as u64 - 1;
        self.used = 0;
        for bucket in &old {
            for (&key, &target) in bucket.keys.iter().zip(&bucket.targets) {
                if target != 0 {
                    self.add(key, target);
                }
            }
        }
    }

    #[inline(always)]
    fn home(&self, key: K) -> u64 {
        key.hash(self.seed) & self.mask
    }

    /// Where a key is.
    fn find(&self, key: K) -> Option<(usize, usize)> {
        let mut at = self.home(key);
        for _ in 0..=self.mask {
            let bucket = &self.buckets[at as usize];
            let here = |n: &usize| bucket.targets[*n] != 0 && bucket.keys[*n] == key;
            if let Some(place) = (0..PLACES).find(here) {
                return Some((at as usize, place));
            }
            if bucket.passed == 0 {
                return None;
            }
            at = (at + 1) & self.mask;
        }
        None
    }

    /// Sets or removes (0) what a key leads to.
    pub(super) fn set(&mut self, key: K, target: u32) {
        match self.find(key) {
            Some((at, place)) if target != 0 => self.buckets[at].targets[place] = target,
            Some((at, place)) => self.remove(key, at, place),
            None if target == 0 => {}
            None => {
                if (self.used + 1) * 20 > self.buckets.len() * PLACES * 17 {
                    self.resize(2 * self.used);
                }
                self.add(key, target);
            }
        }
    }

    /// Adds a key that is not there; there is room.
    fn add(&mut self, key: K, target: u32) {
        let mut at = self.home(key);
        loop {
            let bucket = &mut self.buckets[at as usize];
            if let Some(place) = bucket.targets.iter().position(|&t| t == 0) {
                bucket.keys[place] = key;
                bucket.targets[place] = target;
                break;
            }
            bucket.passed += 1;
            at = (at + 1) & self.mask;
        }
        self.used += 1;
    }

    fn remove(&mut self, key: K, found: usize, place: usize) {
        let mut at = self.home(key);
        while at as usize != found {
            self.buckets[at as usize].passed -= 1;
            at = (at + 1) & self.mask;
        }
        let bucket = &mut self.buckets[found];
        bucket.keys[place] = K::default();
        bucket.targets[place] = 0;
        self.used -= 1;
    }

    /// Bytes of heap memory.
    pub(super) fn memory_bytes(&self) -> usize {
        self.buckets.capacity() * size_of::<Bucket<K, PLACES>>()
    }

    /// # Safety
    /// `index` is such an index, `key` points to the words of a key.
    pub(super) unsafe extern "C" fn lookup(index: *const c_void, key: *const u64) -> u32 {
        // SAFETY: as the caller says.
        let (index, key) = unsafe { (&*index.cast::<Self>(), K::read(key)) };
        let mut at = index.home(key);
        loop {
            // SAFETY: `at` is at most `mask`, the number of buckets less one.
            let bucket = unsafe { index.buckets.get_unchecked(at as usize) };
            let mut target = 0;
            for n in 0..PLACES {
                // An empty place gives 0, even if its key is equal.
                target |= if bucket.keys[n] == key { bucket.targets[n] } else { 0 };
            }
            if target != 0 || bucket.passed == 0 {
                return target;
            }
            at = (at + 1) & index.mask;
        }
    }

    /// # Safety
    /// As [`HashIndex::lookup`].
    pub(super) unsafe extern "C" fn prefetch(index: *const c_void, key: *const u64) {
        // SAFETY: as the caller says.
        let (index, key) = unsafe { (&*index.cast::<Self>(), K::read(key)) };
        prefetch_line(index.buckets.as_ptr().wrapping_add(index.home(key) as usize));
    }
}

/// Places of a bucket of [`WideIndex`].
const WIDE_PLACES: usize = 10;

/// Some bits of the hash and the number of each key.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, Default)]
struct WideBucket {
    tags: [u16; WIDE_PLACES],
    /// Number of the key plus one; 0 for an empty place.
    ids: [u32; WIDE_PLACES],
    /// As in [`Bucket`].
    passed: u32,
}

/// A hash table for keys that are too long for buckets: these hold 16 bits of the hash and a
/// number, the keys are elsewhere.
#[derive(Debug)]
pub(super) struct WideIndex {
    buckets: Vec<WideBucket>,
    mask: u64,
    seed: u64,
    words: usize,
    keys: Vec<u64>,
    targets: Vec<u32>,
    free: Vec<u32>,
}

impl WideIndex {
    pub(super) fn new(seed: u64, words: usize, expected: usize) -> Self {
        let (keys, targets, free) = (Vec::new(), Vec::new(), Vec::new());
        let mut index = Self { buckets: Vec::new(), mask: 0, seed, words, keys, targets, free };
        index.resize(expected);
        index
    }

    fn resize(&mut self, expected: usize) {
        let wanted = (expected * 20 / (17 * WIDE_PLACES) + 1).next_power_of_two();
        let old = std::mem::replace(&mut self.buckets, vec![WideBucket::default(); wanted]);
        self.mask = wanted as u64 - 1;
        for id in old.iter().flat_map(|b| b.ids).filter(|&id| id != 0) {
            self.place(id);
        }
    }

    fn hash(&self, key: &[u64]) -> u64 {
        key.iter().fold(self.seed, |hash, &word| fold(hash ^ word, MULTIPLE))
    }

    fn key(&self, id: u32) -> &[u64] {
        &self.keys[(id as usize - 1) * self.words..][..self.words]
    }

    #[inline(always)]
    fn find(&self, key: &[u64]) -> Option<(usize, usize)> {
        let hash = self.hash(key);
        let (mut at, tag) = (hash & self.mask, (hash >> 48) as u16);
        for _ in 0..=self.mask {
            let bucket = &self.buckets[at as usize];
            for place in 0..WIDE_PLACES {
                let id = bucket.ids[place];
                if bucket.tags[place] == tag && id != 0 && self.key(id) == key {
                    return Some((at as usize, place));
                }
            }
            if bucket.passed == 0 {
                return None;
            }
            at = (at + 1) & self.mask;
        }
        None
    }

    /// Puts a numbered key into a bucket.
    fn place(&mut self, id: u32) {
        let hash = self.hash(self.key(id));
        let mut at = hash & self.mask;
        loop {
            let bucket = &mut self.buckets[at as usize];
            if let Some(place) = bucket.ids.iter().position(|&id| id == 0) {
                bucket.ids[place] = id;
                bucket.tags[place] = (hash >> 48) as u16;
                return;
            }
            bucket.passed += 1;
            at = (at + 1) & self.mask;
        }
    }

    /// Sets or removes (0) what a key leads to.
    pub(super) fn set(&mut self, key: &[u64], target: u32) {
        let found = self.find(key);
        match found {
            Some((at, place)) if target != 0 => {
                let id = self.buckets[at].ids[place];
                self.targets[id as usize - 1] = target;
            }
            Some((found, place)) => {
                let mut at = self.hash(key) & self.mask;
                while at as usize != found {
                    self.buckets[at as usize].passed -= 1;
                    at = (at + 1) & self.mask;
                }
                self.free.push(std::mem::take(&mut self.buckets[found].ids[place]));
            }
            None if target == 0 => {}
            None => {
                let used = self.targets.len() - self.free.len();
                if (used + 1) * 20 > self.buckets.len() * WIDE_PLACES * 17 {
                    self.resize(2 * used);
                }
                let id = self.free.pop().unwrap_or_else(|| {
                    self.keys.resize(self.keys.len() + self.words, 0);
                    self.targets.push(0);
                    self.targets.len() as u32
                });
                let n = id as usize - 1;
                self.keys[n * self.words..][..self.words].copy_from_slice(key);
                self.targets[n] = target;
                self.place(id);
            }
        }
    }

    /// Bytes of heap memory.
    pub(super) fn memory_bytes(&self) -> usize {
        self.buckets.capacity() * size_of::<WideBucket>()
            + self.keys.capacity() * 8
            + (self.targets.capacity() + self.free.capacity()) * 4
    }

    /// # Safety
    /// As [`HashIndex::lookup`].
    pub(super) unsafe extern "C" fn lookup(index: *const c_void, key: *const u64) -> u32 {
        // SAFETY: as the caller says.
        let index = unsafe { &*index.cast::<Self>() };
        // SAFETY: as the caller says.
        let key = unsafe { std::slice::from_raw_parts(key, index.words) };
        match index.find(key) {
            Some((at, place)) => index.targets[index.buckets[at].ids[place] as usize - 1],
            None => 0,
        }
    }

    /// # Safety
    /// As [`HashIndex::lookup`].
    pub(super) unsafe extern "C" fn prefetch(index: *const c_void, key: *const u64) {
        // SAFETY: as the caller says.
        let index = unsafe { &*index.cast::<Self>() };
        // SAFETY: as the caller says.
        let key = unsafe { std::slice::from_raw_parts(key, index.words) };
        let at = index.hash(key) & index.mask;
        prefetch_line(index.buckets.as_ptr().wrapping_add(at as usize));
    }
}
