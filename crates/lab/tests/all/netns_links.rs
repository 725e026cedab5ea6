//! The links and switches of world netns as dataplanes: against times computed by hand, and against world sim.

use std::collections::BTreeMap;
use ww_dataplane::{Dataplane, Picoseconds, PortId, Transmit};
use ww_lab::lab::{Lab, Request};
use ww_lab::plan::Plan;
use ww_lab::world::netns::schedule::schedule;
use ww_lab::world::netns::wires::{LinkSettings, Wires, Wishes};
use ww_packet::checksum::internet_checksum;
use ww_packet::protocol::ip;
use ww_sim::forwarder::{Forwarder, Settings, Start};
use ww_sim::frame;
use ww_sim::line::Limits;
use ww_sim::measure::{Cause, Delivery, Observer};
use ww_sim::network::{Change, Direction, LinkChange, Phy};
use ww_sim::packet::Packet;
use ww_sim::simulation::{Parts, Simulation};
use ww_sim::topology::host;

const MS: u64 = 1_000_000_000;
const US: u64 = 1_000_000;

/// 10 Mb/s are 0.8 us a byte; 1,000 bytes and 24 more take 819.2 us.
const LINE: Direction = Direction {
    rate: 10_000_000,
    delay: 2 * MS,
    jitter: 0,
    overhead: 24,
    limits: Limits { bytes: 2_500, mark: None },
    loss: 0.0,
    corruption: 0.0,
    phy: Phy::Bytes,
};
const FRAME: u64 = 819_200_000;

fn wires(links: &[LinkSettings], changes: Vec<Change>, start: Start) -> Wires {
    let wishes = Wishes { traffic: 1, ..Wishes::default() };
    Wires::new(links, changes, 1, wishes, start, Box::new(())).expect("good links")
}

/// A UDP packet of the first piece of traffic in a frame of so many bytes.
fn datagram(number: u32, bytes: u32, ecn: u8) -> Vec<u8> {
    let packet = Packet {
        bytes,
        number,
        ecn,
        protocol: ip::UDP,
        ports: [10_000, 5_001],
        ttl: 64,
        ..Packet::default()
    };
    let mut out = Vec::new();
    frame::write(&packet, &host(0), &host(1), None, &mut out);
    out
}

/// Gives a frame to a dataplane as a world does; when and where it leaves.
fn give(
    plane: &mut dyn Dataplane,
    port: PortId,
    now: Picoseconds,
    frame: &[u8],
) -> Option<Transmit> {
    let mut out = Vec::new();
    if plane.next_event().is_some_and(|due| due <= now) {
        plane.advance(now, &mut out);
    }
    plane.receive(port, now, frame, &mut out);
    assert!(out.len() <= 1);
    out.pop()
}

fn leaves(
    plane: &mut dyn Dataplane,
    port: PortId,
    now: Picoseconds,
) -> Option<(PortId, Picoseconds)> {
    give(plane, port, now, &datagram(0, 1_000, 0)).map(|transmit| (transmit.port, transmit.at))
}

#[test]
fn frames_take_their_time_and_queue() {
    let fast = Direction { rate: 100_000_000, delay: 5 * MS, ..LINE };
    let mut wires = wires(&[([LINE, fast], true), ([LINE; 2], true)], Vec::new(), Start::unknown());
    assert_eq!(leaves(&mut wires, 0, MS), Some((1, MS + FRAME + 2 * MS)));
    assert_eq!(leaves(&mut wires, 0, MS), Some((1, MS + 2 * FRAME + 2 * MS)));
    assert_eq!(leaves(&mut wires, 0, MS), None, "2,000 bytes wait, and there is room for 2,500");
    // The way back and the other link are their own.
    assert_eq!(leaves(&mut wires, 1, MS), Some((0, MS + FRAME / 10 + 5 * MS)));
    assert_eq!(leaves(&mut wires, 3, MS), Some((2, MS + FRAME + 2 * MS)));
    // The first one has left when the third comes again.
    let later = MS + FRAME;
    assert_eq!(leaves(&mut wires, 0, later), Some((1, MS + 3 * FRAME + 2 * MS)));
    let (counts, _) = wires.counts(later);
    assert_eq!((counts.drops[Cause::Queue as usize], counts.hops), (1, 5));
    assert_eq!((counts.directions[0].dropped, counts.deepest[0]), (1, 2_000));
}

