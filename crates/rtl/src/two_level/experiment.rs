//! The published experiment with the two-level scheduler (dissertation, section 2.7, figures 2.11 and 2.12): nodes with
//! a rate limit each (token bucket), whose flows share it (WF2Q+), all of them backlogged, on one link.
//!
//! ```no_run
//! use ww_rtl::two_level::experiment::{Experiment, run};
//!
//! let experiment = Experiment::published();
//! let measured = run(&experiment)?;
//! println!("{:.4} % off", 100.0 * measured.worst_deviation(&experiment.limits));
//! # Ok::<(), ww_rtl::runner::Error>(())
//! ```

use super::{Arrival, Level, PolicyBlock, Shape, TwoLevel};
use crate::runner::Error;
use std::collections::VecDeque;
use ww_sched::framework::fixed::Pace;

/// Clocks before the link is free at which it asks for the next packet: the scheduler has chosen it by then.
const ASK_AHEAD: u64 = 32;
/// Packets of a backlogged flow in its queue.
const BACKLOG: u32 = 3;

/// What is to be measured. Times are picoseconds, rates bits a second.
#[derive(Clone, Debug, PartialEq)]
pub struct Experiment {
    /// The link's rate.
    pub link: u64,
    /// The limit of each node.
    pub limits: Vec<u64>,
    /// Flows of each node; all have the same weight.
    pub flows: u32,
    /// Flows without packets, (node, flow). Each node has one flow at least that has some.
    pub idle: Vec<(u32, u32)>,
    /// Length of all packets, 1 to 65,535.
    pub packet_bytes: u32,
    /// Burst of each node.
    pub burst_bytes: u64,
    /// Period of the clock.
    pub period: u64,
    /// How long it runs before the measurement begins: the burst is over then.
    pub settle: u64,
    /// How long it is measured.
    pub duration: u64,
}

impl Experiment {
    /// 10 nodes of 10 flows, limits from 0.5 to 10 Gb/s that fill the link of 40 Gb/s, packets of 1,500 bytes, 250 MHz;
    /// 10 ms measured.
    pub fn published() -> Self {
        const MEGABIT: u64 = 1_000_000;
        let limits = [500, 1000, 1500, 2000, 3000, 4000, 5000, 6000, 7000, 10_000];
        Self {
            link: 40_000 * MEGABIT,
            limits: limits.map(|limit| limit * MEGABIT).to_vec(),
            flows: 10,
            idle: Vec::new(),
            packet_bytes: 1500,
            burst_bytes: 15_000,
            period: 4000,
            settle: 500_000_000,
            duration: 10_000_000_000,
        }
    }
}

/// What was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Rate of each node, bits a second: the bytes of its packets over the time from the beginning of the first to that
    /// of the last of them, which is not one of the bytes.
    pub nodes: Vec<f64>,
    /// The same of each flow; 0 if it had fewer than two packets.
    pub flows: Vec<Vec<f64>>,
    /// Packets that left in the time measured.
    pub packets: u64,
    /// Clocks simulated.
    pub clocks: u64,
}

impl Measured {
    /// The largest relative deviation of a node from its limit: 0.001 is 0.1 %.
    pub fn worst_deviation(&self, limits: &[u64]) -> f64 {
        let off = |(rate, &limit): (&f64, &u64)| (rate / limit as f64 - 1.0).abs();
        self.nodes.iter().zip(limits).map(off).fold(0.0, f64::max)
    }

    /// Jain's index of the flows of a node that had packets: 1 if all have the same rate.
    pub fn jain(&self, node: usize) -> f64 {
        let rates: Vec<f64> = self.flows[node].iter().copied().filter(|&rate| rate > 0.0).collect();
        let (sum, squares): (f64, f64) = rates
            .iter()
            .fold((0.0, 0.0), |(sum, squares), rate| (sum + rate, squares + rate * rate));
        sum * sum / (rates.len() as f64 * squares)
    }
}

