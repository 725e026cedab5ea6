//! Random workloads: packets, idle periods, pauses, new parameters; and a link that serves a scheduler.

use super::driver::{GIGABIT, Random, pace};
use ww_sched::framework::scheduler::Scheduler;
use ww_sched::framework::{ChildSpec, Meta, NodeSpec, Packet, Parameters, Policy, Trigger};

/// What happens at a time.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    Arrival(usize, Packet),
    Pause(usize),
    Resume(usize),
    Configure(usize, Parameters),
}

/// A packet that left: when, of which flow, which.
pub type Departure = (u64, usize, u64);

/// A child's parameters. Rates are 50 to 900 Mb/s, so that a few children fill the link of 1 Gb/s and
/// one alone does not.
pub fn parameters(random: &mut Random) -> Parameters {
    Parameters {
        weight: 1 + random.below(20),
        priority: random.below(6),
        pace: pace(50_000_000 + random.below(850_000_000)),
        burst: 64 + random.below(20_000),
        quantum: [200 + random.below(300), 1500, 64 + random.below(9000)][random.below(3) as usize],
    }
}

/// Events in order of time, with so many packets. Periods of more than the link can carry, of less, and
/// of nothing at all follow each other; a few times in a thousand a flow is paused, resumed or configured.
pub fn events(random: &mut Random, flows: usize, packets: u64) -> Vec<(u64, Event)> {
    let (mut now, mut gap, mut longest, mut list) = (0, 0, 1500, Vec::new());
    let mut handle = 0;
    while handle < packets {
        if random.below(200) == 0 {
            // Another period: 1 Gb/s are 8 ns a byte.
            gap = [1_000, 4_000_000, 12_000_000, 40_000_000][random.below(4) as usize];
            longest = [64, 1500, 9000][random.below(3) as usize];
            now += random.below(2) * random.below(2_000_000_000);
        }
        now += random.below(gap.max(1));
        let flow = random.below(flows as u64) as usize;
        let other = match random.below(1000) {
            0 | 1 => Some(Event::Pause(flow)),
            2..=5 => Some(Event::Resume(flow)),
            6 | 7 => Some(Event::Configure(flow, parameters(random))),
            _ => None,
        };
        list.extend(other.map(|event| (now, event)));
        let meta = Meta {
            size: random.below(1 << 20),
            remaining: random.below(1 << 20),
            slack: if random.below(50) == 0 { u64::MAX } else { random.below(1 << 34) },
            deadline: now + random.below(1 << 34),
            release: (now + random.below(1 << 25)).saturating_sub(1 << 24),
        };
        let bytes = 1 + random.below(longest) as u32;
        let packet = Packet { handle, bytes, arrival: 0, meta };
        list.push((now, Event::Arrival(flow, packet)));
        handle += 1;
    }
    list.extend((0..flows).map(|flow| (now, Event::Resume(flow))));
    list
}

/// Serves a link of 1 Gb/s until all events have happened and all packets have left.
pub fn serve(scheduler: &mut Scheduler, events: &[(u64, Event)]) -> Vec<Departure> {
    let link = pace(GIGABIT);
    let (mut now, mut next, mut stuck, mut departures) = (0, 0, 0, Vec::new());
    loop {
        while let Some((_, event)) = events.get(next).filter(|(time, _)| *time <= now) {
            next += 1;
            match *event {
                Event::Arrival(flow, packet) => assert!(scheduler.enqueue(flow, packet, now)),
                Event::Pause(flow) => assert!(scheduler.pause(flow)),
                Event::Resume(flow) => assert!(scheduler.resume(flow, now)),
                Event::Configure(flow, parameters) => {
                    assert!(scheduler.configure(flow, &parameters));
                }
            }
        }
        if let Some((flow, packet)) = scheduler.dequeue(now) {
            departures.push((now, flow, packet.handle));
            now += link.picoseconds(u64::from(packet.bytes)).max(1);
            stuck = 0;
            continue;
        }
        let arrival = events.get(next).map(|(time, _)| *time);
        let later = [arrival, scheduler.next_event(now)].into_iter().flatten().min();
        let Some(later) = later else { return departures };
        stuck = if later > now { 0 } else { stuck + 1 };
        assert!(stuck < 10, "no packet at {now}, and no later time");
        now = later.max(now);
    }
}

/// What makes the policy of a node, which is served at 1 Gb/s; with the number of the node, that of its
/// first child, and how many nodes and children there are.
pub type Make<'m> = dyn FnMut(u32, u32) -> Box<dyn Policy> + 'm;

/// Nodes and children of [`tree`].
pub const NODES: u32 = 4;
pub const CHILDREN: u32 = 12;

/// A hierarchy of three levels with one policy in all its nodes; flows are at each level. The parameters
/// follow from `seed`.
pub fn tree(seed: u64, trigger: Trigger, make: &mut Make<'_>) -> NodeSpec {
    let mut random = Random(seed);
    let mut used = (0, 0);
    let mut node = |below: Vec<ChildSpec>, random: &mut Random| {
        let policy = make(used.0, used.1);
        used = (used.0 + 1, used.1 + below.len() as u32);
        let children = below.into_iter().map(|below| (parameters(random), below)).collect();
        NodeSpec { policy, trigger, children }
    };
    let flows = |count: usize| (0..count).map(|_| ChildSpec::Flow).collect::<Vec<_>>();
    let low = node(flows(3), &mut random);
    let mut below = flows(2);
    below.push(ChildSpec::Node(low));
    let middle = node(below, &mut random);
    let right = node(flows(2), &mut random);
    let mut top = flows(2);
    top.push(ChildSpec::Node(middle));
    top.insert(0, ChildSpec::Node(right));
    let root = node(top, &mut random);
    assert_eq!(used, (NODES, CHILDREN));
    root
}

/// One node with so many flows.
pub fn flat(seed: u64, trigger: Trigger, flows: usize, make: &mut Make<'_>) -> NodeSpec {
    let mut random = Random(seed);
    let children = (0..flows).map(|_| (parameters(&mut random), ChildSpec::Flow)).collect();
    NodeSpec { policy: make(0, 0), trigger, children }
}
