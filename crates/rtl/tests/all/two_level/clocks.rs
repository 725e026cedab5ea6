//! How many clocks things take: what rtl/scheduler/README.md says.

use crate::two_level::reference::{PERIOD, Policies, Setup};
use ww_rtl::two_level::{Arrival, Shape, TwoLevel};

const SHAPE: Shape = Shape { nodes: 10, flows: 10, depth: 16 };

/// Limits of nodes that nobody feels, equal shares of flows.
fn scheduler() -> TwoLevel {
    let policies = Policies { root: "token_bucket", leaf: "wf2q" };
    let child = (1, 400_000_000_000, 1_000_000);
    let setup = Setup {
        policies,
        shape: SHAPE,
        link: 400_000_000_000,
        nodes: vec![child; SHAPE.nodes as usize],
        flows: vec![vec![child; SHAPE.flows as usize]; SHAPE.nodes as usize],
        p4: false,
    };
    setup.hardware(&[])
}

fn packet(number: u32) -> Arrival {
    let (node, flow) = (number % SHAPE.nodes, number / SHAPE.nodes % SHAPE.flows);
    Arrival { node, flow, bytes: 64, handle: number as u16 }
}

/// Clocks until an arrival is done.
fn arrival(scheduler: &mut TwoLevel, packet: &Arrival) -> u64 {
    while !scheduler.clock(Some(packet), false).expect("it runs").accepted {}
    let begin = scheduler.clocks() - 1;
    while !scheduler.is_idle() {
        scheduler.clock(None, false).expect("it runs");
    }
    scheduler.clocks() - begin
}

#[test]
fn arrivals_departures_and_packets() {
    let mut scheduler = scheduler();
    // To an empty queue of a node without packets, to that of a node with packets, to a queue with packets, to a full one.
    let to = |node, flow| Arrival { node, flow, bytes: 64, handle: 0 };
    let empty = [arrival(&mut scheduler, &to(0, 0)), arrival(&mut scheduler, &to(0, 1))];
    let more = arrival(&mut scheduler, &to(0, 0));
    while scheduler.dropped().0 == 0 {
        arrival(&mut scheduler, &to(0, 0));
    }
    let full = arrival(&mut scheduler, &to(0, 0));
    assert_eq!((empty, more, full), ([15, 14], 3, 3));

    // All flows have packets, the link takes everything at once: from the beginning of a choice to its packet, and to the
    // next one.
    for number in 0..4 * SHAPE.nodes * SHAPE.flows {
        arrival(&mut scheduler, &packet(number));
    }
    let (mut begun, mut left) = (None, None);
    for _ in 0..10_000 {
        let clock = scheduler.clocks();
        let events = scheduler.clock(None, true).expect("it runs");
        if events.departure.is_some() {
            let latency = clock - begun.expect("a choice began");
            assert_eq!(latency, 21);
            left = Some(clock);
        }
        if events.attempt {
            if let Some(begun) = begun {
                assert!(left.is_some());
                assert_eq!(clock - begun, 45);
            }
            begun = Some(clock);
        }
        if left.is_some_and(|left| clock > left + 1000) {
            break;
        }
    }
    assert!(left.is_some());
}

/// Packets a second, whatever the policies say about their order.
#[test]
fn throughput() {
    // As many packets come as leave, to queues with packets; and one packet after the other, to empty queues of idle nodes.
    for (backlog, waiting, most) in [(300, u64::MAX, 48.0), (0, 1, 60.0)] {
        let mut scheduler = scheduler();
        let mut number = 0;
        for _ in 0..backlog {
            arrival(&mut scheduler, &packet(number));
            number += 1;
        }
        let (mut left, mut begin) = (0, 0);
        while left < 1100 {
            let offered = packet(number);
            let offers = u64::from(number) < waiting.saturating_add(left);
            let events = scheduler.clock(offers.then_some(&offered), true).expect("it runs");
            number += u32::from(events.accepted);
            left += u64::from(events.departure.is_some());
            if left == 100 && events.departure.is_some() {
                begin = scheduler.clocks();
            }
        }
        let clocks = (scheduler.clocks() - begin) as f64 / 1000.0;
        let rate = |bytes: f64| bytes * 8.0 / (clocks * PERIOD as f64 / 1000.0);
        println!(
            "{clocks} clocks a packet: {:.1} Gb/s with 64 bytes, {:.1} with 1,500 (and 20 between them)",
            rate(84.0),
            rate(1520.0)
        );
        assert!(clocks <= most, "{clocks}");
    }
}
