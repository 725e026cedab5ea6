//! Hosts with a stack: no frame makes it panic, send without end, or want to be woken in the past.
//!
//! A frame is a byte of choices, two of length, and its bytes. Most get the host's address and right sums, as behind wrong
//! ones nothing is looked at.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ww_packet::checksum::pseudo_header_v4;
use ww_packet::protocol::ip;
use ww_packet::{icmp, ipv4, tcp, udp};
use ww_sim::stack::{Attachment, Flow, Settings, Stack};
use ww_sim::topology::host;

/// A millisecond in picoseconds.
const MILLISECOND: u64 = 1_000_000_000;

/// Puts the sums of an IPv4 packet right, as far as its lengths allow.
fn repair(frame: &mut [u8]) -> Option<()> {
    let packet = frame.get_mut(14..)?;
    let mut header = ipv4::Packet::new(&mut packet[..]).ok()?;
    header.fill_checksum();
    let (protocol, source, destination) =
        (header.protocol(), header.source(), header.destination());
    let (from, to) = (header.header_length(), usize::from(header.total_length()));
    let payload = packet.get_mut(from..to)?;
    let sum = pseudo_header_v4(source, destination, protocol, payload.len() as u16);
    match protocol {
        ip::TCP => tcp::Segment::new(payload).ok()?.fill_checksum(sum),
        ip::UDP => udp::Datagram::new(payload).ok()?.fill_checksum(sum),
        ip::ICMP => icmp::Message::new(payload).ok()?.fill_checksum(),
        _ => {}
    }
    Some(())
}

fuzz_target!(|data: &[u8]| {
    let (own, other) = (host(1), host(0));
    let Some((first, mut data)) = data.split_first() else { return };
    let attachment = Attachment { prefix: 0, router: None, mtu: 1_500 };
    let gateway = (first & 1 != 0).then_some(other.mac);
    let mut stack = Stack::new(own.ip, own.mac, gateway, attachment, 1).expect("a stack");
    let flow = |serial| Flow { place: 0, serial };
    let settings = Settings::default();
    let remote = (other.ip, 10_001);
    stack.listen(flow(1), remote, 5_001, &settings).expect("a socket");
    stack.connect(flow(2), 5_000, remote, 5_009, &settings).expect("a socket");
    stack.bind(flow(3), 20_000).expect("a socket");
    stack.expect(flow(3), remote, 5_001).expect("a socket");
    stack.open_ping(flow(4), 77).expect("a socket");
    let mut now = 0;
    while let [choices, high, low, rest @ ..] = data {
        let length = usize::from(u16::from_be_bytes([*high, *low])).min(rest.len());
        let (frame, more) = rest.split_at(length);
        data = more;
        let mut frame = frame.to_vec();
        if choices & 1 != 0 && frame.len() >= 6 {
            frame[..6].copy_from_slice(&own.mac);
            let _ = repair(&mut frame);
        }
        stack.receive(frame);
        if choices & 2 != 0 {
            let _ = stack.send(flow(3), 1, now, 100, (other.ip, 5_000));
            let _ = stack.ping(flow(4), now, 56, other.ip);
        }
        stack.poll(now, now, 16_000);
        let sent: usize = stack.frames().iter().map(Vec::len).sum();
        assert!(sent < 1 << 20);
        stack.reports();
        let next = stack.wakes(now).unwrap_or(now + MILLISECOND);
        assert!(next > now);
        now = if choices & 4 != 0 { next } else { now + u64::from(*choices) * 1_000_000 };
    }
});
