//! An engine with a fault.

use num_bigint::BigUint;
use ww_control::Switch;
use ww_dataplane::control::*;
use ww_dataplane::{Dataplane, Picoseconds, PortId, Transmit};
use ww_packet::crc::CrcParameters;

type Result<T> = std::result::Result<T, RuntimeError>;

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The last bit of frames that leave this port.
    FlipOnPort(PortId),
    /// Digests are lost.
    NoDigests,
    /// Writes to registers are forgotten.
    ForgetRegisters,
    /// All entries have the same priority.
    ForgetPriority,
    /// Counters stand still.
    NoCounts,
}

/// An engine that is right but for one fault.
pub struct Faulty {
    inner: Box<dyn Switch>,
    fault: Fault,
}

impl Faulty {
    pub fn new(inner: Box<dyn Switch>, fault: Fault) -> Self {
        Self { inner, fault }
    }
}

impl Dataplane for Faulty {
    fn receive(&mut self, port: PortId, now: Picoseconds, frame: &[u8], out: &mut Vec<Transmit>) {
        let first = out.len();
        self.inner.receive(port, now, frame, out);
        for sent in &mut out[first..] {
            if self.fault == Fault::FlipOnPort(sent.port)
                && let Some(last) = sent.frame.last_mut()
            {
                *last ^= 1;
            }
        }
    }

    fn advance(&mut self, now: Picoseconds, out: &mut Vec<Transmit>) {
        self.inner.advance(now, out);
    }

    fn next_event(&self) -> Option<Picoseconds> {
        self.inner.next_event()
    }
}

impl Control for Faulty {
    fn schema(&self) -> &Schema {
        self.inner.schema()
    }

    fn table_insert(&mut self, table: TableIndex, entry: NewEntry) -> Result<EntryHandle> {
        let mut entry = entry;
        if self.fault == Fault::ForgetPriority {
            entry.priority = 0;
        }
        self.inner.table_insert(table, entry)
    }

    fn table_modify(&mut self, table: TableIndex, entry: EntryHandle, to: Target) -> Result<()> {
        self.inner.table_modify(table, entry, to)
    }

    fn table_delete(&mut self, table: TableIndex, entry: EntryHandle) -> Result<()> {
        self.inner.table_delete(table, entry)
    }

    fn table_clear(&mut self, table: TableIndex) -> Result<()> {
        self.inner.table_clear(table)
    }

    fn table_entries(&self, table: TableIndex) -> Result<Vec<EntryView>> {
        self.inner.table_entries(table)
    }

    fn table_find(
        &self,
        table: TableIndex,
        keys: &[KeyMatch],
        priority: i64,
    ) -> Result<Option<EntryHandle>> {
        self.inner.table_find(table, keys, priority)
    }

    fn table_set_default(&mut self, table: TableIndex, target: Target) -> Result<()> {
        self.inner.table_set_default(table, target)
    }

    fn table_reset_default(&mut self, table: TableIndex) -> Result<()> {
        self.inner.table_reset_default(table)
    }

    fn table_default(&self, table: TableIndex) -> Result<Target> {
        self.inner.table_default(table)
    }

    fn member_add(&mut self, profile: ProfileIndex, data: ActionData) -> Result<u32> {
        self.inner.member_add(profile, data)
    }

    fn member_modify(&mut self, profile: ProfileIndex, member: u32, to: ActionData) -> Result<()> {
        self.inner.member_modify(profile, member, to)
    }

    fn member_delete(&mut self, profile: ProfileIndex, member: u32) -> Result<()> {
        self.inner.member_delete(profile, member)
    }

    fn group_create(&mut self, profile: ProfileIndex) -> Result<u32> {
        self.inner.group_create(profile)
    }

    fn group_delete(&mut self, profile: ProfileIndex, group: u32) -> Result<()> {
        self.inner.group_delete(profile, group)
    }

    fn group_add_member(&mut self, profile: ProfileIndex, group: u32, member: u32) -> Result<()> {
        self.inner.group_add_member(profile, group, member)
    }

    fn group_remove_member(
        &mut self,
        profile: ProfileIndex,
        group: u32,
        member: u32,
    ) -> Result<()> {
        self.inner.group_remove_member(profile, group, member)
    }

