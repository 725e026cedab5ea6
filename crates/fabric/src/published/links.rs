//! What a host keeps of each peer: the queue of cells to it, and what was last sent and received.
//!
//! All of a slot lies together: links are numbered by the slot of an epoch in which they are used, then by host.

use crate::queue::{NONE, Queue};

/// A host's side of a link to a peer. It fits a line of a processor's cache, with the cells of a short queue.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Link {
    /// Cells to the peer.
    pub queue: Queue,
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

const _: () = assert!(size_of::<Link>() == 64);

impl Link {
    /// Nothing has happened.
    pub const IDLE: Self = Self {
        queue: Queue::EMPTY,
        cursor: 0,
        ready: 0,
        own: NONE,
        sent: [NONE; 2],
        received: [NONE; 2],
    };
}
