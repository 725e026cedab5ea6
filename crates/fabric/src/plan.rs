//! What all workers of a simulator know of its flows and nobody changes.

use crate::flows::Flow;
use crate::outcome::FinishedFlow;
use crate::schedule::BadFabric;
use std::collections::HashMap;
use std::ops::Range;

/// How many of `hosts` hosts have failed, if `fail` per cent have: those with the least numbers.
pub fn failed_hosts(hosts: usize, fail: f64) -> Result<usize, BadFabric> {
    if !(0.0..=100.0).contains(&fail) {
        return Err(BadFabric(format!(
            "expected 0 to 100 per cent of failed hosts, found {fail}; change --fail"
        )));
    }
    Ok((0..hosts).take_while(|&host| (host as f64) < fail / 100.0 * hosts as f64).count())
}

/// The hosts of each of `workers` workers, 1 to `hosts`.
pub fn shares(hosts: usize, workers: usize) -> Result<Vec<Range<usize>>, BadFabric> {
    if !(1..=hosts).contains(&workers) {
        return Err(BadFabric(format!(
            "expected 1 to {hosts} workers, at most one for each host, found {workers}; change --workers"
        )));
    }
    let share = |worker| worker * hosts / workers;
    Ok((0..workers).map(|worker| share(worker)..share(worker + 1)).collect())
}

/// A flow between hosts that have not failed.
#[derive(Clone, Copy, Debug)]
pub struct Planned {
    /// The host that sends.
    pub src: u16,
    /// The host that receives.
    pub dst: u16,
    /// Its cells, 1 or more.
    pub cells: u64,
    /// The slot in which it starts.
    pub start: u64,
    /// The number of (src, dst).
    pub pair: u32,
    /// Its number among those that start at its source's worker.
    pub at_source: u32,
    /// Its number among those to its destination's worker.
    pub at_destination: u32,
}

/// Source and destination of flows.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// The host that sends.
    pub src: u16,
    /// The host that receives.
    pub dst: u16,
}

/// The flows of a run.
#[derive(Debug)]
pub struct Plan {
    /// In the order of their starts.
    pub flows: Vec<Planned>,
    /// By the number of the pair.
    pub pairs: Vec<Pair>,
    /// Hosts with smaller numbers have failed.
    pub failed: usize,
}

impl Plan {
    /// The flows of a fabric in which hosts below `failed` have failed; those from or to such a host are ignored.
    ///
    /// # Panics
    ///
    /// If a flow has a host that `ranges` does not have, or there are 2^32 flows or more.
    pub fn new(flows: &[Flow], failed: usize, ranges: &[Range<usize>]) -> Self {
        assert!(u32::try_from(flows.len()).is_ok(), "{} flows", flows.len());
        let hosts = ranges.last().map_or(0, |range| range.end);
        assert!(flows.iter().all(|flow| (flow.src.max(flow.dst) as usize) < hosts));
        let worker = |host: u32| ranges.partition_point(|range| range.end <= host as usize);
        let mut numbers = HashMap::new();
        let mut plan = Self { flows: Vec::new(), pairs: Vec::new(), failed };
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
            let pair = *numbers.entry((src, dst)).or_insert_with(|| {
                plan.pairs.push(Pair { src: src as u16, dst: dst as u16 });
                plan.pairs.len() as u32 - 1
            });
            plan.flows.push(Planned {
                src: src as u16,
                dst: dst as u16,
                cells,
                start,
                pair,
                at_source: count(&mut starting, src),
                at_destination: count(&mut ending, dst),
            });
        }
        plan
    }

    /// A flow without cells for each pair of hosts, in the order of source and destination, that never starts by itself:
    /// it gets cells while the run goes. There is one worker.
    pub fn of_all_pairs(hosts: usize) -> Self {
        let pairs = (0..hosts).flat_map(|src| (0..hosts).map(move |dst| (src, dst)));
        let flows: Vec<Flow> = pairs
            .filter(|(src, dst)| src != dst)
            .map(|(src, dst)| Flow {
                src: src as u32,
                dst: dst as u32,
                cells: 0,
                start: u64::MAX,
                id: 0,
            })
            .collect();
        Self::new(&flows, 0, std::slice::from_ref(&(0..hosts)))
    }

    /// The number of a pair, and of its flow, in [`Plan::of_all_pairs`].
    ///
    /// # Panics
    /// There is no such pair.
    pub fn number_of_pair(hosts: usize, src: usize, dst: usize) -> u32 {
        assert!(src < hosts && dst < hosts && src != dst, "a pair of hosts {src} and {dst}");
        (src * (hosts - 1) + dst - usize::from(dst > src)) as u32
    }

    /// The flows that have finished: `queued` and `received` give the slots in which the first and the last cell of a flow
    /// were queued at its source and arrived at its destination, the latter once all have.
    pub fn finished(
        &self,
        queued: impl Fn(&Planned) -> [u64; 2],
        received: impl Fn(&Planned) -> Option<[u64; 2]>,
    ) -> Vec<FinishedFlow> {
        let finished = |flow: &Planned| {
            let [first_received, last_received] = received(flow)?;
            let [first_queued, last_queued] = queued(flow);
            Some(FinishedFlow {
                src: flow.src.into(),
                dst: flow.dst.into(),
                cells: flow.cells,
                start: flow.start,
                first_queued,
                last_queued,
                first_received,
                last_received,
            })
        };
        self.flows.iter().filter_map(finished).collect()
    }
}
