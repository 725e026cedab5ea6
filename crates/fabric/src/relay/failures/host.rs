//! What a host stores.

use crate::queue::{Cell, NONE};
use crate::relay::subflows::Subflows;
use std::collections::{BTreeMap, VecDeque};

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
    pub subflows: Subflows,
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
            subflows: Subflows::default(),
            untold_since: None,
        }
    }

    /// Cells that leave before one that joins the queue now.
    pub fn len(&self) -> usize {
        self.queue.len() + self.again.len()
    }

    /// Another schedule begins, and nothing is on its way.
    pub fn change_schedule(&mut self, open_cells: usize) {
        self.sent = vec![(Cell::EMPTY, NONE); open_cells];
        self.received = Received::Nothing;
        self.subflows.release();
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
        self.subflows.forget(host);
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
