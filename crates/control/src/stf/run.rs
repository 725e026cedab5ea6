//! Runs a test on an engine.

use super::compare::{Difference, Expectation, Output, Ports};
use super::resolve::{self, at};
use super::syntax::*;
use crate::Switch;
use crate::word::Word;
use num_bigint::BigUint;
use std::collections::HashMap;
use ww_dataplane::control::{
    ActionData, CounterIndex, CounterValue, EntryHandle, Error, MeterIndex, MeterRate, MeterRates,
    MirrorSession, NewEntry, NodeHandle, ProfileIndex, RegisterIndex, TableIndex, Target,
};
use ww_dataplane::{Frame, Picoseconds, Transmit};
use ww_p4::diagnostic::Diagnostic;
use ww_p4::source::Span;

/// How much time `wait` lets pass once all queues are empty: a millisecond.
pub const WAIT: Picoseconds = 1_000_000_000;

/// Events that one packet may cause before the test gives up on it.
const MOST_EVENTS: usize = 1_000_000;

/// Why a test failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The line.
    pub span: Span,
    /// What is wrong: one sentence; for packets several lines with both contents.
    pub message: String,
}

impl From<Difference> for Failure {
    fn from(difference: Difference) -> Self {
        Self { span: difference.span, message: difference.message }
    }
}

impl From<Box<Diagnostic>> for Failure {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        Self { span: diagnostic.span, message: diagnostic.message }
    }
}

/// What a test did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Packets that went in.
    pub packets_in: usize,
    /// Packets that came out, on all ports.
    pub packets_out: usize,
    /// What commands such as `register_read` without expected value found.
    pub notes: Vec<String>,
    /// The first difference.
    pub failure: Option<Failure>,
}

/// Runs `test`. Packets enter at the current time, one after the other, each when all work of the
/// one before is done; time passes only in `wait`, and where the engine's queues need it. So a
/// test gives the same result every time.
pub fn run(test: &Test, switch: &mut dyn Switch) -> Report {
    run_in(test, switch, false)
}

/// Runs `test` as [`run`] does, but packets without anything else between them than expectations
/// enter together, as one batch: for engines in which packets can overtake or meet each other.
pub fn run_together(test: &Test, switch: &mut dyn Switch) -> Report {
    run_in(test, switch, true)
}

fn run_in(test: &Test, switch: &mut dyn Switch, together: bool) -> Report {
    let mut runner = Runner {
        switch,
        now: 0,
        ports: Ports::default(),
        report: Report::default(),
        entries: Vec::new(),
        members: HashMap::new(),
        last_packet: Span::NONE,
        together,
        waiting: Vec::new(),
    };
    let mut failure = None;
    for statement in &test.statements {
        if let Err(found) = runner.statement(statement) {
            // Wrong contents of an earlier packet explain more than what follows from them.
            failure = Some(match runner.ports.wrong_contents() {
                Some(earlier) if earlier.span.lo < found.span.lo => earlier.into(),
                _ => found,
            });
            break;
        }
    }
    if failure.is_none() {
        runner.enter();
        failure = runner.drain(Span::NONE).err();
    }
    let failure = failure.or_else(|| runner.ports.first_difference().map(Failure::from));
    let packets_out = runner.ports.outputs();
    Report { packets_out, failure, ..runner.report }
}

/// An entry that the test added.
struct AddedEntry {
    table: TableIndex,
    handle: EntryHandle,
    name: Option<String>,
}

struct Runner<'s> {
    switch: &'s mut dyn Switch,
    now: Picoseconds,
    ports: Ports,
    report: Report,
    entries: Vec<AddedEntry>,
    /// Members of action profiles that entries were given, by what they do.
    members: HashMap<(ProfileIndex, usize, Vec<BigUint>), u32>,
    last_packet: Span,
    /// Whether packets enter in batches.
    together: bool,
    /// The next batch.
    waiting: Vec<(u32, Vec<u8>)>,
}

type Result<T> = std::result::Result<T, Failure>;
type Outcome = Result<()>;

