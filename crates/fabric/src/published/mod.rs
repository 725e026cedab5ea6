//! The rules `published`: what the public simulator of Shoal's authors computes, slot by slot.
//!
//! Plain order, one channel, no delay, nothing random. Host i sends to host m in slot t if m = i + c + 1 (modulo N), c being
//! the slot of the epoch, t modulo P, P = N - 1. A host keeps for each peer m a queue Q\[m\] of cells to m; a list L\[m\] of its
//! destinations with cells to send, each with a wait; a cursor in that list; and ready\[m\], how many of the list could have
//! sent last time and did not. In each slot a host
//!
//! 1. takes up the flows that start; a destination that is new goes to the end of the list of each peer;
//! 2. notes the length of Q\[m\], the only sample of queues;
//! 3. goes round L\[m\] from the cursor. An entry is eligible if its wait is at most the length of Q\[m\] and it is not blocked.
//!    The first eligible one that its gate lets pass is chosen, if Q\[m\] has no own cell. Waits fall by one;
//! 4. puts a cell of the chosen destination at the end of Q\[m\]; the destination is blocked at m until m has told how long
//!    its queue to it is;
//! 5. lets the waits of destinations that are in no list fall, too;
//! 6. sends the head of Q\[m\] or an empty cell, with two values: how many cells wait and are ready for the destinations of
//!    the last two cells from m.
//!
//! Then the cells of the slot arrive: 7. a value becomes the wait of its destination, less one if the peer serves it before
//! they meet again; 8. a cell for this host is received, another goes to the queue of its destination; 9. what was sent is
//! remembered, for the next value.
//!
//! The run ends after step 6 of a slot, whose cells never arrive.

mod drive;
mod links;
mod ring;
mod sources;
mod waits;
mod worker;

use crate::flows::Flow;
use crate::outcome::{FinishedFlow, Outcome};
use crate::schedule::{BadFabric, MAX_HOSTS};
use crate::trace::Trace;
use std::collections::HashMap;
use std::ops::Range;

/// The length of a slot in nanoseconds, 1.1 times 5.12 in binary32: 5.632 but for the rounding.
pub const SLOT_NS: f32 = 1.1 * 5.12;

/// The name of these rules.
pub const NAME: &str = "published";

/// What a run is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Hosts, N: 2 to [`MAX_HOSTS`].
    pub hosts: usize,
    /// Slots of a step of age by which sources hold back cells of young flows, G; 0: they do not.
    pub gate: u64,
    /// The run ends after so many epochs of N - 1 slots, 1 or more.
    pub epochs: Option<u64>,
    /// The run ends in the slot after that in which so many flows have finished.
    pub finish: Option<u64>,
    /// Per cent of the hosts that have failed, 0 to 100: those with the least numbers. Their flows are ignored.
    pub fail: f64,
    /// The slots before this one do not count for the throughput.
    pub warmup: u64,
}

impl Settings {
    /// No gate, nothing failed, until nothing is left to send.
    pub fn new(hosts: usize) -> Self {
        Self { hosts, gate: 0, epochs: None, finish: None, fail: 0.0, warmup: 0 }
    }

    /// How many hosts have failed.
    fn failed(&self) -> usize {
        let failed = |host: &usize| (*host as f64) < self.fail / 100.0 * self.hosts as f64;
        (0..self.hosts).take_while(failed).count()
    }
}

/// Whether [`run`] can run with these settings and so many workers.
pub fn check(settings: &Settings, workers: usize) -> Result<(), BadFabric> {
    let Settings { hosts, fail, epochs, .. } = *settings;
    let message = if !(2..=MAX_HOSTS).contains(&hosts) {
        format!("expected 2 to {MAX_HOSTS} hosts, found {hosts}")
    } else if epochs == Some(0) {
        "expected 1 epoch or more, found 0".into()
    } else if !(0.0..=100.0).contains(&fail) {
        format!("expected 0 to 100 per cent of failed hosts, found {fail}")
    } else if !(1..=hosts).contains(&workers) {
        format!("expected 1 to {hosts} workers, one a host at most, found {workers}")
    } else {
        return Ok(());
    };
    Err(BadFabric(message))
}

