//! Packets as bytes, for programs, captures and classifiers: Ethernet, IPv4, and UDP or TCP.
//!
//! What hosts know of a packet is in its bytes: the number and the time of sending of a UDP packet are the first
//! twelve bytes of its data, a TCP segment is in its header and its options. The rest of the data is zeros.

use crate::lookup::Lookup;
use crate::network::Host;
use crate::packet::{NOBODY, Packet};
use crate::pending::Time;
use crate::transport::tcp::{Block, Segment};
use std::net::Ipv4Addr;
use ww_packet::checksum::{pseudo_header_v4, update_u16};
use ww_packet::ethernet::{self, MacAddress};
use ww_packet::protocol::{ethertype, ip};
use ww_packet::{icmp, ipv4, tcp, udp};
use ww_tpp::frame::network_layer;

/// Bytes of a UDP frame that are not the application's.
pub const UDP_HEADERS: u32 = 14 + 20 + 8;
/// The shortest frame without FCS (IEEE 802.3, clause 4).
pub const SHORTEST: u32 = 60;

const IP_AT: usize = ethernet::HEADER_LENGTH;
const TRANSPORT_AT: usize = IP_AT + ipv4::MINIMUM_LENGTH;
/// Bits of a TCP time stamp: nanoseconds.
const STAMP: u64 = 1 << 32;

/// The hash of addresses and ports that multipath uses.
pub fn hash(source: u32, destination: u32, ports: [u16; 2]) -> u32 {
    let hosts = u64::from(source) << 32 | u64::from(destination);
    let ports = u64::from(ports[0]) << 16 | u64::from(ports[1]);
    ww_dataplane::random::threefry(hosts, ports) as u32
}

/// Makes the frame of a packet between two hosts, a TCP segment or a UDP packet.
pub fn write(
    packet: &Packet,
    from: &Host,
    to: &Host,
    segment: Option<&Segment>,
    out: &mut Vec<u8>,
) {
    out.clear();
    let length = packet.bytes.max(SHORTEST) as usize;
    let [source_port, destination_port] = packet.ports;
    let destination = MacAddress(from.gateway.unwrap_or(to.mac));
    let link =
        ethernet::Repr { destination, source: MacAddress(from.mac), ethertype: ethertype::IPV4 };
    out.extend_from_slice(&link.emit());
    let header = network_header(packet, from, to, packet.number as u16);
    let payload_length = header.payload_length;
    out.extend_from_slice(&header.emit());
    let checksum_at = match segment {
        None => {
            let length = payload_length;
            out.extend_from_slice(&udp::Repr { source_port, destination_port, length }.emit());
            out.extend_from_slice(&packet.number.to_be_bytes());
            out.extend_from_slice(&packet.sent.to_be_bytes());
            udp::CHECKSUM_OFFSET
        }
        Some(segment) => {
            write_segment(segment, packet.ports, packet.sent, out);
            tcp::CHECKSUM_OFFSET
        }
    };
    // The rest is zeros, which a sum does not feel.
    let mut sum = pseudo_header_v4(from.ip, to.ip, packet.protocol, payload_length);
    let checksum = match sum.add(&out[TRANSPORT_AT..]).checksum() {
        0 if segment.is_none() => 0xffff,
        checksum => checksum,
    };
    out[TRANSPORT_AT + checksum_at..][..2].copy_from_slice(&checksum.to_be_bytes());
    out.resize(length, 0);
}

