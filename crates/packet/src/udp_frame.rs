//! Whole Ethernet frames with a UDP datagram over IPv4, for whoever makes packets.

use crate::checksum::pseudo_header_v4;
use crate::ethernet::{self, MacAddress};
use crate::protocol::{ethertype, ip};
use crate::{ipv4, udp};
use serde::{Deserialize, Serialize};
use std::net::Ipv4Addr;

/// Bytes in front of the data.
pub const HEADERS: usize = ethernet::HEADER_LENGTH + ipv4::MINIMUM_LENGTH + udp::HEADER_LENGTH;

/// One end of a datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// Ethernet address; of who is behind a router, the router's.
    pub mac: [u8; 6],
    /// IPv4 address.
    pub ip: Ipv4Addr,
    /// UDP port.
    pub port: u16,
}

/// Appends a frame without FCS from one end to another: time to live 64, not to be fragmented, with its checksums.
/// Data is `payload` and zeros up to `length` bytes of data, at most 65,507 in all.
pub fn emit(from: &End, to: &End, payload: &[u8], length: usize, out: &mut Vec<u8>) {
    let data = length.max(payload.len()).min(usize::from(u16::MAX) - ipv4::MINIMUM_LENGTH - 8);
    let payload = &payload[..payload.len().min(data)];
    let datagram = (udp::HEADER_LENGTH + data) as u16;
    let link = ethernet::Repr {
        destination: MacAddress(to.mac),
        source: MacAddress(from.mac),
        ethertype: ethertype::IPV4,
    };
    out.extend_from_slice(&link.emit());
    let header = ipv4::Repr {
        source: from.ip,
        destination: to.ip,
        protocol: ip::UDP,
        ttl: 64,
        dscp: 0,
        ecn: 0,
        identification: 0,
        dont_fragment: true,
        payload_length: datagram,
    };
    out.extend_from_slice(&header.emit());
    let at = out.len();
    let header = udp::Repr { source_port: from.port, destination_port: to.port, length: datagram };
    out.extend_from_slice(&header.emit());
    out.extend_from_slice(payload);
    // The rest is zeros, which a sum does not feel.
    let mut sum = pseudo_header_v4(from.ip, to.ip, ip::UDP, datagram);
    let checksum = match sum.add(&out[at..]).checksum() {
        0 => u16::MAX,
        checksum => checksum,
    };
    out[at + udp::CHECKSUM_OFFSET..][..2].copy_from_slice(&checksum.to_be_bytes());
    out.resize(at + usize::from(datagram), 0);
}

/// The same as a frame of its own, as long as its data.
pub fn datagram(from: End, to: End, payload: &[u8]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(HEADERS + payload.len());
    emit(&from, &to, payload, 0, &mut frame);
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

    #[test]
    fn views_read_what_was_made() {
        let end = |n, port| End { mac: [2, 0, 0, 0, 0, n], ip: Ipv4Addr::new(10, 0, 0, n), port };
        for (payload, length) in [(&b"abc"[..], 0), (b"abc", 18), (b"", 0), (b"odd", 1001)] {
            let mut frame = vec![0xee];
            emit(&end(1, 7), &end(2, 0x6666), payload, length, &mut frame);
            let frame = &frame[1..];
            assert_eq!(frame.len(), HEADERS + length.max(payload.len()));
            let (kind, at) =
                ethernet::Frame::new(frame).expect("Ethernet").network_layer().expect("IP");
            assert_eq!(kind, ethertype::IPV4);
            let packet = ipv4::Packet::new(&frame[at..]).expect("IPv4");
            assert!(packet.checksum_valid());
            let datagram = udp::Datagram::new(packet.payload()).expect("UDP");
            assert_eq!((datagram.source_port(), datagram.destination_port()), (7, 0x6666));
            assert!(datagram.payload().starts_with(payload));
            assert_ne!(datagram.checksum(), 0);
            let sum =
                pseudo_header_v4(packet.source(), packet.destination(), 17, datagram.length());
            assert!(datagram.checksum_valid(sum));
        }
    }

    #[test]
    fn data_of_whole_datagrams() {
        let end = |n, port| End { mac: [2, 0, 0, 0, 0, n], ip: Ipv4Addr::new(10, 0, 0, n), port };
        let frame = datagram(end(1, 7), end(2, 8), &[0xaa, 0xbb]);
        // RFC 791 and RFC 768, by hand.
        assert_eq!(frame[14..18], [0x45, 0, 0, 30]);
        assert_eq!(frame[34..40], [0, 7, 0, 8, 0, 10]);
        assert_eq!(data(&frame, 8), Some([0xaa, 0xbb].as_slice()));
        assert_eq!(data(&frame, 7), None);
        assert!((0..frame.len()).all(|length| data(&frame[..length], 8).is_none()));
    }
}
