//! Entries and the default action of a table.

use super::{Result, Shadow};
use std::collections::{BTreeMap, HashMap};
use ww_dataplane::control::{
    EntryHandle, EntryView, KeyInfo, KeyMatch, MatchKind, NewEntry, TableIndex, TableInfo, Target,
};
use ww_engine::jit::control::InitialTable;
use ww_engine::tables::{InsertError, KeyField, key_fields, key_views};
use ww_engine::validation;

/// What a table holds.
pub(super) struct Table {
    infos: Vec<KeyInfo>,
    pub entries: BTreeMap<u64, Entry>,
    /// Handles by keys, in order.
    by_keys: HashMap<Vec<KeyField>, Vec<u64>>,
    next: u64,
    pub default: Target,
    initial: InitialTable,
    /// Whether two entries may not have the same keys: exact keys with at most one prefix.
    unique: bool,
}

/// An entry.
pub(super) struct Entry {
    keys: Vec<KeyField>,
    priority: i64,
    pub target: Target,
    pub is_const: bool,
}

impl Table {
    pub fn new(info: &TableInfo, initial: InitialTable) -> Self {
        let default = Target::Action(initial.default.clone());
        let mut table = Self {
            infos: info.keys.clone(),
            entries: BTreeMap::new(),
            by_keys: HashMap::new(),
            next: 0,
            default,
            initial,
            unique: false,
        };
        table.reset();
        table
    }

    /// Back to the program's entries. Of two equal ones the program's first counts.
    pub fn reset(&mut self) {
        self.entries.clear();
        self.by_keys.clear();
        self.next = 0;
        self.default = Target::Action(self.initial.default.clone());
        let count = |kind| self.infos.iter().filter(|key| key.kind == kind).count();
        let (exact, prefixes) = (count(MatchKind::Exact), count(MatchKind::Lpm));
        let is_any = |(info, key): (&KeyInfo, &KeyField)| {
            info.kind == MatchKind::Exact && key.prefix_length() != Some(info.width)
        };
        // An exact key that matches anything is for programs only, and lets entries overlap.
        let overlap =
            self.initial.entries.iter().any(|entry| self.infos.iter().zip(&entry.keys).any(is_any));
        self.unique = prefixes <= 1 && exact + prefixes == self.infos.len() && !overlap;
        for entry in self.initial.entries.clone() {
            if self.find(&entry.keys, entry.priority).is_none() {
                let target = Target::Action(entry.action);
                self.add(entry.keys, entry.priority, target, entry.is_const);
            }
        }
    }

    fn add(&mut self, keys: Vec<KeyField>, priority: i64, target: Target, is_const: bool) -> u64 {
        let handle = self.next;
        self.next += 1;
        self.by_keys.entry(keys.clone()).or_default().push(handle);
        self.entries.insert(handle, Entry { keys, priority, target, is_const });
        handle
    }

    fn remove(&mut self, handle: u64) {
        let Some(entry) = self.entries.remove(&handle) else { return };
        if let Some(handles) = self.by_keys.get_mut(&entry.keys) {
            handles.retain(|other| *other != handle);
            if handles.is_empty() {
                self.by_keys.remove(&entry.keys);
            }
        }
    }

    /// The first entry with these keys and, where entries may overlap, this priority.
    fn find(&self, keys: &[KeyField], priority: i64) -> Option<u64> {
        let mut handles = self.by_keys.get(keys)?.iter().copied();
        handles.find(|handle| self.unique || self.entries[handle].priority == priority)
    }

    fn view(&self, handle: u64, entry: &Entry) -> EntryView {
        EntryView {
            handle: EntryHandle(handle),
            entry: NewEntry {
                keys: key_views(&self.infos, &entry.keys),
                priority: entry.priority,
                target: entry.target.clone(),
            },
            is_const: entry.is_const,
        }
    }
}

impl Shadow {
    fn info(&self, table: TableIndex) -> Result<&TableInfo> {
        validation::table_info(&self.schema, table)
    }

