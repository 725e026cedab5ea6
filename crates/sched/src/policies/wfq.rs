//! Weighted fair queueing by finish times of a clock of its own (dissertation, section 2.3, S4).

use super::finish_times::FinishTimes;
use crate::framework::fixed::Pace;
use crate::framework::{Head, Parameters, Policy, Sent, Stamp};

/// Rank is the finish time, everybody is eligible. Virtual time is what the link has served: it is not
/// that of the fluid system. A child's rate is its weight's share of the node's.
///
/// The dissertation prints the rate as link rate over weight, by which a larger "weight" gives a smaller
/// share; [`Wfq::literal`] does that.
#[derive(Debug)]
pub struct Wfq {
    times: FinishTimes,
    literal: bool,
}

impl Wfq {
    /// For a node that is served at this pace.
    pub fn new(pace: Pace) -> Self {
        Self { times: FinishTimes::new(pace), literal: false }
    }

    /// With weights as they are printed: divisors.
    pub fn literal(pace: Pace) -> Self {
        Self { literal: true, ..Self::new(pace) }
    }

    fn child_pace(&self, child: usize) -> Pace {
        match self.literal {
            true => self.times.pace.share(1, self.times.weights.each[child]),
            false => self.times.share(child),
        }
    }
}

impl Policy for Wfq {
    fn configure(&mut self, child: usize, parameters: &Parameters) {
        self.times.configure(child, parameters);
    }

    fn pre_enqueue(&mut self, child: usize, head: &Head, _now: u64) -> Stamp {
        let service = self.child_pace(child).tag(u64::from(head.packet.bytes));
        let finish = self.times.finish[child].max(self.times.virtual_time).saturating_add(service);
        self.times.finish[child] = finish;
        Stamp::always(finish)
    }

    fn post_dequeue(&mut self, child: usize, sent: &Sent, _now: u64) {
        self.times.sent(child, self.child_pace(child), sent);
    }

    fn withdraw(&mut self, child: usize, bytes: u32) {
        self.times.withdraw(child, self.child_pace(child), bytes);
    }
}
