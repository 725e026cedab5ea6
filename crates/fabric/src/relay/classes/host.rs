//! What a host stores.

use crate::queue::Cell;
use crate::relay::subflows::Subflows;
use std::collections::{BTreeMap, VecDeque};

/// A cell, with what its header says besides.
#[derive(Clone, Copy, Debug)]
pub struct ClassCell {
    pub cell: Cell,
    pub class: u8,
    /// Its number among those of its pair and class.
    pub number: u64,
}

/// The last cell from a peer.
#[derive(Clone, Copy, Debug)]
pub enum Received {
    /// Empty, or at its destination, or none.
    Nothing,
    /// Its queue, of a destination and class, was full.
    Dropped(u16, u8),
    /// It joined that queue, with a number there.
    Queued(u16, u8, u64),
}

/// A class of a host's side of a link to a peer.
#[derive(Clone, Debug, Default)]
pub struct Class {
    pub queue: VecDeque<ClassCell>,
    /// Cells that have left the queue.
    pub departed: u64,
    pub has_local: bool,
    pub subflows: Subflows,
    /// Cells that the peer has dropped, by destination: they are the next ones of their subflows.
    pub again: BTreeMap<u16, ClassCell>,
}

/// A host's side of a link to a peer.
#[derive(Clone, Debug)]
pub struct Link {
    pub classes: Vec<Class>,
    /// By epoch, modulo their number: a cell that has to be answered.
    pub sent: Vec<Option<ClassCell>>,
    pub received: Received,
}

impl Link {
    pub fn new(classes: usize, open_cells: usize) -> Self {
        Self {
            classes: vec![Class::default(); classes],
            sent: vec![None; open_cells],
            received: Received::Nothing,
        }
    }

    /// Cells of classes before one.
    pub fn before(&self, class: usize) -> usize {
        self.classes[..class].iter().map(|class| class.queue.len()).sum()
    }
}

/// A flow with cells to send.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    pub flow: u32,
    pub left: u64,
}

/// The flows of a pair and class at their source.
#[derive(Clone, Debug, Default)]
pub struct Stream {
    pub ring: VecDeque<Turn>,
    /// Cells that were queued.
    pub cells: u64,
    pub since: u64,
}
