//! What a host makes of frames: counted once, by the first reason; answered as the RFCs say.

use std::net::Ipv4Addr;
use ww_packet::checksum::pseudo_header_v4;
use ww_packet::ethernet::{self, MacAddress};
use ww_packet::protocol::{ethertype, ip};
use ww_packet::{arp, icmp, ipv4, tcp, udp};
use ww_tcp::engine::Engine;
use ww_tcp::host::{Application, Host, Load, Protocol};
use ww_tcp::settings::{Behaviour, Settings};

const OURS: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 2);
const PEER: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);
const OUR_MAC: MacAddress = MacAddress([2, 0, 0, 0, 0, 2]);
const PEER_MAC: MacAddress = MacAddress([2, 0, 0, 0, 0, 1]);

fn host() -> Host<Engine> {
    let settings = Settings {
        mac: OUR_MAC,
        ip: OURS,
        prefix: 24,
        gateway: None,
        sessions: 8,
        backlog: 4,
        seed: 3,
        scan: false,
        tcp: Behaviour::default(),
    };
    let mut host = Host::new(Engine::new(settings), Load::default());
    assert!(host.listen(Protocol::Tcp, 7, Application::Echo));
    assert!(host.listen(Protocol::Udp, 7, Application::Echo));
    assert!(!host.listen(Protocol::Udp, 7, Application::Discard));
    host
}

fn link(kind: u16, payload: &[u8]) -> Vec<u8> {
    let header = ethernet::Repr { destination: OUR_MAC, source: PEER_MAC, ethertype: kind };
    let mut frame = [&header.emit()[..], payload].concat();
    frame.resize(frame.len().max(60), 0);
    frame
}

fn network(protocol: u8, payload: &[u8]) -> Vec<u8> {
    let header = ipv4::Repr {
        source: PEER,
        destination: OURS,
        protocol,
        ttl: 64,
        dscp: 0,
        ecn: 0,
        identification: 0,
        dont_fragment: false,
        payload_length: payload.len() as u16,
    };
    link(ethertype::IPV4, &[&header.emit()[..], payload].concat())
}

/// An IPv4 frame with a byte of its header changed and the header's checksum made anew.
fn with_header_byte(at: usize, value: u8) -> Vec<u8> {
    let mut frame = network(ip::ICMP, &echo_request(8));
    frame[14 + at] = value;
    let length = usize::from(frame[14] & 15) * 4;
    if length >= 20 {
        frame[24..26].fill(0);
        let checksum = ww_packet::checksum::internet_checksum(&frame[14..14 + length]);
        frame[24..26].copy_from_slice(&checksum.to_be_bytes());
    }
    frame
}

fn echo_request(length: usize) -> Vec<u8> {
    let mut message = vec![icmp::kind::ECHO_REQUEST, 0, 0, 0, 0, 9, 0, 1];
    message.extend((0..length).map(|n| n as u8));
    icmp::Message::new(&mut message[..]).unwrap().fill_checksum();
    message
}

fn datagram(port: u16, data: &[u8], checksum: bool) -> Vec<u8> {
    let length = (8 + data.len()) as u16;
    let header = udp::Repr { source_port: 99, destination_port: port, length };
    let mut bytes = [&header.emit()[..], data].concat();
    if checksum {
        let sum = pseudo_header_v4(PEER, OURS, ip::UDP, length);
        udp::Datagram::new(&mut bytes[..]).unwrap().fill_checksum(sum);
    }
    bytes
}

fn syn(port: u16) -> Vec<u8> {
    let header = tcp::Repr {
        source_port: 99,
        destination_port: port,
        sequence: 100,
        acknowledgement: 0,
        flags: tcp::flags::SYN,
        window: 1_000,
        urgent_pointer: 0,
    };
    let mut bytes = header.emit().to_vec();
    let sum = pseudo_header_v4(PEER, OURS, ip::TCP, 20);
    tcp::Segment::new(&mut bytes[..]).unwrap().fill_checksum(sum);
    bytes
}

fn arp_request() -> Vec<u8> {
    let message = arp::Repr {
        operation: arp::Operation::Request,
        sender_mac: PEER_MAC,
        sender_ip: PEER,
        target_mac: MacAddress([0; 6]),
        target_ip: OURS,
    };
    link(ethertype::ARP, &message.emit())
}

fn sent(host: &mut Host<Engine>) -> Vec<Vec<u8>> {
    let (mut all, mut frame) = (Vec::new(), Vec::new());
    while host.transmit(&mut frame, 0) {
        all.push(frame.clone());
    }
    all
}

fn reason(frame: &[u8]) -> String {
    let mut host = host();
    host.receive(frame, 0);
    let report = host.report();
    let dropped = report["dropped"].as_object().unwrap();
    match dropped.len() {
        0 => "accepted".into(),
        1 => dropped.keys().next().unwrap().clone(),
        _ => panic!("{report}"),
    }
}