/// Numbers on the wire are positions in the stream, and one more for the SYN (RFC 9293, section 3.4).
fn write_segment(segment: &Segment, ports: [u16; 2], sent: Time, out: &mut Vec<u8>) {
    let at = out.len();
    let flags = [
        (segment.syn, tcp::flags::SYN),
        (segment.fin, tcp::flags::FIN),
        (segment.ack, tcp::flags::ACK),
        (segment.ece, tcp::flags::ECE),
        (segment.cwr, tcp::flags::CWR),
    ];
    let flags = flags.iter().filter(|(set, _)| *set).fold(0, |sum, (_, bit)| sum | bit);
    let header = tcp::Repr {
        source_port: ports[0],
        destination_port: ports[1],
        sequence: (segment.sequence + u64::from(!segment.syn)) as u32,
        acknowledgement: if segment.ack { (segment.acknowledgement + 1) as u32 } else { 0 },
        flags,
        window: u16::MAX,
        urgent_pointer: 0,
    };
    out.extend_from_slice(&header.emit());
    // NOP, NOP, time stamps (RFC 7323, appendix A).
    out.extend_from_slice(&[1, 1, 8, 10]);
    for time in [sent, segment.echo] {
        out.extend_from_slice(&((time / 1000) as u32).to_be_bytes());
    }
    let blocks = segment.blocks().count();
    if blocks > 0 {
        out.extend_from_slice(&[1, 1, 5, 2 + 8 * blocks as u8]);
        for (from, to) in segment.blocks() {
            for edge in [from, to] {
                out.extend_from_slice(&((edge + 1) as u32).to_be_bytes());
            }
        }
    }
    let words = (out.len() - at) / 4;
    out[at + 12] = (words << 4) as u8;
}

/// Marks a frame: congestion experienced, in the ECN field of its IP header, which may be behind a TPP.
pub fn mark(frame: &mut [u8]) {
    if let Some(packet) = ww_tpp::frame::network_layer(frame) {
        ww_packet::ecn::mark_at(frame, packet);
    }
}

/// Decrements the time to live of a frame and updates its checksum.
pub fn age(frame: &mut [u8]) {
    // Behind a TPP the header is somewhere else.
    let at = match frame.get(12..14) {
        Some([0x66, 0x66]) => network_layer(frame).map_or(frame.len(), |(_, at)| at),
        _ => IP_AT,
    };
    let Some(header) = frame.get_mut(at..at + ipv4::MINIMUM_LENGTH) else { return };
    if header[0] >> 4 != 4 || header[8] == 0 {
        return;
    }
    let word = |header: &[u8]| u16::from_be_bytes([header[8], header[9]]);
    let old = word(header);
    header[8] -= 1;
    let checksum = u16::from_be_bytes([header[10], header[11]]);
    let checksum = update_u16(checksum, old, word(header));
    header[10..12].copy_from_slice(&checksum.to_be_bytes());
}

/// A frame's IPv4 header and what is behind it, if it is whole.
fn transport(frame: &[u8]) -> Option<(ipv4::Packet<&[u8]>, &[u8])> {
    let (kind, at) = network_layer(frame)?;
    if kind != ethertype::IPV4 {
        return None;
    }
    let bytes = &frame[at..];
    let packet = ipv4::Packet::new(bytes).ok()?;
    let end = usize::from(packet.total_length());
    let payload = bytes.get(packet.header_length()..end)?;
    Some((packet, payload))
}

/// The packet that a frame is, as far as switches read it. `known` is the packet that it may have been made of: its time of
/// sending and its traffic entry are kept.
pub fn read(
    frame: &[u8],
    hosts: &Lookup<Ipv4Addr, u32>,
    known: Option<&Packet>,
    now: Time,
) -> Packet {
    let mut packet = Packet {
        sent: known.map_or(now, |known| known.sent),
        traffic: known.map_or(u16::MAX, |known| known.traffic),
        bytes: frame.len() as u32,
        ..Packet::default()
    };
    let number = |address| hosts.get(&address).copied().unwrap_or(NOBODY);
    let Some((header, payload)) = transport(frame) else {
        if let Some([from, to]) = arp(frame) {
            [packet.source, packet.destination] = [from, to].map(number);
        }
        return packet;
    };
    packet.source = number(header.source());
    packet.destination = number(header.destination());
    packet.protocol = header.protocol();
    packet.class = header.dscp();
    packet.ecn = header.ecn();
    packet.ttl = header.ttl();
    if header.fragment_offset() == 0 {
        packet.ports = ports(packet.protocol, payload);
    }
    packet.hash = hash(packet.source, packet.destination, packet.ports);
    packet
}

