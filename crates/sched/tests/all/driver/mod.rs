//! What the tests of policies share: a link, and flows that always have packets.

use ww_sched::framework::fixed::Pace;
use ww_sched::framework::scheduler::Scheduler;
use ww_sched::framework::{ChildSpec, NodeSpec, Packet, Parameters, Policy, Trigger};

/// A gigabit a second.
pub const GIGABIT: u64 = 1_000_000_000;
/// A millisecond in picoseconds.
pub const MILLISECOND: u64 = 1_000_000_000;

pub fn pace(rate: u64) -> Pace {
    Pace::of_rate(rate).expect("in range")
}

/// Weight 1, best priority, 1 Gb/s, an MTU of burst and quantum.
pub fn plain() -> Parameters {
    Parameters { weight: 1, priority: 0, pace: pace(GIGABIT), burst: 1500, quantum: 1500 }
}

pub fn node(policy: impl Policy + 'static, children: Vec<(Parameters, ChildSpec)>) -> NodeSpec {
    NodeSpec { policy: Box::new(policy), trigger: Trigger::Output, children }
}

/// A scheduler of one node; its children are flows.
pub fn flat(
    policy: impl Policy + 'static,
    children: impl IntoIterator<Item = Parameters>,
) -> Scheduler {
    let children = children.into_iter().map(|parameters| (parameters, ChildSpec::Flow)).collect();
    Scheduler::new(node(policy, children)).expect("a tree")
}

pub fn packet(bytes: u32) -> Packet {
    Packet { bytes, ..Packet::default() }
}

/// Serves the link until a time. `sent` sees every packet with the time at which it begins, and may give
/// the scheduler new ones. The time at which the link is free again.
pub fn serve(
    scheduler: &mut Scheduler,
    link: Pace,
    mut now: u64,
    until: u64,
    mut sent: impl FnMut(&mut Scheduler, usize, Packet, u64),
) -> u64 {
    let mut stuck = 0;
    while now < until {
        if let Some((flow, packet)) = scheduler.dequeue(now) {
            sent(scheduler, flow, packet, now);
            now += link.picoseconds(u64::from(packet.bytes));
            stuck = 0;
            continue;
        }
        let Some(next) = scheduler.next_event(now) else { break };
        stuck = if next > now { 0 } else { stuck + 1 };
        assert!(stuck < 10, "no packet at {now}, and no later time");
        now = next;
    }
    now
}

/// Bytes of each flow until a time, with flows that always have a packet of `bytes(flow)`.
pub fn backlogged(
    scheduler: &mut Scheduler,
    link: Pace,
    until: u64,
    flows: &[usize],
    mut bytes: impl FnMut(usize) -> u32,
) -> Vec<u64> {
    let mut total = vec![0; scheduler.flows()];
    for &flow in flows {
        for _ in 0..2 {
            let packet = packet(bytes(flow));
            assert!(scheduler.enqueue(flow, packet, 0));
        }
    }
    serve(scheduler, link, 0, until, |scheduler, flow, sent, now| {
        total[flow] += u64::from(sent.bytes);
        let packet = packet(bytes(flow));
        scheduler.enqueue(flow, packet, now);
    });
    total
}

/// Numbers that look random (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let a = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let b = (a ^ (a >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (b ^ (b >> 31)) % bound
    }
}
