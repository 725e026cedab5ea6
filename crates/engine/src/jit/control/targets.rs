//! What requests refer to, in the form of records; entries, members and the way back.

use super::records::{Content, NO_ACTION, Record, argument_words, number, push_words};
use super::{JitControl, Member, Memory};
use crate::bits::Bits;
use crate::jit::abi::{CounterCell, cells_apart, flag};
use crate::objects::{Meter, Profile};
use crate::tables::native::{EntryStore, StoredEntry};
use crate::tables::{InsertError, key_views};
use crate::validation::{self, CheckedTarget};
use ww_dataplane::control::{
    ActionData, ActionInfo, CounterValue, EntryHandle, EntryView, Error, NewEntry, ProfileIndex,
    ProfileInfo, Schema, TableIndex, TableInfo, Target,
};

type Result<T> = std::result::Result<T, Error>;

pub(super) fn words_of(arguments: &[Bits]) -> Vec<u64> {
    let mut words = Vec::with_capacity(arguments.len());
    arguments.iter().for_each(|bits| push_words(bits, &mut words));
    words
}

/// The content of a record for an action of the program.
pub(super) fn initial_content(info: &TableInfo, data: &ActionData) -> Content {
    let parameters = info.actions.get(data.action).map_or(&[][..], |a| &a.parameters);
    let bits = parameters.iter().zip(&data.arguments);
    let arguments: Vec<Bits> = bits.map(|(p, value)| Bits::from_biguint(p.width, value)).collect();
    Content::action(data.action as u32, words_of(&arguments))
}

/// The content of a record for a checked target.
pub(super) fn content<T>(
    schema: &Schema,
    info: &TableInfo,
    profiles: &[Profile<T>],
    to: &Target,
    default: bool,
) -> Result<Content> {
    Ok(match validation::target(schema, info, profiles, to, default)? {
        CheckedTarget::Action { position, arguments, .. } => {
            Content::action(position as u32, words_of(&arguments))
        }
        CheckedTarget::Member(member) => Content::choice(flag::MEMBER, member),
        CheckedTarget::Group(group) => Content::choice(flag::GROUP, group),
    })
}

impl JitControl {
    /// What a record leads to, for the control plane.
    pub(super) fn target_view(&self, table: TableIndex, record: Record) -> Target {
        let head = record.head();
        let choice = head.choice;
        if head.flags & flag::MEMBER != 0 {
            return Target::Member(choice);
        }
        if head.flags & flag::GROUP != 0 {
            return Target::Group(choice);
        }
        Target::Action(self.action_view(table, record))
    }

    /// The action of a record, with its arguments.
    pub(super) fn action_view(&self, table: TableIndex, record: Record) -> ActionData {
        let mut rest = self.memory.records[table.index()].arguments(&record);
        let action = record.head().action as usize;
        let parameters = self.schema[table].actions.get(action).map_or(&[][..], |a| &a.parameters);
        let mut arguments = Vec::with_capacity(parameters.len());
        for parameter in parameters {
            let (words, after) = rest.split_at(argument_words(parameter.width));
            arguments.push(number(words));
            rest = after;
        }
        ActionData { action, arguments }
    }

    pub(super) fn entry_view(
        &self,
        table: TableIndex,
        handle: u64,
        entry: &StoredEntry,
    ) -> EntryView {
        let info = &self.schema[table];
        EntryView {
            handle: EntryHandle(handle),
            entry: NewEntry {
                keys: key_views(&info.keys, &entry.keys),
                priority: entry.priority,
                target: self
                    .target_view(table, self.memory.records[table.index()].get(entry.target)),
            },
            is_const: entry.is_const,
        }
    }

    /// The record of an entry.
    pub(super) fn entry_record(&self, table: TableIndex, handle: u64) -> Result<Record> {
        let info = validation::table_info(&self.schema, table)?;
        let found = self.stores[table.index()].target(handle);
        let (number, _) = found.ok_or_else(|| validation::no_entry(info, handle))?;
        Ok(self.memory.records[table.index()].get(number))
    }

    /// The number of the record of an entry that the control plane may change.
    pub(super) fn changeable(&self, table: TableIndex, handle: u64) -> Result<u32> {
        let info = validation::table_info(&self.schema, table)?;
        match self.stores[table.index()].target(handle) {
            None => Err(validation::no_entry(info, handle)),
            Some((_, true)) => Err(validation::constant_entry(info, handle)),
            Some((number, false)) => Ok(number),
        }
    }

    /// Removes an entry.
    pub(super) fn remove_entry(&mut self, table: usize, handle: u64) {
        let Some((number, _)) = self.stores[table].target(handle) else { return };
        if let Some((_, change)) = self.stores[table].remove(handle) {
            self.pending.index(table, change);
            let memory = &mut *self.memory;
            memory.records[table].release(&mut memory.heap, number);
        }
    }

