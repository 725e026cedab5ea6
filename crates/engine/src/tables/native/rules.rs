//! Ranked entries (ternary, range, optional keys): bit vectors by chunks of the key (Lakshman,
//! Stiliadis: High-Speed Policy-Based Packet Forwarding Using Efficient Multi-Dimensional Range
//! Matching, SIGCOMM 1998), with a summary over blocks of rules (Baboescu, Varghese: Scalable
//! Packet Classification, SIGCOMM 2001).

use super::plan::{CHUNK, Plan, VALUES};
use super::vector::{self, Vector};
use super::{EntryStore, LookupFn, Rank};
use std::ffi::c_void;

/// One bit for each rule of a block.
pub(super) trait Row: Copy + std::fmt::Debug {
    /// No rule.
    const NONE: Self;
    /// Number of bits.
    const BITS: usize;

    fn words(&self) -> &[u64];
    fn words_mut(&mut self) -> &mut [u64];

    /// The number of the first bit that is set.
    #[inline(always)]
    fn first(&self) -> Option<usize> {
        for (n, &word) in self.words().iter().enumerate() {
            if word != 0 {
                return Some(64 * n + word.trailing_zeros() as usize);
            }
        }
        None
    }

    fn set(&mut self, at: usize, on: bool) {
        let bit = 1 << (at % 64);
        let word = &mut self.words_mut()[at / 64];
        *word = *word & !bit | if on { bit } else { 0 };
    }

    /// Makes room for a bit: those from `at` on move up.
    fn open(&mut self, at: usize) {
        let mut carry = 0;
        for (n, word) in self.words_mut().iter_mut().enumerate().skip(at / 64) {
            let keep = if n == at / 64 { (1 << (at % 64)) - 1 } else { 0 };
            let moved = *word & !keep;
            let out = moved >> 63;
            *word = *word & keep | moved << 1 | carry;
            carry = out;
        }
    }

    /// Takes a bit away: those behind `at` move down.
    fn close(&mut self, at: usize) {
        let words = self.words_mut();
        for n in at / 64..words.len() {
            let next = words.get(n + 1).map_or(0, |w| w << 63);
            let keep = if n == at / 64 { (1u64 << (at % 64)) - 1 } else { 0 };
            words[n] = words[n] & keep | (words[n] >> 1) & !keep | next;
        }
    }
}