#[test]
fn each_frame_is_dropped_by_the_first_reason() {
    let wrong_sum = |mut frame: Vec<u8>, at: usize| {
        frame[at] ^= 0x55;
        frame
    };
    let mut other_mac = network(ip::ICMP, &echo_request(8));
    other_mac[0] = 4;
    let mut short_udp = datagram(7, b"", false);
    short_udp[5] = 7;
    let mut long_udp = datagram(7, b"", false);
    long_udp[5] = 9;
    let mut offset = syn(7);
    offset[12] = 0x40;
    let mut beyond = syn(7);
    beyond[12] = 0x60;
    let mut arp_wrong = arp_request();
    arp_wrong[15] = 6;
    for (frame, expected) in [
        (vec![0; 13], "frame"),
        (vec![0xff; 9_015], "frame"),
        (other_mac, "not_ours"),
        (link(0x86dd, &[0; 46]), "ethertype"),
        (link(ethertype::VLAN, &[0; 46]), "ethertype"),
        (arp_wrong, "arp"),
        (link(ethertype::ARP, &[0; 20])[..40].to_vec(), "arp"),
        (with_header_byte(0, 0x65), "ip_header"),
        (with_header_byte(0, 0x44), "ip_header"),
        (with_header_byte(3, 19), "ip_header"),
        (with_header_byte(2, 1), "ip_header"),
        (wrong_sum(network(ip::ICMP, &echo_request(8)), 24), "ip_checksum"),
        (with_header_byte(19, 3), "not_ours"),
        (with_header_byte(6, 0x20), "fragment"),
        (with_header_byte(7, 1), "fragment"),
        (with_header_byte(9, 89), "protocol"),
        (network(ip::ICMP, &echo_request(8)[..7]), "icmp"),
        (wrong_sum(network(ip::ICMP, &echo_request(8)), 36), "icmp"),
        (
            network(ip::ICMP, &{
                let mut reply = echo_request(8);
                reply[0] = 0;
                icmp::Message::new(&mut reply[..]).unwrap().fill_checksum();
                reply
            }),
            "icmp",
        ),
        (network(ip::UDP, &short_udp), "udp_length"),
        (network(ip::UDP, &long_udp), "udp_length"),
        (network(ip::UDP, &[0; 7]), "udp_length"),
        (wrong_sum(network(ip::UDP, &datagram(7, b"abc", true)), 42), "udp_checksum"),
        (network(ip::TCP, &offset), "tcp_header"),
        (network(ip::TCP, &beyond), "tcp_header"),
        (network(ip::TCP, &[0; 19]), "tcp_header"),
        (wrong_sum(network(ip::TCP, &syn(7)), 50), "tcp_checksum"),
        // Good ones.
        (arp_request(), "accepted"),
        (network(ip::ICMP, &echo_request(8)), "accepted"),
        (network(ip::UDP, &datagram(7, b"abc", true)), "accepted"),
        (network(ip::UDP, &datagram(7, b"abc", false)), "accepted"),
        (network(ip::UDP, &datagram(8, b"abc", false)), "accepted"),
        (network(ip::TCP, &syn(7)), "accepted"),
        (network(ip::TCP, &syn(8)), "accepted"),
    ] {
        assert_eq!(reason(&frame), expected, "{frame:02x?}");
    }
}

#[test]
fn a_request_for_our_address_is_answered_and_teaches_the_way() {
    let mut host = host();
    host.receive(&arp_request(), 0);
    let [reply] = &sent(&mut host)[..] else { panic!() };
    assert_eq!(reply.len(), 60);
    let message = arp::Repr::parse(&reply[14..]).unwrap();
    assert_eq!(message.operation, arp::Operation::Reply);
    assert_eq!((message.sender_ip, message.sender_mac), (OURS, OUR_MAC));
    assert_eq!((message.target_ip, message.target_mac), (PEER, PEER_MAC));
    host.receive(&network(ip::ICMP, &echo_request(100)), 0);
    let [reply] = &sent(&mut host)[..] else { panic!() };
    assert_eq!(reply[..6], PEER_MAC.0);
    let mut expected = echo_request(100);
    expected[0] = 0;
    icmp::Message::new(&mut expected[..]).unwrap().fill_checksum();
    assert_eq!(reply[34..], expected[..]);
}

/// Check 33: a packet whose way is not known is dropped, and one question asked.
#[test]
fn a_miss_drops_one_packet_and_asks_once() {
    let mut host = host();
    host.receive(&network(ip::ICMP, &echo_request(8)), 0);
    let [question] = &sent(&mut host)[..] else { panic!() };
    let message = arp::Repr::parse(&question[14..]).unwrap();
    assert_eq!((message.operation, message.target_ip), (arp::Operation::Request, PEER));
    assert_eq!(host.report()["unresolved"], 1);
}

#[test]
fn closed_ports_say_so() {
    let mut host = host();
    host.receive(&arp_request(), 0);
    sent(&mut host);
    let asked = network(ip::UDP, &datagram(8, b"abcdefghijkl", true));
    host.receive(&asked, 0);
    host.receive(&network(ip::TCP, &syn(8)), 0);
    let [unreachable, reset] = &sent(&mut host)[..] else { panic!() };
    assert_eq!(unreachable[34..36], [3, 3]);
    assert_eq!(unreachable[42..70], asked[14..42]);
    assert!(icmp::Message::new(&unreachable[34..70]).unwrap().checksum_valid());
    let reset = tcp::Segment::new(&reset[34..54]).unwrap();
    assert_eq!(reset.flags(), tcp::flags::RST | tcp::flags::ACK);
    assert_eq!((reset.sequence(), reset.acknowledgement()), (0, 101));
}

#[test]
fn padding_is_no_data() {
    let mut host = host();
    host.receive(&arp_request(), 0);
    // 3 bytes of data in a frame of 60.
    let frame = network(ip::UDP, &datagram(7, b"abc", true));
    assert_eq!(frame.len(), 60);
    host.receive(&frame, 0);
    let echo = sent(&mut host).pop().unwrap();
    let packet = ipv4::Packet::new(&echo[14..]).unwrap();
    let datagram = udp::Datagram::new(packet.payload()).unwrap();
    assert_eq!(datagram.payload(), b"abc");
}
