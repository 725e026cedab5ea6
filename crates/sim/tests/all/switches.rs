//! Switches with a scheduler, and switches that run a program, against what can be worked out by hand.

use crate::common;

use common::{MICROSECOND, MILLISECOND, line, run, traffic};
use std::collections::BTreeMap;
use ww_dataplane::{Dataplane, Picoseconds, PortId, Status, Transmit};
use ww_sched::policy_file::Plan;
use ww_sim::clock::Clock;
use ww_sim::measure::{Cause, Wishes};
use ww_sim::network::traffic::{Kind, Pattern, Replay, Stream};
use ww_sim::network::{NodeId, NodeKind, Switch};
use ww_sim::nodes::hosts::HostsReport;
use ww_sim::simulation::Parts;
use ww_sim::topology::{Builder, star};

const GIGABIT: u64 = 1_000_000_000;

/// Two hosts send 0.8 Gb/s each to a third one at 1 Gb/s, one of them with priority: it gets through as a whole and
/// waits for one packet at most, the other one has what is left.
#[test]
fn strict_priority_at_a_plain_switch() {
    let plan = Plan::parse(
        r#"
        rate = "1 Gb/s"
        [root]
        policy = "strict"
        [[root.children]]
        name = "high"
        priority = 0
        [[root.children]]
        name = "low"
        priority = 1
        [traffic]
        default = "low"
        [[traffic.classes]]
        flow = "high"
        dscp = 46
        [traffic.queue]
        packets = 50
        "#,
    )
    .expect("a good policy");
    let mut network = star(3, Switch { routes: true, latency: 0 }, line(GIGABIT));
    let hosts: Vec<NodeId> = network.hosts().map(|(id, _)| id).collect();
    for (from, name, class) in [(0, "high", 46), (1, "low", 0)] {
        let pattern = Pattern::Constant { rate: 800_000_000 };
        let stream = Stream { from: hosts[from], to: hosts[2], bytes: 1476, pattern };
        let mut traffic = traffic(name, Kind::Stream(stream), 100 * MILLISECOND);
        traffic.class = class;
        network.traffic.push(traffic);
    }
    let managers = BTreeMap::from([(0, plan.traffic_manager())]);
    let parts = Parts { managers, ..Parts::default() };
    let (simulation, _) = run(network, parts, 1, Wishes::default(), 101 * MILLISECOND);
    let [high, low] = simulation.sums() else { panic!("two pieces of traffic") };
    // 1,500 bytes with overhead are 12 us.
    let packet = 12 * MICROSECOND;
    assert_eq!((high.sent, high.delivered), (high.sent, high.sent));
    let (least, most) = high.latency.range().expect("packets");
    let alone = 2 * (packet + MICROSECOND);
    assert!(least >= alone && most <= alone + packet, "{least} {most}");
    // A packet every 14.76 us each: the link carries 8,333 in 100 ms, of which 6,775 are the first one's.
    let expected = 100 * MILLISECOND / packet - high.sent;
    // What is queued at the end goes out afterwards.
    assert!(low.delivered.abs_diff(expected) <= 52, "{} {expected}", low.delivered);
    assert_eq!(low.drops[Cause::Queue as usize], low.sent - low.delivered);
    assert_eq!(high.drops, [0; Cause::ALL.len()]);
}

/// Sends what comes on port 0 to port 1 and back, some time later; frames for port 9 as well, every fourth.
struct Patch {
    hold: Picoseconds,
    waiting: Vec<Transmit>,
    seen: u64,
    times: Vec<Picoseconds>,
}

impl Dataplane for Patch {
    fn receive(&mut self, port: PortId, now: Picoseconds, frame: &[u8], out: &mut Vec<Transmit>) {
        self.seen += 1;
        self.times.push(now);
        if self.seen.is_multiple_of(4) {
            out.push(Transmit { port: 9, at: now, frame: frame.to_vec() });
        }
        let transmit = Transmit { port: 1 - port, at: now + self.hold, frame: frame.to_vec() };
        match self.seen % 2 {
            // Held by the world, or by the dataplane itself.
            0 => out.push(transmit),
            _ => self.waiting.push(transmit),
        }
    }

    fn advance(&mut self, now: Picoseconds, out: &mut Vec<Transmit>) {
        out.extend(self.waiting.extract_if(.., |transmit| transmit.at <= now));
    }

    fn status(&self) -> Status {
        Status { next_event: self.waiting.iter().map(|transmit| transmit.at).min(), refused: 0 }
    }
}

fn patched(clock: Clock) -> (ww_sim::network::Network, Parts) {
    let mut builder = Builder::default();
    let program = builder.node("patch".to_owned(), NodeKind::Program);
    builder.hosts(2, program, line(GIGABIT));
    let mut network = builder.finish();
    network.nodes[0].clock = clock;
    let patch = Patch { hold: 5 * MICROSECOND, waiting: Vec::new(), seen: 0, times: Vec::new() };
    let dataplanes: BTreeMap<NodeId, Box<dyn Dataplane>> =
        BTreeMap::from([(0, Box::new(patch) as _)]);
    (network, Parts { dataplanes, ..Parts::default() })
}

