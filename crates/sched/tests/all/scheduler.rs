//! The framework under random use: hierarchies of all policies, arrivals, departures, pauses, changes of
//! parameters. Whatever the policy, each flow's packets leave in order, none is lost or doubled, none
//! leaves while its flow is paused, and none stays for ever.

use crate::driver;

use driver::{GIGABIT, Random, node, pace, packet, plain};
use std::collections::VecDeque;
use ww_sched::framework::scheduler::Scheduler;
use ww_sched::framework::{ChildSpec, Meta, NodeSpec, Packet, Parameters, Trigger};
use ww_sched::policies::aging::Aging;
use ww_sched::policies::drr::DeficitRoundRobin;
use ww_sched::policies::fair_shaper::FairShaper;
use ww_sched::policies::fifo::Fifo;
use ww_sched::policies::rcsp::Rcsp;
use ww_sched::policies::stfq::StartTime;
use ww_sched::policies::strict::StrictPriority;
use ww_sched::policies::token_bucket::TokenBucket;
use ww_sched::policies::urgency::Urgency;
use ww_sched::policies::wf2q::Wf2q;
use ww_sched::policies::wfq::Wfq;

fn parameters(random: &mut Random) -> Parameters {
    Parameters {
        weight: 1 + random.below(5),
        priority: random.below(4),
        pace: pace((1 + random.below(10)) * GIGABIT),
        burst: 100 + random.below(5000),
        quantum: 50 + random.below(3000),
    }
}

fn random_node(random: &mut Random, depth: u32) -> NodeSpec {
    let link = pace(10 * GIGABIT);
    let children = (0..1 + random.below(4))
        .map(|_| {
            let below = match depth < 3 && random.below(2) == 0 {
                true => ChildSpec::Node(random_node(random, depth + 1)),
                false => ChildSpec::Flow,
            };
            (parameters(random), below)
        })
        .collect();
    let mut spec = match random.below(11) {
        0 => node(Fifo, children),
        1 => node(StrictPriority::default(), children),
        2 => node(Aging::new(1 + random.below(2_000_000)), children),
        3 => node(DeficitRoundRobin::default(), children),
        4 => node(StartTime::new(link), children),
        5 => node(Wfq::new(link), children),
        6 => node(Wf2q::new(link), children),
        7 => node(TokenBucket::default(), children),
        8 => node(FairShaper::new(link), children),
        9 => node(Rcsp::default(), children),
        _ => node(Urgency::EarliestDeadline, children),
    };
    if random.below(4) == 0 {
        spec.trigger = Trigger::Input;
    }
    spec
}

#[test]
fn nothing_is_lost_doubled_or_stuck() {
    for seed in 0..300 {
        let mut random = Random(seed);
        let mut scheduler = Scheduler::new(random_node(&mut random, 0)).expect("a tree");
        let count = scheduler.flows();
        let mut queues = vec![VecDeque::new(); count];
        let mut paused = vec![false; count];
        let (mut now, mut handle) = (0u64, 0u64);
        for step in 0..2000 {
            let context = format!("seed {seed}, step {step}");
            // The last steps only empty the queues.
            let draining = step >= 1500;
            match random.below(if draining { 1 } else { 20 }) {
                1..9 => {
                    let flow = random.below(count as u64) as usize;
                    handle += 1;
                    let release = now + random.below(3_000_000);
                    let meta = Meta { deadline: random.below(99), release, ..Meta::default() };
                    let packet = Packet { handle, meta, ..packet(64 + random.below(1437) as u32) };
                    assert!(scheduler.enqueue(flow, packet, now));
                    queues[flow].push_back(handle);
                }
                9 => {
                    let flow = random.below(count as u64) as usize;
                    paused[flow] = true;
                    scheduler.pause(flow);
                }
                10 => {
                    let flow = random.below(count as u64) as usize;
                    paused[flow] = false;
                    scheduler.resume(flow, now);
                }
                11 => {
                    let flow = random.below(count as u64) as usize;
                    scheduler.configure(flow, &parameters(&mut random));
                }
                12 => now += random.below(2_000_000),
                _ => {
                    if let Some((flow, packet)) = scheduler.dequeue(now) {
                        assert!(!paused[flow], "{context}: flow {flow} is paused");
                        assert_eq!(queues[flow].pop_front(), Some(packet.handle), "{context}");
                        now += 800 * u64::from(packet.bytes);
                    } else if let Some(next) = scheduler.next_event(now) {
                        assert!(next > now, "{context}: nothing left although something is due");
                        now = next;
                    }
                }
            }
            let waiting: usize = queues.iter().map(VecDeque::len).sum();
            assert_eq!(scheduler.len(), waiting, "{context}");
            if step == 1499 {
                paused.fill(false);
                for flow in 0..count {
                    scheduler.resume(flow, now);
                }
            }
        }
        // Whoever is left leaves: time is all that it takes.
        while let Some(next) = scheduler.next_event(now) {
            now = next;
            if let Some((flow, packet)) = scheduler.dequeue(now) {
                assert_eq!(queues[flow].pop_front(), Some(packet.handle), "seed {seed}");
            }
        }
        assert!(scheduler.is_empty(), "seed {seed}: {} packets are stuck", scheduler.len());
    }
}

#[test]
fn unknown_flows_are_refused() {
    let mut scheduler =
        Scheduler::new(node(Fifo, vec![(plain(), ChildSpec::Flow)])).expect("a tree");
    assert!(!scheduler.enqueue(1, packet(64), 0));
    assert!(!scheduler.pause(1) && !scheduler.resume(1, 0) && !scheduler.configure(1, &plain()));
    assert_eq!((scheduler.queued(1), scheduler.len(), scheduler.dequeue(0)), (0, 0, None));
    assert!(Scheduler::new(node(Fifo, Vec::new())).is_err());
}
