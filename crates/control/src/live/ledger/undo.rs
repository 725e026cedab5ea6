//! Undoing what a transaction has done.

use super::Ledger;
use super::books::Multicast;
use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet};
use ww_dataplane::control::{
    ActionData, CellArray, Control, CounterIndex, CounterValue, EntryHandle, Error, KeyMatch,
    MatchKind, MeterIndex, MeterRates, MirrorSession, NewEntry, NodeHandle, ProfileIndex,
    RegisterIndex, TableIndex, Target, ValueSetIndex,
};

type Result<T> = std::result::Result<T, Error>;

/// How a change is undone. All handles are those that clients know.
#[derive(Debug)]
pub(super) enum Undo {
    EntryAdded {
        table: TableIndex,
        outer: u64,
    },
    EntryModified {
        table: TableIndex,
        outer: u64,
        target: Option<Target>,
    },
    EntryDeleted {
        table: TableIndex,
        before: Option<Box<Moment>>,
    },
    /// `None` for the target: back to the program's.
    Default {
        table: TableIndex,
        target: Option<Target>,
    },
    MemberAdded {
        profile: ProfileIndex,
        outer: u32,
    },
    MemberModified {
        profile: ProfileIndex,
        outer: u32,
        before: Option<ActionData>,
    },
    MemberDeleted {
        profile: ProfileIndex,
        outer: u32,
    },
    GroupCreated {
        profile: ProfileIndex,
        outer: u32,
    },
    GroupDeleted {
        profile: ProfileIndex,
        outer: u32,
        members: BTreeSet<u32>,
    },
    Joined {
        profile: ProfileIndex,
        group: u32,
        member: u32,
    },
    Left {
        profile: ProfileIndex,
        group: u32,
        member: u32,
    },
    Register {
        register: RegisterIndex,
        cells: Vec<(u64, BigUint)>,
    },
    /// With `others` the cells that are not listed were zero, and are set to it first.
    Counter {
        counter: CounterIndex,
        cells: Vec<(u64, CounterValue)>,
        others: bool,
    },
    /// With `others` the meters that are not listed had no rates, and lose them first.
    Meter {
        meter: MeterIndex,
        cells: Vec<(u64, Option<MeterRates>)>,
        others: bool,
    },
    ValueAdded {
        set: ValueSetIndex,
        before: usize,
    },
    ValueSet {
        set: ValueSetIndex,
        members: Vec<Vec<KeyMatch>>,
    },
    Mirror {
        session: u32,
        before: Option<MirrorSession>,
    },
}

/// An entry with its direct counter and meter at one moment.
#[derive(Debug)]
pub(super) struct Moment {
    pub outer: u64,
    pub entry: NewEntry,
    counter: Option<CounterValue>,
    meter: Option<Option<MeterRates>>,
}

impl Moment {
    /// The entry now.
    pub fn of<C: Control>(
        ledger: &mut Ledger<C>,
        table: TableIndex,
        outer: EntryHandle,
    ) -> Result<Self> {
        let view = ledger.table_entry(table, outer)?.ok_or_else(|| {
            let what = format!("entry {} of table `{}`", outer.0, ledger.table_name(table));
            super::control::no_such(what)
        })?;
        let schema = ledger.schema();
        let info = &schema[table];
        Ok(Self {
            outer: outer.0,
            entry: view.entry,
            counter: info.counter.map(|c| ledger.counter_read(c, outer.0)).transpose()?,
            meter: info.meter.map(|m| ledger.meter_rates(m, outer.0)).transpose()?,
        })
    }
}

/// Whether the order of insertion can decide between entries of a table.
fn has_ties(keys: &[ww_dataplane::control::KeyInfo]) -> bool {
    let lpm = keys.iter().filter(|key| key.kind == MatchKind::Lpm).count();
    lpm > 1 || keys.iter().any(|key| !matches!(key.kind, MatchKind::Exact | MatchKind::Lpm))
}

