//! The executor's state, and its control plane: entries are kept by the reference engine beside
//! it, everything that packets change is its own.

use super::packet::{Arriving, Leaving};
use super::tables::Entries;
use num_bigint::BigUint;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use ww_dataplane::control::{
    ActionData, Control, CounterIndex, CounterValue, CustomCrc, Digest, EntryHandle, EntryView,
    KeyMatch, MeterIndex, MeterRates, MirrorSession, NewEntry, NodeHandle, ProfileIndex,
    RegisterIndex, RuntimeError, Schema, TableIndex, Target, ValueSetIndex,
};
use ww_dataplane::traffic::Fifo;
use ww_dataplane::{Dataplane, Picoseconds, PortId, Transmit};
use ww_engine::interp::{Interp, Options};
use ww_engine::objects::{Cells, Meter, Profile, Replication};
use ww_engine::tables::{KeyField, key_fields};
use ww_p4::ir::Program;
use ww_p4::pipeline::Pipeline;
use ww_p4::pipeline::passes::live_fields;
use ww_packet::crc::CrcParameters;
use ww_packet::hash::Hash;

/// Executes a pipeline, with the reference engine at work on the same packets beside it.
pub struct Executor {
    pub pipeline: Arc<Pipeline>,
    /// Whether each field is read anywhere; the others hold nonsense.
    pub live: Vec<bool>,
    pub options: Options,
    /// The reference engine.
    pub inner: Interp,
    pub entries: HashMap<u32, Entries>,
    pub profiles: Vec<Profile<ActionData>>,
    pub registers: Vec<Cells<BigUint>>,
    pub counters: Vec<Cells<CounterValue>>,
    pub meters: Vec<Cells<Meter>>,
    pub direct_counters: BTreeMap<(u32, u64), CounterValue>,
    pub direct_meters: BTreeMap<(u32, u64), Meter>,
    pub colours: HashMap<u32, u8>,
    pub value_sets: Vec<Vec<Vec<KeyField>>>,
    pub replication: Replication,
    pub crc16_custom: Hash,
    pub crc32_custom: Hash,
    pub digests: Vec<Digest>,
    pub received: u64,
    pub input: VecDeque<Arriving>,
    pub traffic: Fifo,
    pub queued: HashMap<u64, Leaving>,
    pub next_queued: u64,
    /// Where the two differ.
    pub differences: Vec<String>,
}

impl Executor {
    pub fn new(program: Arc<Program>, pipeline: Pipeline, options: Options) -> Self {
        let inner = Interp::new(program, options).expect("the reference engine takes it");
        let mut executor = Self {
            live: live_fields(&pipeline),
            pipeline: Arc::new(pipeline),
            options,
            inner,
            entries: HashMap::new(),
            profiles: Vec::new(),
            registers: Vec::new(),
            counters: Vec::new(),
            meters: Vec::new(),
            direct_counters: BTreeMap::new(),
            direct_meters: BTreeMap::new(),
            colours: HashMap::new(),
            value_sets: Vec::new(),
            replication: Replication::default(),
            crc16_custom: Hash::crc16_custom(),
            crc32_custom: Hash::crc32_custom(),
            digests: Vec::new(),
            received: 0,
            input: VecDeque::new(),
            traffic: Fifo::default(),
            queued: HashMap::new(),
            next_queued: 0,
            differences: Vec::new(),
        };
        executor.clear();
        executor
    }

    /// The state after loading.
    fn clear(&mut self) {
        let schema = self.inner.schema();
        self.profiles = schema.profiles.iter().map(|p| Profile::new(p.size)).collect();
        self.registers =
            schema.registers.iter().map(|r| Cells::new(r.size, BigUint::ZERO)).collect();
        let zero = CounterValue::default();
        self.counters = schema.counters.iter().map(|c| Cells::new(c.size, zero)).collect();
        self.meters = schema.meters.iter().map(|m| Cells::new(m.size, Meter::default())).collect();
        self.value_sets = vec![Vec::new(); schema.value_sets.len()];
        self.direct_counters.clear();
        self.direct_meters.clear();
        self.entries.clear();
        self.replication = Replication::default();
    }

    fn compare(&mut self, reference: &[Transmit], own: &[Transmit]) {
        if reference != own {
            let show = |list: &[Transmit]| -> String {
                let one = |t: &Transmit| format!("\n    port {} {:02x?}", t.port, t.frame);
                list.iter().map(one).collect()
            };
            let (expected, found) = (show(reference), show(own));
            let number = self.received;
            let message = format!("packet {number}:\n  expected{expected}\n  found{found}");
            self.differences.push(message);
        }
    }

    /// Compares what packets have changed.
    pub fn compare_state(&mut self) {
        let schema = self.inner.schema();
        let mut found = Vec::new();
        for (n, info) in schema.registers.iter().enumerate() {
            for cell in 0..info.size.min(1 << 12) {
                let expected = self.inner.register_read(RegisterIndex(n as u32), cell).ok();
                let own = self.registers[n].get(cell).cloned();
                if expected != own {
                    found.push(format!("{}[{cell}]: {expected:x?}, found {own:x?}", info.name));
                }
            }
        }
        for (n, info) in schema.counters.iter().enumerate() {
            for cell in 0..info.size.min(1 << 12) {
                let expected = self.inner.counter_read(CounterIndex(n as u32), cell).ok();
                let own = self.counters[n].get(cell).copied();
                if expected != own {
                    found.push(format!("{}[{cell}]: {expected:?}, found {own:?}", info.name));
                }
            }
        }
        let expected = self.inner.take_digests();
        if expected != self.digests {
            found.push(format!("digests: {expected:?}, found {:?}", self.digests));
        }
        self.differences.extend(found);
    }
}

