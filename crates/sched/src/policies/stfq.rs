//! Start-time fair queueing (Goyal, Vin and Cheng 1996).

use super::{Weights, slot};
use crate::framework::fixed::Pace;
use crate::framework::{Head, Parameters, Policy, Sent, Stamp};

/// Rank is the start time; virtual time is the start of the packet in service. No rate of the link is
/// needed: time is bytes over weight.
#[derive(Debug)]
pub struct StartTime {
    pace: Pace,
    weights: Weights,
    children: Vec<Tags>,
    virtual_time: u64,
}

#[derive(Clone, Debug, Default)]
struct Tags {
    start: u64,
    finish: u64,
}

impl StartTime {
    /// Tags advance at this pace for the whole node; any will do.
    pub fn new(pace: Pace) -> Self {
        Self { pace, weights: Weights::default(), children: Vec::new(), virtual_time: 0 }
    }
}

impl Policy for StartTime {
    fn configure(&mut self, child: usize, parameters: &Parameters) {
        self.weights.set(child, parameters);
        slot(&mut self.children, child);
    }

    fn pre_enqueue(&mut self, child: usize, head: &Head, _now: u64) -> Stamp {
        let tags = &mut self.children[child];
        tags.start = if head.fresh { tags.finish.max(self.virtual_time) } else { tags.finish };
        let rank = tags.start;
        let pace = self.pace.share(self.weights.each[child], self.weights.sum);
        tags.finish = rank.saturating_add(pace.tag(u64::from(head.packet.bytes)));
        Stamp::always(rank)
    }

    fn post_dequeue(&mut self, child: usize, sent: &Sent, _now: u64) {
        let pace = self.pace.share(self.weights.each[child], self.weights.sum);
        let tags = &mut self.children[child];
        // The length of a class's packet is certain only now.
        tags.finish = tags.start.saturating_add(pace.tag(u64::from(sent.bytes)));
        self.virtual_time = self.virtual_time.max(tags.start);
    }

    fn withdraw(&mut self, child: usize, _bytes: u32) {
        let tags = &mut self.children[child];
        tags.finish = tags.start;
    }
}
