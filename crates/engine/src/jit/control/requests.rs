//! Requests of the control plane.

use super::batch::Other;
use super::records::{Content, NO_ACTION, number, push_words};
use super::targets::{content, words_of};
use super::value_sets::Member as SetMember;
use super::{JitControl, Member};
use crate::jit::abi::flag;
use crate::objects::{self, Meter, Profile, Replication};
use crate::tables::{InsertError, fitting, key_fields};
use crate::validation::{self, no_such};
use num_bigint::BigUint;
use std::sync::Arc;
use ww_dataplane::control::handler::Handler;
use ww_dataplane::control::{
    self, ActionData, Answer, CellArray, CounterIndex, CounterValue, CustomCrc, Digest,
    EntryHandle, EntryView, Error, KeyMatch, MeterIndex, MeterRates, MirrorSession, MulticastView,
    NewEntry, ProfileIndex, ProfileView, RegisterIndex, Request, Schema, Subject, TableIndex,
    Target, ValueSetIndex,
};
use ww_packet::crc::CrcParameters;
use ww_packet::hash::Hash;

type Result<T> = std::result::Result<T, Error>;

impl control::Control for JitControl {
    fn schema(&self) -> Arc<Schema> {
        Arc::clone(&self.schema)
    }

    fn handle(&mut self, request: Request) -> Result<Answer> {
        request.carry_out(self)
    }
}

