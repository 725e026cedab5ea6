//! What a run of the fabric has counted, under whatever rules: figures as JSON, and a line for each finished flow.

use crate::offsets::ClockCounts;
use crate::relay::classes::ClassOutcome;
use crate::relay::failures::FailureCounts;
use serde_json::{Value, json};
use std::fmt::{self, Write};

/// Bytes of a cell; the first [`HEADER_BYTES`] are its header.
pub const CELL_BYTES: u32 = 64;

/// Bytes of a cell's header.
pub const HEADER_BYTES: u32 = 8;

/// The longest short flow, in cells: 100 kB in 56 bytes a cell.
pub const SHORT_FLOW: u64 = 1_785;

/// The shortest long flow, in cells: 1 MB in 56 bytes a cell.
pub const LONG_FLOW: u64 = 17_858;

/// Bits of a flow's own that a cell carries.
const PAYLOAD_BITS: u32 = 8 * (CELL_BYTES - HEADER_BYTES);

/// A flow whose last cell has arrived. Times are slots since the run's start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FinishedFlow {
    /// The host that sent.
    pub src: u32,
    /// The host that received.
    pub dst: u32,
    /// Its cells.
    pub cells: u64,
    /// When it started.
    pub start: u64,
    /// When its first cell entered its source's queue.
    pub first_queued: u64,
    /// When its last cell did.
    pub last_queued: u64,
    /// When the first of its cells to arrive did.
    pub first_received: u64,
    /// When the last of them did.
    pub last_received: u64,
}

impl FinishedFlow {
    /// Flow completion time in slots, those of its start and its end included.
    pub fn completion(&self) -> u64 {
        self.last_received - self.start + 1
    }

    /// A line about it, with its end: `(SRC->DST) CELLSpkt, A, B, C, D, E`. Each of A to E is a time as
    /// `SLOTS/MICROSECONDSus/GBITPSGbps`, both ends included: from start to last queued, from first to last queued, from
    /// first to last received, from first queued to last received, from start to last received.
    ///
    /// The arithmetic is that of the public simulator: a time is the product of slots and slot length in binary32; all
    /// else is binary64.
    pub fn line(&self, slot_ns: f32) -> Line<'_> {
        Line { flow: self, slot_ns }
    }
}

/// A line of [`FinishedFlow::line`].
pub struct Line<'a> {
    flow: &'a FinishedFlow,
    slot_ns: f32,
}

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FinishedFlow { src, dst, cells, start, .. } = *self.flow;
        let FinishedFlow { first_queued, last_queued, first_received, last_received, .. } =
            *self.flow;
        write!(f, "({src}->{dst}) {cells}pkt")?;
        let times = [
            last_queued - start,
            last_queued - first_queued,
            last_received - first_received,
            last_received - first_queued,
            last_received - start,
        ];
        for slots in times.map(|difference| difference + 1) {
            let nanoseconds = f64::from(slots as f32 * self.slot_ns);
            let rate = f64::from(PAYLOAD_BITS) * cells as f64 / nanoseconds;
            write!(f, ", {slots}/{:.3}us/{rate:.3}Gbps", 0.001 * nanoseconds)?;
        }
        f.write_char('\n')
    }
}

/// What a run has counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The name of the rules.
    pub rules: &'static str,
    /// Hosts.
    pub hosts: usize,
    /// Channels of a host.
    pub channels: usize,
    /// The length of a slot in nanoseconds.
    pub slot_ns: f64,
    /// Slots that have passed.
    pub slots: u64,
    /// The slots before this one do not count for the throughput.
    pub warmup: u64,
    /// Flows that took part, finished or not.
    pub flows: u64,
    /// Those that finished, in the order of FLOWS.
    pub finished: Vec<FinishedFlow>,
    /// `queue_samples[n]`: how often a queue had n cells, of one sample for each slot and queue that the rules look at.
    pub queue_samples: Vec<u64>,
    /// The most cells that queued at one host.
    pub aggregate_cells_max: u64,
    /// The most cells of one pair that waited at their destination for an earlier one.
    pub reorder_cells: u64,
    /// Cells that were sent to their destination in the slots that count for the throughput.
    pub last_hop_cells: u64,
    /// Pairs (slot, queue) with more cells at the slot's end than 1 + incast: sources with an unfinished flow to the
    /// queue's host.
    pub bound_violations: u64,
    /// What failures have cost, if any were asked for.
    pub failures: Option<FailureCounts>,
    /// What was counted of each class that flows have, if they have classes.
    pub classes: Vec<ClassOutcome>,
    /// What slot clocks of hosts that are off have cost, if any were asked for. When they have lost cells nobody outside knows
    /// the queues, and what is counted of these means nothing.
    pub clocks: Option<ClockCounts>,
}

/// What a part of the hosts has counted: see [`Outcome`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts<'a> {
    pub(crate) queue_samples: &'a [u64],
    pub(crate) aggregate_cells_max: u64,
    pub(crate) reorder_cells: u64,
    pub(crate) last_hop_cells: u64,
    pub(crate) bound_violations: u64,
}

