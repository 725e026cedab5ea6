//! What the control plane knows of a table.

use super::codec::{Codec, Form};
use super::packing;
use super::slab::{Slab, covers, prefix};
use super::slots::{Place, SortedSlots};
use super::{KeyLayout, Rank};
use crate::runtime::{KeyInfo, MatchKind};
use crate::tables::{InsertError, KeyField, Precedence};
use std::cmp::Ordering;
use std::hash::{BuildHasher, RandomState};

/// The entries of a table, for the control plane. Targets are numbers from 1 to 2^31 - 1.
///
/// Which entry wins, what is a duplicate and how handles are numbered is as in
/// [`crate::tables::MatchTable`].
#[derive(Debug)]
pub struct EntryStore {
    infos: Vec<KeyInfo>,
    size: u64,
    seed: u64,
    next_handle: u64,
    codec: Codec,
    slab: Slab,
    by_handle: SortedSlots,
    /// By key; where priorities decide, equal ones by priority and handle.
    by_key: SortedSlots,
}

/// An entry of an [`EntryStore`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEntry {
    /// One per key.
    pub keys: Vec<KeyField>,
    /// The higher number wins where [`Precedence::Priority`] holds.
    pub priority: i64,
    /// What the entry leads to.
    pub target: u32,
    /// Whether it is constant in the program.
    pub is_const: bool,
}

/// What a [`super::TableIndex`] has to redo after an [`EntryStore`] changed. It names places, not
/// contents: an index reads what is there when it applies the change.
#[derive(Clone, Debug)]
pub struct Change(pub(super) Redo);

#[derive(Clone, Debug)]
pub(super) enum Redo {
    /// Everything.
    All,
    /// What keys with this row lead to.
    Key(Box<[u32]>),
    /// The entry with this rank.
    Rank(Rank),
}

impl EntryStore {
    /// An empty store for entries with such keys. At most `size` entries are inserted.
    pub fn new(keys: &[KeyInfo], size: u64) -> Self {
        Self::with_seed(keys, size, RandomState::new().hash_one(0))
    }

    /// Like [`EntryStore::new`], with a given seed for the hash functions of the indices.
    pub fn with_seed(keys: &[KeyInfo], size: u64, seed: u64) -> Self {
        let prefix_keys = keys.iter().filter(|k| k.kind == MatchKind::Lpm).count();
        let exact_keys = keys.iter().filter(|k| k.kind == MatchKind::Exact).count();
        let form = match prefix_keys {
            0 if exact_keys == keys.len() => Form::Exact,
            1 if exact_keys + 1 == keys.len() => Form::Prefix,
            _ => Form::Ranked,
        };
        let codec = Codec::new(keys, form);
        Self {
            infos: keys.to_vec(),
            size,
            seed,
            next_handle: 0,
            slab: Slab::new(codec.row_units()),
            codec,
            by_handle: SortedSlots::default(),
            by_key: SortedSlots::default(),
        }
    }

    /// How keys form a bit string.
    pub fn layout(&self) -> &KeyLayout {
        self.codec.layout()
    }

    /// The keys of the table.
    pub fn infos(&self) -> &[KeyInfo] {
        &self.infos
    }

