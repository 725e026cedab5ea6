//! What a run did: the counters of its ports, of the engine and of the program, and of the queues.

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use ww_control::live::port_queues;
use ww_dataplane::Statistics;
use ww_dataplane::control::{CellArray, Control, CounterIndex, CounterValue, Error};
use ww_dataplane::queues::QueueStatistics;
use ww_io::world::RunReport;

/// All counters of a run.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Ports and workers.
    pub world: RunReport,
    /// The engine's name.
    pub name: &'static str,
    /// What became of packets.
    pub engine: Statistics,
    /// Digests that nobody has fetched.
    pub digests: usize,
    /// Name, cell and value of the program's counters that are not zero.
    pub program: Vec<(Arc<str>, u64, CounterValue)>,
    /// With a scheduler: what its queues have seen.
    pub queues: QueueStatistics,
    /// What the commands of the entries' file printed.
    pub output: Vec<String>,
}

impl Summary {
    /// Collects the counters: those of the run, of the engine with its name, and of the
    /// program, which `control` knows.
    ///
    /// # Errors
    /// The control plane does not tell them.
    pub fn new(
        world: RunReport,
        name: &'static str,
        engine: Statistics,
        control: &mut dyn Control,
    ) -> Result<Self, Error> {
        let digests = control.take_digests()?.len();
        let mut program = Vec::new();
        let schema = control.schema();
        for (n, info) in schema.counters.iter().enumerate() {
            let index = CounterIndex(n as u32);
            let name: Arc<str> = info.name.as_str().into();
            let mut read = |control: &mut dyn Control, cell| {
                let value = control.counter_read(index, cell)?;
                if value != CounterValue::default() {
                    program.push((Arc::clone(&name), cell, value));
                }
                Ok::<_, Error>(())
            };
            match info.table {
                Some(table) => {
                    for view in control.table_entries(table)? {
                        read(control, view.handle.0)?;
                    }
                }
                None => {
                    let (array, mut from) = (CellArray::Counter(index), 0);
                    while let Some((begin, end)) = control.next_used(array, from)? {
                        for cell in begin..end {
                            read(control, cell)?;
                        }
                        from = end;
                    }
                }
            }
        }
        Ok(Self {
            world,
            name,
            engine,
            digests,
            program,
            queues: QueueStatistics::default(),
            output: Vec::new(),
        })
    }

    /// What became of TPPs, by name; what did not happen is not there.
    pub fn tpps(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let counters = self.engine.tpp.iter().flatten();
        counters.map(|(name, count)| (*name, *count)).filter(|(_, count)| *count > 0)
    }

    /// For programs; docs/command-line.md has the fields.
    pub fn json(&self) -> Value {
        let mut dropped = Map::new();
        for (reason, count) in &self.engine.dropped {
            let name = serde_json::to_value(reason).unwrap_or_default();
            dropped.insert(name.as_str().unwrap_or("unknown").to_owned(), (*count).into());
        }
        let counters: Vec<Value> = self
            .program
            .iter()
            .map(|(name, index, value)| {
                json!({ "name": &**name, "index": index, "packets": value.packets, "bytes": value.bytes })
            })
            .collect();
        json!({
            "world": self.world,
            "engine": {
                "name": self.name,
                "received": self.engine.received,
                "transmitted": self.engine.transmitted,
                "dropped": dropped,
                "parser_rejects": self.engine.parser_rejects,
                "digests": self.digests,
                "digests_lost": self.engine.digests_lost,
            },
            "counters": counters,
            "tpp": self.engine.tpp.as_ref().map(|_| self.tpps().collect::<BTreeMap<_, _>>()),
            "queues": self.queues.ports.iter().map(port_queues).collect::<Vec<Value>>(),
            "queues_beyond": self.queues.beyond,
            "entries_output": self.output,
        })
    }
}