/// The ports of a packet's source and destination. An echo has its identifier for the port of who asks.
fn ports(protocol: u8, payload: &[u8]) -> [u16; 2] {
    let word = |at: usize| match payload.get(at..at + 2) {
        Some(bytes) => u16::from_be_bytes([bytes[0], bytes[1]]),
        None => 0,
    };
    match (protocol, payload.first()) {
        (ip::ICMP, Some(&icmp::kind::ECHO_REQUEST)) => [word(4), 0],
        (ip::ICMP, Some(&icmp::kind::ECHO_REPLY)) => [0, word(4)],
        _ if payload.len() < 4 => [0; 2],
        _ => [word(0), word(2)],
    }
}

/// Sender and target of an ARP packet for IPv4 over Ethernet (RFC 826). A plain switch carries a request to the host
/// that it asks for.
fn arp(frame: &[u8]) -> Option<[Ipv4Addr; 2]> {
    let (kind, at) = network_layer(frame)?;
    let body = frame.get(at..at + 28)?;
    let address = |at: usize| Some(Ipv4Addr::from(*body[at..].first_chunk::<4>()?));
    match (kind, &body[..6]) {
        (ethertype::ARP, [0, 1, 8, 0, 6, 4]) => Some([address(14)?, address(24)?]),
        _ => None,
    }
}

/// Destination MAC address of a frame.
pub fn destination(frame: &[u8]) -> Option<[u8; 6]> {
    frame.first_chunk().copied()
}

/// Whether the checksums of an IPv4 header and of its payload are right. True for payloads without one and for fragments.
pub fn is_intact(frame: &[u8]) -> bool {
    let Some((header, payload)) = transport(frame) else { return arp(frame).is_some() };
    if header.more_fragments() || header.fragment_offset() != 0 {
        return header.checksum_valid();
    }
    let (protocol, length) = (header.protocol(), payload.len() as u16);
    let sum = pseudo_header_v4(header.source(), header.destination(), protocol, length);
    header.checksum_valid()
        && match protocol {
            ip::UDP => udp::Datagram::new(payload).is_ok_and(|packet| packet.checksum_valid(sum)),
            ip::TCP => tcp::Segment::new(payload).is_ok_and(|segment| segment.checksum_valid(sum)),
            ip::ICMP => icmp::Message::new(payload).is_ok_and(|packet| packet.checksum_valid()),
            _ => true,
        }
}

/// Of a TCP segment: its first sequence number, and how many it takes (SYN and FIN count).
pub fn sequence(frame: &[u8]) -> Option<(u32, u32)> {
    let (_, payload) = transport(frame)?;
    let segment = tcp::Segment::new(payload).ok()?;
    let control = (segment.flags() & (tcp::flags::SYN | tcp::flags::FIN)).count_ones();
    Some((segment.sequence(), segment.payload().len() as u32 + control))
}

/// What a host reads in a UDP packet for itself: number and time of sending. `None` if the frame is broken: checksums
/// are looked at.
pub fn read_datagram(frame: &[u8]) -> Option<(u32, Time)> {
    let (header, payload) = transport(frame)?;
    let sum =
        pseudo_header_v4(header.source(), header.destination(), ip::UDP, payload.len() as u16);
    let datagram = udp::Datagram::new(payload).ok()?;
    if !header.checksum_valid() || !datagram.checksum_valid(sum) {
        return None;
    }
    let (number, rest) = datagram.payload().split_first_chunk()?;
    let (sent, _) = rest.split_first_chunk()?;
    Some((u32::from_be_bytes(*number), Time::from_be_bytes(*sent)))
}

