//! Weighted fair queueing by finish times of a clock of its own (dissertation, section 2.3, S4).

use super::{Weights, slot};
use crate::framework::fixed::Pace;
use crate::framework::{Head, Parameters, Policy, Sent, Stamp};

/// Rank is the finish time, everybody is eligible. Virtual time is what the link has served: it is not
/// that of the fluid system. A child's rate is its weight's share of the node's.
///
/// The dissertation prints the rate as link rate over weight, by which a larger "weight" gives a smaller
/// share; [`Wfq::literal`] does that.
#[derive(Debug)]
pub struct Wfq {
    pace: Pace,
    literal: bool,
    weights: Weights,
    finish: Vec<u64>,
    virtual_time: u64,
}

impl Wfq {
    /// For a node that is served at this pace.
    pub fn new(pace: Pace) -> Self {
        let (weights, finish) = (Weights::default(), Vec::new());
        Self { pace, literal: false, weights, finish, virtual_time: 0 }
    }

    /// With weights as they are printed: divisors.
    pub fn literal(pace: Pace) -> Self {
        Self { literal: true, ..Self::new(pace) }
    }

    fn child_pace(&self, child: usize) -> Pace {
        match self.literal {
            true => self.pace.share(1, self.weights.each[child]),
            false => self.pace.share(self.weights.each[child], self.weights.sum),
        }
    }
}

impl Policy for Wfq {
    fn configure(&mut self, child: usize, parameters: &Parameters) {
        self.weights.set(child, parameters);
        slot(&mut self.finish, child);
    }

    fn pre_enqueue(&mut self, child: usize, head: &Head, _now: u64) -> Stamp {
        let service = self.child_pace(child).tag(u64::from(head.packet.bytes));
        let finish = self.finish[child].max(self.virtual_time).saturating_add(service);
        self.finish[child] = finish;
        Stamp::always(finish)
    }

    fn post_dequeue(&mut self, child: usize, sent: &Sent, _now: u64) {
        let pace = self.child_pace(child);
        let corrected = self.finish[child].saturating_add(pace.tag(u64::from(sent.bytes)));
        self.finish[child] = corrected.saturating_sub(pace.tag(u64::from(sent.stamped)));
        let served = self.pace.tag(u64::from(sent.bytes));
        self.virtual_time = self.virtual_time.saturating_add(served);
    }

    fn withdraw(&mut self, child: usize, bytes: u32) {
        let service = self.child_pace(child).tag(u64::from(bytes));
        self.finish[child] = self.finish[child].saturating_sub(service);
    }
}
