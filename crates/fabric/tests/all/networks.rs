//! Random networks, for simulators beside their references.

use proptest::prelude::*;
use ww_fabric::flows::Flow;
use ww_fabric::outcome::Outcome;

/// Flows of 2 to 9 hosts: pairs that repeat or not, pauses that are short against an epoch or many epochs long.
pub fn networks() -> impl Strategy<Value = (usize, Vec<Flow>)> {
    let gap = prop_oneof![8 => 0..4u64, 4 => 0..40u64, 1 => 0..900u64];
    let flow = (0..9u32, 0..8u32, 1..30u64, gap);
    // Few hosts that send or receive make long queues.
    let hosts = (2..10u32, 1..10u32, 1..10u32);
    (hosts, prop::collection::vec(flow, 1..60)).prop_map(|((hosts, senders, receivers), flows)| {
        let mut start = 0;
        let flow = |(id, (src, dst, cells, gap)): (u64, (u32, u32, u64, u64))| {
            start += gap;
            let src = src % senders.min(hosts);
            let mut dst = dst % receivers.min(hosts);
            if src == dst {
                dst = (dst + 1) % hosts;
            }
            Flow { id, src, dst, cells, start }
        };
        (hosts as usize, (0..).zip(flows).map(flow).collect())
    })
}

/// Lengths that no queue had may or may not be listed: an outcome without those at the end.
pub fn without_empty(mut outcome: Outcome) -> Outcome {
    while outcome.queue_samples.last() == Some(&0) {
        outcome.queue_samples.pop();
    }
    outcome
}
