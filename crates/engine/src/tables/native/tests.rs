//! Random operations on stores and indices against [`MatchTable`].

use super::{Change, EntryStore, TableIndex};
use crate::bits::Bits;
use crate::tables::{KeyField, MatchTable};
use std::collections::VecDeque;
use ww_dataplane::control::{KeyInfo, MatchKind};

/// SplitMix64 (Steele, Lea, Flood 2014).
struct Random {
    state: u64,
    /// How many different values there are to begin with.
    spread: u64,
}

impl Random {
    fn new(state: u64) -> Self {
        Self { state, spread: 6 }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`.
    fn below(&mut self, limit: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(limit)) >> 64) as u64
    }

    fn bits(&mut self, width: u32) -> Bits {
        let mut bits = Bits::zero(0);
        while bits.width() < width {
            let part = (width - bits.width()).min(64);
            bits = bits.concat(&Bits::new(part, u128::from(self.next())));
        }
        bits
    }

    /// One of few values, so that keys meet again.
    fn near(&mut self, width: u32) -> Bits {
        let seed = self.below(self.spread);
        let base = Random::new(seed).bits(width);
        if width == 0 || self.below(2) == 0 {
            return base;
        }
        let flip = Bits::new(width, 1).shl(self.below(u64::from(width)));
        base.xor(&flip)
    }
}

fn field(random: &mut Random, info: &KeyInfo, odd: bool) -> KeyField {
    let width = info.width;
    match info.kind {
        MatchKind::Exact | MatchKind::Selector if odd && random.below(8) == 0 => {
            KeyField::any(width)
        }
        MatchKind::Exact | MatchKind::Selector => KeyField::exact(random.near(width)),
        MatchKind::Lpm => {
            let length = random.below(u64::from(width) + 1) as u32;
            KeyField::masked(&random.near(width), Bits::prefix_mask(width, length))
        }
        MatchKind::Ternary => {
            let mask = match random.below(4) {
                0 => Bits::zero(width),
                1 => Bits::ones(width),
                2 => Bits::prefix_mask(width, random.below(u64::from(width) + 1) as u32),
                _ => random.bits(width),
            };
            KeyField::masked(&random.near(width), mask)
        }
        MatchKind::Range => {
            let (a, b) = (random.near(width), random.near(width));
            let order = if info.signed { a.compare_signed(&b) } else { a.compare(&b) };
            let (low, high) = if order.is_le() { (a, b) } else { (b, a) };
            KeyField::Range { low, high, signed: info.signed }
        }
        MatchKind::Optional if random.below(3) == 0 => KeyField::any(width),
        MatchKind::Optional => KeyField::exact(random.near(width)),
    }
}

/// Values as native code hands them over.
fn words(store: &EntryStore, values: &[Bits]) -> Vec<u64> {
    let layout = store.layout();
    let mut whole = Bits::zero(0);
    for &n in &layout.order {
        whole = whole.concat(&values[n]);
    }
    let mut words: Vec<u64> = whole.to_biguint().iter_u64_digits().collect();
    words.resize(layout.words, 0);
    words
}

struct Rig {
    infos: Vec<KeyInfo>,
    oracle: MatchTable<u32>,
    store: EntryStore,
    copies: [TableIndex; 2],
    /// Changes that a copy has not seen yet.
    late: [VecDeque<Change>; 2],
    handles: Vec<u64>,
}

impl Rig {
    fn new(infos: Vec<KeyInfo>, size: u64, seed: u64) -> Self {
        let store = EntryStore::with_seed(&infos, size, seed);
        let copies = [TableIndex::new(&store), TableIndex::new(&store)];
        let oracle = MatchTable::new(&infos, size);
        Self { infos, oracle, store, copies, late: Default::default(), handles: Vec::new() }
    }

    fn record(&mut self, change: Change) {
        for late in &mut self.late {
            late.push_back(change.clone());
        }
    }

    fn step(&mut self, random: &mut Random, odd: bool) {
        let target = 1 + random.below(5) as u32;
        match random.below(8) {
            0..4 => {
                let keys: Vec<KeyField> =
                    self.infos.iter().map(|i| field(random, i, odd)).collect();
                let priority = random.below(3) as i64 - 1;
                let found = self.oracle.find(&keys, priority);
                assert_eq!(self.store.find(&keys, priority), found);
                if random.below(8) == 0 {
                    let before = self.oracle.len();
                    self.oracle.insert_initial(keys.clone(), priority, target);
                    let made = self.store.insert_initial(keys, priority, target, true);
                    assert_eq!(made.is_some(), self.oracle.len() > before);
                    if let Some((handle, change)) = made {
                        assert_eq!(self.oracle.iter().last().map(|(h, _)| h), Some(handle));
                        self.handles.push(handle);
                        self.record(change);
                    }
                } else {
                    let expected = self.oracle.insert(keys.clone(), priority, target);
                    let found = self.store.insert(keys, priority, target, false);
                    assert_eq!(found.as_ref().map(|f| f.0).map_err(|e| *e), expected);
                    if let Ok((handle, change)) = found {
                        self.handles.push(handle);
                        self.record(change);
                    }
                }
            }
            4 | 5 if !self.handles.is_empty() => {
                let n = random.below(self.handles.len() as u64) as usize;
                let handle = self.handles.swap_remove(n);
                let expected = self.oracle.remove(handle).expect("there");
                let (entry, change) = self.store.remove(handle).expect("there");
                assert_eq!(entry.keys, expected.keys);
                assert_eq!((entry.priority, entry.target), (expected.priority, expected.payload));
                assert!(self.store.remove(handle).is_none());
                self.record(change);
            }
            6 if !self.handles.is_empty() => {
                let n = random.below(self.handles.len() as u64) as usize;
                let handle = self.handles[n];
                *self.oracle.payload_mut(handle).expect("there") = target;
                let change = self.store.set_target(handle, target).expect("there");
                self.record(change);
            }
            _ => {
                let copy = random.below(2) as usize;
                let late: Vec<Change> = self.late[copy].drain(..).collect();
                if random.below(2) == 0 {
                    self.copies[copy].apply_all(&self.store, &late);
                } else {
                    for change in &late {
                        self.copies[copy].apply(&self.store, change);
                    }
                }
                self.compare(random, copy);
            }
        }
    }

    fn compare(&self, random: &mut Random, copy: usize) {
        let index = &self.copies[copy];
        for _ in 0..10 {
            let values: Vec<Bits> = self.infos.iter().map(|i| random.near(i.width)).collect();
            let expected = self.oracle.lookup(&values).and_then(|h| self.oracle.get(h));
            let key = words(&self.store, &values);
            // SAFETY: the key has the words of the layout.
            unsafe { index.prefetch_fn()(index.data(), key.as_ptr()) };
            assert_eq!(
                index.lookup(&key),
                expected.map_or(0, |e| e.payload),
                "{values:?} in {:?}",
                self.oracle
            );
        }
    }

    fn compare_stores(&self) {
        assert_eq!(self.store.len(), self.oracle.len());
        assert_eq!(self.store.precedence(), self.oracle.precedence());
        let mut all = self.oracle.iter();
        for (handle, entry) in self.store.iter() {
            let (expected_handle, expected) = all.next().expect("one more");
            assert_eq!(handle, expected_handle);
            assert_eq!(entry.keys, expected.keys);
            assert_eq!((entry.priority, entry.target), (expected.priority, expected.payload));
            assert_eq!(self.store.target(handle), Some((entry.target, entry.is_const)));
        }
        assert!(all.next().is_none());
    }
}

fn run(kinds: &[(MatchKind, u32, bool)], odd: bool, seed: u64) {
    let info = |&(kind, width, signed)| KeyInfo { name: "k".to_owned(), kind, width, signed };
    let infos: Vec<KeyInfo> = kinds.iter().map(info).collect();
    let mut random = Random::new(seed);
    let size = [3, 40, 400][random.below(3) as usize];
    let mut rig = Rig::new(infos, size, seed);
    for n in 0..800 {
        rig.step(&mut random, odd && n > 300);
        if n % 100 == 0 {
            rig.compare_stores();
        }
    }
    rig.compare_stores();
}

#[test]
fn kinds_and_widths_by_hand() {
    use MatchKind::{Exact, Lpm, Optional, Range, Ternary};
    let tables: &[&[(MatchKind, u32, bool)]] = &[
        &[],
        &[(Exact, 1, false)],
        &[(Exact, 9, false)],
        &[(Exact, 16, false)],
        &[(Exact, 48, false)],
        &[(Exact, 32, false), (Exact, 32, false)],
        &[(Exact, 65, false)],
        &[(Exact, 128, false)],
        &[(Exact, 200, false), (Exact, 100, false)],
        &[(Lpm, 1, false)],
        &[(Lpm, 17, false)],
        &[(Lpm, 32, false)],
        &[(Lpm, 64, false)],
        &[(Lpm, 128, false)],
        &[(Lpm, 300, false)],
        &[(Exact, 12, false), (Lpm, 32, false)],
        &[(Lpm, 32, false), (Exact, 129, false)],
        &[(Lpm, 32, false), (Lpm, 12, false)],
        &[(Ternary, 113, false)],
        &[(Range, 16, false), (Range, 16, true), (Ternary, 32, false)],
        &[(Range, 5, true), (Optional, 9, false), (Lpm, 20, false), (Exact, 3, false)],
        &[(Range, 150, true), (Range, 130, false)],
        &[(Optional, 70, false), (Exact, 70, false)],
    ];
    for (n, table) in tables.iter().enumerate() {
        for seed in 0..4 {
            run(table, seed % 2 == 1, (n as u64) << 8 | seed);
        }
    }
}

#[test]
fn random_kinds_and_widths() {
    use MatchKind::{Exact, Lpm, Optional, Range, Ternary};
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let kinds = [Exact, Exact, Lpm, Ternary, Range, Optional];
        let few = if random.below(2) == 0 { 2 } else { kinds.len() as u64 };
        let count = 1 + random.below(4);
        let table: Vec<(MatchKind, u32, bool)> = (0..count)
            .map(|_| {
                let width = [8, 40, 300][random.below(3) as usize];
                let kind = kinds[random.below(few) as usize];
                (kind, 1 + random.below(width) as u32, random.below(2) == 0)
            })
            .collect();
        run(&table, random.below(2) == 0, seed);
    }
}

/// As many entries as it takes for more than one block, a larger first array, growth.
#[test]
fn large_tables() {
    use MatchKind::{Exact, Lpm, Range, Ternary};
    let tables: &[&[(MatchKind, u32, bool)]] = &[
        &[(Exact, 48, false)],
        &[(Exact, 100, false)],
        &[(Exact, 150, false)],
        &[(Lpm, 32, false)],
        &[(Lpm, 128, false)],
        &[(Exact, 7, false), (Lpm, 20, false)],
        &[(Ternary, 20, false), (Range, 11, true)],
        &[(Lpm, 21, false), (Lpm, 9, false)],
    ];
    for (n, table) in tables.iter().enumerate() {
        let info = |&(kind, width, signed)| KeyInfo { name: "k".to_owned(), kind, width, signed };
        let infos: Vec<KeyInfo> = table.iter().map(info).collect();
        let mut random = Random { state: n as u64, spread: 4000 };
        let mut rig = Rig::new(infos, 1 << 20, n as u64);
        for _ in 0..6000 {
            rig.step(&mut random, false);
        }
        assert!(rig.store.len() > 1024, "{}", rig.store.len());
        rig.compare_stores();
        while !rig.handles.is_empty() {
            for _ in 0..4 {
                rig.step(&mut random, false);
            }
            for _ in 0..60 {
                let Some(handle) = rig.handles.pop() else { break };
                rig.oracle.remove(handle).expect("there");
                let (_, change) = rig.store.remove(handle).expect("there");
                rig.record(change);
            }
        }
        rig.compare_stores();
    }
}

/// Equal entries are told apart by their handles, also where they fill blocks.
#[test]
fn many_equal_entries() {
    let infos =
        [KeyInfo { name: "k".to_owned(), kind: MatchKind::Ternary, width: 8, signed: false }];
    let mut store = EntryStore::with_seed(&infos, 5000, 0);
    let key = || vec![KeyField::exact(Bits::new(8, 7))];
    store.insert(vec![KeyField::any(8)], 0, 1, false).expect("room");
    for n in 0..2000 {
        store.insert(key(), 3, 2 + n, false).expect("room");
    }
    let mut index = TableIndex::new(&store);
    for handle in 1..=2000 {
        assert_eq!(store.find(&key(), 3), Some(handle));
        assert_eq!(index.lookup(&[7]), handle as u32 + 1);
        let (entry, change) = store.remove(handle).expect("there");
        assert_eq!(u64::from(entry.target), handle + 1);
        index.apply(&store, &change);
    }
    assert_eq!(index.lookup(&[7]), 1);
    assert_eq!(store.len(), 1);
}

/// The summary over blocks follows each change of a block.
#[test]
fn a_rule_unlike_all_others_of_its_block() {
    let infos =
        [KeyInfo { name: "k".to_owned(), kind: MatchKind::Ternary, width: 16, signed: false }];
    let mut store = EntryStore::with_seed(&infos, 5000, 0);
    let key = |value| vec![KeyField::exact(Bits::new(16, value))];
    for n in 0..2000 {
        store.insert(key(0x1111), n, 1, false).expect("room");
    }
    let mut index = TableIndex::new(&store);
    for priority in [-1, 1000, 3000] {
        let (handle, change) = store.insert(key(0xeeee), priority, 2, false).expect("room");
        index.apply(&store, &change);
        assert_eq!((index.lookup(&[0xeeee]), index.lookup(&[0x1111])), (2, 1));
        let (_, change) = store.remove(handle).expect("there");
        index.apply(&store, &change);
        assert_eq!((index.lookup(&[0xeeee]), index.lookup(&[0x1111])), (0, 1));
    }
}

/// Prefixes that leave the path to one long key at each of its bits, as they come and go.
#[test]
fn paths_part_at_every_bit() {
    for width in [37, 64, 128, 300] {
        let infos =
            vec![KeyInfo { name: "k".to_owned(), kind: MatchKind::Lpm, width, signed: false }];
        let mut random = Random::new(u64::from(width));
        let path = random.bits(width);
        let mut rig = Rig::new(infos, 1000, 0);
        let mut lengths: Vec<u32> = (1..=width).collect();
        for n in (1..lengths.len()).rev() {
            lengths.swap(n, random.below(n as u64 + 1) as usize);
        }
        let aside = |length: u32| path.xor(&Bits::new(width, 1).shl(u64::from(width - length)));
        let check = |rig: &Rig| {
            for length in 1..=width {
                for value in [path.clone(), aside(length)] {
                    let handle = rig.oracle.lookup(std::slice::from_ref(&value));
                    let expected = handle.and_then(|h| rig.oracle.get(h)).map_or(0, |e| e.payload);
                    let key = words(&rig.store, &[value]);
                    for copy in &rig.copies {
                        assert_eq!(copy.lookup(&key), expected, "{width} bits, {length}");
                    }
                }
            }
        };
        for (n, &length) in lengths.iter().enumerate() {
            let value = if n % 3 == 0 { path.clone() } else { aside(length) };
            let keys = vec![KeyField::masked(&value, Bits::prefix_mask(width, length))];
            let target = 1 + n as u32 % 4;
            rig.oracle.insert(keys.clone(), 0, target).expect("new");
            let (handle, change) = rig.store.insert(keys, 0, target, false).expect("new");
            rig.handles.push(handle);
            rig.copies.iter_mut().for_each(|copy| copy.apply(&rig.store, &change));
            if n % 8 == 0 {
                check(&rig);
            }
        }
        check(&rig);
        for (n, handle) in std::mem::take(&mut rig.handles).into_iter().enumerate() {
            rig.oracle.remove(handle).expect("there");
            let (_, change) = rig.store.remove(handle).expect("there");
            rig.copies.iter_mut().for_each(|copy| copy.apply(&rig.store, &change));
            if n % 8 == 0 {
                check(&rig);
            }
        }
    }
}