macro_rules! rows {
    ($($(#[$doc:meta])* $name:ident: $words:literal, $align:literal;)*) => {$(
        $(#[$doc])*
        #[repr(C, align($align))]
        #[derive(Clone, Copy, Debug)]
        pub(super) struct $name([u64; $words]);

        impl Row for $name {
            const NONE: Self = Self([0; $words]);
            const BITS: usize = 64 * $words;

            #[inline(always)]
            fn words(&self) -> &[u64] {
                &self.0
            }

            fn words_mut(&mut self) -> &mut [u64] {
                &mut self.0
            }
        }
    )*};
}

rows! {
    /// For small tables.
    Narrow: 2, 16;
    /// A cache line.
    Wide: 8, 64;
}

/// Rules in order of rank.
#[derive(Debug)]
struct Block<R> {
    rows: Vec<R>,
    valid: R,
    targets: Vec<u32>,
    ranks: Vec<Rank>,
}

impl<R: Row> Block<R> {
    fn new(plan: &Plan) -> Self {
        let (targets, ranks) = (Vec::with_capacity(R::BITS), Vec::with_capacity(R::BITS));
        Self { rows: vec![R::NONE; plan.rows], valid: R::NONE, targets, ranks }
    }

    /// The bits of rules that fit a key.
    ///
    /// # Safety
    /// `key` points to the words of a key; the plan is the one of the block; `V` is as large as
    /// `R`.
    #[inline(always)]
    unsafe fn fitting<V: Vector>(&self, plan: &Plan, key: *const u64) -> V {
        let rows: *const R = self.rows.as_ptr();
        // SAFETY: the plan has words of the key and numbers of rows only.
        unsafe {
            let valid = V::load((&raw const self.valid).cast());
            let mut all = valid;
            for run in &plan.runs {
                let mut bits = *key.add(run.word as usize) >> run.shift & run.mask;
                let mut row = rows.add(run.row as usize);
                for _ in 0..run.chunks {
                    let value = bits as usize & (VALUES - 1);
                    all = all.and(V::load(row.add(value).cast()));
                    bits >>= CHUNK;
                    row = row.add(VALUES);
                }
            }
            let (mut above, mut below) = (valid, valid);
            for chunk in &plan.ranges {
                let word = *key.add(usize::from(chunk.word)) >> chunk.shift;
                let value = word as usize & usize::from(chunk.mask);
                let row = rows.add(chunk.row as usize + value);
                let table = |n: usize| V::load(row.add(n * VALUES).cast());
                above = table(0).or_both(table(1), above);
                below = table(2).or_both(table(3), below);
                if chunk.is_last {
                    all = all.and(above).and(below);
                    (above, below) = (valid, valid);
                }
            }
            all
        }
    }

    /// The target of the first rule that fits; 0 if there is none.
    ///
    /// # Safety
    /// As [`Block::fitting`].
    #[inline(always)]
    unsafe fn find<V: Vector>(&self, plan: &Plan, key: *const u64) -> u32 {
        // SAFETY: as the caller says; bits are set for valid rules only, and they have targets.
        unsafe {
            let fitting = self.fitting::<V>(plan, key);
            if fitting.is_none() {
                return 0;
            }
            let mut bits = R::NONE;
            fitting.store(bits.words_mut().as_mut_ptr());
            bits.first().map_or(0, |n| *self.targets.get_unchecked(n))
        }
    }

    /// Adds a rule at a position.
    fn insert(&mut self, plan: &Plan, store: &EntryStore, slot: u32, rank: Rank, at: usize) {
        if at < self.ranks.len() {
            self.rows.iter_mut().for_each(|row| row.open(at));
        }
        self.valid.set(self.ranks.len(), true);
        self.targets.insert(at, store.slot_target(slot));
        self.ranks.insert(at, rank);
        let rows = &mut self.rows;
        plan.rows_of(store.codec(), store.row(slot), |row| rows[row].set(at, true));
    }

    fn remove(&mut self, at: usize) {
        self.rows.iter_mut().for_each(|row| row.close(at));
        self.ranks.remove(at);
        self.targets.remove(at);
        self.valid.set(self.ranks.len(), false);
    }

    /// Moves the upper half of the rules to a new block.
    fn split(&mut self, plan: &Plan) -> Self {
        let half = R::BITS / 2;
        let mut upper = Self::new(plan);
        let take = |row: &mut R| {
            let mut taken = R::NONE;
            let words = half / 64;
            taken.words_mut()[..words].copy_from_slice(&row.words()[words..]);
            row.words_mut()[words..].fill(0);
            taken
        };
        for (row, to) in self.rows.iter_mut().zip(&mut upper.rows) {
            *to = take(row);
        }
        upper.valid = take(&mut self.valid);
        upper.targets.extend(self.targets.drain(half..));
        upper.ranks.extend(self.ranks.drain(half..));
        upper
    }
}

/// Rules in blocks, ordered by rank.
#[derive(Debug)]
pub(super) struct Rules<R> {
    plan: Plan,
    blocks: Vec<Block<R>>,
    /// One bit for each block: a row says which blocks have a rule in this row. Empty if there is
    /// at most one block.
    summary: Vec<Block<R>>,
}

impl<R: Row> Rules<R> {
    pub(super) fn new(store: &EntryStore) -> Self {
        let rows = store.slots().map(|slot| store.row(slot));
        let plan = Plan::new(store.infos(), store.codec(), rows);
        let mut ranked: Vec<(Rank, u32)> = store.slots().map(|s| (store.rank(s), s)).collect();
        ranked.sort_unstable();
        // Some room in each block, unless there is only one.
        let each = if ranked.len() <= R::BITS { R::BITS } else { R::BITS / 4 * 3 };
        let block = |chunk: &[(Rank, u32)]| {
            let mut block = Block::new(&plan);
            for (n, &(rank, slot)) in chunk.iter().enumerate() {
                block.insert(&plan, store, slot, rank, n);
            }
            block
        };
        let blocks = ranked.chunks(each).map(block).collect();
        let mut rules = Self { plan, blocks, summary: Vec::new() };
        rules.summarize();
        rules
    }

    /// Makes the summary anew.
    fn summarize(&mut self) {
        self.summary.clear();
        if self.blocks.len() > 1 {
            let groups = self.blocks.len().div_ceil(R::BITS);
            self.summary.resize_with(groups, || Block::new(&self.plan));
            (0..self.blocks.len()).for_each(|block| self.summarize_block(block));
        }
    }

    fn summarize_block(&mut self, n: usize) {
        let Some(group) = self.summary.get_mut(n / R::BITS) else { return };
        let block = &self.blocks[n];
        let at = n % R::BITS;
        group.valid.set(at, !block.ranks.is_empty());
        for (row, of_block) in group.rows.iter_mut().zip(&block.rows) {
            row.set(at, of_block.first().is_some());
        }
    }

    /// Brings the rules up to date with an entry that has changed; `false` if they have to be
    /// made anew for that.
    pub(super) fn apply(&mut self, store: &EntryStore, rank: Rank) -> bool {
        let after = self.blocks.partition_point(|b| b.ranks.first().is_some_and(|&r| r <= rank));
        let n = after.saturating_sub(1);
        let found = self.blocks.get(n).map_or(Err(0), |b| b.ranks.binary_search(&rank));
        match (store.slot(rank.handle()), found) {
            (Some(slot), Ok(at)) => self.blocks[n].targets[at] = store.slot_target(slot),
            (Some(slot), Err(at)) => return self.insert(store, slot, rank, n, at),
            (None, Ok(at)) => {
                self.blocks[n].remove(at);
                if self.blocks[n].ranks.is_empty() {
                    self.blocks.remove(n);
                    self.summarize();
                } else {
                    self.summarize_block(n);
                }
            }
            (None, Err(_)) => {}
        }
        true
    }

    fn insert(
        &mut self,
        store: &EntryStore,
        slot: u32,
        rank: Rank,
        block: usize,
        at: usize,
    ) -> bool {
        if !self.plan.suits(store.codec(), store.row(slot)) {
            return false;
        }
        let (mut block, mut at) = (block, at);
        match self.blocks.get_mut(block) {
            None => self.blocks.push(Block::new(&self.plan)),
            Some(full) if full.ranks.len() == R::BITS => {
                if R::BITS == Narrow::BITS {
                    return false;
                }
                let upper = full.split(&self.plan);
                self.blocks.insert(block + 1, upper);
                self.summarize();
                if at > R::BITS / 2 {
                    (block, at) = (block + 1, at - R::BITS / 2);
                }
            }
            Some(_) => {}
        }
        self.blocks[block].insert(&self.plan, store, slot, rank, at);
        self.summarize_block(block);
        true
    }

    /// The target of the first rule that fits; 0 if there is none.
    ///
    /// # Safety
    /// `key` points to the words of a key; `V` is as large as `R`, and the processor has its
    /// features.
    #[inline(always)]
    unsafe fn find<V: Vector>(&self, key: *const u64) -> u32 {
        if let [block] = &self.blocks[..] {
            // SAFETY: as the caller says; all blocks have this plan.
            return unsafe { block.find::<V>(&self.plan, key) };
        }
        for (group, summary) in self.summary.iter().enumerate() {
            let mut fitting = R::NONE;
            // SAFETY: as the caller says; the summary has this plan.
            unsafe {
                let some = summary.fitting::<V>(&self.plan, key);
                some.store(fitting.words_mut().as_mut_ptr());
            }
            for (n, &word) in fitting.words().iter().enumerate() {
                let mut word = word;
                while word != 0 {
                    let block = group * R::BITS + 64 * n + word.trailing_zeros() as usize;
                    word &= word - 1;
                    let Some(block) = self.blocks.get(block) else { break };
                    // SAFETY: as above.
                    let target = unsafe { block.find::<V>(&self.plan, key) };
                    if target != 0 {
                        return target;
                    }
                }
            }
        }
        0
    }

    /// Bytes of heap memory.
    pub(super) fn memory_bytes(&self) -> usize {
        let per_block = |block: &Block<R>| {
            block.rows.capacity() * size_of::<R>()
                + block.targets.capacity() * 4
                + block.ranks.capacity() * size_of::<Rank>()
                + size_of::<Block<R>>()
        };
        let blocks: usize = self.blocks.iter().chain(&self.summary).map(per_block).sum();
        blocks + self.plan.memory_bytes()
    }
}

macro_rules! lookups {
    ($($(#[$feature:meta])* $name:ident: $row:ty, $vector:ty;)*) => {$(
        /// # Safety
        /// `index` is such an index, `key` points to the words of a key, the features are there.
        $(#[$feature])*
        unsafe extern "C" fn $name(index: *const c_void, key: *const u64) -> u32 {
            // SAFETY: as the caller says.
            unsafe { (*index.cast::<Rules<$row>>()).find::<$vector>(key) }
        }
    )*};
}

#[cfg(not(target_arch = "x86_64"))]
lookups! {
    narrow: Narrow, vector::Words<2>;
}

lookups! {
    wide: Wide, vector::Words<8>;
}

#[cfg(target_arch = "x86_64")]
lookups! {
    narrow: Narrow, vector::Sse2;
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    wide_avx2: Wide, vector::Avx2;
    #[target_feature(enable = "avx512f,bmi1,bmi2")]
    wide_avx512: Wide, vector::Avx512;
}

/// Lookup function for [`Rules`] of [`Narrow`] rows.
pub(super) fn narrow_fn() -> LookupFn {
    narrow
}

/// The fastest lookup function of this processor for [`Rules`] of [`Wide`] rows.
pub(super) fn wide_fn() -> LookupFn {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        if has!("bmi1") && has!("bmi2") && has!("avx512f") {
            return wide_avx512;
        }
        if has!("bmi1") && has!("bmi2") && has!("avx2") {
            return wide_avx2;
        }
    }
    wide
}