    /// How many entries may be inserted.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Which entry wins.
    pub fn precedence(&self) -> Precedence {
        match self.codec.form() {
            Form::Exact | Form::Prefix => Precedence::LongestPrefix,
            Form::Ranked => Precedence::Priority,
        }
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.slab.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds an entry. Returns its handle; handles are given out from 0 on and not again.
    ///
    /// `keys` are as [`crate::tables::key_fields`] makes them: one per key of the table, with its
    /// width. `target` is from 1 to 2^31 - 1.
    pub fn insert(
        &mut self,
        keys: Vec<KeyField>,
        priority: i64,
        target: u32,
        is_const: bool,
    ) -> Result<(u64, Change), InsertError> {
        let row = self.codec.encode(&keys);
        if let Some(row) = &row
            && self.codec.form() != Form::Ranked
            && self.find_row(row, priority).1
        {
            return Err(InsertError::Duplicate);
        }
        if self.len() as u64 >= self.size {
            return Err(InsertError::Full);
        }
        self.insert_unchecked(&keys, row, priority, target, is_const).ok_or(InsertError::Full)
    }

    /// Adds an entry of the program: the first of two equal ones counts (then there is nothing
    /// to change), and all have a place.
    pub fn insert_initial(
        &mut self,
        keys: Vec<KeyField>,
        priority: i64,
        target: u32,
        is_const: bool,
    ) -> Option<(u64, Change)> {
        if self.find(&keys, priority).is_some() {
            return None;
        }
        let row = self.codec.encode(&keys);
        self.insert_unchecked(&keys, row, priority, target, is_const)
    }

    fn insert_unchecked(
        &mut self,
        keys: &[KeyField],
        row: Option<Vec<u32>>,
        priority: i64,
        target: u32,
        is_const: bool,
    ) -> Option<(u64, Change)> {
        let is_ranked = self.codec.form() == Form::Ranked;
        let row = match row {
            Some(row) => row,
            None => {
                // An exact key that matches anything: only programs can write that.
                self.rank_all();
                self.codec.encode(keys)?
            }
        };
        let handle = self.next_handle;
        let slot = self.add(&row, handle, priority, target, is_const)?;
        self.next_handle += 1;
        let turned = is_ranked != (self.codec.form() == Form::Ranked);
        let change = if turned { Change(Redo::All) } else { self.change(slot) };
        Some((handle, change))
    }

    fn add(
        &mut self,
        row: &[u32],
        handle: u64,
        priority: i64,
        target: u32,
        is_const: bool,
    ) -> Option<u32> {
        debug_assert!(target > 0 && target < 1 << 31, "target {target} is out of range");
        let slot = self.slab.add(row, handle, priority, target, is_const)?;
        let slab = &self.slab;
        let (place, _) = self.by_handle.find(|other| slab.handle(other).cmp(&handle));
        self.by_handle.insert(place, slot);
        let (place, _) = self.find_full(row, priority, handle);
        self.by_key.insert(place, slot);
        Some(slot)
    }

    /// From now on, priorities decide, then lengths of prefixes.
    fn rank_all(&mut self) {
        let entries: Vec<(u64, StoredEntry)> = self.iter().collect();
        self.codec = Codec::new(&self.infos, Form::Ranked);
        self.slab = Slab::new(self.codec.row_units());
        self.by_handle = SortedSlots::default();
        self.by_key = SortedSlots::default();
        for (handle, entry) in entries {
            if let Some(row) = self.codec.encode(&entry.keys) {
                self.add(&row, handle, entry.priority, entry.target, entry.is_const);
            }
        }
    }

    /// What has to be redone for an entry.
    fn change(&self, slot: u32) -> Change {
        if self.is_ranked_index() {
            Change(Redo::Rank(self.rank(slot)))
        } else {
            Change(Redo::Key(self.slab.key(slot).into()))
        }
    }

    /// Removes an entry.
    pub fn remove(&mut self, handle: u64) -> Option<(StoredEntry, Change)> {
        let (by_handle, slot) = self.find_handle(handle)?;
        let (entry, change) = (self.entry(slot), self.change(slot));
        self.by_handle.remove(by_handle);
        let (place, _) = self.find_full(self.slab.key(slot), entry.priority, handle);
        self.by_key.remove(place);
        self.slab.remove(slot);
        Some((entry, change))
    }

    /// Gives an entry another target.
    pub fn set_target(&mut self, handle: u64, target: u32) -> Option<Change> {
        debug_assert!(target > 0 && target < 1 << 31, "target {target} is out of range");
        let slot = self.slot(handle)?;
        self.slab.set_target(slot, target);
        Some(self.change(slot))
    }

    /// The entry with exactly these keys; `priority` counts where it decides matches. The first
    /// inserted of equal ones.
    pub fn find(&self, keys: &[KeyField], priority: i64) -> Option<u64> {
        let row = self.codec.encode(keys)?;
        let (place, found) = self.find_row(&row, priority);
        let slot = self.by_key.iter_from(place).next().filter(|_| found)?;
        Some(self.slab.handle(slot))
    }

    /// An entry.
    pub fn get(&self, handle: u64) -> Option<StoredEntry> {
        self.slot(handle).map(|slot| self.entry(slot))
    }

    /// The target of an entry, and whether the entry is constant in the program.
    pub fn target(&self, handle: u64) -> Option<(u32, bool)> {
        self.slot(handle).map(|slot| (self.slab.target(slot), self.slab.is_const(slot)))
    }

    /// Handles and targets of all entries in the order of the handles.
    pub fn targets(&self) -> impl Iterator<Item = (u64, u32)> {
        self.by_handle.iter().map(|slot| (self.slab.handle(slot), self.slab.target(slot)))
    }

    /// All entries in the order of their handles.
    pub fn iter(&self) -> impl Iterator<Item = (u64, StoredEntry)> {
        self.by_handle.iter().map(|slot| (self.slab.handle(slot), self.entry(slot)))
    }

    /// Bytes of heap memory in use.
    pub fn memory_bytes(&self) -> usize {
        self.slab.memory_bytes() + self.by_handle.memory_bytes() + self.by_key.memory_bytes()
    }

    fn entry(&self, slot: u32) -> StoredEntry {
        StoredEntry {
            keys: self.codec.decode(self.slab.key(slot)),
            priority: self.slab.priority(slot),
            target: self.slab.target(slot),
            is_const: self.slab.is_const(slot),
        }
    }

    fn find_handle(&self, handle: u64) -> Option<(Place, u32)> {
        let (place, found) = self.by_handle.find(|slot| self.slab.handle(slot).cmp(&handle));
        if !found {
            return None;
        }
        self.by_handle.iter_from(place).next().map(|slot| (place, slot))
    }

    /// The place of the first entry with this row; and with this priority where that counts.
    fn find_row(&self, row: &[u32], priority: i64) -> (Place, bool) {
        let is_ranked = self.codec.form() == Form::Ranked;
        // Among equal ones, all are greater than what is looked for: the first one is found.
        let (place, _) = self.by_key.find(|slot| {
            let order = self.slab.key(slot).cmp(row);
            let order = order.then_with(|| match is_ranked {
                true => self.slab.priority(slot).cmp(&priority),
                false => Ordering::Equal,
            });
            order.then(Ordering::Greater)
        });
        let found = self.by_key.iter_from(place).next().is_some_and(|slot| {
            self.slab.key(slot) == row && (!is_ranked || self.slab.priority(slot) == priority)
        });
        (place, found)
    }

    /// The place of an entry in the order of keys.
    fn find_full(&self, row: &[u32], priority: i64, handle: u64) -> (Place, bool) {
        let is_ranked = self.codec.form() == Form::Ranked;
        self.by_key.find(|slot| {
            let order = self.slab.key(slot).cmp(row);
            if !is_ranked || order.is_ne() {
                return order;
            }
            (self.slab.priority(slot), self.slab.handle(slot)).cmp(&(priority, handle))
        })
    }
}

/// For indices.
impl EntryStore {
    pub(super) fn form(&self) -> Form {
        self.codec.form()
    }