impl<C: Control> Ledger<C> {
    /// The cells of a register that a change is about to overwrite.
    pub(super) fn cells_before(
        &mut self,
        register: RegisterIndex,
        index: Option<u64>,
    ) -> Result<Vec<(u64, BigUint)>> {
        match (self.journal.is_some(), index) {
            (false, _) => Ok(Vec::new()),
            (true, Some(index)) => Ok(vec![(index, self.control.register_read(register, index)?)]),
            (true, None) => Ok((0..).zip(self.control.register_read_all(register)?).collect()),
        }
    }

    /// The indices of a counter or meter: handles of entries, or of an array those in use.
    pub(super) fn indices(
        &mut self,
        table: Option<TableIndex>,
        array: CellArray,
    ) -> Result<Vec<u64>> {
        if let Some(table) = table {
            return Ok(self.table_entries(table)?.iter().map(|v| v.handle.0).collect());
        }
        let (mut indices, mut from) = (Vec::new(), 0);
        while let Some((begin, end)) = self.control.next_used(array, from)? {
            indices.extend(begin..end);
            from = end;
        }
        Ok(indices)
    }

    /// The counters that a change is about to overwrite.
    pub(super) fn counters_before(
        &mut self,
        counter: CounterIndex,
        index: Option<u64>,
    ) -> Result<Vec<(u64, CounterValue)>> {
        if self.journal.is_none() {
            return Ok(Vec::new());
        }
        let indices = match index {
            Some(index) => vec![index],
            None => self.indices(self.counter_table(counter), CellArray::Counter(counter))?,
        };
        indices.into_iter().map(|n| Ok((n, self.counter_read(counter, n)?))).collect()
    }

    /// The rates that a change is about to overwrite.
    pub(super) fn meters_before(
        &mut self,
        meter: MeterIndex,
        index: Option<u64>,
    ) -> Result<Vec<(u64, Option<MeterRates>)>> {
        if self.journal.is_none() {
            return Ok(Vec::new());
        }
        let indices = match index {
            Some(index) => vec![index],
            None => self.indices(self.meter_table(meter), CellArray::Meter(meter))?,
        };
        indices.into_iter().map(|n| Ok((n, self.meter_rates(meter, n)?))).collect()
    }

    /// The end of a transaction that succeeded: the engine deletes the members that it deleted.
    pub(super) fn finish_deletions(&mut self) -> Result<()> {
        for n in 0..self.books.profiles.len() {
            let doomed = std::mem::take(&mut self.books.profiles[n].doomed);
            for outer in doomed.into_keys() {
                if let Some(inner) = self.books.profiles[n].member_handles.inner(outer.into()) {
                    self.control.member_delete(ProfileIndex(n as u32), inner as u32)?;
                }
            }
        }
        Ok(())
    }

    /// Undoes changes, the last one first. All are tried; the error is the first one's.
    pub(super) fn undo(&mut self, changes: Vec<Undo>, multicast: Option<Multicast>) -> Result<()> {
        let mut result = Ok(());
        // The tables in which entries came back, and the first of them by priority.
        let mut restored: BTreeMap<(TableIndex, i64), u64> = BTreeMap::new();
        for change in changes.into_iter().rev() {
            if let Undo::EntryDeleted { table, before: Some(moment) } = &change {
                let schema = self.schema();
                let info = &schema[*table];
                if has_ties(&info.keys) {
                    let priority = if info.has_priorities() { moment.entry.priority } else { 0 };
                    let first = restored.entry((*table, priority)).or_insert(moment.outer);
                    *first = moment.outer.min(*first);
                }
            }
            result = result.and(self.undo_one(change));
        }
        if let Some(before) = multicast {
            result = result.and(self.restore_multicast(before));
        }
        for ((table, priority), first) in restored {
            result = result.and(self.restore_order(table, priority, first));
        }
        result
    }

