//! WF2Q+ (dissertation, section 2.3, S5; Bennett and Zhang 1997).

use super::finish_times::FinishTimes;
use crate::framework::fixed::Pace;
use crate::framework::{Head, Parameters, Policy, Sent, Stamp};

/// Of the children whose fluid service would have begun, the one that finishes first. Rank is the finish
/// time, eligible from the start time on, in virtual time: what the node has served, but never
/// behind all starts.
#[derive(Debug)]
pub struct Wf2q {
    times: FinishTimes,
}

impl Wf2q {
    /// For a node that is served at this pace.
    pub fn new(pace: Pace) -> Self {
        Self { times: FinishTimes::new(pace) }
    }

    /// Virtual time, in the format of [`crate::framework::fixed`].
    pub fn virtual_time(&self) -> u64 {
        self.times.virtual_time
    }
}

impl Policy for Wf2q {
    fn configure(&mut self, child: usize, parameters: &Parameters) {
        self.times.configure(child, parameters);
    }

    fn pre_enqueue(&mut self, child: usize, head: &Head, _now: u64) -> Stamp {
        let finish = self.times.finish[child];
        let start = if head.fresh { finish.max(self.times.virtual_time) } else { finish };
        let service = self.times.share(child).tag(u64::from(head.packet.bytes));
        self.times.finish[child] = start.saturating_add(service);
        Stamp { rank: self.times.finish[child], eligible: start }
    }

    fn post_dequeue(&mut self, child: usize, sent: &Sent, _now: u64) {
        self.times.sent(child, self.times.share(child), sent);
    }

    fn withdraw(&mut self, child: usize, bytes: u32) {
        self.times.withdraw(child, self.times.share(child), bytes);
    }

    fn clock(&mut self, _now: u64, least: Option<u64>) -> u64 {
        self.times.virtual_time = self.times.virtual_time.max(least.unwrap_or(0));
        self.times.virtual_time
    }

    fn is_virtual(&self) -> bool {
        true
    }
}
