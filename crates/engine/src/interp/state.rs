//! What outlives packets: entries, objects, groups.

use super::loaded::Loaded;
use super::machine::{Machine, PacketContext};
use super::values::Value;
use crate::bits::Bits;
use crate::objects::{Cells, Meter, Profile, Replication, ValueSet, profiles};
use crate::schema::cell_type;
use crate::tables::{KeyField, MatchTable, full_range};
use std::collections::VecDeque;
use std::sync::Arc;
use ww_dataplane::control::{CounterValue, Digest, KeyInfo, MatchKind, TableIndex, TableInfo};
use ww_p4::ir::{ActionCall, ActionId, Entry, Expr, InstanceId, KeySet, Program, Table, TableId};
use ww_packet::hash::Hash;

/// More digests than these do not wait for the control plane.
pub const DIGEST_LIMIT: usize = 65536;

/// An action with the control plane's arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionEntry {
    /// The action.
    pub action: ActionId,
    /// Arguments for the parameters that the program does not bind.
    pub arguments: Arc<[Value]>,
}

/// What an entry leads to.
#[derive(Clone, Debug, PartialEq)]
pub enum EntryTarget {
    /// An action.
    Action(ActionEntry),
    /// A member of the table's profile.
    Member(u32),
    /// A group of the table's selector.
    Group(u32),
}

/// An entry without its keys.
#[derive(Clone, Debug)]
pub struct EntryPayload {
    /// What it leads to.
    pub target: EntryTarget,
    /// Whether the control plane may not touch it.
    pub is_const: bool,
    /// Its direct counter.
    pub counter: CounterValue,
    /// Its direct meter.
    pub meter: Meter,
}

impl EntryPayload {
    /// A new entry.
    pub fn new(target: EntryTarget, is_const: bool) -> Self {
        let (counter, meter) = (CounterValue::default(), Meter::default());
        Self { target, is_const, counter, meter }
    }
}

/// A table with its entries.
#[derive(Clone, Debug)]
pub struct TableState {
    /// The entries.
    pub entries: MatchTable<EntryPayload>,
    /// What happens on a miss.
    pub default: EntryTarget,
    /// What happened on a miss when the program was loaded.
    pub initial_default: EntryTarget,
    /// With a TCPU: packets that were looked up, and those of them that matched.
    pub seen: [CounterValue; 2],
}

/// All state. Positions are those of the schema.
#[derive(Clone, Debug)]
pub struct State {
    /// Tables.
    pub tables: Vec<TableState>,
    /// Action profiles and selectors.
    pub profiles: Vec<Profile<ActionEntry>>,
    /// Counters; those of direct ones are in the entries.
    pub counters: Vec<Cells<CounterValue>>,
    /// Meters; those of direct ones are in the entries.
    pub meters: Vec<Cells<Meter>>,
    /// What each direct meter said last.
    pub colours: Vec<u8>,
    /// Registers.
    pub registers: Vec<Cells<Value>>,
    /// Members of value sets.
    pub value_sets: Vec<ValueSet>,
    /// Groups and sessions.
    pub replication: Replication,
    /// `crc16_custom`
    pub crc16_custom: Hash,
    /// `crc32_custom`
    pub crc32_custom: Hash,
    /// Digests for the control plane.
    pub digests: VecDeque<Digest>,
    /// Digests that nobody fetched in time.
    pub digests_lost: u64,
}

impl State {
    /// The state after loading.
    pub fn new(program: &Program, loaded: &Loaded, slots: &mut [Value]) -> Self {
        let schema = &loaded.schema;
        let mut state = State {
            tables: Vec::new(),
            profiles: profiles(schema),
            counters: schema
                .counters
                .iter()
                .map(|c| Cells::new(c.size, CounterValue::default()))
                .collect(),
            meters: schema.meters.iter().map(|m| Cells::new(m.size, Meter::default())).collect(),
            colours: vec![0; schema.meters.len()],
            registers: schema
                .registers
                .iter()
                .map(|r| Cells::new(r.size, Value::default_of(program, cell_type(program, r))))
                .collect(),
            value_sets: vec![ValueSet::default(); schema.value_sets.len()],
            replication: Replication::default(),
            crc16_custom: Hash::crc16_custom(),
            crc32_custom: Hash::crc32_custom(),
            digests: VecDeque::new(),
            digests_lost: 0,
        };
        for n in 0..schema.tables.len() {
            let table = initial_table(program, loaded, &mut state, slots, TableIndex(n as u32));
            state.tables.push(table);
        }
        state
    }

