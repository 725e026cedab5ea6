//! What a frame is, or why it is dropped (spec S34). The first reason that applies counts.

use super::counters::Drop;
use crate::options::Options;
use crate::sequence::Sequence;
use crate::session::Segment;
use std::net::{Ipv4Addr, SocketAddrV4};
use ww_packet::checksum::pseudo_header_v4;
use ww_packet::ethernet::{Frame, HEADER_LENGTH, MacAddress};
use ww_packet::ipv4::Packet;
use ww_packet::protocol::{ethertype, ip};
use ww_packet::{arp, icmp, tcp, udp};

/// Longest frame without FCS: a segment of 8,960 bytes with 40 bytes of headers, and Ethernet's.
pub const LONGEST_FRAME: usize = 9_014;

/// A good frame.
#[derive(Debug)]
pub enum Inbound<'a> {
    /// ARP.
    Arp(arp::Repr),
    /// An ICMP echo request: its sender and the whole message.
    Echo(Ipv4Addr, &'a [u8]),
    /// A UDP datagram.
    Udp(Datagram<'a>),
    /// A TCP segment: its sender, our port, the segment.
    Tcp(SocketAddrV4, u16, Segment<'a>),
}

/// A UDP datagram that is good.
#[derive(Debug)]
pub struct Datagram<'a> {
    /// The sender.
    pub peer: SocketAddrV4,
    /// Our port.
    pub own_port: u16,
    /// Its data.
    pub data: &'a [u8],
    /// The whole packet, which an error quotes.
    pub packet: &'a [u8],
}

/// Takes a frame without FCS for what it is, at a host with this address.
pub fn classify(frame: &[u8], mac: MacAddress, own: Ipv4Addr) -> Result<Inbound<'_>, Drop> {
    if frame.len() > LONGEST_FRAME {
        return Err(Drop::Frame);
    }
    let link = Frame::new(frame).map_err(|_| Drop::Frame)?;
    let destination = link.destination();
    if destination != mac && destination != MacAddress::BROADCAST {
        return Err(Drop::NotOurs);
    }
    match link.ethertype() {
        ethertype::ARP => {
            let message = arp::Repr::parse(&frame[HEADER_LENGTH..]).map_err(|_| Drop::Arp)?;
            Ok(Inbound::Arp(message))
        }
        ethertype::IPV4 => network(&frame[HEADER_LENGTH..], own),
        _ => Err(Drop::Ethertype),
    }
}

fn network(bytes: &[u8], own: Ipv4Addr) -> Result<Inbound<'_>, Drop> {
    let packet = Packet::new(bytes).map_err(|_| Drop::IpHeader)?;
    let (header, total) = (packet.header_length(), usize::from(packet.total_length()));
    if total < header || total > bytes.len() {
        return Err(Drop::IpHeader);
    }
    if !packet.checksum_valid() {
        return Err(Drop::IpChecksum);
    }
    if packet.destination() != own {
        return Err(Drop::NotOurs);
    }
    if packet.more_fragments() || packet.fragment_offset() > 0 {
        return Err(Drop::Fragment);
    }
    let source = packet.source();
    let payload = &bytes[header..total];
    match packet.protocol() {
        ip::ICMP => {
            let message = icmp::Message::new(payload).map_err(|_| Drop::Icmp)?;
            if !message.checksum_valid() || message.kind() != icmp::kind::ECHO_REQUEST {
                return Err(Drop::Icmp);
            }
            Ok(Inbound::Echo(source, payload))
        }
        ip::UDP => {
            let datagram = udp::Datagram::new(payload).map_err(|_| Drop::UdpLength)?;
            let length = datagram.length();
            if length < udp::HEADER_LENGTH as u16 || usize::from(length) > payload.len() {
                return Err(Drop::UdpLength);
            }
            // The packet may be longer than the datagram: what is behind that is nobody's.
            let payload = &payload[..usize::from(length)];
            let datagram = udp::Datagram::new(payload).map_err(|_| Drop::UdpLength)?;
            let sum = pseudo_header_v4(source, own, ip::UDP, length);
            if datagram.checksum() != 0 && !datagram.checksum_valid(sum) {
                return Err(Drop::UdpChecksum);
            }
            Ok(Inbound::Udp(Datagram {
                peer: SocketAddrV4::new(source, datagram.source_port()),
                own_port: datagram.destination_port(),
                data: &payload[udp::HEADER_LENGTH..],
                packet: &bytes[..total],
            }))
        }
        ip::TCP => {
            let segment = tcp::Segment::new(payload).map_err(|_| Drop::TcpHeader)?;
            let sum = pseudo_header_v4(source, own, ip::TCP, payload.len() as u16);
            if !segment.checksum_valid(sum) {
                return Err(Drop::TcpChecksum);
            }
            let data = &payload[segment.header_length()..];
            let content = Segment {
                sequence: Sequence(segment.sequence()),
                acknowledgement: Sequence(segment.acknowledgement()),
                flags: segment.flags(),
                window: segment.window(),
                options: Options::parse(segment.options()),
                payload: data,
                marked: packet.ecn() == 3,
            };
            let peer = SocketAddrV4::new(source, segment.source_port());
            Ok(Inbound::Tcp(peer, segment.destination_port(), content))
        }
        _ => Err(Drop::Protocol),
    }
}