/// What a host reads in a TCP segment for itself, and when that was sent. `near` are the positions near which its
/// sequence and its acknowledgement are. `None` if the frame is broken: checksums are looked at.
pub fn read_segment(frame: &[u8], near: [u64; 2], now: Time) -> Option<Segment> {
    let (header, payload) = transport(frame)?;
    let sum =
        pseudo_header_v4(header.source(), header.destination(), ip::TCP, payload.len() as u16);
    let view = tcp::Segment::new(payload).ok()?;
    if !header.checksum_valid() || !view.checksum_valid(sum) {
        return None;
    }
    let set = |bit| view.flags() & bit != 0;
    let syn = set(tcp::flags::SYN);
    let sequence = match syn {
        true => 0,
        false => nearest(view.sequence().wrapping_sub(1), near[0]),
    };
    let ack = set(tcp::flags::ACK);
    let acknowledgement = match ack {
        true => nearest(view.acknowledgement().wrapping_sub(1), near[1]),
        false => 0,
    };
    let mut segment = Segment {
        sequence,
        acknowledgement,
        length: view.payload().len() as u16,
        syn,
        fin: set(tcp::flags::FIN),
        ack,
        ece: set(tcp::flags::ECE),
        cwr: set(tcp::flags::CWR),
        ecn_capable: header.ecn() != 0,
        ..Segment::default()
    };
    let mut options = view.options();
    let word = |bytes: &[u8]| bytes.first_chunk().map(|word| u32::from_be_bytes(*word));
    while let Some((&kind, rest)) = options.split_first() {
        match kind {
            0 => break,
            1 => {
                options = rest;
                continue;
            }
            _ => {}
        }
        let length = usize::from(*rest.first()?);
        let value = options.get(2..length)?;
        match (kind, length) {
            (8, 10) => {
                segment.timestamp = stamp(word(value)?, now);
                segment.echo = stamp(word(&value[4..])?, now);
            }
            (5, 10 | 18 | 26) => {
                for (block, edges) in segment.sack.iter_mut().zip(value.chunks_exact(8)) {
                    let (from, to) = (word(edges)?, word(&edges[4..])?);
                    let offset = from.wrapping_sub(view.acknowledgement());
                    *block = Block { offset, length: to.wrapping_sub(from) };
                }
            }
            _ => {}
        }
        options = &options[length..];
    }
    Some(segment)
}

/// The position nearest to another one among those with these low bits.
fn nearest(low: u32, near: u64) -> u64 {
    let ahead = low.wrapping_sub(near as u32) as i32;
    near.saturating_add_signed(i64::from(ahead))
}

/// The last time with this stamp, nanoseconds in 32 bits, that is not after now.
fn stamp(stamp: u32, now: Time) -> Time {
    let nanoseconds = now / 1000;
    let ago = (nanoseconds as u32).wrapping_sub(stamp);
    debug_assert!(u64::from(ago) < STAMP);
    nanoseconds.saturating_sub(u64::from(ago)) * 1000
}

fn network_header(packet: &Packet, from: &Host, to: &Host, identification: u16) -> ipv4::Repr {
    ipv4::Repr {
        source: from.ip,
        destination: to.ip,
        protocol: packet.protocol,
        ttl: packet.ttl,
        dscp: packet.class,
        ecn: packet.ecn,
        identification,
        dont_fragment: true,
        payload_length: (packet.bytes as usize).saturating_sub(TRANSPORT_AT) as u16,
    }
}