/// The figures for people, a line each.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rules, hosts, channels, slots, flows, .. } = self;
        let figures = self.figures();
        let number = |pointer: &str| match figures.pointer(pointer) {
            Some(Value::Number(number)) if number.is_f64() => {
                format!("{:.3}", number.as_f64().unwrap_or(0.0))
            }
            Some(number @ Value::Number(_)) => number.to_string(),
            _ => "none".into(),
        };
        writeln!(f, "rules {rules}: {hosts} hosts, channels {channels}, {slots} slots")?;
        writeln!(f, "flows: {flows}, finished {}", self.finished.len())?;
        writeln!(
            f,
            "queues, cells: most {}, p99 {}, p99.9 {}; most at a host {}; over the bound {} times",
            number("/queue_cells/max"),
            number("/queue_cells/p99"),
            number("/queue_cells/p999"),
            number("/aggregate_cells_max"),
            number("/bound_violations"),
        )?;
        writeln!(f, "reordering, cells of a pair: {}", self.reorder_cells)?;
        writeln!(f, "throughput, cells a host, slot and channel: {}", number("/throughput"))?;
        writeln!(
            f,
            "completion of short flows, us: mean {}, p99.9 {}",
            number("/fct_us/short_mean"),
            number("/fct_us/short_p999"),
        )?;
        writeln!(f, "goodput of long flows, Gb/s: {}", number("/goodput_gbps"))?;
        self.classes.iter().try_for_each(|class| write!(f, "{class}"))?;
        self.failures.map_or(Ok(()), |counts| write!(f, "{counts}"))?;
        self.clocks.map_or(Ok(()), |counts| write!(f, "{counts}"))
    }
}

impl Outcome {
    /// That of a run in which nothing has happened yet.
    pub fn new(rules: &'static str, hosts: usize, channels: usize, slot_ns: f64) -> Self {
        Self {
            rules,
            hosts,
            channels,
            slot_ns,
            slots: 0,
            warmup: 0,
            flows: 0,
            finished: Vec::new(),
            queue_samples: Vec::new(),
            aggregate_cells_max: 0,
            reorder_cells: 0,
            last_hop_cells: 0,
            bound_violations: 0,
            failures: None,
            classes: Vec::new(),
            clocks: None,
        }
    }

    /// Adds what a part of the hosts has counted, but for its flows.
    pub(crate) fn add(&mut self, part: &Counts<'_>) {
        let samples = &mut self.queue_samples;
        samples.resize(samples.len().max(part.queue_samples.len()), 0);
        for (sum, counted) in samples.iter_mut().zip(part.queue_samples) {
            *sum += counted;
        }
        self.aggregate_cells_max = self.aggregate_cells_max.max(part.aggregate_cells_max);
        self.reorder_cells = self.reorder_cells.max(part.reorder_cells);
        self.last_hop_cells += part.last_hop_cells;
        self.bound_violations += part.bound_violations;
    }

    /// The figures, one JSON object. Mean and quantiles of what did not occur are null.
    pub fn figures(&self) -> Value {
        let times = |take: &dyn Fn(u64) -> bool| {
            let taken = self.finished.iter().filter(|flow| take(flow.cells));
            let nanoseconds =
                taken.map(|flow| (flow.cells, flow.completion() as f64 * self.slot_ns));
            nanoseconds.collect::<Vec<_>>()
        };
        let mut short: Vec<f64> = times(&|cells| cells <= SHORT_FLOW)
            .into_iter()
            .map(|(_, time)| time / 1000.0)
            .collect();
        short.sort_by(f64::total_cmp);
        let rates: Vec<f64> = times(&|cells| cells >= LONG_FLOW)
            .into_iter()
            .map(|(cells, time)| f64::from(PAYLOAD_BITS) * cells as f64 / time)
            .collect();
        let counted = self.slots.saturating_sub(self.warmup) as f64;
        let capacity = counted * self.hosts as f64 * self.channels as f64;
        let mut figures = json!({
            "rules": self.rules,
            "hosts": self.hosts,
            "slots": self.slots,
            "cell_slots": self.cell_slots(),
            "flows": self.flows,
            "finished": self.finished.len(),
            "queue_cells": {
                "max": self.queue_samples.iter().rposition(|&count| count > 0).unwrap_or(0),
                "p99": self.queue_quantile(99, 100),
                "p999": self.queue_quantile(999, 1000),
            },
            "aggregate_cells_max": self.aggregate_cells_max,
            "reorder_cells": self.reorder_cells,
            "throughput": (capacity > 0.0).then(|| self.last_hop_cells as f64 / capacity),
            "bound_violations": self.bound_violations,
            "fct_us": {
                "short_mean": mean(&short),
                "short_p999": rank(short.len() as u64, 999, 1000).map(|rank| short[rank as usize]),
            },
            "goodput_gbps": mean(&rates),
        });
        if let (Some(counts), Some(object)) = (&self.failures, figures.as_object_mut()) {
            object.insert("failures".into(), counts.json());
        }
        if !self.classes.is_empty() {
            figures["classes"] = self.classes.iter().map(ClassOutcome::json).collect();
        }
        if let Some(counts) = self.clocks {
            figures["clocks"] = counts.json();
            if counts != ClockCounts::default() {
                for of_queues in ["queue_cells", "aggregate_cells_max", "bound_violations"] {
                    figures[of_queues] = Value::Null;
                }
            }
        }
        figures
    }

    /// Hosts times slots times channels.
    pub fn cell_slots(&self) -> u64 {
        self.slots * self.hosts as u64 * self.channels as u64
    }

    /// The least length that `numerator / denominator` of the samples or more do not exceed.
    fn queue_quantile(&self, numerator: u64, denominator: u64) -> u64 {
        let Some(rank) = rank(self.queue_samples.iter().sum(), numerator, denominator) else {
            return 0;
        };
        let mut before = 0;
        for (length, count) in (0..).zip(&self.queue_samples) {
            before += count;
            if before > rank {
                return length;
            }
        }
        0
    }
}

/// Where in `samples` sorted ones, counted from 0, the least stands that `numerator / denominator` of them do not exceed.
fn rank(samples: u64, numerator: u64, denominator: u64) -> Option<u64> {
    let product = u128::from(samples) * u128::from(numerator);
    (product.div_ceil(u128::from(denominator)) as u64).checked_sub(1)
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}
