//! The control plane of the engine `rtl`.
//!
//! Every request goes to the books first, which check it; what they accept is carried out in
//! hardware. A request that hardware cannot fulfil is an error, and where it is an entry that
//! does not fit, the books forget it again.

use super::engine::Rtl;
use super::layout::{self, bits};
use super::requests::row;
use num_bigint::BigUint;
use ww_dataplane::control::{
    ActionData, Control, CounterIndex, CounterValue, CrcParameters, CustomCrc, Digest, EntryHandle,
    EntryView, KeyMatch, MeterIndex, MeterRates, MirrorSession, NewEntry, NodeHandle, ProfileIndex,
    RegisterIndex, RuntimeError, Schema, TableIndex, Target, ValueSetIndex,
};

type Result<T> = std::result::Result<T, RuntimeError>;

impl Control for Rtl {
    fn schema(&self) -> &Schema {
        self.books.schema()
    }

    fn table_insert(&mut self, table: TableIndex, entry: NewEntry) -> Result<EntryHandle> {
        let handle = self.books.table_insert(table, entry)?;
        let stored = match self.books.table_entry(table, handle)? {
            Some(view) => self.store(table, &view),
            None => Ok(()),
        };
        if let Err(error) = stored {
            self.books.table_delete(table, handle)?;
            return Err(error.into());
        }
        Ok(handle)
    }

    fn table_modify(&mut self, table: TableIndex, entry: EntryHandle, to: Target) -> Result<()> {
        let before = self.books.table_entry(table, entry)?;
        self.books.table_modify(table, entry, to)?;
        let stored = match self.books.table_entry(table, entry)? {
            Some(view) => self.restore(table, &view),
            None => Ok(()),
        };
        if let (Err(error), Some(before)) = (stored, before) {
            self.books.table_modify(table, entry, before.entry.target)?;
            return Err(error.into());
        }
        Ok(())
    }

    fn table_delete(&mut self, table: TableIndex, entry: EntryHandle) -> Result<()> {
        let before = self.books.table_entry(table, entry)?;
        self.books.table_delete(table, entry)?;
        match before {
            Some(view) => Ok(self.remove(table, &view)?),
            None => Ok(()),
        }
    }

    fn table_clear(&mut self, table: TableIndex) -> Result<()> {
        let before = self.books.table_entries(table)?;
        self.books.table_clear(table)?;
        Ok(self.remove_all(table, &before)?)
    }

    fn table_entries(&self, table: TableIndex) -> Result<Vec<EntryView>> {
        self.books.table_entries(table)
    }

    fn table_entry(&self, table: TableIndex, entry: EntryHandle) -> Result<Option<EntryView>> {
        self.books.table_entry(table, entry)
    }

    fn table_find(
        &self,
        table: TableIndex,
        keys: &[KeyMatch],
        priority: i64,
    ) -> Result<Option<EntryHandle>> {
        self.books.table_find(table, keys, priority)
    }

    fn table_set_default(&mut self, table: TableIndex, target: Target) -> Result<()> {
        let before = self.books.table_default(table)?;
        self.books.table_set_default(table, target)?;
        if let Err(error) = self.store_default(table) {
            self.books.table_set_default(table, before)?;
            return Err(error.into());
        }
        Ok(())
    }

    fn table_reset_default(&mut self, table: TableIndex) -> Result<()> {
        self.books.table_reset_default(table)?;
        Ok(self.store_default(table)?)
    }

    fn table_default(&self, table: TableIndex) -> Result<Target> {
        self.books.table_default(table)
    }

    fn member_add(&mut self, profile: ProfileIndex, data: ActionData) -> Result<u32> {
        let member = self.books.member_add(profile, data.clone())?;
        self.members[profile.index()].insert(member, data);
        Ok(member)
    }