/// Makes the headers of a packet that has no frame, and as many zeros as it has data: for a classifier.
pub fn sketch(packet: &Packet, hosts: [Option<&Host>; 2], out: &mut Vec<u8>) {
    let nobody = Host { ip: Ipv4Addr::UNSPECIFIED, mac: [0; 6], gateway: None, stack: None };
    let [from, to] = hosts.map(|host| host.unwrap_or(&nobody));
    let link = ethernet::Repr {
        destination: MacAddress(to.mac),
        source: MacAddress(from.mac),
        ethertype: ethertype::IPV4,
    };
    let header = network_header(packet, from, to, 0);
    out.resize(packet.bytes.max(SHORTEST) as usize, 0);
    out[..IP_AT].copy_from_slice(&link.emit());
    out[IP_AT..TRANSPORT_AT].copy_from_slice(&header.emit());
    let [from, to] = packet.ports.map(u16::to_be_bytes);
    out[TRANSPORT_AT..][..4].copy_from_slice(&[from[0], from[1], to[0], to[1]]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::host;
    use ww_packet::checksum::internet_checksum;

    fn packet(protocol: u8, bytes: u32) -> Packet {
        let ports = [10_000, 5001];
        Packet {
            sent: 7_000_000_123_000,
            source: 0,
            destination: 1,
            bytes,
            protocol,
            ports,
            ttl: 64,
            ecn: 2,
            class: 10,
            number: 77,
            ..Packet::default()
        }
    }

    /// Fields by their places in RFC 791 and RFC 768, and sums by the checksum's own rule: a whole header sums up to 0.
    #[test]
    fn a_udp_packet() {
        let (from, to) = (host(0), host(1));
        let mut frame = Vec::new();
        write(&packet(ip::UDP, 100), &from, &to, None, &mut frame);
        assert_eq!(frame.len(), 100);
        assert_eq!(frame[..14], [2, 0, 10, 0, 0, 2, 2, 0, 10, 0, 0, 1, 8, 0]);
        assert_eq!(
            (frame[15], &frame[16..18], frame[22], frame[23]),
            (10 << 2 | 2, &[0, 86][..], 64, 17)
        );
        assert_eq!(frame[26..34], [10, 0, 0, 1, 10, 0, 0, 2]);
        assert_eq!(internet_checksum(&frame[14..34]), 0);
        assert_eq!(read_datagram(&frame), Some((77, 7_000_000_123_000)));
        age(&mut frame);
        assert_eq!((frame[22], internet_checksum(&frame[14..34])), (63, 0));
        let hosts = Lookup::from_iter([(from.ip, 0), (to.ip, 1)]);
        let read = read(&frame, &hosts, None, 5);
        assert_eq!(
            (read.source, read.destination, read.ports, read.ttl),
            (0, 1, [10_000, 5001], 63)
        );
        assert_eq!((read.ecn, read.class, read.bytes, read.sent), (2, 10, 100, 5));
        for at in [16, 30, 50, 99] {
            let mut broken = frame.clone();
            broken[at] ^= 4;
            assert_eq!(read_datagram(&broken), None, "{at}");
        }
    }

    /// Segments come back as they were, also behind 2^32 bytes; times in nanoseconds.
    #[test]
    fn tcp_segments() {
        let (from, to) = (host(0), host(1));
        let block = |offset, length| Block { offset, length };
        let plain =
            Segment { ecn_capable: true, timestamp: 7_000_000_123_000, ..Segment::default() };
        let segments = [
            Segment { syn: true, ..plain },
            Segment { syn: true, ack: true, echo: 6_999_000_000_000, ..plain },
            Segment { sequence: (1 << 32) - 5, length: 1448, cwr: true, ..plain },
            Segment { sequence: 5 << 33, length: 10, fin: true, ..plain },
            Segment {
                ack: true,
                ece: true,
                acknowledgement: (7 << 32) - 1,
                echo: 4_000_000_000_000,
                sack: [block(1448, 1448), block(4344, 2896), block(0, 0)],
                ..plain
            },
        ];
        for segment in segments {
            let bytes = 14 + segment.packet_bytes();
            let mut frame = Vec::new();
            write(&packet(ip::TCP, bytes), &from, &to, Some(&segment), &mut frame);
            assert_eq!(frame.len(), bytes as usize);
            let near = [segment.sequence.saturating_sub(100_000), segment.acknowledgement + 70_000];
            let mut expected = segment;
            if !segment.ack {
                // An echo of nothing is sent as zero.
                expected.echo = stamp(0, 7_000_000_200_000);
            }
            assert_eq!(read_segment(&frame, near, 7_000_000_200_000), Some(expected));
            frame[40] ^= 1;
            assert_eq!(read_segment(&frame, near, 7_000_000_200_000), None);
        }
    }
}