/// A short frame is as long as Ethernet's shortest: 60 bytes and 24 are 67.2 us.
#[test]
fn short_frames() {
    let mut wires = wires(&[([LINE; 2], true)], Vec::new(), Start::unknown());
    let left = give(&mut wires, 0, 0, &[0; 42]).expect("it leaves");
    assert_eq!((left.at, left.frame.len()), (67_200_000 + 2 * MS, 42));
}

#[test]
fn marks() {
    let line = Direction { limits: Limits { bytes: 100_000, mark: Some(1_500) }, ..LINE };
    let mut wires = wires(&[([line; 2], true)], Vec::new(), Start::unknown());
    let ecn = |wires: &mut Wires, capable: u8| {
        let left = give(wires, 0, 0, &datagram(7, 1_000, capable)).expect("it leaves");
        assert_eq!(internet_checksum(&left.frame[14..34]), 0, "the header's checksum stays right");
        left.frame[15] & 3
    };
    let seen: Vec<u8> = [2, 2, 2, 0].map(|capable| ecn(&mut wires, capable)).to_vec();
    assert_eq!(seen, [2, 2, 3, 0], "from 1,500 waiting bytes on, if it understands marks");
}

/// A link is cut from 5 to 10 ms after the start; the start is at 100 ms.
#[test]
fn cuts() {
    let at = |at, what| Change { at: at * MS, link: 0, what };
    let changes = vec![at(5, LinkChange::Down), at(10, LinkChange::Up)];
    let start = Start::unknown();
    let mut wires = wires(&[([LINE; 2], true)], changes, start.clone());
    assert_eq!(leaves(&mut wires, 0, 50 * MS), Some((1, 52 * MS + FRAME)));
    start.set(100 * MS);
    // On the way for 2.8192 ms: one arrives in time, one does not.
    assert_eq!(leaves(&mut wires, 0, 102 * MS), Some((1, 104 * MS + FRAME)));
    assert_eq!(leaves(&mut wires, 1, 103 * MS), None);
    assert_eq!(leaves(&mut wires, 0, 107 * MS), None);
    assert_eq!(leaves(&mut wires, 0, 110 * MS), Some((1, 112 * MS + FRAME)));
    let (counts, _) = wires.counts(110 * MS);
    assert_eq!(counts.drops[Cause::Down as usize], 2);
    assert_eq!(counts.traffic_drops[0][Cause::Down as usize], 2, "told by the receivers' port");
}

#[test]
fn other_changes() {
    let at = |at, what| Change { at: at * MS, link: 0, what };
    let changes = vec![
        at(10, LinkChange::Delay(500 * US)),
        at(20, LinkChange::Rate(20_000_000)),
        at(30, LinkChange::Loss(1.0)),
    ];
    let mut wires = wires(&[([LINE; 2], true)], changes, Start::at(0));
    assert_eq!(leaves(&mut wires, 0, 9 * MS), Some((1, 11 * MS + FRAME)));
    // 10 ms + 0.8192 ms + 0.5 ms is before the one in front of it, which it does not overtake.
    assert_eq!(leaves(&mut wires, 0, 10 * MS), Some((1, 11 * MS + FRAME)));
    assert_eq!(leaves(&mut wires, 0, 20 * MS), Some((1, 20 * MS + FRAME / 2 + 500 * US)));
    assert_eq!(leaves(&mut wires, 0, 30 * MS), None);
    assert_eq!(wires.counts(30 * MS).0.drops[Cause::Loss as usize], 1);
}