    fn undo_one(&mut self, change: Undo) -> Result<()> {
        match change {
            Undo::EntryAdded { table, outer } => {
                let inner = self.entry(table, EntryHandle(outer))?;
                self.control.table_delete(table, inner)
            }
            Undo::EntryModified { table, outer, target } => {
                let inner = self.entry(table, EntryHandle(outer))?;
                match target {
                    Some(target) => {
                        let target = self.inner_target(table, target)?;
                        self.control.table_modify(table, inner, target)
                    }
                    None => Ok(()),
                }
            }
            Undo::EntryDeleted { table, before } => match before {
                Some(moment) => self.restore_entry(table, *moment),
                None => Ok(()),
            },
            Undo::Default { table, target } => {
                self.books.tables[table.index()].default_changed = target.is_some();
                match target {
                    Some(target) => {
                        let target = self.inner_target(table, target)?;
                        self.control.table_set_default(table, target)
                    }
                    None => self.control.table_reset_default(table),
                }
            }
            Undo::MemberAdded { profile, outer } => {
                let book = &mut self.books.profiles[profile.index()];
                // It may have been deleted again, which the engine does not know yet.
                book.doomed.remove(&outer);
                book.members.remove(&outer);
                match book.member_handles.inner(outer.into()) {
                    Some(inner) => self.control.member_delete(profile, inner as u32),
                    None => Ok(()),
                }
            }
            Undo::MemberModified { profile, outer, before } => {
                let inner = self.member(profile, outer)?;
                match before {
                    Some(data) => {
                        self.control.member_modify(profile, inner, data.clone())?;
                        self.books.profiles[profile.index()].members.insert(outer, data);
                        Ok(())
                    }
                    None => Ok(()),
                }
            }
            Undo::MemberDeleted { profile, outer } => {
                let book = &mut self.books.profiles[profile.index()];
                if let Some(data) = book.doomed.remove(&outer) {
                    book.members.insert(outer, data);
                }
                Ok(())
            }
            Undo::GroupCreated { profile, outer } => {
                let inner = self.group(profile, outer)?;
                self.books.profiles[profile.index()].groups.remove(&outer);
                self.control.group_delete(profile, inner)
            }
            Undo::GroupDeleted { profile, outer, members } => {
                let inner = self.control.group_create(profile)?;
                for &member in &members {
                    let member = self.member(profile, member)?;
                    self.control.group_add_member(profile, inner, member)?;
                }
                let book = &mut self.books.profiles[profile.index()];
                book.groups.insert(outer, members);
                book.group_handles.moved_to(outer.into(), inner.into());
                Ok(())
            }
            Undo::Joined { profile, group, member } => {
                let (inner, inner_member) =
                    (self.group(profile, group)?, self.member(profile, member)?);
                if let Some(members) = self.books.profiles[profile.index()].groups.get_mut(&group) {
                    members.remove(&member);
                }
                self.control.group_remove_member(profile, inner, inner_member)
            }
            Undo::Left { profile, group, member } => {
                let (inner, inner_member) =
                    (self.group(profile, group)?, self.member(profile, member)?);
                if let Some(members) = self.books.profiles[profile.index()].groups.get_mut(&group) {
                    members.insert(member);
                }
                self.control.group_add_member(profile, inner, inner_member)
            }
            Undo::Register { register, cells } => cells
                .into_iter()
                .try_for_each(|(n, value)| self.control.register_write(register, Some(n), value)),
            Undo::Counter { counter, cells, others } => {
                let table = self.counter_table(counter);
                if others && table.is_none() {
                    self.control.counter_reset(counter)?;
                }
                cells.into_iter().try_for_each(|(n, value)| {
                    let cell = match table {
                        Some(table) => self.entry(table, EntryHandle(n))?.0,
                        None => n,
                    };
                    self.control.counter_write(counter, Some(cell), value)
                })
            }
            Undo::Meter { meter, cells, others } => {
                let table = self.meter_table(meter);
                if others && table.is_none() {
                    self.control.meter_set_rates(meter, None, None)?;
                }
                cells.into_iter().try_for_each(|(n, rates)| {
                    let cell = match table {
                        Some(table) => self.entry(table, EntryHandle(n))?.0,
                        None => n,
                    };
                    self.control.meter_set_rates(meter, Some(cell), rates)
                })
            }
            Undo::ValueAdded { set, before } => {
                let added = self.books.value_sets[set.index()].split_off(before);
                added.into_iter().try_for_each(|member| self.control.value_set_remove(set, member))
            }
            Undo::ValueSet { set, members } => {
                self.control.value_set_clear(set)?;
                for member in &members {
                    self.control.value_set_add(set, member.clone())?;
                }
                self.books.value_sets[set.index()] = members;
                Ok(())
            }
            Undo::Mirror { session, before } => match before {
                Some(to) => {
                    self.books.mirrors.insert(session, to);
                    self.control.mirror_set(session, to)
                }
                None => {
                    self.books.mirrors.remove(&session);
                    self.control.mirror_delete(session)
                }
            },
        }
    }

