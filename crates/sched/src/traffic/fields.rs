//! What a frame says about itself: the fields that classes are made of.

use std::net::IpAddr;
use ww_packet::crc::CRC32;
use ww_packet::ecn::{Codepoint, codepoint};
use ww_packet::ethernet::Frame;
use ww_packet::protocol::{ethertype, ip};
use ww_packet::{ipv4, ipv6, vlan};

/// Fields of an Ethernet frame; those that it does not have are `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fields {
    /// EtherType behind any VLAN tags.
    pub ether_type: Option<u16>,
    /// Identifier of the outer VLAN tag.
    pub vlan: Option<u16>,
    /// Priority of the outer VLAN tag, 0 to 7.
    pub pcp: Option<u8>,
    /// Differentiated services codepoint, 0 to 63.
    pub dscp: Option<u8>,
    /// ECN field.
    pub ecn: Option<Codepoint>,
    /// Source address of IP.
    pub source: Option<IpAddr>,
    /// Destination address of IP.
    pub destination: Option<IpAddr>,
    /// Protocol of IPv4, or of IPv6 behind its extension headers.
    pub protocol: Option<u8>,
    /// Source port of TCP or UDP; not in fragments after the first.
    pub source_port: Option<u16>,
    /// Destination port, likewise.
    pub destination_port: Option<u16>,
}

impl Fields {
    /// Reads them; a frame that is cut short has those in front.
    pub fn of(frame: &[u8]) -> Self {
        let mut fields = Self::default();
        let Ok(ethernet) = Frame::new(frame) else { return fields };
        if matches!(ethernet.ethertype(), ethertype::VLAN | ethertype::SERVICE_VLAN)
            && let Ok(tag) = vlan::Tag::new(ethernet.payload())
        {
            fields.vlan = Some(tag.identifier());
            fields.pcp = Some(tag.priority());
        }
        let Ok((kind, at)) = ethernet.network_layer() else { return fields };
        fields.ether_type = Some(kind);
        fields.ecn = codepoint(frame);
        let network = frame.get(at..).unwrap_or_default();
        match kind {
            ethertype::IPV4 => fields.read_ipv4(network),
            ethertype::IPV6 => fields.read_ipv6(network),
            _ => {}
        }
        fields
    }

    fn read_ipv4(&mut self, bytes: &[u8]) {
        let Ok(packet) = ipv4::Packet::new(bytes) else { return };
        self.dscp = Some(packet.dscp());
        self.source = Some(packet.source().into());
        self.destination = Some(packet.destination().into());
        self.protocol = Some(packet.protocol());
        if packet.fragment_offset() == 0 {
            self.read_ports(packet.protocol(), bytes.get(packet.header_length()..));
        }
    }

    fn read_ipv6(&mut self, bytes: &[u8]) {
        let Ok(packet) = ipv6::Packet::new(bytes) else { return };
        self.dscp = Some(packet.traffic_class() >> 2);
        self.source = Some(packet.source().into());
        self.destination = Some(packet.destination().into());
        if let Ok(upper) = packet.upper_layer() {
            self.protocol = Some(upper.protocol);
            if upper.fragment_offset.unwrap_or(0) == 0 {
                self.read_ports(upper.protocol, bytes.get(upper.offset..));
            }
        }
    }

    fn read_ports(&mut self, protocol: u8, bytes: Option<&[u8]>) {
        if let (ip::TCP | ip::UDP, Some(&[a, b, c, d, ..])) = (protocol, bytes) {
            self.source_port = Some(u16::from_be_bytes([a, b]));
            self.destination_port = Some(u16::from_be_bytes([c, d]));
        }
    }

    /// A hash of addresses, protocol and ports, the same for all packets of a flow: CRC-32 over them; of
    /// frames that are not IP, over EtherType and VLAN.
    pub fn flow_hash(&self) -> u32 {
        let mut bytes = Vec::with_capacity(48);
        for address in [self.source, self.destination].into_iter().flatten() {
            match address {
                IpAddr::V4(address) => bytes.extend(address.octets()),
                IpAddr::V6(address) => bytes.extend(address.octets()),
            }
        }
        let protocol = self.protocol.map(u16::from);
        let numbers =
            [protocol, self.source_port, self.destination_port, self.ether_type, self.vlan];
        for number in numbers.into_iter().flatten() {
            bytes.extend(number.to_be_bytes());
        }
        // A CRC of 32 bits.
        CRC32.checksum(&bytes) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn udp(vlan: &[u8], field: u8, ports: [u16; 2]) -> Vec<u8> {
        let mut ip = vec![0x45, field, 0, 28, 0, 1, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2];
        ip.extend(ports.iter().flat_map(|port| port.to_be_bytes()));
        ip.extend([0, 8, 0, 0]);
        [&[2; 12], vlan, &[8, 0], &ip].concat()
    }

    #[test]
    fn a_tagged_datagram() {
        let fields = Fields::of(&udp(&[0x81, 0, 0x60, 5], 0xb9, [1000, 53]));
        let wanted = Fields {
            ether_type: Some(0x0800),
            vlan: Some(5),
            pcp: Some(3),
            dscp: Some(46),
            ecn: Some(Codepoint::Ect1),
            source: Some([10, 0, 0, 1].into()),
            destination: Some([10, 0, 0, 2].into()),
            protocol: Some(17),
            source_port: Some(1000),
            destination_port: Some(53),
        };
        assert_eq!(fields, wanted);
    }

    #[test]
    fn ipv6_behind_an_extension_header() {
        let mut frame = [&[2; 12][..], &[0x86, 0xdd, 0x6b, 0x80, 0, 0, 0, 28, 0, 64]].concat();
        frame.extend([0xfd; 16]);
        frame.extend([0xfe; 16]);
        // Hop-by-hop options of 8 bytes, then TCP.
        frame.extend([6, 0, 1, 4, 0, 0, 0, 0]);
        frame.extend([0x1f, 0x90, 0, 80]);
        let fields = Fields::of(&frame);
        assert_eq!((fields.dscp, fields.protocol), (Some(46), Some(6)));
        assert_eq!((fields.source_port, fields.destination_port), (Some(8080), Some(80)));
    }

    #[test]
    fn cut_frames_and_fragments() {
        let frame = udp(&[], 0, [7, 8]);
        for length in 0..frame.len() {
            let fields = Fields::of(&frame[..length]);
            assert_eq!(fields.ether_type.is_some(), length >= 14);
            assert_eq!(fields.source_port.is_some(), length >= 38);
        }
        let mut fragment = frame;
        fragment[21] = 9;
        let fields = Fields::of(&fragment);
        assert_eq!((fields.protocol, fields.source_port), (Some(17), None));
    }

    #[test]
    fn a_flow_has_one_hash() {
        let hash = |field, ports| Fields::of(&udp(&[], field, ports)).flow_hash();
        assert_eq!(hash(0, [7, 8]), hash(0xb8, [7, 8]), "whatever its class");
        assert_ne!(hash(0, [7, 8]), hash(0, [8, 7]));
    }
}
