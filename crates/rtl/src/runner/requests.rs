//! How requests that the shadow state has taken are carried out in hardware.

use super::Error;
use super::driver::Inserted;
use super::engine::Rtl;
use super::layout::{self, Stored};
use num_bigint::BigUint;
use std::collections::HashSet;
use ww_dataplane::control::{
    self, ActionData, Answer, Control, CounterIndex, CounterValue, EntryHandle, EntryView,
    MeterIndex, RegisterIndex, Request, TableIndex, Target, ValueSetIndex,
};

type Result<T> = std::result::Result<T, control::Error>;

impl From<Error> for control::Error {
    fn from(error: Error) -> Self {
        control::Error::Invalid { message: format!("engine rtl: {error}") }
    }
}

/// An index of an array as a row number.
pub(super) fn row(index: u64) -> std::result::Result<u32, Error> {
    u32::try_from(index)
        .ok()
        .filter(|index| *index < 1 << 28)
        .ok_or_else(|| Error::Control(format!("index {index} is beyond what a row number holds")))
}

impl Rtl {
    /// Puts the program's entries and default actions into hardware.
    pub(super) fn load_tables(&mut self) -> std::result::Result<(), Error> {
        let wrong = |error: control::Error| Error::Control(error.to_string());
        for n in 0..self.map.tables.len() {
            let table = TableIndex(n as u32);
            for view in self.shadow.table_entries(table).map_err(wrong)? {
                self.store(table, &view)?;
            }
            self.store_default(table)?;
        }
        Ok(())
    }

    /// What a target is in a table's hardware: an action, or the number of a group.
    fn stored(&self, table: TableIndex, target: &Target) -> std::result::Result<Stored, Error> {
        match target {
            Target::Action(data) => Ok(Stored::Action(data.clone())),
            Target::Member(member) => Ok(Stored::Action(self.member(table, *member)?)),
            Target::Group(group) => {
                let number = self.selectors.number(table, *group);
                let missing = || Error::Control(format!("there is no group {group}"));
                Ok(Stored::Group(number.ok_or_else(missing)?))
            }
        }
    }

    /// What a member of a table's profile does, with the table's number of the action.
    pub(super) fn member(
        &self,
        table: TableIndex,
        member: u32,
    ) -> std::result::Result<ActionData, Error> {
        let schema = self.shadow.schema();
        let info = &schema[table];
        let find = || {
            let profile = info.profile?;
            let data = self.shadow.member(profile, member)?;
            let action = schema[profile].actions.get(data.action)?.action;
            let position = info.actions.iter().position(|listed| listed.action == action)?;
            Some(ActionData { action: position, arguments: data.arguments.clone() })
        };
        find().ok_or_else(|| {
            Error::Control(format!("table `{}` has no action of member {member}", info.name))
        })
    }

    /// Adds an entry of the shadow state to hardware.
    pub(super) fn store(
        &mut self,
        table: TableIndex,
        view: &EntryView,
    ) -> std::result::Result<(), Error> {
        let Some(window) = self.map.tables[table.index()] else { return Ok(()) };
        let data = self.stored(table, &view.entry.target)?;
        let info = &self.shadow.schema()[table];
        let hardware = self.plane.get_mut().settled();
        // Constant entries are logic, there already.
        let Some(object) = hardware.table(window).filter(|table| table.has_entries()) else {
            return Ok(());
        };
        let entry = layout::entry(object, info, &view.entry.keys, view.entry.priority)?;
        let data = layout::stored(object, info, &data)?;
        let number = match hardware.insert(window, &entry, &data)? {
            Inserted::Number(number) => number,
            // Between equal entries the first one wins: this one waits until it is gone.
            Inserted::Exists => return Ok(()),
        };
        if let Some(counter) = info.counter.and_then(|c| self.map.counters[c.index()]) {
            hardware.set_counter(counter, number, CounterValue::default())?;
        }
        if let Some(meter) = info.meter.and_then(|m| self.map.meters[m.index()]) {
            hardware.set_meter(meter, number, None)?;
        }
        Ok(())
    }

