//! What is between a session and its peer: segments that are late, lost, overtaken, doubled and marked.

use super::twin::pattern;
use std::collections::BTreeMap;
use ww_tcp::options::Options;
use ww_tcp::random::Random;
use ww_tcp::sequence::Sequence;
use ww_tcp::session::{Departure, Reset, Segment};
use ww_tcp::settings::Nanoseconds;

/// A segment with its bytes.
#[derive(Clone, Debug)]
pub struct Packet {
    pub sequence: Sequence,
    pub acknowledgement: Sequence,
    pub flags: u8,
    pub window: u16,
    pub options: Options,
    pub payload: Vec<u8>,
    pub marked: bool,
}

impl Packet {
    pub fn of(departure: &Departure, payload: Vec<u8>) -> Self {
        Self {
            sequence: departure.sequence,
            acknowledgement: departure.acknowledgement,
            flags: departure.flags,
            window: departure.window,
            options: departure.options,
            payload,
            marked: false,
        }
    }

    pub fn reset(reset: &Reset) -> Self {
        use ww_packet::tcp::flags::{ACK, RST};
        Self {
            sequence: reset.sequence,
            acknowledgement: reset.acknowledgement.unwrap_or_default(),
            flags: RST | if reset.acknowledgement.is_some() { ACK } else { 0 },
            window: 0,
            options: Options::default(),
            payload: Vec::new(),
            marked: false,
        }
    }

    pub fn segment(&self) -> Segment<'_> {
        Segment {
            sequence: self.sequence,
            acknowledgement: self.acknowledgement,
            flags: self.flags,
            window: self.window,
            options: self.options,
            payload: &self.payload,
            marked: self.marked,
        }
    }
}

/// How bad a way is: once in so many segments.
#[derive(Clone, Copy, Debug)]
pub struct Quality {
    pub delay: Nanoseconds,
    pub loss: u64,
    pub reorder: u64,
    pub duplicate: u64,
    pub mark: u64,
}

/// One direction.
pub struct Way {
    quality: Quality,
    /// Nothing gets through any more.
    pub is_cut: bool,
    packets: BTreeMap<(Nanoseconds, u64), Packet>,
    count: u64,
}

impl Way {
    pub fn new(quality: Quality) -> Self {
        Self { quality, is_cut: false, packets: BTreeMap::new(), count: 0 }
    }

    pub fn send(&mut self, mut packet: Packet, now: Nanoseconds, random: &mut Random) {
        let Quality { delay, loss, reorder, duplicate, mark } = self.quality;
        if random.once_in(loss) || self.is_cut {
            return;
        }
        packet.marked = random.once_in(mark);
        let late = if random.once_in(reorder) { random.below(3 * delay) } else { 0 };
        if random.once_in(duplicate) {
            self.put(packet.clone(), now + delay + random.below(2 * delay));
        }
        self.put(packet, now + delay + late);
    }

    fn put(&mut self, packet: Packet, at: Nanoseconds) {
        self.count += 1;
        self.packets.insert((at, self.count), packet);
    }

    pub fn next(&self) -> Option<Nanoseconds> {
        self.packets.keys().next().map(|&(at, _)| at)
    }

    pub fn take(&mut self, now: Nanoseconds) -> Option<Packet> {
        self.next().filter(|&at| at <= now)?;
        self.packets.pop_first().map(|(_, packet)| packet)
    }
}

/// A segment that a peer with this view of the connection would not send.
pub fn hostile(random: &mut Random, expected: Sequence, sent: Sequence) -> Packet {
    let length = random.pick(&[0, 0, 1, 7, 100, 1_000, 1_460]);
    let far = |random: &mut Random| {
        random.pick(&[0, 1, 2, 100, 1_460, 5_000, 65_535, 65_536, 1 << 20, 1 << 30, u32::MAX >> 1])
    };
    let near = |random: &mut Random, around: Sequence| {
        let distance = far(random);
        if random.once_in(2) { around + distance } else { around - distance }
    };
    let mut options = Options::default();
    if random.once_in(3) {
        for _ in 0..random.below(5) {
            let start = near(random, sent);
            let end =
                if random.once_in(4) { near(random, sent) } else { start + far(random) % 3_000 };
            options.sack.push(ww_tcp::options::Block { start, end });
        }
    }
    if random.once_in(3) {
        let (value, echo) = (random.bits() as u32, random.bits() as u32);
        options.timestamps = Some(ww_tcp::options::Timestamps { value, echo });
    }
    if random.once_in(6) {
        options.mss = Some(1 + random.below(2_000) as u16);
        options.window_scale = Some(random.below(15) as u8);
        options.sack_permitted = random.once_in(2);
    }
    let flags = random
        .pick(&[0x10, 0x10, 0x18, 0x11, 0x04, 0x14, 0x02, 0x12, 0x00, 0x50, 0x90, 0x1b, 0x29]);
    let sequence = near(random, expected);
    Packet {
        sequence,
        acknowledgement: near(random, sent),
        flags,
        window: random.pick(&[0, 1, 100, 1_000, 0xffff]),
        options,
        payload: (0..length).map(|offset| pattern(sequence.0.wrapping_add(offset))).collect(),
        marked: random.once_in(8),
    }
}
