//! What a host keeps of each peer: the queue of cells to it, and what was last sent and received.
//!
//! All of a slot lies together: links are numbered by the slot of an epoch in which they are used, then by host.

/// No cell, no destination.
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

/// Cells of a queue that lie in the link itself.
const NEAR: usize = 2;

/// A host's side of a link to a peer. It fits a line of a processor's cache, with the cells of a short queue.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Link {
    /// The first cells in the queue.
    near: [Cell; NEAR],
    /// The first and the last node of the others.
    first: u32,
    last: u32,
    /// Cells in the queue to the peer.
    pub length: u32,
    /// The cursor of the list of sources.
    pub cursor: u16,
    /// Sources that could have sent at the last meeting and did not.
    pub ready: u16,
    /// The destination of the own cell in the queue, or [`NONE`].
    pub own: u16,
    /// The destinations of the own cells that were sent to the peer last and before; [`NONE`] for what was no own cell.
    pub sent: [u16; 2],
    /// The destinations of the cells that the peer sent last and before; [`NONE`] for empty ones.
    pub received: [u16; 2],
}

impl Link {
    /// Nothing has happened.
    pub const IDLE: Self = Self {
        near: [Cell::EMPTY; NEAR],
        first: END,
        last: END,
        length: 0,
        cursor: 0,
        ready: 0,
        own: NONE,
        sent: [NONE; 2],
        received: [NONE; 2],
    };
}

#[derive(Clone, Copy, Debug)]
struct Node {
    cell: Cell,
    next: u32,
}

/// The cells of queues that are longer than what fits a link. Memory grows with the most that ever waited at once.
#[derive(Debug)]
pub struct Cells {
    nodes: Vec<Node>,
    /// Nodes that are not in use, the last one first.
    free: u32,
}

impl Cells {
    /// None.
    pub fn new() -> Self {
        Self { nodes: Vec::new(), free: END }
    }

    /// Reads what the next [`Cells::pop`] of a link will, so that it is near. The number means nothing.
    pub fn touch_first(&self, link: &Link) -> u32 {
        match self.nodes.get(link.first as usize) {
            Some(node) if link.length as usize > NEAR => node.next,
            _ => 0,
        }
    }

    /// The same for the next [`Cells::push`].
    pub fn touch_last(&self, link: &Link) -> u32 {
        match self.nodes.get(link.last as usize) {
            Some(node) if link.length as usize > NEAR => node.next,
            _ => 0,
        }
    }

    /// Puts a cell at the end of a link's queue.
    pub fn push(&mut self, link: &mut Link, cell: Cell) {
        let length = link.length as usize;
        link.length += 1;
        if let Some(place) = link.near.get_mut(length) {
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
            link.first = place;
        } else {
            self.nodes[link.last as usize].next = place;
        }
        link.last = place;
    }

    /// Takes the first cell of a link's queue, which is not empty.
    pub fn pop(&mut self, link: &mut Link) -> Cell {
        let cell = link.near[0];
        link.near.rotate_left(1);
        if link.length as usize > NEAR {
            let place = link.first;
            let node = &mut self.nodes[place as usize];
            link.near[NEAR - 1] = node.cell;
            link.first = node.next;
            node.next = self.free;
            self.free = place;
        }
        link.length -= 1;
        cell
    }
}
