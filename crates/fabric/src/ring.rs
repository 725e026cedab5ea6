//! The flows of a pair that have cells to send, in turn.

use std::collections::VecDeque;

/// A flow at its source.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outgoing {
    /// Its number at its source's worker.
    pub number: u32,
    /// Its number at its destination's worker.
    pub at_destination: u32,
    /// Cells that it has to send.
    pub left: u64,
    /// The slot of its first cell, once that is queued.
    first: Option<u64>,
}

impl Outgoing {
    /// A flow that starts.
    pub fn new(number: u32, at_destination: u32, cells: u64) -> Self {
        Self { number, at_destination, left: cells, first: None }
    }
}

/// A cell that was taken from a ring.
pub struct Taken {
    /// Its number among those of the pair.
    pub seq: u64,
    /// The number of its flow at the destination's worker.
    pub flow: u32,
    /// If it was the last of its flow: the flow's number at its source's worker, and the slot of its first cell.
    pub last_of: Option<(u32, u64)>,
}

/// The flows of a pair with cells to send, each once, and the number of the pair's next cell.
#[derive(Debug, Default)]
pub struct Ring {
    next_seq: u64,
    /// The flow whose turn it is; most rings have no other. No cells are left if the ring is empty.
    head: Outgoing,
    others: VecDeque<Outgoing>,
}

impl Ring {
    /// Whether no flow has cells to send.
    pub fn is_empty(&self) -> bool {
        self.head.left == 0
    }

    /// The number of the pair's next cell.
    pub fn next_seq(&self) -> u64 {
        self.next_seq
    }

    /// Puts a flow at the end.
    pub fn join(&mut self, flow: Outgoing) {
        if self.is_empty() {
            self.head = flow;
        } else {
            self.others.push_back(flow);
        }
    }

    /// The flow whose turn it is has more cells to send. The ring is not empty.
    pub fn add(&mut self, cells: u64) {
        self.head.left += cells;
    }

    /// No flow has cells to send any more.
    pub fn clear(&mut self) {
        *self = Self { next_seq: self.next_seq, ..Self::default() };
    }

    /// Takes a cell of the flow whose turn it is, in `slot`; the next flow's turn is next. The ring is not empty.
    pub fn take(&mut self, slot: u64) -> Taken {
        let mut flow = self.head;
        let first = *flow.first.get_or_insert(slot);
        let seq = self.next_seq;
        self.next_seq += 1;
        flow.left -= 1;
        let last_of = (flow.left == 0).then_some((flow.number, first));
        if self.others.is_empty() {
            self.head = flow;
        } else {
            if flow.left > 0 {
                self.others.push_back(flow);
            }
            self.head = self.others.pop_front().unwrap_or_default();
        }
        Taken { seq, flow: flow.at_destination, last_of }
    }
}
