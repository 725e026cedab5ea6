//! WF2Q+ (dissertation, section 2.3, S5; Bennett and Zhang 1997).

use super::{Weights, slot};
use crate::framework::fixed::Pace;
use crate::framework::{Head, Parameters, Policy, Sent, Stamp};

/// Of the children whose fluid service would have begun, the one that finishes first. Rank is the finish
/// time, eligible from the start time on, in virtual time: what the node has served, but never
/// behind all starts.
#[derive(Debug)]
pub struct Wf2q {
    pace: Pace,
    weights: Weights,
    finish: Vec<u64>,
    virtual_time: u64,
}

impl Wf2q {
    /// For a node that is served at this pace.
    pub fn new(pace: Pace) -> Self {
        let (weights, finish) = (Weights::default(), Vec::new());
        Self { pace, weights, finish, virtual_time: 0 }
    }

    /// Virtual time, in the format of [`crate::framework::fixed`].
    pub fn virtual_time(&self) -> u64 {
        self.virtual_time
    }

    fn child_pace(&self, child: usize) -> Pace {
        self.pace.share(self.weights.each[child], self.weights.sum)
    }
}

impl Policy for Wf2q {
    fn configure(&mut self, child: usize, parameters: &Parameters) {
        self.weights.set(child, parameters);
        slot(&mut self.finish, child);
    }

    fn pre_enqueue(&mut self, child: usize, head: &Head, _now: u64) -> Stamp {
        let finish = self.finish[child];
        let start = if head.fresh { finish.max(self.virtual_time) } else { finish };
        let service = self.child_pace(child).tag(u64::from(head.packet.bytes));
        self.finish[child] = start.saturating_add(service);
        Stamp { rank: self.finish[child], eligible: start }
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

    fn clock(&mut self, _now: u64, least: Option<u64>) -> u64 {
        self.virtual_time = self.virtual_time.max(least.unwrap_or(0));
        self.virtual_time
    }

    fn is_virtual(&self) -> bool {
        true
    }
}
