//! Cells at their destination.

use crate::plan::{Plan, Planned};
use crate::queue::Cell;
use crate::reorder::Reorder;
use std::ops::Range;

/// A flow at its destination.
#[derive(Clone, Copy, Debug)]
struct Flow {
    left: u64,
    first: u64,
    last: u64,
    pair: u32,
}

/// The flows to a worker's hosts.
#[derive(Debug)]
pub struct Incoming {
    flows: Vec<Flow>,
    /// By the number of the pair.
    reorder: Vec<Reorder>,
    held_max: u64,
    finished: Vec<u32>,
}

impl Incoming {
    /// No cell has arrived at hosts `range`.
    pub fn new(plan: &Plan, range: &Range<usize>) -> Self {
        let here = |flow: &&Planned| range.contains(&usize::from(flow.dst));
        let flow =
            |flow: &Planned| Flow { left: flow.cells, first: u64::MAX, last: 0, pair: flow.pair };
        Self {
            flows: plan.flows.iter().filter(here).map(flow).collect(),
            reorder: plan.pairs.iter().map(|_| Reorder::default()).collect(),
            held_max: 0,
            finished: Vec::new(),
        }
    }

    /// More cells of a flow will come. Returns whether none was missing before.
    pub fn expect_more(&mut self, number: u32, cells: u64) -> bool {
        let flow = &mut self.flows[number as usize];
        flow.left += cells;
        flow.left == cells
    }

    /// Cells of a pair before the first that is missing.
    pub fn in_order(&self, pair: u32) -> u64 {
        self.reorder[pair as usize].expected()
    }

    /// A cell arrives in `slot`.
    pub fn arrive(&mut self, cell: Cell, slot: u64) {
        let flow = &mut self.flows[cell.flow as usize];
        flow.first = flow.first.min(slot);
        flow.left -= 1;
        if flow.left == 0 {
            flow.last = slot;
            self.finished.push(flow.pair);
        }
        let held = self.reorder[flow.pair as usize].arrive(cell.seq);
        self.held_max = self.held_max.max(held);
    }

    /// Reads what [`Incoming::arrive`] will of a cell's flow, so that it is near. The number means nothing.
    pub fn touch_flow(&self, cell: &Cell) -> u64 {
        self.flows[cell.flow as usize].left
    }

    /// The same of its pair, once the flow is near.
    pub fn touch_pair(&self, cell: &Cell) -> u64 {
        self.reorder[self.flows[cell.flow as usize].pair as usize].expected()
    }

    /// Puts the pairs of flows that have finished since this was asked last into `finished`, in place of what is there.
    pub fn take_finished(&mut self, finished: &mut Vec<u32>) {
        finished.clear();
        finished.append(&mut self.finished);
    }

    /// The most cells of one pair that waited here for an earlier one.
    pub fn held_max(&self) -> u64 {
        self.held_max
    }

    /// The slots in which the first and the last cell of a flow arrived, once all have.
    pub fn received(&self, number: u32) -> Option<[u64; 2]> {
        let flow = &self.flows[number as usize];
        (flow.left == 0).then_some([flow.first, flow.last])
    }
}
