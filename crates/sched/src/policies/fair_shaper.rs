//! Shaping and fairness in one list: what PIEO does and no single queue of ranks can.

use super::slot;
use super::stfq::StartTime;
use super::token_bucket::Bucket;
use crate::framework::fixed::Pace;
use crate::framework::{Head, Parameters, Policy, Sent, Stamp};

/// Each child has a token bucket; of those that may send, start-time fair queueing chooses. The wall
/// clock says who is eligible, virtual time says the order.
#[derive(Debug)]
pub struct FairShaper {
    fair: StartTime,
    buckets: Vec<Bucket>,
}

impl FairShaper {
    /// Tags advance at this pace for the whole node.
    pub fn new(pace: Pace) -> Self {
        Self { fair: StartTime::new(pace), buckets: Vec::new() }
    }
}

impl Policy for FairShaper {
    fn configure(&mut self, child: usize, parameters: &Parameters) {
        self.fair.configure(child, parameters);
        slot(&mut self.buckets, child).configure(parameters);
    }

    fn pre_enqueue(&mut self, child: usize, head: &Head, now: u64) -> Stamp {
        let eligible = self.buckets[child].take(head.packet.bytes, now);
        // A child that its limit held back has no claim on what it did not take.
        let fresh = head.fresh || eligible > now;
        let Stamp { rank, .. } = self.fair.pre_enqueue(child, &Head { fresh, ..*head }, now);
        Stamp { rank, eligible }
    }

    fn post_dequeue(&mut self, child: usize, sent: &Sent, now: u64) {
        self.fair.post_dequeue(child, sent, now);
        self.buckets[child].correct(sent);
    }

    fn withdraw(&mut self, child: usize, bytes: u32) {
        self.fair.withdraw(child, bytes);
        self.buckets[child].correct(&Sent { bytes: 0, stamped: bytes });
    }
}
