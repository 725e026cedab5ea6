//! The counters at the end of a run.

use crate::output::counted;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use ww_dataplane::PortId;
use ww_dataplane::control::{Control, CounterIndex, CounterValue};
use ww_engine::interp::Counters;
use ww_io::world::{Output, RunReport};
use ww_sched::traffic::report::PortReport;

/// Everything that is printed after a run.
pub struct Summary {
    world: RunReport,
    name: &'static str,
    engine: Counters,
    digests: usize,
    /// Name, cell and value of the program's counters that are not zero.
    program: Vec<(String, u64, CounterValue)>,
    /// With `--scheduler`: the queues of each port.
    queues: Vec<(PortId, PortReport)>,
    /// Packets for more ports than can have queues.
    beyond: u64,
}

impl Summary {
    /// Collects the counters: those of the run, of the engine with its name, and of the
    /// program, which `control` knows.
    pub fn new(
        world: RunReport,
        name: &'static str,
        engine: Counters,
        control: &mut dyn Control,
    ) -> Self {
        let digests = control.take_digests().len();
        let mut program = Vec::new();
        let schema = control.schema();
        for (n, info) in schema.counters.iter().enumerate() {
            let index = CounterIndex(n as u32);
            let cells: Vec<u64> = match info.table {
                Some(table) => {
                    let entries = control.table_entries(table).unwrap_or_default();
                    entries.iter().map(|view| view.handle.0).collect()
                }
                None => (0..info.size).collect(),
            };
            for cell in cells {
                if let Ok(value) = control.counter_read(index, cell)
                    && value != CounterValue::default()
                {
                    program.push((info.name.clone(), cell, value));
                }
            }
        }
        Self { world, name, engine, digests, program, queues: Vec::new(), beyond: 0 }
    }

    /// With what the queues of the ports have seen, and how many packets were for ports beyond those that
    /// can have queues.
    pub fn with_queues(self, queues: Vec<(PortId, PortReport)>, beyond: u64) -> Self {
        Self { queues, beyond, ..self }
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let specs: Vec<_> = self.world.ports.iter().map(|p| p.spec.chars().count()).collect();
        let width = specs.into_iter().max().unwrap_or(0).clamp(4, 48);
        let _ = writeln!(
            out,
            "{:>5}  {:<width$} {:>12} {:>14} {:>12} {:>14}",
            "port", "spec", "rx packets", "rx bytes", "tx packets", "tx bytes"
        );
        for port in &self.world.ports {
            let _ = writeln!(
                out,
                "{:>5}  {:<width$} {:>12} {:>14} {:>12} {:>14}",
                port.port,
                port.spec,
                port.rx.packets,
                port.rx.bytes,
                port.tx.packets,
                port.tx.bytes
            );
            for (what, count) in [
                ("received and dropped by the kernel", port.rx_drops),
                ("received and unusable", port.rx_errors),
                ("received with bytes missing", port.rx_truncated),
                ("not sent: interface down or queue full", port.tx_drops),
                ("not sent: refused by the interface", port.tx_errors),
                ("times opened again", port.reopened),
            ] {
                if count > 0 {
                    let _ = writeln!(out, "       {count} {what}");
                }
            }
            if let Some(Output { hash, sum }) = port.output
                && port.tx.packets > 0
            {
                let _ = writeln!(out, "       output hash {hash:016x}, sum {sum:016x}");
            }
        }
        if self.world.workers.len() > 1 {
            for (index, worker) in self.world.workers.iter().enumerate() {
                let core = worker.core.map_or("unpinned".to_owned(), |core| format!("core {core}"));
                let packets = counted(worker.rx.packets, "packet");
                let _ = writeln!(out, "worker {index} ({core}): {packets}");
            }
        }
        for (port, report) in &self.queues {
            queues(&mut out, *port, report);
        }
        if self.beyond > 0 {
            let packets = counted(self.beyond, "packet");
            let _ = writeln!(out, "{packets} dropped: for more ports than can have queues");
        }
        if self.world.unattached.packets > 0 {
            let packets = counted(self.world.unattached.packets, "packet");
            let _ = writeln!(out, "{packets} left by ports that are not attached");
        }
        for (reason, count) in &self.engine.dropped {
            let _ = writeln!(out, "{} dropped: {reason}", counted(*count, "packet"));
        }
        if self.engine.parser_rejects > 0 {
            let packets = counted(self.engine.parser_rejects, "packet");
            let _ = writeln!(out, "{packets} rejected by the parser (and passed on to ingress)");
        }
        let tpps: Vec<String> = self
            .tpps()
            .map(|(name, count)| format!("{count} {}", name.replace('_', " ")))
            .collect();
        if !tpps.is_empty() {
            let _ = writeln!(out, "TPPs: {}", tpps.join(", "));
        }
        if self.digests > 0 || self.engine.digests_lost > 0 {
            let (waiting, lost) = (self.digests as u64, self.engine.digests_lost);
            let _ = writeln!(out, "{} nobody fetched, {lost} lost", counted(waiting, "digest"));
        }
        for (name, cell, CounterValue { packets, bytes }) in &self.program {
            let (packets, bytes) = (counted(*packets, "packet"), counted(*bytes, "byte"));
            let _ = writeln!(out, "counter {name}[{cell}]: {packets}, {bytes}");
        }
        out
    }

    /// What became of TPPs, by name; what did not happen is not there.
    fn tpps(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let counters = self.engine.tpp.unwrap_or_default();
        counters.named().filter(|(_, count)| *count > 0)
    }

    /// For programs; `output` is what the commands of `--entries` printed.
    pub fn json(&self, output: &[String]) -> String {
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
        let report = json!({
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
            "tpp": self.engine.tpp.map(|_| self.tpps().collect::<BTreeMap<_, _>>()),
            "queues": self.queues.iter().map(queues_json).collect::<Vec<Value>>(),
            "queues_beyond": self.beyond,
            "entries_output": output,
        });
        format!("{report:#}\n")
    }
}

/// The queues of a port, for people.
fn queues(out: &mut String, port: PortId, report: &PortReport) {
    let sent = counted(report.sent, "packet");
    let _ = writeln!(out, "queues of port {port}: {} b/s, {sent} sent", report.rate);
    let lateness = &report.lateness;
    if lateness.sum > 0 {
        let _ = writeln!(
            out,
            "       late by {} ns on average, by less than {} ns for 99 of 100, by {} ns at most",
            lateness.sum / lateness.count.max(1) / 1000,
            lateness.percentile(99) + 1,
            lateness.longest / 1000,
        );
    }
    for (name, flow) in &report.flows {
        let mean = flow.waited / flow.packets.max(1);
        let _ = write!(
            out,
            "       {name}: {}, waited {} ns on average and {} ns at most, {} at a time",
            counted(flow.packets, "packet"),
            mean / 1000,
            flow.longest / 1000,
            counted(flow.most_packets, "packet"),
        );
        if flow.marked > 0 {
            let _ = write!(out, ", {} marked", flow.marked);
        }
        for (reason, count) in &flow.dropped {
            let _ = write!(out, ", {count} dropped: {}", reason.words());
        }
        out.push('\n');
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