/// First and last departure, and the packets from the first to the one before the last.
#[derive(Clone, Copy, Default)]
struct Count {
    first: Option<u64>,
    last: u64,
    packets: u64,
}

impl Count {
    fn add(&mut self, time: u64) {
        match self.first {
            None => self.first = Some(time),
            Some(_) => self.packets += 1,
        }
        self.last = time;
    }

    fn rate(&self, bytes: u32) -> f64 {
        match self.first {
            Some(first) if self.last > first => {
                let bits = self.packets as f64 * 8.0 * f64::from(bytes);
                bits * 1e12 / (self.last - first) as f64
            }
            _ => 0.0,
        }
    }
}

/// Runs it in the simulation of `ww_scheduler_two_level` with `ww_policy_token_bucket` and `ww_policy_wf2q`, every clock of
/// it. 10 ms at 250 MHz are 2.5 million clocks. The model is built once for each number of nodes and flows, and kept.
///
/// # Errors
/// A rate is out of range (below 466 bit/s), the shape is none that is simulated, or the tools do not work.
pub fn run(experiment: &Experiment) -> Result<Measured, Error> {
    let wrong = |what: &str| Error::Model(what.to_owned());
    let pace = |rate: u64| Pace::of_rate(rate).ok_or_else(|| wrong("a rate is out of range"));
    let Experiment { flows, packet_bytes, burst_bytes, period, settle, duration, .. } = *experiment;
    if !(1..=65_535).contains(&packet_bytes) || period == 0 {
        return Err(wrong("packets have 1 to 65,535 bytes, and a clock some time"));
    }
    let nodes = u32::try_from(experiment.limits.len()).unwrap_or(u32::MAX);
    let shape = Shape { nodes, flows, ..Shape::published() };
    let mut scheduler =
        TwoLevel::new(shape, &PolicyBlock::token_bucket(), &PolicyBlock::wf2q(), period)?;
    for (node, &limit) in (0..).zip(&experiment.limits) {
        scheduler.set_limit(Level::Root, node, pace(limit)?, burst_bytes)?;
        let children: Vec<(u32, u64)> =
            (0..flows).map(|flow| (shape.leaf(node, flow), 1)).collect();
        scheduler.set_shares(Level::Leaf, node, pace(limit)?, &children)?;
    }

    let line = pace(experiment.link)?.picoseconds(u64::from(packet_bytes));
    let packet = |node, flow| Arrival { node, flow, bytes: packet_bytes, handle: 0 };
    let mut arrivals = VecDeque::new();
    for flow in 0..flows {
        let busy = (0..nodes).filter(|&node| !experiment.idle.contains(&(node, flow)));
        arrivals.extend(busy.flat_map(|node| [packet(node, flow); BACKLOG as usize]));
    }

    let begin = scheduler.now() + settle;
    let end = begin + duration;
    let mut node_counts = vec![Count::default(); nodes as usize];
    let mut flow_counts = vec![vec![Count::default(); flows as usize]; nodes as usize];
    // When the link is free.
    let mut free = 0;
    let mut packets = 0;
    while scheduler.now() < end {
        let now = scheduler.now();
        let asks = free <= now + ASK_AHEAD * period;
        let events = scheduler.clock(arrivals.front(), asks)?;
        if events.accepted {
            arrivals.pop_front();
        }
        let Some(departure) = events.departure else { continue };
        let start = now.max(free);
        free = start + line;
        let Arrival { node, flow, .. } = departure.packet;
        arrivals.push_back(packet(node, flow));
        if (begin..end).contains(&start) {
            node_counts[node as usize].add(start);
            flow_counts[node as usize][flow as usize].add(start);
            packets += 1;
        }
    }
    let rate = |count: &Count| count.rate(packet_bytes);
    Ok(Measured {
        nodes: node_counts.iter().map(rate).collect(),
        flows: flow_counts.iter().map(|node| node.iter().map(rate).collect()).collect(),
        packets,
        clocks: scheduler.clocks(),
    })
}
