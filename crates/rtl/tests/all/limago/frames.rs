//! Frames for a host, good ones and all kinds of bad ones.

use std::net::{Ipv4Addr, SocketAddrV4};
use ww_packet::checksum::{internet_checksum, pseudo_header_v4};
use ww_packet::ethernet::MacAddress;
use ww_packet::protocol::ip;
use ww_tcp::random::Random;

pub const OWN_MAC: MacAddress = MacAddress([2, 0, 0, 0, 0, 2]);
pub const OWN_IP: Ipv4Addr = Ipv4Addr::new(10, 1, 2, 3);

/// An Ethernet header in front of a payload, padded to 60 bytes with what `random` gives: padding is no payload.
pub fn ethernet(random: &mut Random, to: MacAddress, ethertype: u16, payload: &[u8]) -> Vec<u8> {
    let mut frame = to.0.to_vec();
    frame.extend([2, 0, 0, 0, 0, 9]);
    frame.extend(ethertype.to_be_bytes());
    frame.extend(payload);
    let padding = 60usize.saturating_sub(frame.len());
    frame.extend(random.bytes(padding));
    frame
}

/// An IPv4 packet with `options` words of options.
pub fn ipv4(source: Ipv4Addr, protocol: u8, options: usize, ecn: u8, message: &[u8]) -> Vec<u8> {
    let header = 20 + 4 * options;
    let mut packet = vec![0x40 | (header / 4) as u8, ecn];
    packet.extend(((header + message.len()) as u16).to_be_bytes());
    packet.extend([0, 7, 0x40, 0, 64, protocol, 0, 0]);
    packet.extend(source.octets());
    packet.extend(OWN_IP.octets());
    packet.extend(vec![1; 4 * options]);
    let checksum = internet_checksum(&packet);
    packet[10..12].copy_from_slice(&checksum.to_be_bytes());
    packet.extend(message);
    packet
}

/// An ICMP echo request.
pub fn echo_request(data: &[u8]) -> Vec<u8> {
    let mut message = vec![8, 0, 0, 0, 0x12, 0x34, 0, 1];
    message.extend(data);
    let checksum = internet_checksum(&message);
    message[2..4].copy_from_slice(&checksum.to_be_bytes());
    message
}

/// A UDP datagram from `peer`.
pub fn udp(peer: SocketAddrV4, port: u16, data: &[u8], with_checksum: bool) -> Vec<u8> {
    let mut message = peer.port().to_be_bytes().to_vec();
    message.extend(port.to_be_bytes());
    message.extend((8 + data.len() as u16).to_be_bytes());
    message.extend([0, 0]);
    message.extend(data);
    if with_checksum {
        fill(*peer.ip(), ip::UDP, 6, &mut message);
    }
    message
}

/// A TCP segment from `peer` with these options and data.
pub fn tcp(peer: SocketAddrV4, port: u16, flags: u8, options: &[u8], data: &[u8]) -> Vec<u8> {
    tcp_from(256, peer, port, flags, options, data)
}

/// A TCP segment with this number.
pub fn tcp_from(
    number: u32,
    peer: SocketAddrV4,
    port: u16,
    flags: u8,
    options: &[u8],
    data: &[u8],
) -> Vec<u8> {
    let mut message = peer.port().to_be_bytes().to_vec();
    message.extend(port.to_be_bytes());
    message.extend(number.to_be_bytes());
    message.extend([0, 0, 2, 0]);
    message.extend([(5 + options.len() as u8 / 4) << 4, flags, 0xff, 0xff, 0, 0, 0, 0]);
    message.extend(options);
    message.extend(data);
    fill(*peer.ip(), ip::TCP, 16, &mut message);
    message
}

fn fill(source: Ipv4Addr, protocol: u8, at: usize, message: &mut [u8]) {
    let mut sum = pseudo_header_v4(source, OWN_IP, protocol, message.len() as u16);
    let checksum = sum.add(message).checksum();
    // UDP: zero would mean that there is none.
    let checksum = if checksum == 0 && protocol == ip::UDP { 0xffff } else { checksum };
    message[at..at + 2].copy_from_slice(&checksum.to_be_bytes());
}

