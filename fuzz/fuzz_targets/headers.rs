//! Header views: no bytes may make an accessor panic, and what a parsed header says
//! about lengths must lie inside the bytes.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ww_packet::checksum::{Sum, internet_checksum, pseudo_header_v4, pseudo_header_v6};
use ww_packet::hash::Hash;
use ww_packet::{ethernet, icmp, icmpv6, ipv4, ipv6, protocol, tcp, udp, vlan};

fuzz_target!(|data: &[u8]| {
    let middle = data.len() / 2;
    let mut parts = Sum::new();
    parts.add(&data[..middle]).add(&data[middle..]);
    assert_eq!(parts.checksum(), internet_checksum(data));
    for name in ["identity", "csum16", "xor16", "crc16", "crc16_custom", "crc32"] {
        if let Some(hash) = Hash::by_name(name) {
            assert!(hash.width() == 64 || hash.hash(data) >> hash.width() == 0);
        }
    }
    let Ok(frame) = ethernet::Frame::new(data) else { return };
    let _ = ethernet::Repr::parse(&frame).emit();
    let _ = vlan::Tag::new(frame.payload()).map(|tag| (tag.identifier(), tag.priority()));
    let Ok((kind, at)) = frame.network_layer() else { return };
    let bytes = &data[at..];
    match kind {
        protocol::ethertype::IPV4 => {
            let Ok(packet) = ipv4::Packet::new(bytes) else { return };
            let _ = (packet.options(), packet.checksum_valid(), packet.fragment_offset());
            let _ = ipv4::Repr::parse(&packet).emit();
            let payload = packet.payload();
            let length = payload.len() as u16;
            let (source, destination) = (packet.source(), packet.destination());
            let pseudo = pseudo_header_v4(source, destination, packet.protocol(), length);
            transport(packet.protocol(), payload, pseudo);
            let mut copy = bytes.to_vec();
            if let Ok(mut packet) = ipv4::Packet::new(&mut copy) {
                packet.fill_checksum();
                assert!(packet.checksum_valid());
            }
        }
        protocol::ethertype::IPV6 => {
            let Ok(packet) = ipv6::Packet::new(bytes) else { return };
            let _ = ipv6::Repr::parse(&packet).emit();
            let Ok(upper) = packet.upper_layer() else { return };
            let payload = &bytes[upper.offset..];
            let length = payload.len() as u32;
            let (source, destination) = (packet.source(), packet.destination());
            let pseudo = pseudo_header_v6(source, destination, upper.protocol, length);
            transport(upper.protocol, payload, pseudo);
        }
        _ => {}
    }
});

fn transport(protocol: u8, bytes: &[u8], pseudo: Sum) {
    let mut copy = bytes.to_vec();
    match protocol {
        protocol::ip::TCP => {
            let Ok(mut segment) = tcp::Segment::new(&mut copy) else { return };
            let _ = (segment.options().len(), segment.payload().len());
            let _ = tcp::Repr::parse(&segment).emit();
            segment.fill_checksum(pseudo);
            assert!(segment.checksum_valid(pseudo));
        }
        protocol::ip::UDP => {
            let Ok(mut datagram) = udp::Datagram::new(&mut copy) else { return };
            let _ = (datagram.payload().len(), udp::Repr::parse(&datagram).emit());
            datagram.fill_checksum(pseudo);
            assert!(datagram.checksum_valid(pseudo));
        }
        protocol::ip::ICMP => {
            let Ok(mut message) = icmp::Message::new(&mut copy) else { return };
            message.fill_checksum();
            assert!(message.checksum_valid());
        }
        protocol::ip::ICMPV6 => {
            let Ok(mut message) = icmpv6::Message::new(&mut copy) else { return };
            message.fill_checksum(pseudo);
            assert!(message.checksum_valid(pseudo));
        }
        _ => {}
    }
}
