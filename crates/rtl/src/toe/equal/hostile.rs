//! Segments that no honest peer sends, around what a session expects, or out of nowhere.

use std::net::{Ipv4Addr, SocketAddrV4};
use ww_packet::ethernet::MacAddress;
use ww_tcp::engine::outbound::{self, Ends, Header};
use ww_tcp::options::{Block, Blocks, Options, Timestamps};
use ww_tcp::random::Random;
use ww_tcp::sequence::Sequence;

/// Who sends frames to whom.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    /// Addresses of the sender.
    pub from: (MacAddress, Ipv4Addr),
    /// Addresses of the receiver.
    pub to: (MacAddress, Ipv4Addr),
}

/// What a session of the receiver says of itself: its peer, its port, rcv_nxt and snd_nxt.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// The peer, whose port the segment comes from.
    pub peer: SocketAddrV4,
    /// Where it goes.
    pub own_port: u16,
    /// What the session expects.
    pub expected: Sequence,
    /// What it has sent.
    pub sent: Sequence,
}

/// A segment that makes no sense, or just enough: its header, and the length of its data.
pub fn segment(random: &mut Random, view: View) -> (Header, usize) {
    let flags = random
        .pick(&[0x10, 0x10, 0x18, 0x11, 0x04, 0x14, 0x02, 0x12, 0x00, 0x50, 0x90, 0x1b, 0x29]);
    let header = Header {
        ports: (view.peer.port(), view.own_port),
        sequence: near(random, view.expected),
        acknowledgement: near(random, view.sent),
        flags,
        window: random.pick(&[0, 1, 100, 1_000, 0xffff]),
        options: options(random, view.sent),
        ecn: if random.once_in(8) { 3 } else { 0 },
    };
    (header, random.pick(&[0, 0, 1, 7, 100, 1_000, 1_460]))
}

/// A frame with such a segment.
pub fn frame(random: &mut Random, route: Route, view: View) -> Vec<u8> {
    let (header, length) = segment(random, view);
    let bytes = random.bytes(length);
    let mut frame = build(route, &header, &bytes);
    if random.once_in(8) {
        scramble(random, &mut frame);
    }
    frame
}

/// A SYN from anywhere: floods are made of it.
pub fn syn(random: &mut Random, route: Route, own_port: u16) -> Vec<u8> {
    let header = Header {
        ports: (1_024 + random.below(60_000) as u16, own_port),
        sequence: Sequence(random.bits() as u32),
        acknowledgement: Sequence(0),
        flags: 0x02,
        window: 0xffff,
        options: Options {
            mss: random.pick(&[None, Some(1), Some(536), Some(1_460), Some(8_960)]),
            window_scale: random.pick(&[None, Some(0), Some(14)]),
            sack_permitted: random.once_in(2),
            ..Options::default()
        },
        ecn: 0,
    };
    build(route, &header, &[])
}

fn build(route: Route, header: &Header, bytes: &[u8]) -> Vec<u8> {
    let ends = Ends { source: route.from.1, destination: route.to.1 };
    let mut frame = Vec::new();
    outbound::segment(ends, header, bytes.len(), |out| out.extend_from_slice(bytes), &mut frame);
    outbound::finish(&mut frame, route.from.0, route.to.0);
    frame
}

fn far(random: &mut Random) -> u32 {
    random.pick(&[0, 1, 2, 100, 1_460, 5_000, 65_535, 65_536, 1 << 20, 1 << 30, u32::MAX >> 1])
}

fn near(random: &mut Random, around: Sequence) -> Sequence {
    let distance = far(random);
    if random.once_in(2) { around + distance } else { around - distance }
}

fn options(random: &mut Random, sent: Sequence) -> Options {
    let mut options = Options::default();
    if random.once_in(3) {
        for _ in 0..random.below(5) {
            let start = near(random, sent);
            let end =
                if random.once_in(4) { near(random, sent) } else { start + far(random) % 3_000 };
            options.sack.push(Block { start, end });
        }
    }
    if random.once_in(3) {
        let (value, echo) = (random.bits() as u32, random.bits() as u32);
        options.timestamps = Some(Timestamps { value, echo });
    }
    if random.once_in(6) {
        options.mss = Some(1 + random.below(2_000) as u16);
        options.window_scale = Some(random.below(15) as u8);
        options.sack_permitted = random.once_in(2);
        // All of them do not fit into 40 bytes.
        options.sack = Blocks::default();
    }
    options
}

/// Other options, of random bytes, in their place; the checksum follows. Sometimes a wrong checksum.
fn scramble(random: &mut Random, frame: &mut [u8]) {
    let at = 34;
    let total = usize::from(u16::from_be_bytes([frame[16], frame[17]]));
    let head = usize::from(frame[at + 12] >> 4) * 4;
    for byte in &mut frame[at + 20..at + head] {
        *byte = random.pick(&[0, 1, 1, 2, 3, 4, 5, 8, 10, 200]);
    }
    frame[at + 16..at + 18].fill(0);
    let address = |at: usize| Ipv4Addr::new(frame[at], frame[at + 1], frame[at + 2], frame[at + 3]);
    let length = (total - 20) as u16;
    let mut sum = ww_packet::checksum::pseudo_header_v4(address(26), address(30), 6, length);
    let checksum = sum.add(&frame[at..14 + total]).checksum();
    let checksum = if random.once_in(6) { !checksum } else { checksum };
    frame[at + 16..at + 18].copy_from_slice(&checksum.to_be_bytes());
}