    /// Entries of the shadow state that match the same keys at the same priority, the oldest
    /// first. The first of all is in hardware.
    fn twins(
        &self,
        table: TableIndex,
        view: &EntryView,
    ) -> std::result::Result<Vec<EntryView>, Error> {
        let Some(window) = self.map.tables[table.index()] else { return Ok(Vec::new()) };
        let info = &self.shadow.schema()[table];
        self.look(|hardware| {
            let Some(object) = hardware.table(window) else { return Ok(Vec::new()) };
            if object.implementation != "ternary" {
                return Ok(Vec::new());
            }
            let own = layout::entry(object, info, &view.entry.keys, view.entry.priority)?;
            let entries = self.shadow.table_entries(table);
            let mut twins = Vec::new();
            for other in entries.map_err(|error| Error::Control(error.to_string()))? {
                let same = layout::entry(object, info, &other.entry.keys, other.entry.priority)?;
                if other.handle != view.handle && same == own {
                    twins.push(other);
                }
            }
            twins.sort_by_key(|twin| twin.handle);
            Ok(twins)
        })
    }

    /// Whether an older equal entry is in hardware in its place.
    fn is_shadowed(&self, table: TableIndex, view: &EntryView) -> std::result::Result<bool, Error> {
        Ok(self.twins(table, view)?.first().is_some_and(|first| first.handle < view.handle))
    }

    /// Gives an entry in hardware the target that it has in the shadow state.
    pub(super) fn restore(
        &mut self,
        table: TableIndex,
        view: &EntryView,
    ) -> std::result::Result<(), Error> {
        let Some(window) = self.map.tables[table.index()] else { return Ok(()) };
        if self.is_shadowed(table, view)? {
            return Ok(());
        }
        let data = self.stored(table, &view.entry.target)?;
        let info = &self.shadow.schema()[table];
        let hardware = self.plane.get_mut().settled();
        let Some(object) = hardware.table(window) else { return Ok(()) };
        let entry = layout::entry(object, info, &view.entry.keys, view.entry.priority)?;
        let data = layout::stored(object, info, &data)?;
        hardware.modify(window, &entry, &data)
    }

    /// Removes an entry from hardware that is not in the shadow state any more; an equal one takes
    /// its place.
    pub(super) fn remove(
        &mut self,
        table: TableIndex,
        view: &EntryView,
    ) -> std::result::Result<(), Error> {
        let Some(window) = self.map.tables[table.index()] else { return Ok(()) };
        let twins = self.twins(table, view)?;
        if twins.first().is_some_and(|first| first.handle < view.handle) {
            return Ok(());
        }
        let info = &self.shadow.schema()[table];
        let hardware = self.plane.get_mut().settled();
        let Some(object) = hardware.table(window) else { return Ok(()) };
        let entry = layout::entry(object, info, &view.entry.keys, view.entry.priority)?;
        hardware.delete(window, &entry)?;
        match twins.first() {
            Some(next) => self.store(table, next),
            None => Ok(()),
        }
    }

    /// Removes all entries of a table from hardware but those of the program. `before` is what
    /// the shadow state had.
    pub(super) fn remove_all(
        &mut self,
        table: TableIndex,
        before: &[EntryView],
    ) -> std::result::Result<(), Error> {
        let Some(window) = self.map.tables[table.index()] else { return Ok(()) };
        let info = &self.shadow.schema()[table];
        let hardware = self.plane.get_mut().settled();
        let object = hardware.table(window).filter(|table| table.has_entries()).cloned();
        let Some(object) = object else { return Ok(()) };
        // Of equal entries only one is in hardware, and the program's entries stay there.
        let mut done = HashSet::new();
        let (stay, go): (Vec<_>, Vec<_>) = before.iter().partition(|view| view.is_const);
        for view in stay {
            done.insert(layout::entry(&object, info, &view.entry.keys, view.entry.priority)?);
        }
        for view in go {
            let entry = layout::entry(&object, info, &view.entry.keys, view.entry.priority)?;
            if !done.contains(&entry) {
                hardware.delete(window, &entry)?;
                done.insert(entry);
            }
        }
        Ok(())
    }

    pub(super) fn store_default(&mut self, table: TableIndex) -> std::result::Result<(), Error> {
        let Some(window) = self.map.tables[table.index()] else { return Ok(()) };
        let target = self.shadow.table_default(table);
        let target = target.map_err(|error| Error::Control(error.to_string()))?;
        let data = self.stored(table, &target)?;
        let info = &self.shadow.schema()[table];
        let hardware = self.plane.get_mut().settled();
        let Some(object) = hardware.table(window) else { return Ok(()) };
        let data = layout::stored(object, info, &data)?;
        hardware.set_default(window, &data)
    }

