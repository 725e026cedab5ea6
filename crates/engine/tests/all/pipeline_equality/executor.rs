//! The executor's state, and the packets that it shares with the reference engine.

use super::packet::{Arriving, Leaving};
use super::tables::Entries;
use num_bigint::BigUint;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use ww_dataplane::control::{
    ActionData, Control, CounterIndex, CounterValue, Digest, RegisterIndex,
};
use ww_dataplane::traffic::Fifo;
use ww_dataplane::{Dataplane, Picoseconds, PortId, Status, Transmit};
use ww_engine::interp::{Interp, Options};
use ww_engine::objects::{Cells, Meter, Profile, Replication, profiles};
use ww_engine::tables::KeyField;
use ww_p4::ir::Program;
use ww_p4::pipeline::Pipeline;
use ww_p4::pipeline::passes::live_fields;
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
    pub fn clear(&mut self) {
        let schema = self.inner.schema();
        self.profiles = profiles(&schema);
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
        let expected = self.inner.take_digests().expect("digests");
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

    fn status(&self) -> Status {
        self.inner.status()
    }
}
