//! What the control plane knows of a table.

use super::codec::{Codec, Form};
use super::handles::HandleOrder;
use super::keys::{KeyOrder, Place};
use super::packing;
use super::slab::{Slab, covers, prefix};
use super::{KeyLayout, Rank};
use crate::tables::{InsertError, KeyField, Precedence};
use std::hash::{BuildHasher, RandomState};
use ww_dataplane::control::{KeyInfo, MatchKind};

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
    by_handle: HandleOrder,
    /// By key; where priorities decide, equal ones by priority and handle.
    by_key: KeyOrder,
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
            by_handle: HandleOrder::default(),
            by_key: KeyOrder::default(),
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
        let place = row.map(|row| (self.place(&row, priority, self.next_handle), row));
        if let Some(((_, true), _)) = place {
            return Err(InsertError::Duplicate);
        }
        if self.len() as u64 >= self.size {
            return Err(InsertError::Full);
        }
        let place = place.map(|((place, _), row)| (place, row));
        self.insert_at(place, &keys, priority, target, is_const).ok_or(InsertError::Full)
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
        let place = row.map(|row| (self.place(&row, priority, self.next_handle).0, row));
        self.insert_at(place, &keys, priority, target, is_const)
    }

    /// Adds an entry whose row, if the form can say it, has its place there.
    fn insert_at(
        &mut self,
        place: Option<(Place, Vec<u32>)>,
        keys: &[KeyField],
        priority: i64,
        target: u32,
        is_const: bool,
    ) -> Option<(u64, Change)> {
        let handle = self.next_handle;
        let turns = place.is_none();
        let (place, row) = match place {
            Some(place) => place,
            None => {
                // An exact key that matches anything: only programs can write that.
                self.rank_all();
                let row = self.codec.encode(keys)?;
                (self.place(&row, priority, handle).0, row)
            }
        };
        let slot = self.add(&row, place, (handle, priority), target, is_const)?;
        self.next_handle += 1;
        let change = if turns { Change(Redo::All) } else { self.change(slot) };
        Some((handle, change))
    }

    /// Adds an entry with a handle that is higher than all others.
    fn add(
        &mut self,
        row: &[u32],
        place: Place,
        (handle, priority): (u64, i64),
        target: u32,
        is_const: bool,
    ) -> Option<u32> {
        debug_assert!(target > 0 && target < 1 << 31, "target {target} is out of range");
        let slot = self.slab.add(row, handle, priority, target, is_const)?;
        self.by_handle.push(slot, handle);
        self.by_key.insert(&self.slab, place, slot);
        Some(slot)
    }

    /// From now on, priorities decide, then lengths of prefixes.
    fn rank_all(&mut self) {
        let entries: Vec<(u64, StoredEntry)> = self.iter().collect();
        self.codec = Codec::new(&self.infos, Form::Ranked);
        self.slab = Slab::new(self.codec.row_units());
        self.by_handle = HandleOrder::default();
        self.by_key = KeyOrder::default();
        for (handle, entry) in entries {
            if let Some(row) = self.codec.encode(&entry.keys) {
                let (place, _) = self.place(&row, entry.priority, handle);
                self.add(&row, place, (handle, entry.priority), entry.target, entry.is_const);
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
        let (by_handle, slot) = self.by_handle.find(&self.slab, handle)?;
        let (entry, change) = (self.entry(slot), self.change(slot));
        self.by_handle.remove(&self.slab, by_handle);
        let (place, _) = self.place(self.slab.key(slot), entry.priority, handle);
        self.by_key.remove(&self.slab, place);
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
        let slot = self.slot_at(self.place(&row, priority, 0).0)?;
        let is_ranked = self.codec.form() == Form::Ranked;
        let is_equal =
            self.slab.key(slot) == row && (!is_ranked || self.slab.priority(slot) == priority);
        is_equal.then(|| self.slab.handle(slot))
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

    fn slot_at(&self, place: Place) -> Option<u32> {
        self.by_key.iter_from(place).next()
    }

    /// The place in the order of keys for an entry, or that of the first one behind it, and
    /// whether there is such an entry. Priority and handle count where priorities decide.
    fn place(&self, row: &[u32], priority: i64, handle: u64) -> (Place, bool) {
        let is_ranked = self.codec.form() == Form::Ranked;
        self.by_key.find(&self.slab, row, |slot| {
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
        self.by_handle.find(&self.slab, handle).map(|(_, slot)| slot)
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
        let (place, found) = self.place(row, 0, 0);
        let slot = self.slot_at(place).filter(|_| found)?;
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

    /// The target of the longest prefix of at most `length` bits that the first `length` bits of
    /// `value` begin with, or 0; and the slots of all prefixes that are longer than `length` and
    /// begin with these bits, those that hold others first. Only for stores of prefixes.
    pub(super) fn around(&self, value: &[u32], length: u32) -> (u32, Vec<u32>) {
        let mut row = value.to_vec();
        packing::cut(&mut row, length);
        row.push(length);
        let (place, found) = self.place(&row, 0, 0);
        let is_under =
            |&slot: &u32| packing::common(prefix(self.slab.key(slot)).0, value, length) == length;
        let mut slots = self.by_key.iter_from(place);
        let own = if found { slots.next() } else { None };
        let under = slots.take_while(is_under).collect();
        let cover = match own {
            Some(slot) => self.slab.target(slot),
            None => self.cover_before(place, row),
        };
        (cover, under)
    }

    /// The target of the longest prefix that covers the one in `row`, for which there is no
    /// entry and which would be at `place`.
    fn cover_before(&self, mut place: Place, mut row: Vec<u32>) -> u32 {
        // What lies before in order, but does not cover, has a common beginning with what
        // covers: a shorter prefix that is looked for in the next round.
        while let (Some(slot), Some(length)) = (self.by_key.before(place), row.pop()) {
            let other = self.slab.key(slot);
            if covers(other, &row, length) {
                return self.slab.target(slot);
            }
            let length = packing::common(prefix(other).0, &row, length.saturating_sub(1));
            packing::cut(&mut row, length);
            row.push(length);
            let found;
            (place, found) = self.place(&row, 0, 0);
            if let Some(slot) = self.slot_at(place).filter(|_| found) {
                return self.slab.target(slot);
            }
        }
        0
    }
}