impl Handler for JitControl {
    fn component(&self) -> &'static str {
        "engine jit"
    }

    /// What changes the replication engine changes both copies in the same way.
    fn otherwise(&mut self, request: Request) -> Result<Answer> {
        if request.subject() != Subject::Replication {
            return Err(request.refused_by(self.component()));
        }
        validation::ports(&self.schema, &request)?;
        let answer = request.clone().carry_out(&mut self.replication)?;
        self.pending.other(Other::Replication(request));
        self.changed();
        Ok(answer)
    }

    fn hold(&mut self) -> Result<()> {
        self.is_held = true;
        Ok(())
    }

    fn release(&mut self) -> Result<()> {
        self.is_held = false;
        self.publish();
        // Many changes may wait for the other copy; they are not kept until somebody asks next.
        self.settle();
        Ok(())
    }

    fn generation(&mut self) -> Result<u64> {
        Ok(self.number)
    }

    fn table_insert(&mut self, table: TableIndex, entry: NewEntry) -> Result<EntryHandle> {
        let info = validation::table_info(&self.schema, table)?;
        validation::takes_entries(info)?;
        let keys = key_fields(&info.name, &info.keys, &entry.keys)?;
        let memory = &mut *self.memory;
        let to = content(&self.schema, info, &memory.profiles, &entry.target, false)?.of_entry();
        let n = table.index();
        let records = &mut memory.records[n];
        let (number, is_new) = records
            .acquire(&mut memory.heap, &to)
            .ok_or_else(|| validation::insert_error(info, InsertError::Full))?;
        match self.stores[n].insert(keys, entry.priority, number, false) {
            Ok((handle, change)) => {
                if is_new {
                    self.pending.record(n, number, records.get(number));
                }
                records.set_entry(number, handle);
                self.pending.index(n, change);
                self.table_changed(n);
                Ok(EntryHandle(handle))
            }
            Err(error) => {
                records.undo(&mut memory.heap, number);
                Err(validation::insert_error(info, error))
            }
        }
    }

    fn table_modify(&mut self, table: TableIndex, entry: EntryHandle, to: Target) -> Result<()> {
        let info = validation::table_info(&self.schema, table)?;
        let to = content(&self.schema, info, &self.memory.profiles, &to, false)?.of_entry();
        let old = self.changeable(table, entry.0)?;
        self.retarget(table.index(), entry.0, old, &to)?;
        self.table_changed(table.index());
        Ok(())
    }

    fn table_delete(&mut self, table: TableIndex, entry: EntryHandle) -> Result<()> {
        self.changeable(table, entry.0)?;
        self.remove_entry(table.index(), entry.0);
        self.table_changed(table.index());
        Ok(())
    }

    fn table_clear(&mut self, table: TableIndex) -> Result<()> {
        validation::table_info(&self.schema, table)?;
        let n = table.index();
        let handles: Vec<u64> = self.stores[n].targets().map(|(handle, _)| handle).collect();
        for handle in handles {
            if self.changeable(table, handle).is_ok() {
                self.remove_entry(n, handle);
            }
        }
        self.table_changed(n);
        Ok(())
    }

    fn table_entries(&mut self, table: TableIndex) -> Result<Vec<EntryView>> {
        validation::table_info(&self.schema, table)?;
        let entries = self.stores[table.index()].iter();
        Ok(entries.map(|(handle, entry)| self.entry_view(table, handle, &entry)).collect())
    }

    fn table_entry(&mut self, table: TableIndex, entry: EntryHandle) -> Result<Option<EntryView>> {
        validation::table_info(&self.schema, table)?;
        let found = self.stores[table.index()].get(entry.0);
        Ok(found.map(|found| self.entry_view(table, entry.0, &found)))
    }

    fn table_find(
        &mut self,
        table: TableIndex,
        keys: Vec<KeyMatch>,
        priority: i64,
    ) -> Result<Option<EntryHandle>> {
        let info = validation::table_info(&self.schema, table)?;
        let keys = key_fields(&info.name, &info.keys, &keys)?;
        Ok(self.stores[table.index()].find(&keys, priority).map(EntryHandle))
    }

    fn table_set_default(&mut self, table: TableIndex, target: Target) -> Result<()> {
        let info = validation::table_info(&self.schema, table)?;
        validation::takes_default(info)?;
        let to = content(&self.schema, info, &self.memory.profiles, &target, true)?;
        self.set_default(table, &to);
        Ok(())
    }

    fn table_reset_default(&mut self, table: TableIndex) -> Result<()> {
        let info = validation::table_info(&self.schema, table)?;
        let to = super::targets::initial_content(info, &self.initial[table.index()].default);
        self.set_default(table, &to);
        Ok(())
    }

    fn table_default(&mut self, table: TableIndex) -> Result<Target> {
        validation::table_info(&self.schema, table)?;
        Ok(self.target_view(table, self.memory.records[table.index()].get(0)))
    }

    fn member_add(&mut self, profile: ProfileIndex, data: ActionData) -> Result<u32> {
        let info = validation::profile_info(&self.schema, profile)?;
        let (action, arguments) = validation::arguments(&info.actions, &data)?;
        let n = profile.index();
        let records =
            self.memory.member_records(&self.schema, info, action.action, &words_of(&arguments));
        match self.memory.profiles[n].add(records.clone()) {
            Ok(member) => {
                self.pending.other(Other::Member { profile: n, member, records: Some(records) });
                self.changed();
                Ok(member)
            }
            Err(error) => {
                self.memory.discard_member(n, &records);
                Err(error)
            }
        }
    }

    fn member_modify(&mut self, profile: ProfileIndex, member: u32, to: ActionData) -> Result<()> {
        let info = validation::profile_info(&self.schema, profile)?;
        let (action, arguments) = validation::arguments(&info.actions, &to)?;
        let n = profile.index();
        let old = self.memory.profiles[n].member(member).cloned();
        let records =
            self.memory.member_records(&self.schema, info, action.action, &words_of(&arguments));
        if let Err(error) = self.memory.profiles[n].modify(member, records.clone()) {
            self.memory.discard_member(n, &records);
            return Err(error);
        }
        old.iter().for_each(|old| self.memory.retire_member(n, old));
        self.pending.other(Other::Member { profile: n, member, records: Some(records) });
        self.changed();
        Ok(())
    }

    fn member_delete(&mut self, profile: ProfileIndex, member: u32) -> Result<()> {
        let is_referred_to = self.is_referred_to(profile, flag::MEMBER, member);
        let old = self.profile_mut(profile)?.remove(member, is_referred_to)?;
        let n = profile.index();
        self.memory.retire_member(n, &old);
        self.pending.other(Other::Member { profile: n, member, records: None });
        self.changed();
        Ok(())
    }

    fn group_create(&mut self, profile: ProfileIndex) -> Result<u32> {
        let group = self.profile_mut(profile)?.create_group()?;
        self.group_changed(profile, group);
        Ok(group)
    }

    fn group_delete(&mut self, profile: ProfileIndex, group: u32) -> Result<()> {
        let is_referred_to = self.is_referred_to(profile, flag::GROUP, group);
        self.profile_mut(profile)?.remove_group(group, is_referred_to)?;
        self.group_changed(profile, group);
        Ok(())
    }

    fn group_add_member(&mut self, profile: ProfileIndex, group: u32, member: u32) -> Result<()> {
        self.profile_mut(profile)?.join(group, member)?;
        self.group_changed(profile, group);
        Ok(())
    }

    fn group_remove_member(
        &mut self,
        profile: ProfileIndex,
        group: u32,
        member: u32,
    ) -> Result<()> {
        self.profile_mut(profile)?.leave(group, member)?;
        self.group_changed(profile, group);
        Ok(())
    }

    fn profile(&mut self, profile: ProfileIndex) -> Result<ProfileView> {
        let info = validation::profile_info(&self.schema, profile)?;
        let kept = &self.memory.profiles[profile.index()];
        let view = |(handle, records): (u32, &Member)| {
            // A table that lacks the action has a record that says so.
            let mut own = info.tables.iter().zip(records);
            let (&table, record) = own.find(|(_, record)| record.head().action != NO_ACTION)?;
            let data = self.action_view(table, *record);
            let action = self.schema[table].actions.get(data.action)?.action;
            let action = info.actions.iter().position(|listed| listed.action == action)?;
            Some((handle, ActionData { action, ..data }))
        };
        let members = kept.members().filter_map(view).collect();
        Ok(ProfileView { members, groups: kept.groups().clone() })
    }

    fn register_read(&mut self, register: RegisterIndex, index: u64) -> Result<BigUint> {
        let info = &self.schema[register];
        let objects = self.objects.ordered();
        let cell = objects.registers[register.index()].get(index);
        cell.map(number).ok_or_else(|| no_such(format!("cell {index} of register `{}`", info.name)))
    }

    fn register_read_all(&mut self, register: RegisterIndex) -> Result<Vec<BigUint>> {
        let info = &self.schema[register];
        validation::readable_at_once(&info.name, info.size)?;
        let objects = self.objects.ordered();
        let cells = &objects.registers[register.index()];
        Ok((0..info.size).filter_map(|n| cells.get(n)).map(number).collect())
    }

    fn register_write(
        &mut self,
        register: RegisterIndex,
        index: Option<u64>,
        value: BigUint,
    ) -> Result<()> {
        let info = &self.schema[register];
        let bits = fitting(&value, info.width, || format!("register `{}`", info.name))?;
        let mut objects = self.objects.ordered();
        let cells = &mut objects.registers[register.index()];
        match index {
            None => cells.fill(&bits),
            Some(index) => {
                let missing = || no_such(format!("cell {index} of register `{}`", info.name));
                let cell = cells.get_mut(index).ok_or_else(missing)?;
                let mut words = Vec::with_capacity(cell.len());
                push_words(&bits, &mut words);
                cell.copy_from_slice(&words);
            }
        }
        Ok(())
    }

    fn register_reset(&mut self, register: RegisterIndex) -> Result<()> {
        self.objects.ordered().registers[register.index()].reset();
        Ok(())
    }

    fn counter_read(&mut self, counter: CounterIndex, index: u64) -> Result<CounterValue> {
        let info = &self.schema[counter];
        let missing = || no_such(format!("counter {index} of `{}`", info.name));
        match (info.is_direct, info.table) {
            (true, Some(table)) => Ok(self.direct_counter(self.entry_record(table, index)?)),
            (true, None) => Err(missing()),
            _ => {
                let cells = self.objects.cells(counter);
                self.bases[counter.index()].read(cells, index).ok_or_else(missing)
            }
        }
    }

    fn counter_write(
        &mut self,
        counter: CounterIndex,
        index: Option<u64>,
        value: CounterValue,
    ) -> Result<()> {
        let info = &self.schema[counter];
        let cells = self.objects.cells(counter);
        match (info.table.filter(|_| info.is_direct), index) {
            (Some(table), Some(index)) => {
                self.set_direct_counter(self.entry_record(table, index)?, value);
            }
            (Some(table), None) => {
                self.entry_records(table).for_each(|r| self.set_direct_counter(r, value));
            }
            (None, None) => self.bases[counter.index()].fill(cells, value),
            (None, Some(index)) => {
                let done = self.bases[counter.index()].write(cells, index, value);
                done.ok_or_else(|| no_such(format!("counter {index} of `{}`", info.name)))?;
            }
        }
        Ok(())
    }

    fn next_used(&mut self, array: CellArray, from: u64) -> Result<Option<(u64, u64)>> {
        Ok(match array {
            CellArray::Counter(counter) => {
                self.bases[counter.index()].next_used(self.objects.cells(counter), from)
            }
            CellArray::Meter(meter) => {
                crate::objects::next_meter(&self.objects.ordered().meters[meter.index()], from)
            }
            CellArray::Register(register) => {
                self.objects.ordered().registers[register.index()].next_used(from)
            }
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
        let info = &self.schema[meter];
        let missing = |index| no_such(format!("meter {index} of `{}`", info.name));
        let mut model = Meter::default();
        model.configure(rates);
        match (info.is_direct, info.table, index) {
            (true, Some(table), Some(index)) => {
                let record = self.entry_record(table, index)?;
                self.with_meters(std::iter::once(record), |m| m.clone_from(&model));
            }
            (true, Some(table), None) => {
                self.with_meters(self.entry_records(table), |m| m.clone_from(&model));
            }
            (true, None, Some(index)) => return Err(missing(index)),
            (_, _, None) => self.objects.ordered().meters[meter.index()].fill(model),
            (false, _, Some(index)) => {
                let mut objects = self.objects.ordered();
                let cell = objects.meters[meter.index()].get_mut(index);
                *cell.ok_or_else(|| missing(index))? = model;
            }
        }
        Ok(())
    }

    fn meter_rates(&mut self, meter: MeterIndex, index: u64) -> Result<Option<MeterRates>> {
        let info = &self.schema[meter];
        match info.table.filter(|_| info.is_direct) {
            Some(table) => {
                let record = self.entry_record(table, index)?;
                let mut rates = None;
                self.with_meters(std::iter::once(record), |m| rates = m.rates());
                Ok(rates)
            }
            None => {
                let objects = self.objects.ordered();
                let cell = objects.meters[meter.index()].get(index);
                cell.map(Meter::rates)
                    .ok_or_else(|| no_such(format!("meter {index} of `{}`", info.name)))
            }
        }
    }

    fn value_set_add(&mut self, set: ValueSetIndex, member: Vec<KeyMatch>) -> Result<()> {
        let keys = self.value_sets[set.index()].add(&self.schema[set], &member)?;
        let member = SetMember::new(keys);
        self.pending.other(Other::SetAdd { set: set.index(), member });
        self.changed();
        Ok(())
    }

    fn value_set_remove(&mut self, set: ValueSetIndex, member: Vec<KeyMatch>) -> Result<()> {
        let position = self.value_sets[set.index()].remove(&self.schema[set], &member)?;
        self.pending.other(Other::SetRemove { set: set.index(), position });
        self.changed();
        Ok(())
    }

    fn value_set_clear(&mut self, set: ValueSetIndex) -> Result<()> {
        self.value_sets[set.index()].clear();
        self.pending.other(Other::SetClear { set: set.index() });
        self.changed();
        Ok(())
    }

    fn value_set_members(&mut self, set: ValueSetIndex) -> Result<Vec<Vec<KeyMatch>>> {
        Ok(self.value_sets[set.index()].views(&self.schema[set]))
    }

    fn multicast(&mut self) -> Result<MulticastView> {
        Ok(self.replication.view())
    }

    fn mirror(&mut self, session: u32) -> Result<Option<MirrorSession>> {
        Ok(self.replication.session(session))
    }

    fn set_custom_crc(&mut self, which: CustomCrc, parameters: CrcParameters) -> Result<()> {
        self.pending.other(Other::Crc(which, Hash::custom(parameters)));
        self.changed();
        Ok(())
    }

    fn take_digests(&mut self) -> Result<Vec<Digest>> {
        Ok(self.objects.ordered().take_digests())
    }

    fn reset_state(&mut self) -> Result<()> {
        for profile in 0..self.schema.profiles.len() {
            self.memory.retire_members(profile);
            self.memory.profiles[profile] = Profile::new(&self.schema.profiles[profile]);
            self.pending.reset_profile(profile);
        }
        (0..self.schema.tables.len()).for_each(|table| self.fill_table(table));
        for set in 0..self.schema.value_sets.len() {
            self.value_sets[set].clear();
            self.pending.other(Other::SetClear { set });
        }
        self.pending.other(Other::Crc(CustomCrc::Crc16, Hash::crc16_custom()));
        self.pending.other(Other::Crc(CustomCrc::Crc32, Hash::crc32_custom()));
        self.objects.ordered().reset();
        for (n, bases) in self.bases.iter_mut().enumerate() {
            bases.fill(self.objects.cells(CounterIndex(n as u32)), CounterValue::default());
        }
        self.replication = Replication::default();
        (0..self.told.len()).for_each(|table| self.tell(table));
        self.pending.other(Other::ReplicationReset);
        self.changed();
        Ok(())
    }
}

impl JitControl {
    fn set_default(&mut self, table: TableIndex, to: &Content) {
        let memory = &mut *self.memory;
        let records = &mut memory.records[table.index()];
        records.replace(&mut memory.heap, 0, to);
        self.pending.record(table.index(), 0, records.get(0));
        self.table_changed(table.index());
    }

    /// Ends a request that changed a table.
    fn table_changed(&mut self, table: usize) {
        self.tell(table);
        self.changed();
    }

    /// Has a TCPU know that a table has changed.
    fn tell(&mut self, table: usize) {
        let Some(told) = self.told.get_mut(table) else { return };
        told.version = told.version.wrapping_add(1);
        told.entries = self.stores[table].len() as u32;
        self.pending.other(Other::Told { table, told: *told });
    }

    fn profile_mut(&mut self, profile: ProfileIndex) -> Result<&mut Profile<Member>> {
        objects::profile(&mut self.memory.profiles, profile)
    }

    fn group_changed(&mut self, profile: ProfileIndex, group: u32) {
        self.pending.group(profile.index(), group);
        self.changed();
    }
}
