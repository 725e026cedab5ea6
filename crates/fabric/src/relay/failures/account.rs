//! What the model counts.

use super::{Delivery, FailureCounts};
use crate::bound::Bound;
use crate::plan::Plan;
use crate::queue::Cell;
use crate::relay::lengths::Lengths;
use std::collections::BTreeSet;

/// A flow.
#[derive(Clone, Copy, Debug)]
pub struct FlowState {
    pub queued: [u64; 2],
    received: [u64; 2],
    left: u64,
    started: bool,
    dead: bool,
}

/// A pair at its destination.
#[derive(Debug, Default)]
pub struct Arrived {
    /// The first number that is missing.
    pub expected: u64,
    early: BTreeSet<u64>,
}

/// Flows, deliveries, lengths of queues.
pub struct Account<'a> {
    plan: &'a Plan,
    pub flows: Vec<FlowState>,
    /// By the number of the pair.
    pub arrived: Vec<Arrived>,
    pub bound: Bound,
    pub lengths: Lengths,
    pub counts: FailureCounts,
    pub violations: u64,
    pub reorder_max: u64,
    /// Flows that have finished, and flows that have started.
    pub finished: u64,
    pub started: u64,
}

impl<'a> Account<'a> {
    pub fn new(plan: &'a Plan, hosts: usize) -> Self {
        let flow = |cells| FlowState {
            queued: [u64::MAX, 0],
            received: [u64::MAX, 0],
            left: cells,
            started: false,
            dead: false,
        };
        Self {
            plan,
            flows: plan.flows.iter().map(|planned| flow(planned.cells)).collect(),
            arrived: plan.pairs.iter().map(|_| Arrived::default()).collect(),
            bound: Bound::new(hosts, plan.pairs.len()),
            lengths: Lengths::new((hosts * (hosts - 1)) as u64),
            counts: FailureCounts::default(),
            violations: 0,
            reorder_max: 0,
            finished: 0,
            started: 0,
        }
    }

    /// A flow starts; `dead`: one of its hosts is.
    pub fn start(&mut self, number: usize, dead: bool) {
        let planned = &self.plan.flows[number];
        self.started += 1;
        self.flows[number].started = true;
        self.flows[number].dead = dead;
        if dead {
            self.counts.dead_flows += 1;
        } else {
            self.bound.start(planned.pair, usize::from(planned.dst));
        }
    }

    /// A host dies, and with it the flows from and to it.
    pub fn die(&mut self, host: usize) {
        for (planned, flow) in self.plan.flows.iter().zip(&mut self.flows) {
            let ends = [planned.src, planned.dst].map(usize::from);
            if flow.started && !flow.dead && flow.left > 0 && ends.contains(&host) {
                flow.dead = true;
                self.counts.dead_flows += 1;
                self.bound.finish(planned.pair, ends[1]);
            }
        }
    }

    /// One of a flow's hosts has died, or was dead when it started.
    pub fn is_dead(&self, flow: u32) -> bool {
        self.flows[flow as usize].dead
    }

    /// Flows that have started and have neither finished nor died.
    pub fn open_flows(&self) -> u64 {
        self.started - self.finished - self.counts.dead_flows
    }

    /// Of the queue of a link to `peer`: it had `from` cells and has `to`.
    pub fn resize(&mut self, slot: u64, peer: usize, from: usize, to: usize) {
        let (from, to) = (from as u32, to as u32);
        for length in from..to {
            self.bound.grow(peer, length + 1);
        }
        for length in (to..from).rev() {
            self.bound.shrink(peer, length + 1);
        }
        if from != to {
            self.lengths.change(slot, from, to);
        }
    }

    /// A cell arrives at its destination; `deliver` gets what is in order then.
    pub fn arrive(
        &mut self,
        cell: Cell,
        slot: u64,
        discards: bool,
        deliver: &mut dyn FnMut(&Delivery),
    ) {
        let flow = &mut self.flows[cell.flow as usize];
        if flow.dead {
            return;
        }
        let pair = self.plan.flows[cell.flow as usize].pair;
        let arrived = &mut self.arrived[pair as usize];
        let (src, dst) = (usize::from(cell.src), usize::from(cell.dst));
        if cell.seq < arrived.expected || !arrived.early.insert(cell.seq) {
            self.counts.duplicates += 1;
            if !discards {
                deliver(&Delivery { slot, src, dst, seq: cell.seq });
            }
            return;
        }
        while arrived.early.remove(&arrived.expected) {
            deliver(&Delivery { slot, src, dst, seq: arrived.expected });
            arrived.expected += 1;
        }
        self.reorder_max = self.reorder_max.max(arrived.early.len() as u64);
        flow.received[0] = flow.received[0].min(slot);
        flow.received[1] = slot;
        flow.left -= 1;
        if flow.left == 0 {
            self.finished += 1;
            self.bound.finish(pair, dst);
        }
    }

    /// The numbers of a pair before `next` do not count any more.
    pub fn restart(&mut self, pair: usize, next: u64) {
        self.arrived[pair] = Arrived { expected: next, early: BTreeSet::new() };
    }

    /// The slots in which the first and the last cell of a flow arrived, once all have.
    pub fn received(&self, number: u32) -> Option<[u64; 2]> {
        let flow = &self.flows[number as usize];
        (flow.left == 0).then_some(flow.received)
    }
}