    /// The row of an entry's direct counter or meter; `None` if it is not in hardware.
    pub(super) fn number(&self, table: TableIndex, entry: u64) -> Result<Option<u32>> {
        let info = &self.shadow.schema()[table];
        let view = self.shadow.table_entry(table, EntryHandle(entry))?;
        let missing =
            || control::Error::NoSuch { what: format!("entry {entry} of table `{}`", info.name) };
        let view = view.ok_or_else(missing)?;
        let Some(window) = self.map.tables[table.index()] else { return Ok(None) };
        if self.is_shadowed(table, &view)? {
            return Ok(None);
        }
        Ok(self.look(|hardware| {
            let Some(object) = hardware.table(window) else { return Ok(None) };
            let entry = layout::entry(object, info, &view.entry.keys, view.entry.priority)?;
            hardware.number(window, &entry)
        })?)
    }

    /// Where a counter or meter is: window and row.
    pub(super) fn cell(
        &self,
        window: Option<u32>,
        table: Option<TableIndex>,
        index: u64,
    ) -> Result<Option<(u32, u32)>> {
        let Some(window) = window else { return Ok(None) };
        match table {
            Some(table) => Ok(self.number(table, index)?.map(|number| (window, number))),
            None => Ok(Some((window, row(index)?))),
        }
    }

    /// All cells of a counter or meter.
    pub(super) fn cells(&self, table: Option<TableIndex>, size: u64) -> Result<Vec<u64>> {
        Ok(match table {
            Some(table) => {
                self.shadow.table_entries(table)?.iter().map(|view| view.handle.0).collect()
            }
            None => (0..size).collect(),
        })
    }

    /// Brings hardware to what the shadow state says after a reset.
    pub(super) fn reset_hardware(&mut self) -> std::result::Result<(), Error> {
        let wrong = |error: control::Error| Error::Control(error.to_string());
        for window in self.map.tables.clone().into_iter().flatten() {
            self.hardware().clear(window)?;
        }
        self.clear_groups()?;
        self.load_tables()?;
        let schema = self.shadow.schema();
        let (registers, counters) = (schema.registers.len(), schema.counters.len());
        let (meters, sets) = (schema.meters.len(), schema.value_sets.len());
        for n in 0..registers as u32 {
            self.register_reset(RegisterIndex(n)).map_err(wrong)?;
        }
        for n in 0..counters as u32 {
            self.counter_reset(CounterIndex(n)).map_err(wrong)?;
        }
        for n in 0..meters as u32 {
            self.meter_set_rates(MeterIndex(n), None, None).map_err(wrong)?;
        }
        for n in 0..sets as u32 {
            self.value_set_clear(ValueSetIndex(n)).map_err(wrong)?;
        }
        self.replicas.forget();
        self.store_replicas().map_err(wrong)?;
        self.plane.get_mut().drain_digests();
        Ok(())
    }

    /// Brings the members of a value set to hardware: `{valid, mask, key}`, valid in bit 0.
    pub(super) fn store_value_set(&mut self, set: ValueSetIndex) -> std::result::Result<(), Error> {
        let Some(window) = self.map.value_sets[set.index()] else { return Ok(()) };
        let info = &self.shadow.schema()[set];
        let members = self.shadow.value_set(set);
        let hardware = self.plane.get_mut().settled();
        for position in 0..info.size {
            let value = match members.get(position as usize) {
                Some(member) => layout::member(info, member)?,
                None => BigUint::ZERO,
            };
            hardware.write(window, 0, row(position)?, &value)?;
        }
        Ok(())
    }

    /// Carries out a request about replication.
    pub(super) fn replicate(&mut self, request: Request) -> Result<Answer> {
        // Hardware need not know of a question, or of a node that is in no group yet.
        let is_for_software = matches!(
            request,
            Request::Mirror { .. } | Request::Multicast {} | Request::MulticastNodeCreate { .. }
        );
        let answer = request.carry_out(&mut self.replicas.state)?;
        if !is_for_software {
            self.store_replicas()?;
        }
        Ok(answer)
    }

    /// Brings groups and sessions to hardware.
    pub(super) fn store_replicas(&mut self) -> Result<()> {
        let Some(window) = self.map.replication else { return Ok(()) };
        Ok(self.replicas.store(self.plane.get_mut().settled(), window)?)
    }
}
