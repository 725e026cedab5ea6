//! What a run did: the counters of its ports, of the engine and of the program, and of the queues.

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use ww_dataplane::control::{Control, CounterIndex, CounterValue, Error};
use ww_dataplane::{PortId, Statistics};
use ww_io::world::RunReport;
use ww_sched::traffic::report::PortReport;

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
    pub program: Vec<(String, u64, CounterValue)>,
    /// With a scheduler: the queues of each port.
    pub queues: Vec<(PortId, PortReport)>,
    /// Packets for more ports than can have queues.
    pub beyond: u64,
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
            let cells: Vec<u64> = match info.table {
                Some(table) => {
                    let entries = control.table_entries(table)?;
                    entries.iter().map(|view| view.handle.0).collect()
                }
                None => (0..info.size).collect(),
            };
            for cell in cells {
                let value = control.counter_read(index, cell)?;
                if value != CounterValue::default() {
                    program.push((info.name.clone(), cell, value));
                }
            }
        }
        Ok(Self {
            world,
            name,
            engine,
            digests,
            program,
            queues: Vec::new(),
            beyond: 0,
            output: Vec::new(),
        })
    }

    /// With what the queues of the ports have seen, and how many packets were for ports beyond those that
    /// can have queues.
    pub fn with_queues(self, queues: Vec<(PortId, PortReport)>, beyond: u64) -> Self {
        Self { queues, beyond, ..self }
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
                json!({ "name": name, "index": index, "packets": value.packets, "bytes": value.bytes })
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
            "queues": self.queues.iter().map(queues_json).collect::<Vec<Value>>(),
            "queues_beyond": self.beyond,
            "entries_output": self.output,
        })
    }
}

/// The queues of a port, for programs. Times in nanoseconds.
fn queues_json((port, report): &(PortId, PortReport)) -> Value {
    let flows = report.flows.iter().map(|(name, flow)| {
        let dropped: Map<String, Value> = flow
            .dropped
            .iter()
            .map(|(reason, count)| (reason.word().to_owned(), (*count).into()))
            .collect();
        json!({
            "flow": name,
            "packets": flow.packets,
            "bytes": flow.bytes,
            "marked": flow.marked,
            "dropped": dropped,
            "most_packets": flow.most_packets,
            "most_bytes": flow.most_bytes,
            "mean_wait_ns": flow.waited as f64 / 1000.0 / flow.packets.max(1) as f64,
            "longest_wait_ns": flow.longest as f64 / 1000.0,
        })
    });
    json!({
        "port": port,
        "rate": report.rate,
        "sent": report.sent,
        "sent_bytes": report.sent_bytes,
        "busy_ns": report.used as f64 / 1000.0,
        "mean_late_ns": report.lateness.sum as f64 / 1000.0 / report.lateness.count.max(1) as f64,
        "p99_late_ns": report.lateness.percentile(99),
        "longest_late_ns": report.lateness.longest as f64 / 1000.0,
        "flows": flows.collect::<Vec<Value>>(),
    })
}
