//! What policies by finish times keep of their children.

use super::{Weights, slot};
use crate::framework::fixed::Pace;
use crate::framework::{Parameters, Sent};

/// Finish times of children, in virtual time: what the node has served.
#[derive(Debug)]
pub(super) struct FinishTimes {
    pub pace: Pace,
    pub weights: Weights,
    /// By child.
    pub finish: Vec<u64>,
    pub virtual_time: u64,
}

impl FinishTimes {
    /// For a node that is served at this pace.
    pub fn new(pace: Pace) -> Self {
        Self { pace, weights: Weights::default(), finish: Vec::new(), virtual_time: 0 }
    }

    pub fn configure(&mut self, child: usize, parameters: &Parameters) {
        self.weights.set(child, parameters);
        slot(&mut self.finish, child);
    }

    /// A child's share of the pace, by its weight.
    pub fn share(&self, child: usize) -> Pace {
        self.pace.share(self.weights.each[child], self.weights.sum)
    }

    /// A packet of a child that is served at `pace` was sent, perhaps with other bytes than it was stamped for.
    pub fn sent(&mut self, child: usize, pace: Pace, sent: &Sent) {
        let corrected = self.finish[child].saturating_add(pace.tag(u64::from(sent.bytes)));
        self.finish[child] = corrected.saturating_sub(pace.tag(u64::from(sent.stamped)));
        let served = self.pace.tag(u64::from(sent.bytes));
        self.virtual_time = self.virtual_time.saturating_add(served);
    }

    /// A packet of a child that is served at `pace` does not leave.
    pub fn withdraw(&mut self, child: usize, pace: Pace, bytes: u32) {
        let service = pace.tag(u64::from(bytes));
        self.finish[child] = self.finish[child].saturating_sub(service);
    }
}