    /// An entry that the control plane may change.
    fn changeable(&mut self, table: TableIndex, entry: EntryHandle) -> Result<&mut Entry> {
        let info = validation::table_info(&self.schema, table)?;
        let found = self.tables[table.index()].entries.get_mut(&entry.0);
        match found {
            Some(found) if !found.is_const => Ok(found),
            Some(_) => Err(validation::constant_entry(info, entry.0)),
            None => Err(validation::no_entry(info, entry.0)),
        }
    }

    pub fn table_insert(&mut self, table: TableIndex, entry: NewEntry) -> Result<EntryHandle> {
        let info = self.info(table)?;
        validation::takes_entries(info)?;
        let keys = key_fields(&info.name, &info.keys, &entry.keys)?;
        validation::target(&self.schema, info, &self.profiles, &entry.target, false)?;
        let kept = &self.tables[table.index()];
        if kept.unique && kept.find(&keys, entry.priority).is_some() {
            return Err(validation::insert_error(info, InsertError::Duplicate));
        }
        if kept.entries.len() as u64 >= info.size {
            return Err(validation::insert_error(info, InsertError::Full));
        }
        let kept = &mut self.tables[table.index()];
        Ok(EntryHandle(kept.add(keys, entry.priority, entry.target, false)))
    }

    pub fn table_modify(
        &mut self,
        table: TableIndex,
        entry: EntryHandle,
        to: Target,
    ) -> Result<()> {
        validation::target(&self.schema, self.info(table)?, &self.profiles, &to, false)?;
        self.changeable(table, entry)?.target = to;
        Ok(())
    }

    pub fn table_delete(&mut self, table: TableIndex, entry: EntryHandle) -> Result<()> {
        self.changeable(table, entry)?;
        self.tables[table.index()].remove(entry.0);
        Ok(())
    }

    pub fn table_clear(&mut self, table: TableIndex) -> Result<()> {
        self.info(table)?;
        let kept = &mut self.tables[table.index()];
        let entries = kept.entries.iter().filter(|(_, entry)| !entry.is_const);
        let handles: Vec<u64> = entries.map(|(handle, _)| *handle).collect();
        handles.into_iter().for_each(|handle| kept.remove(handle));
        Ok(())
    }

    pub fn table_entries(&self, table: TableIndex) -> Result<Vec<EntryView>> {
        self.info(table)?;
        let kept = &self.tables[table.index()];
        Ok(kept.entries.iter().map(|(handle, entry)| kept.view(*handle, entry)).collect())
    }

    pub fn table_entry(&self, table: TableIndex, entry: EntryHandle) -> Result<Option<EntryView>> {
        self.info(table)?;
        let kept = &self.tables[table.index()];
        Ok(kept.entries.get(&entry.0).map(|found| kept.view(entry.0, found)))
    }

    pub fn table_find(
        &self,
        table: TableIndex,
        keys: &[KeyMatch],
        priority: i64,
    ) -> Result<Option<EntryHandle>> {
        let info = self.info(table)?;
        let keys = key_fields(&info.name, &info.keys, keys)?;
        Ok(self.tables[table.index()].find(&keys, priority).map(EntryHandle))
    }

    pub fn table_set_default(&mut self, table: TableIndex, target: Target) -> Result<()> {
        let info = self.info(table)?;
        validation::takes_default(info)?;
        validation::target(&self.schema, info, &self.profiles, &target, true)?;
        self.tables[table.index()].default = target;
        Ok(())
    }

    pub fn table_reset_default(&mut self, table: TableIndex) -> Result<()> {
        self.info(table)?;
        let kept = &mut self.tables[table.index()];
        kept.default = Target::Action(kept.initial.default.clone());
        Ok(())
    }

    pub fn table_default(&self, table: TableIndex) -> Result<Target> {
        self.info(table)?;
        Ok(self.tables[table.index()].default.clone())
    }

    /// Whether there is such an entry.
    pub(super) fn has_entry(&self, table: TableIndex, entry: u64) -> Result<()> {
        let info = self.info(table)?;
        match self.tables[table.index()].entries.contains_key(&entry) {
            true => Ok(()),
            false => Err(validation::no_entry(info, entry)),
        }
    }
}