    /// Puts an entry back that was deleted, under the handle that it had.
    fn restore_entry(&mut self, table: TableIndex, moment: Moment) -> Result<()> {
        let Moment { outer, mut entry, counter, meter } = moment;
        entry.target = self.inner_target(table, entry.target)?;
        let inner = self.control.table_insert(table, entry)?;
        self.books.tables[table.index()].handles.moved_to(outer, inner.0);
        let schema = self.schema();
        let info = &schema[table];
        let (direct_counter, direct_meter) = (info.counter, info.meter);
        if let (Some(index), Some(value)) = (direct_counter, counter) {
            self.control.counter_write(index, Some(inner.0), value)?;
        }
        if let (Some(index), Some(Some(rates))) = (direct_meter, meter) {
            self.control.meter_set_rates(index, Some(inner.0), Some(rates))?;
        }
        Ok(())
    }

    /// Of equal entries the first inserted wins: those behind `first` follow it again, in the
    /// order of their handles.
    fn restore_order(&mut self, table: TableIndex, priority: i64, first: u64) -> Result<()> {
        let decides = self.schema()[table].has_priorities();
        for view in self.table_entries(table)? {
            let same = !decides || view.entry.priority == priority;
            if view.is_const || !same || view.handle.0 <= first {
                continue;
            }
            let moment = Moment::of(self, table, view.handle)?;
            let inner = self.entry(table, view.handle)?;
            self.control.table_delete(table, inner)?;
            self.restore_entry(table, moment)?;
        }
        Ok(())
    }

    fn restore_multicast(&mut self, before: Multicast) -> Result<()> {
        let now = std::mem::take(&mut self.books.multicast);
        for &node in now.nodes.keys() {
            if let Some(inner) = now.handles.inner(node.into()) {
                self.control.multicast_node_destroy(NodeHandle(inner as u32))?;
            }
        }
        for &group in now.groups.keys() {
            self.control.multicast_group_destroy(group)?;
        }
        self.books.multicast = Multicast { handles: now.handles, ..before };
        self.make_multicast()
    }

    /// Makes in the engine what stands in the books.
    pub(super) fn make_multicast(&mut self) -> Result<()> {
        let book = &mut self.books.multicast;
        for &group in book.groups.keys() {
            self.control.multicast_group_create(group)?;
        }
        for (&outer, node) in &book.nodes {
            let inner =
                self.control.multicast_node_create(node.replication_id, node.ports.clone())?;
            book.handles.moved_to(outer.into(), inner.0.into());
        }
        for (&group, nodes) in &book.groups {
            for &node in nodes {
                let inner = book.handles.inner(node.into()).unwrap_or_default();
                self.control.multicast_node_associate(group, NodeHandle(inner as u32))?;
            }
        }
        Ok(())
    }
}
