//! Fields of a frame that a TPP can read: `PacketMetadata` at 0xc200.

use crate::frame::network_layer;
use ww_packet::ipv4;
use ww_packet::protocol::{ethertype, ip};

/// The field with this number in the map; `None` if there is no such. What the frame does not have is 0.
pub fn field(frame: &[u8], number: u16) -> Option<u32> {
    let bytes = |at: usize, count: usize| {
        let part = frame.get(at..at + count);
        part.map_or(0, |part| part.iter().fold(0, |sum, byte| sum << 8 | u32::from(*byte)))
    };
    Some(match number {
        0 => bytes(0, 2),
        1 => bytes(2, 4),
        2 => bytes(6, 2),
        3 => bytes(8, 4),
        4 => network_layer(frame).map_or(0, |(kind, _)| kind.into()),
        5 => match bytes(12, 2) as u16 {
            ethertype::VLAN | ethertype::SERVICE_VLAN => bytes(14, 2) & 0xfff,
            _ => 0,
        },
        6..=12 => ipv4_field(frame, number).unwrap_or(0),
        _ => return None,
    })
}

/// IPv4's destination address, if the frame has one.
pub fn ipv4_destination(frame: &[u8]) -> Option<u32> {
    ipv4_field(frame, 7)
}

fn ipv4_field(frame: &[u8], number: u16) -> Option<u32> {
    let (kind, at) = network_layer(frame)?;
    if kind != ethertype::IPV4 {
        return None;
    }
    let packet = ipv4::Packet::new(frame.get(at..)?).ok()?;
    let is_first = packet.fragment_offset() == 0;
    let port = |at: usize| {
        let has_ports = matches!(packet.protocol(), ip::TCP | ip::UDP) && is_first;
        let bytes = packet.payload().get(at..at + 2).filter(|_| has_ports)?;
        Some(u32::from(u16::from_be_bytes([bytes[0], bytes[1]])))
    };
    Some(match number {
        6 => packet.source().into(),
        7 => packet.destination().into(),
        8 => packet.protocol().into(),
        9 => packet.ttl().into(),
        10 => packet.dscp().into(),
        11 => port(0)?,
        _ => port(2)?,
    })
}