impl Dataplane for Executor {
    fn receive(&mut self, port: PortId, now: Picoseconds, frame: &[u8], out: &mut Vec<Transmit>) {
        let (mut reference, mut own) = (Vec::new(), Vec::new());
        self.inner.receive(port, now, frame, &mut reference);
        self.accept(port, now, frame);
        self.work(now, &mut own);
        self.compare(&reference, &own);
        out.append(&mut own);
    }

    fn advance(&mut self, now: Picoseconds, out: &mut Vec<Transmit>) {
        let (mut reference, mut own) = (Vec::new(), Vec::new());
        self.inner.advance(now, &mut reference);
        self.work(now, &mut own);
        self.compare(&reference, &own);
        out.append(&mut own);
    }

    fn next_event(&self) -> Option<Picoseconds> {
        self.inner.next_event()
    }
}

type Result<T> = std::result::Result<T, RuntimeError>;

const MIRRORED: &str = "the reference engine took it";

impl Control for Executor {
    fn schema(&self) -> &Schema {
        self.inner.schema()
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
        self.profiles[profile.index()].remove(member).expect(MIRRORED);
        Ok(())
    }

    fn group_create(&mut self, profile: ProfileIndex) -> Result<u32> {
        let group = self.inner.group_create(profile)?;
        assert_eq!(self.profiles[profile.index()].create_group(), group);
        Ok(group)
    }

    fn group_delete(&mut self, profile: ProfileIndex, group: u32) -> Result<()> {
        self.inner.group_delete(profile, group)?;
        self.profiles[profile.index()].remove_group(group).expect(MIRRORED);
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

    fn register_read(&self, register: RegisterIndex, index: u64) -> Result<BigUint> {
        self.inner.register_read(register, index)?;
        Ok(self.registers[register.index()].get(index).cloned().unwrap_or_default())
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
        self.inner.register_write(register, index, value)?;
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

    fn counter_read(&self, counter: CounterIndex, index: u64) -> Result<CounterValue> {
        self.inner.counter_read(counter, index)?;
        let info = &self.schema()[counter];
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
        let info = &self.inner.schema()[counter];
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
        let info = &self.inner.schema()[meter];
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

    fn meter_rates(&self, meter: MeterIndex, index: u64) -> Result<Option<MeterRates>> {
        self.inner.meter_rates(meter, index)
    }

    fn value_set_add(&mut self, set: ValueSetIndex, member: Vec<KeyMatch>) -> Result<()> {
        self.inner.value_set_add(set, member.clone())?;
        let info = &self.inner.schema()[set];
        let keys = key_fields(&info.name, &info.keys, &member)?;
        self.value_sets[set.index()].push(keys);
        Ok(())
    }

    fn value_set_remove(&mut self, set: ValueSetIndex, member: &[KeyMatch]) -> Result<()> {
        self.inner.value_set_remove(set, member)?;
        let info = &self.inner.schema()[set];
        let keys = key_fields(&info.name, &info.keys, member)?;
        self.value_sets[set.index()].retain(|m| *m != keys);
        Ok(())
    }

    fn value_set_clear(&mut self, set: ValueSetIndex) -> Result<()> {
        self.value_sets[set.index()].clear();
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
        self.inner.multicast_group_create(group)?;
        self.replication.create_group(group)
    }

    fn multicast_group_destroy(&mut self, group: u16) -> Result<()> {
        self.inner.multicast_group_destroy(group)?;
        self.replication.destroy_group(group)
    }

    fn multicast_node_create(&mut self, replication_id: u16, ports: &[u32]) -> Result<NodeHandle> {
        self.replication.create_node(replication_id, ports);
        self.inner.multicast_node_create(replication_id, ports)
    }

    fn multicast_node_update(&mut self, node: NodeHandle, ports: &[u32]) -> Result<()> {
        self.inner.multicast_node_update(node, ports)?;
        self.replication.update_node(node, ports)
    }

    fn multicast_node_associate(&mut self, group: u16, node: NodeHandle) -> Result<()> {
        self.inner.multicast_node_associate(group, node)?;
        self.replication.associate(group, node)
    }

    fn multicast_node_dissociate(&mut self, group: u16, node: NodeHandle) -> Result<()> {
        self.inner.multicast_node_dissociate(group, node)?;
        self.replication.dissociate(group, node)
    }

    fn multicast_node_destroy(&mut self, node: NodeHandle) -> Result<()> {
        self.inner.multicast_node_destroy(node)?;
        self.replication.destroy_node(node)
    }

    fn set_custom_crc(&mut self, which: CustomCrc, parameters: CrcParameters) -> Result<()> {
        self.inner.set_custom_crc(which, parameters)?;
        match which {
            CustomCrc::Crc16 => self.crc16_custom = Hash::custom(parameters),
            CustomCrc::Crc32 => self.crc32_custom = Hash::custom(parameters),
        }
        Ok(())
    }

    fn take_digests(&mut self) -> Vec<Digest> {
        self.inner.take_digests();
        std::mem::take(&mut self.digests)
    }

    fn reset_state(&mut self) {
        self.inner.reset_state();
        self.clear();
    }
}