/// A program holds each packet for 5 us, and sends copies through a port that leads nowhere.
#[test]
fn a_program_holds_packets() {
    let (mut network, parts) = patched(Clock::exact());
    let pattern = Pattern::Constant { rate: 100_000_000 };
    let stream = Stream { from: 1, to: 2, bytes: 1226, pattern };
    network.traffic.push(traffic("over", Kind::Stream(stream), 10 * MILLISECOND));
    let (simulation, _) = run(network, parts, 1, Wishes::default(), 11 * MILLISECOND);
    let sums = &simulation.sums()[0];
    // 1,250 bytes with overhead are 10 us at 1 Gb/s; a frame every 98.08 us.
    let way = 2 * (10 + 1) * MICROSECOND + 5 * MICROSECOND;
    assert_eq!(sums.latency.range(), Some((way, way)));
    let sent = (10 * MILLISECOND).div_ceil(98_080_000);
    assert_eq!((sums.sent, sums.delivered, sums.goodput), (sent, sent, sent * 1184));
    assert_eq!(sums.drops[Cause::Route as usize], sent / 4);
}

/// A node whose clock is 10 % fast holds packets for less.
#[test]
fn program_runs_on_its_node_clock() {
    let (mut network, parts) = patched(Clock::new(7_000_000, 100_000_000));
    let pattern = Pattern::Constant { rate: 100_000_000 };
    let stream = Stream { from: 2, to: 1, bytes: 1226, pattern };
    network.traffic.push(traffic("over", Kind::Stream(stream), MILLISECOND));
    let (simulation, _) = run(network, parts, 1, Wishes::default(), 11 * MILLISECOND);
    let (least, most) = simulation.sums()[0].latency.range().expect("packets");
    let held = 5.0 * MICROSECOND as f64 / 1.1;
    let way = (2 * (10 + 1) * MICROSECOND) as f64 + held;
    assert!(
        (least as f64 - way).abs() < 3.0 && (most as f64 - way).abs() < 3.0,
        "{least} {most} {way}"
    );
}

/// A capture is replayed at its times, as it is; what no host knows is counted where it arrives.
#[test]
fn replayed_frames() {
    let (mut network, parts) = patched(Clock::exact());
    let frames: Vec<_> = (0..8u64)
        .map(|number| {
            let mut frame = vec![0u8; 100];
            frame[12..14].copy_from_slice(&[8, 0]);
            frame[14] = 0x45;
            frame[17] = 86;
            frame[23] = 17;
            frame[26..30].copy_from_slice(&[10, 0, 0, 1]);
            // For the other host, and for nobody.
            frame[30..34].copy_from_slice(&[10, 0, 0, if number < 5 { 2 } else { 77 }]);
            (number * 50 * MICROSECOND, frame)
        })
        .collect();
    let replay = Replay { from: 1, frames: frames.clone().into() };
    network.traffic.push(traffic("replay", Kind::Replay(replay), MILLISECOND));
    let wishes = Wishes { captures: vec![3], drops: true, ..Wishes::default() };
    let (mut simulation, kept) = run(network, parts, 1, wishes, 2 * MILLISECOND);
    let reports: Vec<HostsReport> = simulation.inspect().take();
    let sums = &simulation.sums()[0];
    // Those that the program has kept itself are nobody's.
    assert_eq!((sums.sent, sums.delivered, reports[0].strangers), (8, 2, 3));
    assert_eq!(simulation.drops()[Cause::Host as usize], 3);
    // Link 1 is the second host's; the way back of it is what the program sends to it.
    let captured: Vec<_> = kept.frames.iter().map(|(_, at, frame)| (*at, frame.clone())).collect();
    let first_link = 124 * 8_000 + MICROSECOND;
    let expected: Vec<_> =
        frames.into_iter().map(|(at, frame)| (at + first_link + 5 * MICROSECOND, frame)).collect();
    assert_eq!(captured, expected);
}

/// Samples come at their times, and what was sent between two of them is the line's rate while there is something to send.
#[test]
fn samples_of_a_queue() {
    let mut network = star(3, Switch::default(), line(GIGABIT));
    for from in [1, 2] {
        let pattern = Pattern::Constant { rate: 900_000_000 };
        let stream = Stream { from, to: 3, bytes: 1476, pattern };
        network.traffic.push(traffic(
            &format!("from {from}"),
            Kind::Stream(stream),
            10 * MILLISECOND,
        ));
    }
    // Link 2 is the third host's; direction 5 goes to it.
    let wishes = Wishes { sample_every: Some(MILLISECOND), sampled: vec![5], ..Wishes::default() };
    let (_, kept) = run(network, Parts::default(), 1, wishes, 12 * MILLISECOND);
    let times: Vec<_> = kept.samples.iter().map(|sample| sample.at / MILLISECOND).collect();
    assert_eq!(times, (0..=12).collect::<Vec<_>>());
    // The queue fills at 0.8 Gb/s or so: 200 packets of 12 us are there after 3 ms.
    let deep = &kept.samples[4..=10];
    assert!(
        deep.iter().all(|sample| sample.queued > 198 * 1476 && sample.queued <= 300_000),
        "{deep:?}"
    );
    for pair in kept.samples[1..=10].windows(2) {
        // 1 ms at 1 Gb/s, to one packet.
        assert!((pair[1].sent - pair[0].sent).abs_diff(125_000) <= 2 * 1500, "{pair:?}");
    }
    assert!(kept.samples[10].dropped > 300 && kept.samples[10].dropped > kept.samples[5].dropped);
}