impl Runner<'_> {
    fn statement(&mut self, statement: &Statement) -> Outcome {
        use StatementKind::*;
        let span = statement.span;
        let refused = |error: Error| Failure::from(at(span)(error));
        if !matches!(statement.kind, Packet { .. } | Expect { .. }) {
            self.enter();
        }
        match &statement.kind {
            Packet { port, bytes } => self.packet(*port, bytes, span)?,
            Expect { port, pattern } => {
                let log = self.ports.port(*port);
                log.named = true;
                log.expected.push(Expectation { pattern: pattern.clone(), span });
            }
            NoPacket => {
                self.drain(span)?;
                if let Some(extra) = self.ports.unaccounted() {
                    return Err(extra.into());
                }
            }
            Wait => {
                self.drain(span)?;
                self.now = self.now.saturating_add(WAIT);
                let mut out = Vec::new();
                self.switch.advance(self.now, &mut out);
                self.take(out);
                self.drain(span)?;
            }
            Add { table, priority, keys, action, name } => {
                self.add(span, table, *priority, keys, action, name.as_ref())?;
            }
            SetDefault { table, action } => {
                let index = self.table(table)?;
                let target = self.target(index, action)?;
                self.switch.table_set_default(index, target).map_err(refused)?;
            }
            RemoveAll => {
                for n in 0..self.switch.schema().tables.len() {
                    let index = TableIndex(n as u32);
                    if !self.switch.schema()[index].const_entries {
                        self.switch.table_clear(index).map_err(refused)?;
                    }
                }
                self.entries.clear();
            }
            Remove { table, priority, keys } => self.remove(span, table, *priority, keys)?,
            MirroringAdd { session, port } => {
                let to = MirrorSession { port: Some(*port), ..MirrorSession::default() };
                self.switch.mirror_set(*session, to).map_err(refused)?;
            }
            MirroringAddGroup { session, group } => {
                let to = MirrorSession { group: Some(*group), ..MirrorSession::default() };
                self.switch.mirror_set(*session, to).map_err(refused)?;
            }
            MirroringDelete(session) => {
                self.switch.mirror_delete(*session).map_err(refused)?;
            }
            MirroringGet(session) => {
                let Some(found) = self.switch.mirror(*session).map_err(refused)? else {
                    return fail(span, format!("there is no mirroring session {session}"));
                };
                let port = found.port.map(|p| format!(" port {p}")).unwrap_or_default();
                let group = found.group.map(|g| format!(" group {g}")).unwrap_or_default();
                self.report.notes.push(format!("session {session}:{port}{group}"));
            }
            GroupCreate(group) => {
                self.switch.multicast_group_create(*group).map_err(refused)?;
            }
            NodeCreate { replication_id, ports } => {
                let node = self
                    .switch
                    .multicast_node_create(*replication_id, ports.clone())
                    .map_err(refused)?;
                self.report.notes.push(format!("node {}", node.0));
            }
            NodeAssociate { group, node } => {
                self.switch.multicast_node_associate(*group, NodeHandle(*node)).map_err(refused)?;
            }
            RegisterWrite { register, index, value } => {
                let id = self.register(register)?;
                let width = self.switch.schema()[id].width;
                let what = format!("register `{}`", register.text);
                let value = resolve::fit(value, width, &what, span)?;
                self.switch.register_write(id, Some(*index), value).map_err(refused)?;
            }
            RegisterRead { register, index, expected } => {
                self.register_read(span, register, *index, expected.as_ref())?;
            }
            RegisterReset(register) => {
                let id = self.register(register)?;
                self.switch.register_reset(id).map_err(refused)?;
            }
            CounterRead { counter, index } => {
                let value = self.counter_value(span, counter, *index)?;
                self.report.notes.push(format!(
                    "{}[{index}]: {} packets, {} bytes",
                    counter.text, value.packets, value.bytes
                ));
            }
            CounterWrite { counter, index, packets, bytes } => {
                let id = self.counter(counter)?;
                let value = CounterValue { packets: *packets, bytes: *bytes };
                self.switch.counter_write(id, Some(*index), value).map_err(refused)?;
            }
            CounterReset(counter) => {
                let id = self.counter(counter)?;
                self.switch.counter_reset(id).map_err(refused)?;
            }
            CheckCounter { counter, index, bytes, comparison, value } => {
                self.drain(span)?;
                let (cell, shown) = self.counter_cell(index)?;
                let found = self.counter_value(span, counter, cell)?;
                let (found, unit) = match bytes {
                    true => (found.bytes, "bytes"),
                    false => (found.packets, "packets"),
                };
                if !comparison.holds(found, *value) {
                    let message = format!(
                        "counter {}({shown}): expected {unit} {} {value}, found {found}",
                        counter.text,
                        comparison.text()
                    );
                    return fail(span, message);
                }
            }
            MeterSetRates { meter, index, rates } => {
                let id = self.meter(meter)?;
                let [committed, peak] = rates.map(|(units_per_microsecond, burst)| MeterRate {
                    units_per_microsecond,
                    burst,
                });
                let rates = MeterRates { committed, peak };
                self.switch.meter_set_rates(id, *index, Some(rates)).map_err(refused)?;
            }
            MeterGetRates { meter, index } => {
                let id = self.meter(meter)?;
                let rates = self.switch.meter_rates(id, *index).map_err(refused)?;
                let shown = match rates {
                    None => "never set".to_owned(),
                    Some(MeterRates { committed, peak }) => {
                        let text =
                            |r: MeterRate| format!("{}:{}", r.units_per_microsecond, r.burst);
                        format!("{} {}", text(committed), text(peak))
                    }
                };
                self.report.notes.push(format!("{}[{index}]: {shown}", meter.text));
            }
        }
        Ok(())
    }

    fn table(&self, name: &Word) -> Result<TableIndex> {
        let schema = self.switch.schema();
        let all = schema.tables.iter().map(|t| t.name.as_str());
        Ok(TableIndex(find("table", name, all)?))
    }

    fn register(&self, name: &Word) -> Result<RegisterIndex> {
        let schema = self.switch.schema();
        let all = schema.registers.iter().map(|r| r.name.as_str());
        Ok(RegisterIndex(find("register", name, all)?))
    }

    fn counter(&self, name: &Word) -> Result<CounterIndex> {
        let schema = self.switch.schema();
        let all = schema.counters.iter().map(|c| c.name.as_str());
        Ok(CounterIndex(find("counter", name, all)?))
    }

    fn meter(&self, name: &Word) -> Result<MeterIndex> {
        let schema = self.switch.schema();
        let all = schema.meters.iter().map(|m| m.name.as_str());
        Ok(MeterIndex(find("meter", name, all)?))
    }

    fn packet(&mut self, port: u32, bytes: &[u8], span: Span) -> Outcome {
        self.report.packets_in += 1;
        self.last_packet = span;
        self.ports.port(port).named = true;
        if self.together {
            self.waiting.push((port, bytes.to_vec()));
            return Ok(());
        }
        let mut out = Vec::new();
        self.switch.receive(port, self.now, bytes, &mut out);
        self.take(out);
        self.drain(span)
    }

    /// The packets that wait enter.
    fn enter(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        let mut waiting = std::mem::take(&mut self.waiting);
        let mut frames: Vec<Frame<'_>> =
            waiting.iter_mut().map(|(port, bytes)| Frame { port: *port, bytes }).collect();
        let mut out: Vec<Transmit> = Vec::new();
        self.switch.receive_batch(self.now, &mut frames, &mut out);
        self.take(out);
    }

    /// Lets all queued work finish.
    fn drain(&mut self, span: Span) -> Outcome {
        for _ in 0..MOST_EVENTS {
            let Some(event) = self.switch.next_event() else { return Ok(()) };
            self.now = self.now.max(event);
            let mut out = Vec::new();
            self.switch.advance(self.now, &mut out);
            self.take(out);
        }
        let span = if span.is_none() { self.last_packet } else { span };
        fail(span, format!("packet {} never comes to rest", self.report.packets_in))
    }

    fn take(&mut self, out: Vec<Transmit>) {
        let (cause, number) = (self.last_packet, self.report.packets_in);
        for transmit in out {
            let output = Output { frame: transmit.frame, cause, number };
            self.ports.port(transmit.port).outputs.push(output);
        }
    }

    fn add(
        &mut self,
        span: Span,
        table: &Word,
        priority: Option<i64>,
        keys: &[KeyValue],
        action: &ActionCall,
        name: Option<&Word>,
    ) -> Outcome {
        let index = self.table(table)?;
        let keys = resolve::keys(&self.switch.schema()[index], keys, span)?;
        let target = self.target(index, action)?;
        let entry = NewEntry { keys, priority: priority.unwrap_or(0), target };
        let handle = self.switch.table_insert(index, entry).map_err(at(span))?;
        self.entries.push(AddedEntry { table: index, handle, name: name.map(|n| n.text.clone()) });
        Ok(())
    }

    fn remove(
        &mut self,
        span: Span,
        table: &Word,
        priority: Option<i64>,
        keys: &[KeyValue],
    ) -> Outcome {
        let index = self.table(table)?;
        let keys = resolve::keys(&self.switch.schema()[index], keys, span)?;
        let found = match priority {
            Some(priority) => {
                self.switch.table_find(index, keys.clone(), priority).map_err(at(span))?
            }
            None => self.find_any_priority(index, &keys, span)?,
        };
        let Some(handle) = found else {
            return fail(span, format!("table `{}` has no entry with these keys", table.text));
        };
        self.switch.table_delete(index, handle).map_err(at(span))?;
        self.entries.retain(|e| (e.table, e.handle) != (index, handle));
        Ok(())
    }

    /// The oldest entry with these keys, whatever its priority.
    fn find_any_priority(
        &mut self,
        index: TableIndex,
        keys: &[ww_dataplane::control::KeyMatch],
        span: Span,
    ) -> Result<Option<EntryHandle>> {
        let mut priorities: Vec<i64> = vec![0];
        for view in self.switch.table_entries(index).map_err(at(span))? {
            if !priorities.contains(&view.entry.priority) {
                priorities.push(view.entry.priority);
            }
        }
        let mut best: Option<EntryHandle> = None;
        for priority in priorities {
            let found = self.switch.table_find(index, keys.to_vec(), priority).map_err(at(span))?;
            best = match (best, found) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
        }
        Ok(best)
    }

    /// An action for a table; where the table takes members of an action profile, a member that
    /// does it.
    fn target(&mut self, table: TableIndex, call: &ActionCall) -> Result<Target> {
        let schema = self.switch.schema();
        let info = &schema[table];
        let Some(profile) = info.profile else {
            let data = resolve::action(&info.actions, call)?;
            return Ok(Target::Action(data));
        };
        // The action must be one of the table's; the profile may serve other tables too.
        resolve::find_action(&info.actions, &call.name)?;
        let schema = self.switch.schema();
        let offered = &schema[profile];
        let data = resolve::action(&offered.actions, call)?;
        let key = (profile, data.action, data.arguments.clone());
        if let Some(member) = self.members.get(&key) {
            return Ok(Target::Member(*member));
        }
        let ActionData { action, arguments } = data;
        let data = ActionData { action, arguments };
        let member = self.switch.member_add(profile, data).map_err(at(call.name.span))?;
        self.members.insert(key, member);
        Ok(Target::Member(member))
    }

    fn register_read(
        &mut self,
        span: Span,
        register: &Word,
        index: Option<u64>,
        expected: Option<&num_bigint::BigInt>,
    ) -> Outcome {
        self.drain(span)?;
        let id = self.register(register)?;
        let Some(cell) = index else {
            let all = self.switch.register_read_all(id).map_err(at(span))?;
            let shown: Vec<_> = all.iter().map(|v| format!("{v:#x}")).collect();
            self.report.notes.push(format!("{}: {}", register.text, shown.join(" ")));
            return Ok(());
        };
        let found = self.switch.register_read(id, cell).map_err(at(span))?;
        let Some(expected) = expected else {
            self.report.notes.push(format!("{}[{cell}]: {found:#x}", register.text));
            return Ok(());
        };
        let width = self.switch.schema()[id].width;
        let wanted = resolve::fit(expected, width, &format!("register `{}`", register.text), span)?;
        if wanted != found {
            let message = format!(
                "register {}[{cell}]: expected {wanted:#x}, found {found:#x}",
                register.text
            );
            return fail(span, message);
        }
        Ok(())
    }

    fn counter_value(&mut self, span: Span, counter: &Word, index: u64) -> Result<CounterValue> {
        let id = self.counter(counter)?;
        Ok(self.switch.counter_read(id, index).map_err(at(span))?)
    }

    fn counter_cell(&self, cell: &CounterCell) -> Result<(u64, String)> {
        match cell {
            CounterCell::Index(index) => Ok((*index, index.to_string())),
            CounterCell::Entry(word) => {
                let found = self.entries.iter().find(|e| e.name.as_ref() == Some(&word.text));
                match found {
                    Some(entry) => Ok((entry.handle.0, word.text.clone())),
                    None => {
                        let message = format!("no entry was added with the name `{}`", word.text);
                        fail(word.span, message)
                    }
                }
            }
        }
    }
}

/// The position of the one thing with this name.
fn find<'a, I>(kind: &'static str, name: &Word, all: I) -> Result<u32>
where
    I: Iterator<Item = &'a str> + Clone,
{
    let position = resolve::find(kind, &name.text, all).map_err(at(name.span))?;
    Ok(position as u32)
}

fn fail<T>(span: Span, message: String) -> Result<T> {
    Err(Failure { span, message })
}
