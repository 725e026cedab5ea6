//! The control plane of the reference engine.

use super::Interp;
use super::state::{EntryPayload, EntryTarget};
use super::targets::action_view;
use super::values::Value;
use crate::objects::{Meter, next_meter};
use crate::schema::cell_type;
use crate::tables::{fitting, key_fields};
use crate::validation::{self, no_such};
use num_bigint::BigUint;
use std::sync::Arc;
use ww_dataplane::Statistics;
use ww_dataplane::control::handler::{Handler, InTurns};
use ww_dataplane::control::{
    self, ActionData, Answer, CellArray, CounterIndex, CounterValue, CustomCrc, Digest,
    EntryHandle, EntryView, Error, KeyMatch, MeterIndex, MeterRates, NewEntry, ProfileIndex,
    ProfileView, RegisterIndex, Request, Schema, Subject, TableIndex, Target, ValueSetIndex,
};
use ww_packet::crc::CrcParameters;
use ww_packet::hash::Hash;

type Result<T> = std::result::Result<T, Error>;

impl control::Control for Interp {
    fn schema(&self) -> Arc<Schema> {
        Arc::clone(&self.loaded.schema)
    }

    fn handle(&mut self, request: Request) -> Result<Answer> {
        request.carry_out(self)
    }
}

impl Handler for Interp {
    fn component(&self) -> &'static str {
        "engine interp"
    }

    fn otherwise(&mut self, request: Request) -> Result<Answer> {
        match request.subject() {
            Subject::Visibility => request.carry_out(&mut InTurns),
            Subject::Replication => request.carry_out(&mut self.state.replication),
            Subject::Queues => self.traffic.handle(request),
            Subject::TppMemory => self.tpp_memory(request),
            _ => Err(request.refused_by(self.component())),
        }
    }

    fn table_insert(&mut self, table: TableIndex, entry: NewEntry) -> Result<EntryHandle> {
        let info = self.table_info(table)?;
        validation::takes_entries(info)?;
        let keys = key_fields(&info.name, &info.keys, &entry.keys)?;
        let target = self.entry_target(info, &entry.target, false)?;
        let inserted = self.state.tables[table.index()].entries.insert(
            keys,
            entry.priority,
            EntryPayload::new(target, false),
        );
        let info = self.table_info(table)?;
        let handle = inserted.map_err(|error| validation::insert_error(info, error))?;
        self.table_changed(table);
        Ok(EntryHandle(handle))
    }

    fn table_modify(&mut self, table: TableIndex, entry: EntryHandle, to: Target) -> Result<()> {
        let target = self.entry_target(self.table_info(table)?, &to, false)?;
        self.changeable(table, entry.0)?.target = target;
        self.table_changed(table);
        Ok(())
    }

    fn table_delete(&mut self, table: TableIndex, entry: EntryHandle) -> Result<()> {
        self.changeable(table, entry.0)?;
        self.state.tables[table.index()].entries.remove(entry.0);
        self.table_changed(table);
        Ok(())
    }

    fn table_clear(&mut self, table: TableIndex) -> Result<()> {
        self.table_info(table)?;
        let entries = &mut self.state.tables[table.index()].entries;
        let handles: Vec<u64> =
            entries.iter().filter(|(_, e)| !e.payload.is_const).map(|(h, _)| h).collect();
        for handle in handles {
            entries.remove(handle);
        }
        self.table_changed(table);
        Ok(())
    }

    fn table_entries(&mut self, table: TableIndex) -> Result<Vec<EntryView>> {
        let info = self.table_info(table)?;
        let entries = &self.state.tables[table.index()].entries;
        let view = |(handle, entry)| self.entry_view(info, handle, entry);
        Ok(entries.iter().map(view).collect())
    }

    fn table_entry(&mut self, table: TableIndex, entry: EntryHandle) -> Result<Option<EntryView>> {
        let info = self.table_info(table)?;
        let found = self.state.tables[table.index()].entries.get(entry.0);
        Ok(found.map(|found| self.entry_view(info, entry.0, found)))
    }

    fn table_find(
        &mut self,
        table: TableIndex,
        keys: Vec<KeyMatch>,
        priority: i64,
    ) -> Result<Option<EntryHandle>> {
        let info = self.table_info(table)?;
        let keys = key_fields(&info.name, &info.keys, &keys)?;
        let entries = &self.state.tables[table.index()].entries;
        Ok(entries.find(&keys, priority).map(EntryHandle))
    }

    fn table_set_default(&mut self, table: TableIndex, target: Target) -> Result<()> {
        let info = self.table_info(table)?;
        validation::takes_default(info)?;
        let target = self.entry_target(info, &target, true)?;
        self.state.tables[table.index()].default = target;
        self.table_changed(table);
        Ok(())
    }

    fn table_reset_default(&mut self, table: TableIndex) -> Result<()> {
        self.table_info(table)?;
        let state = &mut self.state.tables[table.index()];
        state.default = state.initial_default.clone();
        self.table_changed(table);
        Ok(())
    }

    fn table_default(&mut self, table: TableIndex) -> Result<Target> {
        let info = self.table_info(table)?;
        Ok(self.target_view(info, &self.state.tables[table.index()].default))
    }

    fn member_add(&mut self, profile: ProfileIndex, data: ActionData) -> Result<u32> {
        let info = validation::profile_info(&self.loaded.schema, profile)?;
        let entry = self.action_entry(&info.actions, &data)?;
        self.state.profiles[profile.index()].add(entry)
    }

    fn member_modify(&mut self, profile: ProfileIndex, member: u32, to: ActionData) -> Result<()> {
        let info = validation::profile_info(&self.loaded.schema, profile)?;
        let entry = self.action_entry(&info.actions, &to)?;
        self.state.profiles[profile.index()].modify(member, entry)
    }

    fn member_delete(&mut self, profile: ProfileIndex, member: u32) -> Result<()> {
        let is_referred_to = self.is_referred_to(profile, &EntryTarget::Member(member));
        self.profile_mut(profile)?.remove(member, is_referred_to).map(|_| ())
    }

    fn group_create(&mut self, profile: ProfileIndex) -> Result<u32> {
        self.profile_mut(profile)?.create_group()
    }

    fn group_delete(&mut self, profile: ProfileIndex, group: u32) -> Result<()> {
        let is_referred_to = self.is_referred_to(profile, &EntryTarget::Group(group));
        self.profile_mut(profile)?.remove_group(group, is_referred_to)
    }

    fn group_add_member(&mut self, profile: ProfileIndex, group: u32, member: u32) -> Result<()> {
        self.profile_mut(profile)?.join(group, member)
    }

    fn group_remove_member(
        &mut self,
        profile: ProfileIndex,
        group: u32,
        member: u32,
    ) -> Result<()> {
        self.profile_mut(profile)?.leave(group, member)
    }

    fn profile(&mut self, profile: ProfileIndex) -> Result<ProfileView> {
        let info = validation::profile_info(&self.loaded.schema, profile)?;
        let kept = &self.state.profiles[profile.index()];
        let view = |(handle, entry)| (handle, action_view(&info.actions, entry));
        Ok(ProfileView {
            members: kept.members().map(view).collect(),
            groups: kept.groups().clone(),
        })
    }

    fn register_read(&mut self, register: RegisterIndex, index: u64) -> Result<BigUint> {
        let info = &self.loaded.schema[register];
        let cell = self.state.registers[register.index()].get(index);
        cell.map(|value| value.to_bits().to_biguint())
            .ok_or_else(|| no_such(format!("cell {index} of register `{}`", info.name)))
    }

    fn register_read_all(&mut self, register: RegisterIndex) -> Result<Vec<BigUint>> {
        let info = &self.loaded.schema[register];
        validation::readable_at_once(&info.name, info.size)?;
        (0..info.size).map(|n| self.register_read(register, n)).collect()
    }

    fn register_write(
        &mut self,
        register: RegisterIndex,
        index: Option<u64>,
        value: BigUint,
    ) -> Result<()> {
        let info = &self.loaded.schema[register];
        let bits = fitting(&value, info.width, || format!("register `{}`", info.name))?;
        let value = Value::from_bits(&self.program, cell_type(&self.program, info), &bits);
        let cells = &mut self.state.registers[register.index()];
        match index {
            None => cells.fill(value),
            Some(index) => {
                let missing = || no_such(format!("cell {index} of register `{}`", info.name));
                *cells.get_mut(index).ok_or_else(missing)? = value;
            }
        }
        Ok(())
    }

    fn register_reset(&mut self, register: RegisterIndex) -> Result<()> {
        let value = Value::default_of(
            &self.program,
            cell_type(&self.program, &self.loaded.schema[register]),
        );
        self.state.registers[register.index()].fill(value);
        Ok(())
    }

    fn counter_read(&mut self, counter: CounterIndex, index: u64) -> Result<CounterValue> {
        let info = &self.loaded.schema[counter];
        let missing = || no_such(format!("counter {index} of `{}`", info.name));
        match (info.is_direct, info.table) {
            (true, Some(table)) => Ok(self.payload(table, index)?.counter),
            (true, None) => Err(missing()),
            _ => self.state.counters[counter.index()].get(index).copied().ok_or_else(missing),
        }
    }

    fn counter_write(
        &mut self,
        counter: CounterIndex,
        index: Option<u64>,
        value: CounterValue,
    ) -> Result<()> {
        let info = &self.loaded.schema[counter];
        let (table, name) = (info.table.filter(|_| info.is_direct), info.name.clone());
        match (table, index) {
            (Some(table), Some(index)) => self.payload_mut(table, index)?.counter = value,
            (Some(table), None) => {
                let entries = &mut self.state.tables[table.index()].entries;
                entries.payloads_mut().for_each(|payload| payload.counter = value);
            }
            (None, None) => self.state.counters[counter.index()].fill(value),
            (None, Some(index)) => {
                let cell = self.state.counters[counter.index()].get_mut(index);
                *cell.ok_or_else(|| no_such(format!("counter {index} of `{name}`")))? = value;
            }
        }
        Ok(())
    }

    fn next_used(&mut self, array: CellArray, from: u64) -> Result<Option<(u64, u64)>> {
        let state = &self.state;
        let all = |size| (from < size).then_some((from, size));
        Ok(match array {
            CellArray::Counter(counter) => match &state.counters[counter.index()] {
                cells if *cells.initial() != CounterValue::default() => all(cells.size()),
                cells => cells.next_used(from),
            },
            CellArray::Meter(meter) => next_meter(&state.meters[meter.index()], from),
            CellArray::Register(register) => match &state.registers[register.index()] {
                cells if !cells.initial().to_bits().is_zero() => all(cells.size()),
                cells => cells.next_used(from),
            },
        })
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
        validation::meter_rates(rates)?;
        match index {
            Some(index) => self.meter_mut(meter, index)?.configure(rates),
            None => {
                let mut model = Meter::default();
                model.configure(rates);
                let info = &self.loaded.schema[meter];
                match info.table.filter(|_| info.is_direct) {
                    Some(table) => {
                        let entries = &mut self.state.tables[table.index()].entries;
                        entries.payloads_mut().for_each(|p| p.meter = model.clone());
                    }
                    None => self.state.meters[meter.index()].fill(model),
                }
            }
        }
        Ok(())
    }

    fn meter_rates(&mut self, meter: MeterIndex, index: u64) -> Result<Option<MeterRates>> {
        let info = &self.loaded.schema[meter];
        match info.table.filter(|_| info.is_direct) {
            Some(table) => Ok(self.payload(table, index)?.meter.rates()),
            None => self.state.meters[meter.index()]
                .get(index)
                .map(Meter::rates)
                .ok_or_else(|| no_such(format!("meter {index} of `{}`", info.name))),
        }
    }

    fn value_set_add(&mut self, set: ValueSetIndex, member: Vec<KeyMatch>) -> Result<()> {
        let info = &self.loaded.schema[set];
        self.state.value_sets[set.index()].add(info, &member).map(|_| ())
    }

    fn value_set_remove(&mut self, set: ValueSetIndex, member: Vec<KeyMatch>) -> Result<()> {
        let info = &self.loaded.schema[set];
        self.state.value_sets[set.index()].remove(info, &member).map(|_| ())
    }

    fn value_set_clear(&mut self, set: ValueSetIndex) -> Result<()> {
        self.state.value_sets[set.index()].clear();
        Ok(())
    }

    fn set_custom_crc(&mut self, which: CustomCrc, parameters: CrcParameters) -> Result<()> {
        match which {
            CustomCrc::Crc16 => self.state.crc16_custom = Hash::custom(parameters),
            CustomCrc::Crc32 => self.state.crc32_custom = Hash::custom(parameters),
        }
        Ok(())
    }

    fn take_digests(&mut self) -> Result<Vec<Digest>> {
        Ok(self.state.digests.drain(..).collect())
    }

    fn statistics(&mut self) -> Result<Statistics> {
        let tpp = self.tcpu.as_ref().map(|tcpu| tcpu.counters().named().collect());
        let digests_lost = self.state.digests_lost;
        Ok(Statistics { digests_lost, tpp, ..self.statistics.clone() })
    }

    fn reset_state(&mut self) -> Result<()> {
        self.state = self.initial.clone();
        (0..self.versions.len() as u32).for_each(|table| self.table_changed(TableIndex(table)));
        Ok(())
    }
}
