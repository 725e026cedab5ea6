//! The control plane of the engine `rtl`.
//!
//! Every request goes to the shadow state first, which checks it; what it takes is carried out in
//! hardware. A request that hardware cannot fulfil is an error, and where it is an entry that
//! does not fit, the shadow state forgets it again.

use super::engine::Rtl;
use super::layout::bits;
use super::requests::row;
use num_bigint::BigUint;
use std::sync::Arc;
use ww_dataplane::Statistics;
use ww_dataplane::control::handler::{Handler, InTurns};
use ww_dataplane::control::{
    self, ActionData, Answer, CellArray, CounterIndex, CounterValue, Digest, EntryHandle,
    EntryView, Error, KeyMatch, MeterIndex, MeterRates, NewEntry, ProfileIndex, ProfileView,
    RegisterIndex, Request, Schema, Subject, TableIndex, Target, ValueSetIndex,
};

type Result<T> = std::result::Result<T, Error>;

impl control::Control for Rtl {
    fn schema(&self) -> Arc<Schema> {
        Arc::clone(self.shadow.schema())
    }

    fn handle(&mut self, request: Request) -> Result<Answer> {
        request.carry_out(self)
    }
}

impl Handler for Rtl {
    fn component(&self) -> &'static str {
        "engine rtl"
    }

    fn otherwise(&mut self, request: Request) -> Result<Answer> {
        match request.subject() {
            Subject::Visibility => request.carry_out(&mut InTurns),
            Subject::Replication => self.replicate(request),
            _ => Err(request.refused_by(self.component())),
        }
    }

    fn table_insert(&mut self, table: TableIndex, entry: NewEntry) -> Result<EntryHandle> {
        let handle = self.shadow.table_insert(table, entry)?;
        let stored = match self.shadow.table_entry(table, handle)? {
            Some(view) => self.store(table, &view),
            None => Ok(()),
        };
        if let Err(error) = stored {
            self.shadow.table_delete(table, handle)?;
            return Err(error.into());
        }
        Ok(handle)
    }

    fn table_modify(&mut self, table: TableIndex, entry: EntryHandle, to: Target) -> Result<()> {
        let before = self.shadow.table_entry(table, entry)?;
        self.shadow.table_modify(table, entry, to)?;
        let stored = match self.shadow.table_entry(table, entry)? {
            Some(view) => self.restore(table, &view),
            None => Ok(()),
        };
        if let (Err(error), Some(before)) = (stored, before) {
            self.shadow.table_modify(table, entry, before.entry.target)?;
            return Err(error.into());
        }
        Ok(())
    }

    fn table_delete(&mut self, table: TableIndex, entry: EntryHandle) -> Result<()> {
        let before = self.shadow.table_entry(table, entry)?;
        self.shadow.table_delete(table, entry)?;
        match before {
            Some(view) => Ok(self.remove(table, &view)?),
            None => Ok(()),
        }
    }

    fn table_clear(&mut self, table: TableIndex) -> Result<()> {
        let before = self.shadow.table_entries(table)?;
        self.shadow.table_clear(table)?;
        Ok(self.remove_all(table, &before)?)
    }

    fn table_entries(&mut self, table: TableIndex) -> Result<Vec<EntryView>> {
        self.shadow.table_entries(table)
    }

    fn table_entry(&mut self, table: TableIndex, entry: EntryHandle) -> Result<Option<EntryView>> {
        self.shadow.table_entry(table, entry)
    }

    fn table_find(
        &mut self,
        table: TableIndex,
        keys: Vec<KeyMatch>,
        priority: i64,
    ) -> Result<Option<EntryHandle>> {
        self.shadow.table_find(table, &keys, priority)
    }

    fn table_set_default(&mut self, table: TableIndex, target: Target) -> Result<()> {
        let before = self.shadow.table_default(table)?;
        self.shadow.table_set_default(table, target)?;
        if let Err(error) = self.store_default(table) {
            self.shadow.table_set_default(table, before)?;
            return Err(error.into());
        }
        Ok(())
    }

    fn table_reset_default(&mut self, table: TableIndex) -> Result<()> {
        self.shadow.table_reset_default(table)?;
        Ok(self.store_default(table)?)
    }

    fn table_default(&mut self, table: TableIndex) -> Result<Target> {
        self.shadow.table_default(table)
    }

    fn member_add(&mut self, profile: ProfileIndex, data: ActionData) -> Result<u32> {
        self.shadow.member_add(profile, data)
    }

    fn member_modify(&mut self, profile: ProfileIndex, member: u32, to: ActionData) -> Result<()> {
        self.shadow.member_modify(profile, member, to)?;
        for table in self.shadow.schema()[profile].tables.clone() {
            for view in self.shadow.table_entries(table)? {
                if view.entry.target == Target::Member(member) {
                    self.restore(table, &view)?;
                }
            }
            if self.shadow.table_default(table)? == Target::Member(member) {
                self.store_default(table)?;
            }
        }
        Ok(self.restore_member(profile, member)?)
    }

    fn member_delete(&mut self, profile: ProfileIndex, member: u32) -> Result<()> {
        self.shadow.member_delete(profile, member)
    }

    fn group_create(&mut self, profile: ProfileIndex) -> Result<u32> {
        let group = self.shadow.profile_mut(profile)?.create_group()?;
        if let Err(error) = self.create_group(profile, group) {
            self.shadow.group_delete(profile, group)?;
            return Err(error.into());
        }
        Ok(group)
    }

    fn group_delete(&mut self, profile: ProfileIndex, group: u32) -> Result<()> {
        self.shadow.group_delete(profile, group)?;
        Ok(self.delete_group(profile, group)?)
    }

    fn group_add_member(&mut self, profile: ProfileIndex, group: u32, member: u32) -> Result<()> {
        self.shadow.profile_mut(profile)?.join(group, member)?;
        if let Some(members) = self.selectors.group(profile, group) {
            members.insert(member);
        }
        if let Err(error) = self.store_group(profile, group) {
            self.shadow.profile_mut(profile)?.leave(group, member)?;
            if let Some(members) = self.selectors.group(profile, group) {
                members.remove(&member);
            }
            // Another table of the selector may have the member already.
            self.store_group(profile, group)?;
            return Err(error.into());
        }
        Ok(())
    }

    fn group_remove_member(
        &mut self,
        profile: ProfileIndex,
        group: u32,
        member: u32,
    ) -> Result<()> {
        self.shadow.profile_mut(profile)?.leave(group, member)?;
        if let Some(members) = self.selectors.group(profile, group) {
            members.remove(&member);
        }
        Ok(self.store_group(profile, group)?)
    }

    fn profile(&mut self, profile: ProfileIndex) -> Result<ProfileView> {
        self.shadow.profile(profile)
    }

    fn register_read(&mut self, register: RegisterIndex, index: u64) -> Result<BigUint> {
        // The shadow state knows which cells there are.
        let initial = self.shadow.register_read(register, index)?;
        let Some(window) = self.map.registers[register.index()] else { return Ok(initial) };
        let width = self.shadow.schema()[register].width;
        let found = self.look(|hardware| hardware.read(window, 0, row(index)?))?;
        Ok(bits(&found, 0, width))
    }

    fn register_read_all(&mut self, register: RegisterIndex) -> Result<Vec<BigUint>> {
        let size = self.shadow.register_size(register)?;
        (0..size).map(|index| self.register_read(register, index)).collect()
    }

    fn register_write(
        &mut self,
        register: RegisterIndex,
        index: Option<u64>,
        value: BigUint,
    ) -> Result<()> {
        self.shadow.register_write(register, index, &value)?;
        let Some(window) = self.map.registers[register.index()] else { return Ok(()) };
        let cells = match index {
            Some(index) => index..index + 1,
            None => 0..self.shadow.schema()[register].size,
        };
        for index in cells {
            self.hardware().write(window, 0, row(index)?, &value)?;
        }
        Ok(())
    }

    fn register_reset(&mut self, register: RegisterIndex) -> Result<()> {
        self.register_write(register, None, BigUint::ZERO)
    }

    fn counter_read(&mut self, counter: CounterIndex, index: u64) -> Result<CounterValue> {
        let initial = self.shadow.counter_read(counter, index)?;
        let info = &self.shadow.schema()[counter];
        let table = info.table.filter(|_| info.is_direct);
        match self.cell(self.map.counters[counter.index()], table, index)? {
            Some((window, row)) => Ok(self.look(|hardware| hardware.counter(window, row))?),
            None => Ok(initial),
        }
    }

    fn counter_write(
        &mut self,
        counter: CounterIndex,
        index: Option<u64>,
        value: CounterValue,
    ) -> Result<()> {
        self.shadow.counter_write(counter, index, value)?;
        let info = &self.shadow.schema()[counter];
        let table = info.table.filter(|_| info.is_direct);
        let cells = match index {
            Some(index) => vec![index],
            None => self.cells(table, info.size)?,
        };
        for index in cells {
            let cell = self.cell(self.map.counters[counter.index()], table, index)?;
            if let Some((window, row)) = cell {
                self.hardware().set_counter(window, row, value)?;
            }
        }
        Ok(())
    }

    /// Hardware does not know which cells are in use.
    fn next_used(&mut self, array: CellArray, from: u64) -> Result<Option<(u64, u64)>> {
        let schema = self.shadow.schema();
        let size = match array {
            CellArray::Counter(counter) => schema[counter].size,
            CellArray::Meter(meter) => schema[meter].size,
            CellArray::Register(register) => schema[register].size,
        };
        Ok((from < size).then_some((from, size)))
    }

    fn counter_reset(&mut self, counter: CounterIndex) -> Result<()> {
        self.counter_write(counter, None, CounterValue::default())
    }

    fn meter_set_rates(
        &mut self,
        meter: MeterIndex,
        index: Option<u64>,
        rates: Option<MeterRates>,
    ) -> Result<()> {
        self.shadow.meter_set_rates(meter, index, rates)?;
        let info = &self.shadow.schema()[meter];
        let table = info.table.filter(|_| info.is_direct);
        let cells = match index {
            Some(index) => vec![index],
            None => self.cells(table, info.size)?,
        };
        for index in cells {
            let cell = self.cell(self.map.meters[meter.index()], table, index)?;
            if let Some((window, row)) = cell {
                self.hardware().set_meter(window, row, rates)?;
            }
        }
        Ok(())
    }

    fn meter_rates(&mut self, meter: MeterIndex, index: u64) -> Result<Option<MeterRates>> {
        self.shadow.meter_rates(meter, index)
    }

    fn value_set_add(&mut self, set: ValueSetIndex, member: Vec<KeyMatch>) -> Result<()> {
        self.shadow.value_set_add(set, &member)?;
        Ok(self.store_value_set(set)?)
    }

    fn value_set_remove(&mut self, set: ValueSetIndex, member: Vec<KeyMatch>) -> Result<()> {
        self.shadow.value_set_remove(set, &member)?;
        Ok(self.store_value_set(set)?)
    }

    fn value_set_clear(&mut self, set: ValueSetIndex) -> Result<()> {
        self.shadow.value_set_clear(set);
        Ok(self.store_value_set(set)?)
    }

    fn take_digests(&mut self) -> Result<Vec<Digest>> {
        Ok(self.plane.get_mut().drain_digests())
    }

    fn statistics(&mut self) -> Result<Statistics> {
        Ok(self.plane.get_mut().statistics())
    }

    fn reset_state(&mut self) -> Result<()> {
        self.shadow.reset();
        let done = self.reset_hardware();
        if let Err(error) = &done {
            self.plane.get_mut().fail(error);
        }
        Ok(done?)
    }
}
