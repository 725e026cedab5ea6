//! What a host keeps of each peer.

use crate::queue::{NONE, Queue};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A host's side of a link to a peer. It fits a line of a processor's cache, with the cells of a short queue.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Link {
    /// The cells to the peer.
    pub queue: Queue,
    /// Cells that have left the queue, modulo 2^32.
    pub departed: u32,
    /// The number of the last cell from the peer among all that joined its queue here, modulo 2^32.
    pub received_number: u32,
    /// The destination of that cell; [`NONE`]: it was empty or is at its destination.
    pub received_to: u16,
    /// Local cells in the queue.
    pub local: u16,
}

impl Link {
    /// Nothing has happened.
    pub const IDLE: Self =
        Self { queue: Queue::EMPTY, departed: 0, received_number: 0, received_to: NONE, local: 0 };
}

/// Bits of a destination in a waiting subflow's key: hosts are 4,096 at most.
const HOST_BITS: u32 = 12;

/// Subflows of a link whose next cell may go, now or later, by release slot and then destination.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// The first, [`u64::MAX`] if there is none. Most links have no more.
    first: u64,
    others: BinaryHeap<Reverse<u64>>,
}

impl Waiting {
    /// None.
    pub fn new() -> Self {
        Self { first: u64::MAX, others: BinaryHeap::new() }
    }

    /// Adds one. Release slots are below 2^52 - 1.
    pub fn push(&mut self, slot: u64, to: u16) {
        debug_assert!(slot < u64::MAX >> HOST_BITS);
        let key = slot << HOST_BITS | u64::from(to);
        let later = self.first.max(key);
        self.first = self.first.min(key);
        if later < u64::MAX {
            self.others.push(Reverse(later));
        }
    }

    /// Takes the first, if its release slot is `limit` or less.
    pub fn pop_until(&mut self, limit: u64) -> Option<(u64, u16)> {
        let slot = self.first_slot().filter(|&slot| slot <= limit)?;
        let to = (self.first & ((1 << HOST_BITS) - 1)) as u16;
        self.first = self.others.pop().map_or(u64::MAX, |Reverse(key)| key);
        Some((slot, to))
    }

    /// The release slot of the first.
    pub fn first_slot(&self) -> Option<u64> {
        (self.first < u64::MAX).then_some(self.first >> HOST_BITS)
    }
}
