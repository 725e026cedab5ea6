//! What each circuit switch of a two-tier folded Clos network does, so that together they make a channel of a schedule.
//!
//! N hosts at L leaves: h = N/L hosts a leaf, h spines. Ports of a leaf: 0 to h - 1 its hosts, h + s the way to and from
//! spine s. Ports of a spine: x is leaf x. Each path goes up to a spine, also between hosts of one leaf, so that all
//! paths are equally long.
//!
//! In slot t, local host p of each leaf uses spine (p + t) mod h. Why no switch connects an input to two outputs or two
//! inputs to an output, for shift s: in a leaf, p to (p + t) mod h is one to one. Spine r receives from each leaf the
//! host p = (r - t) mod h; from leaf l its peer is l·h + p + s (mod N), in leaf l + ⌊(p + s)/h⌋ (mod L): p and s are the same
//! for all leaves, so this is one to one in l. Down in a leaf, each spine brings at most one cell, for one host, and each
//! host is the peer of one. Fewer senders, as in a half-filled slot, leave inputs out and add none.

use super::{BadFabric, Matching, Schedule};
use std::fmt;

/// A switch of the fabric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// A switch with hosts, counted from 0.
    Leaf(usize),
    /// A switch between leaves, counted from 0.
    Spine(usize),
}

impl fmt::Display for Switch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Leaf(number) => write!(f, "leaf{number}"),
            Self::Spine(number) => write!(f, "spine{number}"),
        }
    }
}

/// The switches of a folded Clos network that make one channel of a schedule.
#[derive(Clone, Debug)]
pub struct Switches {
    hosts: usize,
    leaves: usize,
    matchings: Vec<Matching>,
}

impl Switches {
    /// For `channel` of `schedule` over `leaves` leaves, which must divide the number of hosts.
    ///
    /// # Panics
    ///
    /// If there is no such channel.
    pub fn new(schedule: &Schedule, channel: usize, leaves: usize) -> Result<Self, BadFabric> {
        let hosts = schedule.hosts();
        if leaves == 0 || !hosts.is_multiple_of(leaves) {
            return Err(BadFabric(format!(
                "expected a number of leaves that divides the {hosts} hosts, found {leaves}"
            )));
        }
        Ok(Self { hosts, leaves, matchings: schedule.channels[channel].clone() })
    }

    /// Leaves first, then spines.
    pub fn all(&self) -> impl Iterator<Item = Switch> {
        let spines = self.hosts / self.leaves;
        (0..self.leaves).map(Switch::Leaf).chain((0..spines).map(Switch::Spine))
    }

    /// Ports of a switch; inputs and outputs have the same numbers.
    pub fn ports(&self, switch: Switch) -> usize {
        match switch {
            Switch::Leaf(_) => 2 * (self.hosts / self.leaves),
            Switch::Spine(_) => self.leaves,
        }
    }

    /// Slots of an epoch.
    pub fn slots(&self) -> usize {
        self.matchings.len()
    }

    /// The input that `switch` connects to `output` in `slot`.
    ///
    /// # Panics
    ///
    /// If there is no such slot.
    pub fn input(&self, switch: Switch, slot: usize, output: usize) -> Option<usize> {
        let local = self.hosts / self.leaves;
        let matching = self.matchings[slot];
        // The local host whose cells take `spine` in this slot.
        let sender = |spine: usize| (spine + local - slot % local) % local;
        match switch {
            Switch::Leaf(leaf) if output < local => {
                let source = matching.source(self.hosts, leaf * local + output)?;
                Some(local + (source + slot) % local)
            }
            Switch::Leaf(leaf) => {
                let host = sender(output - local);
                matching.peer(self.hosts, leaf * local + host).map(|_| host)
            }
            Switch::Spine(spine) => {
                // Of the hosts of leaf `output` it is that with the local number of the sender plus the shift.
                let shift = matching.shift(self.hosts)?;
                let to = output * local + (sender(spine) + shift) % local;
                Some(matching.source(self.hosts, to)? / local)
            }
        }
    }
}
