//! What hosts have to send: the flows of each pair, and which pairs have become active lately.

use crate::plan::{Plan, Planned};
use crate::queue::Cell;
use crate::ring::{Outgoing, Ring};
use std::collections::VecDeque;
use std::ops::Range;

/// The flows of a pair with cells to send: it is **active** while it has any.
#[derive(Debug, Default)]
struct Pair {
    ring: Ring,
    /// The slot in which it became active last.
    since: u64,
}

/// The pairs of a worker's hosts.
#[derive(Debug)]
pub struct Sources {
    hosts: usize,
    /// The first host.
    base: usize,
    /// `numbers[host * hosts + to]`: the number of a pair with flows.
    numbers: Vec<u32>,
    /// By the number of the pair.
    pairs: Vec<Pair>,
    /// Slots of the first and the last queued cell of each flow that starts here, once all are.
    queued: Vec<[u64; 2]>,
    /// Of each host, the pairs that became active in the last epoch: when and to whom.
    recent: Vec<VecDeque<(u64, u16)>>,
    epoch_slots: u64,
    /// Slots of a step of age, 0: no gate.
    gate: u64,
    /// ceil(log2 N)
    full_age: u64,
}

impl Sources {
    /// No flow of hosts `range` has started.
    pub fn new(
        plan: &Plan,
        range: &Range<usize>,
        hosts: usize,
        epoch_slots: u64,
        gate: u64,
    ) -> Self {
        let mut numbers = vec![u32::MAX; hosts * range.len()];
        for (number, pair) in (0..).zip(&plan.pairs) {
            let src = usize::from(pair.src);
            if range.contains(&src) {
                numbers[(src - range.start) * hosts + usize::from(pair.dst)] = number;
            }
        }
        let here = |flow: &&Planned| range.contains(&usize::from(flow.src));
        Self {
            hosts,
            base: range.start,
            numbers,
            pairs: plan.pairs.iter().map(|_| Pair::default()).collect(),
            queued: vec![[0; 2]; plan.flows.iter().filter(here).count()],
            recent: vec![VecDeque::new(); range.len()],
            epoch_slots,
            gate,
            full_age: u64::from(usize::BITS - (hosts - 1).leading_zeros()),
        }
    }

    /// A flow starts at host number `index` of these.
    pub fn start(&mut self, index: usize, flow: &Planned) {
        let pair = &mut self.pairs[flow.pair as usize];
        if pair.ring.is_empty() {
            pair.since = flow.start;
            let recent = &mut self.recent[index];
            // A link has seen all that is older than an epoch.
            while recent.front().is_some_and(|&(slot, _)| slot + self.epoch_slots <= flow.start) {
                recent.pop_front();
            }
            recent.push_back((flow.start, flow.dst));
        }
        pair.ring.join(Outgoing::new(flow.at_source, flow.at_destination, flow.cells));
    }

    /// A flow of host number `index`, the only one of its pair, gets more cells in `slot`, whether it has any left or not.
    pub fn give(&mut self, index: usize, flow: &Planned, cells: u64, slot: u64) {
        let ring = &mut self.pairs[flow.pair as usize].ring;
        if ring.is_empty() {
            self.start(index, &Planned { cells, start: slot, ..*flow });
        } else {
            ring.add(cells);
        }
    }

    /// The destinations for which host `index` has become active after the last slot of a link, `slot` being its next one.
    pub fn recent(&self, index: usize, slot: u64) -> impl Iterator<Item = u16> {
        let recent = self.recent[index].iter().rev();
        let is_recent = move |&&(since, _): &&(u64, u16)| since + self.epoch_slots > slot;
        recent.take_while(is_recent).map(|&(_, to)| to)
    }

    /// The number of the pair from host `index` to `to`, which has flows.
    pub fn pair(&self, index: usize, to: usize) -> usize {
        self.numbers[index * self.hosts + to] as usize
    }

    /// When a pair became active, if it is.
    pub fn active_since(&self, pair: usize) -> Option<u64> {
        let pair = &self.pairs[pair];
        (!pair.ring.is_empty()).then_some(pair.since)
    }

    /// Whether a cell of a pair that is active since then may join a queue of `length` cells in `slot` (S23): its queue
    /// has at most 2^age cells.
    pub fn gate_is_open(&self, since: u64, slot: u64, length: u32) -> bool {
        if self.gate == 0 || length <= 1 {
            return true;
        }
        let age = (slot - since) / self.gate;
        age >= self.full_age || u64::from(length) <= 1 << age
    }

    /// Takes the next cell of an active pair, whose flow then goes to the ring's end.
    pub fn take(&mut self, index: usize, pair: usize, to: u16, slot: u64) -> Cell {
        let taken = self.pairs[pair].ring.take(slot);
        if let Some((number, first)) = taken.last_of {
            self.queued[number as usize] = [first, slot];
        }
        Cell { seq: taken.seq, flow: taken.flow, src: (self.base + index) as u16, dst: to }
    }

    /// The slots in which the first and the last cell of a flow that starts here were queued.
    pub fn queued(&self, number: u32) -> [u64; 2] {
        self.queued[number as usize]
    }
}
