//! What hosts have to send: what the hardware has been told of it, and what has come into its queues.

use super::{Offer, Queued};
use crate::plan::{Plan, Planned};
use crate::queue::Cell;
use crate::ring::{Outgoing, Ring};

/// Cells of a pair at their source.
#[derive(Debug, Default)]
pub(super) struct Source {
    pub(super) ring: Ring,
    /// Cells of flows that have started, or start in the next slot, and were not offered.
    owed: u64,
    /// Cells that were offered and are not yet in a queue.
    offered: u64,
}

impl Source {
    /// Takes what can be offered out of what is owed, if it is something: a source has `most` cells at most.
    fn offer(&mut self, most: u64) -> Option<u64> {
        // Below half, so that there is not an offer in each slot; never nothing while there is more.
        if self.owed == 0 || self.offered > most / 2 {
            return None;
        }
        let cells = self.owed.min(most - self.offered);
        self.owed -= cells;
        self.offered += cells;
        Some(cells)
    }
}

/// A cell that a host has queued.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taken {
    pub(super) cell: Cell,
    /// If it is the last of its flow: the flow's number at its source, and the slots of its first cell and of this one.
    pub(super) last_of: Option<(u32, [u64; 2])>,
}

/// The pairs of a plan at their sources.
#[derive(Debug)]
pub(super) struct Sources {
    hosts: usize,
    most_cells: u64,
    /// By the number of the pair.
    pub(super) pairs: Vec<Source>,
    /// `numbers[src * hosts + dst]`: of the pair, if it has flows.
    numbers: Vec<Option<u32>>,
    /// The first flow that was not offered.
    next_offer: usize,
}

impl Sources {
    /// Nothing was offered; a pair has at most so many cells that were and are not in a queue, 4 or more.
    pub(super) fn new(plan: &Plan, hosts: usize, most_cells: u64) -> Self {
        let mut numbers = vec![None; hosts * hosts];
        for (number, pair) in (0..).zip(&plan.pairs) {
            numbers[usize::from(pair.src) * hosts + usize::from(pair.dst)] = Some(number);
        }
        Self {
            hosts,
            most_cells: most_cells.max(4),
            pairs: plan.pairs.iter().map(|_| Source::default()).collect(),
            numbers,
            next_offer: 0,
        }
    }

    /// Puts what can be offered of the flows that start until `slot` into `offers`, in place of what is there, without flows of hosts that do not live then.
    pub(super) fn offer(
        &mut self,
        plan: &Plan,
        slot: u64,
        lives: impl Fn(usize) -> bool,
        offers: &mut Vec<Offer>,
    ) {
        offers.clear();
        while let Some(flow) = plan.flows.get(self.next_offer)
            && flow.start <= slot
        {
            if lives(flow.src.into()) && lives(flow.dst.into()) {
                self.pairs[flow.pair as usize].owed += flow.cells;
            }
            self.next_offer += 1;
        }
        for (source, pair) in self.pairs.iter_mut().zip(&plan.pairs) {
            if let Some(cells) = source.offer(self.most_cells) {
                offers.push(Offer { src: pair.src.into(), dst: pair.dst.into(), cells });
            }
        }
    }

    /// A flow starts.
    pub(super) fn start(&mut self, flow: &Planned) {
        let outgoing = Outgoing::new(flow.at_source, flow.at_destination, flow.cells);
        self.pairs[flow.pair as usize].ring.join(outgoing);
    }

    /// Nothing is left to send of a pair, one of whose hosts has died; numbers go on.
    pub(super) fn clear(&mut self, pair: usize) {
        let source = &mut self.pairs[pair];
        source.ring.clear();
        (source.owed, source.offered) = (0, 0);
    }

    /// The number of a pair, if it has flows.
    pub(super) fn number(&self, src: usize, dst: usize) -> Option<usize> {
        self.numbers[src * self.hosts + dst].map(|number| number as usize)
    }

    /// The number of the next cell of a pair.
    pub(super) fn next_seq(&self, src: usize, dst: usize) -> u64 {
        self.number(src, dst).map_or(0, |number| self.pairs[number].ring.next_seq())
    }

    /// The cell that a host queues in `slot`, for the first time. The error says what is wrong with it.
    pub(super) fn take(&mut self, queued: &Queued, slot: u64) -> Result<Taken, String> {
        let Queued { src, via, dst, .. } = *queued;
        let is_there = src.max(via).max(dst) < self.hosts && src != via;
        let pair = if is_there { self.numbers[src * self.hosts + dst] } else { None };
        let source = pair.map(|pair| &mut self.pairs[pair as usize]);
        let Some(source) = source.filter(|source| {
            queued.again.is_none() && !source.ring.is_empty() && source.offered > 0
        }) else {
            return Err(format!(
                "expected host {src} to queue cells that it has, found one for {dst} in the queue to {via}, and none is \
                 left to send"
            ));
        };
        let taken = source.ring.take(slot);
        source.offered -= 1;
        let cell = Cell { seq: taken.seq, flow: taken.flow, src: src as u16, dst: dst as u16 };
        Ok(Taken { cell, last_of: taken.last_of.map(|(flow, first)| (flow, [first, slot])) })
    }

    /// Whether all cells of flows that have started are in queues or gone.
    pub(super) fn is_empty(&self) -> bool {
        self.pairs.iter().all(|source| source.ring.is_empty())
    }
}