    /// Puts a digest where the control plane fetches it.
    pub fn push_digest(&mut self, digest: Digest) {
        if self.digests.len() >= DIGEST_LIMIT {
            self.digests.pop_front();
            self.digests_lost += 1;
        }
        self.digests.push_back(digest);
    }
}

/// A table with the entries of the program.
fn initial_table(
    program: &Program,
    loaded: &Loaded,
    state: &mut State,
    slots: &mut [Value],
    index: TableIndex,
) -> TableState {
    let info = &loaded.schema[index];
    let table = &program[TableId(info.table)];
    let mut packet = PacketContext::idle();
    // Keys and arguments are constants, but those of constructor parameters differ by instance.
    let mut machine = Machine {
        program,
        loaded,
        state,
        slots,
        packet: &mut packet,
        observer: None,
        instance: InstanceId(info.instance),
        this: None,
    };
    machine.bind_instance(InstanceId(info.instance));
    let mut entries = MatchTable::new(&info.keys, info.size);
    for entry in &table.entries {
        let keys = machine.entry_keys(table, info, entry);
        let target = EntryTarget::Action(machine.action_entry(table, &entry.action));
        let is_const = entry.is_const || table.const_entries;
        let priority = entry.priority.unwrap_or(0);
        entries.insert_initial(keys, priority, EntryPayload::new(target, is_const));
    }
    let default = EntryTarget::Action(machine.action_entry(table, &table.default_action));
    TableState { entries, initial_default: default.clone(), default, seen: Default::default() }
}

impl<'a> Machine<'a> {
    /// A compile-time expression; it cannot be interrupted.
    fn constant(&mut self, expr: &'a Expr) -> Value {
        self.eval(expr).unwrap_or_default()
    }

    fn action_entry(&mut self, table: &'a Table, call: &'a ActionCall) -> ActionEntry {
        ActionEntry {
            action: table.actions[call.action as usize].action,
            arguments: call.arguments.iter().map(|a| self.constant(a)).collect(),
        }
    }

    fn entry_keys(
        &mut self,
        table: &'a Table,
        info: &TableInfo,
        entry: &'a Entry,
    ) -> Vec<KeyField> {
        let matched =
            table.keys.iter().zip(&entry.keys).filter(|(key, _)| {
                MatchKind::by_name(&key.match_kind) != Some(MatchKind::Selector)
            });
        matched.zip(&info.keys).map(|((_, set), info)| self.entry_key(info, set)).collect()
    }

    fn entry_key(&mut self, info: &KeyInfo, set: &'a KeySet) -> KeyField {
        let mut bits = |expr: &'a Expr| -> Bits {
            match self.constant(expr) {
                Value::Int(value) => Bits::from_bigint(info.width, &value),
                value => value.to_bits().resize(info.width),
            }
        };
        let signed = info.signed;
        match set {
            KeySet::Value(value) => {
                let value = bits(value);
                if info.kind == MatchKind::Range {
                    KeyField::Range { low: value.clone(), high: value, signed }
                } else {
                    KeyField::exact(value)
                }
            }
            KeySet::Mask(value, mask) => {
                let (value, mask) = (bits(value), bits(mask));
                KeyField::masked(&value, mask)
            }
            KeySet::Range(low, high) => {
                KeyField::Range { low: bits(low), high: bits(high), signed }
            }
            KeySet::Any | KeySet::ValueSet(_) if info.kind == MatchKind::Range => {
                full_range(info.width, signed)
            }
            KeySet::Any | KeySet::ValueSet(_) => KeyField::any(info.width),
        }
    }
}