    pub(super) fn codec(&self) -> &Codec {
        &self.codec
    }

    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    /// Whether the index goes by rank.
    pub(super) fn is_ranked_index(&self) -> bool {
        match self.codec.form() {
            Form::Exact => false,
            Form::Prefix => !(1..=super::trie::MAX_BITS).contains(&self.layout().bits),
            Form::Ranked => true,
        }
    }

    pub(super) fn slot(&self, handle: u64) -> Option<u32> {
        self.find_handle(handle).map(|(_, slot)| slot)
    }

    pub(super) fn row(&self, slot: u32) -> &[u32] {
        self.slab.key(slot)
    }

    pub(super) fn slot_target(&self, slot: u32) -> u32 {
        self.slab.target(slot)
    }

    /// All slots in the order of their rows.
    pub(super) fn slots(&self) -> impl Iterator<Item = u32> {
        self.by_key.iter()
    }

    /// The target of the entry with this row.
    pub(super) fn row_target(&self, row: &[u32]) -> Option<u32> {
        let (place, found) = self.by_key.find(|slot| self.slab.key(slot).cmp(row));
        let slot = self.by_key.iter_from(place).next().filter(|_| found)?;
        Some(self.slab.target(slot))
    }

    /// Where an entry stands among all.
    pub(super) fn rank(&self, slot: u32) -> Rank {
        let row = self.slab.key(slot);
        let (priority, prefix) = match self.codec.form() {
            Form::Ranked => (self.slab.priority(slot), self.codec.ranked_prefix(row)),
            _ => (0, prefix(row).1),
        };
        Rank::new(priority, prefix, self.slab.handle(slot))
    }

    /// The slots of all prefixes that are longer than `length` and begin with the first `length`
    /// bits of `value`, those that hold others first. Only for stores of prefixes.
    pub(super) fn slots_under(&self, value: &[u32], length: u32) -> Vec<u32> {
        let mut row = value.to_vec();
        packing::cut(&mut row, length);
        row.push(length + 1);
        let (place, _) = self.by_key.find(|slot| self.slab.key(slot).cmp(&row));
        let slots = self.by_key.iter_from(place);
        let is_under =
            |&slot: &u32| packing::common(prefix(self.slab.key(slot)).0, value, length) == length;
        slots.take_while(is_under).collect()
    }

    /// The target of the longest prefix of at most `length` bits that the first `length` bits of
    /// `value` begin with; 0 if there is none. Only for stores of prefixes.
    pub(super) fn cover(&self, value: &[u32], length: u32) -> u32 {
        let mut row = value.to_vec();
        let mut length = length;
        loop {
            packing::cut(&mut row, length);
            row.push(length);
            let (place, found) = self.by_key.find(|slot| self.slab.key(slot).cmp(&row));
            row.pop();
            let slot = match found {
                true => self.by_key.iter_from(place).next(),
                false => self.by_key.before(place),
            };
            // What lies before in order, but does not cover, has a common beginning with what
            // covers: a shorter prefix that is looked for in the next round.
            let Some(slot) = slot else { return 0 };
            let other = self.slab.key(slot);
            if covers(other, &row, length) {
                return self.slab.target(slot);
            }
            length = packing::common(prefix(other).0, &row, length.saturating_sub(1));
        }
    }
}
