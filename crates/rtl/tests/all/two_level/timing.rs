//! Departures over time against the scheduler in Rust on an ideal link: nothing but the arrivals is common to both runs.
//!
//! spec: 004-pieo-shoal 2.6

use crate::two_level::equality::Random;
use crate::two_level::reference::{PERIOD, Policies, Setup};
use std::collections::VecDeque;
use ww_rtl::two_level::{Arrival, Shape};
use ww_sched::framework::Packet;
use ww_sched::framework::fixed::Pace;

/// Clocks before the link is free at which it asks for a packet.
const ASK_AHEAD: u64 = 32;
/// How far a departure may be from the ideal one: the hardware may be late by the work in front (64 clocks) and its own
/// latency (21); then a packet of another node may have gone first, 1,500 bytes at 40 Gb/s.
const TOLERANCE: u64 = (64 + 21) * PERIOD + 300_000;

/// A packet that left: flow of its node, handle, when its first bit did.
type Left = (u32, u64, u64);

#[test]
fn departures_are_those_of_an_ideal_link() {
    const GIGABIT: u64 = 1_000_000_000;
    let shape = Shape::published();
    let limits = [1, 1, 2, 2, 3, 3, 4, 5, 6, 8];
    let setup = Setup {
        policies: Policies { root: "token_bucket", leaf: "wf2q" },
        shape,
        link: 40 * GIGABIT,
        nodes: limits.map(|limit| (1, limit * GIGABIT, 3000)).to_vec(),
        flows: vec![(1..=10).map(|weight| (weight, GIGABIT, 3000)).collect(); 10],
        p4: false,
    };
    let link = Pace::of_rate(setup.link).expect("in range");
    let mut random = Random(7);
    let mut scheduler = setup.hardware(&[]);
    let mut reference = setup.reference();

    // The queues are filled while the link is busy; lengths of 1,000 to 1,500 bytes: with shorter ones the
    // hardware is slower than the link.
    for round in 0..shape.depth {
        for number in 0..shape.nodes * shape.flows {
            let (node, flow) = (number / shape.flows, number % shape.flows);
            let bytes = 1000 + random.below(501) as u32;
            let packet = Arrival { node, flow, bytes, handle: round as u16 };
            loop {
                let now = scheduler.now();
                if scheduler.clock(Some(&packet), false).expect("it runs").accepted {
                    let packet = Packet { handle: round.into(), bytes, ..Packet::default() };
                    assert!(reference.enqueue(number as usize, packet, now));
                    break;
                }
            }
        }
    }
    while !scheduler.is_idle() {
        scheduler.clock(None, false).expect("it runs");
    }
    let begin = scheduler.now() + 1000 * PERIOD;

    let mut ideal: Vec<VecDeque<Left>> = vec![VecDeque::new(); shape.nodes as usize];
    let mut now = begin;
    while !reference.is_empty() {
        if let Some((number, packet)) = reference.dequeue(now) {
            let (node, flow) = (number as u32 / shape.flows, number as u32 % shape.flows);
            ideal[node as usize].push_back((flow, packet.handle, now));
            now += link.picoseconds(u64::from(packet.bytes));
        } else {
            now = reference.next_event(now).expect("packets wait").max(now + 1);
        }
    }

    let (mut free, mut worst) = (begin, 0);
    for _ in 0..shape.nodes * shape.flows * shape.depth {
        let (packet, start) = loop {
            let now = scheduler.now();
            let events = scheduler.clock(None, free <= now + ASK_AHEAD * PERIOD).expect("it runs");
            assert!(now < 2 * begin + 10_000_000_000, "nobody leaves");
            if let Some(departure) = events.departure {
                break (departure.packet, now.max(free));
            }
        };
        free = start + link.picoseconds(u64::from(packet.bytes));
        let (flow, handle, time) = ideal[packet.node as usize].pop_front().expect("it waits");
        assert_eq!(
            (packet.flow, u64::from(packet.handle)),
            (flow, handle),
            "{packet:?} at {start}"
        );
        worst = worst.max(start.abs_diff(time));
    }
    println!("at most {worst} ps from the ideal");
    assert!(worst <= TOLERANCE, "{worst}");
}