/// An ARP message of 28 bytes.
pub fn arp(operation: u16, sender: (MacAddress, Ipv4Addr), target: Ipv4Addr) -> Vec<u8> {
    let mut message = vec![0, 1, 8, 0, 6, 4];
    message.extend(operation.to_be_bytes());
    message.extend(sender.0.0);
    message.extend(sender.1.octets());
    message.extend([0; 6]);
    message.extend(target.octets());
    message
}

/// A good frame of any kind that a host takes.
pub fn good(random: &mut Random) -> Vec<u8> {
    let source = Ipv4Addr::new(10, 1, 2, random.bits() as u8);
    let peer = SocketAddrV4::new(source, random.bits() as u16);
    let port = random.bits() as u16;
    let most = random.pick(&[1, 8, 30, 70, 200, 1_500, 8_900]);
    let count = random.below(most) as usize;
    let data = random.bytes(count);
    let options = random.pick(&[0, 0, 0, 0, 1, 2, 5, 9, 10]);
    let ecn = random.below(4) as u8;
    let to = if random.once_in(8) { MacAddress::BROADCAST } else { OWN_MAC };
    match random.below(8) {
        0 => {
            let sender = (MacAddress([2, 0, 0, 0, 1, random.bits() as u8]), source);
            let operation = 1 + random.below(2) as u16;
            ethernet(random, to, 0x0806, &arp(operation, sender, OWN_IP))
        }
        1 => {
            let packet = ipv4(source, ip::ICMP, options, ecn, &echo_request(&data));
            ethernet(random, to, 0x0800, &packet)
        }
        2 | 3 => {
            let mut message = udp(peer, port, &data, !random.once_in(3));
            if random.once_in(4) {
                // The packet is longer than the datagram.
                message.extend([7; 5]);
            }
            ethernet(random, to, 0x0800, &ipv4(source, ip::UDP, options, ecn, &message))
        }
        _ => {
            let words = random.below(11) as usize;
            let flags = random.bits() as u8;
            let message = tcp(peer, port, flags, &vec![1; 4 * words], &data);
            ethernet(random, to, 0x0800, &ipv4(source, ip::TCP, options, ecn, &message))
        }
    }
}

/// A frame that may be bad in any way.
pub fn any(random: &mut Random) -> Vec<u8> {
    let mut frame = good(random);
    match random.below(10) {
        // A byte of the headers is another one.
        0..4 => {
            let reach = frame.len().min(random.pick(&[14, 34, 60, 100, 9_000]));
            let at = random.below(reach as u64) as usize;
            frame[at] = if random.once_in(2) {
                random.bits() as u8
            } else {
                frame[at] ^ (1 << random.below(8))
            };
        }
        // It is cut, or longer.
        4 => frame.truncate(1 + random.below(frame.len() as u64) as usize),
        5 => {
            let count = random.pick(&[1, 4, 64, 200, 9_000]);
            let more = random.bytes(count);
            frame.extend(more);
        }
        // Something of the IPv4 header is another one, and its checksum is right: any byte, or what makes a fragment.
        6 | 7 if frame[12..14] == [8, 0] => {
            if random.once_in(2) {
                let fragment = random.pick(&[0x2000u16, 0x0001, 0x1fff, 0x3001, 0x8000]);
                frame[20..22].copy_from_slice(&fragment.to_be_bytes());
            } else {
                let at = 14 + random.below(20) as usize;
                frame[at] = random.bits() as u8;
            }
            let end = (14 + usize::from(frame[14] & 15) * 4).clamp(34, frame.len());
            frame[24..26].fill(0);
            let checksum = internet_checksum(&frame[14..end]);
            frame[24..26].copy_from_slice(&checksum.to_be_bytes());
        }
        _ => {}
    }
    frame
}