/// A flow between hosts that live.
#[derive(Clone, Copy, Debug)]
struct Planned {
    src: u32,
    dst: u32,
    cells: u64,
    start: u64,
    /// The number of (src, dst).
    pair: u32,
    /// Its number among those that start at its source's worker.
    at_source: u32,
    /// Its number among those to its destination's worker.
    at_destination: u32,
}

/// What all workers know and nobody changes.
struct Plan {
    /// In the order of their starts.
    flows: Vec<Planned>,
    /// The destination of each pair.
    destinations: Vec<u32>,
    /// Hosts with smaller numbers have failed.
    failed: usize,
}

impl Plan {
    fn new(flows: &[Flow], failed: usize, ranges: &[Range<usize>]) -> Self {
        let worker = |host: u32| ranges.partition_point(|range| range.end <= host as usize);
        let mut pairs = HashMap::new();
        let mut plan = Self { flows: Vec::new(), destinations: Vec::new(), failed };
        let mut starting = vec![0; ranges.len()];
        let mut ending = vec![0; ranges.len()];
        let count = |counts: &mut Vec<u32>, host| {
            let count = &mut counts[worker(host)];
            *count += 1;
            *count - 1
        };
        for &Flow { src, dst, cells, start, .. } in flows {
            if (src.min(dst) as usize) < failed {
                continue;
            }
            let pair = *pairs.entry((src, dst)).or_insert_with(|| {
                plan.destinations.push(dst);
                plan.destinations.len() as u32 - 1
            });
            let at_source = count(&mut starting, src);
            let at_destination = count(&mut ending, dst);
            plan.flows.push(Planned { src, dst, cells, start, pair, at_source, at_destination });
        }
        plan
    }
}

/// Runs `flows`, which [`crate::flows::read`] has read for as many hosts, with 1 to `settings.hosts` workers, a thread
/// each: the outcome is the same with any number. `trace` gets each cell that is sent.
///
/// # Panics
///
/// If a flow has a host that there is not, or there are 2^32 flows or more.
pub fn run(
    settings: &Settings,
    flows: &[Flow],
    workers: usize,
    trace: Option<Trace<'_>>,
) -> Result<Outcome, BadFabric> {
    check(settings, workers)?;
    let (hosts, failed) = (settings.hosts, settings.failed());
    assert!(u32::try_from(flows.len()).is_ok(), "{} flows", flows.len());
    assert!(flows.iter().all(|flow| (flow.src.max(flow.dst) as usize) < hosts));
    let share = |worker| worker * hosts / workers;
    let ranges: Vec<_> = (0..workers).map(|worker| share(worker)..share(worker + 1)).collect();
    let plan = Plan::new(flows, failed, &ranges);
    let (workers, slots) = drive::drive(&plan, settings, ranges, trace)?;
    let mut outcome = Outcome {
        rules: NAME,
        hosts,
        channels: 1,
        slot_ns: f64::from(SLOT_NS),
        slots,
        warmup: settings.warmup,
        flows: plan.flows.len() as u64,
        finished: Vec::new(),
        queue_samples: Vec::new(),
        aggregate_cells_max: 0,
        reorder_cells: 0,
        last_hop_cells: 0,
        bound_violations: 0,
    };
    for worker in &workers {
        worker.count(&mut outcome);
    }
    let of = |host: u32| {
        let place = workers.partition_point(|worker| worker.range().end <= host as usize);
        &workers[place]
    };
    outcome.finished.extend(plan.flows.iter().filter_map(|flow| {
        let [first_received, last_received] = of(flow.dst).received(flow.at_destination)?;
        let [first_queued, last_queued] = of(flow.src).queued(flow.at_source);
        let Planned { src, dst, cells, start, .. } = *flow;
        Some(FinishedFlow {
            src,
            dst,
            cells,
            start,
            first_queued,
            last_queued,
            first_received,
            last_received,
        })
    }));
    Ok(outcome)
}
