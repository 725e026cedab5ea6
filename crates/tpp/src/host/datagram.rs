//! UDP datagrams that hosts and switches make themselves.

use std::net::Ipv4Addr;
use ww_packet::protocol::{ethertype, ip};
use ww_packet::{ethernet, ipv4, udp};

/// Bytes of the headers in front of a datagram's data.
pub const HEADERS: usize = ethernet::HEADER_LENGTH + ipv4::MINIMUM_LENGTH + udp::HEADER_LENGTH;

/// Where a datagram comes from or goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// The MAC address; of who is behind a router, the router's.
    pub mac: [u8; 6],
    /// The IPv4 address.
    pub ip: Ipv4Addr,
    /// The UDP port.
    pub port: u16,
}

/// The frame of a datagram, without FCS and without UDP checksum (RFC 768: 0). Of the data, what a datagram has room
/// for.
pub fn datagram(from: Endpoint, to: Endpoint, data: &[u8]) -> Vec<u8> {
    let most = usize::from(u16::MAX) - ipv4::MINIMUM_LENGTH - udp::HEADER_LENGTH;
    let data = &data[..data.len().min(most)];
    let length = (udp::HEADER_LENGTH + data.len()) as u16;
    let link = ethernet::Repr {
        destination: ethernet::MacAddress(to.mac),
        source: ethernet::MacAddress(from.mac),
        ethertype: ethertype::IPV4,
    };
    let packet = ipv4::Repr {
        source: from.ip,
        destination: to.ip,
        protocol: ip::UDP,
        ttl: 64,
        dscp: 0,
        ecn: 0,
        identification: 0,
        dont_fragment: true,
        payload_length: length,
    };
    let header = udp::Repr { source_port: from.port, destination_port: to.port, length };
    let mut frame = Vec::with_capacity(HEADERS + data.len());
    frame.extend(link.emit());
    frame.extend(packet.emit());
    frame.extend(header.emit());
    frame.extend(data);
    frame
}

/// The data of a frame's datagram, if it has one that goes to a port.
pub fn data(frame: &[u8], port: u16) -> Option<&[u8]> {
    let (kind, at) = ethernet::Frame::new(frame).ok()?.network_layer().ok()?;
    let packet = ipv4::Packet::new(frame.get(at..)?).ok().filter(|_| kind == ethertype::IPV4)?;
    let is_whole = !packet.more_fragments() && packet.fragment_offset() == 0;
    let header = at + packet.header_length();
    let datagram = udp::Datagram::new(packet.payload()).ok()?;
    let length = datagram.payload().len();
    let is_it = packet.protocol() == ip::UDP
        && is_whole
        && datagram.destination_port() == port
        && usize::from(datagram.length()) == udp::HEADER_LENGTH + length;
    let begin = header + udp::HEADER_LENGTH;
    frame.get(begin..begin + length).filter(|_| is_it)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: RFC 791 and RFC 768, ports 7 and 8, two bytes of data.
    #[test]
    fn bytes_by_hand() {
        let end = |n: u8, port| Endpoint { mac: [n; 6], ip: Ipv4Addr::new(10, 0, 0, n), port };
        let frame = datagram(end(1, 7), end(2, 8), &[0xaa, 0xbb]);
        assert_eq!(frame[..14], [2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 8, 0]);
        let sum: u32 = frame[14..34]
            .as_chunks::<2>()
            .0
            .iter()
            .map(|pair| u32::from(u16::from_be_bytes(*pair)))
            .sum();
        assert_eq!((sum & 0xffff) + (sum >> 16), 0xffff, "RFC 1071");
        assert_eq!(frame[14..18], [0x45, 0, 0, 30]);
        assert_eq!(frame[22..24], [64, 17]);
        assert_eq!(frame[26..34], [10, 0, 0, 1, 10, 0, 0, 2]);
        assert_eq!(frame[34..], [0, 7, 0, 8, 0, 10, 0, 0, 0xaa, 0xbb]);
        assert_eq!(data(&frame, 8), Some([0xaa, 0xbb].as_slice()));
        assert_eq!(data(&frame, 7), None);
        assert!((0..frame.len()).all(|length| data(&frame[..length], 8).is_none()));
    }
}
