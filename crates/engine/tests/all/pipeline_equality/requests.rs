//! The executor's control plane: entries are kept by the reference engine beside it, everything
//! that packets change is its own.

use super::executor::Executor;
use num_bigint::BigUint;
use std::sync::Arc;
use ww_dataplane::control::handler::Handler;
use ww_dataplane::control::{
    self, ActionData, Answer, CounterIndex, CounterValue, CustomCrc, Digest, EntryHandle, Error,
    KeyMatch, MeterIndex, MeterRates, NewEntry, ProfileIndex, RegisterIndex, Request, Schema,
    Subject, TableIndex, Target, ValueSetIndex,
};
use ww_engine::objects::Meter;
use ww_engine::tables::key_fields;
use ww_packet::crc::CrcParameters;
use ww_packet::hash::Hash;

type Result<T> = std::result::Result<T, Error>;

const MIRRORED: &str = "the reference engine took it";

impl control::Control for Executor {
    fn schema(&self) -> Arc<Schema> {
        control::Control::schema(&self.inner)
    }

    fn handle(&mut self, request: Request) -> Result<Answer> {
        request.carry_out(self)
    }
}

impl Handler for Executor {
    fn component(&self) -> &'static str {
        "the executor"
    }

    /// The reference engine answers what packets do not change.
    fn otherwise(&mut self, request: Request) -> Result<Answer> {
        let answer = control::Control::handle(&mut self.inner, request.clone())?;
        if request.subject() == Subject::Replication {
            assert_eq!(request.carry_out(&mut self.replication).as_ref(), Ok(&answer));
        }
        Ok(answer)
    }

    fn table_insert(&mut self, table: TableIndex, entry: NewEntry) -> Result<EntryHandle> {
        self.entries.remove(&table.0);
        self.inner.table_insert(table, entry)
    }

    fn table_modify(&mut self, table: TableIndex, entry: EntryHandle, to: Target) -> Result<()> {
        self.entries.remove(&table.0);
        self.inner.table_modify(table, entry, to)
    }

    fn table_delete(&mut self, table: TableIndex, entry: EntryHandle) -> Result<()> {
        self.entries.remove(&table.0);
        self.inner.table_delete(table, entry)
    }

    fn table_clear(&mut self, table: TableIndex) -> Result<()> {
        self.entries.remove(&table.0);
        self.inner.table_clear(table)
    }

    fn member_add(&mut self, profile: ProfileIndex, data: ActionData) -> Result<u32> {
        let member = self.inner.member_add(profile, data.clone())?;
        assert_eq!(self.profiles[profile.index()].add(data), Ok(member));
        Ok(member)
    }

    fn member_modify(&mut self, profile: ProfileIndex, member: u32, to: ActionData) -> Result<()> {
        self.inner.member_modify(profile, member, to.clone())?;
        self.profiles[profile.index()].modify(member, to).expect(MIRRORED);
        Ok(())
    }

    fn member_delete(&mut self, profile: ProfileIndex, member: u32) -> Result<()> {
        self.inner.member_delete(profile, member)?;
        self.profiles[profile.index()].remove(member, false).expect(MIRRORED);
        Ok(())
    }

    fn group_create(&mut self, profile: ProfileIndex) -> Result<u32> {
        let group = self.inner.group_create(profile)?;
        assert_eq!(self.profiles[profile.index()].create_group(), Ok(group));
        Ok(group)
    }

    fn group_delete(&mut self, profile: ProfileIndex, group: u32) -> Result<()> {
        self.inner.group_delete(profile, group)?;
        self.profiles[profile.index()].remove_group(group, false).expect(MIRRORED);
        Ok(())
    }

    fn group_add_member(&mut self, profile: ProfileIndex, group: u32, member: u32) -> Result<()> {
        self.inner.group_add_member(profile, group, member)?;
        self.profiles[profile.index()].join(group, member).expect(MIRRORED);
        Ok(())
    }

    fn group_remove_member(
        &mut self,
        profile: ProfileIndex,
        group: u32,
        member: u32,
    ) -> Result<()> {
        self.inner.group_remove_member(profile, group, member)?;
        self.profiles[profile.index()].leave(group, member).expect(MIRRORED);
        Ok(())
    }

    fn register_read(&mut self, register: RegisterIndex, index: u64) -> Result<BigUint> {
        self.inner.register_read(register, index)?;
        Ok(self.registers[register.index()].get(index).cloned().unwrap_or_default())
    }

    fn register_write(
        &mut self,
        register: RegisterIndex,
        index: Option<u64>,
        value: BigUint,
    ) -> Result<()> {
        self.inner.register_write(register, index, value.clone())?;
        let cells = &mut self.registers[register.index()];
        match index {
            None => cells.fill(value.clone()),
            Some(index) => *cells.get_mut(index).expect(MIRRORED) = value.clone(),
        }
        Ok(())
    }

    fn register_reset(&mut self, register: RegisterIndex) -> Result<()> {
        self.inner.register_reset(register)?;
        self.registers[register.index()].fill(BigUint::ZERO);
        Ok(())
    }

    fn counter_read(&mut self, counter: CounterIndex, index: u64) -> Result<CounterValue> {
        self.inner.counter_read(counter, index)?;
        let schema = control::Control::schema(self);
        let info = &schema[counter];
        Ok(match info.table.filter(|_| info.is_direct) {
            Some(table) => self.direct_counters.get(&(table.0, index)).copied().unwrap_or_default(),
            None => self.counters[counter.index()].get(index).copied().unwrap_or_default(),
        })
    }

    fn counter_write(
        &mut self,
        counter: CounterIndex,
        index: Option<u64>,
        value: CounterValue,
    ) -> Result<()> {
        self.inner.counter_write(counter, index, value)?;
        let schema = control::Control::schema(&self.inner);
        let info = &schema[counter];
        match (info.table.filter(|_| info.is_direct), index) {
            (Some(table), Some(index)) => {
                self.direct_counters.insert((table.0, index), value);
            }
            (Some(table), None) => {
                for view in self.inner.table_entries(table)? {
                    self.direct_counters.insert((table.0, view.handle.0), value);
                }
            }
            (None, Some(index)) => {
                *self.counters[counter.index()].get_mut(index).expect(MIRRORED) = value;
            }
            (None, None) => self.counters[counter.index()].fill(value),
        }
        Ok(())
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
        self.inner.meter_set_rates(meter, index, rates)?;
        let schema = control::Control::schema(&self.inner);
        let info = &schema[meter];
        let mut model = Meter::default();
        model.configure(rates);
        match (info.table.filter(|_| info.is_direct), index) {
            (Some(table), Some(index)) => {
                self.direct_meters.entry((table.0, index)).or_default().configure(rates);
            }
            (Some(table), None) => {
                for view in self.inner.table_entries(table)? {
                    self.direct_meters.insert((table.0, view.handle.0), model.clone());
                }
            }
            (None, Some(index)) => {
                self.meters[meter.index()].get_mut(index).expect(MIRRORED).configure(rates);
            }
            (None, None) => self.meters[meter.index()].fill(model),
        }
        Ok(())
    }

    fn value_set_add(&mut self, set: ValueSetIndex, member: Vec<KeyMatch>) -> Result<()> {
        self.inner.value_set_add(set, member.clone())?;
        let schema = control::Control::schema(&self.inner);
        let info = &schema[set];
        let keys = key_fields(&info.name, &info.keys, &member)?;
        self.value_sets[set.index()].push(keys);
        Ok(())
    }

    fn value_set_remove(&mut self, set: ValueSetIndex, member: Vec<KeyMatch>) -> Result<()> {
        self.inner.value_set_remove(set, member.clone())?;
        let schema = control::Control::schema(&self.inner);
        let info = &schema[set];
        let keys = key_fields(&info.name, &info.keys, &member)?;
        self.value_sets[set.index()].retain(|m| *m != keys);
        Ok(())
    }

    fn value_set_clear(&mut self, set: ValueSetIndex) -> Result<()> {
        self.value_sets[set.index()].clear();
        self.inner.value_set_clear(set)
    }

    fn set_custom_crc(&mut self, which: CustomCrc, parameters: CrcParameters) -> Result<()> {
        self.inner.set_custom_crc(which, parameters)?;
        match which {
            CustomCrc::Crc16 => self.crc16_custom = Hash::custom(parameters),
            CustomCrc::Crc32 => self.crc32_custom = Hash::custom(parameters),
        }
        Ok(())
    }

    fn take_digests(&mut self) -> Result<Vec<Digest>> {
        self.inner.take_digests()?;
        Ok(std::mem::take(&mut self.digests))
    }

    fn reset_state(&mut self) -> Result<()> {
        self.inner.reset_state()?;
        self.clear();
        Ok(())
    }
}