/// Times at which counters are noted, and samples of queues.
#[test]
fn notes() {
    let wishes = Wishes { marks: vec![MS, 3 * MS], ..Wishes::default() };
    let links = [([LINE; 2], true)];
    let mut wires = Wires::new(&links, Vec::new(), 1, wishes, Start::at(10 * MS), Box::new(()))
        .expect("good links");
    assert_eq!(wires.next_event(), Some(11 * MS));
    leaves(&mut wires, 0, 10 * MS);
    leaves(&mut wires, 0, 12 * MS);
    assert_eq!(wires.next_event(), Some(13 * MS));
    leaves(&mut wires, 0, 14 * MS);
    let (counts, marks) = wires.counts(14 * MS);
    let sent = |counts: &ww_lab::world::netns::wires::Counts| counts.directions[0].sent;
    // 1,024 bytes each on the line; what waits has not been sent.
    assert_eq!(marks.iter().map(sent).collect::<Vec<_>>(), [1_024, 2_048]);
    assert_eq!(sent(&counts), 2_048 + 24, "the third one is being sent: its 1,000 bytes wait");
}

const LAB: &str = "
title = \"Two links\"
[run]
duration = \"200 ms\"
drain = \"100 ms\"
[topology]
kind = \"star\"
hosts = 2
edge = { rate = \"10 Mb/s\", delay = \"3 ms\", queue = \"5 KB\" }
[[traffic]]
name = \"poisson\"
kind = \"stream\"
pattern = \"poisson\"
from = \"h0\"
to = \"h1\"
bytes = \"700 B\"
rate = \"11 Mb/s\"
";

fn plan(set: &[&str]) -> Plan {
    let set = set.iter().map(|text| (*text).to_owned()).collect();
    let planned = Lab::of_text("links", LAB).plan(&Request { set, ..Request::default() });
    planned.unwrap_or_else(|report| panic!("{report}")).variants.remove(0).plan
}

#[derive(Default)]
struct Arrivals(BTreeMap<u64, u64>);

impl Observer for Arrivals {
    fn delivered(&mut self, delivery: &Delivery) {
        self.0.insert(delivery.sent, delivery.at);
    }
}

/// The same packets through two links and a switch: the same are lost, and the others arrive at the same times, to the
/// picosecond, as in world sim. The first link is overloaded; the other one loses some of what is left.
#[test]
fn as_in_world_sim() {
    for (seed, set) in [
        (1, "topology.edge.loss=0.1"),
        (2, "topology.edge.jitter=4 ms"),
        (3, "topology.edge.loss=0"),
    ] {
        let plan = plan(&[set]);
        let network = &plan.network;
        let wishes = ww_sim::measure::Wishes { packets: true, ..Default::default() };
        let mut simulation =
            Simulation::new(network.clone(), Parts::default(), seed, wishes).expect("a network");
        let mut expected = Arrivals::default();
        simulation.run(plan.run.duration + plan.run.drain, &mut expected);

        let links: Vec<LinkSettings> =
            network.links.iter().map(|link| (link.directions, link.up)).collect();
        let mut wires =
            Wires::new(&links, Vec::new(), seed, Wishes::default(), Start::at(0), Box::new(()))
                .expect("good links");
        let switch =
            network.nodes.iter().position(|node| node.name == "s0").expect("a switch") as u32;
        let mut forwarder = Forwarder::new(Settings::of(network, switch, seed), Start::at(0));
        let end = |port: PortId| network.links[port as usize / 2].ends[port as usize % 2];
        let port_at = |node, port| {
            let ports = 0..2 * links.len() as u32;
            ports
                .clone()
                .find(|number| (end(*number).node, end(*number).port) == (node, port))
                .expect("a link")
        };
        let sends = schedule(&plan, seed).expect("a schedule").streams.remove(0);
        assert!(sends.len() > 300, "{}", sends.len());
        // By time and order: what comes in at which end.
        let mut coming: BTreeMap<(u64, usize), (PortId, Vec<u8>)> = BTreeMap::new();
        let sender = port_at(network.hosts().next().expect("a host").0, 0);
        for (number, (at, bytes)) in sends.iter().enumerate() {
            coming.insert((*at, number), (sender, datagram(number as u32, *bytes, 0)));
        }
        let mut arrived = BTreeMap::new();
        while let Some(((now, order), (port, bytes))) = coming.pop_first() {
            if port == u32::MAX {
                let (number, _) = frame::read_datagram(&bytes).expect("a datagram");
                arrived.insert(sends[number as usize].0, now);
                continue;
            }
            let Some(left) = give(&mut wires, port, now, &bytes) else { continue };
            let there = end(left.port);
            let next = match there.node == switch {
                true => {
                    let onward =
                        give(&mut forwarder, there.port, left.at, &left.frame).expect("a way");
                    (port_at(switch, onward.port), onward.frame)
                }
                false => (u32::MAX, left.frame),
            };
            coming.insert((left.at, order), next);
        }
        assert_eq!(arrived, expected.0, "{set}");
        assert!(arrived.len() < sends.len(), "{set}: some are lost");
    }
}

/// A ring of four: the way is the other one after the cut and the time to notice it; what routers do to a packet.
#[test]
fn switches_notice_and_age() {
    const RING: &str = "
title = \"Ring\"
[run]
duration = \"100 ms\"
[topology]
kind = \"ring\"
switches = 4
hosts = 1
switch = { routes = true, latency = \"10 us\" }
edge = { rate = \"10 Mb/s\", delay = \"3 ms\" }
core = { rate = \"10 Mb/s\", delay = \"3 ms\" }
[routing]
reroute = \"5 ms\"
[[change]]
at = \"20 ms\"
link = \"s0-s1\"
down = true
";
    let planned = Lab::of_text("ring", RING).plan(&Request::default());
    let network =
        planned.unwrap_or_else(|report| panic!("{report}")).variants.remove(0).plan.network;
    let switch = network.nodes.iter().position(|node| node.name == "s0").expect("s0") as u32;
    let start = Start::unknown();
    let mut forwarder = Forwarder::new(Settings::of(&network, switch, 1), start.clone());
    let port_to = |name: &str| {
        let other = network.nodes.iter().position(|node| node.name == name).expect("a node") as u32;
        let ends = network.links.iter().map(|link| link.ends);
        let mut own = ends.filter_map(|[a, b]| match (a.node, b.node) {
            (a_node, b_node) if a_node == switch && b_node == other => Some(a.port),
            (a_node, b_node) if b_node == switch && a_node == other => Some(b.port),
            _ => None,
        });
        own.next().expect("a link")
    };
    let frame = datagram(0, 200, 0);
    let way = |forwarder: &mut Forwarder, now| {
        give(forwarder, 0, now, &frame).map(|left| (left.port, left.at))
    };
    assert_eq!(way(&mut forwarder, 0), Some((port_to("s1"), 10 * US)));
    start.set(MS);
    assert_eq!(way(&mut forwarder, 25 * MS), Some((port_to("s1"), 25 * MS + 10 * US)));
    assert_eq!(way(&mut forwarder, 26 * MS), Some((port_to("s3"), 26 * MS + 10 * US)));
    let left = give(&mut forwarder, 0, 30 * MS, &frame).expect("a way").frame;
    assert_eq!((left[22], internet_checksum(&left[14..34])), (63, 0));
    let mut old = frame.clone();
    old[22] = 1;
    assert_eq!(give(&mut forwarder, 0, 30 * MS, &old), None);
    let mut stranger = frame;
    stranger[30] = 11;
    assert_eq!(give(&mut forwarder, 0, 30 * MS, &stranger), None);
    assert_eq!((forwarder.dropped.ttl, forwarder.dropped.route), (1, 1));
}
