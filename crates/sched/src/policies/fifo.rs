//! First in, first out, over all flows of a node.

use crate::framework::{Head, Parameters, Policy, Stamp};

/// Rank is the arrival of the head. Of classes, those that have waited longest go first, which takes
/// them in turn.
#[derive(Debug, Default)]
pub struct Fifo;

impl Policy for Fifo {
    fn configure(&mut self, _child: usize, _parameters: &Parameters) {}

    fn pre_enqueue(&mut self, _child: usize, head: &Head, _now: u64) -> Stamp {
        Stamp::always(head.packet.arrival)
    }
}
