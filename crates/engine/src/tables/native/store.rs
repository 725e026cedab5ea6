//! What the control plane knows of a table.

use super::KeyLayout;
use crate::runtime::KeyInfo;
use crate::tables::{InsertError, KeyField, MatchTable, Precedence};

/// The entries of a table, for the control plane. Targets are numbers from 1 to 2^31 - 1.
#[derive(Debug)]
pub struct EntryStore {
    layout: KeyLayout,
    infos: Vec<KeyInfo>,
    pub(super) table: MatchTable<(u32, bool)>,
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

/// What a [`super::TableIndex`] has to redo after an [`EntryStore`] changed.
#[derive(Clone, Debug)]
pub struct Change(());

impl EntryStore {
    /// An empty store for entries with such keys. At most `size` entries are inserted.
    pub fn new(keys: &[KeyInfo], size: u64) -> Self {
        Self::with_seed(keys, size, 0)
    }

    /// Like [`EntryStore::new`], with a given seed for the hash functions of the indices.
    pub fn with_seed(keys: &[KeyInfo], size: u64, _seed: u64) -> Self {
        Self {
            layout: KeyLayout::of(keys),
            infos: keys.to_vec(),
            table: MatchTable::new(keys, size),
        }
    }

    /// How keys form a bit string.
    pub fn layout(&self) -> &KeyLayout {
        &self.layout
    }

    /// The keys of the table.
    pub fn infos(&self) -> &[KeyInfo] {
        &self.infos
    }

    /// Which entry wins.
    pub fn precedence(&self) -> Precedence {
        self.table.precedence()
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
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
        let handle = self.table.insert(keys, priority, (target, is_const))?;
        Ok((handle, Change(())))
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
        let before = self.table.len();
        self.table.insert_initial(keys, priority, (target, is_const));
        if self.table.len() == before {
            return None;
        }
        self.table.iter().last().map(|(handle, _)| (handle, Change(())))
    }

    /// Removes an entry.
    pub fn remove(&mut self, handle: u64) -> Option<(StoredEntry, Change)> {
        let entry = self.get(handle)?;
        self.table.remove(handle)?;
        Some((entry, Change(())))
    }

    /// Gives an entry another target.
    pub fn set_target(&mut self, handle: u64, target: u32) -> Option<Change> {
        self.table.payload_mut(handle)?.0 = target;
        Some(Change(()))
    }

    /// The entry with exactly these keys; `priority` counts where it decides matches. The first
    /// inserted of equal ones.
    pub fn find(&self, keys: &[KeyField], priority: i64) -> Option<u64> {
        self.table.find(keys, priority)
    }

    /// An entry.
    pub fn get(&self, handle: u64) -> Option<StoredEntry> {
        let entry = self.table.get(handle)?;
        let (target, is_const) = entry.payload;
        Some(StoredEntry { keys: entry.keys.clone(), priority: entry.priority, target, is_const })
    }

    /// The target of an entry, and whether the entry is constant in the program.
    pub fn target(&self, handle: u64) -> Option<(u32, bool)> {
        self.table.get(handle).map(|e| e.payload)
    }

    /// Handles and targets of all entries in the order of the handles.
    pub fn targets(&self) -> impl Iterator<Item = (u64, u32)> {
        self.table.iter().map(|(handle, e)| (handle, e.payload.0))
    }

    /// All entries in the order of their handles.
    pub fn iter(&self) -> impl Iterator<Item = (u64, StoredEntry)> {
        self.table.iter().filter_map(|(handle, _)| Some((handle, self.get(handle)?)))
    }

    /// Bytes of heap memory in use.
    pub fn memory_bytes(&self) -> usize {
        self.table.len() * size_of::<(u64, StoredEntry)>()
    }
}
