//! Queues of cells: short ones lie in one piece, what is behind lies in a pool that all queues share.

/// No host.
pub const NONE: u16 = u16::MAX;

/// The end of a list of nodes.
const END: u32 = u32::MAX;

/// A cell on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its number among those of its pair, from 0.
    pub seq: u64,
    /// The number of its flow at its destination.
    pub flow: u32,
    /// Its source.
    pub src: u16,
    /// Its destination; [`NONE`] if the cell is empty.
    pub dst: u16,
}

impl Cell {
    /// What is sent when there is nothing to send.
    pub const EMPTY: Self = Self { seq: 0, flow: 0, src: NONE, dst: NONE };

    /// Whether there was nothing to send.
    pub fn is_empty(self) -> bool {
        self.dst == NONE
    }
}

/// Cells that lie in the queue itself.
const NEAR: usize = 2;

/// A queue of cells, first in, first out.
#[derive(Clone, Copy, Debug)]
pub struct Queue {
    /// The first cells.
    near: [Cell; NEAR],
    /// The first and the last node of the others.
    first: u32,
    last: u32,
    length: u32,
}

impl Queue {
    /// No cell.
    pub const EMPTY: Self = Self { near: [Cell::EMPTY; NEAR], first: END, last: END, length: 0 };

    /// Cells.
    pub fn len(&self) -> u32 {
        self.length
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    cell: Cell,
    next: u32,
}

/// The cells of queues that are longer than what lies in them. Memory grows with the most that ever waited at once.
#[derive(Debug)]
pub struct Pool {
    nodes: Vec<Node>,
    /// Nodes that are not in use, the last one first.
    free: u32,
}

impl Pool {
    /// None.
    pub fn new() -> Self {
        Self { nodes: Vec::new(), free: END }
    }

    /// Reads what the next [`Pool::pop`] of a queue will, so that it is near. The number means nothing.
    pub fn touch_first(&self, queue: &Queue) -> u32 {
        self.touch(queue, queue.first)
    }

    /// The same for the next [`Pool::push`].
    pub fn touch_last(&self, queue: &Queue) -> u32 {
        self.touch(queue, queue.last)
    }

    fn touch(&self, queue: &Queue, place: u32) -> u32 {
        match self.nodes.get(place as usize) {
            Some(node) if queue.length as usize > NEAR => node.next,
            _ => 0,
        }
    }

    /// Puts a cell at the end of a queue.
    pub fn push(&mut self, queue: &mut Queue, cell: Cell) {
        let length = queue.length as usize;
        queue.length += 1;
        if let Some(place) = queue.near.get_mut(length) {
            *place = cell;
            return;
        }
        let node = Node { cell, next: END };
        let place = if self.free == END {
            self.nodes.push(node);
            (self.nodes.len() - 1) as u32
        } else {
            let place = self.free;
            let old = &mut self.nodes[place as usize];
            self.free = old.next;
            *old = node;
            place
        };
        if length == NEAR {
            queue.first = place;
        } else {
            self.nodes[queue.last as usize].next = place;
        }
        queue.last = place;
    }

    /// Takes the first cell of a queue.
    pub fn pop(&mut self, queue: &mut Queue) -> Option<Cell> {
        if queue.length == 0 {
            return None;
        }
        let cell = queue.near[0];
        queue.near.rotate_left(1);
        if queue.length as usize > NEAR {
            let place = queue.first;
            let node = &mut self.nodes[place as usize];
            queue.near[NEAR - 1] = node.cell;
            queue.first = node.next;
            node.next = self.free;
            self.free = place;
        }
        queue.length -= 1;
        Some(cell)
    }
}
