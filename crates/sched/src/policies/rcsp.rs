//! Rate-controlled static priority (dissertation, section 2.3, S7; Zhang and Ferrari 1993).

use super::slot;
use crate::framework::{Head, Parameters, Policy, Stamp};

/// Rank is a fixed priority, eligible from the time on that a regulator gave the packet
/// ([`crate::framework::Meta::release`]).
#[derive(Debug, Default)]
pub struct Rcsp {
    priorities: Vec<u64>,
}

impl Policy for Rcsp {
    fn configure(&mut self, child: usize, parameters: &Parameters) {
        *slot(&mut self.priorities, child) = parameters.priority;
    }

    fn pre_enqueue(&mut self, child: usize, head: &Head, _now: u64) -> Stamp {
        Stamp { rank: self.priorities[child], eligible: head.packet.meta.release }
    }
}
