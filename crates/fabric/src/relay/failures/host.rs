//! What a host stores.

use crate::queue::{Cell, NONE};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The last cell from a peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received {
    /// Empty, or at its destination, or none.
    Nothing,
    /// Its header was bad.
    Dropped,
    /// It joined the queue to a host, with a number there.
    Queued(u16, u64),
}

/// A subflow that is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subflow {
    /// Its next cell may leave in that epoch of the link or later.
    Waits(u64),
    /// It queues or has to be answered.
    Busy,
}

/// A host's side of a link to a peer.
#[derive(Clone, Debug)]
pub struct Link {
    /// The peer's silence was noticed, and no cell from it since.
    pub is_dead: bool,
    pub queue: VecDeque<Cell>,
    /// Cells that the peer has dropped: they leave before the queue.
    pub again: VecDeque<Cell>,
    /// Cells that have left the queue.
    pub departed: u64,
    pub has_local: bool,
    pub received: Received,
    /// By epoch, modulo their number: the cell that was sent, and the destination of a local one that has to be answered.
    pub sent: Vec<(Cell, u16)>,
    subflows: BTreeMap<u16, Subflow>,
    /// (E, destination)
    waiting: BTreeSet<(u64, u16)>,
    /// Since when the peer's user has cells here of which it was not told.
    pub untold_since: Option<u64>,
}

impl Link {
    pub fn new(open_cells: usize) -> Self {
        Self {
            is_dead: false,
            queue: VecDeque::new(),
            again: VecDeque::new(),
            departed: 0,
            has_local: false,
            received: Received::Nothing,
            sent: vec![(Cell::EMPTY, NONE); open_cells],
            subflows: BTreeMap::new(),
            waiting: BTreeSet::new(),
            untold_since: None,
        }
    }

    /// Cells that leave before one that joins the queue now.
    pub fn len(&self) -> usize {
        self.queue.len() + self.again.len()
    }

    /// A subflow's next cell may go from an epoch on.
    pub fn wait(&mut self, to: u16, epoch: u64) {
        if let Some(Subflow::Waits(old)) = self.subflows.insert(to, Subflow::Waits(epoch)) {
            self.waiting.remove(&(old, to));
        }
        self.waiting.insert((epoch, to));
    }

    /// A pair becomes active: step A.
    pub fn activate(&mut self, to: u16, epoch: u64) {
        match self.subflows.get(&to) {
            None => self.wait(to, epoch),
            Some(&Subflow::Waits(old)) => self.wait(to, old.max(epoch)),
            Some(Subflow::Busy) => {}
        }
    }

    /// Another schedule begins, and nothing is on its way.
    pub fn change_schedule(&mut self, open_cells: usize) {
        self.sent = vec![(Cell::EMPTY, NONE); open_cells];
        self.received = Received::Nothing;
        for (_, to) in self.waiting.clone() {
            self.wait(to, 0);
        }
    }

    /// The subflow is queued.
    pub fn queue_subflow(&mut self, to: u16) {
        if let Some(Subflow::Waits(old)) = self.subflows.insert(to, Subflow::Busy) {
            self.waiting.remove(&(old, to));
        }
    }

    /// The subflow is as if it had never been used.
    pub fn forget(&mut self, to: u16) {
        if let Some(Subflow::Waits(old)) = self.subflows.remove(&to) {
            self.waiting.remove(&(old, to));
        }
    }

    /// The first waiting subflow of those that are active. Others whose epoch has come are forgotten.
    pub fn first_waiting(
        &mut self,
        now: u64,
        is_active: impl Fn(u16) -> bool,
    ) -> Option<(u64, u16)> {
        let first = self.waiting.iter().copied().find(|&(_, to)| is_active(to));
        let end = first.map_or((now + 1, 0), |first| first.min((now + 1, 0)));
        let old: Vec<_> = self.waiting.range(..end).copied().collect();
        old.into_iter().for_each(|(_, to)| self.forget(to));
        first
    }

    /// Drops all cells from and to a host, at host `me`. Returns the queue's cells before and after.
    pub fn purge(&mut self, host: u16, me: u16) -> (usize, usize) {
        let before = self.len();
        let stays = |cell: &Cell| cell.is_empty() || (cell.src != host && cell.dst != host);
        self.queue.retain(stays);
        self.again.retain(stays);
        for (cell, to) in &mut self.sent {
            if !stays(cell) {
                *cell = Cell::EMPTY;
            }
            if *to == host {
                *to = NONE;
            }
        }
        self.forget(host);
        self.has_local = self.queue.iter().any(|cell| cell.is_empty() || cell.src == me);
        (before, self.len())
    }
}

/// A flow with cells to send.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    pub flow: u32,
    pub left: u64,
}

/// A pair at its source.
#[derive(Debug, Default)]
pub struct Pair {
    pub ring: VecDeque<Turn>,
    pub next_seq: u64,
    pub since: u64,
    /// Cells whose host between has died: they go first.
    pub reroute: VecDeque<Cell>,
    /// By number: cells that have left and may get lost, with the host that they were sent to.
    pub kept: BTreeMap<u64, (Cell, u16)>,
}

impl Pair {
    /// Whether there are cells that have to join a queue.
    pub fn is_active(&self) -> bool {
        !self.ring.is_empty() || !self.reroute.is_empty()
    }
}