    /// Gives an entry another target.
    pub(super) fn retarget(
        &mut self,
        table: usize,
        handle: u64,
        old: u32,
        content: &Content,
    ) -> Result<()> {
        let memory = &mut *self.memory;
        let records = &mut memory.records[table];
        if records.keeps_numbers() {
            records.replace(&mut memory.heap, old, content);
            self.pending.record(table, old, records.get(old));
            return Ok(());
        }
        let (number, is_new) = records.acquire(&mut memory.heap, content).ok_or_else(|| {
            validation::insert_error(&self.schema.tables[table], InsertError::Full)
        })?;
        if is_new {
            self.pending.record(table, number, records.get(number));
        }
        if let Some(change) = self.stores[table].set_target(handle, number) {
            self.pending.index(table, change);
        }
        records.release(&mut memory.heap, old);
        Ok(())
    }

    /// Whether an entry or default action refers to a member or group.
    pub(super) fn is_referred_to(&self, profile: ProfileIndex, flag: u32, choice: u32) -> bool {
        let info = self.schema.profiles.get(profile.index());
        info.into_iter()
            .flat_map(|info| &info.tables)
            .any(|t| self.memory.records[t.index()].refers_to(flag, choice))
    }

    /// The cells of an entry's direct counter, the base behind them.
    fn direct_cells(&self, cells: *mut CounterCell) -> impl Iterator<Item = *mut CounterCell> {
        // SAFETY: there is one cell per worker, and one for the base.
        let apart = cells_apart(self.memory.heap.workers());
        (0..=self.memory.heap.workers()).map(move |n| unsafe { cells.add(n * apart) })
    }

    pub(super) fn direct_counter(&self, record: Record) -> CounterValue {
        use super::counters::{load, minus, plus};
        let cells = record.head().counter;
        if cells.is_null() {
            return CounterValue::default();
        }
        let workers = self.memory.heap.workers();
        // SAFETY: the cells live as long as the entry.
        let all = self.direct_cells(cells).map(|cell| unsafe { load(cell) });
        let (base, sum) = all.enumerate().fold(Default::default(), |(base, sum), (n, value)| {
            if n == workers { (value, sum) } else { (base, plus(sum, value)) }
        });
        minus(sum, base)
    }

    pub(super) fn set_direct_counter(&self, record: Record, value: CounterValue) {
        use super::counters::{load, minus, plus, store};
        let cells = record.head().counter;
        if cells.is_null() {
            return;
        }
        let last = self.direct_cells(cells).last();
        // SAFETY: the cells live as long as the entry, and no worker counts in the base.
        if let Some(base) = last {
            unsafe {
                let sum = plus(self.direct_counter(record), load(base));
                store(base, minus(sum, value));
            }
        }
    }

    /// Works on the direct meters of records.
    pub(super) fn with_meters(
        &self,
        records: impl Iterator<Item = Record>,
        mut work: impl FnMut(&mut Meter),
    ) {
        let lock = self.objects.ordered();
        for record in records {
            // SAFETY: the meter lives as long as the entry, and whoever touches one has the lock.
            if let Some(meter) = unsafe { record.head().meter.cast::<Meter>().as_mut() } {
                work(meter);
            }
        }
        drop(lock);
    }

    /// The records of all entries of a table.
    pub(super) fn entry_records(&self, table: TableIndex) -> impl Iterator<Item = Record> {
        let records = &self.memory.records[table.index()];
        self.stores[table.index()].targets().map(|(_, number)| records.get(number))
    }

    /// Fills a table with the entries of the program.
    pub(super) fn fill_table(&mut self, table: usize) {
        let (info, initial) = (&self.schema.tables[table], &self.initial[table]);
        let memory = &mut *self.memory;
        let records = &mut memory.records[table];
        records.reset(&mut memory.heap, &initial_content(info, &initial.default));
        let mut store = EntryStore::new(&info.keys, info.size);
        for entry in &initial.entries {
            let content = initial_content(info, &entry.action).of_entry();
            let Some((number, _)) = records.acquire(&mut memory.heap, &content) else { continue };
            let inserted =
                store.insert_initial(entry.keys.clone(), entry.priority, number, entry.is_const);
            match inserted {
                Some((handle, _)) => records.set_entry(number, handle),
                None => records.release(&mut memory.heap, number),
            }
        }
        self.stores[table] = store;
        self.lagging.forget_index(table);
        self.pending.new_table(table, records.all());
    }
}

impl Memory {
    /// Makes the records of a member, for all tables of its profile.
    pub(super) fn member_records(
        &mut self,
        schema: &Schema,
        info: &ProfileInfo,
        action: u32,
        words: &[u64],
    ) -> Member {
        let record = |table: &TableIndex| {
            let actions: &[ActionInfo] = &schema[*table].actions;
            let content = match actions.iter().position(|a| a.action == action) {
                Some(position) => Content::action(position as u32, words.to_vec()),
                None => Content::action(NO_ACTION, Vec::new()),
            };
            self.heap.record(&content, std::ptr::null_mut(), std::ptr::null_mut())
        };
        info.tables.iter().map(record).collect()
    }

    /// Frees the records of a member that the profile did not take.
    pub(super) fn discard_member(&mut self, profile: usize, member: &Member) {
        for (&table, &record) in self.profile_tables[profile].iter().zip(member) {
            self.records[table].discard(&mut self.heap, record);
        }
    }
}