    fn member_modify(&mut self, profile: ProfileIndex, member: u32, to: ActionData) -> Result<()> {
        self.books.member_modify(profile, member, to.clone())?;
        self.members[profile.index()].insert(member, to);
        for table in self.books.schema()[profile].tables.clone() {
            for view in self.books.table_entries(table)? {
                if view.entry.target == Target::Member(member) {
                    self.restore(table, &view)?;
                }
            }
            if self.books.table_default(table)? == Target::Member(member) {
                self.store_default(table)?;
            }
        }
        Ok(self.restore_member(profile, member)?)
    }

    fn member_delete(&mut self, profile: ProfileIndex, member: u32) -> Result<()> {
        self.books.member_delete(profile, member)?;
        self.members[profile.index()].remove(&member);
        Ok(())
    }

    fn group_create(&mut self, profile: ProfileIndex) -> Result<u32> {
        let group = self.books.group_create(profile)?;
        if let Err(error) = self.create_group(profile, group) {
            self.books.group_delete(profile, group)?;
            return Err(error.into());
        }
        Ok(group)
    }

    fn group_delete(&mut self, profile: ProfileIndex, group: u32) -> Result<()> {
        self.books.group_delete(profile, group)?;
        Ok(self.delete_group(profile, group)?)
    }

    fn group_add_member(&mut self, profile: ProfileIndex, group: u32, member: u32) -> Result<()> {
        self.books.group_add_member(profile, group, member)?;
        if let Some(members) = self.selectors.group(profile, group) {
            members.insert(member);
        }
        if let Err(error) = self.store_group(profile, group) {
            self.books.group_remove_member(profile, group, member)?;
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
        self.books.group_remove_member(profile, group, member)?;
        if let Some(members) = self.selectors.group(profile, group) {
            members.remove(&member);
        }
        Ok(self.store_group(profile, group)?)
    }

    fn register_read(&self, register: RegisterIndex, index: u64) -> Result<BigUint> {
        // The books know which cells there are.
        let initial = self.books.register_read(register, index)?;
        let Some(window) = self.map.registers[register.index()] else { return Ok(initial) };
        let width = self.books.schema()[register].width;
        let found = self.look(|hardware| hardware.read(window, 0, row(index)?))?;
        Ok(bits(&found, 0, width))
    }

    fn register_read_all(&self, register: RegisterIndex) -> Result<Vec<BigUint>> {
        let initial = self.books.register_read_all(register)?;
        (0..initial.len() as u64).map(|index| self.register_read(register, index)).collect()
    }

    fn register_write(
        &mut self,
        register: RegisterIndex,
        index: Option<u64>,
        value: &BigUint,
    ) -> Result<()> {
        self.books.register_write(register, index, value)?;
        let Some(window) = self.map.registers[register.index()] else { return Ok(()) };
        let cells = match index {
            Some(index) => index..index + 1,
            None => 0..self.books.schema()[register].size,
        };
        for index in cells {
            self.hardware().write(window, 0, row(index)?, value)?;
        }
        Ok(())
    }

    fn register_reset(&mut self, register: RegisterIndex) -> Result<()> {
        self.books.register_reset(register)?;
        if self.books.schema()[register].size == 0 {
            return Ok(());
        }
        let value = self.books.register_read(register, 0)?;
        self.register_write(register, None, &value)
    }

    fn counter_read(&self, counter: CounterIndex, index: u64) -> Result<CounterValue> {
        let initial = self.books.counter_read(counter, index)?;
        let info = &self.books.schema()[counter];
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
        self.books.counter_write(counter, index, value)?;
        let info = &self.books.schema()[counter];
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

    fn counter_reset(&mut self, counter: CounterIndex) -> Result<()> {
        self.counter_write(counter, None, CounterValue::default())
    }

    fn meter_set_rates(
        &mut self,
        meter: MeterIndex,
        index: Option<u64>,
        rates: Option<MeterRates>,
    ) -> Result<()> {
        self.books.meter_set_rates(meter, index, rates)?;
        let info = &self.books.schema()[meter];
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

    fn meter_rates(&self, meter: MeterIndex, index: u64) -> Result<Option<MeterRates>> {
        self.books.meter_rates(meter, index)
    }

    fn value_set_add(&mut self, set: ValueSetIndex, member: Vec<KeyMatch>) -> Result<()> {
        self.books.value_set_add(set, member.clone())?;
        self.value_sets[set.index()].push(member);
        Ok(self.store_value_set(set)?)
    }

    fn value_set_remove(&mut self, set: ValueSetIndex, member: &[KeyMatch]) -> Result<()> {
        self.books.value_set_remove(set, member)?;
        let info = &self.books.schema()[set];
        let same = |one: &[KeyMatch], other: &[KeyMatch]| {
            layout::member(info, one).ok() == layout::member(info, other).ok()
        };
        let members = &mut self.value_sets[set.index()];
        if let Some(position) = members.iter().position(|found| same(found, member)) {
            members.remove(position);
        }
        Ok(self.store_value_set(set)?)
    }

    fn value_set_clear(&mut self, set: ValueSetIndex) -> Result<()> {
        self.books.value_set_clear(set)?;
        self.value_sets[set.index()].clear();
        Ok(self.store_value_set(set)?)
    }

    fn mirror_set(&mut self, session: u32, to: MirrorSession) -> Result<()> {
        self.books.mirror_set(session, to)?;
        self.replicas.sessions.insert(session, to);
        self.store_replicas()
    }

    fn mirror_delete(&mut self, session: u32) -> Result<()> {
        self.books.mirror_delete(session)?;
        self.replicas.sessions.remove(&session);
        self.store_replicas()
    }

    fn mirror(&self, session: u32) -> Option<MirrorSession> {
        self.books.mirror(session)
    }

    fn multicast_group_create(&mut self, group: u16) -> Result<()> {
        self.books.multicast_group_create(group)?;
        self.replicas.state.create_group(group)?;
        self.replicas.groups.insert(group);
        self.store_replicas()
    }

    fn multicast_group_destroy(&mut self, group: u16) -> Result<()> {
        self.books.multicast_group_destroy(group)?;
        self.replicas.state.destroy_group(group)?;
        self.replicas.groups.remove(&group);
        self.store_replicas()
    }

    fn multicast_node_create(&mut self, replication_id: u16, ports: &[u32]) -> Result<NodeHandle> {
        self.replicas.state.create_node(replication_id, ports);
        self.books.multicast_node_create(replication_id, ports)
    }

    fn multicast_node_update(&mut self, node: NodeHandle, ports: &[u32]) -> Result<()> {
        self.books.multicast_node_update(node, ports)?;
        self.replicas.state.update_node(node, ports)?;
        self.store_replicas()
    }

    fn multicast_node_associate(&mut self, group: u16, node: NodeHandle) -> Result<()> {
        self.books.multicast_node_associate(group, node)?;
        self.replicas.state.associate(group, node)?;
        self.store_replicas()
    }

    fn multicast_node_dissociate(&mut self, group: u16, node: NodeHandle) -> Result<()> {
        self.books.multicast_node_dissociate(group, node)?;
        self.replicas.state.dissociate(group, node)?;
        self.store_replicas()
    }

    fn multicast_node_destroy(&mut self, node: NodeHandle) -> Result<()> {
        self.books.multicast_node_destroy(node)?;
        self.replicas.state.destroy_node(node)?;
        self.store_replicas()
    }

    fn set_custom_crc(&mut self, which: CustomCrc, _: CrcParameters) -> Result<()> {
        let message = format!("engine rtl: the parameters of {which:?} are fixed in hardware");
        Err(RuntimeError::Invalid { message })
    }

    fn take_digests(&mut self) -> Vec<Digest> {
        self.plane.get_mut().drain_digests()
    }

    fn reset_state(&mut self) {
        self.books.reset_state();
        if let Err(error) = self.reset_hardware() {
            self.plane.get_mut().fail(&error);
        }
    }
}
