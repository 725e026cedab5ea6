//! Strict priority: the best class that has a packet; within a class in turn.

use super::slot;
use crate::framework::{Head, Parameters, Policy, Stamp};

/// Rank is the priority; smaller is better.
#[derive(Debug, Default)]
pub struct StrictPriority {
    priorities: Vec<u64>,
}

impl Policy for StrictPriority {
    fn configure(&mut self, child: usize, parameters: &Parameters) {
        *slot(&mut self.priorities, child) = parameters.priority;
    }

    fn pre_enqueue(&mut self, child: usize, _head: &Head, _now: u64) -> Stamp {
        Stamp::always(self.priorities[child])
    }
}
