//! Through a plain link, a switch, and a node that changes nothing.

use crate::common::{MICROSECOND, MILLISECOND, run, traffic};
use crate::stack::{
    ATTACHED, BYTE, GIGABIT, OVERHEAD, Said, Wire, across, attach, capturing, direction, pair,
    pattern, read, stream, transfer,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use ww_dataplane::{Dataplane, Picoseconds, PortId, Status, Transmit};
use ww_packet::tcp::flags;
use ww_sim::measure::Wishes;
use ww_sim::network::traffic::{Kind, Pattern, Ping, Stream, Transport};
use ww_sim::network::{NodeId, Switch};
use ww_sim::nodes::hosts::HostsReport;
use ww_sim::pending::Time;
use ww_sim::simulation::Parts;
use ww_sim::stack::Settings;
use ww_sim::topology::star;

const DELAY: Time = 10 * MICROSECOND;

/// A frame of so many bytes on its way over a link.
fn hop(bytes: usize) -> Time {
    (bytes as Time + OVERHEAD) * BYTE + DELAY
}

/// ARP request and reply, SYN, SYN-ACK, ACK, each sent when the one before it has arrived: 60 bytes are the shortest
/// frame; a SYN has 14 + 20 + 20 bytes and options for the segment's length (4), the window's scale (3) and SACK (2), filled
/// up to 12; an ACK without data is filled up to 60. Then all bytes, with right checksums, and FINs.
#[test]
fn a_megabyte_through_a_link() {
    let mut network = pair(DELAY);
    let kind = transfer(0, 1, 1_000_000, Settings::default());
    network.traffic.push(traffic("file", kind, 100 * MILLISECOND));
    let (simulation, kept) =
        run(network, Parts::default(), 1, capturing(&[0, 1]), 100 * MILLISECOND);
    let said: Vec<_> =
        kept.frames.iter().map(|(way, at, frame)| (*way, *at, frame.len(), read(frame))).collect();
    let arp = hop(60);
    let (syn, both) = (hop(66), hop(66));
    for (number, (way, at, bytes)) in [
        (0, 0, 60),
        (1, arp, 60),
        (0, 2 * arp, 66),
        (1, 2 * arp + syn, 66),
        (0, 2 * arp + syn + both, 60),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!((said[number].0, said[number].1, said[number].2), (way, at, bytes), "{number}");
    }
    assert_eq!((&said[0].3, &said[1].3), (&Said::Arp(1), &Said::Arp(2)));
    assert_eq!(kept.frames[0].2[..6], [0xff; 6], "to all");
    let handshake: Vec<u8> = said[2..5]
        .iter()
        .map(|(.., said)| match said {
            Said::Tcp { flags, ttl: 64, data, .. } if data.is_empty() => *flags,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(handshake, [flags::SYN, flags::SYN | flags::ACK, flags::ACK]);
    let numbers: Vec<_> = said[2..5]
        .iter()
        .map(|(.., said)| match said {
            Said::Tcp { sequence, acknowledgement, .. } => (*sequence, *acknowledgement),
            other => panic!("{other:?}"),
        })
        .collect();
    let (first, answer) = (numbers[0].0, numbers[1].0);
    assert_eq!(numbers[1].1, first.wrapping_add(1));
    assert_eq!(numbers[2], (first.wrapping_add(1), answer.wrapping_add(1)));
    let forth = kept.frames.iter().filter(|(way, ..)| *way == 0).map(|(.., frame)| &frame[..]);
    assert_eq!(stream(forth), (pattern(1_000_000), 0));
    for way in [0, 1] {
        let fins = said.iter().filter(|(other, _, _, said)| {
            *other == way
                && matches!(said, Said::Tcp { flags, .. } if flags & self::flags::FIN != 0)
        });
        assert_eq!(fins.count(), 1, "{way}");
    }
    let [flow] = kept.flows[..] else { panic!("{:?}", kept.flows) };
    assert_eq!((flow.received, flow.retransmitted, flow.timeouts), (1_000_000, 0, 0));
    // The last byte has come when the last segment has. The network takes 685 of 1,460 bytes at least.
    let end = flow.end.expect("it is complete");
    let last = kept.frames.iter().rfind(|(way, _, frame)| *way == 0 && frame.len() > 60);
    let (_, at, frame) = last.expect("data");
    assert_eq!(end, at + hop(frame.len()));
    assert!(end > 2 * arp + syn + both + 684 * (1_514 + OVERHEAD) * BYTE);
    let sums = &simulation.sums()[0];
    assert_eq!((sums.goodput, sums.wrong, sums.sent), (1_000_000, 0, sums.delivered));
}

/// The same bytes each time; with another seed other initial sequence numbers, and the same times.
#[test]
fn stack_runs_with_equal_seeds_are_identical() {
    let go = |seed| {
        let mut network = pair(DELAY);
        let kind = transfer(0, 1, 100_000, Settings::default());
        network.traffic.push(traffic("file", kind, 20 * MILLISECOND));
        run(network, Parts::default(), seed, capturing(&[0, 1]), 20 * MILLISECOND).1
    };
    let first = go(7);
    assert_eq!(first, go(7));
    let other = go(8);
    assert_eq!(first.flows, other.flows);
    assert_ne!(first.frames, other.frames);
}

/// UDP through a switch: each packet takes two links. While the first one waits for ARP (a request and a reply
/// through the switch) the others wait behind it.
#[test]
fn packets_through_a_switch() {
    let mut network = star(3, Switch::default(), direction(DELAY));
    attach(&mut network, ATTACHED);
    let hosts: Vec<NodeId> = network.hosts().map(|(id, _)| id).collect();
    let pattern = Pattern::Constant { rate: 100_000_000 };
    let stream = Stream { from: hosts[0], to: hosts[1], bytes: 1_226, pattern };
    network.traffic.push(traffic("over", Kind::Stream(stream), 10 * MILLISECOND));
    // Links are in the order of hosts, from switch to host or back; the third host's must stay silent.
    let wishes = Wishes { captures: (0..6).collect(), ..Wishes::default() };
    let (mut simulation, kept) = run(network, Parts::default(), 1, wishes, 11 * MILLISECOND);
    let reports: Vec<HostsReport> = simulation.inspect().take();
    let sums = &simulation.sums()[0];
    // A packet of 1,226 bytes each 98.08 us, from 0 on.
    let sent = (10 * MILLISECOND).div_ceil(98_080_000);
    assert_eq!((sums.sent, sums.delivered, sums.goodput), (sent, sent, sent * 1_184));
    assert_eq!((sums.wrong, reports[0].strangers), (0, 0));
    // From the host's queue on: ARP is before that.
    assert_eq!(sums.latency.range(), Some((2 * hop(1_226), 2 * hop(1_226))));
    let third = |way: u32| way / 2 == 2;
    assert!(!kept.frames.iter().any(|(way, ..)| third(*way)), "nobody asks the third host");
    let arps = kept.frames.iter().filter(|(.., frame)| matches!(read(frame), Said::Arp(_)));
    assert_eq!(arps.count(), 4);
    let first = kept.frames.iter().find(|(.., frame)| matches!(read(frame), Said::Other(17)));
    assert_eq!(first.map(|(_, at, _)| *at), Some(4 * hop(60)));
}

/// An echo of 56 bytes is a frame of 98. The first one waits for ARP in front of it; who answers has learnt the
/// asker's address from its request.
#[test]
fn ping() {
    let mut network = star(2, Switch::default(), direction(DELAY));
    attach(&mut network, ATTACHED);
    let ping = Ping { from: 1, to: 2, bytes: 56, period: MILLISECOND };
    network.traffic.push(traffic("ping", Kind::Ping(ping), 10 * MILLISECOND));
    let (simulation, _) = run(network, Parts::default(), 1, Wishes::default(), 11 * MILLISECOND);
    let sums = &simulation.sums()[0];
    let echo = 4 * hop(98);
    assert_eq!(sums.round_trips.range(), Some((echo, echo + 4 * hop(60))));
    assert_eq!((sums.round_trips.count(), sums.sent, sums.delivered, sums.wrong), (10, 10, 10, 0));
    assert_eq!(sums.latency.range(), Some((2 * hop(98), 2 * hop(98))));
}

/// Something between the hosts exchanges two bytes of each packet's data, which the checksum does not feel: the
/// applications do.
#[test]
fn payload_corruption_is_counted() {
    let changed = Arc::new([AtomicU64::new(0), AtomicU64::new(0)]);
    let count = Arc::clone(&changed);
    let exchange = move |_: u32, frame: &mut Vec<u8>| {
        // Words at even places of TCP's data, and of UDP's behind the stamp.
        if frame.len() > 100 {
            for place in 60..62 {
                let others = u64::from(frame[place] != frame[place + 2]);
                count[usize::from(frame[23] == 17)].fetch_add(2 * others, Ordering::Relaxed);
                frame.swap(place, place + 2);
            }
        }
        true
    };
    let (mut network, parts) = across(DELAY, Wire(exchange));
    let kind = transfer(1, 2, 14_600, Settings::default());
    network.traffic.push(traffic("file", kind, 50 * MILLISECOND));
    let pattern = Pattern::Constant { rate: 1_000_000 };
    let stream = Stream { from: 1, to: 2, bytes: 500, pattern };
    network.traffic.push(traffic("stream", Kind::Stream(stream), 50 * MILLISECOND));
    let (simulation, kept) = run(network, parts, 1, Wishes::default(), 60 * MILLISECOND);
    let [file, stream] = simulation.sums() else { panic!("two") };
    let [in_file, in_stream] = [0, 1].map(|place: usize| changed[place].load(Ordering::Relaxed));
    assert!(in_file >= 30 && in_stream >= 40, "{in_file} {in_stream}");
    assert_eq!((file.wrong, stream.wrong), (in_file, in_stream));
    assert_eq!((file.all_finished, kept.flows[0].end), (0, None));
    assert_eq!(file.goodput, 14_600 - file.wrong);
    // A packet each 4 ms from 0 on.
    assert_eq!(stream.delivered, 13);
}

/// Holds frames for 5 us itself, so that the simulation does not know what they were.
struct Held(Vec<Transmit>);

impl Dataplane for Held {
    fn receive(&mut self, port: PortId, now: Picoseconds, frame: &[u8], _: &mut Vec<Transmit>) {
        let at = now + 5 * MICROSECOND;
        self.0.push(Transmit { port: 1 - port, at, frame: frame.to_vec() });
    }

    fn advance(&mut self, now: Picoseconds, out: &mut Vec<Transmit>) {
        out.extend(self.0.extract_if(.., |transmit| transmit.at <= now));
    }

    fn status(&self) -> Status {
        Status { next_event: self.0.iter().map(|transmit| transmit.at).min(), refused: 0 }
    }
}

/// Packets that were in a program's queue: those of UDP and echoes say when they were sent, those of TCP do not, and have no
/// latency rather than a wrong one.
#[test]
fn latency_through_a_queue() {
    let (mut network, parts) = across(DELAY, Held(Vec::new()));
    let pattern = Pattern::Constant { rate: 10_000_000 };
    let stream = Stream { from: 1, to: 2, bytes: 1_000, pattern };
    network.traffic.push(traffic("stream", Kind::Stream(stream), 5 * MILLISECOND));
    let ping = Ping { from: 1, to: 2, bytes: 56, period: MILLISECOND };
    let mut ping = traffic("ping", Kind::Ping(ping), 5 * MILLISECOND);
    // Between packets of the stream, which come each 800 us.
    ping.start = 300 * MICROSECOND;
    network.traffic.push(ping);
    let mut file = traffic("file", transfer(1, 2, 5_000, Settings::default()), 30 * MILLISECOND);
    file.start = 8 * MILLISECOND;
    network.traffic.push(file);
    let (simulation, kept) = run(network, parts, 1, Wishes::default(), 50 * MILLISECOND);
    let [stream, ping, file] = simulation.sums() else { panic!("three") };
    let held = 5 * MICROSECOND;
    // The first one waited for ARP, and says when its application sent it.
    let first = 2 * (2 * hop(60) + held);
    let latency = 2 * hop(1_000) + held;
    assert_eq!(stream.latency.range(), Some((latency, latency + first)));
    assert_eq!(ping.latency.range(), Some((2 * hop(98) + held, 2 * hop(98) + held)));
    assert_eq!(ping.round_trips.range(), Some((4 * hop(98) + 2 * held, 4 * hop(98) + 2 * held)));
    assert_eq!((file.latency.count(), file.goodput, file.wrong), (0, 5_000, 0));
    assert!(file.delivered > 4 && kept.flows.iter().any(|flow| flow.end.is_some()));
}

/// Requests and answers, and UDP flows with an end, between hosts with a stack. smoltcp asks for one address a second:
/// what is for a second neighbour begins that much later.
#[test]
fn requests_and_udp_flows() {
    use ww_sim::network::traffic::{Arrivals, Flows, Pairs, Requests};
    use ww_sim::workload::sizes::Sizes;
    let mut network = star(3, Switch::default(), direction(DELAY));
    attach(&mut network, ATTACHED);
    let requests = Requests {
        clients: vec![1, 2],
        servers: vec![3],
        request: 100,
        response: Arc::new(Sizes::Fixed(20_000)),
        outstanding: 1,
        think: MILLISECOND,
        transport: Transport::Stack(Settings::default()),
    };
    network.traffic.push(traffic("ask", Kind::Requests(requests), 50 * MILLISECOND));
    let flows = Flows {
        pairs: Pairs::Listed(vec![(1, 2), (2, 1)]),
        arrivals: Arrivals::Once,
        sizes: Arc::new(Sizes::Fixed(50_000)),
        transport: Transport::Udp { rate: GIGABIT / 10, bytes: 1_042 },
    };
    let mut udp = traffic("udp", Kind::Flows(flows), 1_600 * MILLISECOND);
    udp.start = 1_500 * MILLISECOND;
    network.traffic.push(udp);
    let end = 3_000 * MILLISECOND;
    let (simulation, kept) = run(network, Parts::default(), 1, Wishes::default(), end);
    let [ask, udp] = simulation.sums() else { panic!("two") };
    assert!(ask.all_finished > 20 && ask.all_started == ask.all_finished, "{ask:?}");
    assert_eq!((udp.all_finished, udp.goodput, udp.delivered), (2, 100_000, 100));
    assert_eq!(ask.wrong + udp.wrong, 0);
    assert!(kept.flows.iter().all(|flow| flow.end.is_some() && flow.received == flow.bytes));
}
