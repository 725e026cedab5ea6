//! Nothing is lost, changed or out of order; what a queue drops is counted.

use super::{ETHERNET, Random, TO_ALL, frame, marked, switch, to};
use std::collections::BTreeMap;
use ww_dataplane::control::{Control, CounterIndex};
use ww_rtl::runner::engine::Rtl;
use ww_rtl::runner::pace::Pace;

const PORTS: usize = 4;

/// Frames by the port that they came in at and the one that they left at, in their order.
type Flows = BTreeMap<(usize, usize), Vec<Vec<u8>>>;

/// Frames that left: the program wrote the port of arrival into them.
fn left(engine: &mut Rtl) -> Flows {
    let mut flows = Flows::new();
    while let Some(frame) = engine.bench().pop() {
        assert_eq!(frame.port, frame.stream);
        let from = u16::from_be_bytes([frame.bytes[12], frame.bytes[13]]);
        flows.entry((from.into(), frame.port as usize)).or_default().push(frame.bytes);
    }
    flows
}

/// A group of all ports.
fn with_group(engine: &mut Rtl) {
    engine.multicast_group_create(1).expect("a group");
    let node = engine.multicast_node_create(0, vec![0, 1, 2, 3]).expect("a node");
    engine.multicast_node_associate(1, node).expect("both exist");
}

/// Sends frames at all ports at once, and compares by port in and port out.
fn all_at_once(engine: &mut Rtl, groups: bool, pace: Pace) {
    // First: a request runs the clock, and packets that wait go in meanwhile.
    let before: Vec<u64> = (0..PORTS).map(|port| counted(engine, "arrived", port)).collect();
    let departed = |engine: &mut Rtl, port| match groups {
        true => counted(engine, "departed", port),
        false => 0,
    };
    let departed_before: Vec<u64> = (0..PORTS).map(|port| departed(engine, port)).collect();
    let mut random = Random(pace_seed(pace));
    let mut wanted = Flows::new();
    let mut bytes = [0; PORTS];
    for n in 0..200 {
        let (from, target) = (random.below(PORTS), random.below(PORTS));
        let size = match random.below(3) {
            0 => ETHERNET + random.below(50),
            1 => 60 + random.below(12),
            _ => ETHERNET + random.below(600),
        };
        let flood = groups && random.below(3) == 0;
        let destination = if flood { TO_ALL } else { to(target) };
        let sent = frame(destination, size, || random.next() as u8);
        let list: Vec<usize> = match flood {
            true => (0..PORTS).filter(|port| *port != from).collect(),
            // In a program with groups, egress sends nothing back.
            false if groups && target == from => Vec::new(),
            false => vec![target],
        };
        for target in list {
            wanted.entry((from, target)).or_default().push(marked(&sent, from));
        }
        bytes[from] += sent.len() as u64;
        engine.bench().push(from, from as u32, n, &sent);
    }
    engine.bench().set_pace(pace);
    engine.bench().run().expect("it goes on");
    assert_eq!(left(engine), wanted, "{pace:?}");
    for port in 0..PORTS {
        let arrived = counted(engine, "arrived", port) - before[port];
        assert_eq!(arrived, bytes[port], "{pace:?}, port {port}");
        let copies = wanted.iter().filter(|((_, to), _)| groups && *to == port);
        let sent: usize = copies.flat_map(|(_, frames)| frames).map(Vec::len).sum();
        let departed = departed(engine, port) - departed_before[port];
        assert_eq!(departed, sent as u64, "{pace:?}, port {port}");
    }
}

fn pace_seed(pace: Pace) -> u64 {
    match pace {
        Pace::Gaps { seed } | Pace::Pressure { seed } | Pace::Both { seed } => seed,
        Pace::Serial | Pace::BackToBack => 99,
    }
}

/// Bytes that a counter of the program has for a port.
fn counted(engine: &mut Rtl, name: &str, port: usize) -> u64 {
    let schema = engine.schema();
    let counters = &schema.counters;
    let position = counters.iter().position(|counter| counter.name.ends_with(name));
    let index = position.expect("the program has it") as u32;
    engine.counter_read(CounterIndex(index), port as u64).expect("a cell").bytes
}

#[test]
fn every_port_to_every_port() {
    let (mut engine, _) = switch("steer.p4", &[], PORTS as u32);
    all_at_once(&mut engine, false, Pace::BackToBack);
    for seed in 1..6 {
        all_at_once(&mut engine, false, Pace::Both { seed });
    }
}

#[test]
fn copies_to_all_ports() {
    let (mut engine, _) = switch("steer.p4", &[("GROUPS", "1")], PORTS as u32);
    with_group(&mut engine);
    all_at_once(&mut engine, true, Pace::BackToBack);
    for seed in 1..6 {
        all_at_once(&mut engine, true, Pace::Both { seed });
    }
}

#[test]
fn a_queue_that_is_full_drops_its_own_packets_alone() {
    const FRAMES: usize = 100;
    let (mut engine, _) = switch("steer.p4", &[], PORTS as u32);
    let mut random = Random(7);
    let mut sent = Vec::new();
    engine.bench().set_pace(Pace::BackToBack);
    engine.bench().block(2, true);
    for n in 0..FRAMES {
        let bytes = frame(to(2), 1000, || random.next() as u8);
        engine.bench().push(0, 0, n as u64, &bytes);
        sent.push(marked(&bytes, 0));
        let other = frame(to(3), 1000, || random.next() as u8);
        engine.bench().push(1, 1, n as u64, &other);
    }
    // Twice what they need: 125 beats a frame, no port waits for another.
    for _ in 0..2 * 125 * FRAMES {
        engine.bench().step().expect("it goes on");
    }
    let first = left(&mut engine);
    assert_eq!(first.keys().collect::<Vec<_>>(), [&(1, 3)]);
    assert_eq!(first[&(1, 3)].len(), FRAMES);
    engine.bench().block(2, false);
    engine.bench().run().expect("it goes on");
    let rest = left(&mut engine);
    let kept = &rest[&(0, 2)];
    // 64 KiB without the room for one of the longest.
    assert!((40..70).contains(&kept.len()), "{}", kept.len());
    assert_eq!(kept[..], sent[..kept.len()]);
    let lost = (FRAMES - kept.len()) as u64;
    let counts = engine.port_counts(2).expect("it is read");
    assert_eq!((counts.received, counts.sent, counts.lost), (0, kept.len() as u64, lost));
    let counts = engine.port_counts(0).expect("it is read");
    assert_eq!((counts.received, counts.sent, counts.lost), (FRAMES as u64, 0, 0));
}

#[test]
fn a_port_that_is_not_there_drops() {
    let (mut engine, _) = switch("steer.p4", &[], PORTS as u32);
    let mut random = Random(3);
    for n in 0..300 {
        // More than a port's memory holds: what is dropped gives its room back.
        let bytes = frame(to(if n % 10 == 0 { 1 } else { 77 }), 300, || random.next() as u8);
        engine.bench().push(0, 0, n, &bytes);
    }
    engine.bench().run().expect("it goes on");
    let flows = left(&mut engine);
    assert_eq!(flows.keys().collect::<Vec<_>>(), [&(0, 1)]);
    assert_eq!(flows[&(0, 1)].len(), 30);
}
