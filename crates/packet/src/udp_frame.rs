//! Whole Ethernet frames with a UDP datagram over IPv4, for whoever makes packets.

use crate::checksum::pseudo_header_v4;
use crate::ethernet::{self, MacAddress};
use crate::protocol::{ethertype, ip};
use crate::{ipv4, udp};
use std::net::Ipv4Addr;

/// Bytes in front of the data.
pub const HEADERS: usize = ethernet::HEADER_LENGTH + ipv4::MINIMUM_LENGTH + udp::HEADER_LENGTH;

/// One end of a datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// Ethernet address.
    pub mac: MacAddress,
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
    let link = ethernet::Repr { destination: to.mac, source: from.mac, ethertype: ethertype::IPV4 };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_read_what_was_made() {
        let end = |n, port| End {
            mac: MacAddress([2, 0, 0, 0, 0, n]),
            ip: Ipv4Addr::new(10, 0, 0, n),
            port,
        };
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
}
