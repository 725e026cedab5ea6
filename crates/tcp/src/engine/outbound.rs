//! Frames as they leave (spec S37, S46).

use crate::options::Options;
use crate::sequence::Sequence;
use std::net::Ipv4Addr;
use ww_packet::checksum::{Sum, internet_checksum, pseudo_header_v4, update_u16};
use ww_packet::ethernet::{self, HEADER_LENGTH, MacAddress};
use ww_packet::ipv4;
use ww_packet::protocol::{ethertype, ip};
use ww_packet::{arp, icmp, tcp, udp};

/// Bytes in a frame at least, without FCS.
pub const SHORTEST_FRAME: usize = 60;

/// Time to live of what we send.
const TTL: u8 = 64;

/// Data of a packet that an ICMP error quotes beside the header (RFC 792).
const QUOTED: usize = 8;

/// A packet's ends.
#[derive(Clone, Copy, Debug)]
pub struct Ends {
    /// Our address.
    pub source: Ipv4Addr,
    /// The peer's.
    pub destination: Ipv4Addr,
}

/// Room for the Ethernet header, which [`finish`] fills in.
fn begin(out: &mut Vec<u8>) {
    out.clear();
    out.resize(HEADER_LENGTH, 0);
}

fn network(ends: Ends, protocol: u8, ecn: u8, length: usize, out: &mut Vec<u8>) {
    let header = ipv4::Repr {
        source: ends.source,
        destination: ends.destination,
        protocol,
        ttl: TTL,
        dscp: 0,
        ecn,
        identification: 0,
        dont_fragment: true,
        payload_length: length as u16,
    };
    out.extend_from_slice(&header.emit());
}

/// Fills in the Ethernet header and pads to 60 bytes.
pub fn finish(frame: &mut Vec<u8>, source: MacAddress, destination: MacAddress) {
    let header = ethernet::Repr { destination, source, ethertype: ethertype::IPV4 };
    frame[..HEADER_LENGTH].copy_from_slice(&header.emit());
    pad(frame);
}

fn pad(frame: &mut Vec<u8>) {
    if frame.len() < SHORTEST_FRAME {
        frame.resize(SHORTEST_FRAME, 0);
    }
}

/// The IPv4 destination of a frame that [`begin`] has begun.
pub fn destination(frame: &[u8]) -> Ipv4Addr {
    let at = HEADER_LENGTH + 16;
    Ipv4Addr::new(frame[at], frame[at + 1], frame[at + 2], frame[at + 3])
}

/// A whole ARP frame.
pub fn arp_frame(message: &arp::Repr, out: &mut Vec<u8>) {
    let destination = match message.operation {
        arp::Operation::Request => MacAddress::BROADCAST,
        arp::Operation::Reply => message.target_mac,
    };
    let source = message.sender_mac;
    out.clear();
    out.extend_from_slice(
        &ethernet::Repr { destination, source, ethertype: ethertype::ARP }.emit(),
    );
    out.extend_from_slice(&message.emit());
    pad(out);
}

/// The answer to an echo request (spec S36).
pub fn echo_reply(ends: Ends, request: &[u8], out: &mut Vec<u8>) {
    begin(out);
    network(ends, ip::ICMP, 0, request.len(), out);
    let at = out.len();
    out.extend_from_slice(request);
    out[at] = icmp::kind::ECHO_REPLY;
    // The request's checksum is right, and only its type has changed (RFC 1624).
    let word = |bytes: &[u8]| u16::from_be_bytes([bytes[0], bytes[1]]);
    let checksum = update_u16(word(&request[2..]), word(request), word(&out[at..]));
    out[at + 2..at + 4].copy_from_slice(&checksum.to_be_bytes());
}

/// What answers a datagram for a port that nobody listens on.
pub fn port_unreachable(ends: Ends, packet: &[u8], out: &mut Vec<u8>) {
    let header = usize::from(packet[0] & 15) * 4;
    let quoted = &packet[..packet.len().min(header + QUOTED)];
    begin(out);
    network(ends, ip::ICMP, 0, icmp::HEADER_LENGTH + quoted.len(), out);
    let at = out.len();
    out.extend_from_slice(&[icmp::kind::DESTINATION_UNREACHABLE, 3, 0, 0, 0, 0, 0, 0]);
    out.extend_from_slice(quoted);
    fill_icmp_checksum(&mut out[at..]);
}

fn fill_icmp_checksum(message: &mut [u8]) {
    message[2..4].copy_from_slice(&[0, 0]);
    let checksum = internet_checksum(message);
    message[2..4].copy_from_slice(&checksum.to_be_bytes());
}

/// A datagram.
pub fn datagram(ends: Ends, ports: (u16, u16), data: &[u8], out: &mut Vec<u8>) {
    let length = udp::HEADER_LENGTH + data.len();
    begin(out);
    network(ends, ip::UDP, 0, length, out);
    let at = out.len();
    let header =
        udp::Repr { source_port: ports.0, destination_port: ports.1, length: length as u16 };
    out.extend_from_slice(&header.emit());
    out.extend_from_slice(data);
    let mut sum = pseudo_header_v4(ends.source, ends.destination, ip::UDP, length as u16);
    let checksum = match sum.add(&out[at..]).checksum() {
        0 => u16::MAX,
        checksum => checksum,
    };
    out[at + udp::CHECKSUM_OFFSET..][..2].copy_from_slice(&checksum.to_be_bytes());
}

/// A segment's header.
#[derive(Clone, Copy, Debug)]
pub struct Header {
    /// Our port and the peer's.
    pub ports: (u16, u16),
    /// Its number.
    pub sequence: Sequence,
    /// What it acknowledges.
    pub acknowledgement: Sequence,
    /// Control bits.
    pub flags: u8,
    /// The window as it stands.
    pub window: u16,
    /// Options.
    pub options: Options,
    /// The codepoint of the packet (RFC 3168 section 5).
    pub ecn: u8,
}

/// A segment with `length` bytes of data that `copy` appends.
pub fn segment(
    ends: Ends,
    header: &Header,
    length: usize,
    copy: impl FnOnce(&mut Vec<u8>),
    out: &mut Vec<u8>,
) {
    let head = tcp::MINIMUM_LENGTH + header.options.length();
    begin(out);
    network(ends, ip::TCP, header.ecn, head + length, out);
    let at = out.len();
    let repr = tcp::Repr {
        source_port: header.ports.0,
        destination_port: header.ports.1,
        sequence: header.sequence.0,
        acknowledgement: header.acknowledgement.0,
        flags: header.flags,
        window: header.window,
        urgent_pointer: 0,
    };
    out.extend_from_slice(&repr.emit());
    out[at + 12] = (head as u8 / 4) << 4;
    header.options.emit(out);
    copy(out);
    let mut sum: Sum =
        pseudo_header_v4(ends.source, ends.destination, ip::TCP, (head + length) as u16);
    let checksum = sum.add(&out[at..]).checksum();
    out[at + tcp::CHECKSUM_OFFSET..][..2].copy_from_slice(&checksum.to_be_bytes());
}
