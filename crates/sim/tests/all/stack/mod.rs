//! Hosts with a stack: what is on the wire against the RFCs and against times worked out by hand.

use crate::common;
mod limits;
mod loss;
mod nonsense;
mod wire;

use std::collections::BTreeMap;
use std::sync::Arc;
use ww_dataplane::{Dataplane, Picoseconds, PortId, Status, Transmit};
use ww_packet::protocol::{ethertype, ip};
use ww_packet::{checksum, ethernet, ipv4, tcp};
use ww_sim::line::Limits;
use ww_sim::measure::Wishes;
use ww_sim::network::traffic::{Arrivals, Flows, Kind, Pairs, Transport};
use ww_sim::network::{Direction, Network, NodeId, NodeKind};
use ww_sim::pending::Time;
use ww_sim::simulation::Parts;
use ww_sim::stack::{Attachment, Settings};
use ww_sim::topology::Builder;
use ww_sim::workload::sizes::Sizes;

const GIGABIT: u64 = 1_000_000_000;
/// What a byte takes at 1 Gb/s, ps.
const BYTE: Time = 8_000;
/// Preamble, FCS and gap.
const OVERHEAD: Time = 24;

/// No router, all hosts in one network, Ethernet's MTU.
const ATTACHED: Attachment = Attachment { prefix: 0, router: None, mtu: 1_500 };

/// 1 Gb/s with this delay, and room for much.
fn direction(delay: Time) -> Direction {
    Direction { delay, limits: Limits { bytes: 1 << 20, mark: None }, ..common::line(GIGABIT) }
}

/// Gives all hosts a stack.
fn attach(network: &mut Network, attachment: Attachment) {
    for node in &mut network.nodes {
        if let NodeKind::Host(host) = &mut node.kind {
            host.stack = Some(attachment);
        }
    }
}

/// Two hosts with a stack and one link.
fn pair(delay: Time) -> Network {
    let mut builder = Builder::default();
    let [first, second] = [builder.host(), builder.host()];
    builder.link(first, second, direction(delay));
    let mut network = builder.finish();
    attach(&mut network, ATTACHED);
    network
}

/// Two hosts with a stack, nodes 1 and 2, and a node between them.
fn across(delay: Time, between: impl Dataplane + 'static) -> (Network, Parts) {
    let mut builder = Builder::default();
    let program = builder.node("between".to_owned(), NodeKind::Program);
    builder.hosts(2, program, direction(delay));
    let mut network = builder.finish();
    attach(&mut network, ATTACHED);
    let dataplanes: BTreeMap<NodeId, Box<dyn Dataplane>> =
        BTreeMap::from([(0, Box::new(between) as _)]);
    (network, Parts { dataplanes, ..Parts::default() })
}

/// Passes frames from port 0 to port 1 and back; the function may change a frame or drop it.
struct Wire<F>(F);

impl<F: FnMut(PortId, &mut Vec<u8>) -> bool + Send> Dataplane for Wire<F> {
    fn receive(&mut self, port: PortId, now: Picoseconds, frame: &[u8], out: &mut Vec<Transmit>) {
        let mut frame = frame.to_vec();
        if (self.0)(port, &mut frame) {
            out.push(Transmit { port: 1 - port, at: now, frame });
        }
    }

    fn advance(&mut self, _: Picoseconds, _: &mut Vec<Transmit>) {}

    fn status(&self) -> Status {
        Status::default()
    }
}

/// One flow of TCP from a node to another, at the start.
fn transfer(from: NodeId, to: NodeId, bytes: u64, settings: Settings) -> Kind {
    Kind::Flows(Flows {
        pairs: Pairs::Listed(vec![(from, to)]),
        arrivals: Arrivals::Once,
        sizes: Arc::new(Sizes::Fixed(bytes)),
        transport: Transport::Stack(settings),
    })
}

/// Captures these directions.
fn capturing(captures: &[u32]) -> Wishes {
    Wishes { captures: captures.to_vec(), ..Wishes::default() }
}

/// What a frame says, its checksums having been looked at.
#[derive(Debug, PartialEq)]
enum Said {
    /// 1 a request, 2 a reply.
    Arp(u8),
    Tcp {
        flags: u8,
        sequence: u32,
        acknowledgement: u32,
        data: Vec<u8>,
        ttl: u8,
    },
    Other(u8),
}

/// Reads a frame. Panics if a checksum is wrong: fields by their places in RFC 791, 793 and 826, sums as RFC 1071 says.
fn read(frame: &[u8]) -> Said {
    assert!(frame.len() >= 60, "{}", frame.len());
    let link = ethernet::Frame::new(frame).expect("a frame");
    if link.ethertype() == ethertype::ARP {
        return Said::Arp(frame[21]);
    }
    assert_eq!(link.ethertype(), ethertype::IPV4);
    let header = ipv4::Packet::new(&frame[14..]).expect("a header");
    assert_eq!(checksum::internet_checksum(&frame[14..34]), 0);
    let end = 14 + usize::from(header.total_length());
    let payload = &frame[34..end];
    if header.protocol() != ip::TCP {
        return Said::Other(header.protocol());
    }
    let (source, destination) = (header.source(), header.destination());
    let sum = checksum::pseudo_header_v4(source, destination, ip::TCP, payload.len() as u16);
    let segment = tcp::Segment::new(payload).expect("a segment");
    assert!(segment.checksum_valid(sum));
    Said::Tcp {
        flags: segment.flags(),
        sequence: segment.sequence(),
        acknowledgement: segment.acknowledgement(),
        data: segment.payload().to_vec(),
        ttl: header.ttl(),
    }
}

/// The bytes that a direction has carried, in order of their numbers, and how many came twice.
fn stream<'f>(frames: impl Iterator<Item = &'f [u8]>) -> (Vec<u8>, usize) {
    let (mut bytes, mut twice, mut first) = (Vec::new(), 0, None);
    for frame in frames {
        let Said::Tcp { flags, sequence, data, .. } = read(frame) else { continue };
        if flags & tcp::flags::SYN != 0 {
            first = Some(sequence.wrapping_add(1));
        }
        if data.is_empty() {
            continue;
        }
        let at = sequence.wrapping_sub(first.expect("a SYN comes first")) as usize;
        if bytes.len() < at + data.len() {
            bytes.resize(at + data.len(), None);
        }
        for (place, byte) in bytes[at..].iter_mut().zip(data) {
            twice += usize::from(place.replace(byte).is_some());
        }
    }
    (bytes.into_iter().map(|byte| byte.expect("no holes")).collect(), twice)
}

/// The bytes of the first flow of a run.
fn pattern(bytes: usize) -> Vec<u8> {
    let mut expected = vec![0; bytes];
    ww_sim::stack::pattern::fill(1, 0, &mut expected);
    expected
}