    fn register_read(&self, register: RegisterIndex, index: u64) -> Result<BigUint> {
        self.inner.register_read(register, index)
    }

    fn register_read_all(&self, register: RegisterIndex) -> Result<Vec<BigUint>> {
        self.inner.register_read_all(register)
    }

    fn register_write(
        &mut self,
        register: RegisterIndex,
        index: Option<u64>,
        value: &BigUint,
    ) -> Result<()> {
        if self.fault == Fault::ForgetRegisters {
            return Ok(());
        }
        self.inner.register_write(register, index, value)
    }

    fn register_reset(&mut self, register: RegisterIndex) -> Result<()> {
        self.inner.register_reset(register)
    }

    fn counter_read(&self, counter: CounterIndex, index: u64) -> Result<CounterValue> {
        let value = self.inner.counter_read(counter, index)?;
        Ok(if self.fault == Fault::NoCounts { CounterValue::default() } else { value })
    }

    fn counter_write(
        &mut self,
        counter: CounterIndex,
        index: Option<u64>,
        value: CounterValue,
    ) -> Result<()> {
        self.inner.counter_write(counter, index, value)
    }

    fn counter_reset(&mut self, counter: CounterIndex) -> Result<()> {
        self.inner.counter_reset(counter)
    }

    fn meter_set_rates(
        &mut self,
        meter: MeterIndex,
        index: Option<u64>,
        rates: Option<MeterRates>,
    ) -> Result<()> {
        self.inner.meter_set_rates(meter, index, rates)
    }

    fn meter_rates(&self, meter: MeterIndex, index: u64) -> Result<Option<MeterRates>> {
        self.inner.meter_rates(meter, index)
    }

    fn value_set_add(&mut self, set: ValueSetIndex, member: Vec<KeyMatch>) -> Result<()> {
        self.inner.value_set_add(set, member)
    }

    fn value_set_remove(&mut self, set: ValueSetIndex, member: &[KeyMatch]) -> Result<()> {
        self.inner.value_set_remove(set, member)
    }

    fn value_set_clear(&mut self, set: ValueSetIndex) -> Result<()> {
        self.inner.value_set_clear(set)
    }

    fn mirror_set(&mut self, session: u32, to: MirrorSession) -> Result<()> {
        self.inner.mirror_set(session, to)
    }

    fn mirror_delete(&mut self, session: u32) -> Result<()> {
        self.inner.mirror_delete(session)
    }

    fn mirror(&self, session: u32) -> Option<MirrorSession> {
        self.inner.mirror(session)
    }

    fn multicast_group_create(&mut self, group: u16) -> Result<()> {
        self.inner.multicast_group_create(group)
    }

    fn multicast_group_destroy(&mut self, group: u16) -> Result<()> {
        self.inner.multicast_group_destroy(group)
    }

    fn multicast_node_create(&mut self, replication_id: u16, ports: &[u32]) -> Result<NodeHandle> {
        self.inner.multicast_node_create(replication_id, ports)
    }

    fn multicast_node_update(&mut self, node: NodeHandle, ports: &[u32]) -> Result<()> {
        self.inner.multicast_node_update(node, ports)
    }

    fn multicast_node_associate(&mut self, group: u16, node: NodeHandle) -> Result<()> {
        self.inner.multicast_node_associate(group, node)
    }

    fn multicast_node_dissociate(&mut self, group: u16, node: NodeHandle) -> Result<()> {
        self.inner.multicast_node_dissociate(group, node)
    }

    fn multicast_node_destroy(&mut self, node: NodeHandle) -> Result<()> {
        self.inner.multicast_node_destroy(node)
    }

    fn set_custom_crc(&mut self, which: CustomCrc, parameters: CrcParameters) -> Result<()> {
        self.inner.set_custom_crc(which, parameters)
    }

    fn take_digests(&mut self) -> Vec<Digest> {
        let digests = self.inner.take_digests();
        if self.fault == Fault::NoDigests { Vec::new() } else { digests }
    }

    fn reset_state(&mut self) {
        self.inner.reset_state()
    }
}
